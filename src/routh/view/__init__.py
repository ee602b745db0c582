"""Figures, reports and what a notebook shows. Every name is loaded when first used, and heavy libraries with it.

| name | gives |
|---|---|
| `plot`, `sketch` | matplotlib figures: channels over time, stick figures |
| `report`, `report_grid` | one HTML file that opens offline: moving scene, plots, ledger; with sliders over a grid of runs |
| `show` | the report in a notebook, or in the browser |
| `picture` | an SVG of the bodies at a few instants |
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from routh.view.plots import plot as plot
    from routh.view.report import report as report
    from routh.view.report import report_grid as report_grid
    from routh.view.sketches import sketch as sketch

_NAMES = {"plot": "plots", "report": "report", "report_grid": "report", "sketch": "sketch"}

__all__ = sorted(_NAMES)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'routh.view' has no attribute {name!r}")
    return getattr(importlib.import_module(f"routh.view.{_NAMES[name]}"), name)
