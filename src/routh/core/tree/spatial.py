"""Bodies in space: the twin of `planar.py`, function by function.

Wrenches and twists are taken at each node's joint point in world axes, moment or turn first. World axes spare the
rotation of articulated inertias from node to node. Ball joints and free bodies are eliminated along the world's
axes; their speeds are body components, converted where speeds are read and accelerations written.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import COUPLING, FREE, LIMIT, PRISMATIC, REVOLUTE, SPHERICAL
from routh.core.tree.rotation import (
    axis_rotation,
    cross,
    dot,
    multiply,
    quaternion_of,
    quaternion_rate,
    rotation,
    turn_quaternion,
    turned,
    turned_back,
)


@kernel
def place_inertia(n, f):
    """Rigid inertia at the joint point in world axes, and the gyroscopic and centrifugal wrench."""
    R, I, m = f.R, n.inertia, n.mass
    c0, c1, c2 = turned(R, n.com)
    J, H, M = f.J, f.H, f.M
    for i in range(3):
        t0 = R[i, 0] * I[0, 0] + R[i, 1] * I[1, 0] + R[i, 2] * I[2, 0]
        t1 = R[i, 0] * I[0, 1] + R[i, 1] * I[1, 1] + R[i, 2] * I[2, 1]
        t2 = R[i, 0] * I[0, 2] + R[i, 1] * I[1, 2] + R[i, 2] * I[2, 2]
        for j in range(i + 1):
            J[i, j] = t0 * R[j, 0] + t1 * R[j, 1] + t2 * R[j, 2]
    J[0, 0] += m * (c1 * c1 + c2 * c2)
    J[1, 1] += m * (c0 * c0 + c2 * c2)
    J[2, 2] += m * (c0 * c0 + c1 * c1)
    J[1, 0] -= m * c0 * c1
    J[2, 0] -= m * c0 * c2
    J[2, 1] -= m * c1 * c2
    h0, h1, h2 = m * c0, m * c1, m * c2
    H[0, 0], H[0, 1], H[0, 2] = 0.0, -h2, h1
    H[1, 0], H[1, 1], H[1, 2] = h2, 0.0, -h0
    H[2, 0], H[2, 1], H[2, 2] = -h1, h0, 0.0
    M[0, 0] = M[1, 1] = M[2, 2] = m
    M[1, 0] = M[2, 0] = M[2, 1] = 0.0
    w0, w1, w2 = f.w[0], f.w[1], f.w[2]
    g0 = J[0, 0] * w0 + J[1, 0] * w1 + J[2, 0] * w2
    g1 = J[1, 0] * w0 + J[1, 1] * w1 + J[2, 1] * w2
    g2 = J[2, 0] * w0 + J[2, 1] * w1 + J[2, 2] * w2
    f.pm[0], f.pm[1], f.pm[2] = cross(w0, w1, w2, g0, g1, g2)
    k0, k1, k2 = cross(w0, w1, w2, h0, h1, h2)
    f.pf[0], f.pf[1], f.pf[2] = cross(w0, w1, w2, k0, k1, k2)
    for j in range(3):
        f.lm[j] = f.lf[j] = 0.0


@kernel
def place(system, work, q, u):
    """Poses, velocities and bias accelerations of all nodes, outward; own inertia and bias wrench beside them."""
    node, frame, dof = system.node, work.frame, work.dof
    ground = frame[0]
    for j in range(3):
        ground.R[j, j] = 1.0
        ground.a[j] = -system.world[0].gravity[j]  # falling frame: gravity needs no forces
    for i in range(1, node.size):
        n, f = node[i], frame[i]
        p = frame[n.parent]
        kind = n.kind
        if kind == FREE:
            rotation(q, n.iq + 3, f.R)
            for j in range(3):
                f.x[j] = f.r[j] = q[n.iq + j]
                f.v[j] = u[n.iu + j]
                f.bw[j] = f.bv[j] = 0.0
            f.w[0], f.w[1], f.w[2] = turned(f.R, u[n.iu + 3:n.iu + 6])
            place_inertia(n, f)
            continue
        r0, r1, r2 = turned(p.R, n.at)
        w0, w1, w2 = p.w[0], p.w[1], p.w[2]
        s0 = s1 = s2 = 0.0    # relative angular velocity
        l0 = l1 = l2 = 0.0    # relative velocity of the joint point
        acc = work.drive[n.driver, 2] if n.driver >= 0 else 0.0
        turn_acc = shift_acc = 0.0
        e0 = e1 = e2 = 0.0
        if kind == REVOLUTE or kind == PRISMATIC:
            e0, e1, e2 = turned(p.R, n.axis)
            k = dof[n.iu]
            angle, spin = (q[n.iq], u[n.iu]) if kind == REVOLUTE else (0.0, 0.0)
            shift, speed = (n.pitch * angle, n.pitch * spin) if kind == REVOLUTE else (q[n.iq], u[n.iu])
            turn_acc, shift_acc = (acc, n.pitch * acc) if kind == REVOLUTE else (0.0, acc)
            ratio_w, ratio_v = (1.0, n.pitch) if kind == REVOLUTE else (0.0, 1.0)
            k.sw[0], k.sw[1], k.sw[2] = ratio_w * e0, ratio_w * e1, ratio_w * e2
            k.sv[0], k.sv[1], k.sv[2] = ratio_v * e0, ratio_v * e1, ratio_v * e2
            s0, s1, s2 = e0 * spin, e1 * spin, e2 * spin
            l0, l1, l2 = e0 * speed, e1 * speed, e2 * speed
            r0, r1, r2 = r0 + e0 * shift, r1 + e1 * shift, r2 + e2 * shift
        if kind == REVOLUTE:
            axis_rotation(n.axis, q[n.iq], f.T)
            if n.aligned == 1:
                multiply(p.R, f.T, f.R)
            else:
                multiply(f.T, n.turn, f.T2)
                multiply(p.R, f.T2, f.R)
        elif kind == SPHERICAL:
            rotation(q, n.iq, f.T)
            multiply(p.R, f.T, f.R)
            s0, s1, s2 = turned(f.R, u[n.iu:n.iu + 3])
        else:
            multiply(p.R, n.turn, f.R)
        f.r[0], f.r[1], f.r[2] = r0, r1, r2
        f.x[0], f.x[1], f.x[2] = p.x[0] + r0, p.x[1] + r1, p.x[2] + r2
        f.w[0], f.w[1], f.w[2] = w0 + s0, w1 + s1, w2 + s2
        c0, c1, c2 = cross(w0, w1, w2, r0, r1, r2)
        f.v[0], f.v[1], f.v[2] = p.v[0] + c0 + l0, p.v[1] + c1 + l1, p.v[2] + c2 + l2
        d0, d1, d2 = cross(w0, w1, w2, s0, s1, s2)
        f.bw[0], f.bw[1], f.bw[2] = d0 + e0 * turn_acc, d1 + e1 * turn_acc, d2 + e2 * turn_acc
        d0, d1, d2 = cross(w0, w1, w2, c0 + 2.0 * l0, c1 + 2.0 * l1, c2 + 2.0 * l2)
        f.bv[0], f.bv[1], f.bv[2] = d0 + e0 * shift_acc, d1 + e1 * shift_acc, d2 + e2 * shift_acc
        place_inertia(n, f)


@kernel
def sweep_in(system, work):
    """Articulated inertias and bias wrenches, inward ([featherstone2008], ch. 7, at the joint points in world axes)."""
    node, frame, dof = system.node, work.frame, work.dof
    for i in range(node.size - 1, 0, -1):
        n, f = node[i], frame[i]
        p = frame[n.parent]
        j00, j10, j11, j20, j21, j22 = f.J[0, 0], f.J[1, 0], f.J[1, 1], f.J[2, 0], f.J[2, 1], f.J[2, 2]
        m00, m10, m11, m20, m21, m22 = f.M[0, 0], f.M[1, 0], f.M[1, 1], f.M[2, 0], f.M[2, 1], f.M[2, 2]
        h00, h01, h02 = f.H[0, 0], f.H[0, 1], f.H[0, 2]
        h10, h11, h12 = f.H[1, 0], f.H[1, 1], f.H[1, 2]
        h20, h21, h22 = f.H[2, 0], f.H[2, 1], f.H[2, 2]
        pm0, pm1, pm2 = f.pm[0] - f.lm[0], f.pm[1] - f.lm[1], f.pm[2] - f.lm[2]
        pf0, pf1, pf2 = f.pf[0] - f.lf[0], f.pf[1] - f.lf[1], f.pf[2] - f.lf[2]
        turns = n.kind != PRISMATIC
        shifts = n.kind == PRISMATIC or n.kind == FREE or n.pitch != 0.0

        for k in range(n.iu + n.n_u - 1, n.iu - 1, -1):
            t = dof[k]
            if n.n_u > 1:
                # the world's axes one by one: shifts first for a free body, then turns
                for j in range(3):
                    t.sv[j] = (1.0 if n.kind == FREE and k == n.iu + j else 0.0)
                    t.sw[j] = (1.0 if k == n.iu + n.n_u - 3 + j else 0.0)
            a0 = a1 = a2 = b0 = b1 = b2 = d = 0.0
            eps = t.tau
            if turns:
                s0, s1, s2 = t.sw[0], t.sw[1], t.sw[2]
                a0, a1, a2 = j00 * s0 + j10 * s1 + j20 * s2, j10 * s0 + j11 * s1 + j21 * s2, j20 * s0 + j21 * s1 + j22 * s2
                b0, b1, b2 = h00 * s0 + h10 * s1 + h20 * s2, h01 * s0 + h11 * s1 + h21 * s2, h02 * s0 + h12 * s1 + h22 * s2
                eps -= s0 * pm0 + s1 * pm1 + s2 * pm2
            if shifts:
                s0, s1, s2 = t.sv[0], t.sv[1], t.sv[2]
                a0, a1, a2 = (a0 + h00 * s0 + h01 * s1 + h02 * s2, a1 + h10 * s0 + h11 * s1 + h12 * s2,
                              a2 + h20 * s0 + h21 * s1 + h22 * s2)
                b0, b1, b2 = (b0 + m00 * s0 + m10 * s1 + m20 * s2, b1 + m10 * s0 + m11 * s1 + m21 * s2,
                              b2 + m20 * s0 + m21 * s1 + m22 * s2)
                eps -= s0 * pf0 + s1 * pf1 + s2 * pf2
                d = s0 * b0 + s1 * b1 + s2 * b2
            if turns:
                d += t.sw[0] * a0 + t.sw[1] * a1 + t.sw[2] * a2
            d = 1.0 / d
            t.um[0], t.um[1], t.um[2] = a0, a1, a2
            t.uf[0], t.uf[1], t.uf[2] = b0, b1, b2
            t.d, t.root, t.eps = d, math.sqrt(d), eps
            g = eps * d
            pm0, pm1, pm2 = pm0 + a0 * g, pm1 + a1 * g, pm2 + a2 * g
            pf0, pf1, pf2 = pf0 + b0 * g, pf1 + b1 * g, pf2 + b2 * g
            c0, c1, c2 = a0 * d, a1 * d, a2 * d
            j00, j10, j11 = j00 - a0 * c0, j10 - a1 * c0, j11 - a1 * c1
            j20, j21, j22 = j20 - a2 * c0, j21 - a2 * c1, j22 - a2 * c2
            h00, h01, h02 = h00 - c0 * b0, h01 - c0 * b1, h02 - c0 * b2
            h10, h11, h12 = h10 - c1 * b0, h11 - c1 * b1, h12 - c1 * b2
            h20, h21, h22 = h20 - c2 * b0, h21 - c2 * b1, h22 - c2 * b2
            c0, c1, c2 = b0 * d, b1 * d, b2 * d
            m00, m10, m11 = m00 - b0 * c0, m10 - b1 * c0, m11 - b1 * c1
            m20, m21, m22 = m20 - b2 * c0, m21 - b2 * c1, m22 - b2 * c2
        if n.kind == FREE:
            continue  # nothing reaches the ground

        # bias accelerations, then the shift to the parent's joint point
        w0, w1, w2, v0, v1, v2 = f.bw[0], f.bw[1], f.bw[2], f.bv[0], f.bv[1], f.bv[2]
        pm0 += j00 * w0 + j10 * w1 + j20 * w2 + h00 * v0 + h01 * v1 + h02 * v2
        pm1 += j10 * w0 + j11 * w1 + j21 * w2 + h10 * v0 + h11 * v1 + h12 * v2
        pm2 += j20 * w0 + j21 * w1 + j22 * w2 + h20 * v0 + h21 * v1 + h22 * v2
        pf0 += h00 * w0 + h10 * w1 + h20 * w2 + m00 * v0 + m10 * v1 + m20 * v2
        pf1 += h01 * w0 + h11 * w1 + h21 * w2 + m10 * v0 + m11 * v1 + m21 * v2
        pf2 += h02 * w0 + h12 * w1 + h22 * w2 + m20 * v0 + m21 * v1 + m22 * v2
        r0, r1, r2 = f.r[0], f.r[1], f.r[2]
        p.pm[0] += pm0 + r1 * pf2 - r2 * pf1
        p.pm[1] += pm1 + r2 * pf0 - r0 * pf2
        p.pm[2] += pm2 + r0 * pf1 - r1 * pf0
        p.pf[0] += pf0
        p.pf[1] += pf1
        p.pf[2] += pf2
        k00, k01, k02 = r1 * m20 - r2 * m10, r1 * m21 - r2 * m11, r1 * m22 - r2 * m21
        k10, k11, k12 = r2 * m00 - r0 * m20, r2 * m10 - r0 * m21, r2 * m20 - r0 * m22
        k20, k21, k22 = r0 * m10 - r1 * m00, r0 * m11 - r1 * m10, r0 * m21 - r1 * m20
        # Q = (H + K/2)[r×], J' = J - Q - Qᵀ
        g00, g01, g02 = h00 + 0.5 * k00, h01 + 0.5 * k01, h02 + 0.5 * k02
        g10, g11, g12 = h10 + 0.5 * k10, h11 + 0.5 * k11, h12 + 0.5 * k12
        g20, g21, g22 = h20 + 0.5 * k20, h21 + 0.5 * k21, h22 + 0.5 * k22
        p.J[0, 0] += j00 - 2.0 * (g01 * r2 - g02 * r1)
        p.J[1, 1] += j11 - 2.0 * (g12 * r0 - g10 * r2)
        p.J[2, 2] += j22 - 2.0 * (g20 * r1 - g21 * r0)
        p.J[1, 0] += j10 - (g11 * r2 - g12 * r1) - (g02 * r0 - g00 * r2)
        p.J[2, 0] += j20 - (g21 * r2 - g22 * r1) - (g00 * r1 - g01 * r0)
        p.J[2, 1] += j21 - (g22 * r0 - g20 * r2) - (g10 * r1 - g11 * r0)
        p.H[0, 0] += h00 + k00
        p.H[0, 1] += h01 + k01
        p.H[0, 2] += h02 + k02
        p.H[1, 0] += h10 + k10
        p.H[1, 1] += h11 + k11
        p.H[1, 2] += h12 + k12
        p.H[2, 0] += h20 + k20
        p.H[2, 1] += h21 + k21
        p.H[2, 2] += h22 + k22
        p.M[0, 0] += m00
        p.M[1, 0] += m10
        p.M[1, 1] += m11
        p.M[2, 0] += m20
        p.M[2, 1] += m21
        p.M[2, 2] += m22


@kernel
def sweep_out(system, work, bias):
    """Accelerations from the forces left (`eps`), outward; `bias` 0 leaves out gravity and velocities: an impulse."""
    node, frame, dof = system.node, work.frame, work.dof
    for j in range(3):
        frame[0].a[j] = -bias * system.world[0].gravity[j]
    for i in range(1, node.size):
        n, f = node[i], frame[i]
        p = frame[n.parent]
        l0, l1, l2 = p.al[0], p.al[1], p.al[2]
        c0, c1, c2 = cross(l0, l1, l2, f.r[0], f.r[1], f.r[2])
        a0, a1, a2 = p.a[0] + c0 + bias * f.bv[0], p.a[1] + c1 + bias * f.bv[1], p.a[2] + c2 + bias * f.bv[2]
        l0, l1, l2 = l0 + bias * f.bw[0], l1 + bias * f.bw[1], l2 + bias * f.bw[2]
        for k in range(n.iu, n.iu + n.n_u):
            t = dof[k]
            g = (t.eps - (t.um[0] * l0 + t.um[1] * l1 + t.um[2] * l2)
                 - (t.uf[0] * a0 + t.uf[1] * a1 + t.uf[2] * a2)) * t.d
            t.udot = g
            l0, l1, l2 = l0 + t.sw[0] * g, l1 + t.sw[1] * g, l2 + t.sw[2] * g
            a0, a1, a2 = a0 + t.sv[0] * g, a1 + t.sv[1] * g, a2 + t.sv[2] * g
        if n.driver >= 0:
            dof[n.iu].udot = bias * work.drive[n.driver, 2]
        if n.n_u > 1:
            # angular accelerations of ball joints and free bodies, from world to body axes
            k = n.iu + n.n_u - 3
            g0, g1, g2 = dof[k].udot, dof[k + 1].udot, dof[k + 2].udot
            for j in range(3):
                dof[k + j].udot = f.R[0, j] * g0 + f.R[1, j] * g1 + f.R[2, j] * g2
        f.al[0], f.al[1], f.al[2] = l0, l1, l2
        f.a[0], f.a[1], f.a[2] = a0, a1, a2


@kernel
def rates(system, q, u, qdot_out):
    """Rates of the coordinates: the speeds, but for quaternions."""
    for i in range(1, system.node.size):
        n = system.node[i]
        if n.kind == REVOLUTE or n.kind == PRISMATIC:
            qdot_out[n.iq] = u[n.iu]
        elif n.kind == SPHERICAL:
            quaternion_rate(q, n.iq, u[n.iu], u[n.iu + 1], u[n.iu + 2], qdot_out, n.iq)
        elif n.kind == FREE:
            for j in range(3):
                qdot_out[n.iq + j] = u[n.iu + j]
            quaternion_rate(q, n.iq + 3, u[n.iu + 3], u[n.iu + 4], u[n.iu + 5], qdot_out, n.iq + 3)


@kernel
def displace(system, work, q):
    """Move the coordinates by a small displacement of the speeds, found in `udot`; quaternions get unit length."""
    dof = work.dof
    for i in range(1, system.node.size):
        n = system.node[i]
        if n.kind == REVOLUTE or n.kind == PRISMATIC:
            q[n.iq] += dof[n.iu].udot
        elif n.kind == SPHERICAL:
            turn_quaternion(q, n.iq, dof[n.iu].udot, dof[n.iu + 1].udot, dof[n.iu + 2].udot)
        elif n.kind == FREE:
            for j in range(3):
                q[n.iq + j] += dof[n.iu + j].udot
            turn_quaternion(q, n.iq + 3, dof[n.iu + 3].udot, dof[n.iu + 4].udot, dof[n.iu + 5].udot)


@kernel
def withhold(work, r, o):
    """Take the wrenches of row r's multiplier off what the two nodes must receive through their joints."""
    frame = work.frame
    a, b = frame[r.a], frame[r.b]
    for j in range(3):
        a.jm[j] -= o.lam * o.am[j]
        a.jf[j] -= o.lam * o.af[j]
        b.jm[j] -= o.lam * o.bm[j]
        b.jf[j] -= o.lam * o.bf[j]


