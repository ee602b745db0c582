"""What the event loop knows beside the motion: tables, scales that tell what is small, and the log of events."""

from typing import ClassVar

import numpy as np

from routh.core.contact.cone_forces import BLOCK
from routh.core.contact.impact_many import BLOW
from routh.core.jit import kernel
from routh.core.tables.log import N_EVENT
from routh.core.tables.tables import Tables

f8, i8 = np.float64, np.int64

SLOW = 1e-11          # a relative speed below this, against the fastest contact so far, is none
FAINT = 1e-3          # of what counts as slow: a slip without a direction
CARRIED = 1e-3        # of speeds that bodies have, or could gain over the size of a contact: their round-off is SLOW of this
NEAR = 1e-9           # a gap below this, against the size of the smaller shape, is touched
RESOLVED = 1e-12      # gaps against the size, and instants against the time, that are one
UNLOADED = 1e-10      # a force below minus this, against the largest of the contacts, is one that pulls

SIGHT = np.dtype([(name, f8) for name in ("gap", "rate", "haste", "twist")])  # of a contact, see TOUCH of layout.py


class Events(Tables):
    """State and scratch of the event loop."""

    fields: ClassVar = {
        "sight": (SIGHT, 1),   # (n_contact,) of every open contact at the start of a step
        "sight_new": (SIGHT, 1),  # and at its end
        "stack": (f8, 2),      # of the search for roots
        "scale": (f8, 1),      # (N_SCALE,) see below
        "block": (BLOCK, 1),   # touching contacts, as the solvers want them
        "contact": (i8, 1),    # which contact each block is
        "b": (f8, 1), "lam": (f8, 1), "a": (f8, 1),
        "pull": (f8, 1),       # accelerations without contact forces, row by row
        "before": (f8, 1),     # (n_contact,) modes before a change, negative where a slide went backwards
        "still": (f8, 1),      # (n_u,) zeros
        "slope": (f8, 1),      # (n_state,)
        "culprit": (i8, 1),    # the contact that the last choice of modes is about
        "blow": (BLOW, 1),     # impacts of one instant
    }


# largest approach so far, contact force of a step, kinetic energy so far; of this instant: fastest approach, number of blows,
# and by how much more is slow the longer it lasts; contact force that would stop the bodies' free accelerations; slip speed
# up to which a slide creeps; a force below minus this, against that of the step, is one that pulls or leaves its cone
FASTEST, LOAD, ENERGY, ARRIVED, DEALT, COARSE, WEIGHT, CRAWL, SLACK, N_SCALE = range(10)


def new_events(system, work, n_state):
    """Scratch for one run."""
    n, n_most = system.contact.size, work.lu.shape[0]
    events = Events(sight=n, sight_new=n, before=n, stack=(80, 8), scale=N_SCALE, block=n, contact=n, b=n_most,
                    lam=n_most, a=n_most, pull=n_most, still=int(system.world["n_u"][0]), slope=n_state, culprit=1,
                    blow=64 + 16 * n)
    events.scale[COARSE], events.scale[SLACK] = 1.0, UNLOADED
    return events


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
def arrival(touch, size, t):
    """Gap below which an approaching contact has arrived: what its bodies cover within the resolution of time."""
    return max(touch.floor, 0.0) + RESOLVED * (size + touch.pace * max(1.0, abs(t)))
