"""A compiled model: numbers changed in its tables, scratch used again, and the dynamics as plain calls."""

import copy
import math
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose

import routh as rt
from random_mechanisms import draw_until
from random_scenes import draw_scene
from routh import contacts, forces, friction, joints, shapes
from routh.errors import ModelError
from routh.sim.assembly import assemble_arrays

BALL = rt.Model(
    "planar", [rt.Body("ball", 0.16, 5.8e-5), rt.Body("bob", 2.0, 0.3)],
    [joints.Revolute("pin", "ground", "bob", point_b=(0.0, 1.0))],
    [forces.Torque("motor", "bob", 0.7), forces.PointForce("push", "ball", (0.1, 0.0)),
     forces.JointSpring("coil", "pin", 3.0, 0.1), forces.SpringDamper("line", "ball", "bob", stiffness=2.0, free_length=0.5)],
    gravity=(0.0, -9.81),
    contacts=[rt.Contact("bounce", shapes.Disk("ball", 0.03), shapes.HalfSpace("ground", (0.0, 1.0)),
                         law=rt.Brach(e=0.8, mu=0.3, e_t=0.1)),
              rt.Stop("limit", "pin", lower=-1.0, upper=1.0, e=0.4), rt.Rope("rope", "ground", "ball", length=3.0, e=0.2)])
START = rt.State(ball={"y": 1.0, "vx": 0.5, "omega": -40.0}, pin={"angle": 0.4})
BOX = rt.Model("spatial", [rt.Body("box", 1.0, (0.1, 0.2, 0.25))], [], [forces.Torque("twist", "box", (0.0, 0.1, 0.2))],
               gravity=(0.0, 0.0, -9.81),
               contacts=[rt.Contact("floor", shapes.Box("box", (0.2, 0.3, 0.4)), shapes.HalfSpace("ground", (0.0, 0.0, 1.0)),
                                    law=rt.Poisson(0.3, 0.4, 0.5))])


def bytes_of(compiled):
    """Every table of a System as bytes."""
    return {name: getattr(compiled.system, name).tobytes() for name in compiled.system.fields}


@pytest.mark.parametrize(("model", "changes", "in_tables"), [
    (BALL, {"bounce.law.e": 0.4}, True),
    (BALL, {"bounce.law.mu": 0.1, "bounce.law.mu_s": 0.2, "bounce.law.e_t": -0.3}, True),
    (BALL, {"limit.e": 0.9, "rope.e": 0.0}, True),
    (BALL, {"ball.mass": 1.5, "bob.inertia": 0.7}, True),
    (BALL, {"motor.torque": -2.0, "push.force": (1.0, 2.0), "coil.stiffness": 9.0, "line.free_length": 0.1}, True),
    (BALL, {"bounce.law.mu": 0.0}, False),                              # friction ends: one row less
    (BALL, {"bounce.law": rt.Poisson(0.5, 0.2)}, False),
    (BALL, {"bounce.law.mu": friction.Table((0.0, 1.0), (0.3, 0.2))}, False),
    (BALL, {"pin.point_b": (0.0, 0.5)}, False),
    (BALL, {"gravity": (0.0, -1.0)}, False),
    (BOX, {"floor.law.e": 0.9}, True),
    (BOX, {"box.mass": 2.0, "box.inertia": (0.3, 0.3, 0.4)}, True),
    (BOX, {"twist.torque": (1.0, 2.0, 3.0)}, True),
])
def test_changed_numbers_give_the_tables_of_a_new_compilation(model, changes, in_tables):
    compiled = rt.compile_model(model)
    other, anew = compiled.replace(changes), rt.compile_model(model.replace(changes))
    assert bytes_of(other) == bytes_of(anew)
    assert other.model == anew.model
    assert (other.system.node is compiled.system.node or other.tree is compiled.tree) == in_tables
    assert bytes_of(compiled) == bytes_of(rt.compile_model(model))  # left as it was


def test_masses_of_a_loop_scale_its_rows_and_are_compiled_anew():
    drawn = draw_until(3, "planar", loops=2)
    compiled, changes = rt.compile_model(drawn.model), {f"{drawn.model.bodies[0].name}.mass": 7.0}
    assert bytes_of(compiled.replace(changes)) == bytes_of(rt.compile_model(drawn.model.replace(changes)))


