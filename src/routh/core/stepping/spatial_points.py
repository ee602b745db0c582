"""Shapes, velocities and contact points in space: the twin of `planar_points.py`."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import FREE, PRISMATIC, REVOLUTE, SPHERICAL
from routh.core.tables.pairs import BALL_CYLINDER, BALL_POLYHEDRON
from routh.core.tree.rotation import cross, dot, turn_quaternion, turned


@kernel
def place_shape(system, work, s):
    """Centre and normal of a shape in world axes; the frames are placed."""
    f = work.frame[s.node]
    x, y, z = turned(f.R, s.point)
    s.x[0], s.x[1], s.x[2] = f.x[0] + x, f.x[1] + y, f.x[2] + z
    s.n[0], s.n[1], s.n[2] = turned(f.R, s.normal)


@kernel
def speed_bound(system, work, s):
    """Largest speed of a point of a shape, at the velocities of the frames."""
    f = work.frame[s.node]
    x, y, z = cross(f.w[0], f.w[1], f.w[2], s.x[0] - f.x[0], s.x[1] - f.x[1], s.x[2] - f.x[2])
    x, y, z = f.v[0] + x, f.v[1] + y, f.v[2] + z
    w = math.sqrt(dot(f.w, f.w))
    return math.sqrt(x * x + y * y + z * z) + (w * s.reach if w > 0.0 else 0.0)


@kernel
def spin(system, work, i):
    """Angular speed of node i."""
    return math.sqrt(dot(work.frame[i].w, work.frame[i].w))


@kernel
def velocities(system, work, u):
    """Velocities of all frames at speeds u; the frames stay where they are placed."""
    for i in range(1, system.node.size):
        n, f = system.node[i], work.frame[i]
        p = work.frame[n.parent]
        if n.kind == FREE:
            for j in range(3):
                f.v[j] = u[n.iu + j]
            f.w[0], f.w[1], f.w[2] = turned(f.R, u[n.iu + 3:n.iu + 6])
            continue
        c0, c1, c2 = cross(p.w[0], p.w[1], p.w[2], f.r[0], f.r[1], f.r[2])
        w0, w1, w2, v0, v1, v2 = p.w[0], p.w[1], p.w[2], p.v[0] + c0, p.v[1] + c1, p.v[2] + c2
        if n.kind == REVOLUTE or n.kind == PRISMATIC:
            k, x = work.dof[n.iu], u[n.iu]
            w0, w1, w2 = w0 + x * k.sw[0], w1 + x * k.sw[1], w2 + x * k.sw[2]
            v0, v1, v2 = v0 + x * k.sv[0], v1 + x * k.sv[1], v2 + x * k.sv[2]
        elif n.kind == SPHERICAL:
            c0, c1, c2 = turned(f.R, u[n.iu:n.iu + 3])
            w0, w1, w2 = w0 + c0, w1 + c1, w2 + c2
        f.w[0], f.w[1], f.w[2] = w0, w1, w2
        f.v[0], f.v[1], f.v[2] = v0, v1, v2


@kernel
def forget_touch(system, t):
    """Clear what gap kernels keep between calls: the scratch contact serves one pair after another."""
    t.off = 0
    t.lay = 0.0
    for k in range(3):
        t.guess_a[k] = t.guess_b[k] = 0.0


@kernel
def read_touch(system, t, o):
    """Gap, normal and witness points of a gap kernel as a contact point; return whether the two can touch there."""
    o.gap = t.g
    for k in range(3):
        o.n[k], o.pa[k], o.pb[k] = t.n[k], t.pa[k], t.pb[k]
    return t.off == 0


@kernel
def admissible(system, work, c, o):
    """Whether the normal lies in the cone of normals of a corner, if one of the two parts is one (a of a corner and a solid).

    Beside a face that a corner slides along, the nearest feature may be an edge that it could meet only from within its body.
    """
    if (c.kind != BALL_POLYHEDRON and c.kind != BALL_CYLINDER) or c.size_a[1] == 0.0:
        return True
    axis = turned(work.frame[o.a].R, (c.turn_a[0, 2], c.turn_a[1, 2], c.turn_a[2, 2]))
    return dot(o.n, axis) >= c.size_a[1] - 1.0


@kernel
def span(system, o):
    """Two tangents of a contact point, from the axis farthest from the normal."""
    n, j = o.n, 0
    for k in range(1, 3):
        if abs(n[k]) < abs(n[j]):
            j = k
    for k in range(3):
        o.t1[k] = (1.0 if k == j else 0.0) - n[j] * n[k]
    size = math.sqrt(dot(o.t1, o.t1))
    for k in range(3):
        o.t1[k] /= size
    o.t2[0], o.t2[1], o.t2[2] = cross(n[0], n[1], n[2], o.t1[0], o.t1[1], o.t1[2])


@kernel
def fill_row(system, work, o, e, row):
    """Row along the direction e through the witness points of contact point o."""
    a, b = work.frame[o.a], work.frame[o.b]
    x, y, z = cross(o.pb[0] - b.x[0], o.pb[1] - b.x[1], o.pb[2] - b.x[2], e[0], e[1], e[2])
    row.bm[0], row.bm[1], row.bm[2] = x, y, z
    x, y, z = cross(o.pa[0] - a.x[0], o.pa[1] - a.x[1], o.pa[2] - a.x[2], e[0], e[1], e[2])
    row.am[0], row.am[1], row.am[2] = -x, -y, -z
    for k in range(3):
        row.bf[k], row.af[k] = e[k], -e[k]


@kernel
def load_point(system, work, o, h):
    """Put the mean force of a step's impulse on the two frames as loads."""
    p, n, t1, t2 = o.p, o.n, o.t1, o.t2
    x = (p[0] * n[0] + p[1] * t1[0] + p[2] * t2[0]) / h
    y = (p[0] * n[1] + p[1] * t1[1] + p[2] * t2[1]) / h
    z = (p[0] * n[2] + p[1] * t1[2] + p[2] * t2[2]) / h
    for side in range(2):
        f, at, sense = work.frame[o.b if side == 0 else o.a], o.pb if side == 0 else o.pa, 1.0 if side == 0 else -1.0
        m0, m1, m2 = cross(at[0] - f.x[0], at[1] - f.x[1], at[2] - f.x[2], sense * x, sense * y, sense * z)
        f.lm[0], f.lm[1], f.lm[2] = f.lm[0] + m0, f.lm[1] + m1, f.lm[2] + m2
        f.lf[0], f.lf[1], f.lf[2] = f.lf[0] + sense * x, f.lf[1] + sense * y, f.lf[2] + sense * z


