"""Dry friction in joints, brakes and clutches: contacts that never open, whose normal force is given.

Sticking is a constraint on the slip, whose multiplier the limit mu N bounds. Sliding is a force mu N against the slip. The
normal force N is a preload, which a profile may vary, and where friction depends on the load the reaction of the joint itself.
The friction of a joint that slides changes its reaction, so that N is the root of an equation: the size of the reaction is
nearly linear in N, and a secant through the last two trials finds the root in a few steps ([walker2011]).
"""

from routh.core.contact.contacts import bearing_load
from routh.core.jit import kernel
from routh.core.tables.layout import DRY
from routh.core.tree.kinematics import transmit
from routh.core.tree.profile import value

TRIALS = 60           # of a load; two joints whose loads hardly depend on each other take five
SETTLED = 1e-13       # of the largest load so far: round-off of reactions, which are sums of larger forces
MOST = 1e6            # steps against the residual: a secant through two equal trials has no root


@kernel
def preload(system, work, c, t):
    """Normal force of contact c, a joint with dry friction, without the load of the joint."""
    d = system.dry[system.contact[c].soft]
    if d.profile < 0:
        return d.preload
    return max(d.preload * value(system.piece, work.piece[d.profile], t)[0], 0.0)


@kernel
def preload_all(system, work, t):
    """Normal forces of all joints with dry friction: preloads, and the reactions that were found last."""
    for c in range(system.contact.size if system.dry.size > 0 else 0):
        if system.contact[c].kind == DRY:
            work.touch[c].load = preload(system, work, c, t) + work.touch[c].reaction


@kernel
def loaded(system, c):
    """Whether the normal force of contact c depends on the load of its joint."""
    k = system.contact[c]
    return k.kind == DRY and system.dry[k.soft].loaded == 1


@kernel
def find_loads(system, work, t, trial, step):
    """Take the reactions of the present accelerations as loads; return (whether they are what they were, the next `step`).

    `step` is how far the loads go along what they lack; it is one at the first trial, then that of a secant.
    """
    transmit(system, work)
    worst = most = along = size = 0.0
    for c in range(system.contact.size):
        if loaded(system, c):
            touch = work.touch[c]
            lack = bearing_load(system, work, c) - touch.reaction
            worst, most = max(worst, abs(lack)), max(most, touch.reaction + abs(lack), touch.load, touch.normal)
            along += touch.lack * (lack - touch.lack)
            size += (lack - touch.lack) ** 2
            work.hold[system.contact[c].hold].x = lack
    if worst <= SETTLED * most:
        return True, step
    if trial > 0 and size > 0.0:
        step = max(min(-step * along / size, MOST), -MOST)
    for c in range(system.contact.size):
        if loaded(system, c):
            touch = work.touch[c]
            touch.lack = work.hold[system.contact[c].hold].x
            touch.normal = max(touch.normal, touch.reaction)
            touch.reaction = max(touch.reaction + step * touch.lack, 0.0)
            touch.load = preload(system, work, c, t) + touch.reaction
    return False, step


@kernel
def take_loads(system, work):
    """The loads of the present reactions; call after `transmit`."""
    for c in range(system.contact.size):
        if loaded(system, c):
            work.touch[c].reaction = bearing_load(system, work, c)


@kernel
def any_loaded(system):
    """Whether the normal force of some joint depends on its load."""
    for c in range(system.contact.size if system.dry.size > 0 else 0):
        if loaded(system, c):
            return True
    return False
