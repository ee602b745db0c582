"""A run of the time-stepping engine: its tables, slices of compiled work, and the Result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.compiler.stepping import ShapeTables, new_stepping
from routh.core.tables import layout
from routh.core.tables import stepping as codes
from routh.errors import ModelError, SimulationError, StateError
from routh.model.contacts import Contact, ContactGroup
from routh.model.impulses import Impulse
from routh.sim.channels import Channel, Observed, channels_of
from routh.sim.declaration import declaration_of
from routh.sim.event_watch import EventWatch
from routh.sim.hard_steps import solve_step
from routh.sim.ledger import Ledger, no_events
from routh.sim.options import Options
from routh.sim.progress import SLICE, Progress
from routh.sim.result import Energy, Result
from routh.sim.step_stability import stable_step

__all__ = ["StepRun"]

SAMPLES = 1000       # samples of a run whose output is not said
DECLARED = 100       # contacts up to which every contact point of every step is kept
OVERLAP = 0.01       # overlap at the start, against the smaller shape, that is no error of placing
MOST_RECORDS = 5_000_000  # contact points that are kept: about 1 GB

STATUS = {layout.FINISHED: "finished", layout.NOT_FINITE: "not finite", layout.LOOP_OPEN: "loop open",
          codes.TOO_FAST: "step too long"}
WHY = {
    "not finite": "a force, acceleration or speed is not a finite number; springs and dampers that stiffen on the way need a "
                  "shorter Options.step",
    "loop open": "a loop cannot stay closed while its drivers go on, or the step is too long for it",
    "step too long": "bodies would pass through each other within a step even if it were cut to a ten thousandth; take a "
                     "shorter Options.step",
    "too many steps": "it took more steps than Options.max_steps",
}
GROWING = {codes.POINTS_FULL: ("point", "last", "order", "reorder", "cone", "given"), codes.PAIRS_FULL: ("pair", "pair_new"),
           codes.ROWS_FULL: ("dof", "row"), codes.RECORDS_FULL: ("record",)}


class StepRun:
    """Steps of a compiled model from a start to an end."""

    def __init__(self, compiled: Compiled, options: Options) -> None:
        self.compiled, self.options = compiled, options
        self.machine = Machine(compiled)
        self.machine.need("run_steps", "first_sample", "place_bodies", *(["help_steps"] if options.threads > 1 else []))
        self.shapes = ShapeTables(compiled)
        self.stepping = new_stepping(compiled, self.shapes, self.machine.row_size)
        self.n_fixed = compiled.system.contact.size - codes.N_DOMAIN
        self.y = np.zeros(self.machine.n_state)
        self.t_out, self.y_out = np.zeros(0), np.zeros((0, self.y.size))
        self.arrays: dict[str, np.ndarray] = {}
        self.ends: float | None = None  # where a terminal event of the user ends the run [s]
        self.status, self.hard_steps = "finished", 0

    @property
    def control(self) -> Any:
        """The control record."""
        return self.stepping.control[0]

    def begin(self, q: np.ndarray, u: np.ndarray, t0: float, t_end: float, user: EventWatch | None = None) -> None:
        """Start at coordinates q and speeds u; `user` looks for events, for which every step is a sample."""
        self.user, self.watching, self.ends, self.looked = user, user is not None, None, 0
        n_q, n_u, options = self.compiled.n_q, self.compiled.n_u, self.options
        self.y[:n_q], self.y[n_q:n_q + n_u] = q, u
        c = self.control
        c["t"], c["tolerance"], c["most_sweeps"] = t0, options.contact_tolerance, options.max_sweeps
        c["ask"] = options.contact_solver == "exact" and not self.compiled.system.dry.size  # cones, not given forces
        c["h"] = stable_step(self.machine, t0, q, u, options.step_length)
        self._plan(*self._stops(t0, t_end))
        self.slice_steps = 1  # the first step tells whether bodies overlap at the start

    def go_on(self, t_end: float) -> None:
        """Step from where the run stands to a later time, with that one sample; SimulationError where it breaks off."""
        edges = self.compiled.edges
        stops = np.append(edges[(edges > self.t) & (edges < t_end)], t_end)
        self._plan(stops, stops == t_end)
        self.finish_tick()

    def bound(self, arrays: dict[str, np.ndarray]) -> Callable[[], int]:
        """The compiled loop up to one stop, to be called many times; the sample there is the one row of `arrays`."""
        n = int(self.control["n_out"])
        for name, array in arrays.items():
            array[:] = self.arrays[name][n - 1:n]
        t_out, y_out = self.t_out[n - 1:n].copy(), self.y_out[n - 1:n].copy()
        self.control["n_out"] = 1
        self.t_out, self.y_out, self.arrays = t_out, y_out, arrays
        return self.machine.bind("run_steps", self.stepping, self.y, self.n_fixed, self.compiled.model.dimension, t_out, y_out,
                                 *arrays.values())

    def finish_tick(self) -> None:
        """Go on to the last stop; SimulationError where the run breaks off."""
        self.go()
        if self.status == "interrupted":
            raise KeyboardInterrupt
        self.result()

    def end_at(self, whole: StepRun) -> None:
        """Plan a run that has not begun like one that a terminal event ended, with a last step up to the event."""
        assert whole.ends is not None
        stops, wanted = whole.stepping.stops, whole.stepping.sample == 1
        before = stops < whole.ends
        self._plan(np.append(stops[before], whole.ends), np.append(wanted[before], True))
        self.user, self.watching = whole.user, False

    def look_again(self) -> None:
        """Take over forces that were changed; corners of shapes that have met stay known."""
        if self.shapes.n_vertex > len(self.machine.system.vertex):
            self.machine.system = self.machine.system.replaced(vertex=self.shapes.vertex_table())

    @property
    def t(self) -> float:
        """The present time [s]."""
        return float(self.control["t"])

    def present(self) -> Result:
        """The last sample as a Result."""
        return self.piece(slice(-1, None))

    def piece(self, rows: Any) -> Result:
        """Some samples as a Result."""
        outcome = StepOutcome(self)
        outcome.t, outcome.y = outcome.t[rows], outcome.y[rows]
        outcome.arrays = {name: array[rows] for name, array in outcome.arrays.items()}
        return outcome.result(self.status)

    def _plan(self, stops: np.ndarray, wanted: np.ndarray) -> None:
        """Room for the samples of the stops to come; the present state is the first sample."""
        keep = self.options.contact_log == "steps" or (self.options.contact_log == "auto" and self._few())
        self.stepping = self.stepping.replaced(stops=stops, sample=wanted.astype(np.int64),
                                               record=np.zeros(1024 if keep else 0, codes.RECORD))
        c = self.control
        c["record"], c["next_stop"], c["n_out"], c["n_record"] = keep, 0, 0, 0
        n = int(wanted.sum()) + 1
        self.t_out, self.y_out = np.zeros(n), np.zeros((n, self.y.size))
        self.arrays = self.machine.observation(n)
        self.arrays["contact"] = np.zeros((n, len(self.compiled.contacts), 7))
        self.machine.call("first_sample", self.stepping, self.y, self.t_out, self.y_out, *self.arrays.values())

    def _few(self) -> bool:
        contacts = self.compiled.contacts
        return len(contacts) <= DECLARED and not any(isinstance(c, ContactGroup) for c in contacts)

    def _stops(self, t0: float, t_end: float) -> tuple[np.ndarray, np.ndarray]:
        """Times that a step must end at, and which of them are samples."""
        resolution = float(np.spacing(max(abs(t0), abs(t_end))))
        if self.options.step_length < resolution:
            raise ModelError(f"options: step = {self.options.step_length:g} s does not advance time, which is known to "
                             f"{resolution:.1e} s at t = {max(t0, t_end, key=abs):g} s; take a longer step")
        if self.options.output is None or self.user is not None:
            count = max(int(np.ceil((t_end - t0) / self.options.step_length * (1.0 - 1e-12))), 1)
            every = -(-count // SAMPLES) if self.user is None else 1
            samples = t0 + (t_end - t0) * np.append(np.arange(every, count, every), count) / count
        if self.options.output is not None:
            chosen = self.options.times(t0, t_end)
            samples = chosen if self.user is None else np.union1d(samples, chosen)
        edges = self.compiled.edges
        edges = edges[(edges > t0) & (edges < t_end)]
        stops = np.unique(np.concatenate([samples, edges, [t_end]]))
        return stops, np.isin(stops, samples)

    def go(self) -> None:
        """Step until the end, a failure or Ctrl-C."""
        c, options = self.control, self.options
        stops = self.stepping.stops
        progress = Progress(options.progress, float(c["t"]), float(stops[-1]) if stops.size else float(c["t"]))
        try:
            while True:
                c = self.control
                steps = self.slice_steps
                c["budget"] = min(int(c["steps"]) + steps, options.max_steps)
                began = time.perf_counter()
                code = self._call()
                spent = time.perf_counter() - began
                self.slice_steps = int(min(max(steps * SLICE / max(spent, 1e-9), 1), 4 * steps, 10**9))
                progress.show(float(self.control["t"]), self._facts)
                if self.user is not None and self.watching:
                    self.ends = self.user.steps(self, self.looked)
                    self.looked = int(self.control["n_out"])
                if code != layout.PAUSED or self.ends is not None:
                    self.status = STATUS.get(code, "finished")
                    break
                if self.control["steps"] >= options.max_steps:
                    self.status = "too many steps"
                    break
        except KeyboardInterrupt:
            self.status = "interrupted"
        finally:
            progress.close()

    def _facts(self) -> str:
        c = self.control
        return f"{int(c['steps'])} steps, {int(c['n_last'])} contact points"

    def _call(self) -> int:
        while True:
            first = self.control["steps"] == 0
            with self._helpers():
                code = int(self.machine.call("run_steps", self.stepping, self.y, self.n_fixed, self.compiled.model.dimension,
                                             self.t_out, self.y_out, *self.arrays.values()))
            if first and self.control["steps"] == 1:
                self._refuse_overlap()
            if code == codes.UNKNOWN_PAIR:
                self._learn()
            elif code in GROWING:
                self._grow(GROWING[code])
            elif code == codes.UNSOLVED:
                self.hard_steps += 1
                solve_step(self.stepping, self.compiled.model.dimension)
            else:
                return code

    @contextmanager
    def _helpers(self) -> Iterator[None]:
        """Threads that take their share of large heaps while the main one steps."""
        sync = self.stepping.sync
        sync[codes.STOP] = 0
        helpers = [threading.Thread(target=self.machine.call, args=("help_steps", self.stepping), daemon=True)
                   for _ in range(min(self.options.threads, codes.N_DOMAIN) - 1)]
        try:
            for helper in helpers:
                helper.start()
            yield
        finally:
            sync[codes.STOP] = 1
            for helper in helpers:
                helper.join()

    def _refuse_overlap(self) -> None:
        c = self.control
        if c["depth"] > OVERLAP:
            i, j = int(c["deep_i"]), int(c["deep_j"])
            names = ([self.compiled.contacts[self.compiled.system.contact["owner"][-1 - i]].where] if i < 0 else
                     [f'"{self.shapes.shapes[k].body}"' for k in (i, j)])
            raise StateError(f"start: {' and '.join(names)} overlap by {float(c['depth']):.3g} of the size of the smaller "
                             "shape; move the bodies apart")

    def _learn(self) -> None:
        """Make templates of all pairs of forms that are near and not known yet."""
        tables, known = self.stepping, self.shapes.known
        form = tables.shape["form"]
        self.shapes.learn(int(self.control["shape_i"]), int(self.control["shape_j"]))
        for pair in tables.pair[: int(self.control["n_pair"])]:
            i, j = int(pair["i"]), int(pair["j"])
            if max(tables.shape["kind"][i], tables.shape["kind"][j]) == codes.OTHER:
                key = int(form[i]) * (1 << 30) + int(form[j])
                if key not in known:
                    self.shapes.learn(i, j)
        self.stepping = tables.replaced(hull=np.zeros((self.shapes.n_hull, 4)), **self.shapes.tables())
        if self.shapes.n_vertex > len(self.machine.system.vertex):
            self.machine.system = self.machine.system.replaced(vertex=self.shapes.vertex_table())

    def _grow(self, names: tuple[str, ...]) -> None:
        """Give twice the room to some tables."""
        larger = {}
        for name in names:
            old = getattr(self.stepping, name)
            larger[name] = np.zeros(2 * len(old), old.dtype)
            larger[name][: len(old)] = old
        if "record" in larger and len(larger["record"]) > MOST_RECORDS:
            self.control["record"] = 0  # sums go on
            return
        if "point" in larger:
            larger["dof"] = np.zeros(2 * len(self.stepping.dof), np.uint64)
            larger["row"] = np.zeros(2 * len(self.stepping.row))
        self.stepping = self.stepping.replaced(**larger)

    def result(self) -> Result:
        """What was computed; SimulationError where the run broke off, unless the options want it returned."""
        c = self.control
        result = StepOutcome(self).result(self.status)
        if self.user is not None:
            self.user.put_into(result)
        if self.status in WHY and self.options.on_error == "raise":
            t = float(c["t"])
            raise SimulationError(f"{self.compiled.model.name}: stopped at t = {t:g} s: {WHY[self.status]}", t=t,
                                  status=self.status, result=result)
        return result


class StepOutcome:
    """What a stepped run left, from which the parts of its Result are made when they are first read."""

    def __init__(self, run: StepRun) -> None:
        c = run.control
        n = int(c["n_out"])
        self.compiled, self.options, self.shapes = run.compiled, run.options, run.shapes.shapes
        self.t, self.y = run.t_out[:n], run.y_out[:n]
        self.arrays = {name: array[:n] for name, array in run.arrays.items()}
        self.sums = run.stepping.sum.copy()
        self.record = run.stepping.record[: int(c["n_record"])]
        self.statistics = {
            "steps": float(c["steps"]), "step": float(c["h"]), "wanted_step": run.options.step_length,
            "shortest_step": float(c["shortest"]),
            "shortened_steps": float(c["shortened"]), "sweeps": float(c["sweeps"]),
            "hard_steps": float(run.hard_steps), "unconverged_steps": float(c["unconverged"]),
            "worst_residual": float(c["residual"]),
            "deepest_penetration": float(c["depth"]), "most_contact_points": float(c["most_points"]),
            "worst_drift": float(c["worst_drift"])}

    @cached_property
    def seen(self) -> Observed:
        """The samples."""
        return Observed(self.compiled, self.t, self.y, owner=np.arange(len(self.compiled.contacts)), **self.arrays)

    def result(self, status: str) -> Result:
        """The Result, of which nothing is computed yet."""
        compiled = self.compiled
        return Result(t=self.t, channels=self.channels, energy=self.energy, status=status, space=compiled.space,
                      model=compiled.name, entries=compiled.entries, statistics=self.statistics, events=self.events,
                      contact_sums=self.contact_sums, contact_steps=self.contact_steps, engine="stepping",
                      declaration=lambda: declaration_of(compiled.model, self.options))

    def channels(self) -> dict[str, Channel]:
        """Every channel but the energies."""
        return channels_of(self.seen)

    def energy(self) -> Energy:
        """The energy account; what the other works do not explain is that of the scheme."""
        arrays = self.arrays["energy"]
        stored, worked = arrays[:, 2], self.seen.works.copy()
        worked[:, layout.HYSTERESIS] += stored - stored[:1]
        total = arrays[:, 0] + arrays[:, 1] + stored
        scheme = total - total[:1] - worked.sum(axis=1)
        shares = {c.name: {"impacts": float(s["impacts"]), "friction": float(s["friction"])}
                  for c, s in zip(self.compiled.contacts, self.sums, strict=True)}
        return Energy(arrays[:, 0], arrays[:, 1] + stored, np.column_stack([worked, scheme]), shares)

    def events(self) -> Ledger:
        """Scheduled impulses."""
        impulses = [i for i in self.compiled.model.impulses if self.t[0] <= i.at <= self.t[-1]]
        if not impulses:
            return no_events()
        sizes = [float(np.linalg.norm(i.impulse)) if isinstance(i, Impulse) else 0.0 for i in impulses]
        return Ledger({"t": [i.at for i in impulses], "kind": ["impulse"] * len(impulses),
                       "contact": [i.name for i in impulses], "text": ["scheduled"] * len(impulses), "p_n": sizes,
                       "energy_lost": np.full(len(impulses), np.nan)})

    def contact_sums(self) -> Ledger:
        """Impulse, peak force, works and duration of every declared contact or group."""
        s = self.sums
        return Ledger({"contact": [c.name for c in self.compiled.contacts], "impulse_n": s["impulse_n"],
                       "impulse_t": s["impulse_t"], "peak_force": s["peak"], "t_peak": s["t_peak"], "duration": s["duration"],
                       "impacts": s["hits"], "work_impacts": s["impacts"], "work_friction": s["friction"]}, SUM_UNITS)

    def contact_steps(self) -> Ledger:
        """Every contact point of every step, where the options keep them."""
        r, d = self.record, self.compiled.model.dimension
        return Ledger({"t": r["t"], "step": r["h"], "contact": [self.compiled.contacts[i].name for i in r["rule"]],
                       "a": [self._body(row, "a") for row in r], "b": [self._body(row, "b") for row in r],
                       "point": r["point"][:, :d], "normal": r["normal"][:, :d], "impulse": r["p"][:, :d], "p_n": r["p_n"],
                       "p_t": r["p_t"], "force": r["p_n"] / r["h"], "v_n_before": r["before"], "v_n_after": r["after"],
                       "slip": r["slip"], "hit": r["hits"] == 1, "work": r["work"]}, STEP_UNITS)

    def _body(self, row: Any, side: str) -> str:
        """Body of a contact point; of a stop or rope nothing, or its own."""
        if row["a"] >= 0:
            return self.shapes[row[side]].body
        declared = self.compiled.contacts[row["rule"]]
        return str(getattr(declared, side, "")) if not isinstance(declared, Contact) else ""


SUM_UNITS = {"impulse_n": "N s", "impulse_t": "N s", "peak_force": "N", "t_peak": "s", "duration": "s", "work_impacts": "J",
             "work_friction": "J"}
STEP_UNITS = {"t": "s", "step": "s", "point": "m", "impulse": "N s", "p_n": "N s", "p_t": "N s", "force": "N",
              "v_n_before": "m/s", "v_n_after": "m/s", "slip": "m/s", "work": "J"}
