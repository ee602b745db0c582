"""Applied forces in the plane: the twin of `spatial_loads.py`."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import (
    APPLIED,
    BODY_LAW,
    BUSHING,
    DISSIPATED,
    DRAGGED,
    JOINT,
    LINE,
    POINT_FORCE,
    SHIFT,
    SPIN_DRAGGED,
    TORQUE,
    TURN,
)
from routh.core.tree import profile
from routh.core.tree.laws import call_body
from routh.core.tree.spring import along, resistance


@kernel
def offset(f, point):
    """A body-fixed point, from the node's joint point, in world axes."""
    return f.c * point[0] - f.s * point[1], f.s * point[0] + f.c * point[1]


@kernel
def push_at(f, dx, dy, fx, fy):
    """Apply a force at an offset from the joint point."""
    f.lx += fx
    f.ly += fy
    f.lm += dx * fy - dy * fx


@kernel
def line(frame, force):
    """(unit x, unit y, length, rate, offsets of both points) of the line from a's point to b's."""
    a, b = frame[force.a], frame[force.b]
    pax, pay = offset(a, force.point_a)
    pbx, pby = offset(b, force.point_b)
    dx, dy = b.x + pbx - a.x - pax, b.y + pby - a.y - pay
    vx, vy = b.vx - b.w * pby - a.vx + a.w * pay, b.vy + b.w * pbx - a.vy - a.w * pax
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return 0.0, 0.0, 0.0, 0.0, pax, pay, pbx, pby  # no direction: no force
    ex, ey = dx / length, dy / length
    return ex, ey, length, ex * vx + ey * vy, pax, pay, pbx, pby


