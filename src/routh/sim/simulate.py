"""simulate and evaluate: from a Model and a start to a Result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.errors import ModelError, SimulationError
from routh.model import checks
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays
from routh.sim.event import Event, events_of_user
from routh.sim.event_watch import EventWatch
from routh.sim.options import Options
from routh.sim.outcome import Outcome
from routh.sim.overlap import refuse_overlap
from routh.sim.result import Result
from routh.sim.run import EventRun, Run, give_back, take_run

__all__ = ["evaluate", "simulate"]

def simulate(model: Model | Compiled, start: State | None = None, t_end: float = 1.0, *, t_start: float = 0.0,
             options: Options | None = None, events: Sequence[Event | str] = (),
             sensitivities: Sequence[str] | None = None) -> Result:
    """The motion from `start` until `t_end`, as a Result.

    Edges of time profiles are exact stops. Ctrl-C returns the part computed so far, with status "interrupted".

    Parameters
    ----------
    model
        What moves. A `Compiled` model saves the compilation of the next run.
    start
        Positions and speeds by name. What is left out is zero, or follows from loops; see `State`. Default: all zero.
    t_end
        End of the run [s]. Default: 1 s.
    t_start
        Begin of the run [s]. Default: 0 s.
    options
        Engine, tolerances, samples, limits. Default: `Options()`.
    events
        Expressions whose roots are looked for, as texts or as `Event`, which may end the run. Default: none.
    sensitivities
        Paths of numbers of the model ("bounce.law.e") or of the start ("ball.y") to take derivatives by, through every event:
        `result.sensitivities`, see `Sensitivities`. Default: none.

    Returns
    -------
    Result
        Channels, impacts, events, energy account, status.

    Raises
    ------
    ModelError, StateError
        The declaration or the start is wrong; raised before the run.
    SimulationError
        The run stopped early. Its `result` holds the part that was computed.

    Examples
    --------
    >>> ball, floor = shapes.Disk("ball", radius=0.1), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    >>> model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=1.0, inertia=0.005)],
    ...                  contacts=[rt.Contact("floor", floor, ball, law=rt.Newton(e=0.5, mu=0.2))])
    >>> result = rt.simulate(model, rt.State(ball={"y": 1.1}), t_end=2.0)
    >>> result.status, round(float(result.impacts.t[0]), 4)
    ('finished', 0.4515)
    """
    options = options if options is not None else Options()
    if not isinstance(options, Options):
        raise ModelError(f"simulate: options = {options!r} is not an Options")
    t_start, t_end = checks.number("simulate", "t_start", t_start), checks.number("simulate", "t_end", t_end)
    if not t_end > t_start:
        raise ModelError(f"simulate: t_end = {t_end:g} must be later than t_start = {t_start:g}")
    compiled = model.for_engine(options.engine) if isinstance(model, Compiled) else compile_model(model, options.engine)
    chosen = events_of_user(events)
    if options.engine == "stepping":
        if sensitivities is not None:
            raise ModelError('simulate: sensitivities are computed by engine = "events" only; time steps have no exact ones')
        return _step(compiled, start, t_start, t_end, options, chosen)
    wanted = options.times(t_start, t_end)
    run = take_run(compiled, options)
    user = EventWatch(chosen, run.machine) if chosen else None
    if user is not None:
        wanted = user.grid(wanted, t_start, t_end)
    run.begin(options, *_start(run, start, t_start), t_start, t_end, wanted)
    run.user = user
    run.go_through()
    result = run.result()
    if sensitivities is not None:
        from routh.sim.sensitivities import sensitivities_of

        assert run.outcome is not None
        result.sensitivities = sensitivities_of(run.outcome, compiled, start, sensitivities, options.rtol, options.atol)
    give_back(run)
    return result


def _step(compiled: Compiled, start: State | None, t_start: float, t_end: float, options: Options,
          events: Sequence[Event] = ()) -> Result:
    """The motion by the time-stepping engine."""
    from routh.sim.step_run import StepRun

    run = StepRun(compiled, options)
    q, u = assemble_arrays(run.machine, start, t_start, keep=True)
    run.begin(q, u, t_start, t_end, EventWatch(events, run.machine) if events else None)
    run.go()
    if run.ends is not None:  # again, with a last step that ends at the event
        whole, run = run, StepRun(compiled, options)
        run.begin(q, u, t_start, t_end)
        run.end_at(whole)
        run.go()
    result = run.result()
    if options.refine:
        finer = replace(options, step=0.5 * options.step_length, refine=False, output=result.t[1:])
        result.error = differences(result, _step(compiled, start, t_start, float(result.t[-1]), finer))
    return result


def differences(coarse: Result, fine: Result) -> dict[str, float]:
    """Largest difference of each coordinate and speed of bodies over the samples of both runs: the finer one's error."""
    common, i, j = np.intersect1d(coarse.t, fine.t, return_indices=True)
    out = {}
    for name in coarse.channels:
        if name.partition(".")[2] in ("x", "y", "z", "theta", "vx", "vy", "vz", "omega", "wx", "wy", "wz") and common.size:
            out[name] = float(np.abs(coarse[name][i] - fine[name][j]).max())
    return out


def _start(run: Run, start: State | None, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and speeds of a start, with no overlap; those of the last run where it began in the same way."""
    machine = run.machine
    key, found = (machine.system.node, start, t), machine.compiled.kept.get("start")
    if found is not None and found[0][0] is key[0] and found[0][1] is start and found[0][2] == t:
        _, q, u, machine.start_loss = found
        return q, u
    q, u = assemble_arrays(machine, start, t, keep=True)
    if isinstance(run, EventRun):
        refuse_overlap(machine, q, u)
    if start is None or isinstance(start, State):  # a frozen value
        machine.compiled.kept["start"] = (key, q, u, machine.start_loss)
    return q, u


def evaluate(model: Model | Compiled, start: State | None = None, t: float = 0.0) -> Result:
    """A Result with one sample: every channel, accelerations and reactions included, at `start` and time t.

    Parameters
    ----------
    model
        What is looked at.
    start
        Positions and speeds by name. Default: all zero.
    t
        Time [s], for profiles and drivers. Default: 0 s.

    Examples
    --------
    >>> pendulum = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("rod", mass=1.0, inertia=1.0 / 12.0)],
    ...                     joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))])
    >>> now = rt.evaluate(pendulum, rt.State(pin={"angle": np.pi / 2}))
    >>> round(float(now["rod.alpha"][0]), 3)                      # -3 g / (2 l) [rad/s²]
    -14.715
    """
    compiled = model.for_engine("events") if isinstance(model, Compiled) else compile_model(model)
    run = take_run(compiled, Options())
    q, u = _start(run, start, t)
    machine = run.machine
    # a stretch that begins at t: at an edge this is the limit from the right
    later = machine.compiled.edges[machine.compiled.edges > t]
    t_later = later[0] if later.size else t + 1.0
    run.begin(Options(), q, u, t, t_later, np.zeros(0))
    if isinstance(run, EventRun):
        result, finite = run.start_only(), False
    else:
        outcome = Outcome(machine, run.samples.cut(1), run.stops)
        result, finite = outcome.result("evaluated", Options()), outcome.seen.finite()
    give_back(run)
    for name in result.channels if not finite else ():
        if not np.isfinite(result[name]).all():
            raise SimulationError(f'{machine.compiled.model.name}: "{name}" is not a finite number at t = {t:g} s; a force '
                                  "may be undefined there, or the model's numbers too large", t=t, status="not finite",
                                  where=name, result=result)
    return result
