"""Figures, reports and what a notebook shows. Every name is loaded when first used, and heavy libraries with it.

| name | gives |
|---|---|
| `plot`, `sketch` | matplotlib figures: channels over time, stick figures |
| `report`, `report_grid` | one HTML file that opens offline: moving scene, plots, ledger; with sliders over a grid of runs |
| `export_run` | a file of another program; `result.export` |
| `show` | the report in a notebook, or in the browser |
| `picture` | an SVG of the bodies at a few instants |
| `study_lines`, `study_map`, `study_histogram`, `study_indices` | matplotlib figures of a study; `table.plot` and the like |
| `study_report` | one HTML page of a study: its points, and the runs behind them; `study.report` |
| `fit_residuals` | measured and computed motions of a fit; `fit.plot` |
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from routh.view.export import export_run as export_run
    from routh.view.notebook import impact_html as impact_html
    from routh.view.notebook import impact_svg as impact_svg
    from routh.view.notebook import model_html as model_html
    from routh.view.notebook import result_html as result_html
    from routh.view.notebook import show as show
    from routh.view.pictures import picture as picture
    from routh.view.plots import plot as plot
    from routh.view.reports import report as report
    from routh.view.reports import report_grid as report_grid
    from routh.view.sketches import sketch as sketch
    from routh.view.study_page import study_report as study_report
    from routh.view.study_plots import fit_residuals as fit_residuals
    from routh.view.study_plots import study_histogram as study_histogram
    from routh.view.study_plots import study_indices as study_indices
    from routh.view.study_plots import study_lines as study_lines
    from routh.view.study_plots import study_map as study_map

# no module bears the name of a function: importing it would put the module in the function's place
_NAMES = {
    "export_run": "export",
    "impact_html": "notebook",
    "impact_svg": "notebook",
    "model_html": "notebook",
    "picture": "pictures",
    "plot": "plots",
    "report": "reports",
    "report_grid": "reports",
    "result_html": "notebook",
    "show": "notebook",
    "sketch": "sketches",
    "fit_residuals": "study_plots",
    "study_histogram": "study_plots",
    "study_indices": "study_plots",
    "study_lines": "study_plots",
    "study_map": "study_plots",
    "study_report": "study_page",
}

__all__ = [
    "export_run",
    "fit_residuals",
    "impact_html",
    "impact_svg",
    "model_html",
    "picture",
    "plot",
    "report",
    "report_grid",
    "result_html",
    "show",
    "sketch",
    "study_histogram",
    "study_indices",
    "study_lines",
    "study_map",
    "study_report",
]


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module 'routh.view' has no attribute {name!r}")
    return getattr(importlib.import_module(f"routh.view.{_NAMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