@kernel
def transmit(system, work):
    """The wrench that each node receives from its parent at the joint point, into `jm, jf`; inward Newton-Euler.

    Call after accelerations; applied wrenches and the multipliers of loops and closed contacts are counted.
    """
    node, frame, row, loop = system.node, work.frame, system.row, work.loop
    for i in range(1, node.size):
        n, f = node[i], frame[i]
        place_wrench(n, f)
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
            c0, c1, c2 = cross(f.r[0], f.r[1], f.r[2], f.jf[0], f.jf[1], f.jf[2])
            p.jm[0] += f.jm[0] + c0
            p.jm[1] += f.jm[1] + c1
            p.jm[2] += f.jm[2] + c2
            for j in range(3):
                p.jf[j] += f.jf[j]


@kernel
def place_wrench(n, f):
    """Rate of momentum of one node less its applied wrench, at the joint point, into `jm, jf`."""
    R, I, m = f.R, n.inertia, n.mass
    c0, c1, c2 = turned(R, n.com)
    w0, w1, w2, l0, l1, l2 = f.w[0], f.w[1], f.w[2], f.al[0], f.al[1], f.al[2]
    d0, d1, d2 = cross(l0, l1, l2, c0, c1, c2)
    e0, e1, e2 = cross(w0, w1, w2, c0, c1, c2)
    e0, e1, e2 = cross(w0, w1, w2, e0, e1, e2)
    f0, f1, f2 = m * (f.a[0] + d0 + e0), m * (f.a[1] + d1 + e1), m * (f.a[2] + d2 + e2)
    # moment about the mass centre in body axes: I α + ω × I ω
    wb0, wb1, wb2 = turned_back(R, (w0, w1, w2))
    lb0, lb1, lb2 = turned_back(R, (l0, l1, l2))
    g0, g1, g2 = turned(I, (wb0, wb1, wb2))
    h0, h1, h2 = cross(wb0, wb1, wb2, g0, g1, g2)
    k0, k1, k2 = turned(I, (lb0, lb1, lb2))
    m0, m1, m2 = turned(R, (k0 + h0, k1 + h1, k2 + h2))
    d0, d1, d2 = cross(c0, c1, c2, f0, f1, f2)
    f.jm[0], f.jm[1], f.jm[2] = m0 + d0 - f.lm[0], m1 + d1 - f.lm[1], m2 + d2 - f.lm[2]
    f.jf[0], f.jf[1], f.jf[2] = f0 - f.lf[0], f1 - f.lf[1], f2 - f.lf[2]


