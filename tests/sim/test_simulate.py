"""Runs: exact stops, output times, restarts, interruptions, failures, and laws of the user's own."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose

import routh as rt
from routh import forces, joints, profiles
from routh.errors import SimulationError
from routh.sim import run as module

PUCK = rt.Body("puck", 2.0, 1.0)


def pushed(profile, **fields):
    """A puck of 2 kg under a force of 3 N times `profile`."""
    return rt.Model("planar", [PUCK], forces=[forces.PointForce("push", "puck", force=(3.0, 0.0), profile=profile)], **fields)


def pendulum(*extra, **fields):
    return rt.Model("planar", [rt.Body("bob", 1.5, 0.2)], [joints.Revolute("pin", "ground", "bob", point_b=(0.0, 0.8))],
                    extra, gravity=(0.0, -9.81), **fields)


SWING = rt.State(pin={"angle": 1.2, "angle_rate": -0.4})


# edges ---------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("method", ["explicit", "implicit", "auto"])
@pytest.mark.parametrize(("kind", "share"), [(profiles.Rectangle, 1.0), (profiles.Triangle, 0.5),
                                             (profiles.CubicPulse, 0.5), (profiles.Haversine, 0.5)])
def test_a_microsecond_pulse_in_ten_seconds_changes_the_momentum_by_its_area(kind, share, method):
    model = pushed(kind(start=math.pi, width=1e-6, height=1e6))
    result = rt.simulate(model, t_end=10.0, options=rt.Options(output=[], method=method))
    # the default rtol; the edges themselves are known to 4e-16 s near π, which is 4e-10 of the pulse
    assert 2.0 * result["puck.vx"][-1] == pytest.approx(3.0 * share, rel=1e-8)


def test_both_limits_are_kept_at_every_edge_and_the_force_jumps_between_them():
    result = rt.simulate(pushed(profiles.Rectangle(0.3, 0.4)), t_end=1.0, options=rt.Options(output=[0.5]))
    assert result.t.tolist() == [0.0, 0.3, 0.3, 0.5, 0.3 + 0.4, 0.3 + 0.4, 1.0]
    assert result["puck.ax"].tolist() == [0.0, 0.0, 1.5, 1.5, 1.5, 0.0, 0.0]
    assert result.at(0.3, side="left")["puck.ax"] == 0.0
    assert result.at(0.3)["puck.ax"] == 1.5
    assert (np.diff(result["puck.vx"])[[1, 4]] == 0.0).all()


def test_evaluate_takes_the_limit_from_the_right():
    model = pushed(profiles.Rectangle(0.3, 0.4))
    assert [rt.evaluate(model, t=t)["puck.ax"][0] for t in (0.0, 0.3, 0.5, 0.3 + 0.4)] == [0.0, 1.5, 1.5, 0.0]


def test_a_run_may_start_inside_a_pulse():
    result = rt.simulate(pushed(profiles.Rectangle(1.0, 1.0)), t_start=1.5, t_end=4.0)
    assert result.t[0] == 1.5
    assert result["puck.vx"][-1] == pytest.approx(0.5 * 1.5, rel=1e-13)


def test_a_run_may_start_at_a_negative_time():
    result = rt.simulate(pushed(profiles.Triangle(-1.0, 1.0)), t_start=-3.0, t_end=-0.5, options=rt.Options(output=[-1.0]))
    assert result["puck.vx"][-1] == pytest.approx(1.5 * 0.25, rel=1e-13)
    assert result.t.tolist() == [-3.0, -1.0, -1.0, -0.5]


def test_a_driver_on_a_shift_carries_its_body_and_reports_the_force():
    model = rt.Model("planar", [PUCK], [joints.Prismatic("rail", "ground", "puck", axis=(1.0, 0.0))],
                     drivers=[rt.Driver("ram", "rail.shift", profiles.Sine(0.2, 0.5))])
    result = rt.simulate(model, t_start=0.25, t_end=2.0)
    assert_allclose(result["puck.x"], 0.2 * np.sin(math.pi * result.t), atol=1e-15)
    assert_allclose(result["ram.force"], -2.0 * 0.2 * math.pi**2 * np.sin(math.pi * result.t), atol=1e-13)
    assert np.abs(result.energy["error"]).max() < 1e-9


# output --------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("output", "times"), [
    (None, np.linspace(1.0, 3.0, 1001)),
    (0.5, [1.0, 1.5, 2.0, 2.5, 3.0]),
    (0.75, [1.0, 1.75, 2.5, 3.0]),
    ([2.5, 1.25, 2.5], [1.0, 1.25, 2.5, 3.0]),
    ([1.0, 3.0], [1.0, 3.0]),
    ([], [1.0, 3.0]),
    (7.0, [1.0, 3.0]),
])
@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_output_comes_at_the_times_wanted_with_start_and_end(output, times, method):
    result = rt.simulate(pendulum(), SWING, t_start=1.0, t_end=3.0, options=rt.Options(output=output, method=method))
    assert result.t.tolist() == list(times)


def test_dense_output_is_as_good_as_the_steps():
    fine = rt.simulate(pendulum(), SWING, 2.0, options=rt.Options(rtol=1e-13, atol=1e-13, max_step=0.01))
    usual = rt.simulate(pendulum(), SWING, 2.0, options=rt.Options(rtol=1e-10, atol=1e-12))
    assert usual.statistics["accepted"] < 60
    assert np.abs(fine["pin.angle"] - usual["pin.angle"]).max() < 1e-8


def test_at_is_linear_between_samples_and_refuses_times_outside():
    result = rt.simulate(rt.Model("planar", [PUCK]), rt.State(puck={"vx": 2.0}), 1.0, options=rt.Options(output=0.5))
    assert result.at(0.3)["puck.x"] == pytest.approx(0.6, rel=1e-14)
    with pytest.raises(ValueError, match=r"t = 1\.5 s lies outside the result, 0 to 1 s"):
        result.at(1.5)
    with pytest.raises(ValueError, match="neither"):
        result.at(0.5, side="middle")


# restart, repetition -------------------------------------------------------------------------------------------------

def test_a_run_from_the_final_state_goes_on_with_the_same_motion():
    options = rt.Options(rtol=1e-12, atol=1e-13)
    whole = rt.simulate(pendulum(), SWING, 2.0, options=options)
    half = rt.simulate(pendulum(), SWING, 1.0, options=options)
    rest = rt.simulate(pendulum(), half.final_state, t_start=1.0, t_end=2.0, options=options)
    assert rest["pin.angle"][0] == half["pin.angle"][-1]
    assert rest["pin.angle"][-1] == pytest.approx(whole["pin.angle"][-1], abs=1e-10)


def test_two_runs_give_the_same_bits_whatever_the_slices(monkeypatch):
    first = rt.simulate(pendulum(), SWING, 20.0)
    monkeypatch.setattr(module, "SLICE", 1e-9)  # ten steps a slice
    second = rt.simulate(pendulum(), SWING, 20.0)
    assert all(np.array_equal(first[c], second[c]) for c in first.channels)


def test_a_compiled_model_can_be_run_again():
    compiled = rt.compile_model(pendulum())
    runs = [rt.simulate(compiled, SWING, 0.5), rt.simulate(pendulum(), SWING, 0.5), rt.simulate(compiled, SWING, 0.5)]
    assert np.array_equal(runs[0]["pin.angle"], runs[1]["pin.angle"])
    assert np.array_equal(runs[0]["pin.angle"], runs[2]["pin.angle"])


# interruptions and failures ------------------------------------------------------------------------------------------

def test_ctrl_c_returns_the_part_computed(monkeypatch):
    whole = rt.simulate(pendulum(), SWING, 100.0)
    call, count = module.Run._call, iter(range(100))
    monkeypatch.setattr(module, "SLICE", 1e-9)

    def interrupted(self, implicit):
        if next(count) == 3:
            raise KeyboardInterrupt
        return call(self, implicit)

    monkeypatch.setattr(module.Run, "_call", interrupted)
    part = rt.simulate(pendulum(), SWING, 100.0)
    assert part.status == "interrupted"
    assert 0.0 < part.t[-1] < 100.0
    assert np.array_equal(part["pin.angle"][:-1], whole["pin.angle"][: len(part.t) - 1])
    assert part.final_state["pin"]["angle"] == part["pin.angle"][-1]


LONG_RUN = """
    import signal
    import routh as rt
    from routh import joints
    model = rt.Model("planar", [rt.Body("bob", 1.5, 0.2)], [joints.Revolute("pin", "ground", "bob", point_b=(0.0, 0.8))],
                     gravity=(0.0, -9.81))
    rt.simulate(model, rt.State(pin={"angle": 1.0}), 0.1)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background begin without it
    print("ready", flush=True)
    result = rt.simulate(model, rt.State(pin={"angle": 1.0}), 1e9, options=rt.Options(output=1e6))
    print(result.status, 0.0 < result.t[-1] < 1e9, flush=True)
