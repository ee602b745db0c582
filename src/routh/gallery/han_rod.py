"""Lötstedt's sliding rod: where rigid-body sliding has no solution, a tangential impact takes over [han1994].

A rod leans at the angle θ on a rough floor, its tip p at -l (cos θ, sin θ) from the mass centre G, and
slides to the left. With r = l/k (k the radius of gyration) the normal force is λ = m g / (1 + r² cosθ (cosθ
- μ sinθ)); where that is negative the contact can neither slide nor open. The impact at zero approach speed
stops the slip and throws the tip off the floor, whatever μ is. `sliding_rod` shows it in motion.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from routh.analysis.painleve import classify, critical_mu, denominator, resolve, sliding_map
from routh.errors import ModelError
from routh.gallery.claims import Claim
from routh.model.laws import Poisson
from routh.sim.collide import contact_matrix
from routh.sim.impact import Impact

__all__ = ["claims", "figures", "free_normal_acceleration", "impact", "normal_force", "percent_loss", "rod"]

Array = NDArray[np.float64]
PAPER = "han-rod"
SAME = "an independent solution of the paper's equations; its figures are lost"
G = 9.81


def rod(theta: float, r: float, l: float = 1.0, m: float = 1.0) -> Array:
    """Inverse mass (2, 2) of the tip; normal up, tangent to the right; angle in radians."""
    tip = (-l * math.cos(theta), -l * math.sin(theta))
    return contact_matrix((math.inf, m), (math.inf, m * (l / r) ** 2), ((0.0, 0.0), tip), (0.0, 1.0))


def free_normal_acceleration(theta: float, omega: float = 0.0, l: float = 1.0) -> float:
    """Normal acceleration of the tip without contact force, eq. 8."""
    return -G + omega**2 * l * math.sin(theta)


def normal_force(theta: float, mu: float, r: float, omega: float = 0.0) -> float:
    """λ of eq. 3 (eq. 9 has one cosine too many), of either sign."""
    D = denominator(rod(theta, r), mu, -1.0)
    return float(sliding_map(free_normal_acceleration(theta, omega), D)[1])


def impact(theta: float, mu: float, r: float, e: float, speed: float = 1.0) -> Impact:
    """The tangential impact of the rod that slides to the left at `speed`, eqs. 25-27."""
    return resolve(rod(theta, r), -speed, Poisson(e, mu))


def percent_loss(theta: float, mu: float, r: float, e: float) -> float:
    """Energy lost in percent of that before (no spin, mass 1, speed 1); NaN where sliding is consistent."""
    if denominator(rod(theta, r), mu, -1.0) >= 0.0:
        return math.nan
    return 100.0 * impact(theta, mu, r, e).energy_lost / 0.5


def inconsistent_range(mu: float, r: float) -> tuple[float, float]:
    """Angles in degrees between which the rod is inconsistent."""

    def D(degrees: float) -> float:
        return denominator(rod(math.radians(degrees), r), mu, -1.0)

    middle = max(np.linspace(1.0, 89.0, 1001), key=lambda x: -D(float(x)))
    if D(float(middle)) >= 0.0:
        raise ModelError(f"han_rod: with r = {r:g} no angle is inconsistent below mu = {smallest_mu(r):.6g}; mu = {mu:g}")
    return float(brentq(D, 1.0, middle, xtol=1e-13)), float(brentq(D, middle, 89.99, xtol=1e-13))


def smallest_mu(r: float) -> float:
    """Least friction at which some angle is inconsistent, found by minimising the critical one over θ."""
    low, high = 0.1, math.pi / 2 - 0.01
    golden = (math.sqrt(5.0) - 1.0) / 2.0
    for _ in range(200):
        a, b = high - golden * (high - low), low + golden * (high - low)
        if critical_mu(rod(a, r), -1.0) < critical_mu(rod(b, r), -1.0):
            high = b
        else:
            low = a
    return critical_mu(rod(0.5 * (low + high), r), -1.0)


def closed_form_loss(theta: float, r: float, e: float) -> float:
    """Percent loss in closed form, which knows no μ."""
    s2, c2, r2 = math.sin(theta) ** 2, math.cos(theta) ** 2, r * r
    top = (1.0 + r2 * s2) * (1.0 + r2 * c2) - e * e * r2 * r2 * s2 * c2
    return 100.0 * top / ((1.0 + r2 * s2) * (1.0 + r2))


def claims() -> list[Claim]:
    """Every number and statement of the paper that Routh can check."""
    t75, t60, t85 = (math.radians(x) for x in (75.0, 60.0, 85.0))
    low, high = inconsistent_range(0.55, 4.0)
    hit = impact(t75, 0.55, 4.0, 0.5)
    losses = [percent_loss(t75, 0.55, 4.0, e) for e in (0.0, 0.25, 0.5, 0.75, 1.0)]
    A75 = rod(t75, 4.0)
    r_crit = brentq(lambda r: denominator(rod(t75, r), 0.55, -1.0), 2.0, 6.0, xtol=1e-14)

    def state(theta: float, omega: float = 0.0) -> str:
        return classify(rod(theta, 4.0), free_normal_acceleration(theta, omega), 0.55, -1.0).kind.label

    over_mu = [percent_loss(t75, mu, 4.0, 0.5) for mu in np.linspace(0.53, 1.0, 20)]
    over_theta = [
        percent_loss(math.radians(x), 0.55, 4.0, 0.5) for x in np.linspace(low + 0.01, high - 0.01, 30)
    ]
    over_e = [percent_loss(t75, 0.55, 4.0, e) for e in np.linspace(0.0, 1.0, 11)]
    over_k = [percent_loss(t75, 0.55, 1.0 / k, 0.5) for k in np.linspace(0.15, 0.26, 12)]
    digits = 5e-9
    return [
        Claim(
            PAPER,
            "Fig 2a: inconsistent range of θ at μ = .55, r = 4, degrees",
            [70.75131161175966, 80.43789464526728],
            [low, high],
            1e-10,
            derived=SAME,
        ),
        Claim(PAPER, "Fig 2b: critical μ at 75°, r = 4", 0.5179491924311227, critical_mu(A75, -1.0), 1e-14, derived=SAME),
        Claim(PAPER, "Fig 2c: critical r at 75°, μ = .55", 3.765878654352021, r_crit, 1e-12, derived=SAME),
        Claim(
            PAPER,
            "Fig 2: normal force at 75°, 60°, 85°, N",
            [-76.51913278, 8.24724433, 27.44163453],
            [normal_force(t, 0.55, 4.0) for t in (t75, t60, t85)],
            digits,
            derived=SAME,
        ),
        Claim(
            PAPER,
            "smallest μ with some inconsistent θ, uniform rod (r² = 3)",
            4.0 / 3.0,
            smallest_mu(math.sqrt(3.0)),
            1e-12,
            derived=SAME,
        ),
        Claim(
            PAPER,
            "smallest μ with some inconsistent θ, r = 4: 2√(1+r²)/r²",
            2.0 * math.sqrt(17.0) / 16.0,
            smallest_mu(4.0),
            1e-12,
            derived=SAME,
        ),
        Claim(PAPER, "class at 60°", "sliding", state(t60)),
        Claim(PAPER, "class at 60°, ω = 4 (Case 1)", "lift-off", state(t60, 4.0)),
        Claim(PAPER, "class at 75° (Case 2)", "inconsistent", state(t75)),
        Claim(
            PAPER,
            "class at 75°, ω = 4",
            "indeterminate",
            state(t75, 4.0),
            note="the paper leaves this class out",
        ),
        Claim(
            PAPER,
            "sliding force in the indeterminate class, N",
            44.03019494,
            normal_force(t75, 0.55, 4.0, 4.0),
            digits,
            derived=SAME,
        ),
        Claim(
            PAPER,
            "eqs 25-27 at 75°, e = .5: P_x, P_y, v_py'",
            [0.1514147372, 0.3529411765, 0.12556344],
            [hit.impulse[1], hit.impulse[0], hit.velocity[0]],
            digits,
            derived=SAME,
        ),
        Claim(PAPER, "the tip sticks: v_px' = 0", 0.0, float(hit.velocity[1]), 0.0),
        Claim(
            PAPER,
            "Fig 4: percent energy loss at 75° for e = 0, .25, .5, .75, 1",
            [12.187039822, 11.817735585, 10.709822874, 8.863301689, 6.278172029],
            losses,
            digits,
            derived=SAME,
        ),
        Claim(
            PAPER, "closed form of the loss at 75°, e = .5", closed_form_loss(t75, 4.0, 0.5), losses[2], 1e-12, derived=SAME
        ),
        Claim(PAPER, "Fig 4b: the loss does not depend on μ", True, bool(np.ptp(over_mu) < 1e-12)),
        Claim(PAPER, "energy is lost even at e = 1", True, losses[-1] > 0.0),
        Claim(PAPER, "Fig 4a: the loss falls as θ grows", True, bool(np.all(np.diff(over_theta) < 0.0))),
        Claim(PAPER, "Fig 4b: the loss falls as e grows", True, bool(np.all(np.diff(over_e) < 0.0))),
        Claim(
            PAPER,
            "Fig 4c: the loss falls as the radius of gyration falls",
            True,
            bool(np.all(np.diff(over_k) > 0.0)),
        ),
        Claim(
            PAPER,
            "Newton's law alone leaves an inconsistent contact closed: v_py' = 0 for every e",
            0.0,
            _newton_rebound(),
            0.0,
        ),
    ]


def _newton_rebound() -> float:
    """Largest normal speed that Newton's marched law gives the tip over e."""
    from routh.model.laws import Newton

    A = rod(math.radians(75.0), 4.0)
    return max(float(resolve(A, -1.0, Newton(e, 0.55)).velocity[0]) for e in (0.0, 0.5, 1.0))


