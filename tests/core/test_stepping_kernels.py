"""Kernels of the stepping engine: one contact, near pairs, islands, manifolds, against independent computations."""

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import random_piles
import routh as rt
from routh import shapes
from routh.compiler.compile import compile_model
from routh.core.impact.local_contact import local_impulse, prepare
from routh.sim.assembly import assemble_arrays
from routh.sim.step_run import StepRun

TOLERANCE = 1e-9      # of the velocities of a local problem: round-off times its condition


def after(model, start, steps, **options):
    """A run after some steps, with its tables."""
    run = StepRun(compile_model(model, "stepping"), rt.Options(engine="stepping", **options))
    q, u = assemble_arrays(run.machine, start, 0.0, keep=True)
    run.begin(q, u, 0.0, 10.0)
    run.control["budget"] = steps
    run._call()
    return run


def residual(A, soft, b, mu, p):
    """Distance of p from its projection onto the cone of Coulomb, by De Saxcé's change of the velocity."""
    v = A @ p + b + np.r_[soft * p[0], np.zeros(len(p) - 1)]
    w = v + np.r_[mu * np.linalg.norm(v[1:]), np.zeros(len(p) - 1)]
    r = 1.0 / np.trace(A)
    z = p - r * w
    size = np.linalg.norm(z[1:])
    if size <= mu * z[0]:
        onto = z
    elif mu * size <= -z[0]:
        onto = np.zeros_like(z)
    else:
        n = (z[0] + mu * size) / (1.0 + mu * mu)
        onto = np.r_[n, mu * n * z[1:] / size]
    return np.linalg.norm(p - onto) / r


@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("soft", [0.0, 0.5])
def test_one_contact_obeys_coulombs_law(rows, soft):
    rng = np.random.default_rng(rows)
    for _ in range(300):
        J = rng.normal(size=(rows, 6))
        A, b, mu = np.zeros((3, 3)), np.zeros(3), rng.uniform(0.0, 0.6)
        A[:rows, :rows], b[:rows] = J @ J.T + 2.0 * np.eye(rows), rng.normal(size=rows)
        K = np.zeros(9)
        prepare(A, soft, rows, K)
        p = np.array(local_impulse(A, K, *b, mu, rows, 0.0))[:rows]
        assert residual(A[:rows, :rows], soft, b[:rows], mu, p) < TOLERANCE * (1.0 + np.abs(b).max())


def test_near_pairs_are_those_that_all_pairs_give():
    rng = np.random.default_rng(0)
    radii = 10.0 ** rng.uniform(-3.0, 0.5, 120)
    parts = [shapes.Sphere(f"b{i}", r) for i, r in enumerate(radii)]
    places = rng.uniform(-8.0, 8.0, (120, 3))
    clear = [i for i in range(120) if all(np.linalg.norm(places[i] - places[j]) > radii[i] + radii[j] for j in range(i))]
    model = rt.Model(space="spatial", bodies=[rt.Body(f"b{i}", 1.0, (1.0,) * 3) for i in clear],
                     contacts=[rt.ContactGroup("all", [parts[i] for i in clear], law=rt.Newton(e=0.0, mu=0.1))])
    speeds = rng.normal(0.0, 30.0, (120, 3))
    keys = ("x", "y", "z", "vx", "vy", "vz")
    start = rt.State({f"b{i}": dict(zip(keys, [*places[i], *speeds[i]], strict=True)) for i in clear})
    tables = after(model, start, 1, step=1e-3).stepping
    found = {(int(p["i"]), int(p["j"])) for p in tables.pair[: int(tables.control[0]["n_pair"])]}
    s = tables.shape
    reach = s["reach"] + s["margin"]
    away = np.linalg.norm(s["x"][:, None] - s["x"][None], axis=2)
    assert found == {(i, j) for i in range(len(s)) for j in range(i + 1, len(s)) if away[i, j] <= reach[i] + reach[j]}


def settled(n=12):
    pile = random_piles.draw(5, n, "balls", "spatial")
    return after(pile.model, pile.start, 250, step=1e-3)


def test_islands_are_the_connected_components_of_the_contacts():
    tables = settled().stepping
    points = tables.point[: int(tables.control[0]["n_point"])]
    a, b = tables.component[points["a"]], tables.component[points["b"]]
    both = (a >= 0) & (b >= 0)
    n = len(tables.parent)
    label = connected_components(coo_matrix((np.ones(both.sum()), (a[both], b[both])), (n, n)), directed=False)[1]
    mine = label[np.maximum(a, b)]
    assert len(points) > 5
    assert len(set(zip(mine, points["island"], strict=True))) == len(set(mine)) == len(set(points["island"]))


def test_the_impulses_of_a_step_solve_its_contact_problem():
    tables = settled().stepping
    points, worst = tables.point[: int(tables.control[0]["n_point"])], 0.0
    width = len(tables.w)
    rows = [np.zeros((int(o["n_row"]), width)) for o in points]
    for Y, o in zip(rows, points, strict=True):
        at = tables.dof[int(o["dof"]): int(o["dof"]) + int(o["n_dof"])].astype(int)
        Y[:, at] = tables.row[int(o["row"]): int(o["row"]) + Y.shape[0] * len(at)].reshape(Y.shape[0], -1)
    w = sum(Y.T @ o["p"][: len(Y)] for Y, o in zip(rows, points, strict=True))
    for Y, o in zip(rows, points, strict=True):
        k = len(Y)
        b = o["free"][:k] + Y @ w - Y @ Y.T @ o["p"][:k] - np.r_[o["target"], np.zeros(k - 1)]
        worst = max(worst, residual(Y @ Y.T, float(o["soft"]), b, float(o["mu"]), o["p"][:k]))
    assert worst < 1e-6 * 9.81e-3 * 100.0  # 100 times the tolerance of changes per sweep, of g h


def test_flush_boxes_have_four_points_on_both_faces():
    boxes = [shapes.Box("a", (0.4, 0.3, 0.2)), shapes.Box("b", (0.2, 0.2, 0.1))]
    model = rt.Model(space="spatial", bodies=[rt.Body(n, 1.0, (0.01,) * 3) for n in "ab"],
                     contacts=[rt.Contact("lie", *boxes, rt.Newton(e=0.0, mu=0.1))])
    tables = after(model, rt.State(b={"z": 0.15}), 1, step=1e-3).stepping
    points = tables.point[: int(tables.control[0]["n_point"])]
    assert len(points) == 4
    assert points["gap"] == pytest.approx(0.0, abs=1e-15)
    assert points["pa"][:, 2] == pytest.approx(0.1, abs=1e-15)
    assert np.abs(points["pb"][:, :2]) == pytest.approx(0.1, abs=1e-15)
