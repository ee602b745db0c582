"""Forces of many contacts at once: unilateral, with Coulomb friction, in contact space ([moreau1988], [glocker1995]).

    a = A λ + b        a_n >= 0,  λ_n >= base,  a_n (λ_n - base) = 0;  base is 0 but in a restitution
    CONE, stick        a_t = 0,   |λ_t| <= mu_s λ_n
    CONE, slip         λ_t = -mu λ_n w,  a_t = |a_t| w
    SLIDING            λ_t = -mu λ_n w,  w given: the contact slides already

a and b are accelerations and λ forces, or velocities and impulses. A may be singular (a box on four corners).

With the modes known, the problem is linear but for the slip directions in space: Newton's method solves it to round-off. So
the work is to find the modes: all open, then all closed and switched where a condition fails; then as Gauss-Seidel sweeps
leave them, contact by contact; then, for a few contacts in the plane, every combination. A solution is only what passes
`review`. Each solve is proximal, as in `closure.py`, and starts at zero: self-stress that nothing asks for stays out.
"""

import math

import numpy as np

from routh.core.jit import kernel
from routh.core.layout import OPEN, SLIP, STICK, f8, i8
from routh.core.linalg import lu_factor, lu_solve

# what the tangents of a contact do before: rest, or slide
CONE, SLIDING = range(2)

# how a solve ends: SEVERAL is solved with the contact open, and could also hold it closed
SOLVED, SEVERAL, INCONSISTENT, NOT_CONVERGED = range(4)

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

# rows of the caller's spare array (N_SPARE, n_rows)
STEP, SIZE, KEPT, N_SPARE = range(4)

ACCEPT = 1e-12      # conditions hold to this, relative to the terms they are summed from
ROUND_OFF = 1e-16   # of one operation: no step is worth taking where a residual is as small as its sum of terms allows
RIDGE = 1e-6        # of the mean diagonal, at first: self-stress stays below round-off / ridge
NO_RIDGE = 1e-16    # where shrinking it ends
STEPS = 50          # of one solve
SWITCHES = 16.0     # times that all failing contacts change their modes; a float, as each integer written out compiles anew
REPAIRS = 4.0       # the same after sweeps
ONE_BY_ONE = 4.0    # times that only the first one does, per contact, where all else failed
SWEEPS = 8          # in the first of ROUNDS, each three times longer up to MOST
MOST = 2000
ROUNDS = 8
LATE = 4            # first of the rounds that may end without a direct solve
FEW = 4             # contacts whose modes are enumerated


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
def polish(A, b, block, lu, pivot, spare, lam, a_out):
    """Solve for the forces of the present modes, from λ on. A ridge that slows convergence shrinks."""
    n = rows_of(block)
    step, size = spare[STEP], spare[SIZE]
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
            assemble(A, block, lam, a_out, ridge, lu)
            if not lu_factor(lu, n, pivot):
                return
        lu_solve(lu, n, pivot, step)
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
        none = ACCEPT * largest + zero / A[c.first, c.first]  # a force that is lost in the accelerations
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
def settle(A, b, block, switches, lu, pivot, spare, lam_out, a_out):
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
        polish(A, b, block, lu, pivot, spare, lam_out, a_out)
        if review(A, block, lam_out, a_out, spare[SIZE], change) == 0:
            return True
    return False


@kernel
def hold(cxx, cxy, cyy, bx, by, k):
    """Solution l of (C + k) l = -b."""
    det = (cxx + k) * (cyy + k) - cxy * cxy
    return (cxy * by - (cyy + k) * bx) / det, (cxy * bx - (cxx + k) * by) / det


@kernel
def grip(cxx, cxy, cyy, bx, by, r, rx, ry, mu, mu_s):
    """(mode, l): one contact's friction, with slip b + C l and normal force r + (rx, ry)·l.

    Slip means b + C l = -k l with k > 0 and l on the cone. At k = 0, where it would stick, l is outside, at large k inside:
    bisection finds one between.
    """
    stiff = cxx + cyy
    if not stiff > 0.0:
        return STICK, 0.0, 0.0
    low = 1e-14 * stiff
    x, y = hold(cxx, cxy, cyy, bx, by, low)
    if math.hypot(x, y) <= mu_s * (r + rx * x + ry * y):
        return STICK, x, y
    if not mu * r > 0.0:
        return SLIP, 0.0, 0.0
    high = math.hypot(bx, by) * (1.0 + mu * math.hypot(rx, ry)) / (mu * r)
    for _ in range(60):
        k = 0.5 * (low + high)
        x, y = hold(cxx, cxy, cyy, bx, by, k)
        if math.hypot(x, y) > mu * (r + rx * x + ry * y):
            low = k
        else:
            high = k
    return SLIP, x, y


