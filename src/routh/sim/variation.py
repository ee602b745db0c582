"""Tangents of a motion: how every sample of a run changes with parameters and start, through every event.

A run is a chain of smooth stretches and events. The derivative of each link is a difference of that link alone, which kernels
repeat from states beside its own (`core/events/replay.py`), so that nothing grows along the chain but the tangent itself. At an
event the instant moves, too, by minus the change of its guard over the guard's rate: the state at the moved instant goes
through the event, and the next stretch begins there ([aizerman1958], [leine2004]).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.core.tables import layout
from routh.core.tables import log as codes
from routh.core.tables.log import new_log
from routh.core.tables.runs import CONTROL, new_buffers, new_events, new_solver
from routh.core.tables.variation import CONE, GAP, JAM, N_GUARD, NORMAL, RATE, ROOM, SLIDE
from routh.native.load import connect_solver
from routh.sim.outcome import Outcome
from routh.sim.parameters import STEP, Parameter, sizes_of

__all__ = ["Break", "EventTangent", "Variation"]

TIGHT = 1e-2          # tolerance of the stretches against that of the run: derivatives lose digits that states have
ROOMY = 5.0            # times STEP: largest change of a state, against its size, that differences are taken over
BENT = 1e-2           # second difference of an event against its first: more is a kink
GRAZES = 0.3          # part of the speed of approach that the steps of differences may change: more is grazing
TOGETHER = 1e-6       # instants of contacts that close at once, against the larger: more apart, their order depends on a sign
FAITHFUL = 1e-6       # of the speeds: what an event that is repeated may differ by from the one that was
SPREAD = 1e-9         # error of the distance to a state beside, per step
ROOT = 1e-6           # of the stretch before an event: how far from it the guard's root may be
STEPS = 256           # of a stretch, at first
SLOWEST = 1e-9        # of the fastest speed: a slip below it has the direction of its start


@dataclass(frozen=True)
class Break:
    """An instant at which a motion has no derivative by a parameter, and why."""

    t: float
    contact: str
    reason: str
    parameters: tuple[str, ...]


@dataclass
class EventTangent:
    """What the impacts of an instant were, repeated from beside: rows as in `Variation`."""

    first: int                # row of the ledger
    count: int
    t: float
    y: np.ndarray             # (rows, n) states before
    delta: np.ndarray         # (n_p,) steps of the differences
    instant: np.ndarray       # (n_p,) derivative of the instant
    logs: list[Any] = field(default_factory=list)  # impact, joint and row tables of each row


class Variation:
    """The tangents of one run by some parameters: `tangent[sample, parameter, state]`."""

    def __init__(self, outcome: Outcome, parameters: Sequence[Parameter], rtol: float, atol: float) -> None:
        self.outcome, self.parameters = outcome, list(parameters)
        self.compiled: Compiled = outcome.compiled
        samples = outcome.samples
        self.t, self.y, self.phase_of, self.stretch_of = samples.t, samples.y, samples.phase, samples.segment
        self.rtol, self.atol = max(TIGHT * rtol, 1e-13), max(TIGHT * atol, 1e-15)
        self.machine = Machine(self.compiled)
        system = self.machine.system
        self.n, self.n_p = self.y.shape[1], len(self.parameters)
        self.works = int(system.world["works"][0])
        self.n_contact = system.contact.size
        self.phases = outcome.log.phase if outcome.log is not None else np.zeros((1, 0))
        self.width = self.phases.shape[1] // max(self.n_contact, 1)
        self.machine.need("plan", "follow", "read_guards", "repeat_event")
        self.buffers, self.beside = new_buffers(self.n), new_buffers(self.n)
        self.events, self.solver = new_events(system, self.machine.work, self.n), new_solver(len(self.machine.work.pivot))
        connect_solver(self.solver)
        self.log: Any = new_log(system, self.machine.row_size, 64)
        self.control = np.zeros(1, CONTROL)
        self.sizes = sizes_of(self.compiled, self.y)
        self.anywhere = np.where(np.arange(self.works) * 0.618 % 1.0 < 0.5, 1.0, -1.0)  # a direction that none is across
        self.slow = SLOWEST * float(np.abs(self.y[:, self.compiled.n_q:self.works]).max(initial=0.0))
        self._lay_rows()
        self.tangent = np.full((len(self.t), self.n_p, self.n), np.nan)
        self.breaks: list[Break] = []
        self.impacts: list[EventTangent] = []
        self.broken = np.zeros(self.n_p, bool)

    def _lay_rows(self) -> None:
        """Rows of repeated states: those of parameters of the start share one system, the others have one each."""
        order = sorted(range(self.n_p), key=lambda p: not self.parameters[p].of_start)
        rows = [(p, offset, weight) for p in order for offset, weight in self.parameters[p].stencil]
        self.row_parameter = np.array([p for p, _, _ in rows], int)
        self.row_offset = np.array([offset for _, offset, _ in rows])
        self.weights = np.zeros((self.n_p, len(rows)))
        for r, (p, _, weight) in enumerate(rows):
            self.weights[p, r] = weight
        of_start = sum(self.parameters[p].of_start for p in self.row_parameter)
        self.groups = [slice(0, of_start)] if of_start else []
        self.groups += [slice(r, r + 1) for r in range(of_start, len(rows))]

    # differences

    def _steps(self, tangent: np.ndarray) -> np.ndarray:
        """Steps of the differences: of each parameter against its size, shorter where the state changes fast with it."""
        out = np.array([parameter.step for parameter in self.parameters])
        with np.errstate(invalid="ignore", divide="ignore"):
            change = np.abs(tangent[:, :self.works] / self.sizes).max(axis=1, initial=0.0) * out
        for p in np.flatnonzero(change > ROOMY * STEP):
            out[p] *= 10.0 ** -np.ceil(np.log10(change[p] / (ROOMY * STEP)))
        return out

    def _rows(self, base: np.ndarray | float, tangent: np.ndarray, delta: np.ndarray) -> np.ndarray:
        """`base` + offset × step × tangent, row by row."""
        change = self.row_offset * delta[self.row_parameter]
        out: np.ndarray = base + change.reshape(-1, *[1] * (tangent.ndim - 1)) * tangent[self.row_parameter]
        return out

    def _difference(self, rows: np.ndarray, base: np.ndarray, delta: np.ndarray) -> np.ndarray:
        """Derivative by each parameter of what the rows have become."""
        flat = (rows - base).reshape(len(rows), -1)
        out = self.weights @ flat / delta[:, None]
        return out.reshape(self.n_p, *rows.shape[1:])

    def _systems(self, delta: np.ndarray) -> list[tuple[slice, Compiled]]:
        out = []
        for group in self.groups:
            parameter = self.parameters[self.row_parameter[group.start]]
            compiled = parameter.system_at(self.row_offset[group.start], delta[self.row_parameter[group.start]])
            out.append((group, compiled))
        return out

    # the walk

    def walk(self) -> None:
        """Fill `tangent`, `impacts` and `breaks`."""
        first, tangent, instant, phases = 0, self._start(), np.zeros(self.n_p), None
        n = len(self.t)
        while True:
            last = first
            while last + 1 < n and self.t[last + 1] > self.t[last] and not self._changes(last):
                last += 1
            right = last + 1
            while right + 1 < n and self.t[right + 1] == self.t[right]:
                right += 1
            end = self.t[min(right, n - 1)] if self.t[last] < self.t[min(right, n - 1)] else self.t[last]
            tangent = self._stretch(first, last, end, tangent, instant, phases)
            self.tangent[first:last + 1, self.broken] = np.nan
            if right >= n or self.broken.all():
                return
            tangent, instant, phases = self._event(first, last, right, tangent)
            tangent[self.broken] = instant[self.broken] = 0.0  # their rows go on beside the others
            first = right

    def _changes(self, i: int) -> bool:
        """Whether modes change between sample i and the next, later one: an event whose left side was taken before it."""
        a, b = self.phases[self.phase_of[i]], self.phases[self.phase_of[i + 1]]
        return self.width > 0 and bool((a[::self.width] != b[::self.width]).any())

    def _start(self) -> np.ndarray:
        """Tangent of the start: (n_p, n)."""
        out = np.zeros((self.n_p, self.n))
        n_q, n_u = self.compiled.n_q, self.compiled.n_u
        for p, parameter in enumerate(self.parameters):
            for offset, weight in parameter.stencil:
                machine = Machine(parameter.system_at(offset, parameter.step))
                q, u = parameter.start_arrays(machine, offset, float(self.t[0]))
                out[p, :n_q] += weight / parameter.step * (q - self.y[0, :n_q])
                out[p, n_q:n_q + n_u] += weight / parameter.step * (u - self.y[0, n_q:n_q + n_u])
        return out

    def _middle(self, i: int) -> float:
        stops, s = self.outcome.stops, int(self.stretch_of[i])
        return 0.5 * float(stops[s] + stops[min(s + 1, len(stops) - 1)])

    def _stretch(self, first: int, last: int, end: float, tangent: np.ndarray, instant: np.ndarray,
                 phases: np.ndarray | None) -> np.ndarray:
        """Carry tangents of a moved instant over samples `first` to `last`, to `end`; return them there, at a fixed time."""
        t0, middle, phase = float(self.t[first]), self._middle(first), self.phases[self.phase_of[first]]
        slope = self._slope(t0, self.y[first], phase, middle)
        self.tangent[first] = tangent - np.outer(instant, slope)
        if end <= t0:
            return self.tangent[first]
        share = self._plan(t0, end, self.y[first], tangent, phase, middle)
        wanted = np.ascontiguousarray(self.t[first + 1:last + 1][self.t[first + 1:last + 1] < end])
        delta = self._steps(tangent)
        rows, times = self._rows(self.y[first], tangent, delta), self._rows(t0, instant, delta)
        if phases is None:
            phases = np.tile(phase, (len(rows), 1))
        samples = np.zeros((len(rows), len(wanted), self.n))
        for group, compiled in self._systems(delta):
            self.machine.take(compiled)
            self.machine.call("follow", self.buffers, self.slow, middle, end, share, phases[group], times[group], rows[group],
                              wanted, samples[group])
        self.machine.take(self.compiled)
        if len(wanted):
            inner = self._difference(samples, self.y[first + 1:first + 1 + len(wanted)], delta)
            self.tangent[first + 1:first + 1 + len(wanted)] = inner.transpose(1, 0, 2)
        out = self._difference(rows, self._end, delta)
        if last > first and self.t[last] == end:
            self.tangent[last] = out
        return out

    def _plan(self, t: float, end: float, y: np.ndarray, tangent: np.ndarray, phase: np.ndarray, middle: float) -> np.ndarray:
        """Shares of the way from t to `end` at which steps end; `_end` is the state there."""
        room, near = STEPS, np.zeros(self.n)
        change = np.abs(tangent[:, :self.works] / self.sizes).max(axis=1, initial=0.0)
        near[:self.works] = self.anywhere * self.sizes + sum(
            tangent[p, :self.works] / change[p] for p in np.flatnonzero(change > 0.0))
        near *= STEP
        while True:
            share, self._end = np.zeros(room), y.copy()
            probe = y + near
            n = int(self.machine.call("plan", self.buffers, self.beside, phase, self.slow, middle, t, end, self.rtol, self.atol,
                                      SPREAD, STEP * self.sizes, self._end, probe, share))
            if n != -layout.PAUSED:
                break
            room *= 4
        return share[:n].copy() if n > 0 else np.ones(1)

    def _slope(self, t: float, y: np.ndarray, phase: np.ndarray, middle: float) -> np.ndarray:
        slope, _ = self._guards(np.array([t]), y[None].copy(), phase[None].copy(), middle)
        return slope[0]

    def _guards(self, t: np.ndarray, y: np.ndarray, phases: np.ndarray, middle: float) -> tuple[np.ndarray, np.ndarray]:
        slope, guard = np.zeros_like(y), np.zeros((len(t), self.n_contact, N_GUARD))
        self.machine.call("read_guards", self.slow, middle, phases, t, y, slope, guard)
        return slope, guard

    def _event(self, first: int, last: int, right: int, tangent: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Carry tangents at a fixed time through the event between samples `last` and `right`; return tangents at the moved
        instant, its derivatives, and the phases of all rows.
        """
        t, middle = float(self.t[right]), self._middle(first)
        y = self.y[last] if self.t[last] == t else self._end
        before, after = self.phases[self.phase_of[last]], self.phases[self.phase_of[right]]
        hits = self._impacts_at(t)
        instant, slope = self._instants(t, y, before, after, hits, middle, tangent, int(self.stretch_of[last]),
                                        int(self.stretch_of[right]), float(self.t[first]))
        tangent = tangent + np.outer(instant, slope)
        delta = self._steps(tangent)
        rows, times = self._rows(y, tangent, delta), self._rows(t, instant, delta)
        came = rows.copy()
        phases = np.tile(after, (len(rows) + 1, 1))
        event = EventTangent(int(hits[0]) if len(hits) else 0, len(hits), t, came, delta, instant)
        modes = (before[::self.width], after[::self.width]) if self.width else (np.zeros(0), np.zeros(0))
        impact = self.outcome.log.impact[hits] if len(hits) else None
        given = impact["kind"] == codes.EXTERNAL if impact is not None else np.zeros(0, bool)
        struck = np.unique(impact["contact"][~given]) if impact is not None else np.zeros(0, np.int64)
        touching = np.array([c for c in range(self.n_contact) if modes[0][c] == layout.OPEN
                             and (c in struck or modes[1][c] != layout.OPEN)], np.int64)
        rounds = int((impact["sequence"][~given] == 0).sum()) if impact is not None else 0
        fastest = float(np.abs(impact["v"]).max()) if impact is not None and not given.all() else 0.0
        jams = impact is not None and (~given).any() and impact["kind"][~given][0] == codes.TANGENTIAL_HIT
        solo = int(impact["contact"][~given][0]) if impact is not None and jams else -1
        number = int(impact["contact"][given].min()) if impact is not None and given.any() else -1
        own = y.copy()  # the event as it was, repeated

        def repeat(compiled: Compiled, when: float, state: np.ndarray, phase: np.ndarray) -> int:
            self.machine.take(compiled)
            if number >= 0:
                when = float(compiled.system.impulse["stop"][number])
            return int(self.machine.call("repeat_event", self.control, self.events, self.solver, self.log, before, after,
                                         touching, number, rounds, solo, middle, fastest, when, state, phase))

        codes_of = [repeat(self.compiled, t, own, phases[-1])]
        kinds = self._kinds()
        switched = np.zeros(len(rows), bool)
        for group, compiled in self._systems(delta):
            for r in range(group.start, group.stop):
                codes_of.append(repeat(compiled, float(times[r]), rows[r], phases[r]))
                switched[r] = self._kinds() != kinds
                if len(hits):
                    event.logs.append([getattr(self.log, name)[:len(hits)].copy() for name in ("impact", "joint", "row")])
        self.machine.take(self.compiled)
        self._keep_modes(phases, after)
        out = tangent + self._difference(rows - came, own - y, delta)  # of the change: what stays has no round-off
        if len(hits):
            self.impacts.append(event)
        self._judge(t, y, own, right, rows, out, delta, struck, codes_of, switched)
        return out, instant, phases[:-1]

    def _kinds(self) -> bytes:
        """What the impacts of a repeated event were."""
        n = int(self.log.count[codes.N_IMPACT])
        return b"".join(self.log.impact[name][:n].tobytes() for name in ("contact", "kind", "slip_class", "sequence"))

    def _keep_modes(self, phases: np.ndarray, after: np.ndarray) -> None:
        """Of the phases of repeated events only the speed of first touch of compliant contacts differs."""
        for c in range(self.n_contact):
            place, speed = c * self.width, phases[:, c * self.width + 1].copy()
            phases[:, place:place + self.width] = after[place:place + self.width]
            if after[place] > layout.SLIP:
                moved = speed - speed[-1]
                phases[:, place + 1] = after[place + 1] + moved

    def _impacts_at(self, t: float) -> np.ndarray:
        """Rows of the ledger at an instant."""
        if self.outcome.log is None:
            return np.zeros(0, int)
        n = int(self.outcome.log.count[codes.N_IMPACT])
        return np.flatnonzero(self.outcome.log.impact["t"][:n] == t)

    # instants

    def _instants(self, t: float, y: np.ndarray, before: np.ndarray, after: np.ndarray, hits: np.ndarray, middle: float,
                  tangent: np.ndarray, segment: int, segment_after: int, begun: float) -> tuple[np.ndarray, np.ndarray]:
        """(derivatives of the instant of an event, slope before it)."""
        slope = self._slope(t, y, before, middle)
        if segment != segment_after or t == self.t[0] or self._scheduled(hits):
            return self._scheduled_instants(segment + 1), slope
        with np.errstate(divide="ignore"):
            ahead = 1e-6 * float((self.sizes / np.abs(slope[:self.works])).min())
        times = np.array([t, t + ahead, t - ahead])
        states = y + np.outer(times - t, slope)
        _, along = self._guards(times, states, np.tile(before, (3, 1)), middle)
        rates = (along[1] - along[2]) / (2.0 * ahead)
        causes = self._causes(along[0], rates, before, after, hits, t - begun)
        if not causes:
            self._break(t, "", "its cause is none that has a derivative, such as a corner that a contact runs over")
            return np.zeros(self.n_p), slope
        delta = self._steps(tangent)
        rows = self._rows(y, tangent, delta)
        guards = np.zeros((len(rows), self.n_contact, N_GUARD))
        phases = np.tile(before, (len(rows), 1))
        for group, compiled in self._systems(delta):
            self.machine.take(compiled)
            _, guards[group] = self._guards(np.full(group.stop - group.start, t), rows[group], phases[group], middle)
        self.machine.take(self.compiled)
        changes = self._difference(guards, along[0], delta)
        found = []
        for c, column in causes:
            rate = along[0, c, RATE] if column == GAP else rates[c, column]
            with np.errstate(divide="ignore", invalid="ignore"):
                found.append(-changes[:, c, column] / rate)
            if column == GAP:
                graze = ~(np.abs(delta * (changes[:, c, RATE] + found[-1] * rates[c, RATE])) <= GRAZES * abs(rate))
                if graze.any():
                    self._break(t, self._name(c), f"it touches with {abs(rate):.2g} m/s only: it grazes", graze)
        instant = found[0]
        for (c, _), other in zip(causes[1:], found[1:], strict=True):
            apart = ~(np.abs(other - instant) <= TOGETHER * np.maximum(np.abs(other), np.abs(instant))
                      + TOGETHER * ahead / np.array([q.scale for q in self.parameters]))
            if apart.any():
                self._break(t, self._name(c), "several contacts change at one instant, and which is first depends on the "
                            "direction of the change", apart)
        return np.where(np.isfinite(instant), instant, 0.0), slope

    def _scheduled(self, hits: np.ndarray) -> bool:
        return len(hits) > 0 and bool((self.outcome.log.impact["kind"][hits] == codes.EXTERNAL).any())

    def _scheduled_instants(self, stop: int) -> np.ndarray:
        """Derivatives of the instant of a stop: zero but by parameters that move it."""
        out = np.zeros(self.n_p)
        edges, stops = self.compiled.edges, self.outcome.stops
        place = np.flatnonzero(edges == stops[min(stop, len(stops) - 1)])
        if not len(place) or stop >= len(stops) - 1:
            return out
        for p, parameter in enumerate(self.parameters):
            if not parameter.of_start:
                for offset, weight in parameter.stencil:
                    other = parameter.system_at(offset, parameter.step).edges
                    if len(other) == len(edges):
                        out[p] += weight / parameter.step * (other[place[0]] - edges[place[0]])
        return out

    def _causes(self, guard: np.ndarray, rates: np.ndarray, before: np.ndarray, after: np.ndarray, hits: np.ndarray,
                length: float) -> list[tuple[int, int]]:
        """(contact, guard) that an event is the root of; several where they have their roots together."""
        if not self.n_contact:
            return []
        was, becomes = before[::self.width].astype(int), after[::self.width].astype(int)
        impact = self.outcome.log.impact[hits]
        struck = set(impact["contact"].tolist())
        size = self.machine.system.contact["size"]
        soft = self.machine.system.contact["law"] == layout.SOFT
        # an open contact that arrives
        arrives = [c for c in range(self.n_contact) if was[c] == layout.OPEN and (c in struck or becomes[c] != layout.OPEN)
                   and guard[c, RATE] < 0.0 and abs(guard[c, GAP]) <= 1e-6 * size[c]]
        if arrives:
            fastest = min(guard[c, RATE] for c in arrives)
            return [(c, GAP) for c in sorted(arrives, key=lambda c: guard[c, RATE]) if guard[c, RATE] <= 1e-9 * fastest]
        # a closed one that leaves its mode: the guard that is nearest to its root in time
        found: list[tuple[float, int, int]] = []
        for c in range(self.n_contact):
            if was[c] == layout.OPEN or (soft[c] and becomes[c] == was[c]):
                continue
            columns = [ROOM, GAP] if soft[c] else [NORMAL]
            if was[c] == layout.SLIP:
                columns += [SLIDE, JAM]
            elif not soft[c] and self.machine.system.contact["n_row"][c] > 1:
                columns.append(CONE)
            for column in columns:
                if rates[c, column] < 0.0 or (soft[c] and rates[c, column] != 0.0):
                    changed = becomes[c] != was[c] or column == SLIDE
                    found.append((abs(guard[c, column] / rates[c, column]) * (1.0 if changed else 1e3), c, column))
        return [(c, column) for off, c, column in sorted(found)[:1] if off <= ROOT * length]

    # verdicts

    def _judge(self, t: float, y: np.ndarray, own: np.ndarray, right: int, rows: np.ndarray, out: np.ndarray,
               delta: np.ndarray, struck: np.ndarray, statuses: list[int], switched: np.ndarray) -> None:
        """Say where an event has no derivative: it could not be repeated, or its map has a kink."""
        name = self._name(int(struck[0])) if len(struck) else ""
        speeds = slice(self.compiled.n_q, self.works)
        size = max(float(np.abs(self.y[right, speeds]).max(initial=0.0)), float(np.abs(y[speeds]).max(initial=0.0)), 1e-300)
        off = float(np.abs(own[speeds] - self.y[right, speeds]).max(initial=0.0))
        if any(status != layout.FINISHED for status in statuses) or not off <= FAITHFUL * size:
            self._break(t, name, "what happens there depends on more than the state, and cannot be repeated from another one")
            return
        bent = np.zeros(self.n_p, bool)
        scale = np.append(self.sizes, np.ones(self.n - self.works))
        for p in range(self.n_p):
            own_rows = np.flatnonzero(self.row_parameter == p)
            if len(own_rows) == 2:
                a, b = (rows[own_rows[0]] - own) / scale, (rows[own_rows[1]] - own) / scale
                first, second = np.abs((a - b)[:self.works]).max(), np.abs((a + b)[:self.works]).max()
                bent[p] = (second > BENT * first and second > 1e-9) or not np.isfinite(first)
        if bent.any():
            why = "the class of an impact changes there" if switched.any() else "its map has a kink there"
            self._break(t, name, why, bent)

    def _name(self, c: int) -> str:
        return self.compiled.contacts[self.compiled.system.contact["owner"][c]].name

    def _break(self, t: float, contact: str, reason: str, which: np.ndarray | None = None) -> None:
        which = np.ones(self.n_p, bool) if which is None else which
        fresh = which & ~self.broken
        if fresh.any():
            names = tuple(self.parameters[p].path for p in np.flatnonzero(fresh))
            self.breaks.append(Break(t, contact, reason, names))
        self.broken |= which
