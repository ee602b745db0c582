"""What a shape looks like: every declared shape as a few plain parts that a browser can draw.

| part | fields | what |
|---|---|---|
| `polygon` | points | a filled outline in the plane z = 0 |
| `curve` | points | terrain in the plane, solid on its right |
| `halfspace` | normal, point | a floor or wall without end |
| `ball` | axes, point, turn | sphere or ellipsoid |
| `tube` | radius, start, end, round | cylinder, or capsule where the ends are round |
| `box` | size, point, turn | a box |
| `hull` | points, faces | a convex body |
| `wire` | points, radius | a bent wire: the coil of a spring, a guide |
| `bar` | start, end | a segment without width; the scene chooses one |
| `dot` | point | a sharp tip |

All numbers are in the frame of the body, three per point. A part may have a `tone`, which darkens the colour of its body below
1, and in the plane a `lift`, the layer in which it lies on the others of its body.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from routh.compiler.geometry import in_space

__all__ = ["Part", "corners_of", "disk_of", "hull_of", "parts_of", "reach_of", "ring_of", "round_of", "stand_in"]

Part = dict[str, Any]
ROUND = 48  # points on a full circle
STRIPE = 0.82  # tone of the fields that show turns
UPRIGHT = [1.0, 0.0, 0.0, 0.0]


def parts_of(shape: Part) -> list[Part]:
    """The parts of one declared shape, given as the plain data of a `Result.declaration`."""
    return _DRAWN[shape["kind"]](shape)


def stand_in(body: Part, least: float = 0.0) -> list[Part]:
    """A disk, in space a ball or a box, with the body's own mass and inertia about its mass centre, for a body without shapes.

    What would be smaller than `least` [m], such as a point mass, is a disk or a ball of that radius.
    """
    mass, inertia = float(body["mass"] or 0.0), np.asarray(body["inertia"] or 0.0, float)
    centre = _spot(body.get("centre"))
    moments, axes = (np.full(3, inertia), np.eye(3)) if inertia.ndim == 0 else \
        (inertia, np.eye(3)) if inertia.ndim == 1 else np.linalg.eigh(inertia)
    square = moments / mass if mass > 0.0 else 0.0 * moments
    if body.get("planar", inertia.ndim == 0):
        return disk_of(max(math.sqrt(2.0 * square[0]), least), centre)
    size = np.sqrt(np.maximum(6.0 * (square.sum() - 2.0 * square), 0.0))
    if np.ptp(square) <= 1e-9 * square.max() or size.max() < least:
        return [{"kind": "ball", "axes": [max(math.sqrt(2.5 * square[0]), least)] * 3, "point": centre, "turn": UPRIGHT}]
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * np.maximum(
        size, 0.02 * size.max()
    )
    return [hull_of((corners @ axes.T + centre).tolist())]


def reach_of(part: Part) -> float:
    """How far a part goes from the origin of its frame; floors and walls do not count."""
    match part["kind"]:
        case "halfspace":
            return 0.0
        case "ball":
            return float(np.linalg.norm(part["point"]) + max(part["axes"]))
        case "box":
            return float(np.linalg.norm(part["point"]) + 0.5 * np.linalg.norm(part["size"]))
        case "tube":
            return float(max(np.linalg.norm(part["start"]), np.linalg.norm(part["end"])) + part["radius"])
        case "bar":
            return float(max(np.linalg.norm(part["start"]), np.linalg.norm(part["end"])))
        case "dot":
            return float(np.linalg.norm(part["point"]))
        case _:
            return float(np.linalg.norm(part["points"], axis=1).max() + part.get("radius", 0.0))


def corners_of(part: Part) -> np.ndarray:
    """Corners (8, 3) of a box about a part, in its frame; none for floors and walls."""
    if part["kind"] == "halfspace":
        return np.zeros((0, 3))
    points = np.array([part[key] for key in ("point", "start", "end") if key in part] + part.get("points", []), float)
    room = np.full(3, float(part.get("radius", 0.0)))
    if part["kind"] == "ball":
        room = np.full(3, float(max(part["axes"])))
    elif part["kind"] == "box":
        room = np.full(3, 0.5 * float(np.linalg.norm(part["size"])))
    low, high = points.min(axis=0) - room, points.max(axis=0) + room
    if not points[:, 2].any() and "points" in part and part["kind"] == "polygon":
        low[2] = high[2] = 0.0
    return np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T


def round_of(part: Part) -> tuple[np.ndarray, float]:
    """Centre and radius of a ball about a part that has a size."""
    if "points" in part:
        points = np.array(part["points"], float)
        centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return centre, float(np.linalg.norm(points - centre, axis=1).max())
    if part["kind"] == "tube":
        start, end = np.array(part["start"], float), np.array(part["end"], float)
        return 0.5 * (start + end), float(0.5 * np.linalg.norm(end - start) + part["radius"])
    return np.array(part["point"], float), reach_of({**part, "point": (0.0, 0.0, 0.0)})


def _spot(values: Sequence[float] | None) -> list[float]:
    """A declared vector as three numbers."""
    return [float(x) for x in in_space(values or ())]


def _arc(x: float, y: float, radius: float, first: float, turn: float) -> list[list[float]]:
    angles = first + np.linspace(0.0, turn, max(2, math.ceil(ROUND * abs(turn) / (2.0 * math.pi)) + 1))
    return [[x + radius * math.cos(a), y + radius * math.sin(a), 0.0] for a in angles]


def ring_of(radius: float, point: Sequence[float] = (0.0, 0.0)) -> list[list[float]]:
    """Points on a circle."""
    return _arc(point[0], point[1], radius, 0.0, 2.0 * math.pi)[:-1]


def disk_of(radius: float, point: Sequence[float] = (0.0, 0.0)) -> list[Part]:
    """A disk with two darker quarters."""
    x, y = point[0], point[1]
    quarters = [[[x, y, 0.0], *_arc(x, y, radius, first, 0.5 * math.pi)] for first in (0.0, math.pi)]
    return [{"kind": "polygon", "points": ring_of(radius, point)}, *map(_stripe, quarters)]


def _stripe(points: list[list[float]]) -> Part:
    """A darker field on a round shape, which shows how it turns."""
    return {"kind": "polygon", "points": points, "tone": STRIPE, "lift": 1}


def _disk(shape: Part) -> list[Part]:
    x, y, _ = _spot(shape["point"])
    if shape["radius"] == 0.0:
        return [{"kind": "dot", "point": [x, y, 0.0]}]
    return disk_of(shape["radius"], (x, y))


def _ellipse(shape: Part) -> list[Part]:
    (x, y, _), (a, b), turn = _spot(shape["point"]), shape["axes"], shape["turn"] or 0.0
    c, s = math.cos(turn), math.sin(turn)

    def placed(unit: list[list[float]]) -> list[list[float]]:
        return [[x + c * a * u - s * b * v, y + s * a * u + c * b * v, 0.0] for u, v, _ in unit]

    quarters = [placed([[0.0, 0.0, 0.0], *_arc(0.0, 0.0, 1.0, first, 0.5 * math.pi)]) for first in (0.0, math.pi)]
    return [{"kind": "polygon", "points": placed(ring_of(1.0))}, *map(_stripe, quarters)]


def _capsule(shape: Part) -> list[Part]:
    start, end, radius = _spot(shape["start"]), _spot(shape["end"]), shape["radius"]
    if radius == 0.0:
        return [{"kind": "bar", "start": start, "end": end}]
    if len(shape["start"]) == 3:
        return [{"kind": "tube", "radius": radius, "start": start, "end": end, "round": True}]
    way = math.atan2(end[1] - start[1], end[0] - start[0])
    sides = [
        _arc(centre[0], centre[1], radius, way + first, math.pi)
        for centre, first in ((end, -0.5 * math.pi), (start, 0.5 * math.pi))
    ]
    return [{"kind": "polygon", "points": sides[0] + sides[1]}]


def _polygon(shape: Part) -> list[Part]:
    return [{"kind": "polygon", "points": [_spot(v) for v in shape["vertices"]]}]


def _polyline(shape: Part) -> list[Part]:
    points: list[list[float]] = [_spot(shape["vertices"][0])]
    for ((px, py), (qx, qy)), bulge in zip(pairwise(shape["vertices"]), shape["bulges"], strict=True):
        if bulge == 0.0:
            points.append([qx, qy, 0.0])
            continue
        turn, chord = 4.0 * math.atan(bulge), math.hypot(qx - px, qy - py)
        radius = 0.5 * chord / math.sin(0.5 * turn)  # negative where it turns right
        first = math.atan2(qy - py, qx - px) - 0.5 * turn - 0.5 * math.pi
        points += _arc(px - radius * math.cos(first), py - radius * math.sin(first), radius, first, turn)[1:]
    return [{"kind": "curve", "points": points}]


def _half_space(shape: Part) -> list[Part]:
    return [{"kind": "halfspace", "normal": _spot(shape["normal"]), "point": _spot(shape["point"])}]


def _sphere(shape: Part) -> list[Part]:
    if shape["radius"] == 0.0:
        return [{"kind": "dot", "point": _spot(shape["point"])}]
    return [{"kind": "ball", "axes": [shape["radius"]] * 3, "point": _spot(shape["point"]), "turn": UPRIGHT}]


def _ellipsoid(shape: Part) -> list[Part]:
    return [{"kind": "ball", "axes": shape["axes"], "point": _spot(shape["point"]), "turn": shape["turn"] or UPRIGHT}]


def _cylinder(shape: Part) -> list[Part]:
    length = max(shape["length"], 0.01 * shape["radius"])  # a thin disc is to be seen
    middle, half = np.array(_spot(shape["point"])), 0.5 * length * np.array(shape["axis"], float)
    return [
        {
            "kind": "tube",
            "radius": shape["radius"],
            "start": (middle - half).tolist(),
            "end": (middle + half).tolist(),
            "round": False,
        }
    ]


def _box(shape: Part) -> list[Part]:
    return [{"kind": "box", "size": shape["size"], "point": _spot(shape["point"]), "turn": shape["turn"] or UPRIGHT}]


def hull_of(points: list[list[float]]) -> Part:
    """The convex hull of points in space."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    corners, centre = hull.points, hull.points.mean(axis=0)
    faces = []
    for i, j, k in hull.simplices:  # seen counter-clockwise from outside
        out = np.cross(corners[j] - corners[i], corners[k] - corners[i]) @ (corners[i] - centre)
        faces.append([int(i), int(j), int(k)] if out > 0.0 else [int(i), int(k), int(j)])
    return {"kind": "hull", "points": corners.tolist(), "faces": faces}


_DRAWN: dict[str, Callable[[Part], list[Part]]] = {
    "HalfSpace": _half_space,
    "Capsule": _capsule,
    "Disk": _disk,
    "Ellipse": _ellipse,
    "Polygon": _polygon,
    "Polyline": _polyline,
    "Sphere": _sphere,
    "Ellipsoid": _ellipsoid,
    "Cylinder": _cylinder,
    "Box": _box,
    "Hull": lambda shape: [hull_of(shape["points"])],
    "Mesh": lambda shape: [{"kind": "hull", "points": shape["vertices"], "faces": shape["faces"]}],
}
