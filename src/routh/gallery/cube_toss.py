"""Tosses of a real cube, replayed: 376 measured throws on a board against computed ones [pfrommer2020].

A cube of 10 cm is thrown on a flat board, and its pose is tracked at 148 Hz until it rests. A replay starts from the first
flight of a toss, and everything after the first impact is computed. The errors are means over all frames: of the position in
percent of the side, and of the rotation angle in degrees.

The published model has the mass centre in the middle and the inertia 8.1e-4 kg m². The measurements say otherwise, and that
explains most of the error. Let d be the vector from the mass centre to the middle, in body axes.

- In flight the mass centre, not the middle, moves on a parabola: x + R d = x0 + v0 t + g t²/2 + R(t) d. A linear fit over all
  flights has d = (0.1, 0.1, -5.7) mm; halves of the tosses differ by up to 0.8 mm.
- At an impact of one corner at c from the middle, I Δω = (c + d) × m Δv, whatever the law of impact is. A linear fit over the
  jumps of about 170 first impacts has d_z = -6.4 mm and I = (1.06, 1.06, 1.00)e-3 kg m². A cube of thin walls has
  (10/9) m h² = 1.08e-3 kg m².
- The free rotation in flight shows the same axis of symmetry: (I1 - I3) / I1 is about 0.05.

So the cube behaves as a hollow one that is heavy on the side of its z axis. `measure` computes these numbers from tosses,
without a law of impact. Only the restitution e and the friction mu are fitted to the motion after the impacts, by `fit`.

Errors on tosses kept apart: half of the tosses is used to measure and fit, the other half to judge, and the numbers are means
over three random halves. The standard error of each is 0.3 % and 0.6 degrees, so no law is better than another here.

| law | impacts | e | mu | position, % of the side | rotation, degrees |
|---|---|---|---|---|---|
| Poisson | sequential | 0.268 | 0.179 | 7.3 | 6.6 |
| Poisson | simultaneous | 0.262 | 0.179 | 7.4 | 6.7 |
| Newton | sequential | 0.261 | 0.179 | 7.4 | 6.8 |
| Newton | simultaneous | 0.264 | 0.179 | 7.4 | 6.6 |
| Stronge | sequential | 0.262 | 0.179 | 7.3 | 6.8 |

`compare` fits by least squares to the first 0.17 s behind each flight of one half, and judges the other half as a whole, by the
loss |Δx|² / h² + angle² (mean over frames, then over tosses). Intervals are at 95 %, with tosses, not frames, as independent.

| law | e | mu | loss fitted | loss kept apart | behind the best |
|---|---|---|---|---|---|
| Newton | 0.258 (0.252 to 0.264) | 0.175 (0.173 to 0.178) | 0.00695 | 0.088 ± 0.014 | 0.0002 ± 0.0018 |
| Poisson | 0.267 (0.261 to 0.273) | 0.176 (0.173 to 0.178) | 0.00707 | 0.088 ± 0.014 | 0 |
| Stronge | 0.264 (0.258 to 0.270) | 0.176 (0.173 to 0.178) | 0.00699 | 0.088 ± 0.014 | 0.0001 ± 0.0007 |

Each law needs an e of its own, and with it predicts as well as the others: these tosses do not tell laws apart.

What the cube is matters more, for Poisson's law fitted anew to the first of these halves:

| cube | position, % of the side | rotation, degrees |
|---|---|---|
| published | 11.1 | 16.3 |
| published, with the half width and gravity of the recording | 10.8 | 15.2 |
| measured inertia, mass centre in the middle | 10.6 | 13.7 |
| published inertia, measured mass centre | 8.3 | 9.8 |
| measured | 7.3 | 6.2 |

What is left: the real first impact turns the cube back 4 mm deeper than a rigid one. Friction is 0.16 at first impacts, but
0.19 to 0.23 while the cube slides, and a law has one mu for both. And 8 of 188 tosses end turned by more than 35 degrees from
the measured pose: these have a quarter of the mean rotation error.

    tosses = cube_toss.load()
    run = cube_toss.replay(tosses[0])
    print(cube_toss.errors(run))                     # position [%], rotation [degrees], loss
    print(cube_toss.judge(tosses, cube_toss.model(e=0.3, mu=0.2, law=rt.Newton)).mean(axis=0))

The data are not part of this library. `load` reads `cube_tosses.npz` from a path, or from `../shared/data` beside the checkout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

import routh as rt
from routh import shapes
from routh.errors import ModelError
from routh.model.laws import ImpactLaw

__all__ = ["FITTED", "MEASURED", "PUBLISHED", "Cube", "Replay", "Toss", "compare", "data_file", "errors", "figures", "fit",
           "flight_offset", "judge", "load", "measure", "measured", "model", "replay", "split", "start"]

SIDE = 0.1048       # m, of the published cube: errors of position are in percent of it
NEAR = 3.5e-3       # m: a flight ends where a corner of the published cube is this near to the board; in a frame it falls 8 mm
KINK = 25.0         # m/s²: an acceleration of a frame that differs from gravity by more is an impact; its noise is 1 m/s²
SMOOTH = 6.0        # m/s²: one that differs by less is free flight
BEHIND = 1e-9       # s: a sample this much behind a frame time is the one of the frame
WINDOW = 25         # frames behind the first flight that `compare` fits: 0.17 s, one to three impacts
OPTIONS = rt.Options(rtol=1e-6, atol=1e-8)  # a micrometre is far below the measurement's 0.04 mm
CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Cube:
    """The thrown cube and gravity, in SI units. Its z axis is one of symmetry."""

    half_width: float
    offset: float      # d_z: from the mass centre to the middle of the cube, along its z axis
    across: float      # inertia about the x and y axes through the mass centre
    along: float       # inertia about the z axis
    gravity: float     # in the length and time of the recording
    mass: float = 0.37


MEASURED = Cube(half_width=0.05126, offset=-6.39e-3, across=1.068e-3, along=0.996e-3, gravity=9.642)
"""`measure` of the first half of `split(load(), 0)`. Lengths of the recording are about 2 % short: the half width of 52.4 mm
rests at a height of 51.3 mm, and gravity is 9.64 m/s²."""
PUBLISHED = Cube(half_width=0.0524, offset=0.0, across=8.1e-4, along=8.1e-4, gravity=9.81)
FITTED = {"e": 0.261, "mu": 0.180}
"""`fit` of Poisson's law, impacts one after another, to the same half. The other half is kept apart to judge."""


