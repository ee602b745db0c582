"""Gaps in space. A gap, its normal n and its two witness points are proved by duality, not by another search for them:

if pa is in A and pb in B, pb - pa = g n, nothing of A is beyond pa along n and nothing of B before pb, then no two points of A
and B are nearer than g. What is in a shape and how far it reaches is written anew here.
"""

from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from scipy.optimize import linprog, nnls
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from spatial_scenes import moved, random_pose, scene

from routh.core.layout import EDGE, SMOOTH, VERTEX
from routh.core.rim_gap import LEVEL
from routh.core.spatial_migration import migrate
from routh.errors import ModelError
from routh.model.shapes import Box, Capsule, Cylinder, Ellipsoid, HalfSpace, Hull, Sphere

ROUND_OFF = 1e-12  # relative to sizes and positions of order one
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


@pytest.mark.parametrize("pair", PAIRS + SLENDER, ids=NAMES + SLENDER_NAMES)
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


@pytest.mark.parametrize("pair", PAIRS + SLENDER, ids=NAMES + SLENDER_NAMES)
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


def changes(pair, s, i, poses, motions, dt=1e-4):
    """Whether another feature is met within the differences: another surface, or a normal that is no longer one of both."""
    ends = []
    for k in (-2, 2):
        touch = along_motion(s, i, poses, motions, k * dt)
        if touch["off"]:
            return True
        for shape, frame, p, way in zip(pair, s.work.frame, (touch["pa"], touch["pb"]), (1, -1), strict=True):
            p, way = (touch["pb" if way > 0 else "pa"], -way) if s.swapped[i] else (p, way)
            if way * touch["n"] @ (p - frame["x"]) < reach(shape, way * frame["R"].T @ touch["n"]) - 1e-9:
                return True
        ends.append(touch)
    first, last = ends
    return any(np.max(np.abs(first[f] - last[f])) > 0.05 * (1.0 + np.max(np.abs(first[f])))
                        for f in ("sharp_a", "sharp_b", "ka", "kb"))


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
        if changes(pair, s, i, poses, motions):
            continue
        s.place(*poses)
        s.touch(i)
        migrate(s.work.touch[i], motions[a, 1], motions[b, 1], vb - va, sigma_a, sigma_b, ndot)
        assert slope("n", s, i, poses, motions) == pytest.approx(ndot, abs=2e-6 * (1 + np.max(np.abs(ndot))))
        assert slope("pa", s, i, poses, motions) - va == pytest.approx(sigma_a, abs=2e-6 * (1 + np.max(np.abs(sigma_a))))
        assert slope("pb", s, i, poses, motions) - vb == pytest.approx(sigma_b, abs=2e-6 * (1 + np.max(np.abs(sigma_b))))
        tried += 1
    assert tried > 20  # the others pass from one feature to another on their way


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
def test_second_derivative_of_the_gap_follows_from_the_migration(pair):
    rng, s, tried = np.random.default_rng(6), scene(*pair), 0
    sigma_a, sigma_b, ndot = np.zeros((3, 3))
    for _ in range(20):
        poses, i, touch = about_to_meet(pair, s, rng)
        poses = shifted(s, i, poses, touch, 0.0)
        a, b = (1, 0) if s.swapped[i] else (0, 1)
        motions, dt = rng.standard_normal((2, 2, 3)), 1e-3
        s.place(*poses)
        touch = s.touch(i).copy()
        n, p = touch["n"], touch["pa"]
        slip = velocity(poses[b], *motions[b], p) - velocity(poses[a], *motions[a], p)
        motions[b, 0] -= n * (n @ slip)
        slip -= n * (n @ slip)
        if changes(pair, s, i, poses, motions, dt):
            continue
        g = [along_motion(s, i, poses, motions, k * dt)["g"] for k in (-2, -1, 0, 1, 2)]
        s.place(*poses)
        s.touch(i)
        wa, wb = motions[a, 1], motions[b, 1]
        migrate(s.work.touch[i], wa, wb, slip, sigma_a, sigma_b, ndot)
        aa, ab = np.cross(wa, np.cross(wa, p - poses[a][0])), np.cross(wb, np.cross(wb, p - poses[b][0]))
        expected = ndot @ slip + n @ (ab - aa) + np.cross(wa, n) @ sigma_a - np.cross(wb, n) @ sigma_b
        second = (-g[0] + 16.0 * g[1] - 30.0 * g[2] + 16.0 * g[3] - g[4]) / (12.0 * dt * dt)
        assert second == pytest.approx(expected, rel=1e-6, abs=1e-7 * (1.0 + sigma_a @ sigma_a) ** 2)  # dt⁴ f⁽⁶⁾
        tried += 1
    assert tried > 10


# closed forms: where flat things lie on each other

UPRIGHT = np.eye(3)


