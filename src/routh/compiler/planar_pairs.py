"""Pairs of planar shapes → elementary gaps. What each part of a gap holds is in `core/planar_gaps.py`.

| pair | gaps |
|---|---|
| disk or ellipse with anything but a polyline | 1 |
| half space with capsule, polygon | one per end, per corner |
| capsule, capsule | ends of one on the other, ends of the other on the sides of the one |
| capsule, polygon | ends of the capsule on the polygon, corners of the polygon on the sides of the capsule |
| polygon, polygon | corners of each on the other |
| disk or ellipse, polyline | one per chain; two per hollow arc that is more curved than the flat sides of an ellipse |
| capsule or polygon, polyline | ends or corners on each chain, corners and arcs of hills on its sides |

A contact of a rounded end with a corner would appear twice if both lists held it, so the sides of a capsule are a rectangle
inside it, which its ends cover. A polyline is cut at its concave corners into **chains** that a part touches at one point at a
time, so that a disk can touch both walls of a notch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from routh.compiler.geometry import in_space, turn_matrix
from routh.compiler.pairs import GapSpec, Part, gap_between, no_gap
from routh.core.gaps.tolerances import CONE, FLUSH
from routh.core.tables import pairs as core
from routh.model.shapes import Capsule, Disk, Ellipse, HalfSpace, Polygon, Polyline, Shape

__all__ = ["chains_of", "planar_gaps"]

Builder = Callable[..., list[GapSpec]]  # (first, second, size, swapped), with the shapes in the order of the table below

TUCK = 1e-3  # a chain that ends in a hollow goes on straight into the solid, by this part of the shorter of the two pieces: a
#              sharp point that lies in the hollow feels two faces there, no ends of faces
QUARTER = 0.5 * math.pi * (1.0 + 1e-12)  # an arc in a chain is no longer


def planar_gaps(a: Shape, b: Shape) -> Sequence[GapSpec]:
    """The elementary gaps of two planar shapes; ModelError where the two cannot touch."""
    order = [HalfSpace, Disk, Ellipse, Capsule, Polygon, Polyline]
    swapped = order.index(type(a)) > order.index(type(b))
    first, second = (b, a) if swapped else (a, b)
    build = _BUILD.get((type(first), type(second)))
    if build is None:
        raise no_gap(a, b, "neither has an end, so they do not touch at a point; give one of them a bounded shape")
    if _thin(a) and _thin(b):
        raise no_gap(a, b, "neither has a surface; give one of them a radius")
    return build(first, second, min(_length(a), _length(b)), swapped)


def _thin(shape: Any) -> bool:
    """Whether it is a sharp point or a thin rod."""
    return isinstance(shape, Disk | Capsule) and shape.radius == 0.0


def _length(shape: Any) -> float:
    """A length of the shape; infinite where it has none."""
    if isinstance(shape, Disk):
        return shape.radius or math.inf
    if isinstance(shape, Ellipse):
        return min(shape.axes)
    if isinstance(shape, Capsule):
        return shape.radius or math.dist(shape.start, shape.end)
    if isinstance(shape, HalfSpace):
        return math.inf
    v = shape.vertices
    return min(math.dist(p, q) for p, q in pairwise((*v, v[0]) if isinstance(shape, Polygon) else v))


def _disk(point: Sequence[float], radius: float = 0.0) -> Part:
    return Part(in_space(point), size=np.array([radius, 0.0, 0.0]), reach=radius, ball=True)


def _corner(point: Sequence[float], first: float, width: float, size: float) -> Part:
    """A sharp corner whose faces have outward normals at the angles `first` and `first` + `width`."""
    cone = np.array([0.0, 1.0 + math.cos(min(0.5 * width + CONE, math.pi)), FLUSH * size])
    return Part(in_space(point), turn_matrix(first + 0.5 * width), cone, reach=0.0)


def _line(shape: HalfSpace) -> Part:
    x, y = shape.normal
    return Part(in_space(shape.point), turn=np.array([[y, x, 0.0], [-x, y, 0.0], [0.0, 0.0, 1.0]]))


def _ellipse(shape: Ellipse) -> Part:
    return Part(in_space(shape.point), turn_matrix(shape.turn), in_space(shape.axes), reach=max(shape.axes))


def _tips(shape: Ellipse) -> list[Part]:
    """Its two halves along the longer axis."""
    size, turn = in_space(sorted(shape.axes, reverse=True)), turn_matrix(shape.turn)
    if shape.axes[0] < shape.axes[1]:
        turn = turn @ turn_matrix(0.5 * math.pi)
    return [Part(in_space(shape.point), turn, size + np.array([0.0, 0.0, side]), reach=size[0]) for side in (-1.0, 1.0)]


def _arc(line: Polyline, i: int, size: float) -> Part:
    """Piece i, an arc, as a whole."""
    (cx, cy), radius = _centre(line, i)
    (px, py), (qx, qy), bulge = line.vertices[i], line.vertices[i + 1], line.bulges[i]
    middle = math.atan2(qx - px, py - qy) + (math.pi if bulge > 0.0 else 0.0)
    half = (1.0 - bulge * bulge) / (1.0 + bulge * bulge)
    return Part(in_space((cx, cy)), turn_matrix(middle), np.array([radius, half, FLUSH * size]), reach=radius,
                sheet=not line.closed)


def _chain(vertices: Any, rounding: float = 0.0) -> Part:
    """A chain from its corners (x, y, bulge), about the middle of the box that holds them."""
    v = np.zeros((len(vertices), 3))
    v[:, : np.shape(vertices)[1]] = vertices
    middle = 0.5 * (v.min(axis=0) + v.max(axis=0)) * (1.0, 1.0, 0.0)
    v -= middle
    reach = max(math.hypot(x, y) for x, y, _ in v)
    reach += max(0.5 * abs(p[2]) * math.dist(p[:2], q[:2]) for p, q in pairwise(v))  # an arc stands out over its chord by this
    return Part(middle, size=np.array([rounding, 0.0, 0.0]), vertices=v, reach=reach + rounding)


def _polygon(shape: Polygon) -> Part:
    return _chain((*shape.vertices, shape.vertices[0]))


def _core(shape: Capsule) -> Part:
    """There and back: a polygon with two corners, rounded."""
    return _chain((shape.start, shape.end, shape.start), shape.radius)


def _sides(shape: Capsule) -> Part:
    """The rectangle between the two ends."""
    p, q = np.array(shape.start), np.array(shape.end)
    along = (q - p) / np.linalg.norm(q - p)
    out = shape.radius * np.array([along[1], -along[0]])
    return _chain((p + out, q + out, q - out, p - out, p + out) if shape.radius else (p, q, p))


def _ends(shape: Capsule) -> list[Part]:
    return [_disk(shape.start, shape.radius), _disk(shape.end, shape.radius)]


def _one(kind: int, part_a: Callable[[Any], Part], part_b: Callable[[Any], Part], turned: bool = False) -> Builder:
    """A pair that is one gap; `turned` where the kernel's first part is the second of the table."""

    def build(first: Any, second: Any, size: float, swapped: bool) -> list[GapSpec]:
        a, b = (part_a(second), part_b(first)) if turned else (part_a(first), part_b(second))
        return [gap_between(kind, a, b, size, swapped != turned)]

    return build


