"""Nothing takes all memory, nothing is dropped silently, and Ctrl-C is heard."""

from __future__ import annotations

import math
import multiprocessing
import signal
import threading
import time

import numpy as np
import pytest

import routh as rt
from routh import forces, shapes
from routh.errors import ModelError, SimulationError
from routh.gallery.scenes import scene
from routh.sim.progress import stopping_when

BALL = rt.Model(
    "planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", 1.0, 0.1)],
    contacts=[rt.Contact("bounce", shapes.HalfSpace("ground", normal=(0, 1)), shapes.Disk("ball", 0.1), rt.Newton(1.0, 0.0))])
HOLE = shapes.Polyline("ground", ((-0.1, 0.0), (0.1, 0.0), (-0.1, 0.0)), bulges=(1.0, 1.0))
START = rt.State(ball={"y": 0.2})


def test_samples_that_do_not_fit_into_memory_are_refused_before_the_run():
    with pytest.raises(ModelError, match=r"options: 1000000 samples of this model take 0\.\d+ GB; max_memory = 1e\+08 bytes"):
        rt.simulate(BALL, START, 1.0, options=rt.Options(output=1e-6, max_memory=1e8))


def test_a_run_whose_ledger_reaches_the_limit_stops_with_a_status_and_what_it_has():
    with pytest.raises(SimulationError, match=r"take more than Options\.max_memory") as caught:
        rt.simulate(BALL, START, 1e5, options=rt.Options(max_memory=2e6))
    assert caught.value.status == "memory limit"
    assert 0.0 < caught.value.result.t[-1] < 1e5
    assert len(caught.value.result.impacts) > 100


def test_a_contact_whose_shapes_can_never_meet_is_refused():
    model = rt.Model(
        "planar", [rt.Body("pin", 1.0, 0.1)],
        contacts=[rt.Contact("hole", shapes.Disk("pin", 0.2), HOLE, rt.Newton(0.5, 0.1))])
    with pytest.raises(ModelError, match=r'contact "hole": .*"pin".*must be smaller than what it lies in'):
        rt.compile_model(model)


def test_ctrl_c_leaves_advance_at_its_last_step_and_it_can_go_on():
    sim = rt.Simulator(BALL, START)
    sim.advance(0.01)
    timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        sim.advance(1e6)
    assert 0.01 < sim.t < 1e6
    before = sim.t
    assert sim.advance(0.5).t == pytest.approx(before + 0.5)
    assert sim["ball.y"] < 0.2 + 1e-6


def test_one_step_cannot_search_for_touches_without_end():
    """1e14 m away a gap has no digits; every interval of a step was halved to the last level, for minutes."""
    file = scene("dominoes")
    began = time.process_time()
    result = rt.simulate(file.model, file.start.replace({"domino1.x": -1e14}), 0.3,
                         options=rt.Options(max_steps=100, on_error="return"))
    assert result.status in ("too many steps", "step too small")
    assert time.process_time() - began < 10.0  # 0.3 s alone


def test_ctrl_c_is_heard_at_once_in_a_model_of_thousands_of_gaps():
    """Compared in processor time of this process, which the load of the machine does not change."""
    corners = tuple((math.cos(a), math.sin(a)) for a in np.linspace(0.0, 2.0 * math.pi, 1000, endpoint=False))
    rounds = [shapes.Polygon(name, corners) for name in ("one", "two")]
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    hit = rt.Newton(0.5, 0.3)
    model = rt.Model("planar", [rt.Body(name, 1.0, 0.5) for name in ("one", "two")], gravity=(0.0, -9.81),
                     contacts=[rt.Contact("pair", *rounds, hit), rt.Contact("floor", floor, rounds[0], hit)])
    start = rt.State(one={"y": 1.2, "omega": 3.0}, two={"y": 4.0, "x": 0.3})
    pushed_at = []

    def push():
        pushed_at.append(time.process_time())
        signal.raise_signal(signal.SIGINT)

    keys = threading.Timer(0.3, push)

    def begun():  # asked after each slice of the run
        if keys.ident is None:
            keys.start()
        return False

    with stopping_when(begun):
        result = rt.simulate(model, start, 200.0, options=rt.Options(on_error="return"))
    assert result.status == "interrupted"
    assert time.process_time() - pushed_at[0] < 1.5


PUSH = 1.0
TABLE = np.array([1.0, 2.0])


def law(t, x, rate, parameters):
    return PUSH * TABLE[0]


def pushed():
    model = rt.Model("planar", [rt.Body("ball", 1.0, 0.1)],
                     forces=[forces.LineLaw("push", "ground", "ball", law=law, point_a=(0.0, 0.0))])
    return rt.simulate(model, rt.State(ball={"x": 5.0}), 0.5)["ball.x"][-1]


def test_a_law_that_reads_a_global_follows_its_changes(monkeypatch):
    first = pushed()
    monkeypatch.setitem(globals(), "PUSH", 3.0)
    second = pushed()
    assert second - 5.0 == pytest.approx(3.0 * (first - 5.0))
    monkeypatch.setitem(globals(), "TABLE", np.array([2.0, 2.0]))
    assert pushed() - 5.0 == pytest.approx(6.0 * (first - 5.0))
    TABLE[0] = 1.0


def impulses(_):
    return len(repr(rt.resolve_impacts(np.eye(2), np.full((2000, 2), -1.0), 0.5, 0.3)))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
def test_processes_forked_after_a_batch_of_impacts_can_resolve_more():
    first = impulses(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(impulses, range(4)).get(timeout=60) == [first] * 4


def test_a_law_that_writes_to_its_parameters_is_refused():
    def law(t, x, rate, p):
        p[0] += 1.0
        return p[0]

    model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [rt.joints.Revolute("pin", "ground", "b")],
                     [rt.forces.JointLaw("own", "pin", law, parameters=(0.0,))])
    with pytest.raises(rt.errors.ModelError, match="writes to its parameters, which all runs of the model share"):
        rt.simulate(model)


def test_a_law_that_fails_is_named():
    def law(t, x, rate, p):
        return math.sqrt(-1.0 - x)

    model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [rt.joints.Revolute("pin", "ground", "b")],
                     [rt.forces.JointLaw("own", "pin", law)])
    with pytest.raises(rt.errors.SimulationError, match="laws of your own: own"):
        rt.simulate(model)


@pytest.mark.parametrize(("make", "says"), [
    (lambda: rt.Options(rtol=4e19), "is no relative error"),
    (lambda: rt.Body("b", mass="2", inertia=1.0), "mass = '2' is not a number; give one in SI units"),
    (lambda: rt.simulate(rt.Model("planar", [rt.Body("b", 1.0, 1.0)]), t_end="1"), "t_end = '1' is not a number"),
])  # fmt: skip
def test_text_and_tolerances_that_are_none_are_refused(make, says):
    with pytest.raises(rt.errors.ModelError, match=says):
        make()
