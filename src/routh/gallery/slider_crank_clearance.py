"""A slider-crank whose wrist pin has clearance: the journal of the rod flies, collides and slides in the slider's hole.

The crank turns at constant speed. A journal in a hole that is wider by the radial clearance c is held by nothing but the
hole's wall: its eccentricity never exceeds c. Without friction the wall is exactly a rope of length c between the two
centres, a second model of the same toy. As c → 0 the slider moves as in the ideal mechanism, x = r cos φ + √(l² - r² sin²φ):
its place is off by no more than c / cos β, and its speed by something that goes with √c, for that is what the journal gains
while it flies across the clearance. After a plastic impact the journal swings along the wall, ever faster as c shrinks.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import contacts, joints, profiles
from routh.gallery.claims import Claim
from routh.model.contacts import Unilateral

__all__ = ["claims", "deviation", "eccentricity", "farthest", "figures", "ideal", "model", "run", "start"]

PAPER = "clearance"
CRANK, ROD, JOURNAL = 0.05, 0.12, 0.01  # m: lengths, radius of the journal
SPEED = 2.0 * math.pi * 10.0  # rad/s
CLEARANCE = 5e-4  # m


def model(clearance: float = CLEARANCE, e: float = 0.0, mu: float = 0.0, rope: bool = False) -> rt.Model:
    """Crank, rod and slider; contact "pin" is the journal in its hole, or the rope that stands for both."""
    law = rt.Newton(e=e, mu=mu)
    pin: Unilateral = contacts.bearing("pin", "slider", "rod", JOURNAL, clearance, law, point_b=(0.5 * ROD, 0.0))
    if rope:
        pin = rt.Rope("pin", "slider", "rod", length=clearance, point_b=(0.5 * ROD, 0.0), e=e)
    return rt.Model(
        name="slider_crank_clearance",
        space="planar",
        bodies=[rt.Body("crank", 0.2, 5e-5), rt.Body("rod", 0.1, 0.1 * ROD**2 / 12.0), rt.Body("slider", 0.15, 5e-5)],
        joints=[joints.Revolute("main", "ground", "crank", point_b=(-0.5 * CRANK, 0.0)),
                joints.Revolute("crankpin", "crank", "rod", point_a=(0.5 * CRANK, 0.0), point_b=(-0.5 * ROD, 0.0)),
                joints.Prismatic("bore", "ground", "slider", axis=(1.0, 0.0))],
        drivers=[rt.Driver("motor", "main.angle", profiles.ConstantRate(SPEED))],
        contacts=[pin],
    )


def start() -> rt.State:
    """All in line, journal and hole concentric, speeds those of the ideal mechanism."""
    return rt.State(crankpin={"angle": 0.0, "angle_rate": -SPEED * (1.0 + CRANK / ROD)},
                    bore={"shift": CRANK + ROD, "shift_rate": 0.0})


def run(clearance: float = CLEARANCE, e: float = 0.0, mu: float = 0.0, rope: bool = False, turns: float = 2.0,
        options: rt.Options | None = None) -> rt.Result:
    """The given number of turns of the crank."""
    return rt.simulate(model(clearance, e, mu, rope), start(), t_end=turns * 2.0 * math.pi / SPEED,
                       options=options or rt.Options(rtol=1e-11, atol=1e-13))


def ideal(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, velocity and acceleration of the slider without clearance."""
    s, c = np.sin(SPEED * t), np.cos(SPEED * t)
    root = np.sqrt(ROD**2 - CRANK**2 * s**2)
    slope = -(CRANK**2) * s * c / root  # d root / d angle
    bend = (-(CRANK**2) * (c * c - s * s) - slope**2) / root
    return CRANK * c + root, SPEED * (-CRANK * s + slope), SPEED**2 * (-CRANK * c + bend)


def eccentricity(result: rt.Result) -> np.ndarray:
    """Of the journal in the hole (n, 2) [m]."""
    along = 0.5 * ROD * np.column_stack([np.cos(result["rod.theta"]), np.sin(result["rod.theta"])])
    return (np.column_stack([result["rod.x"] - result["slider.x"], result["rod.y"] - result["slider.y"]]) + along)


def farthest(clearance: float = CLEARANCE) -> float:
    """How far the slider can be from where it would ideally be [m], to first order in the clearance.

    The journal's height is off by at most c, which moves the rod's end by tan β times as much along the bore.
    """
    return clearance / math.sqrt(1.0 - (CRANK / ROD) ** 2)


def deviation(clearance: float) -> tuple[float, float]:
    """Largest deviations of the slider's place [m] and speed [m/s] from the ideal ones."""
    result = run(clearance)
    x, v, _ = ideal(result.t)
    return float(np.abs(result["slider.x"] - x).max()), float(np.abs(result["slider.vx"] - v).max())


def claims() -> list[Claim]:
    """The hole holds the journal, the two models are one, and the clearance goes to zero."""
    wall, rope = run(), run(rope=True)
    wide, narrow = deviation(CLEARANCE), deviation(0.01 * CLEARANCE)
    return [
        Claim(PAPER, "the eccentricity reaches the clearance and never exceeds it, m", CLEARANCE,
              float(np.hypot(*eccentricity(wall).T).max()), 1e-11),
        Claim(PAPER, "impacts on the wall and on the rope: times, s", rope.impacts.t[:4], wall.impacts.t[:4], 1e-9),
        Claim(PAPER, "and their impulses, N s", rope.impacts.p_n[:4], wall.impacts.p_n[:4], 1e-8),
        Claim(PAPER, "the slider stays within c / cos β of its ideal place, for two clearances", [True, True],
              [wide[0] <= 1.01 * farthest(), narrow[0] <= 1.01 * farthest(0.01 * CLEARANCE)]),
        Claim(PAPER, "a hundredth of the clearance, a tenth of the deviation in speed", 0.1, narrow[1] / wide[1], 1e-3),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Acceleration of the slider beside the ideal one, and the journal's orbit in its hole."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import INK, LIMIT, STICK, save

    result = run(options=rt.Options(output=2e-5))
    figure = Figure(figsize=(8.0, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.6, 1.0])
    left.plot(1e3 * result.t, result["slider.ax"], color=STICK, lw=1.2, label="with clearance 0.5 mm (grey: impacts)")
    left.plot(1e3 * result.t, ideal(result.t)[2], "--", color=INK, lw=1.0, label="ideal")
    for t in result.impacts.t:
        left.axvline(1e3 * t, color=LIMIT, lw=0.5)
    left.set(xlabel="t [ms]", ylabel="slider's acceleration [m/s²]")
    left.legend(frameon=False, fontsize=8, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 1.0))
    circle = np.linspace(0.0, 2.0 * math.pi, 181)
    right.plot(1e3 * CLEARANCE * np.cos(circle), 1e3 * CLEARANCE * np.sin(circle), color=LIMIT, lw=0.8)
    right.plot(*(1e3 * eccentricity(result).T), color=STICK, lw=1.0)
    right.set(xlabel="eccentricity x [mm]", ylabel="eccentricity y [mm]", aspect="equal")
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
        ax.title.set_fontsize(9)
    return save(figure, folder, "slider_crank_clearance")
