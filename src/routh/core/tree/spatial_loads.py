"""Applied forces in space: the twin of `planar_loads.py`."""

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
from routh.core.tree.rotation import cross, dot, quaternion_of, turned, turned_back
from routh.core.tree.spring import along, resistance


@kernel
def push_at(f, d, g):
    """Apply the force g at the offset d from the joint point."""
    c0, c1, c2 = cross(d[0], d[1], d[2], g[0], g[1], g[2])
    f.lm[0] += c0
    f.lm[1] += c1
    f.lm[2] += c2
    for j in range(3):
        f.lf[j] += g[j]


@kernel
def point_velocity(f, d):
    """Velocity of the body-fixed point at the offset d from the joint point."""
    c0, c1, c2 = cross(f.w[0], f.w[1], f.w[2], d[0], d[1], d[2])
    return f.v[0] + c0, f.v[1] + c1, f.v[2] + c2


@kernel
def line(frame, force):
    """(unit vector, length, rate, offsets of both points) of the line from a's point to b's."""
    a, b = frame[force.a], frame[force.b]
    pa, pb = turned(a.R, force.point_a), turned(b.R, force.point_b)
    d = (b.x[0] + pb[0] - a.x[0] - pa[0], b.x[1] + pb[1] - a.x[1] - pa[1], b.x[2] + pb[2] - a.x[2] - pa[2])
    va, vb = point_velocity(a, pa), point_velocity(b, pb)
    length = math.sqrt(dot(d, d))
    if length == 0.0:
        return (0.0, 0.0, 0.0), 0.0, 0.0, pa, pb  # no direction: no force
    e = (d[0] / length, d[1] / length, d[2] / length)
    return e, length, e[0] * (vb[0] - va[0]) + e[1] * (vb[1] - va[1]) + e[2] * (vb[2] - va[2]), pa, pb


@kernel
def rotation_vector(Ra, Rb):
    """Rotation of b relative to a as a vector in a's axes."""
    r00, r11, r22 = (Ra[0, 0] * Rb[0, 0] + Ra[1, 0] * Rb[1, 0] + Ra[2, 0] * Rb[2, 0],
                     Ra[0, 1] * Rb[0, 1] + Ra[1, 1] * Rb[1, 1] + Ra[2, 1] * Rb[2, 1],
                     Ra[0, 2] * Rb[0, 2] + Ra[1, 2] * Rb[1, 2] + Ra[2, 2] * Rb[2, 2])
    x = (Ra[0, 2] * Rb[0, 1] + Ra[1, 2] * Rb[1, 1] + Ra[2, 2] * Rb[2, 1]
         - Ra[0, 1] * Rb[0, 2] - Ra[1, 1] * Rb[1, 2] - Ra[2, 1] * Rb[2, 2])
    y = (Ra[0, 0] * Rb[0, 2] + Ra[1, 0] * Rb[1, 2] + Ra[2, 0] * Rb[2, 2]
         - Ra[0, 2] * Rb[0, 0] - Ra[1, 2] * Rb[1, 0] - Ra[2, 2] * Rb[2, 0])
    z = (Ra[0, 1] * Rb[0, 0] + Ra[1, 1] * Rb[1, 0] + Ra[2, 1] * Rb[2, 0]
         - Ra[0, 0] * Rb[0, 1] - Ra[1, 0] * Rb[1, 1] - Ra[2, 0] * Rb[2, 1])
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (r00 + r11 + r22 - 1.0)
    angle = math.atan2(sine, cosine)
    k = 0.5 if sine < 1e-9 else 0.5 * angle / sine
    return k * x, k * y, k * z


