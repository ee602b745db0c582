"""Derivatives through impacts and events: closed forms first, then differences of runs at extended tolerance."""

from __future__ import annotations

import math

import numpy as np
import pytest

import routh as rt
from routh import shapes
from routh.errors import ModelError

TIGHT = rt.Options(rtol=1e-13, atol=1e-15)
EIGHT = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}  # central differences of order 8


def ball(law, gravity=(0.0, -9.81)):
    disk, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(space="planar", gravity=gravity, bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
                    contacts=[rt.Contact("bounce", disk, floor, law=law)])


def derivative(model, start, path, value, step, read, t_end):
    """Derivative of `read(result)` by differences of whole runs, each at extended tolerance."""
    def run(v):
        of_start = path.partition(".")[0] in start and path.partition(".")[2] in start[path.partition(".")[0]]
        other = (model, start.replace({path: v})) if of_start else (model.replace({path: v}), start)
        return read(rt.simulate(*other, t_end, options=rt.Options(rtol=1e-13, atol=1e-15, output=[t_end])))
    return sum(w * (run(value + k * step) - run(value - k * step)) for k, w in EIGHT.items()) / step


def test_first_bounce_of_a_dropped_ball_has_the_derivatives_of_its_closed_form():
    e, g, h, t = 0.7, 9.81, 0.97, 0.6  # height over the touch
    result = rt.simulate(ball(rt.Newton(e=e, mu=0.0)), rt.State(ball={"y": h + 0.03}), t,
                         sensitivities=["bounce.law.e", "ball.y"])
    fall = math.sqrt(2.0 * h / g)
    v, s = g * fall, t - fall
    # y = r + e v s - g s²/2, with dv/dh = g/v, ds/dh = -1/v
    by_h = e * (g / v * s - v / v) + g * s / v
    found = result.sensitivities
    assert (found.names, found.status) == (("bounce.law.e", "ball.y"), "exact")
    np.testing.assert_allclose(found["ball.y"][-1], [v * s, by_h], rtol=1e-9)
    np.testing.assert_allclose(found["ball.vy"][-1], [v, e * g / v + g / v], rtol=1e-9)
    np.testing.assert_allclose(found.impacts["t"][0], [0.0, 1.0 / v], rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(found.impacts["p_n"][0], [0.16 * v, 0.16 * (1.0 + e) * g / v], rtol=1e-9)
    assert found["ball.y"].shape == (len(result.t), 2)
    np.testing.assert_allclose(found["ball.y"][0], [0.0, 1.0], atol=1e-10)


def test_equal_balls_that_meet_elastically_exchange_their_derivatives():
    disks = [shapes.Disk(name, radius=0.05) for name in ("one", "two")]
    model = rt.Model(space="planar", bodies=[rt.Body(n, mass=0.3, inertia=1e-3) for n in ("one", "two")],
                     contacts=[rt.Contact("hit", *disks, law=rt.Newton(e=1.0, mu=0.0))])
    start = rt.State(one={"x": 0.0, "vx": 2.0}, two={"x": 0.5, "vx": 0.5})
    found = rt.simulate(model, start, 1.0, sensitivities=["one.x", "two.x", "one.vx", "two.vx"]).sensitivities
    # after the impact the second ball goes on along the line of the first
    np.testing.assert_allclose(found.final["two.x"], [1.0, 0.0, 1.0, 0.0], atol=2e-10)
    np.testing.assert_allclose(found.final["two.vx"], [0.0, 0.0, 1.0, 0.0], atol=2e-10)
    np.testing.assert_allclose(found.final["one.x"], [0.0, 1.0, 0.0, 1.0], atol=2e-10)


@pytest.mark.parametrize("law", [rt.Stronge(e=0.8, mu=0.1), rt.Poisson(e=0.6, mu=0.02), rt.Newton(e=0.6, mu=0.3)])
def test_a_spinning_ball_agrees_with_differences_of_runs(law):
    model, start = ball(law), rt.State(ball={"y": 1.03, "vx": 0.5, "omega": -40.0})
    paths = {"bounce.law.e": law.e, "bounce.law.mu": law.mu, "ball.y": 1.03, "ball.omega": -40.0, "ball.mass": 0.16}
    found = rt.simulate(model, start, 1.4, sensitivities=list(paths)).sensitivities
    channels = ("ball.x", "ball.y", "ball.vx", "ball.vy", "ball.omega", "energy.impacts")
    assert found.status == "exact"
    for p, (path, value) in enumerate(paths.items()):
        def read(result):
            return np.array([*(result[c][-1] for c in channels), result.impacts["t"][-1], result.impacts["p_t"][0]])
        expected = derivative(model, start, path, value, 1e-4 * abs(value), read, 1.4)
        got = np.array([*(found.final[c][p] for c in channels), found.impacts["t"][-1, p], found.impacts["p_t"][0, p]])
        # what is zero in the end, as where every impact sticks, has the round-off of what it is summed from
        sizes = np.array([*(np.abs(found[c][:, p]).max() for c in channels), 1.0, 1.0])
        assert (np.abs(got - expected) <= 1e-7 * np.maximum(np.abs(expected), np.maximum(sizes, 1.0))).all()


def test_a_ball_that_comes_to_rest_has_derivatives_after_it():
    model, start = ball(rt.Stronge(e=0.5, mu=0.1)), rt.State(ball={"y": 1.03, "vx": 2.5, "omega": -40.0})
    found = rt.simulate(model, start, 2.5, sensitivities=["ball.y", "ball.omega"]).sensitivities
    for p, (path, value) in enumerate({"ball.y": 1.03, "ball.omega": -40.0}.items()):
        expected = derivative(model, start, path, value, 1e-4 * abs(value), lambda r: r["ball.x"][-1], 2.5)
        assert found.final["ball.x"][p] == pytest.approx(expected, rel=1e-7)
    assert np.abs(found.final["ball.vy"]).max() <= 1e-12


@pytest.mark.parametrize(("paths", "words"), [
    ("bounce.law.e", "not a list of paths"), (["bounce.law.e", "bounce.law.e"], "named twice"),
    (["bounce.law.q"], 'no "q"'), (["bounce.law"], "not a number"), (["gravity"], 'such as "gravity.0"'),
    (["ball.spam"], 'has no "spam"'), (["bal.y"], "bal"), (["gravity.7"], "no place 7")])
def test_a_path_that_is_no_number_is_refused(paths, words):
    with pytest.raises(ModelError, match=words):
        rt.simulate(ball(rt.Newton(e=0.5, mu=0.1)), rt.State(ball={"y": 1.0}), 0.1, sensitivities=paths)


def test_friction_that_begins_is_no_number_to_differentiate_by():
    with pytest.raises(ModelError, match="changes the equations"):
        rt.simulate(ball(rt.Newton(e=0.5, mu=0.0)), rt.State(ball={"y": 1.0}), 0.1, sensitivities=["bounce.law.mu"])


def test_time_steps_have_no_exact_derivatives():
    with pytest.raises(ModelError, match='engine = "events" only'):
        rt.simulate(ball(rt.Newton(e=0.5, mu=0.0)), rt.State(ball={"y": 1.0}), 0.1, sensitivities=["ball.y"],
                    options=rt.Options(engine="stepping", step=1e-3))
