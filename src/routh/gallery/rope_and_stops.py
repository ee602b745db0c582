"""One-way constraints with closed forms: a rope that becomes taut, a pendulum between end stops, a ball and a racket.

Rope: a ball dropped beside its anchor flies freely until it is one rope's length away. The impact takes the radial velocity:
impulse (1 + e) m v_r, loss (1 - e²) m v_r² / 2; the rest swings on, and an inelastic rope then pulls with m (v² / L + g cos).
Stop: a pendulum falls on a stop with I ω; the stop returns e of it. Impacts follow at shrinking intervals and end in a finite
time if the stop is at a slant.
Racket: a driven racket does not feel the ball. It leaves at V + e (V - v), and the driver pays p V for it.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

import routh as rt
from routh import joints, profiles, shapes
from routh.gallery.claims import Claim

__all__ = ["claims", "figures", "model", "pendulum", "racket", "run", "run_pendulum", "run_racket", "start", "taut"]

PAPER = "one-way"
GRAVITY, MASS = 9.81, 0.2
ROPE, ASIDE = 1.0, 0.6  # m: length, and where the ball is dropped beside the anchor
ROD = 0.5  # m, a slender rod on its pin
RACKET, BALL = 3.0, -4.0  # m/s: speeds at the impact
SHARP = rt.Options(rtol=1e-12, atol=1e-12)


def model(e: float = 0.0) -> rt.Model:
    """A ball tied to the origin."""
    return rt.Model(name="rope", space="planar", gravity=(0.0, -GRAVITY), bodies=[rt.Body("ball", MASS, 1e-4)],
                    contacts=[rt.Rope("rope", "ground", "ball", length=ROPE, e=e)])


def start() -> rt.State:
    """At rest beside the anchor, the rope slack."""
    return rt.State(ball={"x": ASIDE, "y": 0.0})


def run(e: float = 0.0, t_end: float = 2.0, options: rt.Options | None = None) -> rt.Result:
    """The ball falls, the rope catches it, it swings."""
    return rt.simulate(model(e), start(), t_end=t_end, options=options or SHARP)


def taut() -> tuple[float, float, float]:
    """Time at which the rope becomes taut, and the radial and tangential speed then."""
    drop = math.sqrt(ROPE**2 - ASIDE**2)
    speed = math.sqrt(2.0 * GRAVITY * drop)
    return speed / GRAVITY, speed * drop / ROPE, speed * ASIDE / ROPE


def pendulum(e: float = 0.6, stop: float = 0.0) -> rt.Model:
    """A slender rod on pin "pin" that cannot swing below the angle `stop` from the downward vertical."""
    return rt.Model(name="pendulum_with_stop", space="planar", gravity=(0.0, -GRAVITY),
                    bodies=[rt.Body("rod", MASS, MASS * ROD**2 / 12.0)],
                    joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5 * ROD))],
                    contacts=[rt.Stop("stop", "pin.angle", lower=stop, upper=1.5, e=e)])


def run_pendulum(e: float = 0.6, stop: float = 0.0, lift: float = 1.0, t_end: float = 3.0) -> rt.Result:
    """Released at rest at the angle `lift`."""
    begin = rt.State(pin={"angle": lift, "angle_rate": 0.0})
    return rt.simulate(pendulum(e, stop), begin, t_end=t_end, options=SHARP)


def racket(e: float = 0.7) -> rt.Model:
    """A racket driven along x, a ball in its way; no gravity."""
    ball, face = shapes.Disk("ball", 0.03), shapes.HalfSpace("racket", normal=(1.0, 0.0))
    return rt.Model(name="racket", space="planar", bodies=[rt.Body("racket", 0.3, 1e-3), rt.Body("ball", MASS, 1e-4)],
                    joints=[joints.Prismatic("arm", "ground", "racket", axis=(1.0, 0.0))],
                    drivers=[rt.Driver("swing", "arm.shift", profiles.SmoothRamp(rate=RACKET, ramp_time=0.1))],
                    contacts=[rt.Contact("hit", face, ball, law=rt.Newton(e=e, mu=0.0))])


def run_racket(e: float = 0.7, t_end: float = 0.4) -> rt.Result:
    """The racket runs up to speed, then meets the ball."""
    return rt.simulate(racket(e), rt.State(ball={"x": 1.5, "vx": BALL}), t_end=t_end, options=SHARP)


def claims() -> list[Claim]:
    """Impulses, losses and speeds in closed form."""
    t, radial, along = taut()
    e = 0.4
    caught, bounced = run(0.0), run(e, t_end=1.1 * t)
    swing = float(np.hypot(*(caught.at(caught.impacts.t[0])[f"ball.{k}"] for k in ("vx", "vy"))))
    fall = math.sqrt(3.0 * GRAVITY / ROD * (1.0 - math.cos(1.0)))  # rad/s at the bottom
    stopped = run_pendulum()
    struck = run_racket()
    ball_after = RACKET + 0.7 * (RACKET - BALL)
    return [
        Claim(PAPER, "rope: time to taut, s", t, float(caught.impacts.t[0]), 1e-11),
        Claim(PAPER, "rope: impulse m v_r, N s", MASS * radial, float(caught.impacts.p_n[0]), 1e-11),
        Claim(PAPER, "rope: loss m v_r² / 2, J", 0.5 * MASS * radial**2, float(caught.impacts.energy_lost[0]), 1e-11),
        Claim(PAPER, "rope: impulse and loss with e = 0.4", [1.4 * MASS * radial, 0.42 * MASS * radial**2],
              [float(bounced.impacts.p_n[0]), float(bounced.impacts.energy_lost[0])], 1e-11),
        Claim(PAPER, "rope: the speed along the circle is left, m/s", along, swing, 1e-10),
        Claim(PAPER, "stop: moment of impulse (1 + e) I ω, N m s", 1.6 * MASS * ROD**2 / 3.0 * fall,
              float(stopped.impacts.p_n[0]), 1e-11),
        Claim(PAPER, "racket: the ball leaves at V + e (V - v), m/s", ball_after, float(struck["ball.vx"][-1]), 1e-11),
        Claim(PAPER, "racket: the driver pays for the impact and its own run-up, J",
              0.5 * 0.3 * RACKET**2 + RACKET * MASS * (ball_after - BALL), float(struck.energy.drive[-1]), 1e-10),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The ball's path, the pendulum's angle, the speeds at the racket."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import COMPRESS, INK, LIMIT, STICK, save
    from routh.view.plots import draw_channel

    figure = Figure(figsize=(8.0, 4.4), layout="constrained")
    axes = figure.subplot_mosaic([["rope", "stop"], ["rope", "racket"]])
    circle = np.linspace(-math.pi, 0.0, 181)
    axes["rope"].plot(ROPE * np.cos(circle), ROPE * np.sin(circle), color=LIMIT, lw=0.8, ls="--")
    for e, colour in ((0.0, STICK), (0.7, COMPRESS)):
        result = run(e, t_end=1.1)
        axes["rope"].plot(result["ball.x"], result["ball.y"], color=colour, lw=1.5, label=f"e = {e:g}")
    axes["rope"].plot(0.0, 0.0, marker=(3, 0, 0), color=INK, ms=8)
    axes["rope"].set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="ball on a rope")
    axes["rope"].legend(frameon=False, fontsize=8, loc="center")
    swing = run_pendulum()
    axes["stop"].plot(swing.t, np.degrees(swing["pin.angle"]), color=STICK, lw=1.4)
    axes["stop"].set(xlabel="t [s]", ylabel="angle [deg]", title="pendulum on a stop, e = 0.6")
    struck = run_racket()
    for name in ("racket.vx", "ball.vx"):
        draw_channel(axes["racket"], struck, name)
    axes["racket"].set(xlabel="t [s]", ylabel="speed [m/s]", title="driven racket, e = 0.7")
    axes["racket"].legend(["racket", "ball"], frameon=False, fontsize=8, loc="lower right")
    for ax in axes.values():
        ax.spines[["top", "right"]].set_visible(False)
        ax.title.set_fontsize(9)
    return save(figure, folder, "rope_and_stops")
