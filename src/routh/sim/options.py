"""How a run is computed. The defaults work untouched; each field says when to touch it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.model import checks

__all__ = ["Options"]

METHODS = ("auto", "explicit", "implicit", "order3")


@dataclass(frozen=True)
class Options:
    """Numerical choices of `simulate`."""

    rtol: float = 1e-8
    """Relative error per step. Smaller for long chaotic motions; below 1e-13 round-off takes over."""
    atol: float = 1e-10
    """Absolute error per step [m, rad, m/s, rad/s]. Lower it where everything of interest is tiny."""
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
    progress: bool | None = None
    """A progress bar: True, False, or None for one on runs that take more than two seconds in a terminal."""
    on_error: str = "raise"
    """"raise" a SimulationError (which holds the part computed), or "return" that part with its status."""

    def __post_init__(self) -> None:
        where = "options"
        checks.positive(where, "rtol", self.rtol)
        checks.positive(where, "atol", self.atol)
        if not (isinstance(self.max_step, int | float) and self.max_step > 0.0):
            raise ModelError(f"options: max_step = {self.max_step!r} must be positive")
        if not (isinstance(self.max_steps, int) and self.max_steps > 0):
            raise ModelError(f"options: max_steps = {self.max_steps!r} must be a positive whole number")
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
            if count > 1e8:
                raise ModelError(f"options: an output spacing of {wanted:g} s means {count:.3g} samples; 1e8 are the limit")
            times = t0 + float(wanted) * np.arange(1, int(np.floor(count * (1 + 1e-12))) + 1)
            return np.minimum(times, t_end)
        if wanted.ndim != 1:
            raise ModelError(f"options: output has shape {wanted.shape}; give a spacing or a list of times")
        outside = wanted[(wanted < t0) | (wanted > t_end)]
        if outside.size:
            raise ModelError(f"options: output time {outside[0]:g} s lies outside the run, {t0:g} to {t_end:g} s")
        times = wanted if (wanted[1:] > wanted[:-1]).all() else np.unique(wanted)
        return times[times > t0]
