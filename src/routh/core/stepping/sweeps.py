"""Projected Gauss-Seidel sweeps over contact points ([jean1999], [moreau1999]).

The unknowns are the impulses p. The change of the speeds that they make is kept beside them, whitened: w = Σ Yᵀ p. The velocity
of a point is then `free` + Y w, so that one visit costs as much as its two bodies have speeds, and no matrix is ever formed.
Between two sweeps the impulses move on along a direction of search, see `solve.py`.
"""

from routh.core.impact.local_contact import local_impulse
from routh.core.jit import kernel


@kernel
def push(step, o, d0, d1, d2):
    """Add a change of impulse of a point to the whitened speeds."""
    row, dof, w, n, at = step.row, step.dof, step.w, o.n_dof, o.dof
    r0 = o.row
    r1 = r0 + n
    r2 = r1 + n
    if o.n_row == 3:
        for k in range(n):
            w[dof[at + k]] += d0 * row[r0 + k] + d1 * row[r1 + k] + d2 * row[r2 + k]
    elif o.n_row == 2:
        for k in range(n):
            w[dof[at + k]] += d0 * row[r0 + k] + d1 * row[r1 + k]
    else:
        for k in range(n):
            w[dof[at + k]] += d0 * row[r0 + k]


@kernel
def velocity_of(step, o):
    """Velocity (normal, tangents) of a point with all impulses so far."""
    row, dof, w, n, at = step.row, step.dof, step.w, o.n_dof, o.dof
    r0 = o.row
    r1 = r0 + n
    r2 = r1 + n
    v0, v1, v2 = o.free[0], 0.0, 0.0
    if o.n_row == 3:
        v1, v2 = o.free[1], o.free[2]
        for k in range(n):
            x = w[dof[at + k]]
            v0 += x * row[r0 + k]
            v1 += x * row[r1 + k]
            v2 += x * row[r2 + k]
    elif o.n_row == 2:
        v1 = o.free[1]
        for k in range(n):
            x = w[dof[at + k]]
            v0 += x * row[r0 + k]
            v1 += x * row[r1 + k]
    else:
        for k in range(n):
            v0 += w[dof[at + k]] * row[r0 + k]
    return v0, v1, v2


@kernel
def visit(step, o):
    """Solve one point with all others fixed; return the change of its velocity that this makes [m/s]."""
    v0, v1, v2 = velocity_of(step, o)
    p0, p1, p2 = o.p[0], o.p[1], o.p[2]
    gain = v0 + o.soft * p0 - o.target
    if p0 == 0.0 and gain >= 0.0 and o.base == 0.0:
        return 0.0
    A = o.A
    if o.n_row == 3:
        bn = gain - (A[0, 0] + o.soft) * p0 - A[0, 1] * p1 - A[0, 2] * p2
        b1 = v1 - A[1, 0] * p0 - A[1, 1] * p1 - A[1, 2] * p2
        b2 = v2 - A[2, 0] * p0 - A[2, 1] * p1 - A[2, 2] * p2
    elif o.n_row == 2:
        bn = gain - (A[0, 0] + o.soft) * p0 - A[0, 1] * p1
        b1, b2 = v1 - A[1, 0] * p0 - A[1, 1] * p1, 0.0
    else:
        bn, b1, b2 = gain - (A[0, 0] + o.soft) * p0, 0.0, 0.0
    n0, n1, n2 = local_impulse(A, o.K, bn, b1, b2, o.mu, o.n_row, o.base)
    d0, d1, d2 = n0 - p0, n1 - p1, n2 - p2
    if d0 == 0.0 and d1 == 0.0 and d2 == 0.0:
        return 0.0
    o.p[0], o.p[1], o.p[2] = n0, n1, n2
    push(step, o, d0, d1, d2)
    return max(abs(d0), abs(d1), abs(d2)) * A[0, 0]


@kernel
def move_on(step, first, last, ratio):
    """Move the points of a stretch on along their directions of search; `ratio` is that of two squared norms.

    Where it is negative the directions are forgotten.
    """
    for k in range(first, last):
        o = step.cone[k]
        for i in range(3):
            d = ratio * o.way[i] if ratio > 0.0 else 0.0
            o.way[i] = d + o.p[i] - o.start[i] if ratio >= 0.0 else 0.0
            o.start[i] = d
        if ratio > 0.0:
            push(step, o, o.start[0], o.start[1], o.start[2])
        for i in range(3):
            o.p[i] += o.start[i]
            o.start[i] = o.p[i]


@kernel
def visit_all(step, first, last):
    """Visit the points of a stretch; return the largest change."""
    worst = 0.0
    for k in range(first, last):
        worst = max(worst, visit(step, step.cone[k]))
    return worst


@kernel
def sweep_on(step, first, last, ratio):
    """Move the points of a stretch on, then sweep over them; return the largest change."""
    move_on(step, first, last, ratio)
    return visit_all(step, first, last)


@kernel
def sweep_back(step, first, last):
    """Sweep over the points of a stretch from its end; return the squared norm of all changes since the sweep began."""
    norm = 0.0
    for k in range(last - 1, first - 1, -1):
        o = step.cone[k]
        visit(step, o)
        norm += ((o.p[0] - o.start[0]) ** 2 + (o.p[1] - o.start[1]) ** 2 + (o.p[2] - o.start[2]) ** 2) * o.A[0, 0]
    return norm
