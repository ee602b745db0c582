"""Forces of contacts whose modes are known, and whether they may be known so: unilateral, with Coulomb friction.

    a = A λ + b        a_n >= 0,  λ_n >= base,  a_n (λ_n - base) = 0;  base is 0 but in a restitution
    CONE, stick        a_t = 0,   |λ_t| <= mu_s λ_n
    CONE, slip         λ_t = -mu λ_n w,  a_t = |a_t| w
    SLIDING            λ_t = -mu λ_n w,  w given: the contact slides already

a and b are accelerations and λ forces, or velocities and impulses. A may be singular (a box on four corners): then many λ give
the same a. With the modes known, the problem is linear but for the slip directions in space, and Newton's method solves it to
round-off (`polish`), nearest to where it starts; `review` says which conditions fail; `spread` looks for a λ that others
than the smallest may be, where the cones ask for it.
"""

import math
from typing import ClassVar

import numpy as np

from routh.core.impact_flow import N_COEF, N_ROWS
from routh.core.jit import kernel
from routh.core.layout import OPEN, SLIP, STICK, f8, i8
from routh.core.linalg import lu_factor, lu_solve
from routh.core.tables import Tables

MARCH = (N_ROWS + 5, N_COEF)  # shape of the scratch of one impact

# what the tangents of a contact do before: rest, or slide
CONE, SLIDING = range(2)

BLOCK = np.dtype([
    ("first", i8),             # its normal row
    ("count", i8),             # its rows: 1 without friction (stops, ropes), 2 in the plane, 3 in space
    ("friction", i8),          # CONE or SLIDING
    ("mu", f8), ("mu_s", f8),  # sliding and static friction
    ("base", f8),              # least normal force
    ("scale", f8),             # size of accelerations that matters; 0: that of the terms they are summed from
    ("wx", f8), ("wy", f8),    # unit direction of the slip: given where SLIDING, else found; (±1, 0) in the plane
    ("mode", i8),              # found: OPEN, STICK or SLIP; a closed contact of one row is STICK
    ("closed", i8),            # found: 1 where a_n = 0 holds, 0 where λ_n = base
    ("limit", f8),             # sweeps: static friction, or sliding friction once it slipped
    ("turns", i8),             # its slip direction is an unknown of the present step
    ("law", i8),               # impacts only, see impact.py: the hypothesis,
    ("e", f8), ("e_t", f8),    # restitution, Brach's tangential ratio
], align=True)

# rows of `spare`; the last two belong to `impact_many.py`
STEP, SIZE, KEPT, SHARE, FIRST, SHIFTED, MORE, N_SPARE = range(8)


class Solver(Tables):
    """Scratch of solves with at most so many rows."""

    fields: ClassVar = {
        "gate": (i8, 1),       # (1,) address of `complementarity.solve`, see gates.py
        "lu": (f8, 2), "pivot": (i8, 1),
        "spare": (f8, 2),      # (N_SPARE, rows)
        "march": (f8, 2),      # of one impact, see impact_many.py
    }


def new_solver(rows):
    """Scratch for so many rows."""
    return Solver(gate=1, lu=(rows, rows), pivot=rows, spare=(N_SPARE, rows), march=MARCH)


ACCEPT = 1e-12      # conditions hold to this, relative to the terms they are summed from
ROUND_OFF = 1e-16   # of one operation: no step is worth taking where a residual is as small as its sum of terms allows
RIDGE = 1e-6        # of the mean diagonal, at first: self-stress stays below round-off / ridge
BLUNT = 1e-4        # the same where self-stress is looked for
NO_RIDGE = 1e-16    # where shrinking it ends
STEPS = 50          # of one solve
SHARES = 200        # projections in the search for forces within all cones
BEYOND = 1.8        # a projection goes so much farther than to the nearest point
UNIQUE = 1e-9       # of the largest force: a projection that moves them by less has nowhere to go
SWITCHES = 16.0     # times that all failing contacts change their modes; a float, as each integer written out compiles anew


@kernel
def rows_of(block):
    """Number of rows of all contacts."""
    n = 0
    for i in range(block.size):
        n = max(n, block[i].first + block[i].count)
    return n


@kernel
def rows(x, c):
    """The entries of contact c as (n, x, y), zero where it has no such row."""
    f = c.first
    return x[f], (x[f + 1] if c.count > 1 else 0.0), (x[f + 2] if c.count > 2 else 0.0)


@kernel
def denominator(A, c):
    """Normal acceleration per normal force of a contact that slides along its direction."""
    f = c.first
    total = A[f, f]
    if c.count > 1:
        total -= c.mu * c.wx * A[f, f + 1]
    if c.count > 2:
        total -= c.mu * c.wy * A[f, f + 2]
    return total


@kernel
def unknown(c, k, mu):
    """What a unit of unknown k adds to the force of contact c, as (n, x, y). With mu = 0: the equation that finds it."""
    if k == 0:
        if c.closed == 0:
            return 0.0, 0.0, 0.0
        return (1.0, -mu * c.wx, -mu * c.wy) if c.mode == SLIP else (1.0, 0.0, 0.0)
    if c.mode == STICK:
        return (0.0, 1.0, 0.0) if k == 1 else (0.0, 0.0, 1.0)
    return (0.0, -c.wy, c.wx) if k == 1 and c.turns == 1 else (0.0, 0.0, 0.0)


