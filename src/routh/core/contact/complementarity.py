"""Modes and forces of many contacts at once, in contact space ([moreau1988], [glocker1995]).

The conditions and what solves them once the modes are known are in `cone_forces.py`. So the work is to find the modes: all
open, then all closed and switched where a condition fails; then by pivoting; then as Gauss-Seidel sweeps leave them, contact by
contact; then, for a few contacts in the plane, every combination; for others a fixed point of all at once. A solution is only
what passes `review`. Each solve is proximal, as in `closure.py`, and starts at zero: self-stress that nothing asks for
stays out.
"""

import math

from routh.core.calls import N_STATUS
from routh.core.contact.cone_forces import (
    ACCEPT,
    SWITCHES,
    accelerate,
    across,
    credible,
    denominator,
    polish,
    review,
    rows,
    rows_of,
    settle,
)
from routh.core.contact.pivoting import GIVE, pivot_modes
from routh.core.contact.sharing import spread
from routh.core.jit import kernel
from routh.core.tables.layout import OPEN, SLIP, STICK
from routh.core.tables.runs import CONE, KEPT, SIZE, SLIDING

# how a solve ends: SEVERAL is solved with the contact open, and could also hold it closed
SOLVED, SEVERAL, INCONSISTENT, NOT_CONVERGED = range(4)

HAIR = 1e-14        # the least slip that is one, relative to the terms it is summed from
REPAIRS = 4.0       # the same after sweeps
SWEEPS = 8          # in the first of ROUNDS, each three times longer up to MOST
MOST = 2000
ROUNDS = 8
LATE = 4            # first of the rounds that may end without a direct solve
RELAXES = 20000     # steps of the fixed point
LOST = 1e-9         # of the largest force: what is less is none
FEW = 4             # contacts whose modes are enumerated
EDGE = 1e-3         # of a cone


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
def search(solver, A, b, block, lam_out, a_out):
    """Modes as Gauss-Seidel leaves them, least norm first; return whether every condition holds."""
    n, kept, sweeps = rows_of(block), solver.spare[KEPT], SWEEPS
    for i in range(n):
        kept[i] = 0.0
    for i in range(block.size):
        c = block[i]
        kept[c.first], c.limit = c.base, c.mu_s
    for k in range(ROUNDS):
        accelerate(A, b, n, kept, a_out, solver.spare[SIZE])
        relax = 0.5 if k == 3 or k == 6 else 1.0
        for _ in range(sweeps):
            sweep(A, block, relax, k > 0, kept, a_out)
        sweeps = min(3 * sweeps, MOST)
        if k >= LATE:  # what many sweeps found may be good enough by itself, where λ is too small to choose its modes by
            accelerate(A, b, n, kept, a_out, solver.spare[SIZE])
            for i in range(n):
                lam_out[i] = kept[i]
            if review(A, b, block, lam_out, a_out, solver.spare[SIZE], 0.0) == 0:
                return True
        if settle(solver, A, b, block, 0.0, lam_out, a_out):
            return True
        for i in range(n):  # with the self-stress of the sweeps, where the cones ask for it
            lam_out[i] = kept[i]
        polish(solver, A, b, block, lam_out, a_out)
        if review(A, b, block, lam_out, a_out, solver.spare[SIZE], 1.0 * block.size) == 0:
            return True
        if settle(solver, A, b, block, REPAIRS, lam_out, a_out):
            return True
    return False


@kernel
def accept(solver, A, b, block, lam_out, a_out):
    """Solve with modes and forces that are about right; return whether every condition holds."""
    polish(solver, A, b, block, lam_out, a_out)
    if review(A, b, block, lam_out, a_out, solver.spare[SIZE], 0.0) == 0 or spread(solver, A, b, block, lam_out, a_out):
        return True
    return settle(solver, A, b, block, REPAIRS, lam_out, a_out)


@kernel
def pull_in(c, n, x, y):
    """The force of contact c nearest to (n, x, y) that Coulomb's law admits: on its given direction, or in its cone."""
    if c.given == 1:
        n = c.base
    if c.count == 1 or c.friction == SLIDING:
        n = max(n, c.base)
        return n, -c.mu * n * c.wx, -c.mu * n * c.wy
    pull = math.hypot(x, y)
    if pull > c.mu * n and c.given == 1:
        x, y = c.mu * n * x / pull, c.mu * n * y / pull
    elif pull > c.mu * n:
        if c.mu * pull <= -n:
            n = pull = 0.0
        else:
            n = (n + c.mu * pull) / (1.0 + c.mu * c.mu)
        share = c.mu * n / pull if pull > 0.0 else 0.0
        x, y = share * x, share * y
    return n, x, y


