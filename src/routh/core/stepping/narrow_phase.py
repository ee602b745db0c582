"""Contact points of near pairs: gap, normal, witness points, and their partners of the last step.

Balls and half spaces have closed forms. All other pairs take the gap kernels of the event-driven engine, with the same points
per pair: a template holds the numbers of the two shapes, and is copied to a scratch contact with the two nodes filled in.

The bodies are placed in the middle of the step, where they come by their velocities alone. The gap at its start follows from
that in the middle and the normal velocity.
"""

import math

from routh.core.calls import gap_by
from routh.core.contact.contacts import look, seat
from routh.core.jit import kernel
from routh.core.stepping.manifolds import manifold
from routh.core.stepping.new_points import TOUCHING, close_in, keep, new_point
from routh.core.stepping.points import admissible, forget_touch, read_touch, span
from routh.core.tables.layout import DRY, ROPE
from routh.core.tables.stepping import MOST_POINTS, OTHER, PLANE, POINTS_FULL, WHOLE


@kernel
def ball_ball(o, s, t):
    """Contact point of two balls."""
    x, y, z = t.x[0] - s.x[0], t.x[1] - s.x[1], t.x[2] - s.x[2]
    distance = math.sqrt(x * x + y * y + z * z)
    if distance > 0.0:
        o.n[0], o.n[1], o.n[2] = x / distance, y / distance, z / distance
    else:
        o.n[0], o.n[1], o.n[2] = 1.0, 0.0, 0.0
    o.gap = distance - s.reach - t.reach
    for k in range(3):
        o.pa[k], o.pb[k] = s.x[k] + s.reach * o.n[k], t.x[k] - t.reach * o.n[k]


@kernel
def plane_ball(o, p, s, way):
    """Contact point of a half space p and a ball s; `way` -1 where the ball comes first."""
    height = p.n[0] * (s.x[0] - p.x[0]) + p.n[1] * (s.x[1] - p.x[1]) + p.n[2] * (s.x[2] - p.x[2])
    o.gap = height - s.reach
    for k in range(3):
        o.n[k] = way * p.n[k]
        on_plane, on_ball = s.x[k] - height * p.n[k], s.x[k] - s.reach * p.n[k]
        o.pa[k], o.pb[k] = (on_plane, on_ball) if way > 0.0 else (on_ball, on_plane)


@kernel
def take_template(step, c, i):
    """Give the scratch contact c the numbers of a template; its rows stay its own."""
    t = step.template[i]
    c.kind, c.sense, c.size, c.sheet, c.law = t.kind, t.sense, t.size, t.sheet, t.law
    c.first_a, c.last_a, c.first_b, c.last_b = t.first_a, t.last_a, t.first_b, t.last_b
    c.reach_a, c.reach_b = t.reach_a, t.reach_b
    for k in range(3):
        c.point_a[k], c.point_b[k], c.size_a[k], c.size_b[k] = t.point_a[k], t.point_b[k], t.size_a[k], t.size_b[k]
        for m in range(3):
            c.turn_a[k, m], c.turn_b[k, m] = t.turn_a[k, m], t.turn_b[k, m]


@kernel
def pair_points(system, work, step, pair, slot, h):
    """Contact points of one near pair; False where there is no room."""
    control = step.control[0]
    s, t = step.shape[pair.i], step.shape[pair.j]
    reach = s.margin + t.margin
    whole = pair.count == 1 and step.template[pair.template].kind == WHOLE
    count = MOST_POINTS if whole else max(pair.count, 1)
    if control.n_point + count > step.point.size:
        return False
    if s.kind != OTHER and t.kind != OTHER:
        o = new_point(step, pair, 0)
        if s.kind == PLANE:
            plane_ball(o, s, t, 1.0)
        elif t.kind == PLANE:
            plane_ball(o, t, s, -1.0)
        else:
            ball_ball(o, s, t)
        close_in(system, work, step, o, slot, h)
        keep(system, step, o, reach)
        return True
    if whole:
        c = system.contact[slot]
        take_template(step, c, pair.template)
        c.a, c.b = s.node, t.node
        manifold(system, work, step, pair, c, slot, h, reach)
        return True
    for part in range(pair.count):
        c, template = system.contact[slot], step.template[pair.template + part]
        take_template(step, c, pair.template + part)
        o = new_point(step, pair, part)
        if template.sense < 0.0:
            o.a, o.b, o.sense = o.b, o.a, -o.sense
        c.a, c.b = o.a, o.b
        forget_touch(system, work.touch[slot])
        gap_by(system, work, step.gap_at[pair.template + part], slot)
        if not read_touch(system, work.touch[slot], o) or (template.sheet == 1 and o.gap < -template.size):
            continue  # off an edge, or behind a terrain with ends, which has no underside
        if not admissible(system, work, c, o):
            continue
        close_in(system, work, step, o, slot, h)
        keep(system, step, o, reach)
    return True


