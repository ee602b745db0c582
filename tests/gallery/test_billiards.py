"""The break: its first impact in closed form, its first impacts by a second method, and then everything comes to rest."""

import math
from itertools import combinations

import numpy as np
import pytest

import routh as rt
from routh.gallery import billiards

PAIRS = np.array(list(combinations(range(16), 2)))


@pytest.fixture(scope="module")
def result():
    return billiards.run()


def hard_disks(t_end):
    """Positions and number of impacts without cloth: straight lines between the roots of quadratics."""
    start = billiards.start()
    x = np.array([[start[b].get("x"), start[b].get("y")] for b in billiards.BALLS])
    v = np.zeros_like(x)
    v[0, 0] = billiards.SPEED
    low, high = billiards.RADIUS, np.array([billiards.LENGTH, billiards.WIDTH]) - billiards.RADIUS
    i, j = PAIRS.T
    t, impacts = 0.0, 0
    while True:
        d, w = x[j] - x[i], v[j] - v[i]
        half, speed = (d * w).sum(axis=1), (w * w).sum(axis=1)
        room = half**2 - speed * ((d * d).sum(axis=1) - 4.0 * billiards.RADIUS**2)
        with np.errstate(divide="ignore", invalid="ignore"):
            pair = np.where((half < 0.0) & (room > 0.0), (-half - np.sqrt(np.maximum(room, 0.0))) / speed, np.inf)
            wall = np.where(v > 0.0, (high - x) / v, np.where(v < 0.0, (low - x) / v, np.inf))
        dt = min(pair.min(), wall.min())
        if t + dt > t_end:
            return x + v * (t_end - t), impacts
        x, t, impacts = x + v * dt, t + dt, impacts + 1
        if wall.min() < pair.min():
            k = np.unravel_index(wall.argmin(), wall.shape)
            v[k] *= -billiards.E_CUSHION
        else:
            a, b = PAIRS[pair.argmin()]
            n = (x[b] - x[a]) / np.linalg.norm(x[b] - x[a])
            p = -0.5 * (1.0 + billiards.E_BALL) * (v[b] - v[a]) @ n * n
            v[a], v[b] = v[a] - p, v[b] + p


def test_the_first_blow_is_that_of_two_equal_balls(result):
    impact, apex = result.impacts[0], 0.75 * billiards.LENGTH
    # the cue ball runs up to a distance of two radii, slowed by the cloth all the way
    run = apex - math.sqrt(4.0 * billiards.RADIUS**2 - billiards.AIM**2) - 0.25 * billiards.LENGTH
    speed = math.sqrt(billiards.SPEED**2 - 2.0 * billiards.ROLLING * billiards.GRAVITY * run)
    along = speed * math.sqrt(1.0 - (billiards.AIM / (2.0 * billiards.RADIUS)) ** 2)
    assert impact.contact == "click_cue-ball1"
    assert impact.v_before[0] == pytest.approx(-along, rel=1e-7)  # the drag fades by (creep / speed)² / 2 = 2e-7 of itself
    assert impact.p_n == pytest.approx(0.5 * (1.0 + billiards.E_BALL) * billiards.MASS * along, rel=1e-7)
    assert impact.energy_lost == pytest.approx(0.25 * (1.0 - billiards.E_BALL**2) * billiards.MASS * along**2, rel=1e-7)


def test_without_cloth_the_break_is_that_of_hard_disks():
    t_end = 0.5
    result = rt.simulate(billiards.model(rolling=0.0), billiards.start(), t_end=t_end, options=rt.Options(output=[t_end]))
    exact, impacts = hard_disks(t_end)
    assert len(result.impacts) == impacts > 20
    # each impact multiplies an error by path over radius; 1e-12 is the resolution of an instant
    np.testing.assert_allclose(billiards.positions(result)[-1], exact, atol=1e-7)


def test_energy_never_grows(result):
    assert np.diff(result.energy["total"]).max() < 1e-12 * result.energy["total"][0]
    assert np.abs(result.energy["error"]).max() < 1e-9 * result.energy["total"][0]


def test_all_balls_come_to_rest_on_the_table(result):
    speeds = [math.hypot(result[f"{b}.vx"][-1], result[f"{b}.vy"][-1]) for b in billiards.BALLS]
    assert max(speeds) < 1e-6 * billiards.SPEED
    gaps = [result[f"{c.name}.gap"].min() for c in billiards.model().contacts]
    assert min(gaps) > -1e-9 * billiards.RADIUS
