"""One contact with the impulses of all others fixed: Coulomb's law exactly, with a normal velocity that is prescribed.

    p_n ≥ 0,   v_n - target ≥ 0,   one of both zero;      |p_t| ≤ mu p_n, and p_t = -mu p_n v_t / |v_t| where it slips

with v = A p + b. If it slips then v_t = -λ p_t with λ > 0, so that p_t = -(S + λ)⁻¹ s for the Schur complement S of the normal
row, and |p_t| = mu p_n fixes λ. The residual of that equation falls with λ. For an isotropic S the first guess is exact.

Bodies with fewer freedoms than the contact has rows, as a lever on a belt, make S singular. The slip along its null directions
is given. Where that slip is zero the contact sticks along them with the least impulse. Where friction along them jams, the
normal impulse is that without friction.
"""

import math

from routh.core.jit import kernel

STEPS = 60            # of the root; halving a bracket to round-off takes no more
ROUND_OFF = 1e-15     # |p_t| against mu p_n, relative
RANK = 1e-12          # of the inverse mass along the tangents: S below it is the round-off of zero; so is a slip, of its terms


@kernel
def slip_at(lam, K, alone, s1, s2):
    """(p_n, p_1, p_2, |p_t|, its derivative, that of p_n) of a slip with v_t = -λ p_t and no normal velocity."""
    d11, d22, s12 = K[3] + lam, K[5] + lam, K[4]
    det = 1.0 / (d11 * d22 - s12 * s12)
    p1, p2 = (s12 * s2 - d22 * s1) * det, (s12 * s1 - d11 * s2) * det
    size = math.sqrt(p1 * p1 + p2 * p2)
    r1, r2 = (d22 * p1 - s12 * p2) * det, (d11 * p2 - s12 * p1) * det  # (S + λ)⁻¹ p_t = -dp_t/dλ
    slope = -(p1 * r1 + p2 * r2) / size if size > 0.0 else 0.0
    return alone - K[1] * p1 - K[2] * p2, p1, p2, size, slope, K[1] * r1 + K[2] * r2


@kernel
def tangential_impulse(A, pn, b1, b2, mu, rows):
    """Friction (p_1, p_2) of one contact under a normal impulse that is given."""
    most = mu * pn
    if rows == 1 or most <= 0.0:
        return 0.0, 0.0
    c1 = b1 + A[1, 0] * pn
    if rows == 2:
        return (max(-most, min(most, -c1 / A[1, 1])) if A[1, 1] > 0.0 else 0.0), 0.0
    c2, a11, a12, a22 = b2 + A[2, 0] * pn, A[1, 1], A[1, 2], A[2, 2]
    scale = a11 + a22
    if scale <= 0.0:
        return 0.0, 0.0
    low, high, lam = 0.0, math.inf, 1e-14 * scale
    p1 = p2 = 0.0
    for trial in range(STEPS):
        d11, d22 = a11 + lam, a22 + lam
        det = 1.0 / (d11 * d22 - a12 * a12)
        p1, p2 = (a12 * c2 - d22 * c1) * det, (a12 * c1 - d11 * c2) * det
        size = math.sqrt(p1 * p1 + p2 * p2)
        if (trial == 0 and size <= most) or abs(size - most) <= ROUND_OFF * most:
            break
        if size > most:
            low = lam
        else:
            high = lam
        # Newton's method for 1 / |p_t|, which is nearly straight
        fall = (p1 * (d22 * p1 - a12 * p2) + p2 * (d11 * p2 - a12 * p1)) * det / size
        new = lam + (size - most) * size / (fall * most)
        lam = new if low < new < high else (0.5 * (low + high) if high < math.inf else 4.0 * lam + scale)
    return p1, p2


@kernel
def prepare(A, soft, rows, K):
    """Fill K with what one contact needs of its inverse mass: 1/A_nn, A_nt/A_nn, S, and S⁻¹; zeros where it has none."""
    for i in range(K.size):
        K[i] = 0.0
    nn = A[0, 0] + soft
    if nn <= 0.0:
        return
    K[0] = 1.0 / nn
    if rows > 1:
        K[1] = A[0, 1] * K[0]
        K[3] = A[1, 1] - A[0, 1] * K[1]
        if rows == 2 and K[3] > RANK * A[1, 1]:
            K[6] = 1.0 / K[3]
    if rows == 3:
        K[2] = A[0, 2] * K[0]
        K[4], K[5] = A[1, 2] - A[0, 1] * K[2], A[2, 2] - A[0, 2] * K[2]
        det, least = K[3] * K[5] - K[4] * K[4], RANK * (A[1, 1] + A[2, 2])
        if det > least * max(K[3] + K[5], least):
            K[6], K[7], K[8] = K[5] / det, -K[4] / det, K[3] / det


