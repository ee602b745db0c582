"""A contact in space seen from its two bodies: gap, relative velocity, rows. The twin of `planar_contacts.py`.

The rows are the normal and, where there is friction, two tangents. Second derivatives of the rows count the wandering of the
touching point over both surfaces, see `spatial_migration.py`.
"""

import math

from routh.core.calls import gap
from routh.core.contact.spatial_dry import flip, look_dry, turn_rows
from routh.core.gaps.spatial_migration import migrate
from routh.core.jit import kernel
from routh.core.tables.layout import DRY, FIRST_PAIR, OPEN, ROPE, SLIP, STICK, STOP
from routh.core.tree.rotation import cross, dot, turned

LAST = 1e-6           # of the fastest slip of a slide: the rest is taken in one step, straight,
BLURRED = 1e3         # or of what is slow: the errors of steps would turn it


@kernel
def look(system, work, c, q, u):
    """Gap, normal and witness points of contact c at placed bodies, with `rate` and `slip`."""
    k, t = system.contact[c], work.touch[c]
    if k.kind == STOP:
        r = system.hold[k.hold]
        t.g, t.rate = k.sense * (q[r.iq_b] - k.value), k.sense * u[r.iu_b]
        t.pace = t.haste = abs(t.rate)
        t.twist = 0.0
        return
    if k.kind == DRY:
        look_dry(system, work, c, u)
        return
    a, b = work.frame[k.a], work.frame[k.b]
    if k.kind == ROPE:
        a0, a1, a2 = turned(a.R, k.point_a)
        b0, b1, b2 = turned(b.R, k.point_b)
        t.pa[0], t.pa[1], t.pa[2] = a.x[0] + a0, a.x[1] + a1, a.x[2] + a2
        t.pb[0], t.pb[1], t.pb[2] = b.x[0] + b0, b.x[1] + b1, b.x[2] + b2
        d0, d1, d2 = t.pa[0] - t.pb[0], t.pa[1] - t.pb[1], t.pa[2] - t.pb[2]
        length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        t.g = k.value - length
        if length > 0.0:
            t.n[0], t.n[1], t.n[2] = d0 / length, d1 / length, d2 / length
    else:
        gap(system, work, c)
    a0, a1, a2 = cross(a.w[0], a.w[1], a.w[2], t.pa[0] - a.x[0], t.pa[1] - a.x[1], t.pa[2] - a.x[2])
    b0, b1, b2 = cross(b.w[0], b.w[1], b.w[2], t.pb[0] - b.x[0], t.pb[1] - b.x[1], t.pb[2] - b.x[2])
    v0, v1, v2 = b.v[0] + b0 - a.v[0] - a0, b.v[1] + b1 - a.v[1] - a1, b.v[2] + b2 - a.v[2] - a2
    t.rate = t.n[0] * v0 + t.n[1] * v1 + t.n[2] * v2
    if t.off == 1:
        t.rate = max(t.rate, 0.0)  # not that of the gap, and no approach
    t.slip[0], t.slip[1], t.slip[2] = v0 - t.rate * t.n[0], v1 - t.rate * t.n[1], v2 - t.rate * t.n[2]
    t.pace = math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
    spin_a, spin_b = math.sqrt(dot(a.w, a.w)), math.sqrt(dot(b.w, b.w))
    # of a plane without end only the part opposite to the other shape counts
    reach_a, reach_b, arm_a, arm_b = k.reach_a, k.reach_b, k.arm_a, k.arm_b
    if reach_a == math.inf:
        reach_a, arm_a = k.reach_b, math.sqrt((t.pa[0] - a.x[0]) ** 2 + (t.pa[1] - a.x[1]) ** 2 + (t.pa[2] - a.x[2]) ** 2)
    elif reach_b == math.inf:
        reach_b, arm_b = k.reach_a, math.sqrt((t.pb[0] - b.x[0]) ** 2 + (t.pb[1] - b.x[1]) ** 2 + (t.pb[2] - b.x[2]) ** 2)
    t.pace += 2.0 * spin_a * reach_a
    t.pace += 2.0 * spin_b * reach_b
    t.twist = spin_a * k.turns_a + spin_b * k.turns_b
    t.haste = t.pace + 2.0 * (spin_a * arm_a + spin_b * arm_b)


