"""Bodies that overlap at the start are refused.

The gaps of corners on faces hold from apart to touching and a little beyond. Of two bars that lie across each other no corner
is in the other, and no gap tells. So each pair of shapes with corners is looked at whole: the differences of points of one and
of the other fill a convex body, and the pair overlaps where the origin is within it, by its distance from the nearest face.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.geometry import in_space, perpendicular, turn_matrix
from routh.compiler.machine import Machine
from routh.core.tables.layout import SOFT
from routh.errors import StateError
from routh.model.compliant import Compliant
from routh.model.contacts import Contact
from routh.model.shapes import Box, Capsule, Cylinder, Hull, Polygon, Polyline, Shape
from routh.sim.poses import Poses
from routh.sim.settling import NEARLY

__all__ = ["may_overlap", "overlaps", "refuse_overlap"]

DEEP = 1e-9  # overlap, against the size of the smaller shape, that is not round-off
N_RIM = 32   # points of a rim


def refuse_overlap(machine: Machine, q: np.ndarray, u: np.ndarray) -> None:
    """StateError where rigid bodies overlap: they have no motion."""
    contacts, contact, gaps = machine.compiled.contacts, machine.system.contact, machine.gaps(q, u)
    deep = (gaps < -DEEP * contact["size"]) & (contact["law"] != SOFT)
    if deep.any():
        c = int(np.argmin(np.where(deep, gaps, 0.0)))
        worst, depth = contacts[contact["owner"][c]], -gaps[c]
    else:
        worst, depth = max(overlaps(machine, q), key=lambda found: found[1], default=(None, 0.0))
        if worst is None or depth <= DEEP * contact["size"][contact["owner"] == contacts.index(worst)].max():
            return
    pair = f' between "{worst.a.body}" and "{worst.b.body}"' if isinstance(worst, Contact) else ""
    size = contact["size"][contact["owner"] == contacts.index(worst)].max()
    near = depth <= NEARLY * size
    hint = "rt.assemble(model, start, contacts=True) closes what nearly touches" if near else "move the bodies apart"
    raise StateError(f"start: {worst.where}{pair} overlaps by {depth:.6g} m (or rad); {hint}")


def may_overlap(compiled: Compiled, starts: np.ndarray, t: float) -> np.ndarray:
    """(n,) which of many starts (n, n_q + n_u) need a look by `refuse_overlap`: those with half the overlap that it refuses.

    One compiled call looks at all gaps with every contact open. All need a look where gaps do not tell of every overlap.
    """
    machine, contact, n = Machine(compiled), compiled.system.contact, len(starts)
    if _sharp_pairs(machine) or contact["sheet"].any():
        return np.ones(n, bool)
    y = np.zeros((n, machine.n_state))
    y[:, : starts.shape[1]] = starts
    arrays, none = machine.observation(n), np.zeros(n, np.int64)
    machine.call("observe", np.full(n, t), y, none, np.array([t, t + 1.0]), none, np.zeros((1, 0)), *arrays.values())
    deep = (arrays["contact"][:, :, 1] < -0.5 * DEEP * contact["size"]) & (contact["law"] != SOFT)
    return np.asarray(deep.any(axis=1))


def overlaps(machine: Machine, q: np.ndarray) -> Iterator[tuple[Contact, float]]:
    """(contact, depth) of pairs of rigid shapes with corners that overlap."""
    model, pairs = machine.compiled.model, _sharp_pairs(machine)
    if not pairs:
        return
    poses = Poses(machine.compiled, machine.place(q)[None])
    for contact in pairs:
        depth = max(_depth(a, b, model.dimension) for a in _placed(contact.a, poses) for b in _placed(contact.b, poses))
        if depth > 0.0:
            yield contact, depth + sum(shape.radius for shape in (contact.a, contact.b) if isinstance(shape, Capsule))


def _sharp_pairs(machine: Machine) -> list[Contact]:
    """Contacts of rigid shapes with corners, whose overlap no gap may tell."""
    return [c for c in machine.compiled.contacts if isinstance(c, Contact) and not isinstance(c.law, Compliant)
            and _cores(c.a) and _cores(c.b)]


def _cores(shape: Shape) -> list[tuple[np.ndarray, ...]]:
    """Corners of the convex bodies that a shape is, or of which it is a rounding; of a curve its straight pieces.

    Of a cylinder points of its rims: it holds their hull.
    """
    if isinstance(shape, Capsule):
        return [(in_space(shape.start), in_space(shape.end))]
    if isinstance(shape, Polygon):
        return [tuple(map(in_space, shape.vertices))]
    if isinstance(shape, Hull):
        return [tuple(map(in_space, shape.points))]
    if isinstance(shape, Box):
        axes = turn_matrix(shape.turn) * np.array(shape.size)
        return [tuple(in_space(shape.point) + axes @ np.array(s) for s in product((-0.5, 0.5), repeat=3))]
    if isinstance(shape, Cylinder):
        axis, angle = np.array(shape.axis), 2.0 * np.pi * np.arange(N_RIM) / N_RIM
        round_it = shape.radius * np.column_stack([np.cos(angle), np.sin(angle)]) @ np.array(perpendicular(axis))
        return [tuple(np.vstack([in_space(shape.point) + 0.5 * end * shape.length * axis + round_it for end in (-1.0, 1.0)]))]
    if isinstance(shape, Polyline):
        pieces = zip(pairwise(shape.vertices), shape.bulges, strict=True)
        return [(in_space(p), in_space(q)) for (p, q), bulge in pieces if bulge == 0.0]
    return []


def _placed(shape: Shape, poses: Poses) -> list[np.ndarray]:
    """The cores of a shape in the world, each (n, 3)."""
    x, R = poses.pose(shape.body)
    return [x[0] + np.array(core) @ R[0].T for core in _cores(shape)]


def _depth(a: np.ndarray, b: np.ndarray, dimension: int) -> float:
    """How deep the convex hulls of two sets of points overlap; zero where they do not."""
    middle_a, middle_b = a.mean(axis=0), b.mean(axis=0)
    reach = np.linalg.norm(a - middle_a, axis=1).max() + np.linalg.norm(b - middle_b, axis=1).max()
    if np.linalg.norm(middle_a - middle_b) > reach:
        return 0.0
    from scipy.spatial import ConvexHull, QhullError  # half a second to import, and few starts come so near

    try:
        hull = ConvexHull((a[:, None] - b[None]).reshape(-1, 3)[:, :dimension])
    except QhullError:
        return 0.0  # flat: two rods in space, or parallel ones in the plane, which their gaps know
    return max(float(-hull.equations[:, -1].max()), 0.0)
