"""A block that rocks from corner to corner [housner1963].

A uniform block of half width b and half height h stands on a rough floor; R is half its diagonal, tan α = b / h. Tilted by
θ about one corner it obeys θ'' = -p² sin(α - θ), p² = 3 g / (4 R). When it comes upright the other corner strikes and the
block goes on about that one. The impact has no moment about the new corner O', so angular momentum about it is kept:
(I + m R² cos 2α) ω = (I + m R²) ω', with I = m R² / 3, which makes

    ω' / ω = (1/3 + 1 - 2 sin²α) / (4/3) = 1 - (3/2) sin²α.

Housner's period (4 / p) arcosh(1 / (1 - θ0/α)) is that of the equation for slender blocks, sin(α - θ) → α - θ.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.integrate import quad

import routh as rt
from routh import shapes
from routh.gallery.claims import Claim

__all__ = ["claims", "figures", "housner_period", "impacts", "model", "quarter_period", "ratio", "run", "start"]

PAPER = "housner"
GRAVITY, HALF_HEIGHT, SLENDER = 9.81, 1.0, 0.2  # m/s², m, α in rad


def model(alpha: float = SLENDER, mu: float = 0.8) -> rt.Model:
    """A block of 1 kg on a floor; plastic impacts and friction that holds the corners."""
    b, h = HALF_HEIGHT * math.tan(alpha), HALF_HEIGHT
    block = shapes.Polygon("block", ((-b, -h), (b, -h), (b, h), (-b, h)))
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(name="rocking_block", space="planar", gravity=(0.0, -GRAVITY),
                    bodies=[rt.Body("block", 1.0, (b * b + h * h) / 3.0)],
                    contacts=[rt.Contact("floor", block, floor, law=rt.Newton(e=0.0, mu=mu))])


def start(tilt: float = 0.5, alpha: float = SLENDER) -> rt.State:
    """At rest on the right corner, tilted by `tilt` α; that corner is at the origin."""
    R, theta = HALF_HEIGHT / math.cos(alpha), tilt * alpha
    return rt.State(block={"x": -R * math.sin(alpha - theta), "y": R * math.cos(alpha - theta), "theta": -theta})


def run(tilt: float = 0.5, alpha: float = SLENDER, t_end: float = 5.0, options: rt.Options | None = None) -> rt.Result:
    """Released at rest from the tilt θ0 = `tilt` α."""
    return rt.simulate(model(alpha), start(tilt, alpha), t_end=t_end, options=options or rt.Options(rtol=1e-11, atol=1e-12))


def ratio(alpha: float = SLENDER) -> float:
    """Angular speed after an impact over that before."""
    return 1.0 - 1.5 * math.sin(alpha) ** 2


def rate(alpha: float = SLENDER) -> float:
    """p [rad/s]."""
    return math.sqrt(0.75 * GRAVITY * math.cos(alpha) / HALF_HEIGHT)


def quarter_period(theta: float, alpha: float = SLENDER) -> float:
    """Time from rest at the tilt `theta` to upright: the energy integral, with theta (1 - s²) for the angle."""
    def slowness(s: float) -> float:
        fall = 2.0 * math.sin(alpha - theta + 0.5 * theta * s * s) * math.sin(0.5 * theta * s * s)
        return 2.0 * theta * s / math.sqrt(2.0 * fall) if s > 0.0 else 2.0 * math.sqrt(0.5 * theta / math.sin(alpha - theta))

    return float(quad(slowness, 0.0, 1.0, epsabs=1e-13, epsrel=1e-13)[0]) / rate(alpha)


def amplitude(theta: float, alpha: float = SLENDER) -> float:
    """The tilt reached after the impact that follows a tilt of `theta`: energy falls by the square of the ratio."""
    fall = math.cos(alpha - theta) - math.cos(alpha)
    return alpha - math.acos(math.cos(alpha) + ratio(alpha) ** 2 * fall)


def housner_period(theta: float, alpha: float = SLENDER) -> float:
    """The period of a full swing from the tilt `theta` for a slender block, without loss."""
    return 4.0 / rate(alpha) * math.acosh(1.0 / (1.0 - theta / alpha))


def impacts(result: rt.Result) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times of the impacts, and the angular velocities before and after each."""
    t = np.unique(result.impacts.t)
    sides = [[result.at(float(x), side=side)["block.omega"] for x in t] for side in ("left", "right")]
    return t, np.array(sides[0]), np.array(sides[1])


def claims() -> list[Claim]:
    """Loss and period, the exact ones and Housner's."""
    result = run()
    t, before, after = impacts(result)
    theta = [0.5 * SLENDER]
    for _ in range(5):
        theta.append(amplitude(theta[-1]))
    exact = [quarter_period(theta[0])] + [quarter_period(x) * 2.0 for x in theta[1:]]
    slim = 1e-3
    return [
        Claim(PAPER, "ω'/ω = 1 - (3/2) sin²α at the first five impacts", [ratio()] * 5, (after / before)[:5], 1e-9),
        Claim(PAPER, "times of the first six impacts, from the energy integral, s", np.cumsum(exact), t[:6], 1e-8),
        Claim(PAPER, "Housner's quarter period at θ0 = α/2, α = 0.2, s", 0.25 * housner_period(theta[0]), float(t[0]), 2e-3,
              note="sin(α - θ) = α - θ is α²/6 = 0.7 % off at the most"),
        Claim(PAPER, "the exact period tends to Housner's as the block gets slender, at α = 0.001", 1.0,
              4.0 * quarter_period(0.5 * slim, slim) / housner_period(0.5 * slim, slim), slim**2),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Tilt over time, and the period over the amplitude."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import INK, LIMIT, STICK, save

    result = run(0.9, t_end=8.0)
    figure = Figure(figsize=(6.4, 5.0), layout="constrained")
    above, below = figure.subplots(2, 1)
    above.plot(result.t, -result["block.theta"] / SLENDER, color=STICK, lw=1.4)
    above.axhline(0.0, color=LIMIT, lw=0.6)
    above.set(xlabel="t [s]", ylabel="tilt θ / α [-]")
    tilts = np.linspace(0.01, 0.99, 99)
    below.plot(tilts, [4.0 * quarter_period(x * SLENDER) for x in tilts], color=INK, lw=1.4, label="exact, α = 0.2")
    below.plot(tilts, [housner_period(x * SLENDER) for x in tilts], "--", color=STICK, lw=1.2, label="Housner")
    found = [(x, 4.0 * run(x, t_end=2.0).impacts.t[0]) for x in (0.1, 0.3, 0.5, 0.7, 0.9)]
    below.plot(*np.transpose(found), "o", color=INK, ms=5, label="first impact of a run, times 4")
    below.set(xlabel="tilt θ0 / α [-]", ylabel="period [s]")
    below.legend(frameon=False, fontsize=8)
    for ax in (above, below):
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "rocking_block")
