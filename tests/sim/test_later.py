"""Parts of a Result are made when they are read, and come out the same whenever that is."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import routh as rt
from routh import forces, shapes
from routh.sim.later import Later
from routh.sim.result import Result

LEDGERS = ("impacts", "events", "touches")


def compiled():
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.compile_model(rt.Model(
        space="planar", gravity=(0.0, -10.0), bodies=[rt.Body("ball", 1.0, 0.004)],
        forces=[forces.PointForce("wind", "ball", force=(0.5, 0.0))],
        contacts=[rt.Contact("bounce", floor, shapes.Disk("ball", 0.1), law=rt.Newton(e=0.5, mu=0.2))]))


def fall(model, height=1.1):
    return rt.simulate(model, rt.State(ball={"y": height, "omega": 3.0}), t_end=1.5, options=rt.Options(output=0.1))


def numbers(result):
    """Everything a result holds, as bytes."""
    tables = [ledger[name].tobytes() for ledger in (getattr(result, kind) for kind in LEDGERS) for name in ledger.columns]
    return [result[name].tobytes() for name in result.channels] + tables + [result.energy.by_contact, result.declaration]


def test_a_part_is_made_once_and_only_when_it_is_read():
    class Owner:
        part = Later[int]()

    calls = []
    owner = Owner()
    owner.part = lambda: calls.append("made") or 7
    assert not calls
    assert (owner.part, owner.part, calls) == (7, 7, ["made"])
    owner.part = 8
    assert owner.part == 8


def test_a_run_is_observed_at_the_first_reading_of_a_channel(monkeypatch):
    from routh.sim.outcome import Outcome

    seen = []
    monkeypatch.setattr(Outcome, "channels", lambda self: seen.append("channels") or {"a.x": (self.samples.t, "s")})
    result = fall(compiled())
    assert not seen
    assert result["a.x"] is result.t
    assert seen == ["channels"]


def test_a_result_does_not_depend_on_when_it_is_read():
    model = compiled()
    early, late = fall(model), fall(model)
    at_once = numbers(early)
    assert numbers(fall(model, height=2.0)) != at_once
    rt.Simulator(model, rt.State(ball={"y": 1.1})).advance(1.0)
    assert numbers(late) == at_once


@pytest.mark.parametrize("copied", [lambda r: pickle.loads(pickle.dumps(r)), copy.deepcopy, Result.complete])
def test_a_copy_of_a_result_holds_every_part(copied):
    model = compiled()
    result = copied(fall(model))
    assert not any(callable(part) for part in vars(result).values())
    assert numbers(result) == numbers(fall(model))


def test_what_a_simulator_showed_stays_when_it_goes_on():
    sim = rt.Simulator(compiled(), rt.State(ball={"y": 1.1}))
    before = sim.now
    sim.advance(0.5)
    assert before["ball.y"][-1] == 1.1
    assert not len(before.impacts)
    assert len(sim.impacts) == 1


def test_a_force_set_in_a_simulator_leaves_other_runs_of_the_compiled_model_alone():
    model = compiled()
    unread, reference = fall(model), numbers(fall(model))
    sim = rt.Simulator(model, rt.State(ball={"y": 1.1}))
    sim.set({"wind.force": (5.0, 0.0)})
    assert sim["ball.ax"] == pytest.approx(5.0)
    assert numbers(unread) == reference
    assert np.array_equal(fall(model)["ball.x"], unread["ball.x"])
