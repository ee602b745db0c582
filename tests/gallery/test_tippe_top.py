"""The tippe top: Jellett's integral, the least energy it allows, and where that sends the top."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import tippe_top as top

ANGLES = np.linspace(0.0, np.pi, 2001)


@pytest.fixture(scope="module")
def turning():
    return top.run()


@pytest.mark.parametrize("mu", [None, 0.0, 0.05, 0.3, 2.0])
def test_jelletts_integral_survives_every_friction(mu):
    result = top.run(t_end=0.5, mu=mu, options=rt.Options(rtol=1e-12, atol=1e-12))
    np.testing.assert_allclose(top.jellett(result), top.jellett(result)[0], rtol=1e-11)  # 100 steps at 1e-12 and round-off


def test_jelletts_integral_survives_blows():
    dropped = top.start()
    entry = dict(dropped["top"], z=dropped["top"]["z"] + 0.05, vx=0.3)
    model = top.model(0.3).replace({"tip.law.e": 0.6})
    result = rt.simulate(model, rt.State(top=entry), t_end=0.5, options=rt.Options(rtol=1e-12, atol=1e-12))
    assert len(result.impacts) >= 3
    assert result.energy["total"][-1] < 0.99 * result.energy["total"][0]
    np.testing.assert_allclose(top.jellett(result), top.jellett(result)[0], rtol=1e-11)


def test_a_fast_top_turns_over_and_spins_on_as_jelletts_integral_says(turning):
    assert top.inclination(turning)[-1] > 0.98 * np.pi
    upside_down = top.jellett(turning)[0] / (top.ALONG * (top.RADIUS + top.OFFSET))
    assert turning["top.wz"][-1] == pytest.approx(upside_down, rel=1e-3)  # it still wobbles by 2 degrees
    assert upside_down == pytest.approx(top.SPIN * (top.RADIUS - top.OFFSET) / (top.RADIUS + top.OFFSET), rel=0.01)
    rise = turning["top.z"][-1] - turning["top.z"][0]
    assert rise == pytest.approx(2.0 * top.OFFSET, rel=0.01)


def test_energy_falls_and_stays_above_the_least_that_the_integral_allows(turning):
    energy = turning.energy["total"]
    assert np.diff(energy).max() < 1e-9 * energy[0]
    assert np.all(energy > top.least_energy(top.inclination(turning), top.jellett(turning)[0]))


def test_the_thresholds_of_spin_are_where_the_least_energy_changes_its_ends():
    for spin, at in ((top.rising_spin(), 0.0), (top.turning_spin(), np.pi)):
        curvature = [_curvature(factor * spin, at) for factor in (0.99, 1.01)]
        assert min(curvature) < 0.0 < max(curvature)
        assert _curvature(spin, at) == pytest.approx(0.0, abs=1e-3 * max(curvature))


@pytest.mark.parametrize("spin", [28.0, 50.0, 60.0])
def test_a_slow_top_goes_where_the_least_energy_is(spin):
    result = top.run(t_end=12.0, spin=spin)
    best = ANGLES[np.argmin(top.least_energy(ANGLES, top.jellett(result)[0]))]
    assert top.inclination(result)[-1] == pytest.approx(best, abs=0.15)  # it wobbles
    assert (spin < top.rising_spin()) == (best == 0.0)
    assert (spin > top.turning_spin()) == (best == np.pi)


def test_with_friction_at_a_point_the_top_rolls_and_stays_up():
    result = top.run(mu=top.FRICTION)
    assert result.events.kind.tolist() == ["slip", "stick"]
    after = result.t > result.events.t[-1]
    np.testing.assert_allclose(result.energy["total"][after], result.energy["total"][-1], rtol=1e-9)
    assert top.inclination(result)[after].max() < top.TILT


def _curvature(spin, at):
    """Of the least energy at one end, for a top that starts upright."""
    integral = top.ALONG * spin * (top.RADIUS - top.OFFSET)
    step = 1e-3
    low, middle, high = top.least_energy(np.array([at - step, at, at + step]), integral)
    return (low - 2.0 * middle + high) / step**2
