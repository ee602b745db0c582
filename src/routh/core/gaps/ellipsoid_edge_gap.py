"""Gaps of an ellipsoid and what has edges: a capsule, a polyhedron, a cylinder.

The signed distance φ of a point from an ellipsoid is convex, so that a convex body has one point where it is least: the gap.
In a face it is under the ellipsoid's lowest point; on an edge it is found from the ellipsoid's shadow along the edge; on a rim
from the shadows along its diameters. All in the ellipsoid's axes, where it reaches h = √Σ (a n)² along n.

Every unit normal n bounds φ from below: over the body it is at least f(n), the lowest the body has along n less h. A point of
the body with φ = f(n) is the one. A body that the ellipsoid pierces may have none; there the largest f that was found, which is
negative, is the gap.
"""

import math

from routh.core.bracket import between, narrow
from routh.core.gaps.ellipsoid_gap import (
    ball_ellipsoid,
    curve_ellipsoid,
    ellipsoid_ellipsoid,
    ellipsoid_plane,
    nearest,
    point_ellipsoid,
    square_axes,
)
from routh.core.gaps.polyhedron_rows import parts, row
from routh.core.gaps.tolerances import FAR, NEWTON_STEPS, ROUND_OFF
from routh.core.gaps.witness import (
    across,
    along,
    curve,
    from_to,
    inward,
    outward,
    placed,
    put,
    rounded_line,
    seen_from,
    tangents,
    third_axis,
)
from routh.core.jit import kernel
from routh.core.tables.layout import EDGE, SMOOTH
from routh.core.tables.pairs import BALL_ELLIPSOID, ELLIPSOID_ELLIPSOID, ELLIPSOID_PLANE, ELLIPSOID_POLYHEDRON
from routh.core.tree.rotation import dot, turned, turned_back


@kernel
def lowest(axes, n):
    """(h, p): how far the ellipsoid reaches along n, and its point there."""
    x, y, z = axes[0] * axes[0] * n[0], axes[1] * axes[1] * n[1], axes[2] * axes[2] * n[2]
    h = math.sqrt(x * n[0] + y * n[1] + z * n[2])
    return h, (x / h, y / h, z / h)


@kernel
def line_ellipsoid(axes, q, e):
    """(least φ on the line through q along the unit vector e, outward normal there, where it is from q).

    Seen along e the line is a point and the ellipsoid an ellipse. The squares of its axes are eigenvalues of S in the plane
    across e, the smaller one by the determinant, a sum without differences.
    """
    x, y, z = axes[0] * axes[0], axes[1] * axes[1], axes[2] * axes[2]
    t, u = tangents(e)
    tt, uu = x * t[0] * t[0] + y * t[1] * t[1] + z * t[2] * t[2], x * u[0] * u[0] + y * u[1] * u[1] + z * u[2] * u[2]
    tu = x * t[0] * u[0] + y * t[1] * u[1] + z * t[2] * u[2]
    major = 0.5 * (tt + uu + math.sqrt((tt - uu) * (tt - uu) + 4.0 * tu * tu))
    minor = (y * z * e[0] * e[0] + z * x * e[1] * e[1] + x * y * e[2] * e[2]) / major
    turn = 0.5 * math.atan2(2.0 * tu, tt - uu)
    cosine, sine = math.cos(turn), math.sin(turn)
    v = (cosine * t[0] + sine * u[0], cosine * t[1] + sine * u[1], cosine * t[2] + sine * u[2])
    w = across(e, v)
    root, foot = nearest((math.sqrt(major), math.sqrt(minor), math.sqrt(major)), (dot(q, v), dot(q, w), 0.0))
    i, j = foot[0] / major, foot[1] / minor
    length = math.sqrt(i * i + j * j)
    n = along((i / length * v[0], i / length * v[1], i / length * v[2]), j / length, w)
    return root * length, n, dot(lowest(axes, n)[1], e) - dot(q, e)


@kernel
def middle_within(axes, q, e):
    """Where, from q, the middle is of what an ellipsoid has of the line through q along e."""
    k = (e[0] / axes[0] / axes[0], e[1] / axes[1] / axes[1], e[2] / axes[2] / axes[2])
    return -dot(k, q) / dot(k, e)


