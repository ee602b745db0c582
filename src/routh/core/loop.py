"""The entry points of smooth motion: run, observe. Python calls each once per stretch of work."""

import math

import numpy as np

from routh.core.borrow import borrow
from routh.core.explicit import (
    N_DENSE,
    STAGES,
    attempt,
    dense_value,
    first_step,
    make_dense,
    stiffness,
)
from routh.core.jit import kernel
from routh.core.kane import derivative, project
from routh.core.layout import FINISHED, NOT_FINITE, PAUSED, STEP_TOO_SMALL, STIFF
from routh.core.profile import choose_pieces

f8, i8 = np.float64, np.int64

CONTROL = np.dtype([
    ("t", f8),                 # present time [s]
    ("h", f8),                 # next step [s]; 0 asks for a first guess
    ("rtol", f8), ("atol", f8),  # error per step: atol + rtol |y|
    ("max_step", f8),          # [s]
    ("drift", f8),             # largest violation of a loop row that an accepted step may keep [m or rad]
    ("worst_drift", f8),       # largest violation met after projection
    ("watch_stiffness", i8),   # 1: return STIFF when it is detected
    ("budget", i8),            # accepted and rejected steps before returning PAUSED
    ("segment", i8),           # present smooth stretch, between two stops
    ("next_out", i8),          # next requested time
    ("n_out", i8),             # samples written
    ("accepted", i8), ("rejected", i8), ("evaluations", i8),
    ("stiff_hits", i8), ("calm_hits", i8),
    ("fresh", i8),             # 1: the slope at the present state must be computed
])

STIFF_LIMIT = 6.1     # |h λ| at the edge of the method's stability region
STIFF_HITS = 15       # consecutive enough: one transient is not stiffness


@kernel
def copy(source, target):
    """Copy a vector; a slice assignment would compile a page of error messages."""
    for i in range(source.size):
        target[i] = source[i]


@kernel
def record(control, y, t, segment, t_out, y_out, segment_out):
    """Write one sample."""
    t_out[control.n_out] = t
    copy(y, y_out[control.n_out])
    segment_out[control.n_out] = segment
    control.n_out += 1


@kernel
def finite(y):
    """Whether every number of the state is finite."""
    for x in y:
        if not math.isfinite(x):
            return False
    return True


@kernel
def run_explicit(system, work, control_table, y, stops, wanted, t_out, y_out, segment_out):
    """Integrate from control.t to the last stop; samples at the wanted times and on both sides of inner stops.

    Re-entrant: PAUSED means call again with the same arguments. Other ends are FINISHED, STIFF, STEP_TOO_SMALL, NOT_FINITE.
    """
    system, work = borrow(system), borrow(work)
    control = control_table[0]
    n = y.size
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    k, dense = np.zeros((16, n)), np.zeros((N_DENSE, n))
    stage, y_new, sample = np.zeros(n), np.zeros(n), np.zeros(n)
    steps = 0
    control.fresh = 1
    choose_pieces(system, 0.5 * (stops[control.segment] + stops[control.segment + 1]), work.piece)

    while True:
        t, stop = control.t, stops[control.segment + 1]
        if control.fresh == 1:
            derivative(system, work, t, y, k[0])
            control.evaluations += 1
            control.fresh = 0
            if not finite(k[0]):
                return NOT_FINITE
            if control.h == 0.0:
                control.h = first_step(y, k[0], control.rtol, control.atol, stop - t)
        if steps >= control.budget:
            return PAUSED
        steps += 1

        # the step ends exactly at the stop, or leaves room for a decent one
        h = min(control.h, control.max_step)
        if t + 1.01 * h >= stop:
            h = stop - t
        elif t + 2.0 * h > stop:
            h = 0.5 * (stop - t)
        if h <= 1e-14 * max(abs(t), abs(stop)) and h < stop - t:
            return STEP_TOO_SMALL
        error = attempt(system, work, t, y, h, control.rtol, control.atol, k, stage, y_new)
        control.evaluations += STAGES
        if not error <= 1.0:  # also where it is not a number
            control.rejected += 1
            control.h = h * max(0.2, 0.9 * error ** -0.125) if math.isfinite(error) else 0.1 * h
            if control.h < 1e-14 * max(abs(t), abs(stop)) or control.h < 1e-300:
                return STEP_TOO_SMALL if math.isfinite(error) else NOT_FINITE
            continue

        # accepted: back to the constraints, slope at the end
        t_new = stop if h == stop - t else t + h
        left = project(system, work, t_new, y_new[:n_q], y_new[n_q:n_q + n_u], control.drift)
        control.worst_drift = max(control.worst_drift, left)
        derivative(system, work, t_new, y_new, k[STAGES])
        control.evaluations += 2
        if not finite(k[STAGES]):
            return NOT_FINITE
        control.accepted += 1
        if control.watch_stiffness == 1:
            if stiffness(h, k, stage, y_new) > STIFF_LIMIT:
                control.stiff_hits, control.calm_hits = control.stiff_hits + 1, 0
            else:
                control.calm_hits += 1
                if control.calm_hits == 6:
                    control.stiff_hits = 0

        # samples within the step
        if control.next_out < wanted.size and wanted[control.next_out] <= t_new:
            if wanted[control.next_out] < t_new:
                make_dense(system, work, t, y, h, k, stage, y_new, dense)
                control.evaluations += 3
            while control.next_out < wanted.size and wanted[control.next_out] <= t_new:
                moment = wanted[control.next_out]
                control.next_out += 1
                if moment == t_new:
                    if t_new < stop:
                        record(control, y_new, t_new, control.segment, t_out, y_out, segment_out)
                    continue  # a sample at a stop is written below
                dense_value(y, dense, (moment - t) / h, sample)
                project(system, work, moment, sample[:n_q], sample[n_q:n_q + n_u], control.drift)
                record(control, sample, moment, control.segment, t_out, y_out, segment_out)

        control.t = t_new
        copy(y_new, y)
        copy(k[STAGES], k[0])
        factor = 5.0 if error == 0.0 else min(5.0, max(0.3, 0.9 * error ** -0.125))
        if h >= min(control.h, control.max_step) or factor < 1.0:
            control.h = h * factor
        if t_new >= stop:
            record(control, y, t_new, control.segment, t_out, y_out, segment_out)
            if control.segment + 2 == stops.size:
                return FINISHED
            control.segment += 1
            record(control, y, t_new, control.segment, t_out, y_out, segment_out)
            choose_pieces(system, 0.5 * (stops[control.segment] + stops[control.segment + 1]), work.piece)
            control.fresh = 1
        if control.watch_stiffness == 1 and control.stiff_hits >= STIFF_HITS:
            return STIFF
