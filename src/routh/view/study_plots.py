"""Figures of studies: lines over a parameter, maps over two, histograms with quantiles; what fits leave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from routh.errors import RouthError
from routh.view.plots import new_figure

if TYPE_CHECKING:
    from routh.study.fit import Fit
    from routh.study.measured import Measured
    from routh.study.table import StudyTable

__all__ = ["fit_residuals", "study_histogram", "study_indices", "study_lines", "study_map"]

MOST_LINES = 12       # lines with a legend of their own; more are drawn in one colour scale
QUANTILES = (0.05, 0.5, 0.95)


def study_lines(table: StudyTable, quantity: str, x: str | None = None, *, ax: Any = None) -> Any:
    """A quantity over the parameter `x` (the first by default), one line per combination of the other lists.

    Drawn parameters give points; over a list of values they give the median with a band from 5 % to 95 %.
    """
    x = x if x is not None else table.parameters[0]
    _known(table, x)
    values = _numbers(table, quantity)
    figure, ax = _axes(ax)
    drawn = [path for path in table.parameters if path not in table.axes]
    others = [path for path in table.axes if path != x]
    combinations = np.unique(np.stack([table[path].astype(str) for path in others]), axis=1).T if others else [()]
    for number, combination in enumerate(combinations):
        rows = np.ones(table.n_points, bool)
        for path, value in zip(others, combination, strict=True):
            rows &= table[path].astype(str) == value
        label = ", ".join(f"{path} = {value}" for path, value in zip(others, combination, strict=True)) or None
        colour = f"C{number % 10}"
        if x in drawn:
            ax.plot(table[x][rows], values[rows], ".", markersize=3.0, color=colour, label=label)
        elif drawn:
            at = table.axes[x]
            bands = np.array([np.nanquantile(values[rows & (table[x] == one)], QUANTILES) for one in at])
            ax.fill_between(at, bands[:, 0], bands[:, 2], alpha=0.2, color=colour, linewidth=0)
            ax.plot(at, bands[:, 1], "o-", markersize=3.0, color=colour, label=label)
        else:
            order = np.argsort(table[x][rows], kind="stable")
            ax.plot(table[x][rows][order], values[rows][order], "o-", markersize=3.0, color=colour, label=label)
    ax.set_xlabel(table.label(x))
    ax.set_ylabel(table.label(quantity))
    if 1 < len(combinations) <= MOST_LINES:
        ax.legend(frameon=False, fontsize="small")
    return figure


def study_map(table: StudyTable, quantity: str, x: str, y: str, *, ax: Any = None) -> Any:
    """A quantity over two lists of values, as colours; the mean over everything else that was varied."""
    for path in (x, y):
        if path not in table.axes or table.axes[path].dtype.kind != "f":
            raise RouthError(f'heatmap: "{path}" is not a parameter that was given as a list of numbers')
    values, at_x, at_y = _numbers(table, quantity), np.sort(table.axes[x]), np.sort(table.axes[y])
    cells = np.full((len(at_y), len(at_x)), np.nan)
    column, row = np.searchsorted(at_x, table[x]), np.searchsorted(at_y, table[y])
    sums, counts = np.zeros_like(cells), np.zeros_like(cells)
    good = np.isfinite(values)
    np.add.at(sums, (row[good], column[good]), values[good])
    np.add.at(counts, (row[good], column[good]), 1.0)
    np.divide(sums, counts, out=cells, where=counts > 0.0)
    figure, ax = _axes(ax)
    mesh = ax.pcolormesh(at_x, at_y, cells, shading="nearest", cmap="viridis")
    figure.colorbar(mesh, ax=ax, label=table.label(quantity))
    ax.set_xlabel(table.label(x))
    ax.set_ylabel(table.label(y))
    return figure


def study_histogram(table: StudyTable, quantity: str, *, bins: Any = "auto", ax: Any = None) -> Any:
    """The distribution of a quantity over all points, with its median and the band from 5 % to 95 %."""
    values = _numbers(table, quantity)
    values = values[np.isfinite(values)]
    if not values.size:
        raise RouthError(f'histogram: no point has a value of "{quantity}"; see table.failed')
    low, median, high = np.quantile(values, QUANTILES)
    figure, ax = _axes(ax)
    ax.hist(values, bins=bins, color="C0", alpha=0.7)
    ax.axvspan(low, high, color="C1", alpha=0.15, label=f"5 % to 95 %: {low:.4g} to {high:.4g}")
    ax.axvline(median, color="C1", label=f"median: {median:.4g}")
    ax.set_xlabel(table.label(quantity))
    ax.set_ylabel("points")
    ax.legend(frameon=False, fontsize="small")
    return figure


def study_indices(table: StudyTable, quantity: str, *, ax: Any = None) -> Any:
    """Sobol indices of a quantity as bars: the share of its variance by each parameter alone, and with all others."""
    shares = table.sobol_indices(quantity)
    figure, ax = _axes(ax)
    place = np.arange(len(shares))
    for shift, kind, colour in ((-0.2, "first", "C0"), (0.2, "total", "C1")):
        values = [share[kind] for share in shares.values()]
        ax.bar(place + shift, values, width=0.38, color=colour, label={"first": "alone", "total": "with all others"}[kind])
    ax.set_xticks(place, list(shares))
    ax.set_ylabel(f"share of the variance of {quantity}")
    ax.set_ylim(bottom=min(0.0, *(share["first"] for share in shares.values())))
    ax.legend(frameon=False, fontsize="small")
    return figure


def fit_residuals(fit: Fit, motion: int | Measured = 0) -> Any:
    """Measured and computed channels of a motion over time, and below them what is left, in units of the noise."""
    whole = fit.motions[motion] if isinstance(motion, int) else motion
    left = fit.residuals(motion)
    figure = new_figure(layout="constrained", figsize=(max(3.2 * len(left), 5.0), 4.6))
    above, below = figure.subplots(2, len(left), squeeze=False, sharex=True, height_ratios=(2, 1))
    for k, (name, values) in enumerate(left.items()):
        measured = whole.channels[name]
        for ax in (above[k], below[k]):
            ax.grid(True, alpha=0.25, linewidth=0.6)
            ax.spines[["top", "right"]].set_visible(False)
        above[k].plot(whole.t, measured, "o", markersize=3.0, color="C1", label="measured")
        above[k].plot(whole.t, measured + values, color="C0", label="computed")
        above[k].set_ylabel(name)
        below[k].axhspan(-2.0, 2.0, color="C0", alpha=0.12, linewidth=0)
        below[k].plot(whole.t, values / fit.noise[name], ".", markersize=4.0, color="C1")
        below[k].set_ylabel("left / noise")
        below[k].set_xlabel("t [s]")
    above[0].legend(frameon=False, fontsize="small")
    return figure


def _axes(ax: Any) -> tuple[Any, Any]:
    """(figure, axes) that were given, or new ones."""
    if ax is not None:
        return ax.figure, ax
    figure = new_figure(layout="constrained", figsize=(6.4, 4.0))
    ax = figure.subplots()
    ax.grid(True, alpha=0.25, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    return figure, ax


def _known(table: StudyTable, path: str) -> None:
    if path not in table.parameters:
        raise RouthError(f'plot: "{path}" is not one of the varied parameters, {", ".join(table.parameters)}')


def _numbers(table: StudyTable, quantity: str) -> np.ndarray:
    values = table[quantity]
    if values.dtype.kind != "f":
        raise RouthError(f'plot: "{quantity}" is not one number per point')
    return values
