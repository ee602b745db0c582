"""Contacts, stops, ropes, impulses and friction coefficients: what may be declared, and what is refused by which message."""

from __future__ import annotations

import ctypes
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import routh as rt
from routh import contacts, friction, impulses, joints, profiles, shapes
from routh.errors import ModelError

ROUND_OFF = 1e-14
approx = pytest.approx
LAW = rt.Poisson(e=0.5, mu=0.3)
BALL, FLOOR = shapes.Disk("ball", 0.03), shapes.HalfSpace("ground", (0.0, 1.0))


def model(*touching, **more):
    """A ball, a brick and an arm on a pin in the plane."""
    bodies = [rt.Body("ball", 0.2, 1e-4), rt.Body("brick", 1.0, 0.1), rt.Body("arm", 1.0, 0.1)]
    return rt.Model("planar", bodies, [joints.Revolute("pin", "ground", "arm")], contacts=touching, **more)


def in_space(*touching, **more):
    return rt.Model("spatial", [rt.Body("ball", 0.2, (1e-4,) * 3)], contacts=touching, **more)


# what is declared is found again


def test_contacts_and_impulses_are_elements_with_names():
    m = model(rt.Contact("bounce", BALL, FLOOR, law=LAW), rt.Stop("end", "pin.angle", upper=1.0, e=0.3),
              rt.Rope("leash", "ball", "ground", 2.0, point_b=(0.0, 3.0), e=0.0),
              impulses=[impulses.Impulse("shot", "ball", 0.5, (1.0, 0.0))])
    assert [e.name for e in m.elements()][-4:] == ["bounce", "end", "leash", "shot"]
    assert m["bounce"].law is LAW
    assert m["leash"].point_b == (0.0, 3.0)
    assert m.impacts == "sequential"
    assert m == m.replace({})


@pytest.mark.parametrize(("path", "value", "read"), [
    ("bounce.law.e", 0.9, lambda m: m["bounce"].law.e),
    ("bounce.law.mu.static", 0.7, lambda m: m["bounce"].law.static),
    ("bounce.a.radius", 0.05, lambda m: m["bounce"].a.radius),
    ("end.upper", 2.0, lambda m: m["end"].upper),
    ("shot.impulse", (0.0, 2.0), lambda m: m["shot"].impulse),
    ("shot.at", 1.5, lambda m: m["shot"].at),
    ("impacts", "simultaneous", lambda m: m.impacts),
])
def test_every_number_of_a_contact_has_a_path(path, value, read):
    m = model(rt.Contact("bounce", BALL, FLOOR, law=rt.Newton(0.5, friction.Stribeck(0.5, 0.3, 0.1))),
              rt.Stop("end", "pin", lower=-1.0, upper=1.0, e=1.0), impulses=[impulses.Impulse("shot", "ball", 0.5, (1.0, 0.0))])
    changed = m.replace({path: value})
    assert read(changed) == value
    assert read(m) != value


def test_a_changed_path_is_checked_like_a_declaration():
    m = model(rt.Contact("bounce", BALL, FLOOR, law=LAW))
    with pytest.raises(ModelError, match=r"e = 1\.3 is outside \[0, 1\]"):
        m.replace({"bounce.law.e": 1.3})
    with pytest.raises(ModelError, match='no element or field "bonce"; did you mean "bounce"'):
        m.replace({"bonce.law.e": 0.3})


def test_a_half_space_and_a_capsule_live_in_both_spaces():
    in_space(rt.Contact("roll", shapes.Capsule("ball", (0, 0, 0), (0, 0, 1), 0.1), shapes.HalfSpace("ground", (0, 0, 1)), LAW))
    model(rt.Contact("roll", shapes.Capsule("ball", (0, 0), (0, 1), 0.1), FLOOR, LAW))


def test_pairs_are_named_after_their_bodies_and_none_is_on_one_body():
    balls = [shapes.Disk(name, 0.03) for name in ("cue", "one", "two")]
    assert [c.name for c in contacts.between("click", balls, balls, LAW)] == ["click_cue-one", "click_cue-two", "click_one-two"]
    rails = [shapes.HalfSpace("ground", n) for n in ((1, 0), (-1, 0))]
    named = [c.name for c in contacts.between("rail", balls[:2], rails, LAW)]
    assert named == ["rail_cue-ground", "rail_cue-ground-2", "rail_one-ground", "rail_one-ground-2"]
    assert [c.name for c in contacts.between("rail", balls, FLOOR, LAW)] == ["rail_cue-ground", "rail_one-ground",
                                                                             "rail_two-ground"]
    assert len(contacts.between("click", balls + rails, balls + rails, LAW)) == 3 + 3 * 2


