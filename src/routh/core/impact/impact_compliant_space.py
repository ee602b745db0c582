"""One impact in space with a compliant tangent: the springs of `impact_compliant` with two tangents, marched in time.

The tangential spring is a vector, and its slider obeys Coulomb's circular cone. Forces are leapfrogged against velocities, and
the tangential force is returned to its cone radially after each step. The march is of second order in its step; momentum is
exact, as the velocities follow from the impulses.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    P_COMPRESSION,
    P_N,
    P_STOP,
    P_T2,
    SLIDING,
    STALLED,
    STICK_COMPRESSION,
    STICK_FROM_START,
    STICK_RESTITUTION,
    V_N,
    V_T2,
    WORK,
    WORK_N,
)

STEPS = 4000          # per radian of the fastest vibration: errors are below 1e-7 of the velocities
MOST = 10_000_000     # steps after which the march is given up


@kernel
def push(A, h, f, v):
    """Velocities after forces f have acted for the time h."""
    f0, f1, f2 = f[0] * h, f[1] * h, f[2] * h
    for i in range(3):
        v[i] += A[i, 0] * f0 + A[i, 1] * f1 + A[i, 2] * f2


@kernel
def stretch(kn, k, mu, h, v, f):
    """Forces after the springs were stretched with velocities v for the time h; return whether the slider slides."""
    f[0] -= kn * v[0] * h
    f[1] -= k * v[1] * h
    f[2] -= k * v[2] * h
    size, most = math.hypot(f[1], f[2]), mu * max(f[0], 0.0)
    if size > most:
        f[1], f[2] = f[1] * most / size, f[2] * most / size
        return True
    return False


@kernel
def march_in_space(A, v_before, e, mu, k, out):
    """Fill the row `out` for an approaching contact; return the kind."""
    v, f = out[V_N:V_T2 + 1], out[P_N:P_T2 + 1]
    for i in range(3):
        v[i], f[i] = v_before[i], 0.0
    highest = (1.0 / (e * e) if e > 0.0 else 1.0) * A[0, 0] + k * (A[1, 1] + A[2, 2])
    step = 1.0 / (STEPS * math.sqrt(highest))
    kn, compressing, slid, stuck, stop_compressing = 1.0, True, False, False, True
    p0 = p1 = p2 = p_c = work = 0.0
    p_stop = math.nan
    done = False
    for _ in range(MOST):
        h = step
        f0, f1, f2, v0, v1, v2 = f[0], f[1], f[2], v[0], v[1], v[2]
        sliding = False
        for again in range(2):
            push(A, 0.5 * h, f, v)
            sliding = stretch(kn, k, mu, h, v, f)
            push(A, 0.5 * h, f, v)
            # the step that ends compression or contact is taken again, up to there
            part = 1.0
            if again == 0 and compressing and v[0] > 0.0:
                part = v0 / (v0 - v[0])
            elif again == 0 and not compressing and f[0] < 0.0:
                part = f0 / (f0 - f[0])
            if part == 1.0:
                break
            h, done = step * part, not compressing
            f[0], f[1], f[2], v[0], v[1], v[2] = f0, f1, f2, v0, v1, v2
        p0, p1, p2 = p0 + 0.5 * h * (f0 + f[0]), p1 + 0.5 * h * (f1 + f[1]), p2 + 0.5 * h * (f2 + f[2])
        if sliding:
            slid = True
        elif slid and not stuck:
            stuck, stop_compressing, p_stop = True, compressing, p0
        if done:
            break
        if compressing and h < step:
            compressing, p_c = False, p0
            work = -0.5 * f[0] * f[0] * (1.0 - e * e)
            if e == 0.0:
                done = True
                break
            kn = 1.0 / (e * e)
    for i in range(3):
        v[i] = v_before[i] + A[i, 0] * p0 + A[i, 1] * p1 + A[i, 2] * p2
    f[0], f[1], f[2] = p0, p1, p2
    out[WORK_N], out[P_COMPRESSION], out[P_STOP] = work, p_c, p_stop
    out[WORK] = 0.5 * ((v_before[0] + v[0]) * p0 + (v_before[1] + v[1]) * p1 + (v_before[2] + v[2]) * p2)
    if not done:
        return STALLED
    if not slid:
        return STICK_FROM_START
    if not stuck:
        return SLIDING
    return STICK_COMPRESSION if stop_compressing else STICK_RESTITUTION
