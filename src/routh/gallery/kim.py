"""The models of [kim]: a double pendulum that takes a short force pulse, and a tank that fires.

The claim: a short load is better given as an impulse, which makes velocities jump (momentum approach), than as a short
and large force (the force approach); and joints answer it with reaction impulses.

Double pendulum (Table 1): two links of 1 m, 10 kg and 20 kg m² about their mass centres, hanging at rest;
the load is horizontal at the mass centre G of link 2. The text's three pulses of 0.02 s carry 2 N s as
printed, not the table's 10 N s; `pulse` scales them to the impulse asked for.

Tank (Table 2; the figure is lost): hull, six trailing arms on torsion spring-dampers, the first wheel
pinned to the ground and the other five on carriers that slide along it. x points rearward, arms point from
wheel to hull.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

import routh as rt
from routh import forces, impulses, joints, profiles, shapes
from routh.gallery.claims import Claim

PAPER = "kim"
BY_HAND = "eq. 21 by hand"
SAME = "an independent solution of the same equations"
GRAVITY = 9.81  # m/s²
IMPULSE = 10.0  # N s
STRIKE = 2.59  # s

LINK_LENGTH, LINK_MASS, LINK_INERTIA = 1.0, 10.0, 20.0

HULL_MASS, HULL_INERTIA = 40773.36, 165000.22
ARM_MASS, ARM_INERTIA, ARM_LENGTH = 340.27, 280.0, 2.0
CARRIER_MASS, CARRIER_INERTIA = 500.0, 800.0
WHEELS = tuple(-2.5 + i for i in range(6))  # x of the wheel centres as assembled, m
ARM_ANGLE = math.pi - 1.3963  # of an arm as assembled, from wheel to hull pivot
PIVOT_HEIGHT = -0.5  # of the pivots in the hull's frame, m
STIFFNESS, DAMPING = 330000.0, 70000.0  # of the torsion spring-dampers, N m/rad, N m s/rad
WHEEL_RADIUS = 0.45  # m, of the wheels in pictures
# hull, turret and gun in pictures; the front is on the left
SILHOUETTE = (
    ((-3.7, -0.35), (-3.1, -0.85), (3.2, -0.85), (3.5, 0.25), (2.9, 0.45), (-2.6, 0.45)),
    ((-1.5, 0.45), (1.9, 0.45), (1.7, 1.15), (-0.7, 1.2)),
    ((-5.6, 0.78), (-1.0, 0.7), (-1.0, 0.95), (-5.6, 0.9)),
)
SHOT, FIRE = (5000.0, -3000.0), 38.201  # N s at the hull's mass centre, s

SHARP = rt.Options(rtol=1e-12, atol=1e-14)
LAGS = {0.1: 4.41187801e-3, 0.02: 1.77314360e-4, 0.01: 4.43351726e-5, 0.005: 1.10842046e-5}  # m/s, see `lag`
WIDTHS = tuple(LAGS)  # s, of the rectangles


def pulse(shape: str, width: float, impulse: float = IMPULSE, strike: float = STRIKE) -> profiles.Profile:
    """A force pulse from `strike` on that carries `impulse`: "rectangle", "triangle" or "cubic"."""
    if shape == "rectangle":
        return profiles.Rectangle(strike, width, impulse / width)
    kinds = {"triangle": profiles.Triangle, "cubic": profiles.CubicPulse}  # half as full
    return kinds[shape](strike, width, 2.0 * impulse / width)


Load = profiles.Profile | float | tuple[float, float]


def double_pendulum(load: Load | None = None, at: float = STRIKE, point: tuple[float, float] = (0.0, 0.0)) -> rt.Model:
    """Links link1, link2 on pins pinA, pinB, loaded at a `point` of link 2 [m from G, in its own axes].

    `load` is a horizontal force over time, or an impulse in N s at the instant `at`: horizontal, or a vector.
    """
    pulses, shots = [], []
    if isinstance(load, profiles.Profile):
        pulses = [forces.PointForce("pulse", "link2", force=(1.0, 0.0), point=point, profile=load)]
    elif load is not None:
        vector = tuple(np.append(np.atleast_1d(np.asarray(load, float)), 0.0)[:2])
        shots = [impulses.Impulse("pulse", "link2", at=at, impulse=vector, point=point)]
    top, bottom = (0.0, 0.5 * LINK_LENGTH), (0.0, -0.5 * LINK_LENGTH)
    return rt.Model(
        name="double_pendulum",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body("link1", LINK_MASS, LINK_INERTIA), rt.Body("link2", LINK_MASS, LINK_INERTIA)],
        joints=[joints.Revolute("pinA", "ground", "link1", point_b=top),
                joints.Revolute("pinB", "link1", "link2", point_a=bottom, point_b=top)],
        forces=pulses,
        impulses=shots,
    )


def struck() -> rt.Model:
    """The double pendulum with the impulse of Table 1."""
    return double_pendulum(IMPULSE)


def hanging(omega1: float = 0.0, omega2: float = 0.0) -> rt.State:
    """Straight down, with angular velocities of the links."""
    return rt.State(pinA={"angle": 0.0, "angle_rate": omega1},
                    pinB={"angle": 0.0, "angle_rate": omega2 - omega1})


def velocity_jump(impulse: float = IMPULSE) -> tuple[float, float]:
    """Angular velocities (link 1, link 2) just after an impulse at G, from rest: eq. 21 of [kim]."""
    m, J, l = LINK_MASS, LINK_INERTIA, LINK_LENGTH
    m11, m12, m22 = J + 1.25 * m * l**2, 0.5 * m * l**2, J + 0.25 * m * l**2
    p1, p2 = impulse * l, 0.5 * impulse * l
    determinant = m11 * m22 - m12**2
    return (m22 * p1 - m12 * p2) / determinant, (m11 * p2 - m12 * p1) / determinant


def strike(shape: str = "rectangle", width: float = 0.02, t_end: float = 5.0,
           options: rt.Options | None = None) -> rt.Result:
    """The double pendulum, loaded at 2.59 s by a pulse of force."""
    model = double_pendulum(pulse(shape, width))
    return rt.simulate(model, hanging(), t_end=t_end, options=options or SHARP)


def knock(impulse: float | tuple[float, float] = IMPULSE, t_end: float = 5.0, options: rt.Options | None = None,
          at: float = STRIKE, point: tuple[float, float] = (0.0, 0.0)) -> rt.Result:
    """The double pendulum, loaded by an impulse; see `double_pendulum`."""
    return rt.simulate(double_pendulum(impulse, at, point), hanging(), t_end=t_end, options=options or SHARP)


def lag(width: float) -> float:
    """Horizontal velocity of G at the end of a rectangle, force minus momentum approach."""
    end = STRIKE + width
    force, momentum = strike("rectangle", width, t_end=end, options=SHARP), knock(t_end=end, options=SHARP)
    return float(force["link2.vx"][-1] - momentum["link2.vx"][-1])


def unaware(width: float, longest: float = 0.01) -> tuple[np.ndarray, np.ndarray]:
    """(t, horizontal velocity of G) under a rectangle, by an integrator that does not know its edges: SciPy's LSODA."""
    from scipy.integrate import solve_ivp

    compiled = rt.compile_model(double_pendulum(pulse("rectangle", width)))

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[2:], compiled.accelerations(t, y[:2], y[2:])])

    run = solve_ivp(rates, (0.0, 3.0), np.zeros(4), method="LSODA", max_step=longest)
    a, b = run.y[0], run.y[0] + run.y[1]
    return run.t, LINK_LENGTH * (run.y[2] * np.cos(a) + 0.5 * (run.y[2] + run.y[3]) * np.cos(b))


