"""Ledgers: what happened at instants, one row each. `result.impacts` holds the impacts, `result.events` everything.

| impacts | unit | what |
|---|---|---|
| t, contact, kind | s | when, where, and what kind: "impact", "tangential impact", "impulse", "start", "settled" |
| point, normal | m, - | (n, d) where the bodies touch, and the normal from the first to the second, world axes |
| v_before, v_after | m/s | (n, k) relative velocity of the second body, normal first |
| impulse | N s | (n, k) impulse on the second body, normal first |
| p_n, p_t | N s | its normal part; its tangential part, signed in the plane, its length in space |
| impulse_unit | - | "N m s" where a `Stop` holds an angle, whose velocities then are in rad/s; else "N s" |
| class | - | what the slip did, in the words of `Kind`; "no tangent" of stops and ropes |
| law, e, e_t, tangential_stiffness, mu, mu_s | - | the law and its coefficients, at the slip that the impact started with |
| energy_lost, energy_lost_normal, energy_lost_tangential | J | whole, to restitution, to friction |
| creates_energy | - | whether the law created energy |
| momentum_residual | N s | what is missing from the balance of momentum: round-off |
| method, sequence | - | "single", "sequential" or "simultaneous"; place within the instant |
| A | 1/kg | (n, k, k) inverse mass of the contact |
| frame | - | (n, k, d) normal and tangents, world axes; in the plane t = (n_y, -n_x); so is then `row.impulse @ row.frame` |
| moment | N m s | of a scheduled `AngularImpulse`, world axes |
| pin.impulse, pin.impulse_moment | N s, N m s | reaction impulse of joint "pin" on its second body; so for each joint |

Stops and ropes have no tangents: their tangential entries are zero. So are those of `A` where there is no friction. A scheduled
impulse (kind "impulse") is in world axes, has no velocities, and its work counts as tangential; its p_n is its size, its normal
its direction. Columns of events: t, kind ("impact", "stick", "slip", "close" where there is no friction, "lift-off", "rest",
"painleve", "choice", "impulse", "touch", "release", "stepped", "event" of the user), contact, text, and p_n and energy_lost
where there was an impact. "stepped" is the begin of a stretch of time steps; its p_n is the normal impulse of all contacts, its
energy_lost that of impacts, friction and scheme together.

`result.stretches` has a row for each stretch that an event-driven run went by time steps.

| stretches | unit | what |
|---|---|---|
| begin, end, step, steps | s | from when until when, the longest step, and how many |
| cause | - | status with which the run would have ended |
| impulse_n, impulse_t | N s | sums over all contacts: of normal impulses, of sizes of tangential ones |
| impacts, friction | J | works, negative where lost |
| scheme | J | change of the energy by the steps and the hand-over after them, beside all forces |

`result.touches` has a row for each time a compliant contact was pressed. It starts where the gap closes and ends where the
force has come to zero.

| touches | unit | what |
|---|---|---|
| contact, t_touch, t_release, duration | s | which one, from when until when; not a number where it began before or lasts |
| v_before, v_after | m/s | speed of approach at the touch, of parting at the release, along the normal |
| e | - | restitution that was obtained: v_after / v_before |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from routh.errors import RouthError, did_you_mean
from routh.extras import need

if TYPE_CHECKING:
    import pandas as pd

    from routh.sim.impact import Impact

__all__ = ["STRETCH_UNITS", "Ledger", "Row", "no_contact_steps", "no_contact_sums", "no_events", "no_impacts", "no_stretches",
           "no_touches"]

UNITS = {"t": "s", "t_touch": "s", "t_release": "s", "duration": "s", "point": "m", "v_before": "m/s", "v_after": "m/s",
         "impulse": "N s", "p_n": "N s", "p_t": "N s", "energy_lost": "J", "energy_lost_normal": "J",
         "energy_lost_tangential": "J", "momentum_residual": "N s", "A": "1/kg", "moment": "N m s"}
STRETCH_UNITS = {"begin": "s", "end": "s", "step": "s", "impulse_n": "N s", "impulse_t": "N s", "impacts": "J", "friction": "J",
                 "scheme": "J"}
SHOWN = ("t", "kind", "contact", "class", "law", "p_n", "p_t", "energy_lost", "text")  # what a printed ledger of instants shows
MOST = 20  # rows that are printed,
LAST = 5   # of which so many are the last ones


class Ledger(Sequence["Row"]):
    """A frozen table: `ledger[3]` is a row, `ledger[mask]` or a slice a Ledger, `ledger["p_n"]` or `ledger.p_n` a column."""

    def __init__(self, columns: Mapping[str, ArrayLike], units: Mapping[str, str] | None = None) -> None:
        self._columns = {name: _frozen(name, values) for name, values in columns.items()}
        lengths = {name: len(values) for name, values in self._columns.items()}
        if len(set(lengths.values())) > 1:
            raise RouthError(f"ledger: the columns differ in length: {lengths}")
        self._length = next(iter(lengths.values()), 0)
        self._units = {name: (units or {}).get(name, _unit(name)) for name in self._columns}

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return list(self._columns)

    def column(self, name: str) -> np.ndarray:
        """One column, rows first."""
        if name not in self._columns:
            raise KeyError(f'no column "{name}"' + did_you_mean(name, self._columns))
        return self._columns[name]

    def unit(self, name: str) -> str:
        """The unit of a column; "" where it has none."""
        self.column(name)
        return self._units[name]

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, key: str) -> np.ndarray: ...
    @overload
    def __getitem__(self, key: int) -> Row: ...
    @overload
    def __getitem__(self, key: slice | np.ndarray | Sequence[Any]) -> Ledger: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.column(key)
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -self._length <= key < self._length:
                raise IndexError(f"row {key} of a ledger with {self._length} rows")
            return Row(self, int(key) % self._length)
        if not isinstance(key, slice):
            key = np.asarray(key) if len(key) else np.zeros(0, np.int64)
        return Ledger({name: values[key] for name, values in self._columns.items()}, self._units)

    def __iter__(self) -> Iterator[Row]:
        return (Row(self, i) for i in range(self._length))

    def __getattr__(self, name: str) -> np.ndarray:
        columns = self.__dict__.get("_columns", {})
        if name.rstrip("_") in columns:  # class_ is the column "class", which Python reserves
            return columns[name.rstrip("_")]
        raise AttributeError(f'no column "{name}"' + did_you_mean(name, columns))

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def table(self, *columns: str) -> pd.DataFrame:
        """A pandas DataFrame of these columns, or of all; a vector becomes "impulse[0]", "impulse[1]", ..."""
        need("pandas", what="table()")
        import pandas as pd

        parts: dict[str, np.ndarray] = {}
        for name in columns or self.columns:
            values = self.column(name)
            for index in np.ndindex(values.shape[1:]):
                label = f"[{','.join(map(str, index))}]" if index else ""
                parts[name + label] = values[(slice(None), *index)]
        return pd.DataFrame(parts)

    def _lines(self) -> tuple[list[str], list[list[str]], list[bool], str]:
        """Head, rows, which columns are numbers, and a note on what is left out, of the columns that are shown."""
        flat = {name: values for name, values in self._columns.items() if values.ndim == 1}
        names = [name for name in SHOWN if name in flat] if "t" in flat else list(flat)
        head = [f"{name} [{self._units[name]}]" if self._units[name] else name for name in names]
        more = max(self._length - MOST, 0)
        shown = range(self._length) if not more else [*range(MOST - LAST), *range(self._length - LAST, self._length)]
        rows = [[_text(flat[name][i]) for name in names] for i in shown]
        if more:
            rows.insert(MOST - LAST, ["..."] * len(names))
        numbers = [flat[name].dtype.kind in "fiu" for name in names]
        return head, rows, numbers, f"{self._length} rows, {more} of them not shown; .table() has all" if more else ""

    def __repr__(self) -> str:
        if not self._length:
            return "<Ledger without rows>"
        head, rows, numbers, note = self._lines()
        width = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        pad = [str.rjust if right else str.ljust for right in numbers]
        text = ["  ".join(f(cell, w) for f, cell, w in zip(pad, line, width, strict=True)) for line in [head, *rows]]
        return "\n".join(line.rstrip() for line in [*text, *([note] if note else [])])

    def _repr_html_(self) -> str:
        head, rows, _, note = self._lines()
        body = ["<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in line) + "</tr>"
                for tag, line in [("th", head), *(("td", row) for row in rows)]]
        return f"<table>{''.join(body)}</table>" + (f"<p>{note}</p>" if note else "")


class Row:
    """One row of a ledger: `row.t`, `row.impulse`, `row["pin.impulse"]`."""

    __slots__ = ("_i", "_ledger")

    def __init__(self, ledger: Ledger, i: int) -> None:
        self._ledger, self._i = ledger, i

    def __getitem__(self, name: str) -> Any:
        value = self._ledger.column(name)[self._i]
        return value if value.ndim else value.item()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # not a column, and copying asks before the row is filled
            raise AttributeError(name)
        value = getattr(self._ledger, name)[self._i]
        return value if value.ndim else value.item()

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._ledger.columns]

    def as_dict(self) -> dict[str, Any]:
        """All entries by the names of their columns."""
        return {name: self[name] for name in self._ledger.columns}

    def replay(self) -> Impact:
        """The impact once more, with its slip path, class and works: `resolve_impact(A, v_before, law)`."""
        from routh.sim.impact import resolve_impact

        lacking = [name for name in ("A", "v_before", "law", "e", "mu") if name not in self._ledger.columns]
        if lacking:
            raise RouthError(f'this ledger has no column "{lacking[0]}", so its rows cannot be replayed; see result.impacts')
        what = f'"{self.contact}" at t = {self.t:g} s' if {"contact", "t"} <= set(self._ledger.columns) else f"row {self._i}"
        if "method" in self._ledger.columns and self.method == "simultaneous":
            raise RouthError(f"{what} was resolved together with others, so its impulse has no path of its own")
        return resolve_impact(self._inverse_mass(), self.v_before, self._law(what))

    def _inverse_mass(self) -> np.ndarray:
        """A of the impact; without friction its tangential part was not computed, and follows from the velocities."""
        A = np.array(self.A)
        if "v_after" not in self._ledger.columns:
            return A
        jump = np.asarray(self.v_after) - np.asarray(self.v_before)
        if self.mu == 0.0 and not A[1:, 1:].any() and A[0, 0] > 0.0 and (self.v_before[1:].any() or jump[1:].any()):
            A[0, 1:] = A[1:, 0] = jump[1:] * A[0, 0] / jump[0] if jump[0] != 0.0 else 0.0
            A[1:, 1:] = np.outer(A[0, 1:], A[0, 1:]) / A[0, 0] + A[0, 0] * np.eye(len(A) - 1)  # any that is positive definite
        return A

    def _law(self, what: str) -> Any:
        from routh.model.laws import Brach, Moreau, Newton, Poisson, Stronge

        has = self._ledger.columns
        numbers = (self.e, self.mu, self.mu_s if "mu_s" in has else None)
        if self.law == "Brach":
            return Brach(*numbers, e_t=self.e_t if "e_t" in has else 0.0)
        laws = {"Newton": Newton, "Poisson": Poisson, "Stronge": Stronge, "Moreau": Moreau}
        if self.law == "Stronge compliant" and "tangential_stiffness" in has:
            return Stronge(self.e, self.mu, tangential_stiffness=float(self.tangential_stiffness))
        if self.law == "Newton algebraic":
            return Newton(*numbers, form="algebraic")
        if self.law not in laws:
            raise RouthError(f"{what} followed no impact law (law = {self.law!r}), so there is no path to replay")
        return laws[self.law](*numbers)

    def __repr__(self) -> str:
        return "Row(" + ", ".join(f"{name}={_text(value)}" for name, value in self.as_dict().items()) + ")"


def no_impacts(space: str, joints: Sequence[str] = ()) -> Ledger:
    """The ledger of impacts of a run without any, with all its columns."""
    d = 2 if space == "planar" else 3
    text, number, vector = np.zeros(0, "U1"), np.zeros(0), np.zeros((0, d))
    columns: dict[str, np.ndarray] = {
        "t": number, "contact": text, "kind": text, "point": vector, "normal": vector, "v_before": vector, "v_after": vector,
        "impulse": vector, "impulse_unit": text, "p_n": number, "p_t": number, "class": text, "law": text, "e": number,
        "e_t": number, "tangential_stiffness": number, "mu": number,
        "mu_s": number, "energy_lost": number, "energy_lost_normal": number, "energy_lost_tangential": number,
        "creates_energy": np.zeros(0, bool), "momentum_residual": number, "method": text, "sequence": np.zeros(0, np.int64),
        "A": np.zeros((0, d, d)), "frame": np.zeros((0, d, d)), "moment": number if d == 2 else vector,
    }
    for joint in joints:
        columns[f"{joint}.impulse"] = vector
        columns[f"{joint}.impulse_moment"] = number if d == 2 else vector
    return Ledger(columns)


def no_events() -> Ledger:
    """The ledger of events of a run without any, with all its columns."""
    text, number = np.zeros(0, "U1"), np.zeros(0)
    return Ledger({"t": number, "kind": text, "contact": text, "text": text, "p_n": number, "energy_lost": number})


def no_touches() -> Ledger:
    """The ledger of compliant contacts of a run without any, with all its columns."""
    number = np.zeros(0)
    return Ledger({"contact": np.zeros(0, "U1"), "t_touch": number, "t_release": number, "duration": number,
                   "v_before": number, "v_after": number, "e": number})


def no_stretches() -> Ledger:
    """The ledger of stretches of time steps of a run without any, with all its columns."""
    number = np.zeros(0)
    return Ledger({"begin": number, "end": number, "step": number, "steps": np.zeros(0, np.int64), "cause": np.zeros(0, "U1"),
                   "impulse_n": number, "impulse_t": number, "impacts": number, "friction": number, "scheme": number},
                  STRETCH_UNITS)


def no_contact_sums() -> Ledger:
    """The sums over contacts of a run that was not stepped, with all columns."""
    number = np.zeros(0)
    return Ledger({"contact": np.zeros(0, "U1"), "impulse_n": number, "impulse_t": number, "peak_force": number,
                   "t_peak": number, "duration": number, "impacts": np.zeros(0, np.int64),
                   "work_impacts": number, "work_friction": number})


def no_contact_steps(space: str) -> Ledger:
    """The contact points of a run that was not stepped, with all columns."""
    number, text, vector = np.zeros(0), np.zeros(0, "U1"), np.zeros((0, 2 if space == "planar" else 3))
    return Ledger({"t": number, "step": number, "contact": text, "a": text, "b": text, "point": vector, "normal": vector,
                   "impulse": vector, "p_n": number, "p_t": number, "force": number, "v_n_before": number, "v_n_after": number,
                   "slip": number, "hit": np.zeros(0, bool), "work": number})


def _frozen(name: str, values: ArrayLike) -> np.ndarray:
    """A copy that nobody can change: numbers, booleans or text."""
    array = np.array(values)
    if array.dtype == object and all(isinstance(x, str) for x in array.flat):
        array = array.astype(str)
    if array.ndim == 0 or array.dtype.kind not in "fiubU":
        raise RouthError(f'ledger: column "{name}" holds {array.dtype} of shape {array.shape}; give one number, text or vector '
                         "per row")
    array.flags.writeable = False
    return array


def _unit(name: str) -> str:
    if name.endswith(".impulse"):
        return "N s"
    return "N m s" if name.endswith(".impulse_moment") else UNITS.get(name, "")


def _text(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return "-" if np.isnan(value) else f"{value + 0.0:.6g}"  # no minus before a zero
    if isinstance(value, np.ndarray) and value.ndim:
        return "(" + ", ".join(map(_text, value)) + ")"
    return str(value)

