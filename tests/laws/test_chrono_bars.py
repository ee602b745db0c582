"""Bars that Chrono's unit tests of nonsmooth contact set: restitution, stopping distance, weight, alignment of a stack."""

import math

import numpy as np
import pytest

import routh as rt
from routh import shapes

G = 9.81
FLOOR = shapes.HalfSpace("ground", normal=(0.0, 0.0, 1.0))
STEP = rt.Options(engine="stepping", step=1e-3)


def ball(law, radius=0.5):
    return rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("ball", 1.0, (0.4 * radius**2,) * 3)],
                    contacts=[rt.Contact("floor", FLOOR, shapes.Sphere("ball", radius), law)])


@pytest.mark.parametrize("e", [0.25, 0.5, 0.75, 1.0])
def test_a_ball_that_falls_rebounds_with_e_times_its_speed(e):
    """Bar: 1e-3, of the speed of impact."""
    drop, radius = 0.5, 0.5
    result = rt.simulate(ball(rt.Newton(e=e, mu=0.3)), rt.State(ball={"z": radius + drop}), 0.6, options=STEP)
    speed, impact = math.sqrt(2.0 * G * drop), math.sqrt(2.0 * drop / G)
    after = int(np.argmax(result["ball.vz"]))  # the first sample after the impact, some part of a step later
    rebound = result["ball.vz"][after] + G * (result.t[after] - impact)
    assert abs(rebound - e * speed) < 1e-3 * speed


@pytest.mark.parametrize("mu", [0.2, 0.4, 0.8])
def test_a_box_stops_after_v_squared_over_two_mu_g(mu):
    """Bar: 0.5 %."""
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body("box", 1.0, (0.1,) * 3)],
                     contacts=[rt.Contact("floor", FLOOR, shapes.Box("box", (0.5, 0.4, 0.2)), rt.Newton(e=0.0, mu=mu))])
    result = rt.simulate(model, rt.State(box={"z": 0.1, "vx": 2.0}), 2.0, options=STEP)
    assert result["box.x"][-1] == pytest.approx(2.0**2 / (2.0 * mu * G), rel=5e-3)
    assert abs(result["box.vx"][-1]) < 1e-10


def test_the_floor_carries_the_weight_of_everything_on_it():
    """Bar: 1e-3. A box filled with spheres, all on the ground."""
    rng, names = np.random.default_rng(0), [f"b{i}" for i in range(20)]
    balls = [shapes.Sphere(name, 0.1) for name in names]
    law = rt.Newton(e=0.0, mu=0.4)
    walls = [shapes.HalfSpace("ground", n, p) for n, p in (
        ((1.0, 0.0, 0.0), (0.0, 0.0, 0.0)), ((-1.0, 0.0, 0.0), (0.5, 0.0, 0.0)), ((0.0, 1.0, 0.0), (0.0, 0.0, 0.0)),
        ((0.0, -1.0, 0.0), (0.0, 0.5, 0.0)))]
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G), bodies=[rt.Body(name, 1.0, (4e-3,) * 3) for name in names],
                     contacts=[rt.ContactGroup("balls", balls, law=law), rt.ContactGroup("floor", [FLOOR], balls, law),
                               rt.ContactGroup("walls", walls, balls, rt.Newton(e=0.0, mu=0.0))])
    start = rt.State({name: {"x": 0.13 + 0.24 * (i % 2) + rng.uniform(0.0, 0.01), "y": 0.13 + 0.24 * (i // 2 % 2),
                             "z": 0.12 + 0.22 * (i // 4)} for i, name in enumerate(names)})
    result = rt.simulate(model, start, 3.0, options=STEP)
    late = result.t > 2.5
    assert np.mean(result["floor.force"][late]) == pytest.approx(20.0 * G, rel=1e-3)


def test_a_stack_of_boxes_stays_aligned():
    """Bar: 1e-6 of the side, after 1 s."""
    side, names = 0.2, [f"b{i}" for i in range(10)]
    parts = [shapes.Box(name, (side,) * 3) for name in names]
    law = rt.Newton(e=0.0, mu=0.5)
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -G),
                     bodies=[rt.Body(name, 1.0, (side**2 / 6.0,) * 3) for name in names],
                     contacts=[rt.ContactGroup("boxes", parts, law=law), rt.ContactGroup("floor", [FLOOR], parts, law)])
    start = rt.State({name: {"z": side * (i + 0.5)} for i, name in enumerate(names)})
    result = rt.simulate(model, start, 1.0, options=STEP)
    for i, name in enumerate(names):
        off = np.array([result[f"{name}.{axis}"][-1] for axis in "xyz"]) - (0.0, 0.0, side * (i + 0.5))
        assert np.abs(off).max() < 1e-6 * side