@kernel
def pull_in(t, w, r0, r1, r2, run):
    """Acceleration of the touching point on a body that turns at w: of the material there, and for its running along it."""
    c0, c1, c2 = cross(w[0], w[1], w[2], r0, r1, r2)
    return cross(w[0], w[1], w[2], c0 + run[0], c1 + run[1], c2 + run[2])


@kernel
def point_row(o, e, t, a, b, extra0, extra1, extra2):
    """Row along e through the witness points."""
    m0, m1, m2 = cross(t.pb[0] - b.x[0], t.pb[1] - b.x[1], t.pb[2] - b.x[2], e[0], e[1], e[2])
    o.bm[0], o.bm[1], o.bm[2] = m0, m1, m2
    m0, m1, m2 = cross(t.pa[0] - a.x[0], t.pa[1] - a.x[1], t.pa[2] - a.x[2], e[0], e[1], e[2])
    o.am[0], o.am[1], o.am[2] = -m0, -m1, -m2
    for j in range(3):
        o.bf[j], o.af[j] = e[j], -e[j]
    o.phi = 0.0
    o.extra = e[0] * extra0 + e[1] * extra1 + e[2] * extra2


@kernel
def span_tangents(t):
    """Two tangents, the first as near as possible to `way`, which stays as it is where nothing slides.

    Carried from one evaluation to the next they would turn: the normals of the stages of a step come back, they do not.
    """
    n, way, t1, t2 = t.n, t.way, t.t1, t.t2
    along = dot(n, way)
    c0, c1, c2 = way[0] - along * n[0], way[1] - along * n[1], way[2] - along * n[2]
    size = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
    if size < 0.5:
        # nothing before, or the normal has turned towards it: start from the axis farthest from the normal
        j = 0
        for k in range(1, 3):
            if abs(n[k]) < abs(n[j]):
                j = k
        c0, c1, c2 = -n[j] * n[0], -n[j] * n[1], -n[j] * n[2]
        c0, c1, c2 = c0 + (j == 0), c1 + (j == 1), c2 + (j == 2)
        size = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
    t1[0], t1[1], t1[2] = c0 / size, c1 / size, c2 / size
    c0, c1, c2 = cross(n[0], n[1], n[2], t1[0], t1[1], t1[2])
    t2[0], t2[1], t2[2] = c0, c1, c2


@kernel
def veer(system, t, angle):
    """Turn the direction of a slide by a small angle within the tangent plane; the second tangent is across it."""
    n, way = t.n, t.way
    off = dot(n, way)
    c0, c1, c2 = cross(n[0], n[1], n[2], way[0], way[1], way[2])
    c0, c1, c2 = way[0] - off * n[0] + angle * c0, way[1] - off * n[1] + angle * c1, way[2] - off * n[2] + angle * c2
    size = math.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
    way[0], way[1], way[2] = c0 / size, c1 / size, c2 / size
    t.t2[0], t.t2[1], t.t2[2] = cross(n[0], n[1], n[2], way[0], way[1], way[2])


@kernel
def choose_way(system, t):
    """Direction of a slide: that of its slip; one too slow to tell it has that of the start of the step."""
    speed = math.sqrt(dot(t.slip, t.slip))
    if t.creep == 0:
        for j in range(3):
            t.way[j] = t.slip[j] / speed if speed > t.slow else t.t1[j]
    if t.creep == 1 or speed <= t.slow:
        veer(system, t, 0.0)


@kernel
def seat_dry(system, work, c):
    """Turn the rows of a joint with dry friction along its slip, or along the tangents of one that sticks."""
    k, t = system.contact[c], work.touch[c]
    first = work.hold[k.hold + 1]
    if k.n_row == 2:  # one tangent, which keeps its direction
        if t.mode == SLIP:
            if t.way[0] < 0.0:
                flip(first)
        else:
            for j in range(3):
                t.t1[j], t.t2[j] = 1.0 * (j == 0), 1.0 * (j == 1)
    elif t.mode == SLIP:
        choose_way(system, t)
        turn_rows(first, work.hold[k.hold + 2], t.way[0], t.way[1])
    else:
        span_tangents(t)
        turn_rows(first, work.hold[k.hold + 2], t.t1[0], t.t1[1])


