"""All impacts of one instant, in contact space: one after another, or at once.

sequential     the fastest approach is resolved alone, by the laws of one contact, until nothing approaches; points of two
               shapes that come down flat are one contact in their middle, so that a box that lands on its face keeps level
simultaneous   Newton: v_n⁺ >= -e v_n⁻ with friction on v_t⁺ ([moreau1988]); Poisson: a compression to v_n >= 0, then a
               restitution of at least e times each compression impulse ([glocker1995])

A lone contact is marched (`impact.py`) in both. Each blow is a row of the caller's table, and the sum of their works is the
change of kinetic energy.
"""

import math

import numpy as np

from routh.core.contact.complementarity import SEVERAL, SOLVED
from routh.core.contact.cone_forces import CONE, MORE, SHIFTED, rows
from routh.core.contact.cone_forces import SLIDING as SLIDES
from routh.core.gates import solve
from routh.core.impact.impact import (
    BRACH,
    N_OUT,
    NEWTON,
    NEWTON_ALGEBRAIC,
    NO_IMPACT,
    NO_SOLUTION,
    P_N,
    P_STOP,
    P_T,
    P_T2,
    POISSON,
    REVERSAL_COMPRESSION,
    SLIDING,
    STICK_COMPRESSION,
    STOPPED,
    STRONGE,
    V_N,
    V_T,
    V_T2,
    WORK,
    WORK_N,
    resolve_plane,
)
from routh.core.impact.impact_flow import N_ROWS
from routh.core.impact.impact_space import live_tangent, resolve_space
from routh.core.jit import kernel
from routh.core.tables.layout import STICK, f8, i8
from routh.core.tree.kinematics import twin

# how the impacts of an instant end; UNRESOLVED names a contact, or -1
RESOLVED, TABLE_FULL, UNRESOLVED = range(3)

SETTLED = 13        # kind of a blow, beside those of impact.py: part of a plastic end of a sequence that has none of its own

BLOW = np.dtype([
    ("contact", i8),           # row of the block table
    ("kind", i8),              # of impact.py; together: STOPPED or SLIDING; or SETTLED
    ("p", f8, (3,)),           # impulse: normal, tangents
    ("before", f8, (3,)),      # velocity of the contact
    ("after", f8, (3,)),
    ("work_n", f8),            # work of the normal impulse
    ("work", f8),              # work of the whole impulse: minus the energy lost
], align=True)

SINGULAR = 1e-10    # determinant against the product of the diagonal: slip and approach are one motion
BARE = 1e-14        # the same of a determinant that is round-off
TIED = 1e-6         # of the approach: a slip that differs by less from what the tie makes of it
LOOSE = 1e-9        # share of its diagonal that is added to a singular matrix of three rows
LOOSENED = 1e-3     # of the impulse: what that may change it by
LOCKED = 1e-6       # slip or approach that is left of such a contact, against its speeds before, where both end together
APPROACH = 1e-12    # of the fastest at first: slower is round-off
FADED = 1e-9        # of the fastest approach at first: a sequence that came down to this is settled
GROWN = 1e3         # and one that has grown by this does not fade
BLOWS = 1000        # blows per contact after which it is settled, too
LEVEL = 1e-9        # of the approach: points of two shapes that are as fast come down flat
LASTING = 1e3       # times the approach: a slip that the end of such a sequence does not stop


@kernel
def in_plane(system, A, v, c, scratch, out):
    """One contact in the plane."""
    return resolve_plane(A, v, c.law, c.e, c.e_t, c.mu, c.mu_s, out)


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


one_contact = twin("contact.impact_many.in_plane", "contact.impact_many.in_space")


