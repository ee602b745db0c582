"""Paths of numbers of a model or of a start, and small changes of them: what derivatives are taken by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.errors import ModelError, RouthError, did_you_mean
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays, state_of

__all__ = ["Parameter", "parameters_of", "sizes_of", "split_paths", "without_driven"]

STEP = 2e-6           # change of a parameter against its size: the error of central differences is its square
COEFFICIENTS = ("e", "mu", "mu_s", "e_t")  # whose size is one, however small they are
CENTRAL = ((1.0, 0.5), (-1.0, -0.5))  # (offset, weight) of differences,
FORWARD = ((0.0, -1.5), (1.0, 2.0), (2.0, -0.5))  # and of those at a bound
BACKWARD = ((0.0, 1.5), (-1.0, -2.0), (-2.0, 0.5))


def split_paths(model: Model, point: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """(changes of the model, changes of the start): "ball.mass" is a field of the body, "ball.vx" a value of its start."""
    named = {element.name: element for element in model.elements()}
    of_model: dict[str, Any] = {}
    of_start: dict[str, Any] = {}
    for path, value in point.items():
        head, _, rest = path.partition(".")
        declared = head not in named or not rest or hasattr(named[head], rest.partition(".")[0])
        (of_model if declared else of_start)[path] = value
    return of_model, of_start


@dataclass
class Parameter:
    """A number of a model or of a start that derivatives are taken by."""

    path: str
    value: float
    compiled: Compiled
    start: State
    of_start: bool
    index: int | None         # of a number in a list, such as 1 of "gravity.1"
    whole: Any                # that list, or the number
    scale: float = 1.0        # size that changes are small against

    def __post_init__(self) -> None:
        self.stencil: tuple[tuple[float, float], ...] = CENTRAL
        self._changed: dict[float, Compiled] = {}

    @property
    def step(self) -> float:
        """Change of the parameter for differences."""
        return STEP * self.scale

    def _value(self, change: float) -> Any:
        if self.index is None:
            return self.value + change
        numbers = list(self.whole)
        numbers[self.index] += change
        return tuple(numbers)

    @property
    def key(self) -> str:
        """The path without the place in a list."""
        return self.path if self.index is None else self.path.rpartition(".")[0]

    def system_at(self, offset: float, step: float) -> Compiled:
        """The compiled model with the parameter changed by `offset` times `step`."""
        change = offset * step
        if self.of_start or change == 0.0:
            return self.compiled
        if change not in self._changed:
            other = self.compiled.replace({self.key: self._value(change)})
            if not _alike(self.compiled, other):
                raise ModelError(f'sensitivities: "{self.path}" = {self.value:g} changes the equations themselves, such as '
                                 "friction that begins or a body that becomes the heaviest; there is no derivative by it here")
            self._changed[change] = other
        return self._changed[change]

    def start_at(self, offset: float, step: float) -> State:
        """The start with the parameter changed."""
        return self.start.replace({self.key: self._value(offset * step)}) if self.of_start else self.start

    def start_arrays(self, machine: Machine, offset: float, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and speeds of the start with the parameter changed by `offset` steps."""
        return assemble_arrays(machine, self.start_at(offset, self.step), t, keep=True)

    @property
    def moves_start(self) -> bool:
        """Whether coordinates and speeds of the start may depend on it."""
        if self.of_start:
            return True
        one, other = self.compiled.system, self.system_at(self.stencil[-1][0], self.step).system
        return any(getattr(one, name) is not getattr(other, name) for name in ("node", "row", "driver", "piece"))

    def choose_stencil(self) -> None:
        """Differences to both sides, or to one where the other is out of bounds, as of e = 1."""
        self.stencil = CENTRAL
        if not self.of_start:
            failures = []
            for stencil in (CENTRAL, FORWARD, BACKWARD):
                try:
                    for offset, _ in stencil:
                        self.system_at(offset, self.step)
                except RouthError as error:
                    failures.append(error)
                    continue
                self.stencil = stencil
                return
            raise failures[0]


def _alike(one: Compiled, other: Compiled) -> bool:
    """Whether two compiled models have the same equations but for numbers."""
    def shape(compiled: Compiled) -> Any:
        system = compiled.system
        node = system.node
        return (compiled.n_q, compiled.n_u, compiled.entries, system.row.size, system.contact.size, system.hold.size,
                system.contact["kind"].tobytes(), system.contact["n_row"].tobytes(), node["kind"].tobytes(),
                system.impulse.size)
    return one.system is other.system or shape(one) == shape(other)


