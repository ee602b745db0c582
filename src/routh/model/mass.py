"""Mass, mass centre and inertia of homogeneous shapes, and of several put together.

A shape fills a volume (in the plane an area), or less: a disc without thickness an area, a rod without radius a length, a sharp
tip a point. Of each the measure, the centroid and the covariance ∫(x - c)(x - c)ᵀ / ∫1 are closed forms or sums over triangles
and tetrahedra, which the divergence theorem makes of a boundary. A mass m of covariance C has the inertia m (tr C - C), in the
plane m tr C. Covariances of parts add up by the parallel-axis rule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.model import shapes as s
from routh.model.checks import Vector

__all__ = ["MassProperties", "Spread", "lumped", "spread_of"]


@dataclass(frozen=True)
class MassProperties:
    """`mass` [kg], `centre` in the body's frame [m], `inertia` about it [kg m²], a number in the plane."""

    mass: float
    centre: Vector
    inertia: Any


@dataclass(frozen=True)
class Spread:
    """How a homogeneous shape is spread out: `size` is its volume, area or length, as `fills` is 3, 2, 1, or 0 for a point."""

    fills: int
    size: float
    centre: np.ndarray
    covariance: np.ndarray

    def moved(self, at: np.ndarray, turn: np.ndarray) -> Spread:
        """The same shape turned and then moved."""
        return Spread(self.fills, self.size, at + turn @ self.centre, turn @ self.covariance @ turn.T)


def lumped(parts: Sequence[tuple[float, Spread]]) -> tuple[float, np.ndarray, np.ndarray]:
    """(mass, centre, inertia: a matrix in space, a number in the plane) of parts with masses; a hole has a negative one."""
    mass = math.fsum(m for m, _ in parts)
    dimension = len(parts[0][1].centre)
    if mass == 0.0:
        return 0.0, np.zeros(dimension), np.zeros((3, 3)) if dimension == 3 else np.zeros(())
    centre = sum((m * p.centre for m, p in parts), np.zeros(dimension)) / mass
    second = np.zeros((dimension, dimension))
    for m, part in parts:
        arm = part.centre - centre
        second += m * (part.covariance + np.outer(arm, arm))
    return mass, centre, np.trace(second) * np.eye(3) - second if dimension == 3 else np.trace(second)


def spread_of(shape: s.Shape) -> Spread:
    """The spread of one shape in the frame of its body; ModelError where it has no end, no inside, or no finite volume."""
    try:
        with np.errstate(all="ignore"):  # what overflows is refused below
            found = _spread(shape)
    except (OverflowError, ZeroDivisionError):
        found = None
    if found is None or not math.isfinite(found.size) or not np.isfinite(found.covariance).all():
        raise ModelError(f"{shape.where}: its volume or inertia is beyond the range of numbers; lengths are in metres")
    return found


def _spread(shape: s.Shape) -> Spread:
    match shape:
        case s.Disk() | s.Sphere():
            n = shape.dimension
            if shape.radius == 0.0:
                return Spread(0, 1.0, _at(shape, n), np.zeros((n, n)))
            size = math.pi * shape.radius**2 if n == 2 else 4.0 / 3.0 * math.pi * shape.radius**3
            return Spread(n, size, _at(shape, n), shape.radius**2 / (n + 2.0) * np.eye(n))
        case s.Ellipse() | s.Ellipsoid():
            n, axes = shape.dimension, np.array(shape.axes)
            size = (math.pi if n == 2 else 4.0 / 3.0 * math.pi) * math.prod(shape.axes)
            return Spread(n, size, np.zeros(n), np.diag(axes**2) / (n + 2.0)).moved(_at(shape, n), _turn(shape.turn, n))
        case s.Box():
            own = Spread(3, math.prod(shape.size), np.zeros(3), np.diag(np.array(shape.size) ** 2) / 12.0)
            return own.moved(_at(shape, 3), _turn(shape.turn, 3))
        case s.Cylinder():
            disc = math.pi * shape.radius**2
            covariance = _about(np.array(shape.axis), shape.length**2 / 12.0, shape.radius**2 / 4.0)
            return Spread(3 if shape.length else 2, disc * (shape.length or 1.0), _at(shape, 3), covariance)
        case s.Capsule():
            return _capsule(shape)
        case s.Polygon():
            return _outline(np.array(shape.vertices), np.zeros(len(shape.vertices)))
        case s.Polyline():
            return _curve(shape)
        case s.Hull():
            from scipy.spatial import ConvexHull

            points = np.array(shape.points)
            hull = ConvexHull(points)
            inside = points.mean(axis=0)
            corners = points[hull.simplices] - inside
            outward = np.einsum("ij,ij->i", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]),
                                hull.equations[:, :3]) > 0.0
            corners[~outward] = corners[~outward][:, ::-1]
            return _closed(corners).moved(inside, np.eye(3))
        case s.Mesh():
            vertices = np.array(shape.vertices)
            middle = vertices.mean(axis=0)
            return _closed((vertices - middle)[np.array(shape.faces, int)]).moved(middle, np.eye(3))
    raise ModelError(f"{shape.where}: a {type(shape).__name__} has no end, so it has no mass")