# what is refused


def contact(a=BALL, b=FLOOR, law=LAW, name="bounce"):
    return rt.Contact(name, a, b, law)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: rt.Contact("bounce", BALL, FLOOR), "e and mu have no defaults"),
    (lambda: contact(law=0.5), r"law = 0\.5 is not an impact law"),
    (lambda: contact(a="ball"), "a = 'ball' is not a shape; see routh.shapes"),
    (lambda: contact(b=shapes.Disk("ball", 0.1)), 'contact "bounce": both shapes belong to body "ball"'),
    (lambda: contact(name="a.b"), 'contact "a.b": a name may hold no dot'),
    (lambda: rt.Stop("end", "pin", e=0.5), 'stop "end": give lower, upper or both'),
    (lambda: rt.Stop("end", "pin", 1.0, -1.0, 0.5), "lower = 1 is not below upper = -1"),
    (lambda: rt.Stop("end", "pin", upper=math.nan, e=0.5), "upper = nan is not finite"),
    (lambda: rt.Stop("end", "pin", upper=1.0), 'stop "end": give e, .* it has no default'),
    (lambda: rt.Stop("end", "pin", upper=1.0, e=-0.1), r"e = -0\.1 is outside \[0, 1\]"),
    (lambda: rt.Rope("leash", "ball", "ball", 1.0, e=0.0), 'rope "leash": ties body "ball" to itself'),
    (lambda: rt.Rope("leash", "ball", "arm", 0.0, e=0.0), "length = 0 must be positive"),
    (lambda: rt.Rope("leash", "ball", "arm", 1.0), 'rope "leash": give e'),
    (lambda: rt.Rope("leash", "ball", "arm", 1.0, (1, 2, 3, 4), e=0), "point_a .* has 4 components"),
    (lambda: contacts.between("click", [BALL], ["floor"], LAW), "shapes_b holds 'floor', which is not a shape"),
    (lambda: contacts.between("click", 3, BALL, LAW), "shapes_a holds 3, which is not a shape"),
    (lambda: impulses.Impulse("shot", "ball", 0.0), 'impulse "shot": give a vector of impulse in N s'),
    (lambda: impulses.Impulse("shot", "ball", math.inf, (1, 0)), "at = inf is not finite"),
    (lambda: impulses.AngularImpulse("spin", "ball", 0.0), "give a moment of impulse in N m s"),
    (lambda: impulses.AngularImpulse("spin", "ball", 0.0, (1.0, 2.0)), "has 2 components, expected 3"),
])
def test_a_declaration_that_makes_no_sense_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def twice():
    return [contact(), rt.Contact("slide", shapes.Disk("brick", 0.1), FLOOR, rt.Stronge(0.5, 0.3))]


