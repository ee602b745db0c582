"""Interior-point method for the contact problem in De Saxcé's form ([acary2024]).

With x = (mu p_n, p_t) and z = (v_n / mu + |v_t|, v_t) the law of a contact is: x and z lie in Lorentz's cone |x_t| <= x_0, and
x·z = 0. One system holds both:

    z - |z_t| e_0 = M x + c,    x ∘ z = σ μ e

Newton's method in the scaling of Nesterov and Todd, with Mehrotra's predictor and corrector, solves it for falling μ. |z_t| is
part of the equations, so that no outer fixed point is needed. With |z_t| given the problem is convex ([cadoux2009]), and its
solution is always found; it is a step of a fixed-point iteration that solves all long chains of contacts at once. Contacts
without friction have x_t = 0, because their rows of D vanish. Bilateral rows have no cone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from routh.sim.cone_errors import Array, Problem, is_dense

__all__ = ["interior_point"]

BACK = 0.995     # part of the way to the boundary of the cones that a step goes
CENTRING = 1e-6  # least σ: x and z stay apart from the boundary
SHORT = 1e-3     # a step below this is taken again towards the centre
STALLED = 20     # iterations without halving the residual at which it is given up
CONVEX = 1e-10   # mean of x·z, and error of the equations, at which the convex problem is solved; both have entries near one


def _det(a: Array) -> Array:
    """x_0² - |x_t|², without cancellation."""
    tangent = np.sqrt((a[:, 1:] ** 2).sum(axis=1))
    return np.asarray((a[:, 0] - tangent) * (a[:, 0] + tangent))


def _product(a: Array, b: Array) -> Array:
    """Jordan product a ∘ b."""
    out = a[:, :1] * b + b[:, :1] * a
    out[:, 0] = (a * b).sum(axis=1)
    return out


def _way(a: Array, da: Array) -> float:
    """Largest step for which a + step da lies in the cones."""
    A, B, C = _det(da), a[:, 0] * da[:, 0] - (a[:, 1:] * da[:, 1:]).sum(axis=1), _det(a)
    with np.errstate(all="ignore"):
        square = B * B - A * C
        q = -(B + np.copysign(np.sqrt(np.maximum(square, 0.0)), B))
        roots = np.concatenate([np.where((square >= 0.0) & (t > 0.0), t, np.inf) for t in (q / A, C / q)]
                               + [np.where(da[:, 0] < 0.0, -a[:, 0] / da[:, 0], np.inf)])
    return float(np.nanmin(roots, initial=np.inf))


class _Scaling:
    """Nesterov and Todd's scaling T of a pair of points: T x = T⁻¹ z = λ."""

    def __init__(self, x: Array, z: Array) -> None:
        size_x, size_z = np.sqrt(_det(x)), np.sqrt(_det(z))
        unit_x, unit_z = x / size_x[:, None], z / size_z[:, None]
        unit_x[:, 1:] *= -1.0
        mean = (unit_x * unit_z * np.array([1.0] + [-1.0] * (x.shape[1] - 1))).sum(axis=1)
        self.w = (unit_z + unit_x) / np.sqrt(2.0 * (1.0 + mean))[:, None]
        self.theta = np.sqrt(size_z / size_x)
        self.lam = self.times(x)

    def times(self, a: Array, inverse: bool = False) -> Array:
        """T a, or T⁻¹ a."""
        sign = -1.0 if inverse else 1.0
        along = sign * (self.w[:, 1:] * a[:, 1:]).sum(axis=1)
        out = np.empty_like(a)
        out[:, 0] = self.w[:, 0] * a[:, 0] + along
        out[:, 1:] = a[:, 1:] + sign * (a[:, 0] + along / (1.0 + self.w[:, 0]))[:, None] * self.w[:, 1:]
        return np.asarray(out * (1.0 / self.theta if inverse else self.theta)[:, None])

    def square(self) -> Array:
        """T² as blocks (n, d, d)."""
        d = self.w.shape[1]
        return np.asarray(self.theta[:, None, None] ** 2 * (2.0 * self.w[:, :, None] * self.w[:, None, :]
                                                            - np.diag([1.0] + [-1.0] * (d - 1))))

    def divide(self, a: Array) -> Array:
        """The solution s of λ ∘ s = a."""
        first = (self.lam[:, 0] * a[:, 0] - (self.lam[:, 1:] * a[:, 1:]).sum(axis=1)) / _det(self.lam)
        return np.column_stack([first, (a[:, 1:] - first[:, None] * self.lam[:, 1:]) / self.lam[:, :1]])


def _factored(matrix: Any, dense: Array | None, block: Array, rows: Any, columns: Any) -> Callable[[Array], Array] | None:
    """A solver of (matrix + blocks on its diagonal), or None where it is singular."""
    if dense is not None:
        from scipy.linalg import lapack

        K = dense.copy()
        K[rows, columns] += block.ravel()
        lu, pivot, info = lapack.dgetrf(K)
        return None if info else lambda b: np.asarray(lapack.dgetrs(lu, pivot, b)[0])
    from scipy import sparse
    from scipy.sparse.linalg import splu

    K = (matrix + sparse.csc_matrix((block.ravel(), (rows, columns)), shape=matrix.shape)).tocsc()
    try:
        factors = splu(K, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, options={"SymmetricMode": True})
    except RuntimeError:
        return None

    def solve(b: Array) -> Array:
        found = factors.solve(b)
        return np.asarray(found + factors.solve(b - K @ found))

    return solve


