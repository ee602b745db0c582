"""The Dormand-Prince method of order 8 with its dense output of order 7 ([hairer1993], II.10), one step at a time.

The coefficients are those that SciPy ships, taken from their file alone: all of scipy.integrate takes half a second to import.
k has 16 rows: 12 stages, the slope at the end, 3 for the dense output.
"""

import importlib.util
import math
from pathlib import Path

import numpy as np

from routh.core.calls import derivative
from routh.core.jit import kernel


def _table():
    """SciPy's module of coefficients."""
    path = Path(importlib.util.find_spec("scipy").origin).parent / "integrate" / "_ivp" / "dop853_coefficients.py"
    if not path.exists():  # SciPy has moved it
        from scipy.integrate._ivp import dop853_coefficients

        return dop853_coefficients
    spec = importlib.util.spec_from_file_location("routh_dop853", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_DOP853 = _table()
STAGES = _DOP853.N_STAGES
A, C = np.array(_DOP853.A), np.array(_DOP853.C)
FIRST = np.concatenate([[0], np.cumsum((A != 0.0).sum(axis=1))])  # slices of the non-zero entries, row by row
SOURCE, WEIGHT = np.ascontiguousarray(np.nonzero(A)[1]), A[np.nonzero(A)]
E3, E5, D = np.array(_DOP853.E3), np.array(_DOP853.E5), np.array(_DOP853.D)
ERROR_STAGES = np.flatnonzero(E3[:STAGES])  # E5 is zero where E3 is


@kernel
def combine(y, h, k, s, y_out):
    """y + h Σ A[s, j] k[j], over the entries of A that are not zero."""
    first, last = FIRST[s], FIRST[s + 1]
    for i in range(y.size):
        total = 0.0
        for n in range(first, last):
            total += WEIGHT[n] * k[SOURCE[n], i]
        y_out[i] = y[i] + h * total


@kernel
def attempt(system, work, t, y, h, rtol, atol, k, stage, y_out):
    """One step from (t, y) with slope k[0]; return its error against the tolerance (1 is just acceptable)."""
    for s in range(1, STAGES + 1):
        target = stage if s < STAGES else y_out
        combine(y, h, k, s, target)
        if s < STAGES:
            derivative(system, work, t + C[s] * h, stage, k[s])
    n = system.world[0].works
    err3 = err5 = work_size = 0.0
    for i in range(n, y.size):
        work_size = max(work_size, abs(y_out[i]))  # works are controlled together, against the largest
    for i in range(y.size):
        e3 = e5 = 0.0
        for j in range(ERROR_STAGES.size):
            s = ERROR_STAGES[j]
            e3 += E3[s] * k[s, i]
            e5 += E5[s] * k[s, i]
        scale = atol + rtol * (max(abs(y[i]), abs(y_out[i])) if i < n else work_size)
        err3 += (e3 / scale) ** 2
        err5 += (e5 / scale) ** 2
    if err5 == 0.0 and err3 == 0.0:
        return 0.0
    return abs(h) * err5 / math.sqrt((err5 + 0.01 * err3) * n)


@kernel
def stiffness(n, h, k, stage, y_new):
    """h times the largest eigenvalue, estimated from the last stage and the slope at the end."""
    change = distance = 0.0
    for i in range(n):
        change += (k[STAGES, i] - k[STAGES - 1, i]) ** 2
        distance += (y_new[i] - stage[i]) ** 2
    return h * math.sqrt(change / distance) if distance > 0.0 else 0.0


@kernel
def make_dense(system, work, t, y, h, k, stage, y_new, dense_out):
    """Polynomials of the dense output over the step; needs k[12], the slope at the end."""
    for s in range(STAGES + 1, 16):
        combine(y, h, k, s, stage)
        derivative(system, work, t + C[s] * h, stage, k[s])
    polynomials(y, h, k, y_new, dense_out)


@kernel
def polynomials(y, h, k, y_new, dense_out):
    """Polynomials of the dense output from all slopes of a step."""
    for i in range(y.size):
        dy = y_new[i] - y[i]
        dense_out[0, i] = dy
        dense_out[1, i] = h * k[0, i] - dy
        dense_out[2, i] = 2.0 * dy - h * (k[STAGES, i] + k[0, i])
        for p in range(4):
            total = 0.0
            for s in range(16):
                total += D[p, s] * k[s, i]
            dense_out[3 + p, i] = h * total


@kernel
def first_step(n, y, f, rtol, atol, span):
    """A cautious first step from the sizes of state and slope ([hairer1993], II.4)."""
    size = slope = 0.0
    for i in range(n):
        scale = atol + rtol * abs(y[i])
        size += (y[i] / scale) ** 2
        slope += (f[i] / scale) ** 2
    if slope == 0.0 or size == 0.0:
        h = 1e-4 * span
    else:
        h = 0.01 * math.sqrt(size / slope)
    return min(max(h, 1e-8 * span), span)
