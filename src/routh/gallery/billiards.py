"""A break: a cue ball at full speed into fifteen racked balls, on a table seen from above, until all lie still.

Balls are disks in a plane without gravity; the cloth slows each by the same deceleration μ g, the cushions are half spaces.
Balls and cushions have no friction in the plane, so nothing spins. Between impacts every ball runs straight. The rack has
a small gap between neighbours, so that impacts come one after another and each is one between two balls.
"""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np

import routh as rt
from routh import forces, shapes

RADIUS, MASS = 0.028575, 0.17  # m, kg
LENGTH, WIDTH = 2.54, 1.27  # m, of the table between the cushions
GRAVITY, ROLLING = 9.81, 0.02  # m/s²; deceleration over gravity
E_BALL, E_CUSHION = 0.95, 0.8
CREEP = 5e-3  # m/s, speed below which the cloth's drag fades
SPEED = 8.0  # m/s, of the cue ball
AIM = 0.004  # m, of its path beside the middle of the rack
GAP = 1e-5  # m, between neighbours in the rack
BALLS = ("cue", *(f"ball{i}" for i in range(1, 16)))


def model(e_ball: float = E_BALL, e_cushion: float = E_CUSHION, rolling: float = ROLLING) -> rt.Model:
    """Bodies cue, ball1 ... ball15; contacts click_cue-ball1 ..., left_cue ..., right_, near_, far_ with the cushions."""
    balls = {name: shapes.Disk(name, RADIUS) for name in BALLS}
    walls = {"left": ((1.0, 0.0), (0.0, 0.0)), "right": ((-1.0, 0.0), (LENGTH, 0.0)),
             "near": ((0.0, 1.0), (0.0, 0.0)), "far": ((0.0, -1.0), (0.0, WIDTH))}
    cushions = [shapes.HalfSpace("ground", normal, point) for normal, point in walls.values()]
    clicks = [rt.Contact(f"click_{a}-{b}", balls[a], balls[b], rt.Newton(e_ball, mu=0.0)) for a, b in combinations(BALLS, 2)]
    bounds = [rt.Contact(f"{wall}_{name}", cushion, ball, rt.Newton(e_cushion, mu=0.0))
              for wall, cushion in zip(walls, cushions, strict=True) for name, ball in balls.items()]
    drag = rolling * MASS * GRAVITY
    return rt.Model(
        name="billiards", space="planar",
        bodies=[rt.Body(name, MASS, 0.4 * MASS * RADIUS**2) for name in BALLS],
        forces=[forces.Drag(f"cloth_{name}", name, constant=drag, slow=CREEP) for name in BALLS] if rolling else [],
        contacts=[*clicks, *bounds])


def start(speed: float = SPEED, aim: float = AIM, gap: float = GAP) -> rt.State:
    """Cue ball on the head spot, running parallel to the long side, `aim` beside the apex of the rack."""
    pitch = 2.0 * RADIUS + gap
    spots = [(0.75 * LENGTH + 0.5 * math.sqrt(3.0) * pitch * row, 0.5 * WIDTH + pitch * (k - 0.5 * row))
             for row in range(5) for k in range(row + 1)]
    rack = {name: {"x": x, "y": y} for name, (x, y) in zip(BALLS[1:], spots, strict=True)}
    return rt.State(rack, cue={"x": 0.25 * LENGTH, "y": 0.5 * WIDTH + aim, "vx": speed})


def run(t_end: float = 12.0, options: rt.Options | None = None) -> rt.Result:
    """The break, until all balls lie still."""
    return rt.simulate(model(), start(), t_end=t_end, options=options or rt.Options())


def positions(result: rt.Result) -> np.ndarray:
    """(n, 16, 2) of the balls' centres [m]."""
    return np.stack([np.column_stack([result[f"{b}.x"], result[f"{b}.y"]]) for b in BALLS], axis=1)


def figures(folder: Path) -> list[Path]:
    """The table with the balls' paths, and the energy that is left."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle, Rectangle

    result = run()
    paths = positions(result)
    figure, (table, below) = plt.subplots(2, 1, layout="constrained", figsize=(8.0, 6.4), height_ratios=(2.6, 1.0))
    table.add_patch(Rectangle((0.0, 0.0), LENGTH, WIDTH, facecolor="#e4efe7", edgecolor="#46735a", linewidth=2.0))
    colours = ["black", *(plt.get_cmap("tab20")(k) for k in range(15))]
    for k, colour in enumerate(colours):
        table.plot(*paths[:, k].T, color=colour, linewidth=0.7)
        table.add_patch(Circle(paths[0, k], RADIUS, fill=False, edgecolor=colour, linewidth=0.8))
        table.add_patch(Circle(paths[-1, k], RADIUS, color=colour, zorder=3))
    table.set(xlim=(-0.03, LENGTH + 0.03), ylim=(-0.03, WIDTH + 0.03), aspect="equal", xlabel="x [m]", ylabel="y [m]")
    table.set_title("circles: the start; discs: at rest", fontsize="medium")
    below.plot(result.t, result.energy["total"], label="kinetic energy")
    below.plot(result.impacts.t, np.interp(result.impacts.t, result.t, result.energy["total"]), "|", label="impacts")
    below.set(xlabel="t [s]", ylabel="energy [J]")
    below.legend()
    path = Path(folder) / "billiards.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
