"""What is recorded of runs: expressions against closed forms, and refusals."""

import math

import numpy as np
import pytest

import routh as rt
from routh.errors import ModelError
from routh.study.quantities import quantity_of
from scenes import START, G, drop, height_at


@pytest.fixture(scope="module")
def result():
    return rt.simulate(drop(), START, 0.9)


@pytest.mark.parametrize(("expression", "value"), [
    ("at(ball.y, 0.3)", 1.03 - 0.5 * G * 0.09),
    ("at(ball.y, 0.7) - 0.03", height_at(0.7, 0.8)),
    ("first(ball.y)", 1.03),
    ("max(ball.y) - 1.03", 0.0),
    ("-min(ball.vy) / sqrt(2 * 9.81)", 1.0),  # speed of the first impact after a fall of one metre
    ("count(impacts) * pi", math.pi),
    ("max(impacts.p_n)", 0.16 * 1.8 * math.sqrt(2.0 * G)),
    ("max(impacts.p_n) ** 2", (0.16 * 1.8) ** 2 * 2.0 * G),
    ('at(channel("ball.y"), 0.3)', 1.03 - 0.5 * G * 0.09),
    ("sum(touches.duration)", 0.0),
    ("last(energy.kinetic + energy.potential) - last(energy.total)", 0.0),
])
def test_expressions_read_channels_ledgers_and_the_energy_account(result, expression, value):
    assert quantity_of("q", expression).of(result) == pytest.approx(value, abs=1e-9)


def test_lists_of_times_give_lists(result):
    values = quantity_of("q", "at(ball.y, [0.1, 0.2])").of(result)
    assert values == pytest.approx([1.03 - 0.5 * G * t * t for t in (0.1, 0.2)], abs=1e-9)


def test_the_largest_of_no_impacts_is_not_a_number(result):
    assert math.isnan(quantity_of("q", "max(touches.v_before)").of(result))


def test_components_and_lengths_of_vectors():
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("bob", mass=2.0, inertia=0.1)],
                     joints=[rt.joints.Revolute("pin", "ground", "bob", point_b=(0.0, 1.0))])
    still = rt.simulate(model, rt.State(pin={"angle": 0.0}), 0.1)
    assert quantity_of("q", "max(norm(pin.reaction))").of(still) == pytest.approx(2.0 * G)
    assert quantity_of("q", "last(pin.reaction[1])").of(still) == pytest.approx(2.0 * G)


def test_a_function_of_the_result_serves_too(result):
    assert quantity_of("q", lambda run: run["ball.y"].max()).of(result) == 1.03
    assert quantity_of("q", lambda run: np.array([1, 2])).of(result) == [1.0, 2.0]


def test_units_follow_from_single_channels(result):
    for expression, unit in (("max(ball.y)", "m"), ("sum(impacts.energy_lost)", "J"), ("at(ball.vx, 0.1)", "m/s"),
                             ("count(impacts)", ""), ("max(ball.y) * 2", ""), ("-last(ball.omega)", "rad/s")):
        assert quantity_of("q", expression).unit(result) == unit


@pytest.mark.parametrize(("source", "message"), [
    ("max(ball.y", "not an expression"), ("import os", "not an expression"), ("open(ball.y)", 'no function "open"'),
    ("__import__('os')", "no function"), ("max(ball.y, 2)", "takes one"), ("at(ball.y)", r"at\(channel, time\)"),
    ("at(1.0, 2.0)", "channel and a time"), ("ball.y if 1 else 2", "may not stand"), ("'text'", "not a number"),
    ("ball.y % 2", "not arithmetic"), ("ball.y[x]", "whole number"), (3.0, "neither an expression"),
    ("x" * 20_000, "not an expression"), ("(lambda: 1)()", "no function"), ("ball.y.__class__.__mro__[1]", None),
])
def test_other_expressions_are_refused(result, source, message):
    with pytest.raises(ModelError, match=message):
        quantity_of("q", source).check_names(result)


@pytest.mark.parametrize(("source", "message"), [
    ("max(bal.y)", 'did you mean "ball.y"'), ("max(impacts.p)", 'impacts has no column "p"'),
    ("max(ball)", 'no channel "ball"'),
])
def test_unknown_names_list_the_near_ones(result, source, message):
    with pytest.raises(ModelError, match=message):
        quantity_of("q", source).check_names(result)


def test_what_is_not_one_number_is_refused(result):
    with pytest.raises(ModelError, match="shape"):
        quantity_of("q", lambda run: np.zeros((2, 2))).of(result)
    with pytest.raises(ModelError, match="neither a number"):
        quantity_of("q", lambda run: "text").of(result)