@dataclass(frozen=True, eq=False)
class Toss:
    """One recording: frame times [s], positions of the middle of the cube [m], orientations (w, x, y, z), body to board."""

    number: int
    t: np.ndarray
    position: np.ndarray
    orientation: np.ndarray

    @cached_property
    def rotation(self) -> Rotation:
        """The orientations as rotations."""
        return _rotation(self.orientation)

    @cached_property
    def flight(self) -> int:
        """How many frames the first flight has, three at least."""
        heights = self.rotation.as_matrix()[:, 2] @ CORNERS.T * (0.5 * SIDE)
        low = self.position[:, 2] + heights.min(axis=1)
        return max(int(np.argmax(low < NEAR)), 3)


@dataclass(frozen=True, eq=False)
class Replay:
    """A toss beside its computation: positions of the middle of the cube and rotations at the frame times."""

    toss: Toss
    position: np.ndarray
    rotation: Rotation
    result: rt.Result


def data_file(path: str | Path | None = None) -> Path:
    """The file with the recordings: `path`, or the one in `shared/data` beside the checkout."""
    file = Path(path) if path is not None else Path(__file__).parents[4] / "shared" / "data" / "cube_tosses.npz"
    if not file.is_file():
        raise ModelError(f"cube_toss: no file {file}; the recordings are not part of Routh, make cube_tosses.npz from "
                         "github.com/DAIRLab/contact-nets (data/tosses_processed, BSD licence) and give its path")
    return file


