"""Slides that jam together: found by random search, and every condition of the impulses that end them checked from outside."""

import itertools

import numpy as np
import pytest

from contact_space import blocks
from routh.core.contact.impact_jam import jam_together
from routh.core.contact.impact_many import RESOLVED
from routh.core.tables.impact_codes import TANGENTIAL
from routh.core.tables.runs import BLOW, new_solver
from routh.native.load import connect_solver

SLOW = 1e-11
ROUND_OFF = 1e-11    # of speeds of about one


def accelerations_exist(A, b, ways, mu):
    """Whether sliding contacts of the plane, each open or closed, have accelerations: every combination is tried."""
    n = len(ways)
    push = A[::2, ::2] - mu * ways * A[::2, 1::2]  # normal acceleration by a unit of each normal force, friction along with it
    for closed in itertools.product([False, True], repeat=n):
        on = np.array(closed)
        force = np.zeros(n)
        if on.any():
            force[on] = np.linalg.solve(push[np.ix_(on, on)], -b[::2][on])
        if (force >= 0.0).all() and (push @ force + b[::2] >= -1e-12).all():
            return True
    return False


def jammed_problems(count):
    """(A, v, b, mu) of two or three contacts of the plane that slide and have no accelerations, though none jams alone."""
    rng, found = np.random.default_rng(5), 0
    while found < count:
        n = int(rng.integers(2, 4))
        J = rng.normal(size=(2 * n, 3 * (n - 1)))
        A, mu, b = J @ J.T, rng.uniform(0.3, 1.5), J @ rng.normal(size=J.shape[1])
        u = rng.normal(size=J.shape[1])
        v = J @ (u - np.linalg.pinv(J[::2]) @ J[::2] @ u)  # neither parts nor approaches; the same on every machine
        v[::2], ways = 0.0, np.sign(v[1::2])
        alone = np.diag(A)[::2] - mu * ways * np.diag(A, 1)[::2]
        if (alone > 0.05).all() and not accelerations_exist(A, b, ways, mu):
            found += 1
            yield A, v, b, mu


@pytest.mark.parametrize("problem", list(jammed_problems(40)), ids=range(40))
def test_a_common_impulse_stops_a_slip_and_keeps_coulombs_law(problem):
    A, v, b, mu = problem
    n = len(v)
    solver, block, blow = new_solver(n), blocks([2] * (n // 2), mu), np.zeros(10, BLOW)
    connect_solver(solver)
    p, after = np.zeros(n), np.zeros(n)
    status, count, _ = jam_together(solver, A, v, b, block, SLOW, p, after, blow)
    assert status == RESOLVED
    assert count > 0
    assert set(blow["kind"][:count]) == {TANGENTIAL}
    size = np.abs(v).max()
    assert after == pytest.approx(v + A @ p, abs=1e-12 * size * np.linalg.cond(A))
    pn, pt, vn, vt = p[::2], p[1::2], after[::2], after[1::2]
    assert (pn >= 0.0).all()
    assert (vn >= -ROUND_OFF * size).all()
    assert np.abs(pn * vn).max() <= ROUND_OFF * pn.max() * size
    assert (np.abs(pt) <= mu * pn * (1.0 + 1e-9)).all()
    slides = np.abs(vt) > ROUND_OFF * size
    assert pt[slides] == pytest.approx(-mu * pn[slides] * np.sign(vt[slides]), rel=1e-6, abs=1e-12 * pn.max())
    assert (np.sign(vt) * np.sign(v[1::2]) * slides <= 0.0).any()  # one has stopped, or turned round
    assert p @ (v + after) <= 1e-12 * pn.max() * size  # twice the work
    assert blow["work"][:count].sum() == pytest.approx(0.5 * p @ (v + after))
