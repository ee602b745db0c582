"""Looks for the user's events while a run goes on.

An event-driven run works in slices of compiled steps. After each slice the expressions are evaluated at its samples: LEAST or
more of the run, PER_STEP or more in the mean length of a step. Where one changes its sign, the slice is done again from a copy
of the run's tables, with samples near the root, until the root is known to ROOT of the time. Those samples are the integrator's
own dense output, so that a root is as exact as the motion. A terminal event becomes the last stop of the run, and the state
there is that of a step which ends at it.

Time steps have no dense output: roots lie on straight lines between steps, and a terminal event is met by a shorter last step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from routh.compiler.machine import Machine
from routh.core.tables.log import COUNTED
from routh.core.tables.runs import BEGUN
from routh.errors import ModelError
from routh.sim.channels import Observed, channels_of
from routh.sim.crossings import Crossing, crossings, dips, next_points, signs
from routh.sim.event import Event
from routh.sim.ledger import Ledger
from routh.sim.outcome import Outcome, Samples
from routh.sim.result import Energy, Result
from routh.sim.stretches import Stretch

__all__ = ["EventWatch"]

ROOT = 1e-12   # width of a bracket against the time, or the length of the run
PASSES = 60    # a bracket halves at least in each; more than 52 halvings leave nothing
STEPS = 64     # steps of a slice at most: samples are spread evenly over it, and steps differ little within it
PER_STEP = 4   # samples of a step at which expressions are looked at: its polynomials have few more turns
LEAST = 1000   # equal intervals of a run at whose ends events are looked for, beside its samples


class EventWatch:
    """The events of one run: what was found, and the values of expressions where it stands."""

    def __init__(self, events: Sequence[Event], machine: Machine) -> None:
        self.events = [(event, event.parsed) for event in events]
        self.largest = np.zeros(len(events))
        self.sign = np.zeros(len(events))  # last sign of each expression
        self.last: tuple[float, np.ndarray] | None = None  # time and values where the run stands
        self.found: list[tuple[float, int, int]] = []      # time, event, way
        self.ended_by: Event | None = None
        self._check(machine)

    def _check(self, machine: Machine) -> None:
        """ModelError where an expression names what runs of this model do not have, or is no number per instant."""
        arrays = machine.observation(1)
        arrays["contact"] = np.zeros((1, len(machine.compiled.contacts), 7))
        owner = np.arange(len(machine.compiled.contacts))
        with np.errstate(all="ignore"):
            seen = Observed(machine.compiled, np.zeros(1), np.zeros((1, machine.n_state)), owner, **arrays)
            blank = Result(t=np.zeros(1), channels=channels_of(seen), energy=Energy(np.zeros(1), np.zeros(1), np.zeros((1, 7))),
                           status="", space=machine.space)
            for event, expression in self.events:
                expression.check_names(blank)
                value = np.shape(expression.value(blank))
                if value != (1,):
                    what = "a constant" if value == () else f"an array of shape {value[1:]} at every instant"
                    raise ModelError(f'{event.where}: "{event.expression}" is {what}; an event needs one number, such as '
                                     '"ball.y - 0.5" or "norm(pin.reaction) - 100"')

    @staticmethod
    def grid(wanted: np.ndarray, t0: float, t_end: float) -> np.ndarray:
        """Times of samples: the wanted ones, and LEAST equal intervals."""
        return np.union1d(wanted, np.linspace(t0, t_end, LEAST + 1)[1:])

    def values(self, result: Result) -> np.ndarray:
        """Values (n_event, n) of the expressions at the samples."""
        with np.errstate(all="ignore"):
            return np.array([np.asarray(expression.value(result), float) for _, expression in self.events])

    def slice(self, run: Any, implicit: bool) -> tuple[int, bool]:
        """A slice of a run with its events found; the run ends at a terminal one."""
        mark, first, base = _Copy(run), int(run.control[0]["n_out"]), run.wanted
        run.slice_steps = min(run.slice_steps, STEPS)
        code, after = run.slice(implicit)
        points = self._spread(run, mark, base)
        for i in range(PASSES):
            if i > 0 or points:
                mark.restore(run)
                run.want(np.union1d(base, list(points)))
                code, after = run.work(implicit)
            t, g = self._sampled(run, first)
            more = {x for x in self._open(t, g, run) if x not in points}
            if not more:
                break
            points |= more
        found, end = self._accept(t, g, True, ROOT * max(abs(float(t[-1])), float(run.stops[-1] - run.stops[0])))
        if end is not None:
            mark.restore(run)
            _end(run, end)
            run.control[0]["budget"] = np.iinfo(np.int64).max
            code, after = run.work(implicit)
        run.drop(first, base, np.array([root for root, _, _ in found]))
        self._remember(t, g)
        return code, after

    def _spread(self, run: Any, mark: _Copy, base: np.ndarray) -> set[float]:
        """Times that make PER_STEP samples of every step of the slice, where it has fewer."""
        begin, end = float(mark.control[0]["t"]), float(run.control[0]["t"])
        taken = PER_STEP * int(run.control[0]["accepted"] - mark.control[0]["accepted"])
        known = np.append(base[(base > begin) & (base < end)], end)
        if taken < 2 or np.diff(known, prepend=begin).max() <= (end - begin) / taken:
            return set()
        return set(np.linspace(begin, end, taken + 1)[1:-1].tolist()) - set(known.tolist())

    def stretch(self, run: Any, step_on: Any, cause: str) -> Stretch | None:
        """A stretch of time steps of an event-driven run, which ends at a terminal event."""
        mark, first = _Copy(run), int(run.control[0]["n_out"])
        stretch: Stretch | None = step_on(run, cause)
        if stretch is None:
            return None
        t, g = self._sampled(run, first, stretch)
        _, end = self._accept(t, g)
        if end is not None:
            mark.restore(run)
            _end(run, end)
            stretch = step_on(run, cause)
        self._remember(t, g)
        return stretch

    def steps(self, run: Any, first: int) -> float | None:
        """Look at the samples of a stepped run from `first` on; the time of a terminal event among them."""
        n = int(run.control["n_out"])
        if n == first:
            return None
        g = self.values(run.piece(np.array([0, *range(max(first, 1), n)])))
        t, g = (run.t_out[:n], g) if self.last is None else (run.t_out[first:n], g[:, 1:])
        t, g = self._after_last(t, g)
        _, end = self._accept(t, g)
        self._remember(t, g)
        return end

    def _sampled(self, run: Any, first: int, stretch: Stretch | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Times and values from where the run stood before, at its samples since `first`, and where it stands.

        The first sample of the run is always looked at, because the energy account begins there.
        """
        n, s = int(run.control[0]["n_out"]), run.samples
        index = np.array([0, *range(max(first, 1), n)])
        stands = stretch is None and (not hasattr(run, "log") or run.control[0]["begun"] == BEGUN)
        chosen = Samples(len(index) + stands, s.y.shape[1])
        for name in ("t", "y", "segment", "phase"):
            getattr(chosen, name)[:len(index)] = getattr(s, name)[index]
        if stands:
            c = run.control[0]
            chosen.t[-1], chosen.y[-1] = c["t"], run.y
            chosen.segment[-1] = min(int(c["segment"]), len(run.stops) - 2)
            chosen.phase[-1] = run.remember_phase() if hasattr(run, "log") else 0
        inner = () if stretch is None else (replace(stretch, first=1, last=len(index)),)
        outcome = Outcome(run.machine, chosen, run.stops, getattr(run, "log", None), inner)
        g = self.values(outcome.result("finished", run.options))
        skip = 0 if self.last is None else 1
        t, g = chosen.t[skip:], g[:, skip:]
        if stands and len(t) > 1 and t[-1] == t[-2]:
            t, g = t[:-1], g[:, :-1]
        return self._after_last(t, g)

    def _after_last(self, t: np.ndarray, g: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The samples with what was last seen in front."""
        if self.last is not None:
            t, g = np.append(self.last[0], t), np.column_stack([self.last[1], g])
        self.largest = np.fmax(self.largest, np.nanmax(np.abs(np.where(np.isfinite(g), g, 0.0)), axis=1))
        return t, g

    def _remember(self, t: np.ndarray, g: np.ndarray) -> None:
        """Keep the last values and signs for what follows."""
        self.last = (float(t[-1]), g[:, -1])
        for k, values in enumerate(g):
            known = signs(values, self.largest[k])
            if known.any():
                self.sign[k] = known[np.flatnonzero(known)[-1]]

    def _open(self, t: np.ndarray, g: np.ndarray, run: Any) -> list[float]:
        """Times to be sampled, of brackets that are not narrow yet and of dips that may hide two roots."""
        span = float(run.stops[-1] - run.stops[0])
        out: list[float] = []
        for k, (event, _) in enumerate(self.events):
            out += dips(t, g[k])
            for found in crossings(t, g[k], self.largest[k], self.sign[k]):
                wide = found.right - found.left > ROOT * max(abs(found.right), span)
                if wide and event.direction in (0, found.way):
                    out += next_points(found)
        return out

    def _accept(self, t: np.ndarray, g: np.ndarray, narrow: bool = False,
                jump: float = 0.0) -> tuple[list[tuple[float, int, int]], float | None]:
        """Keep the crossings in order of time, until one is terminal; (what was kept, where the run ends).

        Where brackets are `narrow`, a root is the sample that is nearest to zero, so that its state is known. A run that ends
        where an expression jumps goes on for `jump`, so that it ends behind the jump.
        """
        new: list[tuple[float, int, Crossing]] = []
        for k, (event, _) in enumerate(self.events):
            new += [(c.nearest if narrow else c.root, k, c) for c in crossings(t, g[k], self.largest[k], self.sign[k])
                    if event.direction in (0, c.way)]
        kept: list[tuple[float, int, int]] = []
        end: float | None = None
        for root, k, crossing in sorted(new, key=lambda one: one[:2]):
            if end is not None and root > end:
                break
            kept.append((root, k, crossing.way))
            self.found.append(kept[-1])
            event = self.events[k][0]
            if end is None and event.terminal and sum(one == k for _, one, _ in self.found) >= event.count:
                jumps = t[crossing.before] == t[crossing.after]
                end, self.ended_by = root + (jump if jumps else 0.0), event
        return kept, end

    @property
    def detail(self) -> str:
        """What ended the run; empty where nothing did."""
        return "" if self.ended_by is None else f'event "{self.ended_by.name}"'

    def put_into(self, result: Result) -> None:
        """Add what was found to the events of a result."""
        result.events = partial(self._merged, vars(result)["events"])
        result.detail = result.detail or self.detail

    def _merged(self, events: Any) -> Ledger:
        events = events() if callable(events) else events
        if not self.found:
            return events
        n, nothing = len(self.found), np.full(len(self.found), np.nan)
        texts = [("rises" if way > 0 else "falls") + " through zero" for _, _, way in self.found]
        more: dict[str, Any] = {"t": [t for t, _, _ in self.found], "kind": ["event"] * n, "p_n": nothing, "text": texts,
                                "contact": [self.events[k][0].name for _, k, _ in self.found], "energy_lost": nothing}
        order = np.argsort(np.concatenate([events["t"], more["t"]]), kind="stable")
        return Ledger({name: np.concatenate([events[name], np.asarray(more[name])])[order] for name in events.columns})


def _end(run: Any, t: float) -> None:
    """Let a run end at time t."""
    run.stops = np.append(run.stops[run.stops < t], t)
    run.wanted = run.wanted[run.wanted <= t]


class _Copy:
    """The tables of an event-driven run, to which it can return."""

    def __init__(self, run: Any) -> None:
        blocks = [bundle.memory for bundle in run.bundles()] + ([] if run.radau is None else [run.radau.memory])
        self.blocks = [(block, block.copy()) for block in blocks]
        self.control, self.stops = run.control.copy(), run.stops
        self.log = getattr(run, "log", None)
        if self.log is not None:
            self.count = self.log.count.copy()
            self.rows = {name: getattr(self.log, name)[: self.count[counted] + 1].copy() for name, counted in COUNTED.items()}

    def restore(self, run: Any) -> None:
        """Put the run back, with the budget of steps that it has now."""
        budget = int(run.control[0]["budget"])
        for block, copy in self.blocks:
            block[:] = copy
        run.control[:], run.stops = self.control, self.stops
        run.control[0]["budget"] = budget
        if self.log is not None:
            run.log = self.log
            self.log.count[:] = self.count
            for name, rows in self.rows.items():
                getattr(self.log, name)[: len(rows)] = rows
