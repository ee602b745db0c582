"""One run: buffers, control record and the loop over slices of compiled work. Smooth motion, or motion with events."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.core.tables import layout
from routh.core.tables.log import N_EVENT, N_PHASE, clear, grown, kept, new_log, size_of
from routh.core.tables.runs import BEGUN, CONTROL, LOOK_AGAIN, new_buffers, new_events, new_radau, new_solver
from routh.errors import ModelError, SimulationError
from routh.native.load import connect_solver
from routh.sim.audit import BROKEN, LOOK_STEPS, Auditor
from routh.sim.event_watch import EventWatch
from routh.sim.options import Options
from routh.sim.outcome import Outcome, Samples
from routh.sim.progress import SLICE, Progress
from routh.sim.result import Result
from routh.sim.stretches import EVENT_BURST, Stretch
from routh.sim.watch import EnergyWatch

__all__ = ["EventRun", "Run", "give_back", "run_of", "take_run"]

FIRST_WORK = 20_000   # steps × size of the model in the first slice; the next ones are four times as long, up to SLICE
IMPLICIT_STEPS = 200  # the same for implicit work

DEAD_ENDS = ("no contact modes", "too many events", "too many contacts")  # of contacts; time steps have none of them

STEADY = ("implicit", "order3")  # methods that do not stop at events
ORDERS = {"auto": 8, "explicit": 8, "implicit": 5, "order3": 3}

STATUS = {
    layout.FINISHED: "finished",
    layout.STEP_TOO_SMALL: "step too small",
    layout.NOT_FINITE: "not finite",
    layout.NO_CONVERGENCE: "no convergence",
    layout.LOOP_OPEN: "loop open",
    layout.CHATTER: "no contact modes",
    layout.CROWDED: "too many contacts",
    layout.BLOCKED: "blocked",
    layout.DENSE_EVENTS: "too many events",
}
LARGEST = float(np.sqrt(np.finfo(float).max))  # of a coordinate or speed: its square, an energy, would be infinite
WHY = {
    "step too small": "the step became too small to advance time: a force jumps or grows without bound, or a driver pushes "
                      "a loop into a dead point",
    "too many steps": "it took more steps than Options.max_steps; contacts or a law may chatter, or the model be stiff "
                      "(without rigid contacts: method='implicit')",
    "memory limit": "its samples and ledgers take more than Options.max_memory; take a shorter run or fewer samples",
    "not finite": "a force or acceleration is not a finite number",
    "loop open": "a loop cannot stay closed while its drivers go on",
    "no convergence": "the implicit method found no solution even for the smallest step",
    "no contact modes": "no combination of open, sticking and sliding contacts was found that Coulomb's law allows here, or "
                        "their modes change for ever without progress of time",
    "blocked": "its drivers press bodies together, and no motion lets all of them go on",
    "too many events": "events come for long more densely than ten in the time of a step, see Options.step, and "
                       "Options.fallback is \"none\" or the time-stepping engine cannot go on, either",
    "law makes energy": "the impact law makes energy where friction couples its directions, and impacts come ever more "
                        "densely; Stronge's law cannot",
    BROKEN: "what was computed breaks a law of mechanics, and is not to be trusted",
    "too many contacts": "more contacts closed at once than the event-driven engine has room for",
}


STALL = 1e-6         # mean step against the one that error control allows: events that shorten all steps so much have no end
MADE = 0.9           # of all energy: where impacts have made more of it, their law is why they come ever more densely

KEPT_SIZE = 1 << 17  # numbers of eight bytes: scratch of more than a megabyte is not kept for the next run
MANY_SAMPLES = 1000  # beyond which their memory is counted
KEPT_RUNS = 4        # runs of one model whose scratch is kept


class Run:
    """A run without events but the edges of profiles. Its scratch serves any number of runs of one model, one after another."""

    SPARE = 1  # samples beside those that are wanted

    @staticmethod
    def needs(machine: Machine, options: Options) -> list[str]:
        """Entry points of a run, its start included."""
        names = ["run_implicit" if options.method == "implicit" else "run_explicit"]
        if machine.system.driver.size:
            names.append("drive_to")
        if machine.system.row.size:
            names.append("displace")
        return names

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.buffers = new_buffers(machine.n_state)
        self.y = self.buffers.y
        self.control = np.zeros(1, CONTROL)
        self.seen_whole: Outcome | None = None  # of a run that was audited
        self.outcome: Outcome | None = None     # of the run that is over
        self.radau: Any = None  # scratch of the implicit method, once it is used
        self.blank: list[tuple[np.ndarray, np.ndarray]] | None = None

    def bundles(self) -> list[Any]:
        """Tables that a run changes."""
        return [self.machine.work, self.buffers]

    def keep(self) -> None:
        """Remember the scratch as it is before its first run, unless it is large."""
        memory = [bundle.memory for bundle in self.bundles()]
        if sum(block.size for block in memory) <= KEPT_SIZE:
            self.blank = [(block, block.copy()) for block in memory]
            self.connected = self.machine.connected.copy()

    def begin(self, options: Options, q: np.ndarray, u: np.ndarray, t0: float, t_end: float, wanted: np.ndarray) -> None:
        """Start at coordinates q and speeds u."""
        self.options, self.wanted, self.seen_whole = options, wanted, None
        self.stops = self._stops(t0, t_end)
        if len(wanted) > MANY_SAMPLES and len(wanted) * self.sample_bytes > options.max_memory:
            size = len(wanted) * self.sample_bytes / 1e9
            raise ModelError(f"options: {len(wanted)} samples of this model take {size:.3g} GB; "
                             f"max_memory = {options.max_memory:g} bytes are the limit. Take a longer output spacing")
        self.y[:q.size], self.y[q.size:q.size + u.size] = q, u
        self.samples = Samples(len(wanted) + 2 * len(self.stops) + self.SPARE, self.y.size)
        self.samples.t[0], self.samples.y[0] = t0, self.y
        c = self.control[0]
        c["t"], c["rtol"], c["atol"], c["max_step"] = t0, options.rtol, options.atol, options.max_step
        c["order"], c["n_out"], c["watch_stiffness"] = ORDERS[options.method], 1, options.method == "auto"
        # few steps of a large model: the first slice must end within a second, too
        self.slice_steps = max(1, FIRST_WORK // (100 + self.y.size + self.machine.system.contact.size))
        self.next_look, self.taken = self.options.max_steps, 0
        self.watch = EnergyWatch(self.machine, self.stops, self.y)
        self.status, self.detail = "finished", ""
        self.user: EventWatch | None = None  # events of the user's own
        self.stiff = False  # whether the run has turned to the implicit method

    def again(self, compiled: Compiled) -> None:
        """Make the scratch as new, for another run of the same model, or of one that differs in numbers only."""
        assert self.blank is not None
        for block, blank in self.blank:
            block[:] = blank
        self.control.view(np.uint8)[:] = 0
        self.machine.connected = self.connected.copy()
        self.machine.take(compiled)

    def _stops(self, t: float, t_end: float) -> np.ndarray:
        """The present time, the edges of profiles, and the end."""
        edges = self.machine.compiled.edges
        inner = edges[(edges > t) & (edges < t_end)] if edges.size else edges
        return np.array([t, *inner, t_end])

    def go(self) -> None:
        """Integrate until the end, a failure or Ctrl-C."""
        implicit = self.options.method == "implicit" or self.stiff
        self.control[0]["fresh"] = 1
        progress = Progress(self.options.progress, self.stops[0], self.stops[-1])
        try:
            while True:
                code, implicit = self.slice(implicit) if self.user is None else self.user.slice(self, implicit)
                self.stiff = implicit
                progress.show(float(self.control[0]["t"]), self._facts)
                if code != layout.PAUSED:
                    self.status = STATUS[code]
                    break
                if self.control[0]["accepted"] + self.control[0]["rejected"] >= self.options.max_steps:
                    self.status = "too many steps"
                    break
                if self._memory() > self.options.max_memory:
                    self.status = "memory limit"
                    break
                if self._looks() is not None:
                    break
        except KeyboardInterrupt:
            self.status = "interrupted"
        finally:
            progress.close()

    def go_through(self) -> None:
        """Integrate until the end, a failure that nothing helps, or Ctrl-C."""
        self.go()

    def _looks(self) -> str | None:
        """The status of a run that must not go on, where it is looked at."""
        return None

    @cached_property
    def sample_bytes(self) -> int:
        """Memory of one sample with everything that is observed at it [bytes]."""
        return 8 * self.y.size + sum(array.nbytes for array in self.machine.observation(1).values())

    def _memory(self) -> float:
        """Memory of what was written so far [bytes]; few samples are not counted."""
        n = int(self.control[0]["n_out"])
        return float(n * self.sample_bytes) if n > MANY_SAMPLES else 0.0

    def _facts(self) -> str:
        """What a progress bar says beside the time."""
        c = self.control[0]
        segment = min(int(c["segment"]), len(self.stops) - 2)
        return f"energy off by {self.watch.drift(float(c['t']), self.y, self.stops, segment):.1e} J"

    def slice(self, implicit: bool) -> tuple[int, bool]:
        """A slice of compiled work; the number of explicit steps adapts to last about SLICE seconds.

        The implicit loop begins each slice with a new Jacobian, so that its slices must not depend on the clock.
        """
        c = self.control[0]
        steps = IMPLICIT_STEPS if implicit else self.slice_steps
        c["budget"] = min(int(c["accepted"] + c["rejected"]) + steps, self.options.max_steps,
                          self.next_look - self.taken)
        began = time.perf_counter()
        code, after = self.work(implicit)
        if after == implicit:
            spent = time.perf_counter() - began
            self.slice_steps = int(min(max(steps * SLICE / max(spent, 1e-9), 1), 4 * steps, 10**9))
        return code, after

    def work(self, implicit: bool) -> tuple[int, bool]:
        """Compiled work up to the budget of steps; (how it ended, whether to go on by the implicit method)."""
        code = self._call(implicit)
        if code == layout.STIFF:
            self.control[0]["h"] = 0.0
            return layout.PAUSED, True
        return code, implicit

    def want(self, times: np.ndarray) -> None:
        """Have samples at these times, with room for them."""
        self.wanted = times
        while len(self.samples.t) < len(times) + 2 * len(self.stops) + self.SPARE:
            self.samples = self.samples.grown()

    def _call(self, implicit: bool) -> int:
        arguments = (self.stops, self.wanted, self.samples.t, self.samples.y, self.samples.segment)
        if implicit:
            if self.radau is None:
                self.radau = new_radau(int(self.machine.system.world["works"][0]))
            return int(self.machine.call("run_implicit", self.control, self.buffers, self.radau, *arguments))
        return int(self.machine.call("run_explicit", self.control, self.buffers, *arguments))

    def drop(self, first: int, wanted: np.ndarray, kept: np.ndarray) -> None:
        """Want no more than these times again, and drop samples since `first` that were wanted beside them, but for `kept`."""
        c, s = self.control[0], self.samples
        beside = np.setdiff1d(self.wanted, np.concatenate([wanted, kept, self.stops]))
        rows = np.flatnonzero(~np.isin(s.t[first:int(c["n_out"])], beside)) + first
        for array in (s.t, s.y, s.segment, s.phase):
            array[first:first + len(rows)] = array[rows]
        c["n_out"] = first + len(rows)
        c["next_out"] = np.isin(self.wanted[:int(c["next_out"])], wanted).sum()
        self.wanted = wanted

    def go_on(self, t_end: float) -> None:
        """Continue to `t_end` without samples; SimulationError where it breaks off."""
        c = self.control[0]
        self.stops = self._stops(float(c["t"]), t_end)
        room = 2 * len(self.stops) + self.SPARE
        if len(self.samples.t) < room:
            self.samples = Samples(room, self.y.size)
        self.taken += int(c["accepted"] + c["rejected"])
        c["segment"], c["n_out"], c["accepted"], c["rejected"] = 0, 0, 0, 0
        self.finish_tick()

    def bound(self, stops: np.ndarray) -> Callable[[], int]:
        """The compiled loop between two stops, to be called many times."""
        s = self.samples
        return self.machine.bind("run_explicit", self.control, self.buffers, stops, self.wanted, s.t, s.y, s.segment)

    def finish_tick(self) -> None:
        """Go on to the last stop; SimulationError where the run breaks off."""
        self.go()
        self.judge()
        if self.status == "interrupted":  # the state is that of the last step: `advance` may be called again
            raise KeyboardInterrupt
        if self.status in WHY:
            self._refuse(self.present())

    def judge(self) -> None:
        """Name the cause of a dead end."""

    def look_again(self) -> None:
        """Forces have changed: nothing that was derived from them holds."""
        self.control[0]["fresh"] = 1

    def present(self) -> Result:
        """The present instant as a Result with one sample."""
        return self._outcome(self._present()).result(self.status, self.options, detail=self.detail).complete()

    def _present(self) -> Samples:
        samples = Samples(1, self.y.size)
        samples.t[0], samples.y[0], samples.segment[0] = self.control[0]["t"], self.y, self.control[0]["segment"]
        return samples

    def _refuse(self, result: Result) -> None:
        t = float(self.control[0]["t"])
        why = WHY.get(self.status, self.status) + (f": {self.detail}" if self.detail else "")
        own = [force.name for force in self.machine.compiled.model.forces if callable(getattr(force, "law", None))]
        if self.status == "not finite" and own:
            why += f"; laws of your own: {', '.join(own)} (an exception inside one counts as not a number)"
        raise SimulationError(f"{self.machine.compiled.model.name}: stopped at t = {t:g} s: {why}", t=t,
                              status=self.status, result=result)

    def result(self) -> Result:
        """What was computed; SimulationError where the run broke off, unless the options want it returned."""
        c = self.control[0]
        n = int(c["n_out"])
        samples = self.samples
        if self.status != "finished" and (n == 0 or samples.t[n - 1] < c["t"]):
            samples.t[n], samples.y[n], samples.segment[n] = c["t"], self.y, c["segment"]
            samples.phase[n] = samples.phase[n - 1] if n else 0
            n += 1
        if self.status == "finished" and np.abs(samples.y[:n]).max(initial=0.0) > LARGEST:
            self.status = "not finite"
        outcome = self.seen_whole if self.seen_whole is not None else self._outcome(samples.cut(n))
        self.outcome = outcome
        result = outcome.result(self.status, self.options, self._statistics(), self.detail)
        if self.user is not None:
            self.user.put_into(result)
        if self.status in WHY and self.options.on_error == "raise":
            self._refuse(result)
        return result

    def _statistics(self) -> dict[str, float]:
        return {k: float(self.control[0][k]) for k in ("accepted", "rejected", "evaluations", "worst_drift")}

    def _outcome(self, samples: Samples) -> Outcome:
        return Outcome(self.machine, samples, self.stops)


class EventRun(Run):
    """A run with contacts or scheduled impulses."""

    SPARE = 256

    @staticmethod
    def needs(machine: Machine, options: Options) -> list[str]:
        """Entry points of a run, its start included."""
        return ["run_events", "gaps_at", *Run.needs(machine, options)[1:]]

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.events: Any = new_events(machine.system, machine.work, self.y.size)
        self.solver: Any = new_solver(len(machine.work.pivot))
        self.log: Any = new_log(machine.system, machine.row_size, 64)
        self.first_log = self.log
        connect_solver(self.solver)

    def bundles(self) -> list[Any]:
        """Tables that a run changes."""
        return [*super().bundles(), self.events, self.solver]

    def begin(self, options: Options, q: np.ndarray, u: np.ndarray, t0: float, t_end: float, wanted: np.ndarray) -> None:
        """Start at coordinates q and speeds u."""
        if options.method in STEADY:
            raise ModelError(f'options: method = "{options.method}" does not stop at rigid contacts and impulses; leave it '
                             'at "auto"')
        super().begin(options, q, u, t0, t_end, wanted)
        c = self.control[0]
        # the first burst of events tells whether the rate of events has to be known at all (`fallback.rate_events`)
        c["n_out"], c["event_rate"], c["event_burst"], c["counted_until"] = 0, 0.0, np.inf, t0
        self.stretches: list[Stretch] = []
        self.rated = t0
        self.looked, self.next_look, self.taken = t0, LOOK_STEPS, 0
        self.auditor = Auditor(self)

    def again(self, compiled: Compiled) -> None:
        """Make the scratch as new."""
        super().again(compiled)
        self.log = self.first_log  # not one that grew: where a run is taken up again after growing may show in its last bits
        clear(self.log)

    def go_through(self) -> None:
        """Integrate until the end. Where events lead no further, time steps do, unless the options forbid it."""
        self.control[0]["event_burst"] = EVENT_BURST
        self.go()
        self.judge()
        while self.stranded():
            from routh.sim.fallback import rate_events, step_on

            if self.status == "too many events" and rate_events(self):
                self.go()
                self.judge()
                continue
            if self.options.fallback != "stepping":
                break
            try:
                stretch = step_on(self, self.status) if self.user is None else self.user.stretch(self, step_on, self.status)
            except KeyboardInterrupt:
                self.status = "interrupted"
                break
            if stretch is None:
                break
            self.stretches.append(stretch)
            if stretch.end >= self.stops[-1]:
                self.status = "finished"
                break
            self.go()
            self.judge()
        if self.status == "finished":
            self.detail = self.auditor.verdict() or ""
            self.status = BROKEN if self.detail else self.status

    def judge(self) -> None:
        """Name the cause of a dead end: drivers that are proved to be blocked, or a law that makes energy.

        Where a kernel says that drivers are why but the proof fails, contacts are.
        """
        stopped = ("blocked", "no contact modes", "step too small", "loop open", BROKEN)
        if self.status in stopped and self.machine.system.driver.size and np.isfinite(self.y).all():
            from routh.sim.blocked import blocked_by
            from routh.sim.fallback import natural_time_at

            q = self.y[:self.machine.compiled.n_q].copy()
            proof = blocked_by(Machine(self.machine.compiled), float(self.control[0]["t"]), q, natural_time_at(self))
            if proof is not None:
                # energies next to a dead point have no bound: a law that breaks there is a consequence
                self.status, self.detail = "blocked", str(proof) + (f"; {self.detail}" if self.detail else "")
            elif self.status == "blocked":
                self.status = "no contact modes"
        if self.status == "too many events":
            made, largest = self._made()
            if made > MADE * largest:
                self.status, self.detail = "law makes energy", f"impacts have made {made:.3g} J of {largest:.3g} J"

    def _made(self) -> tuple[float, float]:
        """Energy that impacts have made in all, and the kinetic energy [J]."""
        n_q, n_u = self.machine.compiled.n_q, self.machine.compiled.n_u
        q, u = self.y[:n_q].copy(), self.y[n_q:n_q + n_u].copy()
        made = float(self.y[int(self.machine.system.world["works"][0]) + layout.IMPACTS])
        return made, float(0.5 * u @ Machine(self.machine.compiled).mass_matrix(q) @ u)

    def _looks(self) -> str | None:
        """Look after every LOOK_STEPS steps, so that the verdict does not depend on the clock."""
        c = self.control[0]
        if self.taken + c["accepted"] + c["rejected"] < self.next_look:
            return None
        passed, self.looked = float(c["t"]) - self.looked, float(c["t"])
        self.next_look = int(self.taken + c["accepted"] + c["rejected"]) + LOOK_STEPS
        broken = self.auditor.look()
        if broken is not None:
            self.status, self.detail = BROKEN, broken
            return BROKEN
        if int(self.machine.work.closed[-1]) > 0 and passed < STALL * LOOK_STEPS * float(c["h"]):
            self.status = "no contact modes"  # they change in steps so short that the run comes to no end
            return self.status
        return None

    def audited(self) -> Outcome:
        """The outcome of a run that is over; its result is made from the same observation of the samples."""
        self.seen_whole = self._outcome(self.samples.cut(int(self.control[0]["n_out"])))
        return self.seen_whole

    def stranded(self) -> bool:
        """Whether the run has ended where time steps may go on: at a dead end of contacts."""
        return self.status in DEAD_ENDS or (self.status == "step too small" and self.machine.work.closed[-1] > 0)

    def remember_phase(self) -> int:
        """Number of the phase with the present modes of contacts."""
        if int(self.log.count[N_PHASE]) + 1 >= self.log.phase.shape[0]:
            self.log = grown(self.log, everything=True)
        return int(self.machine.call("remember", self.log))

    def make_room_for(self, n: int) -> None:
        """Have room for n samples and those of an instant."""
        while len(self.samples.t) < n + self.SPARE:
            self.samples = self.samples.grown()

    def _statistics(self) -> dict[str, float]:
        span = float(self.control[0]["t"] - self.stops[0])
        stepped = sum(stretch.end - stretch.begin for stretch in self.stretches)
        return super()._statistics() | {"stretches": float(len(self.stretches)),
                                        "exact_share": 1.0 - stepped / span if span > 0.0 else 1.0}

    def _memory(self) -> float:
        return super()._memory() + size_of(self.log)

    def _facts(self) -> str:
        return f"{int(self.log.count[N_EVENT])} events, " + super()._facts()

    def start_only(self) -> Result:
        """What the start is once it has been looked at: contacts in their modes, impacts of that instant resolved."""
        self.control[0]["budget"] = 0
        code = self._call(False)
        self.status = "evaluated" if code == layout.PAUSED else STATUS[code]
        return self.present()

    def go_on(self, t_end: float) -> None:
        """Continue to `t_end` without samples; the log keeps what happens on the way."""
        clear(self.log)
        super().go_on(t_end)

    def bound(self, stops: np.ndarray) -> Callable[[], int]:
        """The compiled loop between two stops, to be called many times."""
        s = self.samples
        return self.machine.bind("run_events", self.control, self.buffers, self.events, self.solver, self.log, stops,
                                 self.wanted, s.t, s.y, s.segment, s.phase)

    def look_again(self) -> None:
        """Forces have changed: the modes of contacts must be chosen anew."""
        if self.control[0]["begun"] == BEGUN:
            self.control[0]["begun"] = LOOK_AGAIN
        stops = np.array([float(self.control[0]["t"]), np.inf])
        self.watch, self.auditor = EnergyWatch(self.machine, stops, self.y), Auditor(self)  # potential energies have changed

    def _present(self) -> Samples:
        if self.control[0]["begun"] != BEGUN:
            self.start_only()
        samples = super()._present()
        samples.phase[0] = self.machine.call("remember", self.log)
        return samples

    def _call(self, implicit: bool) -> int:
        code = layout.LOG_FULL
        while code == layout.LOG_FULL:
            code = int(self.machine.call("run_events", self.control, self.buffers, self.events, self.solver, self.log,
                                         self.stops, self.wanted, self.samples.t, self.samples.y, self.samples.segment,
                                         self.samples.phase))
            if code == layout.LOG_FULL:
                self._make_room()
        return code

    def _make_room(self) -> None:
        """Give twice the room to the log's tables and to the samples, each only if it is more than half full."""
        crowded = 2 * self.control[0]["n_out"] > len(self.samples.t)
        log = grown(self.log)
        if crowded:
            self.samples = self.samples.grown()
        if log is not None:
            self.log = log
        elif not crowded:  # an instant with more impacts than half the room
            self.log, self.samples = grown(self.log, everything=True), self.samples.grown()

    def _outcome(self, samples: Samples) -> Outcome:
        if size_of(self.log) > 8 * KEPT_SIZE:
            self.blank = None  # a long log is handed over, and the scratch not used again
        return Outcome(self.machine, samples, self.stops, self.log if self.blank is None else kept(self.log), self.stretches)


