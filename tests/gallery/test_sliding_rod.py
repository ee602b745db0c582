"""Lötstedt's rod in motion, against equations written by hand, closed forms of the impact and of the flight after it."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import routh as rt
from routh.gallery import sliding_rod
from routh.gallery.han_rod import closed_form_loss

G, R = 9.81, 4.0
SHARP = rt.Options(rtol=1e-12, atol=1e-13)


def denominator(theta, mu):
    """D = 1 + r² cosθ (cosθ - mu sinθ)."""
    return 1.0 + R**2 * math.cos(theta) * (math.cos(theta) - mu * math.sin(theta))


def sliding(mu, start, span, jam=False):
    """(θ, ω, tip velocity, t) of the rod that slides to the left, in τ with dt = D dτ, where D = 0 is no singularity."""

    def rates(_, y):
        theta, omega, v, _ = y
        s, c, m = math.sin(theta), math.cos(theta), mu(-v)
        D, N = denominator(theta, m), G - omega**2 * s
        return [omega * D, R**2 * N * (m * s - c), N * (m + R**2 * s * (m * s - c)) + c * omega**2 * D, D]

    def ends(_, y):
        return denominator(y[0], mu(-y[2])) if jam else y[3] - span

    ends.terminal = True
    motion = solve_ivp(rates, (0.0, 100.0), [*start, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, events=ends)
    return motion.y_events[0][0]


def test_every_claim_holds():
    assert [claim for claim in sliding_rod.claims() if not claim.holds] == []


def test_the_rod_at_60_degrees_slides_as_equations_by_hand_say():
    theta, omega, v, t = sliding(lambda slip: 0.55, (math.radians(60.0), 0.0, -3.0), span=0.25)
    result = sliding_rod.run(60.0, slip=3.0, t_end=0.25, options=SHARP)
    assert t == pytest.approx(0.25, abs=1e-13)
    assert (result["rod.theta"][-1], result["rod.omega"][-1]) == pytest.approx((theta, omega), abs=1e-10)
    tip = result["rod.vx"][-1] + math.sin(theta) * omega
    assert tip == pytest.approx(v, abs=1e-10)
    assert set(result.events["kind"]) == {"slip"}


def test_a_braking_rod_jams_where_the_sliding_denominator_vanishes():
    """The engine acts when D is 1e-7 of the tip's inverse mass: the slip is then off by as much, the time by its square."""
    theta, omega, v, t = sliding(sliding_rod.BRAKING.at, (math.radians(72.0), 0.0, -3.0), span=0.0, jam=True)
    result = sliding_rod.brake()
    hit = result.impacts[0]
    before = result.at(hit.t, side="left")
    assert G - omega**2 * math.sin(theta) > 0.0  # pressed to the ground
    assert hit.t == pytest.approx(t, abs=1e-9)
    assert (before["rod.theta"], before["rod.omega"], hit.v_before[1]) == pytest.approx((theta, omega, v), abs=2e-6)
    assert list(result.events["kind"][:3]) == ["slip", "painleve", "impact"]


@pytest.mark.parametrize("e", sliding_rod.ELASTICITIES)
def test_the_tangential_impact_into_the_range_follows_eqs_25_to_27(e):
    result = sliding_rod.brake(e)
    hit = result.impacts[0]
    theta = result.at(hit.t)["rod.theta"]
    s, c = math.sin(theta), math.cos(theta)
    A, A1, B = 1.0 + R**2 * s * s, 1.0 + R**2 * c * c, R**2 * s * c
    speed = -hit.v_before[1]
    assert hit.v_before[0] == 0.0
    assert hit.p_n == pytest.approx((1.0 + e) * B / (A * A1 - B * B) * speed, rel=1e-12)
    assert hit.p_t == pytest.approx((e * B * B + A * A1) / (A * (A * A1 - B * B)) * speed, rel=1e-12)
    assert hit.v_after == pytest.approx([e * B / A * speed, 0.0], abs=1e-12)
    assert hit.energy_lost == pytest.approx(0.5 * speed**2 * closed_form_loss(theta, R, e) / 100.0, rel=1e-12)


@pytest.mark.parametrize("e", [0.25, 1.0])
def test_after_the_impact_the_rod_flies_until_its_tip_is_down_again(e):
    result = sliding_rod.run(e=e, t_end=0.1, options=SHARP)
    after = result.at(0.0)
    theta, omega, vy = after["rod.theta"], after["rod.omega"], after["rod.vy"]

    def tip(t):
        return math.sin(theta) + vy * t - 0.5 * G * t * t - math.sin(theta + omega * t)

    lands = brentq(tip, 1e-3, 0.08, xtol=1e-15)
    assert result.impacts[1].t == pytest.approx(lands, abs=1e-11)


def test_without_restitution_the_tip_stays_and_sticks():
    result = sliding_rod.run(e=0.0, t_end=0.05)
    assert list(result.events["kind"]) == ["painleve", "impact", "stick"]
    assert np.abs(result["tip.gap"]).max() < 1e-9
    assert np.abs(result["tip.slip"][2:]).max() < 1e-9


def test_the_classes_of_the_rod_decide_how_it_moves():
    lifted, torn = sliding_rod.run(60.0, omega=4.0, t_end=0.02), sliding_rod.run(75.0, omega=4.0, t_end=0.02)
    for result, degrees in ((lifted, 60.0), (torn, 75.0)):
        theta = math.radians(degrees)
        height = result["rod.y"] - np.sin(result["rod.theta"])
        free = (np.sin(theta) + 4.0 * math.cos(theta) * result.t - 0.5 * G * result.t**2 - np.sin(theta + 4.0 * result.t))
        np.testing.assert_allclose(height, free, atol=1e-12)
        assert (result["tip.gap"][1:] > 0.0).all()
    assert list(torn.events["kind"]) == ["choice"]


@pytest.mark.parametrize("start", [(75.0, 0.0), (60.0, 0.0), (78.0, 1.0)])
def test_energy_adds_up(start):
    result = sliding_rod.run(*start, t_end=0.2)
    assert np.abs(result.energy["error"]).max() < 1e-8  # default tolerances, energies of 10 J
