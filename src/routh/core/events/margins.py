"""How far closed contacts are from leaving their modes, and what they carry and rub away in a step."""

import math

from routh.core.contact.contacts import slip_along, slip_speed
from routh.core.jit import kernel
from routh.core.tables.layout import OPEN, ROPE, SLIP, STOP
from routh.core.tables.runs import CRAWL, FASTEST, LOAD, SLACK, WEIGHT

LIGHT = 1e-4          # contact forces below this, against what moves the bodies, are small against it, not against each other
BACKWARD = 1e-12      # a slip below minus this, against the fastest contact so far, is one that reversed
JAMMED = 1e-7         # sliding denominator over inverse mass at which friction begins to jam
JAM_NEAR = 1e-2       # the same below which jamming is the reason that steps end
JOLT = 1e-4           # a closed contact that parts or approaches faster than this, against all its speeds, has met a kink


@kernel
def jolted(k, touch, fastest):
    """Whether a closed contact has run over a kink: the normal has jumped, and along the new one it parts or approaches.

    Or over an end, where nothing touches any more.
    """
    if touch.off == 1:
        return True
    return k.kind != STOP and k.kind != ROPE and abs(touch.rate) > JOLT * (touch.pace + JOLT * fastest)


@kernel
def margin(system, work, events, c):
    """How far contact c is from leaving its mode: below zero it has left it."""
    k, touch = system.contact[c], work.touch[c]
    load, fastest, crawl, slack = events.scale[LOAD], events.scale[FASTEST], events.scale[CRAWL], events.scale[SLACK]
    normal = work.hold[k.hold].lam
    if jolted(k, touch, fastest):
        return -1.0
    if touch.mode == SLIP:
        back = slip_along(system, touch) / fastest + BACKWARD if fastest > 0.0 else 1.0
        least = min(normal / load + slack, back, touch.jam - JAMMED)
        if touch.creep == 1:
            across = work.hold[k.hold + 2].lam
            least = min(least, crawl - slip_speed(system, touch), slack - abs(across) / load)
        return least
    if k.n_row == 1:
        return normal / load + slack
    tangential = 0.0
    for i in range(1, k.n_row):
        tangential += work.hold[k.hold + i].lam ** 2
    return (k.mu_s * normal - math.sqrt(tangential)) / load + slack


@kernel
def least_margin(system, work, events):
    """(least margin, its contact) over the closed and the pressed contacts, after accelerations."""
    least, which = math.inf, -1
    for j in range(work.pressed[work.pressed.size - 1]):
        if work.touch[work.pressed[j]].room < least:
            least, which = work.touch[work.pressed[j]].room, work.pressed[j]
    for j in range(work.closed[work.closed.size - 1]):
        m = margin(system, work, events, work.closed[j])
        if m < least:
            least, which = m, work.closed[j]
    return least, which


@kernel
def weigh(system, work, events):
    """Largest contact force at the start of a step: what others are small against."""
    load = 0.0
    for j in range(work.pressed[work.pressed.size - 1]):
        touch = work.touch[work.pressed[j]]
        touch.power_before, touch.damp_before = touch.power, touch.damp
    for j in range(work.closed[work.closed.size - 1]):
        load = max(load, abs(work.hold[system.contact[work.closed[j]].hold].lam))
        touch = work.touch[work.closed[j]]
        touch.power_before = touch.power
        events.scale[FASTEST] = max(events.scale[FASTEST], slip_speed(system, touch))
    load = max(load, LIGHT * events.scale[WEIGHT])
    events.scale[LOAD] = load if load > 0.0 else 1.0


@kernel
def rub_on(system, work, rubbed, damped):
    """Share the works of friction and of damping of a step among the contacts, by their powers at its ends."""
    friction = damping = 0.0
    for c in range(system.contact.size):
        touch = work.touch[c]
        if touch.mode != OPEN:
            friction += touch.power + touch.power_before
            damping += touch.damp + touch.damp_before
    for c in range(system.contact.size):
        touch = work.touch[c]
        if touch.mode != OPEN:
            if friction != 0.0:
                touch.rubbed += rubbed * (touch.power + touch.power_before) / friction
                touch.power_before = touch.power
            if damping != 0.0:
                touch.damped += damped * (touch.damp + touch.damp_before) / damping
                touch.damp_before = touch.damp