def test_disk_that_lies_flat_touches_at_three_points_of_its_rim():
    s = scene(Cylinder("a", 0.5, 0.2, (0.0, 0.0, 1.0)), HalfSpace("b", (0.0, 0.0, 1.0)))
    gaps = s.gaps((np.array([0.3, 0.1, 0.1]), UPRIGHT), (np.zeros(3), UPRIGHT))
    assert gaps == pytest.approx([0.0] * 3 + [0.2] * 3, abs=ROUND_OFF)
    points = s.work.touch["pa"][:3]
    assert np.mean(points, axis=0) == pytest.approx([0.3, 0.1, 0.0], abs=ROUND_OFF)
    assert np.linalg.norm(points - [0.3, 0.1, 0.0], axis=1) == pytest.approx(0.5)


@pytest.mark.parametrize("tilt", [0.0, 0.1 * LEVEL, 0.9 * LEVEL])
def test_disk_that_all_but_lies_flat_has_the_gap_of_its_lowest_point_at_all_three(tilt):
    s = scene(Cylinder("a", 0.5, 0.2, (0.0, 0.0, 1.0)), HalfSpace("b", (0.0, 0.0, 1.0)))
    gaps = s.gaps((np.array([0.3, 0.1, 0.1]), Rotation.from_rotvec([tilt, 0.0, 0.0]).as_matrix()), (np.zeros(3), UPRIGHT))[:3]
    assert gaps == pytest.approx([-0.5 * tilt] * 3, abs=2e-17)
    assert (s.work.touch["off"][:3] == 0).all()
    s.gaps((np.array([0.3, 0.1, 0.1]), Rotation.from_rotvec([2.0 * LEVEL, 0.0, 0.0]).as_matrix()), (np.zeros(3), UPRIGHT))
    assert list(s.work.touch["off"][:3]) == [0, 1, 1]  # a disk that leans touches at one


def test_disk_that_falls_flat_closes_at_all_points_of_its_rim_at_once():
    s = scene(Cylinder("a", 0.5, 0.2, (0.0, 0.0, 1.0)), HalfSpace("b", (0.0, 0.0, 1.0)))
    for tilt in (1e-2, 1e-5, 1e-8, -1e-8, -1e-5, -1e-2):  # about the point at y = -0.5, which stays
        R = Rotation.from_rotvec([tilt, 0.0, 0.0]).as_matrix()
        gaps = s.gaps((np.array([0.0, -0.5, 0.0]) + R @ [0.0, 0.5, 0.1], R), (np.zeros(3), UPRIGHT))[:3]
        height = 0.5 * np.sin(tilt)
        assert gaps == pytest.approx([0.0, 1.5 * height, 1.5 * height] if tilt > 0.0
                                     else [2.0 * height, 0.5 * height, 0.5 * height], rel=1e-6, abs=1e-15)


def test_hull_of_a_round_mesh_keeps_its_digits_at_nearly_flat_edges():
    points = Rotation.random(400, random_state=3).apply([0.0, 0.0, 1.0])
    pair = POINT_AT_ORIGIN, Hull("b", points.tolist())
    rng, s = np.random.default_rng(9), scene(*pair)
    faces = ConvexHull(points).equations
    for x in rng.standard_normal((20, 3)):
        poses = [(1.1 * x / np.linalg.norm(x), UPRIGHT), (np.zeros(3), UPRIGHT)]
        _, touch, _ = nearest(s, poses)
        assert_witnessed(pair, poses, False, touch)
        deep = s.gaps((0.9 * x / np.linalg.norm(x), UPRIGHT), (np.zeros(3), UPRIGHT))[0]
        assert deep == pytest.approx(np.max(faces[:, :3] @ (0.9 * x / np.linalg.norm(x)) + faces[:, 3]), abs=ROUND_OFF)


@pytest.mark.parametrize("lean", [1e-12, 1e-8, 1e-3, 0.5, np.pi / 2])
def test_leaning_disk_stands_on_its_lowest_point_with_the_normal_curvature_of_its_rim(lean):
    s = scene(Cylinder("a", 0.5, 0.2, (0.0, 0.0, 1.0)), HalfSpace("b", (0.0, 0.0, 1.0)))
    R = Rotation.from_rotvec([lean, 0.0, 0.0]).as_matrix()
    gaps = s.gaps((np.array([0.0, 0.0, 1.0]), R), (np.zeros(3), UPRIGHT))
    assert gaps[0] == pytest.approx(1.0 - 0.1 * np.cos(lean) - 0.5 * np.sin(lean), abs=ROUND_OFF)
    touch = s.work.touch[0]
    assert np.trace(touch["ka"]) == pytest.approx(np.sin(lean) / 0.5 if lean > LEVEL else 0.0, abs=ROUND_OFF)
    assert touch["sharp_a"] == EDGE
    assert abs(touch["edge_a"] @ touch["n"]) < 1e-9


def test_planks_that_cross_lie_on_each_other_with_four_points():
    s = scene(Box("a", (2.0, 0.3, 0.1)), Box("b", (0.3, 2.0, 0.1)))
    gaps = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.0, 0.0, 0.1]), UPRIGHT))
    closed = np.flatnonzero(np.abs(gaps) < ROUND_OFF)
    assert {tuple(np.round(p, 9)) for p in s.work.touch["pa"][closed]} == {
        (x, y, 0.05) for x in (-0.15, 0.15) for y in (-0.15, 0.15)}
    assert np.all(gaps > -ROUND_OFF)


