"""Six theories of rigid-body impact with friction, after Table 1 of [hancho1996], on one impact.

| theory | restitution | in Routh |
|---|---|---|
| Lötstedt 1984 | Newton, as a quadratic programme; for one contact it is Moreau's rule | `Moreau` |
| Keller 1986 | Poisson, differential equations in space | `Poisson`, A (3, 3) |
| Brach 1989 | Newton, impulse ratio | `Brach` |
| Han and Gilmore 1990 | Poisson, static and sliding friction in the plane | `Poisson(..., mu_s=...)` |
| Wang and Mason 1991 | Poisson, Routh's diagram | `Poisson`, A (2, 2), `routh_diagram` |
| Stronge 1990 | energy | `Stronge` |

Lötstedt's tangential impulse minimises the quadratic energy within the friction bound of its normal impulse, which fulfils
v_n⁺ = -e v_n: friction belongs to the slip after the impact. Han and Gilmore's theory is Wang and Mason's where static and
sliding friction are equal; a larger static one holds a slip that has stopped, and then they part.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from routh.gallery.claims import Claim
from routh.gallery.kane_pendulum import ANGLES, SPEEDS, contact
from routh.model.laws import Brach, Moreau, Poisson, Stronge
from routh.sim.impact import resolve_impact

__all__ = ["claims", "figures", "theories"]

Array = NDArray[np.float64]
PAPER = "han-cho"


def theories(A: ArrayLike, v: ArrayLike, e: float, mu: float, mu_s: float) -> dict[str, Array]:
    """Impulses of one planar impact under all six."""
    M, before = np.array(A, dtype=np.float64), np.array(v, dtype=np.float64)
    deep = np.zeros((3, 3))
    deep[:2, :2], deep[2, 2] = M, M[1, 1]
    return {
        "Lötstedt 1984": resolve_impact(M, before, Moreau(e, mu)).impulse,
        "Keller 1986": resolve_impact(deep, [*before, 0.0], Poisson(e, mu)).impulse[:2],
        "Brach 1989": resolve_impact(M, before, Brach(e, mu)).impulse,
        "Han and Gilmore 1990": resolve_impact(M, before, Poisson(e, mu, mu_s)).impulse,
        "Wang and Mason 1991": resolve_impact(M, before, Poisson(e, mu)).impulse,
        "Stronge 1990": resolve_impact(M, before, Stronge(e, mu)).impulse,
    }


def _kane() -> tuple[Array, Array]:
    A, J = contact(*ANGLES)
    return A, J @ np.array(SPEEDS)


def _works(e: float = 0.9, mu: float = 0.5, mu_s: float = 0.5) -> dict[str, float]:
    A, v = _kane()
    return {k: float(p @ (v + 0.5 * A @ p)) for k, p in theories(A, v, e, mu, mu_s).items()}


def claims() -> list[Claim]:
    """Where the six agree and where they part."""
    central = theories(np.diag([1.0, 3.0]), [-1.0, 0.2], 0.5, 0.4, 0.5)
    A, v = _kane()
    impact = theories(A, v, 0.9, 0.5, 0.5)
    works = _works()
    slope = np.array([[2.0, -1.2], [-1.2, 2.0]])  # a stopped slip needs p_t = 0.6 p_n to stay
    parted = theories(slope, [-1.0, 0.1], 0.5, 0.4, 0.8)
    held = [float((np.array([-1.0, 0.1]) + slope @ parted[k])[1]) for k in ("Han and Gilmore 1990", "Wang and Mason 1991")]
    return [
        Claim(PAPER, "Table 1: all six agree on a central impact", True,
              bool(np.ptp(list(central.values()), axis=0).max() < 1e-15)),
        Claim(PAPER, "Keller, Han-Gilmore and Wang-Mason are one theory in the plane where mu_s = mu", True,
              bool(np.ptp([impact[k] for k in ("Keller 1986", "Han and Gilmore 1990", "Wang and Mason 1991")],
                          axis=0).max() < 1e-12)),
        Claim(PAPER, "they part where static friction holds a slip that has stopped: slip after it, Han-Gilmore, Wang-Mason",
              ["stick", "slip"], ["slip" if abs(slip) > 1e-9 else "stick" for slip in held], derived="mu_s > |p_t/p_n| > mu"),
        Claim(PAPER, "Table 1: Newton's hypothesis can create energy (Lötstedt, Kane's impact)", True,
              works["Lötstedt 1984"] > 0.0),
        Claim(PAPER, "Table 1: the energy hypothesis is most satisfying: Stronge loses energy there", True,
              works["Stronge 1990"] < 0.0),
        Claim(PAPER, "and so does Poisson's", True, works["Keller 1986"] < 0.0),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Energy lost in Kane's impact over e under the six theories."""
    from routh.view import impact_figures as draw

    es = np.linspace(0.0, 1.0, 101)
    lost = [_works(float(e)) for e in es]
    names = ("Lötstedt 1984", "Brach 1989", "Wang and Mason 1991", "Stronge 1990")
    lines = {name: [-x[name] for x in lost] for name in names}
    return draw.save(draw.law_lines(es, lines, "e", "energy lost [J]"), folder, "six_theories")
