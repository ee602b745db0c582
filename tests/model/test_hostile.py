"""Whatever is declared, the answer is numbers or an error of the library: never another traceback, never not-a-number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import routh as rt
from routh import forces, joints, profiles
from routh.errors import RouthError, SimulationError

calm = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

NASTY = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 1e-300, 1e-8, 1e8, 1e150, 1e300, math.nan, math.inf, -math.inf,
                         None, "1", "x", [], (), 10**400, 1j, True])
MOSTLY_GOOD = st.one_of(st.floats(0.1, 3.0), st.floats(0.1, 3.0), st.floats(0.1, 3.0), NASTY)
NAMES = st.sampled_from(["a", "b", "c", "ground", "pin", "", "x.y", "n" * 5000, "é", "1", None, 3])
GOOD_NAMES = st.sampled_from(["a", "b", "c", "ground"])


def vectors(n: int) -> st.SearchStrategy[Any]:
    exact = st.lists(MOSTLY_GOOD, min_size=n, max_size=n)
    return st.one_of(st.just(()), exact, exact, st.lists(MOSTLY_GOOD, max_size=4), NASTY)


@st.composite
def models(draw: Any) -> rt.Model:
    """Three bodies and up to four joints and forces of any kind between any of them, numbers good and bad."""
    space = draw(st.sampled_from(["planar", "spatial"]))
    n = 2 if space == "planar" else 3
    inertia = MOSTLY_GOOD if n == 2 else st.lists(MOSTLY_GOOD, min_size=3, max_size=3)
    bodies = [rt.Body(name, draw(MOSTLY_GOOD), draw(inertia)) for name in "abc"]
    kinds = [joints.Revolute, joints.Prismatic, joints.Weld, joints.Rod, joints.Free]
    kinds += [joints.PinInSlot] if n == 2 else [joints.Cylindrical, joints.Screw, joints.Spherical, joints.Universal,
                                                joints.Planar]
    found = []
    for i in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(kinds))
        fields = {"point_a": draw(vectors(n)), "point_b": draw(vectors(n))}
        if hasattr(kind, "axis") and not (n == 2 and kind is joints.Revolute):
            fields["axis"] = draw(vectors(n))
        if kind is joints.Universal:
            fields["axis_b"] = draw(vectors(n))
        if kind is joints.Rod:
            fields["length"] = draw(MOSTLY_GOOD)
        found.append(kind(f"j{i}", draw(GOOD_NAMES), draw(GOOD_NAMES), **fields))
    push = [forces.PointForce("push", draw(GOOD_NAMES), force=draw(vectors(n)))] if draw(st.booleans()) else []
    spring = [forces.SpringDamper("spring", draw(GOOD_NAMES), draw(GOOD_NAMES), stiffness=draw(MOSTLY_GOOD),
                                  free_length=draw(MOSTLY_GOOD))] if draw(st.booleans()) else []
    return rt.Model(space, bodies, found, push + spring, gravity=draw(vectors(n)))


def all_finite(result: rt.Result) -> bool:
    return all(np.isfinite(result[c]).all() for c in result.channels)


@calm
@given(st.data())
def test_any_model_is_evaluated_to_numbers_or_refused_by_the_library(data):
    try:
        model = data.draw(models())
        result = rt.evaluate(model)
    except RouthError:
        return
    assert all_finite(result)


@calm
@given(st.data())
def test_any_model_moves_by_numbers_or_is_refused_by_the_library(data):
    try:
        result = rt.simulate(data.draw(models()), t_end=1e-3, options=rt.Options(output=[]))
    except RouthError:
        return
    assert all_finite(result)


@calm
@given(name=NAMES, mass=NASTY, inertia=st.one_of(NASTY, st.lists(NASTY, max_size=4)))
def test_any_body_is_made_or_refused(name, mass, inertia):
    try:
        body = rt.Body(name, mass, inertia)
    except RouthError:
        return
    assert body.mass >= 0.0


@calm
@given(start=st.dictionaries(st.one_of(NAMES, st.just("pin")), st.one_of(NASTY, st.dictionaries(
    st.sampled_from(["x", "y", "theta", "angle", "angle_rate", "vx", "q", 4, None]), st.one_of(MOSTLY_GOOD, vectors(3))))))
@example(start={"pin": {"angle": 1e300}})
def test_any_start_is_taken_or_refused(start):
    model = rt.Model("planar", [rt.Body("a", 1.0, 1.0)], [joints.Revolute("pin", "ground", "a", point_b=(0.0, 1.0))])
    try:
        result = rt.evaluate(model, rt.State(start))
    except RouthError:
        return
    assert all_finite(result)


@calm
@given(kind=st.sampled_from(["Rectangle", "Triangle", "CubicStep", "CubicPulse", "Haversine", "Sine", "SmoothRamp", "Table",
                             "Polynomial", "Constant", "ConstantRate"]),
       arguments=st.lists(st.one_of(NASTY, vectors(4)), max_size=4))
def test_any_profile_is_taken_or_refused(kind, arguments):
    try:
        profile = getattr(profiles, kind)(*arguments)
        push = forces.PointForce("push", "a", force=(1.0, 0.0), profile=profile)
        result = rt.evaluate(rt.Model("planar", [rt.Body("a", 1.0, 1.0)], forces=[push]), t=0.25)
    except RouthError:
        return
    except TypeError as error:
        if "argument" in str(error):  # Python's own word on a wrong number of arguments
            return
        raise
    assert all_finite(result)


def test_numbers_that_overflow_are_reported_where_they_do():
    model = rt.Model("planar", [rt.Body("a", 1e300, 1.0)], [joints.Revolute("pin", "ground", "a", point_b=(0.0, 1e10))],
                     gravity=(0.0, -9.81))
    with pytest.raises(SimulationError, match=r'model: "a\.\w+" is not a finite number at t = 0 s') as caught:
        rt.evaluate(model, rt.State(pin={"angle": 0.5}))
    assert caught.value.where.startswith("a.")
    with pytest.raises(SimulationError, match="a force or acceleration is not a finite number"):
        rt.simulate(model, rt.State(pin={"angle": 0.5}), 1.0)


def test_a_rod_of_coincident_ends_is_assembled():
    model = rt.Model("planar", [rt.Body("a", 1.0, 1.0)], [joints.Rod("rod", "ground", "a", length=2.0)])
    found = rt.assemble(model)["a"]
    assert math.hypot(found["x"], found["y"]) == pytest.approx(2.0, abs=1e-11)


def test_a_spring_of_no_length_pulls_nowhere_and_passes_through_zero():
    model = rt.Model("planar", [rt.Body("a", 2.0, 1.0)], forces=[forces.SpringDamper("s", "ground", "a", stiffness=10.0)])
    assert rt.evaluate(model)["a.ax"][0] == 0.0
    result = rt.simulate(model, rt.State(a={"x": 1.0}), 10.0, options=rt.Options(rtol=1e-11, atol=1e-12))
    assert result["a.x"][-1] == pytest.approx(math.cos(10.0 * math.sqrt(5.0)), abs=1e-8)


def test_a_chain_of_a_thousand_bodies_compiles_and_falls():
    n = 1000
    links = [joints.Revolute(f"p{i}", f"b{i - 1}" if i else "ground", f"b{i}", point_a=(0.5, 0.0) if i else (0.0, 0.0),
                             point_b=(-0.5, 0.0)) for i in range(n)]
    model = rt.Model("planar", [rt.Body(f"b{i}", 1.0, 0.1) for i in range(n)], links, gravity=(0.0, -9.81))
    result = rt.simulate(model, t_end=0.01, options=rt.Options(output=[]))
    assert all_finite(result)
    assert np.abs(result.energy["error"]).max() < 1e-6