@kernel
def relax(solver, A, b, block, lam_out, a_out):
    """Modes by the projected fixed point of [desaxce1998], all contacts at once; return whether every condition holds.

    Slow, but it seldom runs in circles. Every force steps against its acceleration, whose normal part counts the slip, too.
    """
    n, largest = rows_of(block), 0.0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += abs(A[i, j])
        largest, lam_out[i] = max(largest, total), 0.0
    pace = 0.5 / largest
    for _ in range(RELAXES):
        accelerate(A, b, n, lam_out, a_out, solver.spare[SIZE])
        moved = most = 0.0
        for i in range(block.size):
            c = block[i]
            ln, lx, ly = rows(lam_out, c)
            an, ax, ay = rows(a_out, c)
            if c.friction == CONE and c.count > 1:
                an += c.mu * math.hypot(ax, ay)
            pn, px, py = pull_in(c, ln - pace * an, lx - pace * ax, ly - pace * ay)
            lam_out[c.first] = pn
            if c.count > 1:
                lam_out[c.first + 1] = px
            if c.count > 2:
                lam_out[c.first + 2] = py
            moved, most = max(moved, abs(pn - ln), abs(px - lx), abs(py - ly)), max(most, abs(pn))
        if moved <= HAIR * most:
            break
    for i in range(block.size):
        c = block[i]
        ln, lx, ly = rows(lam_out, c)
        pull = math.hypot(lx, ly)
        c.closed = 1 if c.given == 0 and ln > c.base + LOST * most else 0
        c.mode = SLIP if c.friction == SLIDING and c.count > 1 else STICK
        if c.closed == 0 and c.base == 0.0:
            c.mode = OPEN
        elif c.friction == CONE and c.count > 1 and pull >= (1.0 - LOST) * c.mu * ln and pull > 0.0:
            c.mode, c.wx, c.wy = SLIP, -lx / pull, -ly / pull
    return accept(solver, A, b, block, lam_out, a_out)


@kernel
def n_choices(c):
    """How many modes a contact can have in the plane."""
    if c.count == 1 or c.friction == SLIDING:
        return 2 - c.given
    return 4 if c.base == 0.0 else 6 - 3 * c.given


@kernel
def choose(c, k):
    """Set mode k of a contact in the plane, open ones first."""
    n = n_choices(c)
    if n == 4 and k > 0:  # open without a base: no friction to choose
        k += 2
    c.closed = k if n <= 2 else k // 3
    c.mode = STICK if c.friction == CONE or c.count == 1 else SLIP
    if n > 2 and k % 3 > 0:
        c.mode, c.wx, c.wy = SLIP, (1.0 if k % 3 == 1 else -1.0), 0.0
    if c.closed == 0 and c.base == 0.0:
        c.mode = OPEN


@kernel
def enumerate_modes(solver, A, b, block, lam_out, a_out):
    """Try every combination of modes in the plane; return whether one holds."""
    total = 1
    for i in range(block.size):
        total *= n_choices(block[i])
    for combination in range(total):
        rest = combination
        for i in range(block.size):
            choose(block[i], rest % n_choices(block[i]))
            rest //= n_choices(block[i])
        if settle(solver, A, b, block, 0.0, lam_out, a_out):
            return True
    return False


@kernel
def stiffest(A, block):
    """The sliding contact with the least denominator; -1 where none slides."""
    where, least = -1, math.inf
    for i in range(block.size):
        c = block[i]
        if c.friction == SLIDING and c.count > 1 and A[c.first, c.first] > 0.0:
            ratio = denominator(A, c) / A[c.first, c.first]
            if ratio < least:
                where, least = i, ratio
    return where


@kernel
def other_solution(solver, A, b, block, lam_out, a_out):
    """Index of an open contact that could also be closed, or -1: sliding on a negative denominator, or a lone one wedged."""
    for i in range(block.size):
        c = block[i]
        if c.closed == 0 and c.friction == SLIDING and c.count > 1 and denominator(A, c) < 0.0:
            return i
    c = block[0]
    if block.size > 1 or c.closed == 1 or c.friction == SLIDING or c.count == 1 or c.base > 0.0:
        return -1
    c.closed, c.mode = 1, STICK
    wedged = settle(solver, A, b, block, 0.0, lam_out, a_out) and lam_out[c.first] > 0.0
    c.closed, c.mode = 0, OPEN
    settle(solver, A, b, block, 0.0, lam_out, a_out)
    return 0 if wedged else -1


