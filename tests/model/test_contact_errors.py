"""Starts and options that motion with contacts cannot take, and what it says; starts that it takes by a blow."""

from __future__ import annotations

import numpy as np
import pytest

import routh as rt
from routh import joints, profiles, shapes
from routh.errors import ModelError, SimulationError, StateError

approx = pytest.approx
FLOOR = shapes.HalfSpace("ground", (0.0, 1.0))
DISK = shapes.Disk("ball", 0.2)


def falling(*contacts, **more):
    """A ball and a rod above a floor."""
    made = contacts or [rt.Contact("bounce", DISK, FLOOR, rt.Newton(0.5, 0.3))]
    bodies = [rt.Body("ball", 1.0, 0.016), rt.Body("rod", 2.0, 0.1)]
    return rt.Model("planar", bodies, gravity=(0.0, -9.81), contacts=made, **more)


def in_space(a, b):
    return rt.Model("spatial", [rt.Body("ball", 1.0, (0.1,) * 3)], contacts=[rt.Contact("hit", a, b, rt.Newton(0.5, 0.3))])


# starts that overlap


def test_an_overlapping_start_names_the_pair_and_how_deep_it_is():
    message = r'contact "bounce" between "ball" and "ground" overlaps by 0\.05 m.*move the bodies apart'
    with pytest.raises(StateError, match=message):
        rt.simulate(falling(), rt.State(ball={"y": 0.15}), 1.0)
    with pytest.raises(StateError, match=message):
        rt.evaluate(falling(), rt.State(ball={"y": 0.15}))


def test_of_several_overlaps_the_deepest_is_named():
    model = falling(rt.Contact("bounce", DISK, FLOOR, rt.Newton(0.5, 0.3)),
                    rt.Contact("click", DISK, shapes.Disk("rod", 0.1), rt.Newton(0.5, 0.3)))
    with pytest.raises(StateError, match=r'"click" between "ball" and "rod" overlaps by 0\.1 m'):
        rt.simulate(model, rt.State(ball={"y": 0.19}, rod={"x": 0.2, "y": 0.19}), 1.0)


def test_a_stop_and_a_rope_that_are_passed_at_the_start_say_by_how_much():
    pin = joints.Revolute("pin", "ground", "rod")
    stopped = falling(rt.Stop("end", "pin", upper=0.5, e=0.0), joints=[pin])
    with pytest.raises(StateError, match=r'stop "end" overlaps by 0\.25'):
        rt.simulate(stopped, rt.State(pin={"angle": 0.75}), 1.0)
    tied = falling(rt.Rope("leash", "ground", "ball", 1.0, e=0.0))
    with pytest.raises(StateError, match=r'rope "leash" overlaps by 0\.5 m'):
        rt.simulate(tied, rt.State(ball={"y": -1.5}), 1.0)


def test_an_overlap_of_round_off_is_a_touch():
    result = rt.simulate(falling(), rt.State(ball={"y": 0.2 - 1e-12}), 0.1)
    assert result["bounce.force"] == approx(9.81, rel=1e-9)


# speeds into a closed contact


def test_speed_into_a_closed_contact_is_a_blow_at_the_start():
    result = rt.simulate(falling(), rt.State(ball={"y": 0.2, "vy": -2.0}), 0.1)
    blow = result.impacts[0]
    assert (blow.t, blow.kind, blow.contact) == (0.0, "start", "bounce")
    assert blow.v_after[0] == approx(1.0, rel=1e-14)
    assert result.energy["impacts"][-1] == approx(-1.5, rel=1e-12)  # (1 - e²) m v² / 2
    assert list(result.t[:2]) == [0.0, 0.0]  # both sides of the jump
    assert list(result["ball.vy"][:2]) == approx([-2.0, 1.0], rel=1e-14)


def test_a_taut_rope_that_is_drawn_and_a_stop_that_is_hit_at_the_start_strike_there():
    tied = falling(rt.Rope("leash", "ground", "ball", 1.0, e=0.5))
    result = rt.simulate(tied, rt.State(ball={"y": -1.0, "vy": -2.0}), 0.01)
    assert (result.impacts[0].kind, result.impacts[0].p_n) == ("start", approx(3.0, rel=1e-14))
    stopped = falling(rt.Stop("end", "pin", lower=0.0, e=0.0), joints=[joints.Revolute("pin", "ground", "rod")])
    result = rt.simulate(stopped, rt.State(pin={"angle": 0.0, "angle_rate": -3.0}), 0.01)
    assert result.impacts[0].kind == "start"
    assert result.impacts[0].p_n == approx(0.3, rel=1e-14)  # I omega, the mass centre is on the pin


