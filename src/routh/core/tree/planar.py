"""Bodies in the plane: the twin of `spatial.py`, function by function.

Wrenches and twists are taken at each node's joint point in world axes, moment or turn first. At a pin the axis is then
(1, 0, 0): elimination leaves only the 2 × 2 block of forces, which is what makes the plane cheap.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import COUPLING, FREE, LIMIT, PRISMATIC, REVOLUTE


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
            t.um, t.ux, t.uy, t.d, t.root, t.eps = sense * f.J, sense * hx, sense * hy, d, math.sqrt(d), eps
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
                t.um, t.ux, t.uy, t.d, t.root, t.eps = um, ux, uy, d, math.sqrt(d), eps
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
def withhold(work, r, o):
    """Take the wrenches of row r's multiplier off what the two nodes must receive through their joints."""
    frame = work.frame
    a, b = frame[r.a], frame[r.b]
    a.jm, a.jx, a.jy = a.jm - o.lam * o.am, a.jx - o.lam * o.ax, a.jy - o.lam * o.ay
    b.jm, b.jx, b.jy = b.jm - o.lam * o.bm, b.jx - o.lam * o.bx, b.jy - o.lam * o.by


@kernel
def transmit(system, work):
    """The wrench that each node receives from its parent at the joint point, into `jm, jx, jy`; inward Newton-Euler.

    Call after accelerations; applied wrenches and the multipliers of loops and closed contacts are counted.
    """
    node, frame, row, loop = system.node, work.frame, system.row, work.loop
    for i in range(1, node.size):
        n, f = node[i], frame[i]
        m = n.mass
        cx, cy = f.c * n.com[0] - f.s * n.com[1], f.s * n.com[0] + f.c * n.com[1]
        fx = m * (f.ax - f.al * cy - f.w * f.w * cx)
        fy = m * (f.ay + f.al * cx - f.w * f.w * cy)
        f.jx, f.jy, f.jm = fx - f.lx, fy - f.ly, n.inertia * f.al + cx * fy - cy * fx - f.lm
    for i in range(row.size):
        if row[i].kind != COUPLING:
            withhold(work, row[i], loop[i])
    held = work.held
    for j in range(held[held.size - 1]):
        if system.hold[held[j]].kind < COUPLING or system.hold[held[j]].kind > LIMIT:
            withhold(work, system.hold[held[j]], work.hold[held[j]])
    for i in range(node.size - 1, 0, -1):
        n, f = node[i], frame[i]
        if n.parent > 0:
            p = frame[n.parent]
            p.jm += f.jm + f.rx * f.jy - f.ry * f.jx
            p.jx += f.jx
            p.jy += f.jy


@kernel
def axis_force(system, work, i):
    """Component of the transmitted wrench of node i along its own axis: a driver's force."""
    n, f = system.node[i], work.frame[i]
    if n.kind == REVOLUTE:
        return n.sense * f.jm
    t = work.dof[n.iu]
    return t.sx * f.jx + t.sy * f.jy


@kernel
def read_body(system, work, i, out):
    """Pose, velocity and acceleration of the frame of the body at node i: x y θ, vx vy ω, ax ay α."""
    n, f = system.node[i], work.frame[i]
    cx, cy = f.c * n.origin[0] - f.s * n.origin[1], f.s * n.origin[0] + f.c * n.origin[1]
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
    fx, fy, m = f.jx, f.jy, f.jm
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
