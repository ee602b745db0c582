"""One frictional impact in the plane, in closed phases ([routh1891], [wang1992], [stronge1990]).

Contact space only: A = J M⁻¹ Jᵀ with entries (nn, nt, tt), v = J u⁻ with rows (n, t), n first. The impulse p
acts along +n, so v⁺ = v + A p. Between its events (slip stops, compression ends, restitution ends) the
path in the impulse plane is a straight line and every rate with respect to the normal impulse is constant.

The hypotheses of restitution differ only in the *goal* that ends the restitution:
    Newton   the normal speed   -e v_n
    Poisson  the normal impulse (1 + e) p_c,    p_c at the end of compression
    Stronge  the normal work    -e² w_c,        counted from the end of compression, w_c up to it
"""

import math

from routh.core.exact import cross, fma
from routh.core.impact.impact_compliant import march_compliant
from routh.core.impact.impact_moreau import moreau_plane
from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    BAD_E,
    BAD_E_T,
    BAD_MATRIX,
    BAD_MU,
    BAD_MU_S,
    BAD_NUMBER,
    BAD_STIFFNESS,
    BAD_SYMMETRY,
    BRACH,
    JAM,
    MOREAU,
    NEWTON,
    NEWTON_ALGEBRAIC,
    NO_IMPACT,
    P_COMPRESSION,
    P_N,
    P_STOP,
    P_T,
    P_T2,
    POISSON,
    REVERSAL_COMPRESSION,
    REVERSAL_RESTITUTION,
    SLIDING,
    SLIP_FROM_REST,
    STICK_COMPRESSION,
    STICK_FROM_START,
    STICK_RESTITUTION,
    STOPPED,
    STRONGE,
    STRONGE_COMPLIANT,
    TANGENTIAL,
    V_N,
    V_T,
    V_T2,
    WORK,
    WORK_N,
)

SYMMETRY = 1e-9  # relative to the geometric mean of the diagonal: assembling A leaves at most this


@kernel
def goal_of(law, e, vn_start, p_c, w_c):
    """What restitution must reach: a speed, an impulse or a work."""
    if law == NEWTON:
        return -e * vn_start
    if law == POISSON:
        return (1.0 + e) * p_c
    return -e * e * w_c


@kernel
def restitution_left(law, goal, vn, gn, p, w):
    """Normal impulse still to come if v_n keeps growing at the rate gn; infinite if it never suffices."""
    if law == POISSON:
        return max(goal - p, 0.0)
    if law == NEWTON:
        if vn >= goal:
            return 0.0
        return (goal - vn) / gn if gn > 0.0 else math.inf
    work = goal - w
    if work <= 0.0:
        return 0.0
    square = vn * vn + 2.0 * gn * work
    return 2.0 * work / (vn + math.sqrt(square)) if square >= 0.0 else math.inf


@kernel
def phase_left(law, goal, compressing, vn, gn, p, w):
    """Normal impulse to the end of compression or of restitution, at constant rate gn."""
    if compressing:
        if vn >= 0.0 and gn >= 0.0:
            return 0.0
        return -vn / gn if gn > 0.0 else math.inf
    return restitution_left(law, goal, vn, gn, p, w)


@kernel
def kind_of(tangential, jam, from_rest, stopped, in_compression, sticks):
    """The class of a marched impact from what happened on its way."""
    if tangential:
        return TANGENTIAL
    if jam:
        return JAM
    if from_rest:
        return STICK_FROM_START if sticks else SLIP_FROM_REST
    if not stopped:
        return SLIDING
    if sticks:
        return STICK_COMPRESSION if in_compression else STICK_RESTITUTION
    return REVERSAL_COMPRESSION if in_compression else REVERSAL_RESTITUTION


@kernel
def march(nn, nt, tt, vn, slip, law, e, mu, mu_s):
    """Follow the impulse path; return (kind, p_n, p_t, v_n, v_t, work_n, p_compression, p_stop)."""
    way = 0.0 if slip == 0.0 else math.copysign(1.0, slip)
    ratio = -mu * way
    gn = fma(nt, ratio, nn)
    if vn > 0.0 or (vn == 0.0 and (way == 0.0 or gn >= 0.0)):
        return NO_IMPACT, 0.0, 0.0, vn, slip, 0.0, 0.0, math.nan

    # stopped: the ratio that holds it, if the static cone admits it; else the cone's edge on that side
    hold = -nt / tt if tt > 0.0 else 0.0
    sticks = abs(hold) <= mu_s
    tangential, jam, from_rest = vn == 0.0, gn < 0.0, way == 0.0
    stopped, stop_compressing = False, True

    vn_start, p_t, p_stop = vn, 0.0, math.nan
    p = w = w_c = p_c = goal = 0.0
    compressing = True
    while True:
        if way == 0.0:  # just stopped, or at rest from the start
            if not stopped:
                stopped, stop_compressing, p_stop = True, compressing, p
            ratio = hold if sticks else math.copysign(mu, hold)
            way = 0.0 if sticks else math.copysign(1.0, nt)
        slip_rate = 0.0 if (stopped and sticks) else fma(tt, ratio, nt)
        gn = cross(nn, tt, nt, nt) / tt if (stopped and sticks and tt > 0.0) else fma(nt, ratio, nn)

        # length of this phase; gn <= 0 is a jam: approach quickens until slip stops
        dp = phase_left(law, goal, compressing, vn, gn, p, w)
        slip_ends = way * slip_rate < 0.0 and -slip / slip_rate < dp
        if slip_ends:
            dp = -slip / slip_rate

        # advance; what ends a phase is set to its value, not computed
        w += (vn + 0.5 * gn * dp) * dp
        p += dp
        p_t += ratio * dp
        slip += slip_rate * dp
        vn += gn * dp
        if slip_ends:
            slip = way = 0.0
        elif compressing:
            vn, p_c, compressing = 0.0, p, False
            w, w_c = 0.0, w
            goal = goal_of(law, e, vn_start, p_c, w_c)
        else:
            if law == NEWTON:
                vn = goal
            kind = kind_of(tangential, jam, from_rest, stopped, stop_compressing, sticks)
            return kind, p, p_t, vn, slip, w_c + w, p_c, p_stop


