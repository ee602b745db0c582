"""All impacts of one instant: closed forms of balls in a row, then a second method, then what holds for every problem."""

import math

import numpy as np
import pytest
from scipy.optimize import nnls

from contact_space import blocks, impacts, plane_rows, random_problem, space_rows
from routh.core.contact.impact_many import RESOLVED, TABLE_FULL, UNRESOLVED, sequential, simultaneous
from routh.core.impact.impact import resolve_plane
from routh.core.tables.impact_codes import (
    BRACH,
    N_OUT,
    NEWTON,
    NEWTON_ALGEBRAIC,
    P_N,
    POISSON,
    REVERSAL_COMPRESSION,
    SETTLED,
    SLIDING,
    STRONGE,
    V_N,
)

ROUND_OFF = 1e-13
BOTH = [sequential, simultaneous]


def row_of_balls(masses, wall=False):
    """(J, inverse masses) of balls on a line that touch; with a wall after the last."""
    n = len(masses)
    J = np.zeros((n if wall else n - 1, n))
    for i in range(n - 1):
        J[i, i], J[i, i + 1] = -1.0, 1.0
    if wall:
        J[-1, -1] = -1.0
    return J, 1.0 / np.asarray(masses)


def after_blow(how, J, w, u, block):
    end, p, v, blow = impacts(how, J * w @ J.T, J @ u, block)
    assert end[0] == RESOLVED
    return u + w * (J.T @ p), v, blow


@pytest.mark.parametrize("balls", [3, 5])
def test_the_last_ball_of_newtons_cradle_leaves_with_the_speed_of_the_first(balls):
    J, w = row_of_balls(np.ones(balls))
    start = np.eye(balls)[0]
    u, _, blow = after_blow(sequential, J, w, start, blocks([1] * (balls - 1), e=1.0))
    assert np.array_equal(u, start[::-1])
    assert list(blow["contact"]) == list(range(balls - 1))


def test_a_cradle_struck_at_once_moves_as_one():
    J, w = row_of_balls(np.ones(5))
    for law in (NEWTON, POISSON):
        u, v, _ = after_blow(simultaneous, J, w, np.eye(5)[0], blocks([1] * 4, e=1.0, law=law))
        assert v == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=ROUND_OFF)  # only the first contact approached
        assert u == pytest.approx([-0.6, 0.4, 0.4, 0.4, 0.4], rel=ROUND_OFF)


def test_two_balls_against_a_wall_strike_three_times():
    J, w = row_of_balls(np.ones(2), wall=True)
    u, _, blow = after_blow(sequential, J, w, np.array([1.0, 0.0]), blocks([1, 1], e=1.0))
    assert list(blow["contact"]) == [0, 1, 0]
    assert np.array_equal(u, [-1.0, 0.0])


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_blows_of_two_balls_and_a_wall_count_the_digits_of_pi(digits):
    J, w = row_of_balls([100.0**digits, 1.0], wall=True)
    _, _, blow = after_blow(sequential, J, w, np.array([1.0, 0.0]), blocks([1, 1], e=1.0))
    assert len(blow) == int(math.pi * 10**digits)


@pytest.mark.parametrize("law", [NEWTON, POISSON])
def test_a_ball_in_a_symmetric_groove_rebounds_with_e(law):
    for half in (0.3, 0.8, 1.2):
        n = np.array([[math.cos(half), math.sin(half)], [-math.cos(half), math.sin(half)]])
        u, _, _ = after_blow(simultaneous, n, np.ones(2), np.array([0.0, -2.0]), blocks([1, 1], e=0.6, law=law))
        assert u == pytest.approx([0.0, 1.2], abs=ROUND_OFF)


def test_a_ball_squeezed_into_a_wedge_comes_to_an_end():
    n = np.array([[math.cos(0.1), math.sin(0.1)], [-math.cos(0.1), math.sin(0.1)]])
    u, v, blow = after_blow(sequential, n, np.ones(2), np.array([0.3, -2.0]), blocks([1, 1], e=0.5))
    settled = blow["kind"] == SETTLED
    assert np.any(settled)
    assert not np.any(settled[:-2])
    assert np.abs(blow["before"][settled][:, 0]).min() < 1e-9 * 2.0
    assert v.min() >= -1e-12
    assert blow["work"].sum() == pytest.approx(0.5 * (u @ u - 4.09), rel=ROUND_OFF)


