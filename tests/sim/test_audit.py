"""The audit of event-driven runs: a run that breaks a law of mechanics does not say that it finished."""

import math

import numpy as np
import pytest

import routh as rt
from routh import shapes
from routh.compiler.compile import compile_model
from routh.errors import SimulationError
from routh.sim.audit import broken_law
from routh.sim.run import take_run

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
        assert result.status.startswith("law broken: ")


def finished_ball():
    """A run of a bouncing ball that is over, before its result is made."""
    ball, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=0.16, inertia=5.8e-5)],
                     contacts=[rt.Contact("bounce", ball, floor, law=rt.Stronge(e=0.8, mu=0.3))])
    run = take_run(compile_model(model), rt.Options())
    run.begin(rt.Options(), np.array([0.0, 1.03, 0.0]), np.array([0.5, 0.0, -40.0]), 0.0, 1.0, np.linspace(0.0, 1.0, 101)[1:])
    run.go_through()
    return run


def test_a_run_that_keeps_the_laws_is_finished():
    assert finished_ball().status == "finished"


@pytest.mark.parametrize(("law", "spoil"), [
    ("energy account", lambda run: run.samples.y.__setitem__((slice(None), 3), 2.0 * run.samples.y[:, 3] + run.samples.t)),
    ("penetrates", lambda run: run.samples.y.__setitem__((slice(None), 1), run.samples.y[:, 1] - 1e-3)),
    ("momentum of an impact", lambda run: run.log.impact["residual"].__setitem__(0, 1e-3)),
    ("not finite", lambda run: run.samples.y.__setitem__((5, 0), np.nan)),
], ids=lambda value: value if isinstance(value, str) else "")
def test_the_audit_names_the_law_that_is_broken(law, spoil):
    run = finished_ball()
    spoil(run)
    assert broken_law(run).startswith("law broken: ")
    assert law in broken_law(run)


def test_a_broken_law_is_raised_with_the_part_computed():
    with pytest.raises(SimulationError, match="law broken") as stopped:
        rt.simulate(*disc_over_two_rails(0.05, 1.0, 0.1), t_end=0.3)
    assert stopped.value.result.t[-1] > 0.0
    assert stopped.value.status == stopped.value.result.status
