"""One ball, six compliant laws: what restitution they give, and how that depends on speed.

A ball strikes a wall head-on, nothing else acts. Under every law k d^n (1 + chi d') the equation m v dv = -F dd separates, and
since the depth is zero at touch and at release, with x = v / v0 and b = chi v0,

    ∫ x dx / (1 + b x) from -e to 1 = 0,  or  e = (1 + W(-(1 + b) exp(-1 - b))) / b

with Lambert's W: stiffness, exponent and mass do not matter, only b does. Spring and damper, cut where the force comes to
zero, have e = exp(-2 a / tan a) with cos a = c / (2 √(k m)), at every speed. Hertz's elastic impact has the greatest depth
d = (5 m v0² / (4 k))^(2/5) and lasts 4/5 B(2/5, 1/2) d / v0.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.special import beta, lambertw

import routh as rt
from routh import compliant, shapes
from routh.gallery.claims import Claim
from routh.model.compliant import NormalLaw

__all__ = ["claims", "figures", "laws", "model", "obtained", "run", "start"]

PAPER = "compliant-impact"
MASS, RADIUS, WANTED, SPEED, GAP = 0.26, 0.02, 0.7, 1.0, 1e-3  # kg, m, -, m/s, m
STIFFNESS = compliant.hertz_stiffness((RADIUS, math.inf), (2.1e11, 2.1e11), (0.3, 0.3))  # steel ball on a steel wall
SPRING = 1.5e8  # N/m, of the linear laws: about as hard at 1 m/s
SHARP = rt.Options(rtol=1e-11, atol=1e-14)


def laws(e: float = WANTED, speed: float = SPEED) -> dict[str, NormalLaw]:
    """The laws by name, made for a restitution e at a speed of approach."""
    return {
        "Hertz": compliant.Hertz(STIFFNESS),
        "linear": compliant.Linear.for_restitution(SPRING, e, MASS),
        "Khulief-Shabana": compliant.KhuliefShabana(SPRING, e, MASS),
        "Hunt-Crossley": compliant.HuntCrossley.for_restitution(STIFFNESS, e, speed),
        "Lankarani-Nikravesh": compliant.LankaraniNikravesh(STIFFNESS, e),
        "Flores": compliant.Flores(STIFFNESS, e),
    }


def model(law: NormalLaw | None = None) -> rt.Model:
    """A steel ball in front of a wall, in the plane."""
    law = law if law is not None else compliant.Hertz(STIFFNESS)
    wall = shapes.HalfSpace("ground", normal=(1.0, 0.0))
    return rt.Model(name="compliant_impact", space="planar",
                    bodies=[rt.Body("ball", MASS, 0.4 * MASS * RADIUS**2)],
                    contacts=[rt.Contact("wall", wall, shapes.Disk("ball", RADIUS), law=rt.Compliant(law))])


def start(speed: float = SPEED) -> rt.State:
    """A millimetre in front of the wall, on its way."""
    return rt.State(ball={"x": RADIUS + GAP, "vx": -speed})


def run(law: NormalLaw | None = None, speed: float = SPEED, samples: int = 400) -> rt.Result:
    """One impact, sampled evenly from first touch until well after the release."""
    law = law if law is not None else compliant.Hertz(STIFFNESS)
    arrives, lasts = GAP / speed, hertz(speed)[1]
    times = np.linspace(arrives, arrives + 3.0 * lasts, samples)
    return rt.simulate(model(law), start(speed), t_end=float(times[-1]), options=replace(SHARP, output=times))


def hertz(speed: float) -> tuple[float, float]:
    """(peak force, duration) of the elastic impact."""
    depth = (1.25 * MASS * speed**2 / STIFFNESS) ** 0.4
    return STIFFNESS * depth**1.5, 0.8 * float(beta(0.4, 0.5)) * depth / speed


def lambert(b: float) -> float:
    """e of the laws k d^n (1 + chi d') with b = chi v0."""
    return float((1.0 + lambertw(-(1.0 + b) * math.exp(-1.0 - b)).real) / b)


def obtained(law: NormalLaw, speed: float) -> float:
    """The restitution of a run."""
    return float(run(law, speed, 2).touches.e[0])


def claims() -> list[Claim]:
    """Closed forms beside runs."""
    made = laws()
    elastic = run(speed=SPEED, samples=3001)
    force, lasts = hertz(SPEED)
    crossley = made["Hunt-Crossley"]
    assert isinstance(crossley, compliant.HuntCrossley)
    speeds, wanted = (0.1, 0.5, 1.0, 2.0, 10.0), (0.1, 0.5, 0.9)
    damper = made["linear"]
    assert isinstance(damper, compliant.Linear)
    angle = math.acos(damper.c / (2.0 * math.sqrt(SPRING * MASS)))
    return [
        Claim(PAPER, "duration of the elastic impact of a 20 mm steel ball at 1 m/s, ms", 1e3 * lasts,
              1e3 * float(elastic.touches.duration[0]), 1e-9),
        Claim(PAPER, "its peak force, kN", 1e-3 * force, 1e-3 * float(elastic["wall.force"].max()), 1e-5 * force * 1e-3,
              note="the largest of 3001 samples is within (π/1000)²/8 of the peak"),
        Claim(PAPER, "restitution of Hunt and Crossley at five speeds, by Lambert's W",
              [lambert(crossley.chi * v) for v in speeds], [obtained(crossley, v) for v in speeds], 1e-8),
        Claim(PAPER, "the damping made for e = 0.7 at 1 m/s gives it", WANTED, obtained(crossley, SPEED), 1e-8),
        Claim(PAPER, "restitution of spring and damper, the same at 0.1 and 10 m/s",
              [math.exp(-2.0 * angle / math.tan(angle))] * 2, [obtained(damper, v) for v in (0.1, 10.0)], 1e-8),
        Claim(PAPER, "Lankarani-Nikravesh with e = 0.1, 0.5, 0.9 gives", [lambert(0.75 * (1.0 - e * e)) for e in wanted],
              [obtained(compliant.LankaraniNikravesh(STIFFNESS, e), SPEED) for e in wanted], 1e-8),
        Claim(PAPER, "Flores with e = 0.1, 0.5, 0.9 gives", [lambert(1.6 * (1.0 - e) / e) for e in wanted],
              [obtained(compliant.Flores(STIFFNESS, e), SPEED) for e in wanted], 1e-8),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Loops of force over depth, restitution over speed, restitution obtained over wanted."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import LIMIT, SHADES, save

    figure = Figure(figsize=(10.5, 3.6), layout="constrained")
    loops, over_speed, over_e = figure.subplots(1, 3)
    speeds, wanted = np.geomspace(0.02, 20.0, 60), np.linspace(0.02, 1.0, 50)
    for shade, (name, law) in zip(SHADES, laws().items(), strict=True):
        result = run(law)
        pressed = result["wall.mode"] > 0
        loops.plot(1e6 * result["wall.depth"][pressed], 1e-3 * result["wall.force"][pressed], color=shade, lw=1.3)
        over_speed.semilogx(speeds, [law.restitution(v, MASS) for v in speeds], color=shade, lw=1.3, label=name)
        over_speed.plot([0.1, 1.0, 10.0], [obtained(law, v) for v in (0.1, 1.0, 10.0)], "o", color=shade, ms=4)
        if name != "Hertz":
            over_e.plot(wanted, [laws(e)[name].restitution(SPEED, MASS) for e in wanted], color=shade, lw=1.3)
    over_e.plot([0.0, 1.0], [0.0, 1.0], ":", color=LIMIT, lw=0.8)
    loops.set(xlabel="depth [µm]", ylabel="normal force [kN]", title="e = 0.7 wanted, 1 m/s")
    over_speed.set(xlabel="speed of approach [m/s]", ylabel="restitution obtained [-]", ylim=(0.0, 1.05),
                   title="lines: closed form; dots: runs")
    over_e.set(xlabel="restitution wanted [-]", ylabel="restitution obtained [-]", xlim=(0.0, 1.0), ylim=(0.0, 1.05),
               title="1 m/s; linear and Hunt-Crossley are exact")
    over_speed.legend(frameon=False, fontsize=7, loc="lower left")
    for ax in (loops, over_speed, over_e):
        ax.spines[["top", "right"]].set_visible(False)
        ax.title.set_fontsize(9)
    return save(figure, folder, "compliant_impact")
