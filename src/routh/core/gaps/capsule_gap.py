"""Gaps of capsules: a ball, or the end of a capsule, against a capsule; two capsules that cross.

A capsule's own axes have the third along it; `size` is (radius, half length).
"""

import math

from routh.core.gaps.tolerances import FLUSH, PARALLEL
from routh.core.gaps.witness import (
    across,
    along,
    from_to,
    inward,
    outward,
    placed,
    put,
    rounded_line,
    third_axis,
    touch_ball,
)
from routh.core.jit import kernel
from routh.core.tables.layout import SOFT
from routh.core.tree.rotation import dot


@kernel
def ball_capsule(c, a, b, o):
    """Gap of a ball (a) and a capsule (b); for corners see `nearest_feature`, and the tip of a capsule is pushed as one.

    Where it would be pushed from within its own capsule, the sides cross, and touch before it.
    """
    centre, r, half = placed(a, c.point_a), c.size_a[0], c.size_b[1]
    x, y, z = inward(b, c.turn_b, from_to(placed(b, c.point_b), centre))
    height = z - min(max(z, -half), half)
    distance = math.sqrt(x * x + y * y + height * height)
    n = (-1.0, 0.0, 0.0)
    if distance > 0.0:
        n = (-x / distance, -y / distance, -height / distance)
    n = outward(b, c.turn_b, n)
    o.off = 1 if -dot(n, third_axis(a, c.turn_a)) > 1.0 - c.size_a[1] + FLUSH and c.law != SOFT else 0
    touch_ball(o, centre, r, n, distance - r - c.size_b[0])
    o.sharp_b = rounded_line(o.kb, o.edge_b, height == 0.0, n, third_axis(b, c.turn_b), c.size_b[0])


@kernel
def crossing(da, db, d, half_a, half_b):
    """(positions along a and b, how far beyond their ends, sine²) where their lines are nearest; d from middle to middle.

    If that is beyond an end, the positions are where the two are nearest. Lines that are all but parallel cross at a point that
    runs fast: how far it is beyond counts times sine², so that it changes no faster than the bodies move and turn.
    """
    w = across(da, db)
    square = dot(w, w)
    if square < PARALLEL:
        return 0.0, 0.0, half_a + half_b, 0.0
    s, t = dot(across(d, db), w) / square, dot(across(d, da), w) / square
    beyond = max(abs(s) - half_a, 0.0) + max(abs(t) - half_b, 0.0)
    if beyond > 0.0:
        s = min(max(s, -half_a), half_a)
        t = min(max(s * dot(da, db) - dot(d, db), -half_b), half_b)
        s = min(max(dot(d, da) + t * dot(da, db), -half_a), half_a)
    return s, t, min(beyond, half_a + half_b) * square, square


@kernel
def capsule_capsule(c, a, b, o):
    """Gap of two capsules where their sides cross; their ends have gaps of their own.

    Where they do not cross within their lengths, the gap is larger than the distance by how far beyond the ends the crossing
    is, see there: continuous, and zero only where the ends touch.
    """
    ca, cb = placed(a, c.point_a), placed(b, c.point_b)
    da, db = third_axis(a, c.turn_a), third_axis(b, c.turn_b)
    d = from_to(ca, cb)
    s, t, beyond, square = crossing(da, db, d, c.size_a[1], c.size_b[1])
    pa, pb = along(ca, s, da), along(cb, t, db)
    n = across(da, db)
    if beyond > 0.0:
        n = from_to(pa, pb)
        square = dot(n, n)
    if square == 0.0:
        n, square = (1.0, 0.0, 0.0), 1.0  # one inside the other: any direction
    length = math.copysign(math.sqrt(square), dot(n, from_to(pa, pb)))
    n = (n[0] / length, n[1] / length, n[2] / length)
    o.g = dot(n, from_to(pa, pb)) - c.size_a[0] - c.size_b[0] + beyond
    o.off = 1 if beyond > 0.0 else 0
    put(o.n, n)
    put(o.pa, along(pa, c.size_a[0], n))
    put(o.pb, along(pb, -c.size_b[0], n))
    inside = beyond == 0.0
    o.sharp_a = rounded_line(o.ka, o.edge_a, inside, n, da, c.size_a[0])
    o.sharp_b = rounded_line(o.kb, o.edge_b, inside, n, db, c.size_b[0])
