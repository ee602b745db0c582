"""How values ask to be drawn: the one place that points upward, from models and results to `routh.view`, and by name only."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["present"]


def present(how: str, value: Any, *details: Any, **choices: Any) -> Any:
    """What `routh.view` makes of `value`: `present("report", result, path)`."""
    return getattr(importlib.import_module("routh.view"), how)(value, *details, **choices)
