"""Shapes as parts: what is drawn is what the contacts feel."""

import math

import numpy as np
import pytest

from routh import shapes
from routh.sim.declaration import plain
from routh.view.parts import corners_of, parts_of, reach_of, round_of, stand_in

EVERY = [
    shapes.HalfSpace("b", normal=(0.0, 1.0)), shapes.Disk("b", 0.3, point=(1.0, 2.0)), shapes.Disk("b", 0.0, point=(1.0, 2.0)),
    shapes.Capsule("b", (0.0, 0.0), (1.0, 0.5), 0.2), shapes.Capsule("b", (0.0, 0.0), (1.0, 0.5), 0.0),
    shapes.Ellipse("b", (0.4, 0.1), turn=0.5), shapes.Polygon("b", ((0, 0), (1, 0), (0, 1))),
    shapes.Polyline("b", ((0, 0), (1, 0), (2, 1)), bulges=(0.0, -0.4)), shapes.HalfSpace("b", normal=(0.0, 0.0, 1.0)),
    shapes.Sphere("b", 0.2), shapes.Sphere("b", 0.0), shapes.Ellipsoid("b", (0.1, 0.2, 0.3), turn=(1.0, 0.0, 0.0, 0.0)),
    shapes.Cylinder("b", 0.1, 0.5, (0.0, 0.0, 1.0)), shapes.Capsule("b", (0, 0, 0), (0, 0, 1), 0.1),
    shapes.Box("b", (1.0, 2.0, 3.0)),
    shapes.Hull("b", ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))),
    shapes.Mesh("b", ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))),
]  # fmt: skip


@pytest.mark.parametrize("shape", EVERY, ids=lambda s: f"{type(s).__name__}{len(getattr(s, 'normal', ()))}")
def test_every_shape_has_parts_of_finite_reach(shape):
    parts = parts_of(plain(shape))
    assert parts
    assert all(math.isfinite(reach_of(part)) and reach_of(part) >= 0.0 for part in parts)


def test_the_list_above_names_every_shape():
    declared = {name for name in shapes.__all__ if name != "Shape"}
    assert {type(shape).__name__ for shape in EVERY} == declared


def test_the_rim_of_a_capsule_keeps_its_distance_from_the_segment():
    start, end, radius = np.array([0.3, -0.2]), np.array([1.0, 0.5]), 0.2
    rim = np.array(parts_of(plain(shapes.Capsule("b", tuple(start), tuple(end), radius)))[0]["points"])[:, :2]
    along = np.clip((rim - start) @ (end - start) / ((end - start) @ (end - start)), 0.0, 1.0)
    assert np.linalg.norm(rim - start - along[:, None] * (end - start), axis=1) == pytest.approx(radius, abs=1e-12)


@pytest.mark.parametrize("bulge", [1.0, -1.0, 0.3, -0.7])
def test_an_arc_of_terrain_has_the_angle_that_its_bulge_means(bulge):
    points = np.array(parts_of(plain(shapes.Polyline("b", ((0.0, 0.0), (2.0, 0.0)), bulges=(bulge,))))[0]["points"])[:, :2]
    assert points[-1] == pytest.approx((2.0, 0.0), abs=1e-12)
    half = 2.0 * math.atan(abs(bulge))  # of the arc's angle; its centre is on the left of the way where it turns left
    radius = 1.0 / math.sin(half)
    centre = np.array([1.0, math.copysign(radius * math.cos(half), math.cos(half) * bulge)])
    assert np.linalg.norm(points - centre, axis=1) == pytest.approx(radius)
    assert np.sign(points[len(points) // 2, 1]) == -np.sign(bulge)


def test_an_ellipse_is_turned():
    rim = np.array(parts_of(plain(shapes.Ellipse("b", (2.0, 1.0), turn=0.5 * math.pi)))[0]["points"])
    assert abs(rim[:, 1]).max() == pytest.approx(2.0)
    assert abs(rim[:, 0]).max() == pytest.approx(1.0, abs=1e-3)


def test_the_faces_of_a_hull_look_outwards():
    (part,) = parts_of(plain(shapes.Hull("b", ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))))
    points, middle = np.array(part["points"]), np.mean(part["points"], axis=0)
    for i, j, k in part["faces"]:
        assert np.cross(points[j] - points[i], points[k] - points[i]) @ (points[i] - middle) > 0.0


def test_the_stand_in_of_a_body_has_its_inertia():
    moments = np.array([2.0, 3.0, 4.0])
    size = np.ptp(stand_in({"mass": 1.5, "inertia": moments.tolist()})[0]["points"], axis=0)
    assert 1.5 / 12.0 * ((size**2).sum() - size**2) == pytest.approx(moments)


def test_the_stand_in_of_a_planar_body_has_its_inertia():
    radius = np.linalg.norm(stand_in({"mass": 1.5, "inertia": 0.2})[0]["points"], axis=1)
    assert 0.5 * 1.5 * radius**2 == pytest.approx(0.2)


def test_the_stand_in_of_a_body_with_equal_moments_is_a_ball_of_that_inertia():
    (ball,) = stand_in({"mass": 1.5, "inertia": [0.2, 0.2, 0.2]})
    assert 0.4 * 1.5 * ball["axes"][0] ** 2 == pytest.approx(0.2)


@pytest.mark.parametrize("shape", EVERY, ids=lambda s: f"{type(s).__name__}{len(getattr(s, 'normal', ()))}")
def test_the_corners_of_a_part_hold_it(shape):
    for part in parts_of(plain(shape)):
        corners = corners_of(part)
        if part["kind"] in ("polygon", "curve", "hull"):
            points = np.array(part["points"])
            assert (points >= corners.min(axis=0) - 1e-12).all()
            assert (points <= corners.max(axis=0) + 1e-12).all()
        elif len(corners):
            assert reach_of(part) <= np.linalg.norm(corners, axis=1).max() + 1e-12


@pytest.mark.parametrize("shape", EVERY, ids=lambda s: f"{type(s).__name__}{len(getattr(s, 'normal', ()))}")
def test_the_ball_about_a_part_lies_within_its_reach(shape):
    for part in parts_of(plain(shape)):
        if part["kind"] not in ("halfspace", "bar", "dot"):
            centre, radius = round_of(part)
            assert np.linalg.norm(centre) <= reach_of(part) + 1e-12
            assert reach_of(part) <= np.linalg.norm(centre) + radius + 1e-12
