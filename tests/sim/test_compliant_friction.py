"""Friction beside compliant normal forces: sliding, creeping, holding, stick-slip; plane and space alike."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from compliant_scenes import PLANAR, SPATIAL, ball_on_floor, closes_to
from routh import compliant, forces, friction, joints, profiles, shapes

approx = pytest.approx
G, K, MASS = 9.81, 1e6, 2.0
DEPTH = MASS * G / K
FINE = rt.Options(rtol=1e-11, atol=1e-14)


def block(rubbing, pushed=(), space=PLANAR, **more):
    """A block that cannot turn (a ball with a huge moment of inertia) on a floor, at its static depth: N = m g."""
    return ball_on_floor(rt.Compliant(compliant.Linear(K), rubbing), space=space, mass=MASS, inertia=1e15, gravity=G,
                         forces=list(pushed), **more)


def slide(rubbing, t_end, force=None, options=FINE, **start):
    push = [forces.PointForce("push", "ball", (1.0, 0.0), profile=force)] if force is not None else []
    return rt.simulate(block(rubbing, push), rt.State(ball={"y": 0.05 - DEPTH, **start}), t_end=t_end, options=options)


def test_a_sliding_block_slows_as_regularised_friction_says():
    mu, v_reg, v0 = 0.3, 0.1, 1.0
    result = slide(friction.Regularised(mu, v_reg), 1.0, vx=v0)
    # dv/dt = -mu g tanh(v / v_reg): sinh(v / v_reg) decays exponentially
    exact = v_reg * np.arcsinh(np.sinh(v0 / v_reg) * np.exp(-mu * G * result.t / v_reg))
    assert result["ball.vx"] == approx(exact, abs=1e-10)
    assert result["floor.friction"] == approx(mu * MASS * G * np.tanh(exact / v_reg), abs=1e-8)
    assert result["floor.slip"] == approx(exact, abs=1e-10)
    assert closes_to(result, 1e-9)


def test_regularised_friction_creeps_under_any_load():
    mu, v_reg = 0.3, 1e-3
    result = slide(friction.Regularised(mu, v_reg), 0.5, profiles.Constant(0.5 * mu * MASS * G))
    assert result["ball.vx"][-1] == approx(v_reg * math.atanh(0.5), rel=1e-9)


def test_a_coefficient_may_depend_on_the_slip():
    curve = friction.Stribeck(static=0.4, kinetic=0.2, speed=0.05, viscous=0.1)
    result = slide(friction.Regularised(curve, 1e-2), 0.2, vx=0.5)
    slip = result["floor.slip"]
    assert result["floor.friction"] == approx([curve.at(s) * MASS * G * math.tanh(s / 1e-2) for s in slip], rel=1e-9)


def lugre_reference(curve, s0, s1, s2, push, t_end, times):
    """(x, v, z) of a block of weight m g under LuGre friction, by SciPy."""
    def rates(t, y):
        _, v, z = y
        z_rate = v - s0 * abs(v) / curve(abs(v)) * z
        return [v, push(t, y) / MASS - G * (s0 * z + s1 * z_rate + s2 * v), z_rate]

    return solve_ivp(rates, (0.0, t_end), [0.0, 0.0, 0.0], method="Radau", rtol=1e-10, atol=1e-13, t_eval=times).y


def test_bristles_move_as_another_integrator_moves_them():
    curve = friction.Stribeck(static=0.4, kinetic=0.25, speed=0.02)
    s0, s1, s2 = 2e3, 2.0, 0.05
    times = np.linspace(0.01, 0.6, 60)
    options = rt.Options(rtol=1e-11, atol=1e-14, output=times)
    result = slide(friction.LuGre(curve, s0, s1, s2), 0.6, profiles.Sine(0.6 * MASS * G, frequency=5.0), options)
    x, v, _ = lugre_reference(curve.at, s0, s1, s2, lambda t, y: 0.6 * MASS * G * math.sin(2 * math.pi * 5.0 * t), 0.6, times)
    assert result["ball.x"][1:] == approx(x, abs=1e-8)
    assert result["ball.vx"][1:] == approx(v, abs=1e-6)
    assert closes_to(result, 1e-8)


def test_a_spring_drags_a_block_in_stick_and_slip_as_another_integrator_does():
    curve = friction.Stribeck(static=0.5, kinetic=0.25, speed=0.01)
    s0, s1, stiffness, pull = 5e3, 5.0, 400.0, 0.1
    hook = rt.Body("hook", 1.0, 1.0)
    model = block(friction.LuGre(curve, s0, s1))
    spring = forces.SpringDamper("spring", "ball", "hook", stiffness=stiffness, free_length=1.0, point_b=(0.0, 0.05 - DEPTH))
    rail = joints.Prismatic("rail", "ground", "hook", axis=(1.0, 0.0))
    model = rt.Model("planar", [*model.bodies, hook], [rail], [spring], gravity=model.gravity, contacts=model.contacts,
                     drivers=[rt.Driver("haul", "rail.shift", profiles.ConstantRate(pull, offset=1.0))])
    times = np.linspace(0.05, 1.2, 24)
    result = rt.simulate(model, rt.State(ball={"y": 0.05 - DEPTH}), t_end=1.2,
                         options=rt.Options(rtol=1e-10, atol=1e-13, output=times))
    x, v, _ = lugre_reference(curve.at, s0, s1, 0.0, lambda t, y: stiffness * (pull * t - y[0]), 1.2, times)
    assert result["ball.x"][1:] == approx(x, abs=2e-6)
    assert v.max() > 2.0 * pull  # it slips faster than it is hauled
    assert np.mean(np.abs(v) < 0.05 * pull) > 0.2  # and sticks in between


def test_stiction_holds_for_ever_and_springs_back():
    mu, s0 = 0.3, 1e4
    held = friction.Stiction(mu, s0, sigma1=20.0)
    load = 0.4 * mu * MASS * G  # set on at once: its swing reaches 0.8, within the grip
    result = slide(held, 6.0, profiles.Rectangle(0.0, 5.0, load))
    place = np.interp([1.0, 4.9, 6.0], result.t, result["ball.x"])
    assert place[0] == approx(load / (MASS * G * s0), rel=1e-6)  # the stretch that carries the load
    assert place[1] == approx(place[0], abs=1e-12)  # no creep in four seconds
    assert place[2] == approx(0.0, abs=1e-9)


def test_a_load_that_trembles_moves_bristles_but_not_an_anchor():
    mu, s0 = 0.3, 1e4
    tremble = profiles.Sine(0.25 * mu * MASS * G, frequency=10.0, offset=0.3 * mu * MASS * G)
    drift = {}
    for kind in (friction.LuGre, friction.Stiction):
        result = slide(kind(mu, s0, 20.0), 4.0, tremble, rt.Options(rtol=1e-11, atol=1e-14, output=[2.0, 4.0]))
        drift[kind] = result["ball.x"][-1] - result["ball.x"][-2]  # over twenty periods
    assert drift[friction.LuGre] > 1e-4
    assert abs(drift[friction.Stiction]) < 1e-9


def test_a_load_beyond_the_limit_slides_with_the_coefficient():
    mu = 0.3
    result = slide(friction.Stiction(mu, 1e4, 20.0), 0.5, profiles.Constant(1.5 * mu * MASS * G))
    a = np.polyfit(result.t[result.t > 0.1], result["ball.vx"][result.t > 0.1], 1)[0]
    assert a == approx(0.5 * mu * G, rel=1e-6)


@pytest.mark.parametrize("rubbing", [friction.Regularised(0.3, 1e-2), friction.LuGre(0.3, 1e3, 1.0, 0.1),
                                     friction.Stiction(0.3, 1e3, 1.0)], ids=lambda r: type(r).__name__)
def test_space_slides_in_every_direction_as_the_plane_does(rubbing):
    plane = slide(rubbing, 0.4, vx=0.5)
    c, s = math.cos(0.7), math.sin(0.7)
    start = rt.State(ball={"y": 0.05 - DEPTH, "vx": 0.5 * c, "vz": 0.5 * s})
    space = rt.simulate(block(rubbing, space=SPATIAL), start, t_end=0.4, options=FINE)
    assert c * space["ball.x"][-1] + s * space["ball.z"][-1] == approx(plane["ball.x"][-1], abs=1e-9)
    assert c * space["ball.z"][-1] - s * space["ball.x"][-1] == approx(0.0, abs=1e-12)
    assert space["ball.y"][-1] == approx(plane["ball.y"][-1], abs=1e-12)


def test_an_anchor_turns_with_a_turntable():
    spin, r, s0 = 2.0, 0.3, 1e4
    ball = shapes.Sphere("ball", 0.05)
    table = shapes.HalfSpace("table", normal=(0.0, 1.0, 0.0))
    law = rt.Compliant(compliant.Linear(K), friction.Stiction(0.5, s0, 20.0))
    model = rt.Model("spatial", [rt.Body("ball", MASS, (1e15,) * 3), rt.Body("table", 1.0, (1.0, 1.0, 1.0))],
                     [joints.Revolute("axle", "ground", "table", axis=(0.0, 1.0, 0.0))],
                     drivers=[rt.Driver("drive", "axle.angle", profiles.ConstantRate(spin))],
                     gravity=(0.0, -G, 0.0), contacts=[rt.Contact("floor", table, ball, law=law)])
    start = rt.State(ball={"y": 0.05 - DEPTH, "x": r, "vz": -spin * r, "omega": (0.0, spin, 0.0)})
    result = rt.simulate(model, start, t_end=3.0, options=rt.Options(rtol=1e-10, atol=1e-13))
    late = result.t > 2.0
    x, z = result["ball.x"][late], result["ball.z"][late]
    # stretched outward by what carries it round, however often it has turned: N sigma0 dr = m w² (r + dr)
    stretch = spin**2 * r / (G * s0 - spin**2)
    assert np.hypot(x, z) == approx(r + stretch, abs=2e-7)
    turned = np.unwrap(np.arctan2(-z, x)) - spin * result.t[late]
    assert np.ptp(turned) < 1e-6