@kernel
def apply_bushing(force, a, b, power):
    """Forces along a's axes by displacement, moments as the gradient of ½ Σ k φ²; return the potential energy."""
    pa, pb = turned(a.R, force.point_a), turned(b.R, force.point_b)
    d = (b.x[0] + pb[0] - a.x[0] - pa[0], b.x[1] + pb[1] - a.x[1] - pa[1], b.x[2] + pb[2] - a.x[2] - pa[2])
    pa = (pa[0] + d[0], pa[1] + d[1], pa[2] + d[2])  # a's point moves with it to b's
    va, vb = point_velocity(a, pa), point_velocity(b, pb)
    x = turned_back(a.R, d)
    v = turned_back(a.R, (vb[0] - va[0], vb[1] - va[1], vb[2] - va[2]))
    w = turned_back(a.R, (b.w[0] - a.w[0], b.w[1] - a.w[1], b.w[2] - a.w[2]))
    k, c, kr, cr = force.vector, force.vector2, force.moment, force.moment2
    g = turned(a.R, (-k[0] * x[0] - c[0] * v[0], -k[1] * x[1] - c[1] * v[1], -k[2] * x[2] - c[2] * v[2]))
    push_at(b, pb, g)
    push_at(a, pa, (-g[0], -g[1], -g[2]))

    # δφ = J⁻¹ δθ, hence the moment J⁻ᵀ k φ = k φ + φ × k φ / 2 + c₂ φ × (φ × k φ)
    p = rotation_vector(a.R, b.R)
    s = (kr[0] * p[0], kr[1] * p[1], kr[2] * p[2])
    angle2 = dot(p, p)
    angle = math.sqrt(angle2)
    c2 = 1.0 / 12.0 if angle < 1e-4 else 1.0 / angle2 - (1.0 + math.cos(angle)) / (2.0 * angle * math.sin(angle))
    y = cross(p[0], p[1], p[2], s[0], s[1], s[2])
    z = cross(p[0], p[1], p[2], y[0], y[1], y[2])
    m = turned(a.R, (-s[0] - 0.5 * y[0] - c2 * z[0] - cr[0] * w[0], -s[1] - 0.5 * y[1] - c2 * z[1] - cr[1] * w[1],
                     -s[2] - 0.5 * y[2] - c2 * z[2] - cr[2] * w[2]))
    potential = 0.0
    for j in range(3):
        b.lm[j] += m[j]
        a.lm[j] -= m[j]
        potential += 0.5 * (k[j] * x[j] * x[j] + kr[j] * p[j] * p[j])
        power[DISSIPATED] -= c[j] * v[j] * v[j] + cr[j] * w[j] * w[j]
    return potential


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

        if kind == POINT_FORCE or kind == TORQUE:
            g = (factor * force.vector[0], factor * force.vector[1], factor * force.vector[2])
            if force.follows == 1:
                g = turned(b.R, g)
            if kind == POINT_FORCE:
                d = turned(b.R, force.point_b)
                push_at(b, d, g)
                power[APPLIED] += dot(g, point_velocity(b, d))
            else:
                for j in range(3):
                    b.lm[j] += g[j]
                power[APPLIED] += dot(g, b.w)

        elif kind == LINE:
            e, length, rate, pa, pb = line(frame, force)
            value, stored = along(system, work, i, t, length, rate, -1.0)
            potential += stored
            push_at(frame[force.a], pa, (-value * e[0], -value * e[1], -value * e[2]))
            push_at(b, pb, (value * e[0], value * e[1], value * e[2]))

        elif kind == JOINT:
            value, stored = along(system, work, i, t, q[force.iq], u[force.iu], 1.0)
            potential += stored
            dof[force.iu].tau += value

        elif kind == TURN or kind == SHIFT:
            # in a joint that closes a loop: its coordinate is read off the two bodies
            a = frame[force.a]
            e = turned(a.R, force.vector)
            pa, pb = turned(a.R, force.point_a), turned(b.R, force.point_b)
            d = (b.x[0] + pb[0] - a.x[0] - pa[0], b.x[1] + pb[1] - a.x[1] - pa[1], b.x[2] + pb[2] - a.x[2] - pa[2])
            pa = (pa[0] + d[0], pa[1] + d[1], pa[2] + d[2])
            if kind == TURN:
                # counted from the coordinate without force, within half a turn of it
                h, g = turned(a.R, force.vector2), turned(b.R, force.moment)
                x = math.atan2(dot(cross(h[0], h[1], h[2], g[0], g[1], g[2]), e), dot(h, g))
                x -= 2.0 * math.pi * round((x - force.free) / (2.0 * math.pi))
                rate = e[0] * (b.w[0] - a.w[0]) + e[1] * (b.w[1] - a.w[1]) + e[2] * (b.w[2] - a.w[2])
            else:
                va, vb = point_velocity(a, pa), point_velocity(b, pb)
                x, rate = dot(e, d), e[0] * (vb[0] - va[0]) + e[1] * (vb[1] - va[1]) + e[2] * (vb[2] - va[2])
            value, stored = along(system, work, i, t, x, rate, 1.0)
            potential += stored
            if kind == TURN:
                for j in range(3):
                    b.lm[j] += value * e[j]
                    a.lm[j] -= value * e[j]
            else:
                push_at(b, pb, (value * e[0], value * e[1], value * e[2]))
                push_at(a, pa, (-value * e[0], -value * e[1], -value * e[2]))

        elif kind == BUSHING:
            potential += apply_bushing(force, frame[force.a], b, power)

        elif kind == BODY_LAW:
            d = turned(b.R, force.point_b)
            v = point_velocity(b, d)
            pose, velocity, wrench = work.law[0], work.law[1], work.law[2]
            for j in range(6):
                wrench[j] = 0.0
            quaternion_of(b.R, pose[3:])
            for j in range(3):
                pose[j], velocity[j], velocity[3 + j] = b.x[j] + d[j], v[j], b.w[j]
            call_body(force.law, t, pose, velocity, system.parameter[force.par_from:], wrench)
            push_at(b, d, (wrench[0], wrench[1], wrench[2]))
            for j in range(3):
                b.lm[j] += wrench[3 + j]
                power[APPLIED] += wrench[j] * v[j] + wrench[3 + j] * b.w[j]

        elif kind == DRAGGED:
            d = turned(b.R, force.point_b)
            v = point_velocity(b, d)
            square = dot(v, v)
            drag = resistance(force, square)
            push_at(b, d, (-drag * v[0], -drag * v[1], -drag * v[2]))
            power[DISSIPATED] -= drag * square
            work.reading[i, 1] = drag * math.sqrt(square)

        elif kind == SPIN_DRAGGED:
            square = dot(b.w, b.w)
            drag = resistance(force, square)
            for j in range(3):
                b.lm[j] -= drag * b.w[j]
            power[DISSIPATED] -= drag * square
            work.reading[i, 1] = drag * math.sqrt(square)

    return potential


@kernel
def energies(system, work):
    """Kinetic energy and gravity's potential energy."""
    kinetic = potential = 0.0
    for i in range(1, system.node.size):
        n, f = system.node[i], work.frame[i]
        c = turned(f.R, n.com)
        v = point_velocity(f, c)
        w = turned_back(f.R, f.w)
        kinetic += 0.5 * (n.mass * dot(v, v) + dot(w, turned(n.inertia, w)))
        for j in range(3):
            potential -= n.mass * system.world[0].gravity[j] * (f.x[j] + c[j])
    return kinetic, potential
