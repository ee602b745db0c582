"""Bad input to the stepping engine, and what its runs keep: groups, samples, files, refinement."""

import math

import numpy as np
import pytest

import routh as rt
from routh import forces, joints, shapes
from routh.errors import ModelError, StateError
from routh.gallery import governor

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


def test_a_simulator_steps_as_simulate_does():
    model, options = heap(3, [rt.ContactGroup("all", disks(3), law=LAW), rt.ContactGroup("floor", disks(3), [FLOOR], LAW)]), \
        rt.Options(engine="stepping", step=1e-3)
    sim = rt.Simulator(model, dropped(3), options=options)
    for _ in range(30):
        sim.advance(0.01)
    whole = rt.simulate(model, dropped(3), 0.3, options=options)
    assert sim.t == pytest.approx(0.3, abs=1e-12)
    assert sim["d2.y"] == pytest.approx(whole["d2.y"][-1], abs=1e-9)
    assert sim["floor.force"] == pytest.approx(whole["floor.force"][-1], rel=1e-6)
    assert sim.now.statistics["steps"] == 300


def test_a_simulator_that_steps_takes_forces_that_change():
    model = rt.Model(space="planar", bodies=[rt.Body("cart", 2.0, 0.1)],
                     forces=[forces.PointForce("push", "cart", force=(0.0, 0.0))])
    sim = rt.Simulator(model, options=rt.Options(engine="stepping", step=1e-3))
    sim.advance(0.5)
    assert sim["cart.vx"] == 0.0
    sim.set({"push.force": (4.0, 0.0)})
    sim.advance(0.5)
    assert sim["cart.vx"] == pytest.approx(1.0, rel=1e-12)


def test_steps_too_long_for_a_spring_are_shortened_and_the_run_says_so():
    """A mass on a spring: steps are stable up to 2 / omega."""
    omega = 5000.0
    model = rt.Model(space="planar", bodies=[rt.Body("bob", 1.0, 0.1)],
                     joints=[joints.Prismatic("rail", "ground", "bob", axis=(1.0, 0.0))],
                     forces=[forces.JointSpring("spring", "rail", stiffness=omega**2)])
    result = step(model, rt.State(rail={"shift": 0.01}), 0.05, step=1e-3)
    used = result.statistics["step"]
    assert 0.5 / omega < used <= 2.0 / omega
    assert result.energy.total == pytest.approx(result.energy.total[0], rel=1.0)  # it does not grow
    assert f"need steps of {used:g} s; 0.001 s was asked for" in result.message
    calm = step(model, rt.State(rail={"shift": 0.01}), 0.01, step=1e-5)
    assert calm.statistics["step"] == 1e-5
    assert "asked for" not in calm.message


def test_the_governor_runs_by_steps():
    result = governor.run(0.2, rt.Options(engine="stepping", step=1e-3))
    exact = governor.run(0.2)
    assert result.statistics["step"] < 1e-3
    assert result["bearing.angle_rate"][-1] == pytest.approx(exact["bearing.angle_rate"][-1], rel=1e-2)


def test_a_run_tells_how_many_steps_missed_the_tolerance():
    model = heap(8, [rt.ContactGroup("all", disks(8), law=LAW), rt.ContactGroup("floor", disks(8), [FLOOR], LAW)])
    result = step(model, dropped(8), 0.5, max_sweeps=1)
    missed = int(result.statistics["unconverged_steps"])
    assert missed > 10
    assert f"{missed} of {int(result.statistics['steps'])} steps missed Options.contact_tolerance" in result.message
    assert f"{missed} of" in repr(result)
    assert "missed" not in step(model, dropped(8), 0.05).message


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


def test_a_step_below_the_resolution_of_time_is_refused():
    ball, floor = shapes.Disk("ball", radius=0.1), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(space="planar", bodies=[rt.Body("ball", 1.0, 0.004)],
                     contacts=[rt.Contact("bounce", floor, ball, law=rt.Newton(e=0.5, mu=0.3))])
    for step in (1e-320, 1e-18):
        with pytest.raises(ModelError, match="does not advance time"):
            rt.simulate(model, rt.State(ball={"y": 1.0}), 0.5, options=rt.Options(engine="stepping", step=step))
