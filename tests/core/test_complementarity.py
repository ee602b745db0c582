"""Many contacts at once: closed forms of statics, then every condition on random problems, then all modes by brute force."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import brentq, nnls

from contact_space import blocks, forces, plane_rows, random_problem, space_rows
from routh.core.contact.complementarity import INCONSISTENT, NOT_CONVERGED, SEVERAL, SOLVED
from routh.core.tables.layout import OPEN, SLIP, STICK

G = 9.81
ROUND_OFF = 1e-12   # the solver's own acceptance
SELF_STRESS = 1e-9  # round-off over the ridge, 1e-16 / 1e-6, with a margin for the condition


def worst_violation(A, b, block, lam):
    """The largest violation of any condition, relative to the terms of its contact and to the largest force."""
    a, size, most = A @ lam + b, np.abs(A) @ np.abs(lam) + np.abs(b), max(np.abs(lam).max(), 1e-300)
    worst = 0.0
    for c in block:
        own = slice(c["first"], c["first"] + c["count"])
        an, at, ln, lt = a[own][0], a[own][1:], lam[own][0], lam[own][1:]
        w = np.array([c["wx"], c["wy"]])[: c["count"] - 1]
        accelerations, pulls = [max(-an, 0.0)], [max(-ln, 0.0)]
        if c["mode"] == OPEN:
            pulls += [abs(ln), *np.abs(lt)]
        else:
            accelerations.append(abs(an))
        if c["mode"] == STICK:
            accelerations += list(np.abs(at))
            pulls.append(np.linalg.norm(lt) - c["mu_s"] * ln)
        if c["mode"] == SLIP:
            pulls.append(np.linalg.norm(lt + c["mu"] * ln * w))
            if not c["friction"]:
                accelerations.append(np.linalg.norm(at - np.linalg.norm(at) * w))
        worst = max(worst, max(accelerations) / size[own].max(), max(pulls) / most)
    return worst


def all_solutions(A, b, block):
    """Every solution in the plane, by trying all combinations of modes."""
    n, found = len(b), []
    choices = [[(OPEN, 0), (SLIP, c["wx"])] if c["friction"] else [(OPEN, 0), (STICK, 0), (SLIP, 1), (SLIP, -1)] for c in block]
    for modes in itertools.product(*choices):
        P, E = np.zeros((n, n)), np.zeros((n, n))
        for c, (mode, way) in zip(block, modes, strict=True):
            i = c["first"]
            if mode == STICK:
                P[i, i] = E[i, i] = P[i + 1, i + 1] = E[i + 1, i + 1] = 1.0
            if mode == SLIP:
                P[i, i], P[i + 1, i], E[i, i] = 1.0, -c["mu"] * way, 1.0
        used = np.flatnonzero(E.any(axis=0))
        trial = block.copy()
        trial["mode"], trial["wx"] = [m for m, _ in modes], [w for _, w in modes]
        lam = P[:, used] @ np.linalg.solve(E[:, used].T @ A @ P[:, used], -E[:, used].T @ b) if used.size else np.zeros(n)
        if worst_violation(A, b, trial, lam) < 1e-9:
            found.append(lam)
    return found


def test_a_box_on_four_corners_rests_on_equal_quarters():
    J = space_rows([(x, y, -0.1) for x in (-0.3, 0.3) for y in (-0.2, 0.2)])
    inverse_mass = np.diag([0.5, 0.5, 0.5, 3.0, 4.0, 5.0])
    block = blocks([3] * 4, mu=0.4)
    end, lam, a = forces(J @ inverse_mass @ J.T, J @ [0.0, 0.0, -G, 0.0, 0.0, 0.0], block)
    assert end == (SOLVED, -1)
    assert np.all(block["mode"] == STICK)
    assert np.allclose(lam.reshape(4, 3), [0.5 * G, 0.0, 0.0], rtol=0.0, atol=SELF_STRESS * G)
    assert np.abs(a).max() <= ROUND_OFF * G


def test_self_stress_stays_out():
    J = space_rows([(-0.3, -0.2, -0.1), (0.5, -0.2, -0.1), (-0.3, 0.4, -0.1), (0.5, 0.4, -0.1), (0.1, 0.1, -0.1)])
    A, b = J @ np.diag([0.5, 0.5, 0.5, 3.0, 4.0, 5.0]) @ J.T, J @ [0.3, 0.1, -G, 0.0, 0.0, 0.1]
    _, lam, _ = forces(A, b, blocks([3] * 5, mu=0.4))
    assert np.allclose(lam, -np.linalg.pinv(A, rcond=1e-12) @ b, rtol=0.0, atol=SELF_STRESS * G)


@pytest.mark.parametrize(
    ("push", "height", "modes"),
    [(0.3, 0.1, (STICK, STICK)), (0.45, 0.1, (STICK, STICK)), (0.7, 0.1, (SLIP, SLIP)), (0.45, 1.2, (OPEN, STICK))],
)
def test_a_block_pushed_at_some_height_holds_slides_or_tips(push, height, modes):
    m, w, h, inertia, mu, mu_s = 2.0, 0.5, 0.4, 0.3, 0.4, 0.5  # half width w, centre at h; push in weights
    J = plane_rows([(-w, -h), (w, -h)])
    f = np.array([push * G, -G, -push * m * G * (height - h) / inertia])
    block = blocks([2, 2], mu, mu_s)
    end, lam, a = forces(J @ np.diag([1 / m, 1 / m, 1 / inertia]) @ J.T, J @ f, block)
    assert end[0] == SOLVED
    assert tuple(block["mode"]) == modes
    if modes[0] == SLIP:
        assert a[[1, 3]] == pytest.approx((push - mu) * G, rel=ROUND_OFF)
    elif modes[0] == STICK:
        rear, front = 0.5 * m * G * (1 - push * height / w), 0.5 * m * G * (1 + push * height / w)
        assert lam[[0, 2]] == pytest.approx([rear, front], rel=SELF_STRESS)
        assert lam[1] + lam[3] == pytest.approx(-push * m * G, rel=ROUND_OFF)
    else:
        turn = m * G * (push * height - w) / (inertia + m * (w * w + h * h))
        assert a[0] == pytest.approx(2 * w * turn, rel=1e-11)


def test_static_friction_holds_up_to_its_own_limit():
    for pull, mode, force in ((0.49, STICK, 0.49), (0.51, SLIP, 0.3)):
        block = blocks([3], mu=0.3, mu_s=0.5)
        _, lam, _ = forces(np.eye(3), [-1.0, 0.6 * pull, -0.8 * pull], block)
        assert block["mode"][0] == mode
        assert lam == pytest.approx([1.0, -0.6 * force, 0.8 * force], rel=ROUND_OFF)
    assert (block["wx"][0], block["wy"][0]) == pytest.approx((0.6, -0.8), rel=ROUND_OFF)


def test_a_light_body_under_a_heavy_one_carries_both():
    heavy, light = 1e4, 1e-4
    J, inverse_mass = np.array([[-1.0, 1.0], [1.0, 0.0]]), np.diag([1 / light, 1 / heavy])
    _, lam, _ = forces(J @ inverse_mass @ J.T, J @ [-G, -G], blocks([1, 1]))
    assert lam == pytest.approx([heavy * G, (heavy + light) * G], rel=1e-7)  # A's entries have lost eight digits


def rod_tip(angle, mu, inertia):
    """A of a rod's lower end, of unit mass and half length, leaning so that sliding along +x digs in."""
    x, y = -math.cos(angle), -math.sin(angle)
    J = np.array([[0.0, 1.0, x], [1.0, 0.0, -y]])
    return J @ np.diag([1.0, 1.0, 1.0 / inertia]) @ J.T


