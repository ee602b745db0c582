"""Stick figures: each body as lines from its mass centre to its joints, at chosen instants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from routh.compiler.geometry import in_space, matrix_of
from routh.model.body import GROUND
from routh.model.joints import Joint
from routh.model.model import Model
from routh.sim.result import Result

__all__ = ["sketch"]


def sketch(ax: Any, model: Model, result: Result, times: Iterable[float]) -> None:
    """Draw the mechanism in the x-y plane at the given times, later ones darker."""
    ends: dict[str, list[np.ndarray]] = {b.name: [] for b in model.bodies}
    fixed: list[np.ndarray] = []
    for joint in model.joints:
        if isinstance(joint, Joint):
            for body, given in ((joint.a, joint.point_a), (joint.b, joint.point_b)):
                (fixed if body == GROUND else ends[body]).append(in_space(given))
    times = list(times)
    colours = {b.name: f"C{i % 10}" for i, b in enumerate(model.bodies)}
    for n, t in enumerate(times):
        i = int(np.argmin(np.abs(result.t - t)))
        shade = 0.15 + 0.85 * (n + 1) / len(times)
        for body, points in ends.items():
            x, R = _pose(result, body, i)
            for point in points:
                end = x + R @ point
                ax.plot([x[0], end[0]], [x[1], end[1]], "-", color=colours[body], alpha=shade, linewidth=2.2,
                        solid_capstyle="round")
                ax.plot(end[0], end[1], "o", color="k", markersize=2.5, alpha=shade)
    for at in fixed:
        ax.plot(at[0], at[1], marker=(3, 0, 0), color="k", markersize=8)
    ax.set_aspect("equal")
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")


def _pose(result: Result, body: str, i: int) -> tuple[np.ndarray, np.ndarray]:
    if result.space == "planar":
        x, y, th = (result[f"{body}.{k}"][i] for k in ("x", "y", "theta"))
        c, s = np.cos(th), np.sin(th)
        return np.array([x, y, 0.0]), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    x = np.array([result[f"{body}.{k}"][i] for k in "xyz"])
    return x, matrix_of([result[f"{body}.{k}"][i] for k in ("qw", "qx", "qy", "qz")])
