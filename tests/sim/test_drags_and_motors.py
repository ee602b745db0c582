"""Drags, motors, servos, brakes and clutches against closed forms; in plane and space, by events and by steps, in files."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh import forces, joints, profiles
from routh.errors import ModelError

approx = pytest.approx
SPACES = ("planar", "spatial")


def ball(space, *acting, gravity=0.0):
    """A ball of 2 kg and 0.1 kg m², with forces on it; gravity along -y."""
    n = 2 if space == "planar" else 3
    inertia = 0.1 if n == 2 else (0.1, 0.1, 0.1)
    return rt.Model(space, [rt.Body("ball", 2.0, inertia)], forces=acting, gravity=(0.0, -gravity, 0.0)[:n])


def wheel(space, *acting, extra=(), more=()):
    """A wheel of 0.5 kg m² on an axle."""
    n = 2 if space == "planar" else 3
    inertia = 0.5 if n == 2 else (0.3, 0.3, 0.5)
    axis = {} if n == 2 else {"axis": (0.0, 0.0, 1.0)}
    return rt.Model(space, [rt.Body("wheel", 1.0, inertia), *more], forces=acting,
                    joints=[joints.Revolute("axle", "ground", "wheel", **axis), *extra])


@pytest.mark.parametrize("space", SPACES)
def test_linear_drag_slows_a_ball_exponentially_and_takes_its_energy(space):
    result = rt.simulate(ball(space, forces.Drag("air", "ball", linear=0.8)), rt.State(ball={"vx": 3.0, "vy": 4.0}), 2.0)
    fall = math.exp(-0.8 * 2.0 / 2.0)
    assert (result["ball.vx"][-1], result["ball.vy"][-1]) == approx((3.0 * fall, 4.0 * fall), rel=1e-9)
    assert result["air.force"][-1] == approx(0.8 * 5.0 * fall, rel=1e-9)
    assert result.energy["dissipated"][-1] == approx(-25.0 * (1.0 - fall**2), rel=1e-8)


@pytest.mark.parametrize("space", SPACES)
def test_a_ball_that_falls_through_air_follows_the_hyperbolic_tangent(space):
    """v = v∞ tanh(g t / v∞), y = -(v∞²/g) ln cosh(g t / v∞), v∞ = √(m g / c)."""
    g, c = 9.81, 0.3
    end = math.sqrt(2.0 * g / c)
    result = rt.simulate(ball(space, forces.Drag("air", "ball", quadratic=c), gravity=g), None, 1.5)
    assert result["ball.vy"][-1] == approx(-end * math.tanh(g * 1.5 / end), rel=1e-8)
    assert result["ball.y"][-1] == approx(-end**2 / g * math.log(math.cosh(g * 1.5 / end)), rel=1e-8)


@pytest.mark.parametrize("space", SPACES)
def test_constant_drag_stops_a_ball_after_half_v_squared_over_the_deceleration(space):
    """Without fading; with it the ball goes a little farther, by the integral of what is left."""
    drag, v, slow = 3.0, 2.0, 1e-4
    result = rt.simulate(ball(space, forces.Drag("cloth", "ball", constant=drag, slow=slow)), rt.State(ball={"vx": v}), 2.0)
    way, time = 2.0 * v * v / (2.0 * drag), 2.0 * v / drag
    assert result["ball.x"][-1] == approx(way, abs=slow * v)
    at = result.sol(0.5 * time)
    assert at["ball.vx"] == approx(0.5 * v, abs=slow)
    assert abs(result["ball.vx"][-1]) < slow


@pytest.mark.parametrize("space", SPACES)
def test_spin_drag_slows_a_spin_by_all_three_parts(space):
    drag = {"constant": 0.05, "linear": 0.02, "quadratic": 0.004, "slow": 0.0}
    spin = {"omega": 8.0} if space == "planar" else {"omega": (4.8, 0.0, 6.4)}  # of size 8
    result = rt.simulate(ball(space, forces.SpinDrag("oil", "ball", **drag)), rt.State(ball=spin), 1.0)
    check = solve_ivp(lambda t, w: [-(0.05 + 0.02 * w[0] + 0.004 * w[0] ** 2) / 0.1], (0.0, 1.0), [8.0], rtol=1e-11, atol=1e-12)
    size = (abs(result["ball.omega"][-1]) if space == "planar"
            else np.linalg.norm([result[f"ball.w{k}"][-1] for k in "xyz"]))
    assert size == approx(check.y[0, -1], rel=1e-7)


@pytest.mark.parametrize("space", SPACES)
def test_drag_at_a_point_brakes_the_spin(space):
    """Linear drag at two opposite points: the spin falls at 2 c r² / I."""
    r, n = 0.3, 2 if space == "planar" else 3
    pair = [forces.Drag(f"fin{k}", "ball", linear=0.4, point=(k * r, 0.0, 0.0)[:n]) for k in (-1, 1)]
    start = rt.State(ball={"omega": 5.0} if n == 2 else {"omega": (0.0, 0.0, 5.0)})
    result = rt.simulate(ball(space, *pair), start, 1.0)
    assert result["ball.omega" if n == 2 else "ball.wz"][-1] == approx(5.0 * math.exp(-2.0 * 0.4 * r * r / 0.1), rel=1e-8)


def test_drag_on_a_stepped_ball_converges_to_the_closed_form():
    errors = []
    for step in (2e-2, 1e-2):
        options = rt.Options(engine="stepping", step=step)
        model = ball("planar", forces.Drag("air", "ball", linear=0.8))
        result = rt.simulate(model, rt.State(ball={"vx": 3.0}), 2.0, options=options)
        errors.append(abs(result["ball.vx"][-1] - 3.0 * math.exp(-0.8)))
    assert errors[1] < 0.6 * errors[0] < 0.05


@pytest.mark.parametrize("space", SPACES)
def test_a_motor_with_a_straight_characteristic_runs_up_exponentially(space):
    model = wheel(space, forces.Motor("motor", "axle", force=2.0, no_load_speed=50.0))
    result = rt.simulate(model, None, 10.0)
    rate = 2.0 / 50.0 / 0.5
    assert result["axle.angle_rate"][-1] == approx(50.0 * (1.0 - math.exp(-rate * 10.0)), rel=1e-8)
    assert result["motor.force"][-1] == approx(2.0 * math.exp(-rate * 10.0), rel=1e-7)
    assert result.energy["applied"][-1] == approx(0.25 * result["axle.angle_rate"][-1] ** 2, rel=1e-8)


@pytest.mark.parametrize("space", SPACES)
def test_a_servo_has_the_step_response_of_a_damped_oscillator(space):
    k, c, inertia = 20.0, 2.0, 0.5
    model = wheel(space, forces.Servo("servo", "axle", target=profiles.Constant(1.0), stiffness=k, damping=c))
    result = rt.simulate(model, None, 1.0)
    w, d = math.sqrt(k / inertia), c / (2.0 * inertia)
    wd = math.sqrt(w * w - d * d)
    answer = 1.0 - math.exp(-d) * (math.cos(wd) + d / wd * math.sin(wd))
    assert result["axle.angle"][-1] == approx(answer, abs=1e-8)


def test_a_servo_at_its_limit_accelerates_evenly():
    servo = forces.Servo("servo", "axle", target=profiles.Constant(100.0), stiffness=50.0, damping=1.0, limit=3.0)
    model = wheel("planar", servo)
    result = rt.simulate(model, None, 1.0)
    assert result["axle.angle"][-1] == approx(0.5 * 3.0 / 0.5, rel=1e-9)
    assert result["servo.force"] == approx(3.0)


def test_a_servo_follows_the_rate_of_its_target():
    """With the target's rate fed forward, a wheel that starts on the ramp stays on it."""
    model = wheel("planar", forces.Servo("servo", "axle", target=profiles.ConstantRate(2.0), stiffness=10.0, damping=5.0))
    result = rt.simulate(model, rt.State(axle={"angle_rate": 2.0}), 3.0)
    assert result["axle.angle"] == approx(2.0 * result.t, abs=1e-9)
    assert np.abs(result["servo.force"]).max() < 1e-7


