"""Moments against rolling and drilling of compliant contacts: stop distance and spin-down in closed form."""

import math

import numpy as np
import pytest

import routh as rt
from routh import compliant, friction, shapes
from routh.errors import ModelError

approx = pytest.approx

G, R, K = 9.81, 0.1, 1e5
SLOW = 1e-2


def ball(space, rolling, gravity=(0.0, -G, 0.0), mu=0.5):
    d = 2 if space == "planar" else 3
    floor, shape = shapes.HalfSpace("ground", normal=(0.0, 1.0, 0.0)[:d]), (shapes.Disk if d == 2 else shapes.Sphere)("ball", R)
    law = rt.Compliant(compliant.Linear(K, 300.0), friction.Regularised(mu, 5e-4) if mu else None, rolling)
    inertia = 0.5 * R**2 if d == 2 else (0.4 * R**2,) * 3
    return rt.Model(space, [rt.Body("ball", 1.0, inertia)], gravity=gravity[:d],
                    contacts=[rt.Contact("floor", floor, shape, law)])


@pytest.mark.parametrize(("space", "factor", "spin"), [("planar", 1.5, "omega"), ("spatial", 1.4, "wz")])
def test_a_rolling_body_stops_after_v_squared_over_2_g_c_times_its_inertia_factor(space, factor, spin):
    c, v = 2e-3, 0.3                                        # c / R = 0.02 is the coefficient of rolling resistance
    lever = R - 0.5 * G / K                                 # friction acts in the middle of the overlap
    start = rt.State(ball={"y": R - G / K, "vx": v, spin: -v / lever})
    result = rt.simulate(ball(space, friction.Rolling(c, slow=SLOW)), start, t_end=2.6)
    brake = c / lever * G / (1.0 + (factor - 1.0) * (R / lever) ** 2)
    distance = (0.5 * v**2 + (SLOW * lever) ** 2 * math.pi**2 / 24.0) / brake  # ∫ x (coth x - 1) dx = π²/24: the smooth end
    assert result["ball.x"][-1] == approx(distance, rel=2e-4)              # the friction creeps by 5e-4 atanh(0.03) m/s
    assert abs(result["ball.vx"][-1]) < 1e-4 * v
    assert result.at(1.0)["ball.vx"] == approx(v - brake, rel=2e-4)        # constant deceleration up to there
    assert -result.energy.friction[-1] == approx(0.5 * factor * v**2, rel=1e-3)
    assert np.abs(result.energy.error).max() < 1e-6 * v**2


def test_a_drilling_sphere_spins_down_at_a_constant_rate():
    c, spin = 1e-3, 5.0
    result = rt.simulate(ball("spatial", friction.Rolling(drilling=c), mu=0.0),
                         rt.State(ball={"y": R - G / K, "wy": spin, "wx": 0.7}), t_end=2.5)
    rate = c * G / (0.4 * R**2)
    assert result.at(1.0)["ball.wy"] == approx(spin - rate, rel=1e-7)
    assert abs(result["ball.wy"][-1]) < 1e-6                               # at rest since t = 2.04 s
    assert result["ball.wx"] == approx(0.7 * np.ones(len(result.t)), abs=1e-9)  # rolling is not resisted


def test_two_bodies_feel_opposite_moments():
    """Two free discs that are pressed together by springs: what one loses in angular momentum the other gains."""
    law = rt.Compliant(compliant.Linear(K, 300.0), rolling=friction.Rolling(5e-3))
    model = rt.Model("planar", [rt.Body("a", 1.0, 5e-3), rt.Body("b", 2.0, 1e-2)],
                     forces=[rt.forces.SpringDamper("press", "a", "b", stiffness=1e3, free_length=0.0)],
                     contacts=[rt.Contact("rim", shapes.Disk("a", R), shapes.Disk("b", R), law)])
    result = rt.simulate(model, rt.State(a={"x": 0.0, "omega": 3.0}, b={"x": 0.2}), t_end=0.05)
    assert result["a.omega"][-1] < 2.9
    assert 5e-3 * result["a.omega"] + 1e-2 * result["b.omega"] == approx(np.full(len(result.t), 1.5e-2), abs=1e-9)


def test_below_slow_a_wheel_creeps_as_the_law_says():
    """On a slope the moment of the weight holds at the angular velocity at which tanh gives as much."""
    c, slope = 2e-3, 0.01
    gravity = (G * math.sin(slope), -G * math.cos(slope), 0.0)
    result = rt.simulate(ball("planar", friction.Rolling(c, slow=SLOW), gravity), rt.State(ball={"y": R - G / K}), t_end=0.5)
    assert -result["ball.omega"][-1] == approx(SLOW * math.atanh(R * math.tan(slope) / c), rel=1e-3)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: friction.Rolling(), "both zero"),
    (lambda: friction.Rolling(-1e-3), "rolling = -0.001"),
    (lambda: friction.Rolling(1e-3, slow=0.0), "slow = 0 must be positive"),
    (lambda: rt.Compliant(compliant.Hertz(K), rolling=1e-3), "rolling = 0.001 is no friction.Rolling"),
    (lambda: rt.compile_model(ball("planar", friction.Rolling(1e-3, 1e-3))), "a planar model does not have"),
    (lambda: rt.simulate(ball("planar", friction.Rolling(1e-3)), rt.State(ball={"y": R}), 0.1,
                         options=rt.Options(engine="stepping", step=1e-3)), "no moments against rolling"),
])
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()
