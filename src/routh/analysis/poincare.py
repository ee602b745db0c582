"""Poincaré maps and bifurcation diagrams by plain runs: the second method beside shooting, and the one for chaos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.errors import ModelError
from routh.model import checks
from routh.model.model import Model
from routh.model.state import State
from routh.sim.ledger import Ledger
from routh.sim.options import Options
from routh.sim.parameters import without_driven
from routh.sim.result import Result
from routh.sim.simulate import simulate

__all__ = ["bifurcation_diagram", "poincare_map"]


def poincare_map(model: Model | Compiled, start: State | None = None, *, channels: Sequence[str], period: float | None = None,
                 contact: str | None = None, count: int = 100, skip: int = 0, t_start: float = 0.0,
                 t_end: float | None = None, options: Options | None = None) -> Ledger:
    """States of a motion once a period, or after each impact of a contact: a table with `t` and the channels.

    Parameters
    ----------
    model, start, t_start, options
        As of `simulate`.
    channels
        Names of channels that are numbers, such as ["ball.y", "ball.vy"].
    period
        The map takes the motion at t_start + period, t_start + 2 period, ... [s].
    contact
        Instead, just after each impact of this contact.
    count, skip
        Points that are kept, after so many that are not. Default: 100 and 0.
    t_end
        With `contact`: end of the run [s]; fewer points than `count` may come of it.

    Examples
    --------
    >>> disk, floor = shapes.Disk("ball", radius=0.1), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    >>> model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=1.0, inertia=0.005)],
    ...                  contacts=[rt.Contact("floor", floor, disk, law=rt.Newton(e=0.5, mu=0.2))])
    >>> points = rt.poincare_map(model, rt.State(ball={"y": 1.1}), channels=["ball.vy"], contact="floor", count=3, t_end=1.3)
    >>> points["ball.vy"].round(4).tolist()
    [2.2147, 1.1074, 0.5537]
    """
    return _points(model, start, channels, period, contact, count, skip, t_start, t_end, options)[0]


def _points(model: Model | Compiled, start: State | None, channels: Sequence[str], period: float | None, contact: str | None,
            count: int, skip: int, t_start: float, t_end: float | None, options: Options | None) -> tuple[Ledger, Result]:
    """The map, and the run that it is of."""
    if (period is None) == (contact is None):
        raise ModelError("poincare_map: give either a period or the contact whose impacts are the section")
    if isinstance(channels, str) or not len(channels):
        raise ModelError(f"poincare_map: channels = {channels!r} is not a list of channels")
    for name, number in (("count", count), ("skip", skip)):
        if not (isinstance(number, int) and number >= (1 if name == "count" else 0)):
            raise ModelError(f"poincare_map: {name} = {number!r} must be a whole number")
    options = options if options is not None else Options()
    if period is not None:
        times = t_start + checks.positive("poincare_map", "period", period) * np.arange(1, skip + count + 1)
        result = simulate(model, start, float(times[-1]), t_start=t_start, options=replace(options, output=times))
        rows = np.searchsorted(result.t, times[skip:], side="right") - 1
    else:
        if t_end is None:
            raise ModelError("poincare_map: with a contact as section, give t_end")
        result = simulate(model, start, t_end, t_start=t_start, options=replace(options, output=np.zeros(0)))
        known = result.events["contact"]
        hits = result.impacts["t"][result.impacts["contact"] == contact]
        if not len(hits) and contact not in known:
            raise ModelError(f'poincare_map: contact "{contact}" has no impact until t = {t_end:g} s')
        rows = np.searchsorted(result.t, np.unique(hits)[skip:skip + count], side="right") - 1
    columns: dict[str, Any] = {"t": result.t[rows]} | {name: result[name][rows] for name in channels}
    return Ledger(columns, {name: result.unit(name) for name in channels}), result


def bifurcation_diagram(model: Model | Compiled, start: State | None, path: str, values: Sequence[float] | np.ndarray, *,
                        channels: Sequence[str], period: float | None = None, contact: str | None = None, count: int = 50,
                        skip: int = 200, t_start: float = 0.0, t_end: float | None = None, follow: bool = True,
                        options: Options | None = None) -> Ledger:
    """Points of Poincaré maps over a parameter, after transients: a table with the parameter, `t` and the channels.

    Parameters
    ----------
    model, start, channels, period, contact, count, skip, t_start, t_end, options
        As of `poincare_map`.
    path, values
        The parameter, a number of the model, and its values in the order in which they are taken.
    follow
        Whether each value begins where the last one ended, so that a branch is followed as in an experiment. It needs a
        `period`. Default: True.

    Examples
    --------
    >>> disk, floor = shapes.Disk("ball", radius=0.1), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    >>> model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=1.0, inertia=0.005)],
    ...                  contacts=[rt.Contact("floor", floor, disk, law=rt.Newton(e=0.5, mu=0.2))])
    >>> table = rt.bifurcation_diagram(model, rt.State(ball={"y": 1.1}), "floor.law.e", [0.4, 0.5], channels=["ball.vy"],
    ...                                contact="floor", count=1, skip=0, t_end=1.0, follow=False)
    >>> table["ball.vy"].round(4).tolist()
    [1.7718, 2.2147]
    """
    compiled = model.for_engine("events") if isinstance(model, Compiled) else compile_model(model)
    parts: list[Ledger] = []
    taken: list[np.ndarray] = []
    for value in np.asarray(values, float):
        other = compiled.replace({path: float(value)})
        points, result = _points(other, start, channels, period, contact, count, skip, t_start, t_end, options)
        parts.append(points)
        taken.append(np.full(len(points), value))
        if follow and period is not None:
            start = without_driven(other.model, result.final_state)
    if not parts:
        raise ModelError("bifurcation_diagram: values is empty")
    columns = {path: np.concatenate(taken)}
    columns |= {name: np.concatenate([part[name] for part in parts]) for name in parts[0].columns}
    return Ledger(columns, {name: parts[0].unit(name) for name in parts[0].columns})