def load(path: str | Path | None = None) -> list[Toss]:
    """The distinct tosses of a file; rotated copies of another toss are left out."""
    with np.load(data_file(path)) as data:
        step, rows = float(data["dt_effective"]), data["offsets"]
        position, orientation = data["position"].astype(float), data["quaternion_wxyz"].astype(float)
        numbers, original = data["toss_id"], data["duplicate_of"] < 0
    orientation /= np.linalg.norm(orientation, axis=1, keepdims=True)
    return [Toss(int(numbers[k]), step * np.arange(end - first), position[first:end], orientation[first:end])
            for k, (first, end) in enumerate(pairwise(rows)) if original[k]]


def split(tosses: Sequence[Toss], seed: int) -> tuple[list[Toss], list[Toss]]:
    """Two halves at random: one to fit, one to judge."""
    order = np.random.default_rng(seed).permutation(len(tosses))
    half = len(tosses) // 2
    return [tosses[i] for i in order[:half]], [tosses[i] for i in order[half:]]


def model(e: float = FITTED["e"], mu: float = FITTED["mu"], law: type[ImpactLaw] = rt.Poisson, impacts: str = "sequential",
          cube: Cube = MEASURED) -> rt.Model:
    """The cube above the board z = 0; body `cube` has its origin in the mass centre, its shape has not."""
    box = shapes.Box("cube", (2.0 * cube.half_width,) * 3, point=(0.0, 0.0, cube.offset))
    return rt.Model(
        name="cube_toss", space="spatial", gravity=(0.0, 0.0, -cube.gravity), impacts=impacts,
        bodies=[rt.Body("cube", cube.mass, (cube.across, cube.across, cube.along))],
        contacts=[rt.Contact("board", shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0)), box, law=law(e=e, mu=mu))])


def start(toss: Toss, cube: Cube = MEASURED) -> rt.State:
    """The state at the first frame, from the frames of the first flight only.

    The mass centre is fitted by a parabola. The rotation is fitted by the free motion of a symmetric body, which is
    exp(t L / I1) R0 exp(t (1 - I3 / I1) ω3 e3) with the angular momentum L and the spin ω3 about the axis.
    """
    t, rotation = toss.t[:toss.flight], toss.rotation[:toss.flight]
    centre = toss.position[:toss.flight] - rotation.apply(cube.offset * UP)
    centre[:, 2] += 0.5 * cube.gravity * t**2
    (x, y, z), (vx, vy, vz) = _line(t, centre)

    ratio = cube.along / cube.across
    first, omega = rotation[0], _line(t, (rotation * rotation[0].inv()).as_rotvec())[1]
    for _ in range(8):  # Gauss-Newton with the Jacobian of a sphere: each step leaves a tenth of the error or less
        axis = first.apply(UP)
        spin = float(axis @ omega)
        free = Rotation.from_rotvec(np.outer(t, omega - (1.0 - ratio) * spin * axis)) * first * Rotation.from_rotvec(
            np.outer((1.0 - ratio) * spin * t, UP))
        turn, rate = _line(t, (rotation * free.inv()).as_rotvec())
        first, omega = Rotation.from_rotvec(turn) * first, omega + rate
    q = first.as_quat()[[3, 0, 1, 2]]
    return rt.State(cube={"x": x, "y": y, "z": z, "vx": vx, "vy": vy, "vz": vz, "q": tuple(q), "omega": tuple(omega)})


def replay(toss: Toss, compiled: rt.Compiled | rt.Model | None = None, cube: Cube = MEASURED,
           options: rt.Options | None = None) -> Replay:
    """The toss computed from its start at the frame times.

    `compiled` is a model made with the same `cube`. `options` are those of `simulate`; their `output` is not used.
    """
    compiled = model(cube=cube) if compiled is None else compiled
    result = rt.simulate(compiled, start(toss, cube), t_end=float(toss.t[-1]),
                         options=replace(options or OPTIONS, output=toss.t[1:]))
    at = np.searchsorted(result.t, toss.t + BEHIND, side="right") - 1
    rotation = _rotation(np.column_stack([result[f"cube.q{i}"] for i in "wxyz"])[at])
    centre = np.column_stack([result[f"cube.{i}"] for i in "xyz"])[at]
    return Replay(toss, centre + rotation.apply(cube.offset * UP), rotation, result)


