"""A semicircular arch of wedge stones without mortar: it stands if it is thick enough and its joints are rough enough.

Two mechanisms bring it down. An arch thinner than t/R = 0.1075 of its mean radius opens hinges at its crown, haunches and
springings, however rough the joints are ([heyman1969], after Milankovitch and Couplet). An arch of smooth joints slides at its
springings. Both limits of an arch with a given number of stones follow from statics: a linear program asks for forces at the
ends of each joint that push, lie within the friction cones and balance the weights. Where it has no solution the arch falls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

import routh as rt
from routh import shapes
from routh.gallery.claims import Claim

__all__ = ["Stone", "claims", "crown_drop", "figures", "friction_limit", "model", "run", "stable", "start", "stones",
           "thickness_limit"]

PAPER = "arch"
GRAVITY, DENSITY, RADIUS = 9.81, 2000.0, 1.0  # m/s², kg/m² in the plane, m: mean radius
COUNT, THICKNESS, MU = 15, 0.2, 0.8  # stones, thickness over mean radius, friction coefficient
HEYMAN = 0.1075  # least thickness over mean radius of a semicircle of many stones
STEPS = rt.Options(engine="stepping", step=2e-3, contact_tolerance=1e-10, max_sweeps=5000)


class Stone(NamedTuple):
    """A wedge: corners about its mass centre (inner right, outer right, outer left, inner left), and where that is."""

    corners: np.ndarray
    centre: np.ndarray
    mass: float
    inertia: float


@cache
def stones(n: int = COUNT, thickness: float = THICKNESS) -> tuple[Stone, ...]:
    """The stones of a semicircle about the origin, from left to right. Their sides are straight."""
    out = []
    for i in range(n):
        right, left = (math.pi * (1.0 - k / n) for k in (i + 1, i))
        inner, outer = RADIUS * (1.0 - 0.5 * thickness), RADIUS * (1.0 + 0.5 * thickness)
        corners = np.array([[r * math.cos(a), r * math.sin(a)]
                            for r, a in ((inner, right), (outer, right), (outer, left), (inner, left))])
        centre = _moments(corners)[1]
        area, _, polar = _moments(corners - centre)
        out.append(Stone(corners - centre, centre, DENSITY * area, DENSITY * polar))
    return tuple(out)


def _moments(corners: np.ndarray) -> tuple[float, np.ndarray, float]:
    """Area, centroid, and polar moment about the origin of a polygon (Green's theorem)."""
    p, q = corners, np.roll(corners, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    area = 0.5 * float(cross.sum())
    polar = float((cross * (p * p + p * q + q * q).sum(axis=1)).sum()) / 12.0
    return area, (p + q).T @ cross / (6.0 * area), polar


def model(n: int = COUNT, thickness: float = THICKNESS, mu: float = MU) -> rt.Model:
    """Stones stone1 ... stone<n> on a floor; group `joints` between them and group `springings` with the floor."""
    wedges = stones(n, thickness)
    polygons = [shapes.Polygon(f"stone{i + 1}", tuple(map(tuple, w.corners.tolist()))) for i, w in enumerate(wedges)]
    law = rt.Newton(e=0.0, mu=mu)
    return rt.Model(
        name="arch",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body(p.body, w.mass, w.inertia) for p, w in zip(polygons, wedges, strict=True)],
        contacts=[rt.ContactGroup("joints", polygons, law=law),
                  rt.ContactGroup("springings", polygons, [shapes.HalfSpace("ground", normal=(0.0, 1.0))], law)],
    )


def start(n: int = COUNT, thickness: float = THICKNESS) -> rt.State:
    """In place, at rest."""
    return rt.State({f"stone{i + 1}": {"x": float(w.centre[0]), "y": float(w.centre[1])}
                     for i, w in enumerate(stones(n, thickness))})


def run(n: int = COUNT, thickness: float = THICKNESS, mu: float = MU, t_end: float = 2.0,
        options: rt.Options | None = None) -> rt.Result:
    """The centring is taken away."""
    return rt.simulate(model(n, thickness, mu), start(n, thickness), t_end=t_end, options=options or STEPS)


def crown_drop(result: rt.Result, n: int = COUNT) -> float:
    """How far the middle stone came down over the run, in mean radii."""
    y = result[f"stone{(n + 1) // 2}.y"]
    return float(y[0] - y[-1]) / RADIUS


def stable(n: int = COUNT, thickness: float = THICKNESS, mu: float = MU) -> bool:
    """Whether forces exist that hold the arch: a linear program in N and T at both ends of the n + 1 joints."""
    wedges = stones(n, thickness)
    balance, load = np.zeros((3 * n, 4 * (n + 1))), np.zeros(3 * n)
    for i, w in enumerate(wedges):
        load[3 * i + 1] = w.mass * GRAVITY
        for joint, sense, ends in ((i, 1.0, (3, 2)), (i + 1, -1.0, (0, 1))):
            angle = math.pi * (1.0 - joint / n)
            normal, tangent = (math.sin(angle), -math.cos(angle)), (math.cos(angle), math.sin(angle))  # onto the right stone
            for k, corner in enumerate(ends):
                x, y = w.corners[corner]
                for direction, column in ((normal, 4 * joint + 2 * k), (tangent, 4 * joint + 2 * k + 1)):
                    balance[3 * i: 3 * i + 3, column] = (sense * direction[0], sense * direction[1],
                                                         sense * (x * direction[1] - y * direction[0]))
    points = 2 * (n + 1)
    cone = np.zeros((2 * points, 4 * (n + 1)))
    for k in range(points):
        cone[2 * k: 2 * k + 2, 2 * k: 2 * k + 2] = (-mu, 1.0), (-mu, -1.0)
    scale = load.max()
    found = linprog(np.zeros(4 * (n + 1)), A_ub=cone, b_ub=np.zeros(2 * points), A_eq=balance, b_eq=load / scale,
                    bounds=[(0.0, None), (None, None)] * points, method="highs")
    return bool(found.status == 0)


def _limit(low: float, high: float, holds: Callable[[float], bool]) -> float:
    """Where a stone arch begins to hold between two values, by bisection."""
    while high - low > 1e-7:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@cache
def thickness_limit(n: int = COUNT, mu: float = MU) -> float:
    """Least thickness over mean radius of an arch that stands."""
    return _limit(0.02, 0.3, lambda t: stable(n, t, mu))


@cache
def friction_limit(n: int = COUNT, thickness: float = THICKNESS) -> float:
    """Least friction coefficient of an arch that stands."""
    return _limit(0.01, 1.0, lambda mu: stable(n, thickness, mu))


def claims() -> list[Claim]:
    """Heyman's thickness, and runs on both sides of both limits."""
    t, mu = thickness_limit(), friction_limit()
    still = [abs(crown_drop(x)) < 1e-6 for x in (run(), run(thickness=1.01 * t), run(mu=1.01 * mu))]
    fallen = [crown_drop(x) > 0.1 for x in (run(mu=0.1), run(thickness=0.99 * t), run(mu=0.99 * mu))]
    return [
        Claim(PAPER, "least thickness of many stones with rough joints, over the mean radius", HEYMAN,
              thickness_limit(151), 5e-4, note="statics: the linear program with 151 stones"),
        Claim(PAPER, "stands: t/R = 0.2 with μ = 0.8; 1.01 of the least thickness; 1.01 of the least friction",
              [True] * 3, still),
        Claim(PAPER, "falls: t/R = 0.2 with μ = 0.1; 0.99 of the least thickness; 0.99 of the least friction",
              [True] * 3, fallen),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The arch that stands, and both mechanisms of its fall."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Polygon
    from matplotlib.transforms import Affine2D

    from routh.view.impact_figures import LIMIT, SHADES, save

    thin = 0.95 * thickness_limit()
    cases = (("stands", THICKNESS, MU, 2.0), ("hinges", thin, MU, 0.6), ("slides", THICKNESS, 0.1, 0.3))
    figure = Figure(figsize=(7.2, 6.6), layout="constrained")
    for ax, (what, thickness, mu, t_end) in zip(figure.subplots(3, 1, sharex=True), cases, strict=True):
        result = run(COUNT, thickness, mu, t_end)
        for i, w in enumerate(stones(COUNT, thickness)):
            x, y, angle = (float(result[f"stone{i + 1}.{axis}"][-1]) for axis in ("x", "y", "theta"))
            wedge = Polygon(w.corners, fc=SHADES[i % 2 + 1], ec="white", lw=0.8)
            wedge.set_transform(Affine2D().rotate(angle).translate(x, y) + ax.transData)
            ax.add_patch(wedge)
        ax.axhline(0.0, color=LIMIT, lw=0.8)
        ax.set(xlim=(-1.6, 1.6), ylim=(-0.05, 1.2), aspect="equal", ylabel="y [m]")
        ax.set_title(f"{what}: t/R = {thickness:.3g}, μ = {mu:g}, t = {t_end:g} s", fontsize=9, loc="left")
        ax.spines[["top", "right"]].set_visible(False)
    figure.axes[-1].set_xlabel("x [m]")
    return save(figure, folder, "arch")
