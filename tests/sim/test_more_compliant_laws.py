"""ADAMS' contact force and normal laws of the user's own: against an independent integration, in both engines."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh import compliant, shapes
from routh.errors import ModelError

AdamsImpact, Law = compliant.AdamsImpact, compliant.Law

approx = pytest.approx
K, C, FULL, MASS, SPEED = 2e6, 400.0, 2e-4, 0.3, 1.5


def dropped(space, law):
    """A ball of 0.3 kg just above the floor, without gravity."""
    n = 2 if space == "planar" else 3
    ball = shapes.Disk("ball", 0.05) if n == 2 else shapes.Sphere("ball", 0.05)
    floor = shapes.HalfSpace("ground", (0.0, 1.0) if n == 2 else (0.0, 0.0, 1.0))
    body = rt.Body("ball", MASS, 1e-3 if n == 2 else (1e-3,) * 3)
    return rt.Model(space, [body], contacts=[rt.Contact("touch", floor, ball, compliant.Compliant(law))])


def fall(space, height=0.051, speed=SPEED):
    up = "y" if space == "planar" else "z"
    return rt.State(ball={up: height, f"v{up}": -speed})


def reference(force, speed=SPEED, mass=MASS):
    """(speed after, greatest depth, greatest force) of an impact, integrated on its own."""
    def rates(t, y):
        return [y[1], -max(force(max(y[0], 0.0), y[1]), 0.0) / mass]

    leaves = lambda t, y: y[0] if t > 0.0 else 1.0  # noqa: E731
    leaves.terminal, leaves.direction = True, -1
    run = solve_ivp(rates, (0.0, 0.1), [0.0, speed], events=leaves, rtol=1e-11, atol=1e-15, max_step=2e-6)
    forces = [max(force(max(d, 0.0), v), 0.0) for d, v in run.y.T]
    return -run.y[1, -1], run.y[0].max(), max(forces)


def adams(depth, rate):
    s = min(depth / FULL, 1.0)
    return K * depth**1.5 + C * s * s * (3.0 - 2.0 * s) * rate


def stiffening(depth, rate, p):
    """A spring that stiffens, with a loss that grows with depth."""
    return (p[0] * depth + p[1] * depth * depth * depth) * (1.0 + p[2] * rate)


STIFFENING = (3e4, 4e10, 0.2)


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize(("law", "force"), [
    (AdamsImpact(K, C, FULL), adams),
    (Law(stiffening, k=3e4, parameters=STIFFENING), lambda d, v: stiffening(d, v, STIFFENING)),
])
def test_an_impact_is_that_of_an_independent_integration(space, law, force):
    after, depth, most = reference(force)
    result = rt.simulate(dropped(space, law), fall(space), 0.02)
    up = "y" if space == "planar" else "z"
    assert result[f"ball.v{up}"][-1] == approx(after, rel=1e-6)
    assert result["touch.depth"].max() == approx(depth, rel=1e-3)  # samples do not hit the very maximum
    assert result["touch.force"].max() == approx(most, rel=1e-2)
    assert law.restitution(SPEED, MASS) == approx(after / SPEED, rel=1e-6)
    lost = 0.5 * MASS * (SPEED**2 - after**2)
    assert result.energy["hysteresis"][-1] == approx(-lost, rel=1e-5)
    assert abs(result.energy["error"]).max() < 1e-7 * 0.5 * MASS * SPEED**2  # ten times rtol


@pytest.mark.parametrize("law", [AdamsImpact(K, C, FULL), Law(stiffening, k=3e4, parameters=STIFFENING)])
def test_stepped_impacts_converge_to_the_event_driven_one(law):
    exact = rt.simulate(dropped("planar", law), fall("planar"), 0.02)["ball.vy"][-1]
    errors = []
    for step in (4e-5, 2e-5, 1e-5):
        result = rt.simulate(dropped("planar", law), fall("planar"), 0.02, options=rt.Options(engine="stepping", step=step))
        errors.append(abs(result["ball.vy"][-1] - exact))
    assert errors[2] < 0.7 * errors[1] < 0.5 * errors[0] + 1e-9  # first order at least
    assert errors[2] < 0.05 * SPEED


def test_a_ball_rests_where_the_force_of_the_law_is_its_weight():
    law = AdamsImpact(K, 200.0, FULL)
    model = dropped("planar", law).replace({"gravity": (0.0, -9.81)})
    result = rt.simulate(model, fall("planar", 0.05, 0.0), 1.0)
    assert result["touch.depth"][-1] == approx((MASS * 9.81 / K) ** (2.0 / 3.0), rel=1e-3)


def test_the_damping_of_adams_sets_in_smoothly():
    """At first touch the force is zero at any speed, unlike that of a spring and damper."""
    law = AdamsImpact(K, C, FULL)
    assert law.force(0.0, 10.0) == 0.0
    assert law.force(FULL, 10.0) - law.force(FULL, 0.0) == approx(C * 10.0)
    assert law.force(0.5 * FULL, 10.0) - law.force(0.5 * FULL, 0.0) == approx(0.5 * C * 10.0)


def test_an_adams_law_is_a_file_and_a_law_of_your_own_is_not():
    model = dropped("planar", AdamsImpact(K, C, FULL))
    text = rt.format_model(model)
    assert rt.parse_model(text).model == model
    assert rt.parse_model(text.replace("depth = 0.0002", 'depth = "0.2 mm"')).model == model
    with pytest.raises(ModelError, match="Python function"):
        rt.format_model(dropped("planar", Law(stiffening, k=1.0, parameters=STIFFENING)))


@pytest.mark.parametrize(("make", "message"), [
    (lambda: AdamsImpact(K, C, 0.0), "depth = 0 must be positive"),
    (lambda: AdamsImpact(K, -1.0, FULL), "c = -1 must be zero or positive"),
    (lambda: AdamsImpact(K, C, FULL, power=0.5), r"outside \[1, 4\]"),
    (lambda: Law(3, k=1.0), "is not a function"),
    (lambda: Law(stiffening, k=0.0), "k = 0 must be positive"),
    (lambda: Law(stiffening, k=1.0, parameters=(0.0,) * 9), "has 9 components"),
    (lambda: rt.compile_model(dropped("planar", Law(lambda d: d, k=1.0))),
     r"must take 3 arguments \(depth, rate, parameters\)"),
    (lambda: AdamsImpact(K, C, FULL).restitution(1.0), "mass = nan is not finite"),
])
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_a_law_that_raises_ends_the_run_as_not_finite():
    def broken(depth, rate, p):
        return p[7] * depth

    result = rt.simulate(dropped("planar", Law(broken, k=1e4)), fall("planar"), 0.02, options=rt.Options(on_error="return"))
    assert not result.success
    assert math.isfinite(result["ball.y"][0])
    assert np.isfinite(result.t).all()