@kernel
def edge_ellipsoid(axes, q, e, half):
    """The same on the edge with the middle q and the half length `half`: at its nearer end if the line's point is beyond it.

    Of a line far through the ellipsoid the shadow tells nothing: a nearer surface is before or behind. What of it is within
    tells which end is nearer.
    """
    distance, n, s = line_ellipsoid(axes, q, e)
    far = FAR * min(axes[0], axes[1], axes[2]) ** 2 / max(axes[0], axes[1], axes[2])
    if distance < -far and point_ellipsoid(axes, along(q, s, e))[0] > 0.5 * distance:
        s = middle_within(axes, q, e)
    elif abs(s) < half:
        return distance, n, s
    s = min(max(s, -half), half)
    distance, n = point_ellipsoid(axes, along(q, s, e))
    return distance, n, s


@kernel
def touch_ellipsoid(c, a, o, n, g):
    """Write the gap, the normal, both witness points and the side of a, an ellipsoid with the normal n in its axes."""
    _, p = lowest((c.size_a[0], c.size_a[1], c.size_a[2]), n)
    n, p = outward(a, c.turn_a, n), along(placed(a, c.point_a), 1.0, outward(a, c.turn_a, p))
    o.g = g
    put(o.n, n)
    put(o.pa, p)
    put(o.pb, along(p, g, n))
    square_axes(a, c.turn_a, c.size_a, o.ka)
    curve_ellipsoid(o.ka, n)
    o.sharp_a = SMOOTH
    return n


@kernel
def over_face(vertex, face, end, at, q, height):
    """Whether q in the plane of a face is in it, and the point below q at a negative height in the polyhedron."""
    m, deep = row(vertex, at), min(height, 0.0)
    for i in range(face, end, 2):
        k = row(vertex, i)
        if i != at and dot(k, q) + max(deep * dot(k, m), 0.0) > vertex[i + 1, 0]:
            return False
    return True


@kernel
def ellipsoid_polyhedron(c, a, b, o, vertex):
    """Gap of an ellipsoid (a) and a polyhedron, or a capsule as an edge without faces (b; `size` = radius).

    A face that is under the ellipsoid's lowest point is the one of the largest f. Otherwise the least φ of all edges counts:
    with its normal n, an edge that is nowhere lower along n cannot have less.
    """
    axes, r, Q = (c.size_a[0], c.size_a[1], c.size_a[2]), c.size_b[0], o.kb
    d = seen_from(a, c.turn_a, placed(a, c.point_a), b, c.turn_b, placed(b, c.point_b), Q)
    corner, edge, face, end = parts(vertex, c.first_b)

    height, n, at = -math.inf, (1.0, 0.0, 0.0), face
    for i in range(face, end, 2):
        k = turned(Q, row(vertex, i))
        f = -dot(k, d) - vertex[i + 1, 0] - lowest(axes, k)[0]
        if f > height:
            height, n, at = f, (-k[0], -k[1], -k[2]), i
    g, flat, m, e, inside = height, face < end, n, n, False
    if flat:
        foot = from_to(d, along(lowest(axes, n)[1], height, n))
        flat = over_face(vertex, face, end, at, turned_back(Q, foot), height)

    if not flat:
        least, bound, tie = math.inf, math.inf, ROUND_OFF * (c.reach_a + c.reach_b)
        for i in range(edge, face, 4):
            q, k, half = along(d, 1.0, turned(Q, row(vertex, i + 2))), turned(Q, row(vertex, i + 3)), vertex[i + 1, 2]
            if dot(m, q) - half * abs(dot(m, k)) < bound:
                distance, normal, s = edge_ellipsoid(axes, q, k, half)
                within = abs(s) < half  # which is nearer, by however little, than the edge's end that others share
                if distance < least - tie or (within and not inside and distance < least + tie):
                    least, m, e, inside = distance, normal, k, within
                    bound = least + lowest(axes, m)[0] + tie
        low, k = math.inf, turned_back(Q, m)
        for i in range(corner, edge):
            low = min(low, dot(k, row(vertex, i)))
        f = low + dot(m, d) - lowest(axes, m)[0]
        flat = height > f + tie
        if not flat:
            g, n = f, m

    n = touch_ellipsoid(c, a, o, n, g - r)
    if flat:
        curve(o.kb, n, 0.0)
        o.sharp_b = SMOOTH
    else:
        o.sharp_b = rounded_line(o.kb, o.edge_b, inside, n, outward(a, c.turn_a, e), r)


