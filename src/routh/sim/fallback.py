"""Where the event-driven engine finds no way on, the run goes on by time steps until it is quiet, then by events again.

A stretch of time steps begins where an instant does not end, contact modes repeat, the mode problem has no solution, or events
come too densely. It ends when no bodies have met and the same pairs have pressed for some steps. The state at its end is
brought to touching (`settle.py`). Each stretch is an event of the kind "stepped", and a row of `result.stretches`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.core.tables import layout
from routh.core.tables.layout import new_work
from routh.core.tables.log import N_EVENT
from routh.core.tables.runs import COARSE, RESUMED
from routh.errors import ModelError, StateError
from routh.sim.options import Options
from routh.sim.settle import near_touching, settle
from routh.sim.step_run import StepRun
from routh.sim.stretches import Stretch

__all__ = ["step_on"]

QUIET_STEPS = 5        # steps without impacts and with the same pressing pairs after which a stretch is over


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
    steps = _Steps(run, form)
    try:
        went = steps.go()
    except StateError:  # bodies overlap so far that time steps do not begin, either
        went = False
    return steps.hand_over(cause) if went else None


class _Steps:
    """One stretch while it is computed."""

    def __init__(self, run: Any, form: Compiled) -> None:
        self.run, c = run, run.control[0]
        self.begin, end = float(c["t"]), float(run.stops[-1])
        wanted = run.wanted[run.wanted > self.begin]
        options = Options(engine="stepping", step=run.options.step, contact_tolerance=run.options.contact_tolerance,
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
        steps, quiet, pressing = self.steps, 0, None
        while quiet < QUIET_STEPS:
            c = steps.control
            met, taken = int(steps.stepping.sum["hits"].sum()), int(c["steps"])
            c["budget"] = taken + 1
            code = steps._call()
            if code not in (layout.PAUSED, layout.FINISHED):
                return False
            last = self._pressing()
            same = pressing is not None and np.array_equal(last, pressing)
            quiet = quiet + 1 if same and int(steps.stepping.sum["hits"].sum()) == met else 0
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
        q, u = settle(machine, q, u, closed, stuck)
        run.y[:n_q], run.y[n_q:self.n] = q, u
        run.y[works:works + steps.y.size - own] = steps.y[own:]
        control["t"], control["h"], control["last_error"], control["fresh"] = t, 0.0, 0.0, 1
        control["begun"], control["stuck"], control["hasty"] = RESUMED, 0, 0
        control["segment"] = min(int(np.searchsorted(run.stops, t, side="right")) - 1, len(run.stops) - 2)
        control["next_out"] = int(np.searchsorted(run.wanted, t, side="right"))
        control["next_impulse"] = steps.control["next_impulse"]
        control["counted"] = run.log.count[N_EVENT]
        run.events.scale[COARSE] = 1.0
        taken = int(steps.control["steps"])
        control["accepted"] += taken
        return Stretch(self.begin, t, float(steps.control["h"]), taken, cause, first, first + n,
                       {name: array[:n] for name, array in steps.arrays.items()}, steps.stepping.sum.copy())

    def _closed(self, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Masks of the elementary contacts that pressed in the last step, and of those of them that did not slip."""
        last = self.steps.stepping.last[: int(self.steps.control["n_last"])]
        owner = self.run.machine.system.contact["owner"]
        near = near_touching(self.run.machine, q, u)
        sliding = np.unique(last["rule"][last["stuck"] == 0])
        return near & np.isin(owner, last["rule"]), ~np.isin(owner, sliding)