def _round(shape: Disk) -> Part:
    return _disk(shape.point, shape.radius)


def _line_capsule(line: HalfSpace, capsule: Capsule, size: float, swapped: bool) -> list[GapSpec]:
    return [gap_between(core.LINE_DISK, _line(line), end, size, swapped) for end in _ends(capsule)]


def _line_polygon(line: HalfSpace, polygon: Polygon, size: float, swapped: bool) -> list[GapSpec]:
    return [gap_between(core.LINE_DISK, _line(line), _disk(v), size, swapped) for v in polygon.vertices]


def _meet(chains: Sequence[Part], points: Sequence[Part], size: float, swapped: bool) -> list[GapSpec]:
    """Every point or disk on every chain."""
    return [gap_between(core.CHAIN_DISK, chain, point, size, swapped) for point in points for chain in chains]


def _corners(polygon: Polygon, size: float) -> list[Part]:
    out, v = [], polygon.vertices
    for i, (x, y) in enumerate(v):
        (px, py), (qx, qy) = v[i - 1], v[(i + 1) % len(v)]
        before, behind = math.atan2(y - py, x - px), math.atan2(qy - y, qx - x)
        out.append(_corner((x, y), before - 0.5 * math.pi, (behind - before) % (2.0 * math.pi), size))
    return out


