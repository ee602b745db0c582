"""The tippe top: a ball with its mass centre off the middle turns upside down, and one integral survives all friction.

A ball of radius R has its mass centre G a distance a from its middle, inertia C about the line through both, the axis n, and A
across it. The table acts at the touching point only, at r = a n - R z from G. The axis is one of symmetry, so L · (ω × n) = 0,
and Jellett's integral

    J = L · (R z - a n)

stays what it is, whatever the friction does. Friction takes energy, at most until it is least for this J. Least at an
inclination θ of the axis is, with G at rest,

    E(θ) = m g (R - a cos θ) + J² / (2 (A R² sin² θ + C (R cos θ - a)²)).

A fast top with 1 - a/R < A/C < 1 + a/R has the maximum at θ = 0 and the minimum at θ = π [ueda2005]: it turns over, lifts its
mass centre by 2 a, and spins on at (R - a) / (R + a) of the old rate, in the same sense about the vertical.

With Coulomb's friction at a point it does not: slip ends within tenths of a second, the ball rolls and loses nothing more. A
ball touches in a small spot, and while it spins there, friction against a slow slip is weak and never holds [leine2003].
`friction.Fading` is that friction.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import friction, shapes

RADIUS, OFFSET, MASS = 0.02, 0.003, 0.02  # R, a [m], m [kg]
GRAVITY = 9.81  # m/s²
ALONG = ACROSS = 0.4 * MASS * RADIUS**2  # C and A [kg m²]
SPIN = 150.0  # rad/s
TILT = 0.1  # rad, of the axis at the start
FRICTION, FADE = 0.3, 0.075  # mu, and the slip below which it fades: spin times a spot of half a millimetre [m/s]


def model(mu: float | friction.Friction | None = None) -> rt.Model:
    """Body top with its axis along its own z, contact tip with the ground z = 0; friction of a spot unless `mu` is given."""
    mu = friction.Fading(FRICTION, FADE) if mu is None else mu
    return rt.Model(
        name="tippe_top", space="spatial", gravity=(0.0, 0.0, -GRAVITY),
        bodies=[rt.Body("top", MASS, (ACROSS, ACROSS, ALONG))],
        contacts=[rt.Contact("tip", shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0)),
                             shapes.Sphere("top", RADIUS, point=(0.0, 0.0, OFFSET)), law=rt.Poisson(e=0.0, mu=mu))])


def start(spin: float = SPIN, tilt: float = TILT) -> rt.State:
    """On the table, the mass centre low and at rest, turning about the axis."""
    return rt.State(top={"z": RADIUS - OFFSET * math.cos(tilt), "q": (math.cos(0.5 * tilt), 0.0, math.sin(0.5 * tilt), 0.0),
                         "omega_body": (0.0, 0.0, spin)})


def run(t_end: float = 4.0, spin: float = SPIN, mu: float | None = None, options: rt.Options | None = None) -> rt.Result:
    """From the start until the top spins upside down; with a number `mu` it does not get there."""
    return rt.simulate(model(mu), start(spin), t_end=t_end, options=options or rt.Options())


def axis(result: rt.Result) -> np.ndarray:
    """(n, 3) unit vectors from the mass centre to the ball's centre."""
    w, x, y, z = (result[f"top.q{i}"] for i in "wxyz")
    return np.column_stack([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)])


def inclination(result: rt.Result) -> np.ndarray:
    """θ over time: 0 as it stands, π upside down [rad]."""
    w, x, y, z = (result[f"top.q{i}"] for i in "wxyz")
    return 2.0 * np.arctan2(np.hypot(x, y), np.hypot(w, z))


def jellett(result: rt.Result) -> np.ndarray:
    """Jellett's integral over time [kg m³/s]."""
    n, omega = axis(result), np.column_stack([result[f"top.w{i}"] for i in "xyz"])
    momentum = ACROSS * omega + (ALONG - ACROSS) * (omega * n).sum(axis=1)[:, None] * n
    return (momentum * ((0.0, 0.0, RADIUS) - OFFSET * n)).sum(axis=1)


def least_energy(theta: np.ndarray, integral: float) -> np.ndarray:
    """E(θ): the least energy at an inclination for a value of Jellett's integral [J]."""
    inertia = ACROSS * (RADIUS * np.sin(theta)) ** 2 + ALONG * (RADIUS * np.cos(theta) - OFFSET) ** 2
    return MASS * GRAVITY * (RADIUS - OFFSET * np.cos(theta)) + 0.5 * integral**2 / inertia


def rising_spin() -> float:
    """Spin above which the top does not stay upright: there E(θ) has its maximum at θ = 0 [rad/s]."""
    low = RADIUS - OFFSET
    return low * math.sqrt(MASS * GRAVITY * OFFSET / (RADIUS * (ACROSS * RADIUS - ALONG * low)))


def turning_spin() -> float:
    """Spin at the start above which the top stays upside down: there E(θ) has its minimum at θ = π [rad/s]."""
    high = RADIUS + OFFSET
    after = high * math.sqrt(MASS * GRAVITY * OFFSET / (RADIUS * (ALONG * high - ACROSS * RADIUS)))
    return after * high / (RADIUS - OFFSET)


def figures(folder: Path) -> list[Path]:
    """Inclination, spin, and the energy between its bounds."""
    import matplotlib.pyplot as plt

    figure, (above, middle, below) = plt.subplots(3, 1, sharex=True, layout="constrained", figsize=(6.4, 6.4))
    for mu, label in ((None, "spot"), (FRICTION, "point")):
        result = run(mu=mu)
        above.plot(result.t, np.degrees(inclination(result)), label=f"friction of a {label}")
        middle.plot(result.t, result["top.wz"])
        if mu is None:
            below.plot(result.t, 1e3 * result.energy["total"], label="energy")
            below.plot(result.t, 1e3 * least_energy(inclination(result), jellett(result)[0]), "k--", linewidth=0.8,
                       label="least at this inclination")
    above.set_ylabel("inclination [deg]")
    above.legend()
    middle.set_ylabel("spin about z [rad/s]")
    below.set(xlabel="t [s]", ylabel="energy [mJ]")
    below.legend()
    path = Path(folder) / "tippe_top.png"
    figure.savefig(path)
    plt.close(figure)
    return [path]
