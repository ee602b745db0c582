"""Degrees of freedom: counts, and redundant constraints by name."""

from __future__ import annotations

import math

import pytest

import routh as rt
from routh import joints, profiles

UNIT = (1.0, 1.0, 1.0)
Z = (0.0, 0.0, 1.0)


def four_bar(space="planar", **fields):
    """Crank 1 m, coupler 2 m, rocker 2 m, base 2 m; pins about z."""
    vector = (lambda x: (x, 0.0)) if space == "planar" else (lambda x: (x, 0.0, 0.0))
    axis = None if space == "planar" else Z
    bodies = [rt.Body(n, 1.0, 0.1 if space == "planar" else UNIT) for n in ("crank", "coupler", "rocker")]
    ends = [("A", "ground", "crank", 0.0, -0.5), ("B", "crank", "coupler", 0.5, -1.0), ("D", "ground", "rocker", 2.0, -1.0),
            ("C", "coupler", "rocker", 1.0, 1.0)]
    return rt.Model(space, bodies, [joints.Revolute(n, a, b, point_a=vector(x), point_b=vector(y), axis=axis)
                                    for n, a, b, x, y in ends], **fields)


START = rt.State(A={"angle": 0.8}, B={"angle": 0.3}, D={"angle": 1.8})


def test_a_planar_four_bar_has_one_freedom():
    count = rt.degrees_of_freedom(four_bar(), START)
    assert (count.bodies, count.coordinates, count.constraints, count.freedom) == (3, 9, 8, 1)
    assert count.redundant == {}
    assert count.closures == ("C",)
    assert set(count.tree) == {"A", "B", "D"}
    assert len(count.independent) == 1


def test_the_same_four_bar_in_space_has_three_redundant_constraints():
    count = rt.degrees_of_freedom(four_bar("spatial"), START)
    assert (count.coordinates, count.constraints, count.freedom) == (18, 17, 1)
    assert count.redundant == {"C": 3}
    assert "redundant constraints   C (3)" in count.table()


def test_a_driver_takes_a_freedom():
    model = four_bar(drivers=[rt.Driver("motor", "A", profiles.Constant(0.8))])
    count = rt.degrees_of_freedom(model, START)
    assert (count.freedom, count.independent, count.redundant) == (0, (), {})


def test_a_loop_of_ball_joints_keeps_the_spin_of_its_links():
    """Four-bar with ball joints at both ends of the coupler: the coupler may spin about itself."""
    model = four_bar("spatial")
    changed = [joints.Spherical(j.name, j.a, j.b, j.point_a, j.point_b) if j.name in "BC" else j for j in model.joints]
    start = rt.assemble(four_bar("spatial"), START)
    count = rt.degrees_of_freedom(model.replace({"joints": changed}), rt.State(A={"angle": start["A"]["angle"]},
                                                                              D={"angle": start["D"]["angle"]}))
    assert count.freedom == 2
    assert count.redundant == {}


def test_a_parallelogram_with_a_third_link_has_a_redundant_pin_that_is_named():
    bodies = [rt.Body("platform", 1.0, 1.0)] + [rt.Body(f"link{i}", 1.0, 0.1) for i in range(3)]
    pins = []
    for i in range(3):
        pins += [joints.Revolute(f"foot{i}", "ground", f"link{i}", point_a=(float(i), 0.0), point_b=(0.0, -0.5)),
                 joints.Revolute(f"head{i}", f"link{i}", "platform", point_a=(0.0, 0.5), point_b=(i - 1.0, 0.0))]
    count = rt.degrees_of_freedom(rt.Model("planar", bodies, pins))
    assert count.freedom == 1
    assert sum(count.redundant.values()) == 1
    assert set(count.redundant) <= {p.name for p in pins}


