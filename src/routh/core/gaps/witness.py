"""What the gaps of space share: where shapes are, and how a touch is written down.

A witness point is where a surface is nearest to the other one. What the surface is like there, `sharp` says, and the tensor K
what its normal does: along the surface the outward normal turns by K σ while the witness point moves by σ over the material.

| sharp | the witness point may move | K |
|---|---|---|
| SMOOTH | in the tangent plane | curvature tensor Σ κ d dᵀ, zero where flat |
| EDGE | along `edge`, the tangent of a curve | κ e eᵀ, κ the curve's normal curvature; zero for a straight edge |
| VERTEX | not at all | zero |

A curve with the curvature 1/R towards its centre, seen against the outward normal n, has the normal curvature κ = (d · n) / R,
d the unit vector from the centre: 1/R for a disk that stands, 0 for one that lies flat. The tangent stays normal to n, so
e · n' = e · (ω × n + K σ): the equation of a smooth surface, in one direction only.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import EDGE, SMOOTH, VERTEX
from routh.core.tree.rotation import turned, turned_back


@kernel
def placed(frame, p):
    """World position of the point p of a node."""
    x, y, z = turned(frame.R, p)
    return frame.x[0] + x, frame.x[1] + y, frame.x[2] + z


@kernel
def third_axis(frame, turn):
    """World direction of a shape's third axis: normal of a half space, axis of a cylinder."""
    return turned(frame.R, (turn[0, 2], turn[1, 2], turn[2, 2]))


@kernel
def outward(frame, turn, v):
    """World components of a vector given in a shape's axes."""
    return turned(frame.R, turned(turn, v))


@kernel
def inward(frame, turn, v):
    """Components in a shape's axes of a world vector."""
    return turned_back(turn, turned_back(frame.R, v))


@kernel
def from_to(a, b):
    """b - a."""
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


@kernel
def seen_from(a, turn_a, pa, b, turn_b, pb, Q_out):
    """Where the shape of b is in the axes of that of a: the way from pa to pb, and its axes as columns."""
    for k in range(3):
        u = inward(a, turn_a, turned(b.R, (turn_b[0, k], turn_b[1, k], turn_b[2, k])))
        Q_out[0, k], Q_out[1, k], Q_out[2, k] = u[0], u[1], u[2]
    return inward(a, turn_a, from_to(pa, pb))


@kernel
def along(a, s, e):
    """a + s e."""
    return a[0] + s * e[0], a[1] + s * e[1], a[2] + s * e[2]


@kernel
def across(a, b):
    """a × b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def put(out, v):
    """Store a vector."""
    out[0], out[1], out[2] = v[0], v[1], v[2]


@kernel
def tangents(n):
    """Two unit vectors that make a right-handed frame with n last, without a square root ([duff2017])."""
    sign = math.copysign(1.0, n[2])
    u = -1.0 / (sign + n[2])
    v = n[0] * n[1] * u
    return (1.0 + sign * n[0] * n[0] * u, sign * v, -sign * n[0]), (v, sign + n[1] * n[1] * u, -n[1])


@kernel
def curve(K, e, k):
    """K = k e eᵀ: a cylinder's side across its axis, an edge; with k = 0 what is flat or straight."""
    for i in range(3):
        for j in range(3):
            K[i, j] = k * e[i] * e[j]


@kernel
def round_off(K, n, r):
    """K of a ball of radius r, or of a point; what it is like."""
    k = 1.0 / r if r > 0.0 else 0.0
    x, y, z = k * n[0], k * n[1], k * n[2]
    K[0, 0], K[1, 1], K[2, 2] = k - x * n[0], k - y * n[1], k - z * n[2]
    K[0, 1] = K[1, 0] = -x * n[1]
    K[1, 2] = K[2, 1] = -y * n[2]
    K[2, 0] = K[0, 2] = -z * n[0]
    return SMOOTH if r > 0.0 else VERTEX


@kernel
def rounded_line(K, edge, inside, n, axis, r):
    """K of a capsule, `inside` its length or at an end; what it is like. With r = 0 a thin rod: an edge."""
    if not inside:
        return round_off(K, n, r)
    curve(K, across(axis, n), 1.0 / r if r > 0.0 else 0.0)
    put(edge, axis)
    return SMOOTH if r > 0.0 else EDGE


@kernel
def touch_ball(o, centre, r, n, g):
    """Write the gap, the normal, both witness points and the side of a, which is a ball."""
    o.g = g
    put(o.n, n)
    put(o.pa, along(centre, r, n))
    put(o.pb, along(centre, r + g, n))
    o.sharp_a = round_off(o.ka, n, r)
