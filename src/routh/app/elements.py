"""Our own pictures as elements of a page: the moving scene with its tables, one impact, a map of classes."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from nicegui import ui
from nicegui.element import Element
from nicegui.elements import scene as _three  # noqa: F401  registers the three.js module that our scene imports

from routh.view.bundle import WEB

__all__ = ["ImpactView", "MapView", "RunView", "Slider", "add_style"]

HERE = Path(__file__).parent


class RunView(Element, component=HERE / "run_view.js", esm={"routh-web": str(WEB)}):
    """Scene, plots and tables of a run."""

    def show(self, document: dict[str, Any]) -> None:
        """Show another run where the last one was."""
        self.run_method("show", document)


class ImpactView(Element, component=HERE / "impact_view.js"):
    """The diagram of one impact and its numbers."""

    def show(self, impact: dict[str, Any]) -> None:
        """Show another impact."""
        self.run_method("show", impact)


class MapView(Element, component=HERE / "map_view.js"):
    """Classes over two parameters, with the present point marked."""

    def show(
        self,
        title: str,
        x: tuple[str, float, float],
        y: tuple[str, float, float],
        classes: np.ndarray,
        labels: list[str],
        mark: tuple[float, float] | None,
    ) -> None:
        """`classes` (rows of y, columns of x) are indices into `labels`; x and y are (label, low, high)."""
        packed = base64.b64encode(np.ascontiguousarray(classes, np.uint8).tobytes()).decode("ascii")
        self.run_method(
            "show", {"title": title, "x": x, "y": y, "shape": classes.shape, "classes": packed, "labels": labels, "mark": mark}
        )


class Slider(Element, component=HERE / "slider.js"):
    """A labelled slider with its number and unit; `on_turn(value)` while it moves, ten times a second at most."""

    def __init__(
        self, label: str, low: float, high: float, value: float, on_turn: Callable[[float], Any], unit: str = ""
    ) -> None:
        super().__init__()
        self.props["label"], self.props["unit"] = label, unit
        self.props["low"], self.props["high"], self.props["value"], self.props["ran"] = low, high, value, value
        self.on("turn", lambda event: on_turn(float(event.args)), throttle=0.1)

    def shown(self, value: float) -> None:
        """The run that is shown has this value."""
        if self.props["ran"] != value:
            self.props["ran"] = value
            self.update()

    def complain(self, text: str) -> None:
        """Say below the slider why its value does not do; "" when it does."""
        if self.props.get("trouble", "") != text:
            self.props["trouble"] = text
            self.update()


def add_style() -> None:
    """Give a page the style of our pictures."""
    ui.add_css((WEB / "viewer.css").read_text(encoding="utf-8") + (HERE / "app.css").read_text(encoding="utf-8"))
