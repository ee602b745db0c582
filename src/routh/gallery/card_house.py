"""A house of cards in the plane: it stands above a critical friction coefficient and slides apart below it.

Cards are capsules: two ends of radius r at a distance L. Two cards that lean on each other at an angle θ from the vertical
push each other apart with H. The moment about the foot of a card gives H (L cos θ + r) = w (L/2) sin θ, and the floor must
hold H with the weight w, so that

    μ_c = L sin θ / (2 (L cos θ + r)),

which is tan θ / 2 for thin cards. A house of several storeys has decks, long cards that lie on the tops. Its contact forces are
not determined by statics alone. A linear program finds whether any forces within all friction cones balance the weights.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

import routh as rt
from routh import shapes
from routh.gallery.claims import Claim

__all__ = ["Card", "Touch", "cards", "claims", "critical_mu", "figures", "frame_mu", "model", "run", "stable", "start", "sunk",
           "touches"]

PAPER = "card-house"
GRAVITY, LENGTH, RADIUS, LINE_MASS = 9.81, 0.09, 0.001, 0.02  # m/s², m, m, kg/m
LEAN = math.radians(25.0)
STOREYS, MU = 3, 0.5
WIDE = LENGTH * math.sin(LEAN)
PITCH = 2.0 * WIDE + 6.0 * RADIUS  # from one pair of cards to the next
FLOOR_HEIGHT = LENGTH * math.cos(LEAN) + 4.0 * RADIUS  # from one deck to the next
STEPS = rt.Options(engine="stepping", step=2e-3, contact_tolerance=1e-10, max_sweeps=5000)


class Card(NamedTuple):
    """A capsule about its middle (x, y) with its axis at `theta` from the x axis."""

    name: str
    x: float
    y: float
    theta: float
    length: float

    @property
    def mass(self) -> float:
        """In proportion to the distance of the ends."""
        return LINE_MASS * self.length


class Touch(NamedTuple):
    """Where the body `a` touches `b`, with the normal from a to b."""

    a: str
    b: str
    point: tuple[float, float]
    normal: tuple[float, float]


def cards(storeys: int = STOREYS) -> list[Card]:
    """Pairs left<s>_<i>, right<s>_<i> of storey s, and deck<s> above it; storey 1 stands on the floor."""
    out = []
    for s in range(1, storeys + 1):
        base, n = (s - 1) * FLOOR_HEIGHT, storeys - s + 1
        for i in range(n):
            x, y = PITCH * (i - 0.5 * (n - 1)), base + RADIUS + 0.5 * LENGTH * math.cos(LEAN)
            out.append(Card(f"left{s}_{i + 1}", x - RADIUS - 0.5 * WIDE, y, 0.5 * math.pi - LEAN, LENGTH))
            out.append(Card(f"right{s}_{i + 1}", x + RADIUS + 0.5 * WIDE, y, 0.5 * math.pi + LEAN, LENGTH))
        if n > 1:
            out.append(Card(f"deck{s}", 0.0, base + FLOOR_HEIGHT - RADIUS, 0.0, PITCH * (n - 1) + 0.2 * LENGTH))
    return out


def touches(storeys: int = STOREYS) -> list[Touch]:
    """All contact points of the house as it is built."""
    out = []
    for s in range(1, storeys + 1):
        base, n = (s - 1) * FLOOR_HEIGHT, storeys - s + 1
        below = "ground" if s == 1 else f"deck{s - 1}"
        for i in range(n):
            x, left, right = PITCH * (i - 0.5 * (n - 1)), f"left{s}_{i + 1}", f"right{s}_{i + 1}"
            top = base + RADIUS + LENGTH * math.cos(LEAN)
            out += [Touch(below, left, (x - RADIUS - WIDE, base), (0.0, 1.0)),
                    Touch(below, right, (x + RADIUS + WIDE, base), (0.0, 1.0)),
                    Touch(left, right, (x, top), (1.0, 0.0))]
            if n > 1:
                out += [Touch(left, f"deck{s}", (x - RADIUS, top + RADIUS), (0.0, 1.0)),
                        Touch(right, f"deck{s}", (x + RADIUS, top + RADIUS), (0.0, 1.0))]
    return out


def model(storeys: int = STOREYS, mu: float = MU) -> rt.Model:
    """The house on a floor; groups `floor` and `cards`."""
    house = cards(storeys)
    outlines = [shapes.Capsule(c.name, (-0.5 * c.length, 0.0), (0.5 * c.length, 0.0), RADIUS) for c in house]
    law = rt.Newton(e=0.0, mu=mu)
    return rt.Model(
        name="card_house",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body(c.name, c.mass, c.mass * c.length**2 / 12.0) for c in house],
        contacts=[rt.ContactGroup("floor", outlines, [shapes.HalfSpace("ground", normal=(0.0, 1.0))], law),
                  rt.ContactGroup("cards", outlines, law=law)],
    )


def start(storeys: int = STOREYS) -> rt.State:
    """As built, at rest."""
    return rt.State({c.name: {"x": c.x, "y": c.y, "theta": c.theta} for c in cards(storeys)})


def run(storeys: int = STOREYS, mu: float = MU, t_end: float = 1.0, options: rt.Options | None = None) -> rt.Result:
    """The house let go."""
    return rt.simulate(model(storeys, mu), start(storeys), t_end=t_end, options=options or STEPS)


def sunk(result: rt.Result, storeys: int = STOREYS) -> float:
    """How far the cards of the highest storey came down over the run, in lengths of a card."""
    y = result[f"left{storeys}_1.y"]
    return float(y[0] - y[-1]) / LENGTH


def frame_mu() -> float:
    """Critical friction coefficient of two cards, in closed form."""
    return 0.5 * LENGTH * math.sin(LEAN) / (LENGTH * math.cos(LEAN) + RADIUS)


def stable(storeys: int, mu: float) -> bool:
    """Whether forces within all friction cones balance the weights of all cards."""
    house, points = cards(storeys), touches(storeys)
    row = {c.name: 3 * i for i, c in enumerate(house)}
    balance, load = np.zeros((3 * len(house), 2 * len(points))), np.zeros(3 * len(house))
    for c in house:
        load[row[c.name] + 1] = c.mass / (LINE_MASS * LENGTH)
    for k, touch in enumerate(points):
        (nx, ny), (px, py) = touch.normal, touch.point
        for name, sense in ((touch.a, -1.0), (touch.b, 1.0)):
            if name == "ground":
                continue
            c = house[row[name] // 3]
            for column, (fx, fy) in ((2 * k, (nx, ny)), (2 * k + 1, (-ny, nx))):
                moment = ((px - c.x) * fy - (py - c.y) * fx) / LENGTH
                balance[row[name]: row[name] + 3, column] = sense * fx, sense * fy, sense * moment
    cone = np.kron(np.eye(len(points)), [[-mu, 1.0], [-mu, -1.0]])
    found = linprog(np.zeros(2 * len(points)), A_ub=cone, b_ub=np.zeros(len(cone)), A_eq=balance, b_eq=load,
                    bounds=[(0.0, None), (None, None)] * len(points), method="highs")
    return bool(found.status == 0)


@cache
def critical_mu(storeys: int = STOREYS) -> float:
    """Least friction coefficient with which the house can stand, by bisection."""
    low, high = 0.0, 2.0
    while high - low > 1e-7:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if stable(storeys, middle) else (middle, high)
    return high


def claims() -> list[Claim]:
    """Two cards in closed form, houses by statics, and runs on both sides."""
    sides = [[sunk(run(s, f * critical_mu(s)), s) for s in (1, 2, 3)] for f in (1.01, 0.99)]
    return [
        Claim(PAPER, "critical friction of two cards, closed form and linear program", frame_mu(), critical_mu(1), 1e-6),
        Claim(PAPER, "1, 2, 3 storeys at 1.01 of their critical friction: sunk over the length of a card", [0.0] * 3, sides[0],
              1e-6),
        Claim(PAPER, "at 0.99 of it all three come down, by more than 0.001 of a card", [True] * 3,
              [x > 1e-3 for x in sides[1]],
              note="of two storeys the inner feet slide until they meet, after 2 mm, and stand again"),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Three storeys that stand, and that slide apart."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import LIMIT, SHADES, save

    figure = Figure(figsize=(7.6, 3.4), layout="constrained")
    limit = critical_mu()
    for ax, (f, t_end) in zip(figure.subplots(1, 2, sharey=True), ((1.01, 1.0), (0.8, 0.22)), strict=True):
        result = run(mu=f * limit, t_end=t_end)
        for c in cards():
            x, y, theta = (float(result[f"{c.name}.{axis}"][-1]) for axis in ("x", "y", "theta"))
            dx, dy = 0.5 * c.length * math.cos(theta), 0.5 * c.length * math.sin(theta)
            ax.plot([1e3 * (x - dx), 1e3 * (x + dx)], [1e3 * (y - dy), 1e3 * (y + dy)], lw=2.0, solid_capstyle="round",
                    color=SHADES[4] if c.name.startswith("deck") else SHADES[1])
        ax.axhline(0.0, color=LIMIT, lw=0.8)
        ax.set(xlim=(-170.0, 170.0), ylim=(-5.0, 270.0), aspect="equal", xlabel="x [mm]", ylabel="y [mm]")
        ax.set_title(f"μ = {f * limit:.3f} = {f:g} μ$_c$, t = {t_end:g} s", fontsize=9, loc="left")
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "card_house")
