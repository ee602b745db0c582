"""The models of [kim]: a double pendulum struck by a short blow, and a tank that fires.

Double pendulum (Table 1): two links of 1 m, 10 kg and 20 kg m² about their mass centres, hanging at rest;
the blow is horizontal at the mass centre G of link 2. The text's three pulses of 0.02 s carry 2 N s as
printed, not the table's 10 N s; `pulse` scales them to the impulse asked for.

Tank (Table 2; the figure is lost): hull, six trailing arms on torsion spring-dampers, the first wheel
pinned to the ground and the other five on carriers that slide along it. x points rearward, arms point from
wheel to hull.
"""

from __future__ import annotations

import math
from pathlib import Path

import routh as rt
from routh import forces, joints, profiles

GRAVITY = 9.81  # m/s²
IMPULSE = 10.0  # N s
STRIKE = 2.59  # s

LINK_LENGTH, LINK_MASS, LINK_INERTIA = 1.0, 10.0, 20.0

HULL_MASS, HULL_INERTIA = 40773.36, 165000.22
ARM_MASS, ARM_INERTIA, ARM_LENGTH = 340.27, 280.0, 2.0
CARRIER_MASS, CARRIER_INERTIA = 500.0, 800.0
WHEELS = tuple(-2.5 + i for i in range(6))  # x of the wheel centres as assembled, m
ARM_ANGLE = math.pi - 1.3963  # of an arm as assembled, from wheel to hull pivot
PIVOT_HEIGHT = -0.5  # of the pivots in the hull's frame, m
STIFFNESS, DAMPING = 330000.0, 70000.0  # of the torsion spring-dampers, N m/rad, N m s/rad


def pulse(shape: str, width: float, impulse: float = IMPULSE, strike: float = STRIKE) -> profiles.Profile:
    """A force pulse from `strike` on that carries `impulse`: "rectangle", "triangle" or "cubic"."""
    if shape == "rectangle":
        return profiles.Rectangle(strike, width, impulse / width)
    kinds = {"triangle": profiles.Triangle, "cubic": profiles.CubicPulse}  # half as full
    return kinds[shape](strike, width, 2.0 * impulse / width)


def double_pendulum(blow: profiles.Profile | None = None) -> rt.Model:
    """Links link1, link2 on pins pinA, pinB; `blow` is the horizontal force at G of link 2."""
    top, bottom = (0.0, 0.5 * LINK_LENGTH), (0.0, -0.5 * LINK_LENGTH)
    return rt.Model(
        name="double_pendulum",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body("link1", LINK_MASS, LINK_INERTIA), rt.Body("link2", LINK_MASS, LINK_INERTIA)],
        joints=[joints.Revolute("pinA", "ground", "link1", point_b=top),
                joints.Revolute("pinB", "link1", "link2", point_a=bottom, point_b=top)],
        forces=[] if blow is None else [forces.PointForce("blow", "link2", force=(1.0, 0.0), profile=blow)],
    )


def hanging(omega1: float = 0.0, omega2: float = 0.0) -> rt.State:
    """Straight down, with angular velocities of the links."""
    return rt.State(pinA={"angle": 0.0, "angle_rate": omega1},
                    pinB={"angle": 0.0, "angle_rate": omega2 - omega1})


def velocity_jump(impulse: float = IMPULSE) -> tuple[float, float]:
    """Angular velocities (link 1, link 2) just after an impulse at G, from rest: eq. 21 of [kim]."""
    m, J, l = LINK_MASS, LINK_INERTIA, LINK_LENGTH
    m11, m12, m22 = J + 1.25 * m * l**2, 0.5 * m * l**2, J + 0.25 * m * l**2
    p1, p2 = impulse * l, 0.5 * impulse * l
    determinant = m11 * m22 - m12**2
    return (m22 * p1 - m12 * p2) / determinant, (m11 * p2 - m12 * p1) / determinant


def strike(shape: str = "rectangle", width: float = 0.02, t_end: float = 5.0,
           options: rt.Options | None = None) -> rt.Result:
    """The double pendulum, struck at 2.59 s by a pulse of force."""
    model = double_pendulum(pulse(shape, width))
    return rt.simulate(model, hanging(), t_end=t_end, options=options or rt.Options())


def tank() -> rt.Model:
    """36 coordinates, 34 constraints, 2 degrees of freedom: hull, arm1 ... arm6, carrier2 ... carrier6."""
    bodies = [rt.Body("hull", HULL_MASS, HULL_INERTIA)]
    links: list[joints.Joint] = []
    springs = []
    tip, foot = (0.5 * ARM_LENGTH, 0.0), (-0.5 * ARM_LENGTH, 0.0)
    for i, x in enumerate(WHEELS, start=1):
        arm, carrier = f"arm{i}", f"carrier{i}"
        bodies.append(rt.Body(arm, ARM_MASS, ARM_INERTIA))
        if i == 1:
            links.append(joints.Revolute("wheel1", "ground", arm, point_a=(x, 0.0), point_b=foot))
        else:
            bodies.append(rt.Body(carrier, CARRIER_MASS, CARRIER_INERTIA))
            links += [joints.Prismatic(f"slide{i}", "ground", carrier, point_a=(x, 0.0), axis=(1.0, 0.0)),
                      joints.Revolute(f"wheel{i}", carrier, arm, point_b=foot)]
        pivot = (x + ARM_LENGTH * math.cos(ARM_ANGLE), PIVOT_HEIGHT)
        links.append(joints.Revolute(f"pin{i}", "hull", arm, point_a=pivot, point_b=tip))
        springs.append(forces.JointSpring(f"rsda{i}", f"pin{i}.angle", stiffness=STIFFNESS, damping=DAMPING,
                                          free=ARM_ANGLE))
    return rt.Model(name="tank", space="planar", gravity=(0.0, -GRAVITY), bodies=bodies, joints=links,
                    forces=springs)


def assembled() -> rt.State:
    """The tank as assembled: springs unstrained, hull level, at rest."""
    dx, dy = 0.5 * ARM_LENGTH * math.cos(ARM_ANGLE), 0.5 * ARM_LENGTH * math.sin(ARM_ANGLE)
    poses = {"hull": (0.0, 2.0 * dy - PIVOT_HEIGHT, 0.0)}
    for i, x in enumerate(WHEELS, start=1):
        poses[f"arm{i}"] = (x + dx, dy, ARM_ANGLE)
        if i > 1:
            poses[f"carrier{i}"] = (x, 0.0, 0.0)
    rest = {"vx": 0.0, "vy": 0.0, "omega": 0.0}
    return rt.State({name: dict(zip(("x", "y", "theta"), pose, strict=True)) | rest
                     for name, pose in poses.items()})


def settled() -> rt.State:
    """The tank at rest on its springs."""
    return rt.equilibrium(tank(), assembled())


def figures(folder: Path) -> list[Path]:
    """Fig. 2 and 3: horizontal velocity of G for three shapes of pulse, and for ever shorter rectangles."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, sharey=True, layout="constrained", figsize=(9.0, 4.0))
    cases = [[("rectangle", 0.02), ("triangle", 0.02), ("cubic", 0.02)],
             [("rectangle", w) for w in (0.1, 0.02, 0.01, 0.005)]]
    for axis, lines in zip(axes, cases, strict=True):
        for shape, width in lines:
            result = strike(shape, width, options=rt.Options(output=0.005))
            axis.plot(result.t, result["link2.vx"], label=f"{shape}, {width:g} s")
        axis.set_xlabel("t [s]")
        axis.legend()
    axes[0].set_ylabel("horizontal velocity of G [m/s]")
    path = Path(folder) / "kim_pulses.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
