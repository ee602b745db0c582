"""Accelerations and reactions of random mechanisms equal a dense solve in maximal coordinates.

The tolerance 1e-9 is relative to the largest entry of a mechanism: random states keep the condition number of
the constraints below 1e4, and multipliers lose its square times the round-off, 1e-16.
"""

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import measured
import routh as rt
from random_mechanisms import KINDS, draw_until, embedded, mechanisms
from reference import imbalance
from routh.model import forces, joints

REL = 1e-9
# a mechanism prints the call that makes it: shrinking would only cost time
many = settings(max_examples=60, derandomize=True, deadline=None, database=None, phases=[Phase.generate])
spaces = pytest.mark.parametrize("space", ["planar", "spatial"])
EVERY_JOINT = [(space, kind) for space in KINDS for kind in KINDS[space]]


def same(found, expected, what, scale=None):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    scale = max(1.0, np.abs(expected).max(initial=0.0)) if scale is None else scale
    error = np.abs(found - expected).max(initial=0.0)
    assert error <= REL * scale, f"{what}: off by {error:.2e} of {scale:.2e}\n{found}\n{expected}"


def both(m, start=None):
    result = rt.evaluate(m.model, start or m.start, t=m.t)
    return result, m.reference(near=measured.coordinates(result, m.model))


def check_accelerations(m, start=None):
    result, expected = both(m, start)
    same(measured.poses(result, m.model)[:, :2], m.poses[:, :2], "poses")
    same(measured.velocities(result, m.model), m.velocities, "velocities")
    same(measured.accelerations(result, m.model), expected.accelerations, "accelerations")


def check_reactions(m):
    result, expected = both(m)
    found = measured.wrenches(result, m.model)
    loads = [
        *expected.reactions.values(),
        [expected.forces[n] for n in measured.multipliers(result, m.model)],
        [1.0],
    ]
    scale = max(np.abs(x).max(initial=0.0) for x in loads)
    for name, wrench in expected.reactions.items():
        same(found[name], wrench, f"{name} {type(m.model[name]).__name__}", scale)
    for name, force in measured.multipliers(result, m.model).items():
        same(force, expected.forces[name], f"{name} force", scale)
    for joint in m.model.joints:
        if isinstance(joint, joints.Rod):
            same(
                result[f"{joint.name}.tension"][-1],
                expected.forces[joint.name],
                f"{joint.name} tension",
                scale,
            )


def check_channels(m):
    result, expected = both(m)
    for path, (value, rate, _) in expected.coordinates.items():
        same(result[path][-1], value, path)
        same(result[f"{path}_rate"][-1], rate, f"{path}_rate")
    for load in m.model.forces:
        if isinstance(load, forces.LineForce | forces.JointForce):
            same(result[f"{load.name}.force"][-1], expected.forces[load.name], f"{load.name}.force")
        if isinstance(load, forces.LineForce):
            same(
                result[f"{load.name}.length"][-1],
                expected.forces[f"{load.name}.length"],
                f"{load.name}.length",
            )
    same(result.energy["kinetic"][-1], expected.kinetic, "kinetic energy")
    same(result.energy["potential"][-1], expected.potential, "potential energy")


@pytest.mark.parametrize("loops", [0, 1], ids=["tree", "loop"])
@pytest.mark.parametrize(("space", "kind"), EVERY_JOINT)
def test_every_joint_carries_its_reaction_in_a_tree_and_in_a_loop(space, kind, loops):
    for seed in range(3):  # several throws: the joint is declared in either direction, driven and not
        kinds = [kind, kind, "Revolute" if loops else kind]
        m = draw_until(seed, space, n_bodies=3, kinds=kinds, loops=loops, drivers=seed % 2, laws=False)
        check_accelerations(m)
        check_reactions(m)


@spaces
def test_trees_accelerate_as_newton_and_euler_say(space):
    @many
    @given(mechanisms(space, laws=False))
    def law(m):
        check_accelerations(m)

    law()


@spaces
def test_loops_accelerate_as_newton_and_euler_say(space):
    @many
    @given(mechanisms(space, loops=True, laws=False))
    def law(m):
        check_accelerations(m)

    law()


@spaces
def test_joint_reactions_of_trees_are_the_multipliers_of_the_dense_solve(space):
    @many
    @given(mechanisms(space, laws=False))
    def law(m):
        check_reactions(m)

    law()


@spaces
def test_joint_reactions_of_loops_are_the_multipliers_of_the_dense_solve(space):
    @many
    @given(mechanisms(space, loops=True, laws=False))
    def law(m):
        check_reactions(m)

    law()


@spaces
def test_laws_in_python_act_like_any_other_force(space):
    for seed in {"planar": (4, 10), "spatial": (0, 1)}[space]:  # throws that drew them
        m = draw_until(seed, space, n_bodies=3, float_share=0.0)
        assert any(isinstance(f, forces.LineLaw) for f in m.model.forces)
        check_accelerations(m)
        check_channels(m)


@spaces
def test_coordinates_spring_forces_and_energies_are_those_of_the_poses(space):
    @settings(many, max_examples=40)
    @given(mechanisms(space, loops=True, laws=False))
    def law(m):
        check_channels(m)

    law()


@spaces
def test_a_start_given_by_body_poses_is_the_start_given_by_joint_coordinates(space):
    for seed in range(15):
        m = draw_until(seed, space, n_bodies=4, float_share=0.0, drivers=seed % 3 // 2, laws=False)
        check_accelerations(m, m.start_by_bodies)
        check_accelerations(m, m.start_by_joints)


@spaces
def test_one_body_and_the_joints_place_a_group_that_floats(space):
    for seed in range(15):
        m = draw_until(seed, space, n_bodies=3, grounded=False, laws=False)
        check_accelerations(m, m.start_by_joints)


@pytest.mark.parametrize("seed", range(15))
def test_redundant_joints_leave_the_motion_alone_and_the_bodies_in_balance(seed):
    flat = draw_until(seed, "planar", n_bodies=4, loops=1 + seed % 2, drivers=1, rods=1, laws=False, without=("PinInSlot",))
    m = embedded(flat)  # in space every planar loop is over-constrained
    result = rt.evaluate(m.model, m.start, t=m.t)
    same(measured.accelerations(result, m.model), m.reference().accelerations, "accelerations")
    wrenches, others = measured.wrenches(result, m.model), measured.multipliers(result, m.model)
    found = measured.accelerations(result, m.model)
    left = imbalance(m.model, m.poses, m.velocities, m.t, found, wrenches, others, m.coordinates)
    same(left, 0.0 * left, "Newton-Euler balance", max(1.0, *(np.abs(w).max() for w in wrenches.values())))
