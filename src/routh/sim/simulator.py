"""Simulator: a motion advanced piece by piece, for control loops and interactive use."""

from __future__ import annotations

from collections.abc import Mapping
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
from routh.sim.result import Result
from routh.sim.run import EventRun, Run, run_of
from routh.sim.step_run import StepRun

__all__ = ["Simulator"]


class Simulator:
    """A model in motion, for control loops: `advance` it, read it, push it.

    Between two calls contacts keep their modes, and events inside a step are found as in `simulate`.

    Parameters
    ----------
    model, start, options
        As in `simulate`. With `engine="stepping"` each `advance` is whole time steps of at most `Options.step`.
    t
        Time at the start [s]. Default: 0 s.

    Examples
    --------
    >>> arm = rt.Model(space="planar", bodies=[rt.Body("arm", mass=1.0, inertia=0.1)],
    ...                joints=[joints.Revolute("pin", "ground", "arm")], forces=[forces.Torque("motor", "arm", torque=0.0)])
    >>> sim = rt.Simulator(arm, rt.State(pin={"angle": 0.1}))
    >>> for _ in range(1000):
    ...     sim.set({"motor.torque": -2.0 * sim["pin.angle"] - 0.5 * sim["pin.angle_rate"]})
    ...     _ = sim.advance(1e-3)
    >>> round(sim.t, 6), abs(sim["pin.angle"]) < 0.02
    (1.0, True)
    """

    def __init__(self, model: Model | Compiled, start: State | None = None, *, t: float = 0.0,
                 options: Options | None = None) -> None:
        self._options = options if options is not None else Options()
        engine = self._options.engine
        self._compiled = model.for_engine(engine) if isinstance(model, Compiled) else compile_model(model, engine)
        self._machine = Machine(self._compiled)
        self._begin(start, checks.number("simulator", "t", t))

    def __reduce__(self) -> Any:
        raise TypeError("a Simulator is tied to its process and cannot be copied or pickled; make another one: "
                        "rt.Simulator(sim.model, sim.state, t=sim.t)")

    def _begin(self, start: State | None, t: float) -> None:
        q, u = assemble_arrays(self._machine, start, t, keep=True)
        self._seen: Result | None = None
        if self._options.engine == "stepping":
            self._run: Run | StepRun = StepRun(self._compiled, self._options)
            self._machine = self._run.machine
            self._run.begin(q, u, t, t + 1.0)
            return
        self._run = run_of(self._machine, self._options)(self._machine)
        if isinstance(self._run, EventRun):
            refuse_overlap(self._machine, q, u)
        self._run.begin(self._options, q, u, t, t + 1.0, np.zeros(0))

    @property
    def model(self) -> Model:
        """The model, with what was `set`."""
        return self._compiled.model

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
        dt = checks.positive("advance", "dt", dt)
        self._seen = None
        self._run.go_on(self.t + dt)
        return self

    def set(self, changes: Mapping[str, Any]) -> None:
        """Change forces from now on by path: `sim.set({"motor.torque": 3.0, "push.force": (1.0, 0.0)})`."""
        model = self.model.replace(changes)
        forces = {f.name for f in model.forces}
        for path in changes:
            if path.partition(".")[0] not in forces:
                raise ModelError(f'path "{path}": only forces can be changed between steps; start a new Simulator for the rest')
        compiled = self._compiled.replace(changes)
        system = self._machine.system
        if len(compiled.system.parameter) != len(system.parameter) or compiled.system.piece.size != system.piece.size:
            raise ModelError(f"path {', '.join(map(repr, changes))}: a change of profile or of the number of parameters needs "
                             "a new Simulator")
        self._compiled = self._machine.compiled = compiled
        self._machine.system = compiled.system
        self._run.look_again()
        self._seen = None

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