@kernel
def algebraic(nn, nt, tt, vn, slip, e, e_t, mu, mu_s):
    """Newton's e without a path: stop the slip if mu_s admits it, else slide (eqs. 35, 36, 32 of [park]).

    With e_t the slip is not stopped but reversed to -e_t v_t ([brach1989]). Same returns as `march`.
    """
    way = 0.0 if slip == 0.0 else math.copysign(1.0, slip)
    gn = fma(nt, -mu * way, nn)
    if vn > 0.0 or (vn == 0.0 and (way == 0.0 or gn >= 0.0)):
        return NO_IMPACT, 0.0, 0.0, vn, slip, 0.0, 0.0, math.nan

    det = cross(nn, tt, nt, nt)
    dn, dt = -(1.0 + e) * vn, -(1.0 + e_t) * slip
    kind, p, p_t = STOPPED, dn / nn, 0.0  # a dead tangent has nothing to stop
    if tt > 0.0:
        p, p_t = cross(tt, dn, nt, dt) / det, cross(nn, dt, nt, dn) / det
    if p < 0.0 or abs(p_t) > mu_s * p:
        if way == 0.0:  # it would start along the push of the normal impulse
            way = math.copysign(1.0, nt)
            gn = fma(nt, -mu * way, nn)
        kind, p = SLIDING, dn / gn
        p_t = -mu * way * p
    v_t = slip + nt * p + tt * p_t if kind == SLIDING else 0.0 - e_t * slip
    # the impulse grows in proportion, so the normal speed changes linearly on the way
    return kind, p, p_t, -e * vn, v_t, 0.5 * (1.0 - e) * vn * p, p / (1.0 + e), math.nan


@kernel
def planar_impact(nn, nt, tt, vn, slip, law, e, e_t, mu, mu_s):
    """The impact of one contact with one tangent under any law; returns as `march`.

    A compliant tangent has no tangential impact of its own: where sliding jams without approach, the tangent is rigid.
    """
    if law == NEWTON_ALGEBRAIC or law == BRACH:
        return algebraic(nn, nt, tt, vn, slip, e, e_t, mu, mu_s)
    if law == MOREAU:
        return moreau_plane(nn, nt, tt, vn, slip, e, mu, mu_s)
    if law == STRONGE_COMPLIANT and vn < 0.0:
        return march_compliant(nn, nt, tt, vn, slip, e, mu, e_t)
    return march(nn, nt, tt, vn, slip, STRONGE if law == STRONGE_COMPLIANT else law, e, mu, mu_s)


@kernel
def resolve_plane(A, v, law, e, e_t, mu, mu_s, out):
    """Fill the row `out` (N_OUT) for A (2, 2) and v (2,); return the kind."""
    nt = 0.5 * (A[0, 1] + A[1, 0])
    kind, p, p_t, vn, slip, work_n, p_c, p_stop = planar_impact(A[0, 0], nt, A[1, 1], v[0], v[1], law, e, e_t, mu, mu_s)
    out[P_N], out[P_T], out[P_T2] = p, p_t, 0.0
    out[V_N], out[V_T], out[V_T2] = vn, slip, 0.0
    out[WORK_N], out[WORK] = work_n, 0.5 * ((v[0] + vn) * p + (v[1] + slip) * p_t)
    out[P_COMPRESSION], out[P_STOP] = p_c, p_stop
    return kind




@kernel
def check_parameters(law, e, e_t, mu, mu_s):
    """0, or the code of the parameter that is out of range."""
    if not (math.isfinite(e) and math.isfinite(e_t) and math.isfinite(mu) and math.isfinite(mu_s)):
        return BAD_NUMBER
    if e < 0.0 or e > 1.0:
        return BAD_E
    if law == STRONGE_COMPLIANT and e_t <= 0.0:
        return BAD_STIFFNESS
    if law != STRONGE_COMPLIANT and (e_t < -1.0 or e_t > 1.0):
        return BAD_E_T
    if mu < 0.0:
        return BAD_MU
    return BAD_MU_S if mu_s < mu else 0


@kernel
def check_contact(A, v):
    """0, or what is wrong with A and v. A tangent may be dead: zero row and column, zero velocity."""
    d = v.shape[0]
    for i in range(d):
        for j in range(d):
            if not math.isfinite(A[i, j]):
                return BAD_NUMBER
        if not math.isfinite(v[i]):
            return BAD_NUMBER
        if A[i, i] < 0.0 or (A[i, i] == 0.0 and (i == 0 or v[i] != 0.0)):
            return BAD_MATRIX
    for i in range(d):
        for j in range(i):
            size = math.sqrt(A[i, i]) * math.sqrt(A[j, j])
            if abs(A[i, j] - A[j, i]) > SYMMETRY * size:
                return BAD_SYMMETRY
            if size > 0.0 and cross(A[i, i], A[j, j], A[i, j], A[i, j]) <= 0.0:
                return BAD_MATRIX
            if size == 0.0 and A[i, j] != 0.0:
                return BAD_MATRIX
    return 0


@kernel
def in_plane(system, A, v, c, scratch, out):
    """The planar impact of a contact block; the twin of `tied_in_space.in_space`."""
    return resolve_plane(A, v, c.law, c.e, c.e_t, c.mu, c.mu_s, out)
