"""Gaps between shapes in the plane: signed distance, witness points, normal, curvatures.

Seven pairs of parts are enough, because the compiler takes shapes apart (`compiler/planar_pairs.py`):

| part | own axes | `size` | `vertex` |
|---|---|---|---|
| line | y is the normal, out of the solid | - | - |
| disk | x is the middle of the cone of a corner | radius (0: sharp), 1 + cosine of half the cone (0: no cone), hole | - |
| chain | - | rounding | corners with the solid on the left as one walks; third column: bulge of the piece that begins there |
| ellipse | semi-axes | semi-axes | - |

A chain is a convex polygon (closed: its first corner comes again at the end), a rounded segment (there and back), or a
stretch of terrain. Its pieces are straight, or arcs of at most a quarter turn with a bulge, the tangent of a quarter of the
arc's angle: positive where the solid is convex.

Two convex parts are apart, along the unit normal n, by s(n) = n·d - h_a(n) - h_b(-n), with support functions h and d from a's
centre to b's. The gap is the greatest s. With ψ the angle of n, ds/dψ is the tangential offset of the two support points, and
d²s/dψ² = -(s + ρ_a + ρ_b), with radii of curvature ρ. Everything here is that maximum, in closed form where there is one.
"""

import math

from routh.core.jit import kernel
from routh.core.layout import FIRST_PAIR, SMOOTH, VERTEX

LINE_DISK, DISK_DISK, CHAIN_DISK, LINE_ELLIPSE, DISK_ELLIPSE, CHAIN_ELLIPSE, ELLIPSE_ELLIPSE = range(FIRST_PAIR, FIRST_PAIR + 7)

JOINT = 1e-13  # a piece reaches past its ends by this part of its length: tangent joints leave no slit to fall through
EVEN = 1e-12  # a corner must be nearer than a face by this part: inside the solid a face always is
TURN = 2e-15  # change of an angle below which bisection has ended: a few units of round-off of π
SQUARED = 1e-10  # the same of Newton's method, whose next change would be its square
MARGIN = 0.05  # angle by which an arc of candidate normals is widened, against round-off where the support points meet
DEEP = 1e-2  # overlap of two ellipses, in semi-axes, up to which it is surely measured along the shortest way out
FOLLOWED = 0.5  # the same where the last normal is followed inward
BLUNT = 0.9  # cosine of the angle of a corner below which a sharp point could be held up by it
DEPTH = 1e3  # times the hole: an overlap that is none of a corner beside another
WIDE = 1e-9  # round-off of a cosine, generously
MOST = 100  # iterations: bisection alone needs 52


@kernel
def place(f, x, y):
    """A point of a node in the world."""
    return f.x + f.c * x - f.s * y, f.y + f.s * x + f.c * y


@kernel
def inverse(r):
    """Curvature of a rounding; zero, and not used, where it is sharp."""
    return 1.0 / r if r > 0.0 else 0.0


@kernel
def sharpness(r):
    """What a rounding of radius r is like."""
    return SMOOTH if r > 0.0 else VERTEX


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
    within a cone about -w, n·w <= limit: it slides past a face that it could only meet from within its own body. Within `hole`
    of a corner where two such faces meet, neither is met: which one it would be is a matter of round-off.
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
            if d < abs(best) * (1.0 - EVEN):
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
        if shut == 1 and d < 0.0:
            if abs(d) < abs(least):
                least, mx, my = d, kx, ky
            continue
        d += shut * hole
        # a face wins over its corner; of two faces back to back (a rod) the one that is seen from outside
        if abs(d) < abs(best) * (1.0 - EVEN) or (abs(d) < abs(best) * (1.0 + EVEN) and not d < 0.0 < best):
            best, nx, ny, curvature, corner, off = d, kx, ky, k, False, shut
    if best == math.inf:
        return least, mx, my, 0.0, False, 0
    if DEPTH * hole < -least < best:  # well within: where a gap jumps, it has been zero as near as it is large
        return -least, mx, my, 0.0, False, 1
    return best, nx, ny, curvature, corner, off


