"""Stretches of time steps within an event-driven run: how long a step is, what is kept of them, and how they join the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routh.compiler.machine import Machine

__all__ = ["EVENTS_PER_STEP", "EVENT_BURST", "STEP_PART", "Stretch", "natural_time", "put_stretch", "scheme_of", "step_of"]

EVENTS_PER_STEP = 10   # events within the length of a step that a run may have for long
EVENT_BURST = 3_000    # events beyond that rate: endless bounces with e = 0.997 have as many before they end
STEP_PART = 0.02       # of the natural time: bodies move by this part of their size in a step
SPAN_PART = 1e-3       # of the run, where nothing moves and nothing accelerates: as many steps as samples by default


def natural_time(machine: Machine, t: float, q: np.ndarray, u: np.ndarray) -> float:
    """Time in which bodies that are near each other move by their own size [s]; infinite where nothing moves.

    For each contact whose gap is below its size: size over relative velocity, and the root of size over relative acceleration
    without contact forces. The least of them counts. All contacts count where none is near. The scratch of `machine` changes.
    """
    contact = machine.system.contact
    gap, touch = machine.gaps(q, u), machine.work.touch
    velocity = np.where(np.isfinite(touch["pace"]), touch["pace"], np.abs(touch["rate"]))
    rows = machine.contact_rows(q)[1] @ machine.accelerations(t, q, u)
    first = contact["hold"]
    acceleration = np.sqrt(sum(np.where(k < contact["n_row"], rows[np.minimum(first + k, len(rows) - 1)], 0.0) ** 2
                               for k in range(3)))
    near = (gap <= contact["size"]) & (touch["off"] == 0)
    near = near if near.any() else np.ones_like(near)
    with np.errstate(divide="ignore"):
        times = np.minimum(contact["size"] / velocity, np.sqrt(contact["size"] / acceleration))
    return float(times[near].min(initial=np.inf))


def step_of(natural: float, span: float) -> float:
    """Length of the time steps of a stretch [s], from the natural time of the scene and the span of the run."""
    return STEP_PART * natural if np.isfinite(natural) and natural > 0.0 else SPAN_PART * span


@dataclass(frozen=True)
class Stretch:
    """One stretch of time steps within an event-driven run."""

    begin: float               # [s]
    end: float                 # [s]
    step: float                # longest step [s]
    steps: int
    cause: str                 # status with which the run would have ended
    first: int                 # its first sample
    last: int                  # the sample after its last
    arrays: dict[str, np.ndarray]  # what was observed at its samples, as `Machine.observation`, contacts as declared
    sums: np.ndarray           # per declared contact, see SUM
    jump: float                # largest change of a relative velocity at the hand-over, against size over natural time
    patience: int              # steps for which it had to be quiet


def put_stretch(stretch: Stretch, owner: np.ndarray, arrays: dict[str, np.ndarray]) -> None:
    """Replace what was observed at the samples of a stretch by what its steps say: mean forces, accelerations, reactions.

    Gaps and velocities of contacts stay those of the state. Forces of a declared contact stand at its nearest point.
    """
    rows = slice(stretch.first, stretch.last)
    for name, values in stretch.arrays.items():
        if name != "contact":
            arrays[name][rows] = values
    points = arrays["contact"][rows]
    for i in range(stretch.arrays["contact"].shape[1]):
        own, declared = np.flatnonzero(owner == i), stretch.arrays["contact"][:, i]
        at = own[np.argmin(points[:, own, 1], axis=1)]
        every = np.arange(len(points))
        for column in (0, 2, 3):  # mode, normal force, friction
            points[every, at, column] = declared[:, column]


def scheme_of(stretches: Sequence[Stretch], unexplained: np.ndarray) -> np.ndarray:
    """What time steps and the hand-over after them added to the energy, up to each sample.

    `unexplained` is the energy less all works. Between stretches its changes are errors of integration, not of the scheme.
    """
    scheme = np.zeros_like(unexplained)
    for stretch in stretches:
        begin = unexplained[stretch.first]
        inner, after = slice(stretch.first, stretch.last), slice(stretch.last, None)
        scheme[inner] += unexplained[inner] - begin
        end = stretch.last if stretch.last < len(unexplained) else stretch.last - 1
        scheme[after] += unexplained[end] - begin
    return scheme
