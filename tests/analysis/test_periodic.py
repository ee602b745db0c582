"""Periodic motions: windows of a ball on a shaken table in closed form, stick-slip on a belt, the woodpecker."""

from __future__ import annotations

import math

import numpy as np
import pytest

import routh as rt
from routh import forces, friction, joints, profiles, shapes
from routh.errors import ModelError, SimulationError
from routh.gallery import woodpecker

G, F = 9.81, 10.0
W = 2.0 * math.pi * F
AMPLITUDE = "shaker.motion.amplitude"


def shaken(gamma, e):
    """A ball over a table that moves as A sin ωt, with gamma = A ω² / g."""
    table, ball = shapes.HalfSpace("table", normal=(0.0, 1.0)), shapes.Disk("ball", radius=0.01)
    return rt.Model(
        space="planar", gravity=(0.0, -G), bodies=[rt.Body("table", 1.0, 1.0), rt.Body("ball", 0.01, 4e-7)],
        joints=[joints.Prismatic("lift", "ground", "table", axis=(0.0, 1.0)),
                joints.Prismatic("guide", "ground", "ball", axis=(0.0, 1.0))],
        drivers=[rt.Driver("shaker", "lift.shift", profiles.Sine(gamma * G / W**2, F))],
        contacts=[rt.Contact("hit", table, ball, law=rt.Newton(e=e, mu=0.0))])


def window(e):
    """Values of A ω² / g between which one impact a period is stable [guckenheimer and holmes 1983, 2.4]."""
    low = math.pi * (1.0 - e) / (1.0 + e)
    return low, math.hypot(low, 2.0 * (1.0 + e * e) / (1.0 + e) ** 2)


def one_impact(gamma, e):
    """(state, time) at the top of the flight of the periodic motion: it leaves with π g / ω, at the phase acos(low / gamma)."""
    phase = math.acos(window(e)[0] / gamma)
    top = 0.01 + gamma * G / W**2 * math.sin(phase) + 0.5 * (math.pi / W) ** 2 * G
    return rt.State(guide={"shift": top, "shift_rate": 0.0}), phase / W + 0.5 / F


@pytest.mark.parametrize("e", [0.5, 0.8])
def test_a_ball_on_a_shaken_table_has_its_window_of_one_impact_a_period(e):
    low, high = window(e)
    gamma = 0.5 * (low + high)
    start, t = one_impact(gamma, e)
    orbit = rt.periodic_orbit(shaken(gamma, e), start.replace({"guide.shift": 1.001 * start["guide"]["shift"]}), period=1.0 / F,
                              t_start=t)
    assert orbit.start["guide"]["shift"] == pytest.approx(start["guide"]["shift"], abs=1e-11)
    assert np.prod(orbit.multipliers).real == pytest.approx(e * e, abs=1e-8)  # phase space shrinks by e²
    assert orbit.stable
    up = rt.continue_orbit(orbit, AMPLITUDE, 1.05 * high * G / W**2)
    assert [b.kind for b in up.bifurcations] == ["period doubling"]
    assert up.bifurcations[0].value * W**2 / G == pytest.approx(high, abs=1e-8)
    assert not up.orbits[-1].stable
    down = rt.continue_orbit(orbit, AMPLITUDE, 0.9 * low * G / W**2, max_points=40)
    assert down.bifurcations[0].kind == "fold"
    assert down.bifurcations[0].value * W**2 / G == pytest.approx(low, abs=1e-8)


def test_plain_runs_double_their_period_where_shooting_says_so():
    e = 0.5
    low, high = window(e)
    start, t = one_impact(0.5 * (low + high), e)
    table = rt.bifurcation_diagram(shaken(0.5 * (low + high), e), start, AMPLITUDE,
                                   [gamma * G / W**2 for gamma in (high - 0.02, high + 0.02)], channels=["ball.y"],
                                   period=1.0 / F, t_start=t, count=4, skip=400)
    below, above = table["ball.y"][:4], table["ball.y"][4:]
    assert np.ptp(below) < 1e-6 * below[0]
    assert abs(above[2] - above[0]) < 1e-6 * above[0] < 1e-3 * above[0] < abs(above[1] - above[0])


def falling(slip, p):
    return p[0] / (1.0 + p[1] * slip)


