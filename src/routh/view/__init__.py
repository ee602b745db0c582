"""Figures: `plot` draws channels, `sketch` stick figures. Matplotlib is imported when a figure is made, not before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from routh.view.plots import plot as plot
    from routh.view.sketch import sketch as sketch

__all__ = ["plot", "sketch"]


def __getattr__(name: str) -> Any:
    if name == "plot":
        from routh.view.plots import plot

        return plot
    if name == "sketch":
        from routh.view.sketch import sketch

        return sketch
    raise AttributeError(f"module 'routh.view' has no attribute {name!r}")
