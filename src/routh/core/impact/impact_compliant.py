"""One impact in the plane with a compliant tangent: Stronge's lumped model ([stronge2000], chapter 5), in closed phases.

Between the bodies sit two massless springs. The normal one has stiffness 1 while it is compressed and 1/e² while it expands, so
that it returns e² of the work that it took. The tangential one has stiffness `k`, the ratio of tangential to normal stiffness,
and ends in a Coulomb slider. The unit of force is free: only the ratio of the stiffnesses enters the result.

    F' = -K v,  v' = A F      while the slider sticks: two modes of vibration
    F_t = -mu s F_n           while it slides with the sign s: one vibration, or growth where friction jams

Each phase is propagated exactly. It ends at the first root of a guard: compression ends (v_n = 0), the slider stops or begins
to slide, the force vanishes. A guard f with |f''| <= M cannot vanish before the root of f + f' h - M h²/2. Steps of this
length never pass a root, and near a root they are Newton's.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    NO_IMPACT,
    REVERSAL_COMPRESSION,
    REVERSAL_RESTITUTION,
    SLIDING,
    STALLED,
    STICK_COMPRESSION,
    STICK_FROM_START,
    STICK_RESTITUTION,
)

STEPS = 1_000_000     # after which the march is given up; a vibration of the tangent takes about ten
ALIKE = 1e3           # times the shortest step: events that are this close are one
SHORTEST = 1e-15      # of the period of the normal spring: shorter steps are round-off of the instants


@kernel
def wave(square, h):
    """(cosine, sine over frequency) of a vibration of this squared frequency after the time h; hyperbolic where it is < 0."""
    x = math.sqrt(abs(square)) * h
    if x == 0.0:
        return 1.0, h
    if square > 0.0:
        return math.cos(x), h * math.sin(x) / x
    return math.cosh(x), h * math.sinh(x) / x


@kernel
def reach(f, rate, bound):
    """How far a guard of value f and this rate is sure to stay positive, if its second derivative stays above -bound."""
    if f <= 0.0 and rate <= 0.0:
        return 0.0
    if bound == 0.0:
        return -f / rate if rate < 0.0 else math.inf
    root = math.sqrt(rate * rate + 2.0 * bound * max(f, 0.0))
    return (rate + root) / bound if rate > 0.0 else 2.0 * max(f, 0.0) / (root - rate)


@kernel
def modes(nn, nt, tt, kn, kt, fn, ft, vn, vt):
    """(cos, sin of the turn to the modes of stick, their squared frequencies, their coordinates, their rates)."""
    rn, rt = math.sqrt(kn), math.sqrt(kt)
    a, b, d = kn * nn, rn * rt * nt, kt * tt
    half, mean = 0.5 * (a - d), 0.5 * (a + d)
    spread = math.hypot(half, b)
    turn = 0.5 * math.atan2(b, half)
    c, s = math.cos(turn), math.sin(turn)
    gn, gt, un, ut = fn / rn, ft / rt, -rn * vn, -rt * vt
    return c, s, mean + spread, max(mean - spread, 0.0), c * gn + s * gt, c * gt - s * gn, c * un + s * ut, c * ut - s * un


@kernel
def stick_bounds(nn, nt, tt, kn, kt, fn, ft, vn, vt):
    """Largest second derivatives of (F_n, F_t, v_n) and third ones of (F_n, F_t) in the vibration from this state on."""
    rn, rt = math.sqrt(kn), math.sqrt(kt)
    c, s, fast, slow, x, y, x_rate, y_rate = modes(nn, nt, tt, kn, kt, fn, ft, vn, vt)
    c, s = abs(c), abs(s)
    wx, wy = math.hypot(x_rate, math.sqrt(fast) * x), math.hypot(y_rate, math.sqrt(slow) * y)  # amplitudes of the rates
    ax, ay, jx, jy = math.sqrt(fast) * wx, math.sqrt(slow) * wy, fast * wx, slow * wy
    return (rn * (c * ax + s * ay), rt * (s * ax + c * ay), (c * jx + s * jy) / rn, rn * (c * jx + s * jy),
            rt * (s * jx + c * jy))


@kernel
def vibrate(nn, nt, tt, kn, kt, fn, ft, vn, vt, h):
    """(F_n, F_t, v_n, v_t, p_n, p_t) after the time h of stick; p is the impulse of that time.

    G = K^(-1/2) F obeys G'' = -S G with the symmetric S = K^(1/2) A K^(1/2), which is turned to its principal axes.
    """
    rn, rt = math.sqrt(kn), math.sqrt(kt)
    c, s, fast, slow, x, y, x_rate, y_rate = modes(nn, nt, tt, kn, kt, fn, ft, vn, vt)
    first, second = wave(fast, h), wave(slow, h)
    x_new, y_new = x * first[0] + x_rate * first[1], y * second[0] + y_rate * second[1]
    xr_new, yr_new = x_rate * first[0] - fast * x * first[1], y_rate * second[0] - slow * y * second[1]
    px, py = integral(fast, x, x_rate, h), integral(slow, y, y_rate, h)
    return (rn * (c * x_new - s * y_new), rt * (s * x_new + c * y_new), -(c * xr_new - s * yr_new) / rn,
            -(s * xr_new + c * yr_new) / rt, rn * (c * px - s * py), rt * (s * px + c * py))


@kernel
def integral(square, x, rate, h):
    """The integral over h of a vibration that starts with x and this rate."""
    half = wave(square, 0.5 * h)[1]
    return x * wave(square, h)[1] + 2.0 * rate * half * half  # (1 - cos) / frequency² = 2 (sin of half / frequency)²


@kernel
def march_compliant(nn, nt, tt, vn, slip, e, mu, k):
    """Follow the springs; return (kind, p_n, p_t, v_n, v_t, work_n, p_compression, p_stop) as `impact.march` does."""
    if vn >= 0.0:
        return NO_IMPACT, 0.0, 0.0, vn, slip, 0.0, 0.0, math.nan
    kn, fn, ft, vt = 1.0, 0.0, 0.0, slip
    p = p_t = p_c = work = 0.0
    p_stop, compressing, stop_compressing, slid = math.nan, True, True, False
    shortest = SHORTEST / math.sqrt(nn)
    # sign of the slide; 0 while the slider sticks. At first it slides if the spring would outgrow the cone
    way = 0.0
    if tt > 0.0 and (mu == 0.0 or k * abs(vt) > -mu * vn):
        way = math.copysign(1.0, vt)
    first_way, edge = way, 0.0
    for _ in range(STEPS):
        # the guards of this phase: end of compression or of contact, and of the slider's mode
        grow = (nn - mu * way * nt) if way != 0.0 else 0.0
        if way != 0.0:
            slid = True
            square = kn * grow
            scale = math.hypot(fn, vn * math.sqrt(kn / abs(grow))) if grow != 0.0 else abs(fn)
            fastest, limit = abs(square), (0.7 / math.sqrt(abs(square)) if square < 0.0 else math.inf)
            size_f = scale * (2.0 if square < 0.0 else 1.0)
            size_v = size_f * math.sqrt(abs(grow) / kn)
            vn_rate, vt_rate = grow * fn, (nt - mu * way * tt) * fn
            bound_f, bound_v = fastest * size_f, fastest * size_v
            bound_t = abs(nt - mu * way * tt) * kn * size_v  # of the second derivative of v_t
            sliding = way * vt + mu * kn * vn / k
            h, ends = math.inf, 2
            if mu > 0.0:
                h = reach(sliding, way * vt_rate + mu * kn * vn_rate / k, bound_t + mu * kn * bound_v / k)
        else:
            limit = math.inf
            bound_f, bound_t, bound_v, third_f, third_t = stick_bounds(nn, nt, tt, kn, k, fn, ft, vn, vt)
            vn_rate, vt_rate = nn * fn + nt * ft, nt * fn + tt * ft
            h, ends = math.inf, 0
            for side in (-1.0, 1.0):
                rate = -mu * kn * vn + side * k * vt
                if edge == side:  # just stopped sliding: margin and rate are zero, the second derivative is positive
                    second = -mu * kn * vn_rate + side * k * vt_rate
                    third = mu * third_f + third_t
                    near = 1.5 * max(second, 0.0) / third if third > 0.0 else math.inf
                else:
                    near = reach(mu * fn - side * ft, rate, mu * bound_f + bound_t)
                if near < h:
                    h, ends = near, 3 if side > 0.0 else 4
            if tt == 0.0:
                h = math.inf
        if compressing:
            near = reach(-vn, -vn_rate, bound_v)
            if near < h:
                h, ends = near, 1
        else:
            near = reach(fn, -kn * vn, bound_f)
            if near < h or near < ALIKE * shortest:  # the cone closes with the force: the end comes first
                h, ends = near, 1
        if limit < h:
            h, ends = limit, 0
        edge = 0.0

        # advance
        if h > 0.0:
            if way != 0.0:
                cosine, sine = wave(kn * grow, h)
                impulse = integral(kn * grow, fn, -kn * vn, h)
                fn, vn = fn * cosine - kn * vn * sine, vn * cosine + grow * fn * sine
                vt += (nt - mu * way * tt) * impulse
                ft = -mu * way * fn
                p, p_t = p + impulse, p_t - mu * way * impulse
            else:
                fn, ft, vn, vt, dp, dpt = vibrate(nn, nt, tt, kn, k, fn, ft, vn, vt, h)
                p, p_t = p + dp, p_t + dpt
        if h > shortest:
            continue

        # an event: what ends a phase is set to its value, not computed
        if ends == 1 and compressing:
            vn, p_c, compressing = 0.0, p, False
            work = -0.5 * fn * fn
            if e == 0.0:
                break
            kn = 1.0 / (e * e)
            work -= e * e * work  # what the expansion returns
        elif ends == 1:
            break
        elif ends == 2:
            edge = -way  # the side of the cone that it leaves: F_t = -mu way F_n
            way = 0.0
            if not math.isfinite(p_stop):
                p_stop, stop_compressing = p, compressing
        elif ends >= 3:
            way = -1.0 if ends == 3 else 1.0
            if first_way == 0.0:
                first_way = way
            ft = -mu * way * fn
    else:
        return STALLED, p, p_t, vn, vt, work, p_c, p_stop
    return compliant_kind(slid, first_way, way, p_stop, stop_compressing), p, p_t, vn, vt, work, p_c, p_stop


@kernel
def compliant_kind(slid, first_way, way, p_stop, in_compression):
    """The class of slip: the slider never moved, always slid one way, stopped for a while, or came back."""
    if not slid:
        return STICK_FROM_START
    if not math.isfinite(p_stop):
        return SLIDING
    if way * first_way < 0.0:
        return REVERSAL_COMPRESSION if in_compression else REVERSAL_RESTITUTION
    return STICK_COMPRESSION if in_compression else STICK_RESTITUTION
