"""Moreau's rule at one contact: its own conditions, the friction solver, and the simultaneous impact of two points."""

import numpy as np
import pytest

import routh as rt
from routh import shapes

approx = pytest.approx


def problems(d, count=300):
    rng = np.random.default_rng(5)
    for _ in range(count):
        B = rng.normal(size=(d, d))
        v = rng.normal(size=d)
        v[0] = -abs(v[0])
        yield B @ B.T + 0.05 * np.eye(d), v, rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.5)


@pytest.mark.parametrize("d", [2, 3])
def test_the_impulse_obeys_restitution_and_coulombs_law_with_the_slip_after(d):
    for A, v, e, mu in problems(d):
        hit = rt.resolve_impact(A, v, rt.Moreau(e, mu))
        p, after = hit.impulse, v + A @ hit.impulse
        scale = np.abs(A) @ np.abs(p) + np.abs(v)
        assert hit.velocity == approx(after, abs=1e-11 * scale.max())
        assert after[0] == approx(-e * v[0], abs=1e-11 * scale.max())
        slip, friction = np.linalg.norm(after[1:]), np.linalg.norm(p[1:])
        assert p[0] >= 0.0
        assert friction <= mu * p[0] * (1.0 + 1e-12)
        if slip > 1e-10 * scale.max():                      # it slides: friction against the slip after, at its limit
            assert p[1:] == approx(-mu * p[0] * after[1:] / slip, rel=1e-6, abs=1e-9 * p[0])


def test_it_is_the_contact_problem_of_the_friction_solver():
    for A, v, e, mu in problems(3, 40):
        b = v + np.array([e * v[0], 0.0, 0.0])
        solution = rt.solve_friction(A, b, [mu])
        if solution.converged and np.linalg.cond(A) < 1e3 and mu < 0.5:  # one solution
            assert rt.resolve_impact(A, v, rt.Moreau(e, mu)).impulse == approx(solution.impulse, rel=1e-6, abs=1e-8)


def test_it_differs_from_the_algebraic_newton_where_the_slip_turns_round():
    A, v = np.array([[1.0, 0.6], [0.6, 1.0]]), [-1.0, -0.2]
    moreau, newton = (rt.resolve_impact(A, v, law) for law in (rt.Moreau(0.5, 0.3), rt.Newton(0.5, 0.3, form="algebraic")))
    assert moreau.velocity[1] > 0.0
    assert moreau.impulse[1] == approx(-0.3 * moreau.impulse[0])
    assert newton.impulse[1] == approx(0.3 * newton.impulse[0])      # friction that drives the slip


def box(law, impacts, feet):
    floor = shapes.HalfSpace("ground", normal=(0.0, 1.0))
    contacts = [rt.Contact(f"foot{i}", floor, shapes.Disk("box", 0.05, (x, -0.1)), law) for i, x in enumerate(feet)]
    return rt.Model("planar", [rt.Body("box", 2.0, 0.03)], impacts=impacts, contacts=contacts)


def test_simultaneous_means_the_same_with_one_point_and_with_two():
    """Two feet at one place share the impulse of a single one: the motion after is the same."""
    start = rt.State(box={"y": 0.15, "vx": -0.4, "vy": -1.0, "omega": 2.0})
    law = rt.Moreau(0.5, 0.3)
    after = [rt.simulate(box(law, "simultaneous", feet), start, t_end=1e-6) for feet in ((0.08,), (0.08, 0.08))]
    for channel in ("box.vx", "box.vy", "box.omega"):
        assert after[0][channel][-1] == approx(after[1][channel][-1], abs=1e-9)
    newton = rt.simulate(box(rt.Newton(0.5, 0.3), "simultaneous", (0.08,)), start, t_end=1e-6)
    assert abs(newton["box.vx"][-1] - after[0]["box.vx"][-1]) > 1e-3  # a marched impact is another one


def test_a_time_step_does_the_same():
    start = rt.State(box={"y": 0.15, "vx": -0.4, "vy": -1.0, "omega": 2.0})
    model = box(rt.Moreau(0.5, 0.3), "simultaneous", (0.08,))
    exact = rt.simulate(model, start, t_end=1e-4)
    stepped = rt.simulate(model, start, t_end=1e-4, options=rt.Options(engine="stepping", step=1e-4))
    for channel in ("box.vx", "box.vy", "box.omega"):
        assert stepped[channel][-1] == approx(exact[channel][-1], abs=2e-3)  # the body turns by 2e-4 rad within the step


def test_a_jam_without_approach_stops_the_slip():
    A = np.array([[1.0, 0.9], [0.9, 1.0]])
    hit = rt.resolve_impact(A, [0.0, 1.0], rt.Moreau(0.5, 1.2))
    assert hit.kind == rt.resolve_impact(A, [0.0, 1.0], rt.Newton(0.5, 1.2)).kind
    assert hit.velocity == approx([0.0, 0.0], abs=1e-12)
    assert rt.resolve_impact(A, [0.0, 1.0], rt.Moreau(0.5, 0.3)).impulse == approx([0.0, 0.0])
