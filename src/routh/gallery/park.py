"""The three examples of [park]: a ball on the floor, two pendulums, a ball and a bat. Newton's law, stick test first.

The paper solves an impact as stick, and as sliding on where that asks for more friction than mu_s p_N: `form="algebraic"`.

Ball (Table 1): dropped from 10 m with a spin. The first impact stops the slip, so the second impact finds no slip.

Two pendulums (Table 2; gravity along +x): pins at (0, 0) and (0, 0.3), mass centres 0.5 m from them along body x, inertias
about the mass centres, -1.571 rad read as -π/2. The text does not say along which body axis the ellipse of body 2 is long;
`major` is "y" or "x". Neither gives the printed instant of contact. Restitution and friction are not printed and taken from
the other examples.

Ball and bat (Table 3, no gravity): the bat is a cylinder along X, pinned about Z at the origin; its length is not printed and
plays no part. The ball strikes its side. The paper's stick stops the slip along its own direction only; an impact without slip
(z = 0 and no spin) has none, and then there is no friction.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

import routh as rt
from routh import joints, shapes
from routh.gallery.claims import Claim

PAPER = "park"
SAME = "an independent solution of the same equations"
GRAVITY = 9.81  # m/s²
E, MU, MU_S = 0.8, 0.3, 0.35

HEIGHT, SPIN = 10.0, 1.0  # of the dropped ball, m and rad/s
ARM = 0.5  # m, from the pins to the mass centres
LONG, SHORT = 0.3, 0.1  # m, semi-axes of the ellipse
BAT_LENGTH, BAT_RADIUS, BALL_RADIUS = 1.0, 0.06, 0.05  # m
ALOFT = 0.1  # m, height of the pitched ball over the bat's axis

SHARP = rt.Options(rtol=1e-13, atol=1e-13)
RATIOS = tuple(0.01 * i for i in range(11))  # m, the heights of Fig. 12


def law(e: float = E, mu: float = MU, mu_s: float | None = None) -> rt.Newton:
    """The paper's law; mu_s keeps its ratio to mu unless given."""
    return rt.Newton(e=e, mu=mu, mu_s=mu * MU_S / MU if mu_s is None else mu_s, form="algebraic")


def ball(rule: Any = None) -> rt.Model:
    """Example 1: a disk over the floor; contact "bounce" pushes the ball."""
    return rt.Model(
        name="park_ball", space="planar", gravity=(0.0, -GRAVITY),
        bodies=[rt.Body("ball", 1.0, 0.4)],
        contacts=[rt.Contact("bounce", shapes.HalfSpace("ground", normal=(0.0, 1.0)), shapes.Disk("ball", radius=0.2),
                             law=rule or law())],
    )  # fmt: skip


def drop(spin: float = SPIN, height: float = HEIGHT, t_end: float = 5.0, options: rt.Options | None = None,
         rule: Any = None) -> rt.Result:
    """The ball let go with a spin; `rule` is an impact law other than the paper's."""
    return rt.simulate(ball(rule), rt.State(ball={"y": height, "omega": spin}), t_end=t_end, options=options or rt.Options())


def pendulums(rule: Any = None, major: str = "y") -> rt.Model:
    """Example 2: body1 with a disk, body2 with an ellipse that is long along its `major` axis; contact "hit" pushes body2."""
    if major not in ("x", "y"):
        raise rt.errors.ModelError(f'park: major = {major!r} is neither "x" nor "y"')
    axes = (LONG, SHORT) if major == "x" else (SHORT, LONG)
    return rt.Model(
        name="park_pendulums", space="planar", gravity=(GRAVITY, 0.0),
        bodies=[rt.Body("body1", 1.0, 0.3), rt.Body("body2", 2.0, 1.0)],
        joints=[joints.Revolute("pin1", "ground", "body1", point_b=(-ARM, 0.0)),
                joints.Revolute("pin2", "ground", "body2", point_a=(0.0, 0.3), point_b=(-ARM, 0.0))],
        contacts=[rt.Contact("hit", shapes.Disk("body1", radius=0.1), shapes.Ellipse("body2", axes=axes), law=rule or law())],
    )  # fmt: skip


def swing(major: str = "y", e: float = E, angle: float = -0.5 * math.pi, t_end: float = 0.8, options: rt.Options | None = None,
          rule: Any = None, hanging: float = 0.0) -> rt.Result:
    """Body 1 let go at `angle` from rest, body 2 at the angle `hanging` from the x axis."""
    start = rt.State(pin1={"angle": angle}, pin2={"angle": hanging})
    return rt.simulate(pendulums(rule or law(e), major), start, t_end=t_end, options=options or SHARP)


