"""What can go wrong, and what the caller gets with it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

__all__ = ["ModelError", "RouthError", "SimulationError", "StateError", "did_you_mean"]


class RouthError(Exception):
    """Every error that Routh raises on purpose."""


class ModelError(RouthError, ValueError):
    """The declaration is wrong; raised before any kernel runs."""


class StateError(RouthError, ValueError):
    """The start violates a constraint or cannot be assembled."""


class SimulationError(RouthError, RuntimeError):
    """A run gave up. `t`, `status` and `where` say when and why, `result` holds what was computed."""

    def __init__(self, message: str, *, t: float = float("nan"), status: str = "", where: str = "",
                 result: Any = None) -> None:
        super().__init__(message)
        self.t, self.status, self.where, self.result = t, status, where, result


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A tail for messages about unknown names: the near ones, or all of them if they are few."""
    known = list(known)
    near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.6)
    if near:
        return "; did you mean " + " or ".join(f'"{n}"' for n in near) + "?"
    if len(known) <= 12:
        return "; known: " + (", ".join(f'"{n}"' for n in known) or "none")
    return f"; {len(known)} names are known"
