"""Impulses of a step, island by island: sweeps to and fro, made faster by nonlinear conjugate gradients.

Sweeps begin with the impulses of the last step. A large island is cut into domains, which threads share.
"""

import math

from routh.core.jit import kernel
from routh.core.stepping.sharing import BACKWARD, FORWARD, JOINTS_BACKWARD, JOINTS_FORWARD, JOINTS_MOVE, share_out
from routh.core.stepping.sweeps import move_on, push, sweep_back, sweep_on, visit_all
from routh.core.tables.stepping import N_DOMAIN, REST


@kernel
def begin_search(step, first, last):
    """Velocity that the impulses of an island must change, the scale of its errors; directions of search begin as zero."""
    scale = 0.0
    for k in range(first, last):
        o = step.cone[k]
        scale = max(scale, o.target - o.free[0])
        if o.n_row > 1:
            scale = max(scale, min(math.sqrt(o.free[1] ** 2 + o.free[2] ** 2), o.mu * (o.target - o.free[0])))
        if o.given == 1:
            scale = max(scale, min(math.sqrt(o.free[1] ** 2 + o.free[2] ** 2), o.mu * o.base * o.A[0, 0]))
        for i in range(3):
            o.start[i], o.way[i] = o.p[i], 0.0
    return scale


@kernel
def solve_island(system, work, step, island, tolerance, most):
    """Sweep over the points of one island until no velocity changes by more than the tolerance; return (sweeps, residual).

    The tolerance is relative to the largest velocity that the impulses must change. A sweep to and fro is a symmetric
    preconditioner, and what it changes is the preconditioned gradient of nonlinear conjugate gradients: the impulses move on
    along the direction of search by the ratio of two squared norms; where the change grew it is forgotten ([silcowitz2010]).
    """
    first, last = step.island[island], step.island[island + 1]
    shared = island == step.control[0].largest
    scale = begin_search(step, first, last)
    if scale <= 0.0:
        for k in range(first, last):
            o = step.cone[k]
            push(step, o, -o.p[0], -o.p[1], -o.p[2])
            o.p[0] = o.p[1] = o.p[2] = 0.0
        return 0, 0.0
    norm, ratio, trial = 0.0, -1.0, 0
    while True:
        worst = share_on(system, work, step, ratio) if shared else sweep_on(step, first, last, ratio)
        if worst <= tolerance * scale or 2 * trial + 1 >= most:
            return 2 * trial + 1, worst / scale
        new = share_back(system, work, step) if shared else sweep_back(step, first, last)
        ratio = 0.0 if norm == 0.0 else (new / norm if new <= norm else -1.0)
        norm = new
        trial += 1


@kernel
def share_on(system, work, step, ratio):
    """`sweep_on` over the domains of a large island, in several threads if there are any; then over its joints and the rest.

    Directions of joints and rest come first, because their points push bodies of two domains.
    """
    first, last = step.cut[REST], step.cut[REST + 1]
    step.partial[N_DOMAIN] = ratio
    move_on(step, first, last, ratio)
    share_out(system, work, step, JOINTS_MOVE)
    share_out(system, work, step, FORWARD)
    worst = largest(step)
    share_out(system, work, step, JOINTS_FORWARD)
    return max(worst, largest(step), visit_all(step, first, last))


@kernel
def largest(step):
    """Largest result of the domains."""
    worst = 0.0
    for d in range(N_DOMAIN):
        worst = max(worst, step.partial[d])
    return worst


@kernel
def share_back(system, work, step):
    """`sweep_back` over the rest of a large island, then over its joints, then over its domains."""
    total = sweep_back(step, step.cut[REST], step.cut[REST + 1])
    share_out(system, work, step, JOINTS_BACKWARD)
    for d in range(N_DOMAIN):
        total += step.partial[d]
    share_out(system, work, step, BACKWARD)
    for d in range(N_DOMAIN):
        total += step.partial[d]
    return total


@kernel
def take_given(step):
    """Begin with the impulses that another solver found for this step."""
    for k in range(step.control[0].n_point):
        for i in range(3):
            step.cone[k].p[i] = step.given[3 * k + i]


@kernel
def start_impulses(step):
    """Begin with the impulses of the last step, or with those that were given."""
    for k in range(step.w.size):
        step.w[k] = 0.0
    for k in range(step.control[0].n_point):
        o = step.cone[k]
        if o.p[0] <= 0.0 or o.A[0, 0] <= 0.0:
            o.p[0] = o.p[1] = o.p[2] = 0.0
        if o.n_row < 3:
            o.p[2] = 0.0
        if o.n_row < 2:
            o.p[1] = 0.0
        push(step, o, o.p[0], o.p[1], o.p[2])


@kernel
def solve_islands(system, work, step):
    """Impulses of all points; return the largest residual of an island."""
    control, worst = step.control[0], 0.0
    for island in range(control.n_island):
        sweeps, residual = solve_island(system, work, step, island, control.tolerance, control.most_sweeps)
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
        x = step.cone[k]
        o = step.point[x.point]
        if o.poisson == 1 and o.hits == 1 and o.e > 0.0 and x.p[0] > 0.0:
            x.base = (1.0 - o.bounce / min(o.before[0], o.free[0])) * x.p[0]
            found = True
    return found
