"""Spatial impact without coupling between normal and tangent, in closed form ([hancho1996], eqs. 19-39).

With dp_n = |slip| dτ the principal slips decay as u1 exp(-ατ), u2 exp(-βτ), α = mu c1 >= β = mu c2, and the
normal impulse is p_n(τ) = ∫|slip| dτ. What is left of it until slip stops is

    p_stop - p_n = |slip| / β · ₂F₁(-½, 1; b + 1; cos²θ),    b = β / (2(α - β)),

θ being measured from the strong axis. This is the paper's formula after Pfaff's transformation, which
makes every term after the first negative and the ratio of terms smaller than cos²θ.
"""

import math

import numpy as np

from routh.core.jit import kernel

NODES, WEIGHTS = (0.5 * g for g in np.polynomial.legendre.leggauss(8))
NODES += 0.5
N_NODES = 8
SERIES_COS2 = 0.5  # the series is summed only where it halves its terms
FLAT = 1e-8  # a slip component below this share of the other has no effect on |slip| within round-off


@kernel
def impulse_to_stop(slip, cos2, alpha, beta):
    """Normal impulse after which slip stops."""
    b = 0.5 * beta / (alpha - beta) if alpha > beta else math.inf
    if b > 1e17:
        return slip / beta
    total, term, n = 1.0, 1.0, 0.0
    while abs(term) > 1e-17:
        term *= (n - 0.5) / (n + b + 1.0) * cos2
        total += term
        n += 1.0
    return slip / beta * total


@kernel
def panel(u1, u2, alpha, beta, width):
    """∫|slip| dτ over one panel by Gauss' rule: its integrand is analytic within π/2 / (α - β) of it."""
    total = 0.0
    for i in range(N_NODES):
        x = u1 * math.exp(-alpha * width * NODES[i])
        y = u2 * math.exp(-beta * width * NODES[i])
        total += WEIGHTS[i] * math.sqrt(x * x + y * y)
    return total * width


@kernel
def straight(slip, rate, p):
    """τ after which a slip that decays at `rate` has taken the normal impulse p; infinite if it stops."""
    return -math.log1p(-rate * p / slip) / rate if rate * p < slip else math.inf


@kernel
def slip_time(u1, u2, alpha, beta, p_end):
    """(τ, p_stop) when the normal impulse reaches p_end. Stopped: τ is infinite, p_stop < p_end.

    A blow that ends before slip stops has no use for p_stop, which is then NaN.
    """
    u1, u2 = abs(u1), abs(u2)
    tau = p = 0.0
    if u2 < FLAT * u1 and alpha > beta and u2 > 0.0:  # along the strong axis until the weak one matters
        fall = math.log(FLAT * u1 / u2) / (alpha - beta)
        gain = -u1 / alpha * math.expm1(-alpha * fall)
        if gain >= p_end:
            return straight(u1, alpha, p_end), math.nan
        tau, p = fall, gain
        u1, u2 = u1 * math.exp(-alpha * fall), u2 * math.exp(-beta * fall)
    if u2 == 0.0 or alpha == beta:
        s = math.hypot(u1, u2)
        return straight(s, alpha, p_end), (s / alpha if s <= alpha * p_end else math.nan)

    width = min(1.0 / (alpha - beta), 2.0 / alpha)
    asked = False
    while u1 > FLAT * u2:
        s2 = u1 * u1 + u2 * u2
        if not asked and u1 * u1 <= SERIES_COS2 * s2:
            asked = True
            p_stop = p + impulse_to_stop(math.sqrt(s2), u1 * u1 / s2, alpha, beta)
            if p_stop <= p_end:
                return math.inf, p_stop
        gain = panel(u1, u2, alpha, beta, width)
        if p + gain >= p_end:
            part = width * (p_end - p) / gain
            for _ in range(30):
                x, y = u1 * math.exp(-alpha * part), u2 * math.exp(-beta * part)
                step = (p_end - p - panel(u1, u2, alpha, beta, part)) / math.sqrt(x * x + y * y)
                part += step
                if abs(step) <= 1e-15 * part:
                    break
            return tau + part, math.nan
        tau, p = tau + width, p + gain
        u1, u2 = u1 * math.exp(-alpha * width), u2 * math.exp(-beta * width)
    if u2 <= beta * (p_end - p):
        return math.inf, p + u2 / beta
    return tau + straight(u2, beta, p_end - p), math.nan