def tank(shot: tuple[float, float] | None = None, width: float = 0.0) -> rt.Model:
    """36 coordinates, 34 constraints, 2 degrees of freedom: hull, arm1 ... arm6, carrier2 ... carrier6.

    `shot` is the impulse on the hull at 38.201 s, given at once or by a rectangular force of that `width` in seconds.
    """
    bodies = [rt.Body("hull", HULL_MASS, HULL_INERTIA, visual=[shapes.Polygon("hull", outline) for outline in SILHOUETTE])]
    links: list[joints.Joint] = []
    pushes: list[forces.Force] = []
    shots = []
    tip, foot = (0.5 * ARM_LENGTH, 0.0), (-0.5 * ARM_LENGTH, 0.0)
    for i, x in enumerate(WHEELS, start=1):
        arm, carrier = f"arm{i}", f"carrier{i}"
        bodies.append(rt.Body(arm, ARM_MASS, ARM_INERTIA, visual=[shapes.Disk(arm, WHEEL_RADIUS, point=foot)]))
        if i == 1:
            links.append(joints.Revolute("wheel1", "ground", arm, point_a=(x, 0.0), point_b=foot))
        else:
            bodies.append(rt.Body(carrier, CARRIER_MASS, CARRIER_INERTIA))
            links += [joints.Prismatic(f"slide{i}", "ground", carrier, point_a=(x, 0.0), axis=(1.0, 0.0)),
                      joints.Revolute(f"wheel{i}", carrier, arm, point_b=foot)]
        pivot = (x + ARM_LENGTH * math.cos(ARM_ANGLE), PIVOT_HEIGHT)
        links.append(joints.Revolute(f"pin{i}", "hull", arm, point_a=pivot, point_b=tip))
        pushes.append(forces.JointSpring(f"rsda{i}", f"pin{i}.angle", stiffness=STIFFNESS, damping=DAMPING, free=ARM_ANGLE))
    if shot is not None and width > 0.0:
        pushes.append(forces.PointForce("gun", "hull", force=shot, profile=profiles.Rectangle(FIRE, width, 1.0 / width)))
    elif shot is not None:
        shots.append(impulses.Impulse("gun", "hull", at=FIRE, impulse=shot))
    return rt.Model(name="tank", space="planar", gravity=(0.0, -GRAVITY), bodies=bodies, joints=links, forces=pushes,
                    impulses=shots)