@kernel
def common_normal(dx, dy, a1, a2, b1, b2, c, s, lo, hi, psi):
    """Angle of the normal along which two ellipses are farthest apart, in the axes of the first.

    d leads to the centre of the second, which is turned by (c, s); a disk or a point is an ellipse, too. The maximum lies
    between `lo` and `hi`: Newton from psi where that helps, bisection where it does not.
    """
    last = hi - lo
    for _ in range(MOST):
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
        step, enough = slope / bend, SQUARED
        if not (bend > 0.0 and lo <= psi + step <= hi and abs(step) <= 0.5 * abs(last)):
            step, enough = 0.5 * (lo + hi) - psi, TURN
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
    lo, hi = middle - far - MARGIN, middle + far + MARGIN
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
    and not yet at the one behind it, of a face unless the ellipse is past an open end of the chain.
    """
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
            elif d > best:
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
            if d > best and (left or kx * tx + ky * ty >= 0.0) and (right or kx * ux + ky * uy <= 0.0):
                best, nx, ny, corner = d, kx, ky, True
    return best, nx, ny, corner


@kernel
def lay_rims(system, work, slow):
    """There are no rims in the plane."""


@kernel
def gap(system, work, c):
    """Fill where contact c touches."""
    o, out, vertex = system.contact[c], work.touch[c], system.vertex
    a, b, kind = work.frame[o.a], work.frame[o.b], o.kind
    ax, ay = place(a, o.point_a[0], o.point_a[1])
    bx, by = place(b, o.point_b[0], o.point_b[1])
    dx, dy = bx - ax, by - ay
    ra, rb = o.size_a[0], o.size_b[0]
    ka, kb, sharp_a, sharp_b = 0.0, inverse(rb), SMOOTH, sharpness(rb)

    # axes of a's shape; d in them
    ca, sa = a.c * o.turn_a[0, 0] - a.s * o.turn_a[1, 0], a.s * o.turn_a[0, 0] + a.c * o.turn_a[1, 0]
    if kind == LINE_DISK:
        nx, ny = -sa, ca
        g = nx * dx + ny * dy - rb
        hx, hy = rb * nx, rb * ny
    elif kind == DISK_DISK:
        d = math.sqrt(dx * dx + dy * dy)
        nx, ny = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)  # concentric disks part along x
        g, ka, sharp_a = d - ra - rb, inverse(ra), sharpness(ra)
        hx, hy = rb * nx, rb * ny
    elif kind == CHAIN_DISK:
        cb, sb = b.c * o.turn_b[0, 0] - b.s * o.turn_b[1, 0], b.s * o.turn_b[0, 0] + b.c * o.turn_b[1, 0]
        d, ux, uy, ka, corner, out.off = chain_point(
            vertex, o.first_a, o.last_a, ca * dx + sa * dy, ca * dy - sa * dx, ca * cb + sa * sb, ca * sb - sa * cb,
            1.0 - o.size_b[1] + WIDE, o.size_b[2])
        nx, ny = ca * ux - sa * uy, sa * ux + ca * uy
        g = d - ra - rb
        if corner:
            ka, sharp_a = inverse(ra), sharpness(ra)
        else:
            ka /= 1.0 + ka * ra
        hx, hy = rb * nx, rb * ny
    else:
        # b is an ellipse; (cb, sb) are its axes
        cb, sb = b.c * o.turn_b[0, 0] - b.s * o.turn_b[1, 0], b.s * o.turn_b[0, 0] + b.c * o.turn_b[1, 0]
        b1, b2, sharp_b = o.size_b[0], o.size_b[1], SMOOTH
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
        if kind == CHAIN_ELLIPSE:
            g = d - ra
    out.pbx, out.pby = bx - hx, by - hy
    out.pax, out.pay = out.pbx - g * nx, out.pby - g * ny
    out.nx, out.ny, out.g, out.ka, out.kb, out.sharp_a, out.sharp_b = nx, ny, g, ka, kb, sharp_a, sharp_b
