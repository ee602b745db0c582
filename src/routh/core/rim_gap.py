"""Gaps of cylinders: a rim on a half space, a ball against a cylinder.

A cylinder's own axes have the third along its axis. Its rim is an edge that curves: see `witness.py` for what is written.
"""

import math

from routh.core.jit import kernel
from routh.core.layout import EDGE, SMOOTH, SOFT
from routh.core.rotation import dot
from routh.core.witness import along, curve, from_to, inward, outward, placed, put, third_axis, touch_ball

LEVEL = 1e-11  # sine of the tilt up to which a disk lies flat


@kernel
def rim_plane(c, a, b, o):
    """Gap of a rim (a; `size` = radius, cosine and sine of an angle) and a half space (b).

    While the cylinder leans, the point is the lowest one turned about the axis by the angle: at 0 the witness point, at ±120°
    none that touches. Once it lies flat, the three are points of the body, and touch together.
    """
    radius, cosine, sine = c.size_a[0], c.size_a[1], c.size_a[2]
    m = third_axis(b, c.turn_b)
    x, y, _ = inward(a, c.turn_a, m)
    tilt = math.sqrt(x * x + y * y)
    leans = tilt > LEVEL
    dx, dy, k = (-x / tilt, -y / tilt, cosine * tilt / radius) if leans else (1.0, 0.0, 0.0)
    dx, dy = cosine * dx - sine * dy, sine * dx + cosine * dy
    o.sharp_a, o.sharp_b = EDGE, SMOOTH
    e = outward(a, c.turn_a, (-dy, dx, 0.0))
    put(o.edge_a, e)
    curve(o.ka, e, k)
    curve(o.kb, e, 0.0)
    p = along(placed(a, c.point_a), radius, outward(a, c.turn_a, (dx, dy, 0.0)))
    o.g = dot(m, from_to(placed(b, c.point_b), p))
    if not leans:
        o.g -= radius * (x * dx + y * dy + tilt)  # that of the lowest one
    o.off = 1 if leans and cosine < 0.0 and c.law != SOFT else 0
    put(o.pa, p)
    put(o.pb, along(p, -o.g, m))
    put(o.n, (-m[0], -m[1], -m[2]))


@kernel
def ball_cylinder(c, a, b, o):
    """Gap of a ball (a) and a cylinder (b; `size` = radius, half length): its side, an end or a rim."""
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
    n = outward(b, c.turn_b, (-side * dx, -side * dy, -math.copysign(up, z)))
    touch_ball(o, centre, r, n, distance - r)
    e = outward(b, c.turn_b, (-dy, dx, 0.0))
    put(o.edge_b, e)
    curve(o.kb, e, side / radius)  # across the side, nothing on an end, normal curvature of the rim
    o.sharp_b = EDGE if rim else SMOOTH
