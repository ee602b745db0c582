"""Compliant contacts that meet and part: their modes change at the instants that the event loop finds.

OPEN → PRESSED where the gap closes; PRESSED → PARTING where the force comes to zero while the surfaces still overlap, as a
damper makes it; → OPEN where the overlap ends. Between two changes every force is smooth, so steps keep their order.
"""

import math

from routh.core.contact.compliant import FLICKER, RESOLVED, feel, turning_time, turns
from routh.core.contact.contacts import look, seat
from routh.core.events.clock import time_tolerance
from routh.core.events.event_state import NEAR, arrival, note
from routh.core.jit import kernel
from routh.core.tables.layout import OPEN, PARTING, PRESSED, SOFT
from routh.core.tables.log import RELEASES, TOUCHES
from routh.core.tree.kinematics import place, respond_row
from routh.core.tree.profile import drive

CAUTIOUS = 0.2        # first step of a contact against the time in which it turns round


@kernel
def meet(system, work, events, log, t, y, which):
    """Change the mode of contact `which`, if it is compliant, and of those that touch or part at this very instant."""
    if system.compliant.size == 0:
        return
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    q, u = y[:n_q], y[n_q:n_q + n_u]
    drive(system, work, t, q, u)
    place(system, work, q, u)
    for c in range(system.contact.size):
        k, touch = system.contact[c], work.touch[c]
        if k.law != SOFT:
            continue
        look(system, work, c, q, u)
        deep, before = -touch.g > 10.0 * RESOLVED * k.size, touch.mode
        if touch.flips > FLICKER and touch.g > NEAR * k.size:
            touch.mode, touch.flips = OPEN, 0
        if touch.mode == OPEN:
            if c == which or deep or (touch.rate < 0.0 and touch.g <= arrival(events, touch, k.size, t)):
                touch.mode, touch.speed, touch.deepest = PRESSED, max(-touch.rate, 0.0), 0.0
                note(log, t, TOUCHES, c, math.nan if deep else touch.speed)
                loosen(system, y, c)
        elif c != which and feel(system.compliant[k.soft], touch, k.size)[1] >= 0.0:
            continue
        elif turns(system.compliant[k.soft], touch, deep):
            continue
        elif not deep:
            if touch.mode == PRESSED:
                note(log, t, RELEASES, c, touch.rate)
            touch.mode, touch.floor = OPEN, 0.0
            loosen(system, y, c)
        elif touch.mode == PRESSED:
            touch.mode = PARTING
            note(log, t, RELEASES, c, touch.rate)
        else:
            touch.mode = PRESSED
            note(log, t, TOUCHES, c, max(-touch.rate, 0.0))
        if touch.mode != before:
            touch.flips = touch.flips + 1 if t - touch.since <= time_tolerance(events, t, 0.0, RESOLVED) else 0
            touch.since = t
            if touch.flips > FLICKER:
                touch.mode = PRESSED


@kernel
def loosen(system, y, c):
    """A contact that is not there has no bristles that are bent."""
    k, first = system.contact[c], system.world[0].n_q + system.world[0].n_u
    for i in range(k.n_bristle):
        y[first + k.bristle + i] = 0.0


@kernel
def first_step_in(system, work, q, u, h):
    """The step h, or a shorter one where compliant contacts have just begun; after accelerations.

    A step that is far too long throws the bodies apart at its first stage; the later ones, which tell its error, see nothing.
    """
    for j in range(work.pressed[work.pressed.size - 1]):
        c = work.pressed[j]
        k, touch = system.contact[c], work.touch[c]
        if touch.rate < 0.0 and touch.g >= -10.0 * RESOLVED * k.size:
            seat(system, work, c, q, u)
            row, reply = system.hold[k.hold], work.reply[k.hold]
            respond_row(system, work, row, work.hold[k.hold], reply)
            inverse_mass = 0.0
            for i in range(row.dof_from, row.dof_to):
                inverse_mass += reply[system.path[i]] ** 2
            h = min(h, CAUTIOUS * turning_time(system.compliant[k.soft], -touch.rate, inverse_mass))
    return h