def _hills(line: Polyline, size: float) -> list[Part]:
    """Corners that stand out, ends of an open curve among them: these can be pushed back along the curve, too."""
    v, ways = line.vertices, line.directions()
    out = [_corner(v[i], ways[i][0] + 0.5 * math.pi, -turn, size) for i, turn in _joints(line) if turn < -FLUSH]
    if not line.closed:
        out.append(_corner(v[0], ways[0][0] + 0.5 * math.pi, 0.5 * math.pi, size))
        out.append(_corner(v[-1], ways[-1][1], 0.5 * math.pi, size))
    return out


def _capsule_capsule(a: Capsule, b: Capsule, size: float, swapped: bool) -> list[GapSpec]:
    return [*_meet([_core(b)], _ends(a), size, not swapped), *_meet([_sides(a)], _ends(b), size, swapped)]


def _capsule_polygon(capsule: Capsule, polygon: Polygon, size: float, swapped: bool) -> list[GapSpec]:
    if _thin(capsule):
        raise no_gap(capsule, polygon, "a corner would pass through a thin rod unseen; give the capsule a radius")
    return [*_meet([_polygon(polygon)], _ends(capsule), size, not swapped),
            *_meet([_sides(capsule)], _corners(polygon, size), size, swapped)]


def _polygon_polygon(a: Polygon, b: Polygon, size: float, swapped: bool) -> list[GapSpec]:
    return [*_meet([_polygon(a)], _corners(b, size), size, swapped),
            *_meet([_polygon(b)], _corners(a, size), size, not swapped)]


def _terrain(line: Polyline, radius: float) -> list[Part]:
    """The chains of a line. One has no underside where the line ends, or where more of the line is behind it: a far tooth."""
    return [replace(_chain(v), sheet=not line.closed or _behind(np.asarray(v)[:, :2], line)) for v in chains_of(line, radius)]


def _behind(chain: np.ndarray, line: Polyline) -> bool:
    """Whether a corner of a closed line is behind all pieces of a chain, where the chain alone would be solid."""
    along, corners = np.diff(chain, axis=0), np.array(line.vertices)
    size = np.ptp(corners, axis=0).max()
    beside = corners[:, None] - chain[None, :-1]
    depth = (along[:, 0] * beside[..., 1] - along[:, 1] * beside[..., 0]) / np.sqrt((along**2).sum(axis=1))
    return bool((depth > 1e-9 * size).all(axis=1).any())


def _disk_polyline(disk: Disk, line: Polyline, size: float, swapped: bool) -> list[GapSpec]:
    return _meet(_terrain(line, disk.radius), [_round(disk)], size, not swapped)