def test_a_full_table_is_reported_and_a_tied_contact_is_resolved():
    J, _ = row_of_balls(np.ones(5))
    v = J @ np.eye(5)[0]
    for how in BOTH:
        assert impacts(how, J @ J.T, v, blocks([1] * 4, e=1.0), room=2)[0] == (TABLE_FULL, 2, -1)
    tied = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # it cannot move along its normal alone
    A = np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), tied]])
    v = np.array([-1.1, 0.0, 0.0, -1.0, 0.5, 0.3])
    end, p, after, _ = impacts(sequential, A, v, blocks([3, 3], mu=0.2, law=POISSON))
    assert end == (RESOLVED, 2, -1)
    assert after == pytest.approx(v + A @ p, abs=ROUND_OFF)


@pytest.mark.parametrize("beside", [0.0, 0.05])  # slip that is left when compression ends, and stops in restitution
@pytest.mark.parametrize("law", [NEWTON, POISSON, STRONGE, NEWTON_ALGEBRAIC, BRACH])
def test_a_contact_with_two_freedoms_that_friction_locks_stops_under_every_law(law, beside):
    k = np.array([1.0, 0.3, -0.2])  # an impulse that moves nothing, within the cone: slip and approach end together
    A = 2.0 * np.eye(3) - 2.0 * np.outer(k, k) / (k @ k)
    v = np.array([-0.13, 0.3, -0.2]) + beside * np.array([0.0, 0.2, 0.3])
    end, p, after, blow = impacts(sequential, A, v, blocks([3], mu=0.6, e=0.5, law=law))
    assert end == (RESOLVED, 1, -1)
    assert np.array_equal(after, np.zeros(3))
    assert v + A @ p == pytest.approx(np.zeros(3), abs=ROUND_OFF)
    assert math.hypot(p[1], p[2]) <= 0.6 * p[0] < 1.0  # not as large as the law could ask for
    assert blow["work"] == pytest.approx([-0.25 * v @ v], rel=1e-9)  # v is an eigenvector: v² / (2 · 2)


@pytest.mark.parametrize("law", [NEWTON, POISSON, STRONGE, NEWTON_ALGEBRAIC, BRACH])
def test_a_contact_with_two_freedoms_that_friction_nearly_locks_gets_what_its_large_impulse_makes(law):
    k = np.array([1.0, 0.3, -0.2])
    A = 2.0 * np.eye(3) - 2.0 * np.outer(k, k) / (k @ k)
    v = np.array([-1.0, 0.8, 0.5])
    v -= k * (k @ v) / (k @ k)
    for part in (0.9, 0.99, 0.999, 0.9999):
        mu = part * math.hypot(0.3, 0.2)  # not enough for the impulse that moves nothing
        end, p, after, blow = impacts(sequential, A, v, blocks([3], mu=mu, e=0.5, law=law))
        assert end == (RESOLVED, 1, -1)
        assert after == pytest.approx(v + A @ p, abs=1e-13 * max(1.0, np.abs(p).max()))
        assert blow["work"] == pytest.approx([0.5 * p @ (v + after)], rel=1e-12)
        assert math.hypot(p[1], p[2]) <= (1.0 + 1e-12) * mu * p[0]


@pytest.mark.parametrize("law", [NEWTON, POISSON, STRONGE, NEWTON_ALGEBRAIC, BRACH])
def test_a_lone_contact_gives_the_bits_of_its_law(law):
    rng = np.random.default_rng(law)
    for _ in range(20):
        J, f = random_problem(rng, [2], 3)
        A, v = J @ J.T, J @ f
        block, out = blocks([2], mu=0.3, mu_s=0.4, e=0.7, law=law), np.zeros(N_OUT)
        resolve_plane(A, v, law, 0.7, 0.0, 0.3, 0.4, out)
        for how in BOTH:
            end, p, after, _ = impacts(how, A, v, block)
            assert end[0] == RESOLVED
            assert np.array_equal(np.concatenate([p, after]), out[[P_N, P_N + 1, V_N, V_N + 1]])


