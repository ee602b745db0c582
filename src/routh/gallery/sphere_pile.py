"""Hundreds of spheres fall into a box with smooth walls and come to rest.

Smooth walls carry no weight, so that the floor carries all of it, however the spheres lie. The centres come to rest. Some
spheres keep spinning: Coulomb's law at a point has no moment about the normal, and smooth walls hold no spin. A sphere that
touches the floor at one point and walls beside it turns about the vertical for ever.

Spheres that are poured fill 0.55 to 0.64 of the space away from the walls: between the loosest and the densest random packing.

The scene has 200 spheres, which take 7 s of processor time for 1 s. A thousand, `run(1000)`, take 40 s with a contact tolerance
of 1e-3: they fill 0.587, overlap by 1e-4 of the radius, and after 1 s the force on the floor still varies by 2 % of the weight.

The claims of rest are of piles in a hopper, an upside-down pyramid with rough walls. There each sphere leans on others or on
walls at three points or more, which hold its rotation, too. Piles of 48, 54, 60, 64, 80 and 100 spheres come to rest.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

import routh as rt
from routh import shapes
from routh.gallery.claims import Claim

__all__ = ["claims", "figures", "floor_share", "hopper", "model", "packing", "positions", "run", "settle", "start",
           "stillness"]

PAPER = "sphere-pile"
GRAVITY, RADIUS, DENSITY, MU = 9.81, 0.01, 1000.0, 0.3  # m/s², m, kg/m³
MASS = DENSITY * 4.0 / 3.0 * math.pi * RADIUS**3
PITCH = 2.2 * RADIUS  # of the grid at the start
COUNT, MANY = 200, 1000  # of the scene, of the large pile
RESTING = (48, 54, 60, 64, 80, 100)  # spheres in the hopper
SLOPE, GRIP = 0.6, 0.5  # rad of its walls, friction there and between spheres
STEPS = rt.Options(engine="stepping", step=2e-3)
POURED = rt.Options(engine="stepping", step=2e-3, contact_tolerance=1e-4)
SETTLED = 2.5  # s


def side(n: int) -> int:
    """Spheres along each side of the box at the start; about twice as many lie above each other."""
    return max(2, round((0.5 * n) ** (1.0 / 3.0)))


def model(n: int = COUNT, mu: float = MU) -> rt.Model:
    """Spheres ball1 ... ball<n>; groups `floor`, `left`, `right`, `back`, `front` and `balls`."""
    names, wide = [f"ball{i}" for i in range(1, n + 1)], side(n) * PITCH
    balls = [shapes.Sphere(name, RADIUS) for name in names]
    walls = {"left": ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "right": ((-1.0, 0.0, 0.0), (wide, 0.0, 0.0)),
             "back": ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0)), "front": ((0.0, 0.0, -1.0), (0.0, 0.0, wide))}
    rough, smooth = rt.Newton(e=0.0, mu=mu), rt.Newton(e=0.0, mu=0.0)
    return rt.Model(
        name="sphere_pile",
        space="spatial",
        gravity=(0.0, -GRAVITY, 0.0),
        bodies=[rt.Body(name, MASS, (0.4 * MASS * RADIUS**2,) * 3) for name in names],
        contacts=[rt.ContactGroup("floor", balls, [shapes.HalfSpace("ground", normal=(0.0, 1.0, 0.0))], rough),
                  *(rt.ContactGroup(name, balls, [shapes.HalfSpace("ground", normal, point)], smooth)
                    for name, (normal, point) in walls.items()),
                  rt.ContactGroup("balls", balls, law=rough)],
    )


def start(n: int = COUNT) -> rt.State:
    """At rest on a grid, each moved a little at random; the same every time."""
    k, random = side(n), np.random.default_rng(0)
    rows = {}
    for i in range(n):
        layer, rest = divmod(i, k * k)
        spot = (np.array([rest // k, layer, rest % k]) + 0.5) * PITCH + random.uniform(-0.09, 0.09, 3) * RADIUS
        rows[f"ball{i + 1}"] = {"x": float(spot[0]), "y": float(spot[1]) + 0.1 * RADIUS, "z": float(spot[2])}
    return rt.State(rows)


def hopper(n: int, mu: float = GRIP) -> rt.Model:
    """Spheres ball1 ... ball<n> over an upside-down pyramid; groups `walls` and `balls`."""
    names, law = [f"ball{i}" for i in range(1, n + 1)], rt.Newton(e=0.0, mu=mu)
    balls = [shapes.Sphere(name, RADIUS) for name in names]
    walls = [shapes.HalfSpace("ground", (-x * math.sin(SLOPE), math.cos(SLOPE), -z * math.sin(SLOPE)))
             for x, z in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))]
    return rt.Model(
        name="hopper",
        space="spatial",
        gravity=(0.0, -GRAVITY, 0.0),
        bodies=[rt.Body(name, MASS, (0.4 * MASS * RADIUS**2,) * 3) for name in names],
        contacts=[rt.ContactGroup("walls", walls, balls, law), rt.ContactGroup("balls", balls, law=law)],
    )


def over_the_hopper(n: int) -> rt.State:
    """The grid of `start`, in the middle of the hopper and above its walls."""
    middle = 0.5 * side(n) * PITCH
    lift = middle * math.tan(SLOPE) * 1.5 + 2.0 * RADIUS
    return rt.State({name: {"x": row["x"] - middle, "y": row["y"] + lift, "z": row["z"] - middle}
                     for name, row in start(n).items()})


def settle(n: int, t_end: float = SETTLED) -> rt.Result:
    """The spheres let go over the hopper."""
    return rt.simulate(hopper(n), over_the_hopper(n), t_end=t_end, options=STEPS)


def stillness(result: rt.Result) -> np.ndarray:
    """Kinetic energy, that of rotation included, over the potential energy at the start; at each sample."""
    return np.asarray(result.energy.kinetic / result.energy.potential[0])


def hopper_overlap(result: rt.Result, n: int) -> float:
    """Deepest overlap of spheres with each other or the walls at the end, in radii."""
    places = positions(result, n)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 4.0 * RADIUS * np.eye(n)
    steepest = np.abs(places[:, [0, 2]]).max(axis=1)
    height = places[:, 1] * math.cos(SLOPE) - steepest * math.sin(SLOPE)
    return float(max(2.0 * RADIUS - apart.min(), RADIUS - height.min(), 0.0)) / RADIUS


def run(n: int = COUNT, mu: float = MU, t_end: float = 1.0, options: rt.Options | None = None) -> rt.Result:
    """The spheres let go."""
    return rt.simulate(model(n, mu), start(n), t_end=t_end, options=options or STEPS)


def floor_share(result: rt.Result, n: int) -> np.ndarray:
    """Force on the floor over the weight of all spheres, at each sample."""
    return np.asarray(result["floor.force"] / (n * MASS * GRAVITY))


def positions(result: rt.Result, n: int) -> np.ndarray:
    """(n, 3) of the centres at the end [m]."""
    return np.array([[result[f"ball{i}.{axis}"][-1] for axis in "xyz"] for i in range(1, n + 1)])


def overlap(places: np.ndarray) -> float:
    """Deepest overlap of two spheres, or of a sphere and the floor, in radii."""
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + 4.0 * RADIUS * np.eye(len(places))
    return float(max(2.0 * RADIUS - apart.min(), RADIUS - places[:, 1].min(), 0.0)) / RADIUS


def packing(places: np.ndarray, n: int) -> float:
    """Share of space that spheres fill, at random points two radii away from walls and floor and below the upper layer."""
    top = np.sort(places[:, 1])[-(side(n) ** 2)] - RADIUS
    far = side(n) * PITCH - 2.0 * RADIUS
    points = np.random.default_rng(0).uniform([2.0 * RADIUS] * 3, [far, top, far], (100_000, 3))
    return float(np.mean(cKDTree(places).query(points)[0] < RADIUS))


def claims() -> list[Claim]:
    """The packing of the scene, and piles at rest in the hopper."""
    poured = run(COUNT, options=POURED)
    late = poured.t > poured.t[-1] - 0.2
    out = [
        Claim(PAPER, "200 spheres: share of space that they fill, 0.55 to 0.64", 0.595,
              packing(positions(poured, COUNT), COUNT), 0.045),
        Claim(PAPER, "200 spheres: mean force on the floor over the weight, from 0.8 to 1 s", 1.0,
              float(np.mean(floor_share(poured, COUNT)[late])), 1e-3),
        Claim(PAPER, "200 spheres: overlap over the radius", 0.0, overlap(positions(poured, COUNT)), 1e-3),
    ]  # fmt: skip
    for n in RESTING:
        pile = settle(n)
        out += [
            Claim(PAPER, f"{n} spheres in a hopper: kinetic energy over the potential energy at the start", 0.0,
                  float(stillness(pile)[-1]), 1e-10),
            Claim(PAPER, f"{n} spheres in a hopper: overlap over the radius", 0.0, hopper_overlap(pile, n), 1e-5),
        ]  # fmt: skip
    return out


def figures(folder: Path) -> list[Path]:
    """Where the spheres lie, the force on the floor, and the kinetic energy."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle

    from routh.view.impact_figures import INK, LIMIT, SHADES, STICK, save

    count = RESTING[1]
    result = settle(count)
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=[1.0, 1.6])
    pile, force, energy = (figure.add_subplot(grid[place]) for place in (np.s_[:, 0], np.s_[0, 1], np.s_[1, 1]))
    places, wide = 1e3 * positions(result, count), 1e3 * side(count) * PITCH
    depth = places[:, 2] / wide + 0.5
    for (x, y, _), near in sorted(zip(places, depth, strict=True), key=lambda one: one[1]):
        shade = min(max(0.35 + 0.65 * near, 0.2), 1.0)
        pile.add_patch(Circle((x, y), 1e3 * RADIUS, fc=SHADES[1], ec="white", lw=0.6, alpha=shade))
    rim = 1.2 * wide
    pile.plot([-rim, 0.0, rim], [rim * math.tan(SLOPE), 0.0, rim * math.tan(SLOPE)], color=LIMIT, lw=1.0)
    pile.set(xlim=(-rim, rim), ylim=(-5.0, 1.8 * wide), aspect="equal", xlabel="x [mm]", ylabel="y [mm]")
    pile.set_title(f"{count} spheres at rest", fontsize=9, loc="left")
    lifted = result["walls.force"] * math.cos(SLOPE) / (count * MASS * GRAVITY)
    force.plot(result.t, lifted, color=STICK, lw=1.0)
    force.set(xlabel="t [s]", ylabel="lift of the walls by normal\nforces / weight [-]")
    energy.semilogy(result.t[1:], np.maximum(stillness(result)[1:], 1e-32), color=INK, lw=1.0)
    energy.set(xlabel="t [s]", ylabel="kinetic energy / potential\nenergy at the start [-]")
    for ax in (pile, force, energy):
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "sphere_pile")