def _ellipse_polyline(ellipse: Ellipse, line: Polyline, size: float, swapped: bool) -> list[GapSpec]:
    """On chains, and in hollow arcs too narrow for its flat sides, which it touches to the left and right of its minor axis."""
    major, minor = max(ellipse.axes), min(ellipse.axes)
    whole, tips = _ellipse(ellipse), _tips(ellipse)
    chains = _terrain(line, major * major / minor)
    bowls = [bowl for i, bulge in enumerate(line.bulges) if bulge > 0.0
             and minor * minor / major < (bowl := _arc(line, i, size)).size[0] <= major * major / minor]
    met = [(core.ARCS_ELLIPSE if chain.vertices[:, 2].any() else core.CHAIN_ELLIPSE, chain, whole) for chain in chains]
    met += [(core.BOWL_ELLIPSE, bowl, tip) for bowl in bowls for tip in tips]
    return [gap_between(kind, outline, part, size, not swapped) for kind, outline, part in met]


def _hard_polyline(shape: Any, line: Polyline, size: float, swapped: bool) -> list[GapSpec]:
    """Capsule or polygon: its ends or corners on the line, the line's hills on its faces."""
    if _thin(shape):
        raise no_gap(shape, line, "a hill would pass through a thin rod unseen; give the capsule a radius")
    round_one = isinstance(shape, Capsule)
    chains = _terrain(line, shape.radius if round_one else 0.0)
    tips = _ends(shape) if round_one else [_disk(v) for v in shape.vertices]  # any corner can meet the walls of a valley
    face = _sides(shape) if round_one else _polygon(shape)
    hills = [replace(hill, sheet=not line.closed) for hill in _hills(line, size)]
    arcs = [_arc(line, i, size) for i, bulge in enumerate(line.bulges) if bulge < 0.0]
    return [*_meet(chains, tips, size, not swapped),
            *_meet([face], hills, size, swapped),
            *(gap_between(core.CHAIN_ARC, face, arc, size, swapped) for arc in arcs)]


_BUILD: dict[tuple[type, type], Builder] = {
    (HalfSpace, Disk): _one(core.LINE_DISK, _line, _round),
    (HalfSpace, Ellipse): _one(core.LINE_ELLIPSE, _line, _ellipse),
    (HalfSpace, Capsule): _line_capsule,
    (HalfSpace, Polygon): _line_polygon,
    (Disk, Disk): _one(core.DISK_DISK, _round, _round),
    (Disk, Ellipse): _one(core.DISK_ELLIPSE, _round, _ellipse),
    (Disk, Capsule): _one(core.CHAIN_DISK, _core, _round, turned=True),
    (Disk, Polygon): _one(core.CHAIN_DISK, _polygon, _round, turned=True),
    (Disk, Polyline): _disk_polyline,
    (Ellipse, Ellipse): _one(core.ELLIPSE_ELLIPSE, _ellipse, _ellipse),
    (Ellipse, Capsule): _one(core.CHAIN_ELLIPSE, _core, _ellipse, turned=True),
    (Ellipse, Polygon): _one(core.CHAIN_ELLIPSE, _polygon, _ellipse, turned=True),
    (Ellipse, Polyline): _ellipse_polyline,
    (Capsule, Capsule): _capsule_capsule,
    (Capsule, Polygon): _capsule_polygon,
    (Capsule, Polyline): _hard_polyline,
    (Polygon, Polygon): _polygon_polygon,
    (Polygon, Polyline): _hard_polyline,
}


def _joints(line: Polyline) -> list[tuple[int, float]]:
    """(vertex, angle of the turn) at each joint: negative, a turn to the right, where the solid stands out."""
    ways, n = line.directions(), len(line.bulges)
    joints = range(n) if line.closed else range(1, n)
    return [(i, math.remainder(ways[i][0] - ways[i - 1][1], 2.0 * math.pi)) for i in joints]