def run_of(machine: Machine, options: Options) -> type[Run]:
    """The kind of run that a motion needs: with events, where it can jump or change its equations.

    Compliant contacts change theirs where they touch and part. Methods that do not stop take them as mere forces.
    """
    system = machine.system
    if system.impulse.size or (system.contact["law"] != layout.SOFT).any():
        return EventRun
    if system.contact.size and options.method in STEADY:
        for own, why in ((system.compliant["own_speed"] == 1, "takes its damping from the speed of each impact"),
                         (system.compliant["law"] == layout.BILINEAR, "remembers how deep each contact was")):
            if own.any():
                contact = machine.compiled.contacts[system.contact["owner"][own[system.contact["soft"]]][0]]
                raise ModelError(f'{contact.where}: {why}, and method = "{options.method}" does not stop at impacts; give a '
                                 'law that needs no event, or leave method at "auto"')
    return EventRun if system.contact.size and options.method not in STEADY else Run


def take_run(compiled: Compiled, options: Options) -> Run:
    """A run of a compiled model that is ready to begin: one that is over and was given back, or a new one."""
    spare = compiled.kept.setdefault(Run, [])
    while spare:
        try:
            run: Run = spare.pop()
        except IndexError:  # another thread has taken it
            break
        if isinstance(run, EventRun) == (run_of(run.machine, options) is EventRun):
            run.again(compiled)
            return run
    machine = Machine(compiled)
    kind = run_of(machine, options)
    machine.need("place_bodies", "violations", "partials", "observe", *kind.needs(machine, options))
    run = kind(machine)
    run.keep()
    return run


def give_back(run: Run) -> None:
    """Keep the scratch of a run that is over for the next one."""
    spare = run.machine.compiled.kept.setdefault(Run, [])
    if run.blank is not None and len(spare) < KEPT_RUNS:
        spare.append(run)
