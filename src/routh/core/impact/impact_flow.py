"""Spatial impact: the slip flow, marched to its exact phase ends ([keller1986], [bhatt1995], [batlle1996]).

In the principal frame, with dp_n = |u| dτ for the slip u = |u| t, Coulomb's law reads

    du/dτ = |u| a - mu C u,     |u|' = a·u - mu uᵀCu / |u|,     p_n' = |u|,     p_t' = -mu u,

and v_n, w follow. The variable τ sends u = 0 to infinity, so the approach to it is as smooth as the rest,
and the flow is the same at every scale of u. Its coefficients are found by recurrence and each step sums the
Taylor series (order N); an event is a root of one of its polynomials.

Once the direction t has settled on an invariant one (a - mu C t parallel to t) the path is straight, and so
it is in stick: these phases are closed, as in the plane. Where slip stops it sticks if the cone of mu_s holds
C⁻¹a, and otherwise leaves along the only invariant direction in which slip grows.
"""

import math

from routh.core.impact.impact import goal_of, kind_of, phase_left
from routh.core.impact.impact_frame import A1, A2, C1, C2, NN, STICK, U1, U2, leaving_direction
from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    COMPRESSED,
    END,
    MAX_STEPS,
    N_STATE,
    NEWTON,
    NO_IMPACT,
    ON,
    POISSON,
    SAMPLES,
    STALLED,
    START,
    STOP,
    TURN,
    Y_P,
    Y_P1,
    Y_P2,
    Y_S,
    Y_TMP,
    Y_U1,
    Y_U2,
    Y_VN,
    Y_W,
    Y_X,
)
from routh.core.tables.impact_codes import SERIES_ORDER as N

TOL = 1e-15  # share of |u| that a step's last term may have
NOISE = 4e-15  # a turning rate below this share of the largest rate is round-off
SETTLED = 1e-13  # error of the impulse, relative, that a straight rest of the path may add

# modes
FLOW, LINE, HELD = range(3)


@kernel
def value(row, tau):
    """The polynomial with these coefficients at tau."""
    total = row[N]
    for k in range(N - 1, -1, -1):
        total = total * tau + row[k]
    return total


@kernel
def root(row, level, end):
    """tau in [0, end] where a polynomial that is monotone there passes `level`: Newton, kept in a bracket."""
    low, high = 0.0, end
    change = value(row, end) - row[0]
    rising = change > 0.0
    tau = end * min(max((level - row[0]) / change, 0.0), 1.0) if change != 0.0 else 0.0
    for _ in range(80):
        f, slope = row[N], 0.0
        for k in range(N - 1, -1, -1):
            slope = slope * tau + f
            f = f * tau + row[k]
        f -= level
        if (f > 0.0) == rising:
            high = tau
        else:
            low = tau
        step = -f / slope if slope != 0.0 else math.inf
        if not (low <= tau + step <= high):
            step = 0.5 * (low + high) - tau
        tau += step
        if abs(step) <= 1e-16 * end:
            break
    return tau


@kernel
def expand(y, a1, a2, b1, b2, row):
    """Taylor coefficients of the slip in τ; a and b = mu c are already divided by the largest rate."""
    u1, u2, s, x = row[Y_U1], row[Y_U2], row[Y_S], row[Y_X]  # x = u1 / |u|
    u1[0], u2[0], s[0] = y[Y_U1], y[Y_U2], y[Y_S]
    inverse = 1.0 / y[Y_S]
    for n in range(N):
        # s x = u1 and q = u1 x, each sum in two strands: a single one would wait for itself
        x0 = x1 = q0 = q1 = 0.0
        for k in range(0, n - 1, 2):
            x0 += s[n - k] * x[k]
            q0 += u1[n - k] * x[k]
            x1 += s[n - k - 1] * x[k + 1]
            q1 += u1[n - k - 1] * x[k + 1]
        if n % 2 == 1:
            x0 += s[1] * x[n - 1]
            q0 += u1[1] * x[n - 1]
        x[n] = (u1[n] - (x0 + x1)) * inverse
        q0 += q1 + u1[0] * x[n]
        share = 1.0 / (n + 1.0)
        u1[n + 1] = share * (a1 * s[n] - b1 * u1[n])
        u2[n + 1] = share * (a2 * s[n] - b2 * u2[n])
        s[n + 1] = share * (a1 * u1[n] + a2 * u2[n] - b2 * s[n] - (b1 - b2) * q0)


