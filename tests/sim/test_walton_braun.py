"""Walton and Braun's bilinear law: restitution, energy and history against closed forms and another integrator."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh import compliant, shapes
from routh.errors import ModelError

approx = pytest.approx

K, E = 1e6, 0.6
LAW = compliant.WaltonBraun.for_restitution(K, E)


def ball(gravity=0.0, space="planar", forces=()):
    d = 2 if space == "planar" else 3
    up, inertia = (0.0, 1.0, 0.0)[:d], 4e-3 if d == 2 else (4e-3,) * 3
    shape = shapes.Disk("ball", 0.1) if d == 2 else shapes.Sphere("ball", 0.1)
    return rt.Model(space, [rt.Body("ball", 1.0, inertia)], gravity=tuple(-gravity * x for x in up),
                    forces=forces,
                    contacts=[rt.Contact("floor", shapes.HalfSpace("ground", normal=up), shape, rt.Compliant(LAW))])


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("speed", [0.01, 3.0])
def test_restitution_and_duration_are_those_of_two_quarter_waves(space, speed):
    result = rt.simulate(ball(space=space), rt.State(ball={"y": 0.1001, "vy": -speed}), t_end=0.1 / speed + 0.01)
    touch = result.touches[0]
    assert touch.e == approx(E, abs=1e-7)                   # atol = 1e-10 against the slow speed of 0.01
    assert LAW.restitution(speed) == approx(E)
    assert touch.duration == approx(0.5 * math.pi * (1.0 + E) / math.sqrt(K), rel=1e-7)  # √(m/k) and √(m/k_unload) = E √(m/k)
    assert result["floor.force"].max() <= speed * math.sqrt(K) * (1.0 + 1e-9)
    lost = 0.5 * speed**2 * (1.0 - E**2)
    assert -result.energy.hysteresis[-1] == approx(lost, rel=1e-7)
    assert abs(result.energy.error[-1]) < 1e-7 * 0.5 * speed**2


def test_a_contact_that_is_pressed_again_follows_the_steep_line_up_to_its_greatest_depth():
    """Against SciPy, with the greatest depth as a state of its own and the edges of the pulse as ends of stretches."""
    push = rt.forces.PointForce("push", "ball", (0.0, -5000.0), profile=rt.profiles.Rectangle(1.8e-3, 0.8e-3))
    times = np.linspace(0.0, 6e-3, 61)
    result = rt.simulate(ball(forces=[push]), rt.State(ball={"y": 0.1, "vy": -1.0}), t_end=6e-3,
                         options=rt.Options(rtol=1e-10, atol=1e-12, output=times))

    def rates(t, y, f):
        depth, rate, most = y
        force = K * depth if depth >= most else max(K * most - LAW.k_unload * (most - depth), 0.0)
        return [rate, f - max(force, 0.0), max(rate, 0.0) if depth >= most else 0.0]

    y, found = np.array([0.0, 1.0, 0.0]), {}
    for a, b, f in ((0.0, 1.8e-3, 0.0), (1.8e-3, 2.6e-3, 5000.0), (2.6e-3, 6e-3, 0.0)):
        run = solve_ivp(rates, (a, b), y, args=(f,), max_step=2e-7, rtol=1e-9, atol=1e-13,
                        t_eval=[*times[(times >= a) & (times < b)], b])
        found.update(zip(run.t, run.y[0], strict=True))
        y = run.y[:, -1]
    mine = 0.1 - np.array([result.at(float(t))["ball.y"] for t in times])
    theirs = np.array([found[t] for t in times])
    assert mine == approx(theirs, abs=2e-8)                # steps of 2e-7 s at 1 m/s find the turning points to that part


def test_the_stepping_engine_converges_to_it():
    model, start = ball(9.81), rt.State(ball={"y": 0.15, "vy": -3.0})
    exact = rt.simulate(model, start, t_end=0.05)["ball.vy"][-1]
    error = [abs(rt.simulate(model, start, t_end=0.05, options=rt.Options(engine="stepping", step=h))["ball.vy"][-1] - exact)
             for h in (4e-5, 1e-5)]
    assert error[1] < 0.35 * error[0] < 0.1                 # of first order: an implicit step


def test_several_stepped_contacts_keep_their_own_memory():
    """Balls that touch at different times have the rebound of each alone: what a contact remembers follows its pair."""
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    names = ["a", "b", "c"]
    law = rt.Compliant(LAW)
    model = rt.Model("planar", [rt.Body(n, 1.0, 4e-3) for n in names],
                     contacts=[rt.Contact(f"floor_{n}", floor, shapes.Disk(n, 0.1), law) for n in names])
    start = rt.State(**{n: {"x": float(i), "y": 0.1 + 2e-3 * (2 - i), "vy": -1.0} for i, n in enumerate(names)})
    run = rt.simulate(model, start, t_end=0.02, options=rt.Options(engine="stepping", step=1e-5))
    assert [run[f"{n}.vy"][-1] for n in names] == approx([E] * 3, abs=0.02)


def test_hops_within_the_dent_are_elastic():
    """While it overlaps, a contact keeps its greatest depth: what does not reach it again goes up and down the steep line."""
    result = rt.simulate(ball(9.81), rt.State(ball={"y": 0.1, "vy": -0.02}), t_end=0.1)
    assert result.touches.e[0] == approx(E, rel=1e-3)      # the weight is 1/2000 of the largest force
    assert result.touches.e[1:-1] == approx(np.ones(len(result.touches) - 2), abs=1e-6)
    assert abs(result.energy.error[-1]) < 1e-6 * 0.5 * 0.02**2


def test_senseless_stiffnesses_are_refused():
    with pytest.raises(ModelError, match="below k"):
        compliant.WaltonBraun(2e6, 1e6)
    with pytest.raises(ModelError, match="remembers how deep each contact was"):
        rt.simulate(ball(), rt.State(ball={"y": 0.2}), t_end=0.1, options=rt.Options(method="implicit"))