def test_a_speed_source_reaches_its_speed_after_the_time_that_its_limit_allows():
    gain, limit, target = 50.0, 2.0, 10.0
    model = wheel("planar", forces.SpeedServo("drive", "axle", target=profiles.Constant(target), gain=gain, limit=limit))
    result = rt.simulate(model, None, 4.0)
    # evenly until the control leaves its limit, limit / gain below the target; then exponentially
    switch = (target - limit / gain) * 0.5 / limit
    answer = target - limit / gain * math.exp(-(4.0 - switch) * gain / 0.5)
    assert result["axle.angle_rate"][-1] == approx(answer, abs=1e-7)
    assert result.sol(0.5 * switch)["axle.angle_rate"] == approx(0.5 * switch * limit / 0.5, rel=1e-8)


@pytest.mark.parametrize("space", SPACES)
def test_a_brake_stops_a_wheel_in_the_time_of_its_torque(space):
    model = wheel(space, forces.Brake("brake", "axle", force=1.5))
    result = rt.simulate(model, rt.State(axle={"angle_rate": 6.0}), 3.0)
    stop = 6.0 * 0.5 / 1.5
    assert result.sol(0.5 * stop)["axle.angle_rate"] == approx(3.0, rel=1e-10)
    assert result["axle.angle"][-1] == approx(0.5 * 6.0 * stop, rel=1e-10)
    assert result["axle.angle_rate"][-1] == 0.0
    assert result.energy["friction"][-1] == approx(-0.25 * 36.0, rel=1e-10)


