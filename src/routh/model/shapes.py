"""Shapes of bodies, as contacts feel them.

A shape belongs to a `body` and is given in that body's frame; the ground's frame is the world. `point` places the shape's own
origin in that frame, `turn` its own axes: an angle in the plane, a unit quaternion (w, x, y, z) in space. A body may have as
many shapes as it likes: each contact names the two it is about.

| shape | plane | space | solid |
|---|---|---|---|
| `HalfSpace` | yes | yes | everything behind a line or plane through `point`; `normal` points out of it |
| `Capsule` | yes | yes | all within `radius` of the segment from `start` to `end` |
| `Disk` | yes | - | all within `radius` of `point` |
| `Ellipse` | yes | - | semi-axes `axes` about `point` |
| `Polygon` | yes | - | convex, with corners `vertices` |
| `Polyline` | yes | - | what lies on the right of a curve of lines and arcs: terrain, tracks, walls |
| `Sphere` | - | yes | all within `radius` of `point` |
| `Ellipsoid` | - | yes | semi-axes `axes` about `point` |
| `Cylinder` | - | yes | `radius` about an `axis` through `point`, which is the middle of its `length` |
| `Box` | - | yes | edges of full lengths `size` about `point` |
| `Hull` | - | yes | the convex hull of `points` |
| `Mesh` | - | yes | what closed triangles go round; for the mass of a body, not for contacts |

A disk, sphere or capsule of radius zero is a sharp point or a thin rod: it can touch what has a surface, not another of its
kind.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector

__all__ = ["Box", "Capsule", "Cylinder", "Disk", "Ellipse", "Ellipsoid", "HalfSpace", "Hull", "Mesh", "Polygon", "Polyline",
           "Shape", "Sphere"]

PLANAR, SPATIAL = "planar", "spatial"

FLAT = 1e-9  # sine of an angle, or height over length, below which three or four points are in one line or plane


@dataclass(frozen=True)
class Shape:
    """What all shapes share: the body they belong to, and the checks of the fields that several have."""

    body: str

    spaces: ClassVar[tuple[str, ...]] = (PLANAR, SPATIAL)

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'{type(self).__name__} of body "{self.body}"'

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        if len(self.spaces) == 1:
            return 2 if self.spaces == (PLANAR,) else 3
        vector: Vector = getattr(self, "start" if hasattr(self, "start") else "normal")
        return len(vector)

    def __post_init__(self) -> None:
        checks.name_of(type(self).__name__, self.body)
        sizes = tuple(3 if space == SPATIAL else 2 for space in self.spaces)
        for field in ("point", "start", "end"):
            if hasattr(self, field) and not (field == "point" and checks.left_out(getattr(self, field))):
                checks.set_field(self, field, checks.vector(self.where, field, getattr(self, field), sizes=sizes))
        for field in ("normal", "axis"):
            if hasattr(self, field):
                checks.set_field(self, field, checks.unit(self.where, field, getattr(self, field), sizes=sizes))
        for field in ("axes", "size"):
            if hasattr(self, field):
                value = checks.vector(self.where, field, getattr(self, field), sizes=sizes)
                for i, x in enumerate(value):
                    checks.positive(self.where, f"{field}[{i}]", x)
                checks.set_field(self, field, value)
        turn = getattr(self, "turn", None)
        if turn is not None:
            checks.set_field(self, "turn", checks.number(self.where, "turn", turn) if PLANAR in self.spaces
                             else checks.unit(self.where, "turn", turn, sizes=(4,)))

    def _points(self, field: str, least: int) -> tuple[Vector, ...]:
        """The points of a field, each checked."""
        value, sizes = getattr(self, field), (3,) if self.spaces == (SPATIAL,) else (2,)
        try:
            items = tuple(value)
        except TypeError:
            raise ModelError(f"{self.where}: {field} = {value!r} is not a sequence of points") from None
        if len(items) < least:
            raise ModelError(f"{self.where}: {field} holds {len(items)} points; give at least {least}")
        return tuple(checks.vector(self.where, f"{field}[{i}]", x, sizes=sizes) for i, x in enumerate(items))

    def _same_size(self, first: str, second: str) -> None:
        """Two vectors must be of one space."""
        a, b = getattr(self, first), getattr(self, second)
        if a and b and len(a) != len(b):
            raise ModelError(f"{self.where}: {first} has {len(a)} components and {second} {len(b)}; a shape is in the plane or "
                             "in space")


@dataclass(frozen=True)
class HalfSpace(Shape):
    """Solid on the side of `point` that `normal` points away from: a floor, a wall. Without end."""

    normal: Vector
    point: Vector = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._same_size("normal", "point")


@dataclass(frozen=True)
class Capsule(Shape):
    """All points within `radius` of the segment from `start` to `end`; a radius of zero makes a thin rod."""

    start: Vector
    end: Vector
    radius: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._same_size("start", "end")
        checks.set_field(self, "radius", checks.positive(self.where, "radius", self.radius, zero_too=True))
        if self.start == self.end:
            raise ModelError(f"{self.where}: start and end are both {self.start}; use a Disk or a Sphere")


@dataclass(frozen=True)
class Disk(Shape):
    """All points within `radius` of `point`; a radius of zero makes a sharp point, such as the tip of a rod."""

    radius: float
    point: Vector = ()
    spaces: ClassVar[tuple[str, ...]] = (PLANAR,)

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.set_field(self, "radius", checks.positive(self.where, "radius", self.radius, zero_too=True))


@dataclass(frozen=True)
class Ellipse(Shape):
    """Semi-axes `axes` = (along x, along y), about `point`, turned by the angle `turn`."""

    axes: Vector
    point: Vector = ()
    turn: float | None = None
    spaces: ClassVar[tuple[str, ...]] = (PLANAR,)


@dataclass(frozen=True)
class Polygon(Shape):
    """The convex polygon with the corners `vertices`, in order; stored counter-clockwise."""

    vertices: tuple[Vector, ...]
    spaces: ClassVar[tuple[str, ...]] = (PLANAR,)

    def __post_init__(self) -> None:
        super().__post_init__()
        v = self._points("vertices", least=3)
        area = sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(v, v[1:] + v[:1], strict=True))
        if area < 0.0:
            v = v[:1] + v[:0:-1]  # the first corner stays the first
        turned = 0.0
        for i, corner in enumerate(v):
            (px, py), (qx, qy) = v[i - 1], v[(i + 1) % len(v)]
            inx, iny, outx, outy = corner[0] - px, corner[1] - py, qx - corner[0], qy - corner[1]
            size = math.hypot(inx, iny) * math.hypot(outx, outy)
            turn = inx * outy - iny * outx
            if size == 0.0:
                raise ModelError(f"{self.where}: the corner {corner} comes twice; leave one out")
            if abs(turn) <= FLAT * size:
                raise ModelError(f"{self.where}: the corner {corner} is on a line with its neighbours; leave it out")
            if turn < 0.0:
                raise ModelError(f"{self.where}: the corner {corner} points inwards; a polygon is convex, so give several, "
                                 "or a Polyline")
            turned += math.atan2(turn, inx * outx + iny * outy)
        if turned > 3.0 * math.pi:  # 2π, or 4π and more
            raise ModelError(f"{self.where}: the edges go round {turned / (2.0 * math.pi):.0f} times and cross; give the "
                             "corners in order")
        checks.set_field(self, "vertices", v)


@dataclass(frozen=True)
class Polyline(Shape):
    """A curve through `vertices`, solid on its right-hand side as one walks along it.

    Ground drawn from left to right has its free side up; a closed curve (last vertex = first) drawn clockwise is a solid,
    counter-clockwise a container. Piece i runs from vertex i to vertex i + 1. `bulges`, one per piece, bend pieces into
    arcs: the tangent of a quarter of the arc's angle, positive where it turns left (a hollow, seen from the free side),
    negative where it turns right (a hill), 0 for a straight piece, ±1 for a half circle. The curve must not cross itself:
    that is not checked.
    """

    vertices: tuple[Vector, ...]
    bulges: Vector = ()
    spaces: ClassVar[tuple[str, ...]] = (PLANAR,)

    def __post_init__(self) -> None:
        super().__post_init__()
        v = self._points("vertices", least=2)
        bulges = (0.0,) * (len(v) - 1) if checks.left_out(self.bulges) else self.bulges
        bulges = checks.vector(self.where, "bulges", bulges, sizes=(len(v) - 1,))
        for i, (p, q) in enumerate(pairwise(v)):
            if p == q:
                raise ModelError(f"{self.where}: vertices {i} and {i + 1} are both {p}; leave one out")
        checks.set_field(self, "vertices", v)
        checks.set_field(self, "bulges", bulges)
        ways = self.directions()
        for i, ((_, end), (start, _)) in enumerate(pairwise(ways + ways[:1] if self.closed else ways)):
            if abs(math.remainder(end - start - math.pi, 2.0 * math.pi)) < FLAT:
                raise ModelError(f"{self.where}: the curve turns back on itself at vertex {i + 1}, {v[i + 1]}; leave a "
                                 "thickness between the two sides")

    @property
    def closed(self) -> bool:
        """Whether the curve ends where it begins."""
        return self.vertices[0] == self.vertices[-1]

    def directions(self) -> list[tuple[float, float]]:
        """Angle of the tangent at the start and at the end of each piece."""
        out = []
        for ((px, py), (qx, qy)), bulge in zip(pairwise(self.vertices), self.bulges, strict=True):
            chord, half = math.atan2(qy - py, qx - px), 2.0 * math.atan(bulge)
            out.append((chord - half, chord + half))
        return out


@dataclass(frozen=True)
class Sphere(Shape):
    """All points within `radius` of `point`; a radius of zero makes a sharp point."""

    radius: float
    point: Vector = ()
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.set_field(self, "radius", checks.positive(self.where, "radius", self.radius, zero_too=True))


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """Three semi-axes `axes` about `point`, along the body's axes turned by `turn`."""

    axes: Vector
    point: Vector = ()
    turn: Vector | None = None
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)


