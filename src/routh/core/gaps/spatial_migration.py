"""How the point of a contact wanders over the two surfaces, and how the normal turns.

At a closed contact with the slip s (velocity of b less that of a, in the tangent plane) the witness point moves by σ_a over the
material of a and by σ_b over that of b, and the normal obeys both surfaces ([montana1988]):
    σ_a - σ_b = s,    n' = α + Ka σ_a = β - Kb σ_b,    α = ω_a × n, β = ω_b × n.
An edge allows σ along its direction e only, and gives the second equation in this direction only; a corner allows no σ and
gives no such equation. With τ = -σ_b the two sides have the same equations, and σ_a + τ = s.

Directions that nothing determines: σ_a and σ_b are the shortest, n' goes half with each body. The gap's second
derivative does not depend on them as long as the contact persists.
"""

from routh.core.gaps.tolerances import FLUSH
from routh.core.gaps.witness import across, along, put, tangents
from routh.core.jit import kernel
from routh.core.tables.layout import EDGE, SMOOTH, VERTEX
from routh.core.tree.rotation import dot, turned


@kernel
def flat_solve(tt, tu, uu, x, y):
    """Shortest solution of the symmetric positive system [[tt, tu], [tu, uu]] z = (x, y)."""
    trace, det = tt + uu, tt * uu - tu * tu
    if det > FLUSH * trace * trace:
        return (uu * x - tu * y) / det, (tt * y - tu * x) / det
    if trace > 0.0:  # of rank one: z = M x / trace²
        return (tt * x + tu * y) / trace / trace, (tu * x + uu * y) / trace / trace
    return 0.0, 0.0


@kernel
def smooth_smooth(n, Ka, Kb, alpha, beta, s):
    """σ_a: (Ka + Kb) z = β - α + (Kb - Ka) s / 2 with σ_a = s / 2 + z, σ_b = -s / 2 + z."""
    t, u = tangents(n)
    bt, bu, at, au = turned(Kb, t), turned(Kb, u), turned(Ka, t), turned(Ka, u)
    d = along(beta, -1.0, alpha)
    x, y = dot(d, t) + 0.5 * (dot(s, bt) - dot(s, at)), dot(d, u) + 0.5 * (dot(s, bu) - dot(s, au))
    x, y = flat_solve(dot(t, at) + dot(t, bt), dot(t, au) + dot(t, bu), dot(u, au) + dot(u, bu), x, y)
    return along(along((0.5 * s[0], 0.5 * s[1], 0.5 * s[2]), x, t), y, u)


@kernel
def on_edge(e, K, K2, alpha, beta, s):
    """Rate along the edge e (with K, α) against a smooth surface (K2, β): e · (α + K e x) = e · (β + K2 (s - e x))."""
    stiff, part = turned(K2, e), dot(turned(K, e), e)
    both = part + dot(stiff, e)
    if both <= 0.0:
        return 0.5 * dot(s, e)
    return (dot(beta, e) - dot(alpha, e) + dot(stiff, s)) / both


@kernel
def edges(n, ea, eb, s):
    """Rates x, y along two edges with x ea + y eb = s; half each where they are parallel."""
    w = across(ea, eb)
    sine = dot(w, n)
    if abs(sine) < FLUSH:
        return 0.5 * dot(s, ea), 0.5 * dot(s, eb)
    return dot(across(s, eb), n) / sine, dot(across(ea, s), n) / sine


@kernel
def known(n, sharp, edge, rate, other, sharp2, edge2, rate2):
    """n' from what the two sides say of it: `rate` in the directions of the one, `rate2` in those of the other."""
    if sharp == SMOOTH:
        return rate
    if sharp2 == SMOOTH:
        return rate2
    mean = along((0.5 * other[0], 0.5 * other[1], 0.5 * other[2]), 0.0, n)
    x, y = dot(rate, edge), dot(rate2, edge2)
    w = dot(across(edge, edge2), n)
    if sharp == EDGE and sharp2 == EDGE and abs(w) > FLUSH:
        # v · edge = x, v · edge2 = y in the tangent plane
        p, q = across(edge2, n), across(edge, n)
        return along((x / w * p[0], x / w * p[1], x / w * p[2]), -y / w, q)
    if sharp == EDGE:
        return along(mean, x - dot(mean, edge), edge)
    if sharp2 == EDGE:
        return along(mean, y - dot(mean, edge2), edge2)
    return mean


@kernel
def migrate(touch, wa, wb, slip, sigma_a_out, sigma_b_out, ndot_out):
    """Velocities of the witness point over a and over b, and the rate of the normal; all in world axes.

    `touch`: a record filled by a gap; `wa`, `wb`: angular velocities; `slip`: tangential velocity of b relative to a.
    """
    n = (touch.n[0], touch.n[1], touch.n[2])
    s = (slip[0], slip[1], slip[2])
    ea, eb = (touch.edge_a[0], touch.edge_a[1], touch.edge_a[2]), (touch.edge_b[0], touch.edge_b[1], touch.edge_b[2])
    alpha, beta = across((wa[0], wa[1], wa[2]), n), across((wb[0], wb[1], wb[2]), n)
    a, b, Ka, Kb = touch.sharp_a, touch.sharp_b, touch.ka, touch.kb
    none = (0.0, 0.0, 0.0)

    # where it goes: σ_a, and τ = s - σ_a
    if a == SMOOTH and b == SMOOTH:
        sigma = smooth_smooth(n, Ka, Kb, alpha, beta, s)
        tau = along(s, -1.0, sigma)
    elif a == EDGE and b == EDGE:
        x, y = edges(n, ea, eb, s)
        sigma, tau = along(none, x, ea), along(none, y, eb)
    elif a == VERTEX:
        sigma, tau = none, s if b == SMOOTH else along(none, dot(s, eb) if b == EDGE else 0.0, eb)
    elif b == VERTEX:
        sigma, tau = s if a == SMOOTH else along(none, dot(s, ea), ea), none
    elif a == EDGE:
        sigma = along(none, on_edge(ea, Ka, Kb, alpha, beta, s), ea)
        tau = along(s, -1.0, sigma)
    else:
        tau = along(none, on_edge(eb, Kb, Ka, beta, alpha, s), eb)
        sigma = along(s, -1.0, tau)

    alpha_beta = along(alpha, 1.0, beta)
    rate_a, rate_b = along(alpha, 1.0, turned(Ka, sigma)), along(beta, 1.0, turned(Kb, tau))
    put(sigma_a_out, sigma)
    put(sigma_b_out, along(none, -1.0, tau))
    put(ndot_out, known(n, a, ea, rate_a, alpha_beta, b, eb, rate_b))
