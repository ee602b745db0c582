"""One mechanism told in several ways moves in one way: joint in the tree or closing a loop, declared from either side."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

import routh as rt
from routh import forces, joints, profiles

PLACES = {"ground": (0.0, 0.0, 0.0), "b": (0.9, 0.2, 0.1), "c": (1.4, 0.9, -0.3), "d": (0.6, 1.5, 0.4)}
BODIES = [rt.Body("b", 1.0, (0.1, 0.15, 0.2)), rt.Body("c", 0.7, (0.05, 0.06, 0.07)), rt.Body("d", 1.3, (0.2, 0.1, 0.15))]
TIGHT = rt.Options(rtol=1e-11, atol=1e-12, output=0.05)
POSE = ("x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "ax", "ay", "az")


def placed(kind, name, a, b, world, **fields):
    """A joint at the point `world` where all bodies stand unturned at their places."""
    return kind(name, a, b, point_a=np.subtract(world, PLACES[a]), point_b=np.subtract(world, PLACES[b]), **fields)


UNDER_TEST = {
    "universal": placed(joints.Universal, "joint", "ground", "b", (0.3, 0.1, 0.0), axis=(1, 0.2, 0), axis_b=(0, 0.3, 1)),
    "cylindrical": placed(joints.Cylindrical, "joint", "ground", "b", (0.3, 0.1, 0.0), axis=(0.3, 1, 0.2)),
    "planar": placed(joints.Planar, "joint", "ground", "b", (0.3, 0.1, 0.0), axis=(0.2, 0.1, 1)),
    "screw": placed(joints.Screw, "joint", "ground", "b", (0.3, 0.1, 0.0), axis=(0.2, 1, 0.5), pitch=0.15),
    "revolute": placed(joints.Revolute, "joint", "ground", "b", (0.3, 0.1, 0.0), axis=(0.2, 1, 0.5)),
    "prismatic": placed(joints.Prismatic, "joint", "ground", "b", (0.3, 0.1, 0.0), axis=(0.2, 1, 0.5)),
}
OTHERS = [placed(joints.Cylindrical, "bc", "b", "c", (1.2, 0.5, 0.0), axis=(0.1, 0.4, 1)),
          placed(joints.Revolute, "cd", "c", "d", (1.0, 1.3, 0.1), axis=(1, 0.5, 0.3)),
          placed(joints.Planar, "dg", "d", "ground", (0.3, 1.8, 0.2), axis=(0.3, 1, 0.4))]


def ring(joint, in_use):
    """ground - joint - b - c - d - ground; springs of no stiffness keep the joints `in_use` in the tree."""
    names = {"joint": joint.coordinates[0], "bc": "angle", "cd": "angle", "dg": "angle"}
    idle = [forces.JointSpring(f"idle_{n}", f"{n}.{names[n]}") for n in in_use]
    return rt.Model("spatial", BODIES, [joint, *OTHERS], idle, gravity=(1.0, -2.0, -9.81))


@pytest.mark.parametrize("kind", UNDER_TEST)
def test_a_joint_in_the_tree_and_the_same_joint_closing_the_loop_give_one_motion_and_one_set_of_reactions(kind):
    joint = UNDER_TEST[kind]
    tree, loop = ring(joint, ["joint", "bc", "cd"]), ring(joint, ["bc", "cd", "dg"])
    assert [j.name for j in rt.compile_model(tree).tree.closures] == ["dg"]
    assert [j.name for j in rt.compile_model(loop).tree.closures] == ["joint"]
    one, two = (rt.simulate(m, t_end=0.4, options=TIGHT) for m in (tree, loop))
    for body in "bcd":
        for key in POSE:
            assert_allclose(two[f"{body}.{key}"], one[f"{body}.{key}"], rtol=1e-7, atol=1e-7, err_msg=f"{body}.{key}")
    for name in ("joint", "bc", "cd", "dg"):
        for what in ("reaction", "reaction_moment"):
            assert_allclose(two[f"{name}.{what}"], one[f"{name}.{what}"], rtol=1e-6, atol=1e-6, err_msg=f"{name}.{what}")
    for key in (*joint.coordinates, *joint.rates()):
        assert_allclose(two[f"joint.{key}"], one[f"joint.{key}"], atol=1e-7, err_msg=key)


def swapped(joint):
    """The same joint declared from its other side."""
    fields = {"a": joint.b, "b": joint.a, "point_a": joint.point_b, "point_b": joint.point_a}
    if isinstance(joint, joints.Universal):
        fields |= {"axis": joint.axis_b, "axis_b": joint.axis}
    return dataclasses.replace(joint, **fields)


BALL = {"spherical": placed(joints.Spherical, "joint", "ground", "b", (0.3, 0.1, 0.0)),
        "weld": placed(joints.Weld, "joint", "ground", "b", (0.3, 0.1, 0.0))}


@pytest.mark.parametrize("kind", [*UNDER_TEST, *BALL])
def test_a_joint_may_be_declared_from_either_side(kind):
    joint = (UNDER_TEST | BALL)[kind]
    rest = [OTHERS[0], OTHERS[1]]
    models = [rt.Model("spatial", BODIES, [j, *rest], gravity=(1.0, -2.0, -9.81)) for j in (joint, swapped(joint))]
    start = rt.State(bc={"angle_rate": 1.0}, cd={"angle_rate": -2.0})
    one, two = (rt.simulate(m, start, 0.4, options=TIGHT) for m in models)
    for body in "bcd":
        for key in POSE:
            assert_allclose(two[f"{body}.{key}"], one[f"{body}.{key}"], atol=1e-8, err_msg=f"{body}.{key}")
    assert_allclose(two["joint.reaction"], -one["joint.reaction"], atol=1e-7)
    assert_allclose(two["cd.reaction_moment"], one["cd.reaction_moment"], atol=1e-7)


def test_a_loop_joint_may_be_declared_from_either_side():
    one, two = (rt.simulate(ring(j, ["bc", "cd", "dg"]), t_end=0.4, options=TIGHT)
                for j in (UNDER_TEST["universal"], swapped(UNDER_TEST["universal"])))
    assert_allclose(two["b.x"], one["b.x"], atol=1e-8)
    assert_allclose(two["joint.reaction"], -one["joint.reaction"], atol=1e-6)


def planar_chain(first, second):
    bodies = [rt.Body(n, 1.0, 0.1) for n in ("arm", "plate", "bob")]
    return rt.Model("planar", bodies, [first, second, joints.Revolute("hinge", "plate", "bob", (0.2, 0.0), (0.0, 0.5))],
                    gravity=(0.0, -9.81))


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_a_welded_pair_moves_as_one_body_and_carries_its_load(turn):
    pin = joints.Revolute("pin", "ground", "arm", point_b=(-0.5, 0.0))
    weld = joints.Weld("weld", "arm", "plate", point_a=(0.5, 0.0), point_b=(-0.2, 0.0), turn=turn)
    back = joints.Weld("weld", "plate", "arm", point_a=(-0.2, 0.0), point_b=(0.5, 0.0), turn=-turn)
    one, two = (rt.simulate(planar_chain(pin, w), t_end=1.0, options=TIGHT) for w in (weld, back))
    assert_allclose(one["plate.theta"], one["arm.theta"] + turn, atol=1e-12)
    assert_allclose(two["bob.x"], one["bob.x"], atol=1e-8)
    assert_allclose(two["weld.reaction"], -one["weld.reaction"], atol=1e-6)
    assert_allclose(two["weld.reaction_moment"], -one["weld.reaction_moment"], atol=1e-6)


def test_a_weld_that_closes_a_loop_replaces_a_pin_of_the_loop():
    """A frame of two legs and a beam, all welded but one foot pinned twice: it stands, and shares its weight."""
    bodies = [rt.Body(n, 1.0, 0.1) for n in ("left", "beam", "right")]
    model = rt.Model("planar", bodies, [
        joints.Revolute("foot1", "ground", "left", point_b=(0.0, -0.5)),
        joints.Weld("knee1", "left", "beam", point_a=(0.0, 0.5), point_b=(-1.0, 0.0)),
        joints.Weld("knee2", "beam", "right", point_a=(1.0, 0.0), point_b=(0.0, 0.5)),
        joints.PinInSlot("foot2", "ground", "right", point_a=(2.0, 0.0), point_b=(0.0, -0.5), axis=(1.0, 0.0))],
        gravity=(0.0, -9.81))
    at = rt.evaluate(model)
    assert rt.degrees_of_freedom(model).freedom == 0
    assert at["foot1.reaction"][0, 1] == pytest.approx(1.5 * 9.81, rel=1e-9)
    assert at["foot2.reaction"][0, 1] == pytest.approx(1.5 * 9.81, rel=1e-9)


def test_two_coincident_loops_move_as_one():
    """The closing pin of a four-bar declared twice: the same motion, each pin carries half."""
    bodies = [rt.Body(n, 1.0, 0.1) for n in ("crank", "coupler", "rocker")]
    pins = [joints.Revolute("A", "ground", "crank", point_b=(-0.5, 0.0)),
            joints.Revolute("B", "crank", "coupler", point_a=(0.5, 0.0), point_b=(-1.0, 0.0)),
            joints.Revolute("D", "ground", "rocker", point_a=(2.0, 0.0), point_b=(-1.0, 0.0))]
    closing = [joints.Revolute(n, "coupler", "rocker", point_a=(1.0, 0.0), point_b=(1.0, 0.0)) for n in ("C", "C2")]
    single = rt.Model("planar", bodies, [*pins, closing[0]], gravity=(0.0, -9.81))
    double = rt.Model("planar", bodies, [*pins, *closing], gravity=(0.0, -9.81))
    start = rt.assemble(single, rt.State(A={"angle": 0.8}, B={"angle": 0.3}, D={"angle": 1.8}))
    one, two = (rt.simulate(m, start, 1.0, options=TIGHT) for m in (single, double))
    assert_allclose(two["rocker.theta"], one["rocker.theta"], atol=1e-8)
    assert_allclose(two["C.reaction"] + two["C2.reaction"], one["C.reaction"], atol=1e-9)
    assert_allclose(two["C.reaction"], two["C2.reaction"], atol=1e-7)  # round-off over the ridge of reported rows
    assert rt.degrees_of_freedom(double, start).redundant.keys() <= {"C", "C2"}


def test_a_bob_on_a_driven_trolley_feels_its_acceleration():
    bodies = [rt.Body("trolley", 5.0, 1.0), rt.Body("bob", 1.0, 1e-6)]
    model = rt.Model("planar", bodies, [
        joints.Prismatic("rail", "ground", "trolley", axis=(1.0, 0.0)),
        joints.Revolute("pin", "trolley", "bob", point_b=(0.0, 1.0))],
        drivers=[rt.Driver("winch", "rail", profiles.Polynomial((0.0, 0.0, 1.5)))], gravity=(0.0, -9.81))
    start = rt.State(pin={"angle": -np.arctan2(3.0, 9.81)})  # a constant 3 m/s² tilts the plumb line and no more
    result = rt.simulate(model, start, 2.0)
    assert_allclose(result["pin.angle"], -np.arctan2(3.0, 9.81), atol=1e-9)
    assert_allclose(result["winch.force"], 6.0 * 3.0, rtol=1e-9)


def test_gears_between_branches_share_the_torque_by_their_ratio():
    bodies = [rt.Body("pinion", 1.0, 0.2), rt.Body("wheel", 3.0, 1.8)]
    model = rt.Model("planar", bodies, [
        joints.Revolute("p", "ground", "pinion"), joints.Revolute("w", "wheel", "ground", point_b=(1.0, 0.0)),
        joints.Gear("mesh", "p.angle", "w.angle", ratio=1.0 / 3.0)],  # w is declared from the wheel: its sign turns
        [forces.Torque("engine", "pinion", torque=2.0)])
    result = rt.simulate(model, t_end=1.0)
    acceleration = 2.0 / (0.2 + 1.8 / 9.0)
    assert_allclose(result["pinion.alpha"], acceleration, rtol=1e-12)
    assert_allclose(result["wheel.theta"], -result["pinion.theta"] / 3.0, atol=1e-12)


def test_a_rack_couples_a_shift_to_an_angle_on_another_branch():
    bodies = [rt.Body("pinion", 1.0, 0.02), rt.Body("rack", 2.0, 1.0)]
    model = rt.Model("planar", bodies, [
        joints.Revolute("p", "ground", "pinion"), joints.Prismatic("r", "ground", "rack", axis=(0.0, 1.0)),
        joints.Rack("teeth", "p", "r", radius=0.1)], gravity=(0.0, -9.81))
    at = rt.evaluate(model)
    fall = -2.0 * 9.81 / (2.0 + 0.02 / 0.01)
    assert at["rack.ay"][0] == pytest.approx(fall, rel=1e-12)


def test_a_coupling_reports_its_force_on_the_second_coordinate():
    bodies = [rt.Body("pinion", 1.0, 0.02), rt.Body("rack", 2.0, 1.0)]
    model = rt.Model("planar", bodies, [
        joints.Revolute("p", "ground", "pinion"), joints.Prismatic("r", "ground", "rack", axis=(0.0, 1.0)),
        joints.Rack("teeth", "p", "r", radius=0.1)], gravity=(0.0, -9.81))
    at = rt.evaluate(model)
    fall = -2.0 * 9.81 / (2.0 + 0.02 / 0.01)
    assert at["teeth.force"][0] == pytest.approx(2.0 * (fall + 9.81), rel=1e-12)
