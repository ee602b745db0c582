"""The woodpecker toy [leine2001]: a bird on a spring rattles down a pole, and stays where it is if left alone.

Three degrees of freedom: height and angle of the sleeve, which keeps to the pole's axis, and angle of the bird, hinged to
the sleeve by a torsion spring. The sleeve's bore is wider than the pole: tilted far enough, its lower or its upper edge
touches, and friction may hold it there. The bird's swing frees the sleeve, it slides, jams again, and the beak's impact at the
pole sends the bird back. Parameters are those of Glocker's thesis [glocker1995b], as public programmes quote them.

There everything is linear in the angles. Such a model does not change if weight, clearances and motion shrink alike:
`small` shrinks them here, so that `small=1` is the toy with its full geometry and `small` → 0 the published model, but for one
thing: at an impact friction follows the slip here, while Moreau's rule, which those programmes use, takes the slip after it.
At rest the sleeve holds itself if mu exceeds m h / (m_B (l_M + l_G) - m r_M): moments about its centre, m being all mass.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.optimize import brentq

import routh as rt
from routh import forces, joints, shapes
from routh.gallery.claims import Claim

__all__ = ["claims", "cycles", "figures", "hanging", "holding_mu", "model", "run", "start"]

PAPER = "woodpecker"
GRAVITY, MU = 9.81, 0.3
SLEEVE_MASS, SLEEVE_INERTIA, BIRD_MASS, BIRD_INERTIA = 3e-4, 5e-9, 4.5e-3, 7e-7  # kg, kg m²
POLE, BORE, HALF_HEIGHT = 2.5e-3, 3.1e-3, 5.8e-3  # m: radii of pole and bore, half height of the sleeve
HINGE, BIRD = 0.010, 0.015  # m: from the sleeve's centre to the hinge, from there to the bird's mass centre
BEAK = (-0.0201, 0.020)  # m, in the bird's frame
STIFFNESS = 5.6e-3  # N m / rad
SMALL = 1e-3  # small enough for the published digits


def model(small: float = 1.0, mu: float = MU, beak: float = 0.5) -> rt.Model:
    """Bodies sleeve and bird; contacts lower, upper (plastic) and beak, whose restitution is `beak`."""
    reach = HINGE + BIRD + BEAK[0]  # of the beak from the pole's axis, all upright
    bore_wall, beak_wall = (shapes.HalfSpace("ground", normal=(1.0, 0.0), point=(x + small * (POLE - x), 0.0))
                            for x in (BORE, reach))
    lower, upper = (shapes.Disk("sleeve", 0.0, point=(BORE, y)) for y in (-HALF_HEIGHT, HALF_HEIGHT))
    return rt.Model(
        name="woodpecker",
        space="planar",
        gravity=(0.0, -small * GRAVITY),
        bodies=[rt.Body("sleeve", SLEEVE_MASS, SLEEVE_INERTIA), rt.Body("bird", BIRD_MASS, BIRD_INERTIA)],
        joints=[joints.PinInSlot("guide", "ground", "sleeve", axis=(0.0, 1.0)),
                joints.Revolute("hinge", "sleeve", "bird", point_a=(HINGE, 0.0), point_b=(-BIRD, 0.0))],
        forces=[forces.JointSpring("spring", "hinge.angle", stiffness=STIFFNESS)],
        contacts=[rt.Contact("beak", beak_wall, shapes.Disk("bird", 0.0, point=BEAK), law=rt.Newton(e=beak, mu=mu)),
                  rt.Contact("lower", bore_wall, lower, law=rt.Newton(e=0.0, mu=mu)),
                  rt.Contact("upper", bore_wall, upper, law=rt.Newton(e=0.0, mu=mu))],
    )


def start(small: float = 1.0, sleeve: float = -0.1, bird: float = -0.28, fall: float = -0.34, swing: float = -7.5) -> rt.State:
    """Angles [rad] of sleeve and bird, speed of the fall [m/s], angular velocity of the bird [rad/s], all times `small`."""
    return rt.State(guide={"shift": 0.0, "angle": small * sleeve, "shift_rate": small * fall, "angle_rate": 0.0},
                    hinge={"angle": small * (bird - sleeve), "angle_rate": small * swing})


def run(t_end: float = 1.5, small: float = 1.0, mu: float = MU, begin: rt.State | None = None) -> rt.Result:
    """Some cycles from `begin`."""
    options = rt.Options(rtol=1e-10, atol=1e-13 * small)
    return rt.simulate(model(small, mu), begin or start(small), t_end=t_end, options=options)


def cycles(result: rt.Result) -> tuple[np.ndarray, np.ndarray]:
    """Periods [s] between the beak's impacts, and how far the sleeve came down in each [m]."""
    t = result.impacts.t[result.impacts.contact == "beak"]
    y = [result.at(float(x))["sleeve.y"] for x in t]
    return np.diff(t), -np.diff(y)


