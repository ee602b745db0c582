"""The models of kim: force pulses against the momentum they carry, and the tank at rest on its springs."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import kim

SHARP = rt.Options(rtol=1e-12, atol=1e-14)


def velocity_of_g(result):
    return result["link2.vx"][-1]


def test_an_impulse_gives_the_exact_velocity_of_g():
    omega1, omega2 = kim.velocity_jump()
    assert (omega1, omega2) == pytest.approx((32 / 113, 18 / 113), abs=1e-15)
    start = rt.evaluate(kim.double_pendulum(), kim.hanging(omega1, omega2))
    assert velocity_of_g(start) == pytest.approx(41 / 113, abs=1e-15)


@pytest.mark.parametrize(("width", "lag"), kim.LAGS.items())
def test_a_rectangle_lags_behind_the_impulse_by_the_published_difference(width, lag):
    force = kim.strike("rectangle", width, t_end=kim.STRIKE + width, options=SHARP)
    struck = kim.hanging(*kim.velocity_jump())
    momentum = rt.simulate(kim.double_pendulum(), struck, t_end=width, options=SHARP)
    assert velocity_of_g(force) - velocity_of_g(momentum) == pytest.approx(lag, abs=5e-12)  # 9 digits printed


@pytest.mark.parametrize("shape", ["rectangle", "triangle", "cubic"])
def test_the_shape_of_a_short_pulse_hardly_matters(shape):
    """The claim of Fig. 2: the three curves lie on one another."""
    end = kim.STRIKE + 0.02
    v = velocity_of_g(kim.strike(shape, 0.02, t_end=end, options=SHARP))
    assert v == pytest.approx(41 / 113, rel=1e-3)  # the rectangle itself is 2.4e-4 below


@pytest.mark.parametrize("width", [1e-3, 1e-5, 1e-7])
def test_no_pulse_is_too_short_to_be_seen(width):
    """Fig. 4 shows an integrator that steps over pulses of 5 ms; edges are stops for ours."""
    result = kim.strike("rectangle", width, t_end=kim.STRIKE + width)
    assert velocity_of_g(result) == pytest.approx(41 / 113, abs=1e-5)  # the pendulum swings during the pulse


def test_the_tank_has_36_coordinates_and_2_degrees_of_freedom():
    model = kim.tank()
    assert 3 * len(model.bodies) == 36
    report = rt.degrees_of_freedom(model, kim.assembled())
    assert report.freedom == 2
    assert not report.redundant


def test_the_tank_settles_where_the_independent_solution_says():
    at_rest = rt.evaluate(kim.tank(), kim.settled())
    assert at_rest["arm1.theta"][0] == pytest.approx(1.94978094982, abs=1e-9)
    assert at_rest["hull.theta"][0] == pytest.approx(0.0146364838155, abs=1e-9)
    assert at_rest["hull.x"][0] == pytest.approx(-0.400353347892, abs=1e-9)
    assert at_rest["hull.y"][0] == pytest.approx(2.39969987012, abs=1e-9)


def test_the_settled_tank_stays_where_it_is():
    result = rt.simulate(kim.tank(), kim.settled(), t_end=5.0)
    for channel in ("hull.x", "hull.y", "hull.theta"):
        assert np.ptp(result[channel]) < 1e-8


def test_the_ground_carries_the_tanks_weight():
    at_rest = rt.evaluate(kim.tank(), kim.settled())
    lift = at_rest["wheel1.reaction"][0, 1] + sum(at_rest[f"slide{i}.reaction"][0, 1] for i in range(2, 7))
    weight = kim.GRAVITY * sum(body.mass for body in kim.tank().bodies)
    assert lift == pytest.approx(weight, rel=1e-9)


@pytest.mark.parametrize("impulse", [10.0, -3.0])
def test_an_impulse_makes_the_links_turn_and_the_pins_answer(impulse):
    result = kim.knock(impulse, t_end=2.6)
    after, hit = result.at(kim.STRIKE), result.impacts[0]
    assert (after["link1.omega"], after["link2.omega"]) == pytest.approx(kim.velocity_jump(impulse), rel=1e-13)
    # Newton for each link: its momentum is what the impact and the two pins gave it
    v1, v2 = after["link1.vx"], after["link2.vx"]
    assert hit["pinB.impulse"][0] == pytest.approx(kim.LINK_MASS * v2 - impulse, rel=1e-13)
    assert hit["pinA.impulse"][0] == pytest.approx(kim.LINK_MASS * (v1 + v2) - impulse, rel=1e-13)
    assert hit["pinA.impulse"][1] == hit["pinB.impulse"][1] == 0.0


def jump_in_36_coordinates(state, shot):
    """Jump of the 12 bodies' velocities and impulses on arms at their pins, by eq. 1 integrated: M Δq̇ + Φᵀλ = P, Φ Δq̇ = 0."""
    model = kim.tank()
    place = {body.name: 3 * i for i, body in enumerate(model.bodies)}
    rows, owner = [], []
    for joint in model.joints:
        block = np.zeros((3, 36))  # velocity of b's point minus a's, and of their angles
        for body, point, sign in ((joint.a, joint.point_a, -1.0), (joint.b, joint.point_b, 1.0)):
            if body != "ground":
                c, s = np.cos(state[f"{body}.theta"]), np.sin(state[f"{body}.theta"])
                x, y = point or (0.0, 0.0)
                i = place[body]
                block[:, i:i + 3] = sign * np.array([[1, 0, -s * x - c * y], [0, 1, c * x - s * y], [0, 0, 1]])
        rows.append(block[1:] if joint.name.startswith("slide") else block[:2])  # a carrier keeps its height and its angle
        owner += [joint.name] * 2
    phi = np.vstack(rows)
    mass = np.diag([m for body in model.bodies for m in (body.mass, body.mass, body.inertia)])
    pushed = np.zeros(36 + len(phi))
    pushed[:2] = shot
    solved = np.linalg.solve(np.block([[mass, phi.T], [phi, np.zeros((len(phi),) * 2)]]), pushed)
    reaction = -solved[36:]
    return solved[:3], np.array([np.hypot(*reaction[np.array(owner) == f"pin{i}"]) for i in range(1, 7)])


