"""All impacts of one instant, in contact space: one after another, or at once.

sequential     the fastest approach is resolved alone, by the laws of one contact, until nothing approaches; points of two
               shapes that come down flat are one contact in their middle, so that a box that lands on its face keeps level
simultaneous   Newton: v_n⁺ >= -e v_n⁻ with friction on v_t⁺ ([moreau1988]); Poisson: a compression to v_n >= 0, then a
               restitution of at least e times each compression impulse ([glocker1995])

A lone contact is marched (`impact.py`) in both. Each blow is a row of the caller's table, and the sum of their works is the
change of kinetic energy.
"""

import math

from routh.core.calls import solve
from routh.core.contact.complementarity import SEVERAL, SOLVED
from routh.core.contact.cone_forces import rows
from routh.core.contact.tied import tied
from routh.core.jit import kernel
from routh.core.tables.impact_codes import (
    N_OUT,
    N_ROWS,
    NO_IMPACT,
    NO_SOLUTION,
    P_N,
    P_T,
    P_T2,
    POISSON,
    SETTLED,
    SLIDING,
    STOPPED,
    V_N,
    V_T,
    V_T2,
    WORK,
    WORK_N,
)
from routh.core.tables.layout import STICK
from routh.core.tables.runs import CONE, MORE, SHIFTED
from routh.core.tables.runs import SLIDING as SLIDES
from routh.core.tree.laws import restitution_at
from routh.core.twins import twin

# how the impacts of an instant end; UNRESOLVED names a contact, or -1
RESOLVED, TABLE_FULL, UNRESOLVED = range(3)

APPROACH = 1e-12    # of the fastest at first: slower is round-off
FADED = 1e-9        # of the fastest approach at first: a sequence that came down to this is settled
GROWN = 1e3         # and one that has grown by this does not fade
BLOWS = 1000        # blows per contact after which it is settled, too
LEVEL = 1e-9        # of the approach: points of two shapes that are as fast come down flat
LASTING = 1e3       # times the approach: a slip that the end of such a sequence does not stop


one_contact = twin("impact.impact.in_plane", "contact.tied_in_space.in_space")


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
def one_blow(system, A, v, block, i, scratch, own, blow):
    """Fill `blow` for contact i resolved alone, or for the mean of all that are level with it; return (its kind, how many).

    The impulse is that of each of them; `own` becomes their inverse mass.
    """
    c, count = block[i], 0
    before, out = scratch[N_ROWS + 3], scratch[N_ROWS + 4]
    before[0], before[1], before[2] = rows(v, c)
    c.e = restitution_at(system, c, before[0])
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
        kind, several = one_blow(system, A, v_out, block, where, solver.march, solver.own, blow)
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
        c.base, c.e = 0.0, restitution_at(system, c, v[c.first])
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
