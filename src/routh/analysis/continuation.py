"""Branches of periodic motions: pseudo-arclength continuation in a parameter, with the bifurcations on the way.

A point of a branch is a state, a period and a value of the parameter. The next one lies a step along the tangent of the branch
and is corrected by Newton's method on the plane across it, so that the branch is followed round its folds ([keller1977]).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from routh.analysis.periodic import PeriodicOrbit, _sizes, orbit_of
from routh.analysis.shooting import Flow, Shooting
from routh.compiler.compile import Compiled
from routh.errors import ModelError, RouthError
from routh.model import checks
from routh.sim.ledger import Ledger
from routh.sim.parameters import parameters_of

__all__ = ["Bifurcation", "Branch", "continue_orbit"]

CORRECTIONS = 8       # Newton steps of a point at most
QUICK = 4             # of them, after which the next step is not longer
SHORTEST = 1e-4       # of the first step: shorter ones end the branch
LOCATED = 1e-13       # of a step: to this a bifurcation is located
BISECTIONS = 48       # of a step, where only a change tells


@dataclass(frozen=True)
class Bifurcation:
    """A point of a branch where its stability or kind changes: "fold", "period doubling", "torus" or "grazing"."""

    kind: str
    value: float              # of the parameter
    orbit: PeriodicOrbit = field(repr=False)


@dataclass(frozen=True)
class Branch:
    """Periodic motions along a parameter.

    Attributes
    ----------
    path : str
        The parameter.
    values : array
        Its value at every point.
    orbits : list of PeriodicOrbit
        The orbits.
    bifurcations : list of Bifurcation
        Folds, period doublings, tori (a complex pair leaves the unit circle) and grazing, in the order of the branch.
    message : str
        Why the branch ends.

    Examples
    --------
    >>> swing = rt.Model(space="planar", bodies=[rt.Body("mass", 1.0, 1.0)],
    ...     joints=[joints.Prismatic("rail", "ground", "mass", axis=(1.0, 0.0))],
    ...     forces=[forces.JointSpring("spring", "rail.shift", stiffness=4.0, damping=0.2),
    ...             forces.PointForce("push", "mass", force=(1.0, 0.0), profile=profiles.Sine(0.1, 1.0))])
    >>> branch = rt.continue_orbit(rt.periodic_orbit(swing, period=1.0), "spring.stiffness", 9.0)
    >>> branch.table().columns, branch.bifurcations
    (['value', 'period', 'multiplier', 'stable'], [])
    """

    path: str
    values: np.ndarray
    orbits: list[PeriodicOrbit] = field(repr=False)
    bifurcations: list[Bifurcation]
    message: str

    def table(self) -> Ledger:
        """Value, period, size of the largest multiplier and stability of every point."""
        largest = [float(np.abs(orbit.multipliers).max()) for orbit in self.orbits]
        return Ledger({"value": self.values, "period": [orbit.period for orbit in self.orbits], "multiplier": largest,
                       "stable": [orbit.stable for orbit in self.orbits]}, {"period": "s"})


@dataclass
class _Point:
    q: np.ndarray
    u: np.ndarray
    span: float
    value: float
    flow: Flow
    compiled: Compiled
    error: float
    corrections: int = 0
    tangent: np.ndarray = field(default_factory=lambda: np.zeros(0))


def continue_orbit(orbit: PeriodicOrbit, path: str, stop: float, *, step: float | None = None, max_points: int = 200,
                   tolerance: float = 1e-10) -> Branch:
    """The branch of periodic motions through an orbit, along a parameter towards the value `stop`, and round folds.

    Parameters
    ----------
    orbit
        Where it begins, as `periodic_orbit` gives it.
    path
        The parameter: a number of the model, such as "shaker.motion.amplitude".
    stop
        The branch ends where the parameter passes this value, or comes back to that of `orbit`.
    step
        First step, of the parameter; later ones adapt up to ten times as long. Default: a twentieth of the way.
    max_points
        Points at most. Default: 200.
    tolerance
        As of `periodic_orbit`. Default: 1e-10.

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
    >>> branch = rt.continue_orbit(orbit, "shaker.motion.amplitude", 1.8 * 9.81 / (20.0 * np.pi) ** 2)
    >>> branch.bifurcations[0].kind, round(branch.bifurcations[0].value * (20.0 * np.pi) ** 2 / 9.81, 6)
    ('period doubling', 1.526824)
    """
    if not isinstance(orbit, PeriodicOrbit):
        raise ModelError(f"continue_orbit: {orbit!r:.60} is not a PeriodicOrbit")
    stop = checks.number("continue_orbit", "stop", stop)
    walk = _Walk(orbit, path, stop, step, tolerance)
    return walk.branch(max_points)


class _Walk:
    """The points of one branch."""

    def __init__(self, orbit: PeriodicOrbit, path: str, stop: float, step: float | None, tolerance: float) -> None:
        self.shooting: Shooting = orbit.shooting
        self.path, self.stop, self.forced, self.tolerance = path, stop, orbit.forced, tolerance
        compiled = orbit.compiled
        y = np.concatenate(orbit.place)
        one = parameters_of(compiled, orbit.start, orbit.t_start, [path], y, np.ones(len(y)))[0]
        if one.of_start:
            raise ModelError(f'continue_orbit: "{path}" is a value of the start, which the orbit itself determines')
        self.begin, self.base, self.parameter = one.value, compiled, one
        if stop == self.begin:
            raise ModelError(f"continue_orbit: stop = {stop:g} is the value that the orbit has")
        self.range = abs(stop - self.begin)
        first = 0.05 * self.range if step is None else checks.positive("continue_orbit", "step", step)
        self.step = first / self.range
        self.size = np.concatenate([_sizes(self.shooting, orbit.flow), [orbit.period], [self.range]])
        self.orbit = orbit

    def compiled_at(self, value: float) -> Compiled:
        """The model with another value of the parameter."""
        return self.base.replace({self.parameter.key: self.parameter._value(value - self.begin)})

    def system(self, flow: Flow) -> np.ndarray:
        """Derivative of (end minus start, phase) by (start, period, parameter), all against their sizes."""
        n = len(flow.difference)
        out = np.zeros((n + 1, n + 2))
        out[:n, :n] = flow.monodromy - np.eye(n)
        out[:n, n], out[:n, n + 1] = flow.rate_end, flow.by_parameter
        rows = np.append(self.size[:n], 1.0)
        out *= self.size / rows[:, None]
        if self.forced:
            out[:n, n] = 0.0
            out[n, n] = 1.0
        else:
            out[n, :n] = flow.rate_start / self.size[:n]
            out[n] /= np.linalg.norm(out[n])
        return out

    def direction(self, flow: Flow, like: np.ndarray) -> np.ndarray:
        """Unit tangent of the branch, in the sense of `like`."""
        null = np.linalg.svd(self.system(flow))[2][-1]
        return null if null @ like >= 0.0 else -null

    def moved(self, point: _Point, change: np.ndarray) -> _Point:
        """The point changed by scaled unknowns, with its flow."""
        n = self.shooting.size
        dz = change * self.size
        q, u = self.shooting.shifted(point.q, point.u, dz[:n])
        value, span = point.value + float(dz[n + 1]), point.span + float(dz[n])
        compiled = self.compiled_at(value)
        flow = self.shooting.flow(compiled, q, u, span, self.parameter.path)
        error = float(np.abs(flow.difference / self.size[:n]).max())
        return _Point(q, u, span, value, flow, compiled, error)

    def next(self, point: _Point, length: float) -> _Point:
        """The point of the branch at the distance `length` along the tangent of `point`; RouthError where there is none."""
        n = self.shooting.size
        new = self.moved(point, length * point.tangent)
        last = np.inf
        for k in range(CORRECTIONS):
            if new.error <= self.tolerance or (new.error >= 0.5 * last and new.error <= 1e2 * self.tolerance):
                new.tangent, new.corrections = self.direction(new.flow, point.tangent), k
                return new
            last = new.error
            matrix = np.vstack([self.system(new.flow), point.tangent])
            right = np.concatenate([-new.flow.difference / self.size[:n], [0.0, 0.0]])
            new = self.moved(new, np.linalg.lstsq(matrix, right, rcond=1e-14)[0])
        raise RouthError(f"end and start differ by {new.error:.2g} of their sizes")

    def orbit_at(self, point: _Point) -> PeriodicOrbit:
        return orbit_of(self.shooting, point.compiled, point.q, point.u, point.span, self.forced, point.flow, point.error)

    def branch(self, max_points: int) -> Branch:
        """Follow it."""
        flow = self.shooting.flow(self.base, *self.orbit.place, self.orbit.period, self.parameter.path)
        point = _Point(*self.orbit.place, self.orbit.period, self.begin, flow, self.base, self.orbit.residual)
        ahead = np.zeros(self.shooting.size + 2)
        ahead[-1] = np.sign(self.stop - self.begin)
        point.tangent = self.direction(flow, ahead)
        points, found, length, message = [point], [], self.step, f"{max_points} points"
        while len(points) < max_points:
            try:
                new = self.next(point, length)
            except RouthError as error:
                length *= 0.5
                if length < SHORTEST * self.step:
                    message = f"no orbit beyond {self.path} = {point.value:.9g}: {error}"
                    break
                continue
            if _signature(new.flow) != _signature(point.flow):
                edge = self.grazing(point, length)
                found.append(Bifurcation("grazing", edge.value, self.orbit_at(edge)))
                message = f"at {self.path} = {edge.value:.9g} an impact begins or ends: it grazes"
                points.append(edge)
                break
            found += self.crossings(point, new, length)
            points.append(new)
            length = min(length * (1.5 if new.corrections <= QUICK else 0.7), 10.0 * self.step)
            point = new
            if (new.value - self.stop) * (self.begin - self.stop) <= 0.0:
                message = f"{self.path} has come to {new.value:.9g}"
                break
            if (new.value - self.begin) * (self.stop - self.begin) < 0.0:
                message = f"the branch has turned back beyond {self.path} = {self.begin:.9g}"
                break
        return Branch(self.path, np.array([p.value for p in points]), [self.orbit_at(p) for p in points], found, message)

    def crossings(self, point: _Point, new: _Point, length: float) -> list[Bifurcation]:
        """Bifurcations between two points."""
        out = []
        for kind, test in TESTS.items():
            a, b = test(point), test(new)
            if a * b < 0.0:
                at = self.located(point, new, length, test, a, b)
                out.append(Bifurcation(kind, at.value, self.orbit_at(at)))
        return out

    def located(self, point: _Point, new: _Point, length: float, test: Callable[[_Point], float], a: float, b: float) -> _Point:
        """The point between two others at which a test function is zero: by secants that keep the root between them."""
        low, high, best = 0.0, length, new
        for _ in range(60):
            s = (low * b - high * a) / (b - a)
            if high - low <= LOCATED * length or not low < s < high:
                break
            best = self.next(point, s)
            value = test(best)
            if abs(value) <= 1e-12:
                break
            if value * a > 0.0:
                low, a, b = s, value, 0.5 * b
            else:
                high, b, a = s, value, 0.5 * a
        return best

    def grazing(self, point: _Point, length: float) -> _Point:
        """The last point before the events of the orbit change."""
        low, high, best = 0.0, length, point
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            try:
                tried = self.next(point, middle)
            except RouthError:
                high = middle
                continue
            if _signature(tried.flow) == _signature(point.flow):
                low, best = middle, tried
            else:
                high = middle
            if high - low <= 1e-10 * length:
                break
        return best


def _signature(flow: Flow) -> tuple[tuple[str, str], ...]:
    """What happens in an orbit, in order."""
    events = flow.result.events
    return tuple(zip(events["kind"].tolist(), events["contact"].tolist(), strict=True))


def _fold(point: _Point) -> float:
    """Changes its sign where the parameter turns back."""
    return float(point.tangent[-1])


def _doubling(point: _Point) -> float:
    """Changes its sign where a multiplier passes -1."""
    return float(np.linalg.det(point.flow.monodromy + np.eye(len(point.flow.difference))))


def _torus(point: _Point) -> float:
    """Changes its sign where a complex pair of multipliers passes the unit circle."""
    values = np.linalg.eigvals(point.flow.monodromy)
    pairs = values[values.imag > 0.0]
    return float(np.prod(np.abs(pairs) - 1.0)) if len(pairs) else 0.0


TESTS: dict[str, Callable[[_Point], float]] = {"fold": _fold, "period doubling": _doubling, "torus": _torus}
