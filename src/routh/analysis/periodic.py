"""Periodic motions by shooting, with the exact monodromy matrix and its Floquet multipliers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from routh.analysis.shooting import Flow, Shooting
from routh.compiler.compile import Compiled, compile_model
from routh.errors import ModelError, RouthError, SimulationError
from routh.model import checks
from routh.model.model import Model
from routh.model.state import State
from routh.sim.options import Options
from routh.sim.result import Result

__all__ = ["PeriodicOrbit", "periodic_orbit"]

HALVINGS = 12         # of a Newton step that leads nowhere
STILL = 1e-6          # of the sizes at the guess: an autonomous motion that is less in a period is none


@dataclass(frozen=True)
class PeriodicOrbit:
    """A periodic motion: where it starts, how long it takes, and whether it is stable.

    Attributes
    ----------
    start : State
        A state of the orbit, at `t_start`.
    period : float
        Its period [s].
    multipliers : array of complex
        Floquet multipliers, the largest first. Of an autonomous orbit one is 1.
    monodromy : array
        Derivative of the state after a period by the state before, in the free coordinates and their speeds.
    result : Result
        The motion over one period.
    drift : array
        What the coordinates named as drifting advance by in a period.
    residual : float
        Largest difference of end and start, against the sizes of coordinates and speeds.
    forced : bool
        Whether the period was given.
    t_start : float
        Time of the start [s].

    Examples
    --------
    >>> swing = rt.Model(space="planar", bodies=[rt.Body("mass", 1.0, 1.0)],
    ...     joints=[joints.Prismatic("rail", "ground", "mass", axis=(1.0, 0.0))],
    ...     forces=[forces.JointSpring("spring", "rail.shift", stiffness=4.0, damping=0.2),
    ...             forces.PointForce("push", "mass", force=(1.0, 0.0), profile=profiles.Sine(0.1, 1.0))])
    >>> orbit = rt.periodic_orbit(swing, period=1.0)
    >>> round(float(abs(orbit.multipliers[0])), 6)                          # exp(-damping period / (2 mass))
    0.904837
    """

    start: State
    period: float
    multipliers: np.ndarray
    monodromy: np.ndarray
    result: Result
    drift: np.ndarray
    residual: float
    forced: bool
    t_start: float
    shooting: Shooting = field(repr=False, compare=False)
    compiled: Compiled = field(repr=False, compare=False)
    flow: Flow = field(repr=False, compare=False)
    place: tuple[np.ndarray, np.ndarray] = field(repr=False, compare=False)

    @property
    def stable(self) -> bool:
        """Whether every multiplier, but the one of an autonomous orbit that is 1, lies within the unit circle."""
        sizes = np.abs(self.multipliers)
        if not self.forced:
            sizes = np.delete(sizes, int(np.argmin(np.abs(self.multipliers - 1.0))))
        return bool((sizes < 1.0).all())


def periodic_orbit(model: Model | Compiled, guess: State | None = None, *, period: float | None = None,
                   guess_period: float | None = None, drift: Sequence[str] = (), t_start: float = 0.0, tolerance: float = 1e-10,
                   max_iterations: int = 30, options: Options | None = None) -> PeriodicOrbit:
    """A periodic motion near a guess, by Newton's method on the state after a period.

    Parameters
    ----------
    model
        What moves.
    guess
        A state near the orbit, best one in flight: a contact that is closed there has no freedom to correct.
    period
        Period of a forced motion [s]: that of its drivers and loads, or a multiple.
    guess_period
        Instead, a guess of the period of an autonomous motion [s], which is then found.
    drift
        Coordinates that advance in a period without any effect on the motion, such as the height of a toy that climbs down its
        pole: "guide.shift", "ball.x". Default: none.
    t_start
        Time of the start [s], which is the phase of the drivers. Default: 0 s.
    tolerance
        Largest difference of end and start, against the sizes of coordinates and speeds. Default: 1e-10.
    max_iterations
        Newton steps at most. Default: 30.
    options
        As of `simulate`. Default: rtol = 1e-11, atol = 1e-13, samples at a thousand instants.

    Returns
    -------
    PeriodicOrbit
        With `multipliers`, `stable`, and `result`, the motion over a period.

    Raises
    ------
    SimulationError
        No orbit was found, or the motion has an instant without a derivative.

    Examples
    --------
    >>> floor, ball = shapes.HalfSpace("table", normal=(0.0, 1.0)), shapes.Disk("ball", radius=0.01)
    >>> shaken = rt.Model(space="planar", gravity=(0.0, -9.81),
    ...     bodies=[rt.Body("table", 1.0, 1.0), rt.Body("ball", 0.01, 4e-7)],
    ...     joints=[joints.Prismatic("lift", "ground", "table", axis=(0.0, 1.0)),
    ...             joints.Prismatic("guide", "ground", "ball", axis=(0.0, 1.0))],
    ...     drivers=[rt.Driver("shaker", "lift.shift", profiles.Sine(1.2 * 9.81 / (20.0 * np.pi) ** 2, 10.0))],
    ...     contacts=[rt.Contact("hit", floor, ball, law=rt.Newton(e=0.5, mu=0.0))])
    >>> orbit = rt.periodic_orbit(shaken, rt.State(guide={"shift": 0.021, "shift_rate": 0.0}), period=0.1, t_start=0.06)
    >>> orbit.stable, round(float(np.prod(orbit.multipliers).real), 6)               # one impact: their product is e²
    (True, 0.25)
    """
    compiled = model.for_engine("events") if isinstance(model, Compiled) else compile_model(model)
    if (period is None) == (guess_period is None):
        raise ModelError("periodic_orbit: give either the period of a forced motion or guess_period of an autonomous one")
    forced = period is not None
    span = checks.positive("periodic_orbit", "period" if forced else "guess_period", period if forced else guess_period)
    checks.positive("periodic_orbit", "tolerance", tolerance)
    options = replace(options or Options(rtol=1e-11, atol=1e-13), on_error="return")
    shooting = Shooting(compiled, guess, drift, checks.number("periodic_orbit", "t_start", t_start), options)
    return converge(shooting, compiled, shooting.q, shooting.u, span, forced, tolerance, max_iterations)


def converge(shooting: Shooting, compiled: Compiled, q: np.ndarray, u: np.ndarray, span: float, forced: bool,
             tolerance: float, max_iterations: int) -> PeriodicOrbit:
    """Newton's method on the state after a period, with steps that are halved where they lead nowhere."""
    flow = shooting.flow(compiled, q, u, span)
    size = _sizes(shooting, flow)
    error = float(np.abs(flow.difference / size).max())
    for _ in range(max_iterations):
        if error <= tolerance:
            break
        dz, dT = newton_step(flow, forced, size)
        part, better = 1.0, None
        for _halving in range(HALVINGS):
            try:
                q_new, u_new = shooting.shifted(q, u, part * dz)
                tried = shooting.flow(compiled, q_new, u_new, span + part * dT)
                tried_error = float(np.abs(tried.difference / size).max())
                if tried_error < error or tried_error <= tolerance:
                    better = (q_new, u_new, span + part * dT, tried, tried_error)
                    break
            except RouthError:
                pass
            part *= 0.5
        if better is None:
            break
        q, u, span, flow, error = better
    if not error <= max(tolerance, 1e3 * shooting.options.rtol):
        raise SimulationError(f"periodic_orbit: no orbit was found; end and start differ by {error:.2g} of their sizes after "
                              f"{span:g} s. Take a better guess, such as the end of a long run",
                              t=shooting.t_start + span, status="no convergence", result=flow.result)
    if not forced and float(np.abs(flow.rate_start / size).max()) * span <= STILL:
        raise SimulationError("periodic_orbit: it came to an equilibrium, which has no period; take a guess further from it",
                              t=shooting.t_start, status="equilibrium", result=flow.result)
    return orbit_of(shooting, compiled, q, u, span, forced, flow, error)


