"""What the event loop knows beside the motion: tables, scales that tell what is small, and the log of events."""


import numpy as np

from routh.core.events.clock import time_tolerance
from routh.core.jit import kernel
from routh.core.tables.log import N_EVENT
from routh.core.tables.runs import COARSE, FASTEST

f8, i8 = np.float64, np.int64

SLOW = 1e-11          # a relative speed below this, against the fastest contact so far, is none
FAINT = 1e-3          # of what counts as slow: a slip without a direction
CARRIED = 1e-3        # of speeds that bodies have, or could gain over the size of a contact: their round-off is SLOW of this
NEAR = 1e-9           # a gap below this, against the size of the smaller shape, is touched
RESOLVED = 1e-12      # gaps against the size, and instants against the time since the start, that are one


@kernel
def note(log, t, kind, contact, value):
    """Write one event; the loop keeps room for those of an instant, but an instant may not end."""
    if log.count[N_EVENT] == log.event.size:
        return
    e = log.event[log.count[N_EVENT]]
    e.t, e.kind, e.contact, e.value = t, kind, contact, value
    log.count[N_EVENT] += 1


@kernel
def slow_speed(events):
    """A relative speed below this is none."""
    return SLOW * events.scale[FASTEST] * events.scale[COARSE]


@kernel
def arrival(events, touch, size, t):
    """Gap below which an approaching contact has arrived: what its bodies cover within the resolution of time."""
    return max(touch.floor, 0.0) + RESOLVED * size + touch.pace * time_tolerance(events, t, 0.0, RESOLVED)
