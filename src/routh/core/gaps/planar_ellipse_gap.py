"""Ellipses in the plane: where they are nearest to a point, to each other, to chains and within hollows.

Two convex parts are apart, along the unit normal n, by s(n) = n·d - h_a(n) - h_b(-n), with support functions h and d from a's
centre to b's. The gap is the greatest s. With ψ the angle of n, ds/dψ is the tangential offset of the two support points, and
d²s/dψ² = -(s + ρ_a + ρ_b), with radii of curvature ρ.

In a hollow arc an ellipse touches where it is farthest from the arc's centre: at one place, if its flat sides are as round as
the arc, else at one or two, to the left and to the right of its minor axis.
"""

import math

from routh.core.gaps.planar_chain_gap import arc_end, ends_of
from routh.core.gaps.planar_touch import axes, inverse, place, sharpness, write_touch
from routh.core.gaps.tolerances import CONE, DEEP, FLUSH, FOLLOWED, JOINT, NEWTON_STEPS, QUADRATIC, ROUND_OFF
from routh.core.jit import kernel
from routh.core.tables.layout import SMOOTH, VERTEX
from routh.core.tables.pairs import ARCS_ELLIPSE, BOWL_ELLIPSE, CHAIN_ELLIPSE, DISK_ELLIPSE, LINE_ELLIPSE


@kernel
def common_normal(dx, dy, a1, a2, b1, b2, c, s, lo, hi, psi):
    """Angle of the normal along which two ellipses are farthest apart, in the axes of the first.

    d leads to the centre of the second, which is turned by (c, s); a disk or a point is an ellipse, too. The maximum lies
    between `lo` and `hi`: Newton from psi where that helps, bisection where it does not.
    """
    last = hi - lo
    for _ in range(NEWTON_STEPS):
        nx, ny = math.cos(psi), math.sin(psi)
        mx, my = c * nx + s * ny, c * ny - s * nx
        ha = math.sqrt(a1 * a1 * nx * nx + a2 * a2 * ny * ny)
        hb = max(math.sqrt(b1 * b1 * mx * mx + b2 * b2 * my * my), 1e-300)
        slope = nx * dy - ny * dx + (a1 * a1 - a2 * a2) * nx * ny / ha + (b1 * b1 - b2 * b2) * mx * my / hb
        bend = nx * dx + ny * dy - ha - hb + (a1 * a2 / ha) * (a1 * a2 / ha) / ha + (b1 * b2 / hb) * (b1 * b2 / hb) / hb
        if slope > 0.0 or (slope == 0.0 and bend <= 0.0 and psi <= 0.5 * (lo + hi)):
            lo = psi
        else:
            hi = psi
        step, enough = slope / bend, QUADRATIC
        if not (bend > 0.0 and lo <= psi + step <= hi and abs(step) <= 0.5 * abs(last)):
            step, enough = 0.5 * (lo + hi) - psi, ROUND_OFF
        psi += step
        last = step
        if abs(step) < enough:
            break
    return psi


@kernel
def ellipse_point(a1, a2, px, py):
    """Nearest place of an ellipse to a point, wherever it is: (signed distance, nx, ny). Axes of the ellipse."""
    # in the quadrant of the point there is one foot only, even inside the evolute
    x, y = abs(px), abs(py)
    far = a1 * a2 * max(math.hypot(x / a1, y / a2) - 1.0, 0.0)
    psi = math.atan2(y * (a1 * a1 + far), x * (a2 * a2 + far))
    psi = common_normal(x, y, a1, a2, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5 * math.pi, psi)
    nx, ny = math.cos(psi), math.sin(psi)
    g = nx * x + ny * y - math.sqrt(a1 * a1 * nx * nx + a2 * a2 * ny * ny)
    return g, math.copysign(nx, px), math.copysign(ny, py)


@kernel
def two_ellipses(dx, dy, a1, a2, b1, b2, c, s, guess, warm):
    """Angle of the common normal of two ellipses in the axes of the first; `guess` is the last one if `warm`."""
    psi = guess if warm else math.atan2(dy, dx)
    nx, ny = math.cos(psi), math.sin(psi)
    mx, my = c * nx + s * ny, c * ny - s * nx
    ha = math.sqrt(a1 * a1 * nx * nx + a2 * a2 * ny * ny)
    hb = math.sqrt(b1 * b1 * mx * mx + b2 * b2 * my * my)
    # s is concave as a function of a vector: with e between the two support points, the best normal n* is no farther from e
    # than this one, and e·n* is at least the gap. So unless they overlap by more than `allow`, few normals are left
    mx, my = b1 * b1 * mx / hb, b2 * b2 * my / hb
    ex, ey = dx - a1 * a1 * nx / ha - c * mx + s * my, dy - a2 * a2 * ny / ha - s * mx - c * my
    middle = math.atan2(ey, ex)
    off = psi - middle
    off -= 2.0 * math.pi * round(off / (2.0 * math.pi))
    allow = (FOLLOWED if warm else DEEP) * min(min(a1, a2), min(b1, b2))
    far = math.acos(-min(allow / math.hypot(ex, ey), 1.0))
    if abs(off) > far:
        off = 0.0
    else:
        far = abs(off)
    lo, hi = middle - far - CONE, middle + far + CONE
    return common_normal(dx, dy, a1, a2, b1, b2, c, s, lo, hi, middle + off)


