"""Shapes in space for the tests of their gaps, and statements about them that no kernel makes: what is in a shape, how far it
reaches, how far two hulls are apart.
"""

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from spatial_scenes import random_pose

from routh.core.tables.layout import EDGE, SMOOTH
from routh.model.shapes import Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere

ROUND_OFF = 1e-12  # relative to sizes and positions of order one
UPRIGHT = np.eye(3)
TURN = (0.5, 0.5, -0.1, 0.7)
POINTS = np.random.default_rng(5).standard_normal((14, 3)).tolist()

POINT_AT_ORIGIN = Sphere("a", 0.0)
SPHERE, POINT = Sphere("a", 0.3, (0.1, 0.2, 0.0)), Sphere("a", 0.0, (0.1, 0.2, 0.0))
ELLIPSOID = Ellipsoid("a", (0.3, 0.5, 0.9), (0.1, 0.0, 0.2), TURN)
CAPSULE, ROD = Capsule("a", (-0.5, 0.0, 0.0), (0.4, 0.1, 0.9), 0.2), Capsule("a", (-0.5, 0.0, 0.0), (0.4, 0.1, 0.9), 0.0)
CYLINDER = Cylinder("a", 0.4, 0.7, (1.0, 2.0, 3.0), (0.1, 0.0, 0.2))
BOX, HULL = Box("a", (0.4, 0.8, 1.2), (0.1, 0.0, 0.2), TURN), Hull("a", POINTS)
PLANE = HalfSpace("b", (1.0, -2.0, 3.0), (0.1, 0.2, 0.3))

PAIRS = [
    (SPHERE, PLANE), (POINT, PLANE), (ELLIPSOID, PLANE), (CAPSULE, PLANE), (CYLINDER, PLANE), (BOX, PLANE), (HULL, PLANE),
    (SPHERE, Sphere("b", 0.5, (0.0, 0.1, 0.0))), (SPHERE, CAPSULE), (SPHERE, CYLINDER), (SPHERE, BOX), (HULL, SPHERE),
    (ELLIPSOID, SPHERE), (POINT, ELLIPSOID), (POINT, CAPSULE), (POINT, CYLINDER), (POINT, BOX), (SPHERE, ROD),
    (ELLIPSOID, Ellipsoid("b", (1.0, 0.2, 0.4))), (CAPSULE, Capsule("b", (0.0, -0.8, 0.0), (0.0, 0.7, 0.1), 0.1)),
    (CAPSULE, ROD), (BOX, CAPSULE), (ROD, BOX), (CAPSULE, HULL), (BOX, Box("b", (0.9, 0.5, 0.3))), (BOX, HULL),
    (HULL, Hull("b", POINTS[:8])),
    (ELLIPSOID, CAPSULE), (ROD, ELLIPSOID), (ELLIPSOID, BOX), (HULL, ELLIPSOID), (ELLIPSOID, CYLINDER),
    (CAPSULE, CYLINDER), (CYLINDER, ROD), (BOX, CYLINDER), (CYLINDER, HULL),
    (CYLINDER, Cylinder("b", 0.25, 1.1, (0.3, -1.0, 0.2))),
]
NAMES = [f"{type(a).__name__}-{type(b).__name__}-{i}" for i, (a, b) in enumerate(PAIRS)]

# with edges so sharp, or so long, that differences tell little of their curvatures
PLATE, NEEDLE = Ellipsoid("a", (1.0, 0.7, 0.01)), Ellipsoid("a", (0.01, 0.01, 1.0))
BEAM, MESH = Box("b", (20.0, 0.1, 0.1)), Hull("b", Rotation.random(60, random_state=3).apply([0.0, 0.0, 1.0]).tolist())
LONG, COIN = Capsule("b", (-10.0, 0.0, 0.0), (10.0, 0.0, 0.0), 0.05), Cylinder("b", 1.0, 0.02, (0.0, 0.0, 1.0))
SLENDER = [(a, b) for a in (PLATE, NEEDLE) for b in (BOX, BEAM, MESH, LONG, ROD, CYLINDER, COIN)]
SLENDER_NAMES = [f"{'plate' if a is PLATE else 'needle'}-{type(b).__name__}-{i}" for i, (a, b) in enumerate(SLENDER)]


def vector(v):
    return np.array(v) if len(v) else np.zeros(3)


def matrix(turn):
    return np.eye(3) if turn is None else Rotation.from_quat(turn, scalar_first=True).as_matrix()


def corners(shape):
    if isinstance(shape, Hull):
        return np.array(shape.points)
    return vector(shape.point) + np.array([matrix(shape.turn) @ (0.5 * np.array(shape.size) * s)
                                           for s in np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T])


