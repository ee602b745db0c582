"""Park's three examples against closed forms, and against the paper's own equations in all coordinates of all bodies."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from routh.gallery import park

NOT_REPRODUCED = {"Fig 6: the pendulums meet at, s", "Fig 9: the ball meets the bat at, s"}


def impact(mass, phi, d_n, d_t, u, e=park.E, mu=park.MU, mu_s=park.MU_S):
    """(u after, p_N, p_T) by eqs. 25, 31, 34, 36 and 32: rows d_n, d_t of the relative velocity, t along the slip."""
    n, k = len(u), len(phi)

    def solve(by_normal, rows, right):
        """Unknowns Δu, λ, impulses: M Δu + Φᵀλ = by_normal p, Φ Δu = 0, and `rows` Δu = `right`."""
        rows, by_normal = np.atleast_2d(rows), np.atleast_2d(by_normal)
        side = np.zeros((k + len(rows), k + len(rows)))
        matrix = np.block([[mass, np.vstack([phi, -by_normal]).T], [np.vstack([phi, rows]), side]])
        solved = np.linalg.solve(matrix, np.concatenate([np.zeros(n + k), np.atleast_1d(right)]))
        return u + solved[:n], solved[n + k:]

    rebound = -(1.0 + e) * d_n @ u
    after, (p_n, p_t) = solve([d_n, -d_t], [d_n, d_t], [rebound, -d_t @ u])
    if abs(p_t) <= mu_s * p_n:
        return after, p_n, p_t
    after, (p_n,) = solve(d_n - mu * d_t, d_n, rebound)
    return after, p_n, mu * p_n


def test_every_claim_holds_or_says_why_not():
    for claim in park.claims():
        assert claim.holds == (claim.claim not in NOT_REPRODUCED), claim
        assert not claim.fails


@pytest.mark.parametrize(("spin", "e", "mu"), [(1.0, 0.8, 0.3), (-40.0, 0.5, 0.3), (100.0, 0.8, 0.3), (30.0, 0.6, 0.05)])
def test_a_dropped_ball_sticks_or_slides_as_its_closed_form_says(spin, e, mu):
    result = park.drop(spin, t_end=2.0, options=park.SHARP, rule=park.law(e, mu))
    hit = result.impacts[0]
    after = result.at(hit.t)
    p_n = (1.0 + e) * math.sqrt(2.0 * 9.81 * 9.8)
    needed = 0.2 * spin / (1.0 + 0.2**2 / 0.4)  # to stop the slip
    p_t = needed if abs(needed) <= mu * 0.35 / 0.3 * p_n else math.copysign(mu * p_n, spin)
    assert hit.t == pytest.approx(math.sqrt(2.0 * 9.8 / 9.81), abs=1e-12)
    assert hit.p_n == pytest.approx(p_n, rel=1e-12)
    assert after["ball.vx"] == pytest.approx(-p_t, rel=1e-12)
    assert after["ball.omega"] == pytest.approx(spin - 0.2 * p_t / 0.4, rel=1e-12)


def test_bounces_end_where_their_geometric_series_does():
    result = park.drop(t_end=14.0, options=park.SHARP)
    rest = result.events[result.events["kind"] == "rest"]["t"][0]
    assert rest == pytest.approx(9.0 * math.sqrt(2.0 * 9.8 / 9.81), abs=1e-9)  # t1 (1 + e) / (1 - e)
    assert result["bounce.gap"][-1] == pytest.approx(0.0, abs=1e-12)
    assert result["ball.vx"][-1] == pytest.approx(-2.0 / 11.0, rel=1e-9)  # it rolls on


def two_pendulums_meet(axes, angle):
    """Instant, (theta1, omega1), point and normal of the contact; body 2 hangs still."""

    def fall(t, y):
        return [y[1], -9.81 * 0.5 * math.sin(y[0]) / (0.3 + 0.25)]

    def nearest(theta):
        """(gap, parameter of the ellipse) from the disk at angle theta."""
        x, y = 0.5 * math.cos(theta) - 0.5, 0.5 * math.sin(theta) - 0.3

        def distance(p):
            return math.hypot(axes[0] * math.cos(p) - x, axes[1] * math.sin(p) - y)

        grid = np.linspace(-math.pi, math.pi, 73)
        p = min(grid, key=distance)

        def slope(p):
            return ((axes[0] * math.cos(p) - x) * -axes[0] * math.sin(p) + (axes[1] * math.sin(p) - y) * axes[1] * math.cos(p))

        p = brentq(slope, p - 0.1, p + 0.1, xtol=1e-15)
        return distance(p) - 0.1, p

    motion = solve_ivp(fall, (0.0, 0.9), [angle, 0.0], method="DOP853", rtol=1e-13, atol=1e-14, dense_output=True)
    coarse = np.linspace(0.3, 0.9, 121)
    first = next(i for i, t in enumerate(coarse) if nearest(motion.sol(t)[0])[0] < 0.0)
    t = brentq(lambda t: nearest(motion.sol(t)[0])[0], coarse[first - 1], coarse[first], xtol=1e-15)
    theta, omega = motion.sol(t)
    p = nearest(theta)[1]
    point = np.array([0.5 + axes[0] * math.cos(p), 0.3 + axes[1] * math.sin(p)])
    normal = (point - 0.5 * np.array([math.cos(theta), math.sin(theta)])) / 0.1
    return t, theta, omega, point, normal


def row(normal, arm):
    """A planar body's row of normal · (velocity of the point at `arm` from its mass centre)."""
    return np.array([*normal, arm[0] * normal[1] - arm[1] * normal[0]])


