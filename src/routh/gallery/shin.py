"""A tracked vehicle drives off [shin]: contact modules between links, wheels, sprocket teeth and ground.

The paper prints bodies and links, mu = 0.1, the sprocket's 4.796 rad/s, the form of its contact laws and a few sentences on its
Figs 5-11. All other parameters are ours (`routh.vehicles.excavator`), and three agreements are designed in by them: the speed,
by pitch and teeth; the vibration's frequency, which follows from both; the instant at which body 39 leaves the last roller, by
where the chain begins to be counted. The acceleration and the time to full speed are not: they follow from mu and g.

The printed friction, F_x = -mu F_y, has one sign for ever. Taken literally it is a constant push.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

import routh as rt
from routh.gallery.claims import Claim
from routh.vehicles import excavator
from routh.vehicles.tracked import OPTIONS

__all__ = ["claims", "figures", "frequency", "literal", "model", "run", "start"]

PAPER = "shin"
BODY_39 = "link27"  # ground, chassis, sprocket, idler and 8 rollers come before link 1
COLUMN = 26  # of link27 among the links
LOWER = tuple(f"roller{i}" for i in range(1, 8))
ROLLER_SPACING = 0.33  # m
SPEED = 1.4026  # m/s, 10.5 links of 0.175 m per turn at 4.796 rad/s
HURRICANE = -1e3  # m/s, of the ground: every shoe slides to the right of it, whatever it does


def model() -> rt.Model:
    """The excavator, driven at 4.796 rad/s within 0.1 s."""
    return excavator.vehicle().model()


def start() -> rt.State:
    """At rest on the ground."""
    return excavator.settled()


def run(t_end: float = 5.0, options: rt.Options | None = None) -> rt.Result:
    """The vehicle from rest."""
    return rt.simulate(model(), start(), t_end, options=options or dataclasses.replace(OPTIONS, output=0.002))


def literal(t_end: float = 5.0) -> rt.Result:
    """The same with F_x = -mu F_y on every shoe for ever: the ground is swept to the left faster than anything moves."""
    swept = model().replace({"track.shoes.belt": HURRICANE})
    return rt.simulate(swept, start(), t_end, options=dataclasses.replace(OPTIONS, output=0.01))


def roller_force(result: rt.Result) -> np.ndarray:
    """Force of the lower rollers on body 39 [N]."""
    return sum((result[f"track.{roller}.force"][:, COLUMN] for roller in LOWER), np.zeros(len(result.t)))


def contact_force(result: rt.Result) -> np.ndarray:
    """All that rollers, idler and ground press on body 39 [N]."""
    return (roller_force(result) + result["track.roller8.force"][:, COLUMN] + result["track.idler.force"][:, COLUMN]
            + result["track.ground.force"][:, COLUMN])


def silence(t: np.ndarray, force: np.ndarray) -> float:
    """Begin of the longest time without force that follows a force [s]."""
    pressed = t[force > 0.0]
    pauses = np.diff(pressed, append=t[-1])
    return float(pressed[np.argmax(pauses)])


def frequency(result: rt.Result, name: str = "chassis.omega", after: float = 2.0) -> float:
    """Frequency of the strongest vibration of a channel from `after` on [Hz]."""
    t = np.arange(after, result.t[-1], 1e-3)
    x = np.interp(t, result.t, result[name])
    window = np.hanning(len(t))
    strength = np.abs(np.fft.rfft((x - x.mean()) * window, 2**16))
    k = int(np.argmax(strength))
    # the peak of a parabola through the three highest lines
    a, b, c = np.log(strength[k - 1:k + 2])
    return float((k + 0.5 * (a - c) / (a - 2.0 * b + c)) / (2**16 * 1e-3))


def claims() -> list[Claim]:
    """Every statement of the paper that can be checked; `note` says where agreement is designed in."""
    result, swept = run(), literal()
    t, speed, pitch = result.t, result["chassis.vx"], result["chassis.omega"]
    early = (t >= 0.3) & (t <= 1.2)
    rolled, grounded = t[roller_force(result) > 0.0], t[result["track.ground.force"][:, COLUMN] > 0.0]
    apart = max(abs(rolled[0] - grounded[0]), abs(rolled[-1] - grounded[-1]))
    return [
        Claim(PAPER, "bodies with the ground, and links of the track", [54, 42],
              [len(model().bodies) + 1, len(model().tracks[0].links)], note="designed in"),
        Claim(PAPER, "Fig 6: 4.796 rad/s correspond to about 1.4 m/s: mean speed after 2 s, m/s", 1.4,
              float(speed[t > 2.0].mean()), 0.05, note="designed in: pitch and teeth are chosen for it"),
        Claim(PAPER, "Fig 6: speed is constant after about 1.5 s: time to 98 % of it, s", 1.5,
              float(t[np.argmax(speed > 0.98 * SPEED)]), 0.1, note="from mu, g and the speed: 1.375 / 0.981 s and the ramp"),
        Claim(PAPER, "Fig 6: mu = 0.1 limits the acceleration to mu g, m/s²", 0.981,
              float(np.polyfit(t[early], speed[early], 1)[0]), 0.01, note="mu of the paper, nothing chosen"),
        Claim(PAPER, "Fig 7: the pitch rate calms down after a transient", True,
              bool(np.abs(pitch[t < 1.5]).max() > 1.2 * np.abs(pitch[t > 2.0]).max()),
              note="by how much depends on stiffness and damping, which are ours"),
        Claim(PAPER, "Fig 7: but goes on vibrating with the links that pass: frequency, Hz", SPEED / 0.175,
              frequency(result), 0.05, note="designed in: speed over pitch"),
        Claim(PAPER, "Figs 9, 10: rollers and ground press on body 39 in the same time: ends differ by, s",
              0.0, float(apart), 0.5 * ROLLER_SPACING / SPEED, note="to half the time from roller to roller"),
        Claim(PAPER, "Fig 10: after about 2.5 s neither rollers nor idler nor ground press on it: from, s", 2.5,
              silence(t, contact_force(result)), 0.1, note="designed in: the chain is counted from where this comes out"),
        Claim(PAPER, "friction as printed, F_x = -mu F_y: speed at 5 s, m/s", 1.4, float(swept["chassis.vx"][-1]), 0.05,
              note="one sign for ever is a constant push of mu times the weight: the vehicle goes backwards, faster and "
                   "faster, by mu g. Friction must oppose the sliding of each shoe; the other claims take it so",
              unreproducible=True),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Figs 5-10: the six curves. Fig 11: the vehicle at six instants."""
    from routh.view import impact_figures as draw

    result = run()
    return [*draw.save(_curves(result), folder, "shin_fig5_10"), *draw.save(_frames(result), folder, "shin_fig11")]


