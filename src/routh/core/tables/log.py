"""What a run with contacts writes down: impacts, events, phases between changes of mode. On LOG_FULL Python grows it."""

from types import SimpleNamespace
from typing import ClassVar

import numpy as np

from routh.core.tables.bundle import Tables

f8, i8 = np.float64, np.int64

# what gave an impulse
HIT, TANGENTIAL_HIT, EXTERNAL, START, SETTLED = range(5)

# what happened
IMPACT_EVENT, STICKS, SLIDES, LIFTS, CLOSES, RESTS, PAINLEVE, CHOICE, PUSHED, TOUCHES, RELEASES = range(11)

# how the impacts of an instant were taken
SINGLE, SEQUENTIAL, SIMULTANEOUS = range(3)

IMPACT = np.dtype([
    ("t", f8),                 # [s]
    ("contact", i8),           # row of the contact table; of the impulse table where kind is EXTERNAL
    ("kind", i8),              # HIT, ...
    ("method", i8),            # SINGLE, ...
    ("sequence", i8),          # how many came before it at this instant
    ("slip_class", i8),        # what the slip did, see impact.py
    ("point", f8, (3,)),       # where [m]
    ("normal", f8, (3,)),      # from a to b
    ("t1", f8, (3,)), ("t2", f8, (3,)),  # tangents; t2 in space only
    ("moment", f8, (3,)),      # EXTERNAL: moment of impulse [N m s]
    ("v", f8, (3,)),           # relative velocity before, normal first [m/s]
    ("v_after", f8, (3,)),
    ("p", f8, (3,)),           # impulse on b [N s]
    ("A", f8, (3, 3)),         # inverse mass of the contact [1/kg]
    ("mu", f8),                # friction coefficient at the slip before
    ("work_n", f8),            # of the normal impulse [J]
    ("work", f8),              # of the whole impulse: minus the energy lost
    ("residual", f8),          # of the momentum equations, relative
], align=True)

EVENT = np.dtype([
    ("t", f8),
    ("kind", i8),              # IMPACT_EVENT, ...
    ("contact", i8),
    ("value", f8),             # CLOSES: gap; CHOICE: force of the alternative; TOUCHES: speed of approach; RELEASES: of parting
], align=True)

N_IMPACT, N_EVENT, N_PHASE = range(3)  # entries of `count`


class Log(Tables):
    """Growing tables of a run."""

    fields: ClassVar = {
        "count": (i8, 1),      # (3,) rows in use of impact, event and phase
        "impact": (IMPACT, 1),
        "joint": (f8, 2),      # (n_impact, n_node × 3 or 6) reaction impulse through every tree joint
        "row": (f8, 2),        # (n_impact, n_row × 3 or 6) of every loop row
        "driver": (f8, 2),     # (n_impact, n_driver) impulse of every driver
        "event": (EVENT, 1),
        "phase": (f8, 2),      # (n_phase, n_contact × width) mode, direction and starting multipliers of every contact
    }


def new_log(system, width, room):
    """An empty log; `width` numbers of a wrench (3 or 6)."""
    n_phase = 4 if width == 3 else 11
    return Log(count=3, impact=room, joint=(room, system.node.size * width), row=(room, system.row.size * width),
               driver=(room, system.driver.size), event=2 * room + 16 * system.contact.size,
               phase=(room, system.contact.size * n_phase))


# the count that says how many rows of a table are in use
COUNTED = {"impact": N_IMPACT, "joint": N_IMPACT, "row": N_IMPACT, "driver": N_IMPACT, "event": N_EVENT, "phase": N_PHASE}


def grown(log, everything=False):
    """The log with twice the room in tables that are more than half full, or in all; None where none is."""
    tables, grew = {"count": log.count}, False
    for name, counted in COUNTED.items():
        old = getattr(log, name)
        tables[name] = old
        if everything or 2 * log.count[counted] > old.shape[0]:
            tables[name] = np.zeros((2 * old.shape[0], *old.shape[1:]), old.dtype)
            tables[name][: log.count[counted]] = old[: log.count[counted]]
            grew = True
    return Log(**tables) if grew else None


def size_of(log):
    """Bytes that a log takes."""
    return sum(getattr(log, name).nbytes for name in COUNTED)


def clear(log):
    """Make the rows in use, and the counts, zero again."""
    for name, counted in COUNTED.items():
        used = getattr(log, name)[: log.count[counted] + 1]  # the row after the last may have been begun
        used.view(np.uint8)[...] = 0
    log.count[:] = 0


def kept(log):
    """What was written so far, to be read only."""
    used = log.count.tolist()
    return SimpleNamespace(count=log.count.copy(), **{name: getattr(log, name)[: max(used[counted], 1)].copy()
                                                      for name, counted in COUNTED.items()})