def errors(run: Replay) -> np.ndarray:
    """Means over the frames: position [% of the side], rotation [degrees], |Δx|² / h² + angle² with h = 52.4 mm [-]."""
    distance = np.linalg.norm(run.position - run.toss.position, axis=1)
    angle = (run.toss.rotation.inv() * run.rotation).magnitude()
    loss = (2.0 * distance / SIDE) ** 2 + angle**2
    return np.array([100.0 * distance.mean() / SIDE, np.degrees(angle.mean()), loss.mean()])


def judge(tosses: Iterable[Toss], compiled: rt.Compiled | rt.Model | None = None, cube: Cube = MEASURED,
          options: rt.Options | None = None) -> np.ndarray:
    """(tosses, 3) `errors` of each replay."""
    compiled = model(cube=cube) if compiled is None else compiled
    compiled = rt.compile_model(compiled) if isinstance(compiled, rt.Model) else compiled
    return np.array([errors(replay(toss, compiled, cube, options)) for toss in tosses])


def fit(tosses: Sequence[Toss], law: type[ImpactLaw] = rt.Poisson, impacts: str = "sequential", cube: Cube = MEASURED,
        options: rt.Options | None = None, tries: int = 25) -> dict[str, float]:
    """e and mu of the least mean errors over the tosses, by Nelder and Mead's simplex.

    What is least is the sum of the errors of position in 10 % and of rotation in 10 degrees: about equal parts.
    """
    compiled = rt.compile_model(model(law=law, impacts=impacts, cube=cube))

    def cost(x: np.ndarray) -> float:
        e, mu = (float(c) for c in x)
        if not (0.0 <= e <= 1.0 and mu >= 0.0):
            return np.inf
        changed = compiled.replace({"board.law.e": e, "board.law.mu": mu})
        return float(judge(tosses, changed, cube, options)[:, :2].mean(axis=0).sum() / 10.0)

    simplex = [(0.28, 0.175), (0.22, 0.175), (0.28, 0.19)]
    best = minimize(cost, simplex[0], method="Nelder-Mead",
                    options={"initial_simplex": simplex, "maxfev": tries, "xatol": 1e-3, "fatol": 1e-3})
    return {"e": float(best.x[0]), "mu": float(best.x[1])}


def measured(toss: Toss, cube: Cube = MEASURED, after: int | None = None) -> rt.study.Measured:
    """The toss as measured channels of the body: mass centre and quaternion, up to `after` frames behind the first flight."""
    frames = slice(0, None if after is None else toss.flight + after)
    centre = (toss.position - toss.rotation.apply(cube.offset * UP))[frames]
    q = toss.orientation[frames]
    channels = dict(zip([*(f"cube.{c}" for c in "xyz"), *(f"cube.q{c}" for c in "wxyz")], [*centre.T, *q.T], strict=True))
    return rt.study.Measured(toss.t[frames], channels, start(toss, cube), name=f"toss {toss.number}")


def compare(fitted: Sequence[Toss], apart: Sequence[Toss], cube: Cube = MEASURED, impacts: str = "sequential",
            laws: Sequence[type[ImpactLaw]] = (rt.Newton, rt.Poisson, rt.Stronge)) -> rt.study.LawComparison:
    """e and mu with intervals under each law, and the loss of tosses kept apart.

    The noise of the channels makes the sum of squares the loss of `errors`: a rotation by a small angle a moves the quaternion
    by a / 2. Only WINDOW frames behind the first flight are fitted, because later ones amplify any error; tosses kept apart
    are judged as a whole. Tosses, not frames, count as independent. Derivatives are differences over 0.01 in e and 0.007 in mu,
    because single tosses jump where another corner strikes first.
    """
    noise = dict.fromkeys((f"cube.{c}" for c in "xyz"), 0.5 * SIDE) | dict.fromkeys((f"cube.q{c}" for c in "wxyz"), 0.5)
    return rt.study.compare_laws(
        model(impacts=impacts, cube=cube), [measured(toss, cube, WINDOW) for toss in fitted], "board", laws,
        {"board.law.e": (0.05, 0.6), "board.law.mu": (0.05, 0.4)}, apart=[measured(toss, cube) for toss in apart], noise=noise,
        starts=1, by_motion=True, derivatives=0.02, options=OPTIONS)