@pytest.mark.parametrize(("major", "e", "angle"), [("y", 0.8, -0.5 * math.pi), ("x", 0.2, -0.5 * math.pi),
                                                   ("x", 0.7, -0.5 * math.pi), ("x", 1.0, -0.5 * math.pi), ("y", 0.3, -1.2)])
def test_two_pendulums_collide_as_the_papers_equations_in_six_coordinates_say(major, e, angle):
    axes = (0.3, 0.1) if major == "x" else (0.1, 0.3)
    t, theta, omega, point, n = two_pendulums_meet(axes, angle)
    one, two = 0.5 * np.array([math.cos(theta), math.sin(theta)]), np.array([0.5, 0.3])
    pin1, pin2 = -one, np.array([-0.5, 0.0])
    phi = np.zeros((4, 6))
    for i, axis in enumerate(np.eye(2)):
        phi[i, :3], phi[2 + i, 3:] = row(axis, pin1), row(axis, pin2)

    def relative(axis):
        return np.concatenate([-row(axis, point - one), row(axis, point - two)])

    u = omega * np.array([-one[1], one[0], 1.0, 0.0, 0.0, 0.0])
    tangent = np.array([n[1], -n[0]])
    tangent *= np.sign(relative(tangent) @ u)
    after, p_n, p_t = impact(np.diag([1.0, 1.0, 0.3, 2.0, 2.0, 1.0]), phi, relative(n), relative(tangent), u, e)

    result = park.swing(major, e, angle, options=park.SHARP)
    hit = result.impacts[0]
    state = result.at(hit.t)
    assert hit.t == pytest.approx(t, abs=1e-11)
    assert (hit.p_n, abs(hit.p_t)) == pytest.approx((p_n, abs(p_t)), rel=1e-10)
    assert (state["body1.omega"], state["body2.omega"]) == pytest.approx((after[2], after[5]), rel=1e-10)


def cross(a):
    """The matrix of a ×."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@pytest.mark.parametrize("given", [{}, {"z": 0.05, "bat_spin": -1.0}, {"z": -0.08, "ball_spin": (30.0, -20.0, 10.0)},
                                   {"z": 0.03, "reach": 0.7, "speed": 6.0, "bat_spin": 0.0}])
def test_ball_and_bat_collide_as_the_papers_equations_in_twelve_coordinates_say(given):
    z, bat_spin, reach = given.get("z", 0.1), given.get("bat_spin", 0.5), given.get("reach", 0.5)
    speed, ball_spin = given.get("speed", 10.0), given.get("ball_spin", (1.0, 1.0, 1.0))

    # the ball's centre is 0.11 m from the bat's axis, which lies in z = 0
    def beside(t):
        return (2.0 - speed * t) * math.cos(bat_spin * t) - reach * math.sin(bat_spin * t)

    t = brentq(lambda t: beside(t) - math.sqrt(0.11**2 - z**2), 0.0, 2.0 / speed + 0.1, xtol=1e-15)
    c, s = math.cos(bat_spin * t), math.sin(bat_spin * t)
    along, across = np.array([c, s, 0.0]), np.array([-s, c, 0.0])
    n = (beside(t) * across + np.array([0.0, 0.0, z])) / 0.11
    ball, centre = np.array([reach, 2.0 - speed * t, z]), 0.5 * along
    point = ball - 0.05 * n

    # velocities and angular velocities in world axes: bat, ball
    turn = np.column_stack([along, across, [0.0, 0.0, 1.0]])
    mass = np.zeros((12, 12))
    mass[:3, :3], mass[6:9, 6:9], mass[9:, 9:] = 1.5 * np.eye(3), 0.5 * np.eye(3), 0.125 * np.eye(3)
    mass[3:6, 3:6] = turn @ np.diag([0.1, 0.5, 0.5]) @ turn.T
    phi = np.zeros((5, 12))
    phi[:3, :3], phi[:3, 3:6] = np.eye(3), cross(centre)  # v + ω × (-centre) = 0
    phi[3, 3] = phi[4, 4] = 1.0
    rate = np.hstack([-np.eye(3), cross(point - centre), np.eye(3), -cross(point - ball)])
    u = np.concatenate([bat_spin * 0.5 * across, [0.0, 0.0, bat_spin], [0.0, -speed, 0.0], ball_spin])
    slip = rate @ u - (n @ rate @ u) * n
    after, p_n, p_t = impact(mass, phi, n @ rate, slip / np.linalg.norm(slip) @ rate, u)

    result = park.pitch(**given, options=park.SHARP)
    hit = result.impacts[0]
    state = result.at(hit.t)
    assert hit.t == pytest.approx(t, abs=1e-12)
    assert (hit.p_n, hit.p_t) == pytest.approx((p_n, abs(p_t)), rel=1e-10)
    assert [state[f"ball.{k}"] for k in ("vx", "vy", "vz", "wx", "wy", "wz")] == pytest.approx(list(after[6:]), abs=1e-10)
    assert state["handle.angle_rate"] == pytest.approx(after[5], abs=1e-10)


def test_the_ball_that_sticks_in_the_papers_sense_slips_on_across():
    """Eq. 34 stops the slip along its own direction only; the marched law stops all of it."""
    paper, marched = park.straight(0.04), park.straight(0.04, rule=park.rt.Newton(e=0.8, mu=0.3, mu_s=0.35))
    assert paper.impacts[0]["class"] == "stopped"
    assert np.hypot(*paper.impacts[0].v_after[1:]) > 0.1
    assert np.hypot(*marched.impacts[0].v_after[1:]) < 1e-12
