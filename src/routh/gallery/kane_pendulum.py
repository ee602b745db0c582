"""Kane's puzzle: a double pendulum hits the floor, and Newton's restitution creates energy [kane1984].

Two equal uniform rods hang from a pin; the tip of the lower one hits a rough floor. The slip stops and
reverses during the impact, so Newton's ratio of speeds no longer bounds the work of the normal impulse: with
e close to 1 the pendulum leaves with more energy than it brought. Poisson's and Stronge's hypotheses never
do that. The puzzle's own numbers are not reprinted here; angles, speeds and coefficients are ours and
stated.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from routh.gallery.claims import Claim
from routh.model.laws import Newton, Poisson, Stronge
from routh.sim.impact import Impact, resolve_impact, resolve_impacts

__all__ = ["claims", "contact", "figures", "strike"]

Array = NDArray[np.float64]
PAPER = "kane"
ANGLES = (math.radians(20.0), math.radians(30.0))  # of the rods from the vertical
SPEEDS = (-1.0, -2.0)  # [rad/s]
MU = 0.5


def contact(q1: ArrayLike, q2: ArrayLike, m: float = 1.0, l: float = 1.0) -> tuple[Array, Array]:
    """(A, J) of the tip: rods of mass m and length l at q1, q2 from the downward vertical, normal up."""
    q = np.stack(np.broadcast_arrays(q1, q2), axis=-1)
    J = l * np.stack([np.sin(q), np.cos(q)], axis=-2)
    M = m * l * l * np.array([[4.0 / 3.0, 0.0], [0.0, 1.0 / 3.0]]) + np.zeros_like(J)
    M[..., 0, 1] = M[..., 1, 0] = 0.5 * m * l * l * np.cos(q[..., 0] - q[..., 1])
    A = J @ np.linalg.solve(M, np.swapaxes(J, -1, -2))
    return 0.5 * (A + np.swapaxes(A, -1, -2)), J


def strike(e: float, law: type, mu: float = MU) -> Impact:
    """The impact at ANGLES with the rates SPEEDS."""
    A, J = contact(*ANGLES)
    return resolve_impact(A, J @ np.array(SPEEDS), law(e, mu))


def worst_gain(law: str, n: int = 40_000) -> float:
    """Largest energy gained, relative to ½ v_n² / A_nn, over random poses, rates, mu and e."""
    rng = np.random.default_rng(1984)
    q, u = rng.uniform(-1.2, 1.2, (n, 2)), rng.normal(size=(n, 2))
    A, J = contact(q[:, 0], q[:, 1])
    good = np.linalg.det(A) > 1e-3  # a stretched pendulum has no inverse mass of rank two
    A, v = A[good], np.einsum("nij,nj->ni", J, u)[good]
    hits = resolve_impacts(A, v, rng.uniform(0.0, 1.0, len(v)), rng.uniform(0.0, 1.5, len(v)), law)
    return float(np.max(-hits.energy_lost / (0.5 * v[:, 0] ** 2 / A[:, 0, 0])))


def claims() -> list[Claim]:
    """Newton gains, the others do not."""
    gain = {law: [-strike(float(e), law).energy_lost for e in np.linspace(0.0, 1.0, 101)]
            for law in (Newton, Poisson, Stronge)}  # fmt: skip
    return [
        Claim(PAPER, "the slip reverses during the impact", True, "reversal" in strike(0.9, Newton).kind.label),
        Claim(PAPER, "Newton creates energy for e near 1, and says so", True,
              gain[Newton][-1] > 0.0 and strike(1.0, Newton).creates_energy),
        Claim(PAPER, "Poisson never", True, max(gain[Poisson]) <= 0.0),
        Claim(PAPER, "Stronge never", True, max(gain[Stronge]) <= 0.0),
        Claim(PAPER, "no pose, rate, mu or e makes Poisson or Stronge gain (40,000 random impacts)", True,
              max(worst_gain("poisson"), worst_gain("stronge")) <= 1e-12),
        Claim(PAPER, "some make Newton gain", True, worst_gain("newton") > 0.01),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Energy lost over e under the three laws, and Routh's diagram of the impact."""
    from routh.view import impact_figures as draw

    es = np.linspace(0.0, 1.0, 201)
    lines = {
        law.__name__: [strike(float(e), law).energy_lost for e in es] for law in (Newton, Poisson, Stronge)
    }
    return [
        *draw.save(draw.law_lines(es, lines, "e", "energy lost [J]"), folder, "kane_pendulum_energy"),
        *draw.save(draw.routh_diagram(strike(0.9, Newton)), folder, "kane_pendulum_routh"),
    ]