@dataclass(frozen=True)
class Cylinder(Shape):
    """A solid cylinder with flat ends; `point` is its middle, `length` its whole length along `axis`.

    A length of zero makes a thin disc, for the mass of a body and for the rim in contacts with half spaces.
    """

    radius: float
    length: float
    axis: Vector
    point: Vector = ()
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.set_field(self, "radius", checks.positive(self.where, "radius", self.radius))
        checks.set_field(self, "length", checks.positive(self.where, "length", self.length, zero_too=True))


@dataclass(frozen=True)
class Box(Shape):
    """Edges of full lengths `size` about `point`, along the body's axes turned by `turn`."""

    size: Vector
    point: Vector = ()
    turn: Vector | None = None
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)


@dataclass(frozen=True)
class Hull(Shape):
    """The convex hull of `points`; those inside it are dropped."""

    points: tuple[Vector, ...]
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)

    def __post_init__(self) -> None:
        super().__post_init__()
        from scipy.spatial import ConvexHull, QhullError  # half a second to import, and few models have a hull

        points = self._points("points", least=4)
        try:
            kept = sorted(int(i) for i in ConvexHull(points).vertices)
        except QhullError:
            raise ModelError(f"{self.where}: its {len(points)} points are in one plane; a hull needs a volume") from None
        checks.set_field(self, "points", tuple(points[i] for i in kept))