@pytest.mark.parametrize("space", SPACES)
def test_a_clutch_brings_two_wheels_to_the_speed_of_their_angular_momentum(space):
    n = 2 if space == "planar" else 3
    axis = {} if n == 2 else {"axis": (0.0, 0.0, 1.0)}
    other = rt.Body("disc", 1.0, 1.5 if n == 2 else (1.0, 1.0, 1.5))
    model = wheel(space, forces.Clutch("clutch", "axle", "shaft", force=3.0),
                  extra=[joints.Revolute("shaft", "ground", "disc", **axis)], more=[other])
    result = rt.simulate(model, rt.State(axle={"angle_rate": 8.0}), 3.0)
    common = 0.5 * 8.0 / 2.0
    assert (result["axle.angle_rate"][-1], result["shaft.angle_rate"][-1]) == approx((common, common), rel=1e-10)
    assert result["clutch.slip"][0] == 8.0
    assert result.energy["friction"][-1] == approx(-(0.25 * 64.0 - 0.5 * 2.0 * common**2), rel=1e-10)
    # while it slips, both accelerate evenly
    assert result.sol(0.5)["shaft.angle_rate"] == approx(0.5 * 3.0 / 1.5, rel=1e-10)


def test_a_motor_in_a_joint_that_closes_a_loop_turns_the_same_four_bar():
    """Two parallel cranks under a coupler: a motor on either crank does the same work for the same turn."""
    def four_bar(driven):
        links = [rt.Body(name, 1.0, 0.02) for name in ("left", "right", "coupler")]
        pins = [joints.Revolute("a", "ground", "left", (0, 0), (0, -0.1)),
                joints.Revolute("b", "left", "coupler", (0, 0.1), (-0.3, 0)),
                joints.Revolute("c", "coupler", "right", (0.3, 0), (0, 0.1)),
                joints.Revolute("d", "ground", "right", (0.6, 0), (0, -0.1))]
        return rt.Model("planar", links, joints=pins, forces=[forces.Motor("motor", driven, force=0.3)])

    start = rt.State(left={"theta": 0.3}, right={"theta": 0.3})
    a, d = (rt.simulate(four_bar(pin), start, 0.8) for pin in ("a", "d"))
    assert a["left.theta"][-1] == approx(d["left.theta"][-1], abs=1e-7)
    assert a.energy["applied"][-1] == approx(d.energy["applied"][-1], rel=1e-6)


