"""Semismooth Newton method on the natural map of the contact problem: from a good guess to round-off in a few steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.sim.cone_errors import Array, Problem, is_dense, project_on_cones

__all__ = ["newton"]

STEPS = 20       # at most
PROXIMAL = 1e-4  # first inverse mass that is added to each contact, against its own; Levenberg and Marquardt's parameter
LEAST = 1e-10    # smallest of them: redundant contacts make the Jacobian singular
PATIENCE = 10    # steps that may lead away: modes of contact settle first, the residual falls after that


@np.errstate(all="ignore")  # steps that lead far away end the iteration, see below
def newton(problem: Problem, p: Array) -> Array:
    """The best impulses that Newton's steps from p reach."""
    best, first = p, max(problem.residuals(p))
    least, proximal, last = first, PROXIMAL, first
    for k in range(STEPS):
        step = _step(problem, p, proximal)
        if step is None:
            break
        p = p + step
        error = max(problem.residuals(p))
        proximal = max(0.1 * proximal, LEAST) if error < last else proximal
        last = error
        if error < least:
            best, least = p, error
        if not error < np.inf or least < 1e-14 or (k >= PATIENCE and error >= 1e2 * first):
            break
    return best


def _step(problem: Problem, p: Array, proximal: float) -> Array | None:
    """One step; None where its equations are singular."""
    from scipy import sparse

    n, d, mu, scale = problem.n, problem.dimension, problem.mu, problem.step
    count, size = mu.size, problem.b.size
    v = problem.velocity(p)
    r, u = p[:n].reshape(count, d), v[:n].reshape(count, d)
    slip = np.linalg.norm(u[:, 1:], axis=1)
    shifted = u.copy()
    shifted[:, 0] += mu * slip
    y = r - shifted / scale[:, None]
    value = np.concatenate([(r - project_on_cones(y, mu)).ravel(), v[n:] / problem.equal])

    change = np.broadcast_to(np.eye(d), (count, d, d)).copy()  # of `shifted` with u
    change[:, 0, 1:] += (mu / np.maximum(slip, 1e-300))[:, None] * u[:, 1:]
    slope = _slope(y, mu)
    index = np.arange(n).reshape(count, d)
    rows, columns = np.repeat(index[:, :, None], d, 2).ravel(), np.repeat(index[:, None, :], d, 1).ravel()

    def spread(blocks: Array, diagonal: Array) -> Any:
        """Blocks of contacts and the diagonal of bilateral rows as one sparse matrix."""
        own = np.arange(n, size)
        return sparse.csr_matrix((np.concatenate([blocks.ravel(), diagonal]),
                                  (np.concatenate([rows, own]), np.concatenate([columns, own]))), shape=(size, size))

    pushed = spread(np.einsum("kij,kjl->kil", slope, change) / scale[:, None, None], 1.0 / problem.equal)
    kept = spread(np.eye(d) - slope, np.zeros(size - n))
    own = sparse.diags(proximal * np.concatenate([np.repeat(scale, d), problem.equal]))
    J = (kept + pushed @ (problem.A + own)).tocsc()
    if is_dense(problem):
        from scipy.linalg import lapack

        _, _, step, failed = lapack.dgesv(J.toarray(), -value)
        return None if failed or not np.isfinite(step).all() else np.asarray(step).ravel()
    from scipy.sparse.linalg import splu

    try:
        step = splu(J).solve(-value)
    except RuntimeError:
        return None
    return step if np.isfinite(step).all() else None


def _slope(y: Array, mu: Array) -> Array:
    """Derivative of the projection on the cones, a block (d, d) per contact."""
    count, d = y.shape
    out = np.zeros((count, d, d))
    tangent = np.linalg.norm(y[:, 1:], axis=1)
    inside, polar = tangent <= mu * y[:, 0], mu * tangent <= -y[:, 0]
    out[inside & (mu > 0.0)] = np.eye(d)
    out[(mu == 0.0) & (y[:, 0] > 0.0), 0, 0] = 1.0
    side = ~inside & ~polar & (mu > 0.0)
    m, length = mu[side], tangent[side]
    s, part = y[side, 1:] / length[:, None], 1.0 / (1.0 + m * m)
    height = part * (y[side, 0] + m * length)
    block = np.empty((m.size, d, d))
    block[:, 0, 0] = part
    block[:, 0, 1:] = block[:, 1:, 0] = (part * m)[:, None] * s
    along = s[:, :, None] * s[:, None, :]
    block[:, 1:, 1:] = (part * m * m)[:, None, None] * along + (m * height / length)[:, None, None] * (np.eye(d - 1) - along)
    out[side] = block
    return out
