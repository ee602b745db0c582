"""Newton's cradle: velocities are swapped, so k balls in are k balls out."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import newtons_cradle as cradle

ROUND_OFF = 1e-9  # of speeds in units of the arriving one; the run is exact to 1e-11 per step


def test_the_claims_hold():
    for claim in cradle.claims():
        assert claim.holds, claim


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_balls_come_back_after_half_a_period(k):
    """k out rise as far as k in fell, fall again, and click the other way round."""
    result = cradle.run(k, t_end=4.5 * cradle.fall_time())
    clicks = np.unique(np.round(result.impacts.t, 9))
    np.testing.assert_allclose(clicks[:2], [cradle.fall_time(), 3.0 * cradle.fall_time()], atol=1e-8)
    np.testing.assert_allclose(cradle.speeds(result, float(result.impacts.t[-1])), [-1.0] * k + [0.0] * (5 - k), atol=ROUND_OFF)


@pytest.mark.parametrize("e", [0.5, 0.9])
def test_two_balls_part_by_the_law_of_restitution(e):
    result = cradle.run(1, n=2, e=e, t_end=0.5)
    after = cradle.speeds(result, float(result.impacts.t[0]), n=2)
    np.testing.assert_allclose(after, [0.5 * (1.0 - e), 0.5 * (1.0 + e)], atol=ROUND_OFF)
    lost = 0.25 * (1.0 - e * e) * result.energy.kinetic.max()  # of the energy that arrives, for equal masses 1/2 (1 - e²) / 2
    assert result.impacts.energy_lost[0] == pytest.approx(2.0 * lost, rel=1e-8)


@pytest.mark.parametrize("impacts", ["sequential", "simultaneous"])
def test_momentum_passes_through_a_click_whichever_way_it_is_taken(impacts):
    result = cradle.run(2, n=3, t_end=0.5, impacts=impacts)
    assert cradle.speeds(result, float(result.impacts.t[0]), n=3).sum() == pytest.approx(2.0, abs=ROUND_OFF)
    assert np.ptp(result.energy.total) < 1e-10


@pytest.mark.parametrize(("k", "n"), [(1, 3), (2, 3), (1, 5), (2, 5)])
def test_both_engines_take_a_click_of_all_balls_together_alike(k, n):
    """Newton's law for all contacts at once. Steps of 1 ms err by their second order, (g/L) h² = 3e-5 of a speed."""
    events, steps = (cradle.run(k, n=n, t_end=0.5, impacts="simultaneous", options=options)
                     for options in (None, rt.Options(engine="stepping", step=1e-3, contact_tolerance=1e-10)))
    t = cradle.fall_time() + 5e-3
    np.testing.assert_allclose(cradle.speeds(steps, t, n), cradle.speeds(events, t, n), atol=3e-5)
    assert np.ptp(steps.energy.total) < 3e-5 * steps.energy.kinetic.max()


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in cradle.figures(tmp_path))
