"""Contact points of two convex polygons: the side of largest separation, then the opposite side clipped against it.

The largest separation over the normals of all sides is the signed distance where the polygons overlap, and a lower bound of it
where they are apart. The opposite side of the other polygon is clipped by the ends of this side, which leaves two points at
most. Where nothing is left, two corners are nearest to each other. Points keep their numbers from step to step. Corners of a
polygon are rows (x, y, 0) of the vertex table, in counter-clockwise order.
"""

import math

from routh.core.jit import kernel
from routh.core.stepping.new_points import close_in, keep, new_point

FLUSH = 1e-6          # difference of separations, against the size, that does not count


@kernel
def corner_of(vertex, first, last, i, f, c, s, px, py):
    """World position of corner i of a polygon, counted round."""
    n = last - first
    x, y = px + vertex[first + i % n, 0], py + vertex[first + i % n, 1]
    return f.x + c * x - s * y, f.y + s * x + c * y


@kernel
def side_separation(vertex, first_a, last_a, a, pax, pay, first_b, last_b, b, pbx, pby):
    """(separation, side) of the sides of polygon a from polygon b."""
    best, at = -math.inf, 0
    for i in range(last_a - first_a):
        x, y = corner_of(vertex, first_a, last_a, i, a, a.c, a.s, pax, pay)
        u, v = corner_of(vertex, first_a, last_a, i + 1, a, a.c, a.s, pax, pay)
        length = math.sqrt((u - x) ** 2 + (v - y) ** 2)
        nx, ny, least = (v - y) / length, (x - u) / length, math.inf
        for j in range(last_b - first_b):
            r, t = corner_of(vertex, first_b, last_b, j, b, b.c, b.s, pbx, pby)
            least = min(least, nx * (r - x) + ny * (t - y))
        if least > best:
            best, at = least, i
    return best, at


@kernel
def emit(system, work, step, pair, part, way, nx, ny, x, y, gap, slot, h, reach):
    """Write the contact point at (x, y) of the other polygon; `way` -1 where the side is of the second."""
    o = new_point(step, pair, part)
    o.gap = gap
    o.n[0], o.n[1] = way * nx, way * ny
    if way > 0.0:
        o.pa[0], o.pa[1], o.pb[0], o.pb[1] = x - gap * nx, y - gap * ny, x, y
    else:
        o.pa[0], o.pa[1], o.pb[0], o.pb[1] = x, y, x - gap * nx, y - gap * ny
    close_in(system, work, step, o, slot, h)
    keep(system, step, o, reach)


@kernel
def clip(system, work, step, pair, way, side, first, last, f, px, py, first_o, last_o, g, qx, qy, slot, h, reach):
    """Contact points over one side of the polygon f."""
    vertex = system.vertex
    x, y = corner_of(vertex, first, last, side, f, f.c, f.s, px, py)
    u, v = corner_of(vertex, first, last, side + 1, f, f.c, f.s, px, py)
    length = math.sqrt((u - x) ** 2 + (v - y) ** 2)
    ex, ey = (u - x) / length, (v - y) / length
    nx, ny = ey, -ex

    # the side of the other polygon that faces this one most
    best, at = math.inf, 0
    for j in range(last_o - first_o):
        r, s = corner_of(vertex, first_o, last_o, j, g, g.c, g.s, qx, qy)
        k, t = corner_of(vertex, first_o, last_o, j + 1, g, g.c, g.s, qx, qy)
        m = (nx * (t - s) - ny * (k - r)) / math.sqrt((k - r) ** 2 + (t - s) ** 2)
        if m < best:
            best, at = m, j
    r, s = corner_of(vertex, first_o, last_o, at, g, g.c, g.s, qx, qy)
    k, t = corner_of(vertex, first_o, last_o, at + 1, g, g.c, g.s, qx, qy)
    base = (0 if way > 0.0 else 1000) + 2 * at
    from_, to = 0.0, 1.0  # part of it between the ends of this side
    for end in range(2):
        a = ex * (r - x) + ey * (s - y) - (length if end == 1 else 0.0)
        b = ex * (k - x) + ey * (t - y) - (length if end == 1 else 0.0)
        if end == 0:
            a, b = -a, -b
        if a > 0.0 and b > 0.0:  # two corners face each other
            zx, zy, number = (r, s, base) if a < b else (k, t, base + 1)
            cx, cy = (x, y) if end == 0 else (u, v)
            gap = math.sqrt((zx - cx) ** 2 + (zy - cy) ** 2)
            emit(system, work, step, pair, number, way, (zx - cx) / gap, (zy - cy) / gap, zx, zy, gap, slot, h, reach)
            return
        if a > 0.0:
            from_ = max(from_, a / (a - b))
        elif b > 0.0:
            to = min(to, a / (a - b))
    if from_ > to:
        return
    for end in range(2):
        w = from_ if end == 0 else to
        zx, zy = r + w * (k - r), s + w * (t - s)
        emit(system, work, step, pair, base + end, way, nx, ny, zx, zy, nx * (zx - x) + ny * (zy - y), slot, h, reach)


@kernel
def manifold(system, work, step, pair, c, slot, h, reach):
    """Contact points of two polygons; `c` is the scratch contact with their numbers and nodes."""
    vertex, a, b = system.vertex, work.frame[c.a], work.frame[c.b]
    pax, pay, pbx, pby = c.point_a[0], c.point_a[1], c.point_b[0], c.point_b[1]
    best_a, side_a = side_separation(vertex, c.first_a, c.last_a, a, pax, pay, c.first_b, c.last_b, b, pbx, pby)
    best_b, side_b = side_separation(vertex, c.first_b, c.last_b, b, pbx, pby, c.first_a, c.last_a, a, pax, pay)
    if max(best_a, best_b) > reach:
        return
    if best_b <= best_a + FLUSH * c.size:
        clip(system, work, step, pair, 1.0, side_a, c.first_a, c.last_a, a, pax, pay, c.first_b, c.last_b, b, pbx, pby, slot, h,
             reach)
    else:
        clip(system, work, step, pair, -1.0, side_b, c.first_b, c.last_b, b, pbx, pby, c.first_a, c.last_a, a, pax, pay, slot,
             h, reach)