@kernel
def across(A, j, c, n, x, y):
    """(n, x, y) times the rows of contact c, in column j."""
    f = c.first
    total = n * A[f, j]
    if c.count > 1:
        total += x * A[f + 1, j]
    if c.count > 2:
        total += y * A[f + 2, j]
    return total


@kernel
def assemble(A, block, lam, a, ridge, lu):
    """The matrix of the unknowns; slots without one keep a unit diagonal."""
    for i in range(block.size):
        c = block[i]
        for k in range(c.count):
            row = c.first + k
            n, x, y = unknown(c, k, 0.0)
            for j in range(block.size):
                o = block[j]
                gn = across(A, o.first, c, n, x, y)
                gx = across(A, o.first + 1, c, n, x, y) if o.count > 1 else 0.0
                gy = across(A, o.first + 2, c, n, x, y) if o.count > 2 else 0.0
                for m in range(o.count):
                    pn, px, py = unknown(o, m, o.mu)
                    lu[row, o.first + m] = gn * pn + gx * px + gy * py
            lu[row, row] += 1.0 if n == 0.0 and x == 0.0 and y == 0.0 else ridge
            if k == 1 and c.turns == 1:  # slip resists turning
                lu[row, row] += max(a[row] * c.wx + a[row + 1] * c.wy, 0.0) / (c.mu * lam[c.first])


@kernel
def accelerate(A, b, n, lam, a_out, size_out):
    """a = A λ + b, and the size of what was summed."""
    for i in range(n):
        total, size = b[i], abs(b[i])
        for j in range(n):
            term = A[i, j] * lam[j]
            total += term
            size += abs(term)
        a_out[i], size_out[i] = total, size


@kernel
def lack(block, a, size, step_out):
    """Minus what the equations lack; return the largest, relative to the terms of its contact."""
    worst = 0.0
    for i in range(block.size):
        c = block[i]
        an, ax, ay = rows(a, c)
        sn, sx, sy = rows(size, c)
        for k in range(c.count):
            n, x, y = unknown(c, k, 0.0)
            left = n * an + x * ax + y * ay
            step_out[c.first + k] = -left
            if left != 0.0:
                worst = max(worst, abs(left) / max(sn, sx, sy, c.scale))
    return worst


@kernel
def advance(block, step, lam):
    """Add a step of the unknowns to the forces; slip directions turn."""
    for i in range(block.size):
        c = block[i]
        f = c.first
        if c.turns == 1:
            turn = -step[f + 1] / (c.mu * lam[f])
            x, y = c.wx - turn * c.wy, c.wy + turn * c.wx
            size = math.hypot(x, y)
            c.wx, c.wy = x / size, y / size
        if c.closed == 1:
            lam[f] += step[f]
        for k in range(1, c.count):
            if c.mode == STICK:
                lam[f + k] += step[f + k]
            else:
                lam[f + k] = -c.mu * lam[f] * (c.wx if k == 1 else c.wy) if c.mode == SLIP else 0.0


@kernel
def polish(solver, A, b, block, lam, a_out):
    """Solve for the forces of the present modes, from λ on. A ridge that slows convergence shrinks."""
    n = rows_of(block)
    step, size = solver.spare[STEP], solver.spare[SIZE]
    mean = 0.0
    for i in range(n):
        mean += A[i, i] / n
    ridge, last, floor = RIDGE * mean, math.inf, ROUND_OFF * (4 + n)
    for trial in range(STEPS):
        accelerate(A, b, n, lam, a_out, size)
        turning = 0
        for i in range(block.size):  # the first step keeps slip directions, to have forces that turn them
            c = block[i]
            free = trial > 0 and c.mode == SLIP and c.friction == CONE and c.count > 2 and c.mu * lam[c.first] > 0.0
            c.turns = 1 if free else 0
            turning += c.turns
        worst = lack(block, a_out, size, step)
        slow = not worst < 0.3 * last and (turning == 0 or trial % 8 == 7)
        if worst <= floor or ridge <= NO_RIDGE * mean:
            return
        if slow:
            ridge *= 1e-2
        if slow or turning > 0 or trial < 2:
            assemble(A, block, lam, a_out, ridge, solver.lu)
            if not lu_factor(solver.lu, n, solver.pivot):
                return
        lu_solve(solver.lu, n, solver.pivot, step)
        advance(block, step, lam)
        last = worst


