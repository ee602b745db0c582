"""A second method for the whole march: fine implicit steps on the friction cone.

Each small normal impulse dp brings the tangential impulse d that dissipates most: d within |d| <= mu dp
makes the slip at the end of the step zero if it can, and otherwise opposes it. This is Moreau's scheme in the
normal impulse; it is of first order, so two step sizes are extrapolated.
"""

import numpy as np
import pytest

from routh.sim.impact import resolve_impacts

STEPS = 1500


def march(A, v, mu, p_end, steps):
    """Histories (steps + 1, n, ...) of impulse, velocity and normal work, all cases at once."""
    n, d = v.shape
    a, C = A[:, 1:, 0], A[:, 1:, 1:]
    values, axes = np.linalg.eigh(C)
    dp = (p_end / steps)[:, None]
    u, vn = v[:, 1:].copy(), v[:, 0].copy()
    p = np.zeros((steps + 1, n, d))
    velocity, work = np.zeros((steps + 1, n, d)), np.zeros((steps + 1, n))
    velocity[0] = v
    for k in range(steps):
        free = np.einsum("nji,nj->ni", axes, u + a * dp)  # slip without friction, in principal axes
        lam = np.zeros((n, 1))
        limit = mu[:, None] * dp
        for _ in range(40):  # |d(lam)| = limit by Newton on 1/|d|, from the side where it cannot overshoot
            trial = -free / (values + lam)
            size = np.linalg.norm(trial, axis=1, keepdims=True)
            slope = np.sum(trial**2 / (values + lam), axis=1, keepdims=True)
            step = np.where(size > limit, (size / limit - 1.0) * size**2 / slope, 0.0)
            lam += step
            if np.all(step <= 1e-12 * (lam + values.min())):
                break
        d_t = np.einsum("nij,nj->ni", axes, -free / (values + lam))
        u = u + a * dp + np.einsum("nij,nj->ni", C, d_t)
        new = vn + A[:, 0, 0] * dp[:, 0] + np.sum(a * d_t, axis=1)
        work[k + 1] = work[k] + 0.5 * (vn + new) * dp[:, 0]
        vn = new
        p[k + 1] = p[k] + np.concatenate([dp, d_t], axis=1)
        velocity[k + 1] = np.concatenate([vn[:, None], u], axis=1)
    return p, velocity, work


def finish(p, velocity, work, law, e, v_n):
    """Impulse where the law is satisfied, by linear interpolation in the histories of one case."""

    def crossing(values, level, start):
        k = start + int(np.argmax(values[start:] >= level))
        share = (level - values[k - 1]) / (values[k] - values[k - 1])
        return k, share

    k, s = crossing(velocity[:, 0], 0.0, 1)
    at = lambda x: x[k - 1] + s * (x[k] - x[k - 1])  # noqa: E731
    p_c, w_c = at(p), at(work)
    if law == "newton":
        k, s = crossing(velocity[:, 0], -e * v_n, k)
    elif law == "poisson":
        k, s = crossing(p[:, 0], (1 + e) * p_c[0], k)
    else:
        k, s = crossing(work, (1 - e * e) * w_c, k)
    return at(p)


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_the_march_agrees_with_implicit_steps_on_the_friction_cone(d, law):
    rng = np.random.default_rng([d, 12])
    n = 60
    M = rng.normal(size=(n, d, d))
    A = M @ M.transpose(0, 2, 1) + 0.3 * np.eye(d)
    A = 0.5 * (A + A.transpose(0, 2, 1))
    v = rng.normal(size=(n, d))
    v[:, 0] = -np.abs(v[:, 0]) - 0.2
    v[:5, 1:] = 0.0  # from rest
    e, mu = rng.uniform(0.1, 1.0, n), rng.uniform(0.02, 1.5, n)
    hits = resolve_impacts(A, v, e, mu, law)
    assert len(np.unique(hits.kind)) >= 6

    errors, extrapolated = [], []
    for steps in (STEPS, 2 * STEPS):
        p, velocity, work = march(A, v, mu, 1.02 * hits.impulse[:, 0], steps)
        ends = np.array([finish(p[:, i], velocity[:, i], work[:, i], law, e[i], v[i, 0]) for i in range(n)])
        errors.append(np.linalg.norm(ends - hits.impulse, axis=1) / np.linalg.norm(hits.impulse, axis=1))
        extrapolated.append(ends)
    best = 2.0 * extrapolated[1] - extrapolated[0]
    gap = np.linalg.norm(best - hits.impulse, axis=1) / np.linalg.norm(hits.impulse, axis=1)
    assert errors[1].max() <= 2e-3  # first order in dp: about 1 / steps
    if d == 2:  # straight pieces: exact but for steps in which slip stops, and the linear reading of the work
        assert np.median(errors[1]) <= 1.0 / STEPS**2
    else:
        assert errors[1].mean() <= 0.6 * errors[0].mean()
    assert np.median(gap) <= 1e-6
    assert gap.max() <= 1.0 / STEPS  # a step in which slip stops is not smooth: no gain by extrapolation
