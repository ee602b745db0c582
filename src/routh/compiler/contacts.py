"""Contacts, stops, ropes and scheduled impulses as records: every declared contact becomes one or several elementary ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from routh.compiler.compliant import has_bristle, record_of
from routh.compiler.dry import DryJoint, fill_dry
from routh.compiler.geometry import in_space
from routh.compiler.laws import compile_friction, compile_restitution, law_code
from routh.compiler.pairs import GapSpec, gaps_of, length_of
from routh.core.tables.impact_codes import NEWTON
from routh.core.tables.layout import (
    COMPLIANT,
    CONTACT,
    DRY,
    FREE,
    FRICTION_JOINT,
    IMPULSE,
    LIMIT,
    ROPE,
    ROW,
    SOFT,
    STOP,
    TOUCHING,
)
from routh.core.tables.stepping import N_DOMAIN, RULE
from routh.errors import ModelError
from routh.model.compliant import Compliant
from routh.model.contacts import Contact, ContactGroup, Rope, Stop, Unilateral
from routh.model.friction import Friction
from routh.model.impulses import Impulse
from routh.model.model import Model
from routh.model.restitution import Restitution

if TYPE_CHECKING:
    from routh.compiler.compile import Placement

__all__ = ["ContactTables", "fill_part", "friction_address", "impulse_table"]

ALONE = ("Stronge", "Brach")  # laws of one contact at a time


class ContactTables:
    """Tables of all contacts of a model, filled in order of declaration."""

    def __init__(self, model: Model, declared: Sequence[Unilateral | DryJoint], nodes: np.ndarray,
                 bodies: Mapping[str, Placement], coordinates: Mapping[tuple[str, int], tuple[int, int]],
                 paths: Callable[[int, int], list[int]], path: list[int], parameters: list[float], laws: list[Any]) -> None:
        self.model, self.declared, self.nodes, self.bodies, self.coordinates = model, declared, nodes, bodies, coordinates
        self.paths, self.path, self.parameters, self.laws = paths, path, parameters, laws
        self.contact: list[np.ndarray] = []
        self.hold: list[np.ndarray] = []
        self.vertex: list[np.ndarray] = []
        self.n_vertex = 0
        self.compliant: list[np.ndarray] = []
        self.dry: list[np.ndarray] = []
        self.rule: list[np.ndarray] = []
        self.n_bristle = 0
        self.seen: dict[tuple[int, int], tuple[int, int, int]] = {}
        self.moving: dict[tuple[int, int], bool] = {}

    def add_all(self) -> None:
        """A record for every point of every contact, stop and rope: those of the event-driven engine."""
        for owner, declared in enumerate(self.declared):
            match declared:
                case Contact():
                    self._add_pair(owner, declared)
                case Stop():
                    self._add_stops(owner, declared)
                case Rope():
                    self._add_rope(owner, declared)
                case DryJoint():
                    self._add_dry(owner, declared)

    def add_fixed(self) -> None:
        """Stops and ropes, and records as scratch for pairs of shapes: those of the stepping engine."""
        for owner, declared in enumerate(self.declared):
            match declared:
                case Stop():
                    self._add_stops(owner, declared)
                case Rope():
                    self._add_rope(owner, declared)
                case DryJoint():
                    self._add_dry(owner, declared)
        for declared in self.declared:
            self._add_rule(declared)
        room = 2 * max((len(self.paths(i, i)) for i in range(1, len(self.nodes))), default=0)
        for _ in range(N_DOMAIN):
            scratch = np.zeros((), CONTACT)
            scratch["hold"], scratch["n_row"], scratch["size"] = len(self.hold), self.model.dimension, 1.0
            self.contact.append(scratch)
            for _ in range(self.model.dimension):
                row = np.zeros((), ROW)
                row["kind"], row["scale"], row["path_from"], row["path_to"] = TOUCHING, 1.0, len(self.path), len(self.path)
                self.hold.append(row)
            self.path += [0] * room

    def _add_rule(self, declared: Any) -> None:
        """The law of a contact, group, stop or rope, as the stepping engine reads it."""
        rule = np.zeros((), RULE)
        law = getattr(declared, "law", None)
        if isinstance(law, Compliant):
            if law.rolling is not None:
                raise ModelError(f'{declared.where}: engine = "stepping" has no moments against rolling and drilling; leave '
                                 "`rolling` out, or take the event-driven engine")
            self.compliant.append(record_of(law, self.laws))
            mu = law.friction.mu if law.friction is not None else 0.0
            rule["law"], rule["soft"] = SOFT, len(self.compliant) - 1
            rule["mu"] = rule["mu_s"] = self.compliant[-1]["mu"]
            rule["friction"], rule["par_from"] = friction_address(declared.where, mu, self.parameters, self.laws)
        elif law is not None:
            if getattr(law, "tangential_stiffness", None) is not None:
                raise ModelError(f'{declared.where}: tangential_stiffness acts within an impact, which engine = "stepping" '
                                 "does not follow; leave it out, or take the event-driven engine")
            rule["law"], rule["e"], rule["mu"] = law_code(law)[0], law.restitution(0.0), law.rest
            rule["bounce"], rule["bounce_from"] = restitution_address(declared.where, law.e, self.parameters, self.laws)
            rule["mu_s"] = max(law.static, law.rest)
            rule["friction"], rule["par_from"] = friction_address(declared.where, law.mu, self.parameters, self.laws)
        elif isinstance(declared, DryJoint):
            rule["law"], rule["mu"], rule["mu_s"] = NEWTON, declared.mu, declared.mu * declared.stiction
        else:
            rule["law"], rule["e"] = NEWTON, declared.e
        rule["apart"] = isinstance(declared, ContactGroup)
        self.rule.append(rule)

    def tables(self) -> dict[str, np.ndarray]:
        """The tables by their names in a System."""
        vertex = np.vstack(self.vertex) if self.vertex else np.zeros((0, 3))
        return {"contact": np.array(self.contact, CONTACT) if self.contact else np.zeros(0, CONTACT),
                "hold": np.array(self.hold, ROW) if self.hold else np.zeros(0, ROW), "vertex": vertex,
                "dry": np.array(self.dry, FRICTION_JOINT) if self.dry else np.zeros(0, FRICTION_JOINT),
                "compliant": np.array(self.compliant, COMPLIANT) if self.compliant else np.zeros(0, COMPLIANT)}

    def _add_pair(self, owner: int, declared: Contact) -> None:
        try:
            gaps = gaps_of(self.model.space, declared.a, declared.b)
        except ModelError as error:
            raise ModelError(f"{declared.where}: {error}") from None
        if not gaps:
            raise ModelError(f"{declared.where}: the {type(declared.a).__name__} of \"{declared.a.body}\" and the "
                             f"{type(declared.b).__name__} of \"{declared.b.body}\" have no points that can meet: "
                             "what lies inside must be smaller than what it lies in")
        law = declared.law
        assert law is not None
        if isinstance(law, Compliant):
            self._add_compliant(owner, declared, law, gaps)
            return
        if len(gaps) > 1 and self.model.impacts == "simultaneous" and type(law).__name__ in ALONE:
            raise ModelError(f"{declared.where}: touches at up to {len(gaps)} points at once, and {type(law).__name__} is a "
                             'law of one contact at a time; take impacts="sequential", or Newton or Poisson')
        code, e_t = law_code(law)
        smooth = not isinstance(law.mu, Friction) and law.static == 0.0
        mu: Any = law.rest
        address, par_from = self._friction(declared, law.mu)
        bounce = restitution_address(declared.where, law.e, self.parameters, self.laws)
        for gap in gaps:
            record = self._new_pair(owner, declared, gap, 1 if smooth else self.model.dimension)
            record["law"], record["e"], record["e_t"] = code, law.restitution(0.0), e_t
            record["bounce"], record["bounce_from"] = bounce
            record["mu"], record["mu_s"] = mu, max(law.static, mu)
            record["friction"], record["par_from"] = address, par_from

    def _add_compliant(self, owner: int, declared: Contact, law: Compliant, gaps: Sequence[GapSpec]) -> None:
        if self.model.dimension == 2 and law.rolling is not None and law.rolling.drilling > 0.0:
            raise ModelError(f"{declared.where}: drilling = {law.rolling.drilling:g} m resists spin about the normal, which a "
                             "planar model does not have; give `rolling` only")
        self.compliant.append(record_of(law, self.laws))
        address, par_from = self._friction(declared, law.friction.mu if law.friction is not None else 0.0)
        width = (1 if self.model.dimension == 2 else 3) if has_bristle(law) else 0
        for gap in gaps:
            record = self._new_pair(owner, declared, gap, 1)
            record["law"], record["soft"], record["mu"] = SOFT, len(self.compliant) - 1, self.compliant[-1]["mu"]
            record["bristle"], record["n_bristle"] = self.n_bristle, width
            record["friction"], record["par_from"] = address, par_from
            self.n_bristle += width

    def _friction(self, declared: Contact, mu: float | Friction) -> tuple[int, int]:
        return friction_address(declared.where, mu, self.parameters, self.laws)

    def _new_pair(self, owner: int, declared: Contact, gap: GapSpec, n_row: int) -> Any:
        """A record of one point of a pair of shapes."""
        first, second = (declared.b, declared.a) if gap.swapped else (declared.a, declared.b)
        record = self._new(owner, declared, gap.kind, first.body, second.body, n_row)
        record["sense"], record["size"], record["sheet"] = -1.0 if gap.swapped else 1.0, gap.size, gap.sheet
        for side, shape in (("a", first), ("b", second)):
            self._add_part(record, side, shape.body, gap)
        if not np.isfinite(gap.size):
            record["size"] = self._length_of(record)
        return record

    def _length_of(self, record: Any) -> float:
        """A length of the bodies of a contact."""
        return length_of(*((record[f"point_{side}"], self.nodes[record[side]]) for side in "ab"))

    def _add_part(self, record: Any, side: str, body: str, gap: GapSpec) -> None:
        fill_part(record, side, gap, self.bodies[body].point)
        record[f"arm_{side}"] = np.linalg.norm(record[f"point_{side}"])
        alone = self.nodes[self.bodies[body].node]["kind"] == FREE and record[f"arm_{side}"] == 0.0
        record[f"turns_{side}"] = 0.0 if alone and getattr(gap, f"ball_{side}") else 1.0
        vertices = getattr(gap, f"vertices_{side}")
        record[f"first_{side}"], record[f"last_{side}"] = self.n_vertex, self.n_vertex + len(vertices)
        if len(vertices):
            self.vertex.append(vertices)
            self.n_vertex += len(vertices)

    def _add_stops(self, owner: int, stop: Stop) -> None:
        joint, k = self.model.coordinate(stop.where, stop.coordinate)
        iq, iu = self.coordinates[joint.name, k]
        node = next(i for i in range(1, len(self.nodes)) if self.nodes[i]["iu"] == iu and self.nodes[i]["n_u"])
        bounds = [bound for bound in (stop.lower, stop.upper) if bound is not None]
        for bound, sense in ((stop.lower, 1.0), (stop.upper, -1.0)):
            if bound is None:
                continue
            record = self._new(owner, stop, STOP, node, node, 1)
            record["sense"], record["value"], record["size"] = sense, bound, 1.0  # of an angle: 1 rad
            if "angle" not in stop.coordinate.partition(".")[2]:
                record["size"] = max(map(abs, bounds)) or self._length_of(record)
            record["law"], record["e"] = NEWTON, stop.e
            row = self.hold[-1]
            row["kind"], row["iq_b"], row["iu_b"], row["ratio"] = LIMIT, iq, iu, sense

    def _add_rope(self, owner: int, rope: Rope) -> None:
        record = self._new(owner, rope, ROPE, rope.a, rope.b, 1)
        record["sense"], record["value"], record["size"] = 1.0, rope.length, rope.length
        for side, body, point in (("a", rope.a, rope.point_a), ("b", rope.b, rope.point_b)):
            record[f"point_{side}"] = in_space(point) - self.bodies[body].point
            record[f"reach_{side}"] = np.linalg.norm(record[f"point_{side}"])
            record[f"turns_{side}"] = 1.0
        record["law"], record["e"] = NEWTON, rope.e

    def _add_dry(self, owner: int, joint: DryJoint) -> None:
        record = self._new(owner, joint, DRY, joint.a, joint.b, 1 + joint.tangents)
        record["sense"], record["soft"], record["size"] = 1.0, len(self.dry), joint.arm
        record["mu"], record["mu_s"] = joint.mu, joint.mu * joint.stiction
        for side, body, point in (("a", joint.a, joint.point_a), ("b", joint.b, joint.point_b)):
            record[f"point_{side}"] = point - (self.bodies[body].point if isinstance(body, str) else 0.0)
        self.dry.append(fill_dry(joint, self.hold[-1]))

    def _new(self, owner: int, declared: Unilateral | DryJoint, kind: int, a: str | int, b: str | int, n_row: int) -> Any:
        """A record with its rows, between two bodies or nodes."""
        ends = [i if isinstance(i, int) else self.bodies[i].node for i in (a, b)]
        record = np.zeros((), CONTACT)
        record["kind"], record["a"], record["b"], record["owner"] = kind, *ends, owner
        record["hold"], record["n_row"] = len(self.hold), n_row
        first, middle, last = self._path(*ends)
        if middle == last or (ends[0] != ends[1] and not self._moves(min(ends), max(ends))):
            raise ModelError(f"{declared.where}: neither of the two can be moved against the other by a contact; what joins "
                             "them is fixed, welded or driven")
        for _ in range(n_row):
            row = np.zeros((), ROW)
            row["kind"], row["a"], row["b"], row["scale"] = TOUCHING, *ends, 1.0
            row["path_from"], row["path_to"], row["dof_from"], row["dof_to"] = first, middle, middle, last
            self.hold.append(row)
        self.contact.append(record)
        return record

    def _moves(self, a: int, b: int) -> bool:
        """Whether a speed moves one of two nodes and not the other, or both differently: one beyond their common ancestor."""
        if (a, b) not in self.moving:
            carrying = set(self.paths(a, a)) & set(self.paths(b, b))
            self.moving[a, b] = any(self.nodes[i]["n_u"] for i in self.paths(a, b) if i not in carrying)
        return self.moving[a, b]

    def _path(self, a: int, b: int) -> tuple[int, int, int]:
        """Slices of `path` for the nodes and speeds between two nodes and the ground; shared by equal pairs."""
        key = (min(a, b), max(a, b))
        if key not in self.seen:
            nodes = self.paths(a, b)
            dofs = [int(k) for i in nodes for k in range(self.nodes[i]["iu"], self.nodes[i]["iu"] + self.nodes[i]["n_u"])]
            first = len(self.path)
            self.path += nodes + dofs
            self.seen[key] = (first, first + len(nodes), first + len(nodes) + len(dofs))
        return self.seen[key]


def fill_part(record: Any, side: str, gap: GapSpec, joint_point: np.ndarray) -> None:
    """Write one side of an elementary gap into its record; `joint_point` is that of the node, in the frame of the body."""
    record[f"point_{side}"] = getattr(gap, f"point_{side}") - joint_point
    record[f"turn_{side}"], record[f"size_{side}"] = getattr(gap, f"turn_{side}"), getattr(gap, f"size_{side}")
    record[f"reach_{side}"] = getattr(gap, f"reach_{side}")


def friction_address(where: str, mu: float | Friction, parameters: list[float], laws: list[Any]) -> tuple[int, int]:
    """(address, first parameter) of a coefficient that depends on the slip; zeros of one that does not."""
    return _address(compile_friction(where, mu), parameters, laws) if isinstance(mu, Friction) else (0, 0)


def restitution_address(where: str, e: float | Restitution, parameters: list[float], laws: list[Any]) -> tuple[int, int]:
    """(address, first parameter) of a restitution that depends on the speed; zeros of one that does not."""
    return _address(compile_restitution(where, e), parameters, laws) if isinstance(e, Restitution) else (0, 0)


def _address(law: tuple[Any, tuple[float, ...]], parameters: list[float], laws: list[Any]) -> tuple[int, int]:
    callback, own = law
    laws.append(callback)
    parameters += own
    return callback.address, len(parameters) - len(own)


def impulse_table(model: Model, bodies: Mapping[str, Placement]) -> tuple[np.ndarray, list[int]]:
    """Scheduled impulses in order of time, and which declared one each is."""
    order = sorted(range(len(model.impulses)), key=lambda i: model.impulses[i].at)
    table = np.zeros(len(order), IMPULSE)
    for record, i in zip(table, order, strict=True):
        declared: Any = model.impulses[i]
        place = bodies[declared.body]
        record["stop"], record["b"], record["follows"] = declared.at, place.node, declared.follows
        record["point"] = in_space(getattr(declared, "point", ())) - place.point
        if isinstance(declared, Impulse):
            record["force"] = in_space(declared.impulse)
        else:
            record["moment"] = (0.0, 0.0, declared.impulse) if model.dimension == 2 else declared.impulse
    return table, order
