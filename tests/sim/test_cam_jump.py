"""A flat tappet on an eccentric cam leaves it where the contact force would have to pull, however briefly."""

import math

import pytest

import routh as rt
from routh import forces, joints, profiles, shapes

G = 9.81
MASS, STIFFNESS, PRELOAD, RADIUS, LIFT = 0.1, 2000.0, 30.0, 0.02, 0.01  # kg, N/m, N, m, m
MOST_LIFTED = PRELOAD + 2.0 * STIFFNESS * LIFT + MASS * G  # spring force and weight at the top of the cam
JUMP = math.sqrt(MOST_LIFTED / (MASS * LIFT))  # rad/s: there the cam's acceleration LIFT w² takes all of it


def tappet(speed):
    """Cam of radius RADIUS whose centre is LIFT off its axle, the tappet's flat face above it; the lowest lift at t = 0."""
    return rt.Model(
        space="planar", gravity=(0.0, -G),
        bodies=[rt.Body("cam", mass=1.0, inertia=1e-3), rt.Body("tappet", mass=MASS, inertia=1e-4)],
        joints=[joints.Revolute("axle", "ground", "cam"), joints.Prismatic("guide", "ground", "tappet", axis=(0.0, 1.0))],
        forces=[forces.JointSpring("spring", "guide.shift", stiffness=STIFFNESS, free=RADIUS - LIFT - PRELOAD / STIFFNESS)],
        drivers=[rt.Driver("motor", "axle.angle", profiles.ConstantRate(speed, -0.5 * math.pi))],
        contacts=[rt.Contact("face", shapes.Disk("cam", RADIUS, point=(LIFT, 0.0)),
                             shapes.HalfSpace("tappet", normal=(0.0, -1.0)), law=rt.Newton(e=0.0, mu=0.0))])


def lift_offs(relative, rtol):
    """Events at which the tappet leaves its cam within one turn, at the speed JUMP (1 + relative)."""
    speed = JUMP * (1.0 + relative)
    start = rt.State(guide={"shift": RADIUS - LIFT})
    result = rt.simulate(tappet(speed), start, t_end=2.0 * math.pi / speed, options=rt.Options(rtol=rtol))
    return result.events[result.events.kind == "lift-off"]


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8, 1e-11])
def test_a_tappet_jumps_above_the_speed_at_which_its_force_comes_to_zero(rtol):
    assert len(lift_offs(-1e-7, rtol)) == 0
    assert len(lift_offs(1e-7, rtol)) >= 1


@pytest.mark.parametrize("relative", [1e-6, 1e-4, 1e-2])
def test_a_tappet_leaves_where_its_force_first_comes_to_zero(relative):
    speed = JUMP * (1.0 + relative)
    # PRELOAD + k LIFT (1 - c) + m g + m LIFT w² c = 0 for the cosine c of the angle
    cosine = (PRELOAD + STIFFNESS * LIFT + MASS * G) / (STIFFNESS * LIFT - MASS * LIFT * speed**2)
    assert lift_offs(relative, 1e-8).t[0] == pytest.approx(math.acos(cosine) / speed, rel=1e-7)
