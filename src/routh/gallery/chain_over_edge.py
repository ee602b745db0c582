"""A chain slides over the edge of a table: x = x₀ cosh(√(g / L) t) without friction, rest up to a known overhang with friction.

The weight of the part that hangs over the edge pulls all of the chain: L ẍ = g x, where x is the depth of the lower end below
the chain on the table. With a rounded edge this stays true, because the part that lies on the rounding pulls by its own depth.
The edge pushes the chain sideways with T - ρ v². It must push, so that the chain follows the edge only up to x ≈ L / 2; then it
leaves the edge in a free arc. The energy grows by an error of first order in the step: by 2e-3 of the kinetic energy up to
there with steps of 0.25 ms.

With friction on the table and a smooth edge the chain rests as long as its overhang weighs no more than μ times what lies on
the table. For a sharp edge that is the overhang x = L μ / (1 + μ).

Links are rods with pins; beads at the pins slide on the table and on the edge, a disk. The chain is at rest at the start with
all pins on the path of the bead centres: along the table, round the edge, straight down. A pin lies where the rounding ends. If
it did not, the links that hang would swing below the last bead on the edge, and their swing would pull more than their weight.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import joints, shapes
from routh.gallery.claims import Claim

__all__ = ["claims", "closed_form", "depth", "figures", "holding_overhang", "model", "path", "pins", "run", "start"]

PAPER = "chain-over-edge"
GRAVITY, LENGTH, MASS = 9.81, 1.0, 0.5  # m/s², m and kg of the whole chain
EDGE, BEAD = 0.05, 0.004  # m: radius of the edge, and of a bead
BEND = EDGE + BEAD  # m: radius of the path round the edge
COUNT, HANGING = 60, 0.2  # links; share of them that hangs straight down from the edge at the start
OVERHANG = HANGING + BEND / LENGTH  # depth of the lower end at the start over the length
MU = 0.5  # of the table where it is rough
STEPS = rt.Options(engine="stepping", step=2.5e-4, contact_tolerance=1e-10)


def path(s: float) -> np.ndarray:
    """Point of the path at arc length s: s < 0 on the table, then round the edge, then down [m]."""
    quarter = 0.5 * math.pi * BEND
    if s <= 0.0:
        return np.array([s, BEAD])
    if s <= quarter:
        return np.array([BEND * math.sin(s / BEND), BEND * math.cos(s / BEND) - EDGE])
    return np.array([BEND, quarter - s - EDGE])


def pins(n: int = COUNT, overhang: float = OVERHANG) -> np.ndarray:
    """(n + 1, 2) of the ends of all links on the path, lower end first; neighbours are a link apart [m]."""
    link, s = LENGTH / n, overhang * LENGTH + (0.5 * math.pi - 1.0) * BEND
    out = [path(s)]
    for _ in range(n):
        low, high = s - 2.0 * link, s - link  # a chord is no longer than its arc
        while high - low > 1e-15 * LENGTH:
            middle = 0.5 * (low + high)
            if middle in (low, high):
                break
            low, high = (middle, high) if math.dist(path(middle), out[-1]) > link else (low, middle)
        s = high
        out.append(path(s))
    return np.array(out)


def model(n: int = COUNT, mu: float = 0.0) -> rt.Model:
    """Links link1 (lowest) ... link<n>; groups `table` with friction mu and `edge` without friction."""
    link, mass = LENGTH / n, MASS / n
    names = [f"link{i + 1}" for i in range(n)]
    beads = [shapes.Disk(name, BEAD, point=(-0.5 * link, 0.0)) for name in names]
    beads.append(shapes.Disk(names[-1], BEAD, point=(0.5 * link, 0.0)))
    far = -2.0 * LENGTH
    top = shapes.Polygon("ground", ((far, -EDGE), (0.0, -EDGE), (0.0, 0.0), (far, 0.0)))
    return rt.Model(
        name="chain_over_edge",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body(name, mass, mass * link**2 / 12.0) for name in names],
        joints=[joints.Revolute(f"pin{i}", names[i - 1], names[i], point_a=(0.5 * link, 0.0), point_b=(-0.5 * link, 0.0))
                for i in range(1, n)],
        contacts=[rt.ContactGroup("table", beads, [top], rt.Newton(e=0.0, mu=mu)),
                  rt.ContactGroup("edge", beads, [shapes.Disk("ground", EDGE, point=(0.0, -EDGE))], rt.Newton(e=0.0, mu=0.0))],
    )


def start(n: int = COUNT, overhang: float = OVERHANG) -> rt.State:
    """At rest with all pins on the path."""
    ends = pins(n, overhang)
    along = np.diff(ends, axis=0)
    angle = np.unwrap(np.arctan2(along[:, 1], along[:, 0]))
    middle = 0.5 * (ends[0] + ends[1])
    rows = {f"pin{i}": {"angle": float(angle[i] - angle[i - 1])} for i in range(1, n)}
    return rt.State({"link1": {"x": float(middle[0]), "y": float(middle[1]), "theta": float(angle[0])}, **rows})


def run(n: int = COUNT, overhang: float = OVERHANG, mu: float = 0.0, t_end: float = 0.5,
        options: rt.Options | None = None) -> rt.Result:
    """The chain let go."""
    return rt.simulate(model(n, mu), start(n, overhang), t_end=t_end, options=options or STEPS)


def depth(result: rt.Result, n: int = COUNT) -> np.ndarray:
    """Depth of the lower end below the chain on the table, over the length; at each sample."""
    return np.asarray((BEAD - result["link1.y"] + 0.5 * LENGTH / n * np.sin(result["link1.theta"])) / LENGTH)


def closed_form(t: np.ndarray, overhang: float = OVERHANG) -> np.ndarray:
    """Depth of a chain of many links without friction, over the length."""
    return np.asarray(overhang * np.cosh(math.sqrt(GRAVITY / LENGTH) * t))


def holding_overhang(mu: float = MU) -> float:
    """Largest depth, over the length, that friction on the table holds: the arc round the edge is longer than it is deep."""
    return mu / (1.0 + mu) * (1.0 - (0.5 * math.pi - 1.0) * BEND / LENGTH)


def _error(n: int) -> tuple[float, float]:
    """Largest error of the depth up to half the length, and the energy gained up to there over the kinetic energy."""
    result = run(n)
    exact = closed_form(result.t)
    on = exact <= 0.5
    gained = result.energy.total[on][-1] - result.energy.total[0]
    return float(np.abs(depth(result, n) - exact)[on].max()), float(gained / result.energy.kinetic[on][-1])


def claims() -> list[Claim]:
    """The closed form without friction, rest and slip with it."""
    (coarse, _), (fine, gained) = _error(20), _error(80)
    limit = holding_overhang()
    most = math.floor((limit - BEND / LENGTH) * COUNT)  # whole links
    held, slides = (BEND / LENGTH + k / COUNT for k in (most, most + 1))
    moved = [float(np.ptp(depth(run(overhang=overhang, mu=MU, t_end=0.5)))) for overhang in (held, slides)]
    return [
        Claim(PAPER, "80 links: largest error of x / L against x₀ cosh(√(g/L) t), up to L/2", 0.0, fine, 1e-3),
        Claim(PAPER, "20 links have a larger error than 80", True, coarse > 2.0 * fine),
        Claim(PAPER, "80 links: energy gained up to L/2 over the kinetic energy there", 0.0, gained, 5e-3),
        Claim(PAPER, f"μ = 0.5, {held / limit:.3f} of the largest overhang: way of its end over L", 0.0, moved[0],
              1e-9),
        Claim(PAPER, f"with one more link, {slides / limit:.3f} of it: way over L in 0.5 s, by the closed form with friction",
              (slides - limit) * (math.cosh(0.5 * math.sqrt((1.0 + MU) * GRAVITY / LENGTH)) - 1.0), moved[1], 4e-3),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The chain at several instants, and the depth of its end."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle, Rectangle

    from routh.view.impact_figures import LIMIT, SHADES, STICK, save

    result, link = run(t_end=0.6), LENGTH / COUNT
    figure = Figure(figsize=(8.0, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.add_patch(Rectangle((-1.0, -EDGE), 1.0, EDGE, color="0.85"))
    left.add_patch(Circle((0.0, -EDGE), EDGE, color="0.85"))
    for k, t in enumerate((0.0, 0.3, 0.42, 0.5, 0.6)):
        i = int(np.argmin(np.abs(result.t - t)))
        angle = np.cumsum([result["link1.theta"][i], *(result[f"pin{j}.angle"][i] for j in range(1, COUNT))])
        steps = link * np.column_stack([np.cos(angle), np.sin(angle)])
        first = np.array([result["link1.x"][i], result["link1.y"][i]]) - 0.5 * steps[0]
        ends = np.vstack([first, first + np.cumsum(steps, axis=0)])
        left.plot(*ends.T, color=SHADES[k % 6], lw=1.4, label=f"{t:g} s")
    left.set(aspect="equal", xlabel="x [m]", ylabel="y [m]")
    left.legend(frameon=False, fontsize=8, loc="lower left")
    right.plot(result.t, depth(result), color=STICK, lw=1.4, label=f"{COUNT} links")
    right.plot(result.t, closed_form(result.t), color=LIMIT, lw=1.0, ls="--", label="x₀ cosh(√(g/L) t)")
    right.axhline(0.5, color=LIMIT, lw=0.6, ls=":")
    right.set(xlabel="t [s]", ylabel="depth of the lower end / L [-]")
    right.legend(frameon=False, fontsize=8)
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "chain_over_edge")
