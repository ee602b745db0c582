"""Shares of redundant contacts: forces other than the smallest, where the cones ask for them.

With the modes known, many forces may give the same accelerations. Alternating projections look for some within all cones, and
deep within, so that they can follow a changing load for a while. Where these creep, pivoting finds a start.
"""

import math

from routh.core.cone_forces import (
    ACCEPT,
    FIRST,
    ROUND_OFF,
    SHARE,
    SIZE,
    STEP,
    STEPS,
    accelerate,
    advance,
    assemble,
    lack,
    review,
    rows,
    rows_of,
)
from routh.core.jit import kernel
from routh.core.layout import SLIP, STICK
from routh.core.linalg import lu_factor, lu_solve
from routh.core.pivoting import pivot_forces

BLUNT = 1e-4        # ridge, of the mean diagonal
SHARES = 200        # projections in the search for forces within all cones
BEYOND = 1.8        # a projection goes so much farther than to the nearest point
UNIQUE = 1e-9       # of the largest force: a projection that moves them by less has nowhere to go
GIVE = 1e-6         # ridge of pivoting, whose table has entries about 1
IDLE = 1e-6         # of the mean normal force: a contact with less carries nothing
SHALLOW = 1e-3      # depth below which pivoting is not asked


@kernel
def step_inside(A, b, block, lam, first, floor, depth, idle):
    """Move the forces of closed contacts to the nearest in cones narrowed by the part `depth`, and that far beyond; return
    whether half of the depth was kept.

    No contact should be near its lift-off, either. But it is not asked for more than would stop it alone, as others may carry
    far more, and not for anything if it carried no more than `idle` of the mean at `first`.
    """
    kept, slack = True, 0.05 * ACCEPT * floor
    for i in range(block.size):
        c = block[i]
        f = c.first
        if c.closed == 0 or c.base > 0.0:
            continue
        n, x, y = rows(lam, c)
        least, pull = depth * floor if first[f] > idle * floor else 0.0, math.hypot(x, y)
        if A[f, f] > 0.0:
            least = min(least, depth * abs(b[f]) / A[f, f])
        kept = kept and n >= 0.5 * least - slack and (c.mode != STICK or pull <= (1.0 - 0.5 * depth) * c.mu_s * n + slack)
        to, share = max(n, least), 1.0
        mu = (1.0 - depth) * c.mu_s
        if c.mode == STICK and pull > mu * n:
            to = max((n + mu * pull) / (1.0 + mu * mu), least)
            share = mu * to / pull
        lam[f] = n + BEYOND * (to - n)
        for k in range(1, c.count):
            if c.mode == SLIP:
                lam[f + k] = -c.mu * lam[f] * (c.wx if k == 1 else c.wy)
            else:
                lam[f + k] *= 1.0 + BEYOND * (share - 1.0)
    return kept


@kernel
def lead_back(solver, A, b, block, lam, a_out):
    """Correct forces until they give the accelerations that the present modes want."""
    n, step, size = rows_of(block), solver.spare[STEP], solver.spare[SIZE]
    for _ in range(STEPS):
        accelerate(A, b, n, lam, a_out, size)
        if lack(block, a_out, size, step) <= ROUND_OFF * (4 + n):
            return
        lu_solve(solver.lu, n, solver.pivot, step)
        advance(block, step, lam)


@kernel
def deal_out(solver, A, b, block, depth, lam, a_out):
    """Forces of the present modes by pivoting with narrower cones, as contacts that give way a little would share them.

    Return whether there are any.
    """
    if not pivot_forces(solver, A, b, block, GIVE, depth, lam, a_out, solver.spare[SIZE])[0]:
        return False
    for i in range(block.size):
        c = block[i]
        f = c.first
        if c.closed == 0:
            lam[f] = c.base
        for k in range(1, c.count if c.mode != STICK else 1):
            lam[f + k] = -c.mu * lam[f] * (c.wx if k == 1 else c.wy) if c.mode == SLIP else 0.0
    lead_back(solver, A, b, block, lam, a_out)
    return True


@kernel
def reach(solver, A, b, block, depth, idle, lam, a_out):
    """(found, unique): forces of the present modes within all cones, narrowed by up to `depth`, by alternating projections.

    One leads into the cones, one back to what gives the same accelerations; where that ends at the start, forces are unique.
    """
    n, last, size, first = rows_of(block), solver.spare[SHARE], solver.spare[SIZE], solver.spare[FIRST]
    for trial in range(SHARES):
        floor = largest = 0.0
        for i in range(block.size):
            floor += abs(lam[block[i].first]) / block.size
        for i in range(n):
            last[i], largest = lam[i], max(largest, abs(lam[i]))
        if step_inside(A, b, block, lam, first, floor, depth, idle):
            for i in range(n):
                lam[i] = last[i]
            accelerate(A, b, n, lam, a_out, size)
            return review(A, b, block, lam, a_out, size, 0.0) == 0, False
        lead_back(solver, A, b, block, lam, a_out)
        moved = 0.0
        for i in range(n):
            moved = max(moved, abs(lam[i] - last[i]))
        if trial == 0 and not moved > UNIQUE * largest:
            return False, True
        if not moved > ROUND_OFF * largest:
            break
    return False, False


@kernel
def spread(solver, A, b, block, lam, a_out):
    """Share the forces of the present modes so that they are within all cones, as deep as can be; return whether they can be.

    From deep within they can follow a changing load for a while.
    """
    n, first, mean = rows_of(block), solver.spare[FIRST], 0.0
    for i in range(block.size):
        c = block[i]
        c.turns = 0
        if c.closed == 0 and a_out[c.first] < -ACCEPT * max(solver.spare[SIZE, c.first], c.scale):
            return False  # what approaches needs another mode
    for i in range(n):
        first[i] = lam[i]
        mean += A[i, i] / n
    assemble(A, block, lam, a_out, BLUNT * mean, solver.lu)
    if not lu_factor(solver.lu, n, solver.pivot):
        return False
    depth, idle = 0.5, -1.0  # every contact is to carry something
    while True:
        found, unique = reach(solver, A, b, block, depth, idle, lam, a_out)
        if not (found or unique) and depth > SHALLOW and deal_out(solver, A, b, block, depth, lam, a_out):
            found, _ = reach(solver, A, b, block, depth, idle, lam, a_out)
        if found:
            return True
        if (unique and depth == 0.5) or depth == 0.0:
            break
        depth = 0.25 * depth if depth > ACCEPT else 0.0
        if depth < SHALLOW and idle < 0.0:  # or but those that did before
            depth, idle = 0.5, IDLE
            for i in range(n):
                lam[i] = first[i]
    for i in range(n):
        lam[i] = first[i]
    accelerate(A, b, n, lam, a_out, solver.spare[SIZE])
    return False
