"""Start values that can be turned: those that a mechanism leaves free, each within the range in which a run can begin.

A turned value is held while the others are assembled around it, so loops stay closed. Driven coordinates cannot be held at
another value and get no slider.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

from routh.compiler.compile import Compiled, compile_model
from routh.errors import RouthError, StateError
from routh.files.modelfile import ModelFile
from routh.files.quantities import start_quantity
from routh.model.state import State
from routh.sim.assembly import assemble
from routh.sim.simulator import Simulator

__all__ = ["Range", "free_starts", "started"]

MOST = 8  # values that get a slider
TRIED = 24  # values that are tried; a count, not a time, so that a page has the same sliders on every machine
PARTS = (1.0, 0.01, *(k / 16 for k in range(1, 16)))  # of a range, where runs are begun
STRIDES = 4  # parts in which a value is turned, so that loops stay on their branch


@dataclasses.dataclass(frozen=True)
class Range:
    """A value of the start, its unit, and how far it can be turned."""

    path: str
    unit: str
    low: float
    high: float
    value: float


def started(file: ModelFile, changes: Mapping[str, float], compiled: Compiled | None = None) -> State:
    """The start with these values, all others assembled around them; RouthError where that is not possible."""
    if not changes or not file.model.joints:
        return file.start.replace(dict(changes)) if changes else file.start
    compiled = compiled or compile_model(file.model, file.options.engine)
    now = assemble(compiled, file.start, file.t_start)
    if not compiled.system.row.size:  # no loops: what is said of one value leaves the others alone
        return now.replace(dict(changes))
    before = {path: _value(now, path) for path in changes}
    for k in range(1, STRIDES + 1):
        goal = {path: before[path] + k / STRIDES * (value - before[path]) for path, value in changes.items()}
        try:
            now = assemble(compiled, now.replace(goal), file.t_start, hold=goal)
        except StateError as error:
            values = ", ".join(f"{path} cannot be {value:.4g}" for path, value in changes.items())
            raise StateError(f"{values}: {error}") from error
    return now


def free_starts(file: ModelFile) -> list[Range]:
    """The values of a start that a run can begin with when they are turned: speeds first, then places, last what is zero."""
    if file.model.tracks:
        return []  # the pose of a chain is no matter of single numbers
    try:
        compiled = compile_model(file.model, file.options.engine)
        base = assemble(compiled, file.start, file.t_start) if file.model.joints else file.start
    except RouthError:
        return []
    driven = {of + rate for of in (d.coordinate for d in file.model.drivers) for rate in ("", "_rate")}
    values = [(f"{name}.{key}", value) for name, entry in base.items() for key, value in entry.items()
              if isinstance(value, float) and not key.startswith("q") and f"{name}.{key}" not in driven]
    if file.options.engine == "stepping":  # piles: every place touches others, and that engine refuses no overlap
        values = [(path, value) for path, value in values if _is_speed(path)]
    units = {path: start_quantity(path.rpartition(".")[2]) or "" for path, _ in values}
    largest = {unit: max(abs(v) for p, v in values if units[p] == unit) for unit in units.values()}
    out: list[Range] = []
    for path, value in sorted(values, key=_appeal)[:TRIED]:
        unit = units[path]
        reach = math.pi if unit == "rad" else max(2.0 * abs(value), largest[unit]) or 1.0
        small = 0.2 * abs(value) or 0.1 * reach
        low, high = (_farthest(file, compiled, path, value, way * reach, way * small) for way in (-1.0, 1.0))
        if low < high:
            out.append(Range(path, "" if unit == "1" else unit, low, high, value))
        if len(out) == MOST:
            break
    return out


def _is_speed(path: str) -> bool:
    key = path.rpartition(".")[2]
    return key.endswith("_rate") or key.startswith(("v", "w", "omega"))


def _appeal(item: tuple[str, float]) -> int:
    return 2 if abs(item[1]) < 1e-12 else 0 if _is_speed(item[0]) else 1


def _farthest(file: ModelFile, compiled: Compiled, path: str, value: float, reach: float, small: float) -> float:
    """The farthest of a few values from which a run can begin, or the value itself; the sign of `reach` is the way."""
    if not _begins(file, compiled, {path: value + small}):
        return value
    for far in (reach - value, 0.5 * (reach - value), 2.0 * small, small):
        if far * small >= small * small and all(_begins(file, compiled, {path: value + s * far}) for s in PARTS):
            return value + far
    return value


def _begins(file: ModelFile, compiled: Compiled, changes: Mapping[str, float]) -> bool:
    """Whether a run with this start begins: its loops close, and no bodies overlap."""
    try:
        start = started(file, changes, compiled)
        if file.options.engine == "events":
            Simulator(compiled, start, t=file.t_start, options=file.options)
    except RouthError:
        return False
    return True


def _value(state: State, path: str) -> float:
    name, _, key = path.rpartition(".")
    return float(state[name][key])
