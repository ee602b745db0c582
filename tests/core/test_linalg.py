"""Dense factors in place, against numpy."""

import numpy as np

from routh.core.linalg import lu_factor, lu_solve


def solved(a, b, spare=0):
    n = b.size
    room = np.full((n + spare, n + spare), np.nan)
    room[:n, :n] = a
    x, pivot = np.concatenate([b, np.full(spare, np.nan)]), np.zeros(n + spare, dtype=np.int64)
    ok = lu_factor(room, n, pivot)
    if ok:
        lu_solve(room, n, pivot, x)
    return ok, x[:n]


def test_lu_solves_random_systems_to_round_off():
    rng = np.random.default_rng(1)
    for n in range(1, 12):
        a, x = rng.normal(size=(n, n)), rng.normal(size=n)
        ok, found = solved(a, a @ x, spare=n % 3)
        assert ok
        assert np.allclose(found, x, rtol=0.0, atol=1e-14 * n * np.linalg.cond(a))


def test_lu_swaps_rows_where_the_diagonal_is_zero():
    assert np.array_equal(solved(np.array([[0.0, 2.0], [4.0, 0.0]]), np.array([2.0, 4.0]))[1], [1.0, 1.0])


def test_lu_refuses_singular_and_not_finite_matrices():
    assert not solved(np.array([[1.0, 2.0], [2.0, 4.0]]), np.ones(2))[0]
    assert not solved(np.full((2, 2), np.nan), np.ones(2))[0]
