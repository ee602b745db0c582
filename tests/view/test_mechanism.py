"""What joints look like: links, pivots, guides, stops and springs; and scenes of mechanisms that nobody drew by hand."""

import math

import numpy as np
import pytest

import random_mechanisms
import routh as rt
from routh import forces, joints
from routh.view.document import document_of
from routh.view.faces import faces_of
from routh.view.parts import corners_of, stand_in
from routh.view.pictures import picture
from routh.view.scene import scene_of


def swing(**more):
    """A rod on a pin of the ground, for an instant."""
    model = rt.Model(
        space="planar",
        gravity=(0.0, -9.81),
        bodies=[rt.Body("rod", 1.0, 1.0 / 12.0)],
        joints=[joints.Revolute("pin", "ground", "rod", point_a=(2.0, 1.0), point_b=(0.0, 0.5))],
        **more,
    )
    return rt.simulate(model, rt.State(pin={"angle": 0.3}), t_end=1e-3)


def outlines(parts):
    return [np.array(part["points"])[:, :2] for part in parts if part["kind"] == "polygon"]


def test_a_pin_of_the_ground_stands_on_a_bracket():
    (bracket,) = outlines(scene_of(swing()).parts[-1])
    assert bracket[:, 0].mean() == pytest.approx(2.0, abs=0.05)
    assert bracket[:, 1].min() < 1.0 < bracket[:, 1].max()


def test_stops_are_drawn_where_the_rod_meets_them():
    result = swing(contacts=[rt.Stop("ends", "pin.angle", lower=-0.5, upper=0.5, e=0.0)])
    low, high = sorted((o.mean(axis=0) for o in outlines(scene_of(result).parts[-1])[1:]), key=lambda p: p[0])
    for cheek, limit, side in ((low, -0.5, -1.0), (high, 0.5, 1.0)):
        along = np.array([math.sin(limit), -math.cos(limit)])  # of the rod at its limit, from the pin downwards
        across = np.array([math.cos(limit), math.sin(limit)])
        off = cheek - np.array([2.0, 1.0])
        assert off @ along > 0.1
        assert side * (off @ across) > 0.0


def test_a_torsion_spring_is_a_coil_around_its_pin():
    result = swing(forces=[forces.JointSpring("spring", "pin.angle", stiffness=1.0)])
    (coil,) = (part for part in scene_of(result).parts[-1] if part["kind"] == "wire")
    assert np.mean(coil["points"], axis=0)[:2] == pytest.approx((2.0, 1.0), abs=0.02)


def test_a_slider_has_a_guide_as_long_as_its_way():
    model = rt.Model(
        space="planar",
        bodies=[rt.Body("block", 1.0, 0.01)],
        joints=[joints.Prismatic("guide", "ground", "block", axis=(0.6, 0.8))],
    )
    result = rt.simulate(model, rt.State(guide={"shift_rate": 2.0}), t_end=1.0)
    (rail,) = (part for part in scene_of(result).parts[-1] if part["kind"] == "wire")
    start, end = np.array(rail["points"])[:, :2]
    assert (end - start) / np.linalg.norm(end - start) == pytest.approx((0.6, 0.8))
    assert 2.0 < np.linalg.norm(end - start) < 4.0


@pytest.mark.parametrize("planar", [True, False])
def test_a_point_mass_without_shape_is_seen(planar):
    (part, *_) = stand_in({"mass": 1.0, "inertia": 0.0, "centre": [1.0, 2.0], "planar": planar}, 0.1)
    corners = corners_of(part)
    assert corners.mean(axis=0)[:2] == pytest.approx((1.0, 2.0))
    assert np.ptp(corners, axis=0)[:2] == pytest.approx(0.2)


def test_a_rod_whose_frame_is_at_its_pin_is_drawn_through_its_mass_centre():
    rod = rt.Body("rod", 1.0, 1.0 / 12.0, centre=(0.5, 0.0))
    model = rt.Model(space="planar", bodies=[rod], joints=[joints.Revolute("pin", "ground", "rod")])
    (outline, *_) = outlines(scene_of(rt.simulate(model, t_end=1e-3)).parts[0])
    assert outline[:, 0].min() < 0.0
    assert outline[:, 0].max() > 1.0
    assert np.ptp(outline[:, 1]) < 0.2


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("seed", range(12))
def test_every_random_mechanism_has_a_finite_scene(space, seed):
    mechanism = random_mechanisms.draw(np.random.default_rng(seed), space, n_bodies=2 + seed % 6, loops=seed % 3)
    options = rt.Options(output=1e-4, on_error="return")
    result = rt.simulate(mechanism.model, mechanism.start, mechanism.t + 1e-3, t_start=mechanism.t, options=options)
    scene = scene_of(result)
    assert np.isfinite([*scene.low, *scene.high, scene.span, scene.radius]).all()
    for own in scene.parts[:-1]:
        assert own  # every body is seen
        for part in own:
            assert all(np.isfinite(face).all() for face in faces_of(part, scene.span))
    document_of(result)
    assert "nan" not in picture(result)
