"""One frictional impact in space: which method each contact needs.

a dead tangent                 the plane's closed phases
no normal-tangential coupling  closed form and quadrature (`impact_diagonal`)
otherwise                      the slip flow (`impact_flow`)
Newton algebraic, Brach        linear equations, no path
Moreau                         the cone and the slip after it, no path (`impact_moreau`)
a compliant tangent            springs in the plane of the slip, or marched (`impact_compliant_space`)
"""

import math

from routh.core.impact.impact import planar_impact
from routh.core.impact.impact_compliant_space import march_in_space
from routh.core.impact.impact_diagonal import slip_time
from routh.core.impact.impact_flow import flow
from routh.core.impact.impact_frame import A1, A2, C1, C2, COS, N_FRAME, NN, SIN, STICK, U1, U2, principal_frame
from routh.core.impact.impact_moreau import moreau_space
from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    BAD_MATRIX,
    BRACH,
    MOREAU,
    N_ROWS,
    N_STATE,
    NEWTON_ALGEBRAIC,
    NO_IMPACT,
    NO_SOLUTION,
    P_COMPRESSION,
    P_N,
    P_STOP,
    P_T,
    P_T2,
    SLIDING,
    STICK_COMPRESSION,
    STICK_FROM_START,
    STICK_RESTITUTION,
    STOPPED,
    STRONGE,
    STRONGE_COMPLIANT,
    V_N,
    V_T,
    V_T2,
    WORK,
    WORK_N,
    Y_P,
    Y_P1,
    Y_P2,
    Y_U1,
    Y_U2,
    Y_VN,
    Y_W,
)

DEAD = 1e-14        # of the inverse mass along the other tangent, and of the speeds: round-off


@kernel
def fill(v, p, p_x, p_y, vn, v_x, v_y, work_n, p_c, p_stop, out):
    """Write a result row (see `impact`); the work of the whole impulse is its mean velocity times it."""
    out[P_N], out[P_T], out[P_T2] = p, p_x, p_y
    out[V_N], out[V_T], out[V_T2] = vn, v_x, v_y
    out[WORK_N], out[P_COMPRESSION], out[P_STOP] = work_n, p_c, p_stop
    out[WORK] = 0.5 * ((v[0] + vn) * p + (v[1] + v_x) * p_x + (v[2] + v_y) * p_y)


@kernel
def along_one_tangent(A, v, tx, ty, law, e, e_t, mu, mu_s, out):
    """The planar laws in the plane of the normal and the unit tangent (tx, ty)."""
    ax, ay = 0.5 * (A[0, 1] + A[1, 0]), 0.5 * (A[0, 2] + A[2, 0])
    xy = 0.5 * (A[1, 2] + A[2, 1])
    nt = ax * tx + ay * ty
    tt = A[1, 1] * tx * tx + 2.0 * xy * tx * ty + A[2, 2] * ty * ty
    slip = v[1] * tx + v[2] * ty
    kind, p, p_t, vn, slip_after, work_n, p_c, p_stop = planar_impact(A[0, 0], nt, tt, v[0], slip, law, e, e_t, mu, mu_s)
    # along the tangent the slip is known; across it comes what the coupling makes of the impulse
    side = (ay * tx - ax * ty) * p + ((A[2, 2] - A[1, 1]) * tx * ty + xy * (tx * tx - ty * ty)) * p_t
    side += v[2] * tx - v[1] * ty
    v_x, v_y = slip_after * tx - side * ty, slip_after * ty + side * tx
    fill(v, p, p_t * tx, p_t * ty, vn, v_x, v_y, work_n, p_c, p_stop, out)
    return kind


@kernel
def uncoupled(frame, vn, e, mu):
    """(kind, p_n, p1, p2, u1, u2, p_c, p_stop): every hypothesis of restitution gives the same impulse."""
    u1, u2 = frame[U1], frame[U2]
    p_c = -vn / frame[NN]
    p = (1.0 + e) * p_c
    if u1 == 0.0 and u2 == 0.0:
        return STICK_FROM_START, p, 0.0, 0.0, 0.0, 0.0, p_c, 0.0
    if mu == 0.0:
        return SLIDING, p, 0.0, 0.0, u1, u2, p_c, math.nan
    b1, b2 = mu * frame[C1], mu * frame[C2]
    tau, p_stop = slip_time(u1, u2, b1, b2, p)
    if tau == math.inf:
        kind = STICK_COMPRESSION if p_stop < p_c else STICK_RESTITUTION
        return kind, p, -u1 / frame[C1], -u2 / frame[C2], 0.0, 0.0, p_c, p_stop
    p1, p2 = u1 * math.expm1(-b1 * tau) / frame[C1], u2 * math.expm1(-b2 * tau) / frame[C2]
    return SLIDING, p, p1, p2, u1 * math.exp(-b1 * tau), u2 * math.exp(-b2 * tau), p_c, p_stop