@kernel
def accumulate(y, frame, mu, rate, row):
    """Coefficients of impulse, normal velocity and normal work, from those of the slip."""
    s, vn, work = row[Y_S], row[Y_VN], row[Y_W]
    for i in range(Y_P, N_STATE):
        row[i, 0] = y[i]
    for n in range(N):
        share = 1.0 / (rate * (n + 1.0))
        p, p1, p2 = share * s[n], -mu * share * row[Y_U1, n], -mu * share * row[Y_U2, n]
        row[Y_P, n + 1], row[Y_P1, n + 1], row[Y_P2, n + 1] = p, p1, p2
        vn[n + 1] = frame[NN] * p + frame[A1] * p1 + frame[A2] * p2
        w0 = vn[0] * s[n] if n % 2 == 0 else 0.0
        w1 = 0.0
        for k in range(0, n, 2):
            w0 += vn[n - k] * s[k]
            w1 += vn[n - k - 1] * s[k + 1]
        work[n + 1] = share * (w0 + w1)


@kernel
def step_size(row):
    """How far the series reaches: the last two terms of the slip stay below TOL |u|."""
    last = max(abs(row[Y_U1, N]), abs(row[Y_U2, N]), abs(row[Y_S, N])) / row[Y_S, 0]
    before = max(abs(row[Y_U1, N - 1]), abs(row[Y_U2, N - 1]), abs(row[Y_S, N - 1])) / row[Y_S, 0]
    size = 100.0
    if last > 0.0:
        size = min(size, (TOL / last) ** (1.0 / N))
    if before > 0.0:
        size = min(size, (TOL / before) ** (1.0 / (N - 1)))
    return size


@kernel
def settled(y, a1, a2, b1, b2, rate, p_scale):
    """Whether the rest of this slip is straight to SETTLED of the impulse (rates scaled as in `expand`)."""
    cx, cy = y[Y_U1] / y[Y_S], y[Y_U2] / y[Y_S]
    push, spread = a1 * cx + a2 * cy, (b1 - b2) * cx * cy
    turn = a2 * cx - a1 * cy + spread  # dθ/dτ
    if abs(turn) <= NOISE:
        return True
    growth = push - b1 * cx * cx - b2 * cy * cy  # d ln|u|/dτ
    slope = (b1 - b2) * (cx * cx - cy * cy) - push  # d turn/dθ
    if growth >= 0.0:
        return slope < 0.0 and abs(turn) <= 1e-14 * abs(slope)
    whole = y[Y_P] + p_scale
    slowest = b2 - math.hypot(a1, a2)  # no direction loses slip more slowly than this
    if slowest > 0.0 and y[Y_S] <= 1e-15 * rate * slowest * whole:
        return True
    tail = -y[Y_S] / (rate * growth)
    if slope >= 0.0 or abs(turn) > -0.01 * slope:
        return False
    effect = 1.0 + abs(turn + spread) / -(growth + slope)
    return abs(turn / slope) * effect * tail <= SETTLED * (whole + tail)


