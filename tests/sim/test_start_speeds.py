"""Speeds of a start: least norm and least squares, block by block."""

import numpy as np

from routh.sim.assembly import _least_norm


def test_blocks_give_the_least_norm_solution_of_the_whole():
    rng = np.random.default_rng(0)
    K = np.zeros((9, 12))
    K[:3, [0, 4, 5, 7]] = rng.normal(size=(3, 4))  # fewer rows than unknowns
    K[3:8, [1, 2, 9]] = rng.normal(size=(5, 3))    # more rows than unknowns: least squares
    K[8, 11] = 2.0
    want = rng.normal(size=9)
    order = rng.permutation(9)
    np.testing.assert_allclose(_least_norm(K[order], want[order]), np.linalg.pinv(K) @ want, atol=1e-13)
