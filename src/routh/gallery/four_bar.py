"""The N-four-bar mechanism of the IFToMM library [gonzalez2006], after [bayo1994].

N + 1 upright rods on the ground at x = 0, 1, ..., N, their tips joined by N horizontal couplers; every rod
1 m, 1 kg, uniform. It starts upright with its tips moving at 1 m/s along +x and turns over and over. Twice
in every turn all rods lie on one line: there the freedom jumps from 1 to N + 1 and the constraints lose
rank. The motion that goes on smoothly keeps every window a parallelogram: all upright rods turn together
and the couplers only translate. Then

    T = ½ (N + 1) m l²/3 ω² + ½ N m l² ω²,    V = m g l sin(angle) ((N + 1)/2 + N).
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import joints

LENGTH = 1.0  # m
MASS = 1.0  # kg
GRAVITY = 9.81  # m/s²
TIP_SPEED = 1.0  # m/s, of the first tip at the start


def model(n: int = 1) -> rt.Model:
    """`n` windows: bodies rod0 ... rod<n> and coupler1 ... coupler<n>, each with x along its length."""
    inertia = MASS * LENGTH**2 / 12.0
    back, front = (-0.5 * LENGTH, 0.0), (0.5 * LENGTH, 0.0)
    bodies = [rt.Body("rod0", MASS, inertia)]
    links: list[joints.Joint] = [joints.Revolute("base0", "ground", "rod0", point_b=back)]
    for i in range(1, n + 1):
        rod, coupler = f"rod{i}", f"coupler{i}"
        bodies += [rt.Body(coupler, MASS, inertia), rt.Body(rod, MASS, inertia)]
        links += [
            joints.Revolute(f"base{i}", "ground", rod, point_a=(i * LENGTH, 0.0), point_b=back),
            joints.Revolute(f"left{i}", f"rod{i - 1}", coupler, point_a=front, point_b=back),
            joints.Revolute(f"right{i}", coupler, rod, point_a=front, point_b=front),
        ]
    return rt.Model(name=f"four_bar_{n}", space="planar", gravity=(0.0, -GRAVITY), bodies=bodies,
                    joints=links)


def start(n: int = 1, angle: float = 0.5 * math.pi) -> rt.State:
    """All rods at `angle` from +x, turning clockwise so that the first tip has its speed."""
    rate = -TIP_SPEED / LENGTH
    state = {f"base{i}": {"angle": angle, "angle_rate": rate} for i in range(n + 1)}
    for i in range(1, n + 1):
        state[f"left{i}"] = {"angle": -angle, "angle_rate": -rate}
    return rt.State(state)


def run(n: int = 1, t_end: float = 10.0, options: rt.Options | None = None) -> rt.Result:
    """The library's 10 s."""
    return rt.simulate(model(n), start(n), t_end=t_end, options=options or rt.Options())


def parallelogram(t: float, angle: float, rate: float, n: int) -> tuple[float, float]:
    """(d angle/dt, d rate/dt) of the one freedom of the smooth motion, stated independently."""
    inertia = MASS * LENGTH**2 * ((n + 1) / 3.0 + n)
    return rate, -MASS * GRAVITY * LENGTH * (0.5 * (n + 1) + n) * math.cos(angle) / inertia


def figures(folder: Path) -> list[Path]:
    """Angle of the first rod and drift of the energy for N = 1, 10 and 40."""
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, 1, sharex=True, layout="constrained")
    for n in (1, 10, 40):
        result = run(n, options=rt.Options(output=0.01))
        total = result.energy["total"]
        above.plot(result.t, result["rod0.theta"], label=f"N = {n}")
        below.semilogy(result.t, np.abs(total - total[0]) + 1e-16)
    above.set_ylabel("angle of rod 0 [rad]")
    above.legend()
    below.set_ylabel("energy drift [J]")
    below.set_xlabel("t [s]")
    path = Path(folder) / "four_bar.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
