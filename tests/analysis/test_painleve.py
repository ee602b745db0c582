"""Closed contacts: the four classes of sliding, stick, and the impact that resolves the inconsistent one."""

import math

import numpy as np
import pytest

from routh.analysis.impulse_path import invariant_directions, routh_lines
from routh.analysis.painleve import ContactClass, classify, critical_mu, denominator, resolve, sliding_map
from routh.errors import ModelError
from routh.gallery.han_rod import free_normal_acceleration, rod
from routh.model.laws import Poisson
from routh.sim.impact import Kind

T75, T60 = math.radians(75.0), math.radians(60.0)
A3 = np.array([[2.0, 0.5, 0.3], [0.5, 3.0, -0.4], [0.3, -0.4, 1.0]])


@pytest.mark.parametrize(
    ("theta", "omega", "kind", "modes"),
    [
        (T60, 0.0, ContactClass.SLIDING, ["SLIDING"]),
        (T60, 4.0, ContactClass.LIFT_OFF, ["LIFT_OFF"]),
        (T75, 0.0, ContactClass.INCONSISTENT, []),
        (T75, 4.0, ContactClass.INDETERMINATE, ["SLIDING", "LIFT_OFF"]),
    ],
)
def test_the_rod_has_four_classes(theta, omega, kind, modes):
    state = classify(rod(theta, 4.0), free_normal_acceleration(theta, omega), 0.55, -1.0)
    assert state.kind == kind
    assert [solution.mode.name for solution in state.solutions] == modes
    for solution in state.solutions:
        assert solution.force[0] >= 0.0
        assert solution.acceleration[0] >= 0.0


def test_sliding_solutions_satisfy_newton_s_second_law():
    A, b = rod(T60, 4.0), np.array([-9.81, 0.3])
    (solution,) = classify(A, b, 0.55, -2.0).solutions
    assert solution.acceleration == pytest.approx(b + A @ solution.force, abs=1e-13)
    assert solution.force[1] == pytest.approx(0.55 * solution.force[0])


def test_the_critical_friction_is_where_the_denominator_vanishes():
    A = rod(T75, 4.0)
    assert denominator(A, critical_mu(A, -1.0), -1.0) == pytest.approx(0.0, abs=1e-14)
    assert critical_mu(A, 1.0) == math.inf
    mu = critical_mu(A3, (1.0, 0.2))
    assert denominator(A3, mu, (1.0, 0.2)) == pytest.approx(0.0, abs=1e-15)


def test_at_rest_a_contact_sticks_slips_or_opens():
    A = rod(T60, math.sqrt(3.0))
    assert classify(A, (-9.81, 0.5), 1.0, 0.0).kind == ContactClass.STICK
    slipping = classify(A, (-9.81, 20.0), 0.2, 0.0)
    assert slipping.kind == ContactClass.SLIDING
    assert slipping.solutions[0].acceleration[1] > 0.0
    assert classify(A, (9.81, 0.0), 0.2, 0.0).kind == ContactClass.LIFT_OFF
    assert classify(A, (-9.81, 20.0), 0.2, 0.0, mu_s=10.0).kind == ContactClass.STICK


def test_slip_starts_in_space_along_its_own_acceleration():
    b = np.array([-9.81, 3.0, 4.0])
    state = classify(A3, b, 0.2, (0.0, 0.0))
    (solution,) = state.solutions
    t = solution.acceleration[1:] / np.linalg.norm(solution.acceleration[1:])
    assert state.kind == ContactClass.SLIDING
    assert solution.force[1:] == pytest.approx(-0.2 * solution.force[0] * t, rel=1e-10)
    assert solution.acceleration == pytest.approx(b + A3 @ solution.force, abs=1e-12)


def test_a_rod_at_rest_can_lose_every_solution():
    A = rod(T75, 4.0)
    found = {classify(A, (-1.0, x), 0.2, 0.0).kind for x in np.linspace(-20.0, 20.0, 81)}
    assert ContactClass.STICK in found
    assert classify(A, (1.0, -5.0), 0.6, 0.0).kind in (ContactClass.INDETERMINATE, ContactClass.LIFT_OFF)


def test_the_tangential_impact_resolves_the_inconsistent_rod():
    hit = resolve(rod(T75, 4.0), -1.0, Poisson(0.5, 0.55))
    assert hit.kind == Kind.TANGENTIAL
    assert hit.velocity[0] > 0.0
    assert resolve(rod(T60, 4.0), -1.0, Poisson(0.5, 0.55)).kind == Kind.NO_IMPACT


def test_maps_classify_like_single_calls():
    b, D = np.array([[-1.0, 1.0], [-1.0, 1.0]]), np.array([[1.0, 1.0], [-1.0, -1.0]])
    kinds, force = sliding_map(b, D)
    assert kinds.tolist() == [[0, 1], [2, 3]]
    assert force.tolist() == [[1.0, -1.0], [-1.0, 1.0]]
    assert math.isnan(float(sliding_map(-1.0, 0.0)[1]))


@pytest.mark.parametrize("seed", range(40))
def test_invariant_directions_are_two_or_four_and_one_of_them_grows_exactly_if_the_cone_cannot_hold(seed):
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(3, 3))
    A, mu = M @ M.T + 0.05 * np.eye(3), rng.uniform(0.05, 1.5)
    ways = invariant_directions(A, mu)
    assert len(ways) in (2, 4)
    hold = np.linalg.norm(np.linalg.solve(A[1:, 1:], A[1:, 0]))
    assert sum(way.growth > 0.0 for way in ways) == (1 if hold > mu else 0)
    assert all(way.attracts for way in ways if way.growth > 0.0)
    for way in ways:
        assert A[1:, 0] - mu * A[1:, 1:] @ way.direction == pytest.approx(
            way.growth * way.direction, abs=1e-11
        )


def test_every_direction_is_invariant_for_a_sphere():
    assert invariant_directions(np.diag([1.0, 3.5, 3.5]), 0.3) == []


def test_routh_s_lines_are_where_slip_and_approach_vanish():
    A, v = rod(T60, 2.0), np.array([-1.0, 0.4])
    lines = routh_lines(A, v, 0.3)
    for name, row in (("S", 1), ("C", 0)):
        (x, y), (dx, dy) = lines[name]
        for t in (0.0, 0.7):
            assert (v + A @ np.array([y + t * dy, x + t * dx]))[row] == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: denominator(A3, 0.1, (0.0, 0.0)), "slip is zero"),
        (lambda: denominator(np.eye(2), 0.1, (1.0, 0.0)), "take (2, 2) and one number"),
        (lambda: denominator(np.eye(2), 0.1, math.nan), "not finite"),
        (lambda: classify(np.eye(2), -1.0, 0.1, 0.0), "needs all components of b"),
        (lambda: classify(np.eye(2), (1.0, 2.0, 3.0), 0.1, 1.0), "take the free normal acceleration"),
        (lambda: routh_lines(np.eye(3), np.zeros(3), 0.1), "Routh's diagram is planar"),
        (lambda: invariant_directions(np.eye(2), 0.1), "the slip flow is spatial"),
    ],
)
def test_bad_questions_are_refused(make, words):
    with pytest.raises(ModelError) as error:
        make()
    assert words in str(error.value)
