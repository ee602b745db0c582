"""Gaps of ellipsoids: against a half space, a ball, each other. `size` holds the semi-axes.

With S = R diag(a²) Rᵀ an ellipsoid reaches h = √(n · S n) in the direction n, at the point p = S n / h from its centre. There
the radii of curvature are the tensor W = (S - p pᵀ) / h in the tangent plane; the curvature tensor is its inverse.
"""

import math

from routh.core.gaps.tolerances import NEWTON_STEPS, QUADRATIC, ROUND_OFF
from routh.core.gaps.witness import along, curve, from_to, inward, outward, placed, put, tangents, third_axis, touch_ball
from routh.core.jit import kernel
from routh.core.tables.layout import SMOOTH
from routh.core.tree.rotation import dot, turned


@kernel
def square_axes(frame, turn, axes, S):
    """S = R diag(a²) Rᵀ in world axes."""
    curve(S, axes, 0.0)
    for k in range(3):
        u = turned(frame.R, (turn[0, k], turn[1, k], turn[2, k]))
        for i in range(3):
            for j in range(3):
                S[i, j] += axes[k] * axes[k] * u[i] * u[j]


@kernel
def support(S, n):
    """(h, p): how far the ellipsoid reaches along n, and its point there, from its centre."""
    x, y, z = turned(S, n)
    h = math.sqrt(n[0] * x + n[1] * y + n[2] * z)
    return h, (x / h, y / h, z / h)


@kernel
def radii(S, h, p, t, u):
    """Components (tt, tu, uu) of the radii of curvature where the normal's tangents are t and u."""
    St, Su, pt, pu = turned(S, t), turned(S, u), dot(p, t), dot(p, u)
    return (dot(t, St) - pt * pt) / h, (dot(t, Su) - pt * pu) / h, (dot(u, Su) - pu * pu) / h


@kernel
def curve_ellipsoid(K, n):
    """Turn S, held in K, into the curvature tensor where the normal is n or -n."""
    t, u = tangents(n)
    h, p = support(K, n)
    tt, tu, uu = radii(K, h, p, t, u)
    det = tt * uu - tu * tu
    for i in range(3):
        for j in range(3):
            K[i, j] = (uu * t[i] * t[j] - tu * (t[i] * u[j] + u[i] * t[j]) + tt * u[i] * u[j]) / det


@kernel
def ellipsoid_plane(c, a, b, o):
    """Gap of an ellipsoid (a) and a half space (b), whose third axis is its normal."""
    centre, m = placed(a, c.point_a), third_axis(b, c.turn_b)
    n = (-m[0], -m[1], -m[2])
    square_axes(a, c.turn_a, c.size_a, o.ka)
    h, p = support(o.ka, n)
    o.g = dot(m, from_to(placed(b, c.point_b), centre)) - h
    pa = along(centre, 1.0, p)
    put(o.n, n)
    put(o.pa, pa)
    put(o.pb, along(pa, o.g, n))
    curve_ellipsoid(o.ka, n)
    curve(o.kb, n, 0.0)
    o.sharp_a = o.sharp_b = SMOOTH


@kernel
def nearest(axes, q):
    """(t, x): the point x of an ellipsoid nearest to q, both in its axes; q - x = t x / a², t < 0 where q is inside.

    x_i = a_i² q_i / (t + a_i²) with Σ (x_i / a_i)² = 1. In t + least a², what is sought is the largest root. Newton's method on
    1 / √Σ - 1, which is concave, climbs to it from the left without a miss: from where the largest term alone is one.
    """
    least = min(axes[0], axes[1], axes[2])
    x, y, z = axes[0], axes[1], axes[2]
    gx, gy, gz = (x - least) * (x + least), (y - least) * (y + least), (z - least) * (z + least)
    tiny = 1e-100 * least  # a point in the middle plane of the flattest direction is a hair to one side
    mx, my, mz = (math.copysign(max(abs(q[0]), tiny), q[0]) * x, math.copysign(max(abs(q[1]), tiny), q[1]) * y,
                  math.copysign(max(abs(q[2]), tiny), q[2]) * z)
    s = max(abs(mx) - gx, abs(my) - gy, abs(mz) - gz)
    for _ in range(NEWTON_STEPS):
        fx, fy, fz = mx / (s + gx), my / (s + gy), mz / (s + gz)
        total = fx * fx + fy * fy + fz * fz
        slope = fx * fx / (s + gx) + fy * fy / (s + gy) + fz * fz / (s + gz)
        step = total * (math.sqrt(total) - 1.0) / slope
        s += step
        if step <= ROUND_OFF * s:
            break
    return s - least * least, (x * mx / (s + gx), y * my / (s + gy), z * mz / (s + gz))


@kernel
def point_ellipsoid(axes, q):
    """(signed distance of the point q, outward unit normal where the ellipsoid is nearest to it), all in its axes."""
    t, x = nearest(axes, q)
    n = (x[0] / axes[0] / axes[0], x[1] / axes[1] / axes[1], x[2] / axes[2] / axes[2])
    length = math.sqrt(dot(n, n))
    return t * length, (n[0] / length, n[1] / length, n[2] / length)


