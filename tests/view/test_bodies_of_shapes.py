"""Bodies from shapes, point masses and massless frames are drawn; a saved run says their numbers."""

import numpy as np
import pytest

import routh as rt
from routh import joints, shapes
from routh.view import picture
from routh.view.parts import stand_in

AXIS = {"axis": (0.0, 0.0, 1.0)}
MODELS = {
    "massless rod": rt.Model("planar", [rt.Body("rod", 0.0, 0.0), rt.Body("bob", 0.3, 0.0)], joints=[
        joints.Revolute("pin", "ground", "rod"), joints.Weld("end", "rod", "bob", point_a=(0.0, -0.7))]),
    "point masses": rt.Model("spatial", [rt.Body("one", 1.0, 0.0), rt.Body("two", 0.5, 0.0)], joints=[
        joints.Revolute("pin", "ground", "one", (0.0, 0.0, 0.0), (0.0, 0.6, 0.0), **AXIS),
        joints.Revolute("elbow", "one", "two", (0.0, 0.0, 0.0), (0.0, 0.4, 0.0), **AXIS)]),
    "own frame": rt.Model("planar", [rt.Body("b", 1.0, 0.1, centre=(0.5, 0.2))]),
    "thin disc": rt.Model("spatial", [rt.Body("b", 1.0, shapes=[shapes.Cylinder("b", 0.3, 0.0, (0.0, 0.0, 1.0))])]),
    "plate": rt.Model("planar", [rt.Body("b", shapes=[shapes.Disk("b", 0.3)], density=2.0)]),
}  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_it_is_drawn(name):
    assert "<svg" in picture(rt.simulate(MODELS[name], None, 0.01))


def test_the_declaration_of_a_body_from_shapes_has_its_numbers():
    body = rt.simulate(MODELS["plate"], None, 0.01).declaration["model"]["bodies"][0]
    assert body["mass"] == pytest.approx(2.0 * np.pi * 0.09)
    assert body["inertia"] == pytest.approx(np.pi * 0.09 * 0.09)
    assert body["density"] == 2.0


def test_what_stands_for_a_body_is_at_its_mass_centre():
    part = stand_in({"mass": 1.0, "inertia": 0.02, "centre": [0.5, 0.2]})[0]
    assert np.mean(part["points"], axis=0) == pytest.approx((0.5, 0.2, 0.0))
    dot = stand_in({"mass": 0.0, "inertia": 0.0}, least=0.01)[0]
    assert np.abs(np.array(dot["points"])).max() == pytest.approx(0.01)
