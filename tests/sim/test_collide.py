"""Two free bodies collide: conservation laws, symmetry, and the plane inside space."""

import math

import numpy as np
import pytest

from routh.errors import ModelError
from routh.model.laws import Newton, Poisson, Stronge
from routh.sim.collide import GROUND, FreeBody, collide, contact_frame, contact_matrix

LAW = Poisson(0.6, 0.4)
ROD = FreeBody(2.0, 0.7, (0.3, 1.0), (1.0, -2.0), 0.5)
BOX = FreeBody(5.0, 1.1, (0.0, -0.8), (0.2, 0.4), -1.0)
I = np.array([[1.0, 0.1, 0.0], [0.1, 2.0, 0.3], [0.0, 0.3, 1.5]])
TOP = FreeBody(2.0, I, (0.3, 0.1, 1.0), (1.0, 0.5, -2.0), (0.5, -1.0, 2.0))
BALL = FreeBody(5.0, 0.8, (0.0, 0.0, -0.8), (0.2, 0.4, 0.1), (0.0, 3.0, 0.0))


def linear(*bodies):
    return sum(b.mass * np.array(b.velocity) for b in bodies)


def angular(*bodies):
    total = 0.0
    for b in bodies:
        r, p = np.array(b.position), b.mass * np.array(b.velocity)
        if r.size == 2:
            total = total + b.inertia * b.spin + r[0] * p[1] - r[1] * p[0]
        else:
            inertia = np.array(b.inertia) * np.eye(3) if np.ndim(b.inertia) == 0 else np.array(b.inertia)
            total = total + inertia @ np.array(b.spin) + np.cross(r, p)
    return total


def energy(*bodies):
    total = 0.0
    for b in bodies:
        spin = np.atleast_1d(b.spin)
        inertia = np.array(b.inertia) if np.ndim(b.inertia) == 2 else np.eye(spin.size) * b.inertia
        total += 0.5 * b.mass * np.dot(b.velocity, b.velocity) + 0.5 * spin @ inertia @ spin
    return total


@pytest.mark.parametrize(
    ("a", "b", "point", "normal"),
    [(BOX, ROD, (0.1, 0.2), (0.3, 1.0)), (BALL, TOP, (0.1, 0.0, 0.2), (0.1, -0.2, 1.0))],
)
@pytest.mark.parametrize("law", [Newton, Poisson, Stronge])
def test_momentum_is_kept_and_the_lost_energy_is_the_impact_s(a, b, point, normal, law):
    after = collide(a, b, point, normal, law(0.6, 0.4))
    assert after.hit.impulse[0] > 0.0
    assert linear(after.a, after.b) == pytest.approx(linear(a, b), rel=1e-14)
    assert angular(after.a, after.b) == pytest.approx(angular(a, b), rel=1e-13)
    assert energy(a, b) - energy(after.a, after.b) == pytest.approx(after.hit.energy_lost, rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "point", "normal"),
    [(BOX, ROD, (0.1, 0.2), (0.3, 1.0)), (BALL, TOP, (0.1, 0.0, 0.2), (0.1, -0.2, 1.0))],
)
def test_swapping_the_bodies_swaps_nothing_else(a, b, point, normal):
    one, two = collide(a, b, point, normal, LAW), collide(b, a, point, [-x for x in normal], LAW)
    assert two.impulse == pytest.approx(-one.impulse, rel=1e-13)
    assert two.a.velocity == pytest.approx(one.b.velocity, rel=1e-13)
    assert two.b.spin == pytest.approx(one.a.spin, rel=1e-12)


def test_a_planar_collision_is_the_plane_z_0_of_space():
    def lift(b):
        x, v = np.array([*b.position, 0.0]), np.array([*b.velocity, 0.0])
        return FreeBody(b.mass, (1.0, 1.0, b.inertia), x, v, (0.0, 0.0, b.spin))

    flat = collide(BOX, ROD, (0.1, 0.2), (0.3, 1.0), LAW)
    deep = collide(lift(BOX), lift(ROD), (0.1, 0.2, 0.0), (0.3, 1.0, 0.0), LAW)
    assert deep.impulse == pytest.approx([*flat.impulse, 0.0], rel=1e-12, abs=1e-15)
    assert deep.b.spin[2] == pytest.approx(flat.b.spin, rel=1e-12)