@kernel
def apply(system, work, t, q, u):
    """Add every applied force to the loads and joint forces; return the potential energy of the springs."""
    frame, dof, power = work.frame, work.dof, work.power
    for k in range(dof.size):
        dof[k].tau = 0.0
    for k in range(power.size):
        power[k] = 0.0
    potential = 0.0
    for i in range(system.force.size):
        force = system.force[i]
        kind = force.kind
        factor = 1.0
        if force.profile >= 0:
            factor = profile.value(system.piece, work.piece[force.profile], t)[0]
        b = frame[force.b]

        if kind == POINT_FORCE:
            fx, fy = factor * force.vector[0], factor * force.vector[1]
            if force.follows == 1:
                fx, fy = b.c * fx - b.s * fy, b.s * fx + b.c * fy
            dx, dy = offset(b, force.point_b)
            push_at(b, dx, dy, fx, fy)
            power[APPLIED] += fx * (b.vx - b.w * dy) + fy * (b.vy + b.w * dx)

        elif kind == TORQUE:
            moment = factor * force.vector[2]
            b.lm += moment
            work.reading[i, 1] = moment
            power[APPLIED] += moment * b.w

        elif kind == LINE:
            ex, ey, length, rate, pax, pay, pbx, pby = line(frame, force)
            value, stored = along(system, work, i, t, length, rate, -1.0)
            potential += stored
            push_at(frame[force.a], pax, pay, -value * ex, -value * ey)
            push_at(b, pbx, pby, value * ex, value * ey)

        elif kind == JOINT:
            value, stored = along(system, work, i, t, q[force.iq], u[force.iu], 1.0)
            potential += stored
            dof[force.iu].tau += value

        elif kind == TURN or kind == SHIFT:
            # in a joint that closes a loop: its coordinate is read off the two bodies
            a = frame[force.a]
            ex, ey = a.c * force.vector[0] - a.s * force.vector[1], a.s * force.vector[0] + a.c * force.vector[1]
            pax, pay = offset(a, force.point_a)
            pbx, pby = offset(b, force.point_b)
            dx, dy = b.x + pbx - a.x - pax, b.y + pby - a.y - pay
            pax, pay = pax + dx, pay + dy
            if kind == TURN:
                x, rate = b.th - a.th - force.turn, b.w - a.w
            else:
                x = ex * dx + ey * dy
                rate = ex * (b.vx - b.w * pby - a.vx + a.w * pay) + ey * (b.vy + b.w * pbx - a.vy - a.w * pax)
            value, stored = along(system, work, i, t, x, rate, 1.0)
            potential += stored
            if kind == TURN:
                b.lm += value
                a.lm -= value
            else:
                push_at(b, pbx, pby, value * ex, value * ey)
                push_at(a, pax, pay, -value * ex, -value * ey)

        elif kind == BUSHING:
            # displacement and rate seen from a, whose point moves with it to b's point
            a = frame[force.a]
            pax, pay = offset(a, force.point_a)
            pbx, pby = offset(b, force.point_b)
            dx, dy = b.x + pbx - a.x - pax, b.y + pby - a.y - pay
            pax, pay = pax + dx, pay + dy
            vx, vy = b.vx - b.w * pby - a.vx + a.w * pay, b.vy + b.w * pbx - a.vy - a.w * pax
            x, y = a.c * dx + a.s * dy, -a.s * dx + a.c * dy
            xr, yr = a.c * vx + a.s * vy, -a.s * vx + a.c * vy
            gx = -force.vector[0] * x - force.vector2[0] * xr
            gy = -force.vector[1] * y - force.vector2[1] * yr
            turn, spin = b.th - a.th, b.w - a.w
            moment = -force.moment[2] * turn - force.moment2[2] * spin
            fx, fy = a.c * gx - a.s * gy, a.s * gx + a.c * gy
            push_at(b, pbx, pby, fx, fy)
            push_at(a, pax, pay, -fx, -fy)
            b.lm += moment
            a.lm -= moment
            potential += 0.5 * (force.vector[0] * x * x + force.vector[1] * y * y + force.moment[2] * turn * turn)
            power[DISSIPATED] -= (force.vector2[0] * xr * xr + force.vector2[1] * yr * yr
                                  + force.moment2[2] * spin * spin)

        elif kind == BODY_LAW:
            dx, dy = offset(b, force.point_b)
            pose, velocity, wrench = work.law[0], work.law[1], work.law[2]
            wrench[0] = wrench[1] = wrench[2] = 0.0
            pose[0], pose[1], pose[2] = b.x + dx, b.y + dy, b.th
            velocity[0], velocity[1], velocity[2] = b.vx - b.w * dy, b.vy + b.w * dx, b.w
            call_body(force.law, t, pose, velocity, system.parameter[force.par_from:], wrench)
            push_at(b, dx, dy, wrench[0], wrench[1])
            b.lm += wrench[2]
            power[APPLIED] += wrench[0] * velocity[0] + wrench[1] * velocity[1] + wrench[2] * velocity[2]

        elif kind == DRAGGED:
            dx, dy = offset(b, force.point_b)
            vx, vy = b.vx - b.w * dy, b.vy + b.w * dx
            square = vx * vx + vy * vy
            drag = resistance(force, square)
            push_at(b, dx, dy, -drag * vx, -drag * vy)
            power[DISSIPATED] -= drag * square
            work.reading[i, 1] = drag * math.sqrt(square)

        elif kind == SPIN_DRAGGED:
            drag = resistance(force, b.w * b.w)
            b.lm -= drag * b.w
            power[DISSIPATED] -= drag * b.w * b.w
            work.reading[i, 1] = drag * abs(b.w)
    return potential


@kernel
def energies(system, work):
    """Kinetic energy and gravity's potential energy."""
    kinetic = potential = 0.0
    for i in range(1, system.node.size):
        n, f = system.node[i], work.frame[i]
        cx, cy = offset(f, n.com)
        vx, vy = f.vx - f.w * cy, f.vy + f.w * cx
        kinetic += 0.5 * (n.mass * (vx * vx + vy * vy) + n.inertia * f.w * f.w)
        potential -= n.mass * (system.world[0].gravity[0] * (f.x + cx) + system.world[0].gravity[1] * (f.y + cy))
    return kinetic, potential