@pytest.mark.parametrize(("parts", "exact"), [
    ((profiles.ConstantRate(2.0, 0.3), profiles.Sine(0.5, 3.0, 0.2)),
     lambda t: 0.3 + 2 * t + 0.5 * np.sin(6 * np.pi * t + 0.2)),
    ((profiles.Sine(0.5, 3.0), profiles.Sine(0.2, 7.0, 1.0), profiles.Sine(0.1, 1.1, -1.0, 0.4)),
     lambda t: 0.4 + 0.5 * np.sin(6 * np.pi * t) + 0.2 * np.sin(14 * np.pi * t + 1) + 0.1 * np.sin(2.2 * np.pi * t - 1)),
    ((profiles.Polynomial((1.0, 2.0, 3.0), start=0.5), profiles.CubicStep(0.4, 0.3, 2.0)),
     lambda t: 1 + 2 * (t - 0.5) + 3 * (t - 0.5) ** 2 + 2.0 * np.clip((t - 0.4) / 0.3, 0, 1) ** 2
     * (3 - 2 * np.clip((t - 0.4) / 0.3, 0, 1))),
    ((profiles.Rectangle(0.2, 0.3, 4.0), profiles.Haversine(0.3, 0.4, 1.5)),
     lambda t: 4.0 * ((t >= 0.2) & (t < 0.5))
     + np.where((t > 0.3) & (t < 0.7), 0.75 * (1 - np.cos(5 * np.pi * (t - 0.3))), 0.0)),
])  # fmt: skip
def test_profiles_add_up(parts, exact):
    total = parts[0] + parts[1]
    for part in parts[2:]:
        total = total + part
    assert isinstance(total, profiles.Sum)
    assert len(total.parts) == len(parts)
    model = wheel("planar", forces.Motor("motor", "axle", force=1.0, profile=total))
    times = np.linspace(0.013, 0.987, 50)
    result = rt.simulate(model, None, 1.0, options=rt.Options(output=times))
    assert result["motor.force"][np.isin(result.t, times)] == approx(exact(times), abs=1e-11)
    again = rt.parse_model(rt.format_model(model)).model
    assert again == model


def test_a_driver_may_turn_and_shake():
    motion = profiles.ConstantRate(5.0) + profiles.Sine(0.1, 2.0) + profiles.Sine(0.05, 3.0)
    model = rt.Model("planar", [rt.Body("wheel", 1.0, 0.5)], joints=[joints.Revolute("axle", "ground", "wheel")],
                     drivers=[rt.Driver("motor", "axle", motion)])
    result = rt.simulate(model, None, 1.0, options=rt.Options(output=0.01))
    t = result.t
    bend = -0.1 * (4 * np.pi) ** 2 * np.sin(4 * np.pi * t) - 0.05 * (6 * np.pi) ** 2 * np.sin(6 * np.pi * t)
    assert result["motor.force"] == approx(0.5 * bend, abs=1e-9)