@kernel
def support(a1, a2, nx, ny):
    """Of an ellipse in the direction n, its own axes: (height, x, y, curvature there)."""
    h = math.sqrt(a1 * a1 * nx * nx + a2 * a2 * ny * ny)
    k = h / (a1 * a2)
    return h, a1 * a1 * nx / h, a2 * a2 * ny / h, h * k * k


@kernel
def chain_ellipse(vertex, first, last, px, py, a1, a2, c, s):
    """Where an ellipse about p, turned by (c, s), is nearest to a chain of straight pieces: (distance, nx, ny, is a corner).

    The greatest separation along the normal of a face or of a corner: of a corner where the ellipse is past the face before it
    and not yet at the one behind it, of a face unless the ellipse is past an open end of the chain. Where the ellipse has just
    passed the end of a face, the separations differ by round-off: there the corner's counts.
    """
    even = JOINT * max(a1, a2)
    best, nx, ny, corner, above = -math.inf, 0.0, 0.0, False, False
    end, ex, ey = math.inf, 0.0, 0.0
    closed = vertex[first, 0] == vertex[last - 1, 0] and vertex[first, 1] == vertex[last - 1, 1]
    past = True  # the face before, at an open end
    for j in range(first - closed, last):
        i = last - 2 if j < first else j
        ahead = True  # of the face behind, at an open end
        dx, dy = px - vertex[i, 0], py - vertex[i, 1]
        beyond = past
        if i < last - 1:
            _, _, tx, ty, _, _, length = ends_of(vertex, i)
            kx, ky = ty, -tx
            h, sx, sy, _ = support(a1, a2, c * kx + s * ky, c * ky - s * kx)
            along = (dx - c * sx + s * sy) * tx + (dy - s * sx - c * sy) * ty
            ahead, beyond = along < 0.0, along > length
            d = kx * dx + ky * dy - h
            off = not closed and ((ahead and i == first) or (beyond and i == last - 2))
            if not off and d > best:
                best, nx, ny, corner, above = d, kx, ky, False, not ahead and not beyond
        if j >= first and past and ahead and not (closed and j == last - 1):
            d, kx, ky = ellipse_point(a1, a2, -c * dx - s * dy, s * dx - c * dy)
            kx, ky = s * ky - c * kx, -s * kx - c * ky
            if not closed and (j == first or j == last - 1):
                end, ex, ey = (d, kx, ky) if d < end else (end, ex, ey)
            elif d > best - even:
                best, nx, ny, corner, above = d, kx, ky, True, True
        past = beyond
    # right behind a face it is nearer than an end of the chain: a gap that jumps has been zero as near as it is large
    if best < end < (-best if best < 0.0 and above else math.inf):
        best, nx, ny, corner, above = end, ex, ey, True, True
    if best < 0.0 or not above:
        # the separation may fall first and then rise within the cone of a sharp corner, as beside the tip of a rod
        for i in range(first, last):
            before, behind = (i - 1 if i > first else last - 2), (i if i < last - 1 else first)
            _, _, tx, ty, _, _, _ = ends_of(vertex, before)
            ux, uy, _, _, _, _, _ = ends_of(vertex, behind)
            dx, dy = px - vertex[i, 0], py - vertex[i, 1]
            d, kx, ky = ellipse_point(a1, a2, -c * dx - s * dy, s * dx - c * dy)
            kx, ky = s * ky - c * kx, -s * kx - c * ky
            left, right = not closed and i == first, not closed and i == last - 1
            if best < 0.0 and above and (left or right) and d >= -best:
                continue
            if d > best - even and (left or kx * tx + ky * ty >= 0.0) and (right or kx * ux + ky * uy <= 0.0):
                best, nx, ny, corner = d, kx, ky, True
    return best, nx, ny, corner


