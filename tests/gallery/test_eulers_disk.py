"""Euler's disk: the steady motion in closed form, any rolling by a second method, and settling in a finite time."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh.gallery import eulers_disk as disk

SHARP = rt.Options(rtol=1e-12, atol=1e-12)
UP = np.array([0.0, 0.0, 1.0])


@pytest.fixture(scope="module")
def settling():
    return disk.run(0.9 * disk.settling_time(), disk.ARM)


@pytest.fixture(scope="module", params=[disk.THICKNESS, 0.1 * disk.THICKNESS])
def lying(request):
    """(thickness, motion until rest with five times the resistance)."""
    arm = 5.0 * disk.ARM
    return request.param, rt.simulate(disk.model(arm, request.param), disk.start(thickness=request.param),
                                      t_end=1.4 * disk.settling_time(arm=arm))


def rolling(t, y):
    """d/dt of y = (axis n, ω) of a disk that rolls without slip, stated independently.

    The centre moves with -ω × r, r the arm to the touching point. Its acceleration gives the force, whose moment is r × F; both
    are linear in dω/dt.
    """
    n, omega = y[:3], y[3:]
    n_rate = np.cross(omega, n)
    level = np.linalg.norm(UP - n[2] * n)
    down = -(UP - n[2] * n) / level
    down_rate = (n_rate[2] * n + n[2] * n_rate) / level
    down_rate -= down * (down @ down_rate)
    half, across = 0.5 * disk.THICKNESS, disk.MASS * (disk.RADIUS**2 / 4.0 + disk.THICKNESS**2 / 12.0)
    r, r_rate = disk.RADIUS * down - half * n, disk.RADIUS * down_rate - half * n_rate
    inertia = across * np.eye(3) + (disk.ALONG - across) * np.outer(n, n)
    turning = (disk.ALONG - across) * np.cross(omega, n) * (n @ omega)  # ω × (inertia ω)
    free = disk.MASS * (disk.GRAVITY * UP - np.cross(omega, r_rate))  # force where dω/dt = 0
    return np.concatenate([n_rate, np.linalg.solve(inertia + disk.MASS * ((r @ r) * np.eye(3) - np.outer(r, r)),
                                                   np.cross(r, free) - turning)])


@pytest.mark.parametrize("inclination", [0.1, 0.3, 0.6])
def test_a_disk_whose_centre_is_at_rest_keeps_its_inclination_and_its_rate(inclination):
    result = rt.simulate(disk.model(arm=0.0), disk.start(inclination), t_end=0.2, options=SHARP)
    np.testing.assert_allclose(disk.inclination(result), inclination, atol=1e-9)
    np.testing.assert_allclose(disk.precession(result), disk.rate(inclination), rtol=1e-7)
    assert np.hypot(result["disk.x"], result["disk.y"]).max() < 1e-10
    np.testing.assert_allclose(result["rim.force"], disk.MASS * disk.GRAVITY, rtol=1e-8)


def test_a_thin_disk_goes_round_with_the_root_of_4_g_over_r_sin_alpha():
    for inclination in (0.05, 0.3, 1.0):
        assert disk.rate(inclination, thickness=0.0) == pytest.approx(disk.thin_rate(inclination), rel=1e-14)


def test_any_rolling_is_that_of_the_equations_by_hand():
    tilt, omega, t_end = 0.5, np.array([3.0, -12.0, 9.0]), 0.4
    s, c, half = math.sin(tilt), math.cos(tilt), 0.5 * disk.THICKNESS
    arm = disk.RADIUS * np.array([c, 0.0, -s]) - half * np.array([s, 0.0, c])
    speed = dict(zip(("vx", "vy", "vz"), -np.cross(omega, arm), strict=True))
    start = rt.State(disk={"z": -arm[2], "q": (math.cos(0.5 * tilt), 0.0, math.sin(0.5 * tilt), 0.0), "omega": omega, **speed})
    result = rt.simulate(disk.model(arm=0.0), start, t_end=t_end, options=SHARP)
    other = solve_ivp(rolling, (0.0, t_end), [s, 0.0, c, *omega], method="DOP853", rtol=1e-11, atol=1e-11, t_eval=[t_end])
    assert np.ptp(disk.inclination(result)) > 0.1
    assert set(result.events.kind) == {"stick"}
    assert math.cos(disk.inclination(result)[-1]) == pytest.approx(other.y[2, -1], abs=1e-8)
    np.testing.assert_allclose([result[f"disk.w{i}"][-1] for i in "xyz"], other.y[3:, -1], atol=1e-6)


def test_rolling_resistance_ends_the_motion_in_the_time_of_the_small_angles(settling):
    # √α against time is a straight line; the centre does not quite stay at rest, which costs a few percent
    root = np.sqrt(disk.inclination(settling))
    slope, first = np.polyfit(settling.t, root, 1)
    assert -first / slope == pytest.approx(disk.settling_time(), rel=0.03)
    assert np.abs(root - first - slope * settling.t).max() < 0.03 * root[0]


def test_the_precession_grows_while_the_disk_settles(settling):
    quarters = [part.mean() for part in np.array_split(disk.precession(settling), 4)]
    assert quarters == sorted(quarters)
    assert quarters[-1] > 4.0 * quarters[0]
    assert disk.inclination(settling)[-1] < 0.004
    work = -disk.ARM * disk.MASS * disk.GRAVITY * np.linalg.norm([settling[f"disk.w{i}"] for i in "xyz"], axis=0)
    taken = np.sum(0.5 * (work[1:] + work[:-1]) * np.diff(settling.t))
    assert settling.energy["total"][-1] - settling.energy["total"][0] == pytest.approx(taken, rel=1e-3)  # 1000 trapezia


def test_the_disk_comes_to_rest_and_lies_flat(lying):
    thickness, lying = lying
    end = lying.impacts.t[-1]
    arm = 5.0 * disk.ARM
    assert 1.0 < end / disk.settling_time(arm=arm) < 1.25  # later than the small angles say, as it nods at last
    after = lying.t > end
    assert after.sum() > 100
    for name in ("vx", "vy", "vz", "wx", "wy", "wz"):
        assert (lying[f"disk.{name}"][after] == 0.0).all()
    np.testing.assert_allclose(lying["disk.z"][after], 0.5 * thickness, rtol=0.0, atol=1e-12)
    assert disk.inclination(lying)[after].max() < 1e-10
    np.testing.assert_allclose(lying["rim.force"][after], disk.MASS * disk.GRAVITY, rtol=1e-12)
    assert np.abs(lying.energy["error"]).max() < 1e-6 * lying.energy["total"][0]


def test_before_it_lies_the_disk_rocks_like_a_plate_that_falls_about_its_rim(lying):
    """Once the precession has gone, the touching point carries A / (A + m R²) of the weight: a fifth of a thin disk's."""
    thickness, lying = lying
    across = disk.RADIUS**2 / 4.0 + thickness**2 / 12.0
    share = across / (across + disk.RADIUS**2)
    last = lying.t < lying.impacts.t[0]
    force = lying["rim.force"][last][-10:]
    np.testing.assert_allclose(np.median(force), share * disk.MASS * disk.GRAVITY, rtol=0.05)  # thickness / R
