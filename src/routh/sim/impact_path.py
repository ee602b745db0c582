"""The way of an impact: a polyline in impulse space and in velocity space, with marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from routh.core.tables import impact_codes as core
from routh.core.tables.impact_codes import COMPRESSED, END, MAX_STEPS, ON, SAMPLES, SCRATCH, START, STOP, TURN
from routh.native.load import entry

__all__ = ["Path", "plane_path", "space_path"]

Array = NDArray[np.float64]

MARKS = {
    START: "start",
    STOP: "slip stops",
    COMPRESSED: "end of compression",
    TURN: "compression resumes",
    END: "end",
}


@dataclass(frozen=True)
class Path:
    """Points of the way; `marks` names those where something happens, as (index, what)."""

    impulse: Array  #: (k, d) accumulated impulse [N s]
    velocity: Array  #: (k, d) relative velocity [m/s]
    marks: tuple[tuple[int, str], ...]

    def __len__(self) -> int:
        return len(self.impulse)

    @property
    def slip(self) -> Array:
        """(k, d - 1) tangential velocity."""
        return self.velocity[:, 1:]

    def at(self, what: str) -> int:
        """Index of the first point with this mark; -1 if there is none."""
        return next((i for i, name in self.marks if name == what), -1)

    @classmethod
    def straight(cls, v: Array, A: Array, p: Array) -> Path:
        """The algebraic laws know only the two ends."""
        impulse = np.array([np.zeros(v.size), p])
        return cls(impulse, v + impulse @ A, ((0, "start"), (1, "end")))


def plane_path(A: Array, v: Array, mu: float, kind: int, row: Array) -> Path:
    """The planar way from its corners: start, end of compression, end of slip, end."""
    if kind == core.NO_IMPACT:
        return Path(np.zeros((1, 2)), v[None, :].copy(), ((0, "start"),))
    stop, p_end = float(row[core.P_STOP]), float(row[core.P_N])
    before = -mu * np.sign(v[1])
    held = row[core.V_T] == 0.0
    push = 0.5 * (A[0, 1] + A[1, 0])
    after = -push / A[1, 1] if held and A[1, 1] > 0.0 else -mu * np.sign(push)
    corners = [(0.0, "start"), (float(row[core.P_COMPRESSION]), "end of compression"), (p_end, "end")]
    if stop == stop:
        corners.insert(1 if stop <= corners[1][0] else 2, (stop, "slip stops"))
    p_n = np.array([p for p, _ in corners])
    reach = np.minimum(p_n, stop) if stop == stop else p_n
    impulse = np.column_stack([p_n, before * reach + after * (p_n - reach)])
    impulse[-1] = row[:2]
    velocity = v + impulse @ A
    velocity[-1] = row[core.V_N : core.V_N + 2]
    for i, (_, what) in enumerate(corners):
        if what == "slip stops":
            velocity[i, 1] = 0.0
        if what == "end of compression":
            velocity[i, 0] = 0.0
    return Path(impulse, velocity, tuple((i, what) for i, (_, what) in enumerate(corners)))


def space_path(A: Array, v: Array, code: int, e: float, mu: float, mu_s: float, row: Array) -> Path:
    """The spatial way, sampled along the flow."""
    live = [0, *(k for k in (1, 2) if A[k, k] > 0.0)]
    if len(live) < 3 and row[core.P_N] > 0.0:  # a dead tangent: the plane's path
        k = live[1] if len(live) == 2 else 1
        pick = [0, k]
        flat = np.array(row)
        flat[[core.P_T, core.V_T]] = row[k], row[core.V_N + k]
        path = plane_path(A[np.ix_(pick, pick)], v[pick], mu, core.SLIDING, flat)
        impulse, velocity = np.zeros((len(path), 3)), np.zeros((len(path), 3))
        impulse[:, pick], velocity[:, pick] = path.impulse, path.velocity
        return Path(impulse, velocity, path.marks)
    points = np.empty((MAX_STEPS * SAMPLES, 7))
    counted = np.zeros(1, np.int64)
    entry("impact_space", "any")(A, v, code, float(e), 0.0, float(mu), float(mu_s), np.empty(SCRATCH), points, counted,
                                 np.zeros(core.N_OUT))
    count = int(counted[0])
    if count == 0:
        return Path(np.zeros((1, 3)), v[None, :].copy(), ((0, "start"),))
    points = points[:count]
    marks = tuple((i, MARKS[int(m)]) for i, m in enumerate(points[:, 6]) if int(m) != ON)
    return Path(points[:, :3].copy(), points[:, 3:6].copy(), marks)
