"""Knobs of a model: contacts with equal laws turn together, and what comes out is a model that could have been declared."""

import pytest

import routh as rt
from routh import shapes
from routh.app.knobs import knobs_of, start_knobs, turned
from routh.app.thumbnails import FOLDER, VEHICLE
from routh.files.modelfile import ModelFile
from routh.gallery.scenes import SCENES, scene


def of(file):
    knobs, choices = knobs_of(file)
    return {knob.label: knob for knob in (*knobs, *start_knobs(file))}, {choice.label: choice for choice in choices}


def test_a_ball_has_restitution_friction_law_and_start():
    knobs, choices = of(scene("park_ball"))
    assert list(knobs) == ["bounce: restitution e", "bounce: friction μ", "start: ball.omega", "start: ball.y"]
    assert choices["bounce: law"].value == "Newton"
    assert knobs["start: ball.omega"].unit == "rad/s"


def test_equal_laws_turn_together():
    file = scene("newtons_cradle")
    knobs, _ = of(file)
    wish = turned(file, {knobs["click (4): restitution e"]: 0.3}, {})
    assert {contact.law.e for contact in wish.model.contacts} == {0.3}


def test_untouched_knobs_change_nothing():
    for name in ("park_ball", "newtons_cradle", "rope", "pendulum_with_stop", "tippe_top"):
        file = scene(name)
        knobs, choices = knobs_of(file)
        assert turned(file, {k: k.value for k in knobs}, {c: c.value for c in choices}) == file


def test_another_law_keeps_the_coefficients():
    file = scene("park_ball")
    knobs, choices = of(file)
    law = turned(file, {knobs["bounce: friction μ"]: 0.5}, {choices["bounce: law"]: "Poisson"}).model.contacts[0].law
    assert law == rt.Poisson(e=0.8, mu=0.5, mu_s=0.5)  # static friction is at least the sliding one


def test_a_start_value_is_replaced():
    file = scene("park_ball")
    knobs, _ = of(file)
    assert turned(file, {knobs["start: ball.y"]: 3.0}, {}).start["ball"]["y"] == 3.0


@pytest.mark.parametrize("mu", [rt.friction.Stribeck(0.5, 0.3, 0.1), rt.friction.Table((0.0, 1.0), (0.5, 0.3))])
def test_friction_that_depends_on_slip_has_no_slider(mu):
    disk, floor = shapes.Disk("ball", 0.1), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    file = ModelFile(
        rt.Model(
            space="planar", bodies=[rt.Body("ball", 1.0, 1.0)], contacts=[rt.Contact("c", disk, floor, law=rt.Poisson(0.5, mu))]
        )
    )
    knobs, choices = of(file)
    assert list(knobs) == ["c: restitution e"]
    changed = turned(file, {knobs["c: restitution e"]: 0.1}, {choices["c: law"]: "Stronge"}).model.contacts[0].law
    assert changed == rt.Stronge(0.1, mu)


def test_every_scene_has_its_picture():
    assert {path.stem for path in FOLDER.glob("*.webp")} == {VEHICLE, *SCENES}
