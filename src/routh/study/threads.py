"""Runs of small models in threads: a compiled call for many points, which holds no lock of the interpreter.

Points whose changes are more than numbers, and runs that do not surely finish, are run by themselves (`Motion.row`), with the
same bits and the status that every other way gives them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from routh.sim.batch_audit import clean
from routh.sim.batch_run import BatchRun, Runs, suits
from routh.study.backends import Rows
from routh.study.changes import TABLES, Changes, changes_of
from routh.study.points import Motion
from routh.study.side_by_side import can_read, read

__all__ = ["SideBySide", "on_threads"]

GROUP = 256           # points of one compiled call at most; a thread holds the interpreter's lock between two calls
AHEAD = 2             # groups that wait for each thread


class SideBySide:
    """The points of a study with their changes as numbers, and the scratch of each thread."""

    def __init__(self, motion: Motion, columns: Mapping[str, np.ndarray], changes: Changes) -> None:
        self.motion, self.columns, self.changes = motion, columns, changes
        self.local = threading.local()
        self.guard = threading.Lock()

    @classmethod
    def of(cls, motion: Motion, columns: Mapping[str, np.ndarray]) -> SideBySide | str:
        """Points that can go side by side, or the reason why they cannot."""
        if motion.events:
            return "its runs look for events"
        if not can_read(motion.quantities):
            return "something is recorded that is neither a channel, nor a number of the impacts, at times or over the run"
        if not suits(motion.compiled, motion.sampled):
            return "the model is large, has loops, has no rigid contacts, or is not run by the event-driven engine"
        changes = changes_of(motion.compiled, motion.start, motion.t_start, columns)
        return "a model must be compiled for each point" if changes is None else cls(motion, columns, changes)

    def _batch(self) -> BatchRun:
        """The scratch of this thread."""
        if not hasattr(self.local, "batch"):
            with self.guard:  # kernels are compiled, and tables copied, by one thread at a time
                motion = self.motion
                n_q = motion.compiled.n_q
                start = self.changes.starts[0]
                self.local.batch = BatchRun(motion.compiled, motion.sampled, motion.t_start, motion.t_end, start[:n_q],
                                            start[n_q:], TABLES)
        batch: BatchRun = self.local.batch
        return batch

    def rows(self, first: int, last: int) -> dict[str, Any]:
        """Status, message and quantities of points `first` to `last` (without it), as Arrow arrays."""
        motion, changes = self.motion, self.changes
        which = first + np.flatnonzero(changes.known[first:last])
        n = last - first
        done = np.zeros(n, bool)
        columns: dict[str, Any] = {quantity.name: None for quantity in motion.quantities}
        if which.size:
            starts = changes.starts if len(changes.starts) == 1 else changes.starts[which]
            for runs in self._batch().go(changes.places, changes.values[which], starts):
                self._take(runs, which[runs.first:runs.first + len(runs.about)] - first, done, columns, n)
        status, message = np.full(n, "finished", object), np.full(n, "", object)
        alone: dict[int, list[Any]] = {}
        for i in np.flatnonzero(~done):
            point = {path: column[first + i].item() for path, column in self.columns.items()}
            status[i], message[i], alone[int(i)] = motion.row(point)
        return {"status": status.tolist(), "message": message.tolist(),
                **{name: _column(values, {i: row[k] for i, row in alone.items()}, n)
                   for k, (name, values) in enumerate(columns.items())}}

    def _take(self, runs: Runs, rows: np.ndarray, done: np.ndarray, columns: dict[str, Any], n: int) -> None:
        """Put the quantities of the runs that surely kept every law into their rows."""
        good = clean(runs)
        done[rows[good]] = True
        for quantity in self.motion.quantities if good.any() else ():
            values = read(quantity, runs)
            if columns[quantity.name] is None:
                columns[quantity.name] = np.full((n, *values.shape[1:]), np.nan)
            columns[quantity.name][rows[good]] = values[good]


def _column(values: np.ndarray | None, alone: Mapping[int, Any], n: int) -> Any:
    """A column of the table: numbers or lists of one length, with those of single runs in their places."""
    import pyarrow as pa

    if values is None:
        return [alone[i] for i in range(n)]
    if alone:
        return [alone.get(i, value) for i, value in enumerate(values.tolist())]
    if values.ndim > 1:
        k = values.shape[1]
        return pa.ListArray.from_arrays(np.arange(0, n * k + 1, k, dtype=np.int32), values.ravel())
    return values


def on_threads(work: SideBySide, missing: Sequence[int], chunk: int, workers: int) -> Iterator[tuple[list[int], Rows]]:
    """Compute stretches in threads, several that follow each other at a time; yield their numbers and rows when ready."""
    n = len(work.changes.known)
    size = max(min(GROUP, -(-n // (4 * workers))) // chunk, 1)
    waiting: list[list[int]] = []
    for number in missing:
        if waiting and len(waiting[-1]) < size and waiting[-1][-1] == number - 1:
            waiting[-1].append(number)
        else:
            waiting.append([number])

    def rows(numbers: list[int]) -> Rows:
        return work.rows(numbers[0] * chunk, min((numbers[-1] + 1) * chunk, n))

    if workers == 1:
        for numbers in waiting:
            yield numbers, rows(numbers)
        return
    running: dict[Future[Rows], list[int]] = {}
    with ThreadPoolExecutor(workers) as pool:
        try:
            while waiting or running:
                while waiting and len(running) < AHEAD * workers:
                    numbers = waiting.pop(0)
                    running[pool.submit(rows, numbers)] = numbers
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    found = future.result()
                    yield running.pop(future), found
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
