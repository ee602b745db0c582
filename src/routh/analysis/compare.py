"""Two results side by side: how far apart each channel gets, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from routh.errors import RouthError
from routh.sim.result import Result

__all__ = ["Comparison", "Difference", "compare"]

NEAR = 1e-9  # parts of the whole time within which two instants are one


class Difference(NamedTuple):
    """One channel: the largest difference, when it is, and the largest value of either result."""

    channel: str
    unit: str
    difference: float
    t: float
    scale: float
    agrees: bool


@dataclass(frozen=True)
class Comparison:
    """All channels that both results have, the worst first."""

    rows: tuple[Difference, ...]
    span: tuple[float, float]             # time that both cover [s]
    impacts: tuple[int, int]              # rows of the two ledgers
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]

    @property
    def agree(self) -> bool:
        """Whether every channel agrees, and both have the same channels."""
        return all(row.agrees for row in self.rows) and not self.only_first and not self.only_second

    def table(self, most: int = 15) -> str:
        """The comparison as text."""
        bad = sum(not row.agrees for row in self.rows)
        head = [f"{len(self.rows)} channels over t = {self.span[0]:g} ... {self.span[1]:g} s: "
                + (f"{bad} differ" if bad else "all agree"), f"impacts: {self.impacts[0]} and {self.impacts[1]}"]
        head += [f"only in the {which}: {', '.join(names)}" for which, names in
                 (("first", self.only_first), ("second", self.only_second)) if names]
        lines = [f"{'channel':28s} {'difference':>12s} {'of largest':>12s} {'at t [s]':>10s}  unit"]
        lines += [f"{row.channel:28s} {row.difference:12.3g} {row.scale:12.4g} {row.t:10.5g}  {row.unit}"
                  + ("" if row.agrees else "  differs") for row in self.rows[:most]]
        return "\n".join([*head, "", *lines, *([f"... and {len(self.rows) - most} more"] if len(self.rows) > most else [])])


def compare(first: Result, second: Result, rtol: float = 1e-6, atol: float = 1e-9) -> Comparison:
    """Differences of all channels that both have, at the sample times of the first (linear between samples of the second).

    A channel agrees where its largest difference stays below atol + rtol × its largest value. The instants of jumps are left
    out: there a value has two sides, and an impact that comes one rounding earlier is no difference.
    """
    low, high = max(first.t[0], second.t[0]), min(first.t[-1], second.t[-1])
    if not low <= high:
        raise RouthError(f"the results have no time in common: {first.t[0]:g} ... {first.t[-1]:g} s and "
                         f"{second.t[0]:g} ... {second.t[-1]:g} s")
    used = (first.t >= low) & (first.t <= high) & ~_at_jumps(first.t, first, second)
    t = first.t[used]
    if not t.size:
        raise RouthError("the results have no sample in common that is not the instant of a jump")
    both = [name for name in first.channels if name in second and first[name].shape[1:] == second[name].shape[1:]]
    rows = [_difference(first, second, name, used, t, rtol, atol) for name in both]
    rows.sort(key=lambda row: -row.difference / (atol + rtol * row.scale) if np.isfinite(row.difference) else -np.inf)
    return Comparison(tuple(rows), (float(low), float(high)), (len(first.impacts), len(second.impacts)),
                      tuple(n for n in first.channels if n not in both), tuple(n for n in second.channels if n not in both))


def _at_jumps(t: np.ndarray, *results: Result) -> np.ndarray:
    """Which times are those of a jump in one of the results, to rounding."""
    jumps = np.sort(np.concatenate([r.t[1:][np.diff(r.t) == 0.0] for r in results]))
    if not jumps.size:
        return np.zeros(len(t), bool)
    after = np.minimum(np.searchsorted(jumps, t), len(jumps) - 1)
    nearest = np.minimum(np.abs(jumps[after] - t), np.abs(jumps[np.maximum(after - 1, 0)] - t))
    close: np.ndarray = nearest <= NEAR * np.abs(t).max()
    return close


def _difference(first: Result, second: Result, name: str, used: np.ndarray, t: np.ndarray, rtol: float,
                atol: float) -> Difference:
    a = first[name][used].reshape(len(t), -1)
    other = second[name].reshape(len(second.t), -1)
    b = np.column_stack([np.interp(t, second.t, column) for column in other.T])
    apart = np.abs(a - b).max(axis=1)
    i = int(np.argmax(apart))
    scale = float(max(np.abs(a).max(), np.abs(b).max()))
    return Difference(name, first.unit(name), float(apart[i]), float(t[i]), scale, bool(apart[i] <= atol + rtol * scale))
