"""Lötstedt's rod in motion: it slides, jams, has an impact without approach and leaves the ground [han1994].

What `han_rod` says of an instant, simulated: the rod leans at θ on its tip and slides to the left, r = l/k = 4, l = 1 m, 1 kg.

| start | what happens |
|---|---|
| 60° | slides on |
| 60°, ω = 4 rad/s | lifts off |
| 75° | sliding is inconsistent: a tangential impact at once |
| 75°, ω = 4 rad/s | indeterminate: the tip opens, staying closed was the alternative |
| 72°, friction that grows as the slip slows down | slides into the inconsistent range, then a tangential impact |

Constant friction lets a rod enter the range only at its rim, where N and D vanish together; a falling friction curve carries
it in with N > 0, and the normal force N / D grows beyond bounds before the impact.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

import routh as rt
from routh import friction, shapes
from routh.analysis.painleve import denominator
from routh.gallery.claims import Claim
from routh.gallery.han_rod import PAPER, G, closed_form_loss, rod

MU, R, LENGTH, MASS = 0.55, 4.0, 1.0, 1.0  # friction, l/k, l [m] from mass centre to tip, [kg]
BRAKING = friction.Stribeck(static=0.6, kinetic=0.45, speed=1.0)
SHARP = rt.Options(rtol=1e-12, atol=1e-13)
ELASTICITIES = (0.0, 0.25, 0.5, 0.75, 1.0)


def model(e: float = 0.5, mu: float | friction.Friction = MU, r: float = R, rule: Any = None) -> rt.Model:
    """The rod on its sharp tip; contact "tip" pushes the rod, x to the right. `rule`: an impact law other than Poisson's."""
    tip = shapes.Disk("rod", radius=0.0, point=(-LENGTH, 0.0))
    return rt.Model(
        name="sliding_rod", space="planar", gravity=(0.0, -G), bodies=[rt.Body("rod", MASS, MASS * (LENGTH / r) ** 2)],
        contacts=[rt.Contact("tip", shapes.HalfSpace("ground", normal=(0.0, 1.0)), tip, law=rule or rt.Poisson(e=e, mu=mu))],
    )  # fmt: skip


def start(degrees: float = 75.0, omega: float = 0.0, slip: float = 1.0) -> rt.State:
    """On the ground at an angle, the tip sliding to the left at `slip` [m/s]."""
    s, c = LENGTH * math.sin(math.radians(degrees)), LENGTH * math.cos(math.radians(degrees))
    return rt.State(rod={"y": s, "theta": math.radians(degrees), "vx": -slip - s * omega, "vy": c * omega, "omega": omega})


def run(degrees: float = 75.0, omega: float = 0.0, slip: float = 1.0, e: float = 0.5, mu: float | friction.Friction = MU,
        r: float = R, t_end: float = 0.1, options: rt.Options | None = None, rule: Any = None) -> rt.Result:
    """The rod from one of these starts."""
    return rt.simulate(model(e, mu, r, rule), start(degrees, omega, slip), t_end=t_end, options=options or SHARP)


def brake(e: float = 0.5, degrees: float = 72.0, slip: float = 3.0, t_end: float = 0.1,
          options: rt.Options | None = None) -> rt.Result:
    """The rod that slides into the inconsistent range."""
    return run(degrees, slip=slip, e=e, mu=BRAKING, t_end=t_end, options=options)


def percent_loss(e: float, mu: float = MU) -> float:
    """Percent of the kinetic energy that the tangential impact at 75° takes, from the ledger."""
    result = run(e=e, mu=mu, t_end=0.01)
    return float(100.0 * result.impacts[0].energy_lost / result.energy["kinetic"][0])