def test_painleves_rod_has_no_or_two_solutions():
    A = rod_tip(1.0, 2.0, 0.1)
    D = A[0, 0] - 2.0 * A[0, 1]
    dig = 1.0 if D < 0.0 else -1.0
    assert A[0, 0] - 2.0 * dig * A[0, 1] < 0.0
    assert forces(A, [-1.0, 0.0], blocks([2], mu=2.0, sliding=True, way=(dig, 0.0)))[0] == (INCONSISTENT, 0)
    end, lam, _ = forces(A, [1.0, 0.0], blocks([2], mu=2.0, sliding=True, way=(dig, 0.0)))
    assert end == (SEVERAL, 0)
    assert np.all(lam == 0.0)
    end, lam, _ = forces(A, [-1.0, 0.0], blocks([2], mu=2.0, sliding=True, way=(-dig, 0.0)))
    assert end == (SOLVED, -1)
    assert lam[0] == pytest.approx(1.0 / (A[0, 0] + 2.0 * dig * A[0, 1]), rel=ROUND_OFF)


def test_a_wedged_contact_that_may_open_opens():
    A = np.array([[2.0, 1.5], [1.5, 2.0]])
    b = np.array([0.1, 1.0])  # at rest, the tangent pulls the contact into the cone: held with λ = -A⁻¹ b
    assert np.all(np.linalg.solve(A, -b) * [1.0, -1.0] > 0.0)
    end, lam, a = forces(A, b, blocks([2], mu=3.0))
    assert end == (SEVERAL, 0)
    assert np.all(lam == 0.0)
    assert np.array_equal(a, b)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_plane_agrees_with_all_combinations_of_modes(count):
    rng = np.random.default_rng(count)
    failures = 0
    for _ in range(40 if count < 4 else 12):
        J, f = random_problem(rng, [2] * count, 2 * count + 1)
        A, b = J @ J.T, J @ f
        sliding = rng.random(count) < 0.5
        way = np.column_stack([rng.choice([-1.0, 1.0], count), np.zeros(count)])
        block = blocks([2] * count, rng.uniform(0.0, 2.0, count), sliding=sliding, way=way)
        known = all_solutions(A, b, block.copy())
        (status, where), lam, _ = forces(A, b, block)
        if status == INCONSISTENT:
            failures += 1
            assert not known
            assert sliding[where]
        else:
            assert status in (SOLVED, SEVERAL)
            assert min(np.abs(lam - other).max() for other in known) <= 1e-8 * max(np.abs(lam).max(), 1.0)
    assert failures < 12


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_every_condition_holds_on_random_problems(rows):
    rng = np.random.default_rng(rows)
    unsolved = 0
    for trial in range(60):
        n = int(rng.integers(1, 21))
        counts = [rows] * n if trial % 3 else list(rng.integers(1, rows + 1, n))
        rank = max(3, int(rng.choice([0.4, 0.7, 1.3]) * sum(counts)))  # singular, singular, regular
        J, f = random_problem(rng, counts, rank, spread=2.0)
        A, b, mu = J @ J.T, J @ f, rng.uniform(0.0, 1.0, n)
        block = blocks(counts, mu, mu * (1.2 if trial % 2 else 1.0))
        (status, _), lam, a = forces(A, b, block)
        if status == NOT_CONVERGED:
            unsolved += 1
            continue
        assert worst_violation(A, b, block, lam) <= 2.0 * ROUND_OFF
        assert np.abs(a - A @ lam - b).max() <= 10.0 * ROUND_OFF * np.abs(b).max()
    assert unsolved == 0


