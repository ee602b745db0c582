"""Where the event-driven engine finds no way on, the run goes on by time steps until it is quiet, then by events again.

A stretch of time steps begins where an instant does not end, contact modes repeat, the mode problem has no solution, or events
come too densely. Its step comes from the scene (`stretches.natural_time`), unless the options give one. It ends when no bodies
have met and the same pairs have pressed for the time of some steps. The state at its end is brought to touching (`settle.py`).
Each stretch is an event of the kind "stepped", and a row of `result.stretches`.

Progress is guaranteed. A stretch lasts QUIET_STEPS steps at least, or to the end of the run. Where events covered less time
than the stretch before them, the next one must be quiet for twice as long. So there are at most
log2(span / (QUIET_STEPS step)) + 1 stretches in a row of which each is followed by less time of events than it lasted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.compiler.machine import Machine
from routh.core.tables import layout
from routh.core.tables.layout import new_work
from routh.core.tables.log import N_EVENT
from routh.core.tables.runs import COARSE, RESUMED
from routh.errors import ModelError, StateError
from routh.sim.options import Options
from routh.sim.settle import jump, near_touching, settle
from routh.sim.step_run import StepRun
from routh.sim.stretches import EVENTS_PER_STEP, STEP_PART, Stretch, natural_time, step_of

__all__ = ["natural_time_at", "rate_events", "step_on"]

FINER = 4              # step lengths that are tried, each a quarter of the last, where bodies are too fast for them
QUIET_STEPS = 5        # of the steps' time without impacts and with the same pressing pairs after which a stretch is over


def stepping_form(compiled: Compiled) -> Compiled | None:
    """The model for the stepping engine, contact by contact as in `compiled`; None where that engine does not take it."""
    kept = compiled.kept.get("stepping form")
    if kept is None or kept[0] is not compiled.model:
        try:
            form = compile_model(replace(compiled.model, contacts=compiled.model.single_contacts()), "stepping")
        except ModelError:
            form = None
        kept = compiled.kept["stepping form"] = (compiled.model, form)
    return kept[1]


def step_on(run: Any, cause: str) -> Stretch | None:
    """Take an EventRun through a stretch of time steps from where it stands; None where the stepping engine cannot, either."""
    form = stepping_form(run.machine.compiled)
    if form is None:
        return None
    step = step_at(run)
    for _ in range(FINER):
        steps = _Steps(run, form, step)
        try:
            if steps.go():
                return steps.hand_over(cause)
        except StateError:  # bodies overlap so far that time steps do not begin, either
            return None
        step *= 0.25
    return None


def step_at(run: Any) -> float:
    """Length of time steps where a run stands [s]: what the options say, else from the scene."""
    if run.options.step is not None:
        return float(run.options.step)
    return step_of(natural_time_at(run), float(run.stops[-1] - run.stops[0]))


def natural_time_at(run: Any) -> float:
    """Natural time of the scene where a run stands [s], with scratch of its own, so that the run does not change."""
    t, n_q, n_u = float(run.control[0]["t"]), run.machine.compiled.n_q, run.machine.compiled.n_u
    return natural_time(Machine(run.machine.compiled), t, run.y[:n_q].copy(), run.y[n_q:n_q + n_u].copy())


def rate_events(run: Any) -> bool:
    """Whether the events of a run that has stopped for their number are bearable where it stands, and the run may go on.

    The rate that a run may have for long is known only now: EVENTS_PER_STEP in the length of a step.
    """
    c, rate = run.control[0], EVENTS_PER_STEP / step_at(run)
    due = max(rate - float(c["event_rate"]), 0.0) * (float(c["t"]) - run.rated)
    c["event_excess"] = max(float(c["event_excess"]) - due, 0.0)
    c["event_rate"], run.rated = rate, float(c["t"])
    return bool(c["event_excess"] <= c["event_burst"])


def patience_of(run: Any) -> int:
    """Steps for which the next stretch must be quiet: twice as many as before where events covered less time than it did."""
    if not run.stretches:
        return QUIET_STEPS
    last = run.stretches[-1]
    return 2 * last.patience if float(run.control[0]["t"]) - last.end < last.end - last.begin else QUIET_STEPS


class _Steps:
    """One stretch while it is computed."""

    def __init__(self, run: Any, form: Compiled, step: float) -> None:
        self.run, c = run, run.control[0]
        self.begin, end = float(c["t"]), float(run.stops[-1])
        wanted = run.wanted[run.wanted > self.begin]
        self.step, self.patience = step, patience_of(run)
        options = Options(engine="stepping", step=self.step, contact_tolerance=run.options.contact_tolerance,
                          max_sweeps=run.options.max_sweeps, output=np.unique([*wanted, end]), contact_log="sums")
        self.steps = StepRun(form, options)
        self.n = form.n_q + form.n_u
        works, own = (int(m.system.world["works"][0]) for m in (run.machine, self.steps.machine))
        self.steps.y[own:] = run.y[works:works + self.steps.y.size - own]
        self.steps.begin(run.y[:form.n_q].copy(), run.y[form.n_q:self.n].copy(), self.begin, end)
        self.steps.control["next_impulse"] = c["next_impulse"]
        self.most = run.options.max_steps - int(c["accepted"] + c["rejected"])

    def go(self) -> bool:
        """Step until it is quiet, or the end; whether that was possible."""
        steps, pressing = self.steps, None
        since, long = self.begin, self.patience * self.step * (1.0 - 1e-9)
        while float(steps.control["t"]) - since < long:
            c = steps.control
            met, taken = int(steps.stepping.sum["hits"].sum()), int(c["steps"])
            c["budget"] = taken + 1
            code = steps._call()
            if code not in (layout.PAUSED, layout.FINISHED):
                return False
            last = self._pressing()
            same = pressing is not None and np.array_equal(last, pressing)
            if not same or int(steps.stepping.sum["hits"].sum()) != met:
                since = float(steps.control["t"])
            pressing = last
            if code == layout.FINISHED or int(steps.control["steps"]) >= self.most:
                break
        return True

    def _pressing(self) -> np.ndarray:
        """Pairs of shapes that pressed in the last step."""
        last = self.steps.stepping.last[: int(self.steps.control["n_last"])]
        return np.unique(last["i"] * len(self.steps.stepping.shape) + last["j"])

    def hand_over(self, cause: str) -> Stretch:
        """Put the run where the steps ended."""
        run, steps, control = self.run, self.steps, self.run.control[0]
        machine, n_q, t = run.machine, steps.compiled.n_q, float(steps.control["t"])
        n = int(steps.control["n_out"])
        works, own = (int(m.system.world["works"][0]) for m in (machine, steps.machine))

        # contacts are open until the event-driven engine chooses their modes; works that they did are kept
        touch, blank = machine.work.touch, new_work(machine.system).touch
        for name in touch.dtype.names:
            if name not in ("rubbed", "damped"):
                touch[name] = blank[name]
        machine.work.closed[-1] = 0
        phase = run.remember_phase()

        # samples of the steps, with the stretch between edges of profiles that each belongs to
        first = int(control["n_out"])
        run.make_room_for(first + n)
        samples = run.samples
        samples.t[first:first + n] = steps.t_out[:n]
        samples.y[first:first + n] = run.y
        samples.y[first:first + n, :self.n] = steps.y_out[:n, :self.n]
        samples.y[first:first + n, works:works + steps.y.size - own] = steps.y_out[:n, own:]
        samples.segment[first:first + n] = np.clip(np.searchsorted(run.stops, steps.t_out[:n], side="left") - 1, 0, None)
        samples.phase[first:first + n] = phase
        control["n_out"] = first + n

        # the state at the end, brought to touching
        q, u = steps.y[:n_q].copy(), steps.y[n_q:self.n].copy()
        closed, stuck = self._closed(q, u)
        free = u
        q, u = settle(machine, q, u, closed, stuck)
        run.y[:n_q], run.y[n_q:self.n] = q, u
        run.y[works:works + steps.y.size - own] = steps.y[own:]
        control["t"], control["h"], control["last_error"], control["fresh"] = t, 0.0, 0.0, 1
        control["begun"], control["stuck"], control["hasty"] = RESUMED, 0, 0
        control["segment"] = min(int(np.searchsorted(run.stops, t, side="right")) - 1, len(run.stops) - 2)
        control["next_out"] = int(np.searchsorted(run.wanted, t, side="right"))
        control["next_impulse"] = steps.control["next_impulse"]
        control["counted"], control["event_rate"] = run.log.count[N_EVENT], EVENTS_PER_STEP / self.step
        run.events.scale[COARSE] = 1.0
        taken = int(steps.control["steps"])
        control["accepted"] += taken
        return Stretch(self.begin, t, self.step, taken, cause, first, first + n,
                       {name: array[:n] for name, array in steps.arrays.items()}, steps.stepping.sum.copy(),
                       jump(machine, q, free, u, STEP_PART / self.step), self.patience)

    def _closed(self, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Masks of the elementary contacts that pressed in the last step, and of those of them that did not slip."""
        last = self.steps.stepping.last[: int(self.steps.control["n_last"])]
        owner = self.run.machine.system.contact["owner"]
        near = near_touching(self.run.machine, q, u)
        sliding = np.unique(last["rule"][last["stuck"] == 0])
        return near & np.isin(owner, last["rule"]), ~np.isin(owner, sliding)
