"""A contact in the plane seen from its two bodies: gap, relative velocity, rows. The twin of `spatial_contacts.py`.

The rows are the normal and, where there is friction, one tangent (ny, -nx). Second derivatives of the rows count the wandering
of the touching point over both surfaces, which curvature decides ([montana1988]).
"""

import math

from routh.core.calls import gap
from routh.core.contact.planar_dry import look_dry, seat_dry
from routh.core.jit import kernel
from routh.core.tables.layout import DRY, OPEN, ROPE, SLIP, STICK, STOP, VERTEX


@kernel
def look(system, work, c, q, u):
    """Gap, normal and witness points of contact c at placed bodies, with `rate` and `slip`."""
    k, t = system.contact[c], work.touch[c]
    if k.kind == STOP:
        r = system.hold[k.hold]
        t.g, t.rate, t.slip = k.sense * (q[r.iq_b] - k.value), k.sense * u[r.iu_b], 0.0
        t.pace = t.haste = abs(t.rate)
        t.twist = 0.0
        return
    if k.kind == DRY:
        look_dry(system, work, c, u)
        return
    a, b = work.frame[k.a], work.frame[k.b]
    if k.kind == ROPE:
        t.pax = a.x + a.c * k.point_a[0] - a.s * k.point_a[1]
        t.pay = a.y + a.s * k.point_a[0] + a.c * k.point_a[1]
        t.pbx = b.x + b.c * k.point_b[0] - b.s * k.point_b[1]
        t.pby = b.y + b.s * k.point_b[0] + b.c * k.point_b[1]
        dx, dy = t.pax - t.pbx, t.pay - t.pby
        length = math.sqrt(dx * dx + dy * dy)
        t.g = k.value - length
        t.nx, t.ny = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
    else:
        gap(system, work, c)
    vx = b.vx - b.w * (t.pby - b.y) - a.vx + a.w * (t.pay - a.y)
    vy = b.vy + b.w * (t.pbx - b.x) - a.vy - a.w * (t.pax - a.x)
    t.rate, t.slip = t.nx * vx + t.ny * vy, t.ny * vx - t.nx * vy
    spin_a, spin_b = abs(a.w), abs(b.w)
    # of a plane without end only the part opposite to the other shape counts
    reach_a, reach_b, arm_a, arm_b = k.reach_a, k.reach_b, k.arm_a, k.arm_b
    if reach_a == math.inf:
        reach_a, arm_a = k.reach_b, math.hypot(t.pax - a.x, t.pay - a.y)
    elif reach_b == math.inf:
        reach_b, arm_b = k.reach_a, math.hypot(t.pbx - b.x, t.pby - b.y)
    t.pace = math.sqrt(vx * vx + vy * vy)
    t.pace += 2.0 * spin_a * reach_a
    t.pace += 2.0 * spin_b * reach_b
    t.twist = spin_a * k.turns_a + spin_b * k.turns_b
    t.haste = t.pace + 2.0 * (spin_a * arm_a + spin_b * arm_b)


@kernel
def wander(k, t, wa, wb):
    """(speed of the touching point along a, along b, turn of the normal), all along the tangent."""
    if t.sharp_b == VERTEX:
        along_a, along_b = t.slip, 0.0
    elif t.sharp_a == VERTEX:
        return 0.0, -t.slip, t.kb * t.slip - wb
    else:
        bend = t.ka + t.kb
        along_b = (wa - wb - t.ka * t.slip) / bend if bend != 0.0 else 0.0
        along_a = along_b + t.slip
    return along_a, along_b, t.ka * along_a - wa


@kernel
def point_row(o, ex, ey, rax, ray, rbx, rby, wa2, wb2):
    """Row along (ex, ey): wrenches on both bodies, and the accelerations of their material points."""
    o.bx, o.by, o.bm = ex, ey, rbx * ey - rby * ex
    o.ax, o.ay, o.am = -ex, -ey, ray * ex - rax * ey
    o.phi = 0.0
    o.extra = ex * (wa2 * rax - wb2 * rbx) + ey * (wa2 * ray - wb2 * rby)


@kernel
def seat(system, work, c, q, u):
    """Look at contact c and fill its rows; for a sliding one the second row points along the slip."""
    k, t = system.contact[c], work.touch[c]
    if k.kind == DRY:
        seat_dry(system, work, c, u)
        return
    look(system, work, c, q, u)
    o = work.hold[k.hold]
    if k.kind == STOP:
        o.phi, o.extra = t.g, 0.0
        return
    a, b = work.frame[k.a], work.frame[k.b]
    rax, ray, rbx, rby = t.pax - a.x, t.pay - a.y, t.pbx - b.x, t.pby - b.y
    wa2, wb2 = a.w * a.w, b.w * b.w
    point_row(o, t.nx, t.ny, rax, ray, rbx, rby, wa2, wb2)
    o.phi = t.g
    if k.kind == ROPE:
        o.extra -= t.slip * t.slip / (k.value - t.g)
        return
    along_a, along_b, turn = wander(k, t, a.w, b.w)
    o.extra += b.w * along_b - a.w * along_a + turn * t.slip
    if k.n_row > 1:
        way = 1.0 if t.mode <= STICK else t.way
        o = work.hold[k.hold + 1]
        point_row(o, way * t.ny, -way * t.nx, rax, ray, rbx, rby, wa2, wb2)
        o.extra -= way * turn * t.rate


