"""solve_friction: impulses of many contacts at once, with Coulomb friction, in contact space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from routh.errors import ModelError, did_you_mean
from routh.sim.cone_errors import Array, Problem
from routh.sim.gauss_seidel import GaussSeidel
from routh.sim.interior_point import interior_point
from routh.sim.semismooth import newton

__all__ = ["FrictionSolution", "solve", "solve_friction"]

METHODS = ("auto", "gauss-seidel", "interior-point", "newton")
SWEEPS = 100_000    # of Gauss-Seidel at most
PATIENCE = 300      # sweeps in which the residual must halve for Gauss-Seidel to go on; the next methods take longer than that
ITERATIONS = 200    # of the interior-point method at most
AFTER = 240         # sweeps from one of its points
ROUNDS = 100        # of sweeps and convex problems in turn
STALLED = 30        # rounds without halving the residual after which it is given up
ROWS = 100_000      # rows times rounds at most: some 10 s
INDEFINITE = 1e-4   # negative curvature of A against its largest diagonal entry that is no rounding of its digits


@dataclass(frozen=True)
class FrictionSolution:
    """Impulses of a contact problem, and how well they solve it.

    Attributes
    ----------
    impulse, velocity : (n,)
        [N s] and [m/s], contact by contact, normal first.
    residual, residuals
        The larger residual; the plain and the scaled one.
    converged, iterations, method
        Whether the tolerance was reached, after how many iterations of which method.

    Examples
    --------
    >>> rt.solve_friction(np.eye(2), [-1.0, 0.0], [0.3]).method
    'gauss-seidel'
    """

    impulse: Array
    """p (n,), contact by contact, normal first; then the bilateral rows [N s]."""
    velocity: Array
    """v = A p + b (n,) [m/s]."""
    residual: float
    """The larger of the two residuals."""
    residuals: tuple[float, float]
    """(plain, scaled): the natural map as Siconos measures it, and in energies, which does not depend on units."""
    converged: bool
    """Whether both residuals are below the tolerance."""
    iterations: int
    """Sweeps, or steps of the interior-point or Newton method, of the method that gave the answer."""
    method: str
    """"gauss-seidel", "interior-point" or "newton"."""


def solve_friction(A: ArrayLike | Any, b: ArrayLike, mu: ArrayLike, *, bilateral: int = 0, start: ArrayLike | None = None,
                   method: str = "auto", tolerance: float = 1e-8, max_iterations: int | None = None) -> FrictionSolution:
    """Impulses p in Coulomb's cones with v = A p + b: open, stick or slip at every contact.

    Rows are stacked contact by contact, normal first: 2 rows per contact in the plane, 3 in space.

    Parameters
    ----------
    A : (n, n)
        Inverse mass of the contacts [1/kg], dense or scipy sparse.
    b : (n,)
        Velocity of the contacts without impulses [m/s].
    mu
        One coefficient per contact.
    bilateral
        The last so many rows have no cone: their velocity must vanish. Default: 0.
    start
        Impulses to begin with [N s]. Default: zero.
    method
        "auto", "gauss-seidel", "interior-point" or "newton". "auto" begins with accelerated Gauss-Seidel sweeps; where they are
        slow, it takes Newton's method, then an interior-point method, then sweeps and convex problems in turn.
    tolerance
        What both residuals must reach. Default: 1e-8.
    max_iterations
        Limits each of the first three methods and leaves out the last. Default: none.

    Returns
    -------
    FrictionSolution
        Whether it `converged`, impulses, velocities, residuals. Redundant contacts have many solutions; this is one of them.

    Examples
    --------
    >>> solution = rt.solve_friction(np.diag([1.0, 1.0]), [-1.0, 0.5], [0.3])
    >>> solution.converged, solution.impulse.round(6).tolist()
    (True, [1.0, -0.3])
    """
    problem = _checked(A, b, mu, bilateral)
    if method not in METHODS:
        raise ModelError(f'solve_friction: method = "{method}"' + did_you_mean(str(method), METHODS))
    if not (isinstance(tolerance, float) and 0.0 < tolerance < 1.0):
        raise ModelError(f"solve_friction: tolerance = {tolerance!r} must be a number between 0 and 1")
    p = np.zeros(problem.b.size)
    if start is not None:
        p = np.array(start, float)
        if p.shape != problem.b.shape or not np.isfinite(p).all():
            raise ModelError(f"solve_friction: start must have {problem.b.size} finite numbers, as b has")
    if not problem.b.any():
        return _solution(problem, np.zeros(problem.b.size), tolerance, 0, "gauss-seidel")

    return solve(problem, p if start is not None else None, method, tolerance, max_iterations)


def solve(problem: Problem, start: Array | None, method: str, tolerance: float, max_iterations: int | None) -> FrictionSolution:
    """`solve_friction` of a problem that needs no checks."""
    first = "gauss-seidel" if method == "auto" else method
    best = _solution(problem, np.zeros(problem.b.size), tolerance, 0, first)
    if start is not None:
        best = _better(best, _solution(problem, start, tolerance, 0, first))  # a start that is worse than none is not taken
    if best.converged:
        return best

    sweeps = GaussSeidel(problem) if method in ("auto", "gauss-seidel") else None
    if sweeps is not None:
        limit = max_iterations or SWEEPS
        found, _, count = sweeps.run(best.impulse, limit, PATIENCE if method == "auto" else limit, tolerance)
        best = _better(best, _solution(problem, found, tolerance, count, "gauss-seidel"))
    if method in ("auto", "newton") and not best.converged:
        best = _better(best, _solution(problem, newton(problem, best.impulse), tolerance, 1, "newton"))
    if method in ("auto", "interior-point") and not best.converged and problem.mu.size:
        def polish(p: Array) -> Array:
            """Newton's steps; sweeps where they fail, which reach the last digits of problems that Newton finds singular."""
            found = newton(problem, p)
            if sweeps is None or max(problem.residuals(found)) <= tolerance:
                return found
            return sweeps.run(found, AFTER, AFTER, tolerance)[0]

        found, count = interior_point(problem, tolerance, max_iterations or ITERATIONS, polish)
        best = _better(best, _solution(problem, found, tolerance, count, "interior-point"))
    if sweeps is not None and method == "auto" and max_iterations is None and not best.converged and problem.mu.size:
        best = _better(best, _alternate(problem, sweeps, best.impulse, tolerance))
    return best


