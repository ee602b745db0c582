"""A column of grains is released and collapses: its run-out follows the law of Lube et al. [lube2005].

Pentagons of different sizes fall between a wall and a gate and come to rest. Then the gate is drawn away, faster than the
grains can follow. The deposit of a column of width l and height h = a l in a channel reaches farther than the column by 1.2 a l
if the column is low (a < 1.8), and by 1.9 a^(2/3) l if it is tall (a > 2.8). The grains come to rest about 3.3 √(h / g) after
the release. In simulations the factors depend on friction ([staron2005]). One grain is 4 to 15 % of the run-out of 140 grains,
and the run-outs of two starts differ by 10 to 20 %, so that the claims are about the mean of several starts.

Nothing but gravity sets the time: with four times the gravity and half the step the same grains take the same path in half
the time (Froude's law).
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import routh as rt
from routh import joints, profiles, shapes
from routh.gallery.claims import Claim

__all__ = ["Collapse", "claims", "collapse", "corners", "covered", "figures", "froude_difference", "grains", "model",
           "run", "run_out_law", "start"]

PAPER = "lube2005"
GRAVITY, RADIUS, DENSITY, MU = 9.81, 0.01, 2000.0, 0.4  # m/s², m: of the largest grains, kg/m² in the plane
SIDES, PITCH = 5, 2.05 * RADIUS  # corners of a grain, grid of the start
COLUMNS, LAYERS = 8, 17
LOW, MEDIUM, TALL = (13, 11), (COLUMNS, LAYERS), (5, 28)  # columns of grains, and layers
RELEASE, REST = 0.5, 6.0  # s: when the gate begins to move; end of the run after that, in units of √(h / g)
GATE = 0.02  # m: its thickness
STARTS = 4  # whose means the claims are about
STEPS = rt.Options(engine="stepping", step=1e-3, contact_tolerance=1e-2)


@cache
def grains(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Radii of the grains [m] and their angles at the start [rad]; the same every time for one seed."""
    random = np.random.default_rng(seed)
    return RADIUS * random.uniform(0.8, 1.0, n), random.uniform(0.0, 2.0 * math.pi, n)


def _areas(n: int, seed: int = 0) -> np.ndarray:
    return np.asarray(0.5 * SIDES * grains(n, seed)[0] ** 2 * math.sin(2.0 * math.pi / SIDES))


def model(columns: int = COLUMNS, layers: int = LAYERS, mu: float = MU, gravity: float = GRAVITY,
          seed: int = 0) -> rt.Model:
    """Pentagons grain1 ... between a smooth wall and a gate; groups `floor`, `wall`, `gate` and `grains`."""
    n, time = columns * layers, math.sqrt(GRAVITY / gravity)
    turn = 2.0 * math.pi * np.arange(SIDES) / SIDES
    ring = np.column_stack([np.cos(turn), np.sin(turn)])
    masses, radii, names = DENSITY * _areas(n, seed), grains(n, seed)[0], [f"grain{i + 1}" for i in range(n)]
    inertias = masses * radii**2 * (2.0 + math.cos(2.0 * math.pi / SIDES)) / 6.0
    parts = [shapes.Polygon(name, tuple(map(tuple, (r * ring).tolist()))) for name, r in zip(names, radii, strict=True)]
    wide, high = columns * PITCH, layers * PITCH
    x, y, heavy = 0.5 * GATE, 0.5 * high, DENSITY * GATE * high
    plate = shapes.Polygon("plate", ((-x, -y), (x, -y), (x, y), (-x, y)))
    rough, smooth = rt.Newton(e=0.0, mu=mu), rt.Newton(e=0.0, mu=0.0)
    return rt.Model(
        name="granular_column",
        space="planar",
        gravity=(0.0, -gravity),
        bodies=[rt.Body("plate", heavy, heavy * (x * x + y * y) / 3.0),
                *(rt.Body(*of) for of in zip(names, masses.tolist(), inertias.tolist(), strict=True))],
        joints=[joints.Prismatic("rail", "ground", "plate", point_a=(wide + x, y), axis=(1.0, 0.0))],
        drivers=[rt.Driver("draw", "rail.shift",
                           profiles.CubicStep(RELEASE * time, 3.0 * math.sqrt(high / gravity), 3.0 * high))],
        contacts=[rt.ContactGroup("floor", parts, [shapes.HalfSpace("ground", (0.0, 1.0))], rough),
                  rt.ContactGroup("wall", parts, [shapes.HalfSpace("ground", (1.0, 0.0))], smooth),
                  rt.ContactGroup("gate", parts, [plate], smooth),
                  rt.ContactGroup("grains", parts, law=rough)],
    )


