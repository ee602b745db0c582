"""Dense contact in event-driven runs: stretches of time steps where events lead no further, and what results say of them."""

from dataclasses import replace

import numpy as np
import pytest

import routh as rt
from routh import contacts, shapes
from routh.compiler.compile import compile_model
from routh.compiler.machine import Machine
from routh.core.tables.layout import CHATTER
from routh.errors import ModelError, SimulationError
from routh.sim.run import EventRun
from routh.sim.stretches import natural_time
from transforms import View, in_units

R, WIDTH = 0.05, 0.25


def spheres_in_a_box(n=8, e=0.3, mu=0.5):
    """Spheres dropped one after another into a narrow box."""
    rng = np.random.default_rng(0)
    names = [f"s{i}" for i in range(n)]
    balls = [shapes.Sphere(name, radius=R) for name in names]
    walls = [shapes.HalfSpace("ground", (0.0, 0.0, 1.0))]
    walls += [shapes.HalfSpace("ground", tuple(s * np.eye(3)[k]), tuple(-0.5 * s * WIDTH * np.eye(3)[k]))
              for k in range(2) for s in (1.0, -1.0)]
    model = rt.Model(space="spatial", gravity=(0.0, 0.0, -9.81), bodies=[rt.Body(name, 1.0, (1e-3,) * 3) for name in names],
                     contacts=contacts.between("c", balls, [*balls, *walls], law=rt.Newton(e=e, mu=mu)))
    start = rt.State({name: {"x": rng.uniform(-R, R), "y": rng.uniform(-R, R), "z": 0.06 + 0.11 * i}
                      for i, name in enumerate(names)})
    return model, start


@pytest.fixture(scope="module")
def box():
    model, start = spheres_in_a_box()
    return [rt.simulate(model, start, t_end=1.0) for _ in range(2)]


def test_eight_spheres_in_a_box_finish_and_say_what_share_was_exact(box):
    result = box[0]
    assert result.status == "finished"
    assert result.t[-1] == 1.0
    share = result.statistics["exact_share"]
    assert 0.0 < share < 1.0
    stepped = (result.stretches.end - result.stretches.begin).sum()
    assert share == pytest.approx(1.0 - stepped, abs=1e-12)
    assert f"{len(result.stretches)} stretches by time steps" in repr(result)
    assert (result.events.kind == "stepped").sum() == len(result.stretches) == result.statistics["stretches"]


def test_the_energy_account_closes_over_stretches_of_time_steps(box):
    result, energy = box[0], box[0].energy
    scale = np.abs(energy["impacts"]).max()
    assert np.abs(energy["error"]).max() < 1e-6 * scale
    assert energy["scheme"][-1] == pytest.approx(result.stretches.scheme.sum(), abs=1e-12 * scale)
    for work in ("impacts", "friction"):
        told = sum(shares[work] for shares in energy.by_contact.values())
        assert told == pytest.approx(energy[work][-1], abs=1e-9 * scale)


def test_a_run_with_stretches_is_the_same_bit_for_bit_twice(box):
    first, second = box
    assert all(np.array_equal(first[name], second[name]) for name in first.channels)


def test_nothing_overlaps_within_stretches_nor_after_them(box):
    result = box[0]
    lowest = np.min([result[name] for name in result.channels if name.endswith(".gap")], axis=0)
    stepped = np.zeros(len(result.t), bool)
    for begin, end in zip(result.stretches.begin, result.stretches.end, strict=True):
        stepped |= (result.t >= begin) & (result.t <= end)
    assert lowest.min() > -1e-4 * R
    assert lowest[~stepped].min() > -1e-9 * R


def test_an_unknown_fallback_is_refused():
    with pytest.raises(ModelError, match='fallback = "steping"; did you mean "stepping"'):
        rt.Options(fallback="steping")


def test_a_run_that_needs_no_fallback_is_the_same_with_and_without_it():
    model, start = spheres_in_a_box(n=2)
    stepping, events = (rt.simulate(model, start, t_end=0.5, options=rt.Options(fallback=kind))
                        for kind in ("stepping", "none"))
    assert stepping.statistics["exact_share"] == 1.0
    assert "exact" not in repr(stepping)
    assert all(np.array_equal(stepping[name], events[name]) for name in events.channels)


def test_each_stretch_is_in_the_event_log_with_its_step_its_impulses_and_its_energy(box):
    result = box[0]
    rows = result.events[result.events.kind == "stepped"]
    assert list(rows.t) == list(result.stretches.begin)
    for event, stretch in zip(rows, result.stretches, strict=True):
        assert event.p_n == stretch.impulse_n
        assert event.energy_lost == pytest.approx(-(stretch.impacts + stretch.friction + stretch.scheme), abs=1e-15)
        assert f"{stretch.steps} steps of {stretch.step:g} s" in event.text
        assert stretch.steps >= (stretch.end - stretch.begin) / stretch.step * (1.0 - 1e-9)
        assert event.text.startswith("too many events")