def reach(shape, n):
    """How far a shape reaches along the unit vector n of its body; infinite unless n is a half space's normal."""
    if isinstance(shape, HalfSpace):
        return n @ vector(shape.point) if np.linalg.norm(n - shape.normal) < 1e-12 else np.inf
    if isinstance(shape, Capsule):
        return max(n @ shape.start, n @ shape.end) + shape.radius
    if isinstance(shape, (Box, Hull)):
        return np.max(corners(shape) @ n)
    middle = n @ vector(shape.point)
    if isinstance(shape, Sphere):
        return middle + shape.radius
    if isinstance(shape, Ellipsoid):
        return middle + np.linalg.norm(np.array(shape.axes) * (matrix(shape.turn).T @ n))
    along = n @ shape.axis
    return middle + 0.5 * shape.length * abs(along) + shape.radius * np.linalg.norm(n - along * np.array(shape.axis))


def outside(shape, p):
    """By how much the point p of its body violates what defines the shape."""
    if isinstance(shape, HalfSpace):
        return (p - vector(shape.point)) @ shape.normal
    if isinstance(shape, Capsule):
        e = np.subtract(shape.end, shape.start)
        t = np.clip((p - shape.start) @ e / (e @ e), 0.0, 1.0)
        return np.linalg.norm(p - shape.start - t * e) - shape.radius
    if isinstance(shape, (Box, Hull)):
        faces = ConvexHull(corners(shape)).equations
        return np.max(faces[:, :3] @ p + faces[:, 3])
    d = p - vector(shape.point)
    if isinstance(shape, Sphere):
        return np.linalg.norm(d) - shape.radius
    if isinstance(shape, Ellipsoid):
        return np.linalg.norm(matrix(shape.turn).T @ d / shape.axes) - 1.0
    along = d @ shape.axis
    return max(abs(along) - 0.5 * shape.length, np.linalg.norm(d - along * np.array(shape.axis)) - shape.radius)


def nearest(s, poses):
    """(index, touch) of the smallest elementary gap."""
    gaps = s.gaps(*poses)
    i = int(np.argmin(gaps))
    return i, s.work.touch[i].copy(), gaps


def core(shape):
    """Corners of what a shape is the rounded hull of, points of a cylinder's rims; none for other shapes."""
    if isinstance(shape, Capsule):
        return np.array([shape.start, shape.end])
    if isinstance(shape, Cylinder):
        turn, _ = Rotation.align_vectors([shape.axis], [(0.0, 0.0, 1.0)])
        angle = 2.0 * np.pi * np.arange(90) / 90
        rim = shape.radius * np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
        return vector(shape.point) + turn.apply(np.vstack([rim + [0.0, 0.0, 0.5 * end * shape.length] for end in (-1, 1)]))
    return corners(shape) if isinstance(shape, (Box, Hull)) else np.zeros((0, 3))


def hull_distance(p, q):
    """Distance of the convex hulls of two sets of points: least squares over their weights, whose sums are one."""
    sums = np.array([[1e4] * len(p) + [0.0] * len(q), [0.0] * len(p) + [1e4] * len(q)])
    spread = np.hstack([p.T, -q.T])
    weights = nnls(np.vstack([spread, sums]), np.array([0.0, 0.0, 0.0, 1e4, 1e4]))[0]
    return np.linalg.norm(spread @ weights)


def apart(pair, s, rng, spread=1.5):
    """Random poses that do not overlap, their smallest gap.

    Gaps of polyhedra are right outside and where they touch; of deep overlaps, edges through faces, they know nothing.
    """
    while True:
        poses = [random_pose(rng, spread), random_pose(rng, spread)]
        i, touch, gaps = nearest(s, poses)
        p, q = (core(shape) @ R.T + x for shape, (x, R) in zip(pair, poses, strict=True))
        if touch["g"] > 1e-3 and (len(p) == 0 or len(q) == 0 or hull_distance(p, q) > 0.3):
            return poses, i, touch, gaps


def assert_witnessed(shapes, poses, swapped, touch):
    """pa, pb in their shapes, g n between them, and neither shape reaches beyond."""
    n, points = touch["n"], (touch["pa"], touch["pb"])
    assert n @ n == pytest.approx(1.0, abs=ROUND_OFF)
    assert points[1] - points[0] == pytest.approx(touch["g"] * n, abs=ROUND_OFF)
    for shape, (x, R), p, way in zip(shapes, poses, points[::-1] if swapped else points, (1, -1), strict=True):
        sense = -way if swapped else way
        assert outside(shape, R.T @ (p - x)) < ROUND_OFF
        assert sense * n @ (p - x) == pytest.approx(reach(shape, sense * R.T @ n), abs=ROUND_OFF)


def shifted(s, i, poses, touch, depth):
    """The poses after b's body moved along the normal until the gap is -depth."""
    way = -1.0 if s.swapped[i] else 1.0
    return [poses[0], (poses[1][0] - way * (touch["g"] + depth) * touch["n"], poses[1][1])]


def meets(touch):
    """Whether two such features meet in general: a face, side or edge with what crosses it."""
    sharp = {int(touch["sharp_a"]), int(touch["sharp_b"])}
    return SMOOTH in sharp or sharp == {EDGE}


def about_to_meet(pair, s, rng):
    while True:
        poses, i, touch, _ = apart(pair, s, rng)
        if meets(touch):
            return poses, i, touch