@np.errstate(all="ignore")  # x or z on the boundary of a cone ends the iteration, see below
def interior_point(problem: Problem, tolerance: float, most: int, polish: Callable[[Array], Array] | None = None,
                   slip_speed: Array | None = None) -> tuple[Array, int]:
    """(impulses, iterations): the best that was found. `polish` is tried whenever the residual has fallen a hundredfold.

    With `slip_speed`, one number per contact [m/s], it is taken for |v_t| in De Saxcé's term: the answer is that of the convex
    problem, without polish.
    """
    from scipy import sparse

    n, d, mu = problem.n, problem.dimension, problem.mu
    count, rubs = mu.size, mu > 0.0
    # x and z in units of the root of an energy, contact by contact, so that M has entries near one also for unequal masses
    unit = problem.energy / np.sqrt(count)
    D = np.ones((count, d))
    D[:, 0], D[~rubs, 1:] = 1.0 / np.where(rubs, mu, 1.0), 0.0
    full = np.concatenate([(D / np.sqrt(problem.step)[:, None]).ravel(), 1.0 / np.sqrt(problem.equal)])
    M = (sparse.diags(full) @ sparse.csc_matrix(problem.A) @ sparse.diags(full)).tocsc()
    c, dense = full * problem.b / unit, M.toarray() if is_dense(problem) else None
    index = np.arange(n).reshape(count, d)
    rows, columns = np.repeat(index[:, :, None], d, 2).ravel(), np.repeat(index[:, None, :], d, 1).ravel()

    x, free = np.zeros((count, d)), np.zeros(problem.b.size - n)
    x[:, 0] = 1.0
    z = x.copy()
    given = None if slip_speed is None else np.where(rubs, slip_speed, 0.0) / (np.sqrt(problem.step) * unit)
    best, least, polished = np.zeros(problem.b.size), np.inf, np.inf
    mark, marked = np.inf, 0
    for iteration in range(most):
        p = unit * full * np.append(x.ravel(), free)
        mean = float((x * z).sum()) / count
        left = -(M @ np.append(x.ravel(), free) + c)
        left[:n] += z.ravel()
        E = np.broadcast_to(np.eye(d), (count, d, d)).copy()
        if given is None:
            error = max(problem.residuals(p))
            if error < least:
                best, least = p, error
            if polish is not None and (min(error, 1.0) < 1e-2 * polished or error < tolerance):
                polished = error
                better = polish(p)
                error = max(problem.residuals(better))
                if error < least:
                    best, least = better, error
            if least < 0.5 * mark:
                mark, marked = least, iteration
            if least < tolerance or iteration - marked > STALLED:
                return best, iteration
            slip = np.sqrt((z[:, 1:] ** 2).sum(axis=1) + 1e-300)
            left[:n:d] -= slip
            E[:, 0, 1:] -= z[:, 1:] / slip[:, None]
        else:
            best = p
            left[:n:d] -= given
            error = max(mean, float(np.abs(left).max()))
            if error < 0.5 * mark:
                mark, marked = error, iteration
            if error < CONVEX or iteration - marked > STALLED:
                return best, iteration
        scaling = _Scaling(x, z)
        square = scaling.square()
        solve = _factored(M, dense, E @ square, rows, columns)
        if solve is None:
            break

        def direction(sigma: float, second: Array | None, scaling: _Scaling = scaling, E: Array = E, square: Array = square,
                      left: Array = left, solve: Callable[[Array], Array] = solve,
                      mean: float = mean) -> tuple[Array, Array, Array]:
            """Newton's step towards x ∘ z = σ μ e; `second` is what the first order leaves out."""
            inverse = scaling.lam * np.array([1.0] + [-1.0] * (d - 1)) / _det(scaling.lam)[:, None]
            wanted = sigma * mean * inverse - scaling.lam
            if second is not None:
                wanted = wanted - scaling.divide(second)
            push = scaling.times(wanted)
            right = left.copy()
            right[:n] += np.einsum("kij,kj->ki", E, push).ravel()
            step = solve(right)
            dx = step[:n].reshape(count, d)
            return dx, push - np.einsum("kij,kj->ki", square, dx), step[n:]

        dx, dz, _ = direction(0.0, None)
        length = min(1.0, _way(x, dx), _way(z, dz))
        sigma = min(1.0, max(float(((x + length * dx) * (z + length * dz)).sum()) / count / mean, 0.0)) ** 3
        dx, dz, more = direction(max(sigma, CENTRING), _product(scaling.times(dx), scaling.times(dz, inverse=True)))
        if not (np.isfinite(dx).all() and np.isfinite(dz).all()):
            break
        length = min(1.0, BACK * _way(x, dx), BACK * _way(z, dz))
        if length < SHORT:
            dx, dz, more = direction(0.8, None)
            length = min(1.0, BACK * _way(x, dx), BACK * _way(z, dz))
        while not ((_det(x + length * dx) > 0.0).all() and (_det(z + length * dz) > 0.0).all()):
            length *= 0.7  # round-off at the boundary
            if length < 1e-12:
                return best, iteration
        x, z, free = x + length * dx, z + length * dz, free + length * more
    return best, most
