"""The woodpecker toy: it holds itself, comes down in one steady way, and follows the published model for small angles."""

import numpy as np
import pytest

from routh.gallery import woodpecker as toy


def test_the_claims_hold():
    for claim in toy.claims():
        assert claim.holds, claim


@pytest.fixture(scope="module")
def descent():
    return toy.run(2.5)


def test_every_cycle_is_the_same_in_the_end(descent):
    period, drop = toy.cycles(descent)
    np.testing.assert_allclose(period[-4:], period[-1], rtol=1e-5)
    np.testing.assert_allclose(drop[-4:], drop[-1], rtol=1e-4)
    assert drop[-1] > 0.0


def test_what_the_weight_does_in_a_cycle_is_lost_in_it(descent):
    """On a limit cycle the energy lost per cycle is m g times the descent."""
    t = descent.impacts.t[descent.impacts.contact == "beak"]
    lost = -np.diff([descent.at(float(x))["energy.friction"] + descent.at(float(x))["energy.impacts"] for x in t])
    weight = toy.GRAVITY * (toy.SLEEVE_MASS + toy.BIRD_MASS)
    # the sleeve stands for all of it: angles are the same at each of the beak's impacts
    np.testing.assert_allclose(lost[-3:], weight * toy.cycles(descent)[1][-3:], rtol=1e-4)


def test_nothing_penetrates_and_the_account_closes(descent):
    for name in ("beak", "lower", "upper"):
        assert descent[f"{name}.gap"].min() > -1e-11
    lost = descent.energy.friction[-1] + descent.energy.impacts[-1]
    assert np.abs(descent.energy.error).max() < 1e-9 * abs(lost)  # the run's rtol


def linear(q, u, t_end, h):
    """The published linear model by Moreau's midpoint rule, without the beak; stated independently."""
    m_s, m_b, l_m, l_g, r, hm = toy.SLEEVE_MASS, toy.BIRD_MASS, toy.HINGE, toy.BIRD, toy.BORE, toy.HALF_HEIGHT
    M = np.array([[m_s + m_b, m_b * l_m, m_b * l_g], [m_b * l_m, toy.SLEEVE_INERTIA + m_b * l_m**2, m_b * l_m * l_g],
                  [m_b * l_g, m_b * l_m * l_g, toy.BIRD_INERTIA + m_b * l_g**2]])
    W = np.linalg.inv(M)
    weight = toy.GRAVITY * np.array([m_s + m_b, m_b * l_m, m_b * l_g])
    edges = [np.array([[0.0, way * hm, 0.0], [1.0, r, 0.0]]) for way in (1.0, -1.0)]  # lower, upper: normal, tangent
    for _ in range(round(t_end / h)):
        middle = q + 0.5 * h * u
        turn = toy.STIFFNESS * (middle[2] - middle[1])
        new = u + h * (W @ (np.array([0.0, turn, -turn]) - weight))
        J = edges[0 if middle[1] < 0.0 else 1]
        if r - toy.POLE + J[0] @ middle <= 0.0:
            new = new + W @ J.T @ plastic(J @ W @ J.T, J @ new)
        q, u = q + 0.5 * h * (u + new), new
    return np.concatenate([q, u])


def plastic(A, v):
    """Impulse that stops the approach, with friction against the slip that is left."""
    if v[0] >= 0.0:
        return np.zeros(2)
    stick = -np.linalg.solve(A, v)
    if abs(stick[1]) <= toy.MU * stick[0]:
        return stick
    slides = [-v[0] / (A[0, 0] - way * toy.MU * A[0, 1]) * np.array([1.0, -way * toy.MU]) for way in (-1.0, 1.0)]
    return next(p for way, p in zip((-1.0, 1.0), slides, strict=True) if way * (v + A @ p)[1] > 0.0)


@pytest.mark.parametrize("t_end", [0.04, 0.08])
def test_small_angles_follow_the_published_model_until_the_beak_strikes(t_end):
    """Sliding, sticking, sliding again, flight and an impact of the upper edge: all before the beak's impact at 0.081 s."""
    begin = (-0.10, -0.2788, -0.3411, -7.4583)  # a published point of the limit cycle, the sleeve just free
    result = toy.run(t_end, small=toy.SMALL, begin=toy.start(toy.SMALL, *begin))
    channels = ("sleeve.y", "sleeve.theta", "bird.theta", "sleeve.vy", "sleeve.omega", "bird.omega")
    found = np.array([result[c][-1] for c in channels]) / toy.SMALL
    q, u = np.array([0.0, begin[0], begin[1]]), np.array([begin[2], 0.0, begin[3]])
    scale = np.array([0.01, 0.1, 0.1, 0.3, 30.0, 15.0])
    np.testing.assert_allclose(found / scale, linear(q, u, t_end, 1e-5) / scale, atol=5e-3)  # first order in the step


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in toy.figures(tmp_path))
