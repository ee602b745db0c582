"""Parts of a run that is over, repeated from states next to its own: what derivatives are differences of.

A smooth stretch is repeated in the same modes, with the same fractions of its length as steps; an event with the same contacts
and the same rounds of impacts. So each is a smooth map of its start, and its differences are as accurate as round-off allows.
"""

import math

from routh.core.calls import derivative, project, strike
from routh.core.contact.contact_space import list_closed
from routh.core.contact.contacts import look, read_phase, slip_along, write_phase
from routh.core.events.meeting import loosen
from routh.core.events.modes import tidy
from routh.core.events.strike import push_scheduled
from routh.core.integrate.explicit import E3, E5, ERROR_STAGES, STAGES, attempt, first_step, make_dense
from routh.core.integrate.samples import CLOSED, copy, dense_value
from routh.core.jit import kernel
from routh.core.tables.layout import FINISHED, NOT_FINITE, OPEN, PAUSED, SLIP, SOFT, STEP_TOO_SMALL
from routh.core.tables.log import N_EVENT, N_IMPACT, N_PHASE
from routh.core.tables.runs import COARSE, FASTEST, SLACK, UNLOADED
from routh.core.tables.variation import CONE, GAP, JAM, NORMAL, RATE, ROOM, SLIDE
from routh.core.tree.kinematics import place
from routh.core.tree.profile import choose_pieces, drive

WIDE = 1e-4           # of the size of the smaller shape: gap within which a contact that was struck is struck again


@kernel
def take_modes(system, work, phase, slow):
    """Contacts in the modes of a phase; a slip faster than `slow` tells its own direction."""
    read_phase(system, work, phase)
    list_closed(system, work)
    for c in range(system.contact.size):
        if work.touch[c].mode == SLIP:
            work.touch[c].slow = slow


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
def plan(system, work, buffers, beside, phase, slow, middle, t, stop, rtol, atol, tolerance, size, y, probe, share_out):
    """Integrate from (t, y) to `stop` in the modes of a phase; write the shares of the way at which steps end.

    Steps keep the error of y, and that of its distance to `probe`, a state beside it: where a motion rests, what is beside it
    does not. Return their number, or minus the reason for which there are none.
    """
    n_q, n_u, works = system.world[0].n_q, system.world[0].n_u, system.world[0].works
    k, stage, y_new = buffers.k, buffers.stage, buffers.y_new
    take_modes(system, work, phase, slow)
    choose_pieces(system, middle, work.piece)
    project(system, work, t, probe[:n_q], probe[n_q:n_q + n_u])
    derivative(system, work, t, y, k[0])
    derivative(system, work, t, probe, beside.k[0])
    span = stop - t
    n, done, h = 0, 0.0, first_step(n_q + n_u, y, k[0], rtol, atol, span) / span
    while done < 1.0:
        if done + 1.01 * h >= 1.0:
            h = 1.0 - done
        elif done + 2.0 * h > 1.0:
            h = 0.5 * (1.0 - done)
        now, later = t + done * span, t + (done + h) * span
        error = attempt(system, work, now, y, h * span, rtol, atol, k, stage, y_new)
        attempt(system, work, now, probe, h * span, rtol, atol, beside.k, beside.stage, beside.y_new)
        error = max(error, spread_error(works, h * span, k, beside.k, y, probe, size, tolerance))
        if error <= 1.0 and not project(system, work, later, y_new[:n_q], y_new[n_q:n_q + n_u]) <= CLOSED:
            error = 100.0
        if error <= 1.0:
            if n == share_out.size:
                return -PAUSED
            project(system, work, later, beside.y_new[:n_q], beside.y_new[n_q:n_q + n_u])
            done = done + h if h < 1.0 - done else 1.0
            share_out[n] = done
            n += 1
            copy(y_new, y)
            copy(beside.y_new, probe)
            derivative(system, work, later, y, k[0])
            derivative(system, work, later, probe, beside.k[0])
            h *= min(5.0, 0.9 * max(error, 1e-8) ** -0.125)
            continue
        if not math.isfinite(error):
            h *= 0.1
        else:
            h *= max(0.2, 0.9 * error ** -0.125)
        if done + h == done:
            return -STEP_TOO_SMALL
    return n


