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
MOST_SAMPLES = 10_000_000
CONTACT_LOGS = ("auto", "sums", "steps")
CONTACT_SOLVERS = ("sweeps", "exact")


@dataclass(frozen=True)
class Options:
    """Numerical choices of `simulate`."""

    engine: str = "events"
    """"events": every impact and change of contact is found as a root, and the motion between them is of high order.
    "stepping": steps of fixed length with all contacts at once, for piles, stacks, feeders, granular matter."""
    step: float = 1e-3
    """Stepping: length of a step [s]. Errors fall in proportion to it."""
    fallback: str = "stepping"
    """Events: what happens where contact modes repeat or do not exist, an instant does not end, or events come more densely
    than ten per `step`. "stepping": the run goes on by time steps of length `step` until it is quiet, and says so;
    "none": it stops with the status that names the cause."""
    refine: bool = False
    """Stepping: run again with half the step, and give the difference as `result.error`."""
    contact_tolerance: float = 1e-8
    """Stepping: error of the contact velocities of a step, against the largest velocity that its impulses must change."""
    max_sweeps: int = 1000
    """Stepping: sweeps over the contacts of a step at most."""
    contact_solver: str = "sweeps"
    """Stepping: "sweeps" ends at `max_sweeps`, and `result.statistics` counts the steps that needed more. "exact" gives the
    contact problem of such a step to `solve_friction`: a pile with friction then rests where it should, at many times the
    cost."""
    threads: int = 1
    """Stepping: threads that share the contacts of a large heap, four at most. The result is the same, bit for bit, with any
    number of them."""
    contact_log: str = "auto"
    """Stepping: "steps" keeps every contact point of every step (`result.contact_steps`), "sums" only sums per contact
    (`result.contact_sums`), "auto" keeps steps where at most 100 contacts are declared and there is no group."""
    rtol: float = 1e-8
    """Relative error per step. Smaller for long chaotic motions; below 1e-13 round-off takes over."""
    atol: float = 1e-10
    """Absolute error per step [m, rad, m/s, rad/s]. One number for all of them, taken as it is: it does not scale with
    the model. Lower it where everything of interest is tiny."""
    method: str = "auto"
    """"explicit" (order 8), "implicit" (Radau IIA of order 5, for stiff models), "auto": explicit until stiffness shows, or
    "order3": explicit, for laws that jump all the time, as those of tracks do; take rtol and atol near 1e-3 then."""
    output: Any = None
    """When to keep samples: None for 1000 equal intervals, a spacing in seconds, or an array of times."""
    max_step: float = float("inf")
    """Longest step [s]. Needed only where a user's own law hides something shorter than a step."""
    max_steps: int = 10_000_000
    """Steps, rejected ones included, after which a run stops with the next one that is accepted; a law that chatters would go
    on for ever."""
    max_memory: float = 4e9
    """Memory of samples and ledgers [bytes] after which a run stops with status "memory limit". Samples that need more are
    refused before the run."""
    progress: bool | None = None
    """A progress bar: True, False, or None for one on runs that take more than two seconds in a terminal."""
    on_error: str = "raise"
    """"raise" a SimulationError (which holds the part computed), or "return" that part with its status."""

    def __post_init__(self) -> None:
        where = "options"
        checks.positive(where, "rtol", self.rtol)
        checks.positive(where, "atol", self.atol)
        checks.positive(where, "max_memory", self.max_memory)
        if not (isinstance(self.max_step, int | float) and self.max_step > 0.0):
            raise ModelError(f"options: max_step = {self.max_step!r} must be positive")
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
