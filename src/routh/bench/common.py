"""What the benchmarks share: one core, rows of results, timing, and peers that may be missing."""

from __future__ import annotations

import contextlib
import importlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType

PIN = hasattr(os, "sched_setaffinity")
CORES = os.sched_getaffinity(0) if PIN else set()


def pin_to(cores: set[int]) -> None:
    """Run on these cores only, where the system can say so."""
    if PIN:
        os.sched_setaffinity(0, cores)


def one_core() -> None:
    """Run on one core: no engine, nor its linear algebra, runs two threads at once."""
    pin_to(set(sorted(CORES)[:1]))


ROUTH = "routh"


@dataclass(frozen=True)
class Row:
    """One measurement: `value` in `unit`, or None with a note that says why there is none."""

    case: str
    engine: str
    value: float | None
    unit: str
    note: str = ""
    goal: float | None = None  # at most this value
    goal_ratio: float | None = None  # at most this fraction of the best peer of the same case


@dataclass(frozen=True)
class Curve:
    """Error against cost of one engine: points (setting, CPU seconds per run, error), from coarse to fine."""

    case: str
    engine: str
    unit: str  # of the error
    points: tuple[tuple[float, float, float], ...]


def curve_of(case: str, engine: str, unit: str, settings: Iterable[float], measure: Callable[[float], tuple[float, float]],
             patience: float) -> Curve:
    """A curve by `measure(setting)`, (CPU seconds, error), until a run takes longer than `patience` seconds."""
    points = []
    for setting in settings:
        spent, error = measure(setting)
        points.append((setting, spent, error))
        if spent > patience:
            break
    return Curve(case, engine, unit, tuple(points))


def missing(case: str, engine: str, unit: str) -> Row:
    """The row of a peer that is not there."""
    return Row(case, engine, None, unit, "not installed")


def peer(name: str) -> ModuleType | None:
    """A peer engine, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def best_time(function: Callable[[], object], *, seconds: float = 0.5, rounds: int = 5) -> float:
    """CPU seconds per call: the best of some rounds, each long enough to be measured."""
    def many(calls: int) -> float:
        begin = time.process_time()
        for _ in range(calls):
            function()
        return time.process_time() - begin

    many(1)
    calls = 1
    while (spent := many(calls)) < 0.2 * seconds / rounds:
        calls *= 2
    calls = max(1, round(calls * seconds / rounds / spent))
    return min(many(calls) for _ in range(rounds)) / calls


def cpu_time(function: Callable[[], object], *, rounds: int = 1) -> float:
    """CPU seconds of one call, the best of some rounds."""
    spent = []
    for _ in range(rounds):
        begin = time.process_time()
        function()
        spent.append(time.process_time() - begin)
    return min(spent)


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Nothing on the terminal, not even from compiled peers."""
    with open(os.devnull, "w") as nowhere:
        saved = os.dup(1)
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(saved, 1)
            os.close(saved)