@kernel
def put_coordinates(system, c, source, scale, q):
    """Move the coordinates of component c by `scale` times the speeds in `source`, along the exact path of constant speeds."""
    for i in range(1, system.node.size):
        n = system.node[i]
        if c[i] < 0:
            continue
        s, k = scale[c[i]], n.iu
        if n.kind == REVOLUTE or n.kind == PRISMATIC:
            q[n.iq] += s * source[k]
        elif n.kind == SPHERICAL:
            turn_quaternion(q, n.iq, s * source[k], s * source[k + 1], s * source[k + 2])
        elif n.kind == FREE:
            for j in range(3):
                q[n.iq + j] += s * source[k + j]
            turn_quaternion(q, n.iq + 3, s * source[k + 3], s * source[k + 4], s * source[k + 5])


@kernel
def impulse_power(system, work, i):
    """Scheduled impulse i times the velocity of its point, at the velocities of the frames [J]."""
    p = system.impulse[i]
    f = work.frame[p.b]
    force, moment = (p.force[0], p.force[1], p.force[2]), (p.moment[0], p.moment[1], p.moment[2])
    if p.follows == 1:
        force, moment = turned(f.R, p.force), turned(f.R, p.moment)
    r0, r1, r2 = turned(f.R, p.point)
    v0, v1, v2 = cross(f.w[0], f.w[1], f.w[2], r0, r1, r2)
    return dot(force, (f.v[0] + v0, f.v[1] + v1, f.v[2] + v2)) + dot(moment, f.w)
