"""Gaps of convex polyhedra: a ball or corner against one; edges of two that cross, or of one and a capsule.

For the rows of a polyhedron see `polyhedron_rows.py`; a capsule is one edge without faces.
"""

import math

from routh.core.gaps.capsule_gap import crossing
from routh.core.gaps.polyhedron_rows import parts, row
from routh.core.gaps.rim_gap import SQUARE, rim_point, write_rim
from routh.core.gaps.tolerances import BLUNT, CONE, DEEP, FLUSH, RIM
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
    third_axis,
    touch_ball,
)
from routh.core.jit import kernel
from routh.core.tables.layout import EDGE, SMOOTH, VERTEX
from routh.core.tables.pairs import BALL_POLYHEDRON, EDGE_EDGE
from routh.core.tree.rotation import dot, turned


@kernel
def nearest_feature(vertex, first, q, w, limit, hole):
    """(signed distance of q, unit vector from the polyhedron to q, SMOOTH face, EDGE or VERTEX, its row).

    The distance is the largest of n · q - h(n) over all directions: normals of faces, of edges between their two faces, of
    corners among their edges. Inside, that of the nearest face.

    If q is a corner of another polyhedron it can be pushed only within a cone about -w, n · w <= limit: it slides past a face
    that it could meet only from within its own body, as the sides of two boxes that are flush. Within `hole` of where two
    faces meet that it can be pushed by, neither is met: which one it would be is a matter of round-off.
    """
    corner, edge, face, end = parts(vertex, first)
    best, n, sharp, at = -math.inf, (0.0, 0.0, 0.0), SMOOTH, face
    outer, m, beside = -math.inf, n, face  # the same among all faces
    for i in range(face, end, 2):
        k = row(vertex, i)
        height = dot(k, q) - vertex[i + 1, 0]
        pushes = dot(k, w) <= limit
        if pushes and height > best:
            best, n, at = height, k, i
        if not pushes:
            height -= hole
        if height > outer:
            outer, m, beside = height, k, i
    if outer <= hole and best > -math.inf:
        for i in range(face, end, 2):
            k = row(vertex, i)
            if (abs(best) < hole and dot(k, n) < BLUNT and dot(k, w) <= limit
                    and dot(k, q) - vertex[i + 1, 0] > -hole):
                return hole, n, VERTEX, at
        return best, n, sharp, at
    best, n, at = dot(m, q) - vertex[beside + 1, 0], m, beside
    if best <= 0.0:
        return best, n, sharp, at

    # an edge: q is α n1 + β n2 from its line, α, β > 0
    for i in range(edge, face, 4):
        f1, f2 = face + 2 * int(vertex[i + 1, 0]), face + 2 * int(vertex[i + 1, 1])
        n1, n2 = row(vertex, f1), row(vertex, f2)
        h1, h2, c = dot(n1, q) - vertex[f1 + 1, 0], dot(n2, q) - vertex[f2 + 1, 0], dot(n1, n2)
        if h1 > c * h2 and h2 > c * h1:
            d, e = from_to(row(vertex, i + 2), q), row(vertex, i + 3)
            d = along(d, -dot(d, e), e)
            distance = math.sqrt(dot(d, d))
            if distance > best:
                best, n, sharp, at = distance, (d[0] / distance, d[1] / distance, d[2] / distance), EDGE, i

    # a corner: the nearest one, if q is behind all its edges
    least, closest = math.inf, corner
    for i in range(corner, edge):
        d = from_to(row(vertex, i), q)
        square = dot(d, d)
        if square < least:
            least, closest = square, i
    if least > best * best:
        p = row(vertex, closest)
        d = from_to(p, q)
        for i in range(edge, face, 4):
            one, other = corner + int(vertex[i, 0]), corner + int(vertex[i, 1])
            if (one == closest and dot(d, from_to(p, row(vertex, other))) > 0.0) or (
                    other == closest and dot(d, from_to(p, row(vertex, one))) > 0.0):
                return best, n, sharp, at
        best, sharp, at = math.sqrt(least), VERTEX, closest
        n = (d[0] / best, d[1] / best, d[2] / best)
    return best, n, sharp, at


