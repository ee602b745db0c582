"""What is recorded of a run: a number, or a list of numbers, from an expression or from a function of the Result.

`routh.sim.expression` says how expressions are written. The largest of an empty column is not a number, its sum is zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.sim.expression import Expression
from routh.sim.result import Result

__all__ = ["Quantity", "quantity_of"]


class Quantity:
    """One recorded quantity: its name, and how it is read off a Result."""

    def __init__(self, name: str, source: str | Callable[[Result], Any]) -> None:
        self.name, self.source = name, source
        self.where = f'record "{name}"'
        self.expression = Expression(self.where, source) if isinstance(source, str) else None
        if self.expression is None and not callable(source):
            raise ModelError(f"{self.where}: {source!r} is neither an expression nor a function of a Result")

    def of(self, result: Result) -> float | list[float]:
        """The quantity of a run."""
        value = self.expression.value(result) if self.expression is not None else self.source(result)  # type: ignore[operator]
        try:
            numbers = np.asarray(value, float)
        except (TypeError, ValueError):
            raise ModelError(f"{self.where}: {value!r:.200} is neither a number nor a list of numbers") from None
        if numbers.ndim == 0:
            return float(numbers)
        if numbers.ndim > 1:
            raise ModelError(f"{self.where}: an array of shape {numbers.shape} is neither a number nor a list of numbers")
        return [float(x) for x in numbers]

    def times(self) -> list[float] | None:
        """Times [s] at which a run must have samples for this quantity; None where it asks for all of its samples."""
        return self.expression.times() if self.expression is not None else None

    def check_names(self, result: Result) -> None:
        """ModelError where the expression names something that results of this model do not have."""
        if self.expression is not None:
            self.expression.check_names(result)

    def unit(self, result: Result) -> str:
        """The unit of a quantity that is one channel or column, at an instant or over the run; "" where it is not known."""
        return self.expression.unit(result) if self.expression is not None else ""


def quantity_of(name: str, source: Any) -> Quantity:
    """A Quantity from what the user gave."""
    if not isinstance(name, str) or not name:
        raise ModelError(f"record: a name must be non-empty text, not {name!r}")
    return Quantity(name, source)
