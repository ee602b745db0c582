"""What a run left: samples and a log, from which the parts of its Result are made when they are first read."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from routh.compiler.machine import Machine
from routh.core.tables import layout
from routh.sim.channels import Channel, Observed, channels_of
from routh.sim.declaration import declaration_of
from routh.sim.ledger import Ledger, no_events, no_impacts, no_stretches, no_touches
from routh.sim.options import Options
from routh.sim.result import Energy, Result
from routh.sim.stretches import Stretch, put_stretch, scheme_of

__all__ = ["Outcome", "Samples"]


class Samples:
    """States at sample times, with the stretch between stops and the phase between mode changes that each belongs to."""

    def __init__(self, room: int, size: int) -> None:
        self.t, self.y = np.zeros(room), np.zeros((room, size))
        self.segment, self.phase = np.zeros(room, np.int64), np.zeros(room, np.int64)

    def cut(self, n: int) -> Samples:
        """The first n samples."""
        out = Samples(0, 0)
        out.t, out.y, out.segment, out.phase = self.t[:n], self.y[:n], self.segment[:n], self.phase[:n]
        return out

    def grown(self) -> Samples:
        """The same samples with twice the room."""
        n = len(self.t)
        out = Samples(2 * n, self.y.shape[1])
        out.t[:n], out.y[:n], out.segment[:n], out.phase[:n] = self.t, self.y, self.segment, self.phase
        return out


class Outcome:
    """Samples between `stops` and, where there were contacts or impulses, the log of a run that `machine` made.

    The machine may go on with another run: what it is asked for is copied.
    """

    def __init__(self, machine: Machine, samples: Samples, stops: np.ndarray, log: Any = None,
                 stretches: Sequence[Stretch] = ()) -> None:
        self.compiled, self.samples, self.stops, self.log = machine.compiled, samples, stops, log
        self.start_loss, self.stretches = machine.start_loss, tuple(stretches)
        touch = machine.work.touch
        self.works = {"friction": touch["rubbed"].copy(), "hysteresis": touch["damped"].copy()} if log is not None else {}

    def result(self, status: str, options: Options, statistics: dict[str, float] | None = None, detail: str = "") -> Result:
        """The Result, of which nothing is computed yet."""
        compiled = self.compiled
        return Result(t=self.samples.t, channels=self.channels, energy=self.energy, status=status, space=compiled.space,
                      model=compiled.name, entries=compiled.entries, statistics=statistics, impacts=self.impacts,
                      events=self.events, touches=self.touches, stretches=self.stretched, detail=detail,
                      declaration=lambda: declaration_of(compiled.model, options))

    @cached_property
    def seen(self) -> Observed:
        """The samples observed."""
        machine, s = Machine(self.compiled), self.samples
        arrays = machine.observation(len(s.t))
        phases = self.log.phase if self.log is not None else np.zeros((1, 0))
        machine.work.ridge[:] = layout.REPORTING
        machine.call("observe", s.t, s.y, s.segment, self.stops, s.phase, phases, *arrays.values())
        for stretch in self.stretches:
            put_stretch(stretch, self.compiled.system.contact["owner"], arrays)
        return Observed(self.compiled, s.t, s.y, **arrays)

    def channels(self) -> dict[str, Channel]:
        """Every channel but the energies."""
        return channels_of(self.seen)

    def energy(self) -> Energy:
        """The energy account; of the work of a track's contacts, what they hold at the instant is not lost."""
        stored, worked = self.seen.energy[:, 2], self.seen.works.copy()
        worked[:, layout.HYSTERESIS] += stored - stored[0]
        kinetic, potential = self.seen.energy[:, 0], self.seen.energy[:, 1] + stored
        if self.stretches:
            worked = np.column_stack([worked, scheme_of(self.stretches, kinetic + potential - worked.sum(axis=1))])
        return Energy(kinetic, potential, worked, self._losses())

    def impacts(self) -> Ledger:
        """The ledger of impacts."""
        from routh.sim.ledgers import impacts_of, with_start

        impacts = no_impacts(self.compiled.space)
        if self.log is not None:
            impacts = impacts_of(self.compiled, self.log, self.seen, self.samples.t)
        return with_start(impacts, float(self.samples.t[0]), self.start_loss) if self.start_loss else impacts

    def events(self) -> Ledger:
        """The ledger of events."""
        from routh.sim.ledgers import events_of, with_stretches

        if self.log is None:
            return no_events()
        events = events_of(self.compiled, self.log)
        return with_stretches(events, self.stretched()) if self.stretches else events

    def stretched(self) -> Ledger:
        """The ledger of stretches of time steps."""
        from routh.sim.ledgers import stretches_of

        return stretches_of(self.stretches, self.energy()) if self.stretches else no_stretches()

    def touches(self) -> Ledger:
        """The ledger of compliant contacts."""
        from routh.sim.ledgers import touches_of

        return touches_of(self.compiled, self.log) if self.log is not None else no_touches()

    def _losses(self) -> dict[str, dict[str, float]] | None:
        from routh.sim.ledgers import losses_of

        if self.log is None:
            return None
        losses = losses_of(self.compiled, self.log, self.works)
        for stretch in self.stretches:
            for contact, sums in zip(self.compiled.contacts, stretch.sums, strict=True):
                for name in ("impacts", "friction"):
                    losses[contact.name][name] += float(sums[name])
        return losses
