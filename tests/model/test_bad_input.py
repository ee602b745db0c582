"""Bad input: every refusal before a kernel runs, by the words that the user reads."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import routh as rt
from routh import forces, joints, profiles
from routh.errors import ModelError, StateError

nan, inf = math.nan, math.inf
UNIT = (1.0, 1.0, 1.0)


def refused(message: str, kind: type[Exception] = ModelError) -> Any:
    """A block that must raise `kind` with `message`, letter by letter, somewhere in it."""
    return pytest.raises(kind, match=re.escape(message))


def plane(*elements: Any, **fields: Any) -> rt.Model:
    """A planar model of bodies "b" and "c"."""
    return rt.Model("planar", [rt.Body("b", 1.0, 1.0), rt.Body("c", 1.0, 1.0)], joints=elements, **fields)


def space(*elements: Any, **fields: Any) -> rt.Model:
    """A spatial model of bodies "b" and "c"."""
    return rt.Model("spatial", [rt.Body("b", 1.0, UNIT), rt.Body("c", 1.0, UNIT)], joints=elements, **fields)


def pin(name: str = "pin", a: str = "ground", b: str = "b", **fields: Any) -> joints.Revolute:
    return joints.Revolute(name, a, b, **fields)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"mass": -2.0}, 'body "b": mass = -2 must be zero or positive'),
    ({"mass": nan}, 'body "b": mass = nan is not finite'),
    ({"mass": inf}, 'body "b": mass = inf is not finite'),
    ({"mass": "heavy"}, "body \"b\": mass = 'heavy' is not a number"),
    ({"mass": None}, 'body "b": give mass and inertia, or shapes'),
    ({"mass": 10**400}, 'body "b": mass is too large for a floating-point number'),
    ({"inertia": -1.0}, 'body "b": inertia = -1 must be zero or positive'),
    ({"inertia": nan}, 'body "b": inertia = nan is not finite'),
    ({"inertia": (1.0, 2.0)}, 'body "b": inertia has shape (2,); give a number (plane), three principal moments'),
    ({"inertia": (1.0, nan, 1.0)}, 'body "b": inertia[1] = nan is not finite'),
    ({"inertia": [[1.0, 0, 0], [0, inf, 0], [0, 0, 1]]}, 'body "b": inertia row 1[1] = inf is not finite'),
    ({"inertia": [[1.0, 0.2, 0], [0.1, 1, 0], [0, 0, 1]]}, 'body "b": inertia is not symmetric'),
    ({"inertia": (1.0, 1.0, -0.5)},
     'body "b": inertia is not positive definite; its principal moments are -0.5, 1, 1'),
    ({"inertia": [[1.0, 2.0, 0], [2.0, 1.0, 0], [0, 0, 2.0]]},
     "inertia is not positive definite; its principal moments are -1, 2, 3"),
    ({"inertia": (1.0, 2.0, 3.1)}, 'body "b": inertia violates the triangle inequality: principal moment 3.1 exceeds the '
                                   "sum 1 + 2 of the others"),
    ({"name": ""}, "body: a name must be non-empty text, not ''"),
    ({"name": 7}, "body: a name must be non-empty text, not 7"),
    ({"name": "ground"}, 'body "ground": this name is taken by the body that does not move'),
    *(({"name": f"a{c}b"}, "a name may hold no dot, slash, blank or control character") for c in "./ \t\n\r\0\u00a0"),
])
def test_a_body_that_cannot_be_is_refused(arguments, message):
    with refused(message):
        rt.Body(**{"name": "b", "mass": 1.0, "inertia": 1.0} | arguments)


def test_a_flat_disk_meets_the_triangle_inequality_with_equality():
    assert rt.Body("disk", 1.0, (0.1, 0.1, 0.2)).inertia == (0.1, 0.1, 0.2)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: pin("p", "b", "b"), 'joint "p": joins body "b" to itself'),
    (lambda: pin("p.q"), 'joint "p.q": a name may hold no dot'),
    (lambda: pin(point_a=3.0), 'joint "pin": point_a = 3.0 is not a vector'),
    (lambda: pin(point_a=(1.0,)), 'joint "pin": point_a = (1.0,) has 1 components, expected 2 or 3'),
    (lambda: pin(point_b=[]), 'joint "pin": point_b = () has 0 components, expected 2 or 3'),
    (lambda: pin(point_b=(0.0, nan)), 'joint "pin": point_b[1] = nan is not finite'),
    (lambda: pin(axis=(0.0, 0.0, 0.0)), 'joint "pin": axis = (0.0, 0.0, 0.0) has no direction'),
    (lambda: pin(axis=(0.0, 0.0, inf)), 'joint "pin": axis[2] = inf is not finite'),
    (lambda: pin(turn=(1.0, 0.0, 0.0)), 'joint "pin": turn = (1.0, 0.0, 0.0) has 3 components, expected 4'),
    (lambda: pin(turn="left"), "joint \"pin\": turn[0] = 'l' is not a number"),
    (lambda: pin(turn=nan), 'joint "pin": turn = nan is not finite'),
    (lambda: joints.Rod("rod", "ground", "b"), 'joint "rod": length = 0 must be positive'),
    (lambda: joints.Screw("s", "ground", "b", axis=(0, 0, 1), pitch=nan), 'joint "s": pitch = nan is not finite'),
    (lambda: joints.Gear("g", "p.angle", "p.angle"), 'coupling "g": couples "p.angle" to itself'),
    (lambda: joints.Gear("g", "p", "q", ratio=0.0), 'coupling "g": a ratio of zero couples nothing'),
    (lambda: joints.Gear("g", "p", "q", ratio=nan), 'coupling "g": ratio = nan is not finite'),
    (lambda: joints.Gear("g", "p", "q", phase=inf), 'coupling "g": phase = inf is not finite'),
    (lambda: joints.Rack("r", "p", "q"), 'coupling "r": a ratio of zero couples nothing'),
    (lambda: joints.Gear("a b", "p", "q"), 'coupling "a b": a name may hold no dot'),
])
def test_a_joint_that_cannot_be_is_refused(make, message):
    with refused(message):
        make()


def test_a_coupling_of_the_users_own_must_say_its_ratio():
    class Belt(joints.Coupling):
        phase = 0.0

    with pytest.raises(TypeError, match="Belt must say its ratio"):
        Belt("belt", "p", "q")


def law(t, x, rate, parameters):
    return 0.0


@pytest.mark.parametrize(("make", "message"), [
    (lambda: forces.PointForce("f", "b"), 'force "f": give a force vector in newtons'),
    (lambda: forces.PointForce("f", "b", force=(1.0, nan)), 'force "f": force[1] = nan is not finite'),
    (lambda: forces.PointForce("f", "b", force=(1.0, 0.0), profile=3.0),
     'force "f": profile = 3.0 is not a profile; see routh.profiles'),
    (lambda: forces.Torque("f", "b", torque=inf), 'force "f": torque = inf is not finite'),
    (lambda: forces.Torque("f", "b", torque=(1.0, 2.0)), "has 2 components, expected 3"),
    (lambda: forces.SpringDamper("f", "b", "b"), 'force "f": acts from body "b" on itself'),
    (lambda: forces.SpringDamper("f", "b", "c", stiffness=-1.0), 'force "f": stiffness = -1 must be zero or positive'),
    (lambda: forces.SpringDamper("f", "b", "c", free_length=nan), 'force "f": free_length = nan is not finite'),
    (lambda: forces.JointSpring("f", "p", free=nan), 'force "f": free = nan is not finite'),
    (lambda: forces.JointFriction("f", "p", coefficient=-0.1), 'force "f": coefficient = -0.1 must be zero or positive'),
    (lambda: forces.Bushing("f", "b", "b"), 'force "f": acts from body "b" on itself'),
    (lambda: forces.Bushing("f", "b", "c", stiffness=(1.0, -2.0)), 'force "f": stiffness = -2 must be zero or positive'),
    (lambda: forces.Bushing("f", "b", "c", rotation_damping=-2.0), "rotation_damping = -2 must be zero or positive"),
    (lambda: forces.Bushing("f", "b", "c", rotation_stiffness=(1.0, 2.0, -3.0)),
     "rotation_stiffness = -3 must be zero or positive"),
    (lambda: forces.LineLaw("f", "b", "c", law=3), 'force "f": law = 3 is not a function'),
    (lambda: forces.JointLaw("f", "p"), 'force "f": law = None is not a function'),
    (lambda: forces.BodyLaw("f", "b", law=law, parameters=(nan,)), 'force "f": parameters[0] = nan is not finite'),
    (lambda: forces.JointLaw("f", "p", law, 2.0), 'force "f": parameters = 2.0 is not a vector'),
    (lambda: forces.JointLaw("", "p", law), "force: a name must be non-empty text"),
    (lambda: rt.Driver("d", "p", 3.0), 'driver "d": motion = 3.0 is not a profile; see routh.profiles'),
    (lambda: rt.Driver("d", "p", profiles.Rectangle(0.0, 1.0)),
     'driver "d": Rectangle has a jump in speed, which takes an infinite force; use SmoothRamp'),
    (lambda: rt.Driver("d", "p", profiles.Triangle(0.0, 1.0)), 'driver "d": Triangle has a jump in speed'),
    (lambda: rt.Driver("d.e", "p", profiles.Constant()), 'driver "d.e": a name may hold no dot'),
])
def test_a_force_or_driver_that_cannot_be_is_refused(make, message):
    with refused(message):
        make()


@pytest.mark.parametrize(("make", "message"), [
    (lambda: profiles.Constant(nan), "profile Constant: value = nan is not finite"),
    (lambda: profiles.Rectangle(0.0, 0.0), "profile Rectangle: width = 0 must be positive"),
    (lambda: profiles.Haversine(inf, 1.0), "profile Haversine: start = inf is not finite"),
    (lambda: profiles.Sine(1.0, "fast"), "profile Sine: frequency = 'fast' is not a number"),
    (lambda: profiles.Polynomial(()), "profile Polynomial: coefficients = () has 0 components"),
    (lambda: profiles.Polynomial(range(7)), "has 7 components, expected 1 or 2 or 3 or 4 or 5 or 6"),
    (lambda: profiles.SmoothRamp(1.0, -1.0), "profile SmoothRamp: ramp_time = -1 must be positive"),
    (lambda: profiles.Table((0, 1, 2), (0, 1, 2)), "profile Table: needs at least 4 times and as many values, got (3,)"),
    (lambda: profiles.Table((0, 1, 2, 3), (0, 1, 2, 3, 4)), "got (4,) and (5,)"),
    (lambda: profiles.Table("abcd", "efgh"), "profile Table: times and values must be lists of numbers"),
    (lambda: profiles.Table((0, 1, 2, 3), (0, 1, nan, 3)), "profile Table: times and values must be finite"),
    (lambda: profiles.Table((0, 2, 1, 3), (0, 1, 2, 3)), "times must grow; times[2] = 1 does not exceed times[1] = 2"),
    (lambda: profiles.Table((0, 1, 2, 3), (0, 1, 2, 3), ends="loose"), 'ends = "loose" is not "not-a-knot"'),
])
def test_a_profile_that_cannot_be_is_refused(make, message):
    with refused(message):
        make()


class Odd(profiles.Profile):
    """A profile of the user's own, with whatever pieces."""

    def __init__(self, *pieces: profiles.Piece) -> None:
        self.given = list(pieces)

    def pieces(self) -> list[profiles.Piece]:
        return self.given