@kernel
def fixed_points(system, work, step, n_fixed, q, u, h):
    """Contact points of stops, ropes and joints with dry friction; False where there is no room."""
    control = step.control[0]
    if control.n_point + n_fixed > step.point.size:
        return False
    for c in range(n_fixed):
        k, t = system.contact[c], work.touch[c]
        o = step.point[control.n_point]
        if k.kind == DRY:
            seat(system, work, c, q, u)
        else:
            look(system, work, c, q, u)
        o.n_row, o.given, o.load = k.n_row, (1 if k.kind == DRY else 0), t.load
        o.i, o.j, o.part, o.rule, o.sense, o.a, o.b, o.size = -1 - c, -1, 0, k.owner, k.sense, k.a, k.b, k.size
        if k.kind == ROPE:
            read_touch(system, t, o)
            span(system, o)
        else:
            for i in range(3):
                o.n[i] = o.t1[i] = o.t2[i] = o.pa[i] = o.pb[i] = 0.0
            o.t1[0] = o.t2[1] = 1.0 * o.given  # impulses of a joint keep their directions
        o.before[0], o.gap, o.slack = t.rate, t.g - 0.5 * h * t.rate, TOUCHING * k.size
        control.n_point += 1
    return True


@kernel
def find_points(system, work, step, n_fixed, q, u, h):
    """Fill the list of contact points: of stops and ropes, then of near pairs in order; return 0 or POINTS_FULL."""
    control = step.control[0]
    control.n_point = 0
    if not fixed_points(system, work, step, n_fixed, q, u, h):
        return POINTS_FULL
    for k in range(control.n_pair):
        if not pair_points(system, work, step, step.pair[k], n_fixed, h):
            return POINTS_FULL
    return 0


@kernel
def before(o, i, j, part, rule):
    """Whether point o comes before (i, j, part, rule) in the order of the list."""
    if o.i != i:
        return o.i > i if i < 0 and o.i < 0 else o.i < i  # stops and ropes come first, counted downwards
    if o.j != j:
        return o.j < j
    return o.rule < rule if o.rule != rule else o.part < part


@kernel
def remember(step, h):
    """Give every point the impulse of its partner of the last step, if there is one, and whether that one stuck.

    Both lists are in the same order, so that one pass finds all partners. The impulse is carried over as a vector: tangents
    turn with the normal.
    """
    control, last = step.control[0], 0
    for k in range(control.n_point):
        o = step.point[k]
        while last < control.n_last and before(step.last[last], o.i, o.j, o.part, o.rule):
            last += 1
        o.p[0] = o.p[1] = o.p[2] = 0.0
        o.stuck, o.e = -1, 0.0
        if last == control.n_last:
            continue
        x = step.last[last]
        if x.i == o.i and x.j == o.j and x.part == o.part and x.rule == o.rule:
            o.p[0], o.e = x.p[0], x.e
            o.last[0], o.last[1], o.last[2] = x.after[0], 0.0, 0.0
            moved, way = 0.0, o.slack
            for axis in range(3):
                force, slip = x.p[1] * x.t1[axis] + x.p[2] * x.t2[axis], x.after[1] * x.t1[axis] + x.after[2] * x.t2[axis]
                o.p[1] += force * o.t1[axis]
                o.p[2] += force * o.t2[axis]
                o.last[1] += slip * o.t1[axis]
                o.last[2] += slip * o.t2[axis]
                moved += (o.pb[axis] - x.pb[axis]) ** 2
            if o.i >= 0:
                way += step.shape[o.i].margin + step.shape[o.j].margin
            # not another place that has the same number, nor a state that an impulse has changed since
            if control.fresh == 0 and (o.i < 0 or moved <= way * way):
                o.stuck = x.stuck
                bend = h * (o.before[0] - o.last[0])  # its path is bent: by as much its normal turns within the step
                o.gap += 0.125 * bend
                o.slack = max(o.slack, 0.25 * abs(bend))
