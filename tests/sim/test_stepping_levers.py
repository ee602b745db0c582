"""Contacts of bodies with fewer freedoms than the contact has rows: friction acts on them in time steps, too.

A lever on a belt has one freedom. With the moments about its pin, N l ± mu N h = m g l_c: friction adds to the normal force or
takes from it, as in a brake with a leading or trailing shoe.
"""

import numpy as np
import pytest

import routh as rt
from routh import joints, profiles, shapes
from routh.core.impact.local_contact import local_impulse, prepare

MASS, ARM, CENTRE, HEIGHT, MU, G = 2.0, 1.0, 0.5, 0.2, 0.5, 9.81


def lever(speed, space="planar", height=HEIGHT):
    up, spatial = np.eye(3)[1], space == "spatial"

    def put(x, y):
        return (x, y, 0.0) if spatial else (x, y)

    turn = {"axis": (0.0, 0.0, 1.0)} if spatial else {}
    end = (shapes.Sphere if spatial else shapes.Disk)("lever", radius=0.0, point=put(ARM - CENTRE, 0.0))
    return rt.Model(
        name="lever on a belt", space=space, gravity=tuple(-G * up) if spatial else (0.0, -G),
        bodies=[rt.Body("lever", MASS, (0.05, 0.05, 0.05) if spatial else 0.05),
                rt.Body("belt", 1.0, (0.1, 0.1, 0.1) if spatial else 0.1)],
        joints=[joints.Revolute("pin", "ground", "lever", point_a=put(0.0, height), point_b=put(-CENTRE, height), **turn),
                joints.Prismatic("guide", "ground", "belt", axis=put(1.0, 0.0))],
        drivers=[rt.Driver("drive", "guide.shift", profiles.ConstantRate(speed, 0.0))],
        contacts=[rt.Contact("rub", shapes.HalfSpace("belt", normal=put(0.0, 1.0)), end, law=rt.Poisson(e=0.0, mu=MU))])


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("speed", [1.0, -1.0])
@pytest.mark.parametrize("engine", ["events", "stepping"])
def test_friction_of_a_belt_loads_or_relieves_a_lever(engine, speed, space):
    result = rt.simulate(lever(speed, space), rt.State(), 0.05, options=rt.Options(engine=engine, step=1e-3))
    normal = MASS * G * CENTRE / (ARM + np.sign(speed) * MU * HEIGHT)
    expected = [-np.sign(speed) * MU * normal, MASS * G - normal]
    assert result["pin.reaction"][-1][:2] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("rows", [2, 3])
def test_one_contact_of_few_freedoms_keeps_coulombs_law(rows, rank):
    random = np.random.default_rng(7)
    checked = 0
    for _ in range(400):
        A, b = np.zeros((3, 3)), np.zeros(3)
        J = random.normal(size=(rows, min(rank, rows)))
        A[:rows, :rows] = J @ J.T
        b[:rows] = J @ random.normal(size=J.shape[1])
        b[1:rows] += random.normal(size=rows - 1) * random.integers(0, 2)  # a belt, or none
        b[0], mu, K = -abs(b[0]), 0.3 * random.uniform(), np.zeros(9)
        ratio = np.hypot(A[0, 1], A[0, 2]) / A[0, 0]
        if mu * ratio >= 0.9:
            continue  # near a jam
        prepare(A, 0.0, rows, K)
        p = np.array(local_impulse(A, K, *b, mu, rows, 0.0))
        v = A @ p + b
        slip, terms = np.hypot(*v[1:]), np.abs(A) @ np.abs(p) + np.abs(b)
        assert p[0] > 0.0
        assert abs(v[0]) <= 1e-12 * terms[0]
        assert np.hypot(*p[1:]) <= mu * p[0] * (1.0 + 1e-12)
        if slip > 1e-9 * terms[1:].max():
            assert p[1:] == pytest.approx(-mu * p[0] * v[1:] / slip, abs=1e-9 * p[0])
        checked += 1
    assert checked > 100
