"""Shares of redundant contacts: within the cones, and deep within, or none where the modes leave none."""

import numpy as np
import pytest
from scipy.optimize import linprog

from contact_space import blocks, forces, plane_rows, space_rows
from routh.core.contact.complementarity import SEVERAL, SOLVED
from routh.core.contact.pivoting import GIVE
from routh.core.tables.layout import STICK

MU = 1.06


def two_feet(light):
    """(A, b) of a body on two feet, with so much of its weight on the first, and pushed along the floor."""
    J = plane_rows([(-1.0, -0.5), (1.0, -0.5)])
    push = 0.3
    return J @ J.T, J @ np.array([push, -1.0, 2.0 * light - 1.0 + 0.5 * push])


@pytest.mark.parametrize("light", [1e-1, 1e-3, 1e-6])
def test_a_foot_that_carries_little_has_its_part_of_the_friction_only(light):
    A, b = two_feet(light)
    block = blocks([2, 2], MU)
    (status, _), lam, a = forces(A, b, block)
    assert status == SOLVED
    assert set(block["mode"]) == {STICK}
    assert np.abs(a).max() < 1e-12
    assert lam[0] == pytest.approx(light, rel=1e-6)
    assert lam[::2].sum() == pytest.approx(1.0)
    assert lam[1::2].sum() == pytest.approx(-0.3)
    for n, t in lam.reshape(2, 2):
        assert abs(t) <= 0.5 * MU * n


def deepest(A, b, mu):
    """By linear programming: the largest margin mu n - |t|, the same at every contact of the plane, of forces that hold."""
    n = len(b)
    friction = np.kron(np.eye(n // 2), [[-mu, 1.0], [-mu, -1.0]])
    found = linprog(-np.eye(n + 1)[-1], np.column_stack([friction, np.ones(n)]), np.zeros(n), np.column_stack([A, np.zeros(n)]),
                    -b, bounds=(None, None))
    return found.x[-1] if found.status == 0 else None


def test_shares_are_found_wherever_linear_programming_finds_some():
    """Wedged blocks on several feet: friction holds by some shares, or by none."""
    rng, held, slid = np.random.default_rng(3), 0, 0
    for _ in range(300):
        feet, mu = int(rng.integers(2, 5)), rng.uniform(0.1, 1.0)
        J = plane_rows(rng.uniform(-1.0, 1.0, (feet, 2)))
        turn = rng.uniform(-0.8, 0.8, feet)  # of the floor under each foot
        for i, (c, s) in enumerate(zip(np.cos(turn), np.sin(turn), strict=True)):
            J[2 * i:2 * i + 2] = np.array([[c, s], [-s, c]]) @ J[2 * i:2 * i + 2]
        A, b = J @ J.T, J @ np.array([*rng.uniform(-0.5, 0.5, 1), -1.0, rng.uniform(-0.5, 0.5)])
        margin = deepest(A, b, mu)
        if margin is None or abs(margin) < 1e-9:
            continue
        block = blocks([2] * feet, mu)
        (status, _), lam, a = forces(A, b, block)
        sticks = status == SOLVED and np.abs(a).max() < 1e-10
        held, slid = held + (margin > 0.0), slid + (margin < 0.0)
        if margin > 0.0 and (lam[::2] > 0.0).all():  # all closed: then at rest, as what holds by some shares holds
            assert sticks
        if margin < 0.0:
            assert not sticks
    assert held > 50
    assert slid > 50


def test_feet_in_space_share_friction_deep_within_their_cones():
    """Four feet of unequal load, pushed and turned up to nine tenths of what the best share holds."""
    J = space_rows([(0.3, 0.2, -0.1), (0.3, -0.2, -0.1), (-0.3, 0.2, -0.1), (-0.3, -0.2, -0.1)])
    A, mu = J @ J.T, 0.5
    for part in (0.3, 0.6, 0.9):
        block = blocks([3] * 4, mu)
        (status, _), lam, a = forces(A, J @ np.array([part * mu, 0.0, -1.0, 0.0, 0.0, 0.0]), block)
        assert status == SOLVED
        assert np.abs(a).max() < 1e-12
        used = np.hypot(lam[1::3], lam[2::3]) / (mu * lam[::3])
        assert used.max() <= part + 0.5 * (1.0 - part)


def test_a_load_that_no_forces_answer_is_told_from_one_at_its_limit():
    """Beyond the friction of both feet there are no shares that stick, however they are dealt out: the body slides."""
    A, b = two_feet(0.3)
    for mu, sticks in ((0.301, True), (0.299, False)):
        block = blocks([2, 2], mu)
        (status, _), lam, _ = forces(A, b, block)
        assert status == SOLVED
        assert (set(block["mode"]) == {STICK}) == sticks
        assert np.all(np.abs(lam[1::2]) <= mu * lam[::2] * (1.0 + 1e-9))


def test_sliding_contacts_without_a_solution_by_a_hair_give_way():
    """Six contacts of six bodies; friction of the first cancels its inverse mass but for a part of 1e-9, and it approaches."""
    n = 6
    A, b = np.zeros((2 * n, 2 * n)), np.zeros(2 * n)
    for i in range(n):
        A[2 * i:2 * i + 2, 2 * i:2 * i + 2] = ((1.0, 0.2), (0.2, 2.0))
        b[2 * i] = -1.0
    mu = 0.5
    A[:2, :2] = ((1.0, (1.0 + 1e-9) / mu), ((1.0 + 1e-9) / mu, 5.0))
    b[0] = -0.3 * GIVE
    block = blocks([2] * n, mu, sliding=True)
    (status, _), lam, a = forces(A, b, block)
    assert status == SEVERAL  # open, or wedged: its denominator is negative
    assert a[0] >= -GIVE
    assert np.abs(a[2::2]).max() < 1e-12
    assert np.all(lam[::2] >= 0.0)
    assert lam[1::2] == pytest.approx(-mu * lam[::2])
