"""The principal tangents of a contact: the axes in which the tangential inverse mass is diagonal.

    A = | nn  aᵀ |      C = R diag(c1, c2) Rᵀ,  c1 >= c2;  a, slip and p_t resolved along the columns of R
        | a   C  |

The frame is found with twice the digits (see `exact`), so that c2, the weak component of a and the stick
denominator nn - aᵀC⁻¹a are right to round-off even when the eigenvalues of A are eight decades apart.
"""

import math

from routh.core.exact import add, divide, exact, multiply, square_root, two_product, two_sum

# rows of the frame array
NN, A1, A2, C1, C2, STICK, COS, SIN, U1, U2 = range(10)
N_FRAME = 10


@exact
def rotation(x, y, z):
    """(cos, sin, c1, c2), each a pair, of the turn that makes [[x, y], [y, z]] diagonal, c1 >= c2."""
    if y == 0.0:
        if x >= z:
            return (1.0, 0.0), (0.0, 0.0), (x, 0.0), (z, 0.0)
        return (0.0, 0.0), (1.0, 0.0), (z, 0.0), (x, 0.0)
    # strong axis along (d + r, y) or (y, r - d), whichever sum does not cancel; d half the difference of x, z
    dh, dl = two_sum(0.5 * x, -0.5 * z)
    yh, yl = two_product(y, y)
    rh, rl = square_root(*add(*multiply(dh, dl, dh, dl), yh, yl))
    mh, ml = two_sum(0.5 * x, 0.5 * z)
    c1 = add(mh, ml, rh, rl)
    ph, pl = two_product(x, z)
    c2 = divide(*add(ph, pl, -yh, -yl), *c1)  # det / c1
    sign = 1.0 if dh >= 0.0 else -1.0
    th, tl = divide(y, 0.0, *add(sign * dh, sign * dl, rh, rl))
    long = divide(1.0, 0.0, *square_root(*add(1.0, 0.0, *multiply(th, tl, th, tl))))
    short = multiply(th, tl, *long)
    return (long, short, c1, c2) if dh >= 0.0 else (short, long, c1, c2)


@exact
def combine(fh, fl, x, gh, gl, y):
    """f x + g y, for pairs f and g, as a pair."""
    ph, pl = multiply(fh, fl, x, 0.0)
    qh, ql = multiply(gh, gl, y, 0.0)
    return add(ph, pl, qh, ql)


@exact
def principal_frame(A, v, frame):
    """Fill `frame` (N_FRAME); return False if A is not positive definite to working accuracy."""
    ax, ay = 0.5 * (A[0, 1] + A[1, 0]), 0.5 * (A[0, 2] + A[2, 0])
    cos, sin, c1, c2 = rotation(A[1, 1], 0.5 * (A[1, 2] + A[2, 1]), A[2, 2])
    a1 = combine(cos[0], cos[1], ax, sin[0], sin[1], ay)
    a2 = combine(cos[0], cos[1], ay, -sin[0], -sin[1], ax)
    if not c2[0] > 0.0:
        return False
    q1 = divide(*multiply(*a1, *a1), *c1)
    q2 = divide(*multiply(*a2, *a2), *c2)
    rest = add(A[0, 0], 0.0, -q1[0], -q1[1])
    rest = add(rest[0], rest[1], -q2[0], -q2[1])
    frame[NN], frame[A1], frame[A2], frame[C1], frame[C2] = A[0, 0], a1[0], a2[0], c1[0], c2[0]
    frame[STICK], frame[COS], frame[SIN] = rest[0], cos[0], sin[0]
    frame[U1] = combine(cos[0], cos[1], v[1], sin[0], sin[1], v[2])[0]
    frame[U2] = combine(cos[0], cos[1], v[2], -sin[0], -sin[1], v[1])[0]
    return rest[0] > 0.0


@exact
def leaving_direction(a1, a2, b1, b2):
    """(rate, x, y) of the one invariant direction along which slip can start: a - B t = rate t, rate > 0.

    b1 >= b2 are mu c1, mu c2 and the stick ratio exceeds mu, so |t(rate)| falls from above 1 through 1 once.
    Newton's method on 1/|t| - 1, which is concave, rises to the root and never passes it.
    """
    rate = max(0.0, max(abs(a1) - b1, abs(a2) - b2))
    for _ in range(100):
        d1, d2 = rate + b1, rate + b2
        x = a1 / d1 if a1 != 0.0 else 0.0
        y = a2 / d2 if a2 != 0.0 else 0.0
        size = math.hypot(x, y)
        slope = (x * x / d1 if x != 0.0 else 0.0) + (y * y / d2 if y != 0.0 else 0.0)
        step = (size - 1.0) * size * size / slope
        rate += step
        if step <= 1e-16 * rate:
            break
    size = math.hypot(x, y)
    return rate, x / size, y / size
