"""Boxes whose sides are flush: an edge along a side belongs to both faces, whichever way round-off moves it."""

import math

import numpy as np
import pytest

import routh as rt
from routh import shapes


def held_box(x, z, yaw, order):
    """A box on a fixed one of equal size, shifted along x and z and turned by `yaw` about the vertical."""
    pair = [shapes.Box(body, (0.1, 0.1, 0.1)) for body in order]
    model = rt.Model(space="spatial", gravity=(0.0, -9.81, 0.0), bodies=[rt.Body("box", 1.0, (0.1**2 / 6.0,) * 3)],
                     contacts=[rt.Contact("face", *pair, rt.Newton(e=0.0, mu=0.5))])
    start = rt.State(box={"x": x, "y": 0.1, "z": z, "q": (math.cos(0.5 * yaw), 0.0, math.sin(0.5 * yaw), 0.0)})
    return rt.simulate(model, start, t_end=0.1, options=rt.Options(engine="stepping", step=5e-3, contact_tolerance=1e-10))


ORDERS = [("ground", "box"), ("box", "ground")]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("yaw", [0.0, 1e-12, -1e-12, 3e-7, -3e-7, 3e-6])
@pytest.mark.parametrize("z", [0.0, 1e-17, -1e-17, 1e-10, -1e-10, 0.9e-7, -0.9e-7, 1.1e-7, -1.1e-7, 3e-7, -3e-7])
def test_a_box_whose_mass_centre_lies_over_the_face_stays(z, yaw, order):
    """The overlap of the faces reaches 5 mm beyond the mass centre; sides along x are flush up to z and yaw."""
    result = held_box(0.045, z, yaw, order)
    assert np.abs(result["box.y"] - 0.1).max() < 1e-9
    assert max(np.abs(result["box.qx"]).max(), np.abs(result["box.qz"]).max()) < 1e-8


@pytest.mark.parametrize("order", ORDERS)
def test_a_box_whose_mass_centre_lies_beyond_the_face_tips(order):
    assert abs(held_box(0.051, 0.0, 0.0, order)["box.qz"][-1]) > 1e-4