@pytest.mark.parametrize("changes", [{"bounce.law.e": 1.3}, {"bounce.law.e": "0.4"}, {"bounce.law.f": 0.3},
                                     {"bonce.law.e": 0.3},
                                     {"ball.mass": -1.0}, {"ball.mass": float("nan")}, {"motor.torque": (1.0, 2.0)}])
def test_a_bad_number_is_refused_as_a_model_refuses_it(changes):
    with pytest.raises(ModelError) as expected:
        rt.compile_model(BALL.replace(changes))
    with pytest.raises(ModelError) as error:
        rt.compile_model(BALL).replace(changes)
    assert str(error.value) == str(expected.value)


def test_what_was_changed_is_kept_and_not_what_the_caller_changes_later():
    compiled, changes = rt.compile_model(BALL), {"bounce.law.e": 0.2, "push.force": np.array([1.0, 2.0])}
    other = compiled.replace(changes)
    changes["bounce.law.e"], changes["push.force"][0] = 0.9, 7.0
    assert other.model["bounce"].law.e == 0.2
    assert tuple(other.model["push"].force) == (1.0, 2.0)
    chained = other.replace({"bounce.law.mu": 0.7})
    assert (chained.model["bounce"].law.e, chained.model["bounce"].law.mu) == (0.2, 0.7)


def test_a_mass_that_changes_the_order_of_the_tree_compiles_anew():
    pair = rt.Model("planar", [rt.Body("a", 2.0, 1.0), rt.Body("b", 1.0, 1.0)])
    for mass in (0.5, 1.0, 1.5, 3.0):
        changes = {"a.mass": mass}
        other = rt.compile_model(pair).replace(changes)
        assert bytes_of(other) == bytes_of(rt.compile_model(pair.replace(changes)))
        assert other.entries == rt.compile_model(pair.replace(changes)).entries


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copy_of_a_compiled_model_has_tables_of_its_own(copied):
    compiled = rt.compile_model(BALL)
    compiled.accelerations(0.0, np.zeros(4), np.zeros(4))
    expected = rt.simulate(compiled, START, 0.5)
    for source in (compiled, compiled.replace({"bounce.law.e": 0.8})):
        other = copied(source)
        assert other.system.address != source.system.address
        assert same(rt.simulate(other, START, 0.5), expected)


def test_a_compiled_model_may_go_to_another_process():
    compiled = rt.compile_model(BALL)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(rt.simulate, compiled, START, 0.3).result()
    assert same(found, rt.simulate(BALL, START, 0.3))


def test_a_simulator_says_that_it_cannot_be_copied():
    with pytest.raises(TypeError, match="tied to its process"):
        copy.deepcopy(rt.Simulator(BALL, START))


def test_threads_may_call_the_dynamics_of_one_compiled_model():
    compiled = rt.compile_model(BALL)
    states = [(rng.normal(size=4), rng.normal(size=4)) for rng in map(np.random.default_rng, range(200))]
    expected = [(compiled.accelerations(0.0, q, u), compiled.mass_matrix(q)) for q, u in states]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda s: (compiled.accelerations(0.0, *s), compiled.mass_matrix(s[0])), states * 10))
    for (a, M), (b, N) in zip(expected * 10, found, strict=True):
        assert np.array_equal(a, b)
        assert np.array_equal(M, N)


@pytest.mark.parametrize(("call", "said"), [
    (lambda c: c.accelerations(0.0, [0.1], [0.0] * 4), r"q has shape \(1,\); this model has 4 coordinates"),
    (lambda c: c.accelerations(0.0, [0.0] * 4, [0.0] * 5), r"u has shape \(5,\); this model has 4 speeds"),
    (lambda c: c.accelerations(0.0, [[0.0] * 4], [0.0] * 4), r"q has shape \(1, 4\)"),
    (lambda c: c.accelerations(0.0, 0.5, [0.0] * 4), r"q has shape \(\)"),
    (lambda c: c.accelerations(0.0, None, [0.0] * 4), r"q has shape \(\)"),
    (lambda c: c.accelerations(0.0, [0.0, math.nan, 0.0, 0.0], [0.0] * 4), "q holds numbers that are not finite"),
    (lambda c: c.accelerations("0", [0.0] * 4, [0.0] * 4), "t = '0' must be a finite number"),
    (lambda c: c.accelerations(math.inf, [0.0] * 4, [0.0] * 4), "t = inf must be a finite number"),
    (lambda c: c.mass_matrix([]), r"q has shape \(0,\)"),
    (lambda c: c.mass_matrix(["a", "b", "c", "d"]), "does not hold numbers"),
    (lambda c: c.bias(0.0, [0.1], [0.0] * 4), "this model has 4 coordinates"),
    (lambda c: c.loop_jacobian([0.0] * 20), r"q has shape \(20,\)"),
    (lambda c: c.contact_jacobian(np.zeros((4, 4))), r"q has shape \(4, 4\)"),
])
def test_direct_calls_refuse_what_does_not_fit(call, said):
    with pytest.raises(ModelError, match=said):
        call(rt.compile_model(BALL))