@pytest.mark.parametrize(("profile", "message"), [
    (profiles.Rectangle(10.0, 1e-17), 'force "f": profile Rectangle: the edges at 10 s and 10 s cannot be told apart'),
    (profiles.CubicStep(0.0, 1e-160), "profile CubicStep: overflows; its rise is too steep"),
    (Odd(), "profile Odd: has no pieces"),
    (Odd(profiles.Piece(0.0, (nan,))), "profile Odd: overflows"),
    (Odd(profiles.Piece(0.0, (1.0,) * 8)), "profile Odd: a piece holds powers up to 5, not 7"),
])
def test_pieces_that_no_kernel_can_hold_are_refused_when_compiled(profile, message):
    with refused(message):
        rt.compile_model(plane(forces=[forces.PointForce("f", "b", force=(1.0, 0.0), profile=profile)]))


def test_a_profile_without_pieces_says_so():
    with pytest.raises(TypeError, match="Profile must say its pieces"):
        profiles.Profile().pieces()


GOOD = pin()


@pytest.mark.parametrize(("make", "message"), [
    (lambda: rt.Model("flat", [rt.Body("b", 1, 1)]), "model: space = 'flat' is neither \"planar\" nor \"spatial\""),
    (lambda: rt.Model("planar", []), "model: there is no body in it; declare at least one Body"),
    (lambda: rt.Model("planar", rt.Body("b", 1, 1)), "is not a list"),
    (lambda: rt.Model("planar", [GOOD]), "model: bodies holds Revolute("),
    (lambda: plane(joints.Spherical("s", "ground", "b")), 'joint "s": Spherical does not exist in a planar model'),
    (lambda: space(joints.PinInSlot("s", "ground", "b")), 'joint "s": PinInSlot does not exist in a spatial model'),
    (lambda: plane(name=5), "model: name = 5 is not text"),
    (lambda: plane(gravity=-9.81), "model: gravity = -9.81 is not a vector"),
    (lambda: plane(gravity=(0.0, 0.0, -9.81)), "gravity = (0.0, 0.0, -9.81) has 3 components, expected 2"),
    (lambda: plane(gravity=(0.0, nan)), "model: gravity[1] = nan is not finite"),
    (lambda: space(gravity=(0.0, -9.81)), "has 2 components, expected 3"),
    (lambda: rt.Model("planar", [rt.Body("b", 1, UNIT)]), 'body "b": inertia of a planar model must be one number'),
    (lambda: rt.Model("spatial", [rt.Body("b", 1, 1.0)]),
     'body "b": inertia of a spatial model must be three principal moments or a 3 by 3 matrix'),
    (lambda: plane(pin("b")), 'name "b" is used twice: by a Body and by a Revolute'),
    (lambda: plane(GOOD, GOOD), 'name "pin" is used twice: by a Revolute and by a Revolute'),
    (lambda: plane(pin("ground")), 'name "ground" is used twice: by the fixed body and by a Revolute'),
    (lambda: plane(pin(b="d")), 'joint "pin": no body "d"; known: "ground", "b", "c"'),
    (lambda: plane(pin(a="grond")), 'joint "pin": no body "grond"; did you mean "ground"?'),
    (lambda: plane(pin(a=5)), 'joint "pin": no body "5"'),
    (lambda: plane(pin(point_a=(0.0, 0.0, 0.0))), 'point_a = (0.0, 0.0, 0.0) has 3 components, expected 2'),
    (lambda: plane(pin(axis=(0, 0, 1))), 'joint "pin": a Revolute of a planar model turns about the plane\'s normal'),
    (lambda: plane(joints.Prismatic("s", "c", "b")),
     'joint "s": give the axis of the Prismatic, a vector in the frame of "c"'),
    (lambda: plane(joints.PinInSlot("s", "c", "b")), "give the axis of the PinInSlot"),
    (lambda: space(pin()), 'joint "pin": give the axis of the Revolute, a vector in the frame of "ground"'),
    (lambda: space(pin(axis=(1.0, 0.0))), "axis = (1.0, 0.0) has 2 components, expected 3"),
    (lambda: space(joints.Universal("u", "c", "b", axis=(1, 0, 0))),
     'joint "u": give axis_b, the second axis in the frame of "b"'),
    (lambda: space(joints.Planar("s", "c", "b", axis=(0, 0, 1), tangent=(0, 0, -2))),
     'joint "s": tangent = (0.0, 0.0, -1.0) lies along the axis; give a direction in the plane'),
    (lambda: plane(pin(turn=(1, 0, 0, 0))), 'joint "pin": turn must be an angle'),
    (lambda: space(pin(axis=(0, 0, 1), turn=0.3)), 'joint "pin": turn must be a unit quaternion (w, x, y, z)'),
    (lambda: plane(forces=[forces.PointForce("f", "x", force=(1, 0))]), 'force "f": no body "x"'),
    (lambda: plane(forces=[forces.PointForce("f", "ground", force=(1, 0))]),
     'force "f": acts on the ground, which does not move'),
    (lambda: plane(forces=[forces.PointForce("f", "b", force=(1, 0, 0))]), "has 3 components, expected 2"),
    (lambda: plane(forces=[forces.Torque("f", "b", torque=(0, 0, 1))]),
     'force "f": torque must be a number in a planar model'),
    (lambda: space(forces=[forces.Torque("f", "b", torque=1.0)]), 'force "f": torque must be three numbers in space'),
    (lambda: space(forces=[forces.Bushing("f", "b", "c", stiffness=UNIT, damping=UNIT)]),
     'force "f": rotation_stiffness must be three numbers in space'),
    (lambda: plane(forces=[forces.SpringDamper("f", "b", "d")]), 'force "f": no body "d"'),
    (lambda: plane(GOOD, forces=[forces.JointSpring("f", "pni.angle")]),
     'force "f": no joint "pni"; did you mean "pin"?'),
    (lambda: plane(GOOD, forces=[forces.JointSpring("f", "pin.shift")]),
     'force "f": joint "pin" has no coordinate "shift"; known: "angle"'),
    (lambda: plane(GOOD, forces=[forces.JointSpring("f", None)]),
     'force "f": coordinate = None is not text such as "pin.angle"'),
    (lambda: plane(joints.Weld("w", "ground", "b"), forces=[forces.JointSpring("f", "w")]),
     'joint "w" (Weld) has no coordinate that a single number describes'),
    (lambda: space(joints.Spherical("s", "ground", "b"), forces=[forces.JointSpring("f", "s.qw")]),
     'joint "s" (Spherical) has no coordinate that a single number describes'),
    (lambda: plane(joints.PinInSlot("s", "ground", "b", axis=(1, 0)), forces=[forces.JointSpring("f", "s")]),
     'joint "s" has no coordinate ""; known: "shift", "angle"'),
    (lambda: plane(GOOD, joints.Gear("g", "pin", "pin.angle")), 'coupling "g": couples "pin" to itself'),
    (lambda: plane(GOOD, joints.Gear("g", "pin", "pin2")), 'coupling "g": no joint "pin2"; did you mean "pin"?'),
    (lambda: plane(GOOD, drivers=[rt.Driver("d", "pin", profiles.Constant(0.0)),
                                  rt.Driver("e", "pin.angle", profiles.Constant(0.0))]),
     'driver "e": over-constrained: "pin.angle" is driven by "d" already'),
])
def test_a_model_that_cannot_be_is_refused(make, message):
    with refused(message):
        make()