@kernel
def one_contact(A, c, bn, bx, by):
    """(λ_n, λ_x, λ_y) of contact c alone, where b holds what the others do; sets its mode. Open where that is possible."""
    f = c.first
    nn, nx, ny, xx, xy, yy = A[f, f], 0.0, 0.0, 0.0, 0.0, 0.0
    if c.count > 1:
        nx, xx = A[f, f + 1], A[f + 1, f + 1]
    if c.count > 2:
        ny, xy, yy = A[f, f + 2], A[f + 1, f + 2], A[f + 2, f + 2]
    slides = c.friction == SLIDING and c.count > 1

    n, x, y = c.base, -c.mu * c.base * c.wx, -c.mu * c.base * c.wy
    mode = SLIP if slides else STICK
    if c.base > 0.0 and not slides:
        mode, x, y = grip(xx, xy, yy, bx + nx * n, by + ny * n, n, 0.0, 0.0, c.mu, c.limit)
    c.closed = 0 if bn + nn * n + nx * x + ny * y >= 0.0 else 1
    if c.closed == 1 and slides:
        D = denominator(A, c)
        n = max(-bn / D, n) if D > 0.0 else n
        x, y = -c.mu * n * c.wx, -c.mu * n * c.wy
    elif c.closed == 1:
        rx, ry = -nx / nn, -ny / nn
        mode, x, y = grip(xx + nx * rx, xy + nx * ry, yy + ny * ry, bx + rx * bn, by + ry * bn, -bn / nn, rx, ry, c.mu, c.limit)
        n = max(-bn / nn + rx * x + ry * y, n)
    size = math.hypot(x, y)
    if mode == SLIP and not slides and size > 0.0:
        c.wx, c.wy = -x / size, -y / size
    c.mode = OPEN if c.closed == 0 and c.base == 0.0 else mode
    return n, x, y


@kernel
def sweep(A, block, relax, latch, lam, a):
    """One Gauss-Seidel sweep over the contacts, with a kept up to date.

    Each contact goes the part `relax` of its way: full steps may run in circles. With `latch` a contact that slips has the
    sliding cone from then on: stick at mu is stick at mu_s, too, and jumps between the two cones need not end.
    """
    n = rows_of(block)
    for i in range(block.size):
        c = block[i]
        f = c.first
        bn, bx, by = rows(a, c)
        on, ox, oy = rows(lam, c)
        bn -= across(A, f, c, on, ox, oy)
        bx -= across(A, f + 1, c, on, ox, oy) if c.count > 1 else 0.0
        by -= across(A, f + 2, c, on, ox, oy) if c.count > 2 else 0.0
        ln, lx, ly = one_contact(A, c, bn, bx, by)
        if latch and c.mode == SLIP:
            c.limit = c.mu
        dn, dx, dy = relax * (ln - on), relax * (lx - ox), relax * (ly - oy)
        for j in range(n):
            a[j] += across(A, j, c, dn, dx, dy)
        lam[f] = on + dn
        if c.count > 1:
            lam[f + 1] = ox + dx
        if c.count > 2:
            lam[f + 2] = oy + dy


@kernel
def search(A, b, block, lu, pivot, spare, lam_out, a_out):
    """Modes as Gauss-Seidel leaves them, least norm first; return whether every condition holds."""
    n, kept, sweeps = rows_of(block), spare[KEPT], SWEEPS
    for i in range(n):
        kept[i] = 0.0
    for i in range(block.size):
        c = block[i]
        kept[c.first], c.limit = c.base, c.mu_s
    for k in range(ROUNDS):
        accelerate(A, b, n, kept, a_out, spare[SIZE])
        relax = 0.5 if k == 3 or k == 6 else 1.0
        for _ in range(sweeps):
            sweep(A, block, relax, k > 0, kept, a_out)
        sweeps = min(3 * sweeps, MOST)
        if k >= LATE:  # what many sweeps found may be good enough by itself, where λ is too small to choose its modes by
            accelerate(A, b, n, kept, a_out, spare[SIZE])
            for i in range(n):
                lam_out[i] = kept[i]
            if review(A, block, lam_out, a_out, spare[SIZE], 0.0) == 0:
                return True
        if settle(A, b, block, 0.0, lu, pivot, spare, lam_out, a_out):
            return True
        for i in range(n):  # with the self-stress of the sweeps, where the cones ask for it
            lam_out[i] = kept[i]
        polish(A, b, block, lu, pivot, spare, lam_out, a_out)
        if review(A, block, lam_out, a_out, spare[SIZE], 1.0 * block.size) == 0:
            return True
        if settle(A, b, block, REPAIRS, lu, pivot, spare, lam_out, a_out):
            return True
    return False


