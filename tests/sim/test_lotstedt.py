"""Lötstedt's quadratic programme for one contact is Moreau's rule, in single impacts and in runs; ledgers of the papers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import routh as rt
from routh.gallery import han_cho, kim


def programme(A, v, e, mu):
    """[lotstedt1984]: for a normal impulse the tangential one minimises A_tt p²/2 + (v_t + A_tn p_n) p within ±mu p_n.

    The normal one then gives v_n⁺ = -e v_n. Solved in turn by a bounded least-squares solver until neither changes.
    """
    p_n, p_t = -(1.0 + e) * v[0] / A[0, 0], 0.0
    root = np.sqrt(A[1, 1])
    for _ in range(2000):
        bound = mu * p_n + 1e-300
        new = float(lsq_linear([[root]], [-(v[1] + A[1, 0] * p_n) / root], (-bound, bound), tol=1e-15).x[0])
        change, p_t = abs(new - p_t), new
        p_n = (-(1.0 + e) * v[0] - A[0, 1] * p_t) / A[0, 0]
        if change < 1e-14:
            break
    return np.array([p_n, p_t])


@pytest.mark.parametrize("seed", range(12))
def test_the_quadratic_programme_gives_the_impulse_of_moreaus_rule(seed):
    rng = np.random.default_rng([1984, seed])
    a, b = rng.uniform(1.0, 3.0, 2)
    c = rng.uniform(-0.6, 0.6) * np.sqrt(a * b)
    A, v = np.array([[a, c], [c, b]]), np.array([-rng.uniform(0.5, 2.0), rng.uniform(-1.0, 1.0)])
    e, mu = rng.uniform(0.0, 1.0), rng.uniform(0.05, 0.8)
    hit = rt.resolve_impact(A, v, rt.Moreau(e, mu))
    assert hit.impulse == pytest.approx(programme(A, v, e, mu), abs=1e-7)


def test_a_run_takes_it_and_its_ledger_replays():
    corners = ((-0.3, -0.02), (0.3, -0.02), (0.3, 0.02), (-0.3, 0.02))
    model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("rod", mass=1.0, inertia=0.03)],
                     contacts=[rt.Contact("floor", rt.shapes.HalfSpace("ground", (0.0, 1.0)), rt.shapes.Polygon("rod", corners),
                                          law=rt.Moreau(e=0.5, mu=0.3))])
    result = rt.simulate(model, rt.State(rod={"y": 0.8, "theta": 0.6, "vx": 1.0}), 0.36)
    hit = result.impacts[0]
    assert hit.law == "Moreau"
    assert hit.impulse == pytest.approx(programme(hit.A, hit.v_before, 0.5, 0.3), abs=1e-7)
    assert hit.replay().impulse == pytest.approx(hit.impulse, abs=1e-12)


@pytest.mark.parametrize(("mu", "end"), [(0.1, "2"), (1.0, "1")])
@pytest.mark.parametrize("name", ["Ex2-1", "Ex3-1", "Ex3-3"])
def test_impacts_of_two_ellipsoids_have_their_case_in_runs(name, mu, end):
    """Frames of a run leave round-off in the coupling terms of A."""
    hit = rt.simulate(han_cho.model(name, 0.5, mu), han_cho.start(name), 0.1).impacts[0]
    A = han_cho.example(name)
    assert hit.replay().case == f"{2 if abs(A[1, 1] - A[2, 2]) > 1e-9 else 1}-{end}"


@pytest.mark.parametrize("engine", ["events", "stepping"])
def test_a_scheduled_impulse_has_its_size_in_the_events(engine):
    result = rt.simulate(kim.struck(), kim.hanging(), 3.0, options=rt.Options(engine=engine))
    row = result.events[result.events["kind"] == "impulse"][0]
    assert (row.t, row.p_n) == (2.59, 10.0)


def test_impulses_of_a_stop_on_an_angle_are_moments_in_every_table():
    """J omega (1 + e) of a rod about its pin."""
    model = rt.Model(space="planar", bodies=[rt.Body("rod", mass=2.0, inertia=0.1)],
                     joints=[rt.joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))],
                     contacts=[rt.Stop("stop", "pin.angle", lower=-0.2, e=0.3)])
    result = rt.simulate(model, rt.State(pin={"angle": 0.0, "angle_rate": -2.0}), 0.2)
    assert result.impacts[0].p_n == pytest.approx((0.1 + 2.0 * 0.25) * 2.0 * 1.3)
    assert result.impacts.unit("p_n") == result.impacts.unit("impulse") == result.events.unit("p_n") == "N m s"
    assert result.impacts[0]["class"] == "no tangent"
    assert "p_n [N m s]" in repr(result.impacts)