@pytest.mark.parametrize(("path", "message"), [
    ("pin.pont_a", 'path "pin.pont_a": Revolute has no field "pont_a"; did you mean "point_a"'),
    ("pni.point_a", 'path "pni.point_a": no element or field "pni"; did you mean "pin"?'),
    ("pin", 'path "pin": no element or field "pin"'),
    ("pin.name.first", 'path "pin.name.first": str has no field "first"'),
])
def test_an_unknown_path_of_a_model_names_the_near_ones(path, message):
    with refused(message):
        plane(GOOD).replace({path: (0.0, 1.0)})


def test_an_unknown_element_of_a_model_names_the_near_ones():
    with pytest.raises(KeyError, match='no element \\"pni\\"; did you mean \\"pin\\"'):
        plane(GOOD)["pni"]


def four_bar(**fields: Any) -> rt.Model:
    """A planar four-bar: crank "A", coupler "B", rocker "D", closed at "C"."""
    bodies = [rt.Body(n, 1.0, 0.1) for n in ("crank", "coupler", "rocker")]
    return rt.Model("planar", bodies, [
        pin("A", "ground", "crank", point_b=(-0.5, 0.0)),
        pin("B", "crank", "coupler", point_a=(0.5, 0.0), point_b=(-1.0, 0.0)),
        pin("D", "ground", "rocker", point_a=(2.0, 0.0), point_b=(-1.0, 0.0)),
        pin("C", "coupler", "rocker", point_a=(1.0, 0.0), point_b=(1.0, 0.0))], **fields)


