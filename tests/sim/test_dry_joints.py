"""Dry friction in joints, brakes and clutches against closed forms: slides, stops, breakaway; in plane and space."""

import dataclasses
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import routh as rt
from routh import forces, joints, profiles
from routh.errors import ModelError
from routh.model.joints import DryFriction

approx = pytest.approx
SPACES = ("planar", "spatial")
G = 9.81


def vector(space, *v):
    """A vector of the plane, in its space."""
    return v if space == "planar" else (*v, 0.0)


def body(space, name, mass=1.0, inertia=1.0 / 12.0):
    """A body whose moment about the normal of the plane is `inertia`."""
    return rt.Body(name, mass, inertia if space == "planar" else (inertia, inertia, inertia))


def turning(space, name, a, b, point_a=(0.0, 0.0), point_b=(0.0, 0.0), friction=None):
    """A revolute joint about the normal of the plane."""
    axis = {} if space == "planar" else {"axis": (0.0, 0.0, 1.0)}
    return joints.Revolute(name, a, b, vector(space, *point_a), vector(space, *point_b), friction=friction, **axis)


def pendulum(space, friction, mass=1.0, length=0.5):
    """A rod that hangs on a dry pin."""
    return rt.Model(space, [body(space, "rod", mass)], gravity=vector(space, 0.0, -G),
                    joints=[turning(space, "pin", "ground", "rod", point_b=(0.0, length), friction=friction)])


def wheel(space, friction=None, acting=(), inertia=0.5):
    """A wheel on an axle."""
    return rt.Model(space, [body(space, "wheel", 1.0, inertia)], forces=acting,
                    joints=[turning(space, "axle", "ground", "wheel", friction=friction)])


def slider(space, friction, acting=(), gravity=(0.0, 0.0), mass=2.0):
    """A body that moves along x."""
    return rt.Model(space, [body(space, "box", mass)], forces=acting, gravity=vector(space, *gravity),
                    joints=[joints.Prismatic("rail", "ground", "box", axis=vector(space, 1.0, 0.0), friction=friction)])


def at_events(result, channel):
    """Instants of the events, and a channel there."""
    return result.events["t"], np.array([result.at(t)[channel] for t in result.events["t"]])


@pytest.mark.parametrize("space", SPACES)
def test_a_spring_and_a_dry_slider_lose_two_limits_over_stiffness_per_half_swing(space):
    k, limit, mass, x0 = 50.0, 1.5, 2.0, 0.4
    spring = forces.JointSpring("spring", "rail", stiffness=k)
    result = rt.simulate(slider(space, DryFriction(force=limit), [spring]), rt.State(rail={"shift": x0}), 5.0,
                         options=rt.Options(rtol=1e-11, atol=1e-13))
    half, step = math.pi * math.sqrt(mass / k), 2.0 * limit / k
    t, x = at_events(result, "rail.shift")
    turns = math.ceil((x0 - limit / k) / step)          # it stops at the first turn within limit / k
    assert list(result.events["kind"]) == ["slip"] * turns + ["stick"]
    assert t == approx(np.arange(turns + 1) * half, abs=1e-9)
    assert x == approx([(-1) ** n * (x0 - n * step) for n in range(turns + 1)], abs=1e-8)
    assert abs(x[-1]) <= limit / k
    assert result["rail.friction"][-1] == approx(k * x[-1], rel=1e-9)    # what the spring needs, no more
    travelled = np.abs(np.diff(x)).sum()
    assert result.energy["friction"][-1] == approx(-limit * travelled, rel=1e-8)
    assert (result["rail.sticks"][0], result["rail.sticks"][-1]) == (0.0, 1.0)


@pytest.mark.parametrize("space", SPACES)
def test_a_dry_pendulum_follows_its_energy_from_turn_to_turn_and_rests_in_the_band(space):
    torque, weight = 0.3, G * 0.5
    result = rt.simulate(pendulum(space, DryFriction(torque=torque)), rt.State(pin={"angle": 1.0}), 20.0,
                         options=rt.Options(rtol=1e-10, atol=1e-12))
    _, angle = at_events(result, "pin.angle")
    size = np.abs(angle)
    assert weight * np.diff(np.cos(angle)) == approx(torque * np.abs(np.diff(angle)), rel=1e-8)
    assert weight * math.sin(size[-1]) < torque < weight * math.sin(size[-2])
    assert result["pin.angle"][-1] == approx(angle[-1], abs=1e-12)       # nothing creeps
    assert result["pin.friction"][-1] == approx(weight * math.sin(angle[-1]), rel=1e-9)


