"""Bodies in the plane: the twin of `spatial.py`, function by function.

Wrenches and twists are taken at each node's joint point in world axes, moment or turn first. At a pin the axis is then
(1, 0, 0): elimination leaves only the 2 × 2 block of forces, which is what makes the plane cheap.
"""

import math

from routh.core.jit import kernel
from routh.core.layout import (
    ALONG,
    ANGLE,
    COUPLING,
    DISTANCE,
    FREE,
    PRISMATIC,
    REVOLUTE,
)


@kernel
def place(system, work, q, u):
    """Poses, velocities and bias accelerations of all nodes, outward; own inertia and bias wrench beside them."""
    node, frame = system.node, work.frame
    ground = frame[0]
    ground.c = 1.0
    ground.ax, ground.ay = -system.world[0].gravity[0], -system.world[0].gravity[1]  # falling frame: gravity needs no forces
    for i in range(1, node.size):
        n, f = node[i], frame[i]
        p = frame[n.parent]
        kind = n.kind
        if kind == FREE:
            f.x, f.y, f.th = q[n.iq], q[n.iq + 1], q[n.iq + 2]
            f.vx, f.vy, f.w = u[n.iu], u[n.iu + 1], u[n.iu + 2]
            f.rx, f.ry = f.x, f.y
            f.bw = f.bx = f.by = 0.0
        else:
            # the joint point as a point of the parent
            atx, aty = n.at[0], n.at[1]
            rx, ry = p.c * atx - p.s * aty, p.s * atx + p.c * aty
            th, w = p.th + n.turn, p.w
            bw = bx = by = 0.0
            vx = vy = 0.0
            acc = work.drive[n.driver, 2] if n.driver >= 0 else 0.0
            if kind == REVOLUTE:
                th += n.sense * q[n.iq]
                w += n.sense * u[n.iu]
                bw = n.sense * acc
            elif kind == PRISMATIC:
                ex, ey = p.c * n.axis[0] - p.s * n.axis[1], p.s * n.axis[0] + p.c * n.axis[1]
                shift, speed = q[n.iq], u[n.iu]
                rx += ex * shift
                ry += ey * shift
                vx, vy = ex * speed, ey * speed
                bx, by = ex * acc - 2.0 * p.w * vy, ey * acc + 2.0 * p.w * vx
                axis = work.dof[n.iu]
                axis.sm, axis.sx, axis.sy = 0.0, ex, ey
            w2 = p.w * p.w
            f.x, f.y, f.th = p.x + rx, p.y + ry, th
            f.rx, f.ry = rx, ry
            f.w = w
            f.vx, f.vy = p.vx - p.w * ry + vx, p.vy + p.w * rx + vy
            f.bw, f.bx, f.by = bw, bx - w2 * rx, by - w2 * ry
        f.c, f.s = math.cos(f.th), math.sin(f.th)

        # rigid inertia at the joint point, centrifugal force
        m = n.mass
        hx, hy = f.c * n.com[0] - f.s * n.com[1], f.s * n.com[0] + f.c * n.com[1]
        f.J = n.inertia + m * (hx * hx + hy * hy)
        f.hx, f.hy = -m * hy, m * hx
        f.mxx = f.myy = m
        f.mxy = 0.0
        w2m = f.w * f.w * m
        f.pm, f.px, f.py = 0.0, -w2m * hx, -w2m * hy
        f.lm = f.lx = f.ly = 0.0


