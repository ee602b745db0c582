"""Errors of stepped motion against the event-driven engine fall with the step, of first order at least."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints, shapes
from routh.gallery import kim, newtons_cradle, park, rocking_block

STEPS = (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)
SHARP = rt.Options(rtol=1e-10, atol=1e-12)
FLOOR = shapes.HalfSpace("ground", normal=(0.0, 1.0))


def ball():
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", 1.0, 0.02)],
                     contacts=[rt.Contact("c", FLOOR, shapes.Disk("ball", 0.2), rt.Newton(e=0.7, mu=0.3))])
    return [(model, rt.State(ball={"y": y, "vx": 1.0}), 0.0, 1.0, "ball.y") for y in (0.7, 0.83, 0.94, 1.07, 1.2)]


def block():
    box = shapes.Polygon("block", vertices=[(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)])
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("block", 2.0, 0.05)],
                     contacts=[rt.Contact("c", FLOOR, box, rt.Newton(e=0.0, mu=0.3))])
    return [(model, rt.State(block={"y": 0.1, "vx": v}), 0.0, 1.0, "block.x") for v in (1.1, 1.5, 2.0)]


def cradle():
    return [(newtons_cradle.model(impacts="simultaneous"), newtons_cradle.start(k), 0.0, 0.6, "pin5.angle") for k in (1, 2)]


def rocking():
    return [(rocking_block.model(), rocking_block.start(tilt), 0.0, 1.5, "block.theta") for tilt in (0.4, 0.5, 0.6)]


def pendulums():
    return [(park.pendulums(), rt.State(pin1={"angle": a}, pin2={"angle": 0.0}), 0.0, 0.8, "pin2.angle")
            for a in (-0.5 * math.pi, -1.4, -1.3)]


def tank():
    return [(kim.tank(kim.SHOT), kim.settled(), t, 39.0, name) for t in (38.0, 38.0513, 38.1017)
            for name in ("hull.x", "hull.vy")]


@pytest.mark.parametrize("scenes", [ball, block, cradle, rocking, pendulums, tank])
def test_errors_fall_with_the_step(scenes):
    errors = np.zeros(len(STEPS))
    for model, start, t0, t1, name in scenes():
        exact = rt.simulate(model, start, t1, t_start=t0, options=SHARP)[name][-1]
        for i, h in enumerate(STEPS):
            result = rt.simulate(model, start, t1, t_start=t0, options=rt.Options(engine="stepping", step=h))
            errors[i] += abs(result[name][-1] - exact)
    slope = np.polyfit(np.log(STEPS), np.log(errors), 1)[0]
    assert slope > 0.9, errors


def test_a_leg_whose_foot_slides_is_of_second_order():
    """Centrifugal forces of two links need velocities in the middle of the step, which the lasting contact force changes."""
    length = 0.6
    foot = shapes.Disk("shin", 0.02, point=(0.5 * length, 0.0))
    model = rt.Model(
        name="leg", space="planar", gravity=(0.0, -9.81),
        bodies=[rt.Body(name, 1.0, length**2 / 12.0) for name in ("thigh", "shin")],
        joints=[joints.Revolute("hip", "ground", "thigh", point_a=(0.0, 0.5), point_b=(-0.5 * length, 0.0)),
                joints.Revolute("knee", "thigh", "shin", point_a=(0.5 * length, 0.0), point_b=(-0.5 * length, 0.0))],
        contacts=[rt.Contact("foot", shapes.HalfSpace("ground", (0.0, 1.0)), foot, law=rt.Newton(e=0.0, mu=0.0))])
    reach, drop = 0.3, 0.5 - foot.radius
    bend = np.arccos(0.5 * np.hypot(reach, drop) / length)
    start = rt.State(hip={"angle": float(np.arctan2(-drop, reach) + bend)}, knee={"angle": float(-2.0 * bend)})
    exact = rt.simulate(model, start, 0.25, options=rt.Options(rtol=1e-11, atol=1e-12))["hip.angle"][-1]
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        run = rt.simulate(model, start, 0.25, options=rt.Options(engine="stepping", step=step, contact_tolerance=1e-12))
        errors.append(abs(run["hip.angle"][-1] - exact))
    assert errors[2] < 1e-5
    assert errors[0] / errors[2] > 10.0  # 16 for second order, 4 for first