def test_small_swings_of_a_dry_pendulum_lose_two_limits_over_weight_per_half_swing():
    torque, weight = 1e-5, G * 0.5
    result = rt.simulate(pendulum("planar", DryFriction(torque=torque)), rt.State(pin={"angle": 1e-3}), 60.0,
                         options=rt.Options(rtol=1e-11, atol=1e-15))
    _, angle = at_events(result, "pin.angle")
    assert np.abs(np.diff(np.abs(angle)))[:50] == approx(2.0 * torque / weight, rel=1e-6)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("stiction", [1.0, 1.5])
def test_a_wheel_breaks_away_where_a_ramp_passes_the_limit_at_rest(space, stiction):
    rate, limit, inertia = 2.0, 0.8, 0.5
    ramp = forces.Motor("motor", "axle", force=1.0, profile=profiles.Polynomial((0.0, rate)))
    result = rt.simulate(wheel(space, DryFriction(torque=limit, stiction=stiction), [ramp]), rt.State(), 1.0)
    start = stiction * limit / rate
    assert list(result.events["kind"]) == ["stick", "slip"]
    assert result.events["t"][1] == approx(start, abs=1e-9)
    s = 1.0 - start
    excess = (stiction - 1.0) * limit
    assert result["axle.angle"][-1] == approx((excess * s**2 / 2.0 + rate * s**3 / 6.0) / inertia, rel=1e-8)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("brake", [False, True])
def test_a_brake_stops_a_wheel_after_its_momentum_over_the_torque(space, brake):
    omega, torque, inertia = 12.0, 3.0, 0.5
    model = (wheel(space, acting=[forces.Brake("brake", "axle", force=torque)]) if brake
             else wheel(space, DryFriction(torque=torque)))
    result = rt.simulate(model, rt.State(axle={"angle_rate": omega}), 5.0)
    assert list(result.events["kind"]) == ["slip", "stick"]
    assert result.events["t"][1] == approx(inertia * omega / torque, rel=1e-12)
    assert result["axle.angle"][-1] == approx(inertia * omega**2 / (2.0 * torque), rel=1e-10)
    assert result["axle.angle_rate"][-1] == 0.0
    assert result.energy["friction"][-1] == approx(-0.5 * inertia * omega**2, rel=1e-10)
    assert result["brake.force" if brake else "axle.friction"][0] == approx(-torque)


@pytest.mark.parametrize("space", SPACES)
def test_a_brake_that_is_put_on_late_and_let_go_holds_a_falling_weight_in_between(space):
    gravity, mass, force = 3.0, 2.0, 10.0                          # m g = 6 N along the rail
    put_on = profiles.Rectangle(start=0.5, width=1.0)
    model = slider(space, None, [forces.Brake("brake", "rail", force=force, profile=put_on)], gravity=(gravity, 0.0))
    result = rt.simulate(model, rt.State(), 2.0)
    speed, down = gravity * 0.5, force / mass - gravity
    stop = 0.5 + speed / down                                      # later than it is let go, at 1.5 s, it would never stop
    assert stop < 1.5
    assert result.at(stop + 0.01)["brake.sticks"] == 1.0
    assert result.at(1.49)["brake.force"] == approx(-mass * gravity, rel=1e-9)
    fallen = speed * 0.25 + speed**2 / (2.0 * down) + gravity * 0.5**2 / 2.0
    assert result["rail.shift"][-1] == approx(fallen, rel=1e-9)