@kernel
def sweep_in(system, work):
    """Articulated inertias and bias wrenches, inward ([featherstone2008], ch. 7, at the joint points)."""
    node, frame, dof = system.node, work.frame, work.dof
    for i in range(node.size - 1, 0, -1):
        n, f = node[i], frame[i]
        p = frame[n.parent]
        pm, px, py = f.pm - f.lm, f.px - f.lx, f.py - f.ly
        if n.n_u == 1 and n.kind == REVOLUTE:
            # axis (±1, 0, 0): only the block of forces survives
            d, sense = 1.0 / f.J, n.sense
            hx, hy = f.hx, f.hy
            t = dof[n.iu]
            eps = t.tau - sense * pm
            t.sm, t.sx, t.sy = sense, 0.0, 0.0
            t.um, t.ux, t.uy, t.d, t.eps = sense * f.J, sense * hx, sense * hy, d, eps
            mxx, mxy, myy = f.mxx - hx * hx * d, f.mxy - hx * hy * d, f.myy - hy * hy * d
            g = sense * eps * d
            px += mxx * f.bx + mxy * f.by + hx * g
            py += mxy * f.bx + myy * f.by + hy * g
            pm = sense * t.tau
            rx, ry = f.rx, f.ry
            kx, ky = rx * mxy - ry * mxx, rx * myy - ry * mxy
            p.J += rx * ky - ry * kx
            p.hx += kx
            p.hy += ky
            p.mxx += mxx
            p.mxy += mxy
            p.myy += myy
        else:
            J, hx, hy, mxx, mxy, myy = f.J, f.hx, f.hy, f.mxx, f.mxy, f.myy
            for k in range(n.iu + n.n_u - 1, n.iu - 1, -1):
                t = dof[k]
                if n.kind == FREE:
                    t.sx, t.sy = (1.0 if k == n.iu else 0.0), (1.0 if k == n.iu + 1 else 0.0)
                    t.sm = 1.0 if k == n.iu + 2 else 0.0
                sm, sx, sy = t.sm, t.sx, t.sy
                um = J * sm + hx * sx + hy * sy
                ux, uy = hx * sm + mxx * sx + mxy * sy, hy * sm + mxy * sx + myy * sy
                d = 1.0 / (sm * um + sx * ux + sy * uy)
                eps = t.tau - (sm * pm + sx * px + sy * py)
                t.um, t.ux, t.uy, t.d, t.eps = um, ux, uy, d, eps
                J, hx, hy = J - um * um * d, hx - um * ux * d, hy - um * uy * d
                mxx, mxy, myy = mxx - ux * ux * d, mxy - ux * uy * d, myy - uy * uy * d
                g = eps * d
                pm, px, py = pm + um * g, px + ux * g, py + uy * g
            if n.kind == FREE:
                continue  # nothing reaches the ground
            pm += J * f.bw + hx * f.bx + hy * f.by
            px += hx * f.bw + mxx * f.bx + mxy * f.by
            py += hy * f.bw + mxy * f.bx + myy * f.by
            rx, ry = f.rx, f.ry
            kx, ky = rx * mxy - ry * mxx, rx * myy - ry * mxy
            p.J += J + 2.0 * (rx * hy - ry * hx) + rx * ky - ry * kx
            p.hx += hx + kx
            p.hy += hy + ky
            p.mxx += mxx
            p.mxy += mxy
            p.myy += myy
        p.pm += pm + f.rx * py - f.ry * px
        p.px += px
        p.py += py


@kernel
def sweep_out(system, work, bias):
    """Accelerations from the forces left (`eps`), outward; `bias` 0 leaves out gravity and velocities: an impulse."""
    node, frame, dof = system.node, work.frame, work.dof
    ground = frame[0]
    ground.ax, ground.ay = -bias * system.world[0].gravity[0], -bias * system.world[0].gravity[1]
    for i in range(1, node.size):
        n, f = node[i], frame[i]
        p = frame[n.parent]
        al = p.al + bias * f.bw
        ax, ay = p.ax - p.al * f.ry + bias * f.bx, p.ay + p.al * f.rx + bias * f.by
        if n.n_u == 1 and n.kind == REVOLUTE:
            t = dof[n.iu]
            g = (t.eps - t.ux * ax - t.uy * ay) * t.d - t.sm * al
            t.udot = g
            al += t.sm * g
        else:
            for k in range(n.iu, n.iu + n.n_u):
                t = dof[k]
                g = (t.eps - t.um * al - t.ux * ax - t.uy * ay) * t.d
                t.udot = g
                al, ax, ay = al + t.sm * g, ax + t.sx * g, ay + t.sy * g
            if n.driver >= 0:
                dof[n.iu].udot = bias * work.drive[n.driver, 2]
        f.al, f.ax, f.ay = al, ax, ay