def test_bennetts_four_bar_moves_although_it_is_over_constrained():
    """Bennett: opposite links equal, twist sines in the ratio of the lengths. Three equations are redundant."""
    a, b, alpha = 1.0, 1.5, 0.6
    beta = math.asin(b / a * math.sin(alpha))
    bodies, pins, previous = [], [], ("ground", (0.0, 0.0, 0.0))
    lengths, twists = [a, b, a, b], [alpha, beta, alpha, beta]
    # frames: joint axis z, link along x of length l, next axis turned about x by the twist; link 0 is the ground
    previous = ("ground", (lengths[0], 0.0, 0.0), twists[0])
    for i in (1, 2, 3):
        name, point, twist = previous
        bodies.append(rt.Body(f"link{i}", 1.0, UNIT))
        axis = (0.0, -math.sin(twist), math.cos(twist))
        pins.append(joints.Revolute(f"pin{i}", name, f"link{i}", point_a=point, axis=axis,
                                    turn=(math.cos(twist / 2), math.sin(twist / 2), 0.0, 0.0)))
        previous = (f"link{i}", (lengths[i], 0.0, 0.0), twists[i])
    name, point, twist = previous
    pins.append(joints.Revolute("pin4", name, "ground", point_a=point, axis=(0.0, -math.sin(twist), math.cos(twist)),
                                turn=(math.cos(twist / 2), math.sin(twist / 2), 0.0, 0.0)))
    model = rt.Model("spatial", bodies, pins)
    theta = 1.0
    ratio = math.sin(0.5 * (beta + alpha)) / math.sin(0.5 * (beta - alpha))
    phi = 2.0 * math.atan(ratio / math.tan(0.5 * theta))
    found = None
    for s1 in (theta, -theta):
        for s2 in (phi, -phi, 2 * math.pi - phi):
            guess = {"pin1": s1, "pin2": s2, "pin3": s1}
            try:
                found = rt.assemble(model, rt.State({n: {"angle": x} for n, x in guess.items() if n in ("pin1", "pin2")}))
            except rt.errors.StateError:
                continue
    assert found is not None
    count = rt.degrees_of_freedom(model, found)
    assert count.freedom == 1
    assert sum(count.redundant.values()) == 3


@pytest.mark.parametrize(("joint", "freedom"), [
    (joints.Revolute("j", "ground", "b", axis=Z), 1), (joints.Prismatic("j", "ground", "b", axis=Z), 1),
    (joints.Screw("j", "ground", "b", axis=Z, pitch=0.1), 1), (joints.Cylindrical("j", "ground", "b", axis=Z), 2),
    (joints.Universal("j", "ground", "b", axis=Z, axis_b=(1, 0, 0)), 2), (joints.Planar("j", "ground", "b", axis=Z), 3),
    (joints.Spherical("j", "ground", "b"), 3), (joints.Weld("j", "ground", "b"), 0), (joints.Free("j", "ground", "b"), 6),
    (joints.Rod("j", "ground", "b", point_b=(0.1, 0, 0), length=0.1), 5)], ids=lambda x: type(x).__name__)
def test_each_joint_leaves_its_freedom(joint, freedom):
    assert rt.degrees_of_freedom(rt.Model("spatial", [rt.Body("b", 1.0, UNIT)], [joint])).freedom == freedom


@pytest.mark.parametrize("joint", [
    joints.Revolute("twin", "ground", "b", axis=Z), joints.Prismatic("twin", "ground", "b", axis=Z),
    joints.Screw("twin", "ground", "b", axis=Z, pitch=0.1), joints.Cylindrical("twin", "ground", "b", axis=Z),
    joints.Universal("twin", "ground", "b", axis=Z, axis_b=(1, 0, 0)), joints.Planar("twin", "ground", "b", axis=Z),
    joints.Spherical("twin", "ground", "b")], ids=lambda x: type(x).__name__)
def test_a_joint_declared_twice_is_redundant_as_a_whole(joint):
    import dataclasses

    once = dataclasses.replace(joint, name="first")
    count = rt.degrees_of_freedom(rt.Model("spatial", [rt.Body("b", 1.0, UNIT)], [once, joint]))
    assert count.freedom == len(joint.rates())
    assert sum(count.redundant.values()) == 6 - len(joint.rates())
