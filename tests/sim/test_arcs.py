"""Motion on arcs of terrain: as on the disk that an arc is a part of, as a disk where an ellipse is one, as a pendulum."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk

import routh as rt
from routh import shapes

approx = pytest.approx
G, GROUND = 9.81, "ground"
SHARP = {"rtol": 1e-11, "atol": 1e-12}
# a hill of radius 1 about (0, -1) between two floors, which it meets at corners
HILL = shapes.Polyline(GROUND, [(-5.0, -1.0), (-1.0, -1.0), (1.0, -1.0), (5.0, -1.0)], [0.0, -1.0, 0.0])
# flat, a hollow of radius 2 that begins and ends gently, a hill that does, flat
WAVES = shapes.Polyline(GROUND, [(-9.0, 0.0), (-2.0, 0.0), (-1.0, 0.4), (0.0, 0.8), (9.0, 0.8)],
                        [0.0, math.tan(0.5 * math.atan(0.4)), -math.tan(0.5 * math.atan(0.4)), 0.0])


def moved(shape, obstacle, start, t_end, law, inertia=0.05, output=0.02):
    model = rt.Model("planar", [rt.Body("body", 1.0, inertia)], gravity=(0.0, -G),
                     contacts=[rt.Contact("touch", shape, obstacle, law)])
    result = rt.simulate(model, rt.State(body=start), t_end, options=rt.Options(**SHARP, output=output))
    assert abs(result.energy["error"]).max() < 1e-9 * max(abs(result.energy["total"]).max(), 1.0)
    return result


def same(one, other, tolerance=1e-8):
    """Two runs of a second on the same path; an event is met to 1e-12 and errors grow as the motion parts."""
    assert len(one.impacts) == len(other.impacts)
    t = np.arange(0.0, one.t[-1], 0.02)
    for name in ("body.x", "body.y", "body.theta", "body.vx", "body.omega"):
        assert_allclose([one.at(s)[name] for s in t], [other.at(s)[name] for s in t], atol=tolerance)


SHAPES = {
    "polygon": (shapes.Polygon("body", [(-0.7, -0.1), (0.7, -0.1), (0.7, 0.1), (-0.7, 0.1)]), 0.1),
    "capsule": (shapes.Capsule("body", (-0.6, 0.0), (0.6, 0.0), 0.1), 0.1),
    "ellipse": (shapes.Ellipse("body", (0.5, 0.2)), 0.2),
}


@pytest.mark.parametrize("law", [rt.Newton(0.0, 0.0), rt.Newton(0.4, 0.6), rt.Stronge(0.7, 0.2)], ids=str)
@pytest.mark.parametrize("name", SHAPES)
def test_what_moves_on_a_hill_moves_as_on_the_disk_that_it_is_a_part_of(name, law):
    shape, height = SHAPES[name]
    start = {"x": 0.05, "y": height + 0.02, "theta": 0.03, "omega": 0.2}
    runs = [moved(shape, obstacle, start, 0.6, law) for obstacle in (HILL, shapes.Disk(GROUND, 1.0, (0.0, -1.0)))]
    same(*runs)
    assert len(runs[0].events) > 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", SHAPES)
def test_what_tumbles_over_a_hill_hands_its_touch_from_corners_to_sides_and_back_without_a_kick(name, seed):
    """Corner and side close on each other without speed: their gaps touch zero where nothing is left of their rates."""
    rng, (shape, height) = np.random.default_rng(seed), SHAPES[name]
    start = {"x": rng.uniform(-0.5, 0.5), "y": height + 0.7, "theta": rng.uniform(-3.0, 3.0), "vx": rng.normal(),
             "omega": rng.normal()}
    law = rt.Newton(0.0, float(rng.choice([0.0, 0.1, 1.0])))
    result = moved(shape, HILL, start, 1.0, law)
    assert result.status == "finished"
    assert result["touch.gap"].min() > -1e-9


@pytest.mark.parametrize("law", [rt.Newton(0.0, 0.0), rt.Newton(0.0, 0.5), rt.Poisson(0.5, 0.3)], ids=str)
@pytest.mark.parametrize("vx", [1.0, 2.6, 4.5])
def test_an_ellipse_that_is_a_disk_runs_through_hollows_and_over_hills_as_a_disk(vx, law):
    start = {"x": -3.0, "y": 0.2, "vx": vx, "omega": -vx / 0.2}
    same(*(moved(shape, WAVES, start, 1.2, law, inertia=0.02)
           for shape in (shapes.Ellipse("body", (0.2, 0.2)), shapes.Disk("body", 0.2))))


def test_a_plank_on_a_round_hill_rocks_with_the_frequency_of_its_height_over_the_hill():
    """ω² = g (R - h) / (k² + h²) for small angles, rolling without slip; stable because h < R."""
    h, inertia, tilt = 0.1, 0.2, 1e-3
    plank = shapes.Polygon("body", [(-0.7, -h), (0.7, -h), (0.7, h), (-0.7, h)])
    # rolled by `tilt`: the contact is where the hill's normal has turned as far, and the plank has run over its arc
    n, t = np.array([-math.sin(tilt), math.cos(tilt)]), np.array([math.cos(tilt), math.sin(tilt)])
    x, y = np.array([0.0, -1.0]) + (1.0 + h) * n + 1.0 * tilt * t
    result = moved(plank, HILL, {"x": x, "y": y, "theta": tilt}, 3.0, rt.Newton(0.0, 0.9), inertia=inertia)
    omega = math.sqrt(G * (1.0 - h) / (inertia + h * h))
    assert set(result.events.kind) <= {"stick", "start"}
    drift = 2.0 * tilt**2 * omega * result.t  # of the phase, by terms of the third order
    assert_allclose(result["body.theta"], tilt * np.cos(omega * result.t), atol=tilt * drift.max())


def test_an_ellipse_across_a_narrow_bowl_swings_about_its_middle_as_a_pendulum():
    """Both tips on a circle of radius R about C: no sliding changes their distance from C, so without friction it is a
    pendulum of length d = C - G with the period 4 √((k² + d²)/(g d)) K(sin²(φ0/2)).
    """
    a, b, R, inertia, swing = 0.5, 0.2, 0.7, 0.08, 0.6
    bowl = shapes.Polyline(GROUND, [(-R, 0.0), (R, 0.0)], [1.0])
    # farthest places from C = (0, d) in the ellipse's axes: both tips at R where (a² - b²) sin τ = b d
    d = math.sqrt((R * R - a * a) * (a * a - b * b)) / a
    start = {"x": d * math.sin(swing), "y": -d * math.cos(swing), "theta": swing}
    period = 4.0 * math.sqrt((inertia + d * d) / (G * d)) * ellipk(math.sin(0.5 * swing) ** 2)
    result = moved(shapes.Ellipse("body", (a, b)), bowl, start, period, rt.Newton(0.0, 0.0), inertia, 0.125 * period)
    assert_allclose(np.hypot(result["body.x"], result["body.y"]), d, atol=1e-9)
    assert result["body.theta"][-1] == approx(swing, abs=1e-8)
    assert result.at(0.5 * period)["body.theta"] == approx(-swing, abs=1e-8)
    assert result["touch.force"].min() > 0.0


def test_an_ellipse_dropped_into_a_narrow_bowl_comes_to_rest_on_both_tips():
    bowl = shapes.Polyline(GROUND, [(-1.2, 0.0), (-0.7, 0.0), (0.7, 0.0), (1.2, 0.0)], [0.0, 1.0, 0.0])
    start = {"x": 0.02, "y": 0.3, "theta": 1.2}
    result = moved(shapes.Ellipse("body", (0.2, 0.5)), bowl, start, 6.0, rt.Newton(0.2, 0.4), inertia=0.08)
    assert result.status == "finished"
    assert result["touch.mode"][-1] == 1.0
    assert result["touch.force"][-1] > G  # two tips that lean against each other press by more than the weight
    assert abs(result["body.vx"][-1]) == abs(result["body.omega"][-1]) == 0.0
    assert result["touch.gap"].min() > -1e-9


def test_a_crate_tips_over_the_round_edge_of_a_table_about_where_its_side_touches():
    """Two thirds of it are over the edge: the side rests on the beginning of the rounding alone, and it turns about there."""
    table = shapes.Polyline(GROUND, [(-3.0, 0.0), (0.0, 0.0), (0.2, -0.2), (0.2, -3.0)], [0.0, -math.tan(math.pi / 8.0), 0.0])
    crate = shapes.Polygon("body", [(-0.3, -0.1), (0.3, -0.1), (0.3, 0.1), (-0.3, 0.1)])
    inertia, over = (0.36 + 0.04) / 12.0, 0.1
    result = moved(crate, table, {"x": over, "y": 0.1}, 0.05, rt.Newton(0.0, 2.0), inertia=inertia)
    # α = m g over / (I + m (over² + h²)) at the start, about the place where the table begins to bend
    assert result["body.alpha"][1 if result.t[1] == 0.0 else 0] == approx(-G * over / (inertia + over**2 + 0.01), rel=1e-9)


def test_an_ellipse_runs_over_the_end_of_a_face_without_a_thousand_steps():
    """Just past it, the separations of face and corner differ by round-off while the forces differ twentyfold."""
    valley = [(-3.0, -1.0), (-1.6111190098727586, -1.5363448766757393), (-1.602532674949512, -1.0701846720156216), (3.0, -1.6)]
    model = rt.Model("planar", [rt.Body("egg", 1.0, 0.01)], contacts=[
        rt.Contact("hit", shapes.Ellipse("egg", (0.205, 0.097)), shapes.Polyline("ground", valley), rt.Newton(0.5, 0.0))])
    start = rt.State(egg={"x": -1.990904280535627, "theta": 1.1291798421074386, "vy": -6.245051668122017,
                          "omega": -0.5749577865285724})
    result = rt.simulate(model, start, 0.32, options=rt.Options(rtol=1e-12, atol=1e-13))
    assert result.statistics["accepted"] < 1000