def sizes_of(compiled: Compiled, y: np.ndarray) -> np.ndarray:
    """Size of every coordinate and speed over the samples y of a run: what changes of a state are small against.

    Of one that hardly moves it is a part of the largest. Angles count in radians, and what moves along shapes against theirs.
    """
    n_q, works = compiled.n_q, int(compiled.system.world["works"][0])
    largest = np.abs(y[:, :works]).max(axis=0, initial=0.0)
    largest[:n_q] = np.minimum(largest[:n_q], min(1.0, 10.0 * float(compiled.system.contact["size"].min(initial=1.0))))
    out = np.ones(works)
    for part in (slice(0, n_q), slice(n_q, works)):
        most = largest[part].max(initial=0.0)
        out[part] = np.maximum(largest[part], 1e-3 * most) if most > 0.0 else 1.0
    return out


def parameters_of(compiled: Compiled, start: State | None, t: float, paths: Sequence[str], y: np.ndarray,
                  sizes: np.ndarray) -> list[Parameter]:
    """The parameters that paths name. `y` is the state at the start, at time t, `sizes` are those of coordinates and speeds."""
    if isinstance(paths, str) or not all(isinstance(path, str) for path in paths):
        raise ModelError(f"sensitivities: {paths!r} is not a list of paths such as [\"bounce.law.e\", \"ball.y\"]")
    if len(set(paths)) < len(paths):
        raise ModelError("sensitivities: a path is named twice")
    start = start if isinstance(start, State) else State(start)
    known = _Complete(compiled, y[:compiled.n_q], y[compiled.n_q:compiled.n_q + compiled.n_u])
    out = []
    for path in paths:
        of_start = path in split_paths(compiled.model, {path: 0.0})[1]
        whole, index = (_start_value(start, known, path) if of_start else _model_value(compiled.model, path))
        value = whole if index is None else whole[index]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ModelError(f'sensitivities: "{path}" is {value!r:.60}, not a number')
        own = start if of_start else without_driven(compiled.model, start)
        one = Parameter(path, float(value), compiled, own, of_start, index, whole)
        one.scale = abs(one.value) if one.value and path.rpartition(".")[2] not in COEFFICIENTS else 1.0
        if of_start:
            moved = np.concatenate(one.start_arrays(Machine(compiled), 1.0, t))
            rates = np.abs(moved - y[:len(moved)]) / one.step / sizes[:len(moved)]
            one.scale = 1.0 / float(rates.max(initial=0.0)) if rates.max(initial=0.0) > 0.0 else 1.0
        one.choose_stencil()
        out.append(one)
    return out


def without_driven(model: Model, start: State) -> State:
    """A start without what drivers say: their parameters may say otherwise."""
    driven: dict[str, set[str]] = {}
    for driver in model.drivers:
        joint, k = model.coordinate(driver.where, driver.coordinate)
        driven.setdefault(joint.name, set()).update({joint.coordinates[k], f"{joint.coordinates[k]}_rate"})
    return State({name: {key: value for key, value in values.items() if key not in driven.get(name, ())}
                  for name, values in start.items()})


class _Complete:
    """The complete start, made when a path asks for what the given one leaves out."""

    def __init__(self, compiled: Compiled, q: np.ndarray, u: np.ndarray) -> None:
        self.compiled, self.q, self.u = compiled, q, u

    @cached_property
    def state(self) -> State:
        return state_of(Machine(self.compiled), self.q, self.u)


def _start_value(start: State, known: _Complete, path: str) -> tuple[Any, int | None]:
    """(value of a start by its path, place in it); what was not given is that of the assembled start."""
    name, _, rest = path.partition(".")
    key, _, place = rest.partition(".")
    index = int(place) if place.isdigit() else None
    if name in start and key in start[name]:
        value = start[name][key]
    else:
        complete = known.state
        if name not in complete:
            raise ModelError(f'sensitivities: the start has no "{name}"' + did_you_mean(name, list(complete)))
        if key not in complete[name]:
            raise ModelError(f'sensitivities: the start of "{name}" has no "{key}"' + did_you_mean(key, list(complete[name])))
        value = complete[name][key]
    return value, _place("sensitivities", path, value, index)


def _model_value(model: Model, path: str) -> tuple[Any, int | None]:
    """(value of a field of the model by its path, place in it)."""
    *keys, last = path.split(".")
    index = int(last) if last.isdigit() else None
    keys = keys if index is not None else [*keys, last]
    item: Any = model
    for n, key in enumerate(keys):
        named = {element.name: element for element in model.elements()} if n == 0 else {}
        if key in named:
            item = named[key]
            continue
        if not hasattr(item, key):
            near = [*named, *vars(item)]
            raise ModelError(f'sensitivities: path "{path}": no "{key}"' + did_you_mean(key, near))
        item = getattr(item, key)
    return item, _place("sensitivities", path, item, index)


def _place(where: str, path: str, value: Any, index: int | None) -> int | None:
    if index is not None and not (hasattr(value, "__len__") and index < len(value)):
        raise ModelError(f'{where}: "{path}": {value!r:.60} has no place {index}')
    if index is None and hasattr(value, "__len__") and not isinstance(value, str):
        raise ModelError(f'{where}: "{path}" is a list; name one of its numbers, such as "{path}.0"')
    return index
