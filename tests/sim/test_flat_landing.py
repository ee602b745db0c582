"""What comes down flat, blow by blow: its points are one contact, so that nothing but physics tips it."""

import math

import numpy as np
import pytest

import routh as rt
from routh import shapes

G, E, HEIGHT = 9.81, 0.6, 0.3
LAWS = [rt.Newton(E, 0.4), rt.Newton(E, 0.4, form="algebraic"), rt.Poisson(E, 0.4), rt.Stronge(E, 0.4),
        rt.Brach(E, 0.4, e_t=0.1)]


def dropped(space, law, **speeds):
    """A box, or a square of the plane, with its face down."""
    up = (0.0, 0.0, 1.0) if space == "spatial" else (0.0, 1.0)
    if space == "spatial":
        body, shape = rt.Body("box", 2.0, (0.02, 0.03, 0.04)), shapes.Box("box", (0.4, 0.3, 0.2))
        start = {"z": 0.1 + HEIGHT, **speeds}
    else:
        body, shape = rt.Body("box", 2.0, 0.03), shapes.Polygon("box", [(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)])
        start = {"y": 0.1 + HEIGHT, **speeds}
    floor = rt.Contact("land", shapes.HalfSpace("ground", up), shape, law)
    model = rt.Model(space, [body], gravity=tuple(-G * np.array(up)), contacts=[floor])
    return rt.simulate(model, rt.State(box=start), t_end=1.2)


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{type(law).__name__}{getattr(law, 'form', '')}")
def test_a_box_that_lands_on_its_face_bounces_as_a_ball_does(space, law):
    result = dropped(space, law)
    points = 4 if space == "spatial" else 2
    fall = math.sqrt(2.0 * HEIGHT / G)
    bounces = np.unique(result.impacts.t)
    expected = fall * (1.0 + 2.0 * np.cumsum(E ** np.arange(1, 6)))
    assert bounces[:6] == pytest.approx([fall, *expected], abs=1e-12)
    first = result.impacts[:points]
    assert first.p_n == pytest.approx(2.0 * (1.0 + E) * G * fall / points)
    assert first.v_after[:, 0] == pytest.approx(E * G * fall)
    for spin in ("wx", "wy", "wz") if space == "spatial" else ("omega",):
        assert np.abs(result[f"box.{spin}"]).max() == 0.0
    rest = result.events[result.events.kind == "rest"]
    assert rest.t == pytest.approx(fall * (1.0 + E) / (1.0 - E), abs=1e-10)
    assert np.abs(result.energy.error).max() < 1e-12


def test_the_blow_of_a_box_that_slides_as_it_lands_acts_in_the_middle_of_its_face():
    """Against the closed form of a sliding blow: friction at the face turns the body about its mass centre."""
    speed, mu = 3.0, 0.4
    result = dropped("planar", rt.Poisson(E, mu), vx=speed)
    p = result.impacts[:2].impulse.sum(axis=0)
    turned = result.at(result.impacts[0].t)
    arm, inertia, mass = 0.1, 0.03, 2.0
    fall = math.sqrt(2.0 * G * HEIGHT)
    first = (1.0 + E) * fall * mass  # the middle is under the mass centre: no coupling
    assert p == pytest.approx([first, -mu * first])
    # the face comes up on one side; the other side goes on approaching, and has a blow of its own
    assert len(np.unique(result.impacts[result.impacts.t == result.impacts[0].t].contact)) == 1
    assert result.impacts[2].v_before[0] == pytest.approx(E * fall - 0.2 * mu * first * arm / inertia)
    assert turned["box.omega"] != 0.0
    assert np.abs(result.energy.error).max() < 1e-9
