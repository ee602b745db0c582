"""Gaps of a cylinder with straight edges: those of polyhedra, and capsules and cylinders, which are round edges; of two rims.

Along the line of an edge a cylinder's rim is seen as an ellipse, and the line as a point: the rim's point nearest to the line
is the ellipse's nearest to that point. A line that rises along the axis meets a rim on the half towards which it falls; one
that lies flat on the end meets both halves, where it crosses the rim. So each half of a rim has a gap of its own.
"""

import math

from routh.core.gaps.capsule_gap import crossing
from routh.core.gaps.polyhedron_gap import between
from routh.core.gaps.polyhedron_rows import parts, row
from routh.core.gaps.rim_gap import ball_cylinder, rim_end, rim_plane
from routh.core.gaps.tolerances import (
    BLURRED,
    COINCIDENT,
    CONE,
    DEEP,
    FLUSH,
    LIFT,
    NEWTON_STEPS,
    PARALLEL,
    QUADRATIC,
    ROUND_OFF,
    SCAN,
)
from routh.core.gaps.witness import across, along, curve, from_to, outward, placed, put, rounded_line, seen_from
from routh.core.jit import kernel
from routh.core.tables.layout import EDGE, OPEN, SMOOTH, SOFT
from routh.core.tables.pairs import BALL_CYLINDER, EDGE_CYLINDER, RIM_END, RIM_PLANE
from routh.core.tree.rotation import dot, turned


@kernel
def on_half(size, m, b):
    """(cosine, sine, whether there is one) of the angle θ, 0 <= θ <= 90°, with tan θ (m cos θ + b) = size.

    As a function of the tangent the left side is concave: Newton's method climbs to the root from the left without a miss.
    """
    if size >= m and b <= 0.0:
        return 0.0, 1.0, b == 0.0
    z = min(size / m, 1.0) if m > 0.0 else 1.0
    least = -CONE * m * math.sqrt(1.0 - z * z) ** 3
    found, b = b >= least, max(b, least)
    tangent = size / (m + b)
    if b > 0.0:
        tangent = max(tangent, (size - m) / b)
    for _ in range(NEWTON_STEPS):
        cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
        step = (size - tangent * (m * cosine + b)) / (m * cosine ** 3 + b)
        tangent += step
        if step <= ROUND_OFF * tangent:
            break
    cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
    return cosine, tangent * cosine, found


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
    level = abs(v) < FLUSH
    cosine, sine, found = on_half(abs(side), radius * h * h, 0.0 if level and abs(side) >= radius * h * h else -half * v * rise)
    sine = math.copysign(sine, side)
    dx, dy = half * cosine * ux - sine * uy, half * cosine * uy + sine * ux
    p = (radius * dx, radius * dy, 0.0)
    t = dot(l, from_to(q, p))
    out, up = -half * v, h * cosine
    if abs(out) < BLURRED and up < BLURRED:
        x = from_to(p, along(q, t, l))
        beside = level and abs(x[2]) < hole  # as high as the end, and beside it: it would pass either way, and is not met
        out, up = (0.0, 1.0) if beside else (x[0] * dx + x[1] * dy, x[2])
        found = found and not beside
    k = math.sqrt(out * out + up * up)
    out, up = (out / k, up / k) if k > 0.0 else (1.0, 0.0)
    return p, (out * dx, out * dy, up), t, found and out >= -FLUSH and up >= -FLUSH


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
    """Gap of edges of one colour of a polyhedron, or a round shape's side (a), and a cylinder's side or half a rim (b).

    `size` of a is (radius, colour, 1 if its ends are flat), of b (radius, half length, 0) or (radius, 0, which half). They may
    touch where their common normal is one of both. If nothing does, the gap is the least distance of the cylinder's point to an
    edge and how far beyond their ends they would meet: continuous, and zero only where something else touches. A closed contact
    of a rim keeps to the nearest edge, along the normal of both, beyond their ends.
    """
    Q, radius, r = o.ka, c.size_b[0], c.size_a[0]
    hole = FLUSH * c.size if r == 0.0 else -FLUSH * c.size  # what is round reaches farther: no gap is left at its ends
    d = seen_from(b, c.turn_b, placed(b, c.point_b), a, c.turn_a, placed(a, c.point_a), Q)
    _, edge, face, end = parts(vertex, c.first_a)
    is_rim, room = c.size_b[2] != 0.0, c.size_b[1]
    best, own, touching = math.inf, math.inf, False
    n, pa, pb, ea = (1.0, 0.0, 0.0), d, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    for i in range(edge, face, 4):
        if vertex[i, 2] != c.size_a[1]:
            continue
        q, l, half = along(d, 1.0, turned(Q, row(vertex, i + 2))), turned(Q, row(vertex, i + 3)), vertex[i + 1, 2] - hole
        far = max(best, 0.0) + half + c.size_b[1] + radius + r
        if dot(q, q) > far * far and best < math.inf:
            continue
        if is_rim:
            p, m, t, touches = rim_line(q, l, radius, c.size_b[2], hole)
        else:
            p, m, t, touches = side_line(q, l, radius, room - hole if abs(l[2]) < FLUSH else room)
        g = dot(m, from_to(p, along(q, t, l))) - r
        touches = touches and abs(t) <= half and g > -DEEP * c.size
        if touches and face < end:
            f1 = turned(Q, row(vertex, face + 2 * int(vertex[i + 1, 0])))
            f2 = turned(Q, row(vertex, face + 2 * int(vertex[i + 1, 1])))
            e = (-p[1] / radius, p[0] / radius, 0.0) if is_rim else (0.0, 0.0, 1.0)
            touches = between(f1, f2, e) and dot(m, f1) + dot(m, f2) < 0.0
        if is_rim and not touches and o.mode != OPEN and c.law != SOFT:
            x = from_to(p, along(q, t, l))
            far = math.sqrt(dot(x, x))
            if not touching and far < best:
                best, own, n, pa, pb, ea = far, g, m, along(along(q, t, l), -r, m), p, l
            continue
        if not touches:
            beyond, lift = 0.0, LIFT * max(-m[0] * p[0] - m[1] * p[1], 0.0)
            if not is_rim:
                z, t, beyond, _ = crossing((0.0, 0.0, 1.0), l, q, room, half)
                x = along(q, t, l)
                aside = math.hypot(x[0], x[1])
                p = (radius * x[0] / aside, radius * x[1] / aside, z) if aside > 0.0 else (p[0], p[1], z)
            t = dot(l, from_to(q, p))
            x = from_to(p, along(q, t, l))
            far, beyond = math.sqrt(dot(x, x)), beyond + lift + max(abs(t) - half - hole, 0.0)
            if c.size_a[2] != 0.0:
                far = max(far, r - hole)
            g = max(far + beyond, hole) - r
        if (touches and not touching) or (touches == touching and g < best):
            best, touching, n, pa, pb, ea = g, touches, m, along(along(q, t, l), -r, m), p, l

    centre, e = placed(b, c.point_b), (-pb[1] / radius, pb[0] / radius, 0.0)
    bend = (n[0] * pb[0] + n[1] * pb[1]) / (radius * radius)
    n, ea = outward(b, c.turn_b, (-n[0], -n[1], -n[2])), outward(b, c.turn_b, ea)
    if own < math.inf and not touching:
        best = own
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


