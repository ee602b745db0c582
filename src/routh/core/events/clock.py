"""Resolution of time: how close two instants must be to count as one.

Doubles next to t lie EPS |t| apart. Every other tolerance of time is a part of the time since the start of the run. So a run
that begins at t = 1e6 s, or is written in microseconds, is held to the same relative accuracy.
"""

from routh.core.jit import kernel
from routh.core.tables.runs import ORIGIN

TICKS = 8.9e-16       # four spacings of doubles, against |t|: what a sum of two times can be off by


@kernel
def elapsed(events, t):
    """Time since the start of the run [s]."""
    return t - events.scale[ORIGIN]


@kernel
def time_tolerance(events, t, h, part):
    """This part of the time since the start of the run, or of a step of length h, but not below the round-off of t [s]."""
    return max(part * max(elapsed(events, t), h), TICKS * abs(t))