def test_a_log_that_has_grown_leaves_no_trace_in_the_next_run():
    """A scene whose last bits depend on where its log grew: every run of a compiled model is like the first."""
    drawn = draw_scene(531, "planar")
    compiled, options = rt.compile_model(drawn.model), rt.Options(on_error="return")
    first = rt.simulate(compiled, drawn.start, 0.6, options=options)
    assert first.impacts.t.size > 48  # it has grown
    assert all(same(rt.simulate(compiled, drawn.start, 0.6, options=options), first) for _ in range(2))


def same(a, b):
    return a.status == b.status and all(np.array_equal(a[name], b[name], equal_nan=True) for name in a.channels) \
        and np.array_equal(a.impacts["t"], b.impacts["t"])


def test_runs_of_one_compiled_model_do_not_disturb_each_other():
    compiled = rt.compile_model(BALL)
    values = [0.8, 0.1, 0.8, 0.5, 0.0]
    unread = [rt.simulate(compiled.replace({"bounce.law.e": e}), START, 1.0) for e in values]  # read after all have run
    for e, result in zip(values, unread, strict=True):
        assert same(result, rt.simulate(BALL.replace({"bounce.law.e": e}), START, 1.0))


def test_a_start_is_used_again_only_where_it_is_the_same():
    compiled = rt.compile_model(BALL)
    for t_start, start in ((0.0, START), (0.0, START), (0.5, START), (0.0, rt.State(ball={"y": 2.0}))):
        again = rt.simulate(compiled, start, 1.0, t_start=t_start)
        assert same(again, rt.simulate(BALL, start, 1.0, t_start=t_start))
    heavy = compiled.replace({"ball.mass": 5.0})
    assert same(rt.simulate(heavy, START, 1.0), rt.simulate(BALL.replace({"ball.mass": 5.0}), START, 1.0))


def test_other_options_and_ends_may_follow_each_other():
    compiled = rt.compile_model(BALL)
    for options, t_end in ((rt.Options(), 1.0), (rt.Options(output=[0.1, 0.2], rtol=1e-5), 0.3), (rt.Options(output=[]), 2.0)):
        assert same(rt.simulate(compiled, START, t_end, options=options), rt.simulate(BALL, START, t_end, options=options))
    smooth = rt.Model("planar", [rt.Body("bob", 1.0, 0.1)], [joints.Revolute("pin", "ground", "bob", point_b=(0.0, 1.0))],
                      gravity=(0.0, -9.81))
    compiled, swing = rt.compile_model(smooth), rt.State(pin={"angle": 1.0})
    for method in ("explicit", "implicit", "order3", "auto"):
        options = rt.Options(method=method)
        assert same(rt.simulate(compiled, swing, 0.5, options=options), rt.simulate(smooth, swing, 0.5, options=options))


def test_threads_may_run_one_compiled_model():
    compiled = rt.compile_model(BALL)
    values = [0.1 * k for k in range(9)] * 3
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda e: rt.simulate(compiled.replace({"bounce.law.e": e}), START, 0.7), values))
    for e, result in zip(values, results, strict=True):
        assert same(result, rt.simulate(BALL.replace({"bounce.law.e": e}), START, 0.7))


