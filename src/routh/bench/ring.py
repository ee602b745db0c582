"""A floating ring of 42 links with its loop closed: microseconds per evaluation of the accelerations."""

from __future__ import annotations

import math

from routh.bench.common import ROUTH, Row, best_time, missing, peer
from routh.bench.evaluation import Evaluation
from routh.gallery import ring

N = 42
CASE = f"ring of {N} links"
UNIT = "us"
GOAL = 10.0


def mujoco_ring(step=0.002):
    """(model, data) of MuJoCo: the ring closed by an equality constraint."""
    import mujoco

    l, turn = ring.LENGTH, 2.0 * math.pi / N
    inertia = ring.MASS * l**2 / 12.0
    link = f'<inertial pos="{0.5 * l} 0 0" mass="{ring.MASS}" diaginertia="1e-3 {inertia} {inertia}"/>'
    hinge = '<joint type="hinge" axis="0 0 1"/>'
    root = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
    chain = ""
    for i in reversed(range(1, N)):
        chain = f'<body name="link{i}" pos="{l} 0 0" euler="0 0 {turn}">{hinge}{link}{chain}</body>'
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian"/><option gravity="0 {-ring.GRAVITY} 0" timestep="{step}"/><worldbody>'
        f'<body name="link0">{root}{hinge}{link}{chain}</body></worldbody>'
        f'<equality><connect body1="link{N - 1}" body2="link0" anchor="{l} 0 0"/></equality></mujoco>')
    return model, mujoco.MjData(model)


def mujoco_evaluation():
    """MuJoCo's forward dynamics of the ring."""
    import mujoco

    model, data = mujoco_ring()
    return lambda: mujoco.mj_forward(model, data)


def rows():
    engine = "mujoco forward"
    if peer("mujoco"):
        yield Row(CASE, engine, 1e6 * best_time(mujoco_evaluation()), UNIT)
    else:
        yield missing(CASE, engine, UNIT)
    seconds = Evaluation(ring.model(N), ring.start(N)).seconds()
    yield Row(CASE, ROUTH, 1e6 * seconds, UNIT, goal=GOAL)
