"""Channels over time: labels with units, and no slanted line through a jump."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.sim.result import Result

__all__ = ["draw_channel", "plot"]


def plot(result: Result, *channels: str, title: str | None = None) -> Any:
    """A matplotlib Figure with one axes per unit, all over the same time."""
    import matplotlib.pyplot as plt

    if not channels:
        raise ValueError("plot: name at least one channel, such as " + ", ".join(f'"{c}"' for c in result.channels[:3]))
    units = list(dict.fromkeys(result.unit(c) for c in channels))
    figure, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained",
                                figsize=(7.0, 1.2 + 2.0 * len(units)))
    for unit, ax in zip(units, axes[:, 0], strict=True):
        names = [c for c in channels if result.unit(c) == unit]
        for name in names:
            draw_channel(ax, result, name)
        single = names[0] if len(names) == 1 else ""
        ax.set_ylabel(f"{single} [{unit}]" if unit else single or "value")
        if len(names) > 1 or result[names[0]].ndim > 1:
            ax.legend(frameon=False, fontsize="small")
        ax.grid(True, alpha=0.25, linewidth=0.6)
        ax.spines[["top", "right"]].set_visible(False)
    axes[-1, 0].set_xlabel("t [s]")
    if title:
        figure.suptitle(title)
    return figure


def draw_channel(ax: Any, result: Result, name: str) -> None:
    """Draw one channel; where two samples share a time the line is broken between them."""
    values = result[name]
    jump = np.flatnonzero(np.diff(result.t) == 0.0) + 1
    t = np.insert(result.t, jump, np.nan)
    columns = values.reshape(len(values), -1).T
    for axis, column in zip("xyz", columns, strict=False):
        label = name if values.ndim == 1 else f"{name} {axis}"
        ax.plot(t, np.insert(column, jump, np.nan), linewidth=1.2, label=label)