"""


def python(code):
    """A child Python that runs `code` with the library under test."""
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})


def test_a_real_interrupt_ends_a_run_of_a_billion_seconds():
    child = python(LONG_RUN)
    assert child.stdout.readline() == "ready\n"
    time.sleep(2.0)  # the loop has begun by then: the kernels are loaded before "ready"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "interrupted True\n"


def breaks_at_one(t, x, rate, parameters):
    return math.nan if t > 1.0 else 0.0


def raises_at_one(t, x, rate, parameters):
    if t > 1.0:
        raise ValueError("enough")
    return 0.0


def reads_too_far(t, x, rate, parameters):
    return parameters[3] if t > 1.0 else 0.0


def divides_by_zero(t, x, rate, parameters):
    return 1.0 / max(1.0 - t, 0.0)


@pytest.mark.parametrize("law", [breaks_at_one, raises_at_one, reads_too_far])
@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_a_law_that_fails_at_one_second_stops_the_run_there_and_hands_over_the_part_before(law, method):
    model = pendulum(forces.JointLaw("odd", "pin", law, (1.0,)), name="clock")
    with pytest.raises(SimulationError, match=r"^clock: stopped at t = 1 s: ") as caught:
        rt.simulate(model, SWING, 2.0, options=rt.Options(method=method))
    error = caught.value
    assert error.t == pytest.approx(1.0, abs=1e-9)
    assert error.status in ("not finite", "no convergence", "step too small")
    assert error.result.status == error.status
    assert error.result.t[-1] == error.t
    assert np.isfinite(error.result["pin.angle"]).all()


def test_a_force_without_bound_ends_the_run_before_it():
    with pytest.raises(SimulationError) as caught:
        rt.simulate(pendulum(forces.JointLaw("odd", "pin", divides_by_zero)), SWING, 2.0)
    assert caught.value.t == pytest.approx(1.0, abs=1e-6)


def test_a_failed_run_can_be_returned_instead_of_raised():
    model = pendulum(forces.JointLaw("odd", "pin", breaks_at_one))
    result = rt.simulate(model, SWING, 2.0, options=rt.Options(on_error="return"))
    assert result.status == "not finite"
    assert result.t[-1] == pytest.approx(1.0, abs=1e-9)


def test_a_law_that_fails_at_the_start_gives_a_result_of_one_sample():
    model = pendulum(forces.JointLaw("odd", "pin", lambda t, x, rate, parameters: math.inf))
    result = rt.simulate(model, SWING, 2.0, options=rt.Options(on_error="return"))
    assert (result.status, result.t.tolist()) == ("not finite", [0.0])


def test_a_crank_driven_past_its_limit_stops_there():
    bodies = [rt.Body("crank", 1.0, 0.1), rt.Body("rod", 1.0, 0.1)]
    model = rt.Model("planar", bodies, [
        joints.Revolute("main", "ground", "crank", point_b=(-1.0, 0.0)),
        joints.Revolute("big", "crank", "rod", point_a=(1.0, 0.0), point_b=(-0.5, 0.0)),
        joints.PinInSlot("slot", "ground", "rod", point_b=(0.5, 0.0), axis=(1.0, 0.0))],
        drivers=[rt.Driver("motor", "main.angle", profiles.ConstantRate(1.0))])
    with pytest.raises(SimulationError) as caught:  # crank of 2 m, rod of 1 m: sin(t) = 1/2 is as far as it goes
        rt.simulate(model, t_end=2.0)
    assert caught.value.t == pytest.approx(math.pi / 6.0, abs=1e-3)


def two_drivers(late):
    bodies = [rt.Body(n, 1.0, 0.1) for n in ("crank", "coupler", "rocker")]
    start = {"A": 0.5838300741883687, "D": 1.457281633943075}
    return rt.Model("planar", bodies, [
        joints.Revolute("A", "ground", "crank", point_b=(-0.5, 0.0)),
        joints.Revolute("B", "crank", "coupler", point_a=(0.5, 0.0), point_b=(-1.0, 0.0)),
        joints.Revolute("D", "ground", "rocker", point_a=(2.0, 0.0), point_b=(-1.0, 0.0)),
        joints.Revolute("C", "coupler", "rocker", point_a=(1.0, 0.0), point_b=(1.0, 0.0))],
        drivers=[rt.Driver(n.lower(), n, profiles.SmoothRamp(1.0, 1.0, start=late, offset=x)) for n, x in start.items()])


def test_drivers_that_pull_a_loop_apart_later_stop_the_run():
    model = two_drivers(late=0.5)
    with pytest.raises(SimulationError, match="a loop cannot stay closed while its drivers go on") as stop:
        rt.simulate(model, rt.assemble(model, rt.State(B={"angle": 0.2})), 1.0)
    assert 0.5 <= stop.value.t < 0.6


def test_the_progress_bar_appears_when_asked_and_only_then(capsys):
    rt.simulate(pendulum(), SWING, 1.0, options=rt.Options(progress=True))
    assert "simulating" in capsys.readouterr().err
    rt.simulate(pendulum(), SWING, 1.0, options=rt.Options(progress=False))
    rt.simulate(pendulum(), SWING, 1.0)
    assert capsys.readouterr().err == ""


# laws of the user's own ----------------------------------------------------------------------------------------------

def spring(t, x, rate, parameters):
    return parameters[0] * (x - parameters[2]) + parameters[1] * rate


def torsion(t, x, rate, parameters):
    return -parameters[0] * (x - parameters[2]) - parameters[1] * rate


def plane_field(t, pose, velocity, parameters, out):
    out[0], out[1], out[2] = -parameters[0] * pose[0], -parameters[0] * pose[1], -parameters[1] * velocity[2]


def space_field(t, pose, velocity, parameters, out):
    for i in range(3):
        out[i] = -parameters[0] * pose[i]
        out[3 + i] = -parameters[1] * velocity[3 + i]


def same_motion(one, two, channels, **tolerance):
    for name in channels:
        assert_allclose(one[name], two[name], err_msg=name, **tolerance)


def accounted(law, built_in):
    """At the start every channel agrees to round-off; later the law's work is what the built-in force stores and loses."""
    same_motion(law, built_in, [c for c in law.channels if not c.startswith("energy")], rtol=1e-10, atol=1e-10)
    for name in ("bob.alpha", "s.force", "pin.reaction"):
        assert_allclose(law[name][0], built_in[name][0], rtol=1e-12, atol=1e-14)
    total = law.energy["applied"]
    stored = built_in.energy["potential"] - built_in.energy["potential"][0]
    assert_allclose(total, built_in.energy["dissipated"] - stored + law.energy["potential"] - law.energy["potential"][0],
                    atol=1e-7)
    assert np.abs(law.energy["error"]).max() < 1e-7