def _alternate(problem: Problem, sweeps: GaussSeidel, p: Array, tolerance: float) -> FrictionSolution:
    """Sweeps, which adapt the slips of neighbours, in turn with convex problems, which solve long chains of contacts.

    Newton's steps are tried from both. Each round sweeps in another order, so that no cycle of contact modes repeats.
    """
    best, total = _solution(problem, p, tolerance, 0, "gauss-seidel"), 0
    mark, marked = best.residual, 0
    for k in range(min(ROUNDS, max(1, ROWS // problem.b.size))):
        found, p, count = sweeps.run(p, 2 * PATIENCE, 2 * PATIENCE, tolerance, order=k + 1)
        best = _better(best, _solution(problem, found, tolerance, count, "gauss-seidel"))
        if not best.converged:
            best = _better(best, _solution(problem, newton(problem, found), tolerance, 1, "newton"))
        if best.converged:
            break
        p, count = interior_point(problem, tolerance, ITERATIONS, slip_speed=problem.slip_speed(p))
        total += count
        for point in (p, newton(problem, p)):
            best = _better(best, _solution(problem, point, tolerance, total, "interior-point"))
        if best.residual < 0.5 * mark:
            mark, marked = best.residual, k
        if best.converged or k - marked >= STALLED:
            break
    return best


def _better(a: FrictionSolution, b: FrictionSolution) -> FrictionSolution:
    return b if b.residual <= a.residual or not np.isfinite(a.residual) else a


def _solution(problem: Problem, p: Array, tolerance: float, iterations: int, method: str) -> FrictionSolution:
    both = problem.residuals(p)
    return FrictionSolution(p, problem.velocity(p), max(both), both, max(both) <= tolerance, iterations, method)


def _checked(A: Any, b: ArrayLike, mu: ArrayLike, bilateral: int) -> Problem:
    """The problem, or ModelError."""
    from scipy import sparse

    where = "solve_friction"
    try:
        b, mu = np.array(b, float), np.array(mu, float)
        matrix = A.tocsr().astype(float) if sparse.issparse(A) else sparse.csr_matrix(np.array(A, float))
        matrix.sum_duplicates()
    except (TypeError, ValueError) as error:
        raise ModelError(f"{where}: A, b and mu must hold numbers: {error}") from None
    if b.ndim != 1 or mu.ndim != 1:
        raise ModelError(f"{where}: b has shape {b.shape} and mu {mu.shape}; both are lists of numbers")
    if not isinstance(bilateral, int) or isinstance(bilateral, bool) or not 0 <= bilateral <= b.size:
        raise ModelError(f"{where}: bilateral = {bilateral!r} must be a number of rows, 0 to {b.size}")
    rows = b.size - bilateral
    if matrix.shape != (b.size, b.size):
        raise ModelError(f"{where}: A has shape {matrix.shape}, but b has {b.size} rows")
    if rows != 2 * mu.size and rows != 3 * mu.size:
        raise ModelError(f"{where}: {rows} rows of contacts for {mu.size} coefficients mu; take 2 rows per contact in the "
                         "plane and 3 in space, normal first")
    if not (np.isfinite(matrix.data).all() and np.isfinite(b).all() and np.isfinite(mu).all()):
        raise ModelError(f"{where}: A, b and mu must be finite")
    if mu.size and mu.min() < 0.0:
        i = int(np.argmin(mu))
        raise ModelError(f"{where}: mu[{i}] = {mu[i]:g} is negative; friction opposes slip, take mu >= 0")
    _refuse_indefinite(where, matrix)
    return Problem(matrix, b, mu, rows // mu.size if mu.size else 3)


def _refuse_indefinite(where: str, A: Any) -> None:
    """ModelError where A takes energy away by more than the rounding of its digits explains."""
    from scipy import linalg, sparse
    from scipy.sparse.linalg import splu

    if not A.shape[0]:
        return
    size = float(abs(A.diagonal()).max())
    symmetric = 0.5 * (A + A.T) + INDEFINITE * max(size, 1e-300) * sparse.identity(A.shape[0])
    if A.shape[0] <= 1000:
        _, failed = linalg.lapack.dpotrf(symmetric.toarray())
        bad = failed != 0
    else:
        factors = splu(symmetric.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        bad = bool((factors.U.diagonal() <= 0.0).any())
    if bad:
        raise ModelError(f"{where}: A is not positive semidefinite; an inverse mass J M⁻¹ Jᵀ is, check its rows and signs")
