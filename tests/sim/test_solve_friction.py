"""Many contacts with friction in contact space: closed forms, Siconos's problems, and what is refused."""

import itertools
import math
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

import routh as rt
from routh.errors import ModelError

DATA = Path(__file__).parents[3] / "shared" / "data" / "friction_contact"
OPEN_ENDED = {"RockPile_tob1"}  # Siconos's own solvers reach 0.05 there
with_data = pytest.mark.skipif(not DATA.is_dir(), reason="the friction-contact problems of Siconos are not ours to ship")


def coulomb(A, b, mu, p, d):
    """Largest violation of Coulomb's law, contact by contact, written out by cases; relative to the size of p and v."""
    v = (A @ p + b).reshape(-1, d)
    p = p.reshape(-1, d)
    unit = max(np.abs(p).max(), 1e-300)
    worst = 0.0
    for r, u, m in zip(p, v, mu, strict=True):
        size, slip = np.linalg.norm(r[1:]), np.linalg.norm(u[1:])
        scale = max(np.abs(b).max(), np.abs(v).max())
        worst = max(worst, -r[0] / unit, -u[0] / scale, (size - m * r[0]) / unit)       # unilateral, in the cone
        worst = max(worst, min(abs(r[0]) / unit, abs(u[0]) / scale))                      # one of them is zero
        if r[0] > 1e-7 * unit and slip > 1e-6 * scale:
            worst = max(worst, np.abs(r[1:] + m * r[0] * u[1:] / slip).max() / unit)      # friction against the slip
    return worst


def plain_and_scaled(W, q, mu, r, d):
    """The two measures of the problems' README, written anew."""
    def project(y):
        out = np.zeros_like(y)
        for i, (x, m) in enumerate(zip(y, mu, strict=True)):
            t = math.hypot(*x[1:])
            if t <= m * x[0]:
                out[i] = x
            elif m * t > -x[0]:
                n = (x[0] + m * t) / (1.0 + m * m)
                out[i] = [n, *(m * n * x[1:] / t)]
        return out

    u = W @ r + q
    U, R = u.reshape(-1, d).copy(), r.reshape(-1, d)
    U[:, 0] += mu * np.sqrt((U[:, 1:] ** 2).sum(axis=1))
    plain = np.linalg.norm(R - project(R - U)) / max(map(np.linalg.norm, (q, r, u)))
    step = W.diagonal().reshape(-1, d).mean(axis=1)[:, None]
    off = math.sqrt((step * (R - project(R - U / step)) ** 2).sum())
    return plain, off / math.sqrt((q.reshape(-1, d) ** 2 / step).sum())


def random_problem(seed, n=6, d=3, bodies=4):
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(d * n, 6 * bodies))
    return J @ J.T, J @ rng.normal(size=6 * bodies), rng.uniform(0.1, 0.9, n)


@pytest.mark.parametrize("method", ["auto", "gauss-seidel", "interior-point"])
@pytest.mark.parametrize(("b", "p"), [
    ((1.0, 3.0), (0.0, 0.0)),                   # leaves
    ((-2.0, 0.5), (1.0, -0.125)),               # sticks: p = -b / A
    ((-2.0, 8.0), (1.0, -0.3)),                 # slides: |p_t| = mu p_n against the slip
    ((-2.0, -8.0), (1.0, 0.3)),
    ((0.0, 1.0), (0.0, 0.0)),                   # grazes
])
def test_one_contact_in_closed_form(b, p, method):
    A = np.diag([2.0, 4.0])
    found = rt.solve_friction(A, b, [0.3], method=method)
    assert found.converged
    assert_allclose(found.impulse, p, atol=1e-7 if b[0] == 0.0 else 1e-9)
    assert_allclose(found.velocity, A @ found.impulse + b, atol=1e-15)
    space = rt.solve_friction(np.diag([2.0, 4.0, 4.0]), [b[0], 0.6 * b[1], 0.8 * b[1]], [0.3], method=method)
    assert_allclose(space.impulse, [p[0], 0.6 * p[1], 0.8 * p[1]], atol=1e-7 if b[0] == 0.0 else 1e-9)


