"""The ball that holds a shape, and how thick the shape is: what the broad phase of the stepping engine needs."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from routh.compiler.geometry import in_space
from routh.model.shapes import (
    Box,
    Capsule,
    Cylinder,
    Disk,
    Ellipse,
    Ellipsoid,
    HalfSpace,
    Hull,
    Polygon,
    Polyline,
    Shape,
    Sphere,
)

__all__ = ["bounds_of"]


def bounds_of(shape: Shape) -> tuple[np.ndarray, float, float]:
    """(centre (3,) in the body's frame, radius of the ball that holds the shape, thickness) [m].

    The thickness is how deep a point may sink into the shape and still be pushed out where it came in. That of a half space
    is infinite, that of a curve with ends zero: the other shape of the pair must be thick enough.
    """
    match shape:
        case Sphere() | Disk():
            return in_space(shape.point), shape.radius, shape.radius
        case HalfSpace():
            return in_space(shape.point), math.inf, math.inf
        case Ellipse() | Ellipsoid():
            return in_space(shape.point), max(shape.axes), min(shape.axes)
        case Capsule():
            start, end = in_space(shape.start), in_space(shape.end)
            return 0.5 * (start + end), 0.5 * float(np.linalg.norm(end - start)) + shape.radius, shape.radius
        case Cylinder():
            half = 0.5 * shape.length
            return in_space(shape.point), math.hypot(half, shape.radius), min(half, shape.radius)
        case Box():
            return in_space(shape.point), 0.5 * math.hypot(*shape.size), 0.5 * min(shape.size)
        case Hull():
            from routh.compiler.spatial_pairs import polyhedron_rows

            points = np.array(shape.points)
            centre, reach = _ball(points)
            return centre, reach, 0.5 * polyhedron_rows(tuple(map(tuple, points)))[1]
        case Polygon():
            points = np.array([in_space(v) for v in shape.vertices])
            centre, reach = _ball(points)
            return centre, reach, 0.5 * _width(points)
        case Polyline():
            points = np.array([in_space(v) for v in shape.vertices])
            centre, reach = _ball(points)
            pieces = zip(pairwise(shape.vertices), shape.bulges, strict=True)
            out = max((0.5 * abs(b) * math.dist(p, q) for (p, q), b in pieces), default=0.0)
            return centre, reach + out, 0.0
    raise TypeError(f"{type(shape).__name__} has no bounds")


def _ball(points: np.ndarray) -> tuple[np.ndarray, float]:
    centre = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return centre, float(np.linalg.norm(points - centre, axis=1).max())


def _width(points: np.ndarray) -> float:
    """Least width of a convex polygon: over its edges, the distance of the farthest corner."""
    widths = []
    for p, q in zip(points, np.roll(points, -1, axis=0), strict=True):
        edge = (q - p) / np.linalg.norm(q - p)
        widths.append(float(np.abs(edge[0] * (points - p)[:, 1] - edge[1] * (points - p)[:, 0]).max()))
    return min(widths)
