"""Euler's disk: a coin that rolls round on its rim ever faster while it settles [moffatt2000].

A disk of radius R and half thickness d leans at the inclination α to the table and rolls round with its centre at rest. Centre
and touching point are both at rest, so ω lies along the line between them; without slip ω = -Ω sin α (e - (d/R) n), where e
points down the slope, n along the axis, and Ω is the rate at which the touching point goes round. The table carries the weight
and no more. Moments about the centre then say

    Ω² sin α (A cos α - C (d/R) sin α) = m g (R cos α - d sin α),

A and C the moments of inertia across and along the axis; Ω² = 4 g / (R sin α) for a thin disk, whose energy is 3/2 m g R sin α.

Rolling resistance, a moment ρ m g against ω, takes the power ρ m g Ω sin α. If the centre stays at rest, √α falls in
proportion to time, for small α, and ends at t = 3/2 (R/ρ) √(α₀ R / g): a finite time, in which Ω grows without bound. The
table is so rough that the disk never slips: below α = 0.02 it pulls at the disk with more than its weight.

The centre does not stay at rest to the end. From nine tenths of that time on, near α = 0.003, the disk nods so much that its
precession wavers, and fades before the nodding does. What is left is a plate that rocks: it falls about a point of its rim,
which carries A / (A + m R²) of the weight, a fifth for a thin disk, and is caught by the other side, all round the rim within
less and less time. When that time is zero the disk lands flat, with e = 0, and rests.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import forces, shapes

RADIUS, THICKNESS, MASS = 0.0375, 0.004, 0.4  # m, m, kg; about those of the toy
GRAVITY = 9.81  # m/s²
ALONG = 0.5 * MASS * RADIUS**2
MU = 100.0  # no slip
INCLINATION = 0.2  # rad
ARM = 0.002 * RADIUS  # ρ, of the rolling resistance [m]


def model(arm: float = ARM, thickness: float = THICKNESS) -> rt.Model:
    """Body disk with its axis along its own z, contact rim with the ground z = 0; `arm` = 0 does without resistance."""
    across = MASS * (RADIUS**2 / 4.0 + thickness**2 / 12.0)
    return rt.Model(
        name="eulers_disk", space="spatial", gravity=(0.0, 0.0, -GRAVITY),
        bodies=[rt.Body("disk", MASS, (across, across, ALONG))],
        forces=[forces.SpinDrag("resistance", "disk", constant=arm * MASS * GRAVITY, slow=0.0)] if arm else [],
        contacts=[rt.Contact("rim", shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0)),
                             shapes.Cylinder("disk", RADIUS, thickness, axis=(0.0, 0.0, 1.0)), law=rt.Poisson(e=0.0, mu=MU))])


def rate(inclination: float, thickness: float = THICKNESS) -> float:
    """Ω of the steady motion with the centre at rest [rad/s]."""
    s, c, d = math.sin(inclination), math.cos(inclination), 0.5 * thickness
    across = MASS * (RADIUS**2 / 4.0 + thickness**2 / 12.0)
    return math.sqrt(MASS * GRAVITY * (RADIUS * c - d * s) / (s * (across * c - ALONG * d / RADIUS * s)))


def thin_rate(inclination: float) -> float:
    """Ω of a disk without thickness."""
    return math.sqrt(4.0 * GRAVITY / (RADIUS * math.sin(inclination)))


def start(inclination: float = INCLINATION, thickness: float = THICKNESS) -> rt.State:
    """Steady motion with the centre at rest above the origin; the disk touches at x > 0."""
    s, c, d = math.sin(inclination), math.cos(inclination), 0.5 * thickness
    spin, tilt = rate(inclination, thickness) * s, 0.5 * inclination
    down, axis = np.array([c, 0.0, -s]), np.array([s, 0.0, c])
    return rt.State(disk={"z": RADIUS * s + d * c, "q": (math.cos(tilt), 0.0, math.sin(tilt), 0.0),
                          "omega": tuple(-spin * (down - d / RADIUS * axis))})


def settling_time(inclination: float = INCLINATION, arm: float = ARM) -> float:
    """Time until a thin disk lies flat, for small angles and little resistance [s]."""
    return 1.5 * RADIUS / arm * math.sqrt(inclination * RADIUS / GRAVITY)


def run(t_end: float = 0.5, arm: float = 0.0, options: rt.Options | None = None) -> rt.Result:
    """The steady motion; with `arm` > 0 the one that settles, and lies flat before 1.2 of `settling_time`."""
    return rt.simulate(model(arm), start(), t_end=t_end, options=options or rt.Options())


def inclination(result: rt.Result) -> np.ndarray:
    """α over time [rad]."""
    return 2.0 * np.arcsin(np.hypot(result["disk.qx"], result["disk.qy"]))


def precession(result: rt.Result) -> np.ndarray:
    """Rate at which the axis goes round the vertical [rad/s]."""
    w, x, y, z = (result[f"disk.q{i}"] for i in "wxyz")
    axis = np.array([2.0 * (x * z + w * y), 2.0 * (y * z - w * x)])  # its horizontal part
    up = 1.0 - 2.0 * (x * x + y * y)
    wx, wy, wz = (result[f"disk.w{i}"] for i in "xyz")
    moves = np.array([wy * up - wz * axis[1], wz * axis[0] - wx * up])
    return (axis[0] * moves[1] - axis[1] * moves[0]) / (axis**2).sum(axis=0)


def figures(folder: Path) -> list[Path]:
    """Inclination, precession and contact force until the disk lies, beside those of a disk whose centre is at rest."""
    import matplotlib.pyplot as plt

    end = settling_time()
    result = run(1.2 * end, ARM)
    rolls = result.t < 0.9 * end
    shrunk = INCLINATION * (1.0 - result.t[rolls] / end) ** 2
    figure, (above, middle, below) = plt.subplots(3, 1, sharex=True, layout="constrained", figsize=(6.4, 6.4))
    above.semilogy(result.t, np.maximum(inclination(result), 1e-7), label="simulated")
    above.semilogy(result.t[rolls], shrunk, "k--", linewidth=0.8, label="centre at rest, small angles")
    above.set(ylabel="inclination [rad]", ylim=(1e-6, 1.0))
    above.legend()
    middle.plot(result.t[rolls], precession(result)[rolls])
    middle.plot(result.t[rolls], [rate(a) for a in shrunk], "k--", linewidth=0.8)
    middle.set_ylabel("precession [rad/s]")
    below.plot(result.t, result["rim.force"] / (MASS * GRAVITY), linewidth=0.5)
    below.axhline(0.2, color="k", linestyle="--", linewidth=0.8)
    below.set(xlabel="t [s]", ylabel="contact force [weight]", ylim=(0.0, 2.0))
    path = Path(folder) / "eulers_disk.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