@kernel
def axis_force(system, work, i):
    """Component of the transmitted wrench of node i along its own axis: a driver's force."""
    f, t = work.frame[i], work.dof[system.node[i].iu]
    return dot(t.sw, f.jm) + dot(t.sv, f.jf)


@kernel
def read_body(system, work, i, out):
    """Pose, velocity and acceleration of the frame of the body at node i: x (3), q (4), v (3), ω (3), a (3), α (3)."""
    n, f = system.node[i], work.frame[i]
    c0, c1, c2 = turned(f.R, n.origin)
    w0, w1, w2 = f.w[0], f.w[1], f.w[2]
    d0, d1, d2 = cross(w0, w1, w2, c0, c1, c2)
    e0, e1, e2 = cross(w0, w1, w2, d0, d1, d2)
    g0, g1, g2 = cross(f.al[0], f.al[1], f.al[2], c0, c1, c2)
    quaternion_of(f.R, out[3:7])
    out[0], out[1], out[2] = f.x[0] + c0, f.x[1] + c1, f.x[2] + c2
    out[7], out[8], out[9] = f.v[0] + d0, f.v[1] + d1, f.v[2] + d2
    out[13], out[14], out[15] = f.a[0] + e0 + g0, f.a[1] + e1 + g1, f.a[2] + e2 + g2
    for j in range(3):
        out[13 + j] += system.world[0].gravity[j]
        out[10 + j], out[16 + j] = f.w[j], f.al[j]


