"""A contact at a given point and normal, against `rt.collide`."""

import numpy as np
import pytest

import routh as rt
from routh import contacts
from routh.errors import ModelError

approx = pytest.approx
LAW = rt.Stronge(e=0.2, mu=0.5)


def test_two_cars_crash_as_collide_says():
    normal = np.array([0.8, 0.6])
    van = rt.FreeBody(1800.0, 3000.0, (0.0, 0.0), (12.0, 1.0), 0.3)
    car = rt.FreeBody(1200.0, 1500.0, (4.0, 0.5), (-2.0, 0.0), -0.1)
    point = np.array([2.1, 0.3])
    after = rt.collide(van, car, point, normal, LAW)
    crash = contacts.at_point("crash", "van", "car", tuple(point), tuple(normal), LAW, point_b=tuple(point - (4.0, 0.5)))
    model = rt.Model("planar", [rt.Body("van", 1800.0, 3000.0), rt.Body("car", 1200.0, 1500.0)], contacts=[crash])
    start = rt.State(van={"vx": 12.0, "vy": 1.0, "omega": 0.3}, car={"x": 4.0, "y": 0.5, "vx": -2.0, "omega": -0.1})
    hit = rt.simulate(model, start, t_end=1e-9)
    for name, body in (("van", after.a), ("car", after.b)):
        assert [hit[f"{name}.vx"][-1], hit[f"{name}.vy"][-1], hit[f"{name}.omega"][-1]] == approx([*body.velocity, body.spin])
    assert len(hit.impacts) == 1
    apart = rt.State(van=start["van"], car=start["car"] | {"x": 4.0 + 0.8e-6, "y": 0.5 + 0.6e-6})
    stepped = rt.simulate(model, apart, t_end=1e-6, options=rt.Options(engine="stepping", step=1e-6))
    assert stepped["van.vx"][-1] == approx(hit["van.vx"][-1], abs=0.5)  # Poisson's two phases stand for Stronge's


def test_it_works_in_space():
    """A sphere without radius above the ground: e of the law, and no spin through its centre."""
    touch = contacts.at_point("touch", "ground", "ball", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), rt.Newton(e=0.5, mu=0.0))
    model = rt.Model("spatial", [rt.Body("ball", 1.0, (1.0, 1.0, 1.0))], contacts=[touch])
    assert rt.simulate(model, rt.State(ball={"vz": -2.0}), t_end=1e-6)["ball.vz"][-1] == approx(1.0)


@pytest.mark.parametrize(("change", "message"), [
    ({"point_a": (0.0, 0.0, 0.0)}, "point_a = .* has 3 components, expected 2"),
    ({"normal": (0.0, 0.0)}, "normal"),
    ({"b": "van"}, "cannot touch itself"),
    ({"law": None}, "give a law"),
])
def test_bad_input_is_refused(change, message):
    given = {"a": "van", "b": "car", "point_a": (0.0, 0.0), "normal": (1.0, 0.0), "law": LAW} | change
    with pytest.raises(ModelError, match=message):
        contacts.at_point("crash", **given)


def test_a_plane_on_a_body_that_turns_is_met_where_geometry_says():
    """A plate that spins about its hinge strikes a point at rest: a plane without end has no speed without end."""
    touch = contacts.at_point("touch", "plate", "bob", (0.0, 0.0), (0.0, 1.0), rt.Newton(e=0.0, mu=0.0))
    model = rt.Model("planar", [rt.Body("plate", 1.0, 2.0), rt.Body("bob", 1.0, 1.0)],
                     joints=[rt.joints.Revolute("pin", "ground", "plate")], contacts=[touch])
    start = rt.State(pin={"angle": 0.0, "angle_rate": 0.5}, bob={"x": 1.0, "y": 1.0})
    hit = rt.simulate(model, start, t_end=2.0).impacts[0]
    assert hit.t == approx(0.25 * np.pi / 0.5, abs=1e-11)                 # the plane through the hinge has turned by 45 degrees
    assert hit.v_before[0] == approx(-0.5 * np.sqrt(2.0))