def figures(folder: Path) -> list[Path]:
    """Height and rotation of three tosses kept apart, and the errors of all of them; none where the recordings are missing."""
    from matplotlib.figure import Figure

    from routh.view.impact_figures import INK, LIMIT, STICK, save

    try:
        tosses = split(load(), 0)[1]
    except ModelError:
        return []
    compiled = rt.compile_model(model())
    ours, published = judge(tosses, compiled), judge(tosses, model(cube=PUBLISHED), PUBLISHED)
    order = np.argsort(ours[:, 2])
    parts = {"a good": 0.1, "the median": 0.5, "a bad": 0.9}

    figure = Figure(figsize=(11.0, 5.0), layout="constrained")
    panels = figure.subplots(2, 4)
    for (name, part), (above, below) in zip(parts.items(), panels.T[:3], strict=True):
        k = int(order[int(part * (len(order) - 1))])
        toss, run = tosses[k], replay(tosses[k], compiled)
        for ax, measured, computed in (
                (above, 1e3 * toss.position[:, 2], 1e3 * run.position[:, 2]),
                (below, _turned(toss.rotation), _turned(run.rotation))):
            ax.plot(toss.t, measured, "o", color=LIMIT, ms=2.5, mew=0.0, label="measured")
            ax.plot(toss.t, computed, color=STICK, lw=1.3, label="computed")
            ax.axvline(toss.t[toss.flight - 1], color=INK, lw=0.6, ls=":", label="end of the frames used")
            ax.set_xlabel("t [s]")
        above.set(ylabel="height of the middle [mm]", title=f"{name} toss, number {toss.number}")
        below.set(ylabel="rotation since the start [°]", title=f"errors {ours[k, 0]:.1f} %, {ours[k, 1]:.1f}°")
    panels[0, 0].legend(frameon=False, fontsize=7)
    labels = ("position error [% of the side]", "rotation error [°]")
    for column, (ax, limit, unit) in enumerate(zip(panels[:, 3], (40.0, 90.0), labels, strict=True)):
        for found, colour, name in ((published, LIMIT, "published cube"), (ours, STICK, "measured cube")):
            ax.hist(np.minimum(found[:, column], limit), bins=np.linspace(0.0, limit, 31), color=colour, alpha=0.65,
                    label=f"{name}: {found[:, column].mean():.1f}")
        ax.set(xlabel=unit, ylabel="tosses [-]", title=f"{len(tosses)} tosses kept apart, means")
        ax.legend(frameon=False, fontsize=7)
    for ax in figure.axes:
        ax.title.set_fontsize(9)
        ax.spines[["top", "right"]].set_visible(False)
    return save(figure, folder, "cube_toss")


def flight_offset(tosses: Iterable[Toss]) -> tuple[np.ndarray, float]:
    """(d, g): the vector from the mass centre to the middle [m], in body axes, and gravity [m/s²], from first flights alone.

    Position = x0 + v0 t - g t²/2 + R(t) d is linear in all unknowns; x0 and v0 of each toss are projected out.
    """
    left, right = [], []
    for toss in tosses:
        n, t = toss.flight, toss.t[:toss.flight]
        if n < 8:  # nothing is left of so few frames after the projection
            continue
        line = np.column_stack([np.ones(n), t])
        free = np.eye(n) - line @ np.linalg.pinv(line)
        for axis, row in enumerate(np.moveaxis(toss.rotation.as_matrix()[:n], 1, 0)):
            fall = -0.5 * t**2 if axis == 2 else np.zeros(n)
            left.append(free @ np.column_stack([row, fall]))
            right.append(free @ toss.position[:n, axis])
    found = _trimmed(np.concatenate(left), np.concatenate(right))
    return found[:3], float(found[3])


