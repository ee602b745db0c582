"""One spatial impact: closed forms of the ellipsoids, the flow, and a second method for each."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from routh.core.impact.impact_frame import N_FRAME, leaving_direction, principal_frame
from routh.model.laws import Brach, Newton, Poisson, Stronge
from routh.sim.impact import Kind, resolve_impact

COUPLED = np.array([[2.0, 0.5, 0.3], [0.5, 3.0, -0.4], [0.3, -0.4, 1.0]])
MARCHED = [Newton, Poisson, Stronge]


def stop_2f1(A, v, mu):
    """P_zs of [hancho1996] with mpmath's hypergeometric function: A > A' along the first tangent."""
    a, b = mp.mpf(A[1, 1]), mp.mpf(A[2, 2])
    x, y = abs(mp.mpf(v[1])), abs(mp.mpf(v[2]))
    if a < b:
        a, b, x, y = b, a, y, x
    k = b / (2 * (a - b))
    return float(y / (mu * b) * mp.hyp2f1(-0.5, k, k + 1, -((x / y) ** 2)))


@pytest.mark.parametrize("ratio", [1.0001, 1.5, 3.0, 40.0, 1e4])
@pytest.mark.parametrize("angle", [1e-6, 0.02, 0.5, 1.2, 1.57])
def test_slip_of_ellipsoids_stops_where_the_hypergeometric_function_says(ratio, angle):
    for A in (np.diag([1.0, ratio, 1.0]), np.diag([1.0, 1.0, ratio])):
        v = np.array([-1e9, math.cos(angle), math.sin(angle)])  # hard enough to stop any slip
        hit = resolve_impact(A, v, Poisson(0.5, 0.2))
        assert hit.stop_impulse == pytest.approx(stop_2f1(A, v, 0.2), rel=2e-14)
        assert hit.impulse[1:] == pytest.approx(-v[1:] / np.diag(A)[1:], rel=1e-15)


@pytest.mark.parametrize("ratio", [1.0, 1.3, 7.0, 1e3, 1e8])
@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.3, 1.4, math.pi / 2])
def test_the_closed_form_and_the_flow_agree_where_both_apply(ratio, angle):
    A = np.diag([1.0, ratio, 1.0])
    for mu in (0.01, 0.3, 3.0):
        hit = resolve_impact(A, [-1.0, math.cos(angle), math.sin(angle)], Poisson(0.6, mu))
        marched = hit.path  # the path is always marched
        size = np.linalg.norm(hit.impulse)
        assert np.linalg.norm(marched.impulse[-1] - hit.impulse) <= 1e-12 * size
        assert np.linalg.norm(marched.velocity[-1] - hit.velocity) <= 1e-11 * ratio


def reference(A, v, law, e, mu):
    """The flow by scipy in the normal impulse itself, phase by phase; slip must not stop on the way."""

    def rates(p, y):
        t = y[1:3] / math.hypot(y[1], y[2])
        f = A @ np.concatenate([[1.0], -mu * t])
        return np.concatenate([f, -mu * t, [y[0]]])

    def crossing(row, level):
        def event(p, y):
            return y[row] - level

        event.terminal, event.direction = True, 1.0
        return event

    def run(p, y, event):
        out = solve_ivp(rates, (p, p + 1e3), y, "DOP853", events=event, rtol=1e-13, atol=1e-15)
        return out.t[-1], out.y[:, -1]

    p_c, y = run(0.0, np.concatenate([v, [0.0, 0.0, 0.0]]), crossing(0, 0.0))
    if law is Poisson:
        out = solve_ivp(rates, (p_c, (1 + e) * p_c), y, "DOP853", rtol=1e-13, atol=1e-15)
        p, y = (1 + e) * p_c, out.y[:, -1]
    elif law is Newton:
        p, y = run(p_c, y, crossing(0, -e * v[0]))
    else:
        p, y = run(p_c, y, crossing(5, (1 - e * e) * y[5]))
    return np.array([p, y[3], y[4]]), y[5]


@pytest.mark.parametrize("law", MARCHED)
def test_curved_sliding_agrees_with_scipy_s_integrator(law):
    rng = np.random.default_rng(7)
    for _ in range(25):
        M = rng.normal(size=(3, 3))
        A = M @ M.T + 0.3 * np.eye(3)
        v = np.array([-abs(rng.normal()) - 0.1, *rng.normal(size=2) * 2.0])
        e, mu = rng.uniform(0.05, 1.0), rng.uniform(0.0, 0.5)
        hit = resolve_impact(A, v, law(e, mu))
        if hit.kind == Kind.SLIDING and np.hypot(*hit.path.slip.T).min() > 1e-3:
            impulse, work = reference(0.5 * (A + A.T), v, law, e, mu)
            assert np.linalg.norm(hit.impulse - impulse) <= 1e-11 * np.linalg.norm(impulse)
            assert hit.work_normal == pytest.approx(work, abs=1e-11 * abs(work) + 1e-12)


def test_slip_passes_exactly_through_zero_along_an_invariant_line():
    A = np.array([[2.5, -1.5, 0.0], [-1.5, 2.5, 0.0], [0.0, 0.0, 4.0]])
    hit = resolve_impact(A, [-1.0, 0.1, 0.0], Poisson(0.9, 0.3))
    flat = resolve_impact(A[:2, :2], [-1.0, 0.1], Poisson(0.9, 0.3))
    assert hit.kind == flat.kind == Kind.REVERSAL_COMPRESSION
    assert hit.impulse == pytest.approx([*flat.impulse, 0.0], rel=1e-15, abs=0.0)


def test_slip_leaves_rest_along_the_only_direction_in_which_it_grows():
    a, C, mu = COUPLED[0, 1:], COUPLED[1:, 1:], 0.1
    hit = resolve_impact(COUPLED, [-1.0, 0.0, 0.0], Stronge(0.5, mu))
    t = hit.velocity[1:] / np.linalg.norm(hit.velocity[1:])
    push = a - mu * C @ t
    assert hit.kind == Kind.SLIP_FROM_REST
    assert push @ t > 0.0
    assert abs(push[0] * t[1] - push[1] * t[0]) <= 1e-15
    assert hit.impulse[0] == pytest.approx(1.5 / (2.0 - mu * a @ t), rel=1e-14)


def test_stick_from_the_start_in_space_solves_the_linear_problem():
    hit = resolve_impact(COUPLED, [-1.0, 0.0, 0.0], Poisson(0.5, 0.9))
    assert hit.kind == Kind.STICK_FROM_START
    assert hit.impulse == pytest.approx(np.linalg.solve(COUPLED, [1.5, 0.0, 0.0]), rel=1e-14)


def test_algebraic_newton_in_space_stops_only_the_direction_of_the_slip():
    law = Newton(0.5, 2.0, form="algebraic")
    v = np.array([-1.0, 0.3, 0.4])
    hit = resolve_impact(COUPLED, v, law)
    t = v[1:] / 0.5
    assert hit.kind == Kind.STOPPED
    assert hit.velocity[1:] @ t == pytest.approx(0.0, abs=1e-15)
    assert np.linalg.norm(hit.velocity[1:]) > 0.01
    assert v + COUPLED @ hit.impulse == pytest.approx(hit.velocity, rel=1e-14, abs=1e-15)


def test_park_s_ball_slides_off_the_bat():
    n = np.array([-0.0396451500518, 0.414707102767, 0.909090909091])
    t = 0.190616634281
    ball = np.array(
        [0.5, 2.0 - 10.0 * t, 0.1]
    )  # Table 3: bat pinned about Z, cylinder of radius 0.06; ball 0.05
    point = ball - 0.05 * n
    r, J_bat = -0.05 * n, 0.5 + 1.5 * 0.5**2
    v_rel = np.array([0.0, -10.0, 0.0]) + np.cross([1.0, 1.0, 1.0], r) - np.cross([0.0, 0.0, 0.5], point)
    slip = v_rel - (v_rel @ n) * n
    frame = np.array([n, slip / np.linalg.norm(slip), np.cross(n, slip / np.linalg.norm(slip))])
    X = np.cross(np.eye(3), r)
    swing = np.cross([0.0, 0.0, 1.0], point)
    M = np.eye(3) / 0.5 + X @ X.T / 0.125 + np.outer(swing, swing) / J_bat
    hit = resolve_impact(frame @ M @ frame.T, frame @ v_rel, Newton(0.8, 0.3, 0.35, form="algebraic"))
    after = np.array([0.0, -10.0, 0.0]) + hit.impulse @ frame / 0.5
    assert hit.kind == Kind.SLIDING
    assert hit.impulse[0] == pytest.approx(3.67328294560, rel=1e-9)
    assert np.linalg.norm(hit.impulse[1:]) == pytest.approx(1.10198488368, rel=1e-9)
    assert after == pytest.approx([-0.254005008063, -4.94781510183, 5.76545074906], rel=1e-9)


def test_brach_in_space_reverses_both_slips_or_slides():
    v = np.array([-1.0, 0.03, 0.04])
    hit = resolve_impact(COUPLED, v, Brach(0.5, 2.0, e_t=0.3))
    assert hit.velocity == pytest.approx([0.5, -0.009, -0.012], rel=1e-14)
    slide = resolve_impact(COUPLED, v, Brach(0.5, 0.01, e_t=0.3))
    assert slide.impulse[1:] == pytest.approx(-0.01 * slide.impulse[0] * np.array([0.6, 0.8]), rel=1e-14)


def test_brach_says_when_it_has_no_impulse():
    A = np.array([[1.0, 0.3, 0.5], [0.3, 1.0, 0.0], [0.5, 0.0, 10.0]])
    hit = resolve_impact(A, [-0.1, 1.0, 1.0], Brach(0.5, 2.0))
    assert hit.kind == Kind.NO_SOLUTION
    assert np.isnan(hit.impulse).all()


@pytest.mark.parametrize("decades", [0.0, 4.0, 8.0])
def test_the_principal_frame_is_exact_to_round_off(decades):
    rng = np.random.default_rng(3)
    for _ in range(30):
        Q, _ = np.linalg.qr(rng.normal(size=(2, 2)))
        C = Q @ np.diag([1.0, 10.0**-decades]) @ Q.T
        A = np.eye(3)
        A[1:, 1:] = 0.5 * (C + C.T)
        frame = np.zeros(N_FRAME)
        assert principal_frame(A, np.array([-1.0, 0.3, 0.2]), frame)
        with mp.workdps(40):
            x, y, z = mp.mpf(A[1, 1]), mp.mpf(A[1, 2]), mp.mpf(A[2, 2])
            weak = (x + z) / 2 - mp.sqrt(((x - z) / 2) ** 2 + y * y)
            assert abs(frame[4] / weak - 1) < 1e-15


def test_the_leaving_direction_holds_to_round_off_over_many_decades():
    rng = np.random.default_rng(4)
    for _ in range(200):
        b = np.sort(10.0 ** rng.uniform(-8, 0, 2))[::-1]
        a = rng.normal(size=2) * 10.0 ** rng.uniform(-4, 1, 2)
        if np.hypot(*(a / b)) > 1.0:
            rate, x, y = leaving_direction(a[0], a[1], b[0], b[1])
            assert rate > 0.0
            assert a[0] == pytest.approx((rate + b[0]) * x, rel=1e-13, abs=1e-300)
            assert a[1] == pytest.approx((rate + b[1]) * y, rel=1e-13, abs=1e-300)