def test_a_block_on_a_belt_sticks_and_slips_with_its_period():
    # m = k = 1, belt 0.2 m/s, friction 1/(1 + 3 |v|) N; reference: SciPy's DOP853 on the two phases
    belt, sole = shapes.HalfSpace("belt", normal=(0.0, 1.0)), shapes.Disk("block", 0.1)
    model = rt.Model(
        space="planar", gravity=(0.0, -1.0),
        bodies=[rt.Body("guide", 0.0, 0.0), rt.Body("block", 1.0, 0.02), rt.Body("belt", 1.0, 1.0)],
        joints=[joints.Prismatic("run", "ground", "belt", axis=(1.0, 0.0)),
                joints.Prismatic("rail", "ground", "guide", axis=(1.0, 0.0)),
                joints.Prismatic("post", "guide", "block", axis=(0.0, 1.0))],
        drivers=[rt.Driver("motor", "run.shift", profiles.ConstantRate(0.2))],
        forces=[forces.JointSpring("spring", "rail.shift", stiffness=1.0)],
        contacts=[rt.Contact("rub", belt, sole, law=rt.Newton(e=0.0, mu=friction.Law(falling, (1.0, 3.0))))])
    orbit = rt.periodic_orbit(model, rt.State(rail={"shift": 0.9, "shift_rate": -0.5}, post={"shift": 0.1}), guess_period=12.0)
    events = {kind: t for t, kind in zip(orbit.result.events["t"], orbit.result.events["kind"], strict=True)}
    period, stick = belt_by_scipy()
    assert orbit.period == pytest.approx(period, abs=1e-8)
    assert events["slip"] - events["stick"] == pytest.approx(stick, abs=1e-8)
    assert (round(period, 6), round(stick, 6)) == (12.001031, 7.705032)
    np.testing.assert_allclose(np.sort(np.abs(orbit.multipliers)), [0.0, 0.0, 0.0, 1.0], atol=1e-7)  # stick forgets the rest


def belt_by_scipy():
    from scipy.integrate import solve_ivp

    def slip(t, y):
        return [y[1], -y[0] + 1.0 / (1.0 + 3.0 * (0.2 - y[1]))]

    def sticks(t, y):
        return 0.2 - y[1]

    sticks.terminal, sticks.direction = True, -1.0
    # from the end of stick, x = 1 (the spring pulls as hard as static friction), until the speed is that of the belt again
    run = solve_ivp(slip, (0.0, 20.0), [1.0, 0.2 - 1e-13], method="DOP853", rtol=1e-13, atol=1e-14, events=sticks)
    end = run.y_events[0][-1][0]
    stick = (1.0 - end) / 0.2
    return run.t_events[0][-1] + stick, stick


def test_the_woodpecker_has_a_limit_cycle_whose_multiplier_is_the_ratio_of_its_transients():
    run = woodpecker.run(3.0)
    pecks = run.impacts.t[run.impacts.contact == "beak"]
    place = int(np.searchsorted(run.t, pecks[-3] + 0.003, side="right"))  # in flight
    orbit = rt.periodic_orbit(woodpecker.model(), run.state(place), guess_period=float(pecks[-1] - pecks[-2]),
                              t_start=float(run.t[place]), drift=["guide.shift"], options=rt.Options(rtol=1e-11, atol=1e-14))
    assert orbit.period == pytest.approx(0.1488582859, abs=2e-10)  # of the run, after transients
    assert orbit.stable
    assert orbit.drift[0] == pytest.approx(woodpecker.cycles(run)[1][-1] * -1.0, rel=1e-6)
    periods = np.diff(pecks) - orbit.period
    assert orbit.multipliers[1].real == pytest.approx(periods[4] / periods[3], rel=2e-3)
    assert orbit.multipliers[0].real == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(("choices", "words"), [
    ({}, "either the period"), ({"period": 0.1, "guess_period": 0.1}, "either the period"), ({"period": -1.0}, "period"),
    ({"period": 0.1, "drift": ["guid.shift"]}, "guide.shift")])
def test_choices_that_mean_nothing_are_refused(choices, words):
    with pytest.raises(ModelError, match=words):
        rt.periodic_orbit(shaken(1.2, 0.5), rt.State(guide={"shift": 0.02}), **choices)


def test_a_guess_from_which_nothing_is_found_says_so():
    pendulum = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("rod", 1.0, 0.1)],
                        joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))],
                        forces=[forces.JointSpring("spring", "pin.angle", stiffness=0.0, damping=1.0)])
    with pytest.raises(SimulationError, match="equilibrium"):
        rt.periodic_orbit(pendulum, rt.State(pin={"angle": 0.3}), guess_period=1.0)


def test_a_branch_needs_an_orbit_and_somewhere_to_go():
    start, t = one_impact(1.2, 0.5)
    orbit = rt.periodic_orbit(shaken(1.2, 0.5), start, period=1.0 / F, t_start=t)
    with pytest.raises(ModelError, match="is not a PeriodicOrbit"):
        rt.continue_orbit(orbit.result, AMPLITUDE, 1.0)
    with pytest.raises(ModelError, match="is the value that the orbit has"):
        rt.continue_orbit(orbit, AMPLITUDE, 1.2 * G / W**2)
    with pytest.raises(ModelError, match="value of the start"):
        rt.continue_orbit(orbit, "guide.shift", 1.0)


@pytest.mark.parametrize(("choices", "words"), [
    ({}, "either a period"), ({"period": 0.1, "contact": "hit"}, "either a period"), ({"contact": "hit"}, "give t_end"),
    ({"period": 0.1, "count": 0}, "count = 0"), ({"contact": "hip", "t_end": 0.1}, "no impact")])
def test_a_map_without_a_section_is_refused(choices, words):
    with pytest.raises(ModelError, match=words):
        rt.poincare_map(shaken(1.2, 0.5), rt.State(guide={"shift": 0.02}), channels=["ball.y"], **choices)
