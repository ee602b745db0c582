"""Compiled Gauss-Seidel sweeps over the contact problem: blocks, scales and scratch for `core/contact/anderson.py`."""

from __future__ import annotations

import math

import numpy as np

from routh.native.load import entry
from routh.sim.cone_errors import Array, Problem

__all__ = ["GaussSeidel"]

MEMORY = 20   # steps that Anderson's method combines before it begins anew; with 10 heaps take more sweeps, with 30 no fewer
ROUND = 5000  # sweeps of one call, after which Python may interrupt


class GaussSeidel:
    """Sweeps over one problem. Bilateral rows are filled up to whole blocks with rows that nothing moves."""

    def __init__(self, problem: Problem) -> None:
        from scipy import sparse

        A, d = problem.A, problem.dimension
        self.size, fill = problem.b.size, -problem.b.size % d
        if fill:
            A = sparse.csr_matrix((A.data, A.indices, np.append(A.indptr, np.full(fill, A.indptr[-1]))),
                                  shape=(self.size + fill, self.size + fill))
        blocks = sparse.bsr_matrix(A, blocksize=(d, d))
        scale = np.concatenate([np.repeat(problem.step, d), problem.equal, np.ones(fill)])
        self.problem = (blocks.indptr.astype(np.int64), blocks.indices.astype(np.int64),
                        np.ascontiguousarray(blocks.data.reshape(-1, d * d), float), np.append(problem.b, np.zeros(fill)),
                        problem.mu, scale, d)
        n, m = self.size + fill, min(MEMORY, self.size)
        self.scratch = np.empty((m, n)), np.empty((m, n)), np.empty((5, n)), np.zeros((2 * m + 2, m))

    def run(self, p: Array, times: int, patience: int, tolerance: float, order: int = 0) -> tuple[Array, Array, int]:
        """(best impulses, last impulses, sweeps), until both residuals are below the tolerance.

        It ends earlier where the larger residual has not halved in `patience` sweeps. Each `order` 0, 1, 2 … is another
        sequence of contacts.
        """
        last, best, now, least = (np.zeros(self.problem[3].size) for _ in range(4))
        last[: self.size] = p
        smallest, sweeps, done = np.inf, entry("sweep_contacts", "any"), 0
        stride = _golden_stride(self.problem[0].size - 1, order)
        while done < times:
            most = min(ROUND, times - done)
            made = sweeps(*self.problem, stride, most, patience, tolerance, last, *self.scratch, now, least)
            done += made
            if least[0] < smallest:
                smallest, best, now = least[0], now, best
            if made < most or smallest <= tolerance:
                break
        return best[: self.size], last[: self.size], done


def _golden_stride(n: int, order: int) -> int:
    """Stride that visits n contacts once, each far from those just visited.

    Neighbours in the list often touch the same body. Sweeps in the order of the list need up to three times as many.
    """
    stride = max(1, min(n - 1, round((0.5 * (math.sqrt(5.0) - 1.0) * (order + 1)) % 1.0 * n)))
    while math.gcd(stride, n) != 1:
        stride -= 1
    return stride
