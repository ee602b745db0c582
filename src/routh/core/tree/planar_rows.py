"""Loop rows in the plane: violation, rates, response. The twin of `spatial_rows.py`, function by function."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import ALONG, ANGLE, COUPLING, DISTANCE, LIMIT, SPEEDS


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
def row_velocity(system, work, u, r, o):
    """Rate of change of row r with its moving part o."""
    if r.kind == COUPLING:
        return u[r.iu_b] - r.ratio * u[r.iu_a]
    if r.kind == LIMIT:
        return r.ratio * u[r.iu_b]
    if r.kind == SPEEDS:
        return o.bm * u[r.iu_b] + o.am * u[r.iu_a]
    a, b = work.frame[r.a], work.frame[r.b]
    return (o.am * a.w + o.ax * a.vx + o.ay * a.vy) + (o.bm * b.w + o.bx * b.vx + o.by * b.vy)


@kernel
def row_acceleration(system, work, r, o):
    """Second derivative of row r without its velocity terms (`extra`)."""
    if r.kind == COUPLING:
        return work.dof[r.iu_b].udot - r.ratio * work.dof[r.iu_a].udot
    if r.kind == LIMIT:
        return r.ratio * work.dof[r.iu_b].udot
    if r.kind == SPEEDS:
        return o.bm * work.dof[r.iu_b].udot + o.am * work.dof[r.iu_a].udot
    a, b = work.frame[r.a], work.frame[r.b]
    return (o.am * a.al + o.ax * a.ax + o.ay * a.ay) + (o.bm * b.al + o.bx * b.ax + o.by * b.ay)


@kernel
def respond_row(system, work, r, o, answer):
    """Response of every speed on the path to a unit multiplier of row r, whitened: A = answer answerᵀ."""
    node, frame, dof, path = system.node, work.frame, work.dof, system.path
    for j in range(r.path_from, r.path_to):
        f = frame[path[j]]
        f.gm = f.gx = f.gy = 0.0
    if r.kind < COUPLING or r.kind > LIMIT:
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
            elif r.kind == LIMIT:
                s += r.ratio * (1.0 if k == r.iu_b else 0.0)
            elif r.kind == SPEEDS:
                s += (o.bm if k == r.iu_b else 0.0) + (o.am if k == r.iu_a else 0.0)
            answer[k] = s * t.root
            g = s * t.d
            m, x, y = m - t.um * g, x - t.ux * g, y - t.uy * g
        if n.parent > 0:
            p = frame[n.parent]
            p.gm, p.gx, p.gy = p.gm + m + f.rx * y - f.ry * x, p.gx + x, p.gy + y


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
