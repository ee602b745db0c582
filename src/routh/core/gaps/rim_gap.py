"""Gaps of cylinders: a rim on a half space or an end, a ball or corner against a cylinder.

A cylinder's own axes have the third along its axis. Its rim is an edge that curves: see `witness.py` for what is written.
"""

import math

from routh.core.gaps.tolerances import COINCIDENT, CONE, FLUSH, LEVEL, LIFT, RIM
from routh.core.gaps.witness import along, curve, from_to, inward, outward, placed, put, third_axis, touch_ball
from routh.core.jit import kernel
from routh.core.tables.layout import EDGE, OPEN, SMOOTH, SOFT, VERTEX
from routh.core.tree.rotation import dot

SQUARE = math.sqrt(0.5)  # cosine of half the angle of a rim


@kernel
def rim_point(c, a, m, o):
    """Write the side of a, a rim (`size` = radius, cosine and sine of an angle), against a surface with the normal m.

    Return (the point, its direction from the centre, how much lower the lowest one is if the disk lies flat, whether it leans).
    While the cylinder leans, the point is the lowest one turned about the axis by the angle: at 0 the witness point, at ±120°
    none that touches. Once it lies flat, the three are points of the body, turned by `lay`, and touch together.
    """
    radius, cosine, sine = c.size_a[0], c.size_a[1], c.size_a[2]
    x, y, _ = inward(a, c.turn_a, m)
    tilt = math.sqrt(x * x + y * y)
    leans = tilt > LEVEL
    dx, dy, k = (-x / tilt, -y / tilt, cosine * tilt / radius) if leans else (math.cos(o.lay), math.sin(o.lay), 0.0)
    dx, dy = cosine * dx - sine * dy, sine * dx + cosine * dy
    e, d = outward(a, c.turn_a, (-dy, dx, 0.0)), outward(a, c.turn_a, (dx, dy, 0.0))
    p = along(placed(a, c.point_a), radius, d)
    put(o.pa, p)
    put(o.edge_a, e)
    curve(o.ka, e, k)
    o.sharp_a = EDGE
    return p, d, 0.0 if leans else radius * (x * dx + y * dy + tilt), leans


@kernel
def write_rim(c, b, o, p, k, height, sunk, leans, over, distance, m):
    """Write the gap of a point p of a rim (a) and a face of b with the normal k, and the side of b, all in the axes of b.

    `height` is that of p over the plane of the face. If p is not `over` the face, the nearest piece of b is at the `distance`
    along m, and the gap of an open contact is that and more, as far as m is not k: continuous, and zero only where something
    else touches. The lowest point of a disk that all but lies flat runs round its rim, so that this distance may jump; the
    height changes no faster than the bodies move. A closed contact keeps to the plane of its face, unless it is compliant.
    """
    o.off = 1 if not over or (leans and c.size_a[1] < 0.0 and c.law != SOFT) else 0
    if over or (o.mode != OPEN and c.law != SOFT):
        m, distance = k, height
    o.g = distance - sunk + LIFT * c.size_a[0] * (1.0 - dot(k, m))
    o.slack = abs(o.g) - abs(height - sunk)
    n = outward(b, c.turn_b, (-m[0], -m[1], -m[2]))
    put(o.n, n)
    put(o.pb, along(p, o.g, n))
    curve(o.kb, n, 0.0)
    o.sharp_b = SMOOTH


@kernel
def rim_plane(c, a, b, o):
    """Gap of a rim (a) and a half space (b); to points of a disk that lies flat it is that of the lowest one."""
    up = (0.0, 0.0, 1.0)
    p, _, sunk, leans = rim_point(c, a, third_axis(b, c.turn_b), o)
    height = inward(b, c.turn_b, from_to(placed(b, c.point_b), p))[2]
    write_rim(c, b, o, p, up, height, sunk, leans, True, height, up)


@kernel
def nearest_piece(q, radius, half, w, limit, hole):
    """(signed distance of q, unit vector from the cylinder to q, SMOOTH side or end, or EDGE), all in the cylinder's axes.

    For corners see `nearest_feature`: one that only the side or only the end can push meets that, up to the `hole` beyond the
    rim; of both it meets neither within the hole of the rim: VERTEX.
    """
    rho = math.sqrt(q[0] * q[0] + q[1] * q[1])
    x, y, z = (q[0] / rho, q[1] / rho, math.copysign(1.0, q[2])) if rho > 0.0 else (1.0, 0.0, math.copysign(1.0, q[2]))
    off, over = rho - radius, abs(q[2]) - half
    aside, above = x * w[0] + y * w[1] <= limit, z * w[2] <= limit
    alone = aside != above and (over if aside else off) <= hole
    if not alone:
        if max(abs(off), abs(over)) < hole:
            return hole, (x, y, 0.0), VERTEX
        if off > 0.0 and over > 0.0:
            distance = math.sqrt(off * off + over * over)
            return distance, (off / distance * x, off / distance * y, over / distance * z), EDGE
        aside = off > over
    return (off, (x, y, 0.0), SMOOTH) if aside else (over, (0.0, 0.0, z), SMOOTH)


@kernel
def ball_cylinder(c, a, b, o):
    """Gap of a ball or corner (a) and a cylinder (b; `size` = radius, half length); for corners see `ball_polyhedron`."""
    centre, r, radius = placed(a, c.point_a), c.size_a[0], c.size_b[0]
    q, w = inward(b, c.turn_b, from_to(placed(b, c.point_b), centre)), inward(b, c.turn_b, third_axis(a, c.turn_a))
    distance, m, o.sharp_b = nearest_piece(q, radius, c.size_b[1], w, 1.0 - c.size_a[1] + FLUSH, c.size_a[2])
    o.off = 1 if o.sharp_b == VERTEX else 0
    touch_ball(o, centre, r, outward(b, c.turn_b, (-m[0], -m[1], -m[2])), distance - r)
    side = math.sqrt(m[0] * m[0] + m[1] * m[1])
    e = outward(b, c.turn_b, (-m[1] / side, m[0] / side, 0.0) if side > 0.0 else (1.0, 0.0, 0.0))
    put(o.edge_b, e)
    curve(o.kb, e, side / radius)  # across the side, nothing on an end, normal curvature of the rim


@kernel
def rim_end(c, a, b, o):
    """Gap of a rim (a) and that end of a cylinder (b; `size` = radius, half length) that it is before, see `rim_polyhedron`."""
    origin, axis = placed(b, c.point_b), third_axis(a, c.turn_a)
    w = inward(b, c.turn_b, axis)
    up = math.copysign(1.0, inward(b, c.turn_b, from_to(origin, placed(a, c.point_a)))[2])
    if up * w[2] >= CONE:
        up = -up
    p, d, sunk, leans = rim_point(c, a, outward(b, c.turn_b, (0.0, 0.0, up)), o)
    w = inward(b, c.turn_b, (SQUARE * (axis[0] + d[0]), SQUARE * (axis[1] + d[1]), SQUARE * (axis[2] + d[2])))
    q = inward(b, c.turn_b, from_to(origin, p))
    distance, m, _ = nearest_piece(q, c.size_b[0], c.size_b[1], w, RIM, COINCIDENT * c.size)
    write_rim(c, b, o, p, (0.0, 0.0, up), up * q[2] - c.size_b[1], sunk, leans, m[2] == up, distance, m)