def shot_tank() -> rt.Model:
    """The tank with the impulse of Table 2."""
    return tank(SHOT)


def assembled() -> rt.State:
    """The tank as assembled: springs unstrained, hull level, at rest."""
    dx, dy = 0.5 * ARM_LENGTH * math.cos(ARM_ANGLE), 0.5 * ARM_LENGTH * math.sin(ARM_ANGLE)
    poses = {"hull": (0.0, 2.0 * dy - PIVOT_HEIGHT, 0.0)}
    for i, x in enumerate(WHEELS, start=1):
        poses[f"arm{i}"] = (x + dx, dy, ARM_ANGLE)
        if i > 1:
            poses[f"carrier{i}"] = (x, 0.0, 0.0)
    rest = {"vx": 0.0, "vy": 0.0, "omega": 0.0}
    return rt.State({name: dict(zip(("x", "y", "theta"), pose, strict=True)) | rest
                     for name, pose in poses.items()})


def settled() -> rt.State:
    """The tank at rest on its springs."""
    return rt.equilibrium(tank(), assembled())


def fire(shot: tuple[float, float] = SHOT, width: float = 0.0, t_end: float = 43.0,
         options: rt.Options | None = None) -> rt.Result:
    """The settled tank from 38 s on; it fires at 38.201 s."""
    return rt.simulate(tank(shot, width), settled(), t_start=38.0, t_end=t_end, options=options or rt.Options())


def pin_impulses(fired: rt.Result) -> np.ndarray:
    """(6,) sizes of the reaction impulses at the hull's pins."""
    return np.array([np.hypot(*fired.impacts[0][f"pin{i}.impulse"]) for i in range(1, 7)])


def force_changes(fired: rt.Result) -> np.ndarray:
    """(n, 6) by how much the sizes of the pins' reactions differ from those at rest."""
    sizes = np.array([np.hypot(*fired[f"pin{i}.reaction"].T) for i in range(1, 7)]).T
    return np.abs(sizes - sizes[0])


def claims() -> list[Claim]:
    """Every statement of the paper, with numbers from independent solutions: it prints none."""
    return [*_pendulum_claims(), *_tank_claims()]


