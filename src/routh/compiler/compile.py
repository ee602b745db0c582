"""compile_model: names become indices, joints become nodes and loop rows, forces become records."""

from __future__ import annotations

import dataclasses
import itertools
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from routh.compiler.contacts import ContactTables, impulse_table
from routh.compiler.dry import DryJoint, dry_joints
from routh.compiler.geometry import in_space, perpendicular, turn_matrix
from routh.compiler.laws import compile_law
from routh.compiler.machine import Machine
from routh.compiler.regular import check_regular
from routh.compiler.rows import RowSpec, rows_of
from routh.compiler.steps import steps_of
from routh.compiler.tracks import track_tables
from routh.compiler.tree import Branch, Tree, span
from routh.core.tables.layout import (
    ANGLE,
    BODY_LAW,
    BUSHING,
    COUPLING,
    DEGREE,
    DOT,
    DRAGGED,
    DRIVER,
    FORCE,
    FREE,
    JOINT,
    LINE,
    MOTOR,
    OWN_LAW,
    PIECE,
    PLANAR_NODE,
    POINT_FORCE,
    PRISMATIC,
    PROFILE,
    REVOLUTE,
    ROW,
    RUBBING,
    SERVO,
    SHIFT,
    SPATIAL_NODE,
    SPEED_SERVO,
    SPHERICAL,
    SPIN_DRAGGED,
    SPRING,
    TORQUE,
    TURN,
    WELD,
    WORLD,
    PlanarSystem,
    SpatialSystem,
)
from routh.core.tables.stepping import RULE
from routh.errors import ModelError
from routh.model import forces as f
from routh.model.body import GROUND
from routh.model.contacts import Unilateral
from routh.model.joints import PLANAR, Coupling, Free, Joint, Universal
from routh.model.model import Model
from routh.model.profiles import Constant, Piece, Profile

__all__ = ["Compiled", "Placement", "compile_apart", "compile_model"]


ENGINES = ("events", "stepping")

KINDS = {f.PointForce: POINT_FORCE, f.Torque: TORQUE, f.SpringDamper: LINE, f.JointSpring: JOINT, f.JointFriction: JOINT,
         f.Bushing: BUSHING, f.LineLaw: LINE, f.JointLaw: JOINT, f.BodyLaw: BODY_LAW, f.Drag: DRAGGED, f.SpinDrag: SPIN_DRAGGED,
         f.Motor: JOINT, f.Servo: JOINT, f.SpeedServo: JOINT, f.Brake: RUBBING, f.Clutch: RUBBING}

SOURCES = {f.LineLaw: OWN_LAW, f.JointLaw: OWN_LAW, f.Motor: MOTOR, f.Servo: SERVO, f.SpeedServo: SPEED_SERVO}


@dataclass(frozen=True)
class Placement:
    """Where a body sits in the tree: its node, and the node's joint point in the body's frame."""

    node: int
    point: np.ndarray


