"""Parts of a run that is over, repeated from states next to its own: what derivatives are differences of.

An event is repeated with the same contacts and the same rounds of impacts, and ends in the same modes. So it is a smooth map of
its start, unless the motion itself has no derivative there.
"""

import math

from routh.core.calls import derivative, strike
from routh.core.contact.contact_space import list_closed
from routh.core.contact.contacts import look, read_phase, slip_along, write_phase
from routh.core.events.meeting import loosen
from routh.core.events.modes import tidy
from routh.core.events.strike import push_scheduled
from routh.core.jit import kernel
from routh.core.tables.layout import FINISHED, OPEN, PAUSED, SLIP, SOFT
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
def read_guards(system, work, t, y, slope_out, guard_out):
    """Slope of a state, and what tells how far each contact is from an event, see `tables/variation.py`; modes are taken."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    derivative(system, work, t, y, slope_out)
    for c in range(system.contact.size):
        k, touch, out = system.contact[c], work.touch[c], guard_out[c]
        if touch.mode == OPEN:
            look(system, work, c, y[:n_q], y[n_q:n_q + n_u])
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
def slope_at(system, work, slow, middle, phase, t, y, slope_out):
    """Slope of a state in the modes of a phase."""
    choose_pieces(system, middle, work.piece)
    take_modes(system, work, phase, slow)
    derivative(system, work, t, y, slope_out)


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
        control.next_impulse, t = number, system.impulse[number].stop
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
