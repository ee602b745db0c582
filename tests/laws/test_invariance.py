"""The same scene in other units, turned, shifted, moving, begun later, renamed and reordered has the same events.

Kinds and contacts of all events agree, times to 1e-8 of the run and impulses to 1e-8 of the largest. The scenes are those of
the gallery whose motion does not magnify round-off. `ROUTH_INVARIANCE=all` runs every view; the suite runs the ends of the
range.
"""

import os

import pytest

from routh.gallery.scenes import scene
from transforms import TransformError, in_frame, in_units, later, renamed, view

AGREE = 1e-8

SCENES = ("park_ball", "park_pendulums", "park_bat", "rocking_block", "slider_crank_clearance", "dominoes", "woodpecker",
          "rope", "pendulum_with_stop", "racket", "sliding_rod", "rattleback", "newtons_cradle")

VIEWS = {f"{name} {scale:g}": (lambda v, name=name, scale=scale: in_units(v, **{name: scale}))
         for name in ("length", "mass", "time") for scale in (1e-6, 1e-3, 1e3, 1e6)}
VIEWS |= {
    "centimetre, gram, second": lambda v: in_units(v, length=100.0, mass=1000.0),
    "turned": lambda v: in_frame(v, angle=0.7),
    "upside down": lambda v: in_frame(v, angle=3.0),
    "1 km away": lambda v: in_frame(v, shift=[1e3, -5e2] + [0.0] * (v.model.dimension - 2)),
    "10 km away": lambda v: in_frame(v, shift=[1e4] + [0.0] * (v.model.dimension - 1)),
    "moving": lambda v: in_frame(v, velocity=3.0),
    "begun at 1e3 s": lambda v: later(v, 1e3),
    "begun at 1e6 s": lambda v: later(v, 1e6),
    "renamed and reordered": renamed,
}
ENDS = [name for name in VIEWS if not name.endswith((" 0.001", " 1000", "upside down", "1 km away", "1e3 s"))]
CHOSEN = list(VIEWS) if os.environ.get("ROUTH_INVARIANCE") == "all" else ENDS

OPEN = {  # not yet so, by causes of the event engine
    ("woodpecker", "length 1e-06"): "one atol for lengths and angles: that of micrometres asks 1e-19 rad of the angles",
    ("woodpecker", "time 1e-06"): "more than 200,000 steps: the one atol does not follow the units of time",
    ("rattleback", "10 km away"): "more than 200,000 steps: round-off of positions is above what error control asks",
    ("slider_crank_clearance", "10 km away"): "modes are not found where gaps are known to 2e-12 m only",
    ("slider_crank_clearance", "begun at 1e6 s"): "the driver's angle is known to 1e-10 s of its time, and rtol is 1e-11 here",
    ("dominoes", "10 km away"): "a touch at the start is lost in the round-off of positions",
    ("newtons_cradle", "10 km away"): "balls that touch open and close by the round-off of positions",
}


def disagreement(first, second, span):
    """By how much times and impulses differ at most. Events of one instant may come in any order."""
    rows, others = (sorted(events, key=lambda row: (row[0], row[1], row[2])) for events in (first, second))
    if [row[:2] for row in rows] != [row[:2] for row in others]:
        pytest.fail(f"{len(rows)} and {len(others)} events, of other kinds or contacts")
    largest = max((abs(row[3]) for row in rows if row[3] == row[3]), default=0.0) or 1.0
    times = max((abs(a[2] - b[2]) for a, b in zip(rows, others, strict=True)), default=0.0) / span
    impulses = max((abs(a[3] - b[3]) for a, b in zip(rows, others, strict=True) if a[3] == a[3]), default=0.0) / largest
    return max(times, impulses)


@pytest.fixture(scope="module")
def plain():
    """Events of each scene as it is."""
    known = {}

    def events(name):
        if name not in known:
            known[name] = view(scene(name)).run()
        return known[name]

    return events


def case(name, seen):
    marks = [pytest.mark.xfail(reason=OPEN[name, seen], strict=False)] if (name, seen) in OPEN else []
    return pytest.param(name, seen, marks=marks)


CASES = [case(name, seen) for name in SCENES for seen in CHOSEN]


@pytest.mark.parametrize(("name", "seen"), CASES)
def test_a_scene_has_the_same_events_however_it_is_seen(plain, name, seen):
    first = view(scene(name))
    try:
        other = VIEWS[seen](first)
    except TransformError as why:
        pytest.skip(f"{name} cannot be seen so: {why}")
    assert len(plain(name)) > 0
    assert disagreement(plain(name), other.run(), first.t_end - first.t_start) <= AGREE
