"""Gaps of cylinders: what stands, lies, crosses and stacks touches at the points that closed forms say."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from shape_statements import ROUND_OFF, UPRIGHT, assert_witnessed, core, hull_distance, meets, nearest, shifted
from spatial_scenes import scene

from routh.core.tables.layout import EDGE
from routh.model.shapes import Box, Capsule, Cylinder

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
            assert np.all(gaps >= least - ROUND_OFF)


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
