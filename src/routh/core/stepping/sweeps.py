"""Impulses of a step: projected Gauss-Seidel sweeps over the contact points of each island ([jean1999], [moreau1999]).

The unknowns are the impulses p. The change of the speeds that they make is kept beside them, whitened: w = Σ Yᵀ p. The velocity
of a point is then `free` + Y w, so that one visit costs as much as its two bodies have speeds, and no matrix is ever formed.
Sweeps begin with the impulses of the last step, and nonlinear conjugate gradients make them faster.
"""

import math

from routh.core.jit import kernel
from routh.core.stepping.local_contact import local_impulse, prepare

BACK = 6              # sweeps that take penetration back; what they leave, the next steps do
SEPARATED = 4.0       # times the deepest penetration: a gap that taking it back does not close


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
def solve_island(step, island, tolerance, most):
    """Sweep over the points of one island until no velocity changes by more than the tolerance; return (sweeps, residual).

    The tolerance is relative to the largest normal velocity that the impulses must change.
    """
    first, last = step.island[island], step.island[island + 1]
    scale = 0.0
    for k in range(first, last):
        o = step.point[step.order[k]]
        scale = max(scale, o.target - o.free[0])
        if o.n_row > 1:
            scale = max(scale, min(math.sqrt(o.free[1] ** 2 + o.free[2] ** 2), o.mu * (o.target - o.free[0])))
    if scale <= 0.0:
        for k in range(first, last):
            o = step.point[step.order[k]]
            push(step, o, -o.p[0], -o.p[1], -o.p[2])
            o.p[0] = o.p[1] = o.p[2] = 0.0
        return 0, 0.0
    worst, norm = math.inf, math.inf
    for trial in range(most // 2 + 1):
        for k in range(first, last):
            o = step.point[step.order[k]]
            for i in range(3):
                o.start[i] = o.p[i]
                if trial == 0:
                    o.way[i] = 0.0
        worst = 0.0
        for k in range(first, last):
            worst = max(worst, visit(step, step.point[step.order[k]]))
        if worst <= tolerance * scale:
            return 2 * trial + 1, worst / scale
        for k in range(last - 1, first - 1, -1):
            visit(step, step.point[step.order[k]])
        norm = accelerate(step, first, last, norm)
    return 2 * (most // 2 + 1), worst / scale


@kernel
def accelerate(step, first, last, norm):
    """Move the impulses on along the direction of nonlinear conjugate gradients; return the squared norm of the last change.

    A sweep to and fro is a symmetric preconditioner, and what it changes is the preconditioned gradient. Where the change grew
    the direction is forgotten ([silcowitz2010]).
    """
    new = 0.0
    for k in range(first, last):
        o = step.point[step.order[k]]
        new += ((o.p[0] - o.start[0]) ** 2 + (o.p[1] - o.start[1]) ** 2 + (o.p[2] - o.start[2]) ** 2) * o.A[0, 0]
    ratio = new / norm if norm < math.inf and norm > 0.0 else 0.0
    for k in range(first, last):
        o = step.point[step.order[k]]
        if ratio > 1.0:
            o.way[0] = o.way[1] = o.way[2] = 0.0
            continue
        if ratio > 0.0:
            d0, d1, d2 = ratio * o.way[0], ratio * o.way[1], ratio * o.way[2]
            o.way[0], o.way[1], o.way[2] = d0 + o.p[0] - o.start[0], d1 + o.p[1] - o.start[1], d2 + o.p[2] - o.start[2]
            o.p[0], o.p[1], o.p[2] = o.p[0] + d0, o.p[1] + d1, o.p[2] + d2
            push(step, o, d0, d1, d2)
        else:
            o.way[0], o.way[1], o.way[2] = o.p[0] - o.start[0], o.p[1] - o.start[1], o.p[2] - o.start[2]
    return new


@kernel
def start_impulses(step):
    """Begin with the impulses of the last step."""
    for k in range(step.w.size):
        step.w[k] = 0.0
    for k in range(step.control[0].n_point):
        o = step.point[k]
        prepare(o.A, o.soft, o.n_row, o.K)
        if o.p[0] <= 0.0 or o.A[0, 0] <= 0.0:
            o.p[0] = o.p[1] = o.p[2] = 0.0
        if o.n_row < 3:
            o.p[2] = 0.0
        if o.n_row < 2:
            o.p[1] = 0.0
        push(step, o, o.p[0], o.p[1], o.p[2])


@kernel
def solve_islands(step):
    """Impulses of all points; return the largest residual of an island."""
    control, worst = step.control[0], 0.0
    for island in range(control.n_island):
        sweeps, residual = solve_island(step, island, control.tolerance, control.most_sweeps)
        control.sweeps += sweeps
        worst = max(worst, residual)
    return worst


@kernel
def expand(step):
    """Poisson's second phase: points that were compressed give at least e times that impulse; return whether any was.

    Only the part of the impulse counts that stopped the approach, not what forces added to it within the step: alone, a point
    gets the velocity of Newton's law.
    """
    found = False
    for k in range(step.control[0].n_point):
        o = step.point[k]
        if o.poisson == 1 and o.hits == 1 and o.e > 0.0 and o.p[0] > 0.0:
            o.base = (1.0 - o.bounce / min(o.before[0], o.free[0])) * o.p[0]
            found = True
    return found


@kernel
def separate(step):
    """Displacements that take back penetration, into `shift`: no velocity comes from them. Return whether there are any.

    The least displacement in kinetic energy with gap + Y shift ≥ 0 at every point, by sweeps over the normals. Where no point
    is deeper than its slack nothing is done.
    """
    control = step.control[0]
    found, least, deepest = False, math.inf, 0.0
    for k in range(control.n_point):
        o = step.point[k]
        o.pushed = 0.0
        if o.soft == 0.0:
            found = found or o.gap < -o.slack
            least, deepest = min(least, o.slack), max(deepest, -o.gap)
            if -o.gap > control.depth * o.size:
                control.depth, control.deep_i, control.deep_j = -o.gap / o.size, o.i, o.j
    if not found:
        return False
    row, dof, shift = step.row, step.dof, step.shift
    for k in range(shift.size):
        shift[k] = 0.0
    for sweep in range(min(control.most_sweeps, BACK)):
        worst = 0.0
        for i in range(control.n_point):
            o = step.point[i if sweep % 2 == 0 else control.n_point - 1 - i]
            if o.soft > 0.0 or o.gap > SEPARATED * deepest or o.A[0, 0] <= 0.0:
                continue
            left = o.gap
            for k in range(o.n_dof):
                left += shift[dof[o.dof + k]] * row[o.row + k]
            if left >= 0.0 and o.pushed == 0.0:
                continue
            new = max(o.pushed - left / o.A[0, 0], 0.0)
            change = new - o.pushed
            o.pushed = new
            for k in range(o.n_dof):
                shift[dof[o.dof + k]] += change * row[o.row + k]
            worst = max(worst, abs(change) * o.A[0, 0])
        if worst <= 0.1 * least:
            break
    return True
