"""Many runs of one model in one call: what each run begins with, and where its samples, impacts and looks go."""

from typing import ClassVar

import numpy as np

from routh.core.tables.bundle import Tables

f8, i8 = np.float64, np.int64

RUN_EVENTS, OBSERVE, N_ENTRY = range(3)  # entries of `entry`

# columns of `about`, one row per run
(CODE,                # how it ended, see layout.py, or one of the two below
 N_SAMPLE, N_HIT, N_HAPPENED, N_STEP, N_LOOK, N_ABOUT) = range(7)
TOO_LONG, STALLED = -1, -2  # no room for its samples, impacts or looks; its contacts keep it from getting on

# columns of `look`, one row per look: which run it belongs to, energies, sum of the works, sum of their sizes, least gap
# against the size of its shapes
RUN, KINETIC, POTENTIAL, WORKS, TURNOVER, LEAST_GAP, N_SEEN = range(7)

# entries of `number`
LOOK_STEPS, FIRST_ROOM, MOST_STEPS, N_NUMBER = range(4)


class Batch(Tables):
    """Begin and outcome of many runs. A pair "x", "x_blank" is a live block of memory and its content before a run."""

    fields: ClassVar = {
        "entry": (i8, 1),      # (N_ENTRY,) addresses
        "number": (i8, 1),     # (N_NUMBER,)
        "stall": (f8, 1),      # (1,) part of the step that a run must advance per step between two looks
        "work": (f8, 1), "work_blank": (f8, 1),
        "eye": (f8, 1), "eye_blank": (f8, 1),          # scratch of the observation
        "buffers": (f8, 1), "buffers_blank": (f8, 1),
        "events": (f8, 1), "events_blank": (f8, 1),
        "solver": (f8, 1), "solver_blank": (f8, 1),
        "log": (f8, 1),        # memory of the log
        "log_index": (i8, 1),  # its directory: address and two lengths of each table
        "log_first": (i8, 1),  # where each table begins in its memory
        "log_width": (i8, 1),  # numbers of each row
        "log_room": (i8, 1),   # rows at first
        "log_most": (i8, 1),   # rows at most
        "patch": (f8, 1),      # memory of the tables of the system that differ from run to run
        "place": (i8, 1),      # (n_patch,) places in `patch`
        "value": (f8, 2),      # (n_run, n_patch) what stands there in each run
        "start": (f8, 2),      # (n_run or 1, n_q + n_u)
        "stops": (f8, 1), "wanted": (f8, 1),
        "no_phase": (f8, 2),   # (1, 0)
        "solid": (i8, 1),      # (n_contact,) 1 where a contact may not penetrate
        "about": (i8, 2),      # (n_run, N_ABOUT)
        "impact": (f8, 2),     # rows of the log
        "look": (f8, 2),       # (n_look, N_SEEN)
        "looked": (f8, 2),     # states at the looks of the present run: time, segment, state
        "t": (f8, 1), "y": (f8, 2), "segment": (i8, 1), "phase": (i8, 1),
    }
