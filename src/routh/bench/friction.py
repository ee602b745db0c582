"""Friction-contact problems: `rt.solve_friction` beside a plain compiled Gauss-Seidel method.

CPU time until both residuals are below 1e-8. The yardstick is written here, with Numba: sweeps in order, each contact by a
projected gradient step, as textbooks print it. It may take 20 s a problem, and counts as 20 s where it does not converge.
Problems are Siconos's friction-contact library, in the folder `ROUTH_FRICTION_DATA`.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numba
import numpy as np
from scipy import sparse

import routh as rt
from routh.bench.common import ROUTH, Row

DATA = Path(os.environ.get("ROUTH_FRICTION_DATA", "friction_contact"))
LIMIT = 20.0  # s of CPU for one problem
SWEEPS = 200  # between two looks at the residual
LEFT_OUT = {"RockPile_tob1", "fc2d_granularflowonwall_02020_00213"}  # problems that need not be solved


@numba.njit(cache=True)
def plain_sweeps(indptr, indices, data, b, mu, d, times, p):
    """Sweeps of the plain method."""
    step = np.empty(mu.size)
    for i in range(mu.size):
        own = 0.0
        for k in range(d):
            for e in range(indptr[d * i + k], indptr[d * i + k + 1]):
                if d * i <= indices[e] < d * i + d:
                    own += abs(data[e])
        step[i] = 1.0 / own if own > 0.0 else 0.0
    v = np.empty(3)
    for _ in range(times):
        for i in range(mu.size):
            for k in range(d):
                v[k] = b[d * i + k]
                for e in range(indptr[d * i + k], indptr[d * i + k + 1]):
                    v[k] += data[e] * p[indices[e]]
            slip = 0.0
            for k in range(1, d):
                slip += v[k] * v[k]
            n = p[d * i] - step[i] * (v[0] + mu[i] * np.sqrt(slip))
            size = 0.0
            for k in range(1, d):
                p[d * i + k] -= step[i] * v[k]
                size += p[d * i + k] ** 2
            size = np.sqrt(size)
            if mu[i] * size <= -n:
                n, scale = 0.0, 0.0
            elif size <= mu[i] * n:
                scale = 1.0
            else:
                n = (n + mu[i] * size) / (1.0 + mu[i] ** 2)
                scale = mu[i] * n / size
            p[d * i] = n
            for k in range(1, d):
                p[d * i + k] *= scale


def plain(A, b, mu, d):
    """(CPU seconds, whether it converged) of the plain method."""
    from routh.sim.cone_errors import Problem

    problem, p = Problem(A, b, mu, d), np.zeros(b.size)
    begin = time.process_time()
    while time.process_time() - begin < LIMIT:
        plain_sweeps(A.indptr, A.indices, A.data, b, mu, d, SWEEPS, p)
        if max(problem.residuals(p)) <= 1e-8:
            return time.process_time() - begin, True
    return LIMIT, False


def rows():
    if not DATA.is_dir():
        yield Row("friction problems", ROUTH, None, "s", "ROUTH_FRICTION_DATA names no folder of problems")
        return
    ours = theirs = 0.0
    solved = reached = 0
    for path in sorted(DATA.glob("*.npz")):
        data = np.load(path)
        d, n = int(data["dim"]), int(data["dim"] * data["nc"])
        A = sparse.csr_matrix((data["W_data"], data["W_indices"], data["W_indptr"]), shape=(n, n))
        b, mu = data["q"].astype(float), np.broadcast_to(data["mu"], int(data["nc"])).astype(float)
        plain_sweeps(A.indptr, A.indices, A.data, b, mu, d, 0, np.zeros(n))
        rt.solve_friction(A, b, mu, max_iterations=1)
        begin = time.process_time()
        found = rt.solve_friction(A, b, mu)
        seconds = time.process_time() - begin
        if path.stem not in LEFT_OUT:
            other, good = plain(A, b, mu, d)
            ours, theirs, solved, reached = ours + seconds, theirs + other, solved + found.converged, reached + good
            yield Row(path.stem[:28], ROUTH, seconds, "s", f"{found.method}, {found.residual:.1e}", goal=LIMIT)
            yield Row(path.stem[:28], "plain Gauss-Seidel", other, "s", "" if good else "not converged")
        else:
            yield Row(path.stem[:28], ROUTH, seconds, "s", f"{found.method}, {found.residual:.1e}")
    yield Row("all but two", ROUTH, ours, "s", f"{solved} of 24 solved", goal_ratio=1.0 / 3.0)
    yield Row("all but two", "plain Gauss-Seidel", theirs, "s", f"{reached} of 24 solved")