@kernel
def n_choices(c):
    """How many modes a contact can have in the plane."""
    if c.count == 1 or c.friction == SLIDING:
        return 2
    return 4 if c.base == 0.0 else 6


@kernel
def choose(c, k):
    """Set mode k of a contact in the plane, open ones first."""
    n = n_choices(c)
    if n == 4 and k > 0:  # open without a base: no friction to choose
        k += 2
    c.closed = k if n == 2 else k // 3
    c.mode = STICK if c.friction == CONE or c.count == 1 else SLIP
    if n > 2 and k % 3 > 0:
        c.mode, c.wx, c.wy = SLIP, (1.0 if k % 3 == 1 else -1.0), 0.0
    if c.closed == 0 and c.base == 0.0:
        c.mode = OPEN


@kernel
def enumerate_modes(A, b, block, lu, pivot, spare, lam_out, a_out):
    """Try every combination of modes in the plane; return whether one holds."""
    total = 1
    for i in range(block.size):
        total *= n_choices(block[i])
    for combination in range(total):
        rest = combination
        for i in range(block.size):
            choose(block[i], rest % n_choices(block[i]))
            rest //= n_choices(block[i])
        if settle(A, b, block, 0.0, lu, pivot, spare, lam_out, a_out):
            return True
    return False


@kernel
def stiffest(A, block):
    """(index, D / A_nn) of the sliding contact with the least denominator; -1 where none slides."""
    where, least = -1, math.inf
    for i in range(block.size):
        c = block[i]
        if c.friction == SLIDING and c.count > 1 and A[c.first, c.first] > 0.0:
            ratio = denominator(A, c) / A[c.first, c.first]
            if ratio < least:
                where, least = i, ratio
    return where, least


@kernel
def other_solution(A, b, block, lu, pivot, spare, lam_out, a_out):
    """Index of an open contact that could also be closed, or -1: sliding on a negative denominator, or a lone one wedged."""
    for i in range(block.size):
        c = block[i]
        if c.closed == 0 and c.friction == SLIDING and c.count > 1 and denominator(A, c) < 0.0:
            return i
    c = block[0]
    if block.size > 1 or c.closed == 1 or c.friction == SLIDING or c.count == 1 or c.base > 0.0:
        return -1
    c.closed, c.mode = 1, STICK
    wedged = settle(A, b, block, 0.0, lu, pivot, spare, lam_out, a_out) and lam_out[c.first] > 0.0
    c.closed, c.mode = 0, OPEN
    settle(A, b, block, 0.0, lu, pivot, spare, lam_out, a_out)
    return 0 if wedged else -1


@kernel
def hold_all(A, block, held):
    """Modes to start from: all open, or all closed and at rest but where a contact slides. What would jam stays open."""
    for i in range(block.size):
        c = block[i]
        slides = c.friction == SLIDING and c.count > 1
        c.closed = 1 if held == 1 and not (slides and denominator(A, c) <= 0.0) else 0
        c.mode = SLIP if slides else STICK
        if c.closed == 0 and c.base == 0.0:
            c.mode = OPEN


@kernel
def find(A, b, block, plane, lu, pivot, spare, lam_out, a_out):
    """Try one way after the other; return whether every condition holds."""
    for held in range(2):  # what stays apart by itself is not held
        hold_all(A, block, held)
        if settle(A, b, block, SWITCHES * held, lu, pivot, spare, lam_out, a_out):
            return True
    if search(A, b, block, lu, pivot, spare, lam_out, a_out):
        return True
    if plane and block.size <= FEW:
        return enumerate_modes(A, b, block, lu, pivot, spare, lam_out, a_out)
    return plane and settle(A, b, block, SWITCHES + ONE_BY_ONE * block.size, lu, pivot, spare, lam_out, a_out)


@kernel
def solve(A, b, block, lu, pivot, spare, lam_out, a_out):
    """Fill the forces λ, a = A λ + b and the modes in `block`; return (status, contact that it is about or -1).

    Scratch: lu (n, n), pivot (n,), spare (N_SPARE, n) for n rows. INCONSISTENT names the sliding contact with the least
    denominator. Where it fails, λ is the last that was tried.
    """
    plane = True
    for i in range(block.size):
        plane = plane and block[i].count < 3
    if find(A, b, block, plane, lu, pivot, spare, lam_out, a_out):
        where = other_solution(A, b, block, lu, pivot, spare, lam_out, a_out)
        return (SOLVED if where < 0 else SEVERAL), where
    where, least = stiffest(A, block)
    if where >= 0 and (least <= 0.0 or (plane and block.size <= FEW)):
        return INCONSISTENT, where
    return NOT_CONVERGED, -1
