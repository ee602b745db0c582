"""Block Gauss-Seidel sweeps over the contact problem (A, b, mu), each contact solved exactly ([jean1999], [bonnefon2011]).

    v = A p + b,    p in Coulomb's cone,    v + (mu |v_t|, 0) in its dual,    orthogonal to p

A is stored in blocks of d rows, row by row: `first` (n + 1) and `column` say where the blocks of a row lie. The first `mu.size`
rows of blocks are contacts. Those after them are bilateral: their velocity must vanish. A bilateral row without inverse mass,
as those that fill up the last block, keeps its impulse.

One contact with the others fixed has a closed form but for one root: open, stick, or slip with v_t = -λ p_t, where
|p_t(λ)| = mu p_n. Newton's method finds λ from 1 / |p_t|, as in trust-region methods ([more1983]): this is linear in λ where
the inverse mass is equal in all tangential directions.
"""

import math

from routh.core.jit import kernel

STEPS = 100      # of the root; halving a bracket to round-off takes 60
ROOT = 1e-14     # |mu p_n / |p_t| - 1| at which the root is found; the impulse is then put on the cone
SINGULAR = 1e-14  # least λ against the tangential inverse mass: a slip that no friction stops stays finite
EPSILON = 2.0 ** -52  # of double precision; Siconos does not divide by less


@kernel
def slip_impulse(lam, s11, s12, s21, s22, s1, s2, a1, a2, pn):
    """(p_n, p_1, p_2) of a slip with v_t = -λ p_t, and their derivatives with λ; `pn` is p_n without friction."""
    d11, d22 = s11 + lam, s22 + lam
    inverse = 1.0 / (d11 * d22 - s12 * s21)
    p1, p2 = (s12 * s2 - d22 * s1) * inverse, (s21 * s1 - d11 * s2) * inverse
    r1, r2 = (s12 * p2 - d22 * p1) * inverse, (s21 * p1 - d11 * p2) * inverse
    return pn - a1 * p1 - a2 * p2, p1, p2, -a1 * r1 - a2 * r2, r1, r2


@kernel
def one_contact(nn, n1, n2, t1n, t11, t12, t2n, t21, t22, bn, b1, b2, mu):
    """Impulse (p_n, p_1, p_2) of one contact with inverse mass (nn, n1, n2; t1n, t11, t12; t2n, t21, t22) and velocity b."""
    if bn >= 0.0 or nn <= 0.0:
        return 0.0, 0.0, 0.0
    frictionless = -bn / nn
    scale = max(t11, t22)
    if mu <= 0.0 or scale <= 0.0:
        return frictionless, 0.0, 0.0
    # the normal velocity is zero: Schur complement of the tangents
    a1, a2 = n1 / nn, n2 / nn
    s11, s12, s21, s22 = t11 - t1n * a1, t12 - t1n * a2, t21 - t2n * a1, t22 - t2n * a2
    s1, s2 = b1 + t1n * frictionless, b2 + t2n * frictionless
    low, high = SINGULAR * scale, math.inf
    if s11 * s22 - s12 * s21 <= low * scale or s11 + s22 <= 0.0:
        # rounding has left no positive inverse mass in one direction: λ begins where there is one
        half, side = 0.5 * (s11 + s22), 0.5 * (s11 - s22)
        low += max(0.0, math.sqrt(max(side * side + s12 * s21, 0.0)) - half)
    lam = low
    pn, p1, p2, rn, r1, r2 = slip_impulse(lam, s11, s12, s21, s22, s1, s2, a1, a2, frictionless)
    size = math.sqrt(p1 * p1 + p2 * p2)
    if size <= mu * pn:
        return pn, p1, p2  # it sticks
    for _ in range(STEPS):
        off = mu * pn / size - 1.0
        if abs(off) <= ROOT:
            break
        if off < 0.0:
            low = lam
        else:
            high = lam
        step = lam - off * size / (mu * (rn - pn * (p1 * r1 + p2 * r2) / (size * size)))
        if not low < step < high:  # Newton's step leaves the bracket
            step = 0.5 * (low + high) if high < math.inf else max(8.0 * lam, scale)
        if step == lam:
            break
        lam = step
        pn, p1, p2, rn, r1, r2 = slip_impulse(lam, s11, s12, s21, s22, s1, s2, a1, a2, frictionless)
        size = math.sqrt(p1 * p1 + p2 * p2)
    if not size > 0.0:
        return pn, 0.0, 0.0
    part = mu * pn / size
    return pn, part * p1, part * p2


@kernel
def one_planar_contact(nn, nt, tn, tt, bn, bt, mu):
    """Impulse (p_n, p_t) of one contact in the plane with inverse mass (nn, nt; tn, tt) and velocity b."""
    if bn >= 0.0 or nn <= 0.0:
        return 0.0, 0.0
    frictionless = -bn / nn
    if mu <= 0.0 or tt <= 0.0:
        return frictionless, 0.0
    a, slip = nt / nn, bt + tn * frictionless
    pt = -slip / max(tt - tn * a, SINGULAR * tt)
    pn = frictionless - a * pt
    if abs(pt) <= mu * pn:
        return pn, pt  # it sticks
    ratio = mu if slip < 0.0 else -mu
    pn = frictionless / (1.0 + a * ratio)  # above zero: otherwise the contact sticks
    return pn, ratio * pn


