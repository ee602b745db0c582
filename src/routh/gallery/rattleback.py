"""The rattleback of [kane1982]: a boat of stone that spins happily one way, and turns back when spun the other way.

The half ellipsoid rolls on its belly without slip. Its axes of inertia are turned by under a degree against those of its
surface, and that is all: spun against its preference it begins to pitch, the pitching takes up the spin, stops it, and gives it
back in the other sense. Nothing is lost, so the energy stays what it is.

Axes of the body: x along the boat, z up; its mass centre lies HEIGHT below the middle of the ellipsoid.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import routh as rt
from routh import shapes

AXES, HEIGHT, MASS = (0.2, 0.03, 0.02), 0.01, 1.0  # m, m, kg; Kane and Levinson give moments per mass
INERTIA = ((2e-4, -2e-5, 0.0), (-2e-5, 1.6e-3, 0.0), (0.0, 0.0, 1.7e-3))  # kg m²
GRAVITY = 9.81  # m/s²
SPIN, NUDGE = 5.0, 0.05  # rad/s


def model(twist: float = 1.0) -> rt.Model:
    """Body stone, contact belly with the ground z = 0; `twist` = -1 is its mirror image, 0 has no preference."""
    inertia = np.array(INERTIA)
    inertia[0, 1] *= twist
    inertia[1, 0] *= twist
    return rt.Model(
        name="rattleback", space="spatial", gravity=(0.0, 0.0, -GRAVITY), bodies=[rt.Body("stone", MASS, inertia)],
        contacts=[rt.Contact("belly", shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0)),
                             shapes.Ellipsoid("stone", AXES, point=(0.0, 0.0, HEIGHT)), law=rt.Poisson(e=0.0, mu=100.0))])


def start(spin: float = SPIN) -> rt.State:
    """Level, rolling without slip: `spin` about the vertical and a nudge about the boat's length and breadth."""
    low = AXES[2] - HEIGHT  # of the mass centre above the ground
    return rt.State(stone={"z": low, "vx": low * NUDGE, "vy": -low * NUDGE, "omega": (NUDGE, NUDGE, spin)})


def run(t_end: float = 10.0, spin: float = SPIN, twist: float = 1.0, options: rt.Options | None = None) -> rt.Result:
    """The stone, spun one way or the other."""
    return rt.simulate(model(twist), start(spin), t_end=t_end, options=options or rt.Options())


def figures(folder: Path) -> list[Path]:
    """Spin over time for both senses."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(layout="constrained", figsize=(6.4, 3.6))
    for spin in (SPIN, -SPIN):
        result = run(spin=spin)
        axis.plot(result.t, result["stone.wz"], label=f"started at {spin:+g} rad/s")
    axis.axhline(0.0, color="k", linewidth=0.6)
    axis.set(xlabel="t [s]", ylabel="spin about the vertical [rad/s]")
    axis.legend()
    path = Path(folder) / "rattleback.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
