"""One planar impact: closed forms first, then what distinguishes the laws, then the edges of the classes."""

import math

import numpy as np
import pytest

from routh.model.laws import Brach, Newton, Poisson, Stronge
from routh.sim.impact import Kind, resolve_impact

MARCHED = [Newton, Poisson, Stronge]
ROUND_OFF = 1e-14
A = np.array([[2.5, -1.5], [-1.5, 2.5]])  # tip of a uniform rod at 45 degrees
DET = 4.0


@pytest.mark.parametrize("law", MARCHED)
def test_central_impact_rebounds_with_e_under_every_hypothesis(law):
    hit = resolve_impact(np.diag([2.0, 3.0]), [-1.5, 0.4], law(0.7, 0.3))
    assert hit.velocity[0] == pytest.approx(0.7 * 1.5, rel=ROUND_OFF)
    assert hit.impulse[0] == pytest.approx(1.7 * 1.5 / 2.0, rel=ROUND_OFF)


@pytest.mark.parametrize("law", MARCHED)
def test_slip_that_never_stops_feels_full_friction(law):
    hit = resolve_impact(A, [-1.0, 5.0], law(0.4, 0.2))
    assert hit.kind == Kind.SLIDING
    assert hit.impulse[0] == pytest.approx(1.4 / (2.5 + 0.2 * 1.5), rel=ROUND_OFF)  # D = nn - mu nt
    assert hit.impulse[1] == pytest.approx(-0.2 * hit.impulse[0], rel=ROUND_OFF)
    assert math.isnan(hit.stop_impulse)


def test_stick_in_compression_follows_the_sticking_line():
    hit = resolve_impact(A, [-1.0, -0.1], Poisson(0.5, 0.7))
    stop = 0.1 / (0.7 * 2.5 - 1.5)  # slip / slip rate
    at_stop = -1.0 + (2.5 - 0.7 * 1.5) * stop
    p_c = stop - at_stop / (DET / 2.5)
    assert hit.kind == Kind.STICK_COMPRESSION
    assert hit.stop_impulse == pytest.approx(stop, rel=ROUND_OFF)
    assert hit.impulse[0] == pytest.approx(1.5 * p_c, rel=ROUND_OFF)
    assert hit.impulse[1] == pytest.approx((0.1 + 1.5 * hit.impulse[0]) / 2.5, rel=ROUND_OFF)
    assert hit.velocity[1] == 0.0


def test_stick_in_restitution_parts_the_laws():
    hits = [resolve_impact(A, [-1.0, -0.2], law(0.8, 0.7)) for law in MARCHED]
    assert all(hit.kind == Kind.STICK_RESTITUTION for hit in hits)
    newton, poisson, stronge = (hit.velocity[0] for hit in hits)
    assert newton == 0.8
    assert poisson != pytest.approx(newton, rel=1e-3)
    assert min(newton, poisson) < stronge < max(newton, poisson)


@pytest.mark.parametrize(
    ("slip", "kind"), [(0.1, Kind.REVERSAL_COMPRESSION), (1.0, Kind.REVERSAL_RESTITUTION)]
)
def test_slip_reverses_when_the_cone_cannot_hold_it(slip, kind):
    hit = resolve_impact(A, [-1.0, slip], Poisson(0.9, 0.3))
    stop = slip / (1.5 + 0.3 * 2.5)
    assert hit.kind == kind
    assert hit.stop_impulse == pytest.approx(stop, rel=ROUND_OFF)
    assert hit.velocity[1] < 0.0
    assert hit.impulse[1] == pytest.approx(-0.3 * stop + 0.3 * (hit.impulse[0] - stop), rel=ROUND_OFF)


def test_stick_from_the_start_needs_the_static_cone():
    assert resolve_impact(A, [-1.0, 0.0], Poisson(0.5, 0.61)).kind == Kind.STICK_FROM_START
    assert resolve_impact(A, [-1.0, 0.0], Poisson(0.5, 0.59)).kind == Kind.SLIP_FROM_REST
    held = resolve_impact(A, [-1.0, 0.0], Poisson(0.5, 0.59, mu_s=0.61))
    assert held.kind == Kind.STICK_FROM_START
    assert held.impulse[0] == pytest.approx(1.5 * 2.5 / DET, rel=ROUND_OFF)


def test_slip_from_rest_goes_where_the_normal_impulse_pushes():
    hit = resolve_impact(A, [-1.0, 0.0], Stronge(0.5, 0.2))
    assert hit.velocity[1] < 0.0
    assert hit.impulse[0] == pytest.approx(1.5 / (2.5 - 0.2 * 1.5), rel=ROUND_OFF)
    assert hit.impulse[1] == pytest.approx(0.2 * hit.impulse[0], rel=ROUND_OFF)


def test_static_friction_above_the_sliding_one_holds_what_would_reverse():
    slides = resolve_impact(A, [-1.0, 0.1], Poisson(0.5, 0.5))
    sticks = resolve_impact(A, [-1.0, 0.1], Poisson(0.5, 0.5, mu_s=0.65))
    assert slides.kind == Kind.REVERSAL_COMPRESSION
    assert sticks.kind == Kind.STICK_COMPRESSION


