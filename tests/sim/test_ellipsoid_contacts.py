"""Ellipsoids among capsules, boxes, hulls and cylinders: where another pair of shapes, or a law, knows the motion."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import routh as rt
from routh import shapes

TIGHT = rt.Options(rtol=1e-11, atol=1e-12, output=0.02)
MOTION = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")
INERTIA = (0.02, 0.03, 0.04)
EGG = shapes.Ellipsoid("body", (0.3, 0.25, 0.2), (0.01, 0.0, -0.02))
FLOOR = shapes.HalfSpace("ground", (0.0, 0.0, 1.0))
SLAB = [(x, y, z) for x in (-9.0, 9.0) for y in (-9.0, 9.0) for z in (-1.0, 0.0)]


def run(shape, obstacle, start, t_end, law, inertia=INERTIA):
    model = rt.Model("spatial", [rt.Body("body", 1.0, inertia)], gravity=(0.0, 0.0, -9.81),
                     contacts=[rt.Contact("touch", obstacle, shape, law)])
    return rt.simulate(model, rt.State(body=start), t_end, options=TIGHT)


def assert_same_motion(one, other, tolerance):
    assert one.status == other.status == "finished"
    assert list(one.events.kind) == list(other.events.kind)
    for key in MOTION:
        assert_allclose(one[f"body.{key}"], other[f"body.{key}"], atol=tolerance, err_msg=key)


@pytest.mark.parametrize("slab", [
    shapes.Box("ground", (18.0, 18.0, 1.0), (0.0, 0.0, -0.5)), shapes.Hull("ground", SLAB),
    shapes.Cylinder("ground", 9.0, 1.0, (0.0, 0.0, 1.0), (0.0, 0.0, -0.5))], ids=lambda s: type(s).__name__)
def test_an_ellipsoid_on_a_wide_flat_face_moves_as_on_a_half_space(slab):
    start = {"z": 0.5, "vx": 0.6, "q": (0.8, 0.36, 0.48, 0.0), "omega": (1.0, -2.0, 3.0)}
    one, other = (run(EGG, ground, start, 1.0, rt.Poisson(e=0.4, mu=0.3)) for ground in (slab, FLOOR))
    assert len(one.impacts) > 2
    assert_same_motion(one, other, 1e-9)


@pytest.mark.parametrize(("obstacle", "start", "t_end"), [
    (shapes.Box("ground", (1.0, 1.0, 1.0), (0.0, 0.0, -0.5)), {"x": 0.3, "y": 0.35, "z": 0.2, "vx": 0.5, "vy": 0.2}, 1.2),
    (shapes.Hull("ground", [(0.0, 0.0, 0.0), (-1.0, 0.2, -1.0), (1.0, 0.3, -1.0), (0.1, -1.0, -1.0), (0.0, 1.0, -1.2)]),
     {"x": 0.03, "y": 0.02, "z": 0.5}, 0.8),
    (shapes.Capsule("ground", (-1.0, 0.0, 0.0), (0.5, 0.0, 0.0), 0.1), {"x": 0.2, "y": 0.03, "z": 0.35, "vx": 0.7}, 0.8),
    (shapes.Cylinder("ground", 0.5, 1.0, (0.0, 0.0, 1.0), (0.0, 0.0, -0.5)), {"x": 0.3, "y": 0.1, "z": 0.2, "vx": 0.5}, 1.2),
    (shapes.Cylinder("ground", 0.5, 1.0, (1.0, 0.0, 0.0), (0.0, 0.0, -0.5)), {"x": 0.3, "y": 0.1, "z": 0.3, "vx": 0.5}, 0.8)],
    ids=["off a box", "down a spike", "off a rail", "off a column", "off a roller"])
def test_a_round_ellipsoid_moves_as_a_sphere_over_faces_edges_rims_and_corners(obstacle, start, t_end):
    pair = shapes.Ellipsoid("body", (0.2, 0.2, 0.2), turn=(0.5, 0.5, -0.1, 0.7)), shapes.Sphere("body", 0.2)
    one, other = (run(ball, obstacle, start, t_end, rt.Poisson(e=0.0, mu=0.4), (0.016,) * 3) for ball in pair)
    assert one["touch.mode"].max() > 0 or len(one.impacts)
    assert one["body.z"][-1] < 0.0  # it has come off
    assert_same_motion(one, other, 1e-8)


@pytest.mark.parametrize("support", [
    shapes.Capsule("ground", (-2.0, 0.0, -0.2), (2.0, 0.0, -0.2), 0.2),
    shapes.Capsule("ground", (-2.0, 0.0, 0.0), (2.0, 0.0, 0.0), 0.0),
    shapes.Cylinder("ground", 0.2, 4.0, (1.0, 0.0, 0.0), (0.0, 0.0, -0.2)),
    shapes.Box("ground", (4.0, 0.01, 1.0), (0.0, 0.0, -0.5))], ids=["capsule", "rod", "cylinder", "wall"])
def test_an_ellipsoid_that_rocks_without_slip_keeps_its_energy(support):
    boat = shapes.Ellipsoid("body", (0.6, 0.3, 0.1), (0.0, 0.0, 0.1))
    result = run(boat, support, {"z": 0.0, "omega": (0.0, 0.8, 0.05)}, 1.5, rt.Poisson(e=0.0, mu=50.0))
    assert result.status == "finished"
    assert set(np.unique(result["touch.mode"])) == {1}
    assert np.ptp(result["body.wy"]) > 0.8  # to and fro
    assert_allclose(result.energy.total, result.energy.total[0], atol=1e-8)