@kernel
def tied(A, v, c, out):
    """The class of a blow at a contact whose slip is tied to its approach (a body with one freedom); -1 where it is not.

    A has rank one, so both speeds vanish together and slip turns round where compression ends. Friction that would drive the
    bodies together locks them: they stop. Laws without a path cannot have the slip that they ask for, so theirs slides.
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
    elif c.law == STRONGE:
        after = -c.e * vn * math.sqrt(max(back, 0.0) / D)
    else:
        after = -c.e * vn
    pathless = c.law == NEWTON_ALGEBRAIC or c.law == BRACH
    after = max(after, 0.0) if back > 0.0 or pathless else 0.0
    p_r = after / D if pathless else (after / back if back > 0.0 else 0.0)
    along = -c.mu * (p_c + p_r if pathless else p_c - p_r)
    out[P_N], out[P_T], out[P_T2] = p_c + p_r, along * dx, along * dy
    out[V_N], out[V_T], out[V_T2] = after, -after * trace / coupled * dx, -after * trace / coupled * dy
    out[WORK_N] = 0.5 * (vn * p_c + after * p_r)
    out[WORK] = 0.5 * (after * after - vn * vn) / nn
    if pathless:
        return SLIDING
    return REVERSAL_COMPRESSION if after > 0.0 else STICK_COMPRESSION


@kernel
def level(block, v, i, j):
    """Whether contacts i and j are points of two shapes that come down flat: nothing but their order tells them apart."""
    a, b = block[i], block[j]
    if i == j or a.pair == 0 or a.pair != b.pair or a.count != b.count:
        return i == j
    near = LEVEL * abs(v[a.first])
    for k in range(a.count):
        if abs(v[a.first + k] - v[b.first + k]) > near:
            return False
    return True


@kernel
def one_blow(system, A, v, block, i, scratch, blow):
    """Fill `blow` for contact i resolved alone, or for the mean of all that are level with it; return (its kind, how many).

    The impulse is that of each of them.
    """
    c, count = block[i], 0
    before, out = scratch[N_ROWS + 3], scratch[N_ROWS + 4]
    own = scratch[N_ROWS + 2, :9].reshape(3, 3)
    before[0], before[1], before[2] = rows(v, c)
    for k in range(N_OUT):
        out[k] = 0.0
    for k in range(9):
        own[k // 3, k % 3] = 0.0
    for m in range(block.size):
        if not level(block, v, i, m):
            continue
        count += 1
        for n in range(block.size):
            if level(block, v, i, n):
                for k in range(c.count):
                    for j in range(c.count):
                        own[k, j] += A[block[m].first + k, block[n].first + j]
    for k in range(9):
        own[k // 3, k % 3] /= count * count
    if c.count == 1:
        kind, vn = SLIDING, before[0]
        p = -(1.0 + c.e) * vn / own[0, 0]
        out[P_N], out[V_N], out[WORK_N], out[WORK] = p, -c.e * vn, 0.5 * (1.0 - c.e) * vn * p, 0.5 * (1.0 - c.e) * vn * p
        if vn >= 0.0:
            kind, out[P_N], out[V_N], out[WORK_N], out[WORK] = NO_IMPACT, 0.0, vn, 0.0, 0.0
    else:
        kind = tied(own, before, c, out) if before[0] < 0.0 else -1
        if kind < 0:
            kind = one_contact(system, own, before[:3], c, scratch, out)
    blow.contact, blow.kind = i, kind
    blow.p[0], blow.p[1], blow.p[2] = out[P_N] / count, out[P_T] / count, out[P_T2] / count
    blow.after[0], blow.after[1], blow.after[2] = out[V_N], out[V_T], out[V_T2]
    for k in range(3):
        blow.before[k] = before[k]
    blow.work_n, blow.work = out[WORK_N] / count, out[WORK] / count
    return kind, count


@kernel
def strike(A, block, blow, v, p_out):
    """Add one contact's impulse to the velocities of all; its own are what its law says, to the bit."""
    c = block[blow.contact]
    for j in range(p_out.size):
        for k in range(c.count):
            v[j] += A[j, c.first + k] * blow.p[k]
    for k in range(c.count):
        v[c.first + k] = blow.after[k]
        p_out[c.first + k] += blow.p[k]