@kernel
def impulse_ratio(frame, vn, e, e_t, mu, mu_s):
    """(kind, p_n, p1, p2) of [brach1989]: slip to -e_t times itself if mu_s admits it, else slide."""
    d = -(1.0 + e) * vn
    d1, d2 = -(1.0 + e_t) * frame[U1], -(1.0 + e_t) * frame[U2]
    p = (d - frame[A1] * d1 / frame[C1] - frame[A2] * d2 / frame[C2]) / frame[STICK]
    p1, p2 = (d1 - frame[A1] * p) / frame[C1], (d2 - frame[A2] * p) / frame[C2]
    if p >= 0.0 and math.hypot(p1, p2) <= mu_s * p:
        return STOPPED, p, p1, p2
    tx, ty = frame[U1], frame[U2]
    if tx == 0.0 and ty == 0.0:  # it would start along the push of the normal impulse
        tx, ty = frame[A1], frame[A2]
    size = math.hypot(tx, ty)
    tx, ty = tx / size, ty / size
    gn = frame[NN] - mu * (frame[A1] * tx + frame[A2] * ty)
    if gn <= 0.0:
        return NO_SOLUTION, math.nan, math.nan, math.nan
    p = d / gn
    return SLIDING, p, -mu * tx * p, -mu * ty * p


@kernel
def live_tangent(A, v):
    """The tangent along which alone a contact can slip, and does, as (tx, ty); (0, 0) where it can slip in all directions.

    A mechanism in a plane, hung up in space, has such contacts.
    """
    xx, yy, xy = A[1, 1], A[2, 2], 0.5 * (A[1, 2] + A[2, 1])
    half, skew = 0.5 * (xx - yy), math.hypot(0.5 * (xx - yy), xy)
    most = 0.5 * (xx + yy) + skew
    if not most > 0.0 or xx * yy - xy * xy > DEAD * most * most:
        return 0.0, 0.0
    tx, ty = (skew + half, xy) if half > 0.0 else (xy, skew - half)
    size = math.hypot(tx, ty)
    if size > 0.0:
        tx, ty = tx / size, ty / size
    else:
        tx, ty = 1.0, 0.0
    across = abs(v[2] * tx - v[1] * ty)
    return (tx, ty) if across <= DEAD * (abs(v[0]) + math.hypot(v[1], v[2])) else (0.0, 0.0)


@kernel
def plane_of_slip(A, v):
    """The tangent (tx, ty) whose plane with the normal no impulse in it can leave; (0, 0) if there is none.

    It is the direction of the slip or, where there is no slip, that into which the normal impulse pushes.
    """
    ax, ay, xy = 0.5 * (A[0, 1] + A[1, 0]), 0.5 * (A[0, 2] + A[2, 0]), 0.5 * (A[1, 2] + A[2, 1])
    tx, ty = v[1], v[2]
    if tx == 0.0 and ty == 0.0:
        tx, ty = ax, ay
    if tx == 0.0 and ty == 0.0:
        return 1.0, 0.0
    size = math.hypot(tx, ty)
    tx, ty = tx / size, ty / size
    turns = abs(ay * tx - ax * ty) + abs((A[2, 2] - A[1, 1]) * tx * ty + xy * (tx * tx - ty * ty))
    return (tx, ty) if turns <= DEAD * (A[0, 0] + A[1, 1] + A[2, 2]) else (0.0, 0.0)


