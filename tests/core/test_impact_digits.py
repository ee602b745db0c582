"""How many digits are right: the same mechanics in 40 and more digits, on the nastiest contacts.

Eigenvalues of A up to eight decades apart, blows on class boundaries to the last bit, mu up to 10, e = 0 and
1. The promise is 1e-10 of the impulse.
"""

import math

import mpmath as mp
import numpy as np
import pytest

from routh.model.laws import Newton, Poisson, Stronge
from routh.native.load import entry
from routh.sim.impact import Kind, resolve_impact

PROMISE = 1e-10


def exact_plane(A, v, law, e, mu):
    """Planar march in mpmath numbers, law 0 Newton, 1 Poisson, 2 Stronge."""
    nn, tt, nt = mp.mpf(A[0, 0]), mp.mpf(A[1, 1]), mp.mpf(A[0, 1])
    vn, slip, e, mu = mp.mpf(v[0]), mp.mpf(v[1]), mp.mpf(e), mp.mpf(mu)
    way, start, hold = mp.sign(slip), vn, -nt / tt
    held, compressing, p, p_t, w, goal = False, True, mp.mpf(0), mp.mpf(0), mp.mpf(0), mp.mpf(0)
    while True:
        if way == 0 and not held:
            held = abs(hold) <= mu
            way = 0 if held else mp.sign(nt)
        ratio = hold if held else -mu * way
        slip_rate, gn = (mp.mpf(0) if held else nt + tt * ratio), nn + nt * ratio
        if compressing:
            dp = -vn / gn if gn > 0 else mp.inf
        elif law == 0:
            dp = (goal - vn) / gn
        elif law == 1:
            dp = goal - p
        else:
            dp = (mp.sqrt(vn * vn + 2 * gn * (goal - w)) - vn) / gn
        stops = way * slip_rate < 0 and -slip / slip_rate < dp
        if stops:
            dp = -slip / slip_rate
        w += (vn + gn * dp / 2) * dp
        p, p_t, vn, slip = p + dp, p_t + ratio * dp, vn + gn * dp, slip + slip_rate * dp
        if stops:
            slip, way = mp.mpf(0), 0
        elif compressing:
            goal = (-e * start, (1 + e) * p, -e * e * w)[law]
            compressing, vn, w = False, mp.mpf(0), mp.mpf(0)
        else:
            return p, p_t


def nasty_plane(rng):
    """A contact, and a blow that is often a hair's breadth from a boundary between classes."""
    c, s = math.cos(angle := rng.uniform(0.0, 6.3)), math.sin(angle)
    R = np.array([[c, -s], [s, c]])
    decades = rng.choice([0.5, 2.0, 4.0])
    A = R @ np.diag(10.0 ** rng.uniform(-decades, decades, 2)) @ R.T
    A[1, 0] = A[0, 1]
    mu, e = 10.0 ** rng.uniform(-3.0, 1.0), rng.choice([0.0, 1.0, 1e-6, rng.uniform()])
    v = np.array([-abs(rng.normal()), rng.normal()]) * 10.0 ** rng.uniform(-2.0, 2.0, 2)
    hair = 1.0 + rng.choice([-1.0, 0.0, 1.0]) * 10.0 ** rng.uniform(-16.0, -6.0)
    way, where = np.sign(v[1]), rng.integers(5)
    D = A[0, 0] - mu * way * A[0, 1]
    if where == 1:
        mu = abs(A[0, 1]) / A[1, 1] * hair  # stick or slip
    elif where in (2, 3) and D > 0.0:  # slip stops with compression, or with the blow
        share = 1.0 if where == 2 else 1.0 + e
        v[1] = -way * (A[0, 1] * way - mu * A[1, 1]) * (-v[0] / D) * share * hair
    elif where == 4:
        mu, v[1] = A[0, 0] / abs(A[0, 1]) * hair, abs(v[1]) * np.sign(A[0, 1])  # the denominator vanishes
    return A, v, float(e), float(mu)


def test_planar_impulses_have_ten_digits_even_on_class_boundaries():
    rng = np.random.default_rng(3)
    out, kinds = np.zeros(10), set()
    with mp.workdps(50):
        for i in range(1500):
            A, v, e, mu = nasty_plane(rng)
            kind = entry("impact_plane", "any")(A, v, i % 3, e, 0.0, mu, mu, out)
            kinds.add(kind)
            p, p_t = exact_plane(A, v, i % 3, e, mu)
            error = mp.hypot(p - mp.mpf(out[0]), p_t - mp.mpf(out[1])) / mp.hypot(p, p_t)
            assert kind > 0
            assert error <= PROMISE
    assert len(kinds) >= 6


