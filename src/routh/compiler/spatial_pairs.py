"""Declared pairs of shapes in space → elementary gaps, see core/spatial_gaps.py for the kernels.

| | half space | sphere | capsule | cylinder | box, hull | ellipsoid |
|---|---|---|---|---|---|---|
| sphere | yes | yes | yes | yes | yes | yes |
| ellipsoid | yes | yes | yes | yes | yes | yes |
| capsule | ends | yes | four ends, crossing sides | ends, side, halves of rims | ends, corners, four edges | yes |
| cylinder | three points of each rim | yes | as left | side, halves of rims, rims on ends and on rims | as below | yes |
| box, hull | corners | yes | as above | corners, four edges with side and rims, rims | corners both ways, eight edges | yes |

A cylinder's rim has three points on what is flat, and two halves for what is straight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from routh.compiler.geometry import in_space, perpendicular, turn_matrix
from routh.compiler.pairs import GapSpec, Part, gap_between, no_gap
from routh.core.gaps.tolerances import CONE, FLUSH
from routh.core.tables import pairs as kinds
from routh.model.shapes import Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Shape, Sphere

__all__ = ["corners_of", "polyhedron_rows", "spatial_gaps"]

COLOURS = 4         # of the edges of a polyhedron: those of one colour are one point; a box has four edges to a face
TRIES = 4000        # colourings times edges: more than enough for the twelve of a box, which has perfect ones


def _frame(axis: np.ndarray) -> np.ndarray:
    """Axes of a shape with the third along `axis`."""
    return np.column_stack([*perpendicular(axis), axis])


def _ball(point: np.ndarray, radius: float = 0.0) -> Part:
    return Part(point, size=np.array([radius, 0.0, 0.0]), reach=radius, ball=True)


def _plane(shape: HalfSpace) -> Part:
    return Part(in_space(shape.point), _frame(np.array(shape.normal)))


def _ellipsoid(shape: Ellipsoid) -> Part:
    return Part(in_space(shape.point), turn_matrix(shape.turn), np.array(shape.axes), reach=max(shape.axes))


def _ends(shape: Capsule) -> list[Part]:
    return [_ball(in_space(p), shape.radius) for p in (shape.start, shape.end)]


def _tips(shape: Capsule) -> list[Part]:
    """Its ends where something before them can push them, not from within."""
    way = _capsule(shape).turn[:, 2]
    return [Part(end.point, _frame(side * way), np.array([shape.radius, 1.0, 0.0]), reach=shape.radius)
            for end, side in zip(_ends(shape), (-1.0, 1.0), strict=True)]


def _capsule(shape: Capsule) -> Part:
    start, end = in_space(shape.start), in_space(shape.end)
    half = 0.5 * float(np.linalg.norm(end - start))
    return Part(0.5 * (start + end), _frame((end - start) / (2.0 * half)), np.array([shape.radius, half, 0.0]),
                reach=half + shape.radius)


def _cylinder(shape: Cylinder) -> Part:
    half = 0.5 * shape.length
    return Part(in_space(shape.point), _frame(np.array(shape.axis)), np.array([shape.radius, half, 0.0]),
                reach=float(np.hypot(half, shape.radius)))


def _pieces(shape: Cylinder) -> list[Part]:
    """What straight edges meet: the side, and both halves of each rim."""
    axis, side = np.array(shape.axis), _cylinder(shape)
    return [side] + [Part(side.point + 0.5 * end * shape.length * axis, _frame(end * axis), np.array([shape.radius, 0.0, half]),
                          reach=shape.radius) for end in (-1.0, 1.0) for half in (-1.0, 1.0)]


def _rims(shape: Cylinder) -> list[Part]:
    """Three points of each rim: the lowest, and those a third of a turn from it. A thin disc has one rim."""
    axis, middle = np.array(shape.axis), in_space(shape.point)
    return [Part(middle + 0.5 * end * shape.length * axis, _frame(end * axis),
                 np.array([shape.radius, np.cos(angle), np.sin(angle)]), reach=shape.radius)
            for end in ((-1.0, 1.0) if shape.length else (1.0,)) for angle in (0.0, 2.0 * np.pi / 3.0, -2.0 * np.pi / 3.0)]


def corners_of(shape: Box | Hull) -> np.ndarray:
    """(n, 3) corners in the body's frame."""
    if isinstance(shape, Hull):
        return np.array(shape.points)
    signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return in_space(shape.point) + (signs * np.array(shape.size)) @ turn_matrix(shape.turn).T