def figures(folder: Path) -> list[Path]:
    """Figs 2 and 4 of the paper, and Routh's diagram of the tangential impact (Fig 3)."""
    from routh.view import impact_figures as draw

    t75 = math.radians(75.0)
    theta, mus, rs = np.linspace(0.0, 90.0, 361), np.linspace(0.0, 1.0, 201), np.linspace(1.0, 6.0, 201)
    forces = [
        ("θ [deg]", theta, [normal_force(math.radians(x), 0.55, 4.0) for x in theta], "(a) μ = 0.55, r = 4"),
        ("μ", mus, [normal_force(t75, x, 4.0) for x in mus], "(b) θ = 75°, r = 4"),
        ("r = l / k", rs, [normal_force(t75, 0.55, x) for x in rs], "(c) θ = 75°, μ = 0.55"),
    ]
    ks = np.linspace(0.1, 0.4, 121)
    es = (0.0, 0.25, 0.5, 0.75, 1.0)
    fine = np.linspace(70.0, 81.0, 111)
    losses = [
        (
            "θ [deg]",
            fine,
            [[percent_loss(math.radians(x), 0.55, 4.0, e) for x in fine] for e in es],
            "(a) μ = 0.55, r = 4",
        ),
        ("μ", mus, [[percent_loss(t75, x, 4.0, e) for x in mus] for e in es], "(b) θ = 75°, r = 4"),
        (
            "k [m]",
            ks,
            [[percent_loss(t75, 0.55, 1.0 / x, e) for x in ks] for e in es],
            "(c) θ = 75°, μ = 0.55, l = 1 m",
        ),
    ]
    return [
        *draw.save(draw.normal_force_panels(forces), folder, "han_rod_fig2"),
        *draw.save(draw.routh_diagram(impact(t75, 0.55, 4.0, 0.5)), folder, "han_rod_fig3"),
        *draw.save(draw.loss_panels(losses, es), folder, "han_rod_fig4"),
    ]