def still(name: str, coordinate: str, value: float = 0.0) -> rt.Driver:
    return rt.Driver(name, coordinate, profiles.Constant(value))


@pytest.mark.parametrize(("make", "message"), [
    (lambda: None, "a Model is needed, not None"),
    (lambda: plane(joints.Weld("w", "ground", "b"), joints.Weld("w2", "b", "ground")),
     '"w2": over-constrained: everything it connects is fixed or driven'),
    (lambda: plane(GOOD, joints.Rod("rod", "ground", "b", length=1.0), drivers=[still("d", "pin")]),
     '"rod": over-constrained: everything it connects is fixed or driven'),
    (lambda: four_bar(drivers=[still(n, n.upper()) for n in "abcd"]),
     'closes a loop of joints whose coordinates are all in use, so its own coordinate, used by "c", is not free; take the'),
    (lambda: space(joints.Universal("u", "ground", "b", axis=(0, 0, 1), axis_b=(0, 0, 1))),
     'joint "u": axis and axis_b are parallel, so the joint is singular in every position'),
    (lambda: space(pin(axis=(0, 0, 1)),
                   joints.Universal("u", "ground", "b", axis=(0, 0, 1), axis_b=(0, 0, -1))),
     'joint "u": axis and axis_b are parallel'),
    (lambda: plane(pin(), pin("pin2", "b", "c"), joints.Gear("g", "pin", "pin2"),
                   drivers=[still("d", "pin"), still("e", "pin2")]),
     'coupling "g": over-constrained: both of its coordinates are driven'),
    (lambda: plane(forces=[forces.Force("f")]), 'force "f": a Force cannot be simulated'),
])
def test_a_model_that_cannot_be_compiled_says_why(make, message):
    with refused(message):
        rt.compile_model(make())


