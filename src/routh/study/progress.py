"""A bar over the points of a study, with its rate and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["counting"]

PATIENCE = 2.0        # seconds before a bar appears by itself


@contextmanager
def counting(wanted: bool | None, total: int, done: int) -> Iterator[Callable[[int], None]]:
    """A function that is told of every finished stretch of points."""
    bar: Any = None
    task: Any = None
    seen, began = done, time.perf_counter()
    shown = sys.stderr.isatty() if wanted is None else wanted

    def count(n: int) -> None:
        nonlocal bar, task, seen
        seen += n
        spent = time.perf_counter() - began
        if not shown or (wanted is None and spent < PATIENCE):
            return
        if bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            bar = Progress(TextColumn("study"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]:.3g} runs/s"),
                           TimeRemainingColumn(), console=Console(stderr=True))
            task = bar.add_task("study", total=total, completed=done, rate=0.0)
            bar.start()
        bar.update(task, completed=seen, rate=(seen - done) / spent)

    try:
        yield count
    finally:
        if bar is not None:
            bar.stop()