@kernel
def close_rows(system, work, q, u):
    """Violation, wrenches of a unit multiplier and velocity terms of each loop row."""
    row, frame, loop = system.row, work.frame, work.loop
    for i in range(row.size):
        r, o = row[i], loop[i]
        if r.kind == COUPLING:
            o.phi = q[r.iq_b] - r.ratio * q[r.iq_a] - r.value
            o.extra = 0.0
            continue
        a, b = frame[r.a], frame[r.b]
        if r.kind == ANGLE:
            o.am, o.bm = -1.0, 1.0
            o.phi = b.th - a.th - r.value
            o.phi -= 2.0 * math.pi * round(o.phi / (2.0 * math.pi))  # the branch nearest to zero
            continue
        # the two points, from their nodes' joint points
        pax, pay = a.c * r.point_a[0] - a.s * r.point_a[1], a.s * r.point_a[0] + a.c * r.point_a[1]
        pbx, pby = b.c * r.point_b[0] - b.s * r.point_b[1], b.s * r.point_b[0] + b.c * r.point_b[1]
        dx, dy = b.x + pbx - a.x - pax, b.y + pby - a.y - pay
        ex, ey = r.axis_a[0], r.axis_a[1]
        if r.kind == ALONG:
            # a direction fixed in a: seen from a, at the place of b's point
            ex, ey = a.c * ex - a.s * ey, a.s * ex + a.c * ey
            pax, pay = pax + dx, pay + dy
        vx = b.vx - b.w * pby - a.vx + a.w * pay
        vy = b.vy + b.w * pbx - a.vy - a.w * pax
        extra = 0.0
        if r.kind == DISTANCE:
            length = math.sqrt(dx * dx + dy * dy)
            ex, ey = dx / length, dy / length
            o.phi = length - r.value
            along = ex * vx + ey * vy
            extra = (vx * vx + vy * vy - along * along) / length
        else:
            o.phi = ex * dx + ey * dy
            if r.kind == ALONG:
                extra = 2.0 * a.w * (ex * vy - ey * vx)
        o.bx, o.by, o.bm = ex, ey, pbx * ey - pby * ex
        o.ax, o.ay, o.am = -ex, -ey, pay * ex - pax * ey
        wa, wb = a.w * a.w, b.w * b.w
        o.extra = extra + ex * (wa * pax - wb * pbx) + ey * (wa * pay - wb * pby)


@kernel
def row_velocity(system, work, u, i):
    """Rate of change of loop row i."""
    r, o = system.row[i], work.loop[i]
    if r.kind == COUPLING:
        return u[r.iu_b] - r.ratio * u[r.iu_a]
    a, b = work.frame[r.a], work.frame[r.b]
    return (o.am * a.w + o.ax * a.vx + o.ay * a.vy) + (o.bm * b.w + o.bx * b.vx + o.by * b.vy)


@kernel
def row_acceleration(system, work, i):
    """Second derivative of loop row i without its velocity terms (`extra`)."""
    r, o = system.row[i], work.loop[i]
    if r.kind == COUPLING:
        return work.dof[r.iu_b].udot - r.ratio * work.dof[r.iu_a].udot
    a, b = work.frame[r.a], work.frame[r.b]
    return (o.am * a.al + o.ax * a.ax + o.ay * a.ay) + (o.bm * b.al + o.bx * b.ax + o.by * b.ay)


@kernel
def respond_row(system, work, i):
    """Response of every speed on the path to a unit multiplier of row i, whitened: A = answer answerᵀ."""
    node, frame, dof, path = system.node, work.frame, work.dof, system.path
    r, o = system.row[i], work.loop[i]
    for j in range(r.path_from, r.path_to):
        f = frame[path[j]]
        f.gm = f.gx = f.gy = 0.0
    if r.kind != COUPLING:
        a, b = frame[r.a], frame[r.b]
        a.gm, a.gx, a.gy = a.gm + o.am, a.gx + o.ax, a.gy + o.ay
        b.gm, b.gx, b.gy = b.gm + o.bm, b.gx + o.bx, b.gy + o.by
    for j in range(r.path_from, r.path_to):
        n, f = node[path[j]], frame[path[j]]
        m, x, y = f.gm, f.gx, f.gy
        for k in range(n.iu + n.n_u - 1, n.iu - 1, -1):
            t = dof[k]
            s = t.sm * m + t.sx * x + t.sy * y
            if r.kind == COUPLING:
                s += (1.0 if k == r.iu_b else 0.0) - r.ratio * (1.0 if k == r.iu_a else 0.0)
            work.answer[i, k] = s * math.sqrt(t.d)
            g = s * t.d
            m, x, y = m - t.um * g, x - t.ux * g, y - t.uy * g
        if n.parent > 0:
            p = frame[n.parent]
            p.gm, p.gx, p.gy = p.gm + m + f.rx * y - f.ry * x, p.gx + x, p.gy + y


@kernel
def rates(system, q, u, qdot_out):
    """Rates of the coordinates: in the plane they are the speeds."""
    for k in range(u.size):
        qdot_out[k] = u[k]