@pytest.mark.parametrize("space", SPACES)
def test_a_clutch_brings_two_shafts_to_a_common_speed_and_then_holds_them_together(space):
    first, second, torque, omega = 0.5, 0.2, 3.0, 10.0
    model = rt.Model(space, [body(space, "one", 1.0, first), body(space, "two", 1.0, second)],
                     forces=[forces.Clutch("clutch", "a", "b", force=torque), forces.Motor("motor", "a", force=1.4)],
                     joints=[turning(space, "a", "ground", "one"), turning(space, "b", "ground", "two")])
    result = rt.simulate(model, rt.State(a={"angle_rate": omega}), 2.0)
    together = omega / (torque / second - (1.4 - torque) / first)   # the slip falls at the difference of both accelerations
    assert result.events["t"][-1] == approx(together, rel=1e-12)
    assert result.events["kind"][-1] == "stick"
    common = torque / second * together + 1.4 / (first + second) * (2.0 - together)
    assert result["a.angle_rate"][-1] == approx(common, rel=1e-10)
    assert result["clutch.slip"][-1] == approx(0.0, abs=1e-12)
    assert result["clutch.force"][-1] == approx(1.4 * second / (first + second), rel=1e-10)
    assert result["clutch.force"][0] == approx(torque)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("slope", [-1e-9, 1e-9])
def test_a_slider_on_an_incline_locks_itself_at_the_angle_of_friction(space, slope):
    mu = 0.3
    angle = math.atan(mu) * (1.0 + slope)
    gravity = (G * math.sin(angle), -G * math.cos(angle))
    result = rt.simulate(slider(space, DryFriction(mu=mu), gravity=gravity), rt.State(), 1.0)
    assert result["rail.load"][-1] == approx(2.0 * G * math.cos(angle), rel=1e-12)
    assert list(result.events["kind"]) == ["stick" if slope < 0.0 else "slip"]
    fallen = 0.5 * G * (math.sin(angle) - mu * math.cos(angle)) if slope > 0.0 else 0.0
    assert result["rail.shift"][-1] == approx(fallen, rel=1e-5, abs=1e-15)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("above", [False, True])
def test_a_bracket_on_a_post_jams_where_its_arm_exceeds_length_over_twice_mu(space, above):
    mu, length, mass = 0.2, 0.1, 3.0
    arm = length / (2.0 * mu) * (1.0 + (1e-6 if above else -1e-6))
    model = rt.Model(space, [body(space, "bracket", mass)], gravity=vector(space, 0.0, -G),
                     joints=[joints.Prismatic("post", "ground", "bracket", point_b=vector(space, -arm, 0.0),
                                              axis=vector(space, 0.0, -1.0), friction=DryFriction(mu=mu, length=length))])
    result = rt.simulate(model, rt.State(), 0.5)
    assert result["post.sticks"][-1] == float(above)
    if above:
        assert result["post.load"][-1] == approx(2.0 * mass * G * arm / length, rel=1e-9)
    else:                                                # once it falls its bearings carry nothing
        assert result["post.shift"][-1] == approx(0.5 * G * 0.25, rel=1e-6)


def loaded_swing(mu, radius, angle, t_end, mass=1.0, length=0.5, inertia=1.0 / 12.0):
    """(Instants, angles) of the turns of a pendulum with the friction mu × radius × reaction, by SciPy, half swing by swing."""
    def acceleration(theta, omega):
        way = math.copysign(1.0, omega) if omega else -math.copysign(1.0, theta)

        def lack(a):
            force = math.hypot(mass * (length * a + G * math.sin(theta)), mass * (length * omega**2 + G * math.cos(theta)))
            return (inertia + mass * length**2) * a + mass * G * length * math.sin(theta) + way * mu * radius * force
        return brentq(lack, -1e3, 1e3, xtol=1e-14, rtol=1e-14)

    t, out = 0.0, [(0.0, angle)]
    while t < t_end and G * math.sin(abs(angle)) * length > mu * radius * G:
        def turn(_, y):
            return y[1]

        turn.terminal, turn.direction = True, math.copysign(1.0, angle)
        half = solve_ivp(lambda _, y: (y[1], acceleration(*y)), (t, t + 5.0), (angle, -math.copysign(1e-300, angle)), "DOP853",
                         rtol=1e-11, atol=1e-13, events=turn, first_step=1e-3)
        t, angle = half.t_events[0][-1], half.y_events[0][-1][0]
        out.append((t, angle))
    return np.array(out).T


