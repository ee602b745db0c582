"""Dry friction of a joint in space: slip, rows, and the load that its bearing carries. The twin of `planar_dry.py`.

A joint has a plane of slip of its own: speeds of its bearing about and along the axis are the two tangents, and what would be
the normal of a contact, (0, 0, 1), has an empty row. A joint with one freedom has one tangent, which cannot turn.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import BOTH, DIFFERENCE, SHIFTING, SLIP, SPEEDS, STICK, TURNING
from routh.core.tree.rotation import cross, dot, turned
from routh.core.tree.spatial import read_joint
from routh.core.tree.spatial_rows import read_row, row_velocity


@kernel
def fill_turn(o, a, b, e0, e1, e2, arm):
    """Row of b's turn about an axis of a, times an arm."""
    for j in range(3):
        e = arm * (e0 if j == 0 else (e1 if j == 1 else e2))
        o.bm[j], o.am[j] = e, -e
        o.bf[j] = o.af[j] = 0.0
    c0, c1, c2 = cross(a.w[0], a.w[1], a.w[2], e0, e1, e2)
    o.extra = arm * (c0 * (b.w[0] - a.w[0]) + c1 * (b.w[1] - a.w[1]) + c2 * (b.w[2] - a.w[2]))


@kernel
def centripetal(f, r0, r1, r2):
    """Acceleration of a point of a body at zero accelerations of it, r from its joint point."""
    c0, c1, c2 = cross(f.w[0], f.w[1], f.w[2], r0, r1, r2)
    return cross(f.w[0], f.w[1], f.w[2], c0, c1, c2)


@kernel
def fill_shift(o, a, b, k, e0, e1, e2):
    """Row of b's shift along an axis of a, seen from a at the place of b's point."""
    r0, r1, r2 = turned(b.R, k.point_b)
    s0, s1, s2 = b.x[0] + r0 - a.x[0], b.x[1] + r1 - a.x[1], b.x[2] + r2 - a.x[2]
    o.bf[0], o.bf[1], o.bf[2] = e0, e1, e2
    o.af[0], o.af[1], o.af[2] = -e0, -e1, -e2
    m0, m1, m2 = cross(r0, r1, r2, e0, e1, e2)
    o.bm[0], o.bm[1], o.bm[2] = m0, m1, m2
    m0, m1, m2 = cross(s0, s1, s2, e0, e1, e2)
    o.am[0], o.am[1], o.am[2] = -m0, -m1, -m2
    a0, a1, a2 = centripetal(a, s0, s1, s2)
    b0, b1, b2 = centripetal(b, r0, r1, r2)
    p0, p1, p2 = cross(a.w[0], a.w[1], a.w[2], s0, s1, s2)
    q0, q1, q2 = cross(b.w[0], b.w[1], b.w[2], r0, r1, r2)
    v0, v1, v2 = b.v[0] + q0 - a.v[0] - p0, b.v[1] + q1 - a.v[1] - p1, b.v[2] + q2 - a.v[2] - p2
    c0, c1, c2 = cross(a.w[0], a.w[1], a.w[2], e0, e1, e2)
    o.extra = 2.0 * (c0 * v0 + c1 * v1 + c2 * v2) + e0 * (b0 - a0) + e1 * (b1 - a1) + e2 * (b2 - a2)


@kernel
def look_dry(system, work, c, u):
    """Slip of the joint of contact c at placed bodies, and its rows."""
    k, t = system.contact[c], work.touch[c]
    d, o, a, b = system.dry[k.soft], work.hold[k.hold + 1], work.frame[k.a], work.frame[k.b]
    e0, e1, e2 = turned(a.R, d.axis)
    t.slip[1] = t.slip[2] = t.n[0] = t.n[1] = 0.0
    t.n[2] = 1.0
    if d.slips == SHIFTING:
        fill_shift(o, a, b, k, e0, e1, e2)
    elif d.slips == TURNING or d.slips == BOTH:
        fill_turn(o, a, b, e0, e1, e2, d.arm)
    else:
        o.bm[0], o.am[0] = d.arm, (-d.arm if d.slips == DIFFERENCE else 0.0)
        o.extra = 0.0
    t.slip[0] = row_velocity(system, work, u, system.hold[k.hold + 1], o)
    if d.slips == BOTH:
        o = work.hold[k.hold + 2]
        fill_shift(o, a, b, k, e0, e1, e2)
        t.slip[1] = row_velocity(system, work, u, system.hold[k.hold + 2], o)
    t.g = t.rate = t.twist = 0.0
    t.pace = t.haste = math.sqrt(dot(t.slip, t.slip))


