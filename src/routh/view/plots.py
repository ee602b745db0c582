"""Channels over time that look right untouched: labels with units, jumps as jumps, events marked along the top."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from routh.errors import RouthError
from routh.extras import need
from routh.sim.result import Result
from routh.view.palette import event_colour
from routh.whole_file import whole_file

__all__ = ["draw_channel", "mark_events", "plot", "write"]

MARKERS = {"impact": "v", "impulse": "v", "stick": "s", "slip": "D", "lift-off": "^", "close": "o", "rest": "P",
           "painleve": "X"}
LINES = 40            # instants that get a line through the axes; more would be a curtain
FLAT = 1e-9           # variation against the size of a channel below which it is drawn as constant
SMALL = 1e-14         # size below which a channel is drawn as zero: round-off of numbers about one


def plot(result: Result, *channels: str, ax: Any = None, title: str | None = None, marks: bool = True) -> Any:
    """A matplotlib Figure with one axes per unit, all over the same time; `marks` shows the events of the run.

    With `ax`, all channels are drawn into these axes, beside what they hold already, such as another run.
    Where you have imported `matplotlib.pyplot`, the figure is one of its own, so that `plt.show()` shows it.
    """
    if not channels:
        raise ValueError("plot: name at least one channel, such as " + ", ".join(f'"{c}"' for c in result.channels[:3]))
    if ax is not None:
        for name in channels:
            draw_channel(ax, result, name)
        ax.set_xlabel("t [s]")
        ax.set_ylabel(", ".join(dict.fromkeys(f"[{result.unit(c)}]" for c in channels if result.unit(c))))
        ax.legend(frameon=False, fontsize="small")
        if title:
            ax.set_title(title)
        return ax.figure
    units = list(dict.fromkeys(result.unit(c) for c in channels))
    figure = new_figure(layout="constrained", figsize=(7.0, 1.2 + 2.0 * len(units)))
    axes = figure.subplots(len(units), 1, sharex=True, squeeze=False)
    for unit, ax in zip(units, axes[:, 0], strict=True):
        names = [c for c in channels if result.unit(c) == unit]
        for name in names:
            draw_channel(ax, result, name)
        many = len(names) > 1 or result[names[0]].ndim > 1
        ax.set_ylabel(" ".join(filter(None, (names[0] if len(names) == 1 else "", f"[{unit}]" if unit else ""))) or "value")
        if many:
            ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
        ax.grid(True, alpha=0.25, linewidth=0.6)
        ax.spines[["top", "right"]].set_visible(False)
        _settle(ax, np.concatenate([result[name].ravel() for name in names]))
    figure.align_ylabels(axes[:, 0])
    axes[-1, 0].set_xlabel("t [s]")
    axes[-1, 0].set_xlim(result.t[0], result.t[-1] if result.t[-1] > result.t[0] else None)
    if marks and len(result.events):
        mark_events(axes[:, 0], result)
    if title:
        figure.suptitle(title)
    return figure


def new_figure(**options: Any) -> Any:
    """A matplotlib Figure: of pyplot where that is imported, which takes 0.2 s, else one of its own."""
    if "matplotlib.pyplot" in sys.modules:
        return sys.modules["matplotlib.pyplot"].figure(**options)
    need("matplotlib", what="a figure")
    from matplotlib.figure import Figure

    return Figure(**options)


def draw_channel(ax: Any, result: Result, name: str) -> None:
    """Draw one channel; where two samples share a time the line is broken between them, and both sides are dotted."""
    values = result[name]
    jump = np.flatnonzero(np.diff(result.t) == 0.0) + 1
    t = np.insert(result.t, jump, np.nan)
    columns = values.reshape(len(values), -1).T
    for axis, column in zip("xyz", columns, strict=False):
        label = name if values.ndim == 1 else f"{name} {axis}"
        (line,) = ax.plot(t, np.insert(column, jump, np.nan), linewidth=1.2, label=label)
        broken = jump[np.abs(column[jump] - column[jump - 1]) > FLAT * max(np.abs(column).max(), SMALL)]
        if 0 < broken.size <= LINES:
            sides = np.concatenate([broken - 1, broken])
            ax.plot(result.t[sides], column[sides], ".", markersize=3.5, color=line.get_color())


def mark_events(axes: Any, result: Result) -> None:
    """Marks over the first of the axes, one sign per kind of event, and thin lines through all where they are few."""
    kinds, times = result.events["kind"], result.events["t"]
    top = axes[0]
    for kind in dict.fromkeys(str(k) for k in kinds):
        at = times[kinds == kind]
        top.plot(at, np.full(len(at), 1.04), MARKERS.get(kind, "|"), color=event_colour(kind), markersize=4.5, clip_on=False,
                 transform=top.get_xaxis_transform(), linestyle="none", label=f"{kind} ({len(at)})")
    if len(times) <= LINES:
        for ax in axes:
            for t in dict.fromkeys(times.tolist()):
                ax.axvline(t, color="0.75", linewidth=0.6, zorder=0)
    handles = [h for h in top.get_lines() if h.get_linestyle() == "None" and not str(h.get_label()).startswith("_")]
    top.figure.legend(handles=handles, loc="outside lower center", ncols=6, frameon=False, fontsize="small")


def write(figure: Any, path: Path) -> Path:
    """Save a figure; RouthError where matplotlib does not know the suffix."""
    known = figure.canvas.get_supported_filetypes()
    if path.suffix.lower().lstrip(".") not in known:
        raise RouthError(f'{path}: no figure is written as "{path.suffix}"; take .png, .svg or .pdf')
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part:
        figure.savefig(part, dpi=150)
    return path


def _settle(ax: Any, values: np.ndarray) -> None:
    """Draw a constant as a line in the middle, not its round-off over the whole height."""
    values = values[np.isfinite(values)]
    if values.size and np.ptp(values) <= max(FLAT * np.abs(values).max(), SMALL):
        middle = float(values.mean()) if np.abs(values).max() > SMALL else 0.0
        ax.set_ylim(middle - 0.1 * (abs(middle) or 1.0), middle + 0.1 * (abs(middle) or 1.0))
