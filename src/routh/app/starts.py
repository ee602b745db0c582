"""Start values that can be turned: those that a mechanism leaves free, each within the range in which a run can begin.

A turned value is held while the others are assembled around it: assembly moves all values a little, the turned one is set
again, until it stays. So loops stay closed, and driven coordinates, which come back to their motion, get no slider.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Mapping

from routh.compiler.compile import Compiled, compile_model
from routh.errors import RouthError, SimulationError, StateError
from routh.files.modelfile import ModelFile
from routh.files.quantities import start_quantity
from routh.model.state import State
from routh.sim.assembly import assemble
from routh.sim.options import Options
from routh.sim.simulate import simulate

__all__ = ["Range", "free_starts", "started"]

MOST = 8  # values that get a slider
PATIENCE = 3.0  # s of computing after which no more values are looked at
ROUNDS = 40  # of setting a value and assembling the others
STAYS = 1e-6  # of the change, when the turned value counts as held
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
    compiled = compiled or compile_model(file.model)
    now = assemble(compiled, file.start, file.t_start)
    before = {path: _value(now, path) for path in changes}
    for k in range(1, STRIDES + 1):
        goal = {path: before[path] + k / STRIDES * (value - before[path]) for path, value in changes.items()}
        for _ in range(ROUNDS):
            now = assemble(compiled, now.replace(goal), file.t_start)
            if all(abs(_value(now, p) - goal[p]) <= STAYS * (abs(v - before[p]) + 1e-9) for p, v in changes.items()):
                break
        else:
            missed = max(changes, key=lambda path: abs(_value(now, path) - goal[path]))
            raise RouthError(f"{missed} cannot be {changes[missed]:.4g}: the mechanism or its drive holds it at "
                             f"{_value(now, missed):.4g}")
    return now


def free_starts(file: ModelFile) -> list[Range]:
    """The values of a start that a run can begin with when they are turned: speeds first, then places, last what is zero."""
    if file.model.tracks:
        return []  # the pose of a chain is no matter of single numbers
    try:
        compiled = compile_model(file.model)
        base = assemble(compiled, file.start, file.t_start) if file.model.joints else file.start
    except RouthError:
        return []
    values = [(f"{name}.{key}", value) for name, entry in base.items() for key, value in entry.items()
              if isinstance(value, float) and not key.startswith("q")]
    out: list[Range] = []
    latest = time.thread_time() + PATIENCE
    for path, value in sorted(values, key=_appeal):
        if time.thread_time() > latest:
            break
        unit = start_quantity(path.rpartition(".")[2]) or ""
        reach = math.pi if unit == "rad" else max(2.0 * abs(value), 1.0)
        small = 0.2 * abs(value) or 0.1 * reach
        low, high = (_farthest(file, compiled, path, value, way * reach, way * small) for way in (-1.0, 1.0))
        if low < high:
            out.append(Range(path, "" if unit == "1" else unit, low, high, value))
        if len(out) == MOST:
            break
    return out


def _appeal(item: tuple[str, float]) -> int:
    key = item[0].rpartition(".")[2]
    speed = key.endswith("_rate") or key.startswith(("v", "omega"))
    return 2 if abs(item[1]) < 1e-12 else 0 if speed else 1


def _farthest(file: ModelFile, compiled: Compiled, path: str, value: float, reach: float, small: float) -> float:
    """The farthest of a few values from which a run can begin, or the value itself; the sign of `reach` is the way."""
    if not _begins(file, compiled, {path: value + small}):
        return value
    for far in (reach - value, 0.5 * (reach - value), 2.0 * small):
        steps = (0.5, 0.25, 0.75, 1.0)
        if far * small > small * small and all(_begins(file, compiled, {path: value + s * far}) for s in steps):
            return value + far
    return value + small


def _begins(file: ModelFile, compiled: Compiled, changes: Mapping[str, float]) -> bool:
    """Whether a run with this start begins."""
    try:
        start = started(file, changes, compiled)
        if file.model.contacts:
            instant = 1e-6 * max((file.t_end or 1.0) - file.t_start, 1e-6)
            options = Options(max_steps=100)
            simulate(compiled, start, file.t_start + instant, t_start=file.t_start, options=options)
    except StateError:
        return False
    except RouthError as error:
        return isinstance(error, SimulationError)  # it began
    return True


def _value(state: State, path: str) -> float:
    name, _, key = path.rpartition(".")
    return float(state[name][key])
