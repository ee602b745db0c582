"""The simple pendulum of the IFToMM library [gonzalez2006]: 1 kg on a massless rod of 1 m.

In the plane, y up, pin at the origin, let go horizontally. The period is 4 K(sin²(amplitude/2)) √(l/g),
K the complete elliptic integral.
"""

from __future__ import annotations

import math

import routh as rt
from routh import joints

LENGTH = 1.0  # m
MASS = 1.0  # kg
GRAVITY = 9.81  # m/s²
POINT_INERTIA = 1e-12  # kg m²: a body needs some; it shifts the period by half of this, relatively


def model() -> rt.Model:
    """The bob's frame has its y axis along the rod, so that angle 0 hangs straight down."""
    return rt.Model(
        name="simple_pendulum",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body("bob", mass=MASS, inertia=POINT_INERTIA)],
        joints=[joints.Revolute("pin", "ground", "bob", point_b=(0.0, LENGTH))],
    )


def start(angle: float = -0.5 * math.pi) -> rt.State:
    """At rest at `angle` from the vertical; the library's start is x = -1, y = 0."""
    return rt.State(pin={"angle": angle, "angle_rate": 0.0})


def run(t_end: float = 10.0, options: rt.Options | None = None) -> rt.Result:
    """The library's 10 s."""
    return rt.simulate(model(), start(), t_end=t_end, options=options or rt.Options())


def period(amplitude: float = 0.5 * math.pi) -> float:
    """The exact period in seconds at an amplitude in radians."""
    from scipy.special import ellipk

    return 4.0 * float(ellipk(math.sin(0.5 * amplitude) ** 2)) * math.sqrt(LENGTH / GRAVITY)
