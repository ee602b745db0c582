"""`study.report(table, "study.html")`: every point of a study as a plot, and the runs behind points that are clicked.

The page is a report with a plot of points above it. Runs are computed when it is made, and it holds a bounded number of them,
spread evenly over the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from routh.errors import RouthError
from routh.view.document import BUDGET, document_of, packed
from routh.view.reports import report_html, write_page

if TYPE_CHECKING:
    from routh.study.study import Study
    from routh.study.table import StudyTable

__all__ = ["study_report"]

MOST_POINTS = 20_000  # that a page draws
MOST_RUNS = 200
LEAST = 40_000        # bytes of numbers of a run


def study_report(study: Study, table: StudyTable, path: str | Path, *, runs: int | Sequence[int] = 40, title: str = "",
                 plots: Sequence[Sequence[str]] | None = None) -> Path:
    """Write the page of a study; the suffix .html is added where it is missing.

    Parameters
    ----------
    study, table
        The study, and the table that its `run` gave.
    path
        The file.
    runs
        How many runs the page holds, spread evenly over the points that finished, or the numbers of the points. Default: 40.
    title
        Default: the name of the model.
    plots
        Channels of each plot of a run that is shown at first, as of `report`.
    """
    if table.n_points != len(study) or tuple(table.parameters) != tuple(study.design.columns):
        raise RouthError(f"study report: the table has {table.n_points} points, the study {len(study)}; give the table of "
                         "its own run")
    if table.n_points > MOST_POINTS:
        raise RouthError(f"study report: {table.n_points} points; a page draws {MOST_POINTS} at most")
    chosen = _chosen(table, runs)
    budget = max(BUDGET // len(chosen), LEAST)
    documents = [document_of(study.run_point(i), title, plots, budget) for i in chosen]
    columns = [{"name": name, "unit": table.units.get(name, ""), "varied": name in table.parameters,
                "values": packed(table[name], "f8")}
               for name in table if name not in ("status", "message") and table[name].dtype.kind in "fi"]
    if not columns:
        raise RouthError("study report: no column of the table is one number per point")
    points = {"columns": columns, "status": [str(status) for status in table["status"]], "runs": chosen}
    return write_page(path, report_html(documents, title or documents[0]["title"], study=points))


def _chosen(table: StudyTable, runs: int | Sequence[int]) -> list[int]:
    """Points whose runs the page holds."""
    if not isinstance(runs, int):
        chosen = sorted({int(i) for i in runs})
        outside = [i for i in chosen if not 0 <= i < table.n_points]
        if outside or not chosen or len(chosen) > MOST_RUNS:
            raise RouthError(f"study report: runs = {chosen!r:.60} must be 1 to {MOST_RUNS} numbers of points, each below "
                             f"{table.n_points}")
        refused = [i for i in chosen if table["status"][i] == "refused"]
        if refused:
            raise RouthError(f"study report: point {refused[0]} was refused and has no run: {table['message'][refused[0]]}")
        return chosen
    if not 1 <= runs <= MOST_RUNS:
        raise RouthError(f"study report: runs = {runs}; a page holds 1 to {MOST_RUNS}")
    finished = np.flatnonzero(table["status"] == "finished")
    if not finished.size:
        raise RouthError("study report: no run of the table has finished; name points by runs=[...]")
    return [int(i) for i in finished[np.unique(np.linspace(0, finished.size - 1, runs).round().astype(int))]]