@kernel
def strike_level(A, block, blows, v, v_before, p_out):
    """The same for contacts that are level, with the impulse of `blows[0]` each; the other blows are filled.

    Their speeds after are what all impulses make of them, or what the law says, to the bit, where that is the same.
    """
    where, count, first = blows[0].contact, 0, blows[0]
    for i in range(p_out.size):
        v_before[i] = v[i]
    for i in range(block.size):
        if level(block, v_before, where, i):
            blow = blows[count]
            blow.contact, blow.kind, blow.work_n, blow.work = i, first.kind, first.work_n, 0.0
            for k in range(3):
                blow.p[k], blow.before[k], blow.after[k] = first.p[k], first.before[k], first.after[k]
            for k in range(block[i].count):
                p_out[block[i].first + k] += blow.p[k]
                for j in range(p_out.size):
                    v[j] += A[j, block[i].first + k] * blow.p[k]
            count += 1
    for m in range(count):
        blow, f = blows[m], block[blows[m].contact].first
        for k in range(block[blow.contact].count):
            if abs(v[f + k] - blow.after[k]) <= LEVEL * abs(blow.before[0]):
                v[f + k] = blow.after[k]
            blow.after[k] = v[f + k]
            blow.work += 0.5 * blow.p[k] * (blow.before[k] + blow.after[k])


@kernel
def plastic(solver, A, b, block, scale, lasting, p_out, v_out):
    """Impulse and velocities with v_n >= 0, p_n >= base and friction on the velocity after; return (solved, contact).

    A slip that is faster than `lasting` goes on in its direction; where it does not, nothing is solved.
    """
    for i in range(block.size):
        c = block[i]
        _, vx, vy = rows(b, c)
        slip = math.hypot(vx, vy)
        c.friction, c.scale = CONE, scale
        if slip > lasting:
            c.friction, c.wx, c.wy = SLIDES, vx / slip, vy / slip
    status, where = solve(solver, A, b, block, p_out, v_out)
    for i in range(block.size):
        c = block[i]
        _, vx, vy = rows(v_out, c)
        if c.friction == SLIDES and vx * c.wx + vy * c.wy < 0.0:
            return False, i
    return status == SOLVED or status == SEVERAL, where


@kernel
def log_all(block, v, v_out, p, blow_out):
    """Fill a blow for each contact with an impulse; return (whether there was room, number of blows)."""
    count = 0
    for i in range(block.size):
        c = block[i]
        if p[c.first] == 0.0:
            continue
        if count == blow_out.size:
            return False, count
        blow = blow_out[count]
        blow.contact, blow.work = i, 0.0
        blow.kind = STOPPED if c.mode == STICK and c.count > 1 else SLIDING
        blow.p[0], blow.p[1], blow.p[2] = rows(p, c)
        blow.before[0], blow.before[1], blow.before[2] = rows(v, c)
        blow.after[0], blow.after[1], blow.after[2] = rows(v_out, c)
        blow.work_n = 0.5 * blow.p[0] * (blow.before[0] + blow.after[0])
        for k in range(3):
            blow.work += 0.5 * blow.p[k] * (blow.before[k] + blow.after[k])
        count += 1
    return True, count


@kernel
def fastest(block, v):
    """(contact, speed) of the fastest approach; of two that are equal to round-off the first."""
    where, speed = -1, 0.0
    for i in range(block.size):
        if -v[block[i].first] > speed * (1.0 + APPROACH):
            where, speed = i, -v[block[i].first]
    return where, speed


@kernel
def largest(v, block):
    """Largest normal speed."""
    speed = 0.0
    for i in range(block.size):
        speed = max(speed, abs(v[block[i].first]))
    return speed