def hanging(small: float = 1.0) -> rt.State:
    """At rest, jammed by its own weight: the lower edge on the pole, the spring in balance."""
    wall = BORE + small * (POLE - BORE)
    sleeve = math.atan2(HALF_HEIGHT, BORE) - math.acos(wall / math.hypot(BORE, HALF_HEIGHT))
    sag = BIRD_MASS * small * GRAVITY * BIRD / STIFFNESS
    bird = float(brentq(lambda x: x - sleeve + sag * math.cos(x), sleeve - 2.0 * sag, sleeve, xtol=1e-16))
    return start(1.0, sleeve, bird, 0.0, 0.0)


def holding_mu(small: float = 1.0) -> float:
    """The least friction at which the hanging toy holds itself, from its equilibrium."""
    at_rest = hanging(small)
    sleeve = at_rest["guide"]["angle"]
    bird = sleeve + at_rest["hinge"]["angle"]
    edge = (BORE + small * (POLE - BORE), BORE * math.sin(sleeve) - HALF_HEIGHT * math.cos(sleeve))
    mass = SLEEVE_MASS + BIRD_MASS
    # moments about the sleeve's centre, over g: what friction leaves of the bird's is borne by the normal force
    moment = BIRD_MASS * (HINGE * math.cos(sleeve) + BIRD * math.cos(bird)) - mass * edge[0]
    return mass * -edge[1] / moment


def claims() -> list[Claim]:
    """It holds itself, and once set going it comes down in one steady way."""
    mass = SLEEVE_MASS + BIRD_MASS
    linear = mass * HALF_HEIGHT / (BIRD_MASS * (HINGE + BIRD) - mass * BORE)
    stays = [bool(abs(run(0.2, mu=x * holding_mu(), begin=hanging())["sleeve.y"][-1]) < 1e-9) for x in (1.001, 0.999)]
    one, other = (cycles(run(2.5, begin=x)) for x in (start(), start(bird=0.05, fall=0.0, swing=10.0)))
    return [
        Claim(PAPER, "least mu that holds, for small angles: m h / (m_B (l_M + l_G) - m r_M)", linear, holding_mu(SMALL), 1e-4),
        Claim(PAPER, "left alone it stays with 1.001 of the mu that holds, and slides with 0.999", [True, False], stays),
        Claim(PAPER, "one limit cycle from two starts: period [s] and descent [m]", [one[0][-1], one[1][-1]],
              [other[0][-1], other[1][-1]], 1e-6),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The descent, the angles, and the bird's way to its limit cycle from two starts."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import COMPRESS, LIMIT, STICK, save

    figure = Figure(figsize=(8.0, 4.4), layout="constrained")
    axes = figure.subplot_mosaic([["fall", "phase"], ["angles", "phase"]])
    starts = (start(), start(bird=0.05, fall=0.0, swing=10.0))
    for begin, colour, name in zip(starts, (STICK, COMPRESS), ("swinging out", "swinging in"), strict=True):
        result = run(1.2, begin=begin)
        jump = np.flatnonzero(np.diff(result.t) == 0.0) + 1
        angle, rate = (np.insert(result[f"bird.{k}"], jump, np.nan) for k in ("theta", "omega"))
        axes["phase"].plot(np.degrees(angle), rate, color=colour, lw=1.0, label=f"started {name}")
        axes["fall"].plot(result.t, 1e3 * result["sleeve.y"], color=colour, lw=1.4)
    for body, colour in (("sleeve", LIMIT), ("bird", COMPRESS)):
        axes["angles"].plot(result.t, np.degrees(result[f"{body}.theta"]), color=colour, lw=1.2, label=body)
    axes["fall"].set(xlabel="t [s]", ylabel="height [mm]")
    axes["angles"].set(xlabel="t [s]", ylabel="angle [deg]", xlim=(0.7, 1.2))
    axes["angles"].legend(frameon=False, fontsize=8, ncols=2, loc="lower left", bbox_to_anchor=(0.0, 1.0))
    axes["phase"].set(xlabel="bird's angle [deg]", ylabel="bird's angular velocity [rad/s]")
    axes["phase"].legend(frameon=False, fontsize=8, loc="center")
    for ax in axes.values():
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "woodpecker")
