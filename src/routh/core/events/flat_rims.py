"""Cylinders that lie flat on an end: which points of the rim touch.

The whole rim of such an end touches, and three of its points say as much, if one of them is where the rim is pressed most or
sinks first: blows and tipping are decided there. So the three are turned about the axis (`lay`) before a blow and before modes
are chosen. Each rim is three contacts in a row, the first at the angle `lay`, the others a third of a turn from it.
"""

import math

from routh.core.events.event_state import slow_speed
from routh.core.gaps.witness import from_to, inward
from routh.core.jit import kernel
from routh.core.tables.layout import OPEN
from routh.core.tables.pairs import RIM_END, RIM_PLANE, RIM_POLYHEDRON

SAME = 1e-9  # angle [rad] below which a rim sinks first where its first point is
TIPPING = 1e-9  # acceleration of a tilt, against what its points had without forces, that is no round-off


@kernel
def is_rim(kind):
    """Whether a contact is one of three points of a rim."""
    return kind == RIM_PLANE or kind == RIM_POLYHEDRON or kind == RIM_END


@kernel
def rocking(work, c):
    """(speed at which a rim sinks where it does so fastest, the angle of that place)."""
    a = work.frame[c.a]
    x, y, _ = inward(a, c.turn_a, from_to(work.frame[c.b].w, a.w))
    return c.size_a[0] * math.sqrt(x * x + y * y), math.atan2(x, -y)


@kernel
def lay_rims(system, work, slow):
    """Turn the points of rims so that the first is the one that sinks fastest, if that is faster than `slow`.

    For blows: among three fixed points a disk could rock, and sink between two of them.
    """
    for i in range(system.contact.size):
        if is_rim(system.contact[i].kind):
            speed, angle = rocking(work, system.contact[i])
            if speed > slow:
                work.touch[i].lay = angle


@kernel
def lay_tipping_rims(system, work, events, n, trial):
    """Turn the points of rims that the modes just found let tip, so that the first sinks first; return whether any was turned.

    Of rims at rest, that is: what rocks has its points. The normal accelerations of three tell that of the tilt. Where a rim
    tips over the line of two of its points, they tell only to which side to turn: `lay` is then halved between two values from
    which it is to be turned to the other.
    """
    turned = False
    for i in range(n - 2):
        first = events.contact[i]
        c = system.contact[first]
        whole = events.contact[i + 1] == first + 1 and events.contact[i + 2] == first + 2
        if not (whole and is_rim(c.kind) and c.size_a[1] > 0.5) or rocking(work, c)[0] > slow_speed(events):
            continue
        tips, x, y, pull = False, 0.0, 0.0, 0.0
        for k in range(3):
            block, size = events.block[i + k], system.contact[first + k].size_a
            tips = tips or block.mode == OPEN
            x -= size[1] * events.a[block.first]
            y -= size[2] * events.a[block.first]
            pull = max(pull, abs(events.b[block.first]))
        touch, sinks = work.touch[first], math.atan2(y, x)
        if trial == 0:
            touch.lay_from, touch.lay_to = -math.inf, math.inf
        if not tips or math.hypot(x, y) < TIPPING * pull or abs(sinks) < SAME or touch.lay_to - touch.lay_from < SAME:
            continue
        if sinks > 0.0:
            touch.lay_from = touch.lay
        else:
            touch.lay_to = touch.lay
        lay, room = touch.lay + sinks, touch.lay_to - touch.lay_from
        if room < math.inf and not (touch.lay_from < lay < touch.lay_to and abs(sinks) < 0.5 * room):
            lay = 0.5 * (touch.lay_from + touch.lay_to)
        for k in range(3):
            work.touch[first + k].lay = lay
        turned = True
    return turned