@kernel
def unit(v):
    """v / |v|."""
    k = 1.0 / math.sqrt(dot(v, v))
    return k * v[0], k * v[1], k * v[2]


@kernel
def in_plane(v, X, Y):
    """Unit vector along the part of v in the plane of X and Y."""
    x, y = dot(v, X), dot(v, Y)
    k = math.sqrt(x * x + y * y)
    x, y = (x / k, y / k) if k > 0.0 else (1.0, 0.0)
    return along((x * X[0], x * X[1], x * X[2]), y, Y)


@kernel
def descend(q, w, ra, rb, da, db):
    """Down from two points of rims, in the directions da and db from their centres, to where their distance is least.

    The rims are about the third axis and about w, with the way q from centre to centre. By Newton's method, halved until it
    goes down. Return (da, db, the way from the one point to the other).
    """
    x = along(along(q, rb, db), -ra, da)
    for _ in range(NEWTON_STEPS):
        ea, eb = across((0.0, 0.0, 1.0), da), across(w, db)
        ga, gb = dot(x, ea), -dot(x, eb)
        aa, bb, ab = 1.0 + dot(x, da) / ra, 1.0 - dot(x, db) / rb, -dot(ea, eb)
        least = 0.5 * (aa + bb - math.sqrt((aa - bb) ** 2 + 4.0 * ab * ab))  # of the curvatures of half the squared distance
        lift = max(ROUND_OFF - least, 0.0) if least > 0.0 else 0.01 - least
        aa, bb = aa + lift, bb + lift
        det = aa * bb - ab * ab
        sa, sb = (bb * ga - ab * gb) / det / ra, (aa * gb - ab * ga) / det / rb
        size, scale, before, start_a, start_b = max(abs(sa), abs(sb)), 1.0, dot(x, x), da, db
        for _ in range(NEWTON_STEPS):
            da, db = unit(along(start_a, scale * sa, ea)), unit(along(start_b, scale * sb, eb))
            x = along(along(q, rb, db), -ra, da)
            if dot(x, x) <= before or size < QUADRATIC:
                break
            scale *= 0.5
        if size < ROUND_OFF or (size < QUADRATIC and dot(x, x) >= before):
            break
    return da, db, x


