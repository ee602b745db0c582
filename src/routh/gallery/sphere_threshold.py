"""A sphere thrown on a rough floor rolls off if mu >= 2 |v_t| / (7 (1 + e) |v_n|), and skids if it is
smoother.

The contact of a homogeneous sphere has A = diag(1, 7/2, 7/2) / m: the whole slip is stopped by the
tangential impulse 2 m |v_t| / 7, which friction must supply from the normal impulse (1 + e) m |v_n|.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.optimize import brentq

from routh.gallery.claims import Claim
from routh.model.laws import Poisson
from routh.sim.collide import GROUND, Collision, FreeBody, collide

__all__ = ["bounce", "claims", "figures", "threshold"]

PAPER = "sphere"


def bounce(mu: float, e: float = 0.8, v_n: float = 3.0, v_t: float = 2.0) -> Collision:
    """A sphere of 0.2 kg and radius 5 cm without spin hits the floor z = 0."""
    m, radius = 0.2, 0.05
    inertia = 0.4 * m * radius**2
    ball = FreeBody(m, inertia, (0.0, 0.0, radius), (v_t, 0.0, -v_n), (0.0, 0.0, 0.0))
    return collide(GROUND, ball, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), Poisson(e, mu))


def threshold(e: float, v_n: float, v_t: float) -> float:
    """Least friction that stops the slip, found by bisection on the slip after the impact."""
    slip = lambda mu: float(bounce(mu, e, v_n, v_t).hit.velocity[1]) - 1e-300  # noqa: E731
    return float(brentq(slip, 0.0, 10.0, xtol=1e-15))


def claims() -> list[Claim]:
    """The threshold and the spin of a sphere that grips."""
    grip = bounce(1.0)
    speed = float(grip.b.velocity[0])
    return [
        Claim(PAPER, f"threshold at e = {e:g}, v_n = {vn:g}, v_t = {vt:g}", 2 * vt / (7 * (1 + e) * vn),
              threshold(e, vn, vt), 1e-12)
        for e, vn, vt in ((0.0, 1.0, 1.0), (0.8, 3.0, 2.0), (1.0, 0.5, 4.0))
    ] + [
        Claim(PAPER, "a sphere that grips keeps 5/7 of its speed", 5.0 / 7.0 * 2.0, speed, 1e-14),
        Claim(PAPER, "and rolls: spin = speed / radius", speed / 0.05, float(grip.b.spin[1]), 1e-12),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Slip after the impact over friction, for several e."""
    from routh.view import impact_figures as draw

    mus = np.linspace(0.0, 0.3, 151)
    es = (0.0, 0.25, 0.5, 0.75, 1.0)
    slips = [[float(bounce(mu, e).hit.velocity[1]) for mu in mus] for e in es]
    fig = draw.loss_panels([("μ", mus, slips, "sphere: v_n = 3 m/s, v_t = 2 m/s")], es, "slip after [m/s]")
    for e in es:
        fig.axes[0].axvline(2 * 2.0 / (7 * (1 + e) * 3.0), color="0.8", lw=0.6, zorder=0)
    return draw.save(fig, folder, "sphere_threshold")