def chains_of(line: Polyline, radius: float) -> list[np.ndarray]:
    """The chains (n, 3) of a polyline for disks of `radius`: corners and bulges, walked backwards, so the solid is on the left.

    Cut at concave corners; at hollow arcs into which the disk does not fit, which it cannot touch; and where hollows of
    more than half a turn lie between two hills, both of which it could touch.
    """
    n, ways, turns = len(line.bulges), line.directions(), dict(_joints(line))
    lengths = [math.dist(p, q) for p, q in pairwise(line.vertices)]
    unfit = [b > 0.0 and lengths[i] * (1.0 + b * b) <= 4.0 * b * radius for i, b in enumerate(line.bulges)]
    cut = {i for i, turn in turns.items() if turn > FLUSH or unfit[i] or unfit[i - 1]}
    hollow, hill = 0.0, False
    for i in [*range(n), *range(n)] if line.closed else range(n):
        if i in cut:
            hollow, hill = 0.0, False
        if line.bulges[i] < 0.0 or turns.get(i, 0.0) < -FLUSH:
            if hill and hollow > math.pi and radius > 0.0:
                cut.add(i)
            hollow, hill = 0.0, True
        hollow += max(4.0 * math.atan(line.bulges[i]), 0.0)

    # runs of pieces between cuts; a closed curve is entered at one
    start = min(cut, default=0) if line.closed else 0
    order = [(start + k) % n for k in range(n)]
    runs: list[list[int]] = []
    for k, i in enumerate(order):
        if k == 0 or i in cut:
            runs.append([])
        runs[-1].append(i)
    chains = []
    for run in runs:
        if unfit[run[0]]:
            continue
        points = [p for i in run for p in _pieces(line, i)]
        points.append((line.vertices[run[-1] + 1][0], line.vertices[run[-1] + 1][1], 0.0))
        # tuck the ends in where a hollow begins: a straight piece becomes longer, to an arc one is added
        before, behind = run[0], (run[-1] + 1) % n if line.closed else run[-1] + 1
        if turns.get(before, 0.0) > FLUSH:
            tucked = _off(points[0], ways[before][0], -TUCK * min(lengths[before], lengths[before - 1]))
            points[:line.bulges[before] == 0.0] = [tucked]
        if turns.get(behind, 0.0) > FLUSH:
            tucked = _off(points[-1], ways[run[-1]][1], TUCK * min(lengths[behind], lengths[behind - 1]))
            points[len(points) - (line.bulges[run[-1]] == 0.0):] = [tucked]
        chains.append(_backwards(points))
    return chains


def _off(point: Any, angle: float, length: float) -> tuple[float, float, float]:
    """A corner at a distance in a direction; the piece that begins there is straight."""
    return point[0] + length * math.cos(angle), point[1] + length * math.sin(angle), 0.0


def _centre(line: Polyline, i: int) -> tuple[tuple[float, float], float]:
    """Centre and radius of piece i, an arc; the centre is on its left if it turns left."""
    (px, py), (qx, qy), bulge = line.vertices[i], line.vertices[i + 1], line.bulges[i]
    k = (1.0 - bulge * bulge) / (4.0 * bulge)
    radius = math.dist((px, py), (qx, qy)) * (1.0 + bulge * bulge) / (4.0 * abs(bulge))
    return (0.5 * (px + qx) - k * (qy - py), 0.5 * (py + qy) + k * (qx - px)), radius


def _pieces(line: Polyline, i: int) -> list[tuple[float, float, float]]:
    """Piece i as starts and bulges of arcs of at most a quarter turn."""
    (px, py), bulge = line.vertices[i], line.bulges[i]
    angle = 4.0 * math.atan(bulge)
    parts = math.ceil(abs(angle) / QUARTER) or 1
    if parts == 1:
        return [(px, py, bulge)]
    (cx, cy), _ = _centre(line, i)
    out = []
    for j in range(parts):
        c, s = math.cos(j * angle / parts), math.sin(j * angle / parts)
        out.append((cx + c * (px - cx) - s * (py - cy), cy + s * (px - cx) + c * (py - cy), math.tan(0.25 * angle / parts)))
    return out


def _backwards(points: list[tuple[float, float, float]]) -> np.ndarray:
    """The same curve walked the other way: a piece's bulge moves to its other end and changes sign."""
    v = np.array(points[::-1])
    v[:, 2] = -np.append(v[1:, 2], 0.0)
    return v