def newton_step(flow: Flow, forced: bool, size: np.ndarray) -> tuple[np.ndarray, float]:
    """(change of the start, change of the period) that closes the orbit to first order."""
    n = len(flow.difference)
    A = (flow.monodromy - np.eye(n)) * size / size[:, None]
    b = -flow.difference / size
    if forced:
        return np.linalg.lstsq(A, b, rcond=1e-13)[0] * size, 0.0
    bordered = np.zeros((n + 1, n + 1))
    bordered[:n, :n], bordered[:n, n], bordered[n, :n] = A, flow.rate_end / size, flow.rate_start / size
    step = np.linalg.lstsq(bordered, np.append(b, 0.0), rcond=1e-13)[0]
    return step[:n] * size, float(step[n])


def orbit_of(shooting: Shooting, compiled: Compiled, q: np.ndarray, u: np.ndarray, span: float, forced: bool, flow: Flow,
             error: float) -> PeriodicOrbit:
    """The orbit that a flow that closes is."""
    values = np.linalg.eigvals(flow.monodromy).astype(complex)
    values = values[np.argsort(-np.abs(values), kind="stable")]
    return PeriodicOrbit(shooting.state(q, u), span, values, flow.monodromy, flow.result, flow.drift, error, forced,
                         shooting.t_start, shooting, compiled, flow, (q, u))


def _sizes(shooting: Shooting, flow: Flow) -> np.ndarray:
    """Sizes of the unknowns over a run."""
    n_p = shooting.positions.shape[1]
    rates = np.abs(flow.rate_start) + np.abs(flow.rate_end)
    span = float(flow.result.t[-1] - flow.result.t[0])
    speeds = max(float(np.abs(rates[:n_p]).max(initial=0.0)), float(np.abs(rates[n_p:]).max(initial=0.0)) * span, 1e-300)
    return np.concatenate([np.full(n_p, speeds * span), np.full(shooting.size - n_p, speeds)])