def test_a_pyramid_of_discs_stands_by_friction():
    rows, r = 5, 0.5
    where = {(i, k): (2 * r * i + r * k, r + math.sqrt(3.0) * r * k) for k in range(rows) for i in range(rows - k)}
    index = {key: 3 * n for n, key in enumerate(where)}
    J = []
    for (i, k), at in index.items():
        below = [None] if k == 0 else [(i, k - 1), (i + 1, k - 1)]
        for other in [*below, *([(i - 1, k)] if i > 0 else [])]:
            n = (np.subtract(where[i, k], where[other]) / (2 * r)) if other else np.array([0.0, 1.0])
            t = np.array([n[1], -n[0]])
            pair = np.zeros((2, 3 * len(where)))
            pair[:, at : at + 3] = [[*n, 0.0], [*t, r]]  # surface speed of the upper disc at -r n
            if other:
                pair[:, index[other] : index[other] + 3] = [[*-n, 0.0], [*-t, r]]
            J += list(pair)
    J = np.array(J)
    inverse_mass, gravity = np.tile([1.0, 1.0, 2.0 / r**2], len(where)), np.tile([0.0, -G, 0.0], len(where))
    block = blocks([2] * (len(J) // 2), mu=0.5)
    A, b = J * inverse_mass @ J.T, J @ gravity
    (status, _), lam, _ = forces(A, b, block)
    assert status == SOLVED
    assert worst_violation(A, b, block, lam) <= 2.0 * ROUND_OFF
    assert np.abs(gravity + inverse_mass * (J.T @ lam)).max() <= 1e-10 * G  # every disc stays at rest
    floor = [c for c in range(len(block)) if np.count_nonzero(J[2 * c]) == 1]
    assert lam[[2 * c for c in floor]].sum() == pytest.approx(len(where) * G, rel=1e-11)


def test_without_friction_it_is_a_least_squares_problem():
    rng = np.random.default_rng(5)
    for _ in range(20):
        n = int(rng.integers(1, 25))
        J, f = random_problem(rng, [1] * n, int(rng.integers(2, 20)))
        other = nnls(J.T, -f)[0]
        _, _, a = forces(J @ J.T, J @ f, blocks([1] * n))
        assert np.allclose(a, J @ (J.T @ other + f), rtol=0.0, atol=1e-10 * np.abs(J @ f).max())


def test_slip_in_space_goes_where_a_scan_of_all_directions_finds_it():
    rng = np.random.default_rng(6)
    for _ in range(20):
        J, f = random_problem(rng, [3], 4)
        A, b, mu = J @ J.T, J @ f - [3.0, 0.0, 0.0], 0.1
        block = blocks([3], mu)
        _, lam, _ = forces(A, b, block)
        if block["mode"][0] != SLIP:
            continue

        def turn(angle, A=A, b=b, mu=mu):
            w = np.array([math.cos(angle), math.sin(angle)])
            force = -b[0] / (A[0, 0] - mu * A[0, 1:] @ w) * np.array([1.0, *(-mu * w)])
            a = A @ force + b
            return (w[0] * a[2] - w[1] * a[1], a[1:] @ w, force)

        grid = np.linspace(-math.pi, math.pi, 721)
        roots = [brentq(lambda x: turn(x)[0], p, q, xtol=1e-15) for p, q in itertools.pairwise(grid)
                 if turn(p)[0] * turn(q)[0] < 0.0]
        right = [turn(x)[2] for x in roots if turn(x)[1] > 0.0]
        assert min(np.abs(lam - force).max() for force in right) <= 1e-12 * lam[0]


def test_a_slip_that_no_force_can_change_goes_on():
    row, slip, mu, pull = np.array([0.27, -0.49, 0.016]), np.array([0.08, 0.23]), 0.95, 9.0
    block = blocks([3], mu, mu_s=1.4)
    end, lam, a = forces(np.outer(row, row), [*(-pull * row + [0.0, *slip])], block)
    w = slip / np.linalg.norm(slip)
    assert end == (SOLVED, -1)
    assert block["mode"][0] == SLIP
    assert a == pytest.approx([0.0, *slip], abs=1e-12)
    assert lam == pytest.approx(pull / (row[0] - mu * row[1:] @ w) * np.array([1.0, *(-mu * w)]), rel=1e-12)


def test_the_order_of_contacts_does_not_matter():
    rng = np.random.default_rng(7)
    for _ in range(10):
        J, f = random_problem(rng, [3] * 6, 24)
        mu, order = rng.uniform(0.0, 0.4, 6), rng.permutation(6)
        mixed = np.concatenate([np.arange(3 * k, 3 * k + 3) for k in order])
        _, lam, _ = forces(J @ J.T, J @ f, blocks([3] * 6, mu))
        _, other, _ = forces(J[mixed] @ J[mixed].T, J[mixed] @ f, blocks([3] * 6, mu[order]))
        assert np.allclose(lam[mixed], other, rtol=0.0, atol=1e-9 * np.abs(lam).max())


@pytest.mark.parametrize("push", [0.0, 0.5, 0.9, 0.999, 1.0 - 1e-9, 1.0 + 1e-9, 1.5])
def test_two_feet_hold_together_as_long_as_some_share_is_within_both_cones(push):
    # pushed at the height of its soles, one foot bears more than the other: shares of least norm leave the cone long before
    mu, mu_s, height = 0.2, 0.4, 0.05
    J = plane_rows([(-0.1, -height), (0.1, -height)])
    F = push * mu_s * G
    block = blocks([2, 2], mu, mu_s)
    (status, _), lam, a = forces(J @ np.diag([1.0, 1.0, 100.0]) @ J.T, J @ [F, -G, 0.0], block)
    assert status == SOLVED
    assert worst_violation(J @ np.diag([1.0, 1.0, 100.0]) @ J.T, J @ [F, -G, 0.0], block, lam) <= 2.0 * ROUND_OFF
    if push < 1.0:
        assert np.all(block["mode"] == STICK)
        assert lam[1] + lam[3] == pytest.approx(-F, abs=1e-11 * G)
    else:
        assert np.all(block["mode"] == SLIP)
        assert a[1] == pytest.approx(F - mu * G, rel=1e-11)


def test_a_light_contact_beside_a_heavy_one_holds_deep_within_its_narrow_cone():
    """A body that can move along a line only holds with many forces; a far larger load elsewhere does not choose among them."""
    mu, along = 0.004, np.array([0.29, 0.26])
    A = np.zeros((3, 3))
    A[:2, :2], A[2, 2] = np.outer(along, along), 4.0
    block = blocks([2, 1], mu)
    (status, _), lam, a = forces(A, [*(-0.03 * along), -25.0], block)
    assert status == SOLVED
    assert np.abs(a).max() <= ROUND_OFF * 25.0
    assert abs(lam[1]) <= 0.8 * mu * lam[0]
