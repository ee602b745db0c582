"""What can go wrong, and what the caller gets with it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

__all__ = ["FileError", "ModelError", "RouthError", "SimulationError", "StateError", "did_you_mean"]


def __dir__() -> list[str]:
    return sorted(__all__)


LONGEST_MESSAGE = 600  # characters of a message about a file, which may quote what it holds
LONGEST_NAME = 60      # characters of a name that is compared with others: comparing takes quadratic time


class RouthError(Exception):
    """Every error that Routh raises on purpose."""


class ModelError(RouthError, ValueError):
    """The declaration is wrong; raised before any kernel runs."""


class FileError(ModelError):
    """A model file cannot be read. `file`, `line` (counted from 1) and `path` say where, as far as is known."""

    def __init__(self, message: str, *, file: str = "", line: int | None = None, path: str = "") -> None:
        message = message if len(message) <= LONGEST_MESSAGE else message[:LONGEST_MESSAGE] + " ..."
        self.message, self.file, self.line, self.path = message, file, line, path[:200]
        place = ", ".join(part for part in (file, f"line {line}" if line else "", self.path) if part)
        super().__init__(f"{place}: {message}" if place else message)


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
    known = [n for n in known if len(n) <= LONGEST_NAME]
    near = difflib.get_close_matches(str(name)[:LONGEST_NAME], known, n=3, cutoff=0.6)
    if near:
        return "; did you mean " + " or ".join(f'"{n}"' for n in near) + "?"
    if len(known) <= 40:
        return "; known: " + (", ".join(f'"{n}"' for n in known) or "none")
    return f"; {len(known)} names are known"
