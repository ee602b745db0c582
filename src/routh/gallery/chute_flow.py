"""Boxes on an inclined chute: they stay below the friction angle and slide as one block above it.

Layers of boxes lie on each other without a gap. Below the friction angle, tan α < μ, nothing moves. Above it the lowest layer
slides and carries the others along, because all faces have the same friction: every box has the acceleration
g (sin α - μ cos α) down the chute. Columns of two boxes do not topple, because their height is less than their width over μ.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import shapes
from routh.gallery.claims import Claim

__all__ = ["acceleration", "claims", "figures", "model", "run", "start", "travel"]

PAPER = "chute-flow"
GRAVITY, SIDE, MASS, MU = 9.81, 0.05, 0.2, 0.4  # m/s², m, kg
COLUMNS, LAYERS = 6, 2
STEPS = rt.Options(engine="stepping", step=1e-3)


def _names(columns: int, layers: int) -> list[tuple[str, int, int]]:
    return [(f"grain{i}_{k}", i, k) for k in range(layers) for i in range(columns)]


def model(angle: float, mu: float = MU, columns: int = COLUMNS, layers: int = LAYERS) -> rt.Model:
    """Boxes grain<column>_<layer> on a chute along x, at `angle` [rad] to the horizontal; groups `chute` and `grains`."""
    half = 0.5 * SIDE
    grains = [shapes.Polygon(name, ((-half, -half), (half, -half), (half, half), (-half, half)))
              for name, _, _ in _names(columns, layers)]
    law = rt.Newton(e=0.0, mu=mu)
    return rt.Model(name="chute_flow", space="planar", gravity=(GRAVITY * math.sin(angle), -GRAVITY * math.cos(angle)),
                    bodies=[rt.Body(grain.body, MASS, MASS * SIDE**2 / 6.0) for grain in grains],
                    contacts=[rt.ContactGroup("chute", grains, [shapes.HalfSpace("ground", normal=(0.0, 1.0))], law),
                              rt.ContactGroup("grains", grains, law=law)])


def start(columns: int = COLUMNS, layers: int = LAYERS) -> rt.State:
    """At rest in layers; columns stand 1.2 sides apart."""
    return rt.State({name: {"x": 1.2 * SIDE * i, "y": (k + 0.5) * SIDE} for name, i, k in _names(columns, layers)})


def run(angle: float, t_end: float = 1.0, mu: float = MU, options: rt.Options | None = None) -> rt.Result:
    """The boxes let go on a chute."""
    return rt.simulate(model(angle, mu), start(), t_end=t_end, options=options or STEPS)


def acceleration(angle: float, mu: float = MU) -> float:
    """Of the boxes down the chute [m/s²]."""
    return max(GRAVITY * (math.sin(angle) - mu * math.cos(angle)), 0.0)


def travel(result: rt.Result) -> np.ndarray:
    """Way of every box down the chute at each sample (box, sample) [m]."""
    paths = np.array([result[f"{name}.x"] for name, _, _ in _names(COLUMNS, LAYERS)])
    return np.asarray(paths - paths[:, :1])


def claims() -> list[Claim]:
    """Rest below the friction angle, the closed form above it."""
    limit = math.atan(MU)
    held, flowing = run(0.98 * limit, t_end=2.0), run(1.3 * limit)
    return [
        Claim(PAPER, "0.98 of the friction angle: largest way in 2 s [m]", 0.0, float(np.abs(travel(held)).max()), 1e-9),
        Claim(PAPER, "1.3 of the friction angle: way of all boxes in 1 s over g (sin α - μ cos α) / 2",
              [1.0, 1.0], [float(x) / (0.5 * acceleration(1.3 * limit)) for x in (travel(flowing)[:, -1].min(),
                                                                               travel(flowing)[:, -1].max())], 1e-4),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Ways of the boxes at angles around the friction angle."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import LIMIT, SHADES, save

    figure = Figure(figsize=(5.6, 3.6), layout="constrained")
    ax = figure.subplots()
    for k, part in enumerate((0.98, 1.02, 1.15, 1.3)):
        result = run(part * math.atan(MU))
        ax.plot(result.t, travel(result).T, color=SHADES[k % 6], lw=1.2)
        ax.plot(result.t, 0.5 * acceleration(part * math.atan(MU)) * result.t**2, color=LIMIT, lw=0.8, ls="--")
        ax.annotate(f"{part:g} of the friction angle", (1.0, travel(result)[0, -1]), ha="right", va="bottom", fontsize=8)
    ax.set(xlabel="t [s]", ylabel="way down the chute [m]")
    ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "chute_flow")