def _pendulum_claims() -> list[Claim]:
    result = knock(t_end=3.0, options=SHARP)
    hit, after = result.impacts[0], result.at(STRIKE)
    lags = [lag(width) for width in WIDTHS]
    shapes = [strike(shape, 0.02, t_end=STRIKE + 0.02, options=SHARP)["link2.vx"][-1]
              for shape in ("rectangle", "triangle", "cubic")]
    short = strike("rectangle", WIDTHS[-1], t_end=STRIKE + WIDTHS[-1])["link2.vx"][-1]
    return [
        Claim(PAPER, "Fig 3: the impulse gives the exact omega1, omega2, v_Gx", [32.0 / 113.0, 18.0 / 113.0, 41.0 / 113.0],
              [after["link1.omega"], after["link2.omega"], after["link2.vx"]], 1e-13, derived=BY_HAND),
        Claim(PAPER, "reaction impulses at pins A and B, N s", [-560.0 / 113.0, 0.0, -720.0 / 113.0, 0.0],
              [*hit["pinA.impulse"], *hit["pinB.impulse"]], 1e-13, derived=BY_HAND),
        Claim(PAPER, "Fig 2: the shape of a pulse of 0.02 s hardly matters: spread of v_Gx, m/s", 0.0, np.ptp(shapes), 1e-4),
        *(Claim(PAPER, f"Fig 3: rectangle of {width:g} s minus the impulse, v_Gx, m/s", LAGS[width], late, 5e-9 * LAGS[width],
              derived=SAME)
          for width, late in zip(WIDTHS, lags, strict=True)),
        Claim(PAPER, "Fig 3: the shorter the rectangle, the closer to the impulse", True, bool(np.all(np.diff(lags) < 0.0))),
        Claim(PAPER, "Fig 4: an integrator with steps up to 0.01 s, edges unknown: rectangles of 0.02, 0.01, 0.005 s",
              ["felt", "felt", "missed"],
              ["felt" if unaware(width)[1][-1] > 0.5 * short else "missed" for width in (0.02, 0.01, 0.005)],
              note="SciPy's LSODA on the same accelerations"),
        Claim(PAPER, "Fig 4: with the edges as events none is missed: v_Gx after 0.005 s over that of the impulse", 1.0,
              float(short / after["link2.vx"]), 1e-3),
    ]  # fmt: skip


