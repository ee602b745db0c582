"""Studies of motions that end at an event of the user's own."""

import numpy as np
import pytest

import routh as rt
from scenes import START, G, drop


def test_a_terminal_event_ends_the_run_of_every_point():
    """The ball falls from 1.03 m: when it passes a height, for several starts."""
    study = rt.Study(drop(), START, 0.9, vary={"ball.y": [0.53, 1.03, 2.03]},
                     record={"time": "last(t)", "speed": "last(ball.vy)", "late": "at(ball.y, 0.8)",
                             "early": "at(ball.y, 0.1)"},
                     events=[rt.Event("low", "ball.y - 0.13", terminal=True, direction=-1)])
    table = study.run()
    fall = np.array([0.4, 0.9, 1.9])
    assert table["time"] == pytest.approx(np.sqrt(2.0 * fall / G), abs=1e-11)
    assert table["speed"] == pytest.approx(-np.sqrt(2.0 * G * fall), abs=1e-9)
    assert np.isnan(table["late"]).all()
    assert table["early"] == pytest.approx(0.13 + fall - 0.05 * 0.1 * G, abs=1e-9)
    assert (table["status"] == "finished").all()


def test_the_events_of_a_model_file_count_in_its_study(tmp_path):
    event = rt.Event("low", "ball.y - 0.13", terminal=True)
    rt.write_model(tmp_path / "drop.toml", rt.ModelFile(drop(), START, 0.9, events=(event,)))
    (tmp_path / "study.toml").write_text('model = "drop.toml"\n[vary]\n"ball.y" = [1.03]\n[record]\ntime = "last(t)"\n')
    table = rt.study.read_study(tmp_path / "study.toml").run()
    assert table["time"][0] == pytest.approx(np.sqrt(1.8 / G), abs=1e-11)


def test_an_impact_has_no_events():
    case = rt.study.ImpactCase(np.diag([1.0, 3.0]), rt.Poisson(e=0.5, mu=0.3))
    with pytest.raises(rt.errors.ModelError, match="events belong to motions"):
        rt.Study(case, vary={"e": [0.1]}, events=["ball.y"])
