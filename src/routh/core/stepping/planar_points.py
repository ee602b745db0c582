"""Shapes, velocities and contact points in the plane: the twin of `spatial_points.py`."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import FREE, PRISMATIC, REVOLUTE
from routh.core.tables.pairs import CHAIN_DISK


@kernel
def place_shape(system, work, s):
    """Centre and normal of a shape in world axes; the frames are placed."""
    f = work.frame[s.node]
    s.x[0] = f.x + f.c * s.point[0] - f.s * s.point[1]
    s.x[1] = f.y + f.s * s.point[0] + f.c * s.point[1]
    s.n[0] = f.c * s.normal[0] - f.s * s.normal[1]
    s.n[1] = f.s * s.normal[0] + f.c * s.normal[1]


@kernel
def speed_bound(system, work, s):
    """Largest speed of a point of a shape, at the velocities of the frames."""
    f = work.frame[s.node]
    vx, vy = f.vx - f.w * (s.x[1] - f.y), f.vy + f.w * (s.x[0] - f.x)
    return math.sqrt(vx * vx + vy * vy) + (abs(f.w) * s.reach if f.w != 0.0 else 0.0)


@kernel
def spin(system, work, i):
    """Angular speed of node i."""
    return abs(work.frame[i].w)


@kernel
def velocities(system, work, u):
    """Velocities of all frames at speeds u; the frames stay where they are placed."""
    for i in range(1, system.node.size):
        n, f = system.node[i], work.frame[i]
        p = work.frame[n.parent]
        if n.kind == FREE:
            f.vx, f.vy, f.w = u[n.iu], u[n.iu + 1], u[n.iu + 2]
            continue
        w, vx, vy = p.w, p.vx - p.w * f.ry, p.vy + p.w * f.rx
        if n.kind == REVOLUTE:
            w += n.sense * u[n.iu]
        elif n.kind == PRISMATIC:
            axis = work.dof[n.iu]
            vx, vy = vx + axis.sx * u[n.iu], vy + axis.sy * u[n.iu]
        f.w, f.vx, f.vy = w, vx, vy


@kernel
def forget_touch(system, t):
    """Clear what gap kernels keep between calls: the scratch contact serves one pair after another."""
    t.off = 0
    t.guess_a = t.guess_b = 0.0


@kernel
def read_touch(system, t, o):
    """Gap, normal and witness points of a gap kernel as a contact point; return whether the two can touch there."""
    o.gap = t.g
    o.n[0], o.n[1] = t.nx, t.ny
    o.pa[0], o.pa[1] = t.pax, t.pay
    o.pb[0], o.pb[1] = t.pbx, t.pby
    return t.off == 0


@kernel
def admissible(system, work, c, o):
    """Whether the normal lies in the cone of normals of a corner, if one of the two parts is one (b of a chain and a corner).

    Beside a face that a corner slides along, the nearest feature may be an edge that it could meet only from within its body.
    """
    if c.kind != CHAIN_DISK or c.size_b[1] == 0.0:
        return True
    f = work.frame[o.b]
    x, y = c.turn_b[0, 0], c.turn_b[1, 0]
    return -(o.n[0] * (f.c * x - f.s * y) + o.n[1] * (f.s * x + f.c * y)) >= c.size_b[1] - 1.0


@kernel
def span(system, o):
    """The tangent of a contact point."""
    o.t1[0], o.t1[1] = o.n[1], -o.n[0]


@kernel
def fill_row(system, work, o, e, row):
    """Row along the direction e through the witness points of contact point o."""
    a, b = work.frame[o.a], work.frame[o.b]
    row.bx, row.by, row.bm = e[0], e[1], (o.pb[0] - b.x) * e[1] - (o.pb[1] - b.y) * e[0]
    row.ax, row.ay, row.am = -e[0], -e[1], (o.pa[1] - a.y) * e[0] - (o.pa[0] - a.x) * e[1]


@kernel
def load_point(system, work, o, h):
    """Put the mean force of a step's impulse on the two frames as loads."""
    px = (o.p[0] * o.n[0] + o.p[1] * o.t1[0]) / h
    py = (o.p[0] * o.n[1] + o.p[1] * o.t1[1]) / h
    a, b = work.frame[o.a], work.frame[o.b]
    b.lx, b.ly, b.lm = b.lx + px, b.ly + py, b.lm + (o.pb[0] - b.x) * py - (o.pb[1] - b.y) * px
    a.lx, a.ly, a.lm = a.lx - px, a.ly - py, a.lm - (o.pa[0] - a.x) * py + (o.pa[1] - a.y) * px


@kernel
def put_coordinates(system, c, source, scale, q):
    """Move the coordinates of component c by `scale` times the speeds in `source`, along the exact path of constant speeds."""
    for i in range(1, system.node.size):
        n = system.node[i]
        if c[i] < 0:
            continue
        count = 3 if n.kind == FREE else (1 if n.kind == REVOLUTE or n.kind == PRISMATIC else 0)
        for k in range(count):
            q[n.iq + k] += scale[c[i]] * source[n.iu + k]


@kernel
def impulse_power(system, work, i):
    """Scheduled impulse i times the velocity of its point, at the velocities of the frames [J]."""
    p = system.impulse[i]
    f = work.frame[p.b]
    rx, ry = f.c * p.point[0] - f.s * p.point[1], f.s * p.point[0] + f.c * p.point[1]
    fx, fy = p.force[0], p.force[1]
    if p.follows == 1:
        fx, fy = f.c * fx - f.s * fy, f.s * fx + f.c * fy
    return fx * (f.vx - f.w * ry) + fy * (f.vy + f.w * rx) + p.moment[2] * f.w