@pytest.mark.parametrize(("make", "message"), [
    (lambda: model(contact(a=shapes.Sphere("ball", 0.1))), "a Sphere does not exist in a planar model"),
    (lambda: model(contact(a=shapes.Disk("bal", 0.1))), 'no body "bal"; did you mean "ball"'),
    (lambda: model(contact(b=shapes.HalfSpace("ground", (0, 0, 1)))), "normal of the HalfSpace .* expected 2"),
    (lambda: model(contact(a=shapes.Capsule("ball", (0, 0, 0), (1, 0, 0), 0.1))), "start of the Capsule .* expected 2"),
    (lambda: model(contact(), contact()), 'name "bounce" is used twice'),
    (lambda: model(contact(name="ball")), 'name "ball" is used twice: by a Body and by a Contact'),
    (lambda: model(rt.Stop("end", "pin.shift", upper=1.0, e=0)), 'stop "end": joint "pin" has no coordinate "shift"'),
    (lambda: model(rt.Stop("end", "pni", upper=1.0, e=0)), 'no joint "pni"; did you mean "pin"'),
    (lambda: model(rt.Stop("end", "pin", upper=1.0, e=0), drivers=[rt.Driver("motor", "pin", profiles.ConstantRate(1.0))]),
     'is driven by "motor", and a prescribed motion cannot be stopped'),
    (lambda: model(rt.Rope("leash", "ball", "gruond", 1.0, e=0)), 'no body "gruond"; did you mean "ground"'),
    (lambda: model(rt.Rope("leash", "ball", "ground", 1.0, (1, 2, 3), e=0)), "point_a .* expected 2"),
    (lambda: model(FLOOR), "contacts holds HalfSpace.* does not belong there"),
    (lambda: model(impulses=[BALL]), "impulses holds Disk.* does not belong there"),
    (lambda: model(impulses=[impulses.Impulse("shot", "bal", 0.0, (1, 0))]), 'impulse "shot": no body "bal"'),
    (lambda: model(impulses=[impulses.Impulse("shot", "ground", 0.0, (1, 0))]), "acts on the ground, which does not move"),
    (lambda: model(impulses=[impulses.Impulse("shot", "ball", 0.0, (1, 0, 0))]), "impulse .* has 3 components, expected 2"),
    (lambda: model(impulses=[impulses.AngularImpulse("spin", "ball", 0.0, (1, 0, 0))]), "a number in a planar model"),
    (lambda: in_space(impulses=[impulses.AngularImpulse("spin", "ball", 0.0, 1.0)]), "three numbers in space"),
    (lambda: model(impacts="both"), "impacts = 'both' is neither"),
    (lambda: model(*twice(), impacts="simultaneous"), "Stronge cannot .* among 2 contacts: Stronge's e compares"),
    (lambda: model(contact(law=rt.Brach(0.5, 0.3)), rt.Stop("end", "pin", upper=1.0, e=0), impacts="simultaneous"),
     "Brach's ratios are those of one impulse"),
])
def test_a_contact_that_does_not_fit_its_model_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_one_contact_alone_may_follow_any_law():
    assert model(twice()[1], impacts="simultaneous").impacts == "simultaneous"
    assert len(model(*twice()).contacts) == 2


# friction that depends on the slip


def test_a_stribeck_curve_falls_from_static_to_kinetic_and_grows_with_viscosity():
    mu = friction.Stribeck(0.5, 0.3, speed=0.1, viscous=0.02)
    assert mu.at(0.0) == mu.static == 0.5
    assert mu.at(-0.1) == mu.at(0.1) == approx(0.3 + 0.2 / math.e + 0.002, rel=ROUND_OFF)
    assert mu.at(10.0) == approx(0.3 + 0.2, rel=ROUND_OFF)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.floats(0.01, 1.0), st.floats(0.0, 2.0)), min_size=1, max_size=12), st.floats(0.0, 15.0))
def test_a_table_is_straight_between_its_points(steps, slip):
    speeds = np.concatenate([[0.0], np.cumsum([s for s, _ in steps])])
    values = [0.4, *(v for _, v in steps)]
    assert friction.Table(speeds, values).at(slip) == approx(np.interp(slip, speeds, values), abs=10 * ROUND_OFF)


def weak(slip, p):
    return p[0] / (1.0 + slip / p[1])


def drops(slip, p):
    return 0.3 if slip < 0.1 else -1.0


@pytest.mark.parametrize("mu", [friction.Stribeck(0.5, 0.3, 0.1, 0.01, 1.5), friction.Table((0, 0.1, 0.4), (0.5, 0.3, 0.35)),
                                friction.Law(weak, (0.5, 0.2))], ids=lambda mu: type(mu).__name__)
def test_a_compiled_coefficient_is_the_declared_one(mu):
    from routh.compiler.laws import compile_friction

    law, parameters = compile_friction("here", mu)
    p, number = np.array(parameters), ctypes.c_double
    call = ctypes.CFUNCTYPE(number, number, number, number, ctypes.c_void_p, ctypes.c_int64)(law.address)
    for slip in (0.0, 0.05, 0.1, 0.2, 0.37, 0.4, 5.0):
        assert call(0.0, slip, 0.0, p.ctypes.data, p.size) == approx(mu.at(slip), rel=ROUND_OFF)