@pytest.mark.parametrize("angle", [0.2, 0.28])
def test_a_block_on_two_feet_holds_below_the_angle_of_friction_and_slides_above(angle):
    """b is what gravity does in 1 s; tan(0.2) < 0.25 < tan(0.28)."""
    mass, inertia, g, mu = 2.0, 0.5, 9.81, 0.25
    J = np.array([[0.0, 1.0, x] if row == 0 else [1.0, 0.0, 0.4] for x in (-0.5, 0.5) for row in (0, 1)])
    A = J @ np.diag([1 / mass, 1 / mass, 1 / inertia]) @ J.T
    found = rt.solve_friction(A, J @ [g * math.sin(angle), -g * math.cos(angle), 0.0], [mu, mu])
    assert found.converged
    slip = max(0.0, g * (math.sin(angle) - mu * math.cos(angle)))
    assert_allclose(found.velocity, [0.0, slip, 0.0, slip], atol=1e-7)
    assert found.impulse[[0, 2]].sum() == pytest.approx(mass * g * math.cos(angle), rel=1e-8)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("d", [2, 3])
def test_random_contacts_obey_coulombs_law_and_every_method_finds_the_same_velocity(seed, d):
    A, b, mu = random_problem(seed, d=d)
    found = rt.solve_friction(A, b, mu, tolerance=1e-10)
    assert found.converged
    assert coulomb(A, b, mu, found.impulse, d) < 1e-7
    assert max(plain_and_scaled(A, b, mu, found.impulse, d)) == pytest.approx(found.residual, rel=1e-3, abs=1e-15)
    other = rt.solve_friction(A, b, mu, method="interior-point", tolerance=1e-10)
    assert other.converged
    assert_allclose(other.velocity, found.velocity, atol=1e-7 * np.abs(b).max())


@with_data
@pytest.mark.parametrize("name", sorted(path.stem for path in DATA.glob("*.npz")) if DATA.is_dir() else ["none"])
def test_the_problems_of_siconos(name):
    data = np.load(DATA / f"{name}.npz")
    d, n = int(data["dim"]), int(data["dim"] * data["nc"])
    W = sparse.csr_matrix((data["W_data"], data["W_indices"], data["W_indptr"]), shape=(n, n))
    mu = np.broadcast_to(data["mu"], int(data["nc"])).astype(float)
    began = time.process_time()
    found = rt.solve_friction(W, data["q"], mu)
    assert time.process_time() - began < 20.0
    error = max(plain_and_scaled(W, data["q"], mu, found.impulse, d))
    assert error == pytest.approx(found.residual, rel=1e-3, abs=1e-12)
    assert found.converged == (error <= 1e-8)
    assert found.converged or name in OPEN_ENDED
    if "u_siconos" in data.files:
        assert_allclose(found.velocity, data["u_siconos"].ravel(), atol=1e-7 * np.abs(data["q"]).max())


@pytest.mark.parametrize("d", [2, 3])
def test_bilateral_rows_are_met_beside_the_cones(d):
    """The same problem with the bilateral rows eliminated by hand."""
    A, b, mu = random_problem(5, n=5, d=d)
    rng = np.random.default_rng(8)
    rows = np.vstack([np.linalg.cholesky(A + 1e-12 * np.eye(len(b))), rng.normal(size=(2, len(b)))])
    whole, free = rows @ rows.T, np.append(b, rng.normal(size=2))
    found = rt.solve_friction(whole, free, mu, bilateral=2)
    assert found.converged
    assert_allclose(found.velocity[-2:], 0.0, atol=1e-8 * np.abs(b).max())
    k = len(b)
    gone = whole[:k, k:] @ np.linalg.inv(whole[k:, k:])
    alone = rt.solve_friction(whole[:k, :k] - gone @ whole[k:, :k], free[:k] - gone @ free[k:], mu)
    assert_allclose(found.velocity[:k], alone.velocity, atol=1e-6 * np.abs(b).max())


def test_a_warm_start_saves_work():
    A, b, mu = random_problem(3, n=30, bodies=30)
    cold = rt.solve_friction(A, b, mu, method="gauss-seidel")
    warm = rt.solve_friction(A, b, mu, method="gauss-seidel", start=cold.impulse)
    assert cold.converged
    assert warm.iterations == 0
    assert_allclose(warm.impulse, cold.impulse)


