"""What the law of a contact asks of a step: least normal velocity at its end, friction coefficient, compliance.

A point **hits** if its bodies approach and meet within the step. Restitution then prescribes the velocity after (Newton), or
the impulse of a second phase (Poisson). A point that does not hit may use up its gap, no more. Compliant contacts are taken at the
end of the step: their force law, linearised there, is a compliance of the normal direction.
"""

import math

from routh.core.contact.compliant import elastic
from routh.core.jit import kernel
from routh.core.tables.impact_codes import POISSON, STRONGE
from routh.core.tables.layout import LINEAR, SOFT
from routh.core.tree.laws import call_scalar


@kernel
def friction_of(system, rule, t, slip, stuck):
    """Friction coefficient of a step: static where the point did not slip in the last one."""
    if stuck == 1:
        return rule.mu_s
    return rule.mu if rule.friction == 0 else call_scalar(rule.friction, t, slip, 0.0, system.parameter[rule.par_from:])


@kernel
def press(law, o, h):
    """Compliance and target of a compliant contact; its force acts where the surfaces overlap at the end of the step."""
    depth = max(-o.gap, -o.gap - h * min(o.before[0], o.free[0]))
    o.soft, o.target = 1.0, -math.inf
    if depth <= 0.0:
        o.e = 0.0
        return
    if o.e == 0.0:
        o.e = max(-o.before[0], 0.0)
    force, _ = elastic(law, depth)
    damping = law.damping
    if law.law != LINEAR:
        damping = force * (law.damping / max(o.e, law.slow) if law.own_speed == 1 else law.damping)
    stiffness = law.power * force / depth
    total = h * stiffness + damping
    o.soft, o.target = 1.0 / (h * total), (force - stiffness * (o.gap + depth)) / total


@kernel
def ask(system, step, t, h, rows):
    """Fill target, friction and compliance of every point; velocities of start and end are known."""
    for k in range(step.control[0].n_point):
        o = step.point[k]
        rule = step.rule[o.rule]
        slip = math.sqrt(o.before[1] ** 2 + o.before[2] ** 2) if o.n_row > 1 else 0.0
        stuck = o.stuck if o.stuck >= 0 else (1 if slip == 0.0 else 0)
        o.mu = friction_of(system, rule, t, slip, stuck) if o.n_row > 1 else 0.0
        o.base = o.soft = 0.0
        o.hits = o.poisson = 0
        if rule.law == SOFT and o.i >= 0:
            press(system.compliant[rule.soft], o, h)
            continue
        o.e = rule.e
        o.poisson = 1 if rule.law == POISSON or rule.law == STRONGE else 0
        o.target = -max(o.gap, 0.0) / h
        if o.before[0] < 0.0 and o.gap + h * min(o.before[0], o.free[0]) < 0.0:
            o.hits = 1
            if -o.e * o.before[0] <= o.before[0] - o.free[0]:
                o.e = 0.0  # it would fly for less than two steps: bounces that the step does not resolve have ended
            o.target = 0.0 if o.poisson == 1 else -o.e * o.before[0]


@kernel
def count_rows(step, rows):
    """Give every point its number of rows: one without friction."""
    for k in range(step.control[0].n_point):
        o = step.point[k]
        rule = step.rule[o.rule]
        o.n_row = 1 if o.i < 0 or (rule.mu_s == 0.0 and rule.friction == 0) else rows
        o.before[1] = o.before[2] = o.free[1] = o.free[2] = o.after[1] = o.after[2] = 0.0
