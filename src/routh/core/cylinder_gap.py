"""Gaps of a cylinder with straight edges: those of polyhedra, and a capsule, which is an edge that is rounded off.

Along the line of an edge a cylinder's rim is seen as an ellipse, and the line as a point: the rim's point nearest to the line
is the ellipse's nearest to that point. A line that rises along the axis meets a rim on the half towards which it falls; one
that lies flat on the end meets both halves, where it crosses the rim. So each half of a rim has a gap of its own.
"""

import math

from routh.core.capsule_gap import PARALLEL
from routh.core.jit import kernel
from routh.core.layout import EDGE, SMOOTH
from routh.core.polyhedron_gap import DEEP, HOLE, IN_FACE, between, parts, row, seen_from
from routh.core.rotation import dot, turned
from routh.core.witness import along, curve, from_to, outward, placed, put, rounded_line

INSIDE = 0.1  # part of the way to the ellipse's evolute up to which a point inside is near its half of the rim
BLURRED = 1e-4  # sine and cosine, both below this: a line along the rim, whose normal their ratio does not tell
MOST = 100    # Newton steps; fewer than ten are usual, more where a line all but lies flat and touches the rim


@kernel
def on_half(size, m, b):
    """(cosine, whether there is one) of the angle θ, 0 <= θ <= 90°, with tan θ (m cos θ + b) = size.

    As a function of the tangent the left side is concave: Newton's method climbs to the root from the left without a miss.
    """
    if size >= m and b <= 0.0:
        return 0.0, b == 0.0
    z = min(size / m, 1.0) if m > 0.0 else 1.0
    least = -INSIDE * m * math.sqrt(1.0 - z * z) ** 3
    found, b = b >= least, max(b, least)
    tangent = size / (m + b)
    if b > 0.0:
        tangent = max(tangent, (size - m) / b)
    for _ in range(MOST):
        cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
        step = (size - tangent * (m * cosine + b)) / (m * cosine ** 3 + b)
        tangent += step
        if step <= 1e-15 * tangent:
            break
    return 1.0 / math.sqrt(1.0 + tangent * tangent), found


@kernel
def rim_line(q, l, radius, half, hole):
    """(point, normal, position along the line, whether they may touch) of one half, +1 or -1, of a rim and a line.

    The rim is about the third axis, which points out of the cylinder; the line has the direction l and passes through q.
    """
    v, h = l[2], math.sqrt(l[0] * l[0] + l[1] * l[1])
    ux, uy = 1.0, 0.0
    if h * h > PARALLEL:
        ux, uy = l[0] / h, l[1] / h
    else:
        x, y = q[0] - q[2] / v * l[0], q[1] - q[2] / v * l[1]
        far = half * math.sqrt(x * x + y * y)
        if far != 0.0:
            ux, uy = x / far, y / far
    rise, side = h * q[2] - v * (ux * q[0] + uy * q[1]), ux * q[1] - uy * q[0]
    level = abs(v) < IN_FACE
    cosine, found = on_half(abs(side), radius * h * h, 0.0 if level and abs(side) >= radius * h * h else -half * v * rise)
    sine = math.copysign(math.sqrt((1.0 - cosine) * (1.0 + cosine)), side)
    dx, dy = half * cosine * ux - sine * uy, half * cosine * uy + sine * ux
    p = (radius * dx, radius * dy, 0.0)
    t = dot(l, from_to(q, p))
    out, up = -half * v, h * cosine
    if abs(out) < BLURRED and up < BLURRED:
        x = from_to(p, along(q, t, l))
        out, up = x[0] * dx + x[1] * dy, x[2]
        found = found and not (level and abs(up) < hole)  # as high as the end, and beside it: it would pass either way
    k = math.sqrt(out * out + up * up)
    out, up = (out / k, up / k) if k > 0.0 else (1.0, 0.0)
    return p, (out * dx, out * dy, up), t, found and out >= -IN_FACE and up >= -IN_FACE