def unknown_name(t, x, rate, parameters):
    y = 2.0 * x
    return y + stiffness_of_my_spring  # noqa: F821


def unknown_attribute(t, x, rate, parameters):
    return x.spam


def imports(t, x, rate, parameters):
    import os
    return float(len(os.name))


def returns_nothing(t, x, rate, parameters):
    pass


class Callable:
    def __call__(self, t, x, rate, parameters):
        return 0.0


@pytest.mark.parametrize(("function", "message"), [
    (unknown_name, "the law 'unknown_name' does not compile: line "),
    (unknown_name, '"return y + stiffness_of_my_spring  # noqa: F821": NameError: name \'stiffness_of_my_spring\' is not'),
    (unknown_attribute, '"return x.spam": Unknown attribute \'spam\' of type float64'),
    (imports, '"import os": '),
    (returns_nothing, "the law 'returns_nothing' does not compile: it must return a number, not none"),
    (lambda t, x, rate, parameters: (x, x), "it must return a number, not UniTuple(float64 x 2)"),
    (lambda t, x: x, 'force "f": the law must take 4 arguments (t, x, rate, parameters), not 2'),
    (math.sin, "the law must take 4 arguments (t, x, rate, parameters), not 1"),
    (Callable(), "is not a plain Python function; write one with def"),
])
def test_a_law_that_does_not_compile_says_the_line_and_the_reason(function, message):
    with refused(message):
        rt.compile_model(plane(GOOD, forces=[forces.JointLaw("f", "pin", function)]))


