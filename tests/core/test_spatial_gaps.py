"""Gaps in space. A gap, its normal n and its two witness points are proved by duality, not by another search for them:

if pa is in A and pb in B, pb - pa = g n, nothing of A is beyond pa along n and nothing of B before pb, then no two points of A
and B are nearer than g. What is in a shape and how far it reaches, `shape_statements` says.
"""

import math

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from shape_statements import (
    NAMES,
    PAIRS,
    PLANE,
    POINT,
    POINT_AT_ORIGIN,
    ROD,
    ROUND_OFF,
    SLENDER,
    SLENDER_NAMES,
    SPHERE,
    UPRIGHT,
    about_to_meet,
    apart,
    assert_witnessed,
    nearest,
    reach,
    shifted,
)
from spatial_scenes import moved, random_pose, scene

from routh.core.gaps.rim_gap import LEVEL
from routh.core.gaps.spatial_migration import migrate
from routh.core.tables.layout import EDGE, VERTEX
from routh.errors import ModelError
from routh.model.shapes import Box, Capsule, Cylinder, HalfSpace, Hull


@pytest.mark.parametrize("pair", PAIRS + SLENDER, ids=NAMES + SLENDER_NAMES)
def test_gap_is_the_least_distance_by_duality(pair):
    rng, s = np.random.default_rng(1), scene(*pair)
    for _ in range(150):
        poses, i, touch, gaps = apart(pair, s, rng)
        assert_witnessed(pair, poses, s.swapped[i], touch)
        assert np.all(gaps >= touch["g"])  # so that no other elementary gap closes where nothing touches


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


@pytest.mark.parametrize("yaw", [1.0, 0.1, 0.01, 1e-3])
@pytest.mark.parametrize("beyond", [-0.3, -1e-3, 1e-3, 0.3])
def test_a_tip_of_a_capsule_touches_only_where_the_sides_do_not_cross(yaw, beyond):
    """The second one lies across the first, from there on or by so much more than its length."""
    log = ((-0.5, 0.0, 0.0), (0.5, 0.0, 0.0), 0.1)
    s, way = scene(Capsule("a", *log), Capsule("b", *log)), np.array([math.cos(yaw), math.sin(yaw), 0.0])
    turn = np.column_stack([way, [-way[1], way[0], 0.0], [0.0, 0.0, 1.0]])
    gaps = s.gaps((np.zeros(3), np.eye(3)), (np.array([0.0, 0.0, 0.2]) + (0.5 + beyond) * way, turn))
    meets = s.work.touch["off"] == 0
    assert gaps[meets].min() == pytest.approx(math.hypot(0.2, max(beyond, 0.0) * way[1]) - 0.2, abs=ROUND_OFF)
    assert meets[-1] == (beyond < 0.0)  # the sides
    assert meets[2] == (beyond > 0.0)  # the tip that is next to the first one


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
        return np.sort(s.gaps((np.zeros(3), UPRIGHT), (corner + R @ [0.0, 0.15, 0.05], R))[-16:])[:4]

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