@pytest.mark.parametrize("space", SPACES)
def test_a_pin_with_friction_by_its_own_load_agrees_with_a_second_integration(space):
    mu, radius = 0.6, 0.05
    result = rt.simulate(pendulum(space, DryFriction(mu=mu, radius=radius)), rt.State(pin={"angle": 1.2}), 6.0,
                         options=rt.Options(rtol=1e-10, atol=1e-12))
    instants, angles = loaded_swing(mu, radius, 1.2, 6.0)
    t, angle = at_events(result, "pin.angle")
    n = min(len(t), len(instants))
    assert n > 6
    assert t[:n] == approx(instants[:n], abs=1e-7)
    assert angle[:n] == approx(angles[:n], abs=1e-7)
    assert result["pin.load"] == approx(np.linalg.norm(result["pin.reaction"], axis=1), rel=1e-11)


def test_a_preload_adds_to_the_load():
    result = rt.simulate(pendulum("planar", DryFriction(mu=0.2, radius=0.05, preload=20.0)), rt.State(pin={"angle": 0.4}), 1.0)
    moving = result["pin.sticks"] == 0.0
    limit = 0.2 * 0.05 * (20.0 + np.linalg.norm(result["pin.reaction"], axis=1))
    assert np.abs(result["pin.friction"])[moving] == approx(limit[moving], rel=1e-11)


def four_bar(space, torque, acting=()):
    """A parallelogram that hangs: two cranks of 0.2 m under a coupler; every pin is dry."""
    links = [body(space, "left", 1.0, 0.01), body(space, "right", 1.0, 0.01), body(space, "coupler", 2.0, 0.05)]
    dry = DryFriction(torque=torque)
    pins = [turning(space, "a", "ground", "left", (0.0, 0.0), (0.0, 0.1), dry),
            turning(space, "b", "left", "coupler", (0.0, -0.1), (-0.3, 0.0), dry),
            turning(space, "c", "coupler", "right", (0.3, 0.0), (0.0, -0.1), dry),
            turning(space, "d", "ground", "right", (0.6, 0.0), (0.0, 0.1), dry)]
    return rt.Model(space, links, joints=pins, forces=acting, gravity=vector(space, 0.0, -G))


def test_a_parallelogram_with_four_dry_pins_swings_as_a_pendulum_with_their_sum():
    torque, weight = 0.05, (2.0 * 0.1 + 2.0 * 0.2) * G      # two cranks and the coupler
    model = four_bar("planar", torque)
    start = rt.assemble(model, rt.State(a={"angle": 0.6}, left={"theta": 0.6}, right={"theta": 0.6}))
    result = rt.simulate(model, start, 6.0, options=rt.Options(rtol=1e-10, atol=1e-12))
    turns = result.events["contact"] == "a"                  # every pin turns at once
    angle = np.array([result.at(t)["a.angle"] for t in result.events["t"][turns]])
    assert len(angle) > 4
    assert weight * np.diff(np.cos(angle)) == approx(4.0 * torque * np.abs(np.diff(angle)), rel=1e-6)
    assert weight * abs(math.sin(angle[-1])) < 4.0 * torque
    friction = sum(np.abs(result[f"{pin}.friction"]) for pin in "abcd")
    assert friction[1] == approx(4.0 * torque, rel=1e-10)
    assert result.energy["error"][-1] == approx(0.0, abs=1e-8)


def test_a_parallelogram_breaks_away_where_the_ramp_passes_the_sum_of_its_pins():
    ramp = forces.Motor("motor", "a", force=1.0, profile=profiles.Polynomial((0.0, 0.4)))
    model = dataclasses.replace(four_bar("planar", 0.05, [ramp]), gravity=())
    result = rt.simulate(model, rt.State(), 1.0)
    assert result.at(0.499)["a.angle"] == 0.0
    assert result.at(0.501)["a.angle_rate"] > 0.0
    slips = result.events["t"][result.events["kind"] == "slip"]
    assert slips == approx(4.0 * 0.05 / 0.4, abs=1e-7)


