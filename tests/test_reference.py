"""The dense reference itself: closed forms, and laws that a wrong derivative or sign would break."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from random_mechanisms import draw_until, embedded
from reference import Dense, imbalance, quaternion, rotation, solve
from routh.model import joints
from routh.model.body import Body
from routh.model.model import Model

approx = pytest.approx
G = 9.81


def integrated(mechanism, t_end):
    """The motion by scipy in maximal coordinates: (the end, the work done until then)."""
    model, shape = mechanism.model, mechanism.poses.shape
    n, d = mechanism.velocities.shape
    near = dict(mechanism.coordinates)

    def rate(t, y):
        P, V = y[: n * shape[1]].reshape(shape), y[n * shape[1] : -1].reshape(n, d)
        out = solve(model, P, V, t, near)
        dP = V.copy()
        if d == 6:
            q, w = P[:, 3:], V[:, 3:]
            dq = 0.5 * np.column_stack([-np.sum(w * q[:, 1:], 1), q[:, :1] * w + np.cross(w, q[:, 1:])])
            dP = np.hstack([V[:, :3], dq])
        power = out.power["applied"] - out.power["dissipated"] + out.power["drive"]
        return np.concatenate([dP.ravel(), out.accelerations.ravel(), [power]])

    y = np.concatenate([mechanism.poses.ravel(), mechanism.velocities.ravel(), [0.0]])
    y = solve_ivp(rate, (mechanism.t, mechanism.t + t_end), y, method="DOP853", rtol=1e-10, atol=1e-10).y[:, -1]
    P, V = y[: n * shape[1]].reshape(shape), y[n * shape[1] : -1].reshape(n, d)
    return Dense(model, P, V, mechanism.t + t_end, near), y[-1]


def test_a_compound_pendulum_has_the_acceleration_and_reaction_of_the_textbook():
    m, J, a, th, w = 2.0, 0.3, 0.7, 0.4, 1.3
    model = Model(
        "planar",
        [Body("rod", m, J)],
        [joints.Revolute("pin", "ground", "rod", (0, 0), (0, a))],
        gravity=(0, -G),
    )
    out = solve(model, [[a * np.sin(th), -a * np.cos(th), th]], [[a * w * np.cos(th), a * w * np.sin(th), w]])
    alpha = -m * G * a * np.sin(th) / (J + m * a * a)
    along, toward = np.array([np.cos(th), np.sin(th)]), np.array([-np.sin(th), np.cos(th)])
    assert out.accelerations[0, 2] == approx(alpha, rel=1e-14)
    assert out.reactions["pin"][:2] == approx(m * (a * alpha * along + a * w * w * toward + [0, G]), rel=1e-13)
    assert out.reactions["pin"][2] == approx(0.0, abs=1e-13)
    assert out.coordinates["pin.angle"] == approx((th, w, alpha))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_constraints_hold_and_energy_balances_along_the_integrated_motion(space, seed):
    mechanism = draw_until(seed, space, n_bodies=3, loops=seed % 2, drivers=1, couplings=1, laws=False)
    before = mechanism.reference()
    end, work = integrated(mechanism, 0.05)
    after = end.solve()
    # 1e-8: rtol of the integration times the size of a stiff start
    assert np.abs(end.phi).max(initial=0.0) < 1e-8
    assert np.abs(end.phi_rate).max(initial=0.0) < 1e-8
    scale = 1.0 + before.kinetic + abs(before.potential)
    assert after.kinetic + after.potential - before.kinetic - before.potential == approx(work, abs=1e-8 * scale)


@pytest.mark.parametrize("seed", range(12))
def test_a_planar_mechanism_accelerates_in_space_as_it_does_in_the_plane(seed):
    flat = draw_until(seed, "planar", n_bodies=4, loops=seed % 3, drivers=1, couplings=1, rods=seed % 2, laws=False)
    plane, space = flat.reference(), embedded(flat).reference()
    scale = np.abs(plane.accelerations).max()
    assert space.accelerations[:, [0, 1, 5]] == approx(plane.accelerations, abs=1e-10 * scale)
    assert space.accelerations[:, 2:5] == approx(0.0, abs=1e-10 * scale)
    assert space.kinetic + space.potential == approx(plane.kinetic + plane.potential, rel=1e-12)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_reactions_and_applied_forces_balance_every_body(space):
    m = draw_until(5, space, n_bodies=5, loops=1, drivers=1, couplings=1, rods=1)
    dense = m.dense()
    out = dense.solve()
    others = {name: out.forces[name] for name in dict.fromkeys(dense.owner) if name not in out.reactions}
    left = imbalance(m.model, m.poses, m.velocities, m.t, out.accelerations, out.reactions, others, m.coordinates)
    assert left == approx(0.0, abs=1e-10)  # round-off of a solve with condition number below 1e4


def test_quaternion_and_rotation_matrix_invert_each_other():
    for q in np.random.default_rng(1).normal(size=(20, 4)):
        assert rotation(quaternion(rotation(q))) == approx(rotation(q), abs=1e-14)