def test_the_shot_moves_hull_and_pins_as_the_full_set_of_36_coordinates_says():
    fired = kim.fire(t_end=38.3)
    before, after = fired.at(kim.FIRE, side="left"), fired.at(kim.FIRE)
    jump, pins = jump_in_36_coordinates(before, kim.SHOT)
    got = [after[f"hull.{c}"] - before[f"hull.{c}"] for c in ("vx", "vy", "omega")]
    np.testing.assert_allclose(got, jump, rtol=1e-11)  # conditioning of the 70 equations
    np.testing.assert_allclose(kim.pin_impulses(fired), pins, rtol=1e-10)


def test_a_shorter_force_on_the_hull_comes_closer_to_the_impulse():
    """First order in the width: a tenth of it leaves a tenth of the difference."""
    end = 38.5
    height = [kim.fire(width=w, t_end=end, options=SHARP)["hull.y"][-1] for w in (0.0, 0.01, 0.001)]
    assert (height[1] - height[0]) / (height[2] - height[0]) == pytest.approx(10.0, rel=0.02)


def test_every_claim_holds():
    for claim in kim.claims():
        assert claim.holds, claim


@pytest.mark.parametrize("impulse", [10, np.int64(10), np.float32(10.0), (10.0, 0.0), [10.0, 0.0]])
def test_a_knock_is_given_by_any_number_or_vector(impulse):
    jump = kim.knock(impulse, t_end=kim.STRIKE + 0.01).at(kim.STRIKE)
    assert (jump["link1.omega"], jump["link2.omega"]) == pytest.approx(kim.velocity_jump(10.0), rel=1e-9)
