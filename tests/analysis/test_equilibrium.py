"""Static equilibrium against closed forms, with and without loops."""

from __future__ import annotations

import math

import pytest

import routh as rt
from routh import forces, joints, profiles

G = 9.81


def hanging_chain(n=5, stiffness=200.0):
    """Masses of 1, 2, ... kg on vertical rails, one below the other, by springs of free length 0.3 m."""
    bodies = [rt.Body(f"m{i}", 1.0 + i, 1.0) for i in range(n)]
    rails = [joints.Prismatic(f"rail{i}", "ground", f"m{i}", axis=(0.0, 1.0)) for i in range(n)]
    above = ["ground"] + [b.name for b in bodies]
    springs = [forces.SpringDamper(f"s{i}", above[i], f"m{i}", stiffness=stiffness, free_length=0.3) for i in range(n)]
    return rt.Model("planar", bodies, rails, springs, gravity=(0.0, -G))


def test_a_hanging_chain_stretches_each_spring_by_the_weight_below_it():
    n, k = 5, 200.0
    start = rt.State({f"rail{i}": {"shift": -0.3 * (i + 1)} for i in range(n)})
    found = rt.equilibrium(hanging_chain(n, k), start)
    at = 0.0
    for i in range(n):
        at -= 0.3 + sum(1.0 + j for j in range(i, n)) * G / k
        assert found[f"rail{i}"]["shift"] == pytest.approx(at, abs=1e-11)


def test_an_equilibrium_is_its_own_equilibrium_and_does_not_move():
    model = hanging_chain()
    found = rt.equilibrium(model, rt.State({f"rail{i}": {"shift": -0.3 * (i + 1)} for i in range(5)}))
    again = rt.equilibrium(model, found)
    assert again["rail4"]["shift"] == pytest.approx(found["rail4"]["shift"], abs=1e-11)
    assert abs(rt.simulate(model, found, 1.0)["m4.vy"]).max() < 1e-9


@pytest.mark.parametrize("angle", [0.1, 2.0, -3.0])
def test_a_pendulum_finds_its_lower_place_from_anywhere_but_the_top(angle):
    model = rt.Model("planar", [rt.Body("bob", 1.0, 0.1)], [joints.Revolute("pin", "ground", "bob", point_b=(0.0, 1.0))],
                     gravity=(0.0, -G))
    found = rt.equilibrium(model, rt.State(pin={"angle": angle}))["pin"]["angle"]
    assert math.remainder(found, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-11)


def test_a_torsion_spring_holds_a_beam_where_its_moment_equals_the_weights():
    model = rt.Model("planar", [rt.Body("beam", 2.0, 0.1)], [joints.Revolute("pin", "ground", "beam", point_b=(-0.5, 0.0))],
                     [forces.JointSpring("spring", "pin", 30.0)], gravity=(0.0, -G))
    angle = rt.equilibrium(model)["pin"]["angle"]
    assert 30.0 * angle == pytest.approx(-2.0 * G * 0.5 * math.cos(angle), rel=1e-11)


def test_a_loop_hangs_where_symmetry_wants_it():
    """A four-bar of two equal hanging links and a coupler as long as its base: all equilibria are vertical links."""
    bodies = [rt.Body(n, 1.0, 0.1) for n in ("left", "coupler", "right")]
    model = rt.Model("planar", bodies, [
        joints.Revolute("a", "ground", "left", point_b=(0.0, 0.5)),
        joints.Revolute("b", "left", "coupler", point_a=(0.0, -0.5), point_b=(-1.0, 0.0)),
        joints.Revolute("d", "ground", "right", point_a=(2.0, 0.0), point_b=(0.0, 0.5)),
        joints.Revolute("c", "coupler", "right", point_a=(1.0, 0.0), point_b=(0.0, -0.5))], gravity=(0.0, -G))
    found = rt.equilibrium(model, rt.assemble(model, rt.State(a={"angle": 0.6}, b={"angle": -0.6}, d={"angle": 0.6})))
    assert found["a"]["angle"] == pytest.approx(0.0, abs=1e-10)
    assert rt.evaluate(model, found)["c.reaction"][0, 1] == pytest.approx(-0.5 * G, rel=1e-9)  # half the coupler


def test_a_driver_holds_its_place_of_that_time():
    bodies = [rt.Body("arm", 1.0, 0.1), rt.Body("bob", 1.0, 0.1)]
    model = rt.Model("planar", bodies, [
        joints.Revolute("pin", "ground", "arm", point_b=(-0.5, 0.0)),
        joints.Revolute("tip", "arm", "bob", point_a=(0.5, 0.0), point_b=(0.0, 1.0))],
        drivers=[rt.Driver("motor", "pin", profiles.SmoothRamp(1.0, 1.0))], gravity=(0.0, -G))
    found = rt.equilibrium(model, t=3.0)
    assert found["pin"]["angle"] == pytest.approx(2.5, rel=1e-14)
    assert found["tip"]["angle"] == pytest.approx(-2.5, abs=1e-10)


def test_a_spatial_bob_on_a_ball_joint_hangs_down():
    model = rt.Model("spatial", [rt.Body("bob", 1.0, (0.1, 0.1, 0.1))],
                     [joints.Spherical("ball", "ground", "bob", point_b=(0.0, 0.0, 1.0))], gravity=(0.0, 0.0, -G))
    start = rt.State(ball={"qw": math.cos(0.4), "qx": math.sin(0.4), "qy": 0.0, "qz": 0.0})
    at = rt.evaluate(model, rt.equilibrium(model, start))
    assert at["bob.z"][0] == pytest.approx(-1.0, abs=1e-12)


def test_a_model_without_freedom_is_in_equilibrium_as_it_stands():
    model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [joints.Weld("glue", "ground", "b")], gravity=(0.0, -G))
    assert rt.equilibrium(model) == rt.State()