def exact_slide(A, v, law, e, mu):
    """Spatial slide without stop in 30 digits: series of order 30 in dτ = dp_n / |u|, in the user's axes."""
    order, tol = 30, mp.mpf(10) ** -24
    A = [[mp.mpf(x) for x in row] for row in A]
    nn, a, C = A[0][0], A[0][1:], [A[1][1:], A[2][1:]]
    e, mu = mp.mpf(e), mp.mpf(mu)
    vn, u = mp.mpf(v[0]), [mp.mpf(x) for x in v[1:]]
    start, p, p_t, w, goal, compressing = vn, mp.mpf(0), [mp.mpf(0)] * 2, mp.mpf(0), None, True
    rate = mp.hypot(*a) + mu * (C[0][0] + C[1][1])
    for _ in range(400):
        s = mp.hypot(*u)
        U, S, T = [[u[0]], [u[1]]], [s], [[], []]
        for n in range(order):
            for i in (0, 1):
                T[i].append((U[i][n] - mp.fsum(S[n - k] * T[i][k] for k in range(n))) / s)
            drag = [[mu * (C[i][0] * U[0][k] + C[i][1] * U[1][k]) for k in range(n + 1)] for i in (0, 1)]
            lost = mp.fsum(drag[i][k] * T[i][n - k] for i in (0, 1) for k in range(n + 1))
            S.append((a[0] * U[0][n] + a[1] * U[1][n] - lost) / (rate * (n + 1)))
            for i in (0, 1):
                U[i].append((a[i] * S[n] - drag[i][n]) / (rate * (n + 1)))
        share = [1 / (rate * (n + 1)) for n in range(order)]
        P = [p] + [S[n] * share[n] for n in range(order)]
        Q = [[p_t[i]] + [-mu * U[i][n] * share[n] for n in range(order)] for i in (0, 1)]
        V = [vn] + [nn * P[n] + a[0] * Q[0][n] + a[1] * Q[1][n] for n in range(1, order + 1)]
        W = [w] + [mp.fsum(V[k] * S[n - k] for k in range(n + 1)) * share[n] for n in range(order)]
        last = max(abs(U[0][-1]), abs(U[1][-1]), abs(S[-1])) / s
        size = min((tol / last) ** (mp.mpf(1) / order), mp.mpf(20))

        def at(row, tau):
            total = mp.mpf(0)
            for coefficient in reversed(row):
                total = total * tau + coefficient
            return total

        row, level = (V, mp.mpf(0)) if compressing else ((V, P, W)[law], goal)
        ends = at(row, size) >= level
        if ends:
            low, high = mp.mpf(0), size
            for _ in range(90):
                middle = (low + high) / 2
                low, high = (low, middle) if at(row, middle) >= level else (middle, high)
            size = high
        u, p, vn, w = [at(U[i], size) for i in (0, 1)], at(P, size), at(V, size), at(W, size)
        p_t = [at(Q[i], size) for i in (0, 1)]
        if ends and not compressing:
            return [p, *p_t]
        if ends:
            goal = (-e * start, (1 + e) * p, -e * e * w)[law]
            compressing, vn, w = False, mp.mpf(0), mp.mpf(0)
    raise AssertionError("the reference did not end")


@pytest.mark.parametrize("law", [Newton, Poisson, Stronge])
def test_curved_slides_have_ten_digits_when_the_eigenvalues_are_eight_decades_apart(law):
    rng = np.random.default_rng([11, law.__name__ == "Poisson", law.__name__ == "Newton"])
    checked = 0
    with mp.workdps(30):
        while checked < 12:
            Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
            A = Q @ np.diag(10.0 ** np.array([4.0, -4.0, rng.uniform(-4.0, 4.0)])) @ Q.T
            A = 0.5 * (A + A.T)
            v = np.array([-abs(rng.normal()), *rng.normal(size=2)])
            e, mu = rng.uniform(0.1, 1.0), 10.0 ** rng.uniform(-2.0, 0.0)
            if np.linalg.eigvalsh(A)[0] <= 0.0:
                continue
            hit = resolve_impact(A, v, law(e, mu))
            if (
                hit.kind != Kind.SLIDING or len(hit.path) > 120
            ):  # the reference cannot take straight short cuts
                continue
            exact = exact_slide(A, v, [Newton, Poisson, Stronge].index(law), e, mu)
            gap = mp.sqrt(mp.fsum((x - mp.mpf(y)) ** 2 for x, y in zip(exact, hit.impulse, strict=True)))
            assert gap <= PROMISE * mp.sqrt(mp.fsum(x * x for x in exact))
            checked += 1