@kernel
def ball_polyhedron(c, a, b, o, vertex):
    """Gap of a ball or corner (a) and a polyhedron (b).

    A corner has in `size` the radius 0, one plus the cosine of half the cone of its normals, about its third axis, and the
    `hole`; for a ball the last two are 0.
    """
    centre, r = placed(a, c.point_a), c.size_a[0]
    q = inward(b, c.turn_b, from_to(placed(b, c.point_b), centre))
    w = inward(b, c.turn_b, third_axis(a, c.turn_a))
    distance, m, sharp, at = nearest_feature(vertex, c.first_b, q, w, 1.0 - c.size_a[1] + FLUSH, c.size_a[2])
    n = outward(b, c.turn_b, (-m[0], -m[1], -m[2]))
    touch_ball(o, centre, r, n, distance - r)
    curve(o.kb, n, 0.0)
    o.sharp_b = sharp
    if sharp == EDGE:
        put(o.edge_b, outward(b, c.turn_b, row(vertex, at + 3)))


@kernel
def rim_polyhedron(c, a, b, o, vertex):
    """Gap of a rim (a) and that face of a polyhedron (b), of those before its end, from which its disk is farthest.

    For its points see `rim_point`, for their gaps `write_rim`.
    """
    origin = placed(b, c.point_b)
    centre = inward(b, c.turn_b, from_to(origin, placed(a, c.point_a)))
    axis = third_axis(a, c.turn_a)
    w = inward(b, c.turn_b, axis)
    _, _, face, end = parts(vertex, c.first_b)
    most, chosen = -math.inf, face
    for i in range(face, end, 2):
        k = row(vertex, i)
        x = across(k, w)
        g = dot(k, centre) - vertex[i + 1, 0] - c.size_a[0] * math.sqrt(dot(x, x))
        if g > most and dot(k, w) < CONE:
            most, chosen = g, i
    k = row(vertex, chosen)
    p, d, sunk, leans = rim_point(c, a, outward(b, c.turn_b, k), o)
    w = inward(b, c.turn_b, (SQUARE * (axis[0] + d[0]), SQUARE * (axis[1] + d[1]), SQUARE * (axis[2] + d[2])))
    q = inward(b, c.turn_b, from_to(origin, p))
    distance, m, sharp, at = nearest_feature(vertex, c.first_b, q, w, RIM, FLUSH * c.size)
    over = sharp == SMOOTH and at == chosen
    write_rim(c, b, o, p, k, dot(k, q) - vertex[chosen + 1, 0], sunk, leans, over, distance, m)


@kernel
def between(n1, n2, e):
    """Whether the normals n1 and n2 of two faces are on different sides of the plane across e, or one in it."""
    x, y = dot(n1, e), dot(n2, e)
    return min(x, y) <= FLUSH and max(x, y) >= -FLUSH


@kernel
def passes(vertex, face, end, q, e, half, least):
    """Whether a piece of the edge with the middle q, direction e and half length is in a polyhedron, at least so deep."""
    first, last = -half, half
    for i in range(face, end, 2):
        n = row(vertex, i)
        room, slope = vertex[i + 1, 0] - least - dot(n, q), dot(n, e)
        if slope > 0.0:
            last = min(last, room / slope)
        elif slope < 0.0:
            first = max(first, room / slope)
        elif room < 0.0:
            return False
    return first <= last


