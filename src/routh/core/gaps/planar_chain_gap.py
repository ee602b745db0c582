"""Chains in the plane: where a point, or the side of a polygon over an arc, is nearest to a row of pieces.

A chain is a convex polygon (closed: its first corner comes again at the end), a rounded segment (there and back), or a
stretch of terrain. Its rows are corners with the solid on the left as one walks; the third column is the bulge of the piece
that begins there, the tangent of a quarter of its angle: 0 straight, positive where the solid is convex, and never more than
a quarter turn.
"""

import math

from routh.core.gaps.planar_touch import axes, inverse, place, sharpness, write_touch
from routh.core.gaps.tolerances import BLUNT, FAR, FLUSH, JOINT
from routh.core.jit import kernel
from routh.core.tables.layout import SMOOTH
from routh.core.tables.pairs import CHAIN_DISK


@kernel
def ends_of(vertex, i):
    """Chord and the unit tangents at both ends of piece i: (ex, ey, t0x, t0y, t1x, t1y, length)."""
    ex, ey = vertex[i + 1, 0] - vertex[i, 0], vertex[i + 1, 1] - vertex[i, 1]
    length = math.sqrt(ex * ex + ey * ey)
    q, bulge = 1.0 / length, vertex[i, 2]
    if bulge == 0.0:
        return ex, ey, ex * q, ey * q, ex * q, ey * q, length
    q /= 1.0 + bulge * bulge  # cosine and sine of half the arc's angle from its quarter's tangent
    c, s = (1.0 - bulge * bulge) * q, 2.0 * bulge * q
    return ex, ey, c * ex + s * ey, c * ey - s * ex, c * ex - s * ey, c * ey + s * ex, length


@kernel
def chain_point(vertex, first, last, px, py, wx, wy, limit, hole):
    """Nearest place of a chain to a point: (signed distance, nx, ny, curvature, is a corner, is not met). Chain's axes.

    The outward normal of a face is its own, however near the point. A point that is a corner of a polygon can be pushed only
    within a cone about -w, n·w <= limit: it slides past a face that it could only meet from within its own body, and is still
    inside up to `hole` beyond it: of two bodies that stand on one floor, either may have its corner lower by round-off. Within
    `hole` of a corner where two faces meet that it can be pushed by, neither is met: which one it would be is round-off, too.
    """
    best, nx, ny, curvature, corner, off = math.inf, 0.0, 0.0, 0.0, False, 0
    least, mx, my = math.inf, 0.0, 0.0  # of the faces that are not met, should the parts overlap so much that none is
    hx = hy = 0.0
    for i in range(first, last - 1):
        # from both ends, to the same bits whichever way a rod is walked: its two faces must not disagree on where they end
        dx, dy, fx, fy = px - vertex[i, 0], py - vertex[i, 1], px - vertex[i + 1, 0], py - vertex[i + 1, 1]
        _, _, t0x, t0y, t1x, t1y, length = ends_of(vertex, i)
        before, beyond, bulge = -dx * t0x - dy * t0y, fx * t1x + fy * t1y, vertex[i, 2]
        kx, ky, k = t0y, -t0x, 0.0
        d = dx * kx + dy * ky
        past = max(before, beyond)
        if past < hole and abs(d) < hole and kx * wx + ky * wy <= limit:
            if (hx != 0.0 or hy != 0.0) and hx * kx + hy * ky < BLUNT:
                return hole, kx, ky, 0.0, True, 1
            hx, hy = kx, ky
        if past > JOINT * length:
            # the nearer of the two ends that the point is past
            if beyond > 0.0 and (before <= 0.0 or fx * fx + fy * fy < dx * dx + dy * dy):
                dx, dy = fx, fy
            d = math.sqrt(dx * dx + dy * dy)
            kx, ky = dx / d, dy / d
            shut = 1 if kx * wx + ky * wy > limit else 0
            d += shut * hole
            if d < abs(best) * (1.0 - JOINT):
                best, nx, ny, curvature, corner, off = d, kx, ky, 0.0, True, shut
            continue
        if bulge != 0.0:
            # centre of the arc; a hollow has it on the free side
            k = 4.0 * bulge / (length * (1.0 + bulge * bulge))
            rx, ry = dx + kx / k, dy + ky / k
            rho = math.copysign(math.sqrt(rx * rx + ry * ry), k)
            d = rho - 1.0 / k
            if rho != 0.0:
                kx, ky = rx / rho, ry / rho
        shut = 1 if kx * wx + ky * wy > limit else 0
        if shut == 1 and d < hole:
            if abs(d) < abs(least):
                least, mx, my = d, kx, ky
            continue
        d += shut * hole
        # a face wins over its corner; of two faces back to back (a rod) the one that is seen from outside
        if abs(d) < abs(best) * (1.0 - JOINT) or (abs(d) < abs(best) * (1.0 + JOINT) and not d < 0.0 < best):
            best, nx, ny, curvature, corner, off = d, kx, ky, k, False, shut
    if best == math.inf:
        return least, mx, my, 0.0, False, 1 if least > 0.0 else 0
    if FAR / FLUSH * hole < -least < best:  # well within: where a gap jumps, it has been zero as near as it is large
        return -least, mx, my, 0.0, False, 1
    return best, nx, ny, curvature, corner, off


