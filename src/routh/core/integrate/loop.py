"""The entry point of smooth motion by the explicit method. Python calls it once per slice of work."""

import math

from routh.core.calls import derivative, project
from routh.core.integrate.explicit import STAGES, attempt, first_step, make_dense, stiffness
from routh.core.integrate.low_order import LOW_STAGES, attempt_low, make_cubic
from routh.core.integrate.samples import CLOSED, copy, finite, step_to_stop, wants_dense, write_samples
from routh.core.jit import kernel
from routh.core.tables.layout import FINISHED, LOOP_OPEN, NOT_FINITE, PAUSED, STEP_TOO_SMALL, STIFF
from routh.core.tree.profile import choose_pieces

CALM = 0.02           # weight of the last error in the step control
SHARP = 0.125 - 0.75 * CALM
LAST, NONE = 1e-4, 1e-12  # of the tolerance: a smaller last error, and a smaller error, count as these
LOW_ON, LOW_BACK = -1.0 / 3.0, -0.5  # order 3: after an accepted step, and back where a law may have jumped
GROWTH = 6.0          # of a step at most
STIFF_LIMIT = 4.0     # |h λ| beyond what accuracy allows at the usual tolerances, short of the stability limit of 6.1
STIFF_HITS = 20       # consecutive enough: one transient is not stiffness


@kernel
def run_explicit(system, work, control_table, buffers, stops, wanted, t_out, y_out, segment_out):
    """Integrate from control.t to the last stop; samples at the wanted times and on both sides of inner stops.

    Re-entrant: PAUSED means call again with the same arguments. Other ends are FINISHED, STIFF, STEP_TOO_SMALL, NOT_FINITE.
    """
    control = control_table[0]
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    y, k, dense, stage, y_new, sample = (buffers.y, buffers.k, buffers.dense, buffers.stage, buffers.y_new, buffers.sample)
    low = control.order == 3
    stages = LOW_STAGES if low else STAGES
    growth = GROWTH
    control.last_error = max(control.last_error, LAST)
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
                control.h = first_step(n_q + n_u, y, k[0], control.rtol, control.atol, stop - t)
        if control.accepted + control.rejected >= control.budget and growth == GROWTH:
            return PAUSED  # not after a rejection: pauses must leave no trace

        h = step_to_stop(control, t, stop)
        t_new = stop if h == stop - t else t + h
        h = t_new - t  # what time really advances by, in floating point
        if h <= 1e-14 * max(abs(t), abs(stop)) and h < stop - t:
            return STEP_TOO_SMALL
        if low:
            error = attempt_low(system, work, t, y, h, control.rtol, control.atol, k, stage, y_new)
        else:
            error = attempt(system, work, t, y, h, control.rtol, control.atol, k, stage, y_new)
        control.evaluations += stages
        if not error <= 1.0:  # also where it is not a number
            control.rejected += 1
            control.h = h * max(0.2, 0.9 * error ** (LOW_BACK if low else -0.125)) if math.isfinite(error) else 0.1 * h
            growth = 1.0  # the step after a rejection does not grow
            if control.h < 1e-14 * max(abs(t), abs(stop)) or control.h < 1e-300:
                return STEP_TOO_SMALL if math.isfinite(error) else NOT_FINITE
            continue

        # accepted: back to the constraints, slope at the end
        left = project(system, work, t_new, y_new[:n_q], y_new[n_q:n_q + n_u])
        if not left <= CLOSED:
            # what is driven may pull the loop apart: a shorter step shows whether it does so for good
            control.rejected += 1
            control.h = 0.25 * h
            if control.h < 1e-12 * max(abs(t), abs(stop)):
                return LOOP_OPEN
            continue
        control.worst_drift = max(control.worst_drift, left)
        if not low:  # order 3 has its slope at the end already, next to the constraints
            derivative(system, work, t_new, y_new, k[STAGES])
            control.evaluations += 2
        if not finite(k[stages]):
            return NOT_FINITE
        control.accepted += 1
        if control.watch_stiffness == 1:
            if stiffness(n_q + n_u, h, k, stage, y_new) > STIFF_LIMIT:
                control.stiff_hits, control.calm_hits = control.stiff_hits + 1, 0
            else:
                control.calm_hits += 1
                if control.calm_hits == 6:
                    control.stiff_hits = 0

        if wants_dense(control, wanted, t_new):
            if low:
                make_cubic(y, h, k, y_new, dense)
            else:
                make_dense(system, work, t, y, h, k, stage, y_new, dense)
                control.evaluations += 3
        over = write_samples(system, work, control, t, y, h, t_new, y_new, dense, sample, stops, wanted,
                             t_out, y_out, segment_out)
        control.t = t_new
        copy(y_new, y)
        copy(k[stages], k[0])
        # proportional-integral control ([hairer1996], IV.2): calmer than the error of one step alone
        wish = 0.85 * max(error, LAST) ** LOW_ON if low else 0.9 * max(error, NONE) ** -SHARP * control.last_error ** CALM
        factor = min(growth, max(0.3, wish))
        control.last_error, growth = max(error, LAST), GROWTH
        if h >= 0.99 * min(control.h, control.max_step) or factor < 1.0:
            control.h = h * factor
        if over:
            return FINISHED
        if control.watch_stiffness == 1 and control.stiff_hits >= STIFF_HITS:
            return STIFF
