"""The flyball governor of the IFToMM library [gonzalez2006]: stiff springs stand in for its couplers.

A shaft along z turns freely at 2π rad/s. Two rods of 1 m with 5 kg balls at their ends hang from hinges
0.05 m beside its top, at first 30° below the horizontal; springs of 8e5 N/m and dampers of 4e4 N s/m run
from the rods' middles to a slider on the shaft, 0.5 m above its foot. The dampers' time constant is 1e-4 s,
the swing of the balls takes a second.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import forces, joints

LENGTH, WIDTH = 1.0, 0.01  # m, of shaft and rods
SLIDER = 0.1  # m, edge of the slider and distance of the rods' hinges
DENSITY = 3000.0  # kg/m³
BALL = 5.0  # kg
STIFFNESS, DAMPING, FREE_LENGTH = 8e5, 4e4, 0.5  # N/m, N s/m, m
GRAVITY = 9.81  # m/s²
SPEED = 2.0 * math.pi  # rad/s
DROOP = math.radians(30.0)  # of the rods below the horizontal, at the start

ROD_MASS = DENSITY * LENGTH * WIDTH**2
SLIDER_MASS = DENSITY * SLIDER**3
SLENDER = ROD_MASS * (LENGTH**2 + WIDTH**2) / 12.0  # across a rod or the shaft
THIN = ROD_MASS * WIDTH**2 / 6.0  # along it


def model() -> rt.Model:
    """Bodies shaft, slider, arm1 (to +x), arm2 (to -x); an arm is a rod with its ball, x along it."""
    mass = ROD_MASS + BALL
    centre = (0.5 * ROD_MASS + BALL) * LENGTH / mass  # of an arm, from its hinge
    across = SLENDER + ROD_MASS * (centre - 0.5 * LENGTH) ** 2 + BALL * (LENGTH - centre) ** 2
    hinge, middle = (-centre, 0.0, 0.0), (0.5 * LENGTH - centre, 0.0, 0.0)
    up, foot = (0.0, 0.0, 1.0), (0.0, 0.0, -0.5 * LENGTH)
    bodies = [rt.Body("shaft", ROD_MASS, (SLENDER, SLENDER, THIN)),
              rt.Body("slider", SLIDER_MASS, (SLIDER_MASS * SLIDER**2 / 6.0,) * 3)]
    links: list[joints.Joint] = [
        joints.Revolute("bearing", "ground", "shaft", point_b=foot, axis=up),
        joints.Prismatic("guide", "shaft", "slider", point_a=foot, axis=up)]
    springs = []
    for i, (side, turn) in enumerate([(1.0, (1.0, 0.0, 0.0, 0.0)), (-1.0, (0.0, 0.0, 0.0, 1.0))], start=1):
        bodies.append(rt.Body(f"arm{i}", mass, (THIN, across, across)))
        links.append(joints.Revolute(f"hinge{i}", "shaft", f"arm{i}", axis=(0.0, side, 0.0), turn=turn,
                                     point_a=(0.5 * side * SLIDER, 0.0, 0.5 * LENGTH), point_b=hinge))
        springs.append(forces.SpringDamper(f"spring{i}", "slider", f"arm{i}", point_b=middle,
                                           point_a=(0.5 * side * SLIDER, 0.0, 0.0), stiffness=STIFFNESS,
                                           damping=DAMPING, free_length=FREE_LENGTH))
    return rt.Model(name="governor", space="spatial", gravity=(0.0, 0.0, -GRAVITY), bodies=bodies,
                    joints=links, forces=springs)


def start(speed: float = SPEED) -> rt.State:
    """The shaft at `speed`, arms at their droop, springs at their free length."""
    drooping = {"angle": DROOP, "angle_rate": 0.0}
    return rt.State(bearing={"angle": 0.0, "angle_rate": speed}, hinge1=drooping, hinge2=drooping,
                    guide={"shift": 0.5 * LENGTH, "shift_rate": 0.0})


def run(t_end: float = 10.0, options: rt.Options | None = None) -> rt.Result:
    """The library's 10 s; channel "guide.shift" is its s."""
    return rt.simulate(model(), start(), t_end=t_end, options=options or rt.Options())


def symmetric(t: float, y: np.ndarray, momentum: float) -> np.ndarray:
    """d/dt of y = (droop, slider height, their rates) while both arms do the same, stated independently.

    Lagrange's equations by hand. The shaft's angle is cyclic: `momentum` about z is kept.
    """
    droop, height, droop_rate, height_rate = y
    c, s = math.cos(droop), math.sin(droop)
    spread = momentum / inertia_about_z(droop)

    # spring from (a, height) to the rod's middle, in the plane of the arms
    dx, dz = 0.5 * LENGTH * c, LENGTH - 0.5 * LENGTH * s - height
    length = math.hypot(dx, dz)
    by_droop = 0.5 * LENGTH * (-s * dx - c * dz) / length  # d length / d droop
    by_height = -dz / length
    tension = STIFFNESS * (length - FREE_LENGTH) + DAMPING * (by_droop * droop_rate + by_height * height_rate)

    about_hinge = SLENDER + ROD_MASS * LENGTH**2 / 4.0 + BALL * LENGTH**2
    weight = GRAVITY * LENGTH * (0.5 * ROD_MASS + BALL) * c
    centrifugal = 0.25 * spread**2 * _inertia_slope(droop)  # half of ½ dJ/d droop: the arms share it
    return np.array([droop_rate, height_rate, (weight + centrifugal - tension * by_droop) / about_hinge,
                     -GRAVITY - 2.0 * tension * by_height / SLIDER_MASS])


def inertia_about_z(droop: float) -> float:
    """Of all bodies about the shaft's axis."""
    a, c = 0.5 * SLIDER, math.cos(droop)
    arm = (ROD_MASS * (a + 0.5 * LENGTH * c) ** 2 + BALL * (a + LENGTH * c) ** 2
           + SLENDER * c**2 + THIN * (1.0 - c**2))
    return THIN + SLIDER_MASS * SLIDER**2 / 6.0 + 2.0 * arm


def _inertia_slope(droop: float) -> float:
    a, c, s = 0.5 * SLIDER, math.cos(droop), math.sin(droop)
    return -4.0 * s * (ROD_MASS * (a + 0.5 * LENGTH * c) * 0.5 * LENGTH + BALL * (a + LENGTH * c) * LENGTH
                       + (SLENDER - THIN) * c)


def momentum_about_z(speed: float = SPEED) -> float:
    """Angular momentum about the shaft at the start."""
    return speed * inertia_about_z(DROOP)


def figures(folder: Path) -> list[Path]:
    """Height of the slider and speed of the shaft."""
    import matplotlib.pyplot as plt

    result = run(options=rt.Options(method="implicit", output=0.01))
    figure, (above, below) = plt.subplots(2, 1, sharex=True, layout="constrained")
    above.plot(result.t, result["guide.shift"])
    above.set_ylabel("slider s [m]")
    below.plot(result.t, result["bearing.angle_rate"])
    below.set_ylabel("shaft speed [rad/s]")
    below.set_xlabel("t [s]")
    path = Path(folder) / "governor.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
