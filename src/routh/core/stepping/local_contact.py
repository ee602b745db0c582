"""One contact with the impulses of all others fixed: Coulomb's law exactly, with a normal velocity that is prescribed.

    p_n ≥ 0,   v_n - target ≥ 0,   one of both zero;      |p_t| ≤ mu p_n, and p_t = -mu p_n v_t / |v_t| where it slips

with v = A p + b. If it slips then v_t = -λ p_t with λ > 0, so that p_t = -(S + λ)⁻¹ s for the Schur complement S of the normal
row, and |p_t| = mu p_n fixes λ. The residual of that equation falls with λ. For an isotropic S the first guess is exact.
"""

import math

from routh.core.jit import kernel

STEPS = 60            # of the root; halving a bracket to round-off takes no more
ROUND_OFF = 1e-15     # |p_t| against mu p_n, relative


@kernel
def slip_at(lam, s11, s12, s22, s1, s2, n1, n2, nn, bn):
    """(p_n, p_1, p_2, |p_t|, its derivative) of a slip with v_t = -λ p_t and no normal velocity."""
    d11, d22 = s11 + lam, s22 + lam
    det = 1.0 / (d11 * d22 - s12 * s12)
    p1, p2 = (s12 * s2 - d22 * s1) * det, (s12 * s1 - d11 * s2) * det
    size = math.sqrt(p1 * p1 + p2 * p2)
    r1, r2 = (d22 * p1 - s12 * p2) * det, (d11 * p2 - s12 * p1) * det  # (S + λ)⁻¹ p_t = -dp_t/dλ
    slope = -(p1 * r1 + p2 * r2) / size if size > 0.0 else 0.0
    return -(bn + n1 * p1 + n2 * p2) / nn, p1, p2, size, slope, (n1 * r1 + n2 * r2) / nn


@kernel
def tangential_impulse(A, pn, b1, b2, mu, rows):
    """Friction (p_1, p_2) of one contact under a normal impulse that is given."""
    most = mu * pn
    if rows == 1 or most <= 0.0:
        return 0.0, 0.0
    c1 = b1 + A[1, 0] * pn
    if rows == 2:
        return (max(-most, min(most, -c1 / A[1, 1])) if A[1, 1] > 0.0 else 0.0), 0.0
    c2, scale = b2 + A[2, 0] * pn, A[1, 1] + A[2, 2]
    if scale <= 0.0:
        return 0.0, 0.0
    low, high, lam = 0.0, math.inf, 0.0
    p1 = p2 = 0.0
    for trial in range(STEPS):
        _, p1, p2, size, slope, _ = slip_at(max(lam, 1e-14 * scale), A[1, 1], A[1, 2], A[2, 2], c1, c2, 0.0, 0.0, 1.0, 0.0)
        if (trial == 0 and size <= most) or abs(size - most) <= ROUND_OFF * most:
            break
        if size > most:
            low = lam
        else:
            high = lam
        new = lam + (size - most) * size / (-slope * most)  # Newton's method for 1 / |p_t|, which is nearly straight
        lam = new if low < new < high else (0.5 * (low + high) if high < math.inf else 4.0 * lam + scale)
    return p1, p2


@kernel
def local_impulse(A, soft, bn, b1, b2, mu, rows, base):
    """Impulse (p_n, p_1, p_2) of one contact; `bn` is its normal velocity without impulse less the target.

    `soft` is a compliance that is added to the normal direction; `rows` is 1 without friction, else 2 or 3. The normal impulse
    is at least `base`.
    """
    nn = A[0, 0] + soft
    if nn <= 0.0:
        return 0.0, 0.0, 0.0
    if bn + nn * base >= 0.0:
        if base == 0.0:
            return 0.0, 0.0, 0.0
        p1, p2 = tangential_impulse(A, base, b1, b2, mu, rows)
        if bn + nn * base + (A[0, 1] * p1 if rows > 1 else 0.0) + (A[0, 2] * p2 if rows > 2 else 0.0) >= 0.0:
            return base, p1, p2
    if bn >= 0.0:
        return 0.0, 0.0, 0.0
    if rows == 1 or mu <= 0.0:
        return -bn / nn, 0.0, 0.0
    n1, n2 = A[0, 1], (A[0, 2] if rows == 3 else 0.0)
    s11, s1 = A[1, 1] - n1 * n1 / nn, b1 - n1 * bn / nn
    if rows == 2:
        if s11 <= 0.0:
            return -bn / nn, 0.0, 0.0
        p1 = -s1 / s11
        pn = -(bn + n1 * p1) / nn
        if abs(p1) <= mu * pn:
            return pn, p1, 0.0
        # slides: p_t = ∓mu p_n with the sign of the side that friction leaves the cone on
        way = math.copysign(mu, p1)
        low = nn + way * n1
        if low <= 0.0:  # friction jams this side
            low = nn
        pn = -bn / low
        return pn, way * pn, 0.0
    s12, s22, s2 = A[1, 2] - n1 * n2 / nn, A[2, 2] - n2 * n2 / nn, b2 - n2 * bn / nn
    scale = s11 + s22
    if scale <= 0.0:
        return -bn / nn, 0.0, 0.0
    det = s11 * s22 - s12 * s12
    low = 0.0
    if det > 1e-14 * scale * scale:
        p1, p2 = (s12 * s2 - s22 * s1) / det, (s12 * s1 - s11 * s2) / det
        pn = -(bn + n1 * p1 + n2 * p2) / nn
        if p1 * p1 + p2 * p2 <= mu * mu * pn * pn and pn >= 0.0:
            return pn, p1, p2
    else:
        low = 1e-14 * scale
        pn, p1, p2, size, _, _ = slip_at(low, s11, s12, s22, s1, s2, n1, n2, nn, bn)
        if size <= mu * pn:
            return pn, p1, p2
    # Newton's method for |p_t| = mu p_n, kept in a bracket
    high = math.inf
    lam = max(math.sqrt(s1 * s1 + s2 * s2) * nn / (-mu * bn) - 0.5 * scale, low)
    if lam <= low:
        lam = low + 0.1 * scale
    pn = p1 = p2 = 0.0
    for _ in range(STEPS):
        pn, p1, p2, size, slope, slope_n = slip_at(lam, s11, s12, s22, s1, s2, n1, n2, nn, bn)
        f = size - mu * pn
        if abs(f) <= ROUND_OFF * size:
            break
        if f > 0.0:
            low = lam
        else:
            high = lam
        df = slope - mu * slope_n
        new = lam - f / df if df < 0.0 else -1.0
        if not low < new < high:
            new = 0.5 * (low + high) if high < math.inf else 4.0 * lam + scale
        if abs(new - lam) <= 1e-15 * new:
            break
        lam = new
    # on the cone exactly
    size = math.sqrt(p1 * p1 + p2 * p2)
    if size > 0.0:
        p1, p2 = mu * pn * p1 / size, mu * pn * p2 / size
    return pn, p1, p2