def test_a_bearing_that_turns_and_shifts_stops_in_both_at_once():
    mu, radius, mass, spin, speed = 0.3, 0.05, 2.0, 40.0, 1.5
    axle = joints.Cylindrical("axle", "ground", "rod", axis=(1.0, 0.0, 0.0), friction=DryFriction(mu=mu, radius=radius))
    model = rt.Model("spatial", [rt.Body("rod", mass, (mass * radius**2, 0.1, 0.1))], joints=[axle], gravity=(0.0, 0.0, -G))
    result = rt.simulate(model, rt.State(axle={"angle_rate": spin, "shift_rate": speed}), 2.0)
    slip = math.hypot(radius * spin, speed)                  # its direction stays, because inertia = mass radius²
    assert result.events["t"][-1] == approx(slip / (mu * G), rel=1e-8)
    assert result["axle.shift"][-1] == approx(0.5 * speed * slip / (mu * G), rel=1e-7)
    assert result["axle.friction_force"][0] == approx(-mu * mass * G * speed / slip, rel=1e-9)
    assert result["axle.friction_torque"][0] == approx(-mu * mass * G * radius * radius * spin / slip, rel=1e-9)
    assert result["axle.sticks"][-1] == 1.0


def test_a_dry_pendulum_that_meets_a_stop_loses_by_both():
    torque, e, weight, inertia = 0.2, 0.6, G * 0.5, 1.0 / 12.0 + 0.25
    model = pendulum("planar", DryFriction(torque=torque))
    model = dataclasses.replace(model, contacts=[rt.Stop("stop", "pin.angle", lower=0.0, e=e)])
    result = rt.simulate(model, rt.State(pin={"angle": 1.0}), 3.0)
    fall = weight * (1.0 - math.cos(1.0)) - torque * 1.0
    assert result.impacts["v_before"][0, 0] == approx(-math.sqrt(2.0 * fall / inertia), rel=1e-7)
    back = brentq(lambda x: weight * (1.0 - math.cos(x)) + torque * x - e**2 * fall, 1e-3, 1.0)
    turn = result.events["t"][(result.events["kind"] == "slip") & (result.events["contact"] == "pin")][1:]
    assert max(result.at(t)["pin.angle"] for t in turn) == approx(back, rel=1e-6)
    assert result.energy["error"][-1] == approx(0.0, abs=1e-7)


@pytest.mark.parametrize("friction", [DryFriction(torque=0.3), DryFriction(mu=0.4, radius=0.05)])
def test_time_steps_converge_to_events(friction):
    model, start = pendulum("planar", friction), rt.State(pin={"angle": 1.0})
    exact = rt.simulate(model, start, 10.0)
    errors = []
    for h in (1e-2, 5e-3, 2.5e-3):
        steps = rt.simulate(model, start, 10.0, options=rt.Options(engine="stepping", step=h))
        errors.append(np.abs(steps["pin.angle"] - np.interp(steps.t, exact.t, exact["pin.angle"])).max())
        assert steps.energy["friction"][-1] == approx(exact.energy["friction"][-1], rel=0.5 * h / 1e-2)
    assert errors[2] < 0.4 * errors[0] < 4e-3
    assert steps["pin.sticks"][-1] == exact["pin.sticks"][-1]