def bat(rule: Any = None) -> rt.Model:
    """Example 3: a sphere and a pinned cylinder along X; contact "hit" pushes the ball."""
    wood = shapes.Cylinder("bat", radius=BAT_RADIUS, length=BAT_LENGTH, axis=(1.0, 0.0, 0.0))
    return rt.Model(
        name="park_bat", space="spatial", gravity=(0.0, 0.0, 0.0),
        bodies=[rt.Body("bat", 1.5, (0.1, 0.5, 0.5)), rt.Body("ball", 0.5, (0.125, 0.125, 0.125))],
        joints=[joints.Revolute("handle", "ground", "bat", point_b=(-ARM, 0.0, 0.0), axis=(0.0, 0.0, 1.0))],
        contacts=[rt.Contact("hit", wood, shapes.Sphere("ball", radius=BALL_RADIUS), law=rule or law())],
    )  # fmt: skip


def pitch(z: float = ALOFT, bat_spin: float = 0.5, ball_spin: tuple[float, float, float] = (1.0, 1.0, 1.0), reach: float = ARM,
          speed: float = 10.0, t_end: float = 0.4, options: rt.Options | None = None, rule: Any = None) -> rt.Result:
    """The ball thrown at the bat from 2 m away, `z` above the bat's axis and `reach` from its pin."""
    thrown = {"x": reach, "y": 2.0, "z": z, "vy": -speed, "omega_body": ball_spin}
    start = rt.State(handle={"angle": 0.0, "angle_rate": bat_spin}, ball=thrown)
    return rt.simulate(bat(rule), start, t_end=t_end, options=options or SHARP)


def straight(z: float, options: rt.Options | None = None, rule: Any = None) -> rt.Result:
    """Fig. 12: neither bat nor ball spins."""
    return pitch(z, bat_spin=0.0, ball_spin=(0.0, 0.0, 0.0), t_end=0.25, options=options, rule=rule)


def claims() -> list[Claim]:
    """Every number and statement of the paper, and the same to twelve digits from independent solutions."""
    return [*_ball_claims(), *_pendulum_claims(), *_bat_claims()]


def _ball_claims() -> list[Claim]:
    rubbed, smooth = drop(t_end=14.0, options=SHARP), drop(options=SHARP, rule=law(mu=0.0))
    first, second = rubbed.impacts[0], rubbed.impacts[1]
    after, later = rubbed.at(first.t), rubbed.at(second.t)
    fifth = drop(options=SHARP)
    times = rubbed.impacts["t"]
    return [
        Claim(PAPER, "Fig 3: the ball strikes at, s", [1.41, 3.68], times[:2], 0.005),
        Claim(PAPER, "the same, first three", [1.41349257657, 3.67508069908, 5.48435119709], times[:3], 1e-10, derived=SAME),
        Claim(PAPER, "the first impact sticks", "stopped", first["class"]),
        Claim(PAPER, "vx, vy, omega after it", [-2.0 / 11.0, 11.0930897409, 10.0 / 11.0],
              [after["ball.vx"], after["ball.vy"], after["ball.omega"]], 1.5e-10, derived=SAME),
        Claim(PAPER, "its p_N, p_T, N s", [24.9594519171, 2.0 / 11.0], [first.p_n, abs(first.p_t)], 1.5e-10, derived=SAME),
        Claim(PAPER, "the second impact leaves vx as it was", -2.0 / 11.0, later["ball.vx"], 1e-12, derived=SAME),
        Claim(PAPER, "and has no friction", 0.0, second.p_t, 1e-12),
        Claim(PAPER, "x, y at 5 s", [-0.6520922588, 3.3476672535], [fifth["ball.x"][-1], fifth["ball.y"][-1]], 5e-10,
              derived=SAME),
        Claim(PAPER, "without friction the ball does not move sideways: largest vx, omega at 5 s", [0.0, SPIN],
              [np.abs(smooth["ball.vx"]).max(), smooth["ball.omega"][-1]], 1e-12),
        Claim(PAPER, "endless bounces end at, s", 12.721433189123, _rest(rubbed), 1e-10, derived=SAME),
    ]  # fmt: skip


def _rest(result: rt.Result) -> float:
    """When endless bouncing ends."""
    events = result.events
    return float(events[events["kind"] == "rest"]["t"][0])