@kernel
def slip_speed(system, t):
    """Speed of slip."""
    return abs(t.slip)


@kernel
def slip_along(system, t):
    """Slip along the direction it slides in."""
    return t.way * t.slip


@kernel
def take_aim(system, t):
    """The present slip is the direction to slide in."""
    t.way = math.copysign(1.0, t.slip)


@kernel
def same_way(system, t, other):
    """Give another contact the tangents of this one, if its normal is the same: in the plane it has them."""


@kernel
def aim(system, t, x, y):
    """Slide along the tangent, x = ±1."""
    t.way = math.copysign(1.0, x)


@kernel
def veer(system, t, angle):
    """In the plane a slide has nowhere to turn."""


@kernel
def face_ahead(system, work):
    """Nor to look."""


@kernel
def write_phase(system, work, out):
    """Mode, direction of slip and starting multipliers of every contact; what a compliant one remembers."""
    for c in range(work.touch.size):
        t, k = work.touch[c], system.contact[c]
        out[4 * c], out[4 * c + 1] = t.mode, (t.way if t.mode == SLIP else (t.speed if t.mode > SLIP else 0.0))
        for i in range(2):
            out[4 * c + 2 + i] = work.hold[k.hold + i].start if t.mode != OPEN and i < k.n_row else 0.0
        if t.mode > SLIP:
            out[4 * c + 3] = t.deepest


@kernel
def read_phase(system, work, phase):
    """Put every contact back into the mode that `write_phase` wrote."""
    for c in range(work.touch.size):
        t, k = work.touch[c], system.contact[c]
        t.mode, t.way, t.speed = int(phase[4 * c]), phase[4 * c + 1], phase[4 * c + 1]
        if t.mode > SLIP:
            t.deepest = phase[4 * c + 3]
        for i in range(k.n_row):
            work.hold[k.hold + i].start = phase[4 * c + 2 + i]


@kernel
def frame_of(system, work, c, v_out, normal_out, point_out):
    """Relative velocity (normal first), normal and point of contact c, as the ledger shows them."""
    t, k = work.touch[c], system.contact[c]
    v_out[0], v_out[1], v_out[2] = t.rate, t.slip, 0.0
    for i in range(3):
        normal_out[i] = point_out[i] = 0.0
    if k.kind != STOP:
        normal_out[0], normal_out[1] = k.sense * t.nx, k.sense * t.ny
        point_out[0], point_out[1] = t.pbx, t.pby


@kernel
def tangents_of(system, work, c, t1_out, t2_out):
    """Tangents of contact c, as the ledger shows them."""
    t, k = work.touch[c], system.contact[c]
    for i in range(3):
        t1_out[i] = t2_out[i] = 0.0
    if k.kind != STOP:
        t1_out[0], t1_out[1] = k.sense * t.ny, -k.sense * t.nx


@kernel
def leftover(system, work, i, out):
    """What the wrench through the joint of node i pushes along its free axes; zero but for round-off."""
    n, f = system.node[i], work.frame[i]
    for k in range(n.iu, n.iu + n.n_u):
        t = work.dof[k]
        out[k] = t.sm * f.jm + t.sx * f.jx + t.sy * f.jy


@kernel
def load_impulse(system, work, i, factor):
    """Put the scheduled impulse i on its node as a load, times a factor; return where and what it is, for the ledger."""
    p = system.impulse[i]
    f = work.frame[p.b]
    rx, ry = f.c * p.point[0] - f.s * p.point[1], f.s * p.point[0] + f.c * p.point[1]
    fx, fy = p.force[0], p.force[1]
    if p.follows == 1:
        fx, fy = f.c * fx - f.s * fy, f.s * fx + f.c * fy
    f.lx += factor * fx
    f.ly += factor * fy
    f.lm += factor * (rx * fy - ry * fx + p.moment[2])
    return f.x + rx, f.y + ry, 0.0, fx, fy, 0.0, 0.0, 0.0, p.moment[2]


@kernel
def slide_left(system, work, slow):
    """(time to keep to, contact whose slide ends with the step): in the plane a slip may pass through zero within a step."""
    return math.inf, -1
