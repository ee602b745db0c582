"""Ropes, end stops and a driven obstacle against closed forms."""

import math

import numpy as np
import pytest

from routh.gallery import rope_and_stops as toys


def test_the_claims_hold():
    for claim in toys.claims():
        assert claim.holds, claim


def test_the_caught_ball_swings_on_its_circle_and_the_rope_pulls_as_a_pendulums_rod():
    result = toys.run()
    t, _, along = toys.taut()
    later = result.t > t + 1e-9
    x, y, speed2 = (result[c][later] for c in ("ball.x", "ball.y", "energy.kinetic"))
    speed2 = 2.0 / toys.MASS * speed2
    np.testing.assert_allclose(np.hypot(x, y), toys.ROPE, atol=1e-9)
    height = y + math.sqrt(toys.ROPE**2 - toys.ASIDE**2)
    np.testing.assert_allclose(speed2, along**2 - 2.0 * toys.GRAVITY * height, atol=1e-9)
    pull = toys.MASS * (speed2 / toys.ROPE - toys.GRAVITY * y / toys.ROPE)
    np.testing.assert_allclose(result["rope.force"][later], pull, atol=1e-8)
    assert (result["rope.force"][result.t < t - 1e-9] == 0.0).all()


@pytest.mark.parametrize("e", [0.3, 0.8])
def test_a_rope_gives_back_e_of_the_radial_speed(e):
    t, radial, along = toys.taut()
    after = toys.run(e, t_end=1.01 * t).at(t)
    out = np.array([toys.ASIDE, -math.sqrt(toys.ROPE**2 - toys.ASIDE**2)]) / toys.ROPE
    v = np.array([after["ball.vx"], after["ball.vy"]])
    assert v @ out == pytest.approx(-e * radial, abs=1e-10)
    assert abs(v[0] * out[1] - v[1] * out[0]) == pytest.approx(along, abs=1e-10)


def test_a_pendulum_loses_the_same_share_at_every_blow_on_a_stop_at_the_bottom():
    result = toys.run_pendulum(e=0.6)
    arriving = np.abs(result.impacts.v_before[:, 0])
    np.testing.assert_allclose(arriving[1:] / arriving[:-1], 0.6, rtol=1e-9)
    gravity_arm = 0.5 * toys.MASS * toys.GRAVITY * toys.ROD
    assert result.impacts.energy_lost[0] == pytest.approx((1.0 - 0.36) * gravity_arm * (1.0 - math.cos(1.0)), rel=1e-10)
    assert result["pin.angle"].min() > -1e-10


def test_a_pendulum_comes_to_rest_on_a_slanting_stop_and_leans_on_it():
    """Endless bounces: intervals shrink by e in the end; afterwards the stop carries the moment of the weight."""
    result = toys.run_pendulum(e=0.5, stop=0.5, lift=0.6)
    assert result["pin.angle"][-1] == pytest.approx(0.5, abs=1e-10)
    intervals = np.diff(result.impacts.t[:12])
    np.testing.assert_allclose(intervals[6:] / intervals[5:-1], 0.5, rtol=1e-3)  # e, up to how far the weight's arm varies
    moment = 0.5 * toys.MASS * toys.GRAVITY * toys.ROD * math.sin(0.5)
    assert result["stop.force"][-1] == pytest.approx(moment, rel=1e-9)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_restitution_acts_on_the_speed_relative_to_the_racket(e):
    result = toys.run_racket(e)
    assert result["ball.vx"][-1] == pytest.approx(toys.RACKET + e * (toys.RACKET - toys.BALL), abs=1e-10)
    assert np.abs(result.energy.error).max() < 1e-9
    gain = 0.5 * toys.MASS * (result["ball.vx"][-1] ** 2 - toys.BALL**2)
    paid = result.energy.drive[-1] - 0.5 * 0.3 * toys.RACKET**2
    assert paid == pytest.approx(gain + result.impacts.energy_lost[0], abs=1e-9)


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in toys.figures(tmp_path))