@kernel
def rim_ellipsoid(axes, q, e, radius):
    """The outward normal where φ is least on the rim with the middle q about the axis e.

    Of a diameter of the disk the least φ has a normal that points away from the half of the disk that has less. So the
    diameter that ends where φ is least is a root of how the normal leans across it, the only one in half a turn.
    """
    t, u = tangents(e)
    n, angle, low, high, f_low, f_high, side = e, 0.0, 0.0, math.pi, 0.0, 0.0, 0
    for trial in range(2 * NEWTON_STEPS):  # halving from `bracket.QUICK` on, where a needle lies almost flat
        cosine, sine = math.cos(angle), math.sin(angle)
        way = (cosine * t[0] + sine * u[0], cosine * t[1] + sine * u[1], cosine * t[2] + sine * u[2])
        _, n, _ = edge_ellipsoid(axes, q, way, radius)
        f = dot(n, across(way, e))
        if trial > 0:
            low, f_low, high, f_high, side = narrow(low, f_low, high, f_high, side, angle, f)
        elif f > 0.0:
            f_low, f_high = f, -f
        else:
            low, high, f_low, f_high = -math.pi, 0.0, -f, f
        before, angle = angle, between(low, f_low, high, f_high, trial)
        if f == 0.0 or abs(angle - before) < ROUND_OFF:
            break
    return n


@kernel
def ellipsoid_cylinder(c, a, b, o):
    """Gap of an ellipsoid (a) and a cylinder (b; `size` = radius, half length): its side, an end or a rim.

    The side is the axis with a radius. Otherwise the end counts that is on the side of the ellipsoid: of a point of it in front
    of the cylinder, the lowest one towards the axis or, where the axis passes through it, the middle of what is within.
    """
    axes, radius, half = (c.size_a[0], c.size_a[1], c.size_a[2]), c.size_b[0], c.size_b[1]
    d = inward(a, c.turn_a, from_to(placed(a, c.point_a), placed(b, c.point_b)))
    e = inward(a, c.turn_a, third_axis(b, c.turn_b))
    distance, n, s = line_ellipsoid(axes, d, e)
    g, rim = distance - radius, False
    if abs(s) > half or distance < -radius:
        if distance < 0.0:
            s = middle_within(axes, d, e)
        way = math.copysign(1.0, s)
        n = (-way * e[0], -way * e[1], -way * e[2])
        h, p = lowest(axes, n)
        g = dot(n, d) - half - h
        x = from_to(d, p)
        x = along(x, -dot(x, e), e)
        if dot(x, x) > radius * radius or g < -2.0 * half:
            m = rim_ellipsoid(axes, along(d, way * half, e), e, radius)
            x = across(m, e)
            f = dot(m, d) - half * abs(dot(m, e)) - radius * math.sqrt(dot(x, x)) - lowest(axes, m)[0]
            rim = f + ROUND_OFF * (c.reach_a + c.reach_b) > g
            if rim:
                g, n = f, m

    n, axis = touch_ellipsoid(c, a, o, n, g), third_axis(b, c.turn_b)
    x = from_to(placed(b, c.point_b), (o.pb[0], o.pb[1], o.pb[2]))
    x = along(x, -dot(x, axis), axis)
    length = max(math.sqrt(dot(x, x)), ROUND_OFF * radius)
    x = (x[0] / length, x[1] / length, x[2] / length)
    e = across(axis, x)
    put(o.edge_b, e)
    curve(o.kb, e, -dot(n, x) / radius)  # across the side, nothing on an end, normal curvature of the rim
    o.sharp_b = EDGE if rim else SMOOTH


@kernel
def gap(system, work, i):
    """Fill the gap of contact i, one part of which is an ellipsoid."""
    c, o = system.contact[i], work.touch[i]
    a, b = work.frame[c.a], work.frame[c.b]
    if c.kind == BALL_ELLIPSOID:
        ball_ellipsoid(c, a, b, o)
    elif c.kind == ELLIPSOID_PLANE:
        ellipsoid_plane(c, a, b, o)
    elif c.kind == ELLIPSOID_ELLIPSOID:
        ellipsoid_ellipsoid(c, a, b, o)
    elif c.kind == ELLIPSOID_POLYHEDRON:
        ellipsoid_polyhedron(c, a, b, o, system.vertex)
    else:
        ellipsoid_cylinder(c, a, b, o)