def _pendulum_claims() -> list[Claim]:
    elasticities = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    hits = [swing(e=e, options=SHARP).impacts[0] for e in elasticities]
    flat = [swing("x", e=e, options=SHARP).impacts[0] for e in elasticities]
    struck = swing(options=SHARP)
    before = struck.at(struck.impacts[0].t, side="left")
    return [
        Claim(PAPER, "Fig 6: the pendulums meet at, s", 0.613, hits[0].t, 0.0005,
              note="no natural reading of Table 2 gives it: long along y 0.5732 s, along x 0.6687 s", unreproducible=True),
        Claim(PAPER, "long along y: instant, theta1, omega1", [0.573197633666, -0.200587808026, 4.18075805687],
              [struck.impacts[0].t, before["body1.theta"], before["body1.omega"]], 1e-10, derived=SAME),
        Claim(PAPER, "Fig 7: p_N / (1 + e), N s", [3.40136804431] * 6,
              [hit.p_n / (1.0 + e) for hit, e in zip(hits, elasticities, strict=True)], 3e-9, derived=SAME),
        Claim(PAPER, "Fig 7: p_T / p_N", [MU] * 6, [abs(hit.p_t) / hit.p_n for hit in hits], 1e-12),
        Claim(PAPER, "long along x: instant, s", 0.668718342761, flat[0].t, 1e-10, derived=SAME),
        Claim(PAPER, "long along x: the class of the impact changes with e", True, len({hit["class"] for hit in flat}) > 1),
    ]  # fmt: skip


def _bat_claims() -> list[Claim]:
    result = pitch(options=SHARP)
    hit = result.impacts[0]
    after = result.at(hit.t)
    impacts = [straight(z, SHARP).impacts[0] for z in RATIOS]
    ratio = [impact.p_t / impact.p_n for impact in impacts]
    return [
        Claim(PAPER, "Fig 9: the ball meets the bat at, s", 0.194, hit.t, 0.0005,
              note="Table 3 gives 0.1906 s: at 0.194 s its sphere and cylinder overlap", unreproducible=True),
        Claim(PAPER, "the instant that Table 3 gives, s", 0.190616634281, hit.t, 1e-10, derived=SAME),
        Claim(PAPER, "normal from bat to ball", [-0.0396451500518, 0.414707102767, 0.909090909091], hit.normal, 3e-11,
              derived=SAME),
        Claim(PAPER, "p_N, p_T, N s", [3.67328294560, 1.10198488368], [hit.p_n, hit.p_t], 1e-9, derived=SAME),
        Claim(PAPER, "Fig 10: velocity of the ball after it, m/s", [-0.254005008063, -4.94781510183, 5.76545074906],
              [after[f"ball.{c}"] for c in ("vx", "vy", "vz")], 2e-10, derived=SAME),
        Claim(PAPER, "Fig 11: spin of the ball after it, rad/s", [1.44038439714, 1.00046829673, 1.01899138948],
              [after[f"ball.{c}"] for c in ("wx", "wy", "wz")], 1e-9, derived=SAME),
        Claim(PAPER, "spin of the bat after it, rad/s", -0.959814008747, after["handle.angle_rate"], 9e-10, derived=SAME),
        Claim(PAPER, "Fig 12: stick up to z = 0.06, slide from 0.07", ["stopped"] * 7 + ["sliding"] * 4,
              [impact["class"] for impact in impacts]),
        Claim(PAPER, "Fig 12: p_T / p_N at z = 0.01, 0.04, 0.06, 0.07, 0.10",
              [0.0444986108302, 0.191830399372, 0.32318730926, MU, MU], [ratio[i] for i in (1, 4, 6, 7, 10)], 4e-11,
              derived=SAME),
        Claim(PAPER, "Fig 12: the change lies at z, m", 0.0632809172677, stick_limit(), 6e-11, derived=SAME),
    ]  # fmt: skip


def stick_limit() -> float:
    """Fig. 12: the height at which a ball that always sticks needs just mu_s p_N for it."""
    from scipy.optimize import brentq

    def excess(z: float) -> float:
        hit = straight(z, SHARP, law(mu_s=10.0)).impacts[0]
        return hit.p_t / hit.p_n - MU_S

    return float(brentq(excess, 0.05, 0.08, xtol=1e-13))


def figures(folder: Path) -> list[Path]:
    """Figs 3, 4 (ball), 5-7 (pendulums) and 9-12 (ball and bat)."""
    from routh.view import impact_figures as draw

    return [*draw.save(_ball_figure(), folder, "park_fig3_4"), *draw.save(_pendulum_figure(), folder, "park_fig5_7"),
            *draw.save(_bat_figure(), folder, "park_fig9_12")]


