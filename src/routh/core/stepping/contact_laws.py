"""What the law of a contact asks of a step: least normal velocity at its end, friction coefficient, compliance.

A point with a gap of zero keeps its bodies from approaching. A point **hits** if its bodies approach and meet within the step.
Restitution then prescribes the velocity after (Newton), or the impulse of a second phase (Poisson): forces change the velocity
up to the instant of the impact, and again after it. A point that does neither may use up its gap, no more; the tiny gap of a
point that lasts is an error of position, which `separation.py` closes. Compliant contacts are taken at the end of the step:
their force law, linearised there, is a compliance of the normal direction.
"""

import math

from routh.core.contact.compliant import damper, elastic, raw_force
from routh.core.jit import kernel
from routh.core.stepping.separation import CLOSED
from routh.core.tables.impact_codes import POISSON, STRONGE
from routh.core.tables.layout import BILINEAR, OWN_NORMAL, POWER, SOFT
from routh.core.tree.laws import call_scalar, restitution_at

NEWTON = 60           # steps for the depth of a compliant contact; a law of power 1.5 starts with a third of the last one each
NEARBY = 1e-6         # part of a depth over which the slope of a user's own law is taken: half of the digits are left


@kernel
def friction_of(system, rule, t, slip, stuck):
    """Friction coefficient of a step: static where the point did not slip in the last one."""
    if stuck == 1:
        return rule.mu_s
    return rule.mu if rule.friction == 0 else call_scalar(rule.friction, t, slip, 0.0, system.parameter[rule.par_from:])


@kernel
def spring(law, depth):
    """(elastic force, its slope) at a depth > 0; the slope of a law of the user's own is a difference."""
    force = elastic(law, depth)[0]
    if law.law != OWN_NORMAL:
        return force, law.power * force / depth
    return force, max((elastic(law, depth * (1.0 + NEARBY))[0] - force) / (depth * NEARBY), 0.0)


@kernel
def press(law, o, h):
    """Compliance and target of a compliant contact; its force acts where the surfaces overlap at the end of the step.

    The law is linearised where the point would be at the end with all other impulses as in the last step: a contact at rest,
    and one alone, have the force of the law itself. That depth is found by Newton's method, from above.
    """
    without = -o.gap - h * min(o.free[0], o.before[0] - o.A[0, 0] * o.p[0])
    o.soft, o.target = 1.0, -math.inf
    if law.law == BILINEAR:
        press_bilinear(law, o, h, without)
        return
    depth = without
    for _ in range(NEWTON if depth > 0.0 else 0):
        force, slope = spring(law, depth)
        gain = h * h * o.A[0, 0]
        change = (depth + gain * force - without) / (1.0 + gain * slope)
        depth -= change
        if change <= 1e-12 * depth:
            break
    if depth <= 0.0:
        o.e = 0.0
        return
    if o.e == 0.0:
        o.e = max(-o.before[0], 0.0)
    force, stiffness = spring(law, depth)
    if law.law == POWER:
        damping = force * (law.damping / max(o.e, law.slow) if law.own_speed == 1 else law.damping)
    elif law.law == OWN_NORMAL:
        rate = -o.before[0]
        damping = max((raw_force(law, depth, rate, o.e) - force) / rate, 0.0) if rate != 0.0 else 0.0
    else:
        damping = damper(law, depth)
    total = h * stiffness + damping
    o.soft, o.target = 1.0 / (h * total), (force - stiffness * (o.gap + depth)) / total


@kernel
def press_bilinear(law, o, h, without):
    """The same of a law that loads and unloads differently; `o.e` is the greatest depth so far, as long as the shapes overlap.

    Each of its lines gives a depth at the end of the step in closed form.
    """
    o.e = max(o.e, -o.gap, 0.0) if -o.gap > 0.0 or without > 0.0 else 0.0
    free = (1.0 - law.k / law.unload) * o.e  # depth at which the line of unloading ends
    if without <= free:
        return
    stiffness, zero, gain = law.k, 0.0, h * h * o.A[0, 0]
    if without / (1.0 + gain * law.k) < o.e:
        stiffness, zero = law.unload, free
    o.soft, o.target = 1.0 / (h * h * stiffness), -(o.gap + zero) / h


