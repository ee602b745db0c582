"""The entry point of smooth motion by the implicit method, for stiff models. Same arguments and ends as `run_explicit`."""

import math

from routh.core.calls import derivative, project
from routh.core.integrate.implicit import (
    BUTCHER,
    DENSE,
    NEWTON,
    C,
    collocate,
    estimate,
    factor,
    jacobian,
    make_polynomial,
)
from routh.core.integrate.samples import CLOSED, copy, finite, step_to_stop, write_samples
from routh.core.jit import kernel
from routh.core.tables.layout import FINISHED, LOOP_OPEN, NO_CONVERGENCE, NOT_FINITE, PAUSED, STEP_TOO_SMALL
from routh.core.tree.profile import choose_pieces


@kernel
def guess_stages(Z, h_last, h, out):
    """Extrapolate the last collocation polynomial to the next step's stages."""
    for i in range(Z.shape[1]):
        q1 = DENSE[0, 0] * Z[0, i] + DENSE[0, 1] * Z[1, i] + DENSE[0, 2] * Z[2, i]
        q2 = DENSE[1, 0] * Z[0, i] + DENSE[1, 1] * Z[1, i] + DENSE[1, 2] * Z[2, i]
        q3 = DENSE[2, 0] * Z[0, i] + DENSE[2, 1] * Z[1, i] + DENSE[2, 2] * Z[2, i]
        for s in range(3):
            x = 1.0 + C[s] * h / h_last
            out[s, i] = x * (q1 + x * (q2 + x * q3)) - Z[2, i]


@kernel
def run_implicit(system, work, control_table, buffers, radau, stops, wanted, t_out, y_out, segment_out):
    """Integrate from control.t to the last stop; samples at the wanted times and on both sides of inner stops.

    Re-entrant like `run_explicit`. Other ends are FINISHED, STEP_TOO_SMALL, NOT_FINITE, NO_CONVERGENCE.
    """
    control = control_table[0]
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    y, dense, y_try, y_new, sample = buffers.y, buffers.dense, buffers.stage, buffers.y_new, buffers.sample
    f, f_try, F = buffers.k[0], buffers.k[1], buffers.k[2:5]
    n_y, n = y.size, system.world[0].works
    Z, Z_last, jac = radau.Z, radau.Z_last, radau.jacobian
    real, real_pivot, compl, compl_pivot = radau.real, radau.real_pivot, radau.complex, radau.complex_pivot
    xr, xc = radau.x_real, radau.x_complex
    h_last, h_factored = 0.0, 0.0
    current = False       # the Jacobian belongs to the present state
    first = True
    control.fresh = 1
    choose_pieces(system, 0.5 * (stops[control.segment] + stops[control.segment + 1]), work.piece)

    while True:
        t, stop = control.t, stops[control.segment + 1]
        rtol, atol = control.rtol, control.atol
        if control.fresh == 1:
            derivative(system, work, t, y, f)
            if not finite(f):
                return NOT_FINITE
            jacobian(system, work, t, y, f, y_try, f_try, jac)
            control.evaluations += 1 + n
            control.fresh = 0
            current, h_factored, h_last = True, 0.0, 0.0
            if control.h == 0.0:
                slope = 0.0
                for i in range(n):
                    slope = max(slope, abs(f[i]) / (atol + rtol * abs(y[i])))
                control.h = min(stop - t, max(1.0 / max(slope, 1e-12), 1e-10 * (stop - t)))
        if control.accepted + control.rejected >= control.budget:
            return PAUSED

        h = step_to_stop(control, t, stop)
        t_new = stop if h == stop - t else t + h
        h = t_new - t  # what time really advances by, in floating point
        if h <= 1e-14 * max(abs(t), abs(stop)) and h < stop - t:
            return STEP_TOO_SMALL
        if h != h_factored:
            if not factor(jac, h, real, real_pivot, compl, compl_pivot):
                control.h = 0.5 * h
                continue
            h_factored = h
        if h_last > 0.0:
            guess_stages(Z_last, h_last, h, Z)
        else:
            for s in range(3):
                for i in range(n):
                    Z[s, i] = 0.0
        used = collocate(system, work, t, y, h, rtol, atol, real, real_pivot, compl, compl_pivot, Z, F, y_try, xr, xc)
        control.evaluations += 3 * NEWTON if used < 0 else 3 * used
        if used < 0:
            # a stale Jacobian first, then a shorter step
            control.rejected += 1
            if not current:
                jacobian(system, work, t, y, f, y_try, f_try, jac)
                control.evaluations += n
                current, h_factored = True, 0.0
            else:
                control.h = 0.5 * h
                h_last = 0.0
                if control.h < 1e-14 * max(abs(t), abs(stop)) or control.h < 1e-300:
                    return NO_CONVERGENCE
            continue

        for i in range(n):
            y_new[i] = y[i] + Z[2, i]
        for i in range(n, n_y):
            y_new[i] = y[i] + h * (BUTCHER[2, 0] * F[0, i] + BUTCHER[2, 1] * F[1, i] + BUTCHER[2, 2] * F[2, i])
        error = estimate(f, h, Z, y, y_new, rtol, atol, real, real_pivot, xr)
        if error > 1.0 and (first or control.rejected > 0):
            # filter the estimate once more: stiff components make the first one too large
            for i in range(n_y):
                y_try[i] = y[i] + (xr[i] if i < n else 0.0)
            derivative(system, work, t, y_try, f_try)
            error = estimate(f_try, h, Z, y, y_new, rtol, atol, real, real_pivot, xr)
            control.evaluations += 1
        safety = 0.9 * (2.0 * NEWTON + 1.0) / (2.0 * NEWTON + used)
        change = min(8.0, max(0.2, safety * error ** -0.25)) if error > 0.0 else 8.0
        if not error <= 1.0:
            control.rejected += 1
            control.h = h * change if math.isfinite(error) else 0.1 * h
            continue

        make_polynomial(Z, F, h, y, dense)
        left = project(system, work, t_new, y_new[:n_q], y_new[n_q:n_q + n_u])
        if not left <= CLOSED:
            # what is driven may pull the loop apart: a shorter step shows whether it does so for good
            control.rejected += 1
            control.h = 0.25 * h
            if control.h < 1e-12 * max(abs(t), abs(stop)):
                return LOOP_OPEN
            continue
        control.worst_drift = max(control.worst_drift, left)
        derivative(system, work, t_new, y_new, f)
        control.evaluations += 2
        if not finite(f):
            return NOT_FINITE
        control.accepted += 1
        first = False
        over = write_samples(system, work, control, t, y, h, t_new, y_new, dense, sample, stops, wanted,
                             t_out, y_out, segment_out)
        control.t = t_new
        copy(y_new, y)
        for s in range(3):
            copy(Z[s], Z_last[s])
        h_last = h
        if over:
            return FINISHED
        current = False
        if used > 3:
            jacobian(system, work, t_new, y, f, y_try, f_try, jac)
            control.evaluations += n
            current, h_factored = True, 0.0
        if change > 1.2 or change < 1.0:
            control.h = h * change if h >= 0.99 * min(control.h, control.max_step) or change < 1.0 else control.h