@kernel
def resolve_space(A, v, law, e, e_t, mu, mu_s, scratch, path, out):
    """Fill the row `out` for A (3, 3) and v (3,); return (kind, points of the path).

    `path` (k, 7) is filled in the user's tangents as far as it has room; with k = 0 nothing is recorded.
    """
    tx, ty = live_tangent(A, v)
    if tx != 0.0 or ty != 0.0:
        return along_one_tangent(A, v, tx, ty, law, e, e_t, mu, mu_s, out), 0
    if A[2, 2] == 0.0 or A[1, 1] == 0.0:
        x = 1.0 if A[2, 2] == 0.0 else 0.0
        return along_one_tangent(A, v, x, 1.0 - x, law, e, e_t, mu, mu_s, out), 0
    if law == NEWTON_ALGEBRAIC:
        size = math.hypot(v[1], v[2])
        if size == 0.0:
            # no slip, no direction (eq. 7 of [park] is 0/0): no friction
            kind = along_one_tangent(A, v, 1.0, 0.0, law, e, e_t, 0.0, 0.0, out)
            return (STOPPED if kind == SLIDING else kind), 0
        return along_one_tangent(A, v, v[1] / size, v[2] / size, law, e, e_t, mu, mu_s, out), 0

    if law == MOREAU:
        kind, p, p_x, p_y, v_x, v_y = moreau_space(A, v, e, mu, mu_s, scratch[0])
        vn = v[0] if kind == NO_IMPACT else -e * v[0]
        fill(v, p, p_x, p_y, vn, v_x, v_y, 0.5 * (v[0] + vn) * p, p / (1.0 + e), math.nan, out)
        return kind, 0
    if law == STRONGE_COMPLIANT and v[0] < 0.0:
        tx, ty = plane_of_slip(A, v)
        if tx != 0.0 or ty != 0.0:
            return along_one_tangent(A, v, tx, ty, law, e, e_t, mu, mu_s, out), 0
        return march_in_space(A, v, e, mu, e_t, out), 0
    if law == STRONGE_COMPLIANT:
        law = STRONGE

    row, y, frame = scratch[:N_ROWS], scratch[N_ROWS, :N_STATE], scratch[N_ROWS + 1, :N_FRAME]
    vn = v[0]
    if not principal_frame(A, v, frame):
        return BAD_MATRIX, 0
    c, s = frame[COS], frame[SIN]
    slip = math.hypot(frame[U1], frame[U2])
    push = frame[A1] * frame[U1] + frame[A2] * frame[U2]
    if vn > 0.0 or (vn == 0.0 and frame[NN] * slip - mu * push >= 0.0):
        fill(v, 0.0, 0.0, 0.0, vn, v[1], v[2], 0.0, 0.0, math.nan, out)
        return NO_IMPACT, 0

    count, p_stop = 0, math.nan
    if law == BRACH:
        kind, p, p1, p2 = impulse_ratio(frame, vn, e, e_t, mu, mu_s)
        u1 = frame[U1] + frame[A1] * p + frame[C1] * p1 if kind == SLIDING else 0.0 - e_t * frame[U1]
        u2 = frame[U2] + frame[A2] * p + frame[C2] * p2 if kind == SLIDING else 0.0 - e_t * frame[U2]
        p_c, work_n, vn = p / (1.0 + e), 0.5 * (1.0 - e) * vn * p, -e * vn
    elif mu_s == 0.0 and path.shape[0] == 0 and frame[A1] * frame[U2] != frame[A2] * frame[U1]:
        kind, p_c = SLIDING, -vn / frame[NN]
        p, p1, p2 = (1.0 + e) * p_c, 0.0, 0.0
        u1, u2 = frame[U1] + frame[A1] * p, frame[U2] + frame[A2] * p
        work_n, vn = 0.5 * (1.0 - e) * vn * p, -e * vn
    elif frame[A1] == 0.0 and frame[A2] == 0.0 and path.shape[0] == 0:
        kind, p, p1, p2, u1, u2, p_c, p_stop = uncoupled(frame, vn, e, mu)
        work_n, vn = 0.5 * (1.0 - e) * vn * p, -e * vn
    else:
        kind, p_c, p_stop, count = flow(frame, vn, law, e, mu, mu_s, y, row, path)
        p, p1, p2, u1, u2, vn, work_n = y[Y_P], y[Y_P1], y[Y_P2], y[Y_U1], y[Y_U2], y[Y_VN], y[Y_W]
    p_x, p_y, v_x, v_y = c * p1 - s * p2, s * p1 + c * p2, c * u1 - s * u2, s * u1 + c * u2
    fill(v, p, p_x, p_y, vn, v_x, v_y, work_n, p_c, p_stop, out)
    for k in range(count):
        for i in (1, 4):
            p1, p2 = path[k, i], path[k, i + 1]
            path[k, i], path[k, i + 1] = c * p1 - s * p2, s * p1 + c * p2
    return kind, count
