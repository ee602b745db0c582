"""A run taken from tick to tick of a control loop, with every address and table bound beforehand.

A tick sets a few numbers of the control record and calls the compiled loop once. Whatever is not the usual case (a profile that
changes its piece, a log without room, a pause after many steps, a failure) goes the way of `Run.go_on`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.core.tables import layout
from routh.core.tables import stepping as codes
from routh.core.tables.log import N_EVENT, N_IMPACT, clear
from routh.core.tables.runs import BEGUN, CONTROL, LOOK_AGAIN
from routh.sim.audit import LOOK_STEPS

__all__ = ["EventTicks", "StepTicks"]

_AT = {name: i for i, name in enumerate(CONTROL.names or ())}  # all fields have eight bytes
_STEP_AT = {name: i for i, name in enumerate(codes.STEP_CONTROL.names or ())}
T, SEGMENT, N_OUT, BUDGET, ACCEPTED, REJECTED, FRESH, BEGIN = (
    _AT[name] for name in ("t", "segment", "n_out", "budget", "accepted", "rejected", "fresh", "begun"))


class EventTicks:
    """Ticks of an event-driven run, with events or without."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.real, self.whole = run.control.view(np.float64), run.control.view(np.int64)
        self.stops, run.wanted = np.zeros(2), np.zeros(0)
        run.want(run.wanted)
        self.log = getattr(run, "log", None)
        self.samples = run.samples
        self.call = run.bound(self.stops)
        edges = run.machine.compiled.edges
        later = edges[edges > self.real[T]]
        self.edge = float(later[0]) if later.size else np.inf

    def go(self, dt: float, changed: bool) -> bool:
        """Go on for dt; whether that was the usual case."""
        run, whole, log = self.run, self.whole, self.log
        t = self.real[T]
        t_end = t + dt
        if t_end >= self.edge or run.stiff or run.options.method == "implicit":
            return False
        if log is not None:
            if log.count[N_IMPACT] or log.count[N_EVENT]:
                clear(log)
            else:
                log.count[:] = 0
            if changed and whole[BEGIN] == BEGUN:
                whole[BEGIN] = LOOK_AGAIN
        self.stops[0], self.stops[1] = t, t_end
        run.stops = self.stops
        run.taken += int(whole[ACCEPTED] + whole[REJECTED])
        whole[SEGMENT] = whole[N_OUT] = whole[ACCEPTED] = whole[REJECTED] = 0
        whole[FRESH], whole[BUDGET] = 1, LOOK_STEPS
        code = self.call()
        if code == layout.FINISHED:
            run.status = "finished"
            return True
        run.finish_tick()
        return True

    def valid(self) -> bool:
        """Whether what was bound is still what the run uses."""
        return self.samples is self.run.samples and self.log is getattr(self.run, "log", None)


class StepTicks:
    """Ticks of a stepped run: whole steps, each tick with one sample."""

    def __init__(self, run: Any, arrays: dict[str, np.ndarray]) -> None:
        self.plain = run.options.threads == 1 and len(run.stepping.stops) == 1 and int(run.control["steps"]) > 0
        self.call = run.bound(arrays)
        self.run, self.tables, self.arrays = run, run.stepping, arrays
        self.real, self.whole = run.stepping.control.view(np.float64), run.stepping.control.view(np.int64)
        self.system = run.machine.system
        edges = run.compiled.edges
        later = edges[edges > run.t]
        self.edge = float(later[0]) if later.size else np.inf

    def go(self, dt: float, changed: bool) -> bool:
        """Go on for dt; whether that was the usual case."""
        run, whole = self.run, self.whole
        t_end = self.real[_STEP_AT["t"]] + dt
        if not self.plain or t_end >= self.edge:
            return False
        self.tables.stops[0] = t_end
        whole[_STEP_AT["next_stop"]] = whole[_STEP_AT["n_out"]] = whole[_STEP_AT["n_record"]] = 0
        whole[_STEP_AT["budget"]] = whole[_STEP_AT["steps"]] + LOOK_STEPS
        if self.call() == layout.FINISHED:
            run.status = "finished"
            return True
        run.finish_tick()
        return True

    def valid(self) -> bool:
        """Whether what was bound is still what the run uses."""
        return self.tables is self.run.stepping and self.arrays is self.run.arrays and self.system is self.run.machine.system
