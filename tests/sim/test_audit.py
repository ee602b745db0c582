"""The audit of event-driven runs: a run that breaks a law of mechanics does not say that it finished."""

import math

import numpy as np
import pytest

import routh as rt
from routh import forces, shapes
from routh.compiler.compile import compile_model
from routh.errors import SimulationError
from routh.sim.run import EventRun, take_run

R, THICK = 0.013, 0.004


def disc_over_two_rails(tilt, spin, vx):
    """A disc falls flat, or nearly so, on two rails; its end lies over the edges of both."""
    disc = shapes.Cylinder("disc", R, THICK, (0.0, 0.0, 1.0))
    rails = [shapes.Box("ground", (0.2, 0.004, 0.01), point=(0.0, side * 0.008, -0.005)) for side in (-1.0, 1.0)]
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -9.81), bodies=[rt.Body("disc", 0.01, (4e-7, 4e-7, 8e-7))],
                     contacts=[rt.Contact(f"rail{i}", disc, rail, law=rt.Newton(e=0.2, mu=0.3))
                               for i, rail in enumerate(rails)])
    start = rt.State(disc={"z": 0.5 * THICK + 0.003, "y": 3e-4 * spin, "vx": vx, "omega": (0.1 * spin, 0.2, spin),
                           "q": (math.cos(0.5 * tilt), math.sin(0.5 * tilt), 0.0, 0.0)})
    return model, start


STARTS = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.02, 0.0, 0.0), (0.05, 1.0, 0.1), (0.1, 0.0, 0.0), (0.03, 2.0, 0.2)]


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_a_disc_over_two_rails_is_right_or_says_that_it_is_not(start):
    result = rt.simulate(*disc_over_two_rails(*start), t_end=0.3, options=rt.Options(on_error="return"))
    if result.status == "finished":
        assert min(result[f"rail{i}.gap"].min() for i in range(2)) > -1e-6 * R
        assert np.abs(result.energy["error"]).max() < 1e-3 * result.energy["total"].max()
    else:
        assert result.status == "law broken"
        assert " at t = " in result.detail


def finished_ball():
    """A run of a bouncing ball that is over, before its result is made."""
    ball, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
                     contacts=[rt.Contact("bounce", ball, floor, law=rt.Stronge(e=0.8, mu=0.3))])
    run = take_run(compile_model(model), rt.Options())
    run.begin(rt.Options(), np.array([0.0, 1.03, 0.0]), np.array([0.5, 0.0, -40.0]), 0.0, 1.0, np.linspace(0.0, 1.0, 101)[1:])
    run.go_through()
    assert run.status == "finished"
    return run


def scaled(column, factor):
    def spoil(run):
        run.log.impact[column][:3] *= factor
    return spoil


@pytest.mark.parametrize(("law", "spoil"), [
    ("energy account", lambda run: run.samples.y.__setitem__((slice(None), 3), 2.0 * run.samples.y[:, 3] + run.samples.t)),
    ("penetrates", lambda run: run.samples.y.__setitem__((slice(None), 1), run.samples.y[:, 1] - 1e-3)),
    ("momentum of an impact", lambda run: run.log.impact["residual"].__setitem__(0, 1e-3)),
    ("not finite", lambda run: run.samples.y.__setitem__((5, 0), np.nan)),
    ("does not explain", scaled("v_after", 1.001)),
    ("leaves the friction cone", lambda run: run.log.impact["p"].__setitem__((0, 1), run.log.impact["p"][0, 0])),
    ("pulls", scaled("p", -1.0)),
    ("moves by", lambda run: run.samples.y.__setitem__((slice(50, None), 0), run.samples.y[50:, 0] + 10.0)),
], ids=lambda value: value if isinstance(value, str) else "")
def test_the_audit_names_the_law_that_is_broken(law, spoil):
    run = finished_ball()
    spoil(run)
    assert law in run.auditor.verdict()


def pushing(monkeypatch, after, factor):
    """Let the compiled loop leave wrong speeds once, some slices after the begin."""
    call, calls = EventRun._call, []

    def wrong(run, implicit):
        code = call(run, implicit)
        calls.append(code)
        if len(calls) == after:
            run.y[3:6] *= factor
            run.control[0]["fresh"] = 1
        return code

    monkeypatch.setattr(EventRun, "_call", wrong)


BOUNCE = rt.State(ball={"y": 1.03, "vx": 0.5, "omega": -40.0})


def test_wrong_speeds_within_a_run_end_it_with_the_part_computed(monkeypatch):
    model, start = long_bounces()
    pushing(monkeypatch, 1, 1.01)
    with pytest.raises(SimulationError, match=r"breaks a law of mechanics.*energy account misses") as stopped:
        rt.simulate(model, start, t_end=200.0)
    result = stopped.value.result
    assert result.status == stopped.value.status == "law broken"
    assert 0.0 < result.t[-1] < 200.0
    assert "energy account" in result.message
    assert "law broken (the energy account" in repr(result)


def long_bounces():
    """A ball that bounces without loss, so that a run has many steps."""
    ball, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
                     contacts=[rt.Contact("bounce", ball, floor, law=rt.Stronge(e=1.0, mu=0.0))])
    return model, BOUNCE


def test_a_long_run_that_is_right_is_finished():
    model, start = long_bounces()
    assert rt.simulate(model, start, t_end=200.0).status == "finished"


def test_a_wrong_state_between_two_advances_is_found():
    model, start = long_bounces()
    sim = rt.Simulator(model, start)
    sim.advance(1.0)
    sim._run.y[4] *= 1.05
    with pytest.raises(SimulationError, match="energy account"):
        sim.advance(200.0)


def test_energy_that_a_force_of_ones_own_brings_is_in_the_account_and_no_fault():
    """A thrust along the velocity makes energy: as the work of an applied force."""
    model, start = long_bounces()
    model = rt.Model(space="planar", gravity=model.gravity, bodies=model.bodies, contacts=model.contacts,
                     forces=[forces.PointForce("thrust", "ball", force=(0.3, 0.0))])
    result = rt.simulate(model, start, t_end=5.0)
    assert result.status == "finished"
    assert result.energy["applied"][-1] > 1.0
    assert np.abs(result.energy["error"]).max() < 1e-6


@pytest.mark.parametrize("law", [rt.Stronge, rt.Poisson])
def test_an_impact_that_makes_energy_though_its_law_cannot_is_found(law):
    """The ratio of restitution is changed behind the checks of the model."""
    model, start = long_bounces()
    contact = rt.Contact("bounce", model.contacts[0].a, model.contacts[0].b, law=law(e=0.9, mu=0.0))
    compiled = compile_model(rt.Model(space="planar", gravity=model.gravity, bodies=model.bodies, contacts=[contact]))
    compiled.system.contact["e"] = 1.02
    result = rt.simulate(compiled, start, t_end=1.0, options=rt.Options(on_error="return"))
    assert result.status == "law broken"
    assert 'impact of contact "bounce" makes' in result.detail
