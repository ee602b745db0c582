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

    @cached_property
    def compiled(self) -> Compiled:
        """The model, ready to run."""
        return compile_model(self.model, self.options.engine)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "compiled"}

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

    def run(self, point: Mapping[str, Any]) -> Result:
        """The motion at one point; RouthError where it is refused."""
        of_model, of_start = split_paths(self.model, point)
        compiled = self.compiled.replace(of_model) if of_model else self.compiled
        return simulate(compiled, self.start.replace(of_start) if of_start else self.start, self.t_end, t_start=self.t_start,
                        options=replace(self.options, on_error="return", progress=False))

    def rows(self, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """Status, message and quantities at every point. A run that does not finish has no quantities."""
        out: dict[str, list[Any]] = {"status": [], "message": [], **{q.name: [] for q in self.quantities}}
        for i in range(len(next(iter(columns.values())))):
            point = {path: column[i].item() for path, column in columns.items()}
            try:
                result = self.run(point)
                status, message = result.status, "" if result.success else result.message
            except RouthError as error:
                status, message = "refused", str(error)
            if status == "interrupted":
                raise KeyboardInterrupt
            out["status"].append(status)
            out["message"].append(message)
            for quantity in self.quantities:
                out[quantity.name].append(quantity.of(result) if status == "finished" else None)
        return out


def lost_rows(names: Sequence[str], n: int, message: str) -> dict[str, Any]:
    """Rows of points whose worker died."""
    return {"status": ["worker died"] * n, "message": [message] * n, **{name: [None] * n for name in names}}


def _entries(model: Model) -> list[str]:
    """Names that a start may have."""
    return [*(body.name for body in model.bodies), *(joint.name for joint in model.joints)]
