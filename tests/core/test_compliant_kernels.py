"""The leaf kernels of compliant contacts, one law at a time."""

import numpy as np
import pytest

from routh.core.contact.compliant import elastic, normal_force, raw_force, rub
from routh.core.tables.layout import COMPLIANT, FRICTIONLESS, LINEAR, LUGRE, POWER, REGULARISED, STICTION

approx = pytest.approx


def law(**fields):
    record = np.zeros(1, COMPLIANT)
    for name, value in {"law": POWER, "k": 1e8, "power": 1.5, **fields}.items():
        record[name] = value
    return record[0]


@pytest.mark.parametrize("power", [1.0, 1.5, 2.2])
def test_the_elastic_force_is_the_slope_of_the_stored_energy(power):
    spring, d, h = law(power=power), 1e-3, 1e-6
    slope = (elastic(spring, d + h)[1] - elastic(spring, d - h)[1]) / (2 * h)
    assert elastic(spring, d)[0] == approx(slope, rel=1e-5) == approx(1e8 * d**power)  # central difference: (h/d)²


def test_surfaces_push_and_never_pull():
    damped = law(law=LINEAR, power=1.0, k=1e6, damping=300.0)
    assert normal_force(damped, 1e-4, 1.0, 0.0) == approx(1e6 * 1e-4 + 300.0)
    assert raw_force(damped, 1e-4, -1.0, 0.0) == approx(100.0 - 300.0)
    assert normal_force(damped, 1e-4, -1.0, 0.0) == normal_force(damped, -1e-4, 5.0, 0.0) == 0.0


def test_damping_by_the_impacts_own_speed_has_a_floor():
    own = law(damping=0.5, own_speed=1, slow=1e-3)
    spring = elastic(own, 1e-3)[0]
    assert normal_force(own, 1e-3, 0.1, 2.0) == approx(spring * (1 + 0.5 / 2.0 * 0.1))
    assert normal_force(own, 1e-3, 1e-6, 0.0) == approx(spring * (1 + 0.5 / 1e-3 * 1e-6))


@pytest.mark.parametrize("slip", [1e-12, 1e-7, 1e-3, 5.0])
def test_regularised_friction_is_a_hyperbolic_tangent(slip):
    drag, hold, relax = rub(law(friction=REGULARISED, v_reg=1e-3), 0.3, 20.0, slip, 0.0, 0.0)
    assert drag * slip == approx(0.3 * 20.0 * np.tanh(slip / 1e-3), rel=1e-12)
    assert hold == relax == 0.0


def test_no_friction_no_force():
    assert rub(law(friction=FRICTIONLESS), 0.3, 20.0, 1.0, 0.0, 0.0) == (0.0, 0.0, 0.0)
    assert rub(law(friction=LUGRE, sigma0=1e5, sigma1=1.0), 0.0, 20.0, 1.0, 1e-6, 1e-6) == (0.0, 0.0, 0.0)


def test_bristles_in_steady_slip_give_the_coefficient_and_the_viscous_part():
    v, N, mu = 0.2, 20.0, 0.3
    z = mu / 1e5  # where v = relax z
    drag, hold, relax = rub(law(friction=LUGRE, sigma0=1e5, sigma1=3.0, sigma2=0.4), mu, N, v, z, v * z)
    assert relax * z == approx(v)
    assert drag * v + hold * z == approx(N * (mu + 0.4 * v))


def test_the_anchor_holds_up_to_its_grip_and_is_dragged_beyond():
    anchor, most = law(friction=STICTION, sigma0=1e5, sigma1=3.0, grip=0.9), 0.3 / 1e5
    assert rub(anchor, 0.3, 20.0, 0.2, 0.89 * most, 0.2 * 0.89 * most)[2] == 0.0  # holds
    assert rub(anchor, 0.3, 20.0, 0.2, most, -0.2 * most)[2] == 0.0  # springs back
    drag, hold, relax = rub(anchor, 0.3, 20.0, 0.2, most, 0.2 * most)
    assert relax * most == approx(0.2)  # dragged along, with Coulomb's force
    assert drag * 0.2 + hold * most == approx(0.3 * 20.0)