def _colours(faces: np.ndarray, way: np.ndarray) -> list[int]:
    """A colour for each edge, 0 to COLOURS - 1: those that share a face differ, parallel ones first, as far as possible."""
    near: list[list[int]] = [[] for _ in faces]
    for face in range(int(faces.max()) + 1):
        sides = np.flatnonzero((faces == face).any(axis=1)).tolist()
        for i in sides:
            near[i] += [j for j in sides if j != i]
    # what two edges of one colour cost
    price = [{j: 0.01 + round(float(way[i] @ way[j]) ** 4, 9) for j in near[i]} for i in range(len(faces))]
    least, best, rng = np.inf, [0] * len(faces), np.random.default_rng(0)
    for _ in range(TRIES // len(faces) + 1):
        colour, clash = [-1] * len(faces), 0.0
        for i in rng.permutation(len(faces)).tolist():
            load = [0.0] * COLOURS
            for j in near[i]:
                if colour[j] >= 0:
                    load[colour[j]] += price[i][j]
            lightest = min(load)
            colour[i] = load.index(lightest)
            clash += lightest
        if clash < least:
            least, best = clash, colour
    return best


@lru_cache(maxsize=64)
def polyhedron_rows(corners: tuple[tuple[float, ...], ...]) -> tuple[np.ndarray, float]:
    """(rows of the vertex table, see core/polyhedron_gap.py; least thickness) of the convex hull of the corners."""
    from scipy.spatial import ConvexHull  # half a second to import, and few models have a hull

    points = np.array(corners)
    hull = ConvexHull(points)
    normals: list[np.ndarray] = []
    face_of = []  # of each triangle
    for normal in hull.equations[:, :3]:
        found = np.flatnonzero(np.linalg.norm(np.reshape(normals, (-1, 3)) - normal, axis=1) < FLUSH)
        if not found.size:
            normals.append(normal)
        face_of.append(int(found[0]) if found.size else len(normals) - 1)
    offsets = [float(np.max(points @ n)) for n in normals]
    thickness = min(offset - float(np.min(points @ n)) for n, offset in zip(normals, offsets, strict=True))

    # edges: sides of triangles between two different faces
    sides: dict[tuple[int, int], int] = {}
    edges = []
    for triangle, face in zip(hull.simplices, face_of, strict=True):
        for k in range(3):
            i, j = sorted((int(triangle[k]), int(triangle[k - 1])))
            other = sides.setdefault((i, j), face)
            if other != face:
                edges.append((i, j, other, face))

    # in an order that follows from the corners alone: that of the hull changes with round-off, as under a change of scale
    edges.sort()
    order = sorted(range(len(normals)), key=lambda face: sorted({i for e in edges if face in e[2:] for i in e[:2]}))
    rank = np.argsort(order).tolist()
    edges = [(i, j, min(rank[f], rank[g]), max(rank[f], rank[g])) for i, j, f, g in edges]
    normals, offsets = [normals[face] for face in order], [offsets[face] for face in order]
    faces = np.array([e[2:] for e in edges])
    spans = np.array([points[j] - points[i] for i, j, _, _ in edges])
    lengths = np.linalg.norm(spans, axis=1)
    rows: list[tuple[float, ...]] = [(len(points), len(edges), len(normals)), *map(tuple, points)]
    ways = spans / lengths[:, None]
    colours = _colours(faces, ways)
    for (i, j, f, g), length, way, colour in zip(edges, lengths, ways, colours, strict=True):
        rows += [(i, j, colour), (f, g, 0.5 * float(length)), tuple(0.5 * (points[i] + points[j])), tuple(way)]
    for n, offset in zip(normals, offsets, strict=True):
        rows += [(*n,), (offset, 0.0, 0.0)]
    table = np.array(rows, float)
    table.flags.writeable = False  # shared by all gaps of the shape
    return table, thickness


def _polyhedron(shape: Box | Hull, colour: int = 0) -> tuple[Part, float]:
    """The polyhedron about its middle with the edges of one colour chosen, and its least thickness."""
    corners = corners_of(shape)
    middle = corners.mean(axis=0)
    rows, thickness = polyhedron_rows(tuple(map(tuple, corners - middle)))
    reach = float(np.max(np.linalg.norm(corners - middle, axis=1)))
    return Part(middle, size=np.array([0.0, colour, 0.0]), vertices=rows, reach=reach), thickness


def _edge(shape: Capsule | Cylinder) -> Part:
    """A capsule, or the side of a cylinder, as an edge without faces."""
    flat = isinstance(shape, Cylinder)
    part = _cylinder(shape) if isinstance(shape, Cylinder) else _capsule(shape)
    half = part.size[1]
    rows = np.array([(2, 1, 0), (0, 0, -half), (0, 0, half), (0, 1, 0), (0, 0, half), (0, 0, 0), (0, 0, 1)], float)
    return Part(part.point, part.turn, np.array([shape.radius, 0.0, float(flat)]), rows, part.reach)


def _corners_of(a: Box | Hull) -> list[Part]:
    return [_ball(p) for p in corners_of(a)]


def _cones(shape: Box | Hull, size: float) -> list[Part]:
    """The corners, each with a cone about its third axis that holds the normals of its faces."""
    part, _ = _polyhedron(shape)
    rows = part.vertices
    n_corner, n_edge, _ = (int(x) for x in rows[0])
    normals = rows[1 + n_corner + 4 * n_edge::2]
    offsets = rows[2 + n_corner + 4 * n_edge::2, 0]
    out = []
    for corner in rows[1:1 + n_corner]:
        mine = normals[np.abs(normals @ corner - offsets) < FLUSH * part.reach]
        middle = mine.mean(axis=0)
        middle /= np.linalg.norm(middle)
        half = min(float(np.arccos(np.clip(np.min(mine @ middle), -1.0, 1.0))) + CONE, np.pi)
        out.append(Part(part.point + corner, _frame(middle), np.array([0.0, 1.0 + np.cos(half), FLUSH * size]), reach=0.0))
    return out


def _on_plane(parts: list[Part], plane: HalfSpace, size: float) -> list[GapSpec]:
    return [gap_between(kinds.BALL_PLANE, part, _plane(plane), size) for part in parts]


def _sphere(kind: int, part: Callable[[Any], Part]) -> Callable[[Sphere, Any], list[GapSpec]]:
    """Pairs of a sphere with one part; of the two lengths the smaller counts, but a radius of zero is no length."""

    def gaps(a: Sphere, b: Any) -> list[GapSpec]:
        other = part(b)
        size = _least(b)
        if a.radius == 0.0 and size == 0.0:
            raise no_gap(a, b, "both have radius zero and never meet; give one of them a radius")
        return [gap_between(kind, _ball(in_space(a.point), a.radius), other, min(a.radius or size, size or a.radius))]

    return gaps


def _least(shape: Any) -> float:
    """A length of a shape: its radius, or how thin it is."""
    if isinstance(shape, (Box, Hull)):
        return _polyhedron(shape)[1]
    if isinstance(shape, Ellipsoid):
        return min(shape.axes)
    return min(shape.radius, shape.length) if isinstance(shape, Cylinder) else shape.radius


def _ellipsoids(a: Ellipsoid, b: Ellipsoid) -> list[GapSpec]:
    return [gap_between(kinds.ELLIPSOID_ELLIPSOID, _ellipsoid(a), _ellipsoid(b), min(a.axes + b.axes))]


def _ellipsoid_plane(a: Ellipsoid, b: HalfSpace) -> list[GapSpec]:
    return [gap_between(kinds.ELLIPSOID_PLANE, _ellipsoid(a), _plane(b), min(a.axes))]


def _ellipsoid_with(kind: int, part: Callable[[Any], Part]) -> Callable[[Ellipsoid, Any], list[GapSpec]]:
    """Pairs of an ellipsoid with one part; it is round, so that it touches at one point."""
    return lambda a, b: [gap_between(kind, _ellipsoid(a), part(b), min(min(a.axes), _least(b) or np.inf))]


def _cylinder_plane(a: Cylinder, b: HalfSpace) -> list[GapSpec]:
    return [gap_between(kinds.RIM_PLANE, rim, _plane(b), min(a.radius, a.length or a.radius)) for rim in _rims(a)]


def _capsules(a: Capsule, b: Capsule) -> list[GapSpec]:
    """Tips against the other's whole length, and the sides where they cross."""
    if a.radius == 0.0 and b.radius == 0.0:
        raise no_gap(a, b, "both have radius zero and never meet; give one of them a radius")
    size = min(a.radius or b.radius, b.radius or a.radius)
    return ([gap_between(kinds.BALL_CAPSULE, end, _capsule(b), size) for end in _tips(a)]
            + [gap_between(kinds.BALL_CAPSULE, end, _capsule(a), size, swapped=True) for end in _tips(b)]
            + [gap_between(kinds.CAPSULE_CAPSULE, _capsule(a), _capsule(b), size)])


def _polyhedron_capsule(a: Box | Hull, b: Capsule) -> list[GapSpec]:
    """Ends against the polyhedron, its corners against the capsule, its edges across the capsule, colour by colour."""
    part, thickness = _polyhedron(a)
    size = min(thickness, b.radius or thickness)
    return ([gap_between(kinds.BALL_POLYHEDRON, end, part, size, swapped=True) for end in _ends(b)]
            + [gap_between(kinds.BALL_CAPSULE, corner, _capsule(b), size) for corner in _corners_of(a)]
            + [gap_between(kinds.EDGE_EDGE, _polyhedron(a, colour)[0], _edge(b), size) for colour in range(COLOURS)])


def _capsule_cylinder(a: Capsule, b: Cylinder) -> list[GapSpec]:
    """Ends against the cylinder; the capsule's side across the cylinder's and its rims."""
    size = min(b.radius, b.length, a.radius or b.radius)
    return ([gap_between(kinds.BALL_CYLINDER, end, _cylinder(b), size) for end in _ends(a)]
            + [gap_between(kinds.EDGE_CYLINDER, _edge(a), piece, size) for piece in _pieces(b)])


def _polyhedron_cylinder(a: Box | Hull, b: Cylinder) -> list[GapSpec]:
    """Corners against the cylinder, edges across its side and its rims, colour by colour; its rims against the faces."""
    part, thickness = _polyhedron(a)
    size = min(thickness, b.radius, b.length)
    return ([gap_between(kinds.BALL_CYLINDER, corner, _cylinder(b), size) for corner in _cones(a, size)]
            + [gap_between(kinds.EDGE_CYLINDER, _polyhedron(a, colour)[0], piece, size)
               for piece in _pieces(b) for colour in range(COLOURS)]
            + [gap_between(kinds.RIM_POLYHEDRON, rim, part, size, swapped=True) for rim in _rims(b)])


def _cylinders(a: Cylinder, b: Cylinder) -> list[GapSpec]:
    """Sides that cross; rims against the other's side, its ends and its rims, both ways."""
    size = min(a.radius, a.length, b.radius, b.length)
    sides_a, sides_b = _pieces(a), _pieces(b)
    return ([gap_between(kinds.EDGE_CYLINDER, _edge(a), piece, size) for piece in sides_b]
            + [gap_between(kinds.EDGE_CYLINDER, _edge(b), piece, size, swapped=True) for piece in sides_a[1:]]
            + [gap_between(kinds.RIM_END, rim, _cylinder(b), size) for rim in _rims(a)]
            + [gap_between(kinds.RIM_END, rim, _cylinder(a), size, swapped=True) for rim in _rims(b)]
            + [gap_between(kinds.RIM_RIM, rim, other, size) for rim in sides_a[1:] for other in sides_b[1::2]])


def _polyhedra(a: Box | Hull, b: Box | Hull) -> list[GapSpec]:
    """Corners of each against the other, and edges that cross, colour by colour."""
    (part_a, thin_a), (part_b, thin_b) = _polyhedron(a), _polyhedron(b)
    size = min(thin_a, thin_b)
    return ([gap_between(kinds.BALL_POLYHEDRON, corner, part_b, size) for corner in _cones(a, size)]
            + [gap_between(kinds.BALL_POLYHEDRON, corner, part_a, size, swapped=True) for corner in _cones(b, size)]
            + [gap_between(kinds.EDGE_EDGE, _polyhedron(a, i)[0], _polyhedron(b, j)[0], size)
               for i in range(COLOURS) for j in range(COLOURS)])


_Maker = Callable[[Any, Any], list[GapSpec]]
_PAIRS: dict[tuple[type, type], _Maker] = {
    (Sphere, HalfSpace): lambda a, b: _on_plane([_ball(in_space(a.point), a.radius)], b, a.radius or np.inf),
    (Sphere, Sphere): _sphere(kinds.BALL_BALL, lambda b: _ball(in_space(b.point), b.radius)),
    (Sphere, Capsule): _sphere(kinds.BALL_CAPSULE, _capsule),
    (Sphere, Cylinder): _sphere(kinds.BALL_CYLINDER, _cylinder),
    (Sphere, Ellipsoid): _sphere(kinds.BALL_ELLIPSOID, _ellipsoid),
    (Ellipsoid, HalfSpace): _ellipsoid_plane,
    (Ellipsoid, Ellipsoid): _ellipsoids,
    (Ellipsoid, Capsule): _ellipsoid_with(kinds.ELLIPSOID_POLYHEDRON, _edge),
    (Ellipsoid, Cylinder): _ellipsoid_with(kinds.ELLIPSOID_CYLINDER, _cylinder),
    (Capsule, HalfSpace): lambda a, b: _on_plane(_ends(a), b, a.radius or _capsule(a).reach),
    (Capsule, Capsule): _capsules,
    (Capsule, Cylinder): _capsule_cylinder,
    (Cylinder, HalfSpace): _cylinder_plane,
    (Cylinder, Cylinder): _cylinders,
}
for _hull in (Box, Hull):
    _PAIRS[Sphere, _hull] = _sphere(kinds.BALL_POLYHEDRON, lambda b: _polyhedron(b)[0])
    _PAIRS[Ellipsoid, _hull] = _ellipsoid_with(kinds.ELLIPSOID_POLYHEDRON, lambda b: _polyhedron(b)[0])
    _PAIRS[_hull, HalfSpace] = lambda a, b: _on_plane(_corners_of(a), b, _least(a))
    _PAIRS[_hull, Capsule] = _polyhedron_capsule
    _PAIRS[_hull, Cylinder] = _polyhedron_cylinder
    _PAIRS[_hull, Box] = _PAIRS[_hull, Hull] = _polyhedra


def spatial_gaps(a: Shape, b: Shape) -> list[GapSpec]:
    """The elementary gaps of a declared pair; ModelError where there are none for its types."""
    if any(isinstance(shape, Cylinder) and not shape.length for shape in (a, b)) and not isinstance(a, HalfSpace) \
            and not isinstance(b, HalfSpace):
        raise no_gap(a, b, "a disc without thickness touches half spaces only; give it a length")
    make = _PAIRS.get((type(a), type(b)))
    if make is not None:
        return make(a, b)
    make = _PAIRS.get((type(b), type(a)))
    if make is not None:
        return [replace(gap, swapped=not gap.swapped) for gap in make(b, a)]
    partners = {y for x, y in _PAIRS if x is type(a)} | {x for x, y in _PAIRS if y is type(a)}
    names = ", ".join(sorted(x.__name__ for x in partners))
    raise no_gap(a, b, f"there is no gap for these two; {type(a).__name__} meets {names}")
