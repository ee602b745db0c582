"""A closed ring of n equal links floating in the plane like a bare track: one large loop, for timing.

Counting: n bodies with 3 freedoms each, n pins with 2 constraints each, so n freedoms.
"""

from __future__ import annotations

import math

import routh as rt
from routh import joints

LENGTH = 0.15  # m
MASS = 10.0  # kg
GRAVITY = 9.81  # m/s²


def model(n: int = 42) -> rt.Model:
    """Links link0 ... in a polygon; pin<i> joins link<i> to the next, the last one closes the ring."""
    front, back = (0.5 * LENGTH, 0.0), (-0.5 * LENGTH, 0.0)
    return rt.Model(
        name=f"ring_{n}", space="planar", gravity=(0.0, -GRAVITY),
        bodies=[rt.Body(f"link{i}", MASS, MASS * LENGTH**2 / 12.0) for i in range(n)],
        joints=[joints.Revolute(f"pin{i}", f"link{i}", f"link{(i + 1) % n}", point_a=front, point_b=back)
                for i in range(n)],
    )


def start(n: int = 42, spin: float = 1.0) -> rt.State:
    """A regular polygon about the origin, spinning as one body."""
    apothem, turn = 0.5 * LENGTH / math.tan(math.pi / n), 2.0 * math.pi / n
    state = {}
    for i in range(n):
        x, y = apothem * math.sin(i * turn), -apothem * math.cos(i * turn)
        state[f"link{i}"] = {"x": x, "y": y, "theta": i * turn,
                             "vx": -spin * y, "vy": spin * x, "omega": spin}
    return rt.State(state)


def run(n: int = 42, t_end: float = 1.0, options: rt.Options | None = None) -> rt.Result:
    """The ring falling freely."""
    return rt.simulate(model(n), start(n), t_end=t_end, options=options or rt.Options())
