"""Impacts with a compliant tangent: closed forms, an independent integration, and laws that hold for all of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import routh as rt
from routh.errors import ModelError
from routh.model.laws import stiffness_ratio
from routh.sim.impact import Kind

ROUND_OFF = 1e-12     # of phases that are propagated some hundred times


def hit(A, v, e, mu, k):
    return rt.resolve_impact(A, v, rt.Stronge(e=e, mu=mu, tangential_stiffness=k))


def integrated(A, v, e, mu, k, stiffness=3.7e5):
    """(impulse, velocity) by DOP853 on springs of real stiffness, phase by phase, with events found by SciPy."""
    A = np.array(A, float)
    fn, ft, vn, vt, pn, pt = 0.0, 0.0, v[0], v[1], 0.0, 0.0
    kn, kt = stiffness, k * stiffness
    compressing, way = True, (math.copysign(1.0, v[1]) if k * abs(v[1]) > -mu * v[0] else 0.0)
    t, period = 0.0, 1.0 / math.sqrt(stiffness * A[0, 0])
    for _ in range(60):
        def rates(_t, y, way=way, kn=kn):
            fn, ft, vn, vt, _, _ = y
            ft = -mu * way * fn if way else ft
            return [-kn * vn, -mu * way * -kn * vn if way else -kt * vt, A[0, 0] * fn + A[0, 1] * ft,
                    A[0, 1] * fn + A[1, 1] * ft, fn, ft]

        def turns(_t, y):
            return y[2]

        def parts(_t, y):
            return y[0]

        def slides(_t, y):
            return mu * y[0] - abs(y[1])

        def stops(_t, y, way=way, kn=kn):
            return way * y[3] + mu * kn * y[2] / kt

        events = [turns if compressing else parts, stops if way else slides]
        events[0].terminal, events[1].terminal = True, True
        events[0].direction, events[1].direction = (1.0 if compressing else -1.0), -1.0
        run = solve_ivp(rates, (t, t + 100.0 * period), [fn, ft, vn, vt, pn, pt], method="DOP853", events=events, rtol=1e-12,
                        atol=1e-14, max_step=0.1 * period)
        t = run.t[-1]
        fn, ft, vn, vt, pn, pt = run.y[:, -1]
        if run.t_events[0].size:
            if not compressing or e == 0.0:
                return np.array([pn, pt]), np.array([vn, vt])
            compressing, kn = False, stiffness / e**2
        elif way:
            ft, way = -mu * way * fn, 0.0
            ft *= 1.0 - 1e-13  # inside the cone, so that the event of sliding is not met at once
        else:
            way = -math.copysign(1.0, ft)
    raise AssertionError("the phases do not end")


def test_a_superball_reverses_its_slip():
    """Equal frequencies along normal and tangent, no loss, no slip: both velocities are reversed."""
    A = np.diag([2.0, 5.0])
    after = hit(A, (-1.5, 0.7), e=1.0, mu=0.4, k=0.4)  # the force ratio is k v_t / v_n = 0.19
    assert after.velocity == pytest.approx([1.5, -0.7], abs=ROUND_OFF)
    assert after.kind == Kind.STICK_FROM_START
    assert after.energy_lost == pytest.approx(0.0, abs=ROUND_OFF)


def test_gross_sliding_is_that_of_a_rigid_tangent():
    A, v = np.diag([2.0, 5.0]), (-1.0, 9.0)
    rigid, springy = rt.resolve_impact(A, v, rt.Stronge(e=0.6, mu=0.2)), hit(A, v, e=0.6, mu=0.2, k=0.8)
    assert springy.impulse == pytest.approx(rigid.impulse, rel=ROUND_OFF)
    assert springy.kind == Kind.SLIDING
    assert springy.work_normal == pytest.approx(rigid.work_normal, rel=ROUND_OFF)


def test_without_friction_nothing_happens_along_the_tangent():
    after = hit([[2.0, 0.3], [0.3, 5.0]], (-1.0, 0.5), e=0.7, mu=0.0, k=0.8)
    assert after.impulse == pytest.approx([1.7 / 2.0, 0.0], rel=ROUND_OFF)


def test_the_normal_spring_returns_e_squared_of_its_work():
    after = hit([[2.0, 0.9], [0.9, 5.0]], (-1.0, 0.5), e=0.7, mu=0.3, k=0.8)
    compression = after.work_normal / (1.0 - 0.7**2)
    assert compression < 0.0
    plastic = hit([[2.0, 0.9], [0.9, 5.0]], (-1.0, 0.5), e=0.0, mu=0.3, k=0.8)
    assert plastic.work_normal == pytest.approx(compression, rel=1e-11)
    assert plastic.velocity[0] == 0.0


@pytest.mark.parametrize("seed", range(24))
def test_phases_agree_with_an_independent_integration(seed):
    rng = np.random.default_rng(seed)
    L = rng.normal(size=(2, 2))
    A, v = L @ L.T + 0.2 * np.eye(2), (-rng.uniform(0.3, 2.0), rng.normal() * 1.5)
    e, mu, k = rng.choice([0.0, 0.4, 0.8, 1.0]), rng.choice([0.1, 0.4, 1.0, 3.0]), rng.uniform(0.2, 3.0)
    p, after = integrated(A, v, e, mu, k)
    found = hit(A, v, e, mu, k)
    assert found.velocity == pytest.approx(after, abs=2e-9)  # of the tolerances of the integration
    assert found.impulse == pytest.approx(p, abs=2e-9)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from([0.0, 0.3, 0.9, 1.0]), st.sampled_from([0.0, 0.05, 0.5, 2.0]),
       st.floats(0.05, 20.0))
def test_momentum_balances_the_cone_holds_and_energy_never_grows(seed, e, mu, k):
    rng = np.random.default_rng(seed)
    L = rng.normal(size=(2, 2))
    A = L @ L.T + 0.05 * np.eye(2)
    v = np.array([-(10.0 ** rng.uniform(-3.0, 1.0)), rng.normal() * 10.0 ** rng.uniform(-3.0, 1.0)])
    found = hit(A, v, e, mu, k)
    energy = 0.5 * v @ np.linalg.solve(A, v)
    assert found.kind not in (Kind.STALLED, Kind.NO_SOLUTION)
    assert found.velocity == pytest.approx(v + A @ found.impulse, abs=1e-11 * math.sqrt(energy * np.trace(A)))
    assert abs(found.impulse[1]) <= mu * found.impulse[0] * (1.0 + 1e-11)
    assert found.energy_lost >= -1e-11 * energy
    assert found.velocity[0] >= -1e-11 * abs(v).max()


def test_a_stiff_tangent_approaches_the_rigid_one():
    A, v = [[2.0, 0.4], [0.4, 5.0]], (-1.0, 0.6)
    rigid = rt.resolve_impact(A, v, rt.Stronge(e=0.6, mu=0.5))
    errors = [np.abs(hit(A, v, 0.6, 0.5, k).impulse - rigid.impulse).max() for k in (1e2, 1e4, 1e6)]
    assert errors[2] < 0.02 * errors[0]
    assert errors[2] < 1e-3


def test_units_of_mass_and_speed_drop_out():
    A, v = np.array([[2.0, 0.4], [0.4, 5.0]]), np.array([-1.0, 0.6])
    one = hit(A, v, 0.6, 0.5, 0.8)
    for mass, speed in ((1e-9, 1e6), (1e12, 1e-6)):
        other = hit(A / mass, v * speed, 0.6, 0.5, 0.8)
        assert other.impulse / (mass * speed) == pytest.approx(one.impulse, rel=ROUND_OFF)


def test_in_space_an_impact_that_stays_in_its_plane_is_that_of_the_plane():
    turn = 0.8
    c, s = math.cos(turn), math.sin(turn)
    planar = hit([[2.0, 0.4], [0.4, 5.0]], (-1.0, 0.6), 0.6, 0.5, 0.8)
    R = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    A = R @ np.array([[2.0, 0.4, 0.0], [0.4, 5.0, 0.0], [0.0, 0.0, 7.0]]) @ R.T
    found = hit(A, R @ np.array([-1.0, 0.6, 0.0]), 0.6, 0.5, 0.8)
    assert found.impulse == pytest.approx(R @ np.array([*planar.impulse, 0.0]), abs=ROUND_OFF)


def test_in_space_the_march_meets_the_plane_next_to_it():
    """A coupling of 1e-8 across the plane of the slip is marched, and changes nothing else."""
    for mu, k, vt in ((0.5, 0.8, 0.6), (0.1, 0.5, 1.2), (1.5, 2.0, 0.4)):
        planar = hit([[2.0, 0.4], [0.4, 5.0]], (-1.0, vt), 0.6, mu, k)
        A = np.array([[2.0, 0.4, 1e-8], [0.4, 5.0, 0.0], [1e-8, 0.0, 7.0]])
        found = hit(A, (-1.0, vt, 0.0), 0.6, mu, k)
        assert found.impulse[:2] == pytest.approx(planar.impulse, abs=2e-6)
        assert found.velocity == pytest.approx(np.array([-1.0, vt, 0.0]) + A @ found.impulse, abs=ROUND_OFF)


def test_in_space_the_result_turns_with_the_tangents():
    rng = np.random.default_rng(5)
    L = rng.normal(size=(3, 3))
    A, v = L @ L.T + 0.3 * np.eye(3), np.array([-1.0, 0.8, -0.4])
    c, s = math.cos(1.1), math.sin(1.1)
    R = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    one, turned = hit(A, v, 0.7, 0.4, 0.9), hit(R @ A @ R.T, R @ v, 0.7, 0.4, 0.9)
    assert turned.impulse == pytest.approx(R @ one.impulse, abs=1e-11)
    assert one.energy_lost > 0.0
    assert math.hypot(*one.impulse[1:]) <= 0.4 * one.impulse[0]


def test_batches_give_the_same_numbers():
    A, rng = np.array([[2.0, 0.4], [0.4, 5.0]]), np.random.default_rng(1)
    v = np.column_stack([-rng.uniform(0.1, 1.0, 50), rng.normal(size=50)])
    many = rt.resolve_impacts(A, v, 0.6, 0.5, "stronge", tangential_stiffness=0.8)
    for i in range(0, 50, 7):
        assert many.impulse[i].tolist() == hit(A, v[i], 0.6, 0.5, 0.8).impulse.tolist()


def test_a_tangential_impact_is_that_of_a_rigid_tangent():
    A, v = np.array([[1.0, 2.0], [2.0, 5.0]]), (0.0, 1.0)
    law = {"e": 0.5, "mu": 0.7}
    assert hit(A, v, k=0.8, **law).impulse.tolist() == rt.resolve_impact(A, v, rt.Stronge(**law)).impulse.tolist()


def test_a_ball_that_bounces_without_loss_reverses_its_spin_at_every_impact():
    radius, mass = 0.03, 0.1
    inertia = 0.4 * mass * radius**2
    ratio = 1.0 / (1.0 + mass * radius**2 / inertia)  # equal frequencies along normal and tangent
    ball, floor = rt.shapes.Disk("ball", radius=radius), rt.shapes.HalfSpace("ground", normal=(0.0, 1.0))
    law = rt.Stronge(e=1.0, mu=2.0, tangential_stiffness=ratio)
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass, inertia)],
                     contacts=[rt.Contact("bounce", ball, floor, law=law)])
    run = rt.simulate(model, rt.State(ball={"y": 0.2, "omega": 20.0}), 2.0, options=rt.Options(rtol=1e-11, atol=1e-13))
    assert run.status == "finished"
    assert len(run.impacts) >= 5
    slips = run.impacts["v_before"][:, 1]
    assert run.impacts["v_after"][:, 1] == pytest.approx(-slips, abs=1e-10)
    assert np.abs(run.impacts["energy_lost"]).max() < 1e-12
    assert run.impacts[2].replay().impulse == pytest.approx(run.impacts["impulse"][2], rel=1e-9)


def test_the_ratio_of_equal_solids_is_mindlins():
    assert stiffness_ratio((7e10, 7e10), (0.3, 0.3)) == pytest.approx(2.0 * 0.7 / 1.7)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: rt.Stronge(0.5, 0.1, tangential_stiffness=0.0), "positive"),
    (lambda: rt.Stronge(0.5, 0.1, tangential_stiffness=math.nan), "positive"),
    (lambda: rt.Stronge(0.5, 0.1, 0.2, tangential_stiffness=1.0), "one coefficient"),
    (lambda: rt.resolve_impacts(np.eye(2), [[-1.0, 0.0]], 0.5, 0.1, "newton", tangential_stiffness=1.0), "belongs to"),
    (lambda: rt.resolve_impacts(np.eye(2), [[-1.0, 0.0]], 0.5, 0.1, "stronge", tangential_stiffness=-1.0), "must be positive"),
    (lambda: rt.resolve_impacts(np.eye(2), [[-1.0, 0.0]], 0.5, 0.1, "stronge-compliant"), "give tangential_stiffness"),
    (lambda: rt.resolve_impact(np.eye(2), [-1.0, 0.0], rt.Stronge(0.5, 0.1, tangential_stiffness=1.0)).path, "not recorded"),
    (lambda: stiffness_ratio((0.0, 1.0), (0.3, 0.3)), "Young"),
    (lambda: stiffness_ratio((1.0, 1.0), (0.3, 0.6)), "Poisson"),
])
def test_numbers_that_make_no_sense_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_time_steps_refuse_a_compliant_tangent():
    ball, floor = rt.shapes.Disk("ball", radius=0.1), rt.shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(space="planar", bodies=[rt.Body("ball", 1.0, 1.0)],
                     contacts=[rt.Contact("bounce", ball, floor, law=rt.Stronge(0.5, 0.1, tangential_stiffness=1.0))])
    with pytest.raises(ModelError, match="does not follow"):
        rt.simulate(model, rt.State(ball={"y": 1.0}), 0.1, options=rt.Options(engine="stepping"))
