"""A wrist pin with clearance: a hole and a rope tell the same story, and it tends to the ideal mechanism's."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from routh.gallery import slider_crank_clearance as crank


def test_the_claims_hold():
    for claim in crank.claims():
        assert claim.holds, claim


@pytest.mark.parametrize("clearance", [5e-4, 1e-4, 2e-5])
def test_the_hole_never_lets_the_journal_out(clearance):
    result = crank.run(clearance)
    assert result["pin.gap"].min() > -1e-12
    np.testing.assert_allclose(clearance - np.hypot(*crank.eccentricity(result).T), result["pin.gap"], atol=1e-14)
    power = np.abs(result["motor.force"]).max() * crank.SPEED * result.t[-1]  # bound of what the driver moves to and fro
    assert np.abs(result.energy.error).max() < 1e-9 * power


def test_the_ideal_motion_is_differentiated_rightly():
    t, h = np.linspace(0.0, 0.1, 41), 1e-6
    (x1, v1, _), (x0, v0, _) = crank.ideal(t + h), crank.ideal(t - h)
    _, v, a = crank.ideal(t)
    np.testing.assert_allclose((x1 - x0) / (2.0 * h), v, atol=1e-7)  # h² times the third derivative
    np.testing.assert_allclose((v1 - v0) / (2.0 * h), a, atol=1e-4)


def test_the_first_blow_comes_when_the_free_rod_has_crossed_the_clearance():
    """Until then the slider rests and the rod is a pendulum in the field of its turning pivot, written by hand."""
    r, l, w, c = crank.CRANK, crank.ROD, crank.SPEED, crank.CLEARANCE

    def rod(t, y):  # inertia m l²/3 about the pin, whose acceleration is -r w² along the crank
        return [y[1], -1.5 * r * w**2 / l * np.sin(y[0] - w * t)]

    def gap(t, y):
        return c - np.hypot(r * np.cos(w * t) + l * np.cos(y[0]) - r - l, r * np.sin(w * t) + l * np.sin(y[0]))

    gap.terminal = True
    flight = solve_ivp(rod, (0.0, 0.01), [0.0, -w * r / l], events=gap, rtol=1e-12, atol=1e-14, method="DOP853")
    assert crank.run(turns=0.1).impacts.t[0] == pytest.approx(flight.t_events[0][0], abs=1e-9)


def test_bounces_on_the_wall_and_on_the_rope_end_alike():
    """Ever smaller bounces, infinitely many in a finite time; then the journal stays on the wall."""
    wall, rope = (crank.run(e=0.5, turns=0.1, rope=rope) for rope in (False, True))
    np.testing.assert_allclose(wall.impacts.t[:8], rope.impacts.t[:8], atol=1e-9)
    np.testing.assert_allclose(wall.impacts.p_n[:8], rope.impacts.p_n[:8], rtol=1e-6)
    for result in (wall, rope):
        assert result["pin.gap"][-1] == pytest.approx(0.0, abs=1e-12)
        assert result["pin.force"][-1] > 0.0
    assert wall["pin.force"][-1] == pytest.approx(rope["pin.force"][-1], rel=1e-5)


def test_friction_in_the_hole_takes_energy():
    smooth, rough = crank.run(turns=0.25), crank.run(mu=0.1, turns=0.25)
    assert smooth.energy.friction[-1] == 0.0
    assert rough.energy.friction[-1] < 0.0


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in crank.figures(tmp_path))