@kernel
def resolved_speed(step, first, last):
    """Largest change of a normal velocity that the forces on an island make within the step.

    After an impact with less speed the bodies would meet again within about two steps.
    """
    speed = 0.0
    for k in range(first, last):
        o = step.point[step.order[k]]
        speed = max(speed, o.before[0] - o.free[0])
    return speed


@kernel
def ask(system, step, t, h):
    """Fill target, friction and compliance of every point; velocities of start and end are known."""
    for island in range(step.control[0].n_island):
        first, last = step.island[island], step.island[island + 1]
        slow, smooth = resolved_speed(step, first, last), True
        for k in range(first, last):
            o = step.point[step.order[k]]
            ask_point(system, step, o, t, h, slow)
            smooth = smooth and o.hits == 0
        for k in range(first, last if smooth else first):
            look_ahead(step.point[step.order[k]])


@kernel
def look_ahead(o):
    """Take the velocity of a lasting contact at the end of the step, not by the rows of its middle.

    While bodies turn and roll the rows change. By how much shows the velocity at the start: by the rows of this step and of the
    last one. Half of it is still to come. So contacts neither lift nor creep by turning, and stay of second order.
    """
    if o.stuck < 0 or o.soft > 0.0:
        return
    for i in range(o.n_row):
        o.shift[i] = 0.5 * (o.before[i] - o.last[i])
        o.free[i] += o.shift[i]


@kernel
def ask_point(system, step, o, t, h, slow):
    """Target, friction and compliance of one point; impacts that leave it with no more than the speed `slow` are plastic."""
    rule = step.rule[o.rule]
    slip = math.sqrt(o.before[1] ** 2 + o.before[2] ** 2) if o.n_row > 1 else 0.0
    stuck = o.stuck if o.stuck >= 0 else (1 if slip == 0.0 else 0)
    o.mu = friction_of(system, rule, t, slip, stuck) if o.n_row > 1 else 0.0
    o.base = o.soft = 0.0
    o.hits = o.poisson = 0
    if o.given == 1:
        o.base = o.p[0] = o.load * h
        o.e = o.target = 0.0
        return
    if rule.law == SOFT and o.i >= 0:
        press(system.compliant[rule.soft], o, h)
        return
    o.e = restitution_at(system, rule, o.before[0])
    o.poisson = 1 if rule.law == POISSON or rule.law == STRONGE else 0
    o.target = 0.0
    approach = max(o.before[0], o.last[0]) if o.stuck >= 0 else o.before[0]  # a normal that turns makes nothing meet again
    if -o.e * o.before[0] <= slow:
        o.e = 0.0  # bounces that the step does not resolve have ended
    # where forces make more speed than there is, other contacts may hold them: then velocities alone make an impact
    closing = o.before[0] if -o.before[0] <= slow else min(o.before[0], o.free[0])
    if -h * approach > o.slack and o.gap + h * closing < 0.0:
        o.hits = 1
        change, time = o.free[0] - o.before[0], min(max(o.gap, 0.0) / (-o.before[0] * h), 1.0)
        came = o.before[0] + time * change
        if o.e > 0.0:
            o.e = restitution_at(system, rule, came)
        o.bounce = -o.e * came + (1.0 - time) * change if o.e > 0.0 else 0.0
        o.target = 0.0 if o.poisson == 1 else o.bounce
    elif o.gap > (CLOSED * o.size if o.stuck >= 0 else o.slack):
        o.target = -o.gap / h  # it closes with the end of the step; the impulse, and friction with it, is what is left then


@kernel
def count_rows(step, rows):
    """Give every point its number of rows: one without friction."""
    for k in range(step.control[0].n_point):
        o = step.point[k]
        rule = step.rule[o.rule]
        if o.i >= 0:
            o.n_row = 1 if rule.mu_s == 0.0 and rule.friction == 0 else rows
        o.shift[0] = o.shift[1] = o.shift[2] = 0.0
        o.before[1] = o.before[2] = o.free[1] = o.free[2] = o.after[1] = o.after[2] = 0.0
