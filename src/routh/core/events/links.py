"""A run as a chain of links, each a smooth stretch and the event that ends it: what its derivatives are taken along.

The steps of a stretch are chosen for the motion and for a state beside it, because where a motion rests, what is beside it does
not. Their stages are kept, so that every tangent uses the same ones.
"""

import math

from routh.core.calls import derivative, project
from routh.core.events.replay import read_guards, repeat_event, take_modes
from routh.core.integrate.explicit import E3, E5, ERROR_STAGES, STAGES, C, attempt, combine, first_step
from routh.core.integrate.samples import CLOSED, copy
from routh.core.jit import kernel
from routh.core.tables.layout import FINISHED, OPEN, SLIP, SOFT
from routh.core.tables.variation import CONE, GAP, JAM, NO_CAUSE, NORMAL, RATE, ROOM, SLIDE, SMOOTH, UNLIKE
from routh.core.tree.profile import choose_pieces

ARRIVES = 1e-6        # of the size of the smaller shape: gap within which a contact has arrived
ROOT = 1e-6           # of a stretch: how far from its end the root of the guard may be
AHEAD = 1e-6          # of the sizes of a state: how far along its slope the rate of a guard is measured
UNCHANGED = 1e3       # times farther off than it is counts the guard of a contact that keeps its mode
FAITHFUL = 1e-6       # of the speeds: what an event that is repeated may differ by from the one that was


@kernel
def spread_error(works, h, k, k_probe, y, probe, size, tolerance):
    """Error of the distance between two steps, against `tolerance` of that distance and of the size of such distances."""
    err3 = err5 = 0.0
    for i in range(works):
        e3 = e5 = 0.0
        for j in range(ERROR_STAGES.size):
            s = ERROR_STAGES[j]
            e3 += E3[s] * (k_probe[s, i] - k[s, i])
            e5 += E5[s] * (k_probe[s, i] - k[s, i])
        scale = tolerance * (abs(probe[i] - y[i]) + size[i])
        err3 += (e3 / scale) ** 2
        err5 += (e5 / scale) ** 2
    if err5 == 0.0 and err3 == 0.0:
        return 0.0
    return abs(h) * err5 / math.sqrt((err5 + 0.01 * err3) * works)


@kernel
def keep_step(system, work, now, h, y, k, y_new, dense, stage_out, slope_out):
    """Write states and slopes of all stages of a step, those of the dense output only where it is wanted."""
    for s in range(STAGES):
        copy(k[s], slope_out[s])
        if s == 0:
            copy(y, stage_out[s])
        else:
            combine(y, h, k, s, stage_out[s])
    copy(y_new, stage_out[STAGES])
    derivative(system, work, now + h, y_new, k[STAGES])
    copy(k[STAGES], slope_out[STAGES])
    for s in range(STAGES + 1, 16 if dense else STAGES + 1):
        combine(y, h, k, s, stage_out[s])
        derivative(system, work, now + C[s] * h, stage_out[s], k[s])
        copy(k[s], slope_out[s])


@kernel
def plan(system, work, buffers, beside, link, rtol, atol, spread, size, t_sample, guess, n, share_out, stage_out, slope_out):
    """Integrate the stretch of a link from `buffers.y`, with `beside.y` next to it; write steps from row n on.

    `guess` has the first step, that of the stretch before, or zero. Return the row after the last, or -1 where there is no
    room or no step is short enough.
    """
    n_q, n_u, works = system.world[0].n_q, system.world[0].n_u, system.world[0].works
    y, k, stage, y_new, probe = buffers.y, buffers.k, buffers.stage, buffers.y_new, beside.y
    t, span, done, inner = link.begin, link.end - link.begin, 0.0, link.inner_from
    project(system, work, t, probe[:n_q], probe[n_q:n_q + n_u])
    derivative(system, work, t, y, k[0])
    derivative(system, work, t, probe, beside.k[0])
    if guess[0] == 0.0:
        guess[0] = first_step(n_q + n_u, y, k[0], rtol, atol, span)
    h = guess[0] / span
    while done < 1.0:
        if done + 1.01 * h >= 1.0:
            h = 1.0 - done
        elif done + 2.0 * h > 1.0:
            h = 0.5 * (1.0 - done)
        now, later = t + done * span, t + (done + h) * span
        error = attempt(system, work, now, y, h * span, rtol, atol, k, stage, y_new)
        attempt(system, work, now, probe, h * span, rtol, atol, beside.k, beside.stage, beside.y_new)
        error = max(error, spread_error(works, h * span, k, beside.k, y, probe, size, spread))
        if error <= 1.0 and not project(system, work, later, y_new[:n_q], y_new[n_q:n_q + n_u]) <= CLOSED:
            error = 100.0
        if error <= 1.0:
            if n == share_out.size:
                return -1
            project(system, work, later, beside.y_new[:n_q], beside.y_new[n_q:n_q + n_u])
            done = done + h if h < 1.0 - done else 1.0
            share_out[n] = done
            dense = False
            while inner < link.inner_to and (t_sample[inner] < later or done == 1.0):
                dense, inner = True, inner + 1
            keep_step(system, work, now, h * span, y, k, y_new, dense, stage_out[n], slope_out[n])
            n += 1
            copy(k[STAGES], k[0])
            copy(y_new, y)
            copy(beside.y_new, probe)
            derivative(system, work, later, probe, beside.k[0])
            h *= min(5.0, 0.9 * max(error, 1e-8) ** -0.125)
            guess[0] = max(guess[0], h * span) if done == 1.0 else h * span
            continue
        h *= max(0.2, 0.9 * error ** -0.125) if math.isfinite(error) else 0.1
        if done + h == done:
            return -1
    return n


