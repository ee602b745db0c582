"""Compliant contacts in motion: durations, peak forces, restitution, energy, against closed forms and other integrators."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import gamma

import routh as rt
from compliant_scenes import PLANAR, SHARP, SPATIAL, ball_on_floor, closes_to, throw
from routh import compliant, friction, shapes
from routh.errors import ModelError

approx = pytest.approx
K = 1e8
LAWS = [
    compliant.Linear(1e6, 300.0), compliant.Linear(1e6, 5000.0), compliant.Hertz(K), compliant.Hertz(1e10, power=2.0),
    compliant.HuntCrossley(K, chi=0.4), compliant.LankaraniNikravesh(K, 0.7), compliant.Flores(K, 0.3),
    compliant.KhuliefShabana(1e6, 0.5, mass=1.0),
]


def name(law):
    return f"{type(law).__name__}-{getattr(law, 'c', getattr(law, 'power', 0)):g}"


@pytest.mark.parametrize("space", [PLANAR, SPATIAL])
def test_an_elastic_sphere_has_the_duration_and_peak_force_of_hertz(space):
    m, v, R = 0.26, 1.7, 0.02
    k = compliant.hertz_stiffness((R, math.inf), (2.1e11, 7e10), (0.3, 0.33))
    deepest = (5 * m * v * v / (4 * k)) ** 0.4  # m v² / 2 = 2/5 k d^(5/2)
    # 2 ∫ dx / √(1 - x^(5/2)) from 0 to 1 = 4/5 B(2/5, 1/2)
    lasts = 0.8 * gamma(0.4) * gamma(0.5) / gamma(0.9) * deepest / v
    height = 1e-4
    result = throw(rt.Compliant(compliant.Hertz(k)), v, space=space, mass=m, radius=R, height=height,
                   t_end=2 * height / v + lasts, options=rt.Options(rtol=1e-11, atol=1e-14, output=[height / v + 0.5 * lasts]))
    touch = result.touches[0]
    assert touch.t_touch == approx(height / v, rel=1e-12)
    assert touch.duration == approx(lasts, rel=1e-9)
    assert lasts == approx(2.943275 * deepest / v, rel=1e-6)
    middle = np.argmin(np.abs(result.t - height / v - 0.5 * lasts))
    assert result["floor.force"][middle] == approx(k * deepest**1.5, rel=1e-8)
    assert result["floor.depth"][middle] == approx(deepest, rel=1e-8)
    assert result["floor.stored"][middle] == approx(0.5 * m * v * v, rel=1e-8)


@pytest.mark.parametrize("speed", [0.03, 1.0, 8.0])
@pytest.mark.parametrize("law", LAWS, ids=name)
def test_the_restitution_obtained_is_that_of_the_law_and_the_account_closes(law, speed):
    result = throw(rt.Compliant(law), speed, height=1e-3, t_end=2e-3 / speed + 0.02)
    touch = result.touches[0]
    e = law.restitution(speed, mass=1.0)
    assert touch.v_before == approx(speed, rel=1e-11)
    assert touch.e == approx(e, rel=1e-7, abs=1e-9)
    assert result.energy.hysteresis[-1] == approx(-0.5 * speed**2 * (1 - e * e), rel=1e-7, abs=1e-9 * speed**2)
    assert result.energy.by_contact["floor"]["hysteresis"] == approx(result.energy.hysteresis[-1], rel=1e-12)
    assert closes_to(result, 1e-8)
    assert list(result.events.kind) == ["touch", "release"]


def test_a_spring_and_damper_jump_at_the_touch_and_part_before_the_overlap_ends():
    k, c, m, v = 1e6, 300.0, 1.0, 2.0
    result = throw(rt.Compliant(compliant.Linear(k, c)), v)
    touch = result.touches[0]
    at = np.flatnonzero(result.t == touch.t_touch)
    assert result["floor.force"][at[-1]] == approx(c * v, rel=1e-9)
    w0 = math.sqrt(k / m)
    a = math.acos(c / (2 * math.sqrt(k * m)))
    assert touch.duration == approx(2 * a / (w0 * math.sin(a)), rel=1e-9)  # where the acceleration vanishes
    end = np.flatnonzero(result.t == touch.t_release)[-1]
    assert result["floor.depth"][end] == approx(c / k * touch.v_after, rel=1e-7)  # k d = -c d'
    assert result["floor.force"][end] == approx(0.0, abs=1e-9 * c * v)
    assert set(result["floor.mode"]) == {0.0, 3.0, 4.0}


@pytest.mark.parametrize("law", [compliant.LankaraniNikravesh(K, 0.4), compliant.Flores(K, 0.4)], ids=name)
def test_impacts_under_gravity_are_those_of_another_integrator(law):
    g, height = 9.81, 0.02
    times = np.linspace(1e-3, 0.3, 300)
    options = rt.Options(rtol=1e-11, atol=1e-14, output=times)
    result = throw(rt.Compliant(law), 0.0, height=height, gravity=g, t_end=0.3, options=options)

    def pull(t, y, chi):
        d = max(-y[0], 0.0)
        return [y[1], K * d**1.5 * max(1.0 - chi * y[1], 0.0) - g]

    def crossing(t, y, chi):
        return y[0]

    crossing.terminal = True
    t, y, chi, found, speeds = 0.0, [height, 0.0], 0.0, [], []
    while t < 0.3:
        crossing.direction = 1 if y[0] < 0.0 else -1
        leg = solve_ivp(pull, (t, 0.3), y, args=(chi,), events=crossing, rtol=1e-12, atol=1e-15, dense_output=True,
                        method="DOP853")
        found += [(x, *leg.sol(x)) for x in times if t < x <= leg.t[-1]]
        t, y = leg.t[-1], leg.y[:, -1]
        if t < 0.3:
            speeds.append(y[1])
            chi = law.factor / max(-y[1], law.slow) if y[1] < 0.0 else 0.0
            y = [math.copysign(1e-18, y[1]), y[1]]
    mine = np.isin(result.t, times)
    _, first = np.unique(result.t[mine], return_index=True)
    assert result["floor.gap"][mine][first] == approx(np.array(found)[:, 1], abs=1e-9)
    count = len(speeds) // 2
    assert count >= 2
    assert result.touches.v_before[:count] == approx(-np.array(speeds[::2])[:count], rel=1e-6)
    assert result.touches.v_after[:count] == approx(np.array(speeds[1::2])[:count], rel=1e-6)


def test_tighter_tolerance_gives_what_it_promises():
    law, tolerances = rt.Compliant(compliant.Hertz(K)), (1e-6, 1e-8, 1e-10, 1e-12)
    off = [abs(throw(law, 1.0, options=rt.Options(rtol=r, atol=1e-2 * r)).touches.e[0] - 1.0) for r in tolerances]
    assert np.all(np.array(off) < 100 * np.array(tolerances))


def test_a_ball_comes_to_rest_at_its_static_depth():
    result = throw(rt.Compliant(compliant.Flores(1e7, 0.2)), 0.5, mass=2.0, gravity=9.81, t_end=1.0)
    assert result["floor.depth"][-1] == approx((2.0 * 9.81 / 1e7) ** (2 / 3), rel=1e-6)
    assert result["floor.force"][-1] == approx(2.0 * 9.81, rel=1e-6)
    assert np.isnan(result.touches[-1].t_release)
    assert closes_to(result, 1e-8)


def two_free(space, law):
    if space == PLANAR:
        bodies = [rt.Body("one", 0.4, 2e-4), rt.Body("two", 0.7, 5e-4)]
        pair = [shapes.Disk("one", 0.03, point=(0.005, 0.0)), shapes.Ellipse("two", (0.05, 0.03))]
        start = rt.State(one={"x": -0.2, "vx": 2.0, "y": 0.02, "omega": 9.0}, two={"theta": 0.4, "omega": -3.0})
    else:
        bodies = [rt.Body("one", 0.4, (2e-4, 3e-4, 1e-4)), rt.Body("two", 0.7, (5e-4, 4e-4, 6e-4))]
        pair = [shapes.Sphere("one", 0.03, point=(0.005, 0.0, 0.0)), shapes.Ellipsoid("two", (0.05, 0.03, 0.04))]
        start = rt.State(one={"x": -0.2, "vx": 2.0, "y": 0.02, "z": 0.01, "omega": (9.0, 1.0, 2.0)},
                         two={"omega": (1.0, -3.0, 2.0)})
    return rt.Model(space, bodies, contacts=[rt.Contact("hit", *pair, law=law)]), start


@pytest.mark.parametrize("rubbing", [friction.Regularised(0.4, 1e-2), friction.LuGre(0.4, 1e4, 1.0, 0.1),
                                     friction.Stiction(0.4, 1e4, 1.0)], ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("space", [PLANAR, SPATIAL])
def test_two_free_bodies_keep_momentum_and_moment_of_momentum(space, rubbing):
    model, start = two_free(space, rt.Compliant(compliant.HuntCrossley(1e8, chi=0.3), rubbing))
    result = rt.simulate(model, start, t_end=0.2, options=SHARP)
    assert len(result.touches) == 1
    d = 2 if space == PLANAR else 3
    axes = "xyz"[:d]
    momentum, spin = 0.0, 0.0
    for body in model.bodies:
        p = np.stack([result[f"{body.name}.{a}"] for a in axes], axis=1)
        v = np.stack([result[f"{body.name}.v{a}"] for a in axes], axis=1)
        momentum = momentum + body.mass * v
        if d == 2:
            spin = spin + body.mass * (p[:, 0] * v[:, 1] - p[:, 1] * v[:, 0]) + body.inertia * result[f"{body.name}.omega"]
        else:
            w = np.stack([result[f"{body.name}.w{a}"] for a in axes], axis=1)
            q = np.stack([result[f"{body.name}.q{a}"] for a in "wxyz"], axis=1)
            spin = spin + body.mass * np.cross(p, v) + np.array(
                [turn(x) @ (np.array(body.inertia) * (turn(x).T @ y)) for x, y in zip(q, w, strict=True)])
    assert np.abs(momentum - momentum[0]).max() < 1e-10
    assert np.abs(spin - spin[0]).max() < 1e-10  # one point for both bodies: no couple is left over
    assert closes_to(result, 1e-8)
    assert result.energy.friction[-1] < 0.0
    assert result.energy.hysteresis[-1] < 0.0


def turn(q):
    """Rotation matrix of a unit quaternion (w, x, y, z)."""
    w, v = q[0], q[1:]
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def test_rigid_and_compliant_contacts_share_a_model():
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    low, high = shapes.Disk("low", 0.05), shapes.Disk("high", 0.05)
    model = rt.Model("planar", [rt.Body("low", 1.0, 1e-3), rt.Body("high", 0.5, 5e-4)], gravity=(0.0, -9.81), contacts=[
        rt.Contact("rigid", floor, low, law=rt.Newton(e=0.5, mu=0.3)),
        rt.Contact("soft", low, high, law=rt.Compliant(compliant.HuntCrossley(1e7, 0.5), friction.Regularised(0.3, 1e-2)))])
    result = rt.simulate(model, rt.State(low={"y": 0.1, "vx": 0.3}, high={"y": 0.25, "vx": 0.3}), t_end=0.4, options=SHARP)
    assert len(result.impacts) > 3
    assert len(result.touches) > 1
    assert result["rigid.gap"].min() > -1e-9
    assert result["soft.depth"].max() > 1e-4
    assert closes_to(result, 1e-8)
    # a blow on the low ball jumps its speed while the compliant contact above it is pressed, and that contact feels it
    pressed = result.at(float(result.touches[0].t_touch), side="right")
    assert pressed["soft.mode"] == 3.0


def test_a_box_lands_on_both_corners_at_once_and_each_carries_half():
    box = shapes.Polygon("box", ((-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)))
    model = rt.Model("planar", [rt.Body("box", 3.0, 0.05)], gravity=(0.0, -9.81), contacts=[
        rt.Contact("floor", shapes.HalfSpace("ground", normal=(0.0, 1.0)), box,
                   law=rt.Compliant(compliant.Linear(1e6, 3e3), friction.Regularised(0.5, 1e-2)))])
    result = rt.simulate(model, rt.State(box={"y": 0.15}), t_end=1.0, options=SHARP)
    assert result.touches.t_touch[0] == result.touches.t_touch[1] == approx(math.sqrt(2 * 0.05 / 9.81), rel=1e-9)
    assert result["floor.force"][-1] == approx(3.0 * 9.81, rel=1e-9)
    assert result["floor.depth"][-1] == approx(0.5 * 3.0 * 9.81 / 1e6, rel=1e-7)
    assert np.abs(result["box.theta"]).max() < 1e-9


def test_a_start_may_overlap_and_its_touch_has_no_speed():
    model = ball_on_floor(rt.Compliant(compliant.Hertz(K)))
    result = rt.simulate(model, rt.State(ball={"y": 0.05 - 1e-4}), t_end=0.01, options=SHARP)
    touch = result.touches[0]
    assert np.isnan(touch.v_before)
    assert np.isnan(touch.e)
    assert touch.v_after == approx(math.sqrt(2 * 0.4 * K * 1e-4**2.5), rel=1e-8)  # all that was stored
    assert rt.evaluate(model, rt.State(ball={"y": 0.05 - 1e-4}))["floor.force"][0] == approx(K * 1e-4**1.5, rel=1e-9)


def test_a_run_in_pieces_is_the_run_in_one():
    law = rt.Compliant(compliant.Flores(1e6, 0.5), friction.LuGre(0.3, 1e3, 1.0))
    model, start = ball_on_floor(law, gravity=9.81), rt.State(ball={"y": 0.08, "vx": 0.5})
    whole = rt.simulate(model, start, t_end=0.2, options=SHARP)
    simulator = rt.Simulator(model, start, options=SHARP)
    for _ in range(40):
        simulator.advance(0.005)
    for channel in ("ball.x", "ball.y", "ball.vx", "ball.omega", "floor.force"):
        assert simulator[channel] == approx(whole[channel][-1], rel=1e-7, abs=1e-9)


def test_the_implicit_method_takes_compliant_contacts_as_forces():
    law = rt.Compliant(compliant.HuntCrossley(1e7, chi=0.5), friction.LuGre(0.3, 1e3, 1.0))
    model, start = ball_on_floor(law, gravity=9.81), rt.State(ball={"y": 0.0500, "vx": 0.5})
    explicit = rt.simulate(model, start, t_end=0.1, options=SHARP)
    implicit = rt.simulate(model, start, t_end=0.1, options=rt.Options(method="implicit", rtol=1e-9, atol=1e-11))
    for channel in ("ball.x", "ball.vx", "ball.omega"):
        assert implicit[channel][-1] == approx(explicit[channel][-1], abs=1e-7)
    assert len(implicit.touches) == 0  # it does not stop there
    with pytest.raises(ModelError, match="takes its damping from the speed of each impact"):
        rt.simulate(ball_on_floor(rt.Compliant(compliant.Flores(K, 0.5))), start, options=rt.Options(method="implicit"))


def test_a_ledger_of_touches_is_saved_and_printed(tmp_path):
    result = throw(rt.Compliant(compliant.Flores(K, 0.5)), 1.0)
    loaded = rt.load(result.save(tmp_path / "hit.nc"))
    assert loaded.touches.e == approx(result.touches.e)
    assert loaded.energy.hysteresis[-1] == result.energy.hysteresis[-1]
    assert repr(result.touches).splitlines()[0].split() == (
        "contact t_touch [s] t_release [s] duration [s] v_before [m/s] v_after [m/s] e".split())


def test_a_compliant_floor_carries_a_body_in_equilibrium():
    state = rt.equilibrium(ball_on_floor(rt.Compliant(compliant.Linear(1e5)), gravity=9.81), rt.State(ball={"y": 0.0499}))
    assert state["ball"]["y"] == approx(0.05 - 9.81 / 1e5, rel=1e-9)