def test_a_stepped_brake_and_clutch_stop_where_they_should():
    model = wheel("planar", acting=[forces.Brake("brake", "axle", force=3.0)])
    result = rt.simulate(model, rt.State(axle={"angle_rate": 12.0}), 5.0, options=rt.Options(engine="stepping", step=1e-3))
    assert result["axle.angle"][-1] == approx(0.5 * 144.0 / 6.0, abs=1e-4)
    assert result["brake.force"][1] == approx(-3.0)
    assert result["axle.angle_rate"][-1] == approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: DryFriction(), "give one of mu, torque and force"),
    (lambda: DryFriction(mu=0.1, torque=1.0), "not mu and torque"),
    (lambda: DryFriction(mu=-0.1), "mu = -0.1 must be positive"),
    (lambda: DryFriction(torque=1.0, stiction=0.9), "stiction = 0.9 is below 1"),
    (lambda: DryFriction(torque=1.0, radius=0.1), "radius belongs to mu"),
    (lambda: DryFriction(force=1.0, preload=2.0), "preload belongs to mu"),
    (lambda: pendulum("planar", DryFriction(force=1.0)), "turns; give torque"),
    (lambda: pendulum("planar", DryFriction(mu=0.1)), "give its radius"),
    (lambda: pendulum("planar", 0.3), "is not a joints.DryFriction"),
    (lambda: pendulum("planar", DryFriction(mu=0.1, radius=0.1, length=0.1)), "carries no moment; leave length out"),
    (lambda: slider("planar", DryFriction(torque=1.0)), "moves along its axis; give force"),
    (lambda: slider("planar", DryFriction(mu=0.1, radius=0.1)), "does not turn; leave radius out"),
    (lambda: joints.Cylindrical("c", "ground", "b", friction=DryFriction(torque=1.0)), "give mu and radius"),
    (lambda: dataclasses.replace(pendulum("planar", DryFriction(torque=1.0)), drivers=[
        rt.Driver("d", "pin", profiles.ConstantRate(1.0))]), "a prescribed motion cannot stick"),
])
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_a_file_holds_dry_friction_with_units():
    text = """format = 1
space = "planar"
[bodies.rod]
mass = "1 kg"
inertia = 0.1
[joints.pin]
type = "Revolute"
a = "ground"
b = "rod"
friction = {mu = 0.2, radius = "5 mm", preload = "0.1 kN"}
"""
    model = rt.parse_model(text).model
    assert model["pin"].friction == DryFriction(mu=0.2, radius=0.005, preload=100.0)
    assert rt.parse_model(rt.format_model(model)).model == model


@pytest.mark.parametrize("friction", [DryFriction(torque=0.05), DryFriction(mu=0.3, radius=0.02)])
def test_a_dry_mechanism_of_the_plane_moves_alike_in_space(friction):
    runs = []
    for space in SPACES:
        model = four_bar(space, 0.05)
        model = dataclasses.replace(model, joints=[dataclasses.replace(pin, friction=friction) for pin in model.joints])
        runs.append(rt.simulate(model, rt.assemble(model, rt.State(a={"angle": 0.6})), 2.0))
    plane, in_space = runs
    assert list(plane.events["kind"]) == list(in_space.events["kind"])
    assert plane.events["t"] == approx(in_space.events["t"], abs=1e-7)
    assert plane["c.friction"][-1] == approx(in_space["c.friction"][-1], rel=1e-6, abs=1e-9)
    assert plane["a.angle"][-1] == approx(in_space["a.angle"][-1], abs=1e-7)


def test_a_journal_with_clearance_hangs_lower_by_its_clearance():
    radius, clearance, mass = 0.01, 1e-3, 1.0
    pin = rt.contacts.bearing("pin", "ground", "rod", radius, clearance, rt.Newton(e=0.0, mu=0.0), (0.2, 0.1), (0.0, 0.5))
    model = rt.Model("planar", [body("planar", "rod", mass)], contacts=[pin], gravity=(0.0, -G))
    result = rt.simulate(model, rt.State(rod={"x": 0.2, "y": 0.1 - 0.5}), 0.5)     # journal and hole concentric
    assert result.events["t"][0] == approx(math.sqrt(2.0 * clearance / G), rel=1e-9)
    assert result["rod.y"][-1] == approx(0.1 - clearance - 0.5, abs=1e-12)
    assert result["pin.force"][-1] == approx(mass * G, rel=1e-9)


def test_backlash_is_crossed_freely_and_then_carries_the_second_shaft_along():
    play, spin = 0.02, 4.0
    model = rt.Model("planar", [body("planar", "one", 1.0, 0.5), body("planar", "two", 1.0, 0.2)],
                     joints=[turning("planar", "axle", "ground", "one"), turning("planar", "coupling", "one", "two")],
                     contacts=[rt.Stop("backlash", "coupling.angle", lower=-0.5 * play, upper=0.5 * play, e=0.0)])
    result = rt.simulate(model, rt.State(axle={"angle_rate": spin}, coupling={"angle_rate": -spin}), 1.0)
    assert result.events["t"][0] == approx(0.5 * play / spin, rel=1e-9)
    assert result["two.omega"][-1] == approx(0.5 * spin / 0.7, rel=1e-9)
