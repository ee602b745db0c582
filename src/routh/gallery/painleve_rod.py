"""Painlevé's rod: a uniform rod can lose its sliding solution only if mu exceeds 4/3.

The sliding denominator of the tip is 1 + r² cosθ (cosθ - mu sinθ), r being half length over radius of
gyration. It vanishes at mu(θ) = (1 + r² cos²θ) / (r² sinθ cosθ), whose least value over θ is 2 √(1 + r²) /
r²: 4/3 for r² = 3.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from routh.analysis.painleve import ContactClass, denominator, sliding_map
from routh.gallery.claims import Claim
from routh.gallery.han_rod import G, impact, rod, smallest_mu

__all__ = ["claims", "class_map", "figures"]

PAPER = "painleve"
R = math.sqrt(3.0)


def class_map(mu: float, angles: np.ndarray, spins: np.ndarray) -> np.ndarray:
    """Classes of the uniform rod that slides left, over (spin, angle); half length 1."""
    D = np.array([denominator(rod(float(x), R), mu, -1.0) for x in angles])
    b = -G + spins[:, None] ** 2 * np.sin(angles)[None, :]
    return sliding_map(b, np.broadcast_to(D, b.shape))[0]


def claims() -> list[Claim]:
    """The bound, and that the tangential impact resolves every inconsistent state."""
    angles, spins = np.radians(np.linspace(1.0, 89.0, 177)), np.linspace(0.0, 6.0, 61)
    below, above = class_map(1.33, angles, spins), class_map(1.6, angles, spins)
    stuck = [a for a, kind in zip(angles, above[0], strict=True) if kind == ContactClass.INCONSISTENT]
    hits = [impact(float(a), 1.6, R, 0.5) for a in stuck]
    return [
        Claim(PAPER, "bound of the uniform rod", 4.0 / 3.0, smallest_mu(R), 1e-12),
        Claim(PAPER, "classes at mu = 1.33 < 4/3", ["SLIDING", "LIFT_OFF"],
              [ContactClass(int(k)).name for k in np.unique(below)]),
        Claim(PAPER, "classes at mu = 1.6 > 4/3", ["SLIDING", "LIFT_OFF", "INCONSISTENT", "INDETERMINATE"],
              [ContactClass(int(k)).name for k in np.unique(above)]),
        Claim(PAPER, "every inconsistent state is resolved by a tangential impact that lifts the tip", True,
              bool(hits) and all(hit.velocity[0] > 0.0 and hit.energy_lost > 0.0 for hit in hits)),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The four classes over angle and spin, at mu = 1.6."""
    from routh.view import impact_figures as draw

    angles, spins = np.radians(np.linspace(0.5, 89.5, 357)), np.linspace(0.0, 6.0, 241)
    fig = draw.class_map(
        class_map(1.6, angles, spins), np.degrees(angles), spins, "angle θ [deg]", "spin ω [rad/s]"
    )
    fig.axes[0].set_title("uniform rod sliding left, μ = 1.6, half length 1 m", fontsize=9)
    return draw.save(fig, folder, "painleve_rod")
