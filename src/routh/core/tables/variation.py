"""Columns of what `replay.read_guards` tells of each contact: an event is where one of them passes zero."""

GAP = 0       # signed distance [m]: closes where it was open
RATE = 1      # of the gap [m/s]
NORMAL = 2    # normal force [N]: lift-off
CONE = 3      # what static friction could hold beyond what it does [N]: slip begins
SLIDE = 4     # slip along its direction [m/s]: slip ends
JAM = 5       # sliding denominator over inverse mass: friction jams
ROOM = 6      # compliant: how far it is from leaving its mode
N_GUARD = 7
