"""The explicit method of order 3: its order, its dense output, and where it has no place."""

import numpy as np
import pytest

import routh as rt
from routh.errors import ModelError
from routh.gallery import ring

LOOSE = {"method": "order3", "rtol": 0.999, "atol": 1e3}  # no error control: every step is as long as it may be


def pendulum(options):
    """A pendulum let go at one radian, for two seconds."""
    model = rt.Model("planar", [rt.Body("bob", 1.0, 1e-9)], [rt.joints.Revolute("pin", "ground", "bob", point_b=(0.0, 1.0))],
                     gravity=(0.0, -9.81))
    return rt.simulate(model, rt.State(pin={"angle": 1.0}), 2.0, options=options)


def test_its_error_falls_with_the_third_power_of_the_step():
    exact = pendulum(rt.Options(rtol=1e-12, atol=1e-13, output=2.0))["pin.angle"][-1]
    steps = np.array([0.02, 0.01, 0.005, 0.0025])
    errors = [abs(pendulum(rt.Options(**LOOSE, max_step=h, output=2.0))["pin.angle"][-1] - exact) for h in steps]
    assert np.polyfit(np.log(steps), np.log(errors), 1)[0] == pytest.approx(3.0, abs=0.15)


def test_between_steps_it_is_as_good_as_at_their_ends():
    fine = pendulum(rt.Options(rtol=1e-12, atol=1e-13, output=0.001))
    coarse = pendulum(rt.Options(**LOOSE, max_step=0.01, output=0.001))
    error = np.abs(coarse["pin.angle"] - fine["pin.angle"])
    at_ends = error[::10].max()
    assert error.max() < 2.0 * at_ends


def test_a_tighter_tolerance_gives_a_smaller_error():
    exact = pendulum(rt.Options(rtol=1e-12, atol=1e-13, output=2.0))["pin.angle"][-1]
    errors = [abs(pendulum(rt.Options(method="order3", rtol=tol, atol=tol, output=2.0))["pin.angle"][-1] - exact)
              for tol in (1e-3, 1e-5, 1e-7)]
    assert errors[0] > 10.0 * errors[1] > 100.0 * errors[2]


def test_it_keeps_loops_closed():
    result = rt.simulate(ring.model(8), ring.start(8), 0.5, options=rt.Options(method="order3", rtol=1e-3, atol=1e-3))
    assert result.statistics["worst_drift"] < 1e-10
    assert np.abs(result.energy.error).max() < 1e-2 * result.energy.kinetic[0]


def test_it_stops_at_the_edges_of_profiles():
    push = rt.forces.PointForce("push", "bob", (1.0, 0.0), profile=rt.profiles.Rectangle(0.3, 0.2))
    model = rt.Model("planar", [rt.Body("bob", 2.0, 1.0)], forces=[push])
    result = rt.simulate(model, None, 1.0, options=rt.Options(method="order3", rtol=0.999, atol=1.0))
    assert result["bob.vx"][-1] == pytest.approx(0.2 / 2.0, rel=1e-13)
    assert result["bob.x"][-1] == pytest.approx(0.5 * 0.5 * 0.2**2 + 0.1 * 0.5, rel=1e-13)


def test_it_has_no_place_among_rigid_contacts():
    ground = rt.shapes.HalfSpace("ground", (0.0, 1.0))
    floor = rt.Contact("floor", rt.shapes.Disk("bob", 0.1), ground, rt.Poisson(e=0.5, mu=0.3))
    model = rt.Model("planar", [rt.Body("bob", 1.0, 1.0)], contacts=[floor])
    with pytest.raises(ModelError, match='method = "order3" does not stop at rigid contacts'):
        rt.simulate(model, rt.State(bob={"y": 1.0}), 1.0, options=rt.Options(method="order3"))
