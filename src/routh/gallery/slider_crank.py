"""A slider-crank run up by a motor and loaded by a gas pulse: bearing reactions, motor torque, energy account."""

from __future__ import annotations

import math
from pathlib import Path

import routh as rt
from routh import forces, joints, profiles

CRANK, ROD = 0.08, 0.24          # m, lengths
SPEED = 2.0 * math.pi * 5.0      # rad/s, reached after RAMP
RAMP = 0.4                       # s
PULSE = profiles.Haversine(start=0.55, width=0.05, height=1.0)


def model() -> rt.Model:
    """Crank, connecting rod and piston in the plane; the crank's angle is driven, a loop closes at the piston."""
    return rt.Model(
        name="slider_crank",
        space="planar",
        gravity=(0.0, -9.81),
        bodies=[rt.Body("crank", mass=1.2, inertia=1.5e-3), rt.Body("rod", mass=0.6, inertia=3.2e-3),
                rt.Body("piston", mass=0.5, inertia=2.0e-4)],
        joints=[joints.Revolute("main", "ground", "crank", point_b=(-0.4 * CRANK, 0.0)),
                joints.Revolute("crankpin", "crank", "rod", point_a=(0.6 * CRANK, 0.0), point_b=(-0.4 * ROD, 0.0)),
                joints.Revolute("wristpin", "rod", "piston", point_a=(0.6 * ROD, 0.0)),
                joints.Prismatic("bore", "ground", "piston", axis=(1.0, 0.0))],
        forces=[forces.PointForce("gas", "piston", force=(-4000.0, 0.0), profile=PULSE),
                forces.JointFriction("oil", "bore", coefficient=8.0)],
        drivers=[rt.Driver("motor", "main.angle", profiles.SmoothRamp(rate=SPEED, ramp_time=RAMP, offset=0.3))],
    )


def start() -> rt.State:
    """Near top dead centre; assembly finds the rest."""
    return rt.State(bore={"shift": CRANK + ROD})


def assembled() -> rt.State:
    """The start with every value as the loop wants it."""
    return rt.assemble(model(), start())


def run(t_end: float = 0.8) -> rt.Result:
    """Run-up, one turn at speed, the pulse, and what follows."""
    return rt.simulate(model(), assembled(), t_end=t_end, options=rt.Options(output=5e-4))


def figures(folder: Path) -> list[Path]:
    """The mechanism, its reactions and its energy account."""
    import matplotlib.pyplot as plt
    import numpy as np

    from routh.view.plots import draw_channel
    from routh.view.sketches import sketch

    result = run()
    figure, axes = plt.subplot_mosaic([["scene", "force"], ["scene", "torque"], ["energy", "energy"]],
                                      figsize=(9.0, 6.0), layout="constrained", width_ratios=[1.0, 1.3])
    sketch(axes["scene"], model(), result, np.linspace(0.42, 0.6, 9))
    axes["scene"].set_title("motion, 0.42 to 0.60 s")
    force = np.hypot(*result["main.reaction"].T)
    axes["force"].plot(result.t, 1e-3 * force, label="main bearing", linewidth=1.2)
    axes["force"].plot(result.t, 1e-3 * np.hypot(*result["wristpin.reaction"].T), label="wrist pin", linewidth=1.2)
    axes["force"].set_ylabel("reaction [kN]")
    axes["force"].legend(frameon=False, fontsize="small")
    draw_channel(axes["torque"], result, "motor.force")
    axes["torque"].set_ylabel("motor torque [N m]")
    axes["torque"].set_xlabel("t [s]")
    for key in ("total", "drive", "applied", "dissipated"):
        axes["energy"].plot(result.t, result.energy[key], label=key, linewidth=1.2)
    axes["energy"].set_ylabel("energy, works [J]")
    axes["energy"].set_xlabel("t [s]")
    axes["energy"].legend(frameon=False, fontsize="small", ncols=4, loc="lower left")
    for name in ("force", "torque", "energy"):
        axes[name].grid(True, alpha=0.25, linewidth=0.6)
        axes[name].spines[["top", "right"]].set_visible(False)
    paths = [folder / "slider_crank.png", folder / "slider_crank.svg"]
    for path in paths:
        figure.savefig(path, dpi=130)
    plt.close(figure)
    return paths
