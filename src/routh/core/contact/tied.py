"""An impact at a contact whose slip is tied to its approach: a body with one freedom."""

import math

from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    BRACH,
    MOREAU,
    NEWTON_ALGEBRAIC,
    P_N,
    P_T,
    P_T2,
    POISSON,
    REVERSAL_COMPRESSION,
    SLIDING,
    STICK_COMPRESSION,
    STRONGE,
    STRONGE_COMPLIANT,
    V_N,
    V_T,
    V_T2,
    WORK,
    WORK_N,
)

SINGULAR = 1e-10    # determinant against the product of the diagonal: slip and approach are one motion
TIED = 1e-6         # of the approach: a slip that differs by less from what the tie makes of it


@kernel
def tied(A, v, c, out):
    """The class of a blow at a contact whose slip is tied to its approach (a body with one freedom); -1 where it is not.

    A has rank one, so both speeds vanish together and slip turns round where compression ends. Friction that would drive the
    bodies together locks them: they stop. Laws without a path cannot have the slip that they ask for, so theirs slides.
    Moreau's friction is that of the slip after, which the tie turns round.
    """
    nn, nx, ny = A[0, 0], A[0, 1], (A[0, 2] if c.count > 2 else 0.0)
    vn, vx, vy = v[0], v[1], (v[2] if c.count > 2 else 0.0)
    trace = A[1, 1] + (A[2, 2] if c.count > 2 else 0.0)
    coupled = math.sqrt(nx * nx + ny * ny)
    if not coupled > 0.0 or nn * trace - coupled * coupled > SINGULAR * nn * trace:
        return -1
    if math.hypot(nn * vx - nx * vn, nn * vy - ny * vn) > TIED * (abs(nn * vn) + coupled * abs(vn)):
        return -1  # a driver adds a slip of its own
    # direction of the slip before, by the tie; against it friction acts
    dx, dy = -nx / coupled, -ny / coupled
    D, back = nn + c.mu * coupled, nn - c.mu * coupled
    p_c = -vn / D
    if c.law == POISSON:
        after = c.e * p_c * back
    elif c.law == STRONGE or c.law == STRONGE_COMPLIANT:  # the tie leaves the tangent no freedom of its own
        after = -c.e * vn * math.sqrt(max(back, 0.0) / D)
    else:
        after = -c.e * vn
    pathless = c.law == NEWTON_ALGEBRAIC or c.law == BRACH
    after = max(after, 0.0) if back > 0.0 or pathless else 0.0
    if c.law == MOREAU and after > 0.0:
        p_c, D, pathless = -vn / back, back, True
    p_r = after / D if pathless else (after / back if back > 0.0 else 0.0)
    along = -c.mu * (p_c + p_r if pathless else p_c - p_r) * (-1.0 if c.law == MOREAU and pathless else 1.0)
    out[P_N], out[P_T], out[P_T2] = p_c + p_r, along * dx, along * dy
    out[V_N], out[V_T], out[V_T2] = after, -after * trace / coupled * dx, -after * trace / coupled * dy
    out[WORK_N] = 0.5 * (vn * p_c + after * p_r)
    out[WORK] = 0.5 * (after * after - vn * vn) / nn
    if pathless:
        return SLIDING
    return REVERSAL_COMPRESSION if after > 0.0 else STICK_COMPRESSION
