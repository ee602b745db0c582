"""Events of the user's own: roots against closed forms in both engines, terminal ends, jumps, hidden pairs of roots."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from typer.testing import CliRunner

import routh as rt
from routh.cli import app
from routh.errors import ModelError, SimulationError
from routh.sim.crossings import crossings, dips, next_points

G, E, R = 9.81, 0.5, 0.1


def ball(e=E, mu=0.0):
    floor = rt.shapes.HalfSpace("ground", normal=(0.0, 1.0))
    return rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("ball", mass=1.0, inertia=0.005)],
                    contacts=[rt.Contact("floor", floor, rt.shapes.Disk("ball", radius=R), law=rt.Newton(e=e, mu=mu))])


def pendulum():
    return rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body("rod", mass=2.0, inertia=2.0 / 12.0)],
                    joints=[rt.joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))])


def slider(force):
    return rt.Model(space="planar", bodies=[rt.Body("m", mass=1.0, inertia=1.0)], forces=[force],
                    joints=[rt.joints.Prismatic("x", "ground", "m", axis=(1.0, 0.0))])


START = rt.State(ball={"y": 1.0 + R})
T1 = np.sqrt(2.0 / G)  # first impact
V1 = E * np.sqrt(2.0 * G)


def own(result):
    return result.events[result.events["kind"] == "event"]


def passes(height):
    """When the bouncing ball passes a height above the floor, up to its second impact."""
    fall = np.sqrt(2.0 * (1.0 - height) / G)
    root = np.sqrt(V1 * V1 - 2.0 * G * height)
    return [fall, T1 + (V1 - root) / G, T1 + (V1 + root) / G]


def test_every_pass_of_a_height_is_a_root_to_the_tolerance_of_events():
    result = rt.simulate(ball(), START, 0.85, events=["ball.y - 0.3"])
    assert own(result)["t"] == pytest.approx(passes(0.2), abs=1e-12)
    assert own(result)["text"].tolist() == ["falls through zero", "rises through zero", "falls through zero"]
    for t in own(result)["t"]:  # a sample of the integrator's own accuracy stands at each root
        assert abs(result["ball.y"][result.t == t][0] - 0.3) < 1e-11


@pytest.mark.parametrize(("direction", "chosen"), [(1, [1]), (-1, [0, 2]), (0, [0, 1, 2])])
def test_a_direction_chooses_rising_or_falling_roots(direction, chosen):
    result = rt.simulate(ball(), START, 0.85, events=[rt.Event("pass", "ball.y - 0.3", direction=direction)])
    assert own(result)["t"] == pytest.approx(np.array(passes(0.2))[chosen], abs=1e-12)


@pytest.mark.parametrize(("count", "n"), [(1, 0), (2, 1), (3, 2)])
def test_a_terminal_event_ends_the_run_with_the_state_of_the_closed_form(count, n):
    event = rt.Event("pass", "ball.y - 0.3", terminal=True, count=count)
    result = rt.simulate(ball(), START, 50.0, events=[event])
    assert result.success
    assert result.status == "finished"
    assert result.t[-1] == pytest.approx(passes(0.2)[n], abs=5e-11)  # 1e-12 of the length of the run
    speed = -G * result.t[-1] if n == 0 else V1 - G * (result.t[-1] - T1)
    assert result["ball.vy"][-1] == pytest.approx(speed, abs=1e-9)
    assert result["ball.y"][-1] == pytest.approx(0.3, abs=1e-9)
    assert 'event "pass"' in result.message
    assert 'event "pass"' in repr(result)
    assert len(result.impacts) == (1 if n else 0)
    again = rt.simulate(ball(), result.final_state, 0.1, t_start=0.0)  # the end is a state to go on from
    assert again.success


def test_a_velocity_that_jumps_through_zero_is_an_event_at_the_impact():
    result = rt.simulate(ball(), START, 0.6, events=[rt.Event("turns", "ball.vy", direction=1)])
    assert own(result)["t"] == pytest.approx([T1], abs=1e-12)
    ended = rt.simulate(ball(), START, 0.6, events=[rt.Event("turns", "ball.vy", direction=1, terminal=True)])
    assert ended.t[-1] == pytest.approx(T1, abs=1e-11)
    assert ended["ball.vy"][-1] == pytest.approx(V1, rel=1e-9)  # behind the jump


def test_what_rests_at_zero_does_not_cross_it():
    result = rt.simulate(ball(), START, 4.0, events=["floor.gap", "ball.vy - 1e-3"])
    names = own(result)["contact"]
    assert (names == "floor.gap").sum() == 0  # a gap never becomes negative
    assert own(result)["t"].max() < T1 * (1.0 + E) / (1.0 - E)  # bounces end there


def test_a_pair_of_roots_between_two_samples_is_found_where_a_parabola_shows_it():
    top = V1 * V1 / (2.0 * G)
    level = R + top - 1e-7  # the ball is above for 2 sqrt(2e-7/g) = 0.29 ms, a third of the spacing of samples
    result = rt.simulate(ball(), START, 0.85, events=[f"ball.y - {float(level)!r}"])
    late = own(result)["t"][own(result)["t"] > T1]
    half = np.sqrt(2e-7 / G)
    assert late == pytest.approx([T1 + V1 / G - half, T1 + V1 / G + half], abs=1e-8)


def test_a_force_in_a_joint_reaches_a_limit_when_an_independent_integration_says_so():
    """Pin force of a pendulum: m (r w² + g cos) along the rod, m (g sin + r alpha) across it."""
    event = rt.Event("overload", "norm(pin.reaction) - 40.0", terminal=True, direction=1)
    result = rt.simulate(pendulum(), rt.State(pin={"angle": 2.0}), 2.0, events=[event])

    def force(t, y):
        along, across = 2.0 * (0.5 * y[1] ** 2 + G * np.cos(y[0])), 2.0 * (G * np.sin(y[0]) - 0.5 * 1.5 * G * np.sin(y[0]))
        return np.hypot(along, across) - 40.0

    force.terminal, force.direction = True, 1
    theirs = solve_ivp(lambda t, y: [y[1], -1.5 * G * np.sin(y[0])], (0.0, 2.0), [2.0, 0.0], events=force, method="DOP853",
                       rtol=1e-12, atol=1e-13)
    assert result.t[-1] == pytest.approx(theirs.t_events[0][0], abs=1e-8)
    assert np.linalg.norm(result["pin.reaction"][-1]) == pytest.approx(40.0, abs=1e-6)


def test_events_of_time_energy_and_several_at_once_are_in_order():
    events = ["t - 0.2", rt.Event("half", "energy.kinetic - energy.potential + 0.55 * 9.81 - 0.55 * 9.81"), "ball.y - 1.0"]
    result = rt.simulate(ball(), START, 0.4, events=events)
    assert own(result)["t"] == pytest.approx(sorted([0.2, np.sqrt(1.1 / G), np.sqrt(0.2 / G)]), abs=1e-11)


def test_sparse_output_and_stiff_models_lose_no_event():
    sparse = rt.simulate(ball(), START, 0.85, options=rt.Options(output=[0.5]), events=["ball.y - 0.3"])
    assert own(sparse)["t"] == pytest.approx(passes(0.2), abs=1e-12)
    k, c = 1e6, 1e5  # overdamped: a slow and a very fast root
    model = slider(rt.forces.JointSpring("s", "x", stiffness=k, damping=c))
    stiff = rt.simulate(model, rt.State(x={"shift": 1.0}), 0.3, options=rt.Options(method="implicit"),
                        events=[rt.Event("half", "x.shift - 0.5", terminal=True)])
    fast, slow = np.roots([1.0, c, k])
    if abs(fast) < abs(slow):
        fast, slow = slow, fast

    def shift(t):
        return (fast * np.exp(slow * t) - slow * np.exp(fast * t)) / (fast - slow)

    assert shift(stiff.t[-1]) == pytest.approx(0.5, abs=1e-6)
    assert stiff["x.shift"][-1] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("step", [1e-3, 2.5e-4])
def test_time_steps_find_roots_within_the_step(step):
    options = rt.Options(engine="stepping", step=step, output=0.1)
    result = rt.simulate(ball(), START, 0.85, options=options, events=["ball.y - 0.3"])
    assert own(result)["t"] == pytest.approx(passes(0.2), abs=2.0 * step * step + 0.3 * step)
    assert np.abs(own(result)["t"] - passes(0.2)).max() < 0.5 * step
    event = rt.Event("pass", "ball.y - 0.3", terminal=True)
    ended = rt.simulate(ball(), START, 60.0, options=options, events=[event])
    assert ended.t[-1] == own(ended)["t"][-1] == pytest.approx(passes(0.2)[0], abs=step)
    assert ended["ball.y"][-1] == pytest.approx(0.3, abs=20.0 * step * step)
    assert 'event "pass"' in ended.message


def test_a_run_that_breaks_off_keeps_its_events():
    swinging = slider(rt.forces.JointSpring("s", "x", stiffness=100.0))
    with pytest.raises(SimulationError, match="max_steps") as broken:
        rt.simulate(swinging, rt.State(x={"shift": 1.0}), 1e4, options=rt.Options(max_steps=400), events=["x.shift"])
    t = own(broken.value.result)["t"]
    assert len(t) > 5
    assert t == pytest.approx((np.arange(len(t)) + 0.5) * np.pi / 10.0, abs=1e-6)


def test_a_run_without_roots_is_the_same_motion():
    plain, watched = (rt.simulate(ball(), START, 2.0, events=events) for events in ((), ["ball.y + 5.0"]))
    assert np.array_equal(plain.impacts["t"], watched.impacts["t"])
    assert np.array_equal(plain["ball.y"], watched["ball.y"])
    assert len(own(watched)) == 0


@pytest.mark.parametrize(("events", "words"), [
    (["ball.z - 1"], 'no channel "ball.z"'), (["max(ball.y) - 1"], "one number of a whole run"),
    (["impacts.p_n - 1"], "table of the whole run"), (["1.0 + 2.0"], "a constant"), (["ball.y -"], "is not an expression"),
    ("ball.y", "is not a list"), ([3.0], "neither an rt.Event"), (["ball.y", "ball.y"], 'two are called "ball.y"'),
])
def test_events_that_mean_nothing_are_refused_before_the_run(events, words):
    with pytest.raises(ModelError, match=words.replace("(", r"\(")):
        rt.simulate(ball(), START, 1.0, events=events)


@pytest.mark.parametrize(("values", "words"), [
    ({"terminal": 1}, "terminal"), ({"direction": 2}, "direction"), ({"count": 0}, "count"), ({"name": ""}, "name"),
    ({"expression": 1.0}, "is not text"), ({"expression": "norm(ball.y"}, "is not an expression")])
def test_an_event_checks_itself(values, words):
    with pytest.raises(ModelError, match=words):
        rt.Event(**({"name": "a", "expression": "ball.y"} | values))


def test_a_vector_is_refused_with_the_way_out():
    with pytest.raises(ModelError, match=r"norm\("):
        rt.simulate(pendulum(), None, 1.0, events=["pin.reaction - 10"])


def test_brackets_narrow_at_least_by_half():
    t = np.array([0.0, 1.0])
    crossing = crossings(t, np.array([-1.0, 1e6]), 1e6)[0]
    points = np.sort([0.0, *next_points(crossing), 1.0])
    assert np.diff(points).max() <= 0.5
    assert dips(np.linspace(0.0, 1.0, 3), np.array([1.0, 0.001, 0.7])) != []
    assert dips(np.linspace(0.0, 1.0, 3), np.array([1.0, 0.9, 1.0])) == []


FILE = """
format = 1
space = "planar"
gravity = [0, "-9.81 m/s^2"]
bodies.ball = {mass = "1 kg", inertia = "0.005 kg m^2"}
start.ball = {y = "1.1 m"}
run = {t_end = "5 s"}
[contacts.floor]
a = {type = "HalfSpace", body = "ground", normal = [0, 1]}
b = {type = "Disk", body = "ball", radius = "10 cm"}
law = {type = "Newton", e = 0.5, mu = 0}
[events.half]
expression = "ball.y - 0.6"
[events.low]
expression = "floor.gap - 0.2"
terminal = true
direction = 1
count = 1
"""


def test_events_stand_in_model_files_and_come_back():
    file = rt.parse_model(FILE)
    assert file.events == (rt.Event("half", "ball.y - 0.6"), rt.Event("low", "floor.gap - 0.2", terminal=True, direction=1))
    result = file.simulate()
    assert own(result)["contact"].tolist() == ["half", "low"]
    assert result.t[-1] == pytest.approx(passes(0.2)[1], abs=1e-11)
    for language in ("toml", "json", "yaml"):
        assert rt.parse_model(rt.format_model(file, language=language), language) == file
    changed = rt.parse_model(FILE, changes={"events.low.direction": 0})
    assert changed.simulate().t[-1] == pytest.approx(passes(0.2)[0], abs=1e-11)
    with pytest.raises(rt.errors.FileError, match=r"events\.half\.expression|line"):
        rt.parse_model(FILE.replace("ball.y - 0.6", "ball.y -"))


def test_the_command_line_ends_a_run_at_an_event(tmp_path):
    path = tmp_path / "ball.toml"
    path.write_text(FILE)
    done = CliRunner().invoke(app, ["run", str(path), "--event", "ball.vy + 1", "--until", "ball.y - 0.9", "--json"])
    summary = json.loads(done.stdout)
    assert done.exit_code == 0
    assert summary["t_end"] == pytest.approx(np.sqrt(0.4 / G), abs=1e-11)
    assert summary["events"] == {"event": 2}
    assert 'event "ball.y - 0.9"' in summary["message"]
    wrong = CliRunner().invoke(app, ["run", str(path), "--until", "ball.q"])
    assert wrong.exit_code != 0
    assert 'no channel "ball.q"' in str(wrong.exception)


def test_an_event_within_a_stretch_of_time_steps_ends_the_run_there():
    rng = np.random.default_rng(0)
    balls = [rt.shapes.Disk(f"s{i}", radius=0.05) for i in range(6)]
    walls = [rt.shapes.HalfSpace("ground", normal, point) for normal, point in
             (((0.0, 1.0), (0.0, 0.0)), ((1.0, 0.0), (-0.08, 0.0)), ((-1.0, 0.0), (0.08, 0.0)))]
    model = rt.Model(space="planar", gravity=(0.0, -G), bodies=[rt.Body(b.body, mass=1.0, inertia=1e-3) for b in balls],
                     contacts=rt.contacts.between("c", balls, [*balls, *walls], law=rt.Newton(e=0.3, mu=0.5)))
    start = rt.State({b.body: {"x": rng.uniform(-0.02, 0.02), "y": 0.06 + 0.11 * i} for i, b in enumerate(balls)})
    whole = rt.simulate(model, start, 0.6, events=["t - 0.3", "s5.y - 0.6"])
    assert own(whole)["t"] == pytest.approx([np.sqrt(0.02 / G), 0.3], abs=1e-12)
    instants = [0.5 * (row.begin + row.end) for row in whole.stretches] + [0.45]
    for t in instants[:1] + instants[-1:]:
        ended = rt.simulate(model, start, 0.6, events=[rt.Event("now", f"t - {float(t)!r}", terminal=True)])
        assert ended.success
        assert ended.t[-1] == pytest.approx(t, abs=1e-12)
