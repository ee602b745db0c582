"""One impact in space at a contact whose three speeds may be tied to each other: a body with few freedoms."""

import math

from routh.core.contact.tied import SINGULAR
from routh.core.impact.impact_space import live_tangent, resolve_space
from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    BRACH,
    N_ROWS,
    NEWTON,
    NEWTON_ALGEBRAIC,
    NO_IMPACT,
    P_N,
    P_STOP,
    P_T,
    P_T2,
    STOPPED,
    V_N,
    V_T,
    V_T2,
    WORK,
    WORK_N,
)

BARE = 1e-14        # the same of a determinant that is round-off
LOOSE = 1e-9        # share of its diagonal that is added to a singular matrix of three rows
LOOSENED = 1e-3     # of the impulse: what that may change it by
LOCKED = 1e-6       # slip or approach that is left of such a contact, against its speeds before, where both end together


@kernel
def stops(A, v, tight, p, mu_s, slow, out):
    """Take the normal impulse p and the tangential one that stops the slip; return whether the approach ends with it, too.

    A's diagonal times `tight` is that of the contact.
    """
    nn, xx, yy, xy = tight * A[0, 0], tight * A[1, 1], tight * A[2, 2], A[1, 2]
    x, y = v[1] + A[0, 1] * p, v[2] + A[0, 2] * p
    det = xx * yy - xy * xy
    p_x, p_y = (xy * y - yy * x) / det, (xy * x - xx * y) / det
    if not (p > 0.0 and math.hypot(p_x, p_y) <= mu_s * p and abs(v[0] + nn * p + A[0, 1] * p_x + A[0, 2] * p_y) <= slow):
        return False
    out[P_N], out[P_T], out[P_T2] = p, p_x, p_y
    out[V_N] = out[V_T] = out[V_T2] = 0.0
    out[WORK_N] = 0.5 * v[0] * out[P_N]
    out[WORK] = 0.5 * (v[0] * out[P_N] + v[1] * out[P_T] + v[2] * out[P_T2])
    return True


@kernel
def tighten(A, v, tight, out):
    """Scale the impulse that a loosened matrix gave so that the contact itself gets its rebound; slip and works follow.

    Next to a jam the impulse is large, and so is what the looseness takes of it. A's diagonal times `tight` is the contact's.
    """
    p, p_x, p_y = out[P_N], out[P_T], out[P_T2]
    gain = tight * A[0, 0] * p + A[0, 1] * p_x + A[0, 2] * p_y
    scale = (out[V_N] - v[0]) / gain
    if not abs(scale - 1.0) <= LOOSENED:
        return
    out[P_N], out[P_T], out[P_T2] = scale * p, scale * p_x, scale * p_y
    out[V_T] = v[1] + scale * (A[0, 1] * p + tight * A[1, 1] * p_x + A[1, 2] * p_y)
    out[V_T2] = v[2] + scale * (A[0, 2] * p + A[1, 2] * p_x + tight * A[2, 2] * p_y)
    out[WORK_N] *= scale
    out[WORK] = 0.5 * scale * ((v[0] + out[V_N]) * p + (v[1] + out[V_T]) * p_x + (v[2] + out[V_T2]) * p_y)


@kernel
def in_space(system, A, v, c, scratch, out):
    """One contact in space; where its three speeds are tied to each other, the tie is loosened a little.

    Then there is an impulse that moves nothing. If the cone of friction holds it, a slip that stops does so with the approach,
    and every law asks in vain for a rebound: the contact locks and stops. Laws without a path may ask for a slip that the tie
    does not allow: there Newton's takes their place. Next to such a place, bodies may be fast that hardly move the contact: its
    speeds are not tied then, and nothing is loosened, but it locks, too.
    """
    march, law = scratch[:N_ROWS + 2], c.law
    # x, y over `flat`: the tangential part of the impulse that moves nothing, with the normal part -1
    flat = A[1, 1] * A[2, 2] - A[1, 2] * A[1, 2]
    x, y = A[0, 1] * A[2, 2] - A[0, 2] * A[1, 2], A[0, 2] * A[1, 1] - A[0, 1] * A[1, 2]
    whole, det = A[0, 0] * A[1, 1] * A[2, 2], A[0, 0] * flat - A[0, 1] * x - A[0, 2] * y
    slow, push = LOCKED * (abs(v[0]) + math.hypot(v[1], v[2])), x * v[1] + y * v[2] - flat * v[0]
    tx, ty = live_tangent(A, v)
    tied_up = tx == 0.0 and ty == 0.0 and A[1, 1] > 0.0 and A[2, 2] > 0.0  # else the plane's laws know what to do
    singular = tied_up and det <= SINGULAR * whole
    loose = singular and (det <= BARE * whole or abs(push) <= slow * flat)
    if loose:
        for i in range(3):
            A[i, i] *= 1.0 + LOOSE
        law = NEWTON if law == NEWTON_ALGEBRAIC or law == BRACH else law
    kind = resolve_space(A, v, law, c.e, c.e_t, c.mu, c.mu_s, march, scratch[:0], out)[0]
    locked = singular and kind != NO_IMPACT and math.hypot(x, y) <= c.mu_s * flat
    if locked and (out[P_STOP] >= 0.0 or math.hypot(out[V_T], out[V_T2]) <= slow):
        if loose:  # a little more of what moves nothing leads the impulse back into the cone
            p = (1.0 + 10.0 * LOOSE) * (out[P_STOP] if out[P_STOP] >= 0.0 else out[P_N])
            kind = STOPPED if stops(A, v, 1.0 / (1.0 + LOOSE), p, math.inf, slow, out) else kind
        elif stops(A, v, 1.0, push / det, c.mu_s, slow, out):
            kind = STOPPED
    if loose and kind != NO_IMPACT and math.hypot(out[V_T], out[V_T2]) > slow:
        tighten(A, v, 1.0 / (1.0 + LOOSE), out)
    return kind