def _curves(result: rt.Result) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 8.4), layout="constrained")
    panels = figure.subplots(3, 2, sharex=True).ravel()
    shown = [
        ("Fig. 5: chassis", "height [m]", result["chassis.y"]),
        ("Fig. 6: chassis", "forward speed [m/s]", result["chassis.vx"]),
        ("Fig. 7: chassis", "pitch rate [rad/s]", result["chassis.omega"]),
        ("Fig. 8: body 39, a link", "angular velocity [rad/s]", result[f"{BODY_39}.omega"]),
        ("Fig. 9: body 39, a link", "height [m]", result[f"{BODY_39}.y"]),
        ("Fig. 10: wheels and ground on body 39", "contact force [kN]", 1e-3 * contact_force(result)),
    ]
    for axis, (title, label, values) in zip(panels, shown, strict=True):
        axis.plot(result.t, values, lw=0.8)
        axis.set(title=title, xlabel="t [s]", ylabel=label)
        axis.grid(alpha=0.3)
    panels[1].axhline(SPEED, color="k", lw=0.6, ls=":")
    return figure


def _frames(result: rt.Result) -> Any:
    from matplotlib.figure import Figure

    from routh.view.tracks import draw_track

    figure = Figure(figsize=(11.0, 7.6), layout="constrained")
    vehicle = model()
    for axis, t in zip(figure.subplots(3, 2).ravel(), range(6), strict=True):
        sample = int(np.searchsorted(result.t, t - 1e-9))
        draw_track(axis, vehicle, result, sample)
        middle = result["chassis.x"][sample]
        axis.plot(result[f"{BODY_39}.x"][sample], result[f"{BODY_39}.y"][sample], "o", color="tab:red", ms=4)
        axis.plot(middle, result["chassis.y"][sample], "+", color="k")
        axis.set(title=f"Fig. 11: t = {t} s, body 39 in red", xlabel="x [m]", ylabel="y [m]",
                 xlim=(middle - 2.0, middle + 3.5), ylim=(-0.1, 3.0))
    return figure
