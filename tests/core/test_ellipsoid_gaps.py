"""Gaps of ellipsoids: thin ones, deep ones, and those that roll over edges, against forty digits and duality."""

from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation
from shape_statements import (
    BEAM,
    BOX,
    COIN,
    CYLINDER,
    HULL,
    LONG,
    MESH,
    PLATE,
    POINT_AT_ORIGIN,
    ROD,
    ROUND_OFF,
    TURN,
    UPRIGHT,
    assert_witnessed,
    corners,
    nearest,
    outside,
)
from spatial_scenes import random_pose, scene

from routh.core.tables.layout import EDGE
from routh.model.shapes import Box, Cylinder, Ellipsoid, Hull


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