@kernel
def hold_all(A, block, held):
    """Modes to start from: all open, or all closed and at rest but where a contact slides. What would jam stays open."""
    for i in range(block.size):
        c = block[i]
        slides = c.friction == SLIDING and c.count > 1
        c.closed = 1 if held == 1 and c.given == 0 and not (slides and denominator(A, c) <= 0.0) else 0
        c.mode = SLIP if slides else STICK
        if c.closed == 0 and c.base == 0.0:
            c.mode = OPEN


@kernel
def give_way(solver, A, b, block, lam_out, a_out):
    """Where many contacts slide, Coulomb's law may have no solution, but by a hair: then one that holds but for that.

    It is that of contacts that give way a little. What approaches in it does so slowly, and closes later.
    """
    largest, slides, scale = 0.0, False, block[0].scale
    for i in range(rows_of(block)):
        largest = max(largest, abs(b[i]))
    for i in range(block.size):
        slides = slides or block[i].friction == SLIDING
    if not slides or not pivot_modes(solver, A, b, block, GIVE, lam_out, a_out, solver.spare[SIZE]):
        return False
    for i in range(block.size):
        block[i].scale = max(scale, GIVE / ACCEPT * largest)
    found = accept(solver, A, b, block, lam_out, a_out)
    for i in range(block.size):
        block[i].scale = scale
    if found:
        polish(solver, A, b, block, lam_out, a_out)
    return found and credible(A, b, block, solver.spare[SIZE])


@kernel
def find(solver, A, b, block, plane, lam_out, a_out):
    """Try one way after the other; return whether every condition holds."""
    for held in range(2):  # what stays apart by itself is not held
        hold_all(A, block, held)
        if settle(solver, A, b, block, 0.0, lam_out, a_out):
            return True
    if spread(solver, A, b, block, lam_out, a_out) or settle(solver, A, b, block, SWITCHES, lam_out, a_out):
        return True
    for ridge in (0.0, GIVE):
        if pivot_modes(solver, A, b, block, ridge, lam_out, a_out, solver.spare[SIZE]):
            if accept(solver, A, b, block, lam_out, a_out):
                return True
    if search(solver, A, b, block, lam_out, a_out):
        return True
    if plane and block.size <= FEW:
        return enumerate_modes(solver, A, b, block, lam_out, a_out)
    return relax(solver, A, b, block, lam_out, a_out) or give_way(solver, A, b, block, lam_out, a_out)


@kernel
def on_edge(block, lam):
    """Whether a contact sticks at the edge of its cone: others may share the forces so that it does not."""
    for i in range(block.size):
        c = block[i]
        n, x, y = rows(lam, c)
        if c.closed == 1 and c.mode == STICK and c.count > 1 and math.hypot(x, y) > (1.0 - EDGE) * c.mu_s * n:
            return True
    return False


@kernel
def name_sticks(block, a, size):
    """A contact that was found to slip without any slip sticks: its force is within the static cone, too."""
    for i in range(block.size):
        c = block[i]
        _, ax, ay = rows(a, c)
        sn, sx, sy = rows(size, c)
        if c.mode == SLIP and c.friction == CONE and ax * c.wx + ay * c.wy < HAIR * max(sn, sx, sy, c.scale):
            c.mode = STICK


@kernel
def solve(solver, A, b, block, lam_out, a_out):
    """Fill the forces λ, a = A λ + b and the modes in `block`; return (status, contact that it is about or -1).

    INCONSISTENT names the sliding contact with the least denominator: there are no forces, or none were found, while something
    slides. Where nothing does, there always are some. Where it fails, λ is the last that was tried.
    """
    plane = True
    for i in range(block.size):
        plane = plane and block[i].count < 3
    if find(solver, A, b, block, plane, lam_out, a_out):
        name_sticks(block, a_out, solver.spare[SIZE])
        if on_edge(block, lam_out):
            spread(solver, A, b, block, lam_out, a_out)
        where = other_solution(solver, A, b, block, lam_out, a_out)
        return (SOLVED if where < 0 else SEVERAL), where
    where = stiffest(A, block)
    return (INCONSISTENT if where >= 0 else NOT_CONVERGED), where


@kernel
def solve_coded(solver, A, b, block, lam_out, a_out):
    """`solve` with its two answers in one integer, as `calls.solve` takes them apart."""
    status, where = solve(solver, A, b, block, lam_out, a_out)
    return status + N_STATUS * (where + 1)
