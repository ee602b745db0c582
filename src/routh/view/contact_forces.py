"""Where contacts push and how much, sample by sample, for arrows in a picture.

Stepped runs with `contact_steps` know their points. Event-driven runs keep the normal force of each contact, and the point is
found again from the shapes: the lowest point over a floor, the point nearest to a round shape, or a corner on an edge. Contacts
of other shapes get no arrow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.model.body import GROUND
from routh.sim.poses import rotations
from routh.sim.result import Result

__all__ = ["contact_forces", "on_ground"]

MOST = 20_000  # arrows of a whole run
EACH = 60  # arrows of one sample


def on_ground(shape: Any) -> bool:
    """Whether a declared shape belongs to the ground: then what acts on the other body is drawn."""
    return isinstance(shape, dict) and shape.get("body") == GROUND


def contact_forces(result: Result, poses: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(first, at, force): rows first[i] to first[i + 1] of points (m, 3) and forces (m, 3) belong to the kept sample i."""
    rows = _stepped(result, keep) if len(result.contact_steps) else _event_driven(result, poses, keep)
    sample, at, force = rows
    order = np.lexsort((-np.linalg.norm(force, axis=1), sample)) if len(sample) else np.zeros(0, int)
    sample, at, force = sample[order], at[order], force[order]
    first = np.searchsorted(sample, np.arange(len(keep) + 1))
    rank = np.arange(len(sample)) - first[sample] if len(sample) else np.zeros(0, int)
    good = rank < min(EACH, max(1, MOST // max(1, len(keep))) if len(sample) > MOST else EACH)
    sample, at, force = sample[good], at[good], force[good]
    return np.searchsorted(sample, np.arange(len(keep) + 1)), at, force


def _stepped(result: Result, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The points of the step that ended at each kept sample."""
    steps = result.contact_steps
    times, t = steps["t"], result.t[keep]
    sample = np.clip(np.searchsorted(t, times), 0, len(t) - 1)
    good = np.abs(t[sample] - times) <= 1e-9 * max(1.0, float(np.abs(t).max(initial=0.0)))
    good &= steps["step"] > 0.0
    force = steps["impulse"][good] / steps["step"][good, None]
    force = np.where((steps["b"][good] == GROUND)[:, None], -force, force)
    return sample[good], _in_space(steps["point"][good]), _in_space(force)


def _event_driven(result: Result, poses: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    model = result.declaration["model"]
    index = {body["name"]: i for i, body in enumerate(model["bodies"])}
    samples, points, forces = [np.zeros(0, int)], [np.zeros((0, 3))], [np.zeros((0, 3))]
    for contact in model["contacts"]:
        if contact["kind"] != "Contact" or f"{contact['name']}.force" not in result:
            continue
        size = result[f"{contact['name']}.force"][keep]
        held = np.flatnonzero(np.isfinite(size) & (size > 0.0))
        if not len(held):
            continue
        a, b = (_Placed(shape, poses[keep[held]], index) for shape in (contact["a"], contact["b"]))
        found = _touch(a, b)
        if found is not None:
            samples.append(held)
            points.append(found[0])
            forces.append((-1.0 if on_ground(contact["b"]) else 1.0) * size[held, None] * found[1])
    return np.concatenate(samples), np.concatenate(points), np.concatenate(forces)


class _Placed:
    """A declared shape at some samples: corners, radius and normal in the world."""

    def __init__(self, shape: dict[str, Any], poses: np.ndarray, index: dict[str, int]) -> None:
        n = len(poses)
        body = shape["body"]
        self.x = np.zeros((n, 3)) if body == GROUND else poses[:, index[body], :3]
        self.R = np.broadcast_to(np.eye(3), (n, 3, 3)) if body == GROUND else rotations(poses[:, index[body], 3:])
        self.kind, self.radius, self.corners = shape["kind"], float(shape.get("radius") or 0.0), np.zeros((0, 3))
        match self.kind:
            case "HalfSpace":
                self.normal = self.R @ _spot(shape["normal"])
                self.corners = np.array([_spot(shape["point"])])
            case "Disk" | "Sphere":
                self.corners = np.array([_spot(shape["point"])])
            case "Capsule":
                self.corners = np.array([_spot(shape["start"]), _spot(shape["end"])])
            case "Polygon" | "Polyline":
                self.corners = np.array([_spot(v) for v in shape["vertices"]])
            case "Hull":
                self.corners = np.array(shape["points"], float)
            case "Box":
                half = 0.5 * np.array(shape["size"], float)
                signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
                turn = rotations(np.array([shape["turn"] or (1.0, 0.0, 0.0, 0.0)], float))[0]
                self.corners = signs * half @ turn.T + _spot(shape["point"])
        self.world = self.x[:, None] + np.einsum("nij,kj->nki", self.R, self.corners)  # (n, corners, 3)

    @property
    def round(self) -> bool:
        return self.kind in ("Disk", "Sphere")

    def edges(self) -> np.ndarray:
        """(n, edges, 2, 3) sides of a planar outline or of a segment."""
        closed = np.roll(self.world, -1, axis=1) if self.kind == "Polygon" else self.world[:, 1:]
        return np.stack([self.world[:, : closed.shape[1]], closed], axis=2)


def _touch(a: _Placed, b: _Placed) -> tuple[np.ndarray, np.ndarray] | None:
    """Point and normal (from a to b) of a contact."""
    if not len(a.corners) or not len(b.corners):
        return None
    if a.kind == "HalfSpace":
        return _on_floor(b, a)
    if b.kind == "HalfSpace":
        point, normal = _on_floor(a, b)
        return point, -normal
    if a.round and b.round:
        way = _unit(b.world[:, 0] - a.world[:, 0])
        return a.world[:, 0] + a.radius * way, way
    flat = ("Polygon", "Polyline", "Capsule")
    if b.kind in flat and (a.round or a.kind in flat):
        first = _corner_on_edge(a, b)
        if a.round or (a.kind == "Capsule" and b.kind == "Capsule"):
            return first[0], -first[1]
        second = _corner_on_edge(b, a)
        nearer = (first[2] <= second[2])[:, None]
        return np.where(nearer, first[0], second[0]), np.where(nearer, -first[1], second[1])
    if b.round and a.kind in flat:
        point, normal, _ = _corner_on_edge(b, a)
        return point, normal
    return None


def _on_floor(shape: _Placed, floor: _Placed) -> tuple[np.ndarray, np.ndarray]:
    """The middle of the lowest corners over a floor, and its normal."""
    heights = np.einsum("nki,ni->nk", shape.world, floor.normal)
    size = max(float(np.ptp(shape.corners, axis=0).max(initial=0.0)), shape.radius, 1e-12)
    low = heights <= heights.min(axis=1, keepdims=True) + 1e-3 * size
    middle = (shape.world * low[:, :, None]).sum(axis=1) / low.sum(axis=1)[:, None]
    return middle - shape.radius * floor.normal, floor.normal


def _corner_on_edge(corners: _Placed, edges: _Placed) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The corner of one shape nearest to the sides of another: touching point, normal towards the corner, distance."""
    sides = edges.edges()
    start, way = sides[:, None, :, 0], sides[:, None, :, 1] - sides[:, None, :, 0]
    to = corners.world[:, :, None] - start
    s = np.clip((to * way).sum(-1) / np.maximum((way * way).sum(-1), 1e-300), 0.0, 1.0)
    away = to - s[..., None] * way
    distance = np.linalg.norm(away, axis=-1)
    pick = distance.reshape(len(distance), -1).argmin(axis=1)
    i, j = np.unravel_index(pick, distance.shape[1:])
    n = np.arange(len(distance))
    on = (start + s[..., None] * way)[n, i, j]
    side = way[n, 0, j]
    across = _unit(np.stack([side[:, 1], -side[:, 0], np.zeros(len(side))], axis=1))  # outward of a counter-clockwise outline
    normal = np.where((distance[n, i, j] > 1e-9)[:, None], _unit(away[n, i, j]), across)
    middle = corners.world.mean(axis=1) if not corners.round else corners.world[:, 0]
    normal = np.where(((middle - on) * normal).sum(-1)[:, None] < 0.0, -normal, normal)
    return on + edges.radius * normal, normal, distance[n, i, j]


def _unit(v: np.ndarray) -> np.ndarray:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300))


def _spot(values: Any) -> np.ndarray:
    return np.array([*(values or ()), 0.0, 0.0, 0.0][:3], float)


def _in_space(v: np.ndarray) -> np.ndarray:
    return v if v.shape[1] == 3 else np.column_stack([v, np.zeros(len(v))])
