"""Measured motions: channels at times, from arrays or from a CSV file, with the start that they began from."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from routh.errors import FileError, ModelError
from routh.model.state import State

__all__ = ["Measured", "read_measured"]


@dataclass(frozen=True, eq=False)
class Measured:
    """A measured motion.

    Parameters
    ----------
    t
        Times [s], increasing.
    channels
        Values at these times by the name of a channel, such as "ball.y"; what is not a number was not measured.
    start
        The state at `begin`, as far as it is known. Start values that are fitted replace those given here. Default: all zero.
    begin
        Time of the start [s]. Default: the first of `t`.
    name
        What messages call it.

    Examples
    --------
    >>> drop = rt.study.Measured([0.0, 0.1, 0.2], {"ball.y": [1.0, 0.951, 0.804]}, rt.State(ball={"y": 1.0}))
    >>> drop.n
    3
    """

    t: Any
    channels: Mapping[str, Any]
    start: State = field(default_factory=State)
    begin: float | None = None
    name: str = "motion"

    def __post_init__(self) -> None:
        where = f'measured "{self.name}"'
        t = _numbers(where, "t", self.t)
        if not len(t) or not np.isfinite(t).all() or (np.diff(t) <= 0.0).any():
            raise ModelError(f"{where}: t must be finite times that increase; there are {len(t)}")
        begin = float(t[0]) if self.begin is None else float(self.begin)
        if not begin <= t[0] or not begin < t[-1]:
            raise ModelError(f"{where}: begins at {begin:g} s, but is measured from {t[0]:g} s to {t[-1]:g} s")
        if not isinstance(self.channels, Mapping) or not self.channels:
            raise ModelError(f'{where}: no channels; give them as {{"ball.y": [...]}}')
        channels = {name: _numbers(where, name, values) for name, values in self.channels.items()}
        for name, values in channels.items():
            if len(values) != len(t):
                raise ModelError(f'{where}: "{name}" has {len(values)} values at {len(t)} times')
            if np.isinf(values).any() or not np.isfinite(values).any():
                raise ModelError(f'{where}: "{name}" has no finite values, or infinite ones')
        if not isinstance(self.start, State):
            raise ModelError(f"{where}: start = {self.start!r:.60} is not a State")
        for key, value in (("t", t), ("channels", channels), ("begin", begin)):
            object.__setattr__(self, key, value)

    @property
    def n(self) -> int:
        """How many numbers were measured."""
        return int(sum(np.isfinite(values).sum() for values in self.channels.values()))


def _numbers(where: str, name: str, values: Any) -> np.ndarray:
    try:
        array = np.array(values, float)
    except (TypeError, ValueError):
        raise ModelError(f"{where}: {name} = {values!r:.60} are not numbers") from None
    if array.ndim != 1:
        raise ModelError(f"{where}: {name} has shape {array.shape}; a list of numbers is needed")
    return array


def read_measured(path: str | Path, start: State | None = None, begin: float | None = None) -> Measured:
    """A measured motion from a CSV file: a column "t" [s], and one column per channel with its name as the head.

    Empty fields were not measured. Lines that begin with "#" are left out. `rt.identify` takes the path of such a file, too.
    """
    path = Path(path)
    try:
        lines = [line for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip() and line[0] != "#"]
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=str(path)) from None
    if len(lines) < 2:
        raise FileError("has no head with a line of numbers below it", file=str(path))
    head, *rows = csv.reader(lines)
    head = [name.strip() for name in head]
    if "t" not in head or len(set(head)) < len(head) or len(head) < 2:
        raise FileError(f'the head {", ".join(head)!r:.100} must name "t" and channels, each once', file=str(path))
    table = np.full((len(rows), len(head)), np.nan)
    for i, row in enumerate(rows):
        if len(row) != len(head):
            raise FileError(f"line {i + 2} has {len(row)} fields; the head has {len(head)}", file=str(path))
        for k, text in enumerate(row):
            try:
                table[i, k] = float(text) if text.strip() else np.nan
            except ValueError:
                raise FileError(f"line {i + 2}, {head[k]}: {text!r:.40} is not a number", file=str(path)) from None
    columns = dict(zip(head, table.T, strict=True))
    try:
        return Measured(columns.pop("t"), columns, State() if start is None else start, begin, path.stem)
    except ModelError as error:
        raise FileError(str(error), file=str(path)) from None