def test_files_carry_units_of_drags_and_motors():
    text = """format = 1
space = "planar"
[bodies.wheel]
mass = "1 kg"
inertia = "0.5 kg m^2"
[joints.axle]
type = "Revolute"
a = "ground"
b = "wheel"
[forces.air]
type = "Drag"
body = "wheel"
quadratic = "0.2 N s^2/m^2"
[forces.oil]
type = "SpinDrag"
body = "wheel"
constant = "0.1 N m"
slow = "1 deg/s"
[forces.motor]
type = "Motor"
coordinate = "axle.angle"
force = "20 N cm"
no_load_speed = "300 rad/s"
[forces.servo]
type = "Servo"
coordinate = "axle"
target = {type = "Sum", parts = [{type = "ConstantRate", rate = "90 deg/s"},
                                 {type = "Sine", amplitude = "5 deg", frequency = "2 Hz"}]}
stiffness = "1 N m/deg"
damping = "0.1 N m s/rad"
limit = "5 N m"
[forces.brake]
type = "Brake"
coordinate = "axle"
force = "1 N m"
stiction = 1.2
"""
    model = rt.parse_model(text).model
    assert model["motor"].force == approx(0.2)
    assert model["servo"].stiffness == approx(180.0 / math.pi)
    assert model["servo"].target.parts[0].rate == approx(math.pi / 2)
    assert model["oil"].slow == approx(math.pi / 180)
    assert rt.parse_model(rt.format_model(model)).model == model
    with pytest.raises(rt.errors.RouthError, match="wrong unit"):
        rt.parse_model(text.replace("20 N cm", "20 N"))


def test_numbers_of_drags_and_motors_change_without_compiling_again():
    model = wheel("planar", forces.Motor("motor", "axle", force=2.0), forces.SpinDrag("air", "wheel", linear=0.5))
    compiled = rt.compile_model(model)
    other = compiled.replace({"motor.force": 3.0, "air.linear": 1.0})
    direct = rt.compile_model(model.replace({"motor.force": 3.0, "air.linear": 1.0}))
    assert other.accelerations(0.0, [0.0], [1.0]) == approx(direct.accelerations(0.0, [0.0], [1.0]), abs=1e-15)


@pytest.mark.parametrize("name", ["billiards", "eulers_disk", "tippe_top"])
def test_gallery_scenes_with_drags_are_files(name):
    import importlib

    model = importlib.import_module(f"routh.gallery.{name}").model()
    assert rt.parse_model(rt.format_model(model)).model == model


@pytest.mark.parametrize(("make", "message"), [
    (lambda: forces.Drag("d", "b"), "give a constant, linear or quadratic drag above zero"),
    (lambda: forces.Drag("d", "b", constant=1.0), "needs slow, the speed below which it fades"),
    (lambda: forces.Drag("d", "b", linear=-1.0), "linear = -1 must be zero or positive"),
    (lambda: forces.Brake("d", "axle"), "force = 0 must be positive"),
    (lambda: forces.Brake("d", "axle", force=1.0, stiction=0.5), "stiction = 0.5 is below 1"),
    (lambda: forces.Servo("d", "axle", target=1.0), "target = 1.0 is not a profile"),
    (lambda: forces.Servo("d", "axle", target=profiles.Rectangle(0, 1), damping=1.0), "jumps, and damping would need its rate"),
    (lambda: forces.SpeedServo("d", "axle"), "gain = 0 must be positive"),
    (lambda: forces.Servo("d", "axle", limit=0.0), "limit = 0 must be positive"),
    (lambda: forces.Motor("d", "axle", no_load_speed=-1.0), "no_load_speed = -1 must be positive"),
    (lambda: wheel("planar", forces.Clutch("c", "axle", "axle", 1.0, 1.0)), 'couples "axle" to itself'),
    (lambda: ball("planar", forces.Drag("d", "ground", linear=1.0)), "acts on the ground"),
    (lambda: ball("planar", forces.Drag("d", "bal", linear=1.0)), 'no body "bal"; did you mean "ball"'),
    (lambda: wheel("planar", forces.Motor("m", "axel", 1.0)), 'no joint "axel"'),
    (lambda: profiles.Sum(()), "nothing to add"),
    (lambda: profiles.Sum((1.0,)), "holds 1.0, which is no profile"),
    (lambda: profiles.Sum(3), "not a list of profiles"),
    (lambda: rt.friction.Fading(0.3, 0.0), "speed = 0 must be positive"),
])
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()