def _at(shape: Any, dimension: int) -> np.ndarray:
    return np.array(shape.point or (0.0,) * dimension)


def _turn(turn: Any, dimension: int) -> np.ndarray:
    """The rotation matrix of a shape's turn."""
    if turn is None:
        return np.eye(dimension)
    if dimension == 2:
        return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    w, x, y, z = turn
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def _about(axis: np.ndarray, along: float, across: float) -> np.ndarray:
    """A covariance that is symmetric about an axis."""
    return across * np.eye(len(axis)) + (along - across) * np.outer(axis, axis)


def _capsule(shape: s.Capsule) -> Spread:
    start, end, r = np.array(shape.start), np.array(shape.end), shape.radius
    n, length = len(start), float(np.linalg.norm(end - start))
    axis, middle = (end - start) / length, 0.5 * (start + end)
    if r == 0.0:
        return Spread(1, length, middle, _about(axis, length**2 / 12.0, 0.0))
    # the straight part, and the two halves of a disk or ball, whose centroids lie `beyond` its ends
    straight, round_ = 2.0 * r * length, math.pi * r * r
    if n == 3:
        straight, round_ = round_ * length, 4.0 / 3.0 * r * round_
    beyond = 4.0 * r / (3.0 * math.pi) if n == 2 else 0.375 * r
    size, ball = straight + round_, r * r / (n + 2.0)
    along = straight * length**2 / 12.0 + round_ * (length**2 / 4.0 + length * beyond + ball)
    across = straight * (r * r / 3.0 if n == 2 else r * r / 4.0) + round_ * ball
    return Spread(n, size, middle, _about(axis, along / size, across / size))


def _curve(shape: s.Polyline) -> Spread:
    if not shape.closed:
        raise ModelError(f"{shape.where}: a Polyline with ends has no inside, so it has no mass; close it, clockwise")
    found = _outline(np.array(shape.vertices[:-1]), np.array(shape.bulges))
    if found.size >= 0.0:
        raise ModelError(f"{shape.where}: this Polyline runs counter-clockwise, so all outside of it is solid and has no end; "
                         "draw a solid clockwise")
    return Spread(2, -found.size, found.centre, found.covariance)


def _outline(corners: np.ndarray, bulges: np.ndarray) -> Spread:
    """What a closed curve of lines and arcs goes round, counter-clockwise; clockwise its size is negative."""
    origin = corners.mean(axis=0)
    closed = np.vstack([corners, corners[:1]]) - origin
    area, first, second = 0.0, np.zeros(2), np.zeros((2, 2))
    for (p, q), bulge in zip(pairwise(closed), bulges, strict=True):
        parts = [_triangle(np.zeros(2), p, q)]
        if bulge != 0.0:
            # the segment between chord and arc: its sector, less the triangle of the arc's centre
            chord, angle = q - p, 4.0 * math.atan(bulge)
            centre = 0.5 * (p + q) + (1.0 - bulge * bulge) / (4.0 * bulge) * np.array([-chord[1], chord[0]])
            parts.append(_sector(centre, p, angle))
            parts.append(tuple(-x for x in _triangle(centre, p, q)))
        for a, f, m in parts:
            area, first, second = area + a, first + f, second + m
    if area == 0.0:
        raise ModelError("a Polyline without area has no mass")
    centre = first / area
    return Spread(2, area, origin + centre, second / area - np.outer(centre, centre))


def _triangle(*corners: np.ndarray) -> Any:
    """(∫1, ∫x, ∫x xᵀ) of a triangle, negative where it runs clockwise."""
    a, b, c = corners
    area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    total = a + b + c
    return area, area * total / 3.0, area / 12.0 * (sum(np.outer(x, x) for x in corners) + np.outer(total, total))


def _sector(centre: np.ndarray, p: np.ndarray, angle: float) -> Any:
    """(∫1, ∫x, ∫x xᵀ) of the sector from p on through an angle, negative where that is."""
    r, begin = float(np.linalg.norm(p - centre)), math.atan2(p[1] - centre[1], p[0] - centre[0])
    end = begin + angle
    area = 0.5 * r * r * angle
    first = r**3 / 3.0 * np.array([math.sin(end) - math.sin(begin), math.cos(begin) - math.cos(end)])
    twice, squares = math.sin(2.0 * end) - math.sin(2.0 * begin), math.cos(2.0 * begin) - math.cos(2.0 * end)
    own = r**4 / 16.0 * np.array([[2.0 * angle + twice, squares], [squares, 2.0 * angle - twice]])
    cross = np.outer(centre, first)
    return area, first + area * centre, own + cross + cross.T + area * np.outer(centre, centre)


def _closed(corners: np.ndarray) -> Spread:
    """What triangles (n, 3, 3) enclose, counter-clockwise from outside: a sum over their tetrahedra with the origin."""
    volumes = np.linalg.det(corners) / 6.0
    total = corners.sum(axis=1)
    volume = float(volumes.sum())
    centre = volumes @ total / (4.0 * volume)
    second = (np.einsum("n,nai,naj->ij", volumes, corners, corners) + np.einsum("n,ni,nj->ij", volumes, total, total)) / 20.0
    return Spread(3, volume, centre, second / volume - np.outer(centre, centre))