def test_static_friction_is_the_value_at_rest_unless_it_is_given():
    mu = friction.Stribeck(0.5, 0.3, 0.1)
    assert rt.Poisson(0.5, mu).static == 0.5
    assert rt.Poisson(0.5, mu, mu_s=0.6).static == 0.6
    with pytest.raises(ModelError, match=r"mu_s = 0\.4 is below mu = 0\.5"):
        rt.Poisson(0.5, mu, mu_s=0.4)


def test_a_blow_takes_the_coefficient_of_the_slip_it_starts_with():
    A, v, mu = np.diag([2.0, 3.0]), np.array([-1.0, 4.0]), friction.Table((0.0, 4.0, 8.0), (0.5, 0.2, 0.1))
    hit = rt.resolve_impact(A, v, rt.Poisson(0.5, mu))
    assert hit.mu == approx(0.2, rel=ROUND_OFF)
    assert np.array_equal(hit.impulse, rt.resolve_impact(A, v, rt.Poisson(0.5, 0.2, mu_s=0.5)).impulse)
    assert hit.impulse[1] == approx(-0.2 * 0.75, rel=ROUND_OFF)  # it slides all the way: p_t = -mu (1 + e) |v_n| / A_nn
    assert np.array_equal(hit.path.impulse[-1], hit.impulse)
    rising = friction.Table((0.0, 4.0), (0.1, 0.4))
    assert rt.resolve_impact(A, v, rt.Poisson(0.5, rising)).impulse[1] == approx(-0.4 * 0.75, rel=ROUND_OFF)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: friction.Stribeck(0.2, 0.3, 0.1), r"friction Stribeck: static = 0\.2 is below kinetic = 0\.3"),
    (lambda: friction.Stribeck(0.5, 0.3, 0.0), "speed = 0 must be positive"),
    (lambda: friction.Stribeck(0.5, 0.3, 0.1, viscous=-1.0), "viscous = -1 must be zero or positive"),
    (lambda: friction.Table((0.0, 1.0), (0.5,)), "friction Table: 2 speeds and 1 values"),
    (lambda: friction.Table(0.0, (0.5,)), "speeds = 0.0 is not a vector"),
    (lambda: friction.Table((0.1, 1.0), (0.5, 0.4)), "must start at zero and rise"),
    (lambda: friction.Table((0.0, 1.0), (0.5, -0.4)), r"values hold -0\.4; friction opposes slip"),
    (lambda: friction.Law(0.3), r"function = 0\.3 is not a function"),
    (lambda: friction.Law(weak, (0.5,)), r"friction Law: function\(0\.0, parameters\) does not give a number"),
    (lambda: friction.Law(weak, (-0.5, 1.0)), r"mu = -0\.5 at a slip of 0 m/s; friction opposes slip"),
    (lambda: friction.Law(drops), r"mu = -1 at a slip of 0\.1 m/s; friction opposes slip"),
    (lambda: friction.Friction().as_law(), "Friction must say its law"),
    (lambda: rt.Newton(0.5, "0.3"), "Newton: mu = '0.3' is not a finite number"),
    (lambda: rt.Newton(True, 0.3), "Newton: e = True is not a finite number"),
    (lambda: rt.Newton(0.5, 0.3, mu_s="x"), "Newton: mu_s = 'x' is not a finite number"),
    (lambda: rt.Newton(0.5, 0.3, mu_s=math.nan), "Newton: mu_s = nan is not a finite number"),
])
def test_a_coefficient_that_makes_no_sense_is_refused(make, message):
    with pytest.raises((ModelError, TypeError), match=message):
        make()


def test_shapes_of_one_body_have_no_contact_between_them():
    assert contacts.between("click", [BALL], [BALL], LAW) == []  # so that loops over n bodies hold at n = 1


def test_a_number_of_a_list_is_changed_by_its_place():
    ball, floor = shapes.Disk("ball", radius=0.1), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", 1.0, 0.1)],
                     contacts=[rt.Contact("bounce", floor, ball, law=rt.Newton(e=0.5, mu=0.1))])
    assert model.replace({"gravity.1": -1.62}).gravity == (0.0, -1.62)
    assert model.replace({"bounce.b.point": (0.0, 0.0), "bounce.b.point.1": 0.02}).contacts[0].b.point == (0.0, 0.02)
    for path, words in (("gravity.2", "in a list of 2"), ("gravity.x", "is no place"), ("gravity.1.2", "has no field")):
        with pytest.raises(ModelError, match=words):
            model.replace({path: 1.0})