def test_plank_that_tips_over_one_edge_closes_on_the_other_without_a_jump():
    s = scene(Box("a", (2.0, 0.3, 0.1)), Box("b", (0.3, 2.0, 0.1)))
    corner = np.array([0.0, -0.15, 0.05])

    def gaps(tilt):
        R = Rotation.from_rotvec([tilt, 0.0, 0.0]).as_matrix()
        return np.sort(s.gaps((np.zeros(3), UPRIGHT), (corner + R @ [0.0, 0.15, 0.05], R))[-8:])[:4]

    for tilt in (1e-2, 1e-5, 1e-8, 1e-11, -1e-11, -1e-8, -1e-5):
        height = 0.3 * np.sin(tilt)
        assert sorted(gaps(tilt)) == pytest.approx(sorted([0.0, 0.0, height, height]), rel=1e-3, abs=1e-13)


def test_box_on_box_touches_with_its_four_corners():
    s = scene(Box("a", (2.0, 2.0, 1.0)), Box("b", (0.5, 0.5, 0.5)))
    gaps = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.1, 0.0, 0.75]), Rotation.from_rotvec([0.0, 0.0, 0.3]).as_matrix()))
    closed = np.flatnonzero(np.abs(gaps) < ROUND_OFF)
    assert len(closed) == 4
    assert np.all(gaps > -ROUND_OFF)
    assert all(s.swapped[i] for i in closed)
    assert s.work.touch["n"][closed] == pytest.approx(np.tile([0.0, 0.0, -1.0], (4, 1)))  # from b's corners down to a


@pytest.mark.parametrize("x", [0.0, 1e-13, 1e-8, 1e-3, 0.5])
@pytest.mark.parametrize("y", [0.0, -1e-13, 1e-8, -0.3])
@pytest.mark.parametrize("z", [0.0, 1e-13, -1e-13])
def test_flush_boxes_rest_on_each_other_without_touching_sideways(x, y, z):
    s = scene(Box("a", (1.0, 1.0, 1.0)), Box("b", (1.0, 1.0, 1.0)))
    gaps = s.gaps((np.zeros(3), UPRIGHT), (np.array([x, y, 1.0 + z]), UPRIGHT))
    closed = np.flatnonzero(gaps < 1e-11)
    assert np.abs(s.work.touch["n"][closed, 2]) == pytest.approx(np.ones(len(closed)))
    assert gaps[closed] == pytest.approx(np.full(len(closed), z), abs=1e-15)
    # the corners of the common rectangle carry
    points = {(round(p[0], 6), round(p[1], 6)) for p in s.work.touch["pa"][closed]}
    assert points >= {(round(px, 6), round(py, 6)) for px in (x - 0.5, 0.5) for py in (max(y, 0) - 0.5, min(y, 0) + 0.5)}


@pytest.mark.parametrize("z", [0.0, 1e-13, -1e-13])
def test_box_that_slides_onto_another_from_one_as_high_does_not_hit_its_side(z):
    s = scene(Box("a", (1.0, 1.0, 1.0)), Box("b", (0.4, 0.4, 0.4)))
    for y in (0.0, 0.3, 0.4):
        for x in (0.7 + 1e-6, 0.7 + 1e-9, 0.7 + 1e-12, 0.7, 0.7 - 1e-12, 0.7 - 1e-9, 0.7 - 1e-6):
            gaps = s.gaps((np.zeros(3), UPRIGHT), (np.array([x, y, 0.7 + z]), UPRIGHT))
            closed = np.flatnonzero(gaps < 1e-11)
            assert np.abs(s.work.touch["n"][closed, 2]) == pytest.approx(np.ones(len(closed)))


def test_beams_that_cross_overlap_by_what_they_are_in_each_other():
    s = scene(Box("a", (2.0, 0.2, 0.2)), Box("b", (0.2, 2.0, 0.2)))
    tilt = Rotation.from_euler("xyz", (0.3, 0.2, 0.1)).as_matrix()
    apart = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.0, 0.0, 0.4]), tilt)).min()
    assert apart > 0.0
    for depth in (1e-6, 1e-4, 5e-3):
        sunk = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.0, 0.0, 0.4 - depth]), tilt)).min()
        touching = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.0, 0.0, 0.4]), tilt))
        n = s.work.touch["n"][int(np.argmin(touching))]
        deeper = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.0, 0.0, 0.4]) - (apart + depth) * n, tilt)).min()
        assert sunk < apart
        assert deeper == pytest.approx(-depth, abs=1e-9)


