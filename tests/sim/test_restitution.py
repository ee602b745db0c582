"""Restitution that depends on the approach speed: closed forms, both engines, batches, files, refusals."""

import math

import numpy as np
import pytest

import routh as rt
from routh import restitution, shapes
from routh.errors import ModelError

approx = pytest.approx

G = 9.81
POWER = restitution.PowerLaw(e=0.7, speed=1.0, power=0.25)
TABLE = restitution.Table(speeds=(0.0, 1.0, 4.0), values=(0.9, 0.6, 0.3))


def dropped(law):
    floor, ball = shapes.HalfSpace("ground", normal=(0.0, 1.0)), shapes.Disk("ball", radius=0.1)
    return rt.Model("planar", [rt.Body("ball", 1.0, 4e-3)], gravity=(0.0, -G), contacts=[rt.Contact("floor", floor, ball, law)])


@pytest.mark.parametrize("kind", [rt.Newton, rt.Poisson, rt.Stronge, rt.Brach, rt.Moreau])
def test_heights_of_a_power_law_fall_as_its_recursion_says(kind):
    result = rt.simulate(dropped(kind(POWER, 0.2)), rt.State(ball={"y": 1.1}), t_end=1.5)
    v = math.sqrt(2.0 * G)
    for hit in result.impacts:
        assert -hit.v_before[0] == approx(v, rel=1e-9)
        v = 0.7 * v**0.75                              # e v = 0.7 v^(-1/4) v
        assert hit.v_after[0] == approx(v, rel=1e-9)
        assert hit.e == approx(v / -hit.v_before[0], rel=1e-9)
        assert hit.replay().velocity == approx(hit.v_after, abs=1e-12)
    assert len(result.impacts) == 5


def test_a_table_is_a_straight_line_between_its_points():
    for speed, e in ((0.5, 0.75), (1.0, 0.6), (2.0, 0.5), (9.0, 0.3)):
        hit = rt.resolve_impact(np.diag([2.0, 3.0]), [-speed, 0.0], rt.Poisson(TABLE, 0.0))
        assert TABLE.at(speed) == approx(e) == approx(hit.velocity[0] / speed)


def test_johnsons_law_is_the_one_of_the_book():
    """e ≈ 3.8 (Y/E)^(1/2) (m V²/2 / (Y R³))^(-1/8), with p_d = 3.0 Y; the book rounds 3.74 up."""
    Y, E, R, m, v = 3e8, 1.15e11, 0.005, 0.0041, 5.0
    law = restitution.Plastic(Y, E, R, m)
    assert law.at(v) == approx(3.743 * math.sqrt(Y / E) * (0.5 * m * v * v / (Y * R**3)) ** -0.125, rel=1e-4)
    assert law.at(0.999 * law.elastic_speed) == 1.0 > law.at(1.001 * law.elastic_speed)
    hit = rt.resolve_impact(np.diag([2.0, 3.0]), [-v, 0.0], rt.Newton(law, 0.1))
    assert hit.velocity[0] == approx(law.at(v) * v)


@pytest.mark.parametrize("law", [POWER, TABLE, restitution.Plastic(3e8, 1.15e11, 0.005, 0.0041),
                                 restitution.Law(lambda v, p: 1.0 / (1.0 + p[0] * v), (0.2,))])
def test_compiled_laws_are_those_in_python(law):
    """The event engine calls compiled laws, `at` is Python."""
    hit = rt.simulate(dropped(rt.Newton(law, 0.0)), rt.State(ball={"y": 0.1, "vy": -3.0}), t_end=1e-3).impacts[0]
    assert hit.v_after[0] == approx(3.0 * law.at(3.0), rel=1e-14)


@pytest.mark.parametrize("law", [POWER, TABLE])
def test_the_stepping_engine_converges_to_the_event_driven_run(law):
    model, start = dropped(rt.Newton(law, 0.2)), rt.State(ball={"y": 1.1})
    exact = rt.simulate(model, start, t_end=1.0)["ball.y"][-1]
    error = [abs(rt.simulate(model, start, t_end=1.0, options=rt.Options(engine="stepping", step=h))["ball.y"][-1] - exact)
             for h in (2e-3, 5e-4)]
    assert error[1] < error[0] < 1e-4
    assert error[1] < 1e-5


def test_every_impact_of_a_sequence_has_its_own_speed():
    """Three balls in a row: the second impact is slower than the first, and e is larger."""
    balls = [rt.Body(name, 1.0, 1.0) for name in "abc"]
    disks = [shapes.Disk(name, radius=0.5) for name in "abc"]
    law = rt.Newton(TABLE, 0.0)
    model = rt.Model("planar", balls, impacts="sequential",
                     contacts=[rt.Contact("ab", disks[0], disks[1], law), rt.Contact("bc", disks[1], disks[2], law)])
    start = rt.State(a={"x": -1.0, "vx": 2.0}, b={"x": 0.0}, c={"x": 1.0})
    hits = rt.simulate(model, start, t_end=1e-6).impacts
    u = 0.5 * (1.0 + 0.5) * 2.0                        # e(2) = 0.5: speed of b after the first impact
    assert hits[0].e == approx(0.5)
    assert hits[1].e == approx(TABLE.at(u))
    assert hits[1].v_after[0] == approx(TABLE.at(u) * u)


def test_batches_take_a_restitution():
    v = np.array([[-0.5, 0.1], [-2.0, 0.3], [1.0, 0.0]])
    hits = rt.resolve_impacts(np.diag([2.0, 3.0]), v, TABLE, 0.3, "stronge")
    assert hits.velocity[:, 0] == approx([0.5 * 0.75, 2.0 * 0.5, 1.0])


def test_model_files_hold_them_with_units():
    text = """
    format = 1
    space = "planar"
    [bodies.ball]
    mass = 1.0
    inertia = 0.004
    [contacts.floor]
    a = {type = "HalfSpace", body = "ground", normal = [0, 1]}
    b = {type = "Disk", body = "ball", radius = "10 cm"}
    [contacts.floor.law]
    type = "Newton"
    mu = 0.2
    e = {type = "Plastic", yield_strength = "300 MPa", modulus = "115 GPa", radius = "5 mm", mass = "4.1 g"}
    """
    law = rt.parse_model(text).model["floor"].law
    assert law.e == restitution.Plastic(3e8, 1.15e11, 0.005, 0.0041)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: restitution.PowerLaw(1.2, 1.0), r"e = 1.2 is outside \[0, 1\]"),
    (lambda: restitution.PowerLaw(0.5, 0.0), "speed = 0"),
    (lambda: restitution.PowerLaw(0.5, 1.0, -1.0), "power = -1"),
    (lambda: restitution.Table((0.0, 1.0), (0.5, 1.5)), r"e = 1.5 at 1 m/s is outside \[0, 1\]"),
    (lambda: restitution.Table((1.0, 2.0), (0.5, 0.5)), "must start at zero and rise"),
    (lambda: restitution.Plastic(2e11, 1e11, 0.1, 1.0), "is not below modulus"),
    (lambda: restitution.Law(lambda v, p: 1.0 + v), r"is outside \[0, 1\]"),
    (lambda: restitution.Law(lambda v: 0.5), "does not give a number"),
    (lambda: restitution.Law(0.5), "is not a function"),
    (lambda: rt.Newton(restitution.Restitution(), 0.3), "is not a finite number"),
    (lambda: rt.Stop("s", "pin.angle", lower=0.0, e=POWER), "e = PowerLaw"),
])
def test_senseless_restitutions_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()