def _tank_claims() -> list[Claim]:
    fired = fire(options=SHARP)
    before, after = fired.at(FIRE, side="left"), fired.at(FIRE)
    pushed, soft = pin_impulses(fired), fire(width=0.02)
    peaks = force_changes(fired).max(axis=0)
    later = soft.t >= FIRE
    away = {name: np.abs(soft[name] - np.interp(soft.t, fired.t, fired[name]))[later].max() / np.ptp(fired[name])
            for name in ("hull.y", "hull.theta")}
    return [
        Claim(PAPER, "static equilibrium: theta1, pitch, x, y of the hull",
              [1.94978094982, 0.0146364838155, -0.400353347892, 2.39969987012],
              [before[name] for name in ("arm1.theta", "hull.theta", "hull.x", "hull.y")], 1e-11, derived=SAME),
        Claim(PAPER, "jump of the hull's velocity, m/s, m/s, rad/s", [0.0975674711070, -0.00761427420661, -0.0152093876650],
              [after[name] - before[name] for name in ("hull.vx", "hull.vy", "hull.omega")], 1e-12, derived=SAME),
        Claim(PAPER, "Figs 6, 7: both approaches agree: largest differences of height and pitch over their ranges",
              [0.0, 0.0], list(away.values()), 0.02),
        Claim(PAPER, "Fig 8: a force of 0.02 s first accelerates the hull by the jump over 0.02 s, m/s²",
              -0.00761427420661 / 0.02, soft.at(FIRE)["hull.ay"], 1e-9, derived=SAME),
        Claim(PAPER, "Fig 8: the momentum approach never shows it", True, bool(fired["hull.ay"].min() > -0.1)),
        Claim(PAPER, "Fig 9: the first pin takes the largest impulse", 1, int(np.argmax(pushed)) + 1),
        Claim(PAPER, "Fig 9: impulses at pins 1 and 6, N s", [1345.91161352, 622.899620932], [pushed[0], pushed[5]], 1e-8,
              derived=SAME),
        Claim(PAPER, "Fig 10: the force changes most at the sixth pin", 6, int(np.argmax(peaks)) + 1),
        Claim(PAPER, "Fig 10: that change, N", 6988.58005224, float(peaks[5]), 7e-6, derived=SAME),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Figs 2-4: horizontal velocity of G. Figs 6-10: the tank's motion, and what its pins take."""
    from routh.view import impact_figures as draw

    return [*draw.save(_pendulum_figure(), folder, "kim_fig2_4"), *draw.save(_tank_figure(), folder, "kim_fig6_10")]


def _pendulum_figure() -> Any:
    from matplotlib.figure import Figure

    fine = rt.Options(output=0.005)
    figure = Figure(figsize=(11.0, 3.6), layout="constrained")
    panels = figure.subplots(1, 3, sharex=True, sharey=True)
    cases = [[("rectangle", 0.02), ("triangle", 0.02), ("cubic", 0.02)],
             [("rectangle", 0.1), ("rectangle", 0.01)],
             [("rectangle", 0.02), ("rectangle", 0.01), ("rectangle", 0.005)]]
    titles = ("Fig. 2: three shapes", "Fig. 3: force and momentum", "Fig. 4: LSODA, edges unknown")
    for axis, lines, title in zip(panels, cases, titles, strict=True):
        for (shape, width), style in zip(lines, ("-", "--", ":"), strict=False):
            result = strike(shape, width, t_end=3.0, options=fine)
            t, v = unaware(width) if axis is panels[2] else (result.t, result["link2.vx"])
            axis.plot(t, v, style, label=f"{shape}, {width:g} s")
        axis.set(title=title, xlabel="t [s]", ylabel="horizontal velocity of G [m/s]", xlim=(2.5, 2.99))
    panels[2].plot(result.t, result["link2.vx"], "k", lw=0.8, label="0.005 s, edges as events")
    result = knock(t_end=3.0, options=fine)
    panels[1].plot(result.t, result["link2.vx"], "k", lw=0.8, label="impulse")
    for axis in panels:
        axis.legend(fontsize=8, frameon=False, loc="center right")
    return figure


def _tank_figure() -> Any:
    from matplotlib.figure import Figure

    fine = rt.Options(output=0.005)
    runs = {"impulse": fire(options=fine), "force, 0.02 s": fire(width=0.02, options=fine)}
    figure = Figure(figsize=(11.0, 6.4), layout="constrained")
    panels = figure.subplots(2, 3).ravel()
    for axis, number, name, label in zip(panels, (6, 7, 8), ("y", "theta", "ay"),
                                         ("height [m]", "pitch [rad]", "vertical acceleration [m/s²]"), strict=False):
        for (approach, result), style in zip(runs.items(), ("-", "--"), strict=True):
            axis.plot(result.t, result[f"hull.{name}"], style, label=approach)
        axis.set(title=f"Fig. {number}: hull", xlabel="t [s]", ylabel=label)
        axis.legend(fontsize=8, frameon=False)
    panels[2].set_xlim(38.1, 38.7)
    fired = runs["impulse"]
    panels[3].bar(range(1, 7), pin_impulses(fired))
    panels[3].set(title="Fig. 9", xlabel="pin", ylabel="reaction impulse [N s]")
    for i in range(1, 7):
        panels[4].plot(fired.t, 1e-3 * np.hypot(*fired[f"pin{i}.reaction"].T), label=f"pin {i}")
    panels[4].set(title="Fig. 10", xlabel="t [s]", ylabel="reaction force [kN]", ylim=(30.0, None))
    panels[5].bar(range(1, 7), 1e-3 * force_changes(fired).max(axis=0))
    panels[5].set(title="largest change in Fig. 10", xlabel="pin", ylabel="change of the reaction force [kN]")
    panels[4].legend(fontsize=7, frameon=False, ncols=2)
    for axis in (panels[3], panels[5]):
        axis.set_xticks(range(1, 7))
    return figure
