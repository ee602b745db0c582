"""The work at a stretch of points: the same numbers wherever and in whatever order it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.errors import ModelError, RouthError, did_you_mean
from routh.model.model import Model
from routh.model.state import State
from routh.sim.event import Event
from routh.sim.options import Options
from routh.sim.parameters import split_paths
from routh.sim.result import Result
from routh.sim.simulate import evaluate, simulate
from routh.study.quantities import Quantity

__all__ = ["Motion", "lost_rows"]


@dataclass(frozen=True)
class Motion:
    """A model that is run at every point. It is sent to workers as it is; each compiles the model once."""

    model: Model
    start: State
    t_end: float
    t_start: float
    options: Options
    quantities: tuple[Quantity, ...]
    events: tuple[Event, ...] = ()

    @cached_property
    def compiled(self) -> Compiled:
        """The model, ready to run."""
        return compile_model(self.model, self.options.engine)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("compiled", "sampled")}

    def check(self, paths: Mapping[str, Any]) -> None:
        """ModelError where a path means nothing, or a quantity names what no run of this model has."""
        first = {path: values[0] for path, values in paths.items()}
        of_model, of_start = split_paths(self.model, first)
        self.model.replace(of_model)
        for path in of_start:
            known = _entries(self.model)
            if path.partition(".")[0] not in known:
                head = path.partition(".")[0]
                raise ModelError(f'study: no element "{head}"' + did_you_mean(head, known))
        sample = evaluate(self.model.replace(of_model), self.start.replace(of_start), self.t_start)
        for quantity in self.quantities:
            quantity.check_names(sample)
        self.sampled.times(self.t_start, self.t_end)

    @cached_property
    def sampled(self) -> Options:
        """The options of a run of which only the quantities are kept: samples where they ask for them, and at events."""
        wanted = [quantity.times() for quantity in self.quantities]
        times = sorted({t for some in wanted for t in some or ()})
        output = self.options.output if None in wanted else times
        return replace(self.options, output=output, on_error="return", progress=False)

    def run(self, point: Mapping[str, Any], options: Options | None = None) -> Result:
        """The motion at one point; RouthError where it is refused."""
        of_model, of_start = split_paths(self.model, point)
        compiled = self.compiled.replace(of_model) if of_model else self.compiled
        return simulate(compiled, self.start.replace(of_start) if of_start else self.start, self.t_end, t_start=self.t_start,
                        options=options or replace(self.options, on_error="return", progress=False), events=self.events)

    def row(self, point: Mapping[str, Any]) -> tuple[str, str, list[Any]]:
        """Status, message and quantities at a point. A run that does not finish has no quantities."""
        try:
            result = self.run(point, self.sampled)
            status, message = result.status, "" if result.success else result.message
        except RouthError as error:
            status, message = "refused", str(error)
        if status == "interrupted":
            raise KeyboardInterrupt
        return status, message, [q.of(result) if status == "finished" else None for q in self.quantities]

    def rows(self, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """Status, message and quantities at every point, one by one."""
        out: dict[str, list[Any]] = {"status": [], "message": [], **{q.name: [] for q in self.quantities}}
        for i in range(len(next(iter(columns.values())))):
            status, message, values = self.row({path: column[i].item() for path, column in columns.items()})
            for name, value in zip(out, (status, message, *values), strict=True):
                out[name].append(value)
        return out


def lost_rows(names: Sequence[str], n: int, message: str) -> dict[str, Any]:
    """Rows of points whose worker died."""
    return {"status": ["worker died"] * n, "message": [message] * n, **{name: [None] * n for name in names}}


def _entries(model: Model) -> list[str]:
    """Names that a start may have."""
    return [*(body.name for body in model.bodies), *(joint.name for joint in model.joints)]
