"""Compliant contacts that meet and part: their modes change at the instants that the event loop finds.

OPEN → PRESSED where the gap closes; PRESSED → PARTING where the force comes to zero while the surfaces still overlap, as a
damper makes it; → OPEN where the overlap ends. Between two changes every force is smooth, so steps keep their order.
"""

import math

from routh.core.compliant import RESOLVED, feel
from routh.core.jit import kernel
from routh.core.kinematics import look, place
from routh.core.layout import OPEN, PARTING, PRESSED, SOFT
from routh.core.log import RELEASES, TOUCHES
from routh.core.modes import arrival, note
from routh.core.profile import drive


@kernel
def meet(system, work, log, t, y, which):
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
        deep = -touch.g > 10.0 * RESOLVED * k.size
        if touch.mode == OPEN:
            if c == which or deep or (touch.rate < 0.0 and touch.g <= arrival(touch, k.size, t)):
                touch.mode, touch.speed = PRESSED, max(-touch.rate, 0.0)
                note(log, t, TOUCHES, c, math.nan if deep else touch.speed)
                loosen(system, y, c)
        elif c != which and feel(system.compliant[k.soft], touch, k.size)[1] >= 0.0:
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
            note(log, t, TOUCHES, c, -touch.rate)


@kernel
def loosen(system, y, c):
    """A contact that is not there has no bristles that are bent."""
    k, first = system.contact[c], system.world[0].n_q + system.world[0].n_u
    for i in range(k.n_bristle):
        y[first + k.bristle + i] = 0.0
