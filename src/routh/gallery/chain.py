"""A serial chain of n uniform links hanging from the ground: plain O(n) recursions, for timing."""

from __future__ import annotations

import numpy as np

import routh as rt
from routh import joints

LENGTH, WIDTH = 1.0, 0.1  # m
MASS = 1.0  # kg
GRAVITY = 9.81  # m/s²


def axis(i: int) -> tuple[float, float, float]:
    """Hinge axis of link i of the spatial chain: z and x in turn, both across the links' y axis."""
    return (1.0, 0.0, 0.0) if i % 2 else (0.0, 0.0, 1.0)


def inertia() -> tuple[float, float, float]:
    """Principal moments of a link about its mass centre; its length runs along y."""
    across = MASS * (LENGTH**2 + WIDTH**2) / 12.0
    return across, MASS * WIDTH**2 / 6.0, across


def model(n: int, space: str = "planar") -> rt.Model:
    """Links link0 ... link<n-1> on hinges pin0 ...; angle 0 hangs straight down."""
    planar = space == "planar"
    zero = () if planar else (0.0,)
    top, bottom = (0.0, 0.5 * LENGTH, *zero), (0.0, -0.5 * LENGTH, *zero)
    links = [joints.Revolute(f"pin{i}", f"link{i - 1}" if i else "ground", f"link{i}",
                             point_a=bottom if i else (), point_b=top, axis=None if planar else axis(i))
             for i in range(n)]
    moments = inertia()[2] if planar else inertia()
    return rt.Model(name=f"chain_{n}", space=space, gravity=(0.0, -GRAVITY, *zero), joints=links,
                    bodies=[rt.Body(f"link{i}", MASS, moments) for i in range(n)])


def start(n: int, seed: int = 0) -> rt.State:
    """Random angles and rates, the same for the same seed."""
    angle, rate = coordinates(n, seed)
    return rt.State({f"pin{i}": {"angle": angle[i], "angle_rate": rate[i]} for i in range(n)})


def coordinates(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The angles and rates of `start`, (n,) each."""
    random = np.random.default_rng(seed)
    return random.uniform(-0.5, 0.5, n), random.uniform(-1.0, 1.0, n)


def run(n: int = 10, space: str = "planar", t_end: float = 1.0,
        options: rt.Options | None = None) -> rt.Result:
    """The chain let go."""
    return rt.simulate(model(n, space), start(n), t_end=t_end, options=options or rt.Options())
