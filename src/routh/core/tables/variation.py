"""Tables of derivatives of a run: guards, links of smooth stretches and events, verdicts."""

import numpy as np

f8, i8 = np.float64, np.int64

# columns of what `replay.read_guards` tells of each contact: an event is where one of them passes zero
GAP = 0       # signed distance [m]: closes where it was open
RATE = 1      # of the gap [m/s]
NORMAL = 2    # normal force [N]: lift-off
CONE = 3      # what static friction could hold beyond what it does [N]: slip begins
SLIDE = 4     # slip along its direction [m/s]: slip ends
JAM = 5       # sliding denominator over inverse mass: friction jams
ROOM = 6      # compliant: how far it is from leaving its mode
N_GUARD = 7

# verdicts on an event
SMOOTH, NO_CAUSE, UNLIKE, GRAZES, SEVERAL, KINK = range(6)

LINK = np.dtype([
    ("begin", f8), ("end", f8),        # of the stretch [s]
    ("middle", f8),                    # a time within its segment, for profiles [s]
    ("phase", i8),                     # modes of the stretch
    ("first", i8),                     # sample at its begin
    ("inner_from", i8), ("inner_to", i8),  # samples within it
    ("step_from", i8), ("step_to", i8),    # its steps
    ("event", i8),                     # 1 where an event ends it
    ("left", i8), ("right", i8),       # samples on both sides of the event; left -1: the end of the stretch
    ("after", i8),                     # modes after the event
    ("given", i8),                     # 1 where its instant is not a root: a stop, or the start
    ("number", i8), ("rounds", i8), ("solo", i8),  # first scheduled impulse or -1, rounds of impacts, contact that jams or -1
    ("touch_from", i8), ("touch_to", i8),  # contacts that arrive, in `touching`
    ("fastest", f8),                   # largest speed of its impacts [m/s]
    ("cause", i8), ("column", i8),     # contact and guard that the event is the root of
    ("rate", f8),                      # of that guard
    ("verdict", i8),                   # SMOOTH or why it has no derivative
], align=True)
