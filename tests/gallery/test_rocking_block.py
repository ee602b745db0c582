"""The rocking block against conservation of angular momentum and the energy integral."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from routh.gallery import rocking_block as block


def test_the_claims_hold():
    for claim in block.claims():
        assert claim.holds, claim


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5])
def test_a_blow_keeps_the_angular_momentum_about_the_new_corner(alpha):
    """From the dimensions, not from the formula for slender angles: m r × v + I ω about O', before and after."""
    result = block.run(0.6, alpha, t_end=1.3 * block.quarter_period(0.6 * alpha, alpha))
    t, before, after = block.impacts(result)
    b, h = block.HALF_HEIGHT * math.tan(alpha), block.HALF_HEIGHT
    inertia = (b * b + h * h) / 3.0
    # about the old corner (b, -h) from the centre: v = ω (-h, -b) × ..., so (r × v) about the new one is ω (h² - b²)
    assert before[0] * (inertia + h * h - b * b) == pytest.approx(after[0] * (inertia + h * h + b * b), rel=1e-9)
    assert after[0] / before[0] == pytest.approx(block.ratio(alpha), rel=1e-9)
    assert t[0] == pytest.approx(block.quarter_period(0.6 * alpha, alpha), abs=1e-9)


def test_the_quadrature_agrees_with_integrating_the_equation_of_motion():
    alpha, theta = 0.3, 0.2
    upright = lambda t, y: y[0]  # noqa: E731
    upright.terminal = True
    p2 = block.rate(alpha) ** 2
    fall = solve_ivp(lambda t, y: [y[1], -p2 * math.sin(alpha - y[0])], (0.0, 5.0), [theta, 0.0], events=upright,
                     rtol=1e-12, atol=1e-13, method="DOP853")
    assert fall.t_events[0][0] == pytest.approx(block.quarter_period(theta, alpha), abs=1e-10)


def test_the_corner_holds_while_the_block_rocks_and_energy_falls_only_at_blows():
    result = block.run(t_end=4.0)
    assert result.energy.friction[-1] == 0.0
    assert np.abs(result.energy.error).max() < 1e-9
    assert result["floor.gap"].min() > -1e-9
    assert (np.diff(result.energy.total) < 1e-9).all()


def test_the_block_comes_to_rest_when_the_series_of_its_swings_ends():
    """Speeds fall by a constant ratio and swings shorten with them: infinitely many in a finite time."""
    theta, end = 0.3 * 0.5, block.quarter_period(0.15, 0.5)
    while theta > 1e-9:
        theta = block.amplitude(theta, 0.5)
        end += 2.0 * block.quarter_period(theta, 0.5)
    result = block.run(0.3, 0.5, t_end=end + 0.5)
    assert result.status == "finished"
    assert abs(result["block.theta"][-1]) < 1e-9
    assert result.impacts.t[-1] == pytest.approx(end, abs=1e-4)
    still = result.t > end + 1e-3
    assert np.abs(result["block.omega"][still]).max() < 1e-9


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in block.figures(tmp_path))