def test_thin_plates_that_are_apart_never_seem_to_overlap():
    rng = np.random.default_rng(8)
    s = scene(Box("a", (1.0, 0.8, 0.02)), Box("b", (0.9, 0.03, 0.5)))
    half = np.array([[0.5, 0.4, 0.01], [0.45, 0.015, 0.25]])
    apart = 0
    for _ in range(400):
        poses = [random_pose(rng, 0.3), random_pose(rng, 0.3)]
        A = np.vstack([sign * R.T for _, R in poses for sign in (1.0, -1.0)])
        b = np.concatenate([h + sign * (R.T @ x) for (x, R), h in zip(poses, half, strict=True) for sign in (1.0, -1.0)])
        deepest = linprog([0.0, 0.0, 0.0, -1.0], np.c_[A, np.ones(12)], b, bounds=[(None, None)] * 4).x[3]
        if deepest < -1e-6:
            apart += 1
            assert s.gaps(*poses).min() > 0.0
    assert apart > 50


def test_capsule_across_a_beam_lies_on_both_edges():
    s = scene(Box("a", (0.4, 2.0, 0.2)), Capsule("b", (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.05))
    gaps = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.0, 0.0, 0.15]), UPRIGHT))
    closed = np.flatnonzero(np.abs(gaps) < ROUND_OFF)
    assert sorted(np.round(s.work.touch["pa"][closed, 0], 9)) == [-0.2, 0.2]
    assert np.all(gaps > -ROUND_OFF)


