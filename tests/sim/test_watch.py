"""The progress bar of a long run: events so far, and the energy that is missing, without touching the run."""

from __future__ import annotations

import numpy as np
import pytest

import routh as rt
from routh.gallery.scenes import scene
from routh.sim.assembly import assemble_arrays
from routh.sim.run import EventRun, Run, take_run


def ran(file, kind):
    options = rt.Options(progress=False, rtol=1e-5, atol=1e-6)
    run = take_run(rt.compile_model(file.model), options)
    assert type(run) is kind
    run.begin(options, *assemble_arrays(run.machine, file.start, 0.0, keep=True), 0.0, file.t_end, np.array([file.t_end]))
    run.go()
    return run


@pytest.mark.parametrize(("name", "kind"), [("park_pendulums", EventRun), ("slider_crank", Run)])
def test_the_drift_is_the_error_of_the_energy_account(name, kind):
    run = ran(scene(name), kind)
    drift = run.watch.drift(float(run.control[0]["t"]), run.y, run.stops, len(run.stops) - 2)
    energy = run.result().energy
    assert drift == pytest.approx(energy["error"][-1], abs=1e-13 * np.abs(energy["total"]).max())
    assert drift != 0.0


def test_the_bar_shows_time_events_and_drift_and_changes_nothing(capsys):
    file = scene("park_ball")
    seen = rt.simulate(file.model, file.start, 2.0, options=rt.Options(progress=True))
    shown = capsys.readouterr().err
    quiet = rt.simulate(file.model, file.start, 2.0, options=rt.Options(progress=False))
    assert capsys.readouterr().err == ""
    for words in ("t = 2 s", "events", "energy off by", " J"):
        assert words in shown.replace("\n", " ")
    assert all(np.array_equal(seen[name], quiet[name]) for name in seen.channels)