def test_a_law_of_a_body_takes_five_arguments():
    with refused('force "f": the law must take 5 arguments (t, pose, velocity, parameters, out), not 4'):
        rt.compile_model(plane(forces=[forces.BodyLaw("f", "b", law)]))


@pytest.mark.parametrize(("make", "message"), [
    (lambda: rt.State(5), "start: 5 is not a mapping of names"),
    (lambda: rt.State(b=3.0), 'start of "b": 3.0 is not a mapping such as {"x": 0.0}'),
    (lambda: rt.State(b={"x": nan}), 'start of "b": x = nan is not finite'),
    (lambda: rt.State(b={"x": None}), 'start of "b": x = None is not a number'),
    (lambda: rt.State(b={"x": "one"}), 'start of "b": x = \'one\' is not a number'),
    (lambda: rt.State(b={"x": True}), 'start of "b": x = True is not a number'),
    (lambda: rt.State(b={"q": (1.0, 0.0, inf, 0.0)}), 'start of "b": q[2] = inf is not finite'),
    (lambda: rt.State(b={"q": (1.0,)}), 'start of "b": q = (1.0,) has 1 components'),
    (lambda: rt.State().replace({"b": 1.0}), 'path "b" names no quantity; write it as "b.x" or the like'),
])
def test_a_start_that_is_not_made_of_finite_numbers_is_refused(make, message):
    with refused(message, StateError):
        make()


