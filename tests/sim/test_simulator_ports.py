"""A Simulator in a control loop: inputs and outputs that are bound once, against closed forms, in both engines."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest

import routh as rt
from routh import forces, joints, profiles, shapes
from routh.core.tables import layout
from routh.errors import ModelError

ENGINES = {"events": rt.Options(), "stepping": rt.Options(engine="stepping", step=1e-3)}
J, KP, KD, DT = 0.1, 4.0, 0.6, 1e-3
FLOOR = shapes.HalfSpace("ground", normal=(0.0, 1.0))


def arm(*more):
    return rt.Model(space="planar", bodies=[rt.Body("arm", mass=1.0, inertia=J)],
                    joints=[joints.Revolute("pin", "ground", "arm")],
                    forces=[forces.Torque("motor", "arm", torque=0.0), *more])


def block(e=0.0, mu=0.3, gravity=9.81):
    corners = ((-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05))
    return rt.Model(space="planar", gravity=(0.0, -gravity), bodies=[rt.Body("block", mass=2.0, inertia=0.01)],
                    contacts=[rt.Contact("floor", FLOOR, shapes.Polygon("block", corners), law=rt.Newton(e=e, mu=mu))],
                    forces=[forces.PointForce("push", "block", force=(0.0, 0.0))])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_sampled_pd_loop_follows_its_difference_equation(engine):
    """Torque held over a tick: angle and rate of a double integrator go on exactly by dt and dt²/2."""
    sim = rt.Simulator(arm(), inputs=["motor.torque"], outputs=["pin.angle", "pin.angle_rate"], options=ENGINES[engine])
    x = v = 0.0
    inputs = sim.inputs
    for _ in range(800):
        angle, rate = sim.outputs
        inputs[0] = KP * (1.0 - angle) - KD * rate
        a = (KP * (1.0 - x) - KD * v) / J
        x, v = x + v * DT + 0.5 * a * DT * DT, v + a * DT
        sim.advance(DT)
        assert sim.outputs == pytest.approx([x, v], abs=1e-10)
    assert sim.inputs is inputs
    assert sim.t == pytest.approx(0.8)
    assert abs(x - 1.0) < 0.1


@pytest.mark.parametrize("engine", ENGINES)
def test_the_step_response_of_a_servo_is_that_of_a_damped_oscillator(engine):
    servo = forces.Servo("servo", "pin", target=profiles.Constant(0.0), stiffness=KP, damping=KD)
    options = rt.Options() if engine == "events" else rt.Options(engine="stepping", step=2.5e-4)
    sim = rt.Simulator(arm(servo), inputs=["servo.target.value"], outputs=["pin.angle"], options=options)
    sim.advance(0.1)
    assert sim.outputs[0] == 0.0
    sim.inputs[0] = 1.0
    w, zeta = np.sqrt(KP / J), KD / (2.0 * np.sqrt(KP * J))
    wd = w * np.sqrt(1.0 - zeta * zeta)
    for k in range(1, 60):
        sim.advance(0.02)
        t = 0.02 * k
        expected = 1.0 - np.exp(-zeta * w * t) * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))
        assert sim.outputs[0] == pytest.approx(expected, abs=1e-7 if engine == "events" else 2e-5)


@pytest.mark.parametrize("engine", ENGINES)
def test_inputs_do_what_set_does(engine):
    quick = rt.Simulator(block(), rt.State(block={"y": 0.05}), inputs=["push.force"], options=ENGINES[engine])
    slow = rt.Simulator(block(), rt.State(block={"y": 0.05}), options=ENGINES[engine])
    assert quick.input_names == ["push.force[0]", "push.force[1]"]
    for k in range(300):
        force = (12.0 * np.sin(0.05 * k), 3.0 * np.cos(0.11 * k))
        quick.inputs[:] = force
        slow.set({"push.force": force})
        quick.advance(2e-3)
        slow.advance(2e-3)
    for name in ("block.x", "block.vx", "floor.force", "floor.friction", "energy.kinetic"):
        assert quick[name] == pytest.approx(slow[name], rel=1e-9, abs=1e-12)
    assert quick.model["push"].force == pytest.approx(force)
    assert abs(quick["block.x"]) > 1e-3


@pytest.mark.parametrize("engine", ENGINES)
def test_a_push_beyond_coulombs_limit_slides_as_newton_says(engine):
    sim = rt.Simulator(block(), rt.State(block={"y": 0.05}), inputs=["push.force"], options=ENGINES[engine],
                       outputs=["block.vx", "floor.force", "block.ax"])
    for _ in range(100):
        sim.inputs[:] = (5.0, 0.0)  # below 0.3 * 2 * 9.81 = 5.886 N
        sim.advance(1e-3)
    assert sim.outputs == pytest.approx([0.0, 2.0 * 9.81, 0.0], abs=1e-8)
    for _ in range(100):
        sim.inputs[:] = (10.0, 0.0)
        sim.advance(1e-3)
    a = (10.0 - 0.3 * 2.0 * 9.81) / 2.0
    assert sim.outputs == pytest.approx([0.1 * a, 2.0 * 9.81, a], abs=1e-8)


@pytest.mark.parametrize("engine", ENGINES)
def test_impacts_within_a_tick_and_edges_of_profiles_are_met(engine):
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=1.0, inertia=0.01)],
                     contacts=[rt.Contact("floor", FLOOR, shapes.Disk("ball", radius=0.1), law=rt.Newton(e=0.5, mu=0.0))],
                     forces=[forces.PointForce("wind", "ball", force=(0.0, 0.0)),
                             forces.PointForce("gust", "ball", force=(1.0, 0.0), profile=profiles.Rectangle(0.1, 0.05, 1.0))])
    sim = rt.Simulator(model, rt.State(ball={"y": 0.6}), inputs=["wind.force"], outputs=["ball.y", "ball.vx"],
                       options=ENGINES[engine])
    hits = 0
    for _ in range(400):
        sim.advance(1e-3)
        hits += len(sim.impacts)
    t1 = np.sqrt(1.0 / 9.81)
    v1 = 0.5 * np.sqrt(9.81)
    loose = 1e-9 if engine == "events" else 2e-3
    assert sim.outputs[0] == pytest.approx(0.1 + v1 * (0.4 - t1) - 0.5 * 9.81 * (0.4 - t1) ** 2, abs=loose)
    assert sim.outputs[1] == pytest.approx(0.05, abs=1e-9)  # the gust's impulse over the mass
    assert hits == (1 if engine == "events" else 0)         # stepped runs have no ledger of impacts


@pytest.mark.parametrize("engine", ENGINES)
def test_every_channel_may_be_an_output(engine):
    model = block()
    names = list(rt.evaluate(model, rt.State(block={"y": 0.05})).channels)
    names = [name for name in names if name not in ("energy.error", "energy.scheme")]
    sim = rt.Simulator(model, rt.State(block={"y": 0.05, "vx": 0.5}), inputs=["push.force"], outputs=names,
                       options=ENGINES[engine])
    for _ in range(30):
        sim.inputs[0] += 0.5
        sim.advance(1e-3)
    direct = np.concatenate([np.atleast_1d(sim[name]) for name in names])
    assert np.array_equal(sim.outputs, direct)
    assert len(sim.output_names) == len(direct)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_state_can_be_assigned_and_other_forces_set_on_the_way(engine):
    sim = rt.Simulator(arm(forces.JointSpring("spring", "pin", stiffness=0.0)), inputs=["motor.torque"], outputs=["pin.angle"],
                       options=ENGINES[engine])
    sim.inputs[0] = 0.2
    for _ in range(100):
        sim.advance(1e-3)
    assert sim.outputs[0] == pytest.approx(0.5 * 2.0 * 0.01, abs=1e-9)
    sim.state = rt.State(pin={"angle": 0.5})
    assert sim.outputs[0] == 0.5
    sim.set({"spring.stiffness": 0.4})  # the torque holds the spring at 0.5 rad
    for _ in range(200):
        sim.advance(1e-3)
    assert sim.outputs[0] == pytest.approx(0.5, abs=1e-9)
    assert sim.inputs[0] == 0.2
    with pytest.raises(ModelError, match=r"sim\.inputs"):
        sim.set({"motor.torque": 1.0})


def test_a_stiff_model_stays_with_the_implicit_method():
    sim = rt.Simulator(arm(forces.JointSpring("s", "pin", stiffness=1.0, damping=1e5)), rt.State(pin={"angle": 1.0}),
                       inputs=["motor.torque"], outputs=["pin.angle"])
    for _ in range(20):
        sim.advance(0.05)
    assert sim.outputs[0] == pytest.approx(np.exp(-1.0 / 1e5), abs=1e-7)


def overhead(sim, n=2000):
    """CPU seconds of a tick without the compiled loop: it is replaced by one that is over at once."""
    for _ in range(5):
        sim.advance(1e-3)
    ticks = sim._ticks
    ticks.call = lambda: layout.FINISHED
    best = np.inf
    for _ in range(7):
        began = time.process_time()
        for k in range(n):
            angle, rate = sim.outputs
            sim.inputs[0] = -2.0 * angle - 0.5 * rate + 1e-3 * k  # another value at every tick
            sim.advance(1e-3)
        best = min(best, (time.process_time() - began) / n)
    return best


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tick_costs_less_than_ten_microseconds_beside_the_compiled_loop(engine):
    sim = rt.Simulator(arm(), inputs=["motor.torque"], outputs=["pin.angle", "pin.angle_rate"], options=ENGINES[engine])
    assert overhead(sim) < 10e-6


def _advance_for(sim, seconds):
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        sim.advance(1e-3)


@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_ends_a_loop_and_the_simulator_can_go_on(engine):
    sim = rt.Simulator(block(), rt.State(block={"y": 0.05}), inputs=["push.force"], options=ENGINES[engine])
    sim.advance(1e-3)
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        _advance_for(sim, 20.0)
    timer.join()
    t = sim.t
    sim.inputs[0] = 1.0
    assert sim.advance(0.01).t == pytest.approx(t + 0.01)


@pytest.mark.parametrize(("chosen", "words"), [
    ({"inputs": ["moter.torque"]}, 'did you mean "motor"'), ({"inputs": ["motor"]}, "whole force"),
    ({"inputs": ["motor.force"]}, 'no field "force"'), ({"inputs": ["motor.body"]}, "neither a number nor a vector"),
    ({"inputs": "motor.torque"}, "is not a list"), ({"outputs": "pin.angle"}, "is not a list"),
    ({"inputs": ["motor.torque", "motor.torque"]}, "twice"), ({"inputs": ["pulse.profile.start"]}, "stops at"),
    ({"outputs": ["pin.angel"]}, 'did you mean "pin.angle'), ({"inputs": ["slack.no_load_speed"]}, "by a factor"),
])
def test_ports_that_mean_nothing_are_refused(chosen, words):
    model = arm(forces.Torque("pulse", "arm", torque=1.0, profile=profiles.Rectangle(0.1, 0.05, 1.0)),
                forces.Motor("slack", "pin", force=1.0, no_load_speed=5.0))
    with pytest.raises(ModelError, match=words):
        rt.Simulator(model, **chosen)


def test_an_input_that_is_not_finite_never_reaches_the_motion():
    sim = rt.Simulator(arm(), inputs=["motor.torque"])
    sim.advance(1e-3)
    sim.inputs[0] = np.nan
    with pytest.raises(ModelError, match=r'"motor.torque" = nan is not finite'):
        sim.advance(1e-3)
    sim.inputs[0] = 0.0
    assert sim.advance(1e-3).t == pytest.approx(2e-3)
