"""Contact points of two convex polyhedra: the axis of largest separation, then a face clipped against a face.

The largest separation over all normals of faces and all cross products of edges is the signed distance where the polyhedra
overlap, and a lower bound of it where they are apart (separating axis theorem, [gottschalk1996]). Where a face gives it, the
opposite face of the other polyhedron is clipped by the sides of this face: its corners above the face, corners of the face
below it, and crossings of their edges are contact points with one normal. Points keep their numbers from step to step. All of
it is computed in the axes of the polyhedron with the face; for its rows of the vertex table see `polyhedron_gap.py`.
"""

import math

from routh.core.gaps.polyhedron_gap import parts, row
from routh.core.gaps.witness import across, along, from_to, outward, placed, seen_from
from routh.core.jit import kernel
from routh.core.stepping.new_points import close_in, keep, new_point
from routh.core.tree.rotation import dot, turned, turned_back

EDGES = 1e-3          # by how much, against the size, two edges must separate better than any face to be taken
FLUSH = 1e-6          # distance from the side of a face, against the size, that counts as on it

# numbers of points: corners of the second face, corners of the first, crossings, two edges
FIRST_CORNER, CROSSING, EDGE_PAIR = 1000, 2000, 1000000


@kernel
def bring(vertex, first, Q, d, hull):
    """Corners and faces of the second polyhedron in the axes of the first: rows of `hull`, faces behind corners."""
    corner, edge, face, end = parts(vertex, first)
    n = edge - corner
    for j in range(n):
        x = along(d, 1.0, turned(Q, row(vertex, corner + j)))
        hull[j, 0], hull[j, 1], hull[j, 2], hull[j, 3] = x[0], x[1], x[2], 0.0
    for k in range((end - face) // 2):
        m = turned(Q, row(vertex, face + 2 * k))
        hull[n + k, 0], hull[n + k, 1], hull[n + k, 2] = m[0], m[1], m[2]
        hull[n + k, 3] = vertex[face + 2 * k + 1, 0] + dot(m, d)


@kernel
def hull_row(hull, i):
    """One row as a vector."""
    return hull[i, 0], hull[i, 1], hull[i, 2]


@kernel
def face_separation(vertex, first_a, first_b, hull):
    """(separation, face) of the first polyhedron's faces, then the same of the second's."""
    corner_a, edge_a, face_a, end_a = parts(vertex, first_a)
    corner_b, edge_b, face_b, end_b = parts(vertex, first_b)
    n_b = edge_b - corner_b
    best_a, at_a, best_b, at_b = -math.inf, 0, -math.inf, 0
    for k in range((end_a - face_a) // 2):
        n, offset, least = row(vertex, face_a + 2 * k), vertex[face_a + 2 * k + 1, 0], math.inf
        for j in range(n_b):
            least = min(least, dot(n, hull_row(hull, j)))
        if least - offset > best_a:
            best_a, at_a = least - offset, k
    for k in range((end_b - face_b) // 2):
        n, offset, least = hull_row(hull, n_b + k), hull[n_b + k, 3], math.inf
        for j in range(corner_a, edge_a):
            least = min(least, dot(n, row(vertex, j)))
        if least - offset > best_b:
            best_b, at_b = least - offset, k
    return best_a, at_a, best_b, at_b


@kernel
def arcs_cross(n1, n2, m1, m2):
    """Whether the arcs of normals of two edges cross on the sphere: only then do the edges span a face of the difference."""
    u, v = across(n2, n1), across(m2, m1)
    c, d, a, b = -dot(m1, u), -dot(m2, u), dot(n1, v), dot(n2, v)
    return c * d < 0.0 and a * b < 0.0 and c * b > 0.0


@kernel
def edge_separation(vertex, first_a, first_b, hull, Q, d, limit):
    """(separation, edge of a, edge of b) of the two edges that separate best, beyond `limit`; edge -1 where none does."""
    _, edge_a, face_a, _ = parts(vertex, first_a)
    corner_b, edge_b, face_b, _ = parts(vertex, first_b)
    n_b, best, at_a, at_b = edge_b - corner_b, limit, -1, -1
    for j in range(edge_b, face_b, 4):
        m1, m2 = hull_row(hull, n_b + int(vertex[j + 1, 0])), hull_row(hull, n_b + int(vertex[j + 1, 1]))
        eb, mb = turned(Q, row(vertex, j + 3)), along(d, 1.0, turned(Q, row(vertex, j + 2)))
        for i in range(edge_a, face_a, 4):
            n1, n2 = row(vertex, face_a + 2 * int(vertex[i + 1, 0])), row(vertex, face_a + 2 * int(vertex[i + 1, 1]))
            if not arcs_cross(n1, n2, m1, m2):
                continue
            x = across(row(vertex, i + 3), eb)
            size = math.sqrt(dot(x, x))
            if size == 0.0:
                continue
            if dot(x, n1) + dot(x, n2) < 0.0:
                size = -size
            separation = dot(x, from_to(row(vertex, i + 2), mb)) / size
            if separation > best:
                best, at_a, at_b = separation, i, j
    return best, at_a, at_b


@kernel
def is_over(vertex, first, face, p, room):
    """Whether p lies over a face of the first polyhedron: behind all faces that share an edge with it, up to `room`."""
    _, edge, first_face, _ = parts(vertex, first)
    for i in range(edge, first_face, 4):
        f, g = int(vertex[i + 1, 0]), int(vertex[i + 1, 1])
        if f == face or g == face:
            if side_of(vertex, first_face, face, i, p) > room:
                return False
    return True


@kernel
def side_of(vertex, first_face, face, edge, p):
    """How far p lies outside the side of a face along one of its edges, measured within the plane of the face."""
    n = row(vertex, first_face + 2 * face)
    other = int(vertex[edge + 1, 0]) if int(vertex[edge + 1, 0]) != face else int(vertex[edge + 1, 1])
    out = across(row(vertex, edge + 3), n)
    if dot(out, row(vertex, first_face + 2 * other)) < 0.0:
        out = (-out[0], -out[1], -out[2])
    return dot(out, from_to(row(vertex, edge + 2), p))


@kernel
def opposite_face(hull, n_corner, n_face, n):
    """Face of the other polyhedron whose normal is most against n."""
    best, at = math.inf, 0
    for k in range(n_face):
        x = dot(hull_row(hull, n_corner + k), n)
        if x < best:
            best, at = x, k
    return at


@kernel
def emit(system, work, step, pair, part, c, f, point, turn, n, on_face, on_other, way, h, slot, reach):
    """Write a contact point given in the axes of the polyhedron with the reference face; `way` -1 where that is the second."""
    o = new_point(step, pair, part)
    m = outward(f, turn, n)
    origin = placed(f, point)
    x, y = along(origin, 1.0, outward(f, turn, on_face)), along(origin, 1.0, outward(f, turn, on_other))
    o.gap = dot(n, from_to(on_face, on_other))
    for k in range(3):
        o.n[k] = way * m[k]
        o.pa[k], o.pb[k] = (x[k], y[k]) if way > 0.0 else (y[k], x[k])
    close_in(system, work, step, o, slot, h)
    keep(system, step, o, reach)


@kernel
def clip(system, work, step, pair, c, way, face, Q, d, h, slot, reach):
    """Contact points over a face of the reference polyhedron: a of the contact, or b where `way` is -1."""
    vertex, hull, near = system.vertex, step.hull, FLUSH * c.size
    first, other = (c.first_a, c.first_b) if way > 0.0 else (c.first_b, c.first_a)
    f = work.frame[c.a if way > 0.0 else c.b]
    point, turn = (c.point_a, c.turn_a) if way > 0.0 else (c.point_b, c.turn_b)
    base = 0 if way > 0.0 else 2 * EDGE_PAIR
    corner, edge, first_face, _ = parts(vertex, first)
    corner_o, edge_o, face_o, end_o = parts(vertex, other)
    n_corner = edge_o - corner_o
    n, offset = row(vertex, first_face + 2 * face), vertex[first_face + 2 * face + 1, 0]
    opposite = opposite_face(hull, n_corner, (end_o - face_o) // 2, n)
    m, height = hull_row(hull, n_corner + opposite), hull[n_corner + opposite, 3]

    # corners of the other face over this one
    for j in range(n_corner):
        x = hull_row(hull, j)
        if abs(dot(m, x) - height) <= near and is_over(vertex, first, face, x, near):
            emit(system, work, step, pair, base + j, c, f, point, turn, n, along(x, offset - dot(n, x), n), x, way, h, slot,
                 reach)
    slope = dot(m, n)
    if slope >= 0.0:
        return
    # corners of this face under the other one; half of `near`, so that round-off loses no point between here and the crossings
    for j in range(edge - corner):
        x = row(vertex, corner + j)
        if abs(dot(n, x) - offset) > near:
            continue
        y = along(x, (height - dot(m, x)) / slope, n)
        if is_over(vertex, other, opposite, turned_back(Q, from_to(d, y)), -0.5 * near):
            emit(system, work, step, pair, base + FIRST_CORNER + j, c, f, point, turn, n, x, y, way, h, slot, reach)
    # crossings of the sides of both
    n_side = (first_face - edge) // 4
    for i in range(edge_o, face_o, 4):
        if int(vertex[i + 1, 0]) != opposite and int(vertex[i + 1, 1]) != opposite:
            continue
        x, y = hull_row(hull, int(vertex[i, 0])), hull_row(hull, int(vertex[i, 1]))
        length, from_, to, side_from, side_to = 2.0 * vertex[i + 1, 2], 0.0, 1.0, -1, -1
        for side in range(n_side):
            e = edge + 4 * side
            if int(vertex[e + 1, 0]) != face and int(vertex[e + 1, 1]) != face:
                continue
            # a side takes what is flush with it, as for corners: an edge along a side must not be lost by round-off
            u, v = side_of(vertex, first_face, face, e, x) - near, side_of(vertex, first_face, face, e, y) - near
            if u > 0.0 and v > 0.0:
                from_, to = 1.0, 0.0
            elif u > 0.0 and u / (u - v) > from_:
                from_, side_from = u / (u - v), side
            elif v > 0.0 and u / (u - v) < to:
                to, side_to = u / (u - v), side
        number = CROSSING + (i - edge_o) // 4 * n_side
        for second in range(2):
            # the end with the smaller number first
            late = (side_to < side_from) == (second == 0)
            at, side = (to, side_to) if late else (from_, side_from)
            # a crossing that is flush with a corner is none, unless that corner is off the face
            if side >= 0 and from_ < to and ((to - from_) * length > near or min(side_from, side_to) >= 0):
                p = along(x, at, from_to(x, y))
                emit(system, work, step, pair, base + number + side, c, f, point, turn, n, along(p, offset - dot(n, p), n), p,
                     way, h, slot, reach)


@kernel
def cross_edges(system, work, step, pair, c, i, j, Q, d, h, slot, reach):
    """The contact point of two edges."""
    vertex = system.vertex
    _, edge_a, face_a, _ = parts(vertex, c.first_a)
    _, edge_b, _, _ = parts(vertex, c.first_b)
    ea, eb = row(vertex, i + 3), turned(Q, row(vertex, j + 3))
    pa, pb = row(vertex, i + 2), along(d, 1.0, turned(Q, row(vertex, j + 2)))
    x = across(ea, eb)
    size = math.sqrt(dot(x, x))
    if dot(x, row(vertex, face_a + 2 * int(vertex[i + 1, 0]))) + dot(x, row(vertex, face_a + 2 * int(vertex[i + 1, 1]))) < 0.0:
        size = -size
    n = (x[0] / size, x[1] / size, x[2] / size)
    w, k = from_to(pa, pb), dot(ea, eb)
    s = (dot(ea, w) - k * dot(eb, w)) / (1.0 - k * k)
    t = (k * dot(ea, w) - dot(eb, w)) / (1.0 - k * k)
    part = EDGE_PAIR + (i - edge_a) // 4 * 1000 + (j - edge_b) // 4
    emit(system, work, step, pair, part, c, work.frame[c.a], c.point_a, c.turn_a, n, along(pa, s, ea), along(pb, t, eb), 1.0,
         h, slot, reach)


@kernel
def manifold(system, work, step, pair, c, slot, h, reach):
    """Contact points of two polyhedra; `c` is the scratch contact with their numbers and nodes."""
    vertex, hull, Q = system.vertex, step.hull, step.turn
    a, b = work.frame[c.a], work.frame[c.b]
    d = seen_from(a, c.turn_a, placed(a, c.point_a), b, c.turn_b, placed(b, c.point_b), Q)
    bring(vertex, c.first_b, Q, d, hull)
    best_a, face_a, best_b, face_b = face_separation(vertex, c.first_a, c.first_b, hull)
    best = max(best_a, best_b)
    if best > reach:
        return
    limit = best + EDGES * c.size
    separation, i, j = edge_separation(vertex, c.first_a, c.first_b, hull, Q, d, limit)
    if i >= 0:
        if separation <= reach:
            cross_edges(system, work, step, pair, c, i, j, Q, d, h, slot, reach)
    elif best_b <= best_a + FLUSH * c.size:
        clip(system, work, step, pair, c, 1.0, face_a, Q, d, h, slot, reach)
    else:
        d = seen_from(b, c.turn_b, placed(b, c.point_b), a, c.turn_a, placed(a, c.point_a), Q)
        bring(vertex, c.first_a, Q, d, hull)
        clip(system, work, step, pair, c, -1.0, face_b, Q, d, h, slot, reach)