@kernel
def find_cause(system, link, before, after, touching, guard, ahead, length):
    """Fill the cause of an event, its guard and the guard's rate. `guard` has three rows: at it, just after, just before."""
    width, link.cause = before.size // max(system.contact.size, 1), -1
    for j in range(link.touch_from, link.touch_to):
        c = touching[j]
        rate = guard[0, c, RATE]
        if rate < 0.0 and abs(guard[0, c, GAP]) <= ARRIVES * system.contact[c].size and (
                link.cause < 0 or rate < link.rate):
            link.cause, link.column, link.rate = c, GAP, rate
    least = ROOT * length
    if link.cause >= 0:
        return
    for c in range(system.contact.size):
        k, was, becomes = system.contact[c], int(before[c * width]), int(after[c * width])
        soft = k.law == SOFT
        if was == OPEN or (soft and was == becomes):
            continue
        for column in range(guard.shape[2]):
            wanted = (column == ROOM or column == GAP) if soft else (
                column == NORMAL or ((column == SLIDE or column == JAM) and was == SLIP)
                or (column == CONE and was != SLIP and k.n_row > 1))
            rate = (guard[1, c, column] - guard[2, c, column]) / (2.0 * ahead)
            if wanted and (rate < 0.0 or (soft and rate != 0.0)):
                off = abs(guard[0, c, column] / rate) * (1.0 if was != becomes or column == SLIDE else UNCHANGED)
                if off <= least:
                    least = off
                    link.cause, link.column, link.rate = c, column, rate


@kernel
def look_at_event(system, work, control, buffers, beside, events, solver, log, link, before, after, touching, size, y_right,
                  guard, y, slope_out, jump_out, phase_out):
    """Slope before an event, its cause, and what it does to the state y; `guard` is scratch (3, n_contact, N_GUARD)."""
    n_q, works = system.world[0].n_q, system.world[0].works
    t = link.end
    read_guards(system, work, t, y, slope_out, guard[0])
    ahead = math.inf
    for i in range(works):
        if slope_out[i] != 0.0:
            ahead = min(ahead, AHEAD * size[i] / abs(slope_out[i]))
    if link.given == 0 and ahead < math.inf:
        for side in range(1, 3):
            off = ahead if side == 1 else -ahead
            for i in range(y.size):
                buffers.stage[i] = y[i] + off * slope_out[i]
            read_guards(system, work, t + off, buffers.stage, buffers.y_new, guard[side])
        find_cause(system, link, before, after, touching, guard, ahead, link.end - link.begin)
    link.verdict = SMOOTH if link.given == 1 or link.cause >= 0 else NO_CAUSE
    copy(y, jump_out)
    status = repeat_event(system, work, control, events, solver, log, before, after, touching[link.touch_from:link.touch_to],
                          link.number, link.rounds, link.solo, link.middle, link.fastest, t, jump_out, phase_out)
    speed = off_by = 0.0
    for i in range(n_q, works):
        speed = max(speed, abs(y_right[i]), abs(y[i]))
        off_by = max(off_by, abs(jump_out[i] - y_right[i]))
    if status != FINISHED or not off_by <= FAITHFUL * speed:
        link.verdict = UNLIKE
    for i in range(y.size):
        jump_out[i] -= y[i]


@kernel
def lay_out(system, work, control, buffers, beside, events, solver, log, links, phases, touching, t_sample, y_sample, size,
            nearby, settings, begin, guard, share_out, stage_out, slope_out, sample_slope_out, minus_out, minus_slope_out,
            jump_out, phase_out):
    """Steps and events of the links from number `begin` on; return the number after the last that there was room for.

    `settings`: rtol, atol, error of the spread, speed below which a slip has the direction of its start, first step or zero.
    """
    n = 0
    for j in range(begin, links.size):
        link = links[j]
        phase = phases[link.phase]
        choose_pieces(system, link.middle, work.piece)
        take_modes(system, work, phase, settings[3])
        copy(y_sample[link.first], buffers.y)
        for i in range(buffers.y.size):
            beside.y[i] = buffers.y[i] + nearby[i]
        derivative(system, work, link.begin, buffers.y, sample_slope_out[link.first])
        link.step_from = link.step_to = n
        if link.end > link.begin:
            after = plan(system, work, buffers, beside, link, settings[0], settings[1], settings[2], size, t_sample,
                         settings[4:], n, share_out, stage_out, slope_out)
            if after < 0:
                return j
            link.step_to = n = after
            for i in range(link.inner_from, link.inner_to):
                derivative(system, work, t_sample[i], y_sample[i], sample_slope_out[i])
        if link.event == 1:
            copy(y_sample[link.left] if link.left >= 0 else buffers.y, minus_out[j])
            look_at_event(system, work, control, buffers, beside, events, solver, log, link, phase, phases[link.after],
                          touching, size, y_sample[link.right], guard, minus_out[j], minus_slope_out[j], jump_out[j], phase_out)
    return links.size
