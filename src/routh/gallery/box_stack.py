"""A tower of twenty boxes that stands for a minute, and the harmonic stack that leans as far as statics lets it.

The floor carries the weight of all boxes. The faces between boxes carry the weight of the boxes above them, so that the normal
forces of all those faces add up to n (n - 1) / 2 weights of a box. Nothing may drift: contact impulses are computed anew at
every step, and an error of each would move the boxes.

In the harmonic stack box k from the top overhangs the next by 1 / (2 k) of its side. The mass centre of the upper k boxes then
lies exactly above the edge that carries them, for every k. A stack with 0.99 of these overhangs stands, one with 1.01 falls.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import routh as rt
from routh import shapes
from routh.gallery.claims import Claim

__all__ = ["claims", "drift", "figures", "floor_force", "model", "overhang", "run", "start"]

PAPER = "box-stack"
GRAVITY, SIDE, MASS, MU = 9.81, 0.1, 1.0, 0.5  # m/s², m, kg
COUNT, MINUTE = 20, 60.0
# The residual of the contact solver is a velocity of the boxes. At 1e-8 it moves the tower by 1e-6 of the side in a minute.
STEPS = rt.Options(engine="stepping", step=5e-3, contact_tolerance=1e-10, max_sweeps=5000)


def model(n: int = COUNT) -> rt.Model:
    """Boxes box1 (lowest) ... box<n> on a floor, in space; group `floor` and group `faces`."""
    names = [f"box{i}" for i in range(1, n + 1)]
    boxes = [shapes.Box(name, (SIDE, SIDE, SIDE)) for name in names]
    law = rt.Newton(e=0.0, mu=MU)
    return rt.Model(
        name="box_stack",
        space="spatial",
        gravity=(0.0, -GRAVITY, 0.0),
        bodies=[rt.Body(name, MASS, (MASS * SIDE**2 / 6.0,) * 3) for name in names],
        contacts=[rt.ContactGroup("floor", boxes, [shapes.HalfSpace("ground", normal=(0.0, 1.0, 0.0))], law),
                  rt.ContactGroup("faces", boxes, law=law)],
    )


def overhang(n: int) -> np.ndarray:
    """x of the boxes of a harmonic stack, lowest first, in units of the side."""
    return np.cumsum([0.0, *(0.5 / k for k in range(n - 1, 0, -1))])


def start(n: int = COUNT, lean: float = 0.0) -> rt.State:
    """At rest on each other, with `lean` times the overhangs of the harmonic stack."""
    x = lean * SIDE * overhang(n)
    return rt.State({f"box{i + 1}": {"x": x[i], "y": (i + 0.5) * SIDE} for i in range(n)})


def run(n: int = COUNT, lean: float = 0.0, t_end: float = MINUTE, options: rt.Options | None = None) -> rt.Result:
    """The stack let go."""
    return rt.simulate(model(n), start(n, lean), t_end=t_end, options=options or STEPS)


def drift(result: rt.Result, n: int = COUNT) -> np.ndarray:
    """Largest displacement of a box since the start at each sample, in units of the side."""
    paths = np.array([[result[f"box{i}.{axis}"] for axis in "xyz"] for i in range(1, n + 1)])
    return np.asarray(np.abs(paths - paths[:, :, :1]).max(axis=(0, 1)) / SIDE)


def floor_force(result: rt.Result) -> np.ndarray:
    """Mean normal forces on the floor and of all faces over the run, in units of the weight of a box."""
    return np.asarray(result.contact_sums.impulse_n / ((result.t[-1] - result.t[0]) * MASS * GRAVITY))


def claims() -> list[Claim]:
    """The tower stands and carries its weight; the harmonic stack stands up to its limit."""
    tower = run()
    leaning, falling = run(8, 0.99, t_end=2.0), run(8, 1.01, t_end=2.0)
    return [
        Claim(PAPER, "twenty boxes for 60 s: largest displacement over the side", 0.0, float(drift(tower).max()), 1e-6),
        Claim(PAPER, "mean forces of floor and faces over the weight of a box: n and n (n - 1) / 2",
              [COUNT, COUNT * (COUNT - 1) / 2], floor_force(tower), 1e-3),
        Claim(PAPER, "eight boxes with 0.99 of the harmonic overhangs stand for 2 s", True,
              bool(drift(leaning, 8)[-1] < 1e-6)),
        Claim(PAPER, "with 1.01 of them the highest box falls", True, bool(falling["box8.y"][-1] < 7.0 * SIDE)),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """How far the tower moves in a minute, and harmonic stacks on both sides of the limit."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import Affine2D

    from routh.view.impact_figures import LIMIT, SHADES, STICK, save

    tower = run()
    figure = Figure(figsize=(7.6, 4.4), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=[1.3, 1.0, 1.0])
    left.semilogy(tower.t[1:], drift(tower)[1:], color=STICK, lw=1.2)
    left.axhline(1e-6, color=LIMIT, lw=0.8, ls="--")
    left.set(xlabel="t [s]", ylabel="largest displacement / side [-]", ylim=(1e-10, 3e-6))
    left.set_title("tower of 20 boxes", fontsize=9, loc="left")
    for ax, lean in ((middle, 0.99), (right, 1.01)):
        result = run(8, lean, t_end=1.2)
        for k in range(8):
            x, y = (100.0 * float(result[f"box{k + 1}.{axis}"][-1]) for axis in "xy")
            angle = 2.0 * np.arctan2(result[f"box{k + 1}.qz"][-1], result[f"box{k + 1}.qw"][-1])
            block = Rectangle((-50.0 * SIDE, -50.0 * SIDE), 100.0 * SIDE, 100.0 * SIDE, fc=SHADES[k % 6], ec="white")
            block.set_transform(Affine2D().rotate(float(angle)).translate(x, y) + ax.transData)
            ax.add_patch(block)
        ax.axhline(0.0, color=LIMIT, lw=0.8)
        ax.set(xlim=(-8.0, 40.0), ylim=(-2.0, 85.0), aspect="equal", xlabel="x [cm]", ylabel="y [cm]")
        ax.set_title(f"{lean:g} of the harmonic\noverhangs, t = 1.2 s", fontsize=9, loc="left")
    for ax in figure.axes:
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "box_stack")