TIGHT = rt.Options(rtol=1e-12, atol=1e-13, output=0.05)


def test_a_line_law_equals_the_built_in_spring_damper():
    ends = {"a": "ground", "b": "bob", "point_a": (1.0, 0.3), "point_b": (0.1, 0.0)}
    built_in = rt.simulate(pendulum(forces.SpringDamper("s", **ends, stiffness=20.0, damping=0.5, free_length=0.4)), SWING,
                           1.0, options=TIGHT)
    own = rt.simulate(pendulum(forces.LineLaw("s", **ends, law=spring, parameters=(20.0, 0.5, 0.4))), SWING, 1.0,
                      options=TIGHT)
    same_motion(own, built_in, ["pin.angle", "bob.ax", "s.length", "s.force", "pin.reaction"], rtol=1e-10, atol=1e-10)
    accounted(own, built_in)


def test_a_joint_law_equals_the_built_in_torsion_spring():
    built_in = rt.simulate(pendulum(forces.JointSpring("s", "pin", 20.0, 0.5, 0.4)), SWING, 1.0, options=TIGHT)
    own = rt.simulate(pendulum(forces.JointLaw("s", "pin", torsion, (20.0, 0.5, 0.4))), SWING, 1.0, options=TIGHT)
    same_motion(own, built_in, ["pin.angle", "bob.ax", "s.force", "pin.reaction"], rtol=1e-10, atol=1e-10)
    accounted(own, built_in)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_body_law_equals_a_spring_of_no_length_and_a_damped_spin(space):
    n = 2 if space == "planar" else 3
    body = rt.Body("puck", 2.0, 0.5 if n == 2 else (0.5, 0.5, 0.5))
    law = plane_field if n == 2 else space_field
    start = {"x": 1.0, "vy": 0.7, "omega": 2.0 if n == 2 else (0.0, 0.0, 2.0)}
    own = rt.simulate(rt.Model(space, [body], forces=[forces.BodyLaw("f", "puck", law, (8.0, 0.5))]),
                      rt.State(puck=start), 1.0, options=TIGHT)
    built_in = rt.simulate(rt.Model(space, [body], forces=[forces.SpringDamper("f", "ground", "puck", stiffness=8.0)]),
                           rt.State(puck=start), 1.0, options=TIGHT)
    same_motion(own, built_in, ["puck.x", "puck.y", "puck.vx", "puck.vy"], rtol=1e-11, atol=1e-11)
    assert_allclose(own["puck.x"], np.cos(2.0 * own.t), atol=1e-11)
    assert_allclose(own["puck.omega" if n == 2 else "puck.wz"], 2.0 * np.exp(-own.t), rtol=1e-11)
    assert np.abs(own.energy["error"]).max() < 1e-10


LAW_RUN = """
    import sys
    import routh as rt
    from routh import forces, joints

    def law(t, x, rate, parameters):
        return -parameters[0] * x

    model = rt.Model("planar", [rt.Body("bob", 1.5, 0.2)], [joints.Revolute("pin", "ground", "bob")],
                     [forces.JointLaw("own", "pin", law, (3.0,))])
    rt.simulate(model, rt.State(pin={"angle": 1.0}), 0.1)
    print("routh.native.build" in sys.modules)
"""


def test_a_law_of_the_users_own_leaves_the_kernels_as_they_are():
    rt.simulate(pendulum(), SWING, 0.1)
    child = python(LAW_RUN)
    out, err = child.communicate(timeout=120)
    assert out == "False\n", err
