"""Gaps between shapes in the plane: signed distance, witness points, normal, curvatures.

Ten pairs of parts are enough, because the compiler takes shapes apart (`compiler/planar_pairs.py`):

| part | own axes | `size` | `vertex` |
|---|---|---|---|
| line | y is the normal, out of the solid | - | - |
| disk | x is the middle of the cone of a corner | radius (0: sharp), 1 + cosine of half the cone (0: no cone), hole | - |
| chain, arcs | - | rounding | see `planar_chain_gap.py`; arcs: a chain of which some pieces are |
| arc, bowl | x leads to its middle | radius, cosine of half its angle, hole | a hill; a hollow arc |
| ellipse | semi-axes, in a bowl the longer one first | semi-axes; in a bowl the side, ±1 | - |

Disks and lines are in closed form here; the others in `planar_chain_gap.py` and `planar_ellipse_gap.py`.
"""

import math

from routh.core.gaps.planar_chain_gap import WIDE, chain_point, side_over_arc
from routh.core.gaps.planar_ellipse_gap import arched_ellipse, bowl_ellipse, chain_ellipse, ellipse_point, support, two_ellipses
from routh.core.jit import kernel
from routh.core.tables.layout import FIRST_PAIR, SMOOTH, VERTEX

(LINE_DISK, DISK_DISK, CHAIN_DISK, CHAIN_ARC, LINE_ELLIPSE, DISK_ELLIPSE, CHAIN_ELLIPSE, ARCS_ELLIPSE, BOWL_ELLIPSE,
 ELLIPSE_ELLIPSE) = range(FIRST_PAIR, FIRST_PAIR + 10)


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
    elif kind == CHAIN_ARC:
        cb, sb = b.c * o.turn_b[0, 0] - b.s * o.turn_b[1, 0], b.s * o.turn_b[0, 0] + b.c * o.turn_b[1, 0]
        px, py = ca * dx + sa * dy, ca * dy - sa * dx
        g, ux, uy, x, y, out.off = side_over_arc(vertex, o.first_a, o.last_a, px, py, ca * cb + sa * sb, ca * sb - sa * cb, rb,
                                                 o.size_b[1], o.size_b[2])
        nx, ny = ca * ux - sa * uy, sa * ux + ca * uy
        hx, hy = ca * (px - x) - sa * (py - y), sa * (px - x) + ca * (py - y)
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
    out.pbx, out.pby = bx - hx, by - hy
    out.pax, out.pay = out.pbx - g * nx, out.pby - g * ny
    out.nx, out.ny, out.g, out.ka, out.kb, out.sharp_a, out.sharp_b = nx, ny, g, ka, kb, sharp_a, sharp_b