@kernel
def seat(system, work, c, q, u):
    """Look at contact c and fill its rows; for a sliding one the second row points along the slip."""
    look(system, work, c, q, u)
    k, t = system.contact[c], work.touch[c]
    o = work.hold[k.hold]
    if k.kind == STOP:
        o.phi, o.extra = t.g, 0.0
        return
    if k.kind == DRY:
        seat_dry(system, work, c)
        return
    a, b = work.frame[k.a], work.frame[k.b]
    if k.kind == ROPE:
        for j in range(3):
            t.run_a[j] = t.run_b[j] = 0.0
    else:
        migrate(t, a.w, b.w, t.slip, t.run_a, t.run_b, t.turn)
    a0, a1, a2 = pull_in(t, a.w, t.pa[0] - a.x[0], t.pa[1] - a.x[1], t.pa[2] - a.x[2], t.run_a)
    b0, b1, b2 = pull_in(t, b.w, t.pb[0] - b.x[0], t.pb[1] - b.x[1], t.pb[2] - b.x[2], t.run_b)
    point_row(o, t.n, t, a, b, b0 - a0, b1 - a1, b2 - a2)
    o.phi = t.g
    if k.kind == ROPE:
        o.extra -= dot(t.slip, t.slip) / (k.value - t.g)
        return
    o.extra += dot(t.turn, t.slip)
    if k.n_row > 1:
        if t.mode == SLIP:
            choose_way(system, t)
            if t.creep == 1:
                point_row(work.hold[k.hold + 2], t.t2, t, a, b, b0 - a0, b1 - a1, b2 - a2)
            point_row(work.hold[k.hold + 1], t.way, t, a, b, b0 - a0, b1 - a1, b2 - a2)
        else:
            span_tangents(t)
            point_row(work.hold[k.hold + 1], t.t1, t, a, b, b0 - a0, b1 - a1, b2 - a2)
            point_row(work.hold[k.hold + 2], t.t2, t, a, b, b0 - a0, b1 - a1, b2 - a2)


@kernel
def slip_speed(system, t):
    """Speed of slip."""
    return math.sqrt(dot(t.slip, t.slip))


@kernel
def slip_along(system, t):
    """Slip along the direction it slides in."""
    return dot(t.way, t.slip)


@kernel
def take_aim(system, t):
    """The present slip is the direction to slide in."""
    speed = math.sqrt(dot(t.slip, t.slip))
    if speed > 0.0:
        for j in range(3):
            t.way[j] = t.slip[j] / speed


@kernel
def same_way(system, t, other):
    """Give another contact the tangents of this one, if its normal is the same."""
    for j in range(3):
        other.way[j] = t.t1[j]


@kernel
def aim(system, t, x, y):
    """Begin to slide along the combination (x, y) of the tangents."""
    t.swiftest, t.creep = 0.0, 1
    c0, c1, c2 = cross(t.n[0], t.n[1], t.n[2], t.t1[0], t.t1[1], t.t1[2])
    t.way[0], t.way[1], t.way[2] = x * t.t1[0] + y * c0, x * t.t1[1] + y * c1, x * t.t1[2] + y * c2
    keep_way(t)


@kernel
def keep_way(t):
    """Keep where a slide goes as its first tangent."""
    for j in range(3):
        t.t1[j] = t.way[j]


@kernel
def face_ahead(system, work):
    """Creeping contacts look for the direction of their friction from that at the start of the step, not from that of the last
    evaluation: a stage far off may have found another one.
    """
    for j in range(work.closed[work.closed.size - 1]):
        t = work.touch[work.closed[j]]
        if t.mode == SLIP and t.creep == 1:
            for i in range(3):
                t.way[i] = t.t1[i]


@kernel
def write_phase(system, work, out):
    """Mode, starting multipliers and lay of every contact; direction of slip and tangent only where nothing else tells them.

    The place of the tangent says of a slide whether it creeps. Of a compliant contact: mode and what it remembers.
    """
    for c in range(work.touch.size):
        t, k = work.touch[c], system.contact[c]
        out[11 * c], out[11 * c + 10] = t.mode, t.lay
        begins = t.mode == SLIP and (t.creep == 1 or k.n_row == 2 or dot(t.slip, t.slip) <= t.slow * t.slow)
        started = False
        for i in range(3):
            out[11 * c + 7 + i] = work.hold[k.hold + i].start if t.mode != OPEN and i < k.n_row else 0.0
            started = started or out[11 * c + 7 + i] != 0.0
        for i in range(3):
            out[11 * c + 1 + i] = t.way[i] if begins else 0.0
            out[11 * c + 4 + i] = t.way[i] if started and t.mode == STICK else 0.0
        if t.mode == SLIP:
            out[11 * c + 4] = t.creep
        elif t.mode > SLIP:
            out[11 * c + 1], out[11 * c + 2] = t.speed, t.deepest