@kernel
def follow(system, work, buffers, slow, middle, stop, share, phase, t, y, wanted, sample_out):
    """Integrate every row of y from its time t to `stop`, in the modes of its row of `phase`, with steps of the same shares.

    Rows of `sample_out`, (row, time, state), are states at the wanted times. Return FINISHED or NOT_FINITE.
    """
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    k, dense, stage, y_new = buffers.k, buffers.dense, buffers.stage, buffers.y_new
    choose_pieces(system, middle, work.piece)
    for i in range(t.size):
        take_modes(system, work, phase[i], slow)
        span, done, w = stop - t[i], 0.0, 0
        for s in range(share.size):
            now, h = t[i] + done * span, (share[s] - done) * span
            done = share[s]
            later = stop if s + 1 == share.size else t[i] + done * span
            derivative(system, work, now, y[i], k[0])
            attempt(system, work, now, y[i], h, 1.0, 1.0, k, stage, y_new)
            project(system, work, later, y_new[:n_q], y_new[n_q:n_q + n_u])
            if w < wanted.size and wanted[w] < later:
                derivative(system, work, later, y_new, k[STAGES])
                make_dense(system, work, now, y[i], h, k, stage, y_new, dense)
                while w < wanted.size and wanted[w] < later:
                    row = sample_out[i, w]
                    dense_value(y[i], dense, (wanted[w] - now) / h, row)
                    project(system, work, wanted[w], row[:n_q], row[n_q:n_q + n_u])
                    w += 1
            copy(y_new, y[i])
        for m in range(y.shape[1]):
            if not math.isfinite(y[i, m]):
                return NOT_FINITE
    return FINISHED


@kernel
def read_guards(system, work, slow, middle, phase, t, y, slope_out, guard_out):
    """Slopes of every row of y, and what tells how far each contact is from an event: see `tables/variation.py`."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    choose_pieces(system, middle, work.piece)
    for i in range(t.size):
        take_modes(system, work, phase[i], slow)
        derivative(system, work, t[i], y[i], slope_out[i])
        for c in range(system.contact.size):
            k, touch, out = system.contact[c], work.touch[c], guard_out[i, c]
            if touch.mode == OPEN:
                look(system, work, c, y[i, :n_q], y[i, n_q:n_q + n_u])
            out[GAP], out[RATE], out[SLIDE], out[JAM], out[ROOM] = touch.g, touch.rate, 0.0, 1.0, 0.0
            out[NORMAL] = out[CONE] = 0.0
            if touch.mode > SLIP:
                out[NORMAL], out[ROOM] = touch.normal, touch.room
            elif touch.mode != OPEN:
                out[NORMAL], tangential = work.hold[k.hold].lam, 0.0
                if touch.mode == SLIP:
                    out[SLIDE], out[JAM] = slip_along(system, touch), touch.jam
                else:
                    for m in range(1, k.n_row):
                        tangential += work.hold[k.hold + m].lam ** 2
                    out[CONE] = k.mu_s * out[NORMAL] - math.sqrt(tangential)


@kernel
def repeat_event(system, work, control_table, events, solver, log, before, after, touching, number, rounds, solo, middle,
                 fastest, t, y, phase_out):
    """What happened at an event, from another state y: scheduled impulses from `number` on unless it is negative, rounds of
    impacts, then the modes of the phase `after`.

    `touching` are contacts that were struck, `solo` one that jammed, `fastest` the largest speed of approach. Return FINISHED,
    or what went wrong.
    """
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    control = control_table[0]
    choose_pieces(system, middle, work.piece)
    take_modes(system, work, before, 0.0)
    for i in range(events.scale.size):
        events.scale[i] = 0.0
    events.scale[FASTEST], events.scale[COARSE], events.scale[SLACK] = fastest, 1.0, UNLOADED
    log.count[N_IMPACT] = log.count[N_EVENT] = log.count[N_PHASE] = 0
    for c in range(system.contact.size):
        touch = work.touch[c]
        touch.floor, touch.resting, touch.ending, touch.fastest, touch.struck = 0.0, 0.0, 0, 0.0, -math.inf
    for j in range(touching.size):
        work.touch[touching[j]].floor = WIDE * system.contact[touching[j]].size
    if number >= 0:
        control.next_impulse = number
        push_scheduled(system, work, events, log, t, y, control)
    for r in range(rounds):
        status = strike(system, work, events, solver, log, t, y, solo if r == 0 else -1)
        if status != FINISHED and status != PAUSED:
            return status
    # speeds in the modes that follow, compliant contacts that meet or part
    take_modes(system, work, after, 0.0)
    drive(system, work, t, y[:n_q], y[n_q:n_q + n_u])
    place(system, work, y[:n_q], y[n_q:n_q + n_u])
    tidy(system, work, events, t, y)
    for c in range(system.contact.size):
        k, touch = system.contact[c], work.touch[c]
        if k.law == SOFT:
            was_open = before[c * (before.size // system.contact.size)] == OPEN
            if was_open != (touch.mode == OPEN):
                loosen(system, y, c)
                look(system, work, c, y[:n_q], y[n_q:n_q + n_u])
                if was_open:
                    touch.speed = max(-touch.rate, 0.0)
    write_phase(system, work, phase_out)
    return FINISHED
