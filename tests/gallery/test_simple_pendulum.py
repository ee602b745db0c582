"""The simple pendulum: its period is an elliptic integral."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import simple_pendulum


def test_the_bob_is_back_where_it_started_after_each_exact_period():
    T = simple_pendulum.period()
    result = simple_pendulum.run(4.0 * T, rt.Options(rtol=1e-12, atol=1e-13, output=T * np.arange(5)))
    # four periods of an order 8 method at 1e-12; the bob's inertia adds 5e-13
    np.testing.assert_allclose(result["bob.x"], -simple_pendulum.LENGTH, atol=1e-10)
    np.testing.assert_allclose(result["bob.y"], 0.0, atol=1e-9)


def test_energy_is_kept_for_ten_seconds():
    energy = simple_pendulum.run().energy["total"]
    assert np.ptp(energy) < 1e-6 * simple_pendulum.GRAVITY  # J; default tolerance 1e-8, some hundred steps


def test_small_swings_take_two_pi_root_l_over_g():
    expected = 2.0 * np.pi * np.sqrt(simple_pendulum.LENGTH / simple_pendulum.GRAVITY)
    assert simple_pendulum.period(1e-4) == pytest.approx(expected, rel=1e-9)  # next term: amplitude²/16