def test_parallel_capsules_touch_with_their_ends():
    s = scene(Capsule("a", (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.1), Capsule("b", (-0.5, 0.0, 0.0), (1.5, 0.0, 0.0), 0.2))
    gaps = s.gaps((np.zeros(3), UPRIGHT), (np.array([0.0, 0.3, 0.0]), UPRIGHT))
    assert np.flatnonzero(np.abs(gaps) < ROUND_OFF).tolist() == [1, 2]
    assert gaps[4] > 1.0  # sides that do not cross


# cylinders

STANDING, LYING = Cylinder("b", 0.5, 0.8, (0.0, 0.0, 1.0)), Cylinder("b", 0.5, 0.8, (1.0, 0.0, 0.0))
TABLE = Box("a", (4.0, 4.0, 1.0), (0.0, 0.0, -0.5))  # its top is z = 0


def closed_at(s, x, R=UPRIGHT):
    """Points, rounded, and normals of the closed gaps of two shapes, the second one at x."""
    gaps = s.gaps((np.zeros(3), UPRIGHT), (np.array(x), R))
    assert np.all(gaps > -ROUND_OFF)
    closed = np.flatnonzero(gaps < 1e-11)
    assert np.all(s.work.touch["off"][closed] == 0)
    return [tuple(np.round(p, 6) + 0.0) for p in s.work.touch["pa"][closed]], np.abs(s.work.touch["n"][closed])


def test_cylinder_stands_on_a_box_with_three_points_of_its_rim():
    points, normals = closed_at(scene(TABLE, STANDING), (0.3, 0.2, 0.4))
    assert normals == pytest.approx(np.tile([0.0, 0.0, 1.0], (3, 1)))
    assert np.mean(points, axis=0) == pytest.approx([0.3, 0.2, 0.0], abs=1e-6)
    assert np.linalg.norm(np.array(points) - [0.3, 0.2, 0.0], axis=1) == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("z", [0.0, 1e-13, -1e-13])
def test_cylinder_that_stands_over_the_rim_of_a_table_touches_where_the_edge_crosses_its_own(z):
    points, normals = closed_at(scene(TABLE, STANDING), (1.9, 0.2, 0.4 + z))
    assert normals == pytest.approx(np.tile([0.0, 0.0, 1.0], (len(points), 1)))
    chord = np.sqrt(0.5 ** 2 - 0.1 ** 2)
    assert {(2.0, round(0.2 - chord, 6), 0.0), (2.0, round(0.2 + chord, 6), 0.0)} < set(points)
    assert len(points) >= 3
    points, _ = closed_at(scene(Box("a", (4.0, 0.6, 1.0), (0.0, 0.0, -0.5)), STANDING), (0.1, 0.0, 0.4 + z))
    assert {(x, y, 0.0) for x in (-0.3, 0.5) for y in (-0.3, 0.3)} <= set(points)  # on a plank: four


def test_small_box_under_a_wide_cylinder_carries_it_with_its_corners():
    points, normals = closed_at(scene(Box("a", (0.2, 0.3, 1.0), (0.0, 0.0, -0.5)), STANDING), (0.1, 0.0, 0.4))
    assert set(points) == {(x, y, 0.0) for x in (-0.1, 0.1) for y in (-0.15, 0.15)}
    assert normals == pytest.approx(np.tile([0.0, 0.0, 1.0], (4, 1)))


@pytest.mark.parametrize(("x", "ends"), [(0.0, (-0.4, 0.4)), (1.9, (1.5, 2.0)), (1.6, (1.2, 2.0)), (1.6 + 1e-13, (1.2, 2.0))])
@pytest.mark.parametrize("roll", [0.0, 0.7, 2.0])
def test_cylinder_lies_on_a_box_with_the_ends_of_the_line_that_they_share(x, ends, roll):
    s = scene(TABLE, LYING)
    points, normals = closed_at(s, (x, 0.1, 0.5), Rotation.from_rotvec([roll, 0.0, 0.0]).as_matrix())
    assert set(points) == {(end, 0.1, 0.0) for end in ends}
    assert normals[:, 2] == pytest.approx(np.ones(len(points)))


@pytest.mark.parametrize("z", [0.0, 1e-13, -1e-13])
def test_cylinder_that_slides_onto_a_box_from_one_as_high_does_not_hit_its_side(z):
    s = scene(TABLE, STANDING)
    for y in (0.0, 0.3, 2.0, 1.7):
        for x in (2.5 + 1e-6, 2.5 + 1e-9, 2.5 + 1e-12, 2.5, 2.5 - 1e-12, 2.5 - 1e-9, 2.5 - 1e-6):
            _, normals = closed_at(s, (x, y, 0.4 + z))
            assert normals[:, 2] == pytest.approx(np.ones(len(normals)))


def test_rod_on_the_end_of_a_cylinder_touches_where_it_crosses_the_rim():
    for radius in (0.0, 0.05):
        s = scene(STANDING, Capsule("b", (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), radius))
        points, normals = closed_at(s, (0.2, 0.3, 0.4 + radius))
        assert sorted(points) == [(-0.4, 0.3, 0.4), (0.4, 0.3, 0.4)]
        assert normals[:, 2] == pytest.approx(np.ones(2))
        points, _ = closed_at(s, (1.1, 0.3, 0.4 + radius))  # one end of it is over the disk
        assert sorted(points) == [(0.1, 0.3, 0.4), (0.4, 0.3, 0.4)]


def test_rod_that_tips_over_a_rim_closes_at_both_points_without_a_jump():
    s = scene(STANDING, Capsule("b", (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.05))
    for tilt in (1e-2, 1e-5, 1e-8, 1e-11, -1e-11, -1e-8, -1e-5):  # about the point of the rod at the height of its axis
        R = Rotation.from_rotvec([0.0, -tilt, 0.0]).as_matrix()
        gaps = np.sort(s.gaps((np.zeros(3), UPRIGHT), (np.array([-0.4, 0.3, 0.45]) + R @ [0.4, 0.0, 0.0], R)))[:2]
        height = 0.8 * np.sin(tilt)
        assert gaps[0] == pytest.approx(min(height, 0.0), abs=0.1 * tilt ** 2 + 1e-15)
        assert 0.99 * abs(height) < gaps[1] - gaps[0] < 2.0 * abs(height)  # the higher one is farther, but not by a jump


def test_rod_along_the_side_of_a_cylinder_touches_at_both_ends_of_what_they_share():
    for radius in (0.0, 0.05):
        for turn in (0.0, np.pi):
            s = scene(LYING, Capsule("b", (-0.3, 0.0, 0.0), (1.0, 0.0, 0.0), radius))
            R = Rotation.from_rotvec([0.0, 0.0, turn]).as_matrix()
            points, normals = closed_at(s, R @ (0.2, 0.0, 0.5 + radius), R)
            assert {(abs(p[0]), *p[1:]) for p in points} == {(0.1, 0.0, 0.5), (0.4, 0.0, 0.5)}
            assert normals[:, 2] == pytest.approx(np.ones(2))


@pytest.mark.parametrize("z", [0.0, 1e-13, -1e-13])
def test_box_pushes_a_cylinder_of_its_height_at_both_ends_of_its_side(z):
    tower = Box("a", (1.0, 1.0, 0.8), (-0.5, 0.0, 0.4))  # a face at x = 0
    points, normals = closed_at(scene(tower, STANDING), (0.5, 0.1, 0.4 + z))
    assert set(points) == {(0.0, 0.1, 0.0), (0.0, 0.1, 0.8)}
    assert normals[:, 0] == pytest.approx(np.ones(len(points)))
    post = Box("a", (1.0, 1.0, 0.8), (-np.sqrt(0.5), 0.0, 0.4), (np.cos(np.pi / 8), 0.0, 0.0, np.sin(np.pi / 8)))  # an edge
    points, normals = closed_at(scene(post, STANDING), (0.5, 0.0, 0.4 + z))
    assert set(points) == {(0.0, 0.0, 0.0), (0.0, 0.0, 0.8)}
    assert normals[:, 0] == pytest.approx(np.ones(len(points)))


@pytest.mark.parametrize("z", [0.0, 1e-13, -1e-13])
def test_cylinders_stand_on_each_other_with_their_rims(z):
    lower = Cylinder("a", 0.5, 0.2, (0.0, 0.0, 1.0), (0.0, 0.0, -0.1))
    points, normals = closed_at(scene(lower, STANDING), (0.0, 0.0, 0.4 + z))  # as wide, and above each other
    assert normals == pytest.approx(np.tile([0.0, 0.0, 1.0], (len(points), 1)))
    assert np.linalg.norm(points, axis=1) == pytest.approx(0.5, abs=1e-6)
    assert len(set(points)) >= 3
    points, normals = closed_at(scene(lower, STANDING), (0.6, 0.0, 0.4 + z))
    assert normals == pytest.approx(np.tile([0.0, 0.0, 1.0], (len(points), 1)))
    assert {(0.3, -0.4, 0.0), (0.3, 0.4, 0.0)} < set(points)  # where the rims cross
    points, _ = closed_at(scene(lower, Cylinder("b", 0.2, 0.8, (0.0, 0.0, 1.0))), (0.1, 0.0, 0.4 + z))
    assert np.linalg.norm(np.array(points) - [0.1, 0.0, 0.0], axis=1) == pytest.approx(0.2, abs=1e-6)
    assert len(set(points)) == 3


def test_cans_of_one_width_meet_at_the_highest_point_that_they_share():
    rng, s = np.random.default_rng(3), scene(STANDING, STANDING)
    angle = np.linspace(0.0, 2.0 * np.pi, 100001)
    ring = 0.5 * np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    for shift, tilt in 10.0 ** rng.uniform([-13.0, -9.0], [-2.0, -1.5], (60, 2)):
        way = rng.standard_normal((2, 2))
        R = Rotation.from_rotvec(tilt * np.array([*way[0], 0.0])).as_matrix()  # of the lower one
        top, x = R @ [0.0, 0.0, 0.4], np.array([*(R @ [0.0, 0.0, 0.4])[:2] + shift * way[1], 0.0])
        low, high = ring @ R.T + top, ring + x  # the rims; and the points of the lower end below the upper rim
        high[:, 2] = top[2] - (high - top)[:, :2] @ R[:2, 2] / R[2, 2]
        shared = np.vstack([low[np.linalg.norm((low - x)[:, :2], axis=1) <= 0.5 + 1e-12],
                            high[np.linalg.norm(high - top, axis=1) <= 0.5 + 1e-12]])
        for height in (1e-7, 0.0):
            gaps = s.gaps((np.zeros(3), R), (x + [0.0, 0.0, shared[:, 2].max() + 0.4 + height], UPRIGHT))
            least = gaps[s.work.touch["off"] == 0].min()
            assert least == pytest.approx(height, rel=2.0 * tilt, abs=1e-4 * tilt + ROUND_OFF)  # steps of the ring
            assert np.all(gaps >= least)


@pytest.mark.parametrize(("x", "ends"), [(0.0, (-0.4, 0.4)), (0.3, (-0.1, 0.5)), (0.5, (0.1, 0.5))])
def test_cylinder_lies_on_the_end_of_another_with_the_ends_of_the_line_that_they_share(x, ends):
    points, normals = closed_at(scene(STANDING, LYING), (x, 0.0, 0.9))
    assert set(points) == {(end, 0.0, 0.4) for end in ends}
    assert normals[:, 2] == pytest.approx(np.ones(len(points)))


@pytest.mark.parametrize(("z", "ends"), [(0.0, (-0.4, 0.4)), (1e-13, (-0.4, 0.4)), (0.3, (-0.1, 0.4)), (-0.5, (-0.4, -0.1))])
def test_parallel_cylinders_touch_at_the_ends_of_the_line_that_they_share(z, ends):
    points, normals = closed_at(scene(STANDING, STANDING), (0.6, 0.8, z))
    assert set(points) == {(0.3, 0.4, end) for end in ends}
    assert normals == pytest.approx(np.tile([0.6, 0.8, 0.0], (len(points), 1)))


def test_crossed_cylinders_touch_where_their_axes_are_nearest():
    s = scene(LYING, Cylinder("b", 0.3, 2.0, (0.0, 1.0, 0.0)))
    points, normals = closed_at(s, (0.1, 0.2, 0.8))
    assert points == [(0.1, 0.0, 0.5)]
    assert normals == pytest.approx(np.array([[0.0, 0.0, 1.0]]))


AXES = [Rotation.from_euler("xyz", turn).as_matrix() for turn in
        [(0.0, 0.0, 0.0), (np.pi / 2, 0.0, 0.0), (0.0, np.pi / 2, 0.0), (0.0, 0.0, 0.3), (0.0, 0.4, 0.0), (np.pi, 1e-13, 0.0)]]
SQUARE = [(STANDING, Capsule("b", (0.0, 0.0, -0.6), (0.0, 0.0, 0.6), 0.2)), (STANDING, Box("b", (0.6, 0.8, 1.0))),
          (STANDING, Capsule("b", (0.0, 0.0, -0.6), (0.0, 0.0, 0.6), 0.0)), (STANDING, Box("b", (2.0, 0.4, 0.3))),
          (STANDING, Cylinder("b", 0.3, 1.0, (0.0, 0.0, 1.0)))]


@pytest.mark.parametrize("pair", SQUARE, ids=lambda pair: f"{type(pair[0]).__name__}-{type(pair[1]).__name__}")
def test_shapes_that_meet_squarely_touch_where_they_are_nearest_and_nowhere_else(pair):
    rng, s, tried = np.random.default_rng(11), scene(*pair), 0
    while tried < 150:
        poses = [(np.round(1.2 * rng.standard_normal(3), 1) + shift, AXES[rng.integers(len(AXES))])
                 for shift in (0.0, np.array([0.013, 0.029, 0.041]))]
        p, q = (core(shape) @ R.T + x for shape, (x, R) in zip(pair, poses, strict=True))
        distance = hull_distance(p, q) - (pair[1].radius if isinstance(pair[1], Capsule) else 0.0)
        if distance < 2e-3:
            continue
        i, touch, gaps = nearest(s, poses)
        assert touch["g"] == pytest.approx(distance, abs=2e-3)  # rims are polygons there
        assert_witnessed(pair, poses, s.swapped[i], touch)
        assert touch["off"] == 0
        assert np.all(gaps >= touch["g"])
        parallel = np.linalg.norm(np.cross(touch["edge_a"], touch["edge_b"])) < 1e-9
        if meets(touch) and not (parallel and touch["sharp_a"] == EDGE == touch["sharp_b"]):
            gaps = s.gaps(*shifted(s, i, poses, touch, 0.0))
            assert gaps[i] == pytest.approx(0.0, abs=ROUND_OFF)
            assert np.all(gaps > -ROUND_OFF)
            assert np.all(s.work.touch["off"][gaps < ROUND_OFF] == 0)
        tried += 1


# ellipsoids that are hard

def precise_ellipsoid_gap(axes, centre, radius):
    """Gap of a ball outside or inside with 40 digits: the largest root of Σ (a q / (t + a²))² = 1 by halving."""
    with mp.workdps(40):
        a, q = [mp.mpf(x) for x in axes], [mp.mpf(x) for x in centre]

        def excess(t):
            return sum((x * y / (t + x * x)) ** 2 for x, y in zip(a, q, strict=True)) - 1

        low, high = -min(a) ** 2, max(a) * mp.norm(q) + 1
        for _ in range(140):
            t = (low + high) / 2
            low, high = (t, high) if excess(t) > 0 else (low, t)
        return float(low * mp.norm([y / (low + x * x) for x, y in zip(a, q, strict=True)])) - radius


@pytest.mark.parametrize("axes", [(1.0, 1.0, 1.0), (1.0, 1.0, 0.2), (0.1, 1.0, 3.0), (2.0, 2.0, 1e-2)])
def test_point_near_an_ellipsoid_agrees_with_forty_digits(axes):
    rng, s = np.random.default_rng(7), scene(POINT_AT_ORIGIN, Ellipsoid("b", axes))
    for k in range(60):
        x = rng.standard_normal(3) * axes * (0.2, 1.0, 1.01, 4.0)[k % 4]
        gap = s.gaps((x, UPRIGHT), (np.zeros(3), UPRIGHT))[0]
        assert gap == pytest.approx(precise_ellipsoid_gap(axes, x, 0.0), abs=ROUND_OFF)


def test_centre_of_an_ellipsoid_is_its_least_axis_deep():
    s = scene(POINT_AT_ORIGIN, Ellipsoid("b", (3.0, 0.5, 2.0)))
    assert s.gaps((np.zeros(3), UPRIGHT), (np.zeros(3), UPRIGHT))[0] == pytest.approx(-0.5, abs=ROUND_OFF)
    assert abs(s.work.touch[0]["n"][1]) == pytest.approx(1.0)


@pytest.mark.parametrize("axes", [((1.0, 1.0, 0.02), (0.02, 1.0, 1.0)), ((5.0, 0.1, 0.1), (0.1, 5.0, 0.1)),
                                  ((3.0, 2.0, 1.0), (1e-3, 2e-3, 3e-3))])
def test_needles_and_plates_are_apart_or_not_as_duality_says(axes):
    pair = Ellipsoid("a", axes[0]), Ellipsoid("b", axes[1])
    rng, s, tried = np.random.default_rng(8), scene(*pair), 0
    for _ in range(500):
        poses = [random_pose(rng, 1.0), random_pose(rng, 1.0)]
        s.work.touch["guess_a"] = 0.0
        touch = nearest(s, poses)[1]
        if touch["g"] > 0.0:
            assert_witnessed(pair, poses, False, touch)
            tried += 1
        # the same from the normal of another moment
        assert nearest(s, poses)[1]["g"] == pytest.approx(touch["g"], abs=ROUND_OFF)
    assert tried > 50


# ellipsoids against what has edges

def rolled(s, axis, angle, depth):
    """The touch of a body that is turned about the axis and put where it overlaps the other by the depth."""
    pose = np.array([0.0, 0.0, 2.0]), Rotation.from_rotvec(angle * np.array(axis)).as_matrix()
    for _ in range(60):
        g, n = s.gaps((np.zeros(3), UPRIGHT), pose)[0], s.work.touch[0]["n"]
        pose = pose[0] - (g + depth) * n, pose[1]
        if abs(g + depth) < 1e-15:
            break
    return s.touch(0).copy()


@pytest.mark.parametrize("depth", [1e-3, 0.0, -1e-6])
@pytest.mark.parametrize("shape", [Box("b", (1.0, 0.7, 0.9)), MESH, ROD, Cylinder("b", 0.5, 0.8, (0.0, 0.0, 1.0))])
def test_ellipsoid_passes_from_face_to_edge_to_corner_without_a_jump(shape, depth):
    s, passed, axis = scene(Ellipsoid("a", (0.8, 0.5, 0.6), turn=TURN), shape), set(), (0.6, 0.64, 0.48)
    angles = np.linspace(0.0, 6.0, 100)
    for low, high in pairwise(angles):
        before, after = rolled(s, axis, low, -depth), rolled(s, axis, high, -depth)
        change = int(before["sharp_b"]), int(after["sharp_b"])
        if change[0] != change[1]:
            while high - low > 1e-13:
                middle = rolled(s, axis, 0.5 * (low + high), -depth)
                if middle["sharp_b"] == change[0]:
                    low, before = 0.5 * (low + high), middle
                else:
                    high, after = 0.5 * (low + high), middle
            assert before["g"] == pytest.approx(after["g"], abs=ROUND_OFF)
            assert before["n"] == pytest.approx(after["n"], abs=1e-9)
            assert before["pb"] == pytest.approx(after["pb"], abs=1e-9)
            passed |= set(change)
    assert len(passed) > 1


def test_ellipsoid_that_overhangs_a_thin_wall_leans_on_its_edge():
    s = scene(Ellipsoid("a", (1.0, 0.5, 0.01)), Box("b", (0.1, 2.0, 4.0), (0.0, 0.0, -2.0)))
    lean = Rotation.from_rotvec([0.0, np.radians(75.0), 0.0]).as_matrix()  # lower end beside the wall, upper end beyond it
    gaps = s.gaps((np.array([0.25, 0.0, 0.0]), lean), (np.zeros(3), UPRIGHT))
    assert gaps[0] > 0.05
    assert s.work.touch[0]["sharp_b"] == EDGE
    assert s.work.touch[0]["pb"] == pytest.approx([0.05, 0.0, 0.0], abs=ROUND_OFF)


def some_within(shape, points):
    """Whether a shape has one of the points within."""
    if isinstance(shape, (Box, Hull)):
        faces = ConvexHull(corners(shape)).equations
        return bool(np.any(np.max(points @ faces[:, :3].T + faces[:, 3], axis=1) < 0.0))
    return any(outside(shape, p) < 0.0 for p in points)


@pytest.mark.parametrize("shape", [BOX, HULL, BEAM, COIN, CYLINDER, LONG])
def test_thin_ellipsoid_that_has_a_point_in_a_shape_overlaps_it_however_deep(shape):
    rng, s, found = np.random.default_rng(10), scene(PLATE, shape), 0
    for _ in range(300):
        poses = [random_pose(rng, 0.2), random_pose(rng, 0.2)]
        (xa, Ra), (xb, Rb) = poses
        points = rng.standard_normal((100, 3))
        points *= rng.random((100, 1)) * PLATE.axes / np.linalg.norm(points, axis=1, keepdims=True)
        if some_within(shape, (points @ Ra.T + xa - xb) @ Rb):
            found += 1
            assert s.gaps(*poses)[0] < 0.0
    assert found > 20


# directions that nothing determines

def wandering(**fields):
    s = scene(SPHERE, PLANE)
    for name, value in fields.items():
        s.work.touch[0][name] = value
    sigma_a, sigma_b, ndot = np.zeros((3, 3))
    wa, wb, slip = np.array([[0.3, 0.2, 0.5], [0.1, 0.6, 0.9], [1.0, 2.0, 0.0]])
    migrate(s.work.touch[0], wa, wb, slip, sigma_a, sigma_b, ndot)
    return sigma_a, sigma_b, ndot


def test_flat_on_flat_the_witness_point_goes_half_with_each_body():
    sigma_a, sigma_b, _ = wandering(n=(0.0, 0.0, 1.0))
    assert sigma_a == pytest.approx([0.5, 1.0, 0.0])
    assert sigma_b == pytest.approx([-0.5, -1.0, 0.0])


def test_parallel_edges_share_the_slip_along_them():
    e = (1.0, 0.0, 0.0)
    sigma_a, sigma_b, ndot = wandering(n=(0.0, 0.0, 1.0), sharp_a=EDGE, sharp_b=EDGE, edge_a=e, edge_b=e)
    assert sigma_a == pytest.approx([0.5, 0.0, 0.0])
    assert sigma_b == pytest.approx([-0.5, 0.0, 0.0])
    assert np.all(np.isfinite(ndot))


def test_corner_on_corner_has_a_normal_that_turns_with_the_mean_of_the_bodies():
    _, _, ndot = wandering(n=(0.0, 0.0, 1.0), sharp_a=VERTEX, sharp_b=VERTEX)
    assert ndot == pytest.approx(np.cross([0.2, 0.4, 0.7], [0.0, 0.0, 1.0]))


# pairs that there are not

def test_pairs_without_a_gap_are_refused_by_name():
    with pytest.raises(ModelError, match=r"HalfSpace of body .* HalfSpace of body .*HalfSpace meets Box, Capsule, Cylinder"):
        scene(PLANE, PLANE)
    with pytest.raises(ModelError, match="both have radius zero"):
        scene(POINT, POINT)
    with pytest.raises(ModelError, match="both have radius zero"):
        scene(ROD, ROD)