@kernel
def others(i, first, column, block, b, d, p):
    """(v_n, v_1, v_2) of one row of blocks without its own impulse, and where its own block lies; v_2 = 0 in the plane."""
    own = -1
    if d == 3:
        vn, v1, v2 = b[3 * i], b[3 * i + 1], b[3 * i + 2]
        for e in range(first[i], first[i + 1]):
            j = column[e]
            if j == i:
                own = e
                continue
            pn, p1, p2 = p[3 * j], p[3 * j + 1], p[3 * j + 2]
            vn += block[e, 0] * pn + block[e, 1] * p1 + block[e, 2] * p2
            v1 += block[e, 3] * pn + block[e, 4] * p1 + block[e, 5] * p2
            v2 += block[e, 6] * pn + block[e, 7] * p1 + block[e, 8] * p2
        return vn, v1, v2, own
    vn, v1 = b[2 * i], b[2 * i + 1]
    for e in range(first[i], first[i + 1]):
        j = column[e]
        if j == i:
            own = e
            continue
        pn, p1 = p[2 * j], p[2 * j + 1]
        vn += block[e, 0] * pn + block[e, 1] * p1
        v1 += block[e, 2] * pn + block[e, 3] * p1
    return vn, v1, 0.0, own


@kernel
def sweep(first, column, block, b, mu, d, stride, p):
    """Solve every block once, with the others as they are, in steps of `stride`; it and the number of blocks are coprime."""
    n = first.size - 1
    i = n - stride
    for _ in range(n):
        i = i + stride if i + stride < n else i + stride - n
        vn, v1, v2, own = others(i, first, column, block, b, d, p)
        if own < 0:  # no impulse moves it
            for k in range(d if i < mu.size else 0):
                p[d * i + k] = 0.0
            continue
        if i >= mu.size:
            for k in range(d):
                v = vn if k == 0 else v1 if k == 1 else v2
                for j in range(d):
                    if j != k:
                        v += block[own, d * k + j] * p[d * i + j]
                if block[own, d * k + k] > 0.0:
                    p[d * i + k] = -v / block[own, d * k + k]
        elif d == 3:
            p[3 * i], p[3 * i + 1], p[3 * i + 2] = one_contact(
                block[own, 0], block[own, 1], block[own, 2], block[own, 3], block[own, 4], block[own, 5], block[own, 6],
                block[own, 7], block[own, 8], vn, v1, v2, mu[i])
        else:
            p[2 * i], p[2 * i + 1] = one_planar_contact(block[own, 0], block[own, 1], block[own, 2], block[own, 3], vn, v1,
                                                        mu[i])


@kernel
def project_on_cone(pn, size, mu):
    """(normal part, factor of the tangential part) of the nearest point of the cone; `size` is |p_t|."""
    if mu * size <= -pn:
        return 0.0, 0.0
    if size <= mu * pn:
        return pn, 1.0
    height = (pn + mu * size) / (1.0 + mu * mu)
    return height, mu * height / size


@kernel
def natural_map(pn, p1, p2, vn, v1, v2, mu):
    """Square of p - P(p - v): zero where the impulse p and the velocity v, De Saxcé's, solve the contact."""
    y1, y2 = p1 - v1, p2 - v2
    height, part = project_on_cone(pn - vn, math.sqrt(y1 * y1 + y2 * y2), mu)
    return (pn - height) ** 2 + (p1 - part * y1) ** 2 + (p2 - part * y2) ** 2


@kernel
def residual(first, column, block, b, mu, scale, d, p):
    """The larger of the plain and the scaled residual of impulses (`sim/cone_errors.py`); `scale` is l, one per row."""
    plain = scaled = size_b = size_p = size_v = energy = 0.0
    for i in range(first.size - 1):
        vn, v1, v2, own = others(i, first, column, block, b, d, p)
        pn, p1, p2, b2 = p[d * i], p[d * i + 1], 0.0, 0.0
        if d == 3:
            p2, b2 = p[3 * i + 2], b[3 * i + 2]
            if own >= 0:
                vn += block[own, 0] * pn + block[own, 1] * p1 + block[own, 2] * p2
                v1 += block[own, 3] * pn + block[own, 4] * p1 + block[own, 5] * p2
                v2 += block[own, 6] * pn + block[own, 7] * p1 + block[own, 8] * p2
        elif own >= 0:
            vn += block[own, 0] * pn + block[own, 1] * p1
            v1 += block[own, 2] * pn + block[own, 3] * p1
        ln, l1, l2 = scale[d * i], scale[d * i + 1], scale[d * i + d - 1]
        size_p += pn * pn + p1 * p1 + p2 * p2
        size_v += vn * vn + v1 * v1 + v2 * v2
        size_b += b[d * i] ** 2 + b[d * i + 1] ** 2 + b2 * b2
        energy += b[d * i] ** 2 / ln + b[d * i + 1] ** 2 / l1 + b2 * b2 / l2
        if i < mu.size:
            vn += mu[i] * math.sqrt(v1 * v1 + v2 * v2)  # De Saxcé's change of variable
            plain += natural_map(pn, p1, p2, vn, v1, v2, mu[i])
            scaled += ln * natural_map(pn, p1, p2, vn / ln, v1 / ln, v2 / ln, mu[i])
        else:
            plain += vn * vn + v1 * v1 + v2 * v2
            scaled += vn * vn / ln + v1 * v1 / l1 + v2 * v2 / l2
    size = math.sqrt(max(size_b, size_p, size_v))
    plain, scaled = math.sqrt(plain), math.sqrt(scaled)
    return max(plain / size if size > EPSILON else plain, scaled / math.sqrt(energy) if energy > 0.0 else scaled)