@kernel
def read_phase(system, work, phase):
    """Put every contact back into the mode that `write_phase` wrote."""
    for c in range(work.touch.size):
        t, k = work.touch[c], system.contact[c]
        t.mode, t.speed, t.deepest = int(phase[11 * c]), phase[11 * c + 1], phase[11 * c + 2]
        t.creep = int(phase[11 * c + 4]) if t.mode == SLIP else 0
        t.slow, t.lay = 0.0, phase[11 * c + 10]
        for i in range(3):
            t.way[i] = phase[11 * c + (1 if t.mode == SLIP else 4) + i]
            if t.way[i] != 0.0:
                t.slow = math.inf  # no slip tells the direction
            if i < k.n_row:
                work.hold[k.hold + i].start = phase[11 * c + 7 + i]
        keep_way(t)


@kernel
def frame_of(system, work, c, v_out, normal_out, point_out):
    """Relative velocity (normal first), normal and point of contact c, as the ledger shows them."""
    t, k = work.touch[c], system.contact[c]
    if k.n_row == 1 and k.kind >= FIRST_PAIR:  # without friction no row needs them
        span_tangents(t)
    v_out[0], v_out[1], v_out[2] = t.rate, dot(t.t1, t.slip), dot(t.t2, t.slip)
    for i in range(3):
        normal_out[i] = k.sense * t.n[i] if k.kind != STOP else 0.0
        point_out[i] = t.pb[i] if k.kind != STOP else 0.0


@kernel
def tangents_of(system, work, c, t1_out, t2_out):
    """Tangents of contact c, as the ledger shows them."""
    t, k = work.touch[c], system.contact[c]
    for i in range(3):
        t1_out[i] = k.sense * t.t1[i] if k.kind >= FIRST_PAIR else 0.0
        t2_out[i] = k.sense * t.t2[i] if k.kind >= FIRST_PAIR else 0.0


@kernel
def leftover(system, work, i, out):
    """What the wrench through the joint of node i pushes along its free axes; zero but for round-off."""
    n, f = system.node[i], work.frame[i]
    for k in range(n.iu, n.iu + n.n_u):
        t = work.dof[k]
        out[k] = dot(t.sw, f.jm) + dot(t.sv, f.jf)


@kernel
def load_impulse(system, work, i, factor):
    """Put the scheduled impulse i on its node as a load, times a factor; return where and what it is, for the ledger."""
    p = system.impulse[i]
    f = work.frame[p.b]
    r0, r1, r2 = turned(f.R, p.point)
    f0, f1, f2 = p.force[0], p.force[1], p.force[2]
    m0, m1, m2 = p.moment[0], p.moment[1], p.moment[2]
    if p.follows == 1:
        f0, f1, f2 = turned(f.R, p.force)
        m0, m1, m2 = turned(f.R, p.moment)
    c0, c1, c2 = cross(r0, r1, r2, f0, f1, f2)
    f.lf[0] += factor * f0
    f.lf[1] += factor * f1
    f.lf[2] += factor * f2
    f.lm[0] += factor * (c0 + m0)
    f.lm[1] += factor * (c1 + m1)
    f.lm[2] += factor * (c2 + m2)
    return f.x[0] + r0, f.x[1] + r1, f.x[2] + r2, f0, f1, f2, m0, m1, m2


@kernel
def slide_left(system, work, slow):
    """(time to keep to, contact whose slide ends with the step).

    Where slip ends, its direction turns faster and faster, so a step may not pass that point: it covers nine tenths of the way,
    and the last one, along a direction that is kept, when hardly any slip is left.
    """
    limit, ending = math.inf, -1
    for j in range(work.closed[work.closed.size - 1]):
        c = work.closed[j]
        t = work.touch[c]
        if t.mode == SLIP:
            keep_way(t)
        if t.mode != SLIP or t.creep == 1 or system.contact[c].n_row < 3 or t.brake >= 0.0:
            continue
        speed = math.sqrt(dot(t.slip, t.slip))
        t.swiftest = max(t.swiftest, speed)
        left = -speed / t.brake
        last = speed <= max(LAST * t.swiftest, BLURRED * slow)
        if not last:
            left *= 0.9
        if left < limit:
            if ending >= 0:
                work.touch[ending].ending = 0
            limit, ending = left, (c if last else -1)
            if last:
                t.ending, t.slow = 1, math.inf
    return limit, ending