def test_simultaneous_laws_without_friction_are_least_squares_problems():
    rng = np.random.default_rng(3)
    for _ in range(30):
        n = int(rng.integers(2, 9))
        J, u = random_problem(rng, [1] * n, n + 1)
        A, v, e = J @ J.T, J @ u, rng.uniform(0.0, 1.0, n)
        back = np.linalg.pinv(J)

        def least(b, J=J, back=back):
            return nnls(J.T, -back @ b)[0]

        newton = least(v + e * np.minimum(v, 0.0))
        compression = least(v)
        poisson = compression + e * compression
        poisson += least(v + A @ poisson)
        for law, known in ((NEWTON, newton), (POISSON, poisson)):
            _, p, _, _ = impacts(simultaneous, A, v, blocks([1] * n, e=e, law=law))
            assert np.allclose(p, known, rtol=0.0, atol=1e-9 * np.abs(known).max())


def test_a_falling_block_lands_flat_on_sticking_corners():
    J, w = plane_rows([(-0.5, -0.2), (0.5, -0.2)]), np.array([0.5, 0.5, 4.0])
    for law in (NEWTON, POISSON):
        u, _, blow = after_blow(simultaneous, J, w, np.array([0.3, -1.0, 0.0]), blocks([2, 2], mu=1.0, e=0.4, law=law))
        # both corners stop; for Newton each rebounds with e, so the block does not turn
        assert u[0] + 0.2 * u[2] == pytest.approx(0.0, abs=ROUND_OFF)
        if law == NEWTON:
            assert u == pytest.approx([0.0, 0.4, 0.0], abs=ROUND_OFF)
        assert blow["work"].sum() == pytest.approx(0.5 * (u**2 / w).sum() - 0.5 * 2.0 * 1.09, rel=ROUND_OFF)


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("how", BOTH)
def test_momentum_energy_cone_and_separation_hold_for_random_impacts(how, rows):
    rng = np.random.default_rng(10 * rows)
    laws = [NEWTON, POISSON] if how is simultaneous else [NEWTON, POISSON, STRONGE, BRACH]
    for trial in range(40):
        n, law = int(rng.integers(1, 9)), laws[trial % len(laws)]
        J, u = random_problem(rng, [rows] * n, rows * n + 1)
        A, v, mu = J @ J.T, J @ u, rng.uniform(0.0, 0.8, n)
        end, p, after, blow = impacts(how, A, v, blocks([rows] * n, mu, e=rng.uniform(0.0, 1.0, n), law=law))
        size = np.abs(v) + np.abs(A) @ np.abs(p)
        if end[0] == UNRESOLVED:
            assert law == BRACH  # sliding into its own denominator
            continue
        assert end[0] == RESOLVED
        assert np.all(np.abs(v + A @ p - after) <= 1e-12 * size.max())
        assert np.all(after.reshape(n, rows)[:, 0] >= -1e-11 * size.max())
        pulls = p.reshape(n, rows)
        assert np.all(np.linalg.norm(pulls[:, 1:], axis=1) <= mu * pulls[:, 0] + 1e-11 * np.abs(p).max())
        change = 0.5 * p @ (v + after)
        assert blow["work"].sum() == pytest.approx(change, abs=1e-12 * (u @ u))
        if law in (POISSON, STRONGE):
            assert change <= 1e-12 * (u @ u)


def test_equal_newtonian_e_without_friction_never_creates_energy():
    rng = np.random.default_rng(8)
    for _ in range(40):
        n = int(rng.integers(2, 9))
        J, u = random_problem(rng, [1] * n, n + 1)
        v = -np.abs(J @ u)  # all approach: one that separates has no e, so they would not be equal
        _, p, after, _ = impacts(simultaneous, J @ J.T, v, blocks([1] * n, e=rng.uniform()))
        assert p @ (v + after) <= 1e-12 * (v @ v)