def test_a_failed_run_leaves_the_next_one_alone():
    compiled = rt.compile_model(BALL)
    few = rt.Options(max_steps=3, on_error="return")
    assert rt.simulate(compiled, START, 1.0, options=few).status == "too many steps"
    assert same(rt.simulate(compiled, START, 1.0), rt.simulate(BALL, START, 1.0))


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("seed", range(4))
def test_the_plain_calls_satisfy_the_equations_of_motion(space, seed):
    """M u̇ = f + Jᵀ λ with J u̇ fixed: λ is found here by least squares from the parts, and must leave nothing."""
    drawn = draw_until(seed, space, loops=seed % 2)
    compiled = rt.compile_model(drawn.model)
    q, u = assemble_arrays(compiled._machine, drawn.start, drawn.t, keep=True)
    M, f, J = compiled.mass_matrix(q), compiled.bias(drawn.t, q, u), compiled.loop_jacobian(q)
    udot = compiled.accelerations(drawn.t, q, u)
    left = M @ udot - f
    if len(J):
        left = left - J.T @ np.linalg.lstsq(J.T, left, rcond=None)[0]
    assert np.abs(left).max() <= 1e-8 * max(1.0, np.abs(M @ udot).max(), np.abs(f).max())
    assert_allclose(M, M.T, atol=1e-12 * np.abs(M).max())
    kinetic = rt.evaluate(drawn.model, drawn.start, drawn.t).energy["kinetic"][0]
    assert 0.5 * u @ M @ u == pytest.approx(kinetic, rel=1e-10)
    assert list(compiled.accelerations(drawn.t, list(q), list(u))) == list(udot)


def test_bias_and_accelerations_of_a_pendulum_in_closed_form():
    model = rt.Model("planar", [rt.Body("bob", 2.0, 0.3)], [joints.Revolute("pin", "ground", "bob", point_b=(0.0, 1.5))],
                     gravity=(0.0, -9.81))
    compiled, angle = rt.compile_model(model), 0.7
    assert compiled.mass_matrix([angle])[0, 0] == pytest.approx(0.3 + 2.0 * 1.5 ** 2, rel=1e-14)
    assert compiled.bias(0.0, [angle], [2.0])[0] == pytest.approx(-2.0 * 9.81 * 1.5 * np.sin(angle), rel=1e-13)


@pytest.mark.parametrize(("model", "q", "u"), [
    (BALL, [0.1, 0.5, 0.2, 0.4], [0.3, -0.2, 1.0, 0.5]),
    (BOX, [0.0, 0.0, 0.6, *np.array([1.0, 0.2, -0.3, 0.1]) / np.sqrt(1.14)], [0.1, -0.2, 0.3, 0.4, 0.5, -0.6]),
])
def test_contact_rows_are_the_rates_of_the_gaps(model, q, u):
    compiled, q, u = rt.compile_model(model), np.array(q), np.array(u)
    gap, J = compiled.contact_jacobian(q)
    normal = compiled.system.contact["hold"]
    step = 1e-6
    ahead, behind = (compiled.contact_jacobian(compiled._machine.displaced(q, sign * step * u))[0] for sign in (1.0, -1.0))
    assert_allclose(J[normal] @ u, (ahead - behind) / (2.0 * step), atol=1e-8)
    assert_allclose(gap, compiled._machine.gaps(q, u), atol=0.0)


def test_many_advances_leave_memory_flat():
    sim = rt.Simulator(BALL, START)
    sim.advance(1e-3)
    sizes = {name: getattr(sim._run.log, name).shape for name in sim._run.log.fields}
    samples = len(sim._run.samples.t)
    for _ in range(3000):
        sim.advance(1e-3)
    assert {name: getattr(sim._run.log, name).shape for name in sim._run.log.fields} == sizes
    assert len(sim._run.samples.t) == samples


def test_log_and_samples_grow_apart():
    ball = BALL.replace({"bounce.law.e": 1.0, "bounce.law.mu": 0.0, "limit.e": 1.0, "line.stiffness": 0.0})
    sim = rt.Simulator(ball, START)
    sim.advance(60.0)  # many impacts, no samples wanted
    log = sim._run.log
    assert log.impact.size >= log.count[0] > 64
    assert log.impact.size <= 4 * max(log.count[0], 64)
    few = rt.simulate(ball, START, 0.3, options=rt.Options(output=1e-5))
    assert len(few.t) > 30_000


def test_contacts_between_many_bodies_compile_in_linear_time_per_contact():
    """Counted, not timed: paths between bodies are looked up once for each pair."""
    names = [f"b{i}" for i in range(12)]
    balls = [shapes.Sphere(name, 0.1) for name in names]
    model = rt.Model("spatial", [rt.Body(name, 1.0, (1.0, 1.0, 1.0)) for name in names],
                     contacts=contacts.between("touch", balls, balls, law=rt.Newton(0.5, 0.1)))
    system = rt.compile_model(model).system
    assert system.contact.size == 66
    assert len(system.path) == 66 * (2 + 12)