@kernel
def straight(y, a1, a2, b1, b2, rate):
    """(growth per impulse, cx, cy) of the invariant direction on which the slip has settled."""
    cx, cy = y[Y_U1] / y[Y_S], y[Y_U2] / y[Y_S]
    for _ in range(3):
        turn = a2 * cx - a1 * cy + (b1 - b2) * cx * cy
        slope = (b1 - b2) * (cx * cx - cy * cy) - a1 * cx - a2 * cy
        if not (slope < 0.0 and abs(turn) <= -0.01 * slope):
            break
        turn /= slope
        cx, cy = cx + turn * cy, cy - turn * cx
        size = math.sqrt(cx * cx + cy * cy)
        cx, cy = cx / size, cy / size
    growth = a1 * cx + a2 * cy - b1 * cx * cx - b2 * cy * cy
    # on an invariant direction growth = a1/cx - b1 = a2/cy - b2: take the one that cancels less
    if (abs(a1) + b1 * abs(cx)) * abs(cy) < (abs(a2) + b2 * abs(cy)) * abs(cx):
        exact = a1 / cx - b1
    else:
        exact = a2 / cy - b2
    if abs(exact - growth) <= 1e-10:
        growth = exact
    return growth * rate, cx, cy


@kernel
def record(path, count, y, mark):
    """Append the state to the path, if it has room; return the new count."""
    if count < path.shape[0]:
        path[count, 0], path[count, 1], path[count, 2] = y[Y_P], y[Y_P1], y[Y_P2]
        path[count, 3], path[count, 4], path[count, 5] = y[Y_VN], y[Y_U1], y[Y_U2]
        path[count, 6] = mark
        return count + 1
    return count


# marks of a path


@kernel
def cut(row, size):
    """Where the helper polynomial changes sign within the step; a change at the start was the last cut."""
    if row[0] * value(row, size) < 0.0:
        at = root(row, 0.0, size)
        if at > 1e-6 * size:
            return at
    return size


@kernel
def cut_at_turns(row, frame, size):
    """Shorten a step so that v_n is monotone in it, which only a negative sliding denominator can spoil.

    The denominator is least where the slip points along a: cut there, then where the denominator is zero.
    """
    for n in range(N + 1):
        row[Y_TMP, n] = frame[A1] * row[Y_U2, n] - frame[A2] * row[Y_U1, n]
    size = cut(row[Y_TMP], size)
    for n in range(N):
        row[Y_TMP, n] = (n + 1.0) * row[Y_VN, n + 1]
    row[Y_TMP, N] = 0.0
    return cut(row[Y_TMP], size)