def test_a_start_that_leaves_or_rests_is_no_blow():
    for speed in (0.0, 1.0):
        assert "start" not in rt.simulate(falling(), rt.State(ball={"y": 0.2, "vy": speed}), 0.01).impacts.kind


# what is not supported


@pytest.mark.parametrize(("make", "message"), [
    (lambda: falling(rt.Contact("hit", shapes.HalfSpace("ball", (0, -1)), FLOOR, rt.Newton(0.5, 0.3))), "neither has an end"),
    (lambda: falling(rt.Contact("hit", shapes.Disk("ball", 0.0), shapes.Disk("rod", 0.0), rt.Newton(0.5, 0.3))),
     "neither has a surface"),
    (lambda: in_space(shapes.HalfSpace("ball", (0, 0, 1)), shapes.HalfSpace("ground", (0, 0, 1))),
     "there is no gap for these two; HalfSpace meets Box, Capsule, Cylinder, Ellipsoid, Hull, Sphere"),
    (lambda: in_space(shapes.Sphere("ball", 0.0), shapes.Sphere("ground", 0.0)), "both have radius zero and never meet"),
])
def test_a_pair_that_cannot_touch_is_refused_with_both_shapes_named(make, message):
    with pytest.raises(ModelError, match=rf'contact "hit": a contact between .* of body "ball" and .*{message}'):
        rt.compile_model(make())


@pytest.mark.parametrize(("base", "shape"), [("ground", FLOOR), ("ball", DISK)])
def test_a_contact_that_can_move_nothing_is_refused(base, shape):
    model = falling(rt.Contact("hit", shapes.Disk("rod", 0.1), shape, rt.Newton(0.5, 0.3)),
                    joints=[joints.Prismatic("rail", base, "rod", axis=(0, 1))],
                    drivers=[rt.Driver("motor", "rail", profiles.ConstantRate(-1.0))])
    with pytest.raises(ModelError, match='"hit": neither of the two can be moved'):
        rt.compile_model(model)


def test_a_contact_between_bodies_that_only_a_driver_moves_against_each_other_is_refused():
    model = rt.Model(
        space="planar", gravity=(0.0, -9.81), bodies=[rt.Body(name, mass=1.0, inertia=0.1) for name in ("cart", "arm")],
        joints=[joints.Revolute("pin", "cart", "arm", point_a=(0.1, 0.0), point_b=(-0.4, 0.0))],
        drivers=[rt.Driver("motor", "pin", profiles.ConstantRate(-1.0))],
        contacts=[rt.Contact("hit", shapes.Disk("cart", 0.05), shapes.Disk("arm", 0.05), rt.Newton(0.5, 0.3))])
    with pytest.raises(ModelError, match=r'"hit": neither of the two can be moved against the other .* welded or driven'):
        rt.compile_model(model)


def test_several_points_of_one_pair_refuse_a_law_of_one_contact_at_a_time():
    box = shapes.Polygon("ball", [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)])
    model = falling(rt.Contact("slam", box, FLOOR, rt.Stronge(0.5, 0.3)), impacts="simultaneous")
    with pytest.raises(ModelError, match='"slam": touches at up to 4 points at once, and Stronge is a law of one contact'):
        rt.compile_model(model)


def test_the_implicit_method_does_not_stop_at_contacts_and_says_so():
    with pytest.raises(ModelError, match='"implicit" does not stop at rigid contacts and impulses; leave it at "auto"'):
        rt.simulate(falling(), rt.State(ball={"y": 1.0}), 1.0, options=rt.Options(method="implicit"))


def test_a_run_that_breaks_off_hands_over_what_it_has():
    few = {"max_steps": 20, "max_step": 0.01}
    with pytest.raises(SimulationError, match=r"more steps than Options\.max_steps") as error:
        rt.simulate(falling(), rt.State(ball={"y": 1.0}), 1e3, options=rt.Options(**few))
    assert error.value.status == error.value.result.status == "too many steps"
    assert 0.0 < error.value.t < 1e3
    assert np.isfinite(error.value.result["ball.y"]).all()
    part = rt.simulate(falling(), rt.State(ball={"y": 1.0}), 1e3, options=rt.Options(**few, on_error="return"))
    assert part.status == "too many steps"
    assert part.statistics["accepted"] + part.statistics["rejected"] == 20


def test_a_run_stops_at_its_number_of_steps_however_often_its_log_grows():
    model = falling(rt.Contact("bounce", DISK, FLOOR, rt.Newton(1.0, 0.0)))
    part = rt.simulate(model, rt.State(ball={"y": 1.0}), 1e3, options=rt.Options(max_steps=300, on_error="return"))
    assert len(part.impacts) > 64  # the log's first room
    assert 300 <= part.statistics["accepted"] + part.statistics["rejected"] < 310