def test_the_ground_does_not_move():
    after = collide(GROUND, ROD, (0.3, 0.0), (0.0, 1.0), LAW)
    assert after.hit.velocity[0] > 0.0
    assert not np.any(after.a.velocity)
    assert collide(GROUND, TOP, (0.3, 0.1, 0.0), (0.0, 0.0, 1.0), LAW).a.mass == math.inf


def test_the_contact_matrix_of_a_rod_is_routh_s():
    theta, l, m, k2 = 0.7, 1.2, 3.0, 0.25
    tip = (-l * math.cos(theta), -l * math.sin(theta))
    A = contact_matrix((math.inf, m), (math.inf, m * k2), ((0.0, 0.0), tip), (0.0, 1.0))
    c, s = math.cos(theta), math.sin(theta)
    expect = (
        np.array(
            [[1 + l * l * c * c / k2, -l * l * s * c / k2], [-l * l * s * c / k2, 1 + l * l * s * s / k2]]
        )
        / m
    )
    assert A == pytest.approx(expect, rel=1e-14)


def test_two_spheres_have_a_diagonal_contact_matrix():
    A = contact_matrix((1.0, 2.0), (0.4, 0.8), ((0.0, 0.0, 1.0), (0.0, 0.0, -1.0)), (0.0, 0.0, 1.0))
    assert A == pytest.approx(np.diag([1.5, 1.5 * 3.5, 1.5 * 3.5]), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("n", [(0.0, 1.0), (1.0, 0.0, 0.0), (0.2, 0.3, -0.9), (0.0, 0.0, 1.0)])
def test_contact_frames_are_orthonormal(n):
    frame = contact_frame(n)
    assert frame @ frame.T == pytest.approx(np.eye(len(n)), abs=1e-15)
    if len(n) == 3:
        assert np.linalg.det(frame) == pytest.approx(1.0)
        assert contact_frame(n, tangent=(0.3, 1.0, 0.1))[1] @ np.array(n) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: FreeBody(0.0, 1.0), "mass = 0 is not positive"),
        (lambda: collide(GROUND, GROUND, (0, 0), (0, 1), LAW), "both bodies are the ground"),
        (lambda: collide(GROUND, ROD, (0, 0, 0), (0, 0, 1), LAW), "must have 3 numbers each"),
        (lambda: collide(GROUND, ROD, (0.3, 0.0), (0, 0), LAW), "not all zero"),
        (lambda: contact_frame((0, 0, 1), tangent=(0, 0, 2)), "is no direction beside the normal"),
        (
            lambda: contact_matrix((1, -1), (1, 1), ((0, 1), (0, -1)), (0, 1)),
            "body b: mass = -1 is not positive",
        ),
        (
            lambda: contact_matrix((1, 1), (0, 1), ((0, 1), (0, -1)), (0, 1)),
            "body a: inertia = 0 is not positive",
        ),
        (lambda: contact_matrix((1, 1), (1, 1), ((0, 1, 2), (0, -1)), (0, 1)), "body a: offset"),
        (
            lambda: contact_matrix((1, 1), (1, (1, -1, 1)), ((0, 0, 1), (0, 0, 1)), (0, 0, 1)),
            "body b: inertia",
        ),
        (
            lambda: contact_matrix((1, 1), (-np.eye(3), 1), ((0, 0, 1), (0, 0, 1)), (0, 0, 1)),
            "body a: inertia",
        ),
    ],
)
def test_bad_bodies_are_refused(make, words):
    with pytest.raises(ModelError) as error:
        make()
    assert words in str(error.value)
