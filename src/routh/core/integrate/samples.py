"""What every loop of smooth motion shares: its control record, and how samples are written."""

import math

import numpy as np

from routh.core.calls import project
from routh.core.jit import kernel
from routh.core.tables.runs import N_DENSE
from routh.core.tree.profile import choose_pieces

f8, i8 = np.float64, np.int64

CLOSED = 1e-10        # largest violation of a loop row that an accepted step may keep [m or rad]


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
def dense_value(y, dense, x, y_out):
    """State at the fraction x of the step that began at y: y + x (d₀ + (1 - x)(d₁ + x (d₂ + ...)))."""
    for i in range(y.size):
        total = 0.0
        for p in range(N_DENSE - 1, -1, -1):
            total += dense[p, i]
            total *= x if (N_DENSE - 1 - p) % 2 == 0 else 1.0 - x
        y_out[i] = y[i] + total


@kernel
def wants_dense(control, wanted, t_new):
    """Whether a wanted time lies inside the step that ends at t_new."""
    return control.next_out < wanted.size and wanted[control.next_out] < t_new


@kernel
def write_samples(system, work, control, t, y, h, t_new, y_new, dense, sample, stops, wanted, t_out, y_out, segment_out):
    """Samples of an accepted step, at its wanted times and on both sides of a stop; return whether the run is over."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    stop = stops[control.segment + 1]
    while control.next_out < wanted.size and wanted[control.next_out] <= t_new:
        moment = wanted[control.next_out]
        control.next_out += 1
        if moment < t_new:
            dense_value(y, dense, (moment - t) / h, sample)
            project(system, work, moment, sample[:n_q], sample[n_q:n_q + n_u])
            record(control, sample, moment, control.segment, t_out, y_out, segment_out)
        elif t_new < stop:
            record(control, y_new, t_new, control.segment, t_out, y_out, segment_out)
    if t_new < stop:
        return False
    record(control, y_new, t_new, control.segment, t_out, y_out, segment_out)
    if control.segment + 2 == stops.size:
        return True
    control.segment += 1
    record(control, y_new, t_new, control.segment, t_out, y_out, segment_out)
    choose_pieces(system, 0.5 * (stops[control.segment] + stops[control.segment + 1]), work.piece)
    control.fresh = 1
    return False


@kernel
def step_to_stop(control, t, stop):
    """The next step: it ends exactly at the stop, or leaves room for a decent one."""
    h = min(control.h, control.max_step)
    if t + 1.01 * h >= stop:
        return stop - t
    return 0.5 * (stop - t) if t + 2.0 * h > stop else h
