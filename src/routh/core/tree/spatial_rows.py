"""Loop rows in space: violation, rates, response. The twin of `planar_rows.py`, function by function."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import COUPLING, DISTANCE, DOT, HELIX, LIMIT, POINT, SPEEDS
from routh.core.tree.rotation import cross, dot, turned


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
        wa0, wa1, wa2 = a.w[0], a.w[1], a.w[2]
        wb0, wb1, wb2 = b.w[0], b.w[1], b.w[2]
        s0, s1, s2 = wb0 - wa0, wb1 - wa1, wb2 - wa2
        e0, e1, e2 = turned(a.R, r.axis_a)
        if r.kind == DOT:
            # d/dt (e · g) = (g × e) · (ω_b - ω_a)
            g0, g1, g2 = turned(b.R, r.axis_b)
            m0, m1, m2 = cross(g0, g1, g2, e0, e1, e2)
            o.phi = e0 * g0 + e1 * g1 + e2 * g2 - r.value
            o.bm[0], o.bm[1], o.bm[2] = m0, m1, m2
            o.am[0], o.am[1], o.am[2] = -m0, -m1, -m2
            c0, c1, c2 = cross(wb0, wb1, wb2, g0, g1, g2)
            c0, c1, c2 = cross(c0, c1, c2, e0, e1, e2)
            d0, d1, d2 = cross(wa0, wa1, wa2, e0, e1, e2)
            d0, d1, d2 = cross(g0, g1, g2, d0, d1, d2)
            o.extra = (c0 + d0) * s0 + (c1 + d1) * s1 + (c2 + d2) * s2
            continue

        # the two points, from their nodes' joint points
        pa0, pa1, pa2 = turned(a.R, r.point_a)
        pb0, pb1, pb2 = turned(b.R, r.point_b)
        d0, d1, d2 = b.x[0] + pb0 - a.x[0] - pa0, b.x[1] + pb1 - a.x[1] - pa1, b.x[2] + pb2 - a.x[2] - pa2
        if r.kind == POINT:
            e0, e1, e2 = r.axis_a[0], r.axis_a[1], r.axis_a[2]
        elif r.kind != DISTANCE:
            # a direction fixed in a: seen from a, at the place of b's point
            pa0, pa1, pa2 = pa0 + d0, pa1 + d1, pa2 + d2
        ua0, ua1, ua2 = cross(wa0, wa1, wa2, pa0, pa1, pa2)
        ub0, ub1, ub2 = cross(wb0, wb1, wb2, pb0, pb1, pb2)
        v0, v1, v2 = b.v[0] + ub0 - a.v[0] - ua0, b.v[1] + ub1 - a.v[1] - ua1, b.v[2] + ub2 - a.v[2] - ua2
        ca0, ca1, ca2 = cross(wa0, wa1, wa2, ua0, ua1, ua2)
        cb0, cb1, cb2 = cross(wb0, wb1, wb2, ub0, ub1, ub2)
        extra = 0.0
        if r.kind == DISTANCE:
            length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
            e0, e1, e2 = d0 / length, d1 / length, d2 / length
            o.phi = length - r.value
            along = e0 * v0 + e1 * v1 + e2 * v2
            extra = (v0 * v0 + v1 * v1 + v2 * v2 - along * along) / length
        else:
            o.phi = e0 * d0 + e1 * d1 + e2 * d2
            if r.kind != POINT:
                c0, c1, c2 = cross(wa0, wa1, wa2, v0, v1, v2)
                extra = -2.0 * (e0 * c0 + e1 * c1 + e2 * c2)
        m0, m1, m2 = cross(pb0, pb1, pb2, e0, e1, e2)
        n0, n1, n2 = cross(pa0, pa1, pa2, e0, e1, e2)
        if r.kind == HELIX:
            # shift along the axis less pitch × angle, on the branch nearest to zero
            h0, h1, h2 = turned(a.R, r.normal_a)
            g0, g1, g2 = turned(b.R, r.axis_b)
            c0, c1, c2 = cross(h0, h1, h2, g0, g1, g2)
            angle = math.atan2(c0 * e0 + c1 * e1 + c2 * e2, h0 * g0 + h1 * g1 + h2 * g2)
            gap = o.phi - r.ratio * angle
            if r.ratio != 0.0:
                gap -= 2.0 * math.pi * r.ratio * round(gap / (2.0 * math.pi * r.ratio))
            o.phi = gap
            m0, m1, m2 = m0 - r.ratio * e0, m1 - r.ratio * e1, m2 - r.ratio * e2
            n0, n1, n2 = n0 - r.ratio * e0, n1 - r.ratio * e1, n2 - r.ratio * e2
            c0, c1, c2 = cross(wa0, wa1, wa2, e0, e1, e2)
            extra -= r.ratio * (c0 * s0 + c1 * s1 + c2 * s2)
        o.bf[0], o.bf[1], o.bf[2] = e0, e1, e2
        o.bm[0], o.bm[1], o.bm[2] = m0, m1, m2
        o.af[0], o.af[1], o.af[2] = -e0, -e1, -e2
        o.am[0], o.am[1], o.am[2] = -n0, -n1, -n2
        o.extra = extra + e0 * (cb0 - ca0) + e1 * (cb1 - ca1) + e2 * (cb2 - ca2)


@kernel
def row_velocity(system, work, u, r, o):
    """Rate of change of row r with its moving part o."""
    if r.kind == COUPLING:
        return u[r.iu_b] - r.ratio * u[r.iu_a]
    if r.kind == LIMIT:
        return r.ratio * u[r.iu_b]
    if r.kind == SPEEDS:
        return o.bm[0] * u[r.iu_b] + o.am[0] * u[r.iu_a]
    a, b = work.frame[r.a], work.frame[r.b]
    return dot(o.am, a.w) + dot(o.af, a.v) + dot(o.bm, b.w) + dot(o.bf, b.v)


@kernel
def row_acceleration(system, work, r, o):
    """Second derivative of row r without its velocity terms (`extra`)."""
    if r.kind == COUPLING:
        return work.dof[r.iu_b].udot - r.ratio * work.dof[r.iu_a].udot
    if r.kind == LIMIT:
        return r.ratio * work.dof[r.iu_b].udot
    if r.kind == SPEEDS:
        return o.bm[0] * work.dof[r.iu_b].udot + o.am[0] * work.dof[r.iu_a].udot
    a, b = work.frame[r.a], work.frame[r.b]
    return dot(o.am, a.al) + dot(o.af, a.a) + dot(o.bm, b.al) + dot(o.bf, b.a)


@kernel
def respond_row(system, work, r, o, answer):
    """Response of every speed on the path to a unit multiplier of row r, whitened: A = answer answerᵀ."""
    node, frame, dof, path = system.node, work.frame, work.dof, system.path
    for j in range(r.path_from, r.path_to):
        f = frame[path[j]]
        for i3 in range(3):
            f.gm[i3] = f.gf[i3] = 0.0
    if r.kind < COUPLING or r.kind > LIMIT:
        a, b = frame[r.a], frame[r.b]
        for j in range(3):
            a.gm[j] += o.am[j]
            a.gf[j] += o.af[j]
            b.gm[j] += o.bm[j]
            b.gf[j] += o.bf[j]
    for j in range(r.path_from, r.path_to):
        n, f = node[path[j]], frame[path[j]]
        m0, m1, m2, x0, x1, x2 = f.gm[0], f.gm[1], f.gm[2], f.gf[0], f.gf[1], f.gf[2]
        for k in range(n.iu + n.n_u - 1, n.iu - 1, -1):
            t = dof[k]
            s = (t.sw[0] * m0 + t.sw[1] * m1 + t.sw[2] * m2) + (t.sv[0] * x0 + t.sv[1] * x1 + t.sv[2] * x2)
            if r.kind == COUPLING:
                s += (1.0 if k == r.iu_b else 0.0) - r.ratio * (1.0 if k == r.iu_a else 0.0)
            elif r.kind == LIMIT:
                s += r.ratio * (1.0 if k == r.iu_b else 0.0)
            elif r.kind == SPEEDS:
                s += (o.bm[0] if k == r.iu_b else 0.0) + (o.am[0] if k == r.iu_a else 0.0)
            answer[k] = s * t.root
            g = s * t.d
            m0, m1, m2 = m0 - t.um[0] * g, m1 - t.um[1] * g, m2 - t.um[2] * g
            x0, x1, x2 = x0 - t.uf[0] * g, x1 - t.uf[1] * g, x2 - t.uf[2] * g
        if n.parent > 0:
            p = frame[n.parent]
            c0, c1, c2 = cross(f.r[0], f.r[1], f.r[2], x0, x1, x2)
            p.gm[0] += m0 + c0
            p.gm[1] += m1 + c1
            p.gm[2] += m2 + c2
            p.gf[0] += x0
            p.gf[1] += x1
            p.gf[2] += x2


@kernel
def read_row(system, work, i, out):
    """Force of row i on its body b, and its moment about b's point."""
    r, o = system.row[i], work.loop[i]
    if r.kind == COUPLING:
        out[0] = o.lam  # on the second coordinate
        return
    p0, p1, p2 = turned(work.frame[r.b].R, r.point_b)
    c0, c1, c2 = cross(p0, p1, p2, o.bf[0], o.bf[1], o.bf[2])
    for j in range(3):
        out[j] = o.lam * o.bf[j]
    out[3], out[4], out[5] = o.lam * (o.bm[0] - c0), o.lam * (o.bm[1] - c1), o.lam * (o.bm[2] - c2)
