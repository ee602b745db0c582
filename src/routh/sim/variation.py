"""Tangents of a motion: how every sample of a run changes with parameters and start, through every event.

A run is a chain of links, each a smooth stretch and the event that ends it. Kernels lay the chain out once
(`core/events/links.py`) and carry a tangent along it for each parameter (`core/events/tangent.py`). At an event the instant
moves, by minus the change of its guard over the guard's rate; the state at the moved instant goes through the event, and the
next stretch begins there ([aizerman1958], [leine2004]).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.core.tables import layout
from routh.core.tables import log as codes
from routh.core.tables import variation as table
from routh.core.tables.log import new_log
from routh.core.tables.runs import CONTROL, new_buffers, new_events, new_solver
from routh.native.load import connect_solver
from routh.sim.outcome import Outcome
from routh.sim.parameters import STEP, Parameter, sizes_of

__all__ = ["Break", "EventTangent", "Variation"]

SPREAD = 1e-8         # error of the distance to a state beside, per step
STEPS = 64            # of all stretches, at first
MOST_NUMBERS = 1 << 24  # of stages that are kept at once: 128 MB
SLOWEST = 1e-9        # of the fastest speed: a slip below it has the direction of its start

WHY = {
    table.NO_CAUSE: "its cause is none that has a derivative, such as a corner that a contact runs over",
    table.UNLIKE: "what happens there depends on more than the state, and cannot be repeated from another one",
    table.GRAZES: "it grazes: a change of the motion takes the impact away",
    table.SEVERAL: "several contacts close at one instant, and which is first depends on the direction of the change",
    table.KINK: "the class of an impact changes there, or its map has another kink",
}


@dataclass(frozen=True)
class Break:
    """An instant at which a motion has no derivative by a parameter, and why."""

    t: float
    contact: str
    reason: str
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class EventTangent:
    """The impacts of an instant, and how their state and instant change with one parameter."""

    rows: np.ndarray          # of the ledger
    link: int
    y: np.ndarray             # (n,) state before
    tangent: np.ndarray       # (n,) at the moved instant
    instant: float


class Variation:
    """The tangents of one run by some parameters: `tangent[sample, parameter, state]`."""

    def __init__(self, outcome: Outcome, parameters: Sequence[Parameter], rtol: float, atol: float) -> None:
        self.outcome, self.parameters = outcome, list(parameters)
        self.compiled: Compiled = outcome.compiled
        samples = outcome.samples
        self.t, self.y = np.ascontiguousarray(samples.t), np.ascontiguousarray(samples.y)
        self.phase_of, self.stretch_of = samples.phase, samples.segment
        self.machine = Machine(self.compiled)
        self.machine.need("lay_out", "carry", "slope_at", "repeat_event")
        system = self.machine.system
        self.n, self.n_p, self.n_contact = self.y.shape[1], len(self.parameters), system.contact.size
        self.works = int(system.world["works"][0])
        self.phases = np.ascontiguousarray(outcome.log.phase) if outcome.log is not None else np.zeros((1, 0))
        self.width = self.phases.shape[1] // max(self.n_contact, 1)
        self.buffers, self.beside = new_buffers(self.n), new_buffers(self.n)
        self.events, self.solver = new_events(system, self.machine.work, self.n), new_solver(len(self.machine.work.pivot))
        connect_solver(self.solver)
        self.log: Any = new_log(system, self.machine.row_size, 64)
        self.control = np.zeros(1, CONTROL)
        self.sizes = sizes_of(self.compiled, self.y)
        slow = SLOWEST * float(np.abs(self.y[:, self.compiled.n_q:self.works]).max(initial=0.0))
        self.settings = np.array([rtol, atol, SPREAD, slow, 0.0])
        self.tangent = np.full((len(self.t), self.n_p, self.n), np.nan)
        self.breaks: list[Break] = []
        self.hits: list[np.ndarray] = []      # rows of the ledger at the event of each link
        self.links, self.touching = self._links()
        self.before = np.zeros((self.n_p, len(self.links), self.n))
        self.instants = np.zeros((self.n_p, len(self.links)))
        self.minus = np.zeros((len(self.links), self.n))
        self.minus_slope = np.zeros_like(self.minus)

    # the chain

    def _links(self) -> tuple[np.ndarray, np.ndarray]:
        """Links of the run, and the contacts that arrive at their events."""
        t, n, log = self.t, len(self.t), self.outcome.log
        same = t[1:] == t[:-1]
        cuts = same.copy()
        modes = self.phases[:, ::self.width] if self.width else self.phases
        if self.width:
            cuts |= (modes[self.phase_of[1:]] != modes[self.phase_of[:-1]]).any(axis=1)
        impact = log.impact[: int(log.count[codes.N_IMPACT])] if log is not None else np.zeros(0, codes.IMPACT)
        rows: list[tuple[Any, ...]] = []
        touching: list[int] = []
        stops = self.outcome.stops
        first, ends = 0, [*np.flatnonzero(cuts).tolist(), n - 1]
        k = 0
        while k < len(ends):
            last = ends[k]
            right = last + 1
            while k + 1 < len(ends) and ends[k + 1] == right and right + 1 < n and same[right]:
                right, k = right + 1, k + 1
            event = last + 1 < n
            end = t[right] if event else t[last]
            segment = int(self.stretch_of[first])
            middle = 0.5 * (stops[segment] + stops[min(segment + 1, len(stops) - 1)])
            hit = np.arange(*np.searchsorted(impact["t"], [end, np.nextafter(end, np.inf)])) if event else np.zeros(0, int)
            external = impact["kind"][hit] == codes.EXTERNAL
            own = impact[hit][~external] if len(hit) else impact[:0]
            phase, after = int(self.phase_of[first]), int(self.phase_of[right if event else last])
            begins = len(touching)
            if event and self.n_contact:
                struck = np.zeros(self.n_contact, bool)
                struck[own["contact"]] = True
                touching += np.flatnonzero((modes[phase] == layout.OPEN) & (struck | (modes[after] != layout.OPEN))).tolist()
            inner_to = last if t[last] == end else last + 1
            rows.append((
                t[first], end, middle, phase, first, first + 1, max(inner_to, first + 1), 0, 0, int(event),
                last if t[last] == end else -1, right, after,
                int(event and (self.stretch_of[last] != self.stretch_of[right] or end == t[0] or bool(external.any()))),
                int(impact["contact"][hit][external].min()) if external.any() else -1,
                int((own["sequence"] == 0).sum()),
                int(own["contact"][0]) if len(own) and own["kind"][0] == codes.TANGENTIAL_HIT else -1,
                begins, len(touching), float(np.abs(own["v"]).max(initial=0.0)) if len(own) else 0.0, -1, 0, 0.0, 0))
            self.hits.append(hit)
            first, k = right, k + 1
        return np.array(rows, table.LINK), np.array(touching, np.int64)

    def walk(self) -> None:
        """Fill `tangent`, `before`, `instants` and `breaks`."""
        links, n = self.links, len(self.links)
        scratch = (self.control, self.buffers, self.beside, self.events, self.solver, self.log, links, self.phases,
                   self.touching)
        guard, phase = np.zeros((3, self.n_contact, table.N_GUARD)), np.zeros(self.phases.shape[1])
        sample_slope, jump = np.zeros_like(self.y), np.zeros_like(self.minus)
        # a direction that hardly any other is across
        nearby = np.zeros(self.n)
        nearby[:self.works] = STEP * np.where(np.arange(self.works) * 0.618 % 1.0 < 0.5, 1.0, -1.0) * self.sizes
        carried = [_Carried(self, p) for p in range(self.n_p)]
        room, begin = max(STEPS, 4 * n), 0
        most = max(MOST_NUMBERS // (32 * self.n), STEPS)
        while begin < n:
            room = min(room, most)
            share, stage, slope = np.zeros(room), np.zeros((room, 16, self.n)), np.zeros((room, 16, self.n))
            stop = int(self.machine.call("lay_out", *scratch, self.t, self.y, STEP * self.sizes, nearby, self.settings, begin,
                                         guard, share, stage, slope, sample_slope, self.minus, self.minus_slope, jump, phase))
            if stop == begin:
                if room >= most:
                    self._break_all(begin)
                    break
                room *= 4
                continue
            for one in carried:
                if one.alive:
                    one.go(scratch, begin, stop, (share, stage, slope, self.t, self.y, sample_slope, self.minus,
                                                  self.minus_slope, jump), guard, phase)
            begin = stop
        for one in carried:
            self.tangent[:, one.p] = one.samples
            self.tangent[one.until:, one.p] = np.nan
        self._gather()

    def _break_all(self, link: int) -> None:
        names = tuple(parameter.path for parameter in self.parameters)
        self.breaks.append(Break(float(self.links["begin"][link]), "", "no step is short enough for its derivatives", names))
        for p in range(self.n_p):
            self.tangent[self.links["first"][link]:, p] = np.nan

    def _gather(self) -> None:
        """Breaks at one instant for one reason as one."""
        merged: dict[tuple[float, str, str], list[str]] = {}
        for one in self.breaks:
            merged.setdefault((one.t, one.contact, one.reason), []).extend(one.parameters)
        self.breaks = [Break(*key, tuple(names)) for key, names in sorted(merged.items())]

    def broken(self, p: int, link: int, verdict: int) -> None:
        """Note that a parameter has no derivative after a link."""
        one = self.links[link]
        c = int(one["cause"])
        touched = self.touching[one["touch_from"]:one["touch_to"]]
        c = c if c >= 0 or not len(touched) else int(touched[0])
        name = self.compiled.contacts[self.compiled.system.contact["owner"][c]].name if c >= 0 else ""
        self.breaks.append(Break(float(one["end"]), name, WHY[verdict], (self.parameters[p].path,)))

    def slope(self, sample: int) -> np.ndarray:
        """Slope of the state at a sample, in its modes."""
        out, stops, s = np.zeros(self.n), self.outcome.stops, int(self.stretch_of[sample])
        middle = 0.5 * float(stops[s] + stops[min(s + 1, len(stops) - 1)])
        self.machine.call("slope_at", float(self.settings[3]), middle, self.phases[self.phase_of[sample]],
                          float(self.t[sample]), self.y[sample], out)
        return out

    # ledgers

    def event_tangents(self, p: int) -> list[EventTangent]:
        """Events with impacts that a parameter has a derivative through."""
        out = []
        for j, hit in enumerate(self.hits):
            if len(hit) and np.isfinite(self.tangent[self.links["right"][j], p]).all():
                tangent = self.before[p, j] + self.instants[p, j] * self.minus_slope[j]
                out.append(EventTangent(hit, j, self.minus[j], tangent, float(self.instants[p, j])))
        return out

    def repeated(self, compiled: Compiled, event: EventTangent, offset: float) -> tuple[np.ndarray, Any]:
        """(state before, log) of an event repeated from a state beside its own."""
        link = self.links[event.link]
        y = event.y + offset * event.tangent
        came, phase = y.copy(), np.zeros(self.phases.shape[1])
        self.machine.take(compiled)
        self.machine.call("repeat_event", self.control, self.events, self.solver, self.log, self.phases[link["phase"]],
                          self.phases[link["after"]], self.touching[link["touch_from"]:link["touch_to"]], int(link["number"]),
                          int(link["rounds"]), int(link["solo"]), float(link["middle"]), float(link["fastest"]),
                          float(link["end"]) + offset * event.instant, y, phase)
        self.machine.take(self.compiled)
        return came, self.log


class _Carried:
    """One tangent on its way along the chain."""

    def __init__(self, variation: Variation, p: int) -> None:
        self.variation, self.p, self.alive = variation, p, True
        one, parameter = variation, variation.parameters[p]
        step = parameter.step
        offsets = [offset for offset, _ in parameter.stencil]
        weights = dict(parameter.stencil)
        others = [offset for offset in offsets if offset != 0.0]
        self.systems = [parameter.system_at(offset, step).system for offset in others]
        self.by = np.array([float(parameter.of_start), weights.get(0.0, 0.0), *(weights[offset] for offset in others), step])
        self.s, self.state = np.zeros(one.n), np.zeros(2)
        n_q, n_u = one.compiled.n_q, one.compiled.n_u
        for offset, weight in parameter.stencil if parameter.moves_start else ():
            machine = Machine(parameter.system_at(offset, step)) if not parameter.of_start else one.machine
            q, u = parameter.start_arrays(machine, offset, float(one.t[0]))
            self.s[:n_q] += weight / step * (q - one.y[0, :n_q])
            self.s[n_q:n_q + n_u] += weight / step * (u - one.y[0, n_q:n_q + n_u])
        self.speed, self.terms = np.zeros(one.n_contact), np.zeros((8, 3))
        self.samples, self.given = np.zeros_like(one.y), self._given(parameter)
        self.until = len(one.t)

    def _given(self, parameter: Parameter) -> np.ndarray:
        """Derivatives of instants that are no roots: zero but by parameters that move a stop."""
        one = self.variation
        out = np.zeros(len(one.links))
        if parameter.of_start or not one.links["given"].any():
            return out
        edges = one.compiled.edges
        moved = np.zeros(len(edges))
        for offset, weight in parameter.stencil:
            other = parameter.system_at(offset, parameter.step).edges
            if len(other) == len(edges):
                moved += weight / parameter.step * (other - edges)
        for j in np.flatnonzero(one.links["given"]):
            place = np.flatnonzero(edges == one.links["end"][j])
            out[j] = moved[place[0]] if len(place) and one.links["end"][j] > one.t[0] else 0.0
        return out

    def go(self, scratch: tuple[Any, ...], begin: int, stop: int, tables: tuple[Any, ...], guard: np.ndarray,
           phase: np.ndarray) -> None:
        """Carry it on."""
        one = self.variation
        reached = int(one.machine.call("carry", *self.systems, *scratch, self.by, one.sizes, one.settings, begin, stop, *tables,
                                       self.given, self.s, self.state, self.speed, self.terms, guard, phase, self.samples,
                                       one.before[self.p], one.instants[self.p]))
        if reached < stop:
            self.alive, self.until = False, int(one.links["right"][reached])
            verdict = int(one.links["verdict"][reached])
            one.broken(self.p, reached, verdict if verdict != table.SMOOTH else int(self.state[1]))