@kernel
def mix(x, y, j, c, s):
    """Turn entry j of two vectors by the angle whose cosine and sine are c and s."""
    x[j], y[j] = c * x[j] + s * y[j], c * y[j] - s * x[j]


@kernel
def turn_rows(x, y, c, s):
    """Turn two rows in the plane of slip: the first along (c, s)."""
    for j in range(3):
        mix(x.am, y.am, j, c, s)
        mix(x.af, y.af, j, c, s)
        mix(x.bm, y.bm, j, c, s)
        mix(x.bf, y.bf, j, c, s)
    x.extra, y.extra = c * x.extra + s * y.extra, c * y.extra - s * x.extra


@kernel
def flip(o):
    """Reverse a row."""
    for j in range(3):
        o.am[j], o.af[j], o.bm[j], o.bf[j] = -o.am[j], -o.af[j], -o.bm[j], -o.bf[j]
    o.extra = -o.extra


@kernel
def joint_friction(system, work, c):
    """Friction of the joint of contact c on its body b: the parts in the directions of its first and of its second slip."""
    k, t = system.contact[c], work.touch[c]
    way = t.way if t.mode == SLIP else t.t1
    along = work.hold[k.hold + 1].lam
    across = work.hold[k.hold + 2].lam if k.n_row == 3 and t.mode == STICK else 0.0
    return along * way[0] - across * way[1], along * way[1] + across * way[0]


@kernel
def speed_force(system, work, i, iu):
    """Force of row i of a brake or clutch on the speed iu."""
    r, o = system.hold[i], work.hold[i]
    if r.kind != SPEEDS:
        return 0.0
    return o.lam * ((o.bm[0] if r.iu_b == iu else 0.0) + (o.am[0] if r.iu_a == iu else 0.0))


@kernel
def bearing_load(system, work, c):
    """Force that the bearing of contact c carries, from the reaction of its joint; call after `transmit`.

    The two ends of a long bearing share the moment, too: ±force / 2 ± axis × moment / length.
    """
    k = system.contact[c]
    d, out, b = system.dry[k.soft], work.wrench, work.frame[k.b]
    f0 = f1 = f2 = m0 = m1 = m2 = 0.0
    if d.node >= 0:
        f = work.frame[d.node]
        read_joint(system, work, d.node, out)
        f0, f1, f2 = out[0], out[1], out[2]
        r0, r1, r2 = turned(b.R, k.point_b)
        c0, c1, c2 = cross(f.x[0] - b.x[0] - r0, f.x[1] - b.x[1] - r1, f.x[2] - b.x[2] - r2, f0, f1, f2)
        m0, m1, m2 = out[3] + c0, out[4] + c1, out[5] + c2
    for i in range(d.row_from, d.row_to):
        read_row(system, work, i, out)
        f0, f1, f2 = f0 + out[0], f1 + out[1], f2 + out[2]
        m0, m1, m2 = m0 + out[3], m1 + out[4], m2 + out[5]
    if d.length == 0.0:
        return math.sqrt(f0 * f0 + f1 * f1 + f2 * f2)
    e0, e1, e2 = turned(work.frame[k.a].R, d.axis)
    g0, g1, g2 = cross(e0, e1, e2, m0, m1, m2)
    share = 1.0 / d.length
    g0, g1, g2, f0, f1, f2 = share * g0, share * g1, share * g2, 0.5 * f0, 0.5 * f1, 0.5 * f2
    return (math.sqrt((f0 + g0) ** 2 + (f1 + g1) ** 2 + (f2 + g2) ** 2)
            + math.sqrt((f0 - g0) ** 2 + (f1 - g1) ** 2 + (f2 - g2) ** 2))
