"""From the kernels' log to the ledgers of a Result: names for indices, words for codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.dry import DryJoint
from routh.compiler.pairs import gaps_of
from routh.core.tables import log as codes
from routh.core.tables.impact_codes import SETTLED
from routh.model.contacts import Contact, ContactGroup, Rope, Stop
from routh.model.laws import ImpactLaw
from routh.sim.channels import loop_reaction, tree_reaction
from routh.sim.impact import Kind, law_name
from routh.sim.ledger import STRETCH_UNITS, Ledger, no_events, no_impacts, no_touches
from routh.sim.poses import Poses
from routh.sim.result import Energy
from routh.sim.stretches import Stretch

__all__ = ["events_of", "impact_numbers", "impacts_of", "losses_of", "stretches_of", "touches_of", "with_start",
           "with_stretches"]

KINDS = {codes.HIT: "impact", codes.TANGENTIAL_HIT: "tangential impact", codes.EXTERNAL: "impulse", codes.SETTLED: "settled"}
METHODS = {codes.SINGLE: "single", codes.SEQUENTIAL: "sequential", codes.SIMULTANEOUS: "simultaneous"}
EVENTS = {
    codes.IMPACT_EVENT: "impact", codes.STICKS: "stick", codes.SLIDES: "slip", codes.LIFTS: "lift-off", codes.CLOSES: "close",
    codes.RESTS: "rest", codes.PAINLEVE: "painleve", codes.CHOICE: "choice", codes.PUSHED: "impulse",
    codes.TOUCHES: "touch", codes.RELEASES: "release",
}
TEXTS = {
    "stick": "closed without slip", "slip": "closed and sliding", "close": "closed, without friction",
    "lift-off": "the contact force has come to zero",
    "rest": "endless bounces end here", "painleve": "sliding is inconsistent: a tangential impact follows",
    "choice": "several motions are possible; the contact opens, staying closed was the alternative",
    "impulse": "scheduled", "touch": "a compliant contact begins", "release": "the force of the compliant contact is gone",
}

DRY_TEXTS = {"stick": "dry friction holds it", "slip": "dry friction slides"}


def impacts_of(compiled: Compiled, log: Any, poses: Poses, t: np.ndarray) -> Ledger:
    """The ledger of impacts; `poses` at the samples t tell where joints were."""
    n = int(log.count[codes.N_IMPACT])
    joints: list[Any] = [j for j in compiled.model.joints if _carries(compiled, j)]
    if n == 0:
        return no_impacts(compiled.model.space, [j.name for j in joints])
    impact = log.impact[:n]
    d = compiled.model.dimension
    external = impact["kind"] == codes.EXTERNAL
    numbers = impact_numbers(impact, d)
    declared = [_declared(compiled, row) for row in impact]
    laws = [c.law if isinstance(c, Contact) and isinstance(c.law, ImpactLaw) else None for c in declared]
    columns: dict[str, Any] = {
        "t": impact["t"], "contact": [c.name for c in declared],
        "kind": ["start" if moment == t[0] and kind == codes.HIT else KINDS[kind]
                 for moment, kind in zip(impact["t"], impact["kind"], strict=True)],
        "point": impact["point"][:, :d],
        "normal": np.where(external[:, None], _ways(impact, d), impact["normal"][:, :d]), "v_before": impact["v"][:, :d],
        "v_after": impact["v_after"][:, :d], "impulse": impact["p"][:, :d],
        "impulse_unit": [_unit_of(compiled, c) for c in declared],
        **{name: numbers[name] for name in ("p_n", "p_t")},
        "class": [_class_of(c, k) for k, c in zip(impact["slip_class"], declared, strict=True)],
        "law": ["" if ext else (law_name(law) if law is not None else "Newton")
                for law, ext in zip(laws, external, strict=True)],
        "e": [law.restitution(-float(v[0])) if law is not None else getattr(c, "e", np.nan)
              for law, c, v in zip(laws, declared, impact["v"], strict=True)],
        "e_t": [getattr(law, "e_t", 0.0) for law in laws],
        "tangential_stiffness": np.array([getattr(law, "tangential_stiffness", None) for law in laws], float),
        "mu": impact["mu"],
        "mu_s": [max(law.static, mu) if law is not None else 0.0 for law, mu in zip(laws, impact["mu"], strict=True)],
        **{name: numbers[name] for name in ("energy_lost", "energy_lost_normal", "energy_lost_tangential")},
        "creates_energy": ~external & (impact["work"] > 1e-13 * _terms(impact)),
        "momentum_residual": impact["residual"], "method": [METHODS[m] for m in impact["method"]],
        "sequence": impact["sequence"], "A": impact["A"][:, :d, :d],
        "frame": np.where(external[:, None, None], np.eye(d),
                          np.stack([impact[axis][:, :d] for axis in ("normal", "t1", "t2")[:d]], axis=1)),
        "moment": impact["moment"][:, 2] if d == 2 else impact["moment"],
    }
    at = Poses(compiled, poses.body[np.searchsorted(t, impact["t"], side="right") - 1])
    width = 3 if compiled.planar else 6
    through = log.joint[:n].reshape(n, -1, width)
    rows = log.row[:n].reshape(n, -1, width)
    branches = {b.joint.name: b for b in compiled.tree.branches if b.joint is not None}
    for joint in joints:
        if joint.name in branches:
            wrench = through[:, compiled.joint_nodes[joint.name][-1]]
            force, moment = tree_reaction(at, joint, branches[joint.name].reversed, wrench)
        else:
            force, moment = loop_reaction(compiled, joint, rows)
        columns[f"{joint.name}.impulse"] = force[:, :d]
        columns[f"{joint.name}.impulse_moment"] = moment[:, 2] if d == 2 else moment
    return Ledger(columns, _impulse_units(columns["impulse_unit"], ("impulse", "p_n")))


def impact_numbers(impact: np.ndarray, dimension: int) -> dict[str, np.ndarray]:
    """Columns of the ledger of impacts that are one number a row, of the records `impact` alone."""
    p = impact["p"]
    along = p[:, 1] if dimension == 2 else np.hypot(p[:, 1], p[:, 2])
    return {"t": impact["t"], "p_n": _normal_part(impact), "p_t": np.where(impact["kind"] == codes.EXTERNAL, 0.0, along),
            "mu": impact["mu"], "energy_lost": -impact["work"], "energy_lost_normal": -impact["work_n"],
            "energy_lost_tangential": impact["work_n"] - impact["work"], "momentum_residual": impact["residual"]}


def events_of(compiled: Compiled, log: Any) -> Ledger:
    """The ledger of events, in order of time."""
    n = int(log.count[codes.N_EVENT])
    if n == 0:
        return no_events()
    event = log.event[:n][np.argsort(log.event["t"][:n], kind="stable")]
    kinds = [EVENTS[k] for k in event["kind"]]
    struck = np.isin(event["kind"], (codes.IMPACT_EVENT, codes.PUSHED))
    impact = log.impact[np.where(struck, event["value"], 0.0).astype(int)]
    owners = [compiled.model.impulses[compiled.impulse_order[c]] if kind == "impulse"
              else compiled.contacts[compiled.system.contact["owner"][c]]
              for kind, c in zip(kinds, event["contact"], strict=True)]
    corners = _corners(compiled, set(event["contact"][event["kind"] != codes.PUSHED].tolist()))
    texts = [(_class_of(owner, i["slip_class"]) if kind == "impact" else
              DRY_TEXTS[kind] if isinstance(owner, DryJoint) else TEXTS.get(kind, ""))
             + ("" if kind == "impulse" else corners[c])
             for kind, i, owner, c in zip(kinds, impact, owners, event["contact"].tolist(), strict=True)]
    units = [_unit_of(compiled, owner) for owner, given in zip(owners, struck, strict=True) if given]
    return Ledger({"t": event["t"], "kind": kinds, "contact": [owner.name for owner in owners], "text": texts,
                   "p_n": np.where(struck, _normal_part(impact), np.nan),
                   "energy_lost": np.where(struck, -impact["work"], np.nan)}, _impulse_units(units, ("p_n",)))


def _impulse_units(units: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """The unit of columns of impulses: of all rows, or both where rows differ."""
    return dict.fromkeys(columns, " or ".join(dict.fromkeys(units))) if "N m s" in units else {}


def _corners(compiled: Compiled, rows: set[int]) -> dict[int, str]:
    """What the text of an event says of the point of a pair that has several: ", corner (0.1, -0.05) of block"."""
    owner, out = compiled.system.contact["owner"], {}
    for c in rows:
        declared = compiled.contacts[owner[c]]
        first, count = int(np.searchsorted(owner, owner[c])), int(np.count_nonzero(owner == owner[c]))
        out[c] = ""
        if isinstance(declared, Contact) and count > 1:
            gap = gaps_of(compiled.space, declared.a, declared.b)[c - first]
            sharp_a, sharp_b = gap.reach_a == 0.0, gap.reach_b == 0.0
            if sharp_a != sharp_b:
                shape, point = (declared.a if sharp_a != gap.swapped else declared.b), gap.point_a if sharp_a else gap.point_b
                at = ", ".join(f"{x + 0.0:.4g}" for x in point[: 2 if compiled.planar else 3])
                out[c] = f", corner ({at}) of {shape.body}"
    return out


def touches_of(compiled: Compiled, log: Any) -> Ledger:
    """The ledger of compliant contacts, in order of first touch; one that lasts has no release, one from before no touch."""
    event = log.event[: int(log.count[codes.N_EVENT])]
    event = event[np.isin(event["kind"], (codes.TOUCHES, codes.RELEASES))]
    rows: list[list[float]] = []  # contact, t_touch, t_release, v_before, v_after
    lasting: dict[int, list[float]] = {}
    for e in event[np.argsort(event["t"], kind="stable")]:
        c = int(e["contact"])
        if e["kind"] == codes.TOUCHES:
            lasting[c] = [c, e["t"], np.nan, e["value"], np.nan]
            rows.append(lasting[c])
        else:
            if c not in lasting:
                rows.append([c, np.nan, np.nan, np.nan, np.nan])
            row = lasting.pop(c, rows[-1])
            row[2], row[4] = e["t"], e["value"]
    if not rows:
        return no_touches()
    number, touch, release, before, after = np.array(rows).T
    owner = compiled.system.contact["owner"][number.astype(int)]
    with np.errstate(divide="ignore", invalid="ignore"):
        e = after / before
    return Ledger({"contact": [compiled.contacts[i].name for i in owner], "t_touch": touch, "t_release": release,
                   "duration": release - touch, "v_before": before, "v_after": after, "e": np.where(np.isfinite(e), e, np.nan)})


def stretches_of(stretches: Sequence[Stretch], energy: Energy) -> Ledger:
    """The ledger of stretches of time steps."""
    scheme, last = energy["scheme"], len(energy["scheme"]) - 1
    return Ledger({
        "begin": [s.begin for s in stretches], "end": [s.end for s in stretches], "step": [s.step for s in stretches],
        "steps": [s.steps for s in stretches], "cause": [s.cause for s in stretches],
        **{name: [float(s.sums[name].sum()) for s in stretches] for name in ("impulse_n", "impulse_t", "impacts", "friction")},
        "scheme": [float(scheme[min(s.last, last)] - scheme[s.first]) for s in stretches]}, STRETCH_UNITS)


def with_stretches(events: Ledger, stretches: Ledger) -> Ledger:
    """The ledger of events with the stretches of time steps, in order of time."""
    texts = [f"{s.cause}: {s.steps} steps of {s.step:g} s until t = {s.end:.9g} s, scheme {s.scheme:.2g} J" for s in stretches]
    lost = -(stretches["impacts"] + stretches["friction"] + stretches["scheme"])
    more: dict[str, Any] = {"t": stretches["begin"], "kind": ["stepped"] * len(texts), "contact": [""] * len(texts),
                            "text": texts, "p_n": stretches["impulse_n"], "energy_lost": lost}
    order = np.argsort(np.concatenate([events["t"], stretches["begin"]]), kind="stable")
    return Ledger({name: np.concatenate([events[name], np.asarray(more[name])])[order] for name in events.columns})


def losses_of(compiled: Compiled, log: Any, works: dict[str, np.ndarray]) -> dict[str, dict[str, float]]:
    """Works of every declared contact, of its impacts and of what is in `works`: negative where energy is lost."""
    owner = compiled.system.contact["owner"]
    impact = log.impact[: int(log.count[codes.N_IMPACT])]
    impact = impact[impact["kind"] != codes.EXTERNAL]
    hits = owner[impact["contact"]] if len(impact) else np.zeros(0, int)
    return {c.name: {"impacts": float(impact["work"][hits == i].sum()),
                     **{name: float(work[owner == i].sum()) for name, work in works.items()}}
            for i, c in enumerate(compiled.contacts)}


def with_start(impacts: Ledger, t: float, lost: float) -> Ledger:
    """The ledger with the impact in front that brought the speeds of the start onto the loops."""
    known: dict[str, Any] = {"t": t, "contact": "start", "kind": "start", "energy_lost": lost, "method": "single"}
    columns = {}
    for name in impacts.columns:
        column = impacts[name]
        blank: Any = {"U": "", "b": False, "i": 0}.get(column.dtype.kind, np.nan)
        first = np.full((1, *column.shape[1:]), known.get(name, blank))
        columns[name] = np.concatenate([first, column])
    return Ledger(columns)


def _carries(compiled: Compiled, joint: Any) -> bool:
    """Whether a joint has a reaction."""
    return joint.name in compiled.joint_nodes or (joint.name in compiled.row_owner and hasattr(joint, "point_a"))


def _declared(compiled: Compiled, row: Any) -> Any:
    if row["kind"] == codes.EXTERNAL:
        return compiled.model.impulses[compiled.impulse_order[row["contact"]]]
    return compiled.contacts[compiled.system.contact["owner"][row["contact"]]]


def _normal_part(impact: np.ndarray) -> np.ndarray:
    """Impulse along the normal; of a scheduled one its size, because it is its own direction."""
    return np.where(impact["kind"] == codes.EXTERNAL, np.linalg.norm(impact["p"], axis=1), impact["p"][:, 0])


def _ways(impact: np.ndarray, d: int) -> np.ndarray:
    """Directions of impulses; zero where there is none."""
    size = np.linalg.norm(impact["p"], axis=1, keepdims=True)
    return (impact["p"] / np.where(size > 0.0, size, 1.0))[:, :d]


def _unit_of(compiled: Compiled, declared: Any) -> str:
    """The unit of an impulse: a stop of an angle takes a moment of impulse."""
    if isinstance(declared, Stop):
        joint, k = compiled.model.coordinate(declared.where, declared.coordinate)
        return "N m s" if "angle" in joint.coordinates[k] else "N s"
    return "N s"


def _class_of(declared: Any, code: int) -> str:
    """What the slip did, in a word; stops and ropes have no tangent to slip along, scheduled impulses no slip."""
    if isinstance(declared, Stop | Rope):
        return "no tangent"
    if not isinstance(declared, Contact | ContactGroup):
        return ""
    return "settled" if code == SETTLED else Kind(code).label


def _terms(impact: np.ndarray) -> np.ndarray:
    """Size of the terms that the work is summed from."""
    total: np.ndarray = np.sum(np.abs(impact["p"]) * (np.abs(impact["v"]) + np.abs(impact["v_after"])), axis=1)
    return total
