"""Many runs of one compiled model that differ in numbers of its tables and in their start, in one compiled call.

A run here has the bits that `simulate` gives it: the same scratch at its start, the same room of its log, the same looks. A run
that does not finish by itself, or that the screening (`batch_audit`) does not pass, is left to `simulate`, which names its
status.
The call releases the interpreter's lock, so that several threads, each with a BatchRun of its own, run at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.core.tables import batch as codes
from routh.core.tables import layout
from routh.core.tables.log import IMPACT, Log, new_log
from routh.errors import ModelError
from routh.native.load import PLAIN, address
from routh.sim.audit import LOOK_STEPS
from routh.sim.channels import Observed, channels_of
from routh.sim.options import Options
from routh.sim.result import Energy, Result
from routh.sim.run import KEPT_SIZE, STALL, EventRun, run_of
from routh.sim.stretches import EVENT_BURST

__all__ = ["BatchRun", "Place", "Runs", "suits"]

N_SAMPLES = 30_000    # samples of one call; a longer run is left to `simulate`
N_IMPACTS = 10_000    # impacts of one call
N_LOOKS = 64          # looks of one run
GROWTH = 32           # room of the longest log against that at first

Place = tuple[str, int]
"""A number in a table of the System: name of the table, and how many numbers of eight bytes stand before it."""


def suits(compiled: Compiled, options: Options) -> bool:
    """Whether runs of a model can go side by side: small, with events, without loops, whose start loses no energy."""
    if PLAIN or options.engine != "events" or compiled.system.row.size:
        return False
    machine = Machine(compiled)
    try:
        return run_of(machine, options) is EventRun and machine.work.memory.size <= KEPT_SIZE
    except ModelError:
        return False


@dataclass
class Runs:
    """Runs number `first` to `last` (without it) of a batch: their samples one after another, and their impacts."""

    compiled: Compiled
    options: Options
    first: int
    about: np.ndarray                # (n, N_ABOUT), see core/tables/batch.py
    t: np.ndarray
    y: np.ndarray
    arrays: dict[str, np.ndarray]    # observations of the samples
    impact: np.ndarray               # records of the log
    look: np.ndarray
    fields: dict[str, np.ndarray]    # numbers that differ: "node.mass", "contact.mu_s" (n, rows of the table)

    @cached_property
    def samples(self) -> np.ndarray:
        """(n + 1,) where the samples of each run begin."""
        return np.concatenate([[0], np.cumsum(self.about[:, codes.N_SAMPLE])])

    @cached_property
    def impacts(self) -> np.ndarray:
        """(n + 1,) where the impacts of each run begin."""
        return np.concatenate([[0], np.cumsum(self.about[:, codes.N_HIT])])

    @property
    def n_events(self) -> np.ndarray:
        """(n,) events of each run."""
        return self.about[:, codes.N_HAPPENED]

    @cached_property
    def seen(self) -> Observed:
        """The samples observed."""
        return Observed(self.compiled, self.t, self.y, **self.arrays)

    @cached_property
    def result(self) -> Result:
        """All samples as those of one Result, for its channels; its energies are those of `energy`."""
        return Result(t=self.t, channels=lambda: channels_of(self.seen), energy=self.energy, status="finished",
                      space=self.compiled.space)

    def energy(self) -> Energy:
        """The energy account at every sample; elastic energy counts from the begin of its own run."""
        stored, worked = self.seen.energy[:, 2], self.seen.works.copy()
        begin = np.repeat(stored[self.samples[:-1][self.about[:, codes.N_SAMPLE] > 0]], self._lengths)
        worked[:, layout.HYSTERESIS] += stored - begin
        return Energy(self.seen.energy[:, 0], self.seen.energy[:, 1] + stored, worked, None)

    @property
    def _lengths(self) -> np.ndarray:
        lengths = self.about[:, codes.N_SAMPLE]
        return lengths[lengths > 0]


class BatchRun:
    """Scratch of one thread for runs of one model from `t_start` to `t_end`, whose `tables` may differ from run to run."""

    def __init__(self, compiled: Compiled, options: Options, t_start: float, t_end: float, q: np.ndarray, u: np.ndarray,
                 tables: Sequence[str]) -> None:
        self.compiled, self.options = compiled, options
        self._own_tables(compiled, tables)
        machine, eye = Machine(compiled), Machine(compiled)
        machine.system = eye.system = self.system
        machine.need("run_events")
        eye.need("observe")
        eye.work.ridge[:] = layout.REPORTING
        run = EventRun(machine)
        blanks = {name: bundle.memory.copy() for name, bundle in (("work", machine.work), ("eye", eye.work),
                  ("buffers", run.buffers), ("events", run.events), ("solver", run.solver))}
        run.begin(options, q, u, t_start, t_end, options.times(t_start, t_end))
        self.first_control = run.control.copy()
        self.first_control["event_burst"], self.first_control["fresh"] = EVENT_BURST, 1
        self.run, self.machine, self.eye, self.stops = run, machine, eye, run.stops
        first_room = len(run.samples.t)
        n = max(N_SAMPLES, first_room)
        self.log, log_tables = _long_log(self.system, machine.row_size)
        self.arrays = machine.observation(n)
        entry = np.array([address("run_events", compiled.space), address("observe", compiled.space)])
        contact = self.system.contact
        self.given: dict[str, Any] = {
            "entry": entry, "number": np.array([LOOK_STEPS, first_room, options.max_steps]), "stall": np.array([STALL]),
            "work": machine.work.memory, "eye": eye.work.memory, "buffers": run.buffers.memory,
            "events": run.events.memory, "solver": run.solver.memory,
            **{f"{name}_blank": blank for name, blank in blanks.items()}, **log_tables, "patch": self.patch,
            "stops": run.stops, "wanted": run.wanted, "no_phase": np.zeros((1, 0)),
            "solid": ((contact["law"] != layout.SOFT) & (contact["sheet"] == 0)).astype(np.int64),
            "impact": np.zeros((N_IMPACTS, IMPACT.itemsize // 8)), "look": np.zeros((16 * N_LOOKS, codes.N_SEEN)),
            "looked": np.zeros((N_LOOKS, 2 + run.y.size)), "t": np.zeros(n), "y": np.zeros((n, run.y.size)),
            "segment": np.zeros(n, np.int64), "phase": np.zeros(n, np.int64)}

    def _own_tables(self, compiled: Compiled, tables: Sequence[str]) -> None:
        """A System whose `tables` lie in one block of memory of this thread's own."""
        sizes = {name: getattr(compiled.system, name).nbytes // 8 for name in tables}
        self.patch, self.first, end = np.zeros(sum(sizes.values())), {}, 0
        own = {}
        for name, size in sizes.items():
            table = getattr(compiled.system, name)
            block = self.patch[end:end + size]
            block[:] = np.ascontiguousarray(table).view(np.float64).ravel()
            own[name], self.first[name], end = block.view(table.dtype), end, end + size
        self.system = compiled.system.replaced(**own)

    def go(self, places: Sequence[Place], values: np.ndarray, starts: np.ndarray) -> Iterator[Runs]:
        """Runs with `values` (n, n_places) in the tables, from `starts` (n or 1, n_q + n_u). Use each before the next."""
        n = len(values)
        places = [(table, at) for table, at in places]
        batch = codes.Batch(**self.given, place=np.array([self.first[table] + at for table, at in places], np.int64),
                            value=np.ascontiguousarray(values, float), start=np.ascontiguousarray(starts, float),
                            about=np.zeros((n, codes.N_ABOUT), np.int64))
        base = self.patch.copy()
        self.machine.need("run_batch")
        first = 0
        while first < n:
            last = int(self.machine.call("run_batch", self.eye.work, self.run.control, self.first_control, self.run.buffers,
                                         self.run.events, self.run.solver, self.log, batch, first, *self.arrays.values()))
            about = batch.about[first:last]
            s, m, looks = (int(about[:, column].sum()) for column in (codes.N_SAMPLE, codes.N_HIT, codes.N_LOOK))
            yield Runs(self.compiled, self.options, first, about, self.given["t"][:s], self.given["y"][:s],
                       {name: array[:s] for name, array in self.arrays.items()},
                       self.given["impact"][:m].view(IMPACT)[:, 0], self.given["look"][:looks],
                       self._fields(places, values[first:last]))
            first = last
        self.patch[:] = base

    def _fields(self, places: Sequence[Place], values: np.ndarray) -> dict[str, np.ndarray]:
        """Numbers that the screening asks for, (n, rows), with those that differ from run to run."""
        found = {}
        for table, field in (("node", "mass"), ("contact", "mu_s")):
            records = getattr(self.compiled.system, table)
            width, at = records.dtype.itemsize // 8, records.dtype.fields[field][1] // 8
            numbers = np.repeat(records[field][None], len(values), axis=0)
            for k, (name, place) in enumerate(places):
                if name == table and place % width == at:
                    numbers[:, place // width] = values[:, k]
            found[f"{table}.{field}"] = numbers
        return found


def _long_log(system: Any, width: int) -> tuple[Any, dict[str, np.ndarray]]:
    """A log with room to grow in place, and what the batch has to know of its memory."""
    short = new_log(system, width, 64)
    shapes = {name: (GROWTH * getattr(short, name).shape[0], *getattr(short, name).shape[1:]) if name != "count" else (3,)
              for name in Log.fields}
    log = Log(**shapes)
    names = list(Log.fields)
    room = [getattr(short, name).shape[0] for name in names]
    rows = [getattr(log, name) for name in names]
    index = log.directory.reshape(-1)
    tables = {"log": log.memory, "log_index": index, "log_first": (log.directory[:, 0] - log.address) // 8,
              "log_width": np.array([table.dtype.itemsize // 8 * int(np.prod(table.shape[1:])) for table in rows]),
              "log_room": np.array(room), "log_most": np.array([len(table) for table in rows])}
    log.directory[:, 1] = room
    return log, tables


