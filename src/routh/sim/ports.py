"""Inputs and outputs of a Simulator: numbers of the model that are written, and channels that are read, at every tick.

Which places of the compiled tables an input fills is found by compiling the model with other values of it: what differs must
depend on it by a factor and a constant. Which observed number an output is, is found by reading the channel off random numbers.
Both happen once, so that a tick copies a few numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.core.tables import layout
from routh.core.tables.runs import BEGUN
from routh.errors import ModelError, did_you_mean
from routh.model import checks
from routh.sim.channels import Observed, channels_of
from routh.sim.result import ENERGIES

__all__ = ["Inputs", "Outputs"]

LINEAR = 1e-12  # relative: round-off of one product and one sum


class Inputs:
    """Numbers of forces of a compiled model, written into tables of its own."""

    def __init__(self, compiled: Compiled, paths: Sequence[str]) -> None:
        self.paths, self.names, first = tuple(paths), [], []
        forces = {force.name for force in compiled.model.forces}
        self.sizes: list[int] = []
        for path in self.paths:
            head = str(path).partition(".")[0]
            if head not in forces:
                raise ModelError(f'inputs: "{path}" is no number of a force' + did_you_mean(head, forces))
            value = _field(compiled.model, str(path))
            numbers = np.atleast_1d(np.asarray(value, float))
            self.sizes.append(0 if np.ndim(value) == 0 else numbers.size)
            self.names += [str(path)] if np.ndim(value) == 0 else [f"{path}[{i}]" for i in range(numbers.size)]
            first += numbers.tolist()
        if len(set(self.names)) < len(self.names):
            raise ModelError(f"inputs: {', '.join(self.paths)} name a number twice")
        self.values = np.array(first, float)
        self.bind(compiled)

    def bind(self, compiled: Compiled) -> None:
        """Find the places of all inputs; `self.compiled` is then a model whose tables they are written to.

        The values that are tried are odd ones, because some numbers (a profile of 1) are compiled to nothing.
        """
        places: dict[str, list[tuple[int, int, float, float]]] = {}
        odd = 1.25 * np.abs(self.values) + 0.7312
        compiled = compiled.replace(self._by_path(odd)) if self.names else compiled
        for k, name in enumerate(self.names):
            v0 = float(odd[k])
            tries = [(v, compiled.replace(self._changes(odd, k, v))) for v in (1.5 * v0 + 0.1373, 2.0 * v0 + 3.1931)]
            if any(not np.array_equal(other.edges, compiled.edges) for _, other in tries):
                raise ModelError(f'inputs: "{name}" moves an instant that a run stops at; change it in a new Simulator')
            for table in compiled.system.fields:
                base = getattr(compiled.system, table)
                flat = [_flat(getattr(other.system, table)) for _, other in tries]
                if any(one.size != _flat(base).size for one in flat):
                    raise ModelError(f'inputs: "{name}" changes the structure of the model; change it in a new Simulator')
                (v1, _), (v2, _) = tries
                for i in np.flatnonzero(flat[0].view(np.int64) != flat[1].view(np.int64)).tolist():
                    slope = float(flat[1][i] - flat[0][i]) / (v2 - v1)
                    offset = float(flat[0][i]) - slope * v1
                    offset = 0.0 if abs(offset) <= LINEAR * abs(flat[0][i]) else offset
                    if not abs(slope * v0 + offset - _flat(base)[i]) <= LINEAR * (abs(flat[0][i]) + abs(flat[1][i])):
                        raise ModelError(f'inputs: the equations of motion do not depend on "{name}" by a factor; '
                                         "change it by sim.set or in a new Simulator")
                    places.setdefault(table, []).append((i, k, slope, offset))
            if not any(k == one[1] for rows in places.values() for one in rows):
                raise ModelError(f'inputs: nothing depends on "{name}"')
        self.compiled = compiled.with_tables({table: _copied(getattr(compiled.system, table)) for table in places})
        self._tables = []
        for table, rows in places.items():
            index, source, factor, constant = (np.array(column) for column in zip(*rows, strict=True))
            plain = bool((factor == 1.0).all() and (constant == 0.0).all())
            whole = plain and np.array_equal(source, np.arange(len(self.values)))
            self._tables.append((_flat(getattr(self.compiled.system, table)), index, source, factor, constant, plain, whole))
        self.written = b""

    def take(self) -> bool:
        """Write the values into the tables; whether they have changed. ModelError where one is not finite."""
        now = self.values.tobytes()
        if now == self.written:
            return False
        if not np.isfinite(self.values).all():
            k = int(np.argmin(np.isfinite(self.values)))
            raise ModelError(f'inputs: "{self.names[k]}" = {self.values[k]} is not finite')
        for flat, index, source, factor, constant, plain, whole in self._tables:
            if whole:
                flat[index] = self.values
            else:
                flat[index] = self.values[source] if plain else factor * self.values[source] + constant
        self.written = now
        return True

    def changes(self) -> dict[str, Any]:
        """The present values by path."""
        return self._by_path(self.values)

    def _by_path(self, values: np.ndarray) -> dict[str, Any]:
        parts = np.split(values, np.cumsum([max(size, 1) for size in self.sizes])[:-1]) if self.sizes else []
        return {path: float(part[0]) if size == 0 else tuple(part.tolist())
                for path, size, part in zip(self.paths, self.sizes, parts, strict=True)}

    def _changes(self, values: np.ndarray, k: int, value: float) -> dict[str, Any]:
        """The path of input k with another value of this one number."""
        other = values.copy()
        other[k] = value
        before, after = self._by_path(values), self._by_path(other)
        return {path: after[path] for path in after if after[path] != before[path]}


class Outputs:
    """Channels of a run at the instant where it stands, whose observed numbers stand in one block of memory."""

    def __init__(self, run: Any, names: Sequence[str]) -> None:
        self.run, self.stepped = run, hasattr(run, "stepping")
        compiled = run.machine.compiled
        shapes = {name: array.shape for name, array in run.machine.observation(1).items()}
        if self.stepped:
            shapes["contact"] = (1, len(compiled.contacts), 7)
        sizes = {name: int(np.prod(shape)) for name, shape in shapes.items()}
        self.block = np.zeros(sum(sizes.values()))
        ends = np.cumsum(list(sizes.values())).tolist()
        self.arrays = {name: self.block[end - sizes[name]:end].reshape(shape)
                       for (name, shape), end in zip(shapes.items(), ends, strict=True)}
        self.y, self.stale = run.y, True
        self.names: list[str] = []
        self.place: list[tuple[str, int, float]] = []  # of each output: where, which, sign
        self.sources: list[tuple[str, int]] = []       # of each output: channel and component
        self._choose(compiled, names)
        self.values = np.zeros(len(self.names))
        kinds = [kind for kind, _, _ in self.place]
        self._of = {kind: np.array([i for i, one in enumerate(kinds) if one == kind], int)
                    for kind in ("y", "block", "derived")}
        self._index = {kind: np.array([self.place[i][1] for i in rows], int) for kind, rows in self._of.items()}
        self._sign = {kind: np.array([self.place[i][2] for i in rows]) for kind, rows in self._of.items()}
        self._all = next((kind for kind in ("y", "block") if len(self._of[kind]) == len(self.names)
                          and (self._sign[kind] == 1.0).all()), None)
        self._eye: _Eye | None = None

    def _choose(self, compiled: Compiled, names: Sequence[str]) -> None:
        """Find where each output stands."""
        if not names:
            return
        owner = np.arange(len(compiled.contacts)) if self.stepped else None
        found = [self._read(compiled, owner, seed) for seed in (1, 2)]
        channels = found[0][0]
        for name in names:
            if name not in channels and name not in ENERGIES:
                raise ModelError(f'outputs: no channel "{name}"' + did_you_mean(str(name), [*channels, *ENERGIES]))
            scalar = name not in channels or channels[name][0].ndim == 1
            for i in range(1 if scalar else channels[name][0].shape[1]):
                self.names.append(name if scalar else f"{name}[{i}]")
                self.sources.append((name, -1 if scalar else i))
                self.place.append(self._where(name, i, found))

    def _read(self, compiled: Compiled, owner: np.ndarray | None, seed: int) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
        """Channels read off random numbers; the numbers."""
        rng = np.random.default_rng(seed)
        block, y = self.block.copy(), self.y.copy()
        self.block[:] = rng.uniform(1.0, 2.0, block.size)
        random_y = rng.uniform(2.0, 3.0, y.size)
        rows = {name: array[:1] for name, array in self.arrays.items()}
        seen = Observed(compiled, np.zeros(1), random_y[None, :], owner, **rows)
        with np.errstate(all="ignore"):
            channels = {name: (values.copy(), unit) for name, (values, unit) in channels_of(seen).items()}
        read = (channels, self.block.copy(), random_y)
        self.block[:] = block
        return read

    def _where(self, name: str, i: int, found: list[Any]) -> tuple[str, int, float]:
        """Where the value of a channel stands as it is, up to its sign; "derived" where it is made of several numbers."""
        places = []
        for channels, block, y in found:
            if name not in channels:
                return "derived", 0, 1.0
            value = float(np.ravel(channels[name][0][0])[i])
            hits = [(kind, int(np.flatnonzero(numbers == sign * value)[0]), sign) for sign in (1.0, -1.0)
                    for kind, numbers in (("y", y), ("block", block)) if (numbers == sign * value).any()]
            places.append(hits[0] if hits else ("derived", 0, 1.0))
        return places[0] if places[0] == places[1] else ("derived", 0, 1.0)

    def read(self, simulator: Any) -> np.ndarray:
        """The outputs where the run stands now."""
        if not self.stale:
            return self.values
        if len(self._of["block"]):
            self._observe()
        if self._all is not None:
            np.take(self.y if self._all == "y" else self.block, self._index[self._all], out=self.values, mode="clip")
        else:
            for kind, numbers in (("y", self.y), ("block", self.block)):
                if len(self._of[kind]):
                    self.values[self._of[kind]] = self._sign[kind] * numbers[self._index[kind]]
            for k in self._of["derived"].tolist():
                name, i = self.sources[k]
                value = simulator.now[name][-1]
                self.values[k] = value if i < 0 else value[i]
        self.stale = False
        return self.values

    def _observe(self) -> None:
        """Fill the block: from the last sample of a stepped run, else by an observation with scratch of its own."""
        if not self.stepped:
            phase = self._phase()
            if self._eye is None or self._eye.log is not getattr(self.run, "log", None):
                self._eye = _Eye(self.run, self.arrays)  # the first one, or after the log has grown
            self._eye.look(phase)
        elif self.run.arrays is not self.arrays:
            n = int(self.run.control["n_out"])
            for name, array in self.arrays.items():
                array[:] = self.run.arrays[name][n - 1:n]

    def _phase(self) -> int:
        """Number of the phase with the present modes of contacts."""
        run = self.run
        if not hasattr(run, "log"):
            return 0
        if run.control[0]["begun"] != BEGUN:
            run.start_only()
        return int(run.remember_phase())


class _Eye:
    """Observes where an event-driven run stands."""

    def __init__(self, run: Any, arrays: dict[str, np.ndarray]) -> None:
        self.run, self.log = run, getattr(run, "log", None)
        machine = Machine(run.machine.compiled)
        machine.system = run.machine.system
        machine.work.ridge[:] = layout.REPORTING
        self.t, self.y, self.phase, self.stops = np.zeros(1), run.y.reshape(1, -1), np.zeros(1, np.int64), np.zeros(2)
        phases = np.zeros((1, 0)) if self.log is None else self.log.phase
        self.call = machine.bind("observe", self.t, self.y, np.zeros(1, np.int64), self.stops, self.phase, phases,
                                 *arrays.values())

    def look(self, phase: int) -> None:
        """Read everything off the present state, whose contacts have the modes of a phase."""
        run, c = self.run, self.run.control[0]
        self.phase[0] = phase
        segment = min(int(c["segment"]), len(run.stops) - 2)
        self.t[0], self.stops[:] = c["t"], run.stops[segment:segment + 2]
        self.call()


def _field(model: Any, path: str) -> Any:
    """The value at a path such as "motor.torque" or "servo.target.value"."""
    head, *rest = path.split(".")
    value = model[head]
    if not rest:
        raise ModelError(f'inputs: "{path}" is a whole force; name a number of it, such as {path}.force')
    for key in rest:
        if not hasattr(value, key):
            raise ModelError(f'inputs: "{path}": no field "{key}"' + did_you_mean(key, list(vars(value))))
        value = getattr(value, key)
    try:
        numbers = np.asarray(value, float)
    except (TypeError, ValueError):
        numbers = np.zeros((0, 0, 0))
    if numbers.ndim > 1 or value is None or isinstance(value, bool) or not np.isfinite(numbers).all():
        raise ModelError(f'inputs: "{path}" = {value!r:.80} is neither a number nor a vector')
    return checks.number("inputs", path, value) if numbers.ndim == 0 else tuple(numbers.tolist())


def _flat(table: np.ndarray) -> np.ndarray:
    """A table as plain numbers; all its fields have eight bytes."""
    return table.reshape(-1).view(np.float64)


def _copied(table: np.ndarray) -> np.ndarray:
    return table.view(np.uint8).copy().view(table.dtype) if table.ndim == 1 else table.copy()
