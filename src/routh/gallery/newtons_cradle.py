"""Newton's cradle: k balls in, k balls out.

Equal balls hang on equal pendulums and just touch. Where impacts are taken one after another and nothing is lost, each impact
swaps two velocities, so in the end they are sorted: the k fastest balls leave on the far side, whatever the order. Taken
together by Newton's law the same three balls all move: -1/3, 2/3, 2/3 of the speed that came in; momentum and energy are
kept as well, so conservation alone does not explain the toy.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from scipy.special import ellipk

import routh as rt
from routh import joints, shapes
from routh.gallery.claims import Claim

__all__ = ["claims", "fall_time", "figures", "model", "run", "speeds", "start"]

PAPER = "newtons-cradle"
GRAVITY, LENGTH, RADIUS, MASS = 9.81, 0.3, 0.02, 0.1
INERTIA = 0.5 * MASS * RADIUS**2  # a disk
LIFT = math.radians(30.0)
RATE = math.sqrt(MASS * GRAVITY * LENGTH / (INERTIA + MASS * LENGTH**2))  # of small swings, rad/s
SHARP = rt.Options(rtol=1e-12, atol=1e-13)


def model(n: int = 5, e: float = 1.0, impacts: str = "sequential") -> rt.Model:
    """Balls ball1 ... ball<n> on pins pin1 ... pin<n>, hanging side by side without a gap."""
    names = [f"ball{i}" for i in range(1, n + 1)]
    disks = [shapes.Disk(name, RADIUS) for name in names]
    return rt.Model(
        name="newtons_cradle",
        space="planar",
        gravity=(0.0, -GRAVITY),
        bodies=[rt.Body(name, MASS, INERTIA) for name in names],
        joints=[joints.Revolute(f"pin{i + 1}", "ground", name, point_a=(2.0 * RADIUS * i, 0.0), point_b=(0.0, LENGTH))
                for i, name in enumerate(names)],
        contacts=[rt.Contact(f"click{i + 1}", disks[i], disks[i + 1], law=rt.Newton(e=e, mu=0.0)) for i in range(n - 1)],
        impacts=impacts,
    )


def start(k: int = 1, n: int = 5) -> rt.State:
    """The first k balls lifted together."""
    return rt.State({f"pin{i + 1}": {"angle": -LIFT if i < k else 0.0, "angle_rate": 0.0} for i in range(n)})


def run(k: int = 1, n: int = 5, e: float = 1.0, t_end: float = 2.0, impacts: str = "sequential",
        options: rt.Options | None = None) -> rt.Result:
    """k of n balls released at rest."""
    return rt.simulate(model(n, e, impacts), start(k, n), t_end=t_end, options=options or SHARP)


def fall_time() -> float:
    """From release to the bottom: a quarter of the physical pendulum's period."""
    return float(ellipk(math.sin(0.5 * LIFT) ** 2)) / RATE


def speeds(result: rt.Result, t: float, n: int = 5) -> np.ndarray:
    """Angular velocities of the balls just after t, in units of the one at which a lifted ball arrives."""
    now = result.at(t)
    return np.array([now[f"pin{i}.angle_rate"] for i in range(1, n + 1)]) / (2.0 * RATE * math.sin(0.5 * LIFT))


def claims() -> list[Claim]:
    """k in, k out; and what conservation alone leaves open."""
    out = []
    for k in (1, 2, 3, 4):
        result = run(k, t_end=0.5)
        after = [0.0] * (5 - k) + [1.0] * k
        hit = float(result.impacts.t[0])
        out.append(Claim(PAPER, f"{k} in, {k} out: speeds just after the first click", after, speeds(result, hit), 1e-9))
    single = run(1)
    together = run(1, n=3, t_end=0.5, impacts="simultaneous")
    return [
        *out,
        Claim(PAPER, "the first click comes after a quarter period of the pendulum, s", fall_time(),
              float(single.impacts.t[0]), 1e-10),
        Claim(PAPER, "no energy is lost, J", 0.0, float(np.ptp(single.energy.total)), 1e-10),
        Claim(PAPER, "three balls taken together by Newton's law", [-1 / 3, 2 / 3, 2 / 3],
              speeds(together, float(together.impacts.t[0]), 3), 1e-9),
    ]  # fmt: skip


def figures(folder: Path) -> list[Path]:
    """Where the five balls are, for one, two and three lifted."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import SHADES, save

    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    for k, ax in enumerate(figure.subplots(3, 1, sharex=True), start=1):
        result = run(k)
        for i in range(5):
            ax.plot(result.t, 1e3 * result[f"ball{i + 1}.x"], color=SHADES[i], lw=1.4, label=f"ball {i + 1}")
        ax.set_ylabel("x [mm]")
        ax.set_title(f"{k} in, {k} out", fontsize=9, loc="left")
        ax.spines[["top", "right"]].set_visible(False)
    figure.axes[-1].set_xlabel("t [s]")
    figure.axes[0].legend(frameon=False, fontsize=7, ncols=5, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    return save(figure, folder, "newtons_cradle")