def start(columns: int = COLUMNS, layers: int = LAYERS, seed: int = 0) -> rt.State:
    """At rest on a grid, turned at random."""
    angles = grains(columns * layers, seed)[1]
    return rt.State({f"grain{i + 1}": {"x": (i % columns + 0.5) * PITCH, "y": (i // columns + 0.5) * PITCH, "theta": angle}
                     for i, angle in enumerate(angles.tolist())})


def run(columns: int = COLUMNS, layers: int = LAYERS, mu: float = MU, gravity: float = GRAVITY,
        options: rt.Options | None = None, seed: int = 0) -> rt.Result:
    """The grains fall into place, the gate opens, the column collapses; the step goes with the time scale of gravity."""
    time, options = math.sqrt(GRAVITY / gravity), options or STEPS
    t_end = RELEASE * time + REST * math.sqrt(layers * PITCH / gravity)
    return rt.simulate(model(columns, layers, mu, gravity, seed), start(columns, layers, seed), t_end=t_end,
                       options=replace(options, step=options.step_length * time))


def corners(result: rt.Result, n: int, t: float, seed: int = 0) -> np.ndarray:
    """(grain, corner, axis) at the sample next to t [m]."""
    k = int(np.argmin(np.abs(result.t - t)))
    x, y, theta = (np.array([result[f"grain{i + 1}.{of}"][k] for i in range(n)]) for of in ("x", "y", "theta"))
    turn = theta[:, None] + 2.0 * math.pi * np.arange(SIDES) / SIDES
    radii = grains(n, seed)[0][:, None]
    return np.stack([x[:, None] + radii * np.cos(turn), y[:, None] + radii * np.sin(turn)], axis=2)


def covered(places: np.ndarray) -> float:
    """Length of floor that lies under grains [m]. Gaps do not count: single grains that roll ahead move a front by chance."""
    left, right = places[:, :, 0].min(axis=1), places[:, :, 0].max(axis=1)
    reach = total = 0.0
    for i in np.argsort(left):
        total += max(float(right[i]) - max(float(left[i]), reach), 0.0)
        reach = max(reach, float(right[i]))
    return total


class Collapse(NamedTuple):
    """What is measured of a run: aspect ratio, run-out and height at the wall over the width, share of the run-out in time."""

    aspect: float  # of the column that stands at the gate: twice the height of the mass centre over the width
    run_out: float  # length of floor that the deposit covers beyond the column, over the width
    height: float  # of the deposit at the wall over that of the column
    in_time: float  # run-out at 3.3 √(h / g) after the release over that at the end


def collapse(result: rt.Result, columns: int, layers: int, gravity: float = GRAVITY, seed: int = 0) -> Collapse:
    """Aspect ratio, run-out, height and time of a run."""
    n, wide, release = columns * layers, columns * PITCH, RELEASE * math.sqrt(GRAVITY / gravity)
    column, deposit = (corners(result, n, t, seed) for t in (release, float(result.t[-1])))
    high = 2.0 * float(np.average(column[:, :, 1].mean(axis=1), weights=_areas(n, seed)))
    tops = [places[places[:, :, 0].min(axis=1) < 2.0 * RADIUS][:, :, 1].max() for places in (column, deposit)]
    last = corners(result, n, release + 3.3 * math.sqrt(high / gravity), seed)
    run_out = covered(deposit) - wide
    return Collapse(high / wide, run_out / wide, float(tops[1] / tops[0]), (covered(last) - wide) / run_out)


def run_out_law(a: float) -> float:
    """(l∞ - l) / l of a column of aspect ratio a in a channel, of [lube2005]; not given for 1.8 < a < 2.8."""
    if 1.8 < a < 2.8:
        return math.nan
    return 1.2 * a if a <= 1.8 else 1.9 * a ** (2.0 / 3.0)


@cache
def _measured() -> tuple[tuple[rt.Result, Collapse], ...]:
    """The last run of a low, a medium and a tall column, with the means over several starts of what is measured."""
    out = []
    for size in (LOW, MEDIUM, TALL):
        results = [run(*size, seed=seed) for seed in reversed(range(STARTS))]
        found = [collapse(result, *size, seed=seed) for result, seed in zip(results, reversed(range(STARTS)), strict=True)]
        out.append((results[-1], Collapse(*(float(mean) for mean in np.mean(found, axis=0)))))
    return tuple(out)


def froude_difference(columns: int = 6, layers: int = 6) -> float:
    """Largest difference of a coordinate between runs with gravity and with four times gravity, at times of ratio 2."""
    slow, fast = (run(columns, layers, gravity=k * GRAVITY) for k in (1.0, 4.0))
    names = [f"grain{i + 1}.{of}" for i in range(columns * layers) for of in ("x", "y", "theta")]
    return max(float(np.abs(slow[name] - fast[name]).max()) for name in names)


def claims() -> list[Claim]:
    """Run-out, height and time of [lube2005], and Froude's law."""
    low, medium, tall = (of for _, of in _measured())
    return [
        Claim(PAPER, f"mean run-out of {STARTS} starts over the law, for h/l = {low.aspect:.2f}, {medium.aspect:.2f} (1.2 a) "
              f"and {tall.aspect:.2f} (1.9 a^(2/3))", [1.0] * 3,
              [of.run_out / run_out_law(of.aspect) for of in (low, medium, tall)], 0.25),
        Claim(PAPER, "height at the wall after the collapse of the low column over that before", 1.0, low.height, 0.05),
        Claim(PAPER, "medium and tall column: run-out at 3.3 √(h/g) over that at the end", [1.0] * 2,
              [of.in_time for of in (medium, tall)], 0.1),
        Claim(PAPER, "Froude: 36 grains with four times the gravity and half the step, largest difference of a coordinate", 0.0,
              froude_difference()),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The column, its collapse and its deposit; the run-out over the aspect ratio."""
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    from routh.view.impact_figures import LIMIT, SHADES, STICK, save

    result, measured = _measured()[1]
    fall = math.sqrt(measured.aspect * COLUMNS * PITCH / GRAVITY)
    figure = Figure(figsize=(8.4, 5.4), layout="constrained")
    grid = figure.add_gridspec(3, 2, width_ratios=[1.6, 1.0])
    for row, (t, label) in enumerate(((0.0, "at the release"), (1.3 * fall, "1.3 √(h/g) after"), (math.inf, "at the end"))):
        ax = figure.add_subplot(grid[row, 0])
        ax.add_collection(PolyCollection(list(1e2 * corners(result, COLUMNS * LAYERS, min(RELEASE + t, result.t[-1]))),
                                         facecolors=SHADES[1:4], edgecolors="white", linewidths=0.2))
        ax.plot([0.0, 0.0, 56.0], [25.0, 0.0, 0.0], color=LIMIT, lw=1.0)
        ax.set(xlim=(-0.5, 56.0), ylim=(-0.5, 25.0), aspect="equal", ylabel="y [cm]")
        ax.set_title(label, fontsize=9, loc="right", y=0.7)
    ax.set_xlabel("x [cm]")
    law = figure.add_subplot(grid[:, 1])
    for of in (np.linspace(0.0, 1.8, 20), np.linspace(2.8, 5.0, 20)):
        law.plot(of, [run_out_law(float(a)) for a in of], color=LIMIT, lw=1.0)
    law.plot([of.aspect for _, of in _measured()], [of.run_out for _, of in _measured()], "o", color=STICK, ms=5)
    law.set(xlabel="height over width of the column a [-]", ylabel="run-out over width (l∞ - l) / l [-]")
    law.set_title("1.2 a and 1.9 a^(2/3) of [lube2005]", fontsize=9, loc="left")
    for ax in figure.axes:
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "granular_column")
