"""Bricard's mechanism of the IFToMM library [gonzalez2006]: five rods, six hinges, one freedom.

Counting says 5 × 6 - 6 × 5 = 0 freedoms; the hinge axes are placed so that one constraint repeats the
others and the loop moves. The rods, 1 m, 1 kg, of square section 0.1 m, run along six edges of a cube: P0 =
0, then +x, -y, +z, -x, +y. The hinge at each corner is perpendicular to both its rods. It falls from rest
under gravity along -y.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import routh as rt
from routh import joints

LENGTH, WIDTH = 1.0, 0.1  # m
MASS = 1.0  # kg
GRAVITY = 9.81  # m/s²

RODS = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
AXES = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)) * 2
CORNERS = np.vstack([np.zeros(3), np.cumsum(LENGTH * np.array(RODS), axis=0)])


def model() -> rt.Model:
    """Bodies rod1 ... rod5 with axes parallel to the world's at the start; hinges P0 ... P5."""
    bodies, hinges = [], []
    before, offset = "ground", np.zeros(3)
    for i, direction in enumerate(RODS):
        along = np.abs(direction)
        inertia = MASS * (along * WIDTH**2 / 6.0 + (1.0 - along) * (LENGTH**2 + WIDTH**2) / 12.0)
        half, name = 0.5 * LENGTH * np.array(direction), f"rod{i + 1}"
        bodies.append(rt.Body(name, MASS, tuple(inertia)))
        hinges.append(joints.Revolute(f"P{i}", before, name, point_a=tuple(offset), point_b=tuple(-half),
                                      axis=AXES[i]))
        before, offset = name, half
    hinges.append(joints.Revolute("P5", before, "ground", point_a=tuple(offset), point_b=tuple(CORNERS[-1]),
                                  axis=AXES[5]))
    return rt.Model(name="bricard", space="spatial", gravity=(0.0, -GRAVITY, 0.0), bodies=bodies,
                    joints=hinges)


def start() -> rt.State:
    """At rest on the edges of the cube."""
    middles = 0.5 * (CORNERS[1:] + CORNERS[:-1])
    return rt.State({f"rod{i}": {"x": x, "y": y, "z": z, "q": (1.0, 0.0, 0.0, 0.0), "vx": 0.0, "vy": 0.0,
                                 "vz": 0.0, "omega": (0.0, 0.0, 0.0)}
                     for i, (x, y, z) in enumerate(middles, start=1)})


def run(t_end: float = 10.0, options: rt.Options | None = None) -> rt.Result:
    """The library's 10 s."""
    return rt.simulate(model(), start(), t_end=t_end, options=options or rt.Options())


def figures(folder: Path) -> list[Path]:
    """Motion of rod 4 and the energies."""
    import matplotlib.pyplot as plt

    result = run(options=rt.Options(output=0.01))
    figure, (above, below) = plt.subplots(2, 1, sharex=True, layout="constrained")
    for k in "xyz":
        above.plot(result.t, result[f"rod4.{k}"], label=k)
    above.set_ylabel("middle of rod 4 [m]")
    above.legend()
    for kind in ("kinetic", "potential", "total"):
        below.plot(result.t, result.energy[kind], label=kind)
    below.set_ylabel("energy [J]")
    below.set_xlabel("t [s]")
    below.legend()
    path = Path(folder) / "bricard.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