@kernel
def farthest(a1, a2, x, y):
    """(eccentric angle, whether it is one) of the place in its first quadrant where an ellipse is farthest from (-x, -y).

    y is not negative. Where x is, the ellipse's first axis is the longer one, and there is such a place only if the point is
    within the evolute; else where it comes nearest to being one.
    """
    e, ax, by = a1 * a1 - a2 * a2, a1 * x, a2 * y
    lo, hi = 0.0, 0.5 * math.pi
    if x < 0.0:
        hi = math.atan2(by ** (1.0 / 3.0), (-ax) ** (1.0 / 3.0))
        if e * math.sin(hi) * math.cos(hi) <= by * math.cos(hi) - ax * math.sin(hi):
            return hi, False
    tau, last = 0.5 * hi, hi
    for _ in range(NEWTON_STEPS):
        c, s = math.cos(tau), math.sin(tau)
        slope, bend = by * c - ax * s - e * s * c, -by * s - ax * c - e * (c * c - s * s)
        if slope > 0.0:
            lo = tau
        else:
            hi = tau
        step, enough = -slope / bend if bend < 0.0 else math.inf, QUADRATIC
        if not (lo <= tau + step <= hi and abs(step) <= 0.5 * abs(last)):
            step, enough = 0.5 * (lo + hi) - tau, ROUND_OFF
        tau += step
        last = step
        if abs(step) < enough:
            break
    return tau, True


@kernel
def reach_from(a1, a2, px, py, side):
    """How far an ellipse reaches from a point: (distance, unit vector from the point, whether there is such a place). Its axes.

    `side` 0: anywhere; ±1: to this side of its second axis.
    """
    flip_x = side if side != 0.0 else (1.0 if px < 0.0 else -1.0)
    flip_y = 1.0 if py < 0.0 else -1.0
    tau, found = farthest(a1, a2, -flip_x * px, abs(py))
    ex, ey = flip_x * a1 * math.cos(tau) - px, flip_y * a2 * math.sin(tau) - py
    d = math.sqrt(ex * ex + ey * ey)
    return d, ex / d, ey / d, found


@kernel
def bowl_ellipse(px, py, mx, my, radius, cosine, a1, a2, side, hole):
    """A hollow arc about p around one side of an ellipse: (distance, nx, ny, is not met), in the ellipse's axes.

    The arc is given as in `arc_end`. Where the ellipse has no place on this side that could touch it, or beyond its ends, it is
    not met.
    """
    d, ex, ey, found = reach_from(a1, a2, px, py, side)
    if ex * mx + ey * my >= cosine - FLUSH:
        return radius - d + (0.0 if found else hole), -ex, -ey, 0 if found else 1
    x, y = arc_end(px, py, mx, my, radius, cosine, ex, ey)
    d, ex, ey = ellipse_point(a1, a2, x, y)
    return d + hole, -ex, -ey, 1


@kernel
def arched_ellipse(vertex, first, last, px, py, a1, a2, c, s):
    """Where an ellipse about p, turned by (c, s), is nearest to a chain with arcs: (distance, nx, ny, curvature, is a corner).

    The nearest of the pieces and corners that face it. Hollow arcs are less curved than the ellipse is anywhere.
    """
    best, nx, ny, curvature, corner = math.inf, 0.0, 0.0, 0.0, True
    near, mx, my = math.inf, 0.0, 0.0  # the nearest corner, whichever way it faces
    closed = vertex[first, 0] == vertex[last - 1, 0] and vertex[first, 1] == vertex[last - 1, 1]
    for i in range(first, last - closed):
        # the corner where piece i begins
        dx, dy = px - vertex[i, 0], py - vertex[i, 1]
        d, ux, uy = ellipse_point(a1, a2, -c * dx - s * dy, s * dx - c * dy)
        kx, ky = s * uy - c * ux, -s * ux - c * uy
        facing = True
        if i > first or closed:
            _, _, _, _, tx, ty, _ = ends_of(vertex, i - 1 if i > first else last - 2)
            facing = kx * tx + ky * ty >= 0.0
        if i < last - 1:
            _, _, tx, ty, vx, vy, length = ends_of(vertex, i)
            facing = facing and kx * tx + ky * ty <= 0.0
        if abs(d) < abs(near):
            near, mx, my = d, kx, ky
        if facing and abs(d) < abs(best) * (1.0 - JOINT):
            best, nx, ny, curvature, corner = d, kx, ky, 0.0, True
        if i == last - 1:
            break
        # the piece
        kx, ky, k, bulge = ty, -tx, 0.0, vertex[i, 2]
        if bulge == 0.0:
            h, ux, uy, _ = support(a1, a2, c * kx + s * ky, c * ky - s * kx)
            d = kx * dx + ky * dy - h
            along = (dx - c * ux + s * uy) * tx + (dy - s * ux - c * uy) * ty
            facing = -JOINT * length <= along <= (1.0 + JOINT) * length
        else:
            k = 4.0 * bulge / (length * (1.0 + bulge * bulge))
            x, y = -dx - kx / k, -dy - ky / k  # the arc's centre from that of the ellipse
            x, y = c * x + s * y, c * y - s * x
            if k > 0.0:
                d, ux, uy = ellipse_point(a1, a2, x, y)
                d -= 1.0 / k
                ux, uy = -ux, -uy
            else:
                d, ux, uy, _ = reach_from(a1, a2, x, y, 0.0)
                d = -1.0 / k - d
            ux, uy = c * ux - s * uy, s * ux + c * uy  # from the arc's centre
            facing = ux * tx + uy * ty >= -JOINT and ux * vx + uy * vy <= JOINT
            kx, ky = (ux, uy) if k > 0.0 else (-ux, -uy)
        if facing and abs(d) <= abs(best) * (1.0 + JOINT):
            best, nx, ny, curvature, corner = d, kx, ky, k, False
    if best == math.inf:
        return near, mx, my, 0.0, True
    return best, nx, ny, curvature, corner