@kernel
def ball_ellipsoid(c, a, b, o):
    """Gap of a ball (a) and an ellipsoid (b)."""
    centre, r, axes = placed(a, c.point_a), c.size_a[0], (c.size_b[0], c.size_b[1], c.size_b[2])
    distance, m = point_ellipsoid(axes, inward(b, c.turn_b, from_to(placed(b, c.point_b), centre)))
    n = outward(b, c.turn_b, (-m[0], -m[1], -m[2]))
    touch_ball(o, centre, r, n, distance - r)
    square_axes(b, c.turn_b, c.size_b, o.kb)
    curve_ellipsoid(o.kb, n)
    o.sharp_b = SMOOTH


@kernel
def scaled_normal(Sa, Sb, d):
    """Normal where the two ellipsoids touch when both are scaled alike until they do ([perram1985]).

    It separates them if anything does. With X = ((1 - λ) Sa + λ Sb)⁻¹ d the function λ (1 - λ) d · X is concave; its summit is
    found by halving, and X there is the normal.
    """
    low, high, n = 0.0, 1.0, (1.0, 0.0, 0.0)
    for _ in range(40):
        j, k = 1.0 - 0.5 * (low + high), 0.5 * (low + high)
        xx, yy, zz = j * Sa[0, 0] + k * Sb[0, 0], j * Sa[1, 1] + k * Sb[1, 1], j * Sa[2, 2] + k * Sb[2, 2]
        xy, yz, zx = j * Sa[0, 1] + k * Sb[0, 1], j * Sa[1, 2] + k * Sb[1, 2], j * Sa[2, 0] + k * Sb[2, 0]
        # adjugate × d: only the direction counts
        x = (yy * zz - yz * yz) * d[0] + (yz * zx - xy * zz) * d[1] + (xy * yz - yy * zx) * d[2]
        y = (yz * zx - xy * zz) * d[0] + (xx * zz - zx * zx) * d[1] + (xy * zx - xx * yz) * d[2]
        z = (xy * yz - yy * zx) * d[0] + (xy * zx - xx * yz) * d[1] + (xx * yy - xy * xy) * d[2]
        length = math.sqrt(x * x + y * y + z * z)
        if length == 0.0:
            break  # concentric: any direction
        n = (x / length, y / length, z / length)
        if j * j * dot(n, turned(Sa, n)) > k * k * dot(n, turned(Sb, n)):
            low = k
        else:
            high = k
    return n


@kernel
def ellipsoid_ellipsoid(c, a, b, o):
    """Gap of two ellipsoids: the largest f(n) = d · n - h_a(n) - h_b(n) over the unit normals n, d from centre to centre.

    f is concave as a function of vectors, so that from any n with f > 0 the only summit is uphill: the last normal is such a
    start while the two are apart. Otherwise `scaled_normal` is: if they are apart it has f > 0, and if they are not, it is
    close to the normal of least penetration. Newton's steps on the sphere climb, halved until they do.
    """
    ca, cb = placed(a, c.point_a), placed(b, c.point_b)
    d = from_to(ca, cb)
    Sa, Sb = o.ka, o.kb
    square_axes(a, c.turn_a, c.size_a, Sa)
    square_axes(b, c.turn_b, c.size_b, Sb)
    n = (o.guess_a[0], o.guess_a[1], o.guess_a[2])
    ha, pa = support(Sa, n)
    hb, pb = support(Sb, n)
    if not dot(d, n) - ha - hb > 0.0:  # not a number where there is no memory
        n = scaled_normal(Sa, Sb, d)
        ha, pa = support(Sa, n)
        hb, pb = support(Sb, n)
    f, last = dot(d, n) - ha - hb, 1.0
    big_a, big_b = Sa[0, 0] + Sa[1, 1] + Sa[2, 2], Sb[0, 0] + Sb[1, 1] + Sb[2, 2]
    for _ in range(NEWTON_STEPS):
        t, u = tangents(n)
        att, atu, auu = radii(Sa, ha, pa, t, u)
        btt, btu, buu = radii(Sb, hb, pb, t, u)
        tt, tu, uu = att + btt, atu + btu, auu + buu
        apart = f if tt + f > 0.0 and (tt + f) * (uu + f) > tu * tu else max(f, 0.0)
        tt, uu = tt + apart, uu + apart
        gt, gu = dot(d, t) - dot(pa, t) - dot(pb, t), dot(d, u) - dot(pa, u) - dot(pb, u)
        x, y = (uu * gt - tu * gu) / (tt * uu - tu * tu), (tt * gu - tu * gt) / (tt * uu - tu * tu)
        rise, size = gt * x + gu * y, math.sqrt(x * x + y * y)
        scale, start, before = min(1.0, 1.0 / size) if size > 0.0 else 1.0, n, f
        for _ in range(NEWTON_STEPS):
            w = along(along(start, scale * x, t), scale * y, u)
            length = math.sqrt(dot(w, w))
            n = (w[0] / length, w[1] / length, w[2] / length)
            ha, pa = support(Sa, n)
            hb, pb = support(Sb, n)
            f = dot(d, n) - ha - hb
            if size < QUADRATIC or f >= before + 1e-4 * scale * rise - ROUND_OFF * (big_a / ha + big_b / hb):
                break
            scale *= 0.5
        if size < QUADRATIC and (size * (size / last) ** 2 < ROUND_OFF or size > 0.5 * last):  # of the next step, or no better
            break
        last = size
    o.g = f
    put(o.n, n)
    put(o.guess_a, n)
    put(o.pa, along(ca, 1.0, pa))
    put(o.pb, along(cb, -1.0, pb))
    curve_ellipsoid(Sa, n)
    curve_ellipsoid(Sb, n)
    o.sharp_a = o.sharp_b = SMOOTH
