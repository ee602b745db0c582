"""Stretches of time steps within an event-driven run: what is kept of them, and how they join the samples of the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["EVENTS_PER_STEP", "EVENT_BURST", "Stretch", "put_stretch", "scheme_of"]

EVENTS_PER_STEP = 10   # events within the length of a step that a run may have for long
EVENT_BURST = 10_000   # events beyond that rate: endless bounces of a tipping body end after some thousands


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