class Compiled:
    """A model with its record tables, as `compile_model` makes it.

    Runs and direct calls keep their scratch memory here for the next ones: simulating a Compiled again costs little more than
    the motion. `replace` changes numbers without compiling again; `accelerations`, `mass_matrix`, `bias`, `loop_jacobian` and
    `contact_jacobian` are direct calls.

    Examples
    --------
    >>> compiled = rt.compile_model(park.ball())
    >>> compiled.accelerations(0.0, [0.0, 5.0, 0.0], [0.0, 0.0, 0.0]).tolist()
    [0.0, -9.81, 0.0]
    """

    def __init__(self, model: Model | Callable[[], Model], system: Any, tree: Tree, bodies: dict[str, Placement],
                 joint_nodes: dict[str, list[int]], coordinates: dict[tuple[str, int], tuple[int, int]], row_owner: list[str],
                 edges: np.ndarray, laws: tuple[Any, ...], impulse_order: list[int], space: str, name: str,
                 contacts: tuple[Any, ...], rules: np.ndarray, engine: str) -> None:
        self._model = model
        self.rules = rules                  # stepping: the law of each of `contacts`
        self.contacts = contacts            # owners of contact records: contacts, stops, ropes; groups where the engine steps
        self.engine = engine                # "events" or "stepping"
        self.system = system                # PlanarSystem or SpatialSystem
        self.tree = tree
        self.bodies = bodies
        self.joint_nodes = joint_nodes      # tree joint → its nodes, outward
        self.coordinates = coordinates      # (tree joint, coordinate) → (iq, iu)
        self.row_owner = row_owner          # name of the joint or coupling of each row
        self.edges = edges                  # instants where a profile changes piece or an impulse acts
        self.laws = laws                    # compiled callbacks, kept alive
        self.impulse_order = impulse_order  # which declared impulse each scheduled one is
        self.space = space
        self.name = name
        self.planar = space == PLANAR
        self.entries = tuple(b.joint.name if b.joint is not None else b.child for b in tree.branches)  # of a complete State
        self.n_q = int(system.world["n_q"][0])  # number of coordinates
        self.n_u = int(system.world["n_u"][0])  # number of speeds
        self.kept: dict[Any, Any] = {}      # scratch of runs that are over, and the last assembled start
        self._direct = threading.local()    # a Machine for direct calls, one per thread
        self._other: Compiled | None = None  # the same model for the other engine

    def __reduce__(self) -> Any:
        """Copies and pickles are compiled anew: addresses mean nothing elsewhere."""
        return compile_model, (self.model, self.engine)

    @property
    def model(self) -> Model:
        """The model, with all changes of numbers."""
        if callable(self._model):
            self._model = self._model()
        return self._model

    def replace(self, changes: Mapping[str, Any]) -> Compiled:
        """The compiled model with fields changed by path: `compiled.replace({"bounce.law.e": 0.4})`.

        Numbers of impact laws, masses and forces are changed in the tables, in some thirty microseconds. Any other change
        compiles the model again.
        """
        from routh.compiler.patch import patched_tables

        found = patched_tables(self, changes)
        if found is None:
            return compile_model(self.model.replace(changes), self.engine)
        tables, changed = found
        other = self.with_tables(tables)
        other._model = lambda: self.model.with_elements(changed)
        other.contacts = tuple(changed.get(contact.name, contact) for contact in self.contacts)
        if tables.keys() <= {"contact"}:
            other.kept = self.kept  # else a start may have been assembled with other masses
        return other

    def with_tables(self, tables: Mapping[str, np.ndarray]) -> Compiled:
        """The same model with some tables of its own, and no scratch in common."""
        other = Compiled.__new__(Compiled)
        other.__dict__.update(self.__dict__)
        other.__dict__.pop("elements", None)
        other._direct, other._other, other.kept = threading.local(), None, {}
        other.system = self.system.replaced(**tables)
        return other

    def for_engine(self, engine: str) -> Compiled:
        """This model compiled for an engine: itself, or another one that is kept for the next time."""
        if engine == self.engine:
            return self
        if self._other is None:
            self._other = compile_model(self.model, engine)
        return self._other

    @cached_property
    def elements(self) -> dict[str, Any]:
        """Every declared element by its name."""
        return {element.name: element for element in self.model.elements()}

    @cached_property
    def owners(self) -> dict[str, int]:
        """Places of contacts and forces in their lists, by name."""
        groups: tuple[Sequence[Any], ...] = (self.contacts, self.model.forces)
        return {e.name: i for group in groups for i, e in enumerate(group)}

    @property
    def _machine(self) -> Machine:
        """The Machine of this thread's direct calls."""
        try:
            machine: Machine = self._direct.machine
        except AttributeError:
            machine = self._direct.machine = Machine(self)
        return machine

    def _vector(self, name: str, value: Any, size: int) -> np.ndarray:
        """`size` finite numbers, or ModelError."""
        try:
            vector = np.asarray(value, float)
        except (TypeError, ValueError):
            raise ModelError(f"{self.name}: {name} = {value!r} does not hold numbers") from None
        if vector.shape != (size,):
            raise ModelError(f"{self.name}: {name} has shape {vector.shape}; this model has {size} "
                             + ("coordinates" if name == "q" else "speeds"))
        if not math.isfinite(vector.dot(vector)) and not np.isfinite(vector).all():
            raise ModelError(f"{self.name}: {name} holds numbers that are not finite: {vector.tolist()}")
        return vector if vector.flags.c_contiguous else vector.copy()

    def _time(self, t: Any) -> float:
        if not isinstance(t, (int, float, np.floating)) or not math.isfinite(t):
            raise ModelError(f"{self.name}: t = {t!r} must be a finite number")
        return float(t)

    def accelerations(self, t: float, q: ArrayLike, u: ArrayLike) -> np.ndarray:
        """Accelerations u̇ (n_u,) at time t, coordinates q (n_q,) and speeds u (n_u,); rigid contacts are taken to be open."""
        return self._machine.accelerations(self._time(t), self._vector("q", q, self.n_q), self._vector("u", u, self.n_u))

    def mass_matrix(self, q: ArrayLike) -> np.ndarray:
        """Mass matrix M (n_u, n_u) of the speeds."""
        return self._machine.mass_matrix(self._vector("q", q, self.n_q))

    def bias(self, t: float, q: ArrayLike, u: ArrayLike) -> np.ndarray:
        """Generalised forces f (n_u,) of M u̇ = f + Jᵀ λ: applied forces and velocity terms, and what drivers need."""
        return self._machine.bias(self._time(t), self._vector("q", q, self.n_q), self._vector("u", u, self.n_u))

    def loop_jacobian(self, q: ArrayLike) -> np.ndarray:
        """Rates of the loop equations with respect to the speeds (n_row, n_u)."""
        return self._machine.partials(self._vector("q", q, self.n_q))[1]

    def contact_jacobian(self, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """(gaps [m], J): of every elementary contact its gap, and its rows of J (normal first, then tangents), with v = J u."""
        return self._machine.contact_rows(self._vector("q", q, self.n_q))


def compile_model(model: Model, engine: str = "events") -> Compiled:
    """A model compiled for runs: spanning tree, loop rows, forces, profiles and drivers as record tables.

    Parameters
    ----------
    model
        What moves.
    engine
        Engine of the runs to come, "events" or "stepping"; a run with the other one compiles again. Default: "events".

    Examples
    --------
    >>> compiled = rt.compile_model(park.ball())
    >>> start = rt.State(ball={"y": 10.0})
    >>> [len(rt.simulate(compiled.replace({"bounce.law.e": e}), start, 5.0).impacts) for e in (0.5, 0.8)]
    [20, 2]
    """
    if not isinstance(model, Model):
        raise ModelError(f"a Model is needed, not {model!r}")
    if engine not in ENGINES:
        raise ModelError(f"engine = {engine!r} is not one of {', '.join(ENGINES)}")
    compiled = _Compiler(model, engine).finish()
    check_regular(compiled, model)
    return compiled


def compile_apart(model: Model) -> Compiled:
    """A model whose bodies are all free, so that every joint is a set of loop rows: absolute coordinates, as in textbooks.

    Forces, contacts, couplings and drivers are left out.
    """
    bare = dataclasses.replace(model, joints=[j for j in model.joints if isinstance(j, Joint)], forces=(), drivers=(),
                               contacts=(), impulses=(), tracks=())
    closures = tuple(j for j in bare.joints if isinstance(j, Joint) and not isinstance(j, Free))
    return _Compiler(bare, "events", Tree(tuple(Branch(b.name, GROUND, None) for b in model.bodies), closures)).finish()


class _Compiler:
    """Collects the tables of one model."""

    def __init__(self, model: Model, engine: str, tree: Tree | None = None) -> None:
        self.model, self.engine = model, engine
        self.contacts: tuple[Unilateral | DryJoint, ...] = (model.single_contacts() if engine == "events"
                                                            else tuple(model.contacts))
        self.declared = {body.name: body for body in model.bodies}
        self.planar = model.space == PLANAR
        self.tree = tree or span(model)
        self.n_q = self.n_u = 0
        self.bodies = {GROUND: Placement(0, np.zeros(3))}
        self.joint_nodes: dict[str, list[int]] = {}
        self.coordinates: dict[tuple[str, int], tuple[int, int]] = {}
        self.pieces: list[Any] = []
        self.profiles: list[tuple[int, int]] = []
        self.parameters: list[float] = []
        self.laws: list[Any] = []
        self.driven = {(j.name, k): i for i, d in enumerate(model.drivers)
                       for j, k in [model.coordinate(d.where, d.coordinate)]}
        self.dtype = PLANAR_NODE if self.planar else SPATIAL_NODE
        self.nodes: list[np.ndarray] = [np.zeros((), self.dtype)]
        self.drivers = np.zeros(len(model.drivers), DRIVER)
        # least mass and inertia that are not zero: the scales of rows on bodies that have none
        masses = [body.mass_properties().mass for body in model.bodies]
        moments = [x for body in model.bodies for x in np.linalg.eigvalsh(body.inertia_matrix())]
        self.least = min((m for m in masses if m > 0.0), default=1.0), min((x for x in moments if x > 0.0), default=1.0)

    def finish(self) -> Compiled:
        for branch in self.tree.branches:
            self._add_branch(branch)
        nodes = np.array(self.nodes, self.dtype)
        force = np.zeros(len(self.model.forces), FORCE)
        for record, declared in zip(force, self.model.forces, strict=True):
            self._add_force(record, declared)
        row, owner, path = self._rows(nodes)
        self.contacts += tuple(dry_joints(self, nodes, owner, force["profile"]))
        contacts = ContactTables(self.model, self.contacts, nodes, self.bodies, self.coordinates,
                                 lambda a, b: _path(nodes, a, b), path, self.parameters, self.laws)
        if self.engine == "events":
            contacts.add_all()
        else:
            contacts.add_fixed()
        impulse, impulse_order = impulse_table(self.model, self.bodies)
        kind = PlanarSystem if self.planar else SpatialSystem
        piece = np.zeros(len(self.pieces), PIECE)
        for record, (p, following) in zip(piece, self.pieces, strict=True):
            record["start"], record["amplitude"], record["omega"], record["phase"] = (
                p.start, p.amplitude, p.omega, p.phase)
            record["c"][: len(p.coefficients)] = p.coefficients
            record["next"] = following
        system = kind(
            node=nodes, force=force, row=row, path=np.array(path, np.int64),
            profile=np.array(self.profiles, PROFILE) if self.profiles else np.zeros(0, PROFILE),
            piece=piece, driver=self.drivers,
            parameter=np.array([*self.parameters, 0.0]),
            impulse=impulse, **contacts.tables(), **track_tables(self.model, self.bodies),
            world=np.array([(in_space(self.model.gravity), self.n_q, self.n_u, contacts.n_bristle,
                             self.n_q + self.n_u + contacts.n_bristle, self.model.impacts == "sequential")], WORLD))
        inner = [p.start for first, count in self.profiles for p, _ in self.pieces[first + 1:first + count]]
        inner += [i.at for i in self.model.impulses]
        return Compiled(self.model, system, self.tree, self.bodies, self.joint_nodes, self.coordinates, owner,
                        np.unique(inner), tuple(self.laws), impulse_order, self.model.space, self.model.name, self.contacts,
                        np.array(contacts.rule, RULE) if contacts.rule else np.zeros(0, RULE), self.engine)

    def _add_branch(self, branch: Branch) -> None:
        body = self.declared[branch.child]
        properties = body.mass_properties()
        parent = self.bodies[branch.parent]
        if branch.joint is None:
            node = self._new_node(FREE, parent.node, n_q=3 if self.planar else 7, n_u=3 if self.planar else 6)
            own_point = in_space(properties.centre)  # a free body turns about its mass centre
        else:
            joint = branch.joint
            near, own = (joint.point_b, joint.point_a) if branch.reversed else (joint.point_a, joint.point_b)
            at, own_point, parent_node = in_space(near) - parent.point, in_space(own), parent.node
            chain: list[int] = []
            for step in steps_of(joint, branch.reversed):
                counts = {WELD: (0, 0), SPHERICAL: (4, 3)}.get(step.kind, (1, 1))
                driver = self.driven.get((joint.name, step.coordinate), -1) if counts == (1, 1) else -1
                node = self._new_node(step.kind, parent_node, *counts, driver=driver)
                if counts[0]:
                    self.coordinates[joint.name, step.coordinate] = (int(node["iq"]), int(node["iu"]))
                if self.planar:
                    node["turn"], node["at"], node["axis"] = step.angle, at[:2], step.axis[:2]
                    node["sense"] = step.axis[2]
                else:
                    node["turn"], node["at"], node["axis"], node["pitch"] = step.turn, at, step.axis, step.pitch
                    node["aligned"] = np.array_equal(step.turn, np.eye(3))
                at, parent_node = np.zeros(3), len(self.nodes) - 1
                node["chain"] = len(chain)
                chain.append(parent_node)
            self.joint_nodes[joint.name] = chain
        node["mass"] = properties.mass
        node["com"] = (in_space(properties.centre) - own_point)[: self.model.dimension]
        node["origin"] = -own_point[: self.model.dimension]
        node["inertia"] = properties.inertia if self.planar else body.inertia_matrix()
        self.bodies[body.name] = Placement(len(self.nodes) - 1, own_point)

    def _new_node(self, kind: int, parent: int, n_q: int, n_u: int, driver: int = -1) -> np.ndarray:
        node = np.zeros((), self.dtype)
        node["kind"], node["parent"], node["iq"], node["iu"] = kind, parent, self.n_q, self.n_u
        node["n_u"], node["driver"] = (0 if driver >= 0 else n_u), driver
        if driver >= 0:
            declared = self.model.drivers[driver]
            profile = self._profile(declared.where, declared.motion)
            self.drivers[driver] = (len(self.nodes), self.n_q, self.n_u, profile)
        self.n_q += n_q
        self.n_u += n_u
        self.nodes.append(node)
        return node

    def _profile(self, where: str, profile: Profile) -> int:
        pieces = profile.pieces()
        _check_pieces(f"{where}: profile {type(profile).__name__}", pieces)
        first = len(self.pieces)
        self.profiles.append((first, len(pieces)))
        self.pieces += [(p, -1) for p in pieces]
        for i, p in enumerate(pieces, start=first):
            for wave in p.waves:  # sinusoids beside its own, as pieces that follow it
                self.pieces[i] = (self.pieces[i][0], len(self.pieces))
                i = len(self.pieces)
                self.pieces.append((Piece(p.start, (), *wave), -1))
        return len(self.profiles) - 1

    def _closing_coordinate(self, record: Any, force: f.Force, joint: Joint, k: int) -> int:
        """Fill what a force in a joint that closes a loop needs to read its coordinate; return its kind."""
        if isinstance(joint, Universal):
            raise ModelError(f'{force.where}: joint "{joint.name}" closes a loop here, and the two angles of a Universal have '
                             "no axes of their own to push on; put the force on another joint of the loop")
        self._attach(record, "a", joint.a, joint.point_a)
        self._attach(record, "b", joint.b, joint.point_b)
        step = steps_of(joint, False)[k]
        turn = turn_matrix(getattr(joint, "turn", None))
        first, _ = perpendicular(step.axis)
        record["vector"], record["turn"] = step.axis, step.angle
        if step.kind == PRISMATIC:
            return SHIFT
        record["vector2"], record["moment"] = first, turn.T @ first
        return TURN

    def _add_force(self, record: Any, force: f.Force) -> None:
        record["profile"], record["source"] = -1, SOURCES.get(type(force), SPRING)
        closing = -1  # kind of a joint force whose joint closes a loop
        profile = getattr(force, "profile", getattr(force, "target", None))
        if profile is not None and profile != Constant(1.0):
            record["profile"] = self._profile(force.where, profile)
        if isinstance(force, f.PointForce | f.Torque | f.BodyLaw | f.BodyDrag):
            self._attach(record, "b", force.body, getattr(force, "point", ()))
            record["follows"] = getattr(force, "follows", False)
        elif isinstance(force, f.LineForce | f.Bushing):
            self._attach(record, "a", force.a, force.point_a)
            self._attach(record, "b", force.b, force.point_b)
        elif isinstance(force, f.JointForce) and not isinstance(force, f.Brake):
            joint, k = self.model.coordinate(force.where, force.coordinate)
            if joint.name in self.joint_nodes:
                record["iq"], record["iu"] = self.coordinates[joint.name, k]
            else:
                closing = self._closing_coordinate(record, force, joint, k)
        if closing >= 0:
            record["kind"] = closing
        elif type(force) in KINDS:
            record["kind"] = KINDS[type(force)]
        match force:
            case f.LineLaw() | f.JointLaw() | f.BodyLaw():
                dimension = self.model.dimension if isinstance(force, f.BodyLaw) else None
                assert force.law is not None
                law = compile_law(force.where, force.law, len(force.parameters), dimension)
                self.laws.append(law)
                record["law"], record["par_from"] = law.address, len(self.parameters)
                self.parameters += force.parameters
            case _ if type(force) in KINDS:
                write_numbers(record, force, self.planar)
            case _:
                raise ModelError(f"{force.where}: a {type(force).__name__} cannot be simulated")

    def _attach(self, record: Any, side: str, body: str, point: tuple[float, ...]) -> None:
        place = self.bodies[body]
        record[side], record[f"point_{side}"] = place.node, in_space(point) - place.point

    def _rows(self, nodes: np.ndarray) -> tuple[np.ndarray, list[str], list[int]]:
        """Loop rows in an order that keeps the skyline narrow, with their paths to the root."""
        groups: list[tuple[str, list[np.ndarray], list[int]]] = []
        for joint in self.tree.closures:
            a, b = self.bodies[joint.a], self.bodies[joint.b]
            records = [self._row(spec, joint) for spec in rows_of(joint, self.model.space)]
            groups.append((joint.name, records, _path(nodes, a.node, b.node)))
        for coupling in self.model.joints:
            if isinstance(coupling, Coupling):
                groups.append(self._coupling(coupling, nodes))
        dofs = [[k for i in path for k in range(nodes[i]["iu"], nodes[i]["iu"] + nodes[i]["n_u"])]
                for _, _, path in groups]
        for (name, _, _), own in zip(groups, dofs, strict=True):
            if not own:
                raise ModelError(f'"{name}": over-constrained: everything it connects is fixed or driven, so it can do '
                                 "nothing but contradict; remove it or a driver")
        rows: list[np.ndarray] = []
        owner: list[str] = []
        path_all: list[int] = []
        first_of: dict[int, int] = {}  # speed → first row that feels it
        for g in _skyline_order(dofs):
            name, records, path = groups[g]
            first = min([first_of.get(k, len(rows)) for k in dofs[g]])
            for record in records:
                record["path_from"], record["path_to"] = len(path_all), len(path_all) + len(path)
                record["dof_from"] = record["path_to"]
                record["dof_to"] = record["dof_from"] + len(dofs[g])
                record["first"] = first
                for k in dofs[g]:
                    first_of.setdefault(k, len(rows))
                rows.append(record)
                owner.append(name)
            path_all += path + dofs[g]
        table = np.array(rows, ROW) if rows else np.zeros(0, ROW)
        return table, owner, path_all

    def _row(self, spec: RowSpec, joint: Joint) -> np.ndarray:
        record = np.zeros((), ROW)
        record["kind"], record["value"], record["ratio"] = spec.kind, spec.value, spec.ratio
        record["axis_a"], record["axis_b"], record["normal_a"] = spec.axis_a, spec.axis_b, spec.normal_a
        self._attach(record, "a", joint.a, joint.point_a)
        self._attach(record, "b", joint.b, joint.point_b)
        # the inverse mass that the row would feel if its two bodies were free
        felt = 0.0
        for body, point in ((joint.a, joint.point_a), (joint.b, joint.point_b)):
            if body != GROUND:
                properties = self.declared[body].mass_properties()
                turn = 1.0 / max(np.min(np.linalg.eigvalsh(self._inertia(body))), self.least[1])
                arm = in_space(point) - in_space(properties.centre)
                shift = 1.0 / max(properties.mass, self.least[0])
                felt += turn if spec.kind in (ANGLE, DOT) else shift + turn * float(arm @ arm)
        record["scale"] = 1.0 / np.sqrt(felt)
        return record

    def _inertia(self, body: str) -> np.ndarray:
        return self.declared[body].inertia_matrix()

    def _coupling(self, coupling: Coupling, nodes: np.ndarray) -> tuple[str, list[np.ndarray], list[int]]:
        record = np.zeros((), ROW)
        record["kind"], record["value"], record["ratio"] = COUPLING, coupling.phase, coupling.factor()  # type: ignore[attr-defined]
        ends: list[int] = []
        felt = 0.0
        for side, path in (("a", coupling.first), ("b", coupling.second)):
            joint, k = self.model.coordinate(coupling.where, path)
            record[f"iq_{side}"], record[f"iu_{side}"] = self.coordinates[joint.name, k]
            chain = self.joint_nodes[joint.name]
            ends.append(next(i for i in chain if nodes[i]["iu"] == record[f"iu_{side}"] and nodes[i]["kind"] != WELD))
            body, turns = nodes[chain[-1]], nodes[ends[-1]]["kind"] == REVOLUTE
            mass = max(body["mass"], self.least[0])
            inertia = max(np.min(np.linalg.eigvalsh(np.atleast_2d(body["inertia"]))), self.least[1])
            weight = 1.0 if side == "b" else coupling.factor() ** 2
            felt += weight / (inertia + mass * float(body["com"] @ body["com"]) if turns else mass)
        record["scale"] = 1.0 / np.sqrt(felt)
        if not any(nodes[i]["n_u"] for i in ends):
            raise ModelError(f"{coupling.where}: over-constrained: both of its coordinates are driven, so it can do nothing "
                             "but contradict; remove it or a driver")
        return coupling.name, [record], _path(nodes, *ends)


def _check_pieces(where: str, pieces: list[Piece]) -> None:
    """Pieces that a kernel can hold: finite, in order of time, of low degree."""
    if not pieces:
        raise ModelError(f"{where}: has no pieces")
    for p in pieces:
        if not np.isfinite([p.start, *p.coefficients, p.amplitude, p.omega, p.phase, *itertools.chain(*p.waves)]).all():
            raise ModelError(f"{where}: overflows; its rise is too steep for floating-point numbers")
        if len(p.coefficients) > DEGREE + 1:
            raise ModelError(f"{where}: a piece holds powers up to {DEGREE}, not {len(p.coefficients) - 1}")
    for p, later in itertools.pairwise(pieces):
        if not p.start < later.start:
            raise ModelError(f"{where}: the edges at {p.start:g} s and {later.start:g} s cannot be told apart")


def _path(nodes: np.ndarray, a: int, b: int) -> list[int]:
    """Nodes between a, b and the ground, outermost (largest index) first."""
    found = set()
    for i in (a, b):
        while i > 0:
            found.add(int(i))
            i = int(nodes[i]["parent"])
    return sorted(found, reverse=True)


def _skyline_order(dofs: list[list[int]]) -> list[int]:
    """Order of the groups of rows by reverse Cuthill-McKee on «they share a speed»."""
    if len(dofs) < 3:
        return list(range(len(dofs)))
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    indptr = np.cumsum([0, *map(len, dofs)])
    felt = csr_array((np.ones(indptr[-1]), np.concatenate(dofs), indptr))
    return [int(i) for i in reverse_cuthill_mckee((felt @ felt.T).tocsr(), symmetric_mode=True)]


def write_numbers(record: Any, force: f.Force, planar: bool) -> None:
    """The numbers of a force that has no law of the user's own."""
    match force:
        case f.PointForce():
            record["vector"] = in_space(force.force)
        case f.Torque():
            record["vector"] = (0.0, 0.0, force.torque) if planar else force.torque
        case f.SpringDamper():
            record["stiffness"], record["damping"], record["free"] = force.stiffness, force.damping, force.free_length
        case f.JointSpring():
            record["stiffness"], record["damping"], record["free"] = force.stiffness, force.damping, force.free
        case f.JointFriction():
            record["damping"] = force.coefficient
        case f.Motor():
            record["stiffness"], record["damping"] = force.force, force.slope
        case f.Servo():
            record["stiffness"], record["damping"], record["limit"] = force.stiffness, force.damping, force.limit or math.inf
        case f.SpeedServo():
            record["damping"], record["limit"] = force.gain, force.limit or math.inf
        case f.BodyDrag():
            record["vector"], record["free"] = (force.constant, force.linear, force.quadratic), force.slow or 0.0
        case f.Bushing():
            record["vector"], record["vector2"] = in_space(force.stiffness), in_space(force.damping)
            for name, value in (("moment", force.rotation_stiffness), ("moment2", force.rotation_damping)):
                record[name] = (0.0, 0.0, value) if planar else value
