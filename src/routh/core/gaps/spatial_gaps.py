"""Gaps in space: signed distance, witness points, normal and curvatures of each pair of shapes. The twin of `planar_gaps.py`.

A ball is a sphere, the end of a capsule, or of radius zero a corner. Each pair has its own kernel (contact record, frames of a
and b, touch record); what it writes is in `witness.py`. Gaps are exact through touching and for penetrations that are small
against the shapes.
"""

import math

from routh.core.gaps.capsule_gap import ball_capsule, capsule_capsule
from routh.core.gaps.cylinder_gap import edge_cylinder, rim_rim
from routh.core.gaps.ellipsoid_edge_gap import ellipsoid_cylinder, ellipsoid_polyhedron
from routh.core.gaps.ellipsoid_gap import ball_ellipsoid, ellipsoid_ellipsoid, ellipsoid_plane
from routh.core.gaps.polyhedron_gap import ball_polyhedron, edge_edge, rim_polyhedron
from routh.core.gaps.rim_gap import ball_cylinder, rim_end, rim_plane
from routh.core.gaps.witness import curve, from_to, placed, round_off, third_axis, touch_ball
from routh.core.jit import kernel
from routh.core.tables.layout import FIRST_PAIR, SMOOTH
from routh.core.tree.rotation import dot

(BALL_PLANE, BALL_BALL, BALL_CAPSULE, BALL_CYLINDER, BALL_POLYHEDRON, BALL_ELLIPSOID, ELLIPSOID_PLANE, ELLIPSOID_ELLIPSOID,
 CAPSULE_CAPSULE, RIM_PLANE, EDGE_EDGE, ELLIPSOID_POLYHEDRON, ELLIPSOID_CYLINDER, EDGE_CYLINDER, RIM_POLYHEDRON, RIM_END,
 RIM_RIM) = range(FIRST_PAIR, FIRST_PAIR + 17)


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
    """Fill the gap of contact i, which is a pair of shapes."""
    c, o = system.contact[i], work.touch[i]
    a, b = work.frame[c.a], work.frame[c.b]
    if c.kind == BALL_PLANE:
        ball_plane(c, a, b, o)
    elif c.kind == BALL_BALL:
        ball_ball(c, a, b, o)
    elif c.kind == BALL_CAPSULE:
        ball_capsule(c, a, b, o)
    elif c.kind == BALL_CYLINDER:
        ball_cylinder(c, a, b, o)
    elif c.kind == BALL_POLYHEDRON:
        ball_polyhedron(c, a, b, o, system.vertex)
    elif c.kind == BALL_ELLIPSOID:
        ball_ellipsoid(c, a, b, o)
    elif c.kind == ELLIPSOID_PLANE:
        ellipsoid_plane(c, a, b, o)
    elif c.kind == ELLIPSOID_ELLIPSOID:
        ellipsoid_ellipsoid(c, a, b, o)
    elif c.kind == CAPSULE_CAPSULE:
        capsule_capsule(c, a, b, o)
    elif c.kind == RIM_PLANE:
        rim_plane(c, a, b, o)
    elif c.kind == EDGE_EDGE:
        edge_edge(c, a, b, o, system.vertex)
    elif c.kind == ELLIPSOID_POLYHEDRON:
        ellipsoid_polyhedron(c, a, b, o, system.vertex)
    elif c.kind == ELLIPSOID_CYLINDER:
        ellipsoid_cylinder(c, a, b, o)
    elif c.kind == EDGE_CYLINDER:
        edge_cylinder(c, a, b, o, system.vertex)
    elif c.kind == RIM_POLYHEDRON:
        rim_polyhedron(c, a, b, o, system.vertex)
    elif c.kind == RIM_END:
        rim_end(c, a, b, o)
    elif c.kind == RIM_RIM:
        rim_rim(c, a, b, o)
