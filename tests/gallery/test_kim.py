"""The models of kim: force pulses against the momentum they carry, and the tank at rest on its springs."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import kim

SHARP = rt.Options(rtol=1e-12, atol=1e-14)

# horizontal velocity of G at the pulse's end, force minus momentum approach, by the pulse's width in s; from
# independent solutions to 34 digits
LAG = {0.1: 4.41187801e-3, 0.02: 1.77314360e-4, 0.01: 4.43351726e-5, 0.005: 1.10842046e-5}


def velocity_of_g(result):
    return result["link2.vx"][-1]


def test_an_impulse_gives_the_exact_velocity_of_g():
    omega1, omega2 = kim.velocity_jump()
    assert (omega1, omega2) == pytest.approx((32 / 113, 18 / 113), abs=1e-15)
    start = rt.evaluate(kim.double_pendulum(), kim.hanging(omega1, omega2))
    assert velocity_of_g(start) == pytest.approx(41 / 113, abs=1e-15)


@pytest.mark.parametrize(("width", "lag"), LAG.items())
def test_a_rectangle_lags_behind_the_impulse_by_the_published_difference(width, lag):
    force = kim.strike("rectangle", width, t_end=kim.STRIKE + width, options=SHARP)
    struck = kim.hanging(*kim.velocity_jump())
    momentum = rt.simulate(kim.double_pendulum(), struck, t_end=width, options=SHARP)
    assert velocity_of_g(force) - velocity_of_g(momentum) == pytest.approx(lag, abs=5e-12)  # 9 digits printed


@pytest.mark.parametrize("shape", ["rectangle", "triangle", "cubic"])
def test_the_shape_of_a_short_pulse_hardly_matters(shape):
    """The claim of Fig. 2: the three curves lie on one another."""
    end = kim.STRIKE + 0.02
    v = velocity_of_g(kim.strike(shape, 0.02, t_end=end, options=SHARP))
    assert v == pytest.approx(41 / 113, rel=1e-3)  # the rectangle itself is 2.4e-4 below


@pytest.mark.parametrize("width", [1e-3, 1e-5, 1e-7])
def test_no_pulse_is_too_short_to_be_seen(width):
    """Fig. 4 shows an integrator that steps over pulses of 5 ms; edges are stops for ours."""
    result = kim.strike("rectangle", width, t_end=kim.STRIKE + width)
    assert velocity_of_g(result) == pytest.approx(41 / 113, abs=1e-5)  # the pendulum swings during the pulse


def test_the_tank_has_36_coordinates_and_2_degrees_of_freedom():
    model = kim.tank()
    assert 3 * len(model.bodies) == 36
    report = rt.degrees_of_freedom(model, kim.assembled())
    assert report.freedom == 2
    assert not report.redundant


def test_the_tank_settles_where_the_independent_solution_says():
    at_rest = rt.evaluate(kim.tank(), kim.settled())
    assert at_rest["arm1.theta"][0] == pytest.approx(1.94978094982, abs=1e-9)
    assert at_rest["hull.theta"][0] == pytest.approx(0.0146364838155, abs=1e-9)
    assert at_rest["hull.x"][0] == pytest.approx(-0.400353347892, abs=1e-9)
    assert at_rest["hull.y"][0] == pytest.approx(2.39969987012, abs=1e-9)


def test_the_settled_tank_stays_where_it_is():
    result = rt.simulate(kim.tank(), kim.settled(), t_end=5.0)
    for channel in ("hull.x", "hull.y", "hull.theta"):
        assert np.ptp(result[channel]) < 1e-8


def test_the_ground_carries_the_tanks_weight():
    at_rest = rt.evaluate(kim.tank(), kim.settled())
    lift = at_rest["wheel1.reaction"][0, 1] + sum(at_rest[f"slide{i}.reaction"][0, 1] for i in range(2, 7))
    weight = kim.GRAVITY * sum(body.mass for body in kim.tank().bodies)
    assert lift == pytest.approx(weight, rel=1e-9)