@pytest.mark.parametrize("method", ["auto", "gauss-seidel", "interior-point", "newton"])
def test_a_start_at_the_solution_is_returned_at_once(method):
    A, b, mu = random_problem(5, n=20, bodies=6)
    cold = rt.solve_friction(A, b, mu)
    warm = rt.solve_friction(A, b, mu, start=cold.impulse, method=method)
    assert cold.converged
    assert warm.converged
    assert warm.iterations == 0
    assert_allclose(warm.impulse, cold.impulse, rtol=0.0, atol=0.0)
    near = rt.solve_friction(A, b, mu, start=cold.impulse * (1.0 + 1e-6))
    assert near.converged
    assert near.iterations <= cold.iterations
    absurd = rt.solve_friction(A, b, mu, start=np.full(b.size, 1e200))
    assert absurd.converged
    assert_allclose(absurd.velocity, cold.velocity, atol=1e-6 * np.abs(b).max())


@pytest.mark.parametrize("seed", range(40))
def test_two_planar_contacts_agree_with_the_enumeration_of_their_modes(seed):
    """Each contact is open, sticks, or slips one way: 16 linear systems. Those that obey all inequalities are solutions."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(4, 4))
    A, b, mu = J @ J.T, J @ rng.normal(size=4), rng.uniform(0.1, 0.6, 2)
    solutions = []
    for modes in itertools.product(("open", "stick", 1.0, -1.0), repeat=2):
        S, right = np.zeros((4, 4)), np.zeros(4)  # rows of S p = right
        for c, mode in enumerate(modes):
            n, t = 2 * c, 2 * c + 1
            S[n], right[n] = (np.eye(4)[n], 0.0) if mode == "open" else (A[n], -b[n])
            S[t], right[t] = (np.eye(4)[t], 0.0) if mode == "open" else (A[t], -b[t])
            if mode in (1.0, -1.0):
                S[t], right[t] = np.eye(4)[t] + mode * mu[c] * np.eye(4)[n], 0.0
        p = np.linalg.solve(S, right)
        v = A @ p + b
        if all(v[2 * c] >= -1e-12 if mode == "open" else p[2 * c] >= -1e-12
               and (abs(p[2 * c + 1]) <= mu[c] * p[2 * c] + 1e-12 if mode == "stick" else mode * v[2 * c + 1] >= -1e-12)
               for c, mode in enumerate(modes)):
            solutions.append(v)
    found = rt.solve_friction(A, b, mu, tolerance=1e-11)
    assert found.converged
    assert min(np.abs(found.velocity - v).max() for v in solutions) < 1e-8 * np.abs(b).max()


@pytest.mark.parametrize("method", ["auto", "gauss-seidel", "interior-point"])
@pytest.mark.parametrize(("d", "bilateral"), [(2, 1), (2, 4), (3, 2), (3, 5)])
def test_joints_hold_still_while_contacts_obey_coulombs_law(d, bilateral, method):
    """The joints are those of J M⁻¹ Jᵀ; without them the contacts see the Schur complement."""
    rng = np.random.default_rng(7 * d + bilateral)
    n = 5
    J = rng.normal(size=(d * n + bilateral, 24))
    A, b, mu = J @ J.T, J @ rng.normal(size=24), rng.uniform(0.1, 0.9, n)
    found = rt.solve_friction(A, b, mu, bilateral=bilateral, method=method, tolerance=1e-10)
    assert found.converged
    assert np.abs(found.velocity[d * n:]).max() < 1e-8 * np.abs(b).max()
    held = np.linalg.solve(A[d * n:, d * n:], np.column_stack([A[d * n:, :d * n], b[d * n:]]))
    reduced = A[:d * n, :d * n] - A[:d * n, d * n:] @ held[:, :-1], b[:d * n] - A[:d * n, d * n:] @ held[:, -1]
    assert max(plain_and_scaled(*reduced, mu, found.impulse[:d * n], d)) < 1e-8


def test_redundant_joints_are_solved():
    J = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.3], [0.0, 1.0, -0.3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 2.0]])
    found = rt.solve_friction(J @ J.T, J @ [-1.0, 0.5, 0.2], [0.4], bilateral=4)
    assert found.converged
    assert np.abs(found.velocity[2:]).max() < 1e-7


@with_data
@pytest.mark.parametrize("name", ["Box_Stacks-i0122-82-5", "OneObject-i100000-499", "Capsules-i103-990", "KaplasTower-i1061-4"])
@pytest.mark.parametrize("seed", range(3))
def test_order_units_and_tangents_of_a_problem_do_not_matter(name, seed):
    """Contacts permuted, tangents turned, impulses and velocities in other units, some contacts left out."""
    data, rng = np.load(DATA / f"{name}.npz"), np.random.default_rng(seed)
    n = int(data["nc"])
    W = sparse.csr_matrix((data["W_data"], data["W_indices"], data["W_indptr"]), shape=(3 * n, 3 * n))
    kept = rng.permutation(n)[: n if seed else (3 * n) // 4]
    rows = (3 * kept[:, None] + np.arange(3)).ravel()
    angle, turn = rng.uniform(0.0, 2.0 * np.pi, kept.size), np.zeros((kept.size, 3, 3))
    turn[:, 0, 0], turn[:, 1, 1], turn[:, 2, 2] = 1.0, np.cos(angle), np.cos(angle)
    turn[:, 1, 2], turn[:, 2, 1] = -np.sin(angle), np.sin(angle)
    R = sparse.bsr_matrix((turn, np.arange(kept.size), np.arange(kept.size + 1)))
    unit_p, unit_v = 10.0 ** rng.uniform(-3.0, 3.0, 2)
    A, b = sparse.csr_matrix(R @ W[rows][:, rows] @ R.T) * (unit_v / unit_p), R @ data["q"][rows] * unit_v
    mu = np.broadcast_to(data["mu"], n).astype(float)[kept]
    found = rt.solve_friction(A, b, mu)
    assert found.converged
    assert max(plain_and_scaled(A, b, mu, found.impulse, 3)) <= 1.001e-8


@pytest.mark.parametrize("ratio", [1.0, 1e3, 1e6])
@pytest.mark.parametrize("mu", [1e-4, 0.3, 10.0])
def test_a_stack_of_blocks_carries_its_weight(ratio, mu):
    """Ten blocks of 1 m, the uppermost `ratio` times heavier; joint by joint the normal impulses add up to the weight above."""
    count, g = 10, 0.0981
    mass = np.ones(count)
    mass[-1] = ratio
    J = np.zeros((4 * count, 3 * count))
    for k in range(count):
        for foot, x in enumerate((-0.5, 0.5)):
            row = 4 * k + 2 * foot
            for body, y, sign in ((k, -0.5, 1.0), (k - 1, 0.5, -1.0)):
                if body >= 0:
                    J[row, 3 * body + 1: 3 * body + 3] = sign, sign * x
                    J[row + 1, [3 * body, 3 * body + 2]] = sign, -sign * y
    M = np.column_stack([mass, mass, mass / 6.0]).ravel()
    found = rt.solve_friction(J / M @ J.T, J @ np.tile([0.0, -g, 0.0], count), np.full(2 * count, mu))
    assert found.converged
    above = g * np.cumsum(mass[::-1])[::-1]
    assert_allclose(found.impulse[::2].reshape(count, 2).sum(axis=1), above, rtol=1e-4)
    assert np.abs(found.velocity).max() < 1e-6 * g * ratio


def test_contacts_without_friction_have_no_tangential_impulse():
    A, b, mu = random_problem(4)
    mu[::2] = 0.0
    for method in ("auto", "interior-point"):
        found = rt.solve_friction(A, b, mu, method=method)
        assert found.converged
        assert np.abs(found.impulse.reshape(-1, 3)[::2, 1:]).max() < 1e-12
        assert coulomb(A, b, mu, found.impulse, 3) < 1e-6


def test_dense_and_sparse_units_and_order_do_not_matter():
    A, b, mu = random_problem(6)
    found = rt.solve_friction(A, b, mu, tolerance=1e-10)
    same = rt.solve_friction(sparse.csc_matrix(A), b, mu, tolerance=1e-10)
    assert_allclose(same.impulse, found.impulse, rtol=1e-12)
    grams = rt.solve_friction(1e-3 * A, 100.0 * b, mu, tolerance=1e-10)  # grams and centimetres
    assert_allclose(grams.velocity, 100.0 * found.velocity, atol=1e-6 * np.abs(b).max())
    order = np.array([3, 0, 5, 1, 4, 2])
    rows = (3 * order[:, None] + np.arange(3)).ravel()
    mixed = rt.solve_friction(A[np.ix_(rows, rows)], b[rows], mu[order], tolerance=1e-10)
    assert_allclose(mixed.velocity, found.velocity[rows], atol=1e-6 * np.abs(b).max())


def test_nothing_to_solve_is_solved():
    empty = rt.solve_friction(np.zeros((0, 0)), [], [])
    assert empty.converged
    assert empty.impulse.size == 0
    rest = rt.solve_friction(np.eye(3), np.zeros(3), [0.5])
    assert rest.converged
    assert not rest.impulse.any()
    joint = rt.solve_friction([[2.0]], [3.0], [], bilateral=1)
    assert_allclose(joint.impulse, [-1.5])


@pytest.mark.parametrize("method", ["auto", "gauss-seidel", "interior-point", "newton"])
def test_a_problem_without_solution_is_reported(method):
    """Two contacts hold a wedge that nothing can move; the third direction approaches whatever the impulses are."""
    A = np.zeros((6, 6))
    A[:2, :2], A[2, 2] = [[1.0, 0.2], [0.2, 1.0]], 2.0
    found = rt.solve_friction(A, [-1.0, 0.5, -1.0, 0.0, -1.0, 0.3], [0.3, 0.4, 0.5], method=method, max_iterations=500)
    assert not found.converged
    assert np.isfinite(found.impulse).all()
    assert found.residual > 1e-3


@pytest.mark.parametrize(("A", "b", "mu", "options", "said"), [
    (np.eye(3), [-1.0, 0.0, 0.0], [-0.1], {}, r"mu\[0\] = -0.1 is negative"),
    (np.eye(3), [-1.0, 0.0, math.nan], [0.1], {}, "must be finite"),
    (np.eye(4), [-1.0, 0.0, 0.0], [0.1], {}, r"A has shape \(4, 4\), but b has 3 rows"),
    (np.eye(5), np.zeros(5), [0.1, 0.2], {}, "5 rows of contacts for 2 coefficients mu"),
    (-np.eye(3), [-1.0, 0.0, 0.0], [0.1], {}, "A is not positive semidefinite"),
    (np.array([[1.0, 3.0], [3.0, 1.0]]), [-1.0, 0.0], [0.1], {}, "A is not positive semidefinite"),
    ("text", [-1.0, 0.0], [0.1], {}, "A, b and mu must hold numbers"),
    (np.eye(2), [-1.0, 0.0], [0.1], {"method": "gauss"}, 'method = "gauss"; known: "auto", "gauss-seidel"'),
    (np.eye(2), [-1.0, 0.0], [0.1], {"tolerance": -1.0}, "tolerance = -1.0 must be a number between 0 and 1"),
    (np.eye(2), [-1.0, 0.0], [0.1], {"start": [1.0]}, "start must have 2 finite numbers"),
    (np.eye(2), [-1.0, 0.0], [0.1], {"bilateral": 3}, "bilateral = 3 must be a number of rows, 0 to 2"),
    (sparse.identity(1200) * -1.0, -np.ones(1200), np.full(400, 0.1), {}, "A is not positive semidefinite"),
])
def test_bad_problems_are_refused(A, b, mu, options, said):
    with pytest.raises(ModelError, match=said):
        rt.solve_friction(A, b, mu, **options)


@pytest.mark.parametrize(("A", "b", "d"), [
    (np.zeros((3, 3)), [-1.0, 0.5, 0.2], 3),                                           # nothing can stop the approach
    (np.zeros((2, 2)), [-1.0, 0.5], 2),
    (np.kron([[1.0, -1.0], [-1.0, 1.0]], np.diag([1.0, 0.0, 0.0])), [-1.0, 0.0, 0.0] * 2, 3),  # two walls close on a body
    (np.diag([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]), [-1.0, 0.5, 0.2] * 2, 3),
])  # fmt: skip
def test_a_problem_without_solution_does_not_converge(A, b, d):
    """Impulses grow until the velocities are lost beside them; the residual must not follow them to zero."""
    found = rt.solve_friction(A, np.array(b), [0.3] * (len(b) // d))
    assert not found.converged
    assert found.residual > 0.1
