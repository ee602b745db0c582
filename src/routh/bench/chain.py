"""Forward dynamics of a serial chain of N links: microseconds per evaluation of all accelerations.

Routh is timed inside compiled code. Pinocchio's times include its call from Python, about 1 µs.
"""

from __future__ import annotations

import numpy as np

from routh.bench.common import ROUTH, Row, best_time, missing, peer
from routh.bench.evaluation import Evaluation
from routh.gallery import chain

SIZES = (50, 200)
SLOPE_SIZES = (50, 100, 200, 500, 1000)
PINOCCHIO_SIZES = (50, 100, 200)  # its data outgrow the memory above: they hold arrays of n³
GOAL_RATIO = {"planar": 0.2, "spatial": 1.0}
GOAL_SLOPE = 1.05
UNIT = "us"


def pinocchio_model(n, space):
    """The chain of `chain.model` in Pinocchio, and its data."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = np.array([0.0, -chain.GRAVITY, 0.0])
    down = np.array([0.0, -chain.LENGTH, 0.0])
    link = pin.Inertia(chain.MASS, 0.5 * down, np.diag(chain.inertia()))
    parent = 0
    for i in range(n):
        turns_about_x = space == "spatial" and chain.axis(i)[0] == 1.0
        joint = pin.JointModelRX() if turns_about_x else pin.JointModelRZ()
        parent = model.addJoint(parent, joint, pin.SE3(np.eye(3), down if i else np.zeros(3)), f"pin{i}")
        model.appendBodyToJoint(parent, link, pin.SE3.Identity())
    return model, model.createData()


def pinocchio_seconds(n, space):
    """Seconds per call from Python."""
    import pinocchio as pin

    model, data = pinocchio_model(n, space)
    q, v = chain.coordinates(n)
    tau = np.zeros(n)
    return best_time(lambda: pin.aba(model, data, q, v, tau))


def routh_seconds(n, space):
    """Seconds per evaluation."""
    return Evaluation(chain.model(n, space), chain.start(n)).seconds()


def disagreement(n, space):
    """Largest relative difference of Routh's accelerations from Pinocchio's: both must do the same work."""
    import pinocchio as pin

    model, data = pinocchio_model(n, space)
    theirs = pin.aba(model, data, *chain.coordinates(n), np.zeros(n))
    ours = Evaluation(chain.model(n, space), chain.start(n)).accelerations([f"pin{i}" for i in range(n)])
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


def slope(times):
    """Exponent of the cost in n, by least squares on logarithms."""
    return float(np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0])


def engine_rows(engine, seconds, sizes, space):
    """Rows of one engine: its times at `SIZES`, and the slope over all `sizes`."""
    ours = engine == ROUTH
    times = {n: 1e6 * seconds(n, space) for n in sizes}
    for n in SIZES:
        goal = GOAL_RATIO[space] if ours else None
        note = f"differs from pinocchio by {disagreement(n, space):.0e}" if ours and peer("pinocchio") else ""
        yield Row(f"chain {space} N={n}", engine, times[n], UNIT, note, goal_ratio=goal)
    yield Row(f"chain {space} slope", engine, slope(times), "-", f"N = {sizes[0]} to {sizes[-1]}",
              goal=GOAL_SLOPE if ours else None)


def rows():
    for space in ("planar", "spatial"):
        if peer("pinocchio"):
            yield from engine_rows("pinocchio aba", pinocchio_seconds, PINOCCHIO_SIZES, space)
        else:
            yield from (missing(f"chain {space} N={n}", "pinocchio aba", UNIT) for n in SIZES)
        yield from engine_rows(ROUTH, routh_seconds, SLOPE_SIZES, space)