@kernel
def local_impulse(A, K, bn, b1, b2, mu, rows, base):
    """Impulse (p_n, p_1, p_2) of one contact; `bn` is its normal velocity without impulse less the target.

    `K` is what `prepare` made of A and a compliance of the normal direction; `rows` is 1 without friction, else 2 or 3. The
    normal impulse is at least `base`.
    """
    if K[0] <= 0.0:
        return 0.0, 0.0, 0.0
    if base > 0.0:
        p1, p2 = tangential_impulse(A, base, b1, b2, mu, rows)
        if bn * K[0] + base + K[1] * p1 + K[2] * p2 >= 0.0:
            return base, p1, p2
        pn, p1, p2 = closing_impulse(A, K, bn, b1, b2, mu, rows)
        if pn > base:
            return pn, p1, p2
        p1, p2 = tangential_impulse(A, base, b1, b2, mu, rows)
        return base, p1, p2
    if bn >= 0.0:
        return 0.0, 0.0, 0.0
    return closing_impulse(A, K, bn, b1, b2, mu, rows)


@kernel
def closing_impulse(A, K, bn, b1, b2, mu, rows):
    """Impulse of one contact that ends with the normal velocity of its target: it sticks or slides."""
    alone = -bn * K[0]  # normal impulse without friction
    if rows == 1 or mu <= 0.0:
        return alone, 0.0, 0.0
    s1, s2 = b1 + A[0, 1] * alone, b2 + A[0, 2] * alone
    if rows == 2:
        if K[6] == 0.0:
            return given_slip(A, K, alone, b1, 0.0, s1, 0.0, mu)
        p1 = -s1 * K[6]
        pn = alone - K[1] * p1
        if abs(p1) <= mu * pn:
            return pn, p1, 0.0
        # slides: p_t = ±mu p_n on the side on which friction leaves the cone, unless it jams there
        way = math.copysign(mu, p1)
        low = 1.0 + way * K[1]
        pn = alone / low if low > 0.0 else alone
        return pn, way * pn, 0.0
    if K[6] > 0.0:
        p1, p2 = -(K[6] * s1 + K[7] * s2), -(K[7] * s1 + K[8] * s2)
    else:
        scale = K[3] + K[5]
        if scale <= RANK * (A[1, 1] + A[2, 2]):
            return given_slip(A, K, alone, b1, b2, s1, s2, mu)
        # S = scale r rᵀ: the slip along w, across r, is given
        r1, r2 = (K[3], K[4]) if K[3] > K[5] else (K[4], K[5])
        size = math.sqrt(r1 * r1 + r2 * r2)
        r1, r2 = r1 / size, r2 / size
        along = r1 * s2 - r2 * s1
        if abs(along) > RANK * slip_terms(A, alone, b1, b2):
            if mu * (r1 * K[2] - r2 * K[1]) * math.copysign(1.0, along) >= 1.0:
                return given_slip(A, K, alone, b1, b2, -r2 * along, r1 * along, mu)
            return slipping_impulse(K, alone, s1, s2, mu)
        across = r1 * s1 + r2 * s2
        s1, s2 = r1 * across, r2 * across
        p1, p2 = -s1 / scale, -s2 / scale
    pn = alone - K[1] * p1 - K[2] * p2
    if pn >= 0.0 and p1 * p1 + p2 * p2 <= mu * mu * pn * pn:
        return pn, p1, p2
    return slipping_impulse(K, alone, s1, s2, mu)


@kernel
def slip_terms(A, alone, b1, b2):
    """Size of the terms of which the slip under the normal impulse alone is the sum."""
    return abs(b1) + abs(b2) + (abs(A[0, 1]) + abs(A[0, 2])) * alone


@kernel
def given_slip(A, K, alone, b1, b2, s1, s2, mu):
    """Impulse of a contact whose slip (s1, s2) no tangential impulse can change: none where it rests, else that of sliding."""
    size = math.sqrt(s1 * s1 + s2 * s2)
    if size <= RANK * slip_terms(A, alone, b1, b2):
        return alone, 0.0, 0.0
    way1, way2 = -mu * s1 / size, -mu * s2 / size
    low = 1.0 + K[1] * way1 + K[2] * way2
    pn = alone / low if low > 0.0 else alone  # it jams: no impulse gives the normal velocity of the target
    return pn, way1 * pn, way2 * pn


@kernel
def slipping_impulse(K, alone, s1, s2, mu):
    """Impulse of a contact with two tangents that cannot stick; `alone` is its normal impulse without friction."""
    scale = K[3] + K[5]
    if scale <= 0.0 or alone <= 0.0:
        return alone, 0.0, 0.0
    low, high = 0.0, math.inf
    # Newton's method for |p_t| = mu p_n, kept in a bracket
    lam = math.sqrt(s1 * s1 + s2 * s2) / (mu * alone) - 0.5 * scale
    if lam <= low:
        lam = low + 0.1 * scale
    pn = p1 = p2 = size = 0.0
    for _ in range(STEPS):
        pn, p1, p2, size, slope, slope_n = slip_at(lam, K, alone, s1, s2)
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
    if size > 0.0:
        p1, p2 = mu * pn * p1 / size, mu * pn * p2 / size
    return pn, p1, p2