BALL = (joints.Spherical("ball", "ground", "b"),)


@pytest.mark.parametrize(("model", "start", "message"), [
    (plane(GOOD), {"beam": {"x": 1.0}}, 'start: no body or joint "beam"; known: "b", "c", "pin"'),
    (plane(GOOD), {1: {"x": 1.0}}, 'start: no body or joint "1"'),
    (plane(GOOD), {"pin": {"angel": 1.0}}, 'start of "pin": no quantity "angel"; did you mean "angle"'),
    (plane(GOOD), {"b": {2: 1.0}}, 'start of "b": no quantity "2"'),
    (plane(GOOD), {"b": {"z": 1.0}}, 'start of "b": no quantity "z"; known: "x", "y", "theta", "vx", "vy", "omega"'),
    (plane(GOOD), {"b": {"x": (1.0, 2.0)}}, 'start of "b": x = (1.0, 2.0) must be one number'),
    (space(), {"b": {"q": (1.0, 0.0, 0.0)}}, 'start of "b": q = (1.0, 0.0, 0.0) must be 4 numbers'),
    (space(), {"b": {"omega": 3.0}}, 'start of "b": omega = 3.0 must be 3 numbers'),
    (space(), {"b": {"q": (1.0, 1.0, 0.0, 0.0)}}, 'start of "b": its quaternion has length 1.41421, not 1'),
    (space(*BALL), {"ball": {"qw": 1.0}}, 'start of "ball": give all of qw, qx, qy, qz or none'),
    (space(*BALL), {"ball": {"qw": 2.0, "qx": 0.0, "qy": 0.0, "qz": 0.0}},
     'start of "ball": its quaternion has length 2, not 1'),
    (plane(pin(point_b=(0.0, 1.0))), {"b": {"x": 3.0, "y": 0.0}}, 'start of "b": x = 3 contradicts joint "pin" by '),
    (plane(GOOD, drivers=[still("d", "pin", 0.5)]), {"pin": {"angle": 0.7}},
     'start of "pin": angle = 0.7 is given, but its driver says 0.5'),
    (plane(GOOD, drivers=[still("d", "pin")]), {"pin": {"angle_rate": 2.0}},
     'start: the speeds contradict each other: "pin.angle_rate" is off by 2 in the best fit'),
    (plane(GOOD), {"b": {"vx": 1.0}}, 'start: the speeds contradict each other: "b.vx" is off by 1 in the best fit'),
    (four_bar(), {"A": {"angle": 3.0}, "B": {"angle": 0.0}, "D": {"angle": 0.0}},
     'joint "C" cannot be assembled: residual '),
])
def test_a_start_that_contradicts_the_model_names_what_and_by_how_much(model, start, message):
    with refused(message, StateError):
        rt.evaluate(model, start)


def test_a_loop_too_short_to_close_is_refused_also_by_assemble():
    model = four_bar().replace({"D.point_a": (9.0, 0.0)})
    with refused('joint "C" cannot be assembled: residual ', StateError) as caught:
        rt.assemble(model)
    assert "no configuration near the start closes it" in str(caught.value)


