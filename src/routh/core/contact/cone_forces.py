"""Forces of contacts whose modes are known, and whether they may be known so: unilateral, with Coulomb friction.

    a = A λ + b        a_n >= 0,  λ_n >= base,  a_n (λ_n - base) = 0;  base is 0 but in a restitution,
                       or λ_n = base, given, of a joint with dry friction, whose normal has no row
    CONE, stick        a_t = 0,   |λ_t| <= mu_s λ_n
    CONE, slip         λ_t = -mu λ_n w,  a_t = |a_t| w
    SLIDING            λ_t = -mu λ_n w,  w given: the contact slides already

a and b are accelerations and λ forces, or velocities and impulses. A may be singular (a box on four corners): then many λ give
the same a. With the modes known, the problem is linear but for the slip directions in space, and Newton's method solves it to
round-off (`polish`), nearest to where it starts; `review` says which conditions fail. Where the cones ask for another λ than
the smallest, `sharing.py` looks for one.
"""

import math

from routh.core.jit import kernel
from routh.core.linalg import lu_factor, lu_solve
from routh.core.tables.layout import OPEN, SLIP, STICK
from routh.core.tables.runs import CONE, SIZE, SLIDING, STEP

ACCEPT = 1e-12      # conditions hold to this, relative to the terms they are summed from
ROUND_OFF = 1e-16   # of one operation: no step is worth taking where a residual is as small as its sum of terms allows
RIDGE = 1e-6        # of the mean diagonal, at first: self-stress stays below round-off / ridge
NO_RIDGE = 1e-16    # where shrinking it ends
STEPS = 50          # of one solve
BURIED = 1e9        # times what was given: accelerations that are summed from larger terms mean nothing
SWITCHES = 16.0     # times that failing contacts change their modes; a float, as each integer written out compiles anew


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
def credible(A, b, block, size):
    """Whether the accelerations are more than the round-off of forces that cancel each other."""
    given = summed = 0.0
    for i in range(block.size):
        c = block[i]
        given = max(given, c.scale, A[c.first + c.given, c.first + c.given] * c.base)
        for k in range(c.first, c.first + c.count):
            given, summed = max(given, abs(b[k])), max(summed, size[k])
    return summed <= BURIED * given


@kernel
def review(A, b, block, lam, a, size, switch):
    """Number of contacts whose conditions fail; the first `switch` of them take the mode that the failure asks for.

    Forces that are not credible fail all of them.
    """
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
            closed = 0 if an >= -zero or c.given == 1 else 1
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
    return bad if credible(A, b, block, size) else block.size


@kernel
def settle(solver, A, b, block, switches, lam_out, a_out):
    """Solve from zero with the present modes, switched at most so often; return whether every condition holds.

    All failing contacts switch at once, which is quick and may run in circles.
    """
    last = int(switches)
    for k in range(last + 1):
        change = 0.0 if k == last else 1.0 * block.size
        for i in range(block.size):
            c = block[i]
            lam_out[c.first] = c.base
            for j in range(1, c.count):
                lam_out[c.first + j] = -c.mu * c.base * (c.wx if j == 1 else c.wy) if c.mode == SLIP else 0.0
        polish(solver, A, b, block, lam_out, a_out)
        if review(A, b, block, lam_out, a_out, solver.spare[SIZE], change) == 0:
            return True
    return False