@kernel
def flow(frame, vn, law, e, mu, mu_s, y, row, path):
    """March one blow; fill the state `y`; return (kind, p_compression, p_stop, points of the path)."""
    nn, a1, a2 = frame[NN], frame[A1], frame[A2]
    b1, b2 = mu * frame[C1], mu * frame[C2]
    size_a = math.hypot(a1, a2)
    rate = size_a + b1
    unit = 1.0 / rate if rate > 0.0 else 0.0
    s = math.hypot(frame[U1], frame[U2])
    y[:] = 0.0
    y[Y_U1], y[Y_U2], y[Y_S], y[Y_VN] = frame[U1], frame[U2], s, vn
    gn = nn - mu * (a1 * y[Y_U1] + a2 * y[Y_U2]) / s if s > 0.0 else nn
    if vn > 0.0 or (vn == 0.0 and gn >= 0.0):
        return NO_IMPACT, 0.0, math.nan, record(path, 0, y, START)

    sticks = math.hypot(a1 / frame[C1], a2 / frame[C2]) <= mu_s
    tangential, jam, from_rest = vn == 0.0, gn < 0.0, s == 0.0
    p_scale = -vn / (nn + mu * size_a)
    can_turn = mu * size_a > nn
    stopped, stop_compressing, compressing = False, True, True
    p_c = goal = work = growth = cx = cy = 0.0
    p_stop = math.nan
    mode = FLOW
    count = record(path, 0, y, START)
    for _ in range(MAX_STEPS):
        # at rest: hold, or leave; then everything is straight
        if mode != HELD and y[Y_S] == 0.0:
            if not stopped:
                stopped, stop_compressing, p_stop = True, compressing, y[Y_P]
            if sticks:
                mode, growth = HELD, 0.0
            else:
                mode = LINE
                growth, cx, cy = leaving_direction(a1, a2, b1, b2)
        elif mode == FLOW and settled(y, a1 * unit, a2 * unit, b1 * unit, b2 * unit, rate, p_scale):
            mode = LINE
            growth, cx, cy = straight(y, a1 * unit, a2 * unit, b1 * unit, b2 * unit, rate)

        slip_ends = phase_ends = comes_back = False
        if mode != FLOW:
            # a closed phase, as in the plane
            r1, r2 = -mu * cx, -mu * cy
            gn = nn + a1 * r1 + a2 * r2
            if mode == HELD:
                r1, r2, gn = -a1 / frame[C1], -a2 / frame[C2], frame[STICK]
            dp = phase_left(law, goal, compressing, y[Y_VN], gn, y[Y_P], y[Y_W])
            phase_ends = True
            if not compressing and gn < 0.0 and -y[Y_VN] / gn < dp:
                dp, comes_back, phase_ends = -y[Y_VN] / gn, True, False
            if growth < 0.0 and -y[Y_S] / growth < dp:
                dp = -y[Y_S] / growth
                slip_ends, comes_back, phase_ends = True, False, False
            if dp == math.inf:
                break
            y[Y_W] += (y[Y_VN] + 0.5 * gn * dp) * dp
            y[Y_P] += dp
            y[Y_P1] += r1 * dp
            y[Y_P2] += r2 * dp
            y[Y_VN] += gn * dp
            y[Y_S] = 0.0 if slip_ends or mode == HELD else y[Y_S] + growth * dp
            y[Y_U1], y[Y_U2] = cx * y[Y_S], cy * y[Y_S]
        else:
            expand(y, a1 * unit, a2 * unit, b1 * unit, b2 * unit, row)
            accumulate(y, frame, mu, rate, row)
            size = step_size(row)
            if can_turn:
                size = cut_at_turns(row, frame, size)
            if compressing:
                if value(row[Y_VN], size) >= 0.0:
                    size, phase_ends = root(row[Y_VN], 0.0, size), True
            else:
                aim = Y_VN if law == NEWTON else (Y_P if law == POISSON else Y_W)
                if y[aim] >= goal:
                    size, phase_ends = 0.0, True
                elif value(row[aim], size) >= goal:
                    size, phase_ends = root(row[aim], goal, size), True
                if value(row[Y_VN], size) < 0.0 and size > 0.0:
                    size, comes_back, phase_ends = root(row[Y_VN], 0.0, size), True, False
            if path.shape[0] > 0:
                for k in range(1, SAMPLES):
                    for i in range(N_STATE):
                        y[i] = value(row[i], size * k / SAMPLES)
                    count = record(path, count, y, ON)
            for i in range(N_STATE):
                y[i] = value(row[i], size)
            y[Y_S] = math.hypot(y[Y_U1], y[Y_U2])

        # what ended; its value is set, not computed
        mark = ON
        if slip_ends:
            mark = STOP
            if sticks:  # no slip: the tangential impulse follows from the normal one
                y[Y_P1] = -(frame[U1] + a1 * y[Y_P]) / frame[C1]
                y[Y_P2] = -(frame[U2] + a2 * y[Y_P]) / frame[C2]
                y[Y_VN] = vn + nn * y[Y_P] + a1 * y[Y_P1] + a2 * y[Y_P2]
        elif comes_back:  # a second compression: the denominators' sign changed on the way
            y[Y_VN], compressing, mark = 0.0, True, TURN
        elif phase_ends and compressing:
            y[Y_VN], p_c, compressing, mark = 0.0, y[Y_P], False, COMPRESSED
            work += y[Y_W]
            y[Y_W] = 0.0  # the work of restitution is counted on its own, or a small e would drown in it
            goal = goal_of(law, e, vn, p_c, work)
        elif phase_ends:
            if law == NEWTON:
                y[Y_VN] = goal
            y[Y_W] += work
            count = record(path, count, y, END)
            kind = kind_of(tangential, jam, from_rest, stopped, stop_compressing, sticks)
            return kind, p_c, p_stop, count
        count = record(path, count, y, mark)
    return STALLED, p_c, p_stop, count
