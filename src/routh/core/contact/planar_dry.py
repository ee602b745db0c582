"""Dry friction of a joint in the plane: slip, row, and the load that its bearing carries. The twin of `spatial_dry.py`.

The first row of such a contact stands for the normal force: it is empty, because that force is given and moves nothing. The
second one is the slip of the bearing.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import DIFFERENCE, SHIFTING, SLIP, SPEEDS, TURNING
from routh.core.tree.planar import read_joint
from routh.core.tree.planar_rows import read_row, row_velocity


@kernel
def fill_shift(o, a, b, k, d):
    """Row of b's shift along an axis of a, seen from a at the place of b's point."""
    ex, ey = a.c * d.axis[0] - a.s * d.axis[1], a.s * d.axis[0] + a.c * d.axis[1]
    rbx, rby = b.c * k.point_b[0] - b.s * k.point_b[1], b.s * k.point_b[0] + b.c * k.point_b[1]
    rax, ray = b.x + rbx - a.x, b.y + rby - a.y
    vx, vy = b.vx - b.w * rby - a.vx + a.w * ray, b.vy + b.w * rbx - a.vy - a.w * rax
    wa, wb = a.w * a.w, b.w * b.w
    o.bx, o.by, o.bm = ex, ey, rbx * ey - rby * ex
    o.ax, o.ay, o.am = -ex, -ey, ray * ex - rax * ey
    o.extra = 2.0 * a.w * (ex * vy - ey * vx) + ex * (wa * rax - wb * rbx) + ey * (wa * ray - wb * rby)


@kernel
def look_dry(system, work, c, u):
    """Slip of the joint of contact c at placed bodies, and its row."""
    k, t = system.contact[c], work.touch[c]
    d, o = system.dry[k.soft], work.hold[k.hold + 1]
    if d.slips == SHIFTING:
        fill_shift(o, work.frame[k.a], work.frame[k.b], k, d)
    else:
        o.bm = d.arm
        o.am = -d.arm if d.slips == TURNING or d.slips == DIFFERENCE else 0.0
        o.extra = 0.0
    t.g = t.rate = t.twist = 0.0
    t.slip = row_velocity(system, work, u, system.hold[k.hold + 1], o)
    t.pace = t.haste = abs(t.slip)


@kernel
def seat_dry(system, work, c, u):
    """The same, with a row that points along the slip of a joint that slides."""
    look_dry(system, work, c, u)
    k, t = system.contact[c], work.touch[c]
    if t.mode == SLIP and t.way < 0.0:
        o = work.hold[k.hold + 1]
        o.ax, o.ay, o.am = -o.ax, -o.ay, -o.am
        o.bx, o.by, o.bm = -o.bx, -o.by, -o.bm
        o.extra = -o.extra


@kernel
def joint_friction(system, work, c):
    """Friction of the joint of contact c on its body b, in the direction of its coordinate, and zero."""
    t = work.touch[c]
    return work.hold[system.contact[c].hold + 1].lam * (t.way if t.mode == SLIP else 1.0), 0.0


@kernel
def speed_force(system, work, i, iu):
    """Force of row i of a brake or clutch on the speed iu."""
    r, o = system.hold[i], work.hold[i]
    if r.kind != SPEEDS:
        return 0.0
    return o.lam * ((o.bm if r.iu_b == iu else 0.0) + (o.am if r.iu_a == iu else 0.0))


@kernel
def bearing_load(system, work, c):
    """Force that the bearing of contact c carries, from the reaction of its joint; call after `transmit`.

    The two ends of a long bearing share the moment, too: ±force / 2 ± moment / length.
    """
    k = system.contact[c]
    d, out, b = system.dry[k.soft], work.wrench, work.frame[k.b]
    fx = fy = m = 0.0
    px = b.x + b.c * k.point_b[0] - b.s * k.point_b[1]
    py = b.y + b.s * k.point_b[0] + b.c * k.point_b[1]
    if d.node >= 0:
        f = work.frame[d.node]
        read_joint(system, work, d.node, out)
        fx, fy = out[0], out[1]
        m = out[2] + (f.x - px) * fy - (f.y - py) * fx
    for i in range(d.row_from, d.row_to):
        read_row(system, work, i, out)
        fx, fy, m = fx + out[0], fy + out[1], m + out[2]
    if d.length == 0.0:
        return math.sqrt(fx * fx + fy * fy)
    a, share = work.frame[k.a], m / d.length
    ex, ey = a.c * d.axis[0] - a.s * d.axis[1], a.s * d.axis[0] + a.c * d.axis[1]
    gx, gy = -share * ey, share * ex
    return math.hypot(0.5 * fx + gx, 0.5 * fy + gy) + math.hypot(0.5 * fx - gx, 0.5 * fy - gy)