def test_jam_drives_the_bodies_together_until_slip_stops():
    hit = resolve_impact(A, [-1.0, -1.0], Poisson(0.5, 2.0))
    stop = 1.0 / (2.0 * 2.5 - 1.5)
    worst = -1.0 + (2.5 - 2.0 * 1.5) * stop  # approach has grown
    assert hit.kind == Kind.JAM
    assert worst < -1.0
    assert hit.compression_impulse == pytest.approx(stop - worst / (DET / 2.5), rel=ROUND_OFF)
    assert hit.path.velocity[:, 0].min() == pytest.approx(worst, rel=ROUND_OFF)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_tangential_impact_needs_no_approach(e):
    hit = resolve_impact(A, [0.0, -1.0], Poisson(e, 2.0))
    # eqs. 25-27 of [han1994] with A, A', B = tt, nn, -nt
    assert hit.kind == Kind.TANGENTIAL
    assert hit.impulse[0] == pytest.approx((1 + e) * 1.5 / DET, rel=ROUND_OFF)
    assert hit.impulse[1] == pytest.approx((e * 1.5**2 + 2.5 * 2.5) / (2.5 * DET), rel=ROUND_OFF)
    assert hit.velocity == pytest.approx([e * 1.5 / 2.5, 0.0], rel=1e-13)


@pytest.mark.parametrize("v", [(1.0, 0.3), (0.0, 0.0), (0.0, 1.0), (1e-300, -1.0)])
def test_separating_or_touching_bodies_have_no_impact(v):
    hit = resolve_impact(A, v, Poisson(0.5, 2.0))
    assert hit.kind == Kind.NO_IMPACT
    assert not hit.impulse.any()
    assert hit.velocity.tolist() == list(v)
    assert len(hit.path) == 1


def test_without_friction_the_tangent_is_only_pushed():
    hit = resolve_impact(A, [-1.0, 0.1], Stronge(0.5, 0.0))
    assert hit.impulse == pytest.approx([1.5 / 2.5, 0.0], rel=ROUND_OFF, abs=0.0)
    assert hit.work_tangential == pytest.approx(0.0, abs=1e-16)


@pytest.mark.parametrize("law", [Poisson, Stronge])
def test_a_plastic_impact_ends_with_compression(law):
    hit = resolve_impact(A, [-1.0, 1.0], law(0.0, 0.3))
    assert hit.velocity[0] == 0.0
    assert hit.impulse[0] == hit.compression_impulse


def test_an_elastic_stronge_impact_returns_all_normal_work():
    hit = resolve_impact(A, [-1.0, 1.0], Stronge(1.0, 0.3))
    assert hit.kind == Kind.REVERSAL_RESTITUTION
    assert hit.work_normal == pytest.approx(0.0, abs=1e-16)
    assert hit.energy_lost == pytest.approx(hit.energy_lost_tangential, rel=1e-13)


def test_algebraic_newton_stops_or_slides_as_it_came():
    stop = resolve_impact(A, [-1.0, -0.1], Newton(0.5, 0.7, form="algebraic"))
    assert stop.kind == Kind.STOPPED
    assert stop.impulse == pytest.approx(np.linalg.solve(A, [1.5, 0.1]), rel=1e-14)  # eq. 35 of [park]
    slide = resolve_impact(A, [-1.0, 0.1], Newton(0.5, 0.3, form="algebraic"))
    assert slide.kind == Kind.SLIDING
    assert slide.impulse[0] == pytest.approx(1.5 / (2.5 + 0.3 * 1.5), rel=ROUND_OFF)  # eq. 32
    assert slide.velocity[1] < 0.0  # it can reverse the slip and keep pushing
    assert math.isnan(slide.stop_impulse)


def test_park_s_ball_grips_at_its_first_bounce():
    m, J, r = 1.0, 0.4, 0.2
    contact = np.diag([1 / m, 1 / m + r * r / J])
    v_n = -math.sqrt(2 * 9.81 * 9.8)
    hit = resolve_impact(contact, [v_n, r * 1.0], Newton(0.8, 0.3, 0.35, form="algebraic"))
    assert hit.impulse == pytest.approx([24.9594519171, -2 / 11], rel=1e-11)
    assert hit.velocity == pytest.approx([11.0930897409, 0.0], rel=1e-11)


def test_brach_reverses_the_slip_of_a_superball():
    hit = resolve_impact(np.diag([1.0, 3.5]), [-1.0, 0.2], Brach(0.9, 0.8, e_t=0.6))
    assert hit.velocity == pytest.approx([0.9, -0.12], rel=ROUND_OFF)
    limited = resolve_impact(np.diag([1.0, 3.5]), [-1.0, 0.2], Brach(0.9, 0.01, e_t=0.6))
    assert limited.impulse[1] == pytest.approx(-0.01 * 1.9, rel=ROUND_OFF)


@pytest.mark.parametrize("ratio", [1e-8, 1e8])
@pytest.mark.parametrize("law", MARCHED)
def test_stick_keeps_ten_digits_when_the_eigenvalues_are_eight_decades_apart(ratio, law):
    import mpmath as mp

    c, s = math.cos(0.7), math.sin(0.7)
    R = np.array([[c, -s], [s, c]])
    B = R @ np.diag([1.0, ratio]) @ R.T
    B = 0.5 * (B + B.T)
    hit = resolve_impact(B, [-1.0, 0.0], law(0.5, 10.0))  # sticks from the start: every law the same
    with mp.workdps(50):
        nn, nt, tt = mp.mpf(B[0, 0]), mp.mpf(B[0, 1]), mp.mpf(B[1, 1])
        p = mp.mpf(1.5) / (nn - nt * nt / tt)
        exact = np.array([float(p), float(-nt / tt * p)])
    assert hit.kind == Kind.STICK_FROM_START
    assert np.linalg.norm(hit.impulse - exact) <= 1e-14 * np.linalg.norm(exact)


def test_a_dead_tangent_takes_no_impulse():
    hit = resolve_impact([[2.0, 0.0], [0.0, 0.0]], [-1.0, 0.0], Poisson(0.5, 0.3))
    assert hit.impulse == pytest.approx([0.75, 0.0], abs=0.0)
