"""simulate and evaluate: from a Model and a start to a Result."""

from __future__ import annotations

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.errors import ModelError, SimulationError
from routh.model import checks
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays
from routh.sim.kernels import Machine
from routh.sim.options import Options
from routh.sim.outcome import Outcome, Samples
from routh.sim.result import Result
from routh.sim.run import EventRun, run_of, starting_state

__all__ = ["evaluate", "simulate"]

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
    kind = run_of(machine, options)
    machine.need("place_bodies", "violations", "observe", *kind.needs(machine, options))
    q, u = assemble_arrays(machine, start, t_start, keep=True)
    run = kind(machine, options, q, u, t_start, t_end, wanted)
    run.go()
    return run.result()


def evaluate(model: Model | Compiled, start: State | None = None, t: float = 0.0) -> Result:
    """A Result with one sample: every channel, accelerations and reactions included, at `start` and time t."""
    machine = Machine(model if isinstance(model, Compiled) else compile_model(model))
    q, u = assemble_arrays(machine, start, t, keep=True)
    # a stretch that begins at t: at an edge this is the limit from the right
    later = machine.compiled.edges[machine.compiled.edges > t]
    t_later = later[0] if later.size else t + 1.0
    if run_of(machine, Options()) is EventRun:
        run = EventRun(machine, Options(), q, u, t, t_later, np.zeros(0))
        result = run.start_only()
    else:
        samples = Samples(1, 0)
        samples.t[0], samples.y = t, starting_state(machine, q, u)[None, :]
        result = Outcome(machine, samples, np.array([t, t_later])).result("evaluated", Options())
    for name in result.channels:
        if not np.isfinite(result[name]).all():
            raise SimulationError(f'{machine.compiled.model.name}: "{name}" is not a finite number at t = {t:g} s; a force '
                                  "may be undefined there, or the model's numbers too large", t=t, status="not finite",
                                  where=name, result=result)
    return result
