"""Gaps of cylinders: a rim on a half space, a ball against a cylinder.

A cylinder's own axes have the third along its axis. Its rim is an edge that curves: see `witness.py` for what is written.
"""

import math

from routh.core.jit import kernel
from routh.core.layout import EDGE, SMOOTH, SOFT
from routh.core.rotation import dot
from routh.core.witness import along, curve, from_to, inward, outward, placed, put, third_axis, touch_ball

WIDE = 1e-9    # round-off of a cosine, generously
LEVEL = 1e-11  # sine of the tilt up to which a disk lies flat


@kernel
def rim_point(c, a, m, o):
    """Write the side of a, a rim (`size` = radius, cosine and sine of an angle), against a surface with the normal m.

    Return (the point, its direction from the centre, how much lower the lowest one is if the disk lies flat, whether it leans).
    While the cylinder leans, the point is the lowest one turned about the axis by the angle: at 0 the witness point, at ±120°
    none that touches. Once it lies flat, the three are points of the body, and touch together.
    """
    radius, cosine, sine = c.size_a[0], c.size_a[1], c.size_a[2]
    x, y, _ = inward(a, c.turn_a, m)
    tilt = math.sqrt(x * x + y * y)
    leans = tilt > LEVEL
    dx, dy, k = (-x / tilt, -y / tilt, cosine * tilt / radius) if leans else (1.0, 0.0, 0.0)
    dx, dy = cosine * dx - sine * dy, sine * dx + cosine * dy
    e, d = outward(a, c.turn_a, (-dy, dx, 0.0)), outward(a, c.turn_a, (dx, dy, 0.0))
    p = along(placed(a, c.point_a), radius, d)
    put(o.pa, p)
    put(o.edge_a, e)
    curve(o.ka, e, k)
    o.sharp_a = EDGE
    return p, d, 0.0 if leans else radius * (x * dx + y * dy + tilt), leans


@kernel
def rim_plane(c, a, b, o):
    """Gap of a rim (a) and a half space (b); to points of a disk that lies flat it is that of the lowest one."""
    m = third_axis(b, c.turn_b)
    p, _, sunk, leans = rim_point(c, a, m, o)
    o.g = dot(m, from_to(placed(b, c.point_b), p)) - sunk
    o.off = 1 if leans and c.size_a[1] < 0.0 and c.law != SOFT else 0
    put(o.pb, along(p, -o.g, m))
    put(o.n, (-m[0], -m[1], -m[2]))
    curve(o.kb, m, 0.0)
    o.sharp_b = SMOOTH


@kernel
def ball_cylinder(c, a, b, o):
    """Gap of a ball or corner (a) and a cylinder (b; `size` = radius, half length): its side, an end or a rim.

    A corner has in `size` what `ball_polyhedron` says: within the `hole` of the rim it meets of the side and the end that which
    can push it, and neither if both can.
    """
    centre, r, radius = placed(a, c.point_a), c.size_a[0], c.size_b[0]
    x, y, z = inward(b, c.turn_b, from_to(placed(b, c.point_b), centre))
    rho = math.sqrt(x * x + y * y)
    dx, dy = 1.0, 0.0
    if rho > 0.0:
        dx, dy = x / rho, y / rho
    off, over = rho - radius, abs(z) - c.size_b[1]
    distance = max(off, over)
    side, up = (1.0, 0.0) if off > over else (0.0, 1.0)
    rim = off > 0.0 and over > 0.0
    if rim:
        distance = math.sqrt(off * off + over * over)
        side, up = off / distance, over / distance
    o.off = 0
    if max(abs(off), abs(over)) < c.size_a[2]:
        w, limit = inward(b, c.turn_b, third_axis(a, c.turn_a)), 1.0 - c.size_a[1] + WIDE
        aside, above = dx * w[0] + dy * w[1] <= limit, math.copysign(1.0, z) * w[2] <= limit
        if aside == above:
            o.off, distance = 1, c.size_a[2]
        else:
            rim, distance = False, off if aside else over
            side, up = (1.0, 0.0) if aside else (0.0, 1.0)
    n = outward(b, c.turn_b, (-side * dx, -side * dy, -math.copysign(up, z)))
    touch_ball(o, centre, r, n, distance - r)
    e = outward(b, c.turn_b, (-dy, dx, 0.0))
    put(o.edge_b, e)
    curve(o.kb, e, side / radius)  # across the side, nothing on an end, normal curvature of the rim
    o.sharp_b = EDGE if rim else SMOOTH
