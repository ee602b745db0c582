"""Contacts that share a load, or hold a body with few freedoms: many forces do, and which are taken must not show."""

import math

import numpy as np
import pytest

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
