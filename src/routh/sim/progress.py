"""A progress bar for long runs: simulated time against the end, events so far, energy drift."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

__all__ = ["SLICE", "Progress", "stopping_when"]

SLICE = 0.1           # seconds of compiled work between looks at the keyboard and the progress bar
PATIENCE = 2.0        # seconds before a bar appears by itself


_STOP: ContextVar[Callable[[], bool] | None] = ContextVar("stop", default=None)


@contextmanager
def stopping_when(stop: Callable[[], bool]) -> Iterator[None]:
    """Runs inside this block end as "interrupted" soon after `stop()` is true; it is asked about ten times a second."""
    token = _STOP.set(stop)
    try:
        yield
    finally:
        _STOP.reset(token)


class Progress:
    """Shows a bar when asked, or by itself on a terminal once a run has taken a while."""

    def __init__(self, wanted: bool | None, start: float, end: float) -> None:
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self.patience = PATIENCE if wanted is None else 0.0
        self.start, self.end, self.began = start, end, time.perf_counter()
        self.bar: Any = None
        self.task: Any = None

    def show(self, t: float, facts: Callable[[], str]) -> None:
        """Move the bar to simulated time t; `facts` are asked for only where the bar is seen. KeyboardInterrupt to stop."""
        stop = _STOP.get()
        if stop is not None and stop():
            raise KeyboardInterrupt
        if not self.wanted or time.perf_counter() - self.began < self.patience:
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            state = TextColumn("t = {task.fields[t]:.4g} s, {task.fields[facts]}")
            self.bar = Bar(TextColumn("simulating"), BarColumn(), state, TimeRemainingColumn(), console=Console(stderr=True))
            self.task = self.bar.add_task("run", total=self.end - self.start, t=t, facts="")
            self.bar.start()
        self.bar.update(self.task, completed=t - self.start, t=t, facts=facts())

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self.bar is not None:
            self.bar.stop()
