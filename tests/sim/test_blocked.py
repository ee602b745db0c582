"""Drivers that are blocked: proved by configurations, not by the solver that gave up."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints, profiles, shapes
from routh.compiler.compile import compile_model
from routh.compiler.machine import Machine
from routh.errors import SimulationError
from routh.sim.assembly import assemble_arrays
from routh.sim.blocked import blocked_by

AT_STOP = math.acos(0.45)  # crank and rod of length 1: the slider is at 2 cos of the angle, its stop at 0.9


def crank(angle, rate):
    """A driven crank moves a slider with a stop; (machine, coordinates) with the crank at an angle."""
    model = rt.Model(
        space="planar", gravity=(0.0, 0.0), bodies=[rt.Body(n, mass=1.0, inertia=0.1) for n in ("crank", "rod", "slider")],
        joints=[joints.Revolute("axle", "ground", "crank"), joints.Revolute("pin", "crank", "rod", point_a=(1.0, 0.0)),
                joints.Revolute("wrist", "rod", "slider", point_a=(1.0, 0.0)),
                joints.Prismatic("guide", "ground", "slider", axis=(1.0, 0.0))],
        drivers=[rt.Driver("motor", "axle.angle", profiles.Polynomial([angle, rate]))],
        contacts=[rt.Stop("end", "guide.shift", lower=0.9, e=0.0)])
    machine = Machine(compile_model(model))
    q, _ = assemble_arrays(machine, rt.State(pin={"angle": -2.0 * angle}, wrist={"angle": angle}), 0.0, keep=False)
    return machine, q


def test_a_crank_against_a_stop_is_blocked_by_what_the_next_moment_lacks():
    machine, q = crank(AT_STOP, 1.0)
    found = blocked_by(machine, 0.0, q, 1.0)
    assert found.drivers == ("motor",)
    assert found.contacts == ("end",)
    # the slider would be 2 sin(angle) * ahead behind its stop; the loop gives way by as much as the stop does
    assert found.violation == pytest.approx(math.sin(AT_STOP) * found.ahead, rel=0.5)


@pytest.mark.parametrize(("angle", "rate"), [(AT_STOP, -1.0), (AT_STOP - 0.01, 1.0), (0.5, 1.0)])
def test_a_crank_that_moves_away_or_has_room_is_not_blocked(angle, rate):
    machine, q = crank(angle, rate)
    assert blocked_by(machine, 0.0, q, 1.0) is None


def test_a_loop_in_a_dead_point_is_blocked_without_contacts():
    """A crank with a rod of half its length: it comes to where its pin is half a length above the guide, no further."""
    model = rt.Model(
        space="planar", gravity=(0.0, 0.0), bodies=[rt.Body(n, 1.0, 0.1) for n in ("crank", "rod", "slider", "ball")],
        joints=[joints.Revolute("axle", "ground", "crank"), joints.Revolute("pin", "crank", "rod", point_a=(1.0, 0.0)),
                joints.Revolute("wrist", "rod", "slider", point_a=(0.5, 0.0)),
                joints.Prismatic("guide", "ground", "slider", axis=(1.0, 0.0))],
        drivers=[rt.Driver("motor", "axle.angle", profiles.ConstantRate(1.0))],
        contacts=[rt.Contact("floor", shapes.Disk("ball", 0.1), shapes.HalfSpace("ground", (0.0, 1.0), (0.0, -1.0)),
                             law=rt.Newton(e=0.0, mu=0.0))])
    with pytest.raises(SimulationError, match=r'driver "motor" cannot go on against joint') as stopped:
        rt.simulate(model, rt.State(ball={"y": 3.0}, guide={"shift": 1.5}), t_end=2.0)
    result = stopped.value.result
    assert result.status == "blocked"
    assert result.detail in result.message
    assert result.t[-1] == pytest.approx(math.asin(0.5), abs=1e-6)


def test_a_disk_passes_over_a_wheel_with_saw_teeth():
    """The far side of a closed line is no solid for what is on the near side."""
    n, r = 7, 0.1
    angles = 2.0 * math.pi * np.arange(n) / n
    tooth = ((r, 0.0), (0.8 * r, 0.9 * 2.0 * math.pi / n))
    corners = [(q * math.cos(a + b), q * math.sin(a + b)) for a in angles for q, b in tooth]
    wheel = shapes.Polyline("wheel", [*corners, corners[0]][::-1])
    model = rt.Model(space="planar", gravity=(0.0, 0.0), bodies=[rt.Body("wheel", 1.0, 5e-3), rt.Body("ball", 0.1, 1e-5)],
                     joints=[joints.Revolute("axle", "ground", "wheel")],
                     contacts=[rt.Contact("tooth", wheel, shapes.Disk("ball", 0.008), law=rt.Newton(e=0.5, mu=0.1))])
    result = rt.simulate(model, rt.State(axle={"angle_rate": 3.0}, ball={"x": 0.13, "y": -0.2, "vy": 0.3}), t_end=2.0)
    assert result.status == "finished"
    assert result["tooth.gap"].min() > 0.0
