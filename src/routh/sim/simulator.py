"""Simulator: a motion advanced piece by piece, for control loops and interactive use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.compiler.machine import Machine
from routh.errors import ModelError
from routh.model import checks
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays, state_of
from routh.sim.ledger import Ledger
from routh.sim.options import Options
from routh.sim.overlap import refuse_overlap
from routh.sim.ports import Inputs, Outputs
from routh.sim.result import Result
from routh.sim.run import EventRun, Run, run_of
from routh.sim.step_run import StepRun
from routh.sim.ticks import EventTicks, StepTicks

__all__ = ["Simulator"]


class Simulator:
    """A model in motion, for control loops: `advance` it, read it, push it.

    Between two calls contacts keep their modes, and events inside a step are found as in `simulate`. `inputs` and `outputs` are
    chosen once; a tick then writes and reads arrays that stay in place, and nothing is compiled.

    Parameters
    ----------
    model, start, options
        As in `simulate`. With `engine="stepping"` each `advance` is whole time steps of at most `Options.step`.
    t
        Time at the start [s]. Default: 0 s.
    inputs
        Paths of numbers of forces that the loop sets: "motor.torque", "push.force" (a vector: one input per component),
        "servo.target.value". Default: none.
    outputs
        Channels that the loop reads: "pin.angle", "ball.vy", "pin.reaction". Default: none.

    Examples
    --------
    >>> arm = rt.Model(space="planar", bodies=[rt.Body("arm", mass=1.0, inertia=0.1)],
    ...                joints=[joints.Revolute("pin", "ground", "arm")], forces=[forces.Torque("motor", "arm", torque=0.0)])
    >>> sim = rt.Simulator(arm, rt.State(pin={"angle": 0.1}), inputs=["motor.torque"], outputs=["pin.angle", "pin.angle_rate"])
    >>> for _ in range(1000):
    ...     angle, rate = sim.outputs
    ...     sim.inputs[0] = -2.0 * angle - 0.5 * rate
    ...     _ = sim.advance(1e-3)
    >>> round(sim.t, 6), abs(sim["pin.angle"]) < 0.02
    (1.0, True)
    """

    def __init__(self, model: Model | Compiled, start: State | None = None, *, t: float = 0.0,
                 options: Options | None = None, inputs: Sequence[str] = (), outputs: Sequence[str] = ()) -> None:
        self._options = options if options is not None else Options()
        engine = self._options.engine
        for name, given in (("inputs", inputs), ("outputs", outputs)):
            if isinstance(given, str):
                raise ModelError(f'simulator: {name} = "{given}" is not a list; write {name}=["{given}"]')
        compiled = model.for_engine(engine) if isinstance(model, Compiled) else compile_model(model, engine)
        self._in = Inputs(compiled, inputs)
        self._wanted = tuple(outputs)
        self._compiled = self._in.compiled
        self._machine = Machine(self._compiled)
        self._begin(start, checks.number("simulator", "t", t))

    def __reduce__(self) -> Any:
        raise TypeError("a Simulator is tied to its process and cannot be copied or pickled; make another one: "
                        "rt.Simulator(sim.model, sim.state, t=sim.t)")

    def _begin(self, start: State | None, t: float) -> None:
        self._in.take()
        q, u = assemble_arrays(self._machine, start, t, keep=True)
        self._seen: Result | None = None
        self._ticks: EventTicks | StepTicks | None = None
        if self._options.engine == "stepping":
            self._run: Run | StepRun = StepRun(self._compiled, self._options)
            self._machine = self._run.machine
            self._run.begin(q, u, t, t + 1.0)
        else:
            self._run = run_of(self._machine, self._options)(self._machine)
            if isinstance(self._run, EventRun):
                refuse_overlap(self._machine, q, u)
            self._run.begin(self._options, q, u, t, t + 1.0, np.zeros(0))
        self._out = Outputs(self._run, self._wanted)

    @property
    def inputs(self) -> np.ndarray:
        """The inputs, one number each, in SI units: write into this array; the next `advance` takes them."""
        return self._in.values

    @property
    def outputs(self) -> np.ndarray:
        """The outputs at the present instant: always the same array, brought up to date when it is asked for.

        Coordinates and speeds of joints are read off the state. Other channels are observed first. Those that are made of
        several observed numbers (sums over the points of a contact, coordinates of joints that close loops, energies) take as
        long as `sim[channel]`.
        """
        return self._out.read(self)

    @property
    def input_names(self) -> list[str]:
        """Names of the inputs, component by component."""
        return list(self._in.names)

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs, component by component."""
        return list(self._out.names)

    @property
    def model(self) -> Model:
        """The model, with what was `set` and the present inputs."""
        return self._compiled.model.replace(self._in.changes()) if self._in.names else self._compiled.model

    @property
    def t(self) -> float:
        """The present time [s]."""
        return self._run.t if isinstance(self._run, StepRun) else float(self._run.control[0]["t"])

    @property
    def state(self) -> State:
        """The complete present state; assign one to jump there."""
        n_q, n_u = self._compiled.n_q, self._compiled.n_u
        return state_of(self._machine, self._run.y[:n_q].copy(), self._run.y[n_q:n_q + n_u].copy())

    @state.setter
    def state(self, state: State) -> None:
        self._begin(state, self.t)

    def advance(self, dt: float) -> Simulator:
        """Go on for `dt` seconds [s]; SimulationError where the motion breaks off.

        Ctrl-C raises KeyboardInterrupt. The simulator then stands at its last step, `sim.t`, and can go on from there.
        """
        if not (type(dt) is float and 0.0 < dt < math.inf):
            dt = checks.positive("advance", "dt", dt)
        self._seen = None
        self._out.stale = True
        changed = self._in.take()
        ticks = self._ticks
        if ticks is None:
            ticks = self._bind()
        if ticks is None or not ticks.go(dt, changed):
            if changed:
                self._run.look_again()
            self._ticks = None
            self._run.go_on(self.t + dt)
        elif not ticks.valid():
            self._ticks = None
        return self

    def _bind(self) -> EventTicks | StepTicks | None:
        """Ticks of the run as it stands; None where it has not begun."""
        run = self._run
        if isinstance(run, StepRun):
            self._ticks = StepTicks(run, self._out.arrays) if run.control["steps"] > 0 else None
        else:
            self._ticks = EventTicks(run) if run.control[0]["accepted"] > 0 else None
        return self._ticks

    def set(self, changes: Mapping[str, Any]) -> None:
        """Change forces from now on by path: `sim.set({"motor.torque": 3.0, "push.force": (1.0, 0.0)})`."""
        model = self.model.replace(changes)
        forces = {f.name for f in model.forces}
        for path in changes:
            if path.partition(".")[0] not in forces:
                raise ModelError(f'path "{path}": only forces can be changed between steps; start a new Simulator for the rest')
            if path in self._in.paths:
                raise ModelError(f'path "{path}": is an input of this Simulator; write into sim.inputs')
        compiled = self._compiled.replace(changes)
        system = self._machine.system
        if len(compiled.system.parameter) != len(system.parameter) or compiled.system.piece.size != system.piece.size:
            raise ModelError(f"path {', '.join(map(repr, changes))}: a change of profile or of the number of parameters needs "
                             "a new Simulator")
        self._in.bind(compiled)
        self._compiled = self._machine.compiled = self._in.compiled
        self._machine.system = self._compiled.system
        self._in.take()
        self._run.look_again()
        self._seen = self._ticks = None
        self._out = Outputs(self._run, self._wanted)

    def __getitem__(self, channel: str) -> Any:
        """The present value of a channel: a number, or an array."""
        value = self.now[channel][-1]
        return value if value.ndim else float(value)

    @property
    def now(self) -> Result:
        """Every channel at the present instant, as a Result with one sample."""
        if self._seen is None:
            self._seen = self._run.present()
        return self._seen

    @property
    def impacts(self) -> Ledger:
        """Impacts of the last `advance`."""
        return self.now.impacts

    @property
    def events(self) -> Ledger:
        """Events of the last `advance`."""
        return self.now.events