@kernel
def side_line(q, l, radius, half):
    """The same of a cylinder's side, of so much half length, and a line."""
    square = l[0] * l[0] + l[1] * l[1]
    x, y, t = q[0], q[1], math.inf
    h = math.sqrt(x * x + y * y)
    if square > PARALLEL:
        t = -(x * l[0] + y * l[1]) / square
        h = math.copysign(math.sqrt(square), l[0] * y - l[1] * x)
        x, y = -l[1], l[0]
    x, y = (x / h, y / h) if h != 0.0 else (1.0, 0.0)
    z = q[2] + t * l[2]
    return (radius * x, radius * y, z), (x, y, 0.0), t, abs(z) <= half


@kernel
def edge_cylinder(c, a, b, o, vertex):
    """Gap of edges of one colour of a polyhedron, or of a capsule (a), and a cylinder's side or half a rim (b).

    `size` of a is (radius, colour), of b (radius, half length, 0) or (radius, 0, which half). They may touch where their common
    normal is one of both. If nothing does, the gap is the least distance of the cylinder's point to an edge and how far beyond
    their ends they would meet: continuous, and zero only where something else touches.
    """
    Q, radius, r = o.ka, c.size_b[0], c.size_a[0]
    hole = HOLE * c.size if r == 0.0 else -HOLE * c.size  # what is round reaches round-off farther: no gap is left at its ends
    d = seen_from(b, c.turn_b, placed(b, c.point_b), a, c.turn_a, placed(a, c.point_a), Q)
    _, edge, face, end = parts(vertex, c.first_a)
    is_rim, room = c.size_b[2] != 0.0, c.size_b[1]
    best, touching = math.inf, False
    n, pa, pb, ea = (1.0, 0.0, 0.0), d, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    for i in range(edge, face, 4):
        if int(vertex[i, 2]) % 4 != c.size_a[1]:
            continue
        q, l, half = along(d, 1.0, turned(Q, row(vertex, i + 2))), turned(Q, row(vertex, i + 3)), vertex[i + 1, 2] - hole
        far = max(best, 0.0) + half + c.size_b[1] + radius + r
        if dot(q, q) > far * far and best < math.inf:
            continue
        if is_rim:
            p, m, t, touches = rim_line(q, l, radius, c.size_b[2], hole)
        else:
            p, m, t, touches = side_line(q, l, radius, room - hole if abs(l[2]) < IN_FACE else room)
        g = dot(m, from_to(p, along(q, t, l))) - r
        touches = touches and abs(t) <= half and g > -DEEP * c.size
        if touches and face < end:
            f1 = turned(Q, row(vertex, face + 2 * int(vertex[i + 1, 0])))
            f2 = turned(Q, row(vertex, face + 2 * int(vertex[i + 1, 1])))
            e = (-p[1] / radius, p[0] / radius, 0.0) if is_rim else (0.0, 0.0, 1.0)
            touches = between(f1, f2, e) and dot(m, f1) + dot(m, f2) < 0.0
        if not touches:
            z = min(max(p[2], -room), room)
            beyond, p = min(abs(p[2] - z), room + radius) + max(-m[0] * p[0] - m[1] * p[1], 0.0), (p[0], p[1], z)
            t = dot(l, from_to(q, p))
            x = from_to(p, along(q, t, l))
            g = max(math.sqrt(dot(x, x)) + beyond + max(abs(t) - half, 0.0), hole) - r
        if (touches and not touching) or (touches == touching and g < best):
            best, touching, n, pa, pb, ea = g, touches, m, along(along(q, t, l), -r, m), p, l

    centre, e = placed(b, c.point_b), (-pb[1] / radius, pb[0] / radius, 0.0)
    bend = (n[0] * pb[0] + n[1] * pb[1]) / (radius * radius)
    n, ea = outward(b, c.turn_b, (-n[0], -n[1], -n[2])), outward(b, c.turn_b, ea)
    o.g = best if best < math.inf else math.sqrt(dot(d, d)) + c.reach_a + c.reach_b
    o.off = 0 if touching else 1
    put(o.n, n)
    put(o.pa, along(centre, 1.0, outward(b, c.turn_b, pa)))
    put(o.pb, along(centre, 1.0, outward(b, c.turn_b, pb)))
    o.sharp_a = rounded_line(o.ka, o.edge_a, True, n, ea, r)
    e = outward(b, c.turn_b, e)
    put(o.edge_b, e)
    curve(o.kb, e, bend)  # across the side, or the rim's normal curvature
    o.sharp_b = EDGE if is_rim else SMOOTH