def test_drivers_that_pull_a_loop_apart_are_refused_at_the_start():
    start = rt.assemble(four_bar(), rt.State(A={"angle": 0.8}, B={"angle": 0.3}, D={"angle": 1.8}))
    drivers = [rt.Driver(n.lower(), n, profiles.ConstantRate(rate, start[n]["angle"])) for n, rate in (("A", 1.0), ("D", 9.0))]
    with refused("cannot move as its drivers demand: rate ", StateError):
        rt.assemble(four_bar(drivers=drivers), start)


@pytest.mark.parametrize(("fields", "message"), [
    ({"rtol": 0.0}, "options: rtol = 0 must be positive"),
    ({"atol": nan}, "options: atol = nan is not finite"),
    ({"max_step": 0.0}, "options: max_step = 0.0 must be positive"),
    ({"max_step": "long"}, "options: max_step = 'long' must be positive"),
    ({"method": "magic"}, 'options: method = "magic" is not one of auto, explicit, implicit'),
    ({"on_error": "ignore"}, 'options: on_error = "ignore" is neither "raise" nor "return"'),
    ({"output": "often"}, "options: output = 'often' is neither a spacing nor a list of times"),
    ({"output": nan}, "options: output times must be finite"),
    ({"output": 0.0}, "options: an output spacing of 0.0 s must be positive"),
    ({"output": 1e-12}, "options: an output spacing of 1e-12 s means 1e+12 samples; 1e+07 are the limit"),
    ({"output": [[0.1]]}, "options: output has shape (1, 1); give a spacing or a list of times"),
    ({"output": [0.5, 2.0]}, "options: output time 2 s lies outside the run, 0 to 1 s"),
])
def test_options_that_make_no_sense_are_refused(fields, message):
    with refused(message):
        rt.Options(**fields).times(0.0, 1.0)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"t_end": nan}, "simulate: t_end = nan is not finite"),
    ({"t_end": "5 s"}, "simulate: t_end = '5 s' is not a number"),
    ({"t_end": 0.0}, "simulate: t_end = 0 must be later than t_start = 0"),
    ({"t_start": inf}, "simulate: t_start = inf is not finite"),
    ({"options": {"rtol": 1e-3}}, "simulate: options = {'rtol': 0.001} is not an Options"),
])
def test_runs_of_no_duration_are_refused(arguments, message):
    with refused(message):
        rt.simulate(plane(GOOD), **{"t_end": 1.0} | arguments)


@pytest.mark.parametrize("analysis", ["evaluate", "assemble", "equilibrium", "linearize", "degrees_of_freedom"])
def test_no_analysis_takes_a_time_that_is_not_finite(analysis):
    with refused("start: t = nan is not finite"):
        getattr(rt, analysis)(plane(GOOD), t=nan)


def test_a_model_that_nothing_holds_has_no_equilibrium():
    with refused("is there anything that holds the model?", StateError):
        rt.equilibrium(plane(gravity=(0.0, -9.81)))


def test_an_equilibrium_with_an_undefined_force_says_so():
    def undefined(t, x, rate, parameters):
        return math.nan

    with refused("equilibrium: an acceleration is not finite", StateError):
        rt.equilibrium(plane(GOOD, forces=[forces.JointLaw("f", "pin", undefined)]))


@pytest.mark.parametrize(("edge", "message"), [
    (0.0, "an acceleration is not finite; a force may be undefined near the start"),
    (2e-6, "equilibrium: no way down from an acceleration of 1e+10; give another start")])
def test_an_equilibrium_search_that_can_go_nowhere_says_so(edge, message):
    def walled(t, x, rate, parameters):
        return 1e10 if abs(x) <= parameters[0] else math.nan

    with refused(message, StateError):
        rt.equilibrium(plane(GOOD, forces=[forces.JointLaw("f", "pin", walled, (edge,))]))


def test_vectors_may_be_lists_tuples_or_arrays():
    made = [pin(point_b=kind([0.0, 1.0])) for kind in (list, tuple, np.array)]
    assert made[0] == made[1] == made[2]
