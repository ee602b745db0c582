"""A row of dominoes: the first is tipped, a wave runs down the row.

Nothing in it has a time of its own but gravity, so time goes with the square root of size: a row four times as large falls
exactly half as fast, and its wave runs at twice the speed (Froude's law). The mass does not matter. The first domino turns
about its front corner until it reaches the second; that time is a quadrature. Farther down the wave forgets how it began:
its speed no longer depends on the push.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.integrate import quad

import routh as rt
from routh import contacts, shapes
from routh.gallery.claims import Claim

__all__ = ["arrivals", "claims", "figures", "first_arrival", "model", "run", "start", "tipping_angle"]

PAPER = "dominoes"
GRAVITY, HEIGHT, THICKNESS, GAP = 9.81, 0.048, 0.0075, 0.0165  # m/s², m: a common domino, 2.4 cm from the next
COUNT, PUSH = 8, 6.0  # dominoes, rad/s


def model(n: int = COUNT, size: float = 1.0, mass: float = 0.01) -> rt.Model:
    """Dominoes domino1 ... domino<n> on a floor, everything `size` times as large; plastic impacts."""
    b, h = 0.5 * THICKNESS * size, 0.5 * HEIGHT * size
    names = [f"domino{i}" for i in range(1, n + 1)]
    blocks = [shapes.Polygon(name, ((-b, -h), (b, -h), (b, h), (-b, h))) for name in names]
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(
        name="dominoes",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body(name, mass, mass * (b * b + h * h) / 3.0) for name in names],
        impacts="simultaneous",
        contacts=[*contacts.between("floor", blocks, floor, rt.Newton(e=0.0, mu=0.8)),
                  *(rt.Contact(f"hit{i + 1}", blocks[i], blocks[i + 1], law=rt.Newton(e=0.0, mu=0.2)) for i in range(n - 1))],
    )


def start(n: int = COUNT, size: float = 1.0, push: float = PUSH) -> rt.State:
    """All upright; the first tips about its front corner at the origin with the angular velocity `push` / √size."""
    b, h, omega = 0.5 * THICKNESS * size, 0.5 * HEIGHT * size, -push / math.sqrt(size)
    rows = {f"domino{i + 1}": {"x": -b + i * (THICKNESS + GAP) * size, "y": h} for i in range(n)}
    rows["domino1"] |= {"vx": -omega * h, "vy": -omega * b, "omega": omega}
    return rt.State(rows)


def run(n: int = COUNT, size: float = 1.0, mass: float = 0.01, push: float = PUSH, t_end: float = 0.37,
        options: rt.Options | None = None) -> rt.Result:
    """Until the last is falling; times grow by √size as well."""
    return rt.simulate(model(n, size, mass), start(n, size, push), t_end=t_end * math.sqrt(size),
                       options=options or rt.Options(rtol=1e-10, atol=1e-12))


def tipping_angle() -> float:
    """Beyond it a domino falls by itself."""
    return math.atan(THICKNESS / HEIGHT)


def arrivals(result: rt.Result) -> np.ndarray:
    """When each domino but the first is struck for the first time."""
    hits = result.impacts
    struck = sorted({int(name[3:]) for name in hits.contact if name.startswith("hit")})
    return np.array([hits.t[hits.contact == f"hit{i}"][0] for i in struck])


def first_arrival() -> float:
    """When the first domino, turning about its front corner, reaches the second: an energy integral."""
    inertia = (HEIGHT**2 + THICKNESS**2) / 3.0  # about the corner, per mass

    def slowness(angle: float) -> float:
        drop = 0.5 * HEIGHT * (1.0 - math.cos(angle)) - 0.5 * THICKNESS * math.sin(angle)
        return 1.0 / math.sqrt(PUSH**2 + 2.0 * GRAVITY * drop / inertia)

    return float(quad(slowness, 0.0, math.asin(GAP / HEIGHT), epsabs=1e-13, epsrel=1e-13)[0])


def claims() -> list[Claim]:
    """The first arrival, Froude's law, and a wave that forgets its push."""
    result, large, heavy = run(), run(size=4.0), run(mass=1.0)
    soft, hard = (np.diff(arrivals(run(push=x, t_end=t)))[-1] for x, t in ((4.0, 0.41), (8.0, 0.34)))
    times = arrivals(result)
    last = [abs(float(result[f"domino{i}.theta"][-1])) > tipping_angle() for i in range(1, COUNT + 1)]
    return [
        Claim(PAPER, "the first domino reaches the second, s", first_arrival(), float(times[0]), 1e-10),
        Claim(PAPER, "all are struck in order, and fall", [True, True], [bool((np.diff(times) > 0.0).all()), all(last)]),
        Claim(PAPER, "four times the size takes twice the time, s", 2.0 * times, arrivals(large), 1e-8),
        Claim(PAPER, "a hundred times the mass changes nothing, s", times, arrivals(heavy), 1e-8),
        Claim(PAPER, "pushed twice as hard, the last interval is the same to 0.5 %, s", soft, hard, 5e-3 * soft),
        Claim(PAPER, "the energy never grows", True, bool((np.diff(result.energy.total) < 1e-12).all())),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The falling row, and the speed of its wave for three pushes."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import Affine2D

    from routh.view.impact_figures import LIMIT, SHADES, save

    result = run()
    figure = Figure(figsize=(7.2, 5.0), layout="constrained")
    rows = figure.subplots(4, 1, height_ratios=[1.0, 1.0, 1.0, 2.2])
    for ax, t in zip(rows, (0.1, 0.25, 0.37), strict=False):
        i = int(np.argmin(np.abs(result.t - t)))
        for k in range(COUNT):
            x, y, angle = (float(result[f"domino{k + 1}.{c}"][i]) for c in ("x", "y", "theta"))
            wide, high = 1e3 * THICKNESS, 1e3 * HEIGHT
            block = Rectangle((-0.5 * wide, -0.5 * high), wide, high, fc=SHADES[k % 6], ec="white")
            block.set_transform(Affine2D().rotate(angle).translate(1e3 * x, 1e3 * y) + ax.transData)
            ax.add_patch(block)
        ax.axhline(0.0, color=LIMIT, lw=0.8)
        ax.set(xlim=(-20.0, 240.0), ylim=(-2.0, 55.0), aspect="equal", ylabel="y [mm]")
        ax.text(235.0, 46.0, f"t = {t:g} s", ha="right", fontsize=8)
    rows[2].set_xlabel("x [mm]")
    for push, t_end, colour in ((4.0, 0.41, SHADES[1]), (6.0, 0.37, SHADES[3]), (8.0, 0.34, SHADES[4])):
        gaps = np.diff(arrivals(run(push=push, t_end=t_end)))
        rows[3].plot(np.arange(2, COUNT), (THICKNESS + GAP) / gaps, "o-", color=colour, ms=4, lw=1.2,
                     label=f"push {push:g} rad/s")
    rows[3].set(xlabel="from domino", ylabel="speed of the wave [m/s]", xticks=range(2, COUNT))
    rows[3].legend(frameon=False, fontsize=8)
    for ax in rows:
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "dominoes")
