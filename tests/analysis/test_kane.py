"""Partial velocities: the double pendulum by hand, then what must hold for every mechanism."""

import numpy as np
import pytest

import routh as rt
from routh import joints, profiles
from routh.errors import ModelError
from routh.gallery import bricard, four_bar, governor, kim, slider_crank

approx = pytest.approx


def test_the_double_pendulum_of_the_paper_by_hand():
    """Angles from the downward vertical: G1 = l/2 (sin a, -cos a), G2 = l (sin a, -cos a) + l/2 (sin b, -cos b)."""
    a, b = 0.3, -0.5
    found = rt.partial_velocities(kim.double_pendulum(), rt.State(pinA={"angle": a}, pinB={"angle": b - a}))
    ca, sa, cb, sb = np.cos(a), np.sin(a), np.cos(b), np.sin(b)
    by_angles = np.array([[0.5 * ca, 0], [0.5 * sa, 0], [1, 0], [ca, 0.5 * cb], [sa, 0.5 * sb], [0, 1]])
    assert found.coordinates == ("link1.x", "link1.y", "link1.theta", "link2.x", "link2.y", "link2.theta")
    rows = [found.coordinates.index(name) for name in found.independent]
    # whichever two full pivoting leaves, the partial velocities are those with respect to the angles, chained
    assert found.B == approx(by_angles @ np.linalg.inv(by_angles[rows]), abs=1e-14)
    assert found.M == approx(np.diag([10.0, 10.0, 20.0] * 2))
    assert found.jacobian @ found.B == approx(np.zeros((4, 2)), abs=1e-14)
    jump = found.velocity_jump({"link2.x": 10.0})
    M = by_angles.T @ found.M @ by_angles
    assert jump == approx(by_angles @ np.linalg.solve(M, by_angles.T @ [0, 0, 0, 10.0, 0, 0]), abs=1e-14)


def test_an_impulse_changes_velocities_as_in_the_simulation():
    result = kim.knock(10.0, t_end=0.2, at=0.1)
    found = rt.partial_velocities(kim.double_pendulum(), kim.hanging())
    jump = dict(zip(found.coordinates, found.velocity_jump({"link2.x": 10.0}), strict=True))
    before, after = result.at(0.1, side="left"), result.at(0.1, side="right")
    for name in ("x", "y"):
        assert after[f"link2.v{name}"] - before[f"link2.v{name}"] == approx(jump[f"link2.{name}"], abs=1e-12)
    assert after["link1.omega"] - before["link1.omega"] == approx(jump["link1.theta"], abs=1e-12)


@pytest.mark.parametrize("gallery", [four_bar, slider_crank, governor, bricard])
def test_mechanisms_with_loops_have_the_freedom_and_the_kinetic_energy_of_the_recursions(gallery):
    model = gallery.model()
    start = rt.assemble(model, gallery.start() if hasattr(gallery, "start") else None)
    found = rt.partial_velocities(model, start)
    compiled = rt.compile_model(model)
    assert len(found.independent) == rt.degrees_of_freedom(compiled, start).freedom
    assert len(found.independent) + len(found.dependent) == len(found.coordinates)
    assert np.abs(found.jacobian @ found.B).max(initial=0.0) < 1e-9 * np.abs(found.jacobian).max()
    seen = rt.evaluate(model, start)
    space = compiled.space
    rates = []
    for name in found.coordinates:
        body, _, key = name.partition(".")
        if space == "planar":
            rates.append(seen[f"{body}.{'omega' if key == 'theta' else 'v' + key}"][0])
    if space == "planar":
        rates = np.array(rates)
        u = rates[[found.coordinates.index(name) for name in found.independent]]
        assert found.B @ u + found.C == approx(rates, abs=1e-9 * max(1.0, np.abs(rates).max()))
        v = found.B @ u + found.C
        assert 0.5 * v @ found.M @ v == approx(seen.energy["kinetic"][0], rel=1e-9, abs=1e-15)


def test_a_driver_moves_what_is_left_when_all_speeds_are_zero():
    model = rt.Model("planar", [rt.Body("arm", 1.0, 0.1), rt.Body("bob", 1.0, 0.1)], joints=[
        joints.Revolute("shoulder", "ground", "arm", point_b=(-0.5, 0.0)),
        joints.Revolute("elbow", "arm", "bob", (0.5, 0.0), (-0.3, 0.0))],
        drivers=[rt.Driver("motor", "shoulder", profiles.ConstantRate(2.0))])
    found = rt.partial_velocities(model)
    moved = dict(zip(found.coordinates, found.C, strict=True))
    assert (moved["arm.y"], moved["arm.theta"]) == approx((1.0, 2.0))
    assert found.constraints[-1] == "motor"
    assert len(found.independent) == 1


def test_a_gear_is_a_row_of_the_jacobian_and_redundant_rows_are_named():
    wheels = [rt.Body(name, 1.0, 0.5) for name in ("a", "b")]
    pins = [joints.Revolute("pa", "ground", "a"), joints.Revolute("pb", "ground", "b", (1.0, 0.0))]
    model = rt.Model("planar", wheels, joints=[*pins, joints.Gear("gear", "pa", "pb", ratio=-2.0)])
    found = rt.partial_velocities(model)
    values = dict(zip(found.coordinates, found.B[:, 0], strict=True))
    assert values["b.theta"] == approx(-2.0 * values["a.theta"])
    assert found.mass_matrix[0, 0] == approx(0.5 * values["a.theta"] ** 2 + 0.5 * values["b.theta"] ** 2)
    door = rt.Model("spatial", [rt.Body("door", 1.0, (1.0, 1.0, 1.0))], joints=[
        joints.Revolute("upper", "ground", "door", (0.0, 0.0, 1.0), (0.0, 0.0, 1.0), axis=(0.0, 0.0, 1.0)),
        joints.Revolute("lower", "ground", "door", axis=(0.0, 0.0, 1.0))])
    twice = rt.partial_velocities(door)
    assert len(twice.redundant) == 5
    assert set(twice.redundant) <= {"upper", "lower"}
    assert twice.independent == ("door.wz",)


def test_the_reduced_mass_matrix_gives_the_accelerations_of_the_simulation():
    """At rest: BᵀMB u̇ = BᵀQ with gravity alone, eq. 13."""
    model, start = kim.double_pendulum(), rt.State(pinA={"angle": 0.7}, pinB={"angle": -0.4})
    found = rt.partial_velocities(model, start)
    Q = np.array([0.0, -98.1, 0.0] * 2)
    accelerations = found.B @ np.linalg.solve(found.mass_matrix, found.B.T @ Q)
    seen = rt.evaluate(model, start)
    for name, value in zip(found.coordinates, accelerations, strict=True):
        body, _, key = name.partition(".")
        assert seen[f"{body}.{'alpha' if key == 'theta' else 'a' + key}"][0] == approx(value, abs=1e-11)


def test_the_table_has_a_row_for_every_coordinate_and_unknown_names_are_refused():
    found = rt.partial_velocities(kim.double_pendulum(), kim.hanging())
    lines = found.table().splitlines()
    assert len(lines) == 7
    assert lines[0].split() == list(found.independent)
    with pytest.raises(ModelError, match=r'no coordinate "link3\.x"'):
        found.velocity_jump({"link3.x": 1.0})
