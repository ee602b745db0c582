"""Gaps of balls, half spaces and capsules: signed distance, witness points, normal and curvatures. See `planar_round_gap.py`.

A ball is a sphere, the end of a capsule, or of radius zero a corner. Each pair has its own kernel (contact record, frames of a
and b, touch record); what it writes is in `witness.py`. Gaps are exact through touching and for penetrations that are small
against the shapes.
"""

import math

from routh.core.gaps.capsule_gap import ball_capsule, capsule_capsule
from routh.core.gaps.witness import curve, from_to, placed, round_off, third_axis, touch_ball
from routh.core.jit import kernel
from routh.core.tables.layout import SMOOTH
from routh.core.tables.pairs import BALL_BALL, BALL_CAPSULE, BALL_PLANE
from routh.core.tree.rotation import dot


@kernel
def ball_plane(c, a, b, o):
    """Gap of a ball (a) and a half space (b), whose third axis is its normal."""
    centre, m = placed(a, c.point_a), third_axis(b, c.turn_b)
    g = dot(m, from_to(placed(b, c.point_b), centre)) - c.size_a[0]
    touch_ball(o, centre, c.size_a[0], (-m[0], -m[1], -m[2]), g)
    curve(o.kb, m, 0.0)
    o.sharp_b = SMOOTH


@kernel
def ball_ball(c, a, b, o):
    """Gap of two balls."""
    centre, r = placed(a, c.point_a), c.size_a[0]
    x, y, z = from_to(centre, placed(b, c.point_b))
    distance = math.sqrt(x * x + y * y + z * z)
    n = (1.0, 0.0, 0.0)
    if distance > 0.0:
        k = 1.0 / distance
        n = (k * x, k * y, k * z)
    touch_ball(o, centre, r, n, distance - r - c.size_b[0])
    o.sharp_b = round_off(o.kb, n, c.size_b[0])


@kernel
def gap(system, work, i):
    """Fill the gap of contact i: a ball or a capsule (a) and a half space, a ball or a capsule (b)."""
    c, o = system.contact[i], work.touch[i]
    a, b = work.frame[c.a], work.frame[c.b]
    if c.kind == BALL_PLANE:
        ball_plane(c, a, b, o)
    elif c.kind == BALL_BALL:
        ball_ball(c, a, b, o)
    elif c.kind == BALL_CAPSULE:
        ball_capsule(c, a, b, o)
    else:
        capsule_capsule(c, a, b, o)
