"""The rattleback: reversal one way only, energy kept, and the same motion by equations of rolling stated independently."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh.gallery import rattleback

SQUARES = np.array(rattleback.AXES) ** 2


def cross(a, b):
    """Of two vectors; numpy's takes ten times as long."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rolling(t, y):
    """d/dt of y = (up, ω), both in the body's axes, of an ellipsoid that rolls without slip."""
    up, omega = y[:3], y[3:]
    up_rate = cross(up, omega)
    reach = np.sqrt(SQUARES @ up**2)
    r = -SQUARES * up / reach + (0.0, 0.0, rattleback.HEIGHT)
    r_rate = -SQUARES * up_rate / reach + SQUARES * up * (SQUARES * up @ up_rate) / reach**3
    inertia, m = np.array(rattleback.INERTIA), rattleback.MASS
    free = m * (rattleback.GRAVITY * up - cross(omega, r_rate) - cross(omega, cross(omega, r)))
    return np.concatenate([up_rate, np.linalg.solve(inertia + m * ((r @ r) * np.eye(3) - np.outer(r, r)),
                                                    cross(r, free) - cross(omega, inertia @ omega))])


@pytest.fixture(scope="module")
def against():
    return rattleback.run(spin=-rattleback.SPIN, options=rt.Options(rtol=1e-11, atol=1e-12))


def test_spun_against_its_preference_it_turns_back(against):
    spin = against["stone.wz"]
    assert spin[0] == -rattleback.SPIN
    assert spin[-1] > 0.9 * rattleback.SPIN


def test_spun_the_other_way_it_goes_on():
    assert rattleback.run()["stone.wz"].min() > 0.99 * rattleback.SPIN


def test_its_mirror_image_prefers_the_other_sense():
    assert rattleback.run(twist=-1.0)["stone.wz"][-1] < -0.9 * rattleback.SPIN
    assert rattleback.run(twist=-1.0, spin=-rattleback.SPIN)["stone.wz"].max() < -0.99 * rattleback.SPIN


def test_with_its_axes_aligned_it_has_no_preference():
    for sense in (1.0, -1.0):
        spin = rattleback.run(spin=sense * rattleback.SPIN, twist=0.0)["stone.wz"]
        assert np.all(sense * spin > 0.98 * rattleback.SPIN)


def test_rolling_keeps_the_energy(against):
    assert set(against.events.kind) == {"stick"}
    np.testing.assert_allclose(against.energy["total"], against.energy["total"][0], rtol=1e-9)


def test_the_spin_falls_as_the_equations_by_hand_say(against):
    start = [0.0, 0.0, 1.0, rattleback.NUDGE, rattleback.NUDGE, -rattleback.SPIN]
    times = against.t[against.t <= 2.5][::50]
    other = solve_ivp(rolling, (0.0, times[-1]), start, method="DOP853", rtol=1e-9, atol=1e-11, t_eval=times)
    spin = (other.y[:3] * other.y[3:]).sum(axis=0)  # ω · up
    assert np.ptp(spin) > 0.2 * rattleback.SPIN
    np.testing.assert_allclose(against["stone.wz"][against.t <= 2.5][::50], spin, atol=1e-6)  # growth multiplies errors