def claims() -> list[Claim]:
    """The paper's impact and its classes, met in simulations."""
    struck, slid, lifted, torn = run(), run(60.0), run(60.0, omega=4.0), run(75.0, omega=4.0)
    hit = struck.impacts[0]
    braked = brake()
    jam = braked.impacts[0]
    before = braked.at(jam.t, side="left")
    rim = denominator(rod(before["rod.theta"], R), jam.mu, -1.0)
    return [
        Claim(PAPER, "simulated from 75°: percent energy loss for e = 0, .25, .5, .75, 1",
              [12.187039822, 11.817735585, 10.709822874, 8.863301689, 6.278172029],
              [percent_loss(e) for e in ELASTICITIES], 5e-9),
        Claim(PAPER, "simulated from 75°: the loss does not depend on μ", True,
              bool(np.ptp([percent_loss(0.5, mu) for mu in (0.53, 0.55, 0.8, 1.2)]) < 1e-12)),
        Claim(PAPER, "simulated from 75°: events at the start", ["painleve", "impact"], list(struck.events["kind"][:2])),
        Claim(PAPER, "simulated from 75°: class of the impact", "tangential", hit["class"]),
        Claim(PAPER, "simulated from 75°: P_x, P_y, v_py'", [0.1514147372, 0.3529411765, 0.12556344],
              [hit.p_t, hit.p_n, hit.v_after[0]], 5e-9),
        Claim(PAPER, "simulated from 75°: the tip leaves the ground", True, bool(struck["tip.gap"].max() > 1e-4)),
        Claim(PAPER, "simulated from 60°: slides on, normal force at first, N", 8.24724433, float(slid["tip.force"][0]), 5e-9),
        Claim(PAPER, "simulated from 60°: impacts", 0, len(slid.impacts)),
        Claim(PAPER, "simulated from 60° with ω = 4: lifts off without impact", True,
              bool(np.all(lifted["tip.gap"][1:] > 0.0)) and not len(lifted.impacts)),
        Claim(PAPER, "simulated from 75° with ω = 4: first event", "choice", str(torn.events["kind"][0]),
              note="the paper leaves this class out"),
        Claim(PAPER, "simulated into the range: kind of the impact", "tangential impact", jam.kind),
        Claim(PAPER, "simulated into the range: sliding denominator when it comes", 0.0, rim, 1e-5),
        Claim(PAPER, "simulated into the range: energy lost, J, by the closed form at that angle and slip",
              0.005 * closed_form_loss(before["rod.theta"], R, 0.5) * MASS * jam.v_before[1] ** 2, jam.energy_lost, 1e-12),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """The tip after the tangential impact, the force before one, and the loss over e."""
    from matplotlib.figure import Figure

    from routh.view import impact_figures as draw

    figure = Figure(figsize=(12.0, 3.4), layout="constrained")
    hop, force, loss = figure.subplots(1, 3)
    for e in ELASTICITIES:
        result = run(e=e, t_end=0.12)
        hop.plot(result.t, 1e3 * result["tip.gap"], label=f"e = {e:g}")
    hop.set(title="started at 75°", xlabel="t [s]", ylabel="height of the tip [mm]", ylim=(-0.1, 4.8))
    hop.legend(frameon=False, fontsize=8, ncols=3, loc="upper left")

    result = brake()
    sliding = result.t < result.impacts[0].t
    force.plot(result.t[sliding], result["tip.force"][sliding])
    force.axvline(result.impacts[0].t, color="0.6", lw=0.8, ls="--")
    force.set(title="slides from 72° into the range", xlabel="t [s]", ylabel="normal force [N]", ylim=(0.0, None))
    force.locator_params(axis="x", nbins=4)

    fine = np.linspace(0.0, 1.0, 101)
    loss.plot(fine, [closed_form_loss(math.radians(75.0), R, e) for e in fine], label="closed form")
    loss.plot(ELASTICITIES, [percent_loss(e) for e in ELASTICITIES], "o", label="simulated")
    loss.set(title="tangential impact at 75°", xlabel="restitution e", ylabel="energy lost [%]", ylim=(0.0, None))
    loss.legend(frameon=False, fontsize=8)
    return draw.save(figure, folder, "sliding_rod")