@kernel
def review(A, block, lam, a, size, switch):
    """Number of contacts whose conditions fail; the first `switch` of them take the mode that the failure asks for."""
    largest = 0.0
    for i in range(block.size):
        largest = max(largest, abs(lam[block[i].first]))
    bad = 0
    for i in range(block.size):
        c = block[i]
        ln, lx, ly = rows(lam, c)
        an, ax, ay = rows(a, c)
        sn, sx, sy = rows(size, c)
        zero = ACCEPT * max(sn, sx, sy, c.scale)
        none = ACCEPT * largest  # and a force that is lost in the accelerations
        if A[c.first, c.first] > 0.0:
            none += zero / A[c.first, c.first]
        closed, mode, wx, wy = c.closed, c.mode, c.wx, c.wy

        # the normal: a closed contact must not pull, an open one not approach
        fails = not abs(an) <= zero if closed == 1 else not abs(ln - c.base) <= none
        if closed == 0:
            closed = 0 if an >= -zero else 1
        elif not ln >= c.base - none:
            closed = 0
        if closed == 0 and c.base == 0.0:
            mode = OPEN
        elif mode == OPEN:
            mode = SLIP if c.friction == SLIDING and c.count > 1 else STICK

        # the tangents: stick inside the cone, slip along the slip
        elif mode == STICK:
            fails = fails or not math.hypot(ax, ay) <= zero
            pull = math.hypot(lx, ly)
            if pull > c.mu_s * ln + 0.1 * none:  # what holds just so is told from what does not, to a tenth of the rest
                mode, wx, wy = SLIP, -lx / pull, -ly / pull
        elif c.mu * ln > none:
            fails = fails or not math.hypot(lx + c.mu * ln * wx, ly + c.mu * ln * wy) <= none
            if c.friction == CONE:
                mode = STICK if ax * wx + ay * wy < -zero else SLIP
                fails = fails or not abs(ay * wx - ax * wy) <= zero
        elif c.friction == CONE:
            slip = math.hypot(ax, ay)
            if slip > zero:  # without friction the direction only follows
                c.wx, c.wy, wx, wy = ax / slip, ay / slip, ax / slip, ay / slip

        if fails or closed != c.closed or mode != c.mode:
            bad += 1
            if bad > switch:
                continue
            c.closed, c.mode, c.wx, c.wy = closed, mode, wx, wy
    return bad


@kernel
def step_inside(A, b, block, lam, floor, depth):
    """Move the forces of closed contacts to the nearest in cones narrowed by the part `depth`, and that far beyond; return
    whether half of the depth was kept. No contact is asked for more than would stop it alone: others may carry far more.
    """
    kept, slack = True, 0.05 * ACCEPT * floor
    for i in range(block.size):
        c = block[i]
        f = c.first
        if c.closed == 0 or c.base > 0.0:
            continue
        n, x, y = rows(lam, c)
        least, pull = depth * floor, math.hypot(x, y)
        if A[f, f] > 0.0:
            least = depth * min(floor, abs(b[f]) / A[f, f])
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
def reach(solver, A, b, block, depth, lam, a_out):
    """(found, unique): forces of the present modes within all cones, narrowed by up to `depth`, by alternating projections.

    One leads into the cones, one back to what gives the same accelerations; where that ends at the start, forces are unique.
    """
    n, last, step, size = rows_of(block), solver.spare[SHARE], solver.spare[STEP], solver.spare[SIZE]
    for trial in range(SHARES):
        floor = largest = 0.0
        for i in range(block.size):
            floor += abs(lam[block[i].first]) / block.size
        for i in range(n):
            last[i], largest = lam[i], max(largest, abs(lam[i]))
        if step_inside(A, b, block, lam, floor, depth):
            for i in range(n):
                lam[i] = last[i]
            accelerate(A, b, n, lam, a_out, size)
            return review(A, block, lam, a_out, size, 0.0) == 0, False
        for _ in range(STEPS):
            accelerate(A, b, n, lam, a_out, size)
            if lack(block, a_out, size, step) <= ROUND_OFF * (4 + n):
                break
            lu_solve(solver.lu, n, solver.pivot, step)
            advance(block, step, lam)
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
    depth = 0.5
    while True:
        found, unique = reach(solver, A, b, block, depth, lam, a_out)
        if found:
            return True
        if (unique and depth == 0.5) or depth == 0.0:
            break
        depth = 0.25 * depth if depth > ACCEPT else 0.0
    for i in range(n):
        lam[i] = first[i]
    accelerate(A, b, n, lam, a_out, solver.spare[SIZE])
    return False


@kernel
def settle(solver, A, b, block, switches, lam_out, a_out):
    """Solve from zero with the present modes, switched at most so often; return whether every condition holds.

    All at once is quick and may run in circles; one at a time, the first that fails, ends where A is
    regular and nothing rubs ([murty1974]), and mostly elsewhere.
    """
    last = int(switches)
    for k in range(last + 1):
        change = 0.0 if k == last else (1.0 * block.size if k < SWITCHES else 1.0)
        for i in range(block.size):
            c = block[i]
            lam_out[c.first] = c.base
            for j in range(1, c.count):
                lam_out[c.first + j] = -c.mu * c.base * (c.wx if j == 1 else c.wy) if c.mode == SLIP else 0.0
        polish(solver, A, b, block, lam_out, a_out)
        if review(A, block, lam_out, a_out, solver.spare[SIZE], change) == 0:
            return True
    return False