@kernel
def edge_edge(c, a, b, o, vertex):
    """Gap of two polyhedra, or a polyhedron (a) and a capsule (b), where edges of one colour of each cross.

    `size` = (radius, colour). Two edges may touch where their common normal is one of both: between the normals of
    their faces, outward for a and inward for b. If they cross within their lengths the gap is along this normal; it is
    negative only where the edge of b passes through a, not on its far side. If no two do, the gap is the least distance of
    two edges and how far beyond their ends they cross: continuous, and zero only where something else touches.
    """
    Q = o.kb
    d = seen_from(a, c.turn_a, placed(a, c.point_a), b, c.turn_b, placed(b, c.point_b), Q)
    _, edge_a, face_a, end_a = parts(vertex, c.first_a)
    _, edge_b, face_b, end_b = parts(vertex, c.first_b)
    bare = face_b == end_b

    best, touching, r, hole = math.inf, False, c.size_b[0], FLUSH * c.size
    n, pa, ea, eb = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    pb = along(d, 0.0, d)
    n1 = n2 = n
    for j in range(edge_b, face_b, 4):
        if vertex[j, 2] != c.size_b[1]:
            continue
        mb, tb, half_b = along(d, 1.0, turned(Q, row(vertex, j + 2))), turned(Q, row(vertex, j + 3)), vertex[j + 1, 2]
        if not bare:
            n1 = turned(Q, row(vertex, face_b + 2 * int(vertex[j + 1, 0])))
            n2 = turned(Q, row(vertex, face_b + 2 * int(vertex[j + 1, 1])))
        for i in range(edge_a, face_a, 4):
            if vertex[i, 2] != c.size_a[1]:
                continue
            ma, ta, half_a = row(vertex, i + 2), row(vertex, i + 3), vertex[i + 1, 2]
            x, far = from_to(ma, mb), max(best, 0.0) + half_a + half_b + r
            if dot(x, x) > far * far:
                continue
            s, t, beyond, square = crossing(ta, tb, x, half_a - hole, half_b - hole)
            if square == 0.0:
                continue
            xa, xb = along(ma, s, ta), along(mb, t, tb)
            x = from_to(xa, xb)
            g, crosses, m = math.sqrt(dot(x, x)) - r + beyond, False, n
            if beyond == 0.0:
                f1, f2 = row(vertex, face_a + 2 * int(vertex[i + 1, 0])), row(vertex, face_a + 2 * int(vertex[i + 1, 1]))
                w = across(ta, tb)
                length = math.copysign(math.sqrt(square), dot(w, f1) + dot(w, f2))
                m = (w[0] / length, w[1] / length, w[2] / length)
                crosses = dot(m, x) - r > -DEEP * c.size and between(f1, f2, tb) and (
                    bare or (between(n1, n2, ta) and dot(m, n1) + dot(m, n2) < 0.0))
                if crosses and dot(m, x) < -2.0 * hole:  # not on the far side of a thin shape
                    crosses = passes(vertex, face_a, end_a, mb, tb, half_b, hole)
                if crosses:
                    g = dot(m, x) - r
            if (crosses and not touching) or (crosses == touching and g < best):
                best, touching, n, pa, pb, ea, eb = g, crosses, m, xa, xb, ta, tb

    centre = placed(a, c.point_a)
    n, ea, eb = outward(a, c.turn_a, n), outward(a, c.turn_a, ea), outward(a, c.turn_a, eb)
    o.g = best if best < math.inf else math.sqrt(dot(d, d)) + c.reach_a + c.reach_b  # farther than anything of the two
    o.off = 0 if touching else 1
    put(o.n, n)
    put(o.pa, along(centre, 1.0, outward(a, c.turn_a, pa)))
    put(o.pb, along(along(centre, 1.0, outward(a, c.turn_a, pb)), -r, n))
    put(o.edge_a, ea)
    curve(o.ka, ea, 0.0)
    o.sharp_a = EDGE
    o.sharp_b = rounded_line(o.kb, o.edge_b, True, n, eb, r)


@kernel
def gap(system, work, i):
    """Fill the gap of contact i: a ball, an edge or a rim (a) and a polyhedron (b)."""
    c, o = system.contact[i], work.touch[i]
    a, b = work.frame[c.a], work.frame[c.b]
    if c.kind == BALL_POLYHEDRON:
        ball_polyhedron(c, a, b, o, system.vertex)
    elif c.kind == EDGE_EDGE:
        edge_edge(c, a, b, o, system.vertex)
    else:
        rim_polyhedron(c, a, b, o, system.vertex)
