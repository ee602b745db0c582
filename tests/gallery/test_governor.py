"""The flyball governor: stiff, and still as exact as Radau on equations written by hand."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh.gallery import governor

TIMES = np.linspace(0.0, 10.0, 101)


@pytest.fixture(scope="module")
def reference():
    start = [governor.DROOP, 0.5 * governor.LENGTH, 0.0, 0.0]
    return solve_ivp(governor.symmetric, (0.0, TIMES[-1]), start, method="Radau", t_eval=TIMES, rtol=1e-9,
                     atol=1e-12, args=(governor.momentum_about_z(),))


@pytest.mark.parametrize("method", ["implicit", "auto"])
def test_slider_and_arms_move_as_the_equations_by_hand_say(method, reference):
    result = governor.run(options=rt.Options(method=method, output=TIMES))
    # default tolerance 1e-8 over ten swings
    np.testing.assert_allclose(result["guide.shift"], reference.y[1], atol=1e-6)
    np.testing.assert_allclose(result["hinge1.angle"], reference.y[0], atol=1e-6)
    np.testing.assert_allclose(result["hinge2.angle"], result["hinge1.angle"], atol=1e-8)


def test_angular_momentum_about_the_shaft_is_kept(reference):
    result = governor.run(t_end=2.0, options=rt.Options(method="implicit", output=0.1))
    momentum = result["bearing.angle_rate"] * [governor.inertia_about_z(a) for a in result["hinge1.angle"]]
    np.testing.assert_allclose(momentum, governor.momentum_about_z(), rtol=1e-7)


def test_the_springs_start_at_their_free_length():
    dx = 0.5 * governor.LENGTH * math.cos(governor.DROOP)
    dz = governor.LENGTH - 0.5 * governor.LENGTH * math.sin(governor.DROOP) - 0.5 * governor.LENGTH
    assert math.hypot(dx, dz) == pytest.approx(governor.FREE_LENGTH, abs=1e-15)
    length = rt.evaluate(governor.model(), governor.start())["spring1.length"]
    assert length[0] == pytest.approx(governor.FREE_LENGTH, abs=1e-14)
