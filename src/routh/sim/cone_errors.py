"""How far impulses are from solving the contact problem (A, b, mu): projections on Coulomb's cones, and two residuals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Problem", "is_dense", "project_on_cones"]

Array = NDArray[np.float64]

SMALL, LARGE = 60, 3000  # rows below which dense factorisations are faster, and above which they are not taken
FULL = 0.15              # part of entries that are not zero from which they are faster in between


def project_on_cones(r: Array, mu: Array) -> Array:
    """The nearest points (n, d) of the cones |r_t| <= mu r_n."""
    normal, tangent = r[:, 0], np.linalg.norm(r[:, 1:], axis=1)
    out = r.copy()
    out[mu * tangent <= -normal] = 0.0
    side = (tangent > mu * normal) & (mu * tangent > -normal)
    height = (normal[side] + mu[side] * tangent[side]) / (1.0 + mu[side] ** 2)
    out[side, 0] = height
    out[side, 1:] *= (mu[side] * height / tangent[side])[:, None]
    return out


class Problem:
    """The contact problem with its scales: contacts first, then bilateral rows, whose velocity must vanish.

    The *plain* residual is that of Siconos: the natural map with step 1, against the largest of |b|, |p|, |v|. It depends on
    the units. The *scaled* residual takes the step 1 / l of each contact, where l is the mean diagonal of its block, and
    compares energies with the energy of b. It does not depend on the units. Where no impulses solve the problem, those of a
    method grow until v is lost beside them; so the scaled residual is at least the round-off of the impulses.
    """

    def __init__(self, A: Any, b: Array, mu: Array, dimension: int) -> None:
        self.A, self.b, self.mu, self.dimension = A, b, mu, dimension
        self.n = mu.size * dimension  # rows of contacts
        diagonal = A.diagonal()
        mean = diagonal[: self.n].reshape(-1, dimension).mean(axis=1) if mu.size else np.zeros(0)
        fallback = mean.max(initial=0.0) or 1.0
        self.step = np.where(mean > 0.0, mean, fallback)  # l of each contact
        self.equal = np.where(diagonal[self.n:] > 0.0, diagonal[self.n:], 1.0)
        self.energy = float(np.sqrt((b[: self.n].reshape(-1, dimension) ** 2 / self.step[:, None]).sum()
                                    + (b[self.n:] ** 2 / self.equal).sum()))

    def velocity(self, p: Array) -> Array:
        """v = A p + b."""
        v: Array = self.A @ p + self.b
        return v

    def slip_speed(self, p: Array) -> Array:
        """|v_t| of each contact."""
        return np.asarray(np.linalg.norm(self.velocity(p)[: self.n].reshape(-1, self.dimension)[:, 1:], axis=1))

    @np.errstate(over="ignore", invalid="ignore")
    def residuals(self, p: Array) -> tuple[float, float]:
        """(plain, scaled) residual of impulses; both infinite where numbers overflow."""
        v = self.velocity(p)
        r, u = p[: self.n].reshape(-1, self.dimension), v[: self.n].reshape(-1, self.dimension)
        shifted = u.copy()
        shifted[:, 0] += self.mu * np.linalg.norm(u[:, 1:], axis=1)  # De Saxcé's change of variable
        plain = np.linalg.norm(np.append(r - project_on_cones(r - shifted, self.mu), v[self.n:]))
        size = max(np.linalg.norm(self.b), np.linalg.norm(p), np.linalg.norm(v))
        off = r - project_on_cones(r - shifted / self.step[:, None], self.mu)
        # a map of impulses that dwarf the velocities is round-off: it shows no error below that of the impulses themselves
        blind = np.finfo(float).eps * np.sqrt((self.step[:, None] * r ** 2).sum())
        scaled = max(np.sqrt((self.step[:, None] * off ** 2).sum() + (v[self.n:] ** 2 / self.equal).sum()), blind)
        both = (float(plain / size) if size > np.finfo(float).eps else float(plain),
                float(scaled / self.energy) if self.energy > 0.0 else float(scaled))
        return both if np.isfinite(both).all() else (np.inf, np.inf)


def is_dense(problem: Problem) -> bool:
    """Whether a dense factorisation of A is faster than a sparse one."""
    size, entries = problem.b.size, problem.A.nnz
    return size <= SMALL or (size <= LARGE and entries > FULL * size * size)
