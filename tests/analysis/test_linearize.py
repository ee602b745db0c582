"""Small motions: frequencies, damping ratios and shapes against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import routh as rt
from routh import forces, joints

G = 9.81


def carts(damping=0.0):
    """Two carts of 1 kg: wall - k - cart - k - cart - k - wall, k = 50 N/m."""
    rails = [joints.Prismatic(f"rail{i}", "ground", f"cart{i}", axis=(1.0, 0.0)) for i in (1, 2)]
    springs = [forces.JointSpring("k1", "rail1", 50.0, damping), forces.JointSpring("k2", "rail2", 50.0, damping),
               forces.SpringDamper("k12", "cart1", "cart2", point_b=(5.0, 0.0), stiffness=50.0, free_length=5.0)]
    return rt.Model("planar", [rt.Body("cart1", 1.0, 1.0), rt.Body("cart2", 1.0, 1.0)], rails, springs)


def test_two_carts_swing_together_and_against_each_other():
    modes = rt.linearize(carts())
    assert_allclose(2.0 * math.pi * modes.frequencies, [math.sqrt(50.0), math.sqrt(150.0)], rtol=1e-9)
    assert_allclose(modes.damping_ratios, 0.0, atol=1e-9)
    assert_allclose(modes.shapes.real, [[1.0, 1.0], [1.0, -1.0]], atol=1e-8)
    assert modes.coordinates == ("rail1.shift", "rail2.shift")


def test_dampers_at_the_walls_damp_by_c_over_two_omega():
    modes = rt.linearize(carts(damping=2.0))
    omega = np.sqrt([50.0, 150.0])
    assert_allclose(modes.damping_ratios, 1.0 / omega, rtol=1e-8)
    assert_allclose(2.0 * math.pi * modes.frequencies, np.sqrt(omega**2 - 1.0), rtol=1e-8)


def test_an_overdamped_cart_has_two_real_rates():
    model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [joints.Prismatic("rail", "ground", "b", axis=(1.0, 0.0))],
                     [forces.JointSpring("s", "rail", 9.0, 10.0)])
    modes = rt.linearize(model)
    assert_allclose(sorted(modes.eigenvalues.real), [-9.0, -1.0], rtol=1e-8)
    assert modes.frequencies.tolist() == [0.0, 0.0]
    assert_allclose(modes.damping_ratios, 1.0)


@pytest.mark.parametrize("angle", [0.0, math.pi])
def test_a_pendulum_swings_below_and_falls_above(angle):
    model = rt.Model("planar", [rt.Body("bob", 2.0, 0.3)], [joints.Revolute("pin", "ground", "bob", point_b=(0.0, 0.7))],
                     gravity=(0.0, -G))
    squared = 2.0 * G * 0.7 / (0.3 + 2.0 * 0.49)
    modes = rt.linearize(model, rt.State(pin={"angle": angle}))
    if angle == 0.0:
        assert 2.0 * math.pi * modes.frequencies[0] == pytest.approx(math.sqrt(squared), rel=1e-9)
    else:
        assert sorted(modes.eigenvalues.real) == pytest.approx([-math.sqrt(squared), math.sqrt(squared)], rel=1e-9)


def test_a_sleeping_top_is_stable_above_the_critical_spin():
    """Upright top: ω² A - ω C s + m g h = 0 in the turning frame; stable where C² s² > 4 A m g h."""
    A, C, m, h = 0.5, 0.2, 1.0, 0.4     # A about the tip
    inertia = (A - m * h * h, A - m * h * h, C)
    model = rt.Model("spatial", [rt.Body("top", m, inertia)],
                     [joints.Spherical("tip", "ground", "top", point_b=(0.0, 0.0, -h))], gravity=(0.0, 0.0, -G))
    critical = math.sqrt(4.0 * A * m * G * h) / C
    fast = rt.linearize(model, rt.State(tip={"wz": 1.1 * critical}))
    slow = rt.linearize(model, rt.State(tip={"wz": 0.9 * critical}))
    assert np.abs(fast.eigenvalues.real).max() < 1e-6
    assert slow.eigenvalues.real.max() == pytest.approx(
        math.sqrt(4.0 * A * m * G * h - (C * 0.9 * critical) ** 2) / (2.0 * A), rel=1e-6)


def test_a_parallelogram_swings_as_the_sum_of_its_parts():
    """Links of 1 m turn, the coupler only moves: (2 (J + m/4) + M) a = -(2 m/2 + M) g sin."""
    bodies = [rt.Body("left", 1.0, 0.1), rt.Body("coupler", 3.0, 0.7), rt.Body("right", 1.0, 0.1)]
    model = rt.Model("planar", bodies, [
        joints.Revolute("a", "ground", "left", point_b=(0.0, 0.5)),
        joints.Revolute("b", "left", "coupler", point_a=(0.0, -0.5), point_b=(-1.0, 0.0)),
        joints.Revolute("d", "ground", "right", point_a=(2.0, 0.0), point_b=(0.0, 0.5)),
        joints.Revolute("c", "coupler", "right", point_a=(1.0, 0.0), point_b=(0.0, -0.5))], gravity=(0.0, -G))
    modes = rt.linearize(model)
    assert len(modes.eigenvalues) == 1
    omega = math.sqrt((1.0 + 3.0) * G / (2.0 * (0.1 + 0.25) + 3.0))
    assert 2.0 * math.pi * modes.frequencies[0] == pytest.approx(omega, rel=1e-8)
    assert "1" in modes.table()
    assert "Hz" in modes.table()


def test_a_model_without_freedom_has_no_modes():
    model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [joints.Weld("glue", "ground", "b")])
    assert rt.linearize(model).frequencies.size == 0


@pytest.mark.parametrize("size", [1.0, 1e-3, 1e3])
def test_a_pendulum_of_any_size_has_the_frequency_of_its_length(size):
    model = rt.Model("planar", [rt.Body("bob", 1.0, 1e-4 * size**2)],
                     [joints.Revolute("pin", "ground", "bob", point_b=(0.0, size))], gravity=(0.0, -G))
    omega = 2.0 * math.pi * rt.linearize(model).frequencies[0]
    assert omega == pytest.approx(math.sqrt(G / size / 1.0001), rel=1e-8)