def measure(tosses: Sequence[Toss]) -> Cube:
    """The cube that flights, rests and jumps at first impacts show; no law of impact is assumed.

    Gravity is that of the flights, the half width is the median height at rest. The jumps Δv and Δω at an impact of one corner
    at h c from the middle give h c × Δv = (I / m) Δω - d_z e3 × Δv, linear in I1, I3 and d_z.
    """
    gravity = flight_offset(tosses)[1]
    half_width = float(np.median([np.median(toss.position[-6:, 2]) for toss in tosses]))
    offset, mass = MEASURED.offset, MEASURED.mass
    for _ in range(3):  # the velocity of the mass centre needs d_z
        left, right = [], []
        for toss in tosses:
            jump = _first_jump(toss, gravity, offset)
            if jump is not None:
                corner, dv, domega = jump
                none = np.zeros(3)
                left.append(np.column_stack([[*domega[:2], 0.0], [0.0, 0.0, domega[2]], none - np.cross(UP, dv)]))
                right.append(half_width * np.cross(corner, dv))
        across, along, offset = (float(c) for c in _trimmed(np.concatenate(left), np.concatenate(right)))
    return Cube(half_width, offset, mass * across, mass * along, gravity, mass)


def _first_jump(toss: Toss, gravity: float, offset: float) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """(corner in half widths, Δv, Δω) in body axes at the first impact; None unless one corner strikes and flies free."""
    if toss.flight < 6:
        return None
    step = toss.t[1]
    beside = np.abs(np.diff(toss.position[:, 2], 2) / step**2 + gravity)  # of the frames 1, 2, ...
    kink = int(np.argmax(beside > KINK)) + 1
    before, after = np.arange(max(kink - 9, 0), kink - 1), np.arange(kink + 2, kink + 6)
    if len(before) < 5 or after[-1] + 2 >= len(toss.t) or beside[after - 1].max() > SMOOTH:
        return None
    (x, v, omega, _), (x_after, v_after, omega_after, rough) = (_free_motion(toss, k, gravity, offset) for k in (before, after))
    t = (x_after[2] - x[2]) / (v[2] - v_after[2])  # where both parabolas meet
    if not abs(t / step - kink) < 3.0 or rough > 0.004:
        return None
    middle = before[len(before) // 2]
    rotation = Rotation.from_rotvec(omega * (t - toss.t[middle])) * toss.rotation[int(middle)]
    heights = rotation.apply(CORNERS)[:, 2]
    lowest, next_one = np.sort(heights)[:2]
    if next_one - lowest < 0.2:  # in half widths: nearly an edge, its other corner strikes at once
        return None
    return CORNERS[heights.argmin()], rotation.inv().apply(v_after - v), rotation.inv().apply(omega_after - omega)


def _free_motion(toss: Toss, frames: np.ndarray, gravity: float,
                 offset: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Mass centre and velocity at t = 0 without gravity, angular velocity, largest deviation of the rotation [rad]."""
    t, rotation = toss.t[frames], toss.rotation[frames]
    centre = toss.position[frames] - rotation.apply(offset * UP)
    centre[:, 2] += 0.5 * gravity * t**2
    turned = (rotation * toss.rotation[int(frames[len(frames) // 2])].inv()).as_rotvec()
    angle, omega = _line(t, turned)
    x, v = _line(t, centre)
    return x, v, omega, float(np.abs(turned - angle - np.outer(t, omega)).max())


def _turned(rotation: Rotation) -> np.ndarray:
    """Angle from the first rotation to each [degrees]."""
    return np.degrees((rotation * rotation[0].inv()).magnitude())


def _rotation(wxyz: np.ndarray) -> Rotation:
    return Rotation.from_quat(wxyz[:, [1, 2, 3, 0]])


def _line(t: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Value at t = 0 and slope of the straight line of least squares, for each column."""
    found = np.linalg.lstsq(np.column_stack([np.ones_like(t), t]), values, rcond=None)[0]
    return found[0], found[1]


def _trimmed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Least squares without the rows beyond three standard deviations, which are those of the median deviation."""
    keep = np.ones(len(right), bool)
    for _ in range(6):
        found = np.linalg.lstsq(left[keep], right[keep], rcond=None)[0]
        deviation = np.abs(right - left @ found)
        keep = deviation < 3.0 * 1.4826 * np.median(deviation)
    return found