def _panels(rows: int, columns: int) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.0 * columns, 3.3 * rows), layout="constrained")
    return figure, figure.subplots(rows, columns).ravel()


def _ball_figure() -> Any:
    figure, (locus, sideways, spin) = _panels(1, 3)
    for mu, style in ((MU, "-"), (0.0, "--")):
        result, label = drop(rule=law(mu=mu)), f"μ = {mu:g}"
        locus.plot(result["ball.x"], result["ball.y"], style, label=label)
        sideways.plot(result.t, result["ball.vx"], style, label=label)
        spin.plot(result.t, result["ball.omega"], style, label=label)
    locus.set(title="Fig. 3: locus of the ball", xlabel="x [m]", ylabel="y [m]")
    sideways.set(title="Fig. 4: sideways velocity", xlabel="t [s]", ylabel="vx [m/s]")
    spin.set(title="Fig. 4: spin", xlabel="t [s]", ylabel="ω [rad/s]")
    locus.legend(frameon=False)
    return figure


def _pendulum_figure() -> Any:
    figure, (met, velocity, *impulses) = _panels(2, 2)
    result = swing()
    _sketch(met, result)
    for name, label in (("vx", "vx [m/s]"), ("vy", "vy [m/s]"), ("omega", "ω [rad/s]")):
        velocity.plot(result.t, result[f"body2.{name}"], label=label)
    velocity.set(title="Fig. 6: body 2, long along y", xlabel="t [s]", ylabel="velocity, angular velocity")
    velocity.legend(frameon=False)
    elasticities = np.linspace(0.0, 1.0, 41)
    for axis, major in zip(impulses, ("y", "x"), strict=True):
        hits = [swing(major, float(e)).impacts[0] for e in elasticities]
        axis.plot(elasticities, [hit.p_n for hit in hits], "o", ms=3, label="normal")
        way = np.sign(hits[0].p_t)  # positive as the paper draws it
        axis.plot(elasticities, [way * hit.p_t for hit in hits], "s", ms=3, label="tangential")
        axis.set(title=f"Fig. 7: long along {major}", xlabel="restitution e", ylabel="impulse on body 2 [N s]")
        axis.legend(frameon=False)
    return figure


def _sketch(axis: Any, result: rt.Result) -> None:
    """Fig. 5: both bodies as they meet, drawn with gravity down; the other reading of the ellipse is dashed."""
    from matplotlib.patches import Circle, Ellipse

    hit = result.impacts[0]
    now = result.at(hit.t)
    for name, pin in (("body1", 0.0), ("body2", 0.3)):
        axis.plot([pin, now[f"{name}.y"]], [0.0, now[f"{name}.x"]], "ko-", ms=4)
    at = [(now[f"{name}.y"], now[f"{name}.x"]) for name in ("body1", "body2")]
    axis.add_patch(Circle(at[0], 0.1, fill=False, color="C0"))
    axis.add_patch(Ellipse(at[1], 2 * LONG, 2 * SHORT, fill=False, color="C1"))
    axis.add_patch(Ellipse(at[1], 2 * SHORT, 2 * LONG, fill=False, color="C1", ls="--"))
    axis.plot(hit.point[1], hit.point[0], "r.")
    axis.set(title=f"Fig. 5: contact at {hit.t:.4f} s", xlabel="y [m]", ylabel="x [m]", xlim=(-0.35, 0.75), ylim=(0.85, -0.1))
    axis.set_aspect("equal")


def _bat_figure() -> Any:
    figure, panels = _panels(2, 2)
    result = pitch()
    for axis, names, number, what in zip(panels, (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz")), (9, 10, 11),
                                         ("position [m]", "velocity [m/s]", "angular velocity [rad/s]"), strict=False):
        for name in names:
            axis.plot(result.t, result[f"ball.{name}"], label=name)
        axis.set(title=f"Fig. {number}: ball", xlabel="t [s]", ylabel=what)
        axis.legend(frameon=False)
    hits = [straight(z).impacts[0] for z in RATIOS]
    panels[3].plot(RATIOS, [hit.p_t / hit.p_n for hit in hits], "o-", ms=4)
    panels[3].axhline(MU_S, color="0.6", lw=0.8, ls="--")
    panels[3].text(0.0, MU_S, "$\\mu_s$", va="bottom", color="0.4")
    panels[3].set(title="Fig. 12: bat and ball without spin", xlabel="z of the ball [m]", ylabel="$p_T / p_N$", ylim=(0.0, 0.4))
    return figure