@kernel
def rim_rim(c, a, b, o):
    """Gap of a rim (a; `size` = radius, 0, which side of the plane through its axis and the centre of b) and a rim (b).

    Where the distance of two of their points is least: on half of a, from the best of some points on. Disks that lie on each
    other touch on both sides, where their rims cross.
    """
    Q, ra, rb, hole = o.ka, c.size_a[0], c.size_b[0], FLUSH * c.size
    q = seen_from(a, c.turn_a, placed(a, c.point_a), b, c.turn_b, placed(b, c.point_b), Q)
    X, Y, w = (Q[0, 0], Q[1, 0], Q[2, 0]), (Q[0, 1], Q[1, 1], Q[2, 1]), (Q[0, 2], Q[1, 2], Q[2, 2])
    far = math.sqrt(q[0] * q[0] + q[1] * q[1])
    vx, vy = (q[0] / far, q[1] / far) if far > 0.0 else (1.0, 0.0)
    ux, uy = -c.size_a[2] * vy, c.size_a[2] * vx

    # from each point that is nearer than its neighbours
    first, last, pa, pb = math.inf, math.inf, (vx, vy, 0.0), X
    da, db, x, least = pa, pb, q, math.inf
    for k in range(SCAN + 1):
        cosine, sine, now = math.cos((k + 0.5) / SCAN * math.pi), math.sin((k + 0.5) / SCAN * math.pi), math.inf
        d = (cosine * vx + sine * ux, cosine * vy + sine * uy, 0.0)
        e = in_plane(from_to(q, (ra * d[0], ra * d[1], 0.0)), X, Y)
        if k < SCAN:
            y = along(along(q, rb, e), -ra, d)
            now = dot(y, y)
        if last < math.inf and last <= first and last <= now:
            pa, pb, y = descend(q, w, ra, rb, pa, pb)
            if dot(y, y) < least:
                da, db, x, least = pa, pb, y, dot(y, y)
        first, last, pa, pb = last, now, d, e

    ea, eb, least = across((0.0, 0.0, 1.0), da), across(w, db), math.sqrt(least)
    n = across(ea, eb)
    out = math.copysign(math.sqrt(dot(n, n)), n[2] + dot(n, da))
    clear = abs(out) > COINCIDENT
    if abs(out) < BLURRED and least > BLURRED * c.size:
        n, out, clear = x, least, True
    n = (n[0] / out, n[1] / out, n[2] / out) if out != 0.0 else da
    g = dot(n, x)
    rest, astray = along(x, -g, n), max(-n[2], -dot(n, da), dot(n, w), dot(n, db), -ux * da[0] - uy * da[1])
    touches = clear and astray <= FLUSH and g > -DEEP * c.size and dot(rest, rest) < hole * hole
    o.g = g if touches else max(least, hole) + LIFT * ra * max(astray, 0.0)
    o.off = 0 if touches else 1
    origin = placed(a, c.point_a)
    ka, kb = dot(n, da) / ra, -dot(n, db) / rb
    put(o.n, outward(a, c.turn_a, n))
    put(o.pa, along(origin, ra, outward(a, c.turn_a, da)))
    put(o.pb, along(origin, 1.0, outward(a, c.turn_a, along(q, rb, db))))
    ea, eb = outward(a, c.turn_a, ea), outward(a, c.turn_a, eb)
    put(o.edge_a, ea)
    put(o.edge_b, eb)
    curve(o.ka, ea, ka)
    curve(o.kb, eb, kb)
    o.sharp_a = o.sharp_b = EDGE


@kernel
def gap(system, work, i):
    """Fill the gap of contact i, one part of which is a cylinder or its rim."""
    c, o = system.contact[i], work.touch[i]
    a, b = work.frame[c.a], work.frame[c.b]
    if c.kind == BALL_CYLINDER:
        ball_cylinder(c, a, b, o)
    elif c.kind == RIM_PLANE:
        rim_plane(c, a, b, o)
    elif c.kind == EDGE_CYLINDER:
        edge_cylinder(c, a, b, o, system.vertex)
    elif c.kind == RIM_END:
        rim_end(c, a, b, o)
    else:
        rim_rim(c, a, b, o)
