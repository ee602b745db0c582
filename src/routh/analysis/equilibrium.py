"""Static equilibrium, also with loops: coordinates at which nothing accelerates from rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.compiler.machine import Machine
from routh.errors import StateError
from routh.model.model import Model
from routh.model.profiles import Constant
from routh.model.state import State
from routh.sim.assembly import assemble_arrays, state_of

__all__ = ["equilibrium"]

STEPS = 400
DIFFERENCE = 1e-6     # of a coordinate, for the stiffness by central differences


def equilibrium(model: Model | Compiled, start: State | None = None, t: float = 0.0) -> State:
    """The State at rest near `start` in which all accelerations vanish.

    Follows the descent q' = acceleration from rest, which leads to stable equilibria, and ends with Newton's method.

    Parameters
    ----------
    model, start
        As in `simulate`.
    t
        Time at which drivers hold their places [s]. Default: 0 s.

    Raises
    ------
    StateError
        It does not settle; the message has the largest acceleration left.

    Examples
    --------
    >>> pendulum = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("rod", mass=1.0, inertia=1.0 / 12.0)],
    ...                     joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))])
    >>> rest = rt.equilibrium(pendulum, rt.State(pin={"angle": 0.5}))
    >>> abs(rest["pin"]["angle"]) < 1e-9
    True
    """
    machine = Machine(model if isinstance(model, Compiled) else compile_model(model))
    q, _ = assemble_arrays(machine, start, t, keep=False)
    machine = _stopped(machine, q)
    rest = np.zeros(machine.compiled.n_u)

    def pull(at: np.ndarray) -> np.ndarray:
        return machine.accelerations(t, at, rest)

    if not rest.size:
        return state_of(machine, q, rest)
    a = pull(q)
    scale = max(float(np.abs(a).max()), 1e-300)
    pace = 1e-2           # how far the descent goes per step: d = pace × acceleration until Newton takes over
    best, stalled, stiffness = np.inf, 0, 0.0
    for _ in range(STEPS):
        size = float(np.abs(a).max())
        if not np.isfinite(size):
            raise StateError("equilibrium: an acceleration is not finite; a force may be undefined at the start")
        if size < 0.5 * best:
            best, stalled = size, 0
        else:
            stalled += 1
        # a start that is an equilibrium already has round-off for a scale: there 1e-12 m or rad must do
        if size <= 1e-13 * scale or (size <= max(1e-9 * scale, 1e-12 * stiffness) and stalled >= 3):
            return state_of(machine, q, rest)
        free, held = machine.free_directions(q)
        if not free.shape[1]:
            return state_of(machine, q, rest)
        K = np.column_stack([
            free.T @ (pull(machine.on_loops(q, DIFFERENCE * d, held)) - pull(machine.on_loops(q, -DIFFERENCE * d, held)))
            for d in free.T]) / (2.0 * DIFFERENCE)
        stiffness = float(np.abs(K).max())
        if not np.isfinite(stiffness):
            raise StateError("equilibrium: an acceleration is not finite; a force may be undefined near the start")
        while True:
            step = free @ np.linalg.lstsq(np.eye(len(K)) / pace - K, free.T @ a, rcond=1e-14)[0]
            trial = machine.on_loops(q, step, held)
            a_trial = pull(trial)
            new = float(np.abs(a_trial).max())
            if np.abs(step).max() <= 0.3 and np.isfinite(new) and new <= 2.0 * size:
                break
            pace *= 0.25
            if pace < 1e-14:
                raise StateError(f"equilibrium: no way down from an acceleration of {size:.3g}; give another start")
        pace = min(pace * min(max(size / max(new, 1e-300), 0.5), 10.0) * 1.5, 1e16)
        q, a = trial, a_trial
    if best <= 1e-8 * scale:
        return state_of(machine, q, rest)
    raise StateError(f"equilibrium: not reached; the largest acceleration left is {best:.3g} (m/s² or rad/s²); "
                     "is there anything that holds the model?")


def _stopped(machine: Machine, q: np.ndarray) -> Machine:
    """The same model with its drivers at rest where they are in q; a moving one would bring accelerations of its own."""
    model, places = machine.compiled.model, q[machine.system.driver["iq"]]
    if not model.drivers:
        return machine
    held = tuple(replace(d, motion=Constant(float(x))) for d, x in zip(model.drivers, places, strict=True))
    return Machine(compile_model(replace(model, drivers=held)))