@kernel
def arc_end(px, py, mx, my, radius, cosine, ex, ey):
    """The end of an arc that is nearer to the direction e from its centre p.

    The arc's middle is in the direction m from there, its ends at an angle from that whose cosine is given.
    """
    sine = math.copysign(math.sqrt(max(1.0 - cosine * cosine, 0.0)), mx * ey - my * ex)
    return px + radius * (cosine * mx - sine * my), py + radius * (cosine * my + sine * mx)


@kernel
def side_over_arc(vertex, first, last, px, py, mx, my, radius, cosine, hole):
    """A hill under the sides of a convex polygon: (distance, nx, ny, x, y, is not met), in the polygon's axes.

    The hill is an arc about p, see `arc_end`; (x, y) is its witness point. Corners of the polygon are not met: they meet the
    hill themselves. Past its ends it is its nearer end.
    """
    d, ux, uy, _, corner, _ = chain_point(vertex, first, last, px, py, 0.0, 0.0, 1.0, 0.0)
    if -ux * mx - uy * my >= cosine - FLUSH:
        return d - radius + (hole if corner else 0.0), ux, uy, px - radius * ux, py - radius * uy, 1 if corner else 0
    ex, ey = arc_end(px, py, mx, my, radius, cosine, -ux, -uy)
    d, ux, uy, _, _, _ = chain_point(vertex, first, last, ex, ey, 0.0, 0.0, 1.0, 0.0)
    return d + hole, ux, uy, ex, ey, 1


@kernel
def gap(system, work, c):
    """Fill where contact c touches: a chain (a) and a disk or an arc (b)."""
    o, out, vertex = system.contact[c], work.touch[c], system.vertex
    a, b = work.frame[o.a], work.frame[o.b]
    ax, ay = place(a, o.point_a[0], o.point_a[1])
    bx, by = place(b, o.point_b[0], o.point_b[1])
    dx, dy = bx - ax, by - ay
    ra, rb = o.size_a[0], o.size_b[0]
    ka, sharp_a = 0.0, SMOOTH
    ca, sa = axes(a, o.turn_a)
    cb, sb = axes(b, o.turn_b)
    px, py = ca * dx + sa * dy, ca * dy - sa * dx
    if o.kind == CHAIN_DISK:
        d, ux, uy, ka, corner, out.off = chain_point(vertex, o.first_a, o.last_a, px, py, ca * cb + sa * sb, ca * sb - sa * cb,
                                                     1.0 - o.size_b[1] + FLUSH, o.size_b[2])
        nx, ny = ca * ux - sa * uy, sa * ux + ca * uy
        g = d - ra - rb
        if corner:
            ka, sharp_a = inverse(ra), sharpness(ra)
        else:
            ka /= 1.0 + ka * ra
        hx, hy = rb * nx, rb * ny
    else:
        g, ux, uy, x, y, out.off = side_over_arc(vertex, o.first_a, o.last_a, px, py, ca * cb + sa * sb, ca * sb - sa * cb, rb,
                                                 o.size_b[1], o.size_b[2])
        nx, ny = ca * ux - sa * uy, sa * ux + ca * uy
        hx, hy = ca * (px - x) - sa * (py - y), sa * (px - x) + ca * (py - y)
    write_touch(out, bx - hx, by - hy, nx, ny, g, ka, inverse(rb), sharp_a, sharpness(rb))
