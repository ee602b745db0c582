"""Contacts that share a load, or hold a body with few freedoms: many forces do, and which are taken must not show."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh import forces, impulses, joints, profiles, shapes


def leaning_arm(turn):
    """An arm on a ball joint that leans on the floor with its tip, turned about the vertical: two freedoms, three rows."""
    c, s = math.cos(turn), math.sin(turn)

    def turned(x, y, z):
        return (c * x - s * y, s * x + c * y, z)

    return rt.Model(
        space="spatial", gravity=turned(1.0, 2.0, -9.81), bodies=[rt.Body("arm", mass=2.0, inertia=(0.1, 0.1, 0.1))],
        joints=[joints.Spherical("hinge", "ground", "arm", point_a=turned(-0.3, 0.1, 0.2), point_b=turned(-0.3, 0.1, 0.2))],
        contacts=[rt.Contact("tip", shapes.HalfSpace("ground", (0.0, 0.0, 1.0), (0.0, 0.0, -0.2)),
                             shapes.Sphere("arm", 0.1, point=turned(0.2, 0.1, -0.1)), rt.Newton(e=0.0, mu=2.0))])


@pytest.mark.parametrize("turn", [0.3, 1.1, 2.0])
def test_the_force_of_a_contact_that_sticks_does_not_depend_on_how_its_tangents_are_turned(turn):
    straight, turned = (rt.evaluate(leaning_arm(angle)) for angle in (0.0, turn))
    for channel in ("tip.force", "tip.friction"):
        assert turned[channel] == pytest.approx(straight[channel], rel=1e-6)  # the rest is round-off over a ridge of 1e-9


def test_forces_that_friction_shares_vanish_with_the_load():
    """A slider on an inclined rail against a floor: friction alone would not do, nor the normal force; the share is free."""
    lean, length, end = math.radians(60.0), 0.3, 0.2
    rail = (math.sin(lean), 0.0, -math.cos(lean))
    model = rt.Model(
        space="spatial", gravity=(0.0, 0.0, 0.0), bodies=[rt.Body("slider", mass=1.5, inertia=(0.1, 0.1, 0.1))],
        joints=[joints.Prismatic("rail", "ground", "slider", axis=rail)],
        forces=[forces.PointForce("push", "slider", force=tuple(8.0 * np.array(rail)),
                                  profile=profiles.Polynomial((1.0, -1.0 / end)))],
        contacts=[rt.Contact("foot", shapes.HalfSpace("ground", (0.0, 0.0, 1.0), (0.0, 0.0, -length)),
                             shapes.Sphere("slider", length), rt.Newton(e=0.0, mu=0.5))])
    result = rt.simulate(model, rt.State(), 2.0 * end)
    assert list(result.events.kind) == ["stick", "lift-off"]
    assert result.events.t[1] == pytest.approx(end, abs=1e-9)
    held = result.t < end
    load = 8.0 * (1.0 - result.t[held] / end)
    force, friction = result["foot.force"][held], result["foot.friction"][held]
    assert force == pytest.approx(force[0] * load / load[0], rel=1e-9, abs=1e-9)
    assert friction == pytest.approx(friction[0] * load / load[0], rel=1e-9, abs=1e-9)
    assert np.all(friction <= 0.5 * force + 1e-9)


def test_an_instant_with_more_blows_than_the_log_holds_has_two_samples():
    """A flap between two stops without room: blows without end, at once."""
    model = rt.Model(
        space="planar", gravity=(0.0, 0.0), bodies=[rt.Body("flap", mass=1.0, inertia=0.1)],
        joints=[joints.Revolute("pin", "ground", "flap")],
        contacts=[rt.Stop("low", "pin.angle", lower=0.0, e=0.95), rt.Stop("high", "pin.angle", upper=0.0, e=0.95)],
        impulses=[impulses.AngularImpulse("kick", "flap", at=0.1, impulse=0.2)])
    result = rt.simulate(model, rt.State(), 0.2)
    assert len(result.impacts) > 64  # rows that a log begins with
    assert np.count_nonzero(result.t == 0.1) == 2
    assert result["flap.omega"] == pytest.approx(np.zeros(result.t.size), abs=1e-12)
    assert np.abs(result.energy["error"]).max() <= 1e-12


G, FLOOR = 9.81, shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0))
MASS, MU = 1.0, 0.5
FEET = {"box": [shapes.Box("body", (0.6, 0.4, 0.2))],
        "tripod": [shapes.Sphere("body", 0.02, point=(x, y, -0.08)) for x, y in ((0.3, 0.0), (-0.2, 0.25), (-0.2, -0.25))]}


def pushed(feet, across):
    """A body that stands on feet of unequal load, pushed ever harder; the push turns if it grows `across` [N/s]."""
    loads = [forces.PointForce("ahead", "body", force=(1.0, 0.0, 0.0), profile=profiles.Polynomial((3.0, 4.0))),
             forces.PointForce("aside", "body", force=(0.0, 1.0, 0.0), profile=profiles.Polynomial((0.0, across)))]
    rubs = [rt.Contact(f"foot{i}", FLOOR, foot, law=rt.Poisson(e=0.0, mu=MU)) for i, foot in enumerate(FEET[feet])]
    return rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("body", MASS, (0.2, 0.2, 0.3))], forces=loads,
                    contacts=rubs)


@pytest.mark.parametrize("feet", FEET)
@pytest.mark.parametrize("across", [0.0, 4.0])
def test_feet_hold_together_until_the_push_has_come_to_the_friction_of_all(feet, across):
    """Each of them reaches its own limit long before, and hands its share to the others."""
    result = rt.simulate(pushed(feet, across), rt.State(body={"z": 0.1}), t_end=1.5, options=rt.Options(max_steps=10_000))
    begin = np.roots([16.0 + across**2, 24.0, 9.0 - (MU * MASS * G) ** 2]).max()
    assert result.events[result.events.kind == "slip"].t == pytest.approx(begin, abs=1e-8)
    held = result.t < begin
    assert not result["body.x"][held].any()

    def rate(t, v):
        return np.array([3.0 + 4.0 * t, across * t]) / MASS - MU * G * v / np.hypot(*v)

    first = 1e-9 * np.array([3.0 + 4.0 * begin, across * begin])
    second = solve_ivp(rate, (begin, 1.5), first, method="Radau", rtol=1e-10, atol=1e-13).y[:, -1]
    assert [result["body.vx"][-1], result["body.vy"][-1]] == pytest.approx(second, abs=1e-5)  # the slowest slips keep straight
    assert abs(result["body.wz"][-1]) < 1e-7
    assert np.abs(result.energy.error).max() < 1e-8


def test_a_foot_begins_to_slide_gently_while_another_slides():
    """A bar turns about one of its two feet, until a growing load pulls that foot away, too."""
    inertia, arm, spin, growth, limit, end = 2.0, 0.3, 1.0, 2.0, 0.5 * MU * MASS * G, 0.6
    toward = np.array([0.6, -0.8])
    feet = [shapes.Sphere("bar", radius=0.05, point=(x, 0.0, 0.05)) for x in (-arm, arm)]
    load = forces.PointForce("load", "bar", force=(*toward, 0.0), profile=profiles.Polynomial((0.0, growth)))
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("bar", MASS, (1e3, 1e3, inertia))], forces=[load],
                     contacts=[rt.Contact(f"foot{i}", FLOOR, foot, law=rt.Poisson(0.0, MU)) for i, foot in enumerate(feet)])
    result = rt.simulate(model, rt.State(bar={"vy": spin * arm, "wz": spin}), t_end=end,
                         options=rt.Options(rtol=1e-10, atol=1e-12, max_steps=2000))

    def directions(angle):
        return np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])

    def turning(t, y):  # about the first foot; the other one is braked across
        _, across = directions(y[0])
        return [y[1], (arm * growth * t * across @ toward - 2.0 * arm * limit) / (inertia + MASS * arm**2)]

    def held(t, y):
        along, across = directions(y[0])
        return MASS * arm * (turning(t, y)[1] * across - y[1] ** 2 * along) - growth * t * toward + limit * across

    def leaves(t, y):
        return np.hypot(*held(t, y)) - limit

    leaves.terminal = True
    first = solve_ivp(turning, (0.0, end), [0.0, spin], events=leaves, method="DOP853", rtol=1e-12, atol=1e-13)
    begin, (angle, omega) = first.t[-1], first.y[:, -1]
    assert result.events[result.events.kind == "slip"].t[-1] == pytest.approx(begin, abs=1e-9)

    def sliding(t, y):
        along, across = directions(y[4])
        force, torque = growth * t * toward, 0.0
        for side in (-arm, arm):
            slip = y[2:4] + side * y[5] * across
            rub = -limit * slip / np.hypot(*slip)
            force, torque = force + rub, torque + side * (along[0] * rub[1] - along[1] * rub[0])
        return [*y[2:4], *(force / MASS), y[5], torque / inertia]

    along, across = directions(angle)
    slip = -1e-9 * held(begin, [angle, omega]) / limit  # just begun, against its friction
    start = [*(arm * along - (arm, 0.0)), *(arm * omega * across + slip), angle, omega]
    second = solve_ivp(sliding, (begin, end), start, method="Radau", rtol=1e-10, atol=1e-13).y[:, -1]
    ours = [result[f"bar.{name}"][-1] for name in ("x", "y", "vx", "vy", "wz")]
    assert ours == pytest.approx(second[[0, 1, 2, 3, 5]], abs=1e-8)
    assert np.abs(result.energy.error).max() < 1e-9
