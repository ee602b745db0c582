"""Arrows of contact forces: they stand where the bodies touch and carry what the channels say."""

import math

import numpy as np
import pytest

import routh as rt
from routh import shapes
from routh.view.contact_forces import contact_forces
from routh.view.scene import scene_of

G = 9.81


def resting(shape_kind, engine="events", floor_first=True):
    """A body of 2 kg that rests on a floor from the start."""
    kinds = {
        "disk": shapes.Disk("b", 0.1),
        "box": shapes.Polygon("b", ((-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1))),
    }
    pair = (shapes.HalfSpace("ground", normal=(0.0, 1.0)), kinds[shape_kind])
    model = rt.Model(
        space="planar",
        gravity=(0.0, -G),
        bodies=[rt.Body("b", 2.0, 0.01)],
        contacts=[rt.Contact("floor", *(pair if floor_first else pair[::-1]), law=rt.Newton(e=0.0, mu=0.3))],
    )
    options = rt.Options(engine=engine, **({"step": 1e-3} if engine == "stepping" else {}))
    return rt.simulate(model, rt.State(b={"y": 0.1, "x": 0.7}), t_end=0.2, options=options)


def arrows(result, sample=-1):
    keep = np.arange(len(result.t))
    first, at, force = contact_forces(result, scene_of(result).poses, keep)
    rows = slice(first[keep[sample]], first[keep[sample] + 1])
    return at[rows], force[rows]


@pytest.mark.parametrize("floor_first", [True, False])
@pytest.mark.parametrize("kind", ["disk", "box"])
@pytest.mark.parametrize("engine", ["events", "stepping"])
def test_what_rests_is_carried_from_below_whichever_body_comes_first(kind, engine, floor_first):
    at, force = arrows(resting(kind, engine, floor_first))
    assert force.sum(axis=0) == pytest.approx((0.0, 2.0 * G, 0.0), abs=1e-6)
    assert (force * at[:, :1]).sum(axis=0)[1] / (2.0 * G) == pytest.approx(0.7, abs=1e-6)  # below the mass centre
    assert at[:, 1] == pytest.approx(0.0, abs=1e-6)


def test_a_disk_on_a_slope_of_two_corners_is_pushed_along_the_normal_of_the_edge():
    slope = shapes.Polyline("ground", ((-2.0, 1.0), (2.0, -1.0)))
    model = rt.Model(
        space="planar",
        gravity=(0.0, -G),
        bodies=[rt.Body("b", 1.0, 0.005)],
        contacts=[rt.Contact("slope", slope, shapes.Disk("b", 0.1), law=rt.Newton(e=0.0, mu=1.0))],
    )
    normal = np.array([1.0, 2.0]) / math.sqrt(5.0)
    result = rt.simulate(model, rt.State(b={"x": 0.1 * normal[0], "y": 0.1 * normal[1]}), t_end=0.2)
    at, force = arrows(result)
    assert force[0, :2] / np.linalg.norm(force[0]) == pytest.approx(normal, abs=1e-6)
    assert np.linalg.norm(force[0]) == pytest.approx(G * normal[1], rel=1e-6)
    centre = np.array([result["b.x"][-1], result["b.y"][-1]])
    assert at[0, :2] == pytest.approx(centre - 0.1 * normal, abs=1e-6)