@kernel
def gap(system, work, c):
    """Fill where contact c touches: any part (a) and an ellipse (b)."""
    o, out, vertex = system.contact[c], work.touch[c], system.vertex
    a, b, kind = work.frame[o.a], work.frame[o.b], o.kind
    ax, ay = place(a, o.point_a[0], o.point_a[1])
    bx, by = place(b, o.point_b[0], o.point_b[1])
    dx, dy = bx - ax, by - ay
    ra, ka, sharp_a = o.size_a[0], 0.0, SMOOTH
    ca, sa = axes(a, o.turn_a)
    cb, sb = axes(b, o.turn_b)
    b1, b2 = o.size_b[0], o.size_b[1]
    if kind == LINE_ELLIPSE:
        nx, ny = -sa, ca
    elif kind == DISK_ELLIPSE:
        _, ux, uy = ellipse_point(b1, b2, -cb * dx - sb * dy, sb * dx - cb * dy)
        nx, ny = sb * uy - cb * ux, -sb * ux - cb * uy
        ka, sharp_a = inverse(ra), sharpness(ra)
    elif kind == CHAIN_ELLIPSE:
        px, py = ca * dx + sa * dy, ca * dy - sa * dx
        d, ux, uy, corner = chain_ellipse(vertex, o.first_a, o.last_a, px, py, b1, b2, ca * cb + sa * sb, ca * sb - sa * cb)
        nx, ny = ca * ux - sa * uy, sa * ux + ca * uy
        if corner:
            ka, sharp_a = inverse(ra), sharpness(ra)
        d -= ra
    elif kind == ARCS_ELLIPSE:
        px, py = ca * dx + sa * dy, ca * dy - sa * dx
        d, ux, uy, ka, corner = arched_ellipse(vertex, o.first_a, o.last_a, px, py, b1, b2, ca * cb + sa * sb,
                                               ca * sb - sa * cb)
        nx, ny = ca * ux - sa * uy, sa * ux + ca * uy
        sharp_a = VERTEX if corner else SMOOTH
    elif kind == BOWL_ELLIPSE:
        d, ux, uy, out.off = bowl_ellipse(-cb * dx - sb * dy, sb * dx - cb * dy, cb * ca + sb * sa, cb * sa - sb * ca, ra,
                                          o.size_a[1], b1, b2, o.size_b[2], o.size_a[2])
        nx, ny = cb * ux - sb * uy, sb * ux + cb * uy
        ka = -1.0 / ra
    else:
        a1, a2 = o.size_a[0], o.size_a[1]
        psi = two_ellipses(ca * dx + sa * dy, ca * dy - sa * dx, a1, a2, b1, b2, ca * cb + sa * sb, ca * sb - sa * cb,
                           out.guess_a, out.guess_b != 0.0)
        out.guess_a, out.guess_b = psi, 1.0
        ux, uy = math.cos(psi), math.sin(psi)
        nx, ny = ca * ux - sa * uy, sa * ux + ca * uy
        ra, _, _, ka = support(a1, a2, ux, uy)
    h, ux, uy, kb = support(b1, b2, cb * nx + sb * ny, cb * ny - sb * nx)
    hx, hy = cb * ux - sb * uy, sb * ux + cb * uy
    g = nx * dx + ny * dy - ra - h
    if CHAIN_ELLIPSE <= kind <= BOWL_ELLIPSE:
        g = d
    write_touch(out, bx - hx, by - hy, nx, ny, g, ka, kb, sharp_a, SMOOTH)