@kernel
def read_joint(system, work, i, out):
    """Constraint wrench of the inboard joint on node i, at its joint point: force, moment. Call after `transmit`.

    What acts along the joint's own axes is no reaction: springs, friction, couplings, a driver.
    """
    f = work.frame[i]
    g0, g1, g2 = f.jf[0], f.jf[1], f.jf[2]
    m0, m1, m2 = f.jm[0], f.jm[1], f.jm[2]
    for k in range(i - system.node[i].chain, i + 1):
        n = system.node[k]
        if n.kind == SPHERICAL or n.kind == FREE:
            m0 = m1 = m2 = 0.0
        if n.kind == FREE:
            g0 = g1 = g2 = 0.0
        if n.kind == PRISMATIC:
            e = work.dof[n.iu].sv
            along = e[0] * g0 + e[1] * g1 + e[2] * g2
            g0, g1, g2 = g0 - along * e[0], g1 - along * e[1], g2 - along * e[2]
    turns = 0
    a0 = a1 = a2 = 0.0
    for k in range(i - system.node[i].chain, i + 1):
        n = system.node[k]
        if n.kind == REVOLUTE:
            e = work.dof[n.iu].sw
            turns += 1
            if turns == 2:
                # two axes: what is left is the moment about their common normal
                c0, c1, c2 = cross(a0, a1, a2, e[0], e[1], e[2])
                along = (m0 * c0 + m1 * c1 + m2 * c2) / (c0 * c0 + c1 * c1 + c2 * c2)
                m0, m1, m2 = along * c0, along * c1, along * c2
            else:
                # about the axis itself, which may lie a shift away from the joint point of i
                a0, a1, a2 = e[0], e[1], e[2]
                p = work.frame[k]
                c0, c1, c2 = cross(f.x[0] - p.x[0], f.x[1] - p.x[1], f.x[2] - p.x[2], g0, g1, g2)
                along = a0 * (m0 + c0) + a1 * (m1 + c1) + a2 * (m2 + c2) + n.pitch * (a0 * g0 + a1 * g1 + a2 * g2)
                m0, m1, m2 = m0 - along * a0, m1 - along * a1, m2 - along * a2
    out[0], out[1], out[2], out[3], out[4], out[5] = g0, g1, g2, m0, m1, m2
