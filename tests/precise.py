"""Solutions in higher precision, computed when asked: the double pendulum by Taylor series in decimals."""

from decimal import Decimal, localcontext
from operator import mul

import mpmath


def double_pendulum(angles, lengths, masses, inertias, centres, gravity, t_end, digits=28, order=30):
    """Angles (from the downward vertical) and speeds at t_end of two bars hung on each other, from rest.

    Bar i has its mass centre at `centres[i]` from its upper pin. The right-hand side is made of sums,
    products and one quotient, so its Taylor coefficients follow by Cauchy's products; a step ends where the
    last two terms reach 10^-(digits - 6).
    """
    with localcontext() as context:
        context.prec = digits
        l1, (m1, m2), (J1, J2), (d1, d2) = (
            Decimal(lengths[0]),
            *(map(Decimal, x) for x in (masses, inertias, centres)),
        )
        g, end, t = Decimal(gravity), Decimal(t_end), Decimal(0)
        A, B, D = J1 + m1 * d1**2 + m2 * l1**2, J2 + m2 * d2**2, m2 * l1 * d2
        weight = g * (m1 * d1 + m2 * l1), g * m2 * d2
        state = [Decimal(x) for x in (*angles, 0.0, 0.0)]
        small = Decimal(10) ** (6 - digits)
        while t < end:
            series = pendulum_series(state, A, B, D, weight, order, digits)
            reach = ((small / max(abs(s[k]) for s in series)) ** (Decimal(1) / k) for k in (order - 1, order))
            h = min(*reach, end - t)
            state = [horner(s, h) for s in series]
            t += h
        return [float(x) for x in state]


def horner(coefficients, h):
    value = Decimal(0)
    for c in reversed(coefficients):
        value = value * h + c
    return value


def pendulum_series(state, A, B, D, weight, order, digits):
    """Taylor coefficients of (theta1, theta2, omega1, omega2) about now."""
    th1, th2, w1, w2 = ([x] for x in state)
    (s1, c1), (s2, c2), (S, C) = (circular(x, digits) for x in (state[0], state[1], state[0] - state[1]))
    wd, sq1, sq2, CC, f1, f2, a1, a2 = ([] for _ in range(8))

    def conv(x, y):
        return sum(map(mul, x, reversed(y)))

    for k in range(order):
        wd.append(w1[k] - w2[k])
        sq1.append(conv(w1, w1))
        sq2.append(conv(w2, w2))
        CC.append(conv(C, C))
        f1.append(-D * conv(S, sq2) - weight[0] * s1[k])
        f2.append(D * conv(S, sq1) - weight[1] * s2[k])
        # (A B - D² C²) (a1, a2) = (B f1 - D C f2, A f2 - D C f1)
        det = A * B - D * D * CC[0]
        a1.append((B * f1[k] - D * conv(C, f2) + D * D * conv(CC[1:], a1)) / det)
        a2.append((A * f2[k] - D * conv(C, f1) + D * D * conv(CC[1:], a2)) / det)
        n = k + 1
        th1.append(w1[k] / n)
        th2.append(w2[k] / n)
        for s, c, w in ((s1, c1, w1), (s2, c2, w2), (S, C, wd)):
            up, down = conv(c, w) / n, -conv(s, w) / n
            s.append(up)
            c.append(down)
        w1.append(a1[k] / n)
        w2.append(a2[k] / n)
    return th1, th2, w1, w2


def circular(angle, digits):
    """The first coefficients of sine and cosine."""
    with mpmath.workdps(digits + 5):
        x = mpmath.mpf(str(angle))
        return [Decimal(mpmath.nstr(mpmath.sin(x), digits + 3))], [Decimal(mpmath.nstr(mpmath.cos(x), digits + 3))]