@dataclass(frozen=True)
class Mesh(Shape):
    """What a closed surface of triangles goes round; `faces` are three numbers of `vertices`, counter-clockwise from outside.

    It may have dents and holes, and says how the mass of a body is spread. Contacts take convex shapes: a `Hull`, or several.
    """

    vertices: tuple[Vector, ...]
    faces: tuple[tuple[int, ...], ...]
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)

    def __post_init__(self) -> None:
        super().__post_init__()
        vertices = self._points("vertices", least=4)
        try:
            faces = tuple(tuple(int(i) for i in face) for face in self.faces)
            whole = all(float(i) == int(i) for face in self.faces for i in face)
        except (TypeError, ValueError, OverflowError):
            raise ModelError(f"{self.where}: faces is not a list of three vertex numbers each") from None
        if not whole or not all(len(face) == 3 and 0 <= min(face) <= max(face) < len(vertices) for face in faces):
            raise ModelError(f"{self.where}: a face is three numbers of its {len(vertices)} vertices, counted from zero")
        edges: dict[tuple[int, int], int] = {}
        for face in faces:
            for i, j in zip(face, face[1:] + face[:1], strict=True):
                edges[i, j] = edges.get((i, j), 0) + 1
        for (i, j), count in edges.items():
            if edges.get((j, i), 0) != count:
                raise ModelError(f"{self.where}: the surface is not closed: the edge from vertex {i} to {j} has {count} "
                                 "face(s) on "
                                 f"one side and {edges.get((j, i), 0)} on the other; mend the mesh, or take its Hull")
        six = sum(_triple(*(vertices[i] for i in face)) for face in faces)
        if six < 0.0:
            faces = tuple(face[::-1] for face in faces)
        if six == 0.0:
            raise ModelError(f"{self.where}: the surface goes round no volume")
        checks.set_field(self, "vertices", vertices)
        checks.set_field(self, "faces", faces)


def _triple(a: Vector, b: Vector, c: Vector) -> float:
    """Six times the volume of the tetrahedron of three points and the origin."""
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]))