@pytest.mark.parametrize("law", [NEWTON, POISSON])
def test_the_order_of_contacts_does_not_matter_at_once(law):
    rng = np.random.default_rng(9)
    for _ in range(15):
        J, u = random_problem(rng, [3] * 5, 16)
        mu, e, order = rng.uniform(0.0, 0.4, 5), rng.uniform(0.0, 1.0, 5), rng.permutation(5)
        mixed = np.concatenate([np.arange(3 * k, 3 * k + 3) for k in order])
        K = J[mixed]
        _, p, _, _ = impacts(simultaneous, J @ J.T, J @ u, blocks([3] * 5, mu, e=e, law=law))
        _, other, _, _ = impacts(simultaneous, K @ K.T, K @ u, blocks([3] * 5, mu[order], e=e[order], law=law))
        assert np.allclose(p[mixed], other, rtol=0.0, atol=1e-9 * np.abs(p).max())


def test_newton_and_poisson_contacts_mix():
    w = np.array([1.0, 1.0, 0.5])
    J = np.array([[-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # two balls meet, a third falls: no coupling
    block = blocks([1, 1], e=[0.5, 0.3], law=[NEWTON, POISSON])
    _, v, _ = after_blow(simultaneous, J, w, np.array([2.0, 0.0, -1.0]), block)
    assert v == pytest.approx([1.0, 0.3], rel=ROUND_OFF)


def test_a_stack_of_boxes_hit_in_disorder_settles():
    boxes, half = 3, 0.25
    corners = [(x, y) for x in (-half, half) for y in (-half, half)]
    J = np.zeros((12 * boxes, 6 * boxes))
    for k in range(boxes):
        own = slice(12 * k, 12 * k + 12)
        J[own, 6 * k : 6 * k + 6] = space_rows([(x, y, -half) for x, y in corners])
        if k > 0:
            J[own, 6 * k - 6 : 6 * k] = -space_rows([(x, y, half) for x, y in corners])
    w = np.tile([1.0, 1.0, 1.0, 24.0, 24.0, 24.0], boxes)  # unit masses, sides 2 half: inertia 1/24
    rng = np.random.default_rng(4)
    for law in (NEWTON, POISSON, STRONGE):
        u = np.tile([0.0, 0.0, -1.0, 0.0, 0.0, 0.0], boxes) + 0.3 * rng.normal(size=6 * boxes)
        end, p, v, blow = impacts(sequential, J * w @ J.T, J @ u, blocks([3] * (4 * boxes), mu=0.5, e=0.5, law=law), room=20000)
        after = u + w * (J.T @ p)
        assert end[0] == RESOLVED
        assert v[::3].min() >= -1e-11
        assert blow["work"].sum() == pytest.approx(0.5 * ((after**2 - u**2) / w).sum(), rel=1e-10)  # thousands of blows


@pytest.mark.parametrize("law", [NEWTON, NEWTON_ALGEBRAIC, POISSON, STRONGE, BRACH])
def test_a_contact_of_a_body_with_one_freedom_turns_its_slip_with_its_approach(law):
    """A pendulum against a wall: two phases of known friction, or one where the law has no path."""
    n, t, u, mu, e = 1.2, -0.4, -2.0, 0.3, 0.8  # v = (n, t) u: it slides along +t while it approaches
    A, v = np.outer((n, t), (n, t)), np.array([n, t]) * u
    (status, count, _), p, after, blow = impacts(sequential, A, v, blocks([2], mu, e=e, law=law))
    assert (status, count) == (RESOLVED, 1)
    compression, back = -v[0] / (n * n + mu * n * abs(t)), n * n - mu * n * abs(t)
    restitution = {POISSON: e * compression, STRONGE: -e * v[0] / math.sqrt((n * n + mu * n * abs(t)) * back)}.get(
        law, -e * v[0] / back)
    expected = [compression + restitution, -mu * (compression - restitution)]
    if law in (NEWTON_ALGEBRAIC, BRACH):
        expected = [(1.0 + e) * compression, -mu * (1.0 + e) * compression]
    assert p == pytest.approx(expected)
    assert after == pytest.approx(v + A @ p)
    assert after[0] > 0.0 > after[1]
    assert blow["kind"][0] == (SLIDING if law in (NEWTON_ALGEBRAIC, BRACH) else REVERSAL_COMPRESSION)
    assert blow["work"][0] == pytest.approx(0.5 * p @ (v + after))
