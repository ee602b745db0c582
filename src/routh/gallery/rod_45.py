"""A uniform rod dropped upright at 45 degrees: does the tip slip, and which law do you trust?

The contact of its tip has A = [[5, -3], [-3, 5]] / (2 m). Dropped without slip it needs mu = 3/5 to hold;
below that it slips from rest. In both cases the slip never changes its state during the impact, so Newton,
Poisson and Stronge agree. Thrown with slip towards its centre they part, for the slip stops on the way.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from routh.gallery.claims import Claim
from routh.gallery.han_rod import rod
from routh.model.laws import Newton, Poisson, Stronge
from routh.sim.impact import Impact, resolve_impact

__all__ = ["claims", "drop", "figures"]

PAPER = "rod-45"
R = math.sqrt(3.0)  # half length over radius of gyration of a uniform rod


def drop(mu: float, e: float = 0.6, slip: float = 0.0, law: type = Poisson) -> Impact:
    """The tip of a rod of mass 1 and half length 1 hits the floor at 1 m/s, sliding at `slip`."""
    return resolve_impact(rod(math.radians(45.0), R), [-1.0, slip], law(e, mu))


def claims() -> list[Claim]:
    """Closed forms of the drop, and how the laws part."""
    low, high = 0.0, 1.0
    while high - low > 1e-14:
        middle = 0.5 * (low + high)
        held = drop(middle).kind.label == "stick from start"
        low, high = (low, middle) if held else (middle, high)
    laws = (Newton, Poisson, Stronge)
    same = [float(drop(mu, law=law).impulse[0]) for mu in (0.3, 0.8) for law in laws]
    part = [drop(0.7, slip=-0.1, law=law) for law in laws]
    e = 0.6
    return [
        Claim(PAPER, "A = [[5, -3], [-3, 5]] / 2", [2.5, -1.5, 2.5],
              [float(rod(math.radians(45.0), R)[i, j]) for i, j in ((0, 0), (0, 1), (1, 1))], 1e-15),
        Claim(PAPER, "least friction that holds the tip", 0.6, high, 1e-13),
        Claim(PAPER, "held: p_n = (1 + e) 5 m v / 8", (1 + e) * 0.625, float(drop(0.8).impulse[0]), 1e-14),
        Claim(PAPER, "slipping, mu = 0.3: p_n = (1 + e) m v / (5/2 - 3 mu/2)", (1 + e) / (2.5 - 0.45),
              float(drop(0.3).impulse[0]), 1e-14),
        Claim(PAPER, "the three laws agree when the slip keeps its state", True,
              bool(np.ptp(same[:3]) < 1e-14 and np.ptp(same[3:]) < 1e-14)),
        Claim(PAPER, "they part when it stops on the way", True,
              bool(np.ptp([float(hit.impulse[0]) for hit in part]) > 1e-3)),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Routh's diagram of the thrown rod, and the energy map over (mu, e)."""
    from routh.view import impact_figures as draw

    A = rod(math.radians(45.0), R)
    return [
        *draw.save(draw.routh_diagram(drop(0.7, slip=-0.1)), folder, "rod_45_routh"),
        *draw.save(draw.energy_map(A, [-1.0, -0.1], "poisson"), folder, "rod_45_energy"),
    ]
