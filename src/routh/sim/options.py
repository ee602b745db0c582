"""How a run is computed. The defaults work untouched; each field says when to touch it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.errors import ModelError, did_you_mean
from routh.model import checks

__all__ = ["Options"]

METHODS = ("auto", "explicit", "implicit", "order3")
ENGINES = ("events", "stepping")
FALLBACKS = ("stepping", "none")
STEP = 1e-3  # of the stepping engine where none is given [s]
MOST_SAMPLES = 10_000_000
CONTACT_LOGS = ("auto", "sums", "steps")
CONTACT_SOLVERS = ("sweeps", "exact")


@dataclass(frozen=True)
class Options:
    """Numerical choices of `simulate`. The defaults work untouched.

    Parameters
    ----------
    engine : "events" or "stepping", default "events"
        "events": every impact and change of contact is found as a root, and the motion between them is of high order.
        "stepping": steps of fixed length with all contacts at once, for piles, stacks, feeders, granular matter.
    rtol : float, default 1e-8
        Relative error per step. Smaller for long chaotic motions; below 1e-13 round-off dominates.
    atol : float, default 1e-10
        Absolute error per step [m, rad, m/s, rad/s]. It does not scale with the model: lower it where everything is tiny.
    method : "auto", "explicit", "implicit" or "order3", default "auto"
        Integrator of the events engine: order 8, Radau IIA of order 5 for stiff models, or a low order for laws that jump all
        the time (rtol and atol near 1e-3 then). "auto" is explicit until stiffness shows.
    output : None, float or array, default None
        When samples are kept: 1000 equal intervals, a spacing [s], or given times [s].
    max_step : float, default infinity
        Longest step [s]. Needed only where a law of your own hides something shorter than a step.
    step : float or None, default None
        Stepping: length of a step [s]; None is a millisecond. Events: length of the steps of the fallback; None is a fiftieth
        of the time in which bodies that are near each other move by their size.
    refine : bool, default False
        Stepping: run again with half the step; `result.error` has the differences.
    contact_tolerance : float, default 1e-8
        Stepping: error of contact velocities, relative to the largest velocity that impulses must change.
    max_sweeps : int, default 1000
        Stepping: sweeps over the contacts of a step at most.
    contact_solver : "sweeps" or "exact", default "sweeps"
        Stepping: "exact" gives steps that sweeps do not solve to `solve_friction`.
    threads : int, default 1
        Stepping: threads that share a large heap, four at most; the result is the same with any number.
    contact_log : "auto", "sums" or "steps", default "auto"
        Stepping: keep every contact point of every step, or only sums per contact.
    fallback : "stepping" or "none", default "stepping"
        Events: continue by time steps where contact modes repeat or do not exist, or events accumulate; or stop with the status
        that names the cause.
    max_steps : int, default 10,000,000
        Steps after which a run stops with status "too many steps".
    max_memory : float, default 4e9
        Memory of samples and ledgers [bytes] after which a run stops with status "memory limit".
    progress : bool or None, default None
        A progress bar; None shows one on runs that take more than two seconds in a terminal.
    on_error : "raise" or "return", default "raise"
        Raise a SimulationError, or return the part computed with its status.

    Examples
    --------
    >>> tight = rt.Options(rtol=1e-11, atol=1e-12, output=0.01)
    >>> heap = rt.Options(engine="stepping", step=2e-3)
    >>> tight.method, heap.contact_tolerance
    ('auto', 1e-08)
    """

    engine: str = "events"
    step: float | None = None
    fallback: str = "stepping"
    refine: bool = False
    contact_tolerance: float = 1e-8
    max_sweeps: int = 1000
    contact_solver: str = "sweeps"
    threads: int = 1
    contact_log: str = "auto"
    rtol: float = 1e-8
    atol: float = 1e-10
    method: str = "auto"
    output: Any = None
    max_step: float = float("inf")
    max_steps: int = 10_000_000
    max_memory: float = 4e9
    progress: bool | None = None
    on_error: str = "raise"

    def __post_init__(self) -> None:
        where = "options"
        if checks.positive(where, "rtol", self.rtol) >= 1.0:
            raise ModelError(f"options: rtol = {self.rtol:g} is no relative error; take a number below 1, such as 1e-8")
        checks.positive(where, "atol", self.atol)
        checks.positive(where, "max_memory", self.max_memory)
        if not (isinstance(self.max_step, int | float) and self.max_step > 0.0):
            raise ModelError(f"options: max_step = {self.max_step!r} must be positive")
        if self.step is not None:
            checks.positive(where, "step", self.step)
        checks.positive(where, "contact_tolerance", self.contact_tolerance)
        for name in ("max_steps", "max_sweeps", "threads"):
            value = getattr(self, name)
            if not (isinstance(value, int) and not isinstance(value, bool) and value > 0):
                raise ModelError(f"options: {name} = {value!r} must be a positive whole number")
        for name, known in (("engine", ENGINES), ("contact_log", CONTACT_LOGS), ("contact_solver", CONTACT_SOLVERS),
                            ("fallback", FALLBACKS)):
            value = getattr(self, name)
            if value not in known:
                raise ModelError(f'options: {name} = "{value}"' + (did_you_mean(value, known) if isinstance(value, str) else "")
                                 + f" is not one of {', '.join(known)}")
        if self.engine == "stepping" and self.method != "auto":
            raise ModelError(f'options: method = "{self.method}" is one of the event-driven engine; leave it at "auto" with '
                             'engine = "stepping"')
        if self.refine and self.engine != "stepping":
            raise ModelError('options: refine = True halves the step of engine = "stepping"; the event-driven engine controls '
                             "its error by rtol and atol")
        if self.method not in METHODS:
            raise ModelError(f'options: method = "{self.method}" is not one of {", ".join(METHODS)}')
        if self.on_error not in ("raise", "return"):
            raise ModelError(f'options: on_error = "{self.on_error}" is neither "raise" nor "return"')

    @property
    def step_length(self) -> float:
        """Length of a step of the stepping engine [s]."""
        return STEP if self.step is None else self.step

    def times(self, t0: float, t_end: float) -> np.ndarray:
        """The wanted times in (t0, t_end], in order; the start is always kept beside them."""
        if self.output is None:
            return np.linspace(t0, t_end, 1001)[1:]
        try:
            wanted = np.asarray(self.output, float)
        except (TypeError, ValueError):
            raise ModelError(f"options: output = {self.output!r} is neither a spacing nor a list of times") from None
        if wanted.shape == (0,):
            return wanted
        if not np.isfinite(wanted).all():
            raise ModelError("options: output times must be finite")
        if wanted.ndim == 0:
            if not wanted > 0.0:
                raise ModelError(f"options: an output spacing of {wanted} s must be positive")
            count = (t_end - t0) / float(wanted)
            if count > MOST_SAMPLES:
                raise ModelError(f"options: an output spacing of {wanted:g} s means {count:.3g} samples; "
                                 f"{MOST_SAMPLES:.0e} are the limit")
            times = t0 + float(wanted) * np.arange(1, int(np.floor(count * (1 + 1e-12))) + 1)
            return np.minimum(times, t_end)
        if wanted.ndim != 1:
            raise ModelError(f"options: output has shape {wanted.shape}; give a spacing or a list of times")
        outside = wanted[(wanted < t0) | (wanted > t_end)]
        if outside.size:
            raise ModelError(f"options: output time {outside[0]:g} s lies outside the run, {t0:g} to {t_end:g} s")
        times = wanted if (wanted[1:] > wanted[:-1]).all() else np.unique(wanted)
        return times[times > t0]
