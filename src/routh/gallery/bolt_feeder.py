"""A bolt hangs by its head between two rails and slides down them: a part feeder, as in the work of [hangilmore1993].

The underside of the head lies on both rails, the shank hangs between them without touching. So the bolt slides as a block does,
with g (sin α - μ cos α), or stays if tan α < μ. Friction acts above the mass centre and presses the rear of the head down less;
the bolt does not tip, since the head reaches farther than μ times that height.
"""

from __future__ import annotations

import math
from pathlib import Path

import routh as rt
from routh import shapes
from routh.gallery.claims import Claim

__all__ = ["acceleration", "claims", "figures", "model", "run", "start"]

PAPER = "bolt-feeder"
GRAVITY, DENSITY, ANGLE, MU = 9.81, 7850.0, math.radians(25.0), 0.2  # m/s², kg/m³
HEAD, HEAD_LENGTH, SHANK, SHANK_LENGTH, SLOT = 0.006, 0.004, 0.003, 0.02, 0.007  # m: radii, lengths, between the rails
HEAD_MASS, SHANK_MASS = (DENSITY * math.pi * r**2 * size for r, size in ((HEAD, HEAD_LENGTH), (SHANK, SHANK_LENGTH)))
MASS = HEAD_MASS + SHANK_MASS
DEPTH = 0.5 * (SHANK_MASS * SHANK_LENGTH - HEAD_MASS * HEAD_LENGTH) / MASS  # mass centre below the underside of the head
STEPS = rt.Options(engine="stepping", step=1e-3, contact_tolerance=1e-10)


def model(mu: float = MU, angle: float = ANGLE) -> rt.Model:
    """Body `bolt` and group `rails`. x points down the rails, y across them, so that gravity is turned by `angle`."""
    head, shank = DEPTH + 0.5 * HEAD_LENGTH, DEPTH - 0.5 * SHANK_LENGTH  # centres above the mass centre
    parts = [(HEAD_MASS, HEAD, HEAD_LENGTH, head), (SHANK_MASS, SHANK, SHANK_LENGTH, shank)]
    along = sum(0.5 * m * r**2 for m, r, _, _ in parts)
    across = sum(m * (0.25 * r**2 + size**2 / 12.0 + y**2) for m, r, size, y in parts)
    bolt = [shapes.Cylinder("bolt", r, size, axis=(0.0, 1.0, 0.0), point=(0.0, y, 0.0)) for _, r, size, y in parts]
    rails = [shapes.Box("ground", (1.0, 0.01, 0.01), point=(0.45, -0.005, side * 0.5 * (SLOT + 0.01))) for side in (1.0, -1.0)]
    return rt.Model(
        name="bolt_feeder",
        space="spatial",
        gravity=(GRAVITY * math.sin(angle), -GRAVITY * math.cos(angle), 0.0),
        bodies=[rt.Body("bolt", MASS, (across, along, across))],
        contacts=[rt.ContactGroup("rails", bolt, rails, rt.Newton(e=0.0, mu=mu))],
    )


def start() -> rt.State:
    """At rest, hanging by its head."""
    return rt.State(bolt={"x": 0.0, "y": -DEPTH})


def run(mu: float = MU, angle: float = ANGLE, t_end: float = 0.5, options: rt.Options | None = None) -> rt.Result:
    """The bolt let go."""
    return rt.simulate(model(mu, angle), start(), t_end=t_end, options=options or STEPS)


def acceleration(mu: float = MU, angle: float = ANGLE) -> float:
    """Down the rails [m/s²]."""
    return max(GRAVITY * (math.sin(angle) - mu * math.cos(angle)), 0.0)


def claims() -> list[Claim]:
    """It slides as a block does, does not fall through, and the energy account closes."""
    runs = [run(mu) for mu in (0.0, 0.2, 0.6)]
    slide = runs[1]
    dropped = max(float(abs(r["bolt.y"] + DEPTH).max()) for r in runs)
    return [
        Claim(PAPER, "speeds after 0.5 s with μ = 0, 0.2, 0.6, m/s", [0.5 * acceleration(mu) for mu in (0.0, 0.2, 0.6)],
              [float(r["bolt.vx"][-1]) for r in runs], 1e-8),
        Claim(PAPER, "it hangs by its head: largest motion across the rails, m", 0.0, dropped, 1e-9),
        Claim(PAPER, "work of friction, J", -MU * MASS * GRAVITY * math.cos(ANGLE) * 0.125 * acceleration(),
              float(slide.energy["friction"][-1]), 1e-9),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Speed over time for four friction coefficients, and the closed form."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import LIMIT, SHADES, save

    figure = Figure(figsize=(5.6, 3.6), layout="constrained")
    ax = figure.subplots()
    for mu, colour in zip((0.0, 0.2, 0.4, 0.6), SHADES, strict=False):
        result = run(mu)
        ax.plot(result.t[::25], result["bolt.vx"][::25], "o", ms=4, color=colour, label=f"μ = {mu:g}")
        ax.plot(result.t, acceleration(mu) * result.t, color=LIMIT, lw=0.9)
    ax.set(xlabel="t [s]", ylabel="speed down the rails [m/s]")
    ax.set_title("lines: g (sin α - μ cos α) t with α = 25°", fontsize=9, loc="left")
    ax.legend(frameon=False, fontsize=8)
    ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "bolt_feeder")
