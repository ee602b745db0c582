"""Gaps in space. A gap, its normal n and its two witness points are proved by duality, not by another search for them:

if pa is in A and pb in B, pb - pa = g n, nothing of A is beyond pa along n and nothing of B before pb, then no two points of A
and B are nearer than g. What is in a shape and how far it reaches is written anew here.
"""

import mpmath as mp
import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from spatial_scenes import moved, random_pose, scene

from routh.core.layout import EDGE, SMOOTH, VERTEX
from routh.core.spatial_migration import migrate
from routh.errors import ModelError
from routh.model.shapes import Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere

ROUND_OFF = 1e-12  # relative to sizes and positions of order one
TURN = (0.5, 0.5, -0.1, 0.7)
POINTS = np.random.default_rng(5).standard_normal((14, 3)).tolist()

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
    (ELLIPSOID, Ellipsoid("b", (1.0, 0.2, 0.4))), (CAPSULE, Capsule("b", (0.0, -0.8, 0.0), (0.0, 0.7, 0.1), 0.1)), (CAPSULE, ROD),
    (BOX, CAPSULE), (ROD, BOX), (CAPSULE, HULL), (BOX, Box("b", (0.9, 0.5, 0.3))), (BOX, HULL), (HULL, Hull("b", POINTS[:8])),
]
NAMES = [f"{type(a).__name__}-{type(b).__name__}-{i}" for i, (a, b) in enumerate(PAIRS)]


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
    """Corners of what a shape is the rounded hull of; none for other shapes."""
    if isinstance(shape, Capsule):
        return np.array([shape.start, shape.end])
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


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_gap_is_the_least_distance_by_duality(pair):
    rng, s = np.random.default_rng(1), scene(*pair)
    for _ in range(150):
        poses, i, touch, gaps = apart(pair, s, rng)
        assert_witnessed(pair, poses, s.swapped[i], touch)
        assert np.all(gaps >= touch["g"])  # so that no other elementary gap closes where nothing touches


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


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_gap_and_normal_are_continuous_through_touching(pair):
    rng, s = np.random.default_rng(2), scene(*pair)
    for _ in range(30):
        poses, i, touch = about_to_meet(pair, s, rng)
        for depth in (-1e-6, -1e-12, 0.0, 1e-12, 1e-6):
            s.place(*shifted(s, i, poses, touch, depth))
            now = s.touch(i)
            assert now["g"] == pytest.approx(-depth, abs=ROUND_OFF)
            assert now["n"] == pytest.approx(touch["n"], abs=1e-9)  # a normal is found to √ of round-off at worst


def velocity(pose, v, w, p):
    return v + np.cross(w, p - pose[0])


def along_motion(s, i, poses, motions, dt):
    s.place(*[moved(pose, *m, dt) for pose, m in zip(poses, motions, strict=True)])
    return s.touch(i).copy()


def slope(field, s, i, poses, motions, dt=1e-4):
    """Derivative by central differences of fourth order: dt⁴ and 1e-15 / dt of error."""
    f = [along_motion(s, i, poses, motions, k * dt)[field] for k in (-2, -1, 1, 2)]
    return (f[0] - 8.0 * f[1] + 8.0 * f[2] - f[3]) / (12.0 * dt)


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_gap_changes_with_the_normal_velocity_of_its_witness_points(pair):
    rng, s = np.random.default_rng(3), scene(*pair)
    for _ in range(20):
        poses, i, touch, _ = apart(pair, s, rng)
        motions = rng.standard_normal((2, 2, 3))
        a, b = (1, 0) if s.swapped[i] else (0, 1)
        rate = touch["n"] @ (velocity(poses[b], *motions[b], touch["pb"]) - velocity(poses[a], *motions[a], touch["pa"]))
        assert slope("g", s, i, poses, motions) == pytest.approx(rate, abs=1e-7)


def changes(s, i, poses, motions, dt=1e-4):
    """Whether another feature is touched within the differences."""
    first, last = (along_motion(s, i, poses, motions, k * dt) for k in (-2, 2))
    return any(np.max(np.abs(first[f] - last[f])) > 0.1 for f in ("sharp_a", "sharp_b", "ka", "kb"))


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_witness_points_and_normal_move_as_curvatures_say(pair):
    rng, s, tried = np.random.default_rng(4), scene(*pair), 0
    sigma_a, sigma_b, ndot = np.zeros((3, 3))
    for _ in range(30):
        poses, i, touch = about_to_meet(pair, s, rng)
        poses = shifted(s, i, poses, touch, 0.0)
        a, b = (1, 0) if s.swapped[i] else (0, 1)
        motions = rng.standard_normal((2, 2, 3))
        s.place(*poses)
        touch = s.touch(i).copy()
        n, p = touch["n"], touch["pa"]
        motions[b, 0] -= n * (n @ (velocity(poses[b], *motions[b], p) - velocity(poses[a], *motions[a], p)))
        va, vb = velocity(poses[a], *motions[a], p), velocity(poses[b], *motions[b], p)
        if changes(s, i, poses, motions):
            continue
        s.place(*poses)
        s.touch(i)
        migrate(s.work.touch[i], motions[a, 1], motions[b, 1], vb - va, sigma_a, sigma_b, ndot)
        assert slope("n", s, i, poses, motions) == pytest.approx(ndot, abs=2e-6 * (1 + np.max(np.abs(ndot))))
        assert slope("pa", s, i, poses, motions) - va == pytest.approx(sigma_a, abs=2e-6 * (1 + np.max(np.abs(sigma_a))))
        assert slope("pb", s, i, poses, motions) - vb == pytest.approx(sigma_b, abs=2e-6 * (1 + np.max(np.abs(sigma_b))))
        tried += 1
    assert tried > 25  # the others pass from one feature to another on their way