def kept_energy(result):
    """Energy less what forces and drivers brought: no contact may make it grow."""
    energy = result.energy
    return energy["total"] - energy["applied"] - energy["drive"]


def test_energy_does_not_grow_over_a_stretch(box):
    result, kept = box[0], kept_energy(box[0])
    scale = np.ptp(result.energy["potential"])
    for begin, end in zip(result.stretches.begin, result.stretches.end, strict=True):
        before, after = kept[result.t <= begin][-1], kept[result.t >= end][0]
        assert after - before <= 1e-6 * scale


def test_the_step_of_a_stretch_comes_from_the_scene_in_its_units():
    """Spheres a thousand times as large, in a time that is longer by the root of that: all times of the run scale."""
    model, start = spheres_in_a_box()
    seen = in_units(View(model, start, 0.55), length=1e3, time=np.sqrt(1e3))
    first, second = (rt.simulate(m, s, t_end=t, options=rt.Options(output=[])) for m, s, t in (
        (model, start, 0.55), (seen.model, seen.start, seen.t_end)))
    assert len(first.stretches) > 0
    assert second.stretches.begin[0] / seen.time == pytest.approx(first.stretches.begin[0], rel=0.1)
    assert second.stretches.step[0] / seen.time == pytest.approx(first.stretches.step[0], rel=0.2)


def test_the_natural_time_is_the_fall_through_a_size_or_the_flight_over_it():
    """A ball next to the floor: at rest the root of size over gravity, fast size over speed."""
    ball, floor = shapes.Disk("ball", radius=R), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", 1.0, 1e-3)],
                     contacts=[rt.Contact("c", ball, floor, law=rt.Newton(e=0.5, mu=0.0))])
    machine = Machine(compile_model(model))
    size = float(machine.system.contact["size"][0])
    rest = natural_time(machine, 0.0, np.array([0.0, R, 0.0]), np.zeros(3))
    fast = natural_time(machine, 0.0, np.array([0.0, R, 0.0]), np.array([0.0, -100.0, 0.0]))
    assert rest == pytest.approx(np.sqrt(size / 9.81))
    assert fast == pytest.approx(size / 100.0)
    still = compile_model(replace(model, gravity=(0.0, 0.0)))
    assert natural_time(Machine(still), 0.0, np.array([0.0, R, 0.0]), np.zeros(3)) == np.inf


def test_without_a_fallback_dense_events_stop_the_run_with_their_name():
    model, start = spheres_in_a_box()
    with pytest.raises(SimulationError, match="events come for long more densely") as stopped:
        rt.simulate(model, start, t_end=1.0, options=rt.Options(fallback="none"))
    result = stopped.value.result
    assert result.status == "too many events"
    assert result.statistics["exact_share"] == 1.0
    assert not result.success
    assert 0.1 < result.t[-1] < 1.0


def test_a_dead_end_that_stays_is_left_by_ever_longer_stretches(monkeypatch):
    """Events that never lead on: a run of n steps has no more than log2(n) stretches, and comes to its end."""
    model, start = spheres_in_a_box(n=2)
    monkeypatch.setattr(EventRun, "_call", lambda run, implicit: CHATTER)
    result = rt.simulate(model, start, t_end=0.5, options=rt.Options(output=[], step=1e-3))
    assert result.status == "finished"
    assert result.statistics["exact_share"] == 0.0
    assert 1 <= len(result.stretches) <= np.log2(0.5 / (5 * 1e-3)) + 2.0
    assert (np.diff(result.stretches.begin) > 0.0).all()


def test_dense_samples_do_not_make_a_stretch_shorter():
    """A stretch is quiet for a time, not for a number of steps, which samples cut."""
    model, start = spheres_in_a_box()
    result = rt.simulate(model, start, t_end=0.52, options=rt.Options(output=1e-5))
    lasted = result.stretches.end - result.stretches.begin
    assert (lasted[:-1] >= 5.0 * result.stretches.step[:-1] * (1.0 - 1e-6)).all()


def test_a_law_that_makes_energy_without_end_is_named():
    """A slider with two shoes in a guide, Newton's law with e = 1 and mu = 1: impacts feed on each other."""
    shoes = [shapes.Disk("slider", radius=0.01, point=(x, 0.0)) for x in (-0.05, 0.05)]
    walls = [shapes.HalfSpace("ground", (0.0, s), (0.0, -s * 0.011)) for s in (1.0, -1.0)]
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("slider", 1.0, 1e-3)],
                     contacts=contacts.between("c", shoes, walls, law=rt.Newton(e=1.0, mu=1.0)))
    start = rt.State(slider={"vx": 3.0, "vy": 0.5, "omega": 10.0})
    with pytest.raises(SimulationError, match=r"the impact law makes energy.*impacts have made") as stopped:
        rt.simulate(model, start, t_end=1.0)
    assert stopped.value.status == "law makes energy"
    assert len(stopped.value.result.impacts) < 10_000
    calm = replace(model, contacts=contacts.between("c", shoes, walls, law=rt.Stronge(e=1.0, mu=1.0)))
    assert rt.simulate(calm, start, t_end=1.0).status == "finished"
