"""What the parameters of a study change in the tables and the start of its compiled model, for many points at once.

Most parameters are a number that stands in the tables as it is: a coefficient of restitution, a mass, a stiffness, a speed of
the start. Such a parameter is told by trying the corners of the box that all its values span: where every number that changes
is one of the parameters, bit for bit, and no corner is refused, the values of all points are put there directly. Each check of
a declaration bounds a convex set, so that what holds at the corners holds within. Anything else is worked out point by point.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.compiler.patch import patched_tables
from routh.errors import RouthError
from routh.model.state import State
from routh.sim.assembly import assemble_arrays
from routh.sim.batch_run import Place
from routh.sim.overlap import may_overlap, refuse_overlap
from routh.sim.parameters import split_paths

__all__ = ["Changes", "changes_of"]

MOST_CORNERS = 64     # of a box of parameters; with more than six parameters each point is worked out by itself
TABLES = ("contact", "node", "force")


@dataclass(frozen=True)
class Changes:
    """Numbers of n points: `values` (n, n_places) in the tables, `starts` (n or 1, n_q + n_u).

    `known` (n,) tells the points whose numbers these are; the others need a compilation, or are refused.
    """

    places: list[Place]
    values: np.ndarray
    starts: np.ndarray
    known: np.ndarray


class _Points:
    """Numbers of single points."""

    def __init__(self, compiled: Compiled, start: State, t: float, paths: Mapping[str, Any]) -> None:
        self.compiled, self.start, self.t = compiled, start, t
        self.machine = Machine(compiled)
        self.of_model, self.of_start = (list(part) for part in split_paths(compiled.model, dict.fromkeys(paths, 0.0)))
        self.base = {name: _numbers(getattr(compiled.system, name)) for name in TABLES}

    def tables(self, point: Mapping[str, Any]) -> dict[Place, int] | None:
        """Numbers of the tables that a point changes, as the bits that stand there; None where it changes more."""
        try:
            found = patched_tables(self.compiled, {path: point[path] for path in self.of_model})
        except RouthError:
            return None
        if found is None:
            return None
        changed: dict[Place, int] = {}
        for name, table in found[0].items():
            now = _numbers(table)
            changed |= {(name, int(i)): int(now[i]) for i in np.flatnonzero(now != self.base[name])}
        return changed

    def state(self, point: Mapping[str, Any], overlap: bool = True) -> np.ndarray | None:
        """Coordinates and speeds of the start of a point; None where it is refused, or needs work of its own."""
        self.machine.start_loss = 0.0
        try:
            q, u = assemble_arrays(self.machine, self.start.replace({p: point[p] for p in self.of_start}), self.t, keep=True)
            if overlap:
                refuse_overlap(self.machine, q, u)
        except RouthError:
            return None
        return np.concatenate([q, u]) if self.machine.start_loss == 0.0 else None


def _numbers(table: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(table).view(np.int64).ravel()


def changes_of(compiled: Compiled, start: State, t: float, columns: Mapping[str, np.ndarray]) -> Changes | None:
    """The numbers of every point; None where a model must be compiled for each."""
    if any(column.dtype.kind != "f" for column in columns.values()):
        return None
    points = _Points(compiled, start, t, columns)
    n = len(next(iter(columns.values())))
    corners = _corners(columns)
    known = np.ones(n, bool)
    tables = [points.tables(corner) for corner in corners]
    places = sorted({place for one in tables if one is not None for place in one})
    if points.of_model and not places and not any(one == {} for one in tables):
        return None  # whatever changes is no number of these tables
    direct = _direct(places, tables, points, corners) if all(one is not None for one in tables) else None
    if direct is not None:
        values = np.stack([columns[path] for path in direct], axis=1) if direct else np.zeros((n, 0))
    else:
        every = [points.tables({path: column[i].item() for path, column in columns.items()}) for i in range(n)]
        places = sorted({place for one in every if one is not None for place in one})
        bits = np.array([[points.base[name][i] for name, i in places]] * n, np.int64).reshape(n, len(places))
        for i, one in enumerate(every):
            known[i] = one is not None
            for place, number in (one or {}).items():
                bits[i, places.index(place)] = number
        values = bits.view(np.float64)
    starts = _starts(points, columns, corners, known, n)
    return Changes(places, values, starts, known) if known.any() else None


def _corners(columns: Mapping[str, np.ndarray]) -> list[dict[str, float]]:
    """Corners of the box of all values, and the first point."""
    ends = {path: sorted({float(column.min()), float(column.max())}) for path, column in columns.items()}
    first = {path: float(column[0]) for path, column in columns.items()}
    if np.prod([len(pair) for pair in ends.values()]) > MOST_CORNERS:
        return [first]
    return [first, *(dict(zip(ends, values, strict=True)) for values in product(*ends.values()))]


def _direct(places: list[Place], tables: list[Any], points: _Points, corners: list[dict[str, float]]) -> list[str] | None:
    """The parameter that stands in each place; None where one of them is something else."""
    if len(corners) < 2 and points.of_model:
        return None
    found = []
    for place in places:
        stands = [one.get(place, int(points.base[place[0]][place[1]])) for one in tables]
        same = [path for path in points.of_model if stands == [int(np.float64(c[path]).view(np.int64)) for c in corners]]
        if not same:
            return None
        found.append(same[0])
    return found


def _starts(points: _Points, columns: Mapping[str, np.ndarray], corners: list[dict[str, float]], known: np.ndarray,
            n: int) -> np.ndarray:
    """Starts of all points; those that are refused are marked as not known."""
    if not points.of_start:
        one = points.state({})
        if one is None:
            known[:] = False
            return np.zeros((1, points.compiled.n_q + points.compiled.n_u))
        return one[None]
    states = [points.state(corner, overlap=False) for corner in corners]
    if len(corners) > 1 and all(one is not None for one in states):
        table = np.array(states)
        varying = np.flatnonzero((table != table[0]).any(axis=0))
        out = np.repeat(table[:1], n, axis=0)
        for k in varying:
            same = [p for p in points.of_start if all(s == c[p] for s, c in zip(table[:, k], corners, strict=True))]
            if not same:
                break
            out[:, k] = columns[same[0]]
        else:
            for i in np.flatnonzero(known & may_overlap(points.compiled, out, points.t)):
                known[i] = points.state({path: column[i].item() for path, column in columns.items()}) is not None
            return out
    out = np.zeros((n, points.compiled.n_q + points.compiled.n_u))
    for i in np.flatnonzero(known):
        state = points.state({path: column[i].item() for path, column in columns.items()})
        known[i] = state is not None
        out[i] = 0.0 if state is None else state
    return out