@kernel
def displace(system, work, q):
    """Move the coordinates by a small displacement of the speeds, found in `udot`."""
    for k in range(work.dof.size):
        q[k] += work.dof[k].udot


@kernel
def transmit(system, work):
    """The wrench that each node receives from its parent at the joint point, into `lm, lx, ly`; inward Newton-Euler.

    Call after accelerations; applied wrenches and loop multipliers are counted, the applied wrenches are overwritten.
    """
    node, frame, row, loop = system.node, work.frame, system.row, work.loop
    for i in range(1, node.size):
        n, f = node[i], frame[i]
        m = n.mass
        cx, cy = f.c * n.com[0] - f.s * n.com[1], f.s * n.com[0] + f.c * n.com[1]
        fx = m * (f.ax - f.al * cy - f.w * f.w * cx)
        fy = m * (f.ay + f.al * cx - f.w * f.w * cy)
        f.lx, f.ly, f.lm = fx - f.lx, fy - f.ly, n.inertia * f.al + cx * fy - cy * fx - f.lm
    for i in range(row.size):
        r, o = row[i], loop[i]
        if r.kind != COUPLING:
            a, b = frame[r.a], frame[r.b]
            a.lm, a.lx, a.ly = a.lm - o.lam * o.am, a.lx - o.lam * o.ax, a.ly - o.lam * o.ay
            b.lm, b.lx, b.ly = b.lm - o.lam * o.bm, b.lx - o.lam * o.bx, b.ly - o.lam * o.by
    for i in range(node.size - 1, 0, -1):
        n, f = node[i], frame[i]
        if n.parent > 0:
            p = frame[n.parent]
            p.lm += f.lm + f.rx * f.ly - f.ry * f.lx
            p.lx += f.lx
            p.ly += f.ly


@kernel
def axis_force(system, work, i):
    """Component of the transmitted wrench of node i along its own axis: a driver's force."""
    n, f = system.node[i], work.frame[i]
    if n.kind == REVOLUTE:
        return n.sense * f.lm
    t = work.dof[n.iu]
    return t.sx * f.lx + t.sy * f.ly


@kernel
def read_body(system, work, i, out):
    """Pose, velocity and acceleration of the mass centre of node i: x y θ, vx vy ω, ax ay α."""
    n, f = system.node[i], work.frame[i]
    cx, cy = f.c * n.com[0] - f.s * n.com[1], f.s * n.com[0] + f.c * n.com[1]
    out[0], out[1], out[2] = f.x + cx, f.y + cy, f.th
    out[3], out[4], out[5] = f.vx - f.w * cy, f.vy + f.w * cx, f.w
    w2 = f.w * f.w
    out[6] = f.ax - f.al * cy - w2 * cx + system.world[0].gravity[0]
    out[7] = f.ay + f.al * cx - w2 * cy + system.world[0].gravity[1]
    out[8] = f.al


@kernel
def read_joint(system, work, i, out):
    """Constraint wrench of the inboard joint on node i, at its joint point: force, moment. Call after `transmit`.

    What acts along the joint's own axes is no reaction: springs, friction, couplings, a driver.
    """
    f = work.frame[i]
    fx, fy, m = f.lx, f.ly, f.lm
    for k in range(i - system.node[i].chain, i + 1):
        n = system.node[k]
        if n.kind == FREE:
            fx = fy = m = 0.0
        elif n.kind == PRISMATIC:
            t = work.dof[n.iu]
            along = fx * t.sx + fy * t.sy
            fx, fy = fx - along * t.sx, fy - along * t.sy
    for k in range(i - system.node[i].chain, i + 1):
        if system.node[k].kind == REVOLUTE:
            # no moment about the pin, which may lie a shift away from the joint point of i
            pin = work.frame[k]
            m = (f.y - pin.y) * fx - (f.x - pin.x) * fy
    out[0], out[1], out[2] = fx, fy, m


@kernel
def read_row(system, work, i, out):
    """Force of row i on its body b, and its moment about b's point."""
    r, o = system.row[i], work.loop[i]
    if r.kind == COUPLING:
        out[0] = o.lam  # on the second coordinate
        return
    b = work.frame[r.b]
    px, py = b.c * r.point_b[0] - b.s * r.point_b[1], b.s * r.point_b[0] + b.c * r.point_b[1]
    out[0], out[1] = o.lam * o.bx, o.lam * o.by
    out[2] = o.lam * (o.bm - px * o.by + py * o.bx)
