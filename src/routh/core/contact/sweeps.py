"""Block Gauss-Seidel sweeps over the contact problem (A, b, mu), each contact solved exactly ([jean1999], [bonnefon2011]).

    v = A p + b,    p in Coulomb's cone,    v + (mu |v_t|, 0) in its dual,    orthogonal to p

A is stored in blocks, row by row: `first` (n + 1) and `column` say where the blocks of a contact's row lie. One contact with
the others fixed has a closed form but for one root: open, stick, or slip with v_t = -λ p_t, where |p_t(λ)| = mu p_n. The secant
method finds λ in a bracket.
"""

import math

from routh.core.jit import kernel

STEPS = 100  # of the root; halving a bracket to round-off takes 60


@kernel
def slip_ratio(lam, s11, s12, s21, s22, s1, s2, a1, a2, nn, bn, mu):
    """(|p_t| - mu p_n, p_n, p_1, p_2) of a slip with v_t = -λ p_t, its normal velocity eliminated."""
    d11, d22 = s11 + lam, s22 + lam
    det = d11 * d22 - s12 * s21
    p1, p2 = (s12 * s2 - d22 * s1) / det, (s21 * s1 - d11 * s2) / det
    pn = -(bn + a1 * p1 + a2 * p2) / nn
    return math.sqrt(p1 * p1 + p2 * p2) - mu * pn, pn, p1, p2


@kernel
def one_contact(nn, n1, n2, t1n, t11, t12, t2n, t21, t22, bn, b1, b2, mu):
    """Impulse (p_n, p_1, p_2) of one contact with inverse mass (nn, n1, n2; t1n, t11, t12; t2n, t21, t22) and velocity b."""
    if bn >= 0.0 or nn <= 0.0:
        return 0.0, 0.0, 0.0
    # the normal velocity is zero: Schur complement of the tangents
    s11, s12, s21, s22 = t11 - t1n * n1 / nn, t12 - t1n * n2 / nn, t21 - t2n * n1 / nn, t22 - t2n * n2 / nn
    s1, s2 = b1 - t1n * bn / nn, b2 - t2n * bn / nn
    scale = max(t11, t22)
    if mu <= 0.0 or scale <= 0.0:
        return -bn / nn, 0.0, 0.0
    least = 1e-14 * scale
    f, pn, p1, p2 = slip_ratio(least, s11, s12, s21, s22, s1, s2, n1, n2, nn, bn, mu)
    if f <= 0.0:
        return pn, p1, p2  # it sticks
    low, high = least, scale
    for _ in range(STEPS):
        f, pn, p1, p2 = slip_ratio(high, s11, s12, s21, s22, s1, s2, n1, n2, nn, bn, mu)
        if f <= 0.0:
            break
        low, high = high, 8.0 * high
    f_low, _, _, _ = slip_ratio(low, s11, s12, s21, s22, s1, s2, n1, n2, nn, bn, mu)
    f_high, side = f, 0
    for _ in range(STEPS):  # Illinois: the secant of the bracket, an end that stays counts half
        lam = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < lam < high:
            lam = 0.5 * (low + high)
        f, pn, p1, p2 = slip_ratio(lam, s11, s12, s21, s22, s1, s2, n1, n2, nn, bn, mu)
        if f == 0.0 or high - low <= 1e-15 * high or abs(f) <= 1e-16 * mu * pn:
            break
        if f > 0.0:
            low, f_low = lam, f
            f_high *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            high, f_high = lam, f
            f_low *= 0.5 if side == -1 else 1.0
            side = -1
    # on the cone exactly
    size = math.sqrt(p1 * p1 + p2 * p2)
    if size > 0.0:
        p1, p2 = mu * pn * p1 / size, mu * pn * p2 / size
    return pn, p1, p2


@kernel
def sweep(first, column, block, b, mu, d, times, p):
    """Sweep `times` over all contacts, to and fro; return the largest change of the last sweep against the largest impulse."""
    n = mu.size
    change = largest = 0.0
    for k in range(times):
        change = largest = 0.0
        for step in range(n):
            i = step if k % 2 == 0 else n - 1 - step
            vn, v1, v2 = b[d * i], b[d * i + 1], (b[d * i + 2] if d == 3 else 0.0)
            own = 0
            for e in range(first[i], first[i + 1]):
                j = column[e]
                if j == i:
                    own = e
                    continue
                pn, p1 = p[d * j], p[d * j + 1]
                if d == 3:
                    p2 = p[d * j + 2]
                    vn += block[e, 0] * pn + block[e, 1] * p1 + block[e, 2] * p2
                    v1 += block[e, 3] * pn + block[e, 4] * p1 + block[e, 5] * p2
                    v2 += block[e, 6] * pn + block[e, 7] * p1 + block[e, 8] * p2
                else:
                    vn += block[e, 0] * pn + block[e, 1] * p1
                    v1 += block[e, 2] * pn + block[e, 3] * p1
            if d == 3:
                pn, p1, p2 = one_contact(block[own, 0], block[own, 1], block[own, 2], block[own, 3], block[own, 4],
                                         block[own, 5], block[own, 6], block[own, 7], block[own, 8], vn, v1, v2, mu[i])
            else:  # a second tangent that nothing moves
                pn, p1, p2 = one_contact(block[own, 0], block[own, 1], 0.0, block[own, 2], block[own, 3], 0.0, 0.0, 0.0,
                                         block[own, 3], vn, v1, 0.0, mu[i])
            change = max(change, abs(pn - p[d * i]), abs(p1 - p[d * i + 1]))
            p[d * i], p[d * i + 1] = pn, p1
            if d == 3:
                change = max(change, abs(p2 - p[d * i + 2]))
                p[d * i + 2] = p2
            largest = max(largest, abs(pn))
    return change / largest if largest > 0.0 else 0.0