@kernel
def sequential(system, solver, A, v, block, first, dealt, p_out, v_out, blow_out):
    """Resolve the fastest approach alone until none is left; return (status, number of blows, contact of a failure).

    A sequence that only fades (a ball squeezed
    into a wedge) ends with a plastic impact of all contacts; where it continues one, `first` was the fastest approach and
    `dealt` the number of blows so far.
    """
    n = p_out.size
    scale = largest(v, block)
    for i in range(n):
        v_out[i], p_out[i] = v[i], 0.0
    first = max(first, fastest(block, v)[1])
    lone = block.size == 1
    count = 0
    while True:
        where, speed = fastest(block, v_out)
        if not lone and speed <= APPROACH * scale:
            return RESOLVED, count, -1
        if not lone and (speed < FADED * first or dealt + count >= BLOWS * block.size):
            break
        if speed > GROWN * first:  # a driver squeezes them: nothing but the end of all approaches is left to try
            for i in range(n):
                v_out[i], p_out[i] = v[i], 0.0
            count = 0
            break
        if count == blow_out.size:
            return TABLE_FULL, count, -1
        where = max(where, 0)
        blow = blow_out[count]
        kind, several = one_blow(system, A, v_out, block, where, solver.march, blow)
        if kind < 0 or kind >= NO_SOLUTION or not 0.0 <= blow.p[0] < math.inf:
            return UNRESOLVED, count, where
        if kind == NO_IMPACT:
            return RESOLVED, count, -1
        if count + several > blow_out.size:
            return TABLE_FULL, count, -1
        if several > 1:
            strike_level(A, block, blow_out[count:], v_out, solver.spare[SHIFTED], p_out)
        else:
            strike(A, block, blow, v_out, p_out)
        count += several
        if lone:
            return RESOLVED, count, -1

    b, p = solver.spare[SHIFTED], solver.spare[MORE]
    for i in range(n):
        b[i] = v_out[i]
    for i in range(block.size):
        block[i].base = 0.0
    # where slips last that the approaches cannot stop; else a wedge might catch what has all but come through it
    solved, where = plastic(solver, A, b, block, scale, LASTING * speed, p, v_out)
    if not solved:
        solved, where = plastic(solver, A, b, block, scale, math.inf, p, v_out)
    if not solved:
        return UNRESOLVED, count, where
    for i in range(n):
        p_out[i] += p[i]
    room, more = log_all(block, b, v_out, p, blow_out[count:])
    for k in range(count, count + more):
        blow_out[k].kind = SETTLED
    return (RESOLVED if room else TABLE_FULL), count + more, -1


@kernel
def simultaneous(system, solver, A, v, block, first, dealt, p_out, v_out, blow_out):
    """Resolve all contacts at once, each by Newton's or Poisson's law; arguments and returns of `sequential`."""
    if block.size == 1:
        return sequential(system, solver, A, v, block, first, dealt, p_out, v_out, blow_out)
    n = p_out.size
    b, p, scale = solver.spare[SHIFTED], solver.spare[MORE], largest(v, block)

    # Newton's contacts go to -e v_n at once, Poisson's are compressed
    for i in range(n):
        b[i], p[i] = v[i], 0.0
    for i in range(block.size):
        c = block[i]
        c.base = 0.0
        if c.law != POISSON:
            b[c.first] += c.e * min(v[c.first], 0.0)
    solved, where = plastic(solver, A, b, block, scale, math.inf, p_out, v_out)
    if not solved:
        return UNRESOLVED, 0, where

    # restitution gives back at least e times the impulse, and lets nothing approach
    again = False
    for i in range(block.size):
        c = block[i]
        if c.law == POISSON and c.e * p_out[c.first] > 0.0:
            c.base, again = c.e * p_out[c.first], True
    if again:
        for i in range(n):
            b[i] = v_out[i]
        solved, where = plastic(solver, A, b, block, scale, math.inf, p, v_out)
        if not solved:
            return UNRESOLVED, 0, where
    for i in range(n):
        p_out[i] += p[i]
    for i in range(block.size):
        c = block[i]
        c.base = 0.0
        if c.law != POISSON:
            v_out[c.first] -= c.e * min(v[c.first], 0.0)
    room, count = log_all(block, v, v_out, p_out, blow_out)
    return (RESOLVED if room else TABLE_FULL), count, -1
