"""Shares of redundant contacts: forces other than the smallest, where the cones ask for them.

With the modes known, many forces may give the same accelerations. Alternating projections look for some within all cones, and
deep within, so that they can follow a changing load for a while. Near the static limit of all, where cones leave little room,
friction is shared so that each contact uses the same part of its cone. Where both fail, pivoting finds a start.
"""

import math

from routh.core.cone_forces import (
    ACCEPT,
    EASE,
    FIRST,
    ROUND_OFF,
    SCALE,
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
QUICK = 30          # the same at first, as most are found at once
WISHES = 20         # of them in which every contact is to carry its part
LITTLE = 1e-3       # of the largest force: as soon as a projection moves them by less, wishes end
BEYOND = 1.8        # a projection goes so much farther than to the nearest point
UNIQUE = 1e-9       # of the largest force: a projection that moves them by less has nowhere to go
GIVE = 1e-6         # ridge of pivoting, whose table has entries about 1
DEEPEST = 0.5       # part by which cones are narrowed at first
LAST = 1e-11        # before none: what projections come to on a cone itself may be outside by round-off
EVENLY = 100        # times that the weights of friction change until contacts use the same part of their cones
STIFF = 0.3         # of friction: how far normal forces are moved along
UNUSED = 1e-3       # of the largest part used: weights count a contact that uses less as using this
SHALLOW = 1e-3      # in space projections look for forces down to this depth though pivoting finds none


@kernel
def step_inside(A, b, block, lam, floor, depth, wish):
    """Move the forces of closed contacts to the nearest in cones narrowed by the part `depth`, and that far beyond; return
    whether half of the depth was kept.

    No contact should be near its lift-off, either. But it is not asked for more than would stop it alone, as others may carry
    far more, and not for anything without a `wish`, as its normal force may be known, and small.
    """
    kept, slack = True, 0.05 * ACCEPT * floor
    for i in range(block.size):
        c = block[i]
        f = c.first
        if c.closed == 0 or c.base > 0.0:
            continue
        n, x, y = rows(lam, c)
        least, pull = depth * floor if wish else 0.0, math.hypot(x, y)
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
def factor_scaled(solver, A, block, lam, a_out):
    """Factor the equations of the present modes in forces over their `SCALE`; return whether they can be."""
    n, lu, scale, mean = rows_of(block), solver.lu, solver.spare[SCALE], 0.0
    assemble(A, block, lam, a_out, 0.0, lu)
    for i in range(n):
        for j in range(n):
            lu[i, j] *= scale[i] * scale[j]
        mean += A[i, i] * scale[i] ** 2 / n
    for i in range(n):
        lu[i, i] += BLUNT * mean
    return lu_factor(lu, n, solver.pivot)


@kernel
def lead_back(solver, A, b, block, lam, a_out):
    """Correct forces until they give the accelerations that the present modes want; return what these lack in the end.

    They move as little as they can, against their scales.
    """
    n, step, size, scale = rows_of(block), solver.spare[STEP], solver.spare[SIZE], solver.spare[SCALE]
    lacking = math.inf
    for trial in range(STEPS + 1):
        accelerate(A, b, n, lam, a_out, size)
        lacking = lack(block, a_out, size, step)
        if trial == STEPS or lacking <= ROUND_OFF * (4 + n):
            break
        for i in range(n):
            step[i] *= scale[i]
        lu_solve(solver.lu, n, solver.pivot, step)
        for i in range(n):
            step[i] *= scale[i]
        advance(block, step, lam)
    return lacking


@kernel
def weigh_friction(block, lam, scale_out, ease):
    """Scales by which friction is shared in proportion to normal force and ease; friction of what sticks starts from zero."""
    mean = 0.0
    for i in range(block.size):
        mean += max(lam[block[i].first], 0.0) / block.size
    for i in range(block.size):
        c = block[i]
        scale_out[c.first] = STIFF
        for k in range(c.first + 1, c.first + c.count):
            scale_out[k] = math.sqrt(ease[c.first] * max(lam[c.first] / mean, LITTLE)) if mean > 0.0 else 1.0
            if c.mode == STICK:
                lam[k] = 0.0


@kernel
def parts_used(block, lam, scale, part_out):
    """Part of its cone that each contact which sticks uses: written, and (the largest, what it cannot fall below).

    The latter is the mean of their squares by the weights that these forces are the smallest for.
    """
    most = used = weights = 0.0
    for i in range(block.size):
        c = block[i]
        n, x, y = rows(lam, c)
        part_out[c.first] = 0.0
        if c.closed == 0 or c.base > 0.0:
            continue
        if not n > 0.0:
            most = math.inf
        elif c.mode == STICK and c.count > 1:
            pull, weight = math.hypot(x, y), (c.mu_s * n / scale[c.first + 1]) ** 2
            part_out[c.first] = pull / (c.mu_s * n)
            most = max(most, part_out[c.first])
            used += weight * part_out[c.first] ** 2
            weights += weight
    return most, math.sqrt(used / weights) if weights > 0.0 else 0.0


@kernel
def share_evenly(solver, A, b, block, lam, a_out):
    """Forces of the present modes of which each contact uses nearly the same part of its cone; return whether all are within.

    By [lawson1961]: those of least weighted squares, with weights that grow where more than the mean is used.
    """
    scale, ease, part = solver.spare[SCALE], solver.spare[EASE], solver.spare[SHARE]
    for i in range(block.size):
        ease[block[i].first] = 1.0
    for trial in range(EVENLY):
        weigh_friction(block, lam, scale, ease)
        if not factor_scaled(solver, A, block, lam, a_out):
            return False
        lead_back(solver, A, b, block, lam, a_out)
        most, least = parts_used(block, lam, scale, part)
        if most <= 0.5 * (1.0 + least) - LAST or trial == EVENLY - 1:
            return most <= 1.0 - LAST and review(A, b, block, lam, a_out, solver.spare[SIZE], 0.0) == 0
        if least > 1.0:
            return False
        easiest = 0.0
        for i in range(block.size):
            f = block[i].first
            if block[i].mode == STICK:
                ease[f] /= max(part[f], UNUSED * min(most, 1.0))
                easiest = max(easiest, ease[f])
        for i in range(block.size):
            f = block[i].first
            if block[i].mode == STICK:
                ease[f] = max(ease[f] / easiest, LITTLE)
    return False


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
def reach(solver, A, b, block, depth, trials, lam, a_out):
    """(found, unique): forces of the present modes within all cones, narrowed by up to `depth`, by alternating projections.

    One leads into the cones, one back to what gives the same accelerations; where that ends at the start, forces are unique.
    """
    n, last, size = rows_of(block), solver.spare[SHARE], solver.spare[SIZE]
    wish = True
    for trial in range(trials):
        floor = largest = 0.0
        for i in range(block.size):
            floor += abs(lam[block[i].first]) / block.size
        for i in range(n):
            last[i], largest = lam[i], max(largest, abs(lam[i]))
        wish = wish and trial < WISHES
        if step_inside(A, b, block, lam, floor, depth, wish):
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
        if not moved > (LITTLE if wish else ROUND_OFF) * largest:
            if not wish:
                break
            wish = False
    return False, False


@kernel
def spread(solver, A, b, block, lam, a_out):
    """Share the forces of the present modes so that they are within all cones, as deep as can be; return whether they can be.

    From deep within they can follow a changing load for a while. Pivoting tells how deep that is, in the plane for sure: in
    space its pyramids are narrower than the cones.
    """
    n, first, space = rows_of(block), solver.spare[FIRST], False
    for i in range(block.size):
        c = block[i]
        c.turns, space = 0, space or c.count > 2
        if c.closed == 0 and a_out[c.first] < -ACCEPT * max(solver.spare[SIZE, c.first], c.scale):
            return False  # what approaches needs another mode
    for i in range(n):
        first[i], solver.spare[SCALE, i] = lam[i], 1.0
    if not factor_scaled(solver, A, block, lam, a_out):
        return False
    for i in range(n):
        lam[i] = 0.0
    possible = lead_back(solver, A, b, block, lam, a_out) <= ACCEPT
    for i in range(n):
        lam[i] = first[i]
    depth, found, unique = DEEPEST, False, False
    if possible:
        found, unique = reach(solver, A, b, block, depth, QUICK, lam, a_out)
    if possible and not (found or unique):
        for i in range(n):
            lam[i] = first[i]
        found = share_evenly(solver, A, b, block, lam, a_out)
    if possible and not (found or unique):
        for i in range(n):
            lam[i], solver.spare[SCALE, i] = first[i], 1.0
        factor_scaled(solver, A, block, lam, a_out)
    while possible and not (found or unique):
        dealt = deal_out(solver, A, b, block, depth, lam, a_out)
        if not dealt:
            for i in range(n):
                lam[i] = first[i]
        if dealt or depth == 0.0 or (space and depth > SHALLOW):
            found, _ = reach(solver, A, b, block, depth, SHARES, lam, a_out)
        if depth == 0.0:
            break
        if depth > GIVE:
            depth *= 0.25
        else:
            depth = LAST if depth > LAST else 0.0
    if not found:
        for i in range(n):
            lam[i] = first[i]
        accelerate(A, b, n, lam, a_out, solver.spare[SIZE])
    return found
