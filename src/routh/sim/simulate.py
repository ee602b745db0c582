"""simulate and evaluate: from a Model and a start to a Result."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.core import layout
from routh.core.jit import first_time
from routh.core.layout import N_WORK
from routh.errors import ModelError, SimulationError
from routh.model import checks
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays
from routh.sim.channels import Observed, channels_of
from routh.sim.kernels import Machine
from routh.sim.options import Options
from routh.sim.progress import Progress
from routh.sim.result import Energy, Result

__all__ = ["evaluate", "simulate"]

SLICE = 0.1           # seconds of compiled work between looks at the keyboard and the progress bar

STATUS = {
    layout.FINISHED: "finished",
    layout.STEP_TOO_SMALL: "step too small",
    layout.NOT_FINITE: "not finite",
    layout.NO_CONVERGENCE: "no convergence",
    layout.LOOP_OPEN: "loop open",
}
WHY = {
    "step too small": "the step became too small to advance time: a force jumps or grows without bound, or a driver pushes "
                      "a loop into a dead point",
    "too many steps": "it took more steps than Options.max_steps; a law may chatter, or the model be stiff (method='implicit')",
    "not finite": "a force or acceleration is not a finite number",
    "loop open": "a loop cannot stay closed while its drivers go on",
    "no convergence": "the implicit method found no solution even for the smallest step",
}


def simulate(model: Model | Compiled, start: State | None = None, t_end: float = 1.0, *, t_start: float = 0.0,
             options: Options | None = None) -> Result:
    """The motion from `start` until `t_end`, as a Result.

    `start` may leave out what loops and defaults (zero) decide; see State. Edges of time profiles are exact stops. A run that
    breaks off raises SimulationError with the part computed in `.result`; Ctrl-C returns that part with status "interrupted".
    """
    options = options if options is not None else Options()
    if not isinstance(options, Options):
        raise ModelError(f"simulate: options = {options!r} is not an Options")
    t_start, t_end = checks.number("simulate", "t_start", t_start), checks.number("simulate", "t_end", t_end)
    if not t_end > t_start:
        raise ModelError(f"simulate: t_end = {t_end:g} must be later than t_start = {t_start:g}")
    machine = Machine(model if isinstance(model, Compiled) else compile_model(model))
    wanted = options.times(t_start, t_end)
    q, u = assemble_arrays(machine, start, t_start, keep=True)
    run = _Run(machine, options, q, u, t_start, t_end, wanted)
    run.go()
    return run.result()


def evaluate(model: Model | Compiled, start: State | None = None, t: float = 0.0) -> Result:
    """A Result with one sample: every channel, accelerations and reactions included, at `start` and time t."""
    machine = Machine(model if isinstance(model, Compiled) else compile_model(model))
    q, u = assemble_arrays(machine, start, t, keep=True)
    y = np.concatenate([q, u, np.zeros(_works(machine))])[None, :]
    # a stretch that begins at t: at an edge this is the limit from the right
    later = machine.compiled.edges[machine.compiled.edges > t]
    stops = np.array([t, later[0] if later.size else t + 1.0])
    result = _result(machine, np.array([t]), y, np.zeros(1, np.int64), stops, "evaluated", {})
    for name in result.channels:
        if not np.isfinite(result[name]).all():
            raise SimulationError(f'{machine.compiled.model.name}: "{name}" is not a finite number at t = {t:g} s; a force '
                                  "may be undefined there, or the model's numbers too large", t=t, status="not finite",
                                  where=name, result=result)
    return result


class _Run:
    """One run: buffers, control record and the loop over slices of compiled work."""

    def __init__(self, machine: Machine, options: Options, q: np.ndarray, u: np.ndarray, t0: float, t_end: float,
                 wanted: np.ndarray) -> None:
        from routh.core.samples import CONTROL, new_buffers

        self.machine, self.options, self.wanted = machine, options, wanted
        edges = machine.compiled.edges
        self.stops = np.concatenate([[t0], edges[(edges > t0) & (edges < t_end)], [t_end]])
        self.buffers = new_buffers(np.concatenate([q, u, np.zeros(_works(machine))]))
        self.y = self.buffers.y
        room = len(wanted) + 2 * len(self.stops) + 1
        self.t_out, self.y_out = np.zeros(room), np.zeros((room, self.y.size))
        self.segment = np.zeros(room, np.int64)
        self.t_out[0], self.y_out[0] = t0, self.y
        self.control = np.zeros(1, CONTROL)
        c = self.control[0]
        c["t"], c["rtol"], c["atol"] = t0, options.rtol, options.atol
        c["max_step"] = options.max_step
        c["n_out"], c["budget"], c["watch_stiffness"] = 1, 200, options.method == "auto"
        self.status = "finished"

    def go(self) -> None:
        implicit = self.options.method == "implicit"
        progress = Progress(self.options.progress, self.stops[0], self.stops[-1])
        try:
            while True:
                code, implicit = self._slice(implicit)
                progress.show(float(self.control[0]["t"]))
                if code != layout.PAUSED:
                    self.status = STATUS[code]
                    break
                if self.control[0]["accepted"] + self.control[0]["rejected"] >= self.options.max_steps:
                    self.status = "too many steps"
                    break
        except KeyboardInterrupt:
            self.status = "interrupted"
        finally:
            progress.close()

    def _slice(self, implicit: bool) -> tuple[int, bool]:
        """A slice of compiled work; the number of steps adapts to last about SLICE seconds."""
        began = time.perf_counter()
        code = self._call(implicit)
        if code == layout.STIFF:
            self.control[0]["h"] = 0.0
            return layout.PAUSED, True
        spent = time.perf_counter() - began
        budget = int(self.control[0]["budget"])
        self.control[0]["budget"] = int(min(max(budget * SLICE / max(spent, 1e-9), 10), 4 * budget))
        return code, implicit

    def _call(self, implicit: bool) -> int:
        arguments = (self.machine.system, self.machine.work, self.control, self.buffers, self.stops, self.wanted, self.t_out,
                     self.y_out, self.segment)
        space = self.machine.compiled.model.space
        if implicit:
            from routh.core.stiff_loop import run_implicit

            with first_time(f"{space} implicit runs"):
                return int(run_implicit(*arguments))
        from routh.core.loop import run_explicit

        with first_time(f"{space} runs"):
            return int(run_explicit(*arguments))

    def result(self) -> Result:
        c = self.control[0]
        n = int(c["n_out"])
        if self.status != "finished" and self.t_out[n - 1] < c["t"]:
            self.t_out[n], self.y_out[n], self.segment[n] = c["t"], self.y, c["segment"]
            n += 1
        statistics = {k: float(c[k]) for k in ("accepted", "rejected", "evaluations", "worst_drift")}
        result = _result(self.machine, self.t_out[:n], self.y_out[:n], self.segment[:n], self.stops, self.status, statistics)
        if self.status in WHY and self.options.on_error == "raise":
            raise SimulationError(f"{self.machine.compiled.model.name}: stopped at t = {c['t']:g} s: {WHY[self.status]}",
                                  t=float(c["t"]), status=self.status, result=result)
        return result


def _works(machine: Machine) -> int:
    """How many works run along with the motion: none where no force and no driver can do any."""
    return N_WORK if machine.system.force.size or machine.system.driver.size else 0


def _result(machine: Machine, t: np.ndarray, y: np.ndarray, segment: np.ndarray, stops: np.ndarray, status: str,
            statistics: dict[str, float]) -> Result:
    """Observe the samples and give them names."""
    from routh.core.observe import observe

    compiled, system = machine.compiled, machine.system
    n, n_node = len(t), system.node.size
    arrays: dict[str, Any] = {
        "body": np.zeros((n, n_node, machine.body_size)), "joint": np.zeros((n, n_node, machine.row_size)),
        "row": np.zeros((n, system.row.size, machine.row_size)), "drive": np.zeros((n, system.driver.size)),
        "reading": np.zeros((n, system.force.size, 2)), "energy": np.zeros((n, 2))}
    machine.work.ridge[:] = layout.REPORTING
    observe(system, machine.work, t, y, segment, stops, *arrays.values())
    machine.work.ridge[:] = layout.MOVING
    seen = Observed(compiled, t, y, **arrays)
    energy = Energy(seen.energy[:, 0], seen.energy[:, 1], seen.works)
    names = [b.joint.name if b.joint is not None else b.child for b in compiled.tree.branches]
    return Result(t=t, channels=channels_of(seen), energy=energy, status=status, space=compiled.model.space,
                  model=compiled.model.name, entries=names, statistics=statistics)
