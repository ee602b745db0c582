"""Bad input to the stepping engine, and what its runs keep: groups, samples, files, refinement."""

import math

import numpy as np
import pytest

import routh as rt
from routh import joints, shapes
from routh.errors import ModelError, StateError

G = 9.81
FLOOR = shapes.HalfSpace("ground", normal=(0.0, 1.0))
LAW = rt.Poisson(e=0.3, mu=0.4)


def disks(n):
    return [shapes.Disk(f"d{i}", 0.1) for i in range(n)]


def heap(n, contacts):
    return rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body(f"d{i}", 1.0, 0.005) for i in range(n)],
                    contacts=contacts)


def dropped(n):
    return rt.State({f"d{i}": {"x": 0.03 * i, "y": 0.15 + 0.25 * i} for i in range(n)})


def step(model, start=None, t_end=0.5, **options):
    return rt.simulate(model, start, t_end, options=rt.Options(engine="stepping", **options))


@pytest.mark.parametrize(("options", "says"), [
    ({"step": -1e-3}, "step"), ({"step": 0.0}, "step"), ({"step": math.nan}, "step"), ({"step": math.inf}, "step"),
    ({"engine": "steping"}, "stepping"), ({"engine": None}, "engine"), ({"max_sweeps": 0}, "max_sweeps"),
    ({"contact_tolerance": -1.0}, "contact_tolerance"), ({"contact_log": "all"}, "contact_log"),
    ({"engine": "events", "refine": True}, "refine"), ({"method": "implicit"}, "method")])
def test_options_that_mean_nothing_are_refused(options, says):
    with pytest.raises(ModelError, match=says):
        rt.Options(**{"engine": "stepping", **options})


def test_groups_that_cannot_collide_are_refused():
    with pytest.raises(ModelError, match="different bodies"):
        rt.ContactGroup("one", disks(1), law=LAW)
    with pytest.raises(ModelError, match="holds no shape"):
        rt.ContactGroup("none", [], disks(2), law=LAW)
    with pytest.raises(ModelError, match="give a law"):
        rt.ContactGroup("lawless", disks(2))
    with pytest.raises(ModelError, match="not a shape"):
        rt.ContactGroup("words", ["d0", "d1"], law=LAW)


def test_shapes_of_the_wrong_space_are_refused():
    with pytest.raises(ModelError):
        step(heap(2, [rt.ContactGroup("all", [shapes.Sphere("d0", 0.1), shapes.Sphere("d1", 0.1)], law=LAW)]), dropped(2))


def test_one_group_too_many_is_refused():
    groups = [rt.ContactGroup(f"g{i}", disks(2), law=LAW) for i in range(63)]
    with pytest.raises(ModelError, match="one too many"):
        step(heap(2, groups), dropped(2))


def test_an_overlap_at_the_start_is_refused():
    with pytest.raises(StateError, match="overlap"):
        step(heap(2, [rt.ContactGroup("all", disks(2), law=LAW)]), rt.State(d0={"x": 0.0}, d1={"x": 0.1}))


def test_output_times_outside_the_run_are_refused():
    with pytest.raises(ModelError, match="outside the run"):
        step(heap(1, [rt.Contact("c", FLOOR, *disks(1), LAW)]), dropped(1), output=[2.0])


def test_the_event_engine_refuses_a_group_of_too_many_pairs_and_names_the_way_out():
    model = heap(250, [rt.ContactGroup("all", disks(250), law=LAW)])
    with pytest.raises(ModelError, match='engine="stepping"'):
        rt.simulate(model, dropped(250), 0.1)


def test_a_simulator_says_that_it_does_not_step():
    with pytest.raises(ModelError, match="stepping"):
        rt.Simulator(heap(1, [rt.Contact("c", FLOOR, *disks(1), LAW)]), dropped(1), options=rt.Options(engine="stepping"))


def test_a_mechanism_without_contacts_swings():
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("rod", 1.0, 0.1)],
                     joints=[joints.Revolute("pin", "ground", "rod", point_b=(-0.5, 0.0))])
    stepped, exact = step(model, rt.State(pin={"angle": 0.3}), 1.0), rt.simulate(model, rt.State(pin={"angle": 0.3}), 1.0)
    assert stepped["pin.angle"][-1] == pytest.approx(exact["pin.angle"][-1], abs=1e-4)


def test_a_group_moves_as_the_list_of_its_pairs():
    parts = disks(3)
    listed = [*rt.contacts.between("touch", parts, parts, LAW), *rt.contacts.between("floor", [FLOOR], parts, LAW)]
    grouped = [rt.ContactGroup("touch", parts, law=LAW), rt.ContactGroup("floor", [FLOOR], parts, law=LAW)]
    first, second = (step(heap(3, contacts), dropped(3), contact_tolerance=1e-12) for contacts in (listed, grouped))
    for name in ("d0.x", "d1.y", "d2.vx", "d2.theta"):
        assert first[name] == pytest.approx(second[name], abs=1e-9)
    assert rt.evaluate(heap(3, grouped), dropped(3)).status == "evaluated"


def test_samples_are_at_the_wanted_times_and_a_file_keeps_all(tmp_path):
    times = [0.0123, 0.1, 0.25001, 0.5]
    result = step(heap(2, [rt.ContactGroup("all", [FLOOR, *disks(2)], law=LAW)]), dropped(2), output=times, contact_log="steps")
    assert result.t.tolist() == [0.0, *times]
    back = rt.load(result.save(tmp_path / "heap.nc"))
    assert back.engine == "stepping"
    assert np.array_equal(back["d1.y"], result["d1.y"])
    assert np.array_equal(back.contact_sums["impulse_n"], result.contact_sums["impulse_n"])
    assert np.array_equal(back.contact_steps["p_n"], result.contact_steps["p_n"])


def test_refinement_bounds_the_error_of_free_fall_and_is_empty_without_it():
    model = heap(1, [rt.Contact("c", FLOOR, *disks(1), LAW)])
    assert step(model, dropped(1)).error == {}
    error = step(model, dropped(1), refine=True).error
    assert 0.0 <= error["d0.y"] < 1e-3
