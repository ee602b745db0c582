"""Shares of redundant contacts: forces other than the smallest, where the cones ask for them.

With the modes known, many forces may give the same accelerations. Of those within all cones the ones to take are deep within,
so that they can follow a changing load for a while: the analytic centre, where the product of what is left of all cones is
largest ([nesterov1994]). Newton's method leads there along the changes that change no acceleration. It starts from cones that
are wide enough for the forces at hand, and narrows them until they are the true ones, or cannot be narrowed any more: then no
share sticks.
"""

import math

from routh.core.contact.cone_forces import ACCEPT, ROUND_OFF, STEPS, accelerate, advance, assemble, lack, review, rows, rows_of
from routh.core.jit import kernel
from routh.core.linalg import lu_factor, lu_solve
from routh.core.tables.layout import SLIP, STICK
from routh.core.tables.runs import FIRST, SIZE, STEP

BLUNT = 1e-4        # ridge of what leads back to the accelerations, of the mean diagonal
NARROWING = 80      # steps in which the cones are narrowed
FIRMLY = 10.0       # how hard the first of them press, for each contact
PRESS = 8.0         # by which each presses harder
GAP = 1e-13         # of the largest force: as soon as the cones could be narrower by less, they cannot be
CENTRING = 40       # steps to the centre
CENTRED = 1e-2      # Newton's decrement there
SHORTEN = 0.7       # a step that leaves a cone is shortened by this,
SHORTENED = 80      # so often at most
DEPENDENT = 1e-10   # of the largest inverse mass: a row that is left with less follows from others


@kernel
def barrier(c, n, x, y):
    """(gradient n, x, y; second derivatives nn, nx, ny, xx, xy, yy) of minus the logarithm of what is left of a cone."""
    if c.mode != STICK or c.count == 1:
        return -1.0 / n, 0.0, 0.0, 1.0 / (n * n), 0.0, 0.0, 0.0, 0.0, 0.0
    mu = c.mu_s * c.mu_s
    left = mu * n * n - x * x - y * y
    gn, gx, gy = -2.0 * mu * n / left, 2.0 * x / left, 2.0 * y / left
    return (gn, gx, gy, gn * gn - 2.0 * mu / left, gn * gx, gn * gy, gx * gx + 2.0 / left, gx * gy, gy * gy + 2.0 / left)


@kernel
def outside(c, n, x, y):
    """How much wider its cone must be for a force to be on it; negative within."""
    if c.mode != STICK or c.count == 1:
        return -n
    return math.hypot(x, y) / c.mu_s - n


@kernel
def held_by_cones(c):
    """Whether a contact has a force to share."""
    return c.closed == 1 or (c.base > 0.0 and c.mode == STICK and c.count > 1)


@kernel
def widest(block, lam):
    """How much wider all cones must be."""
    most = -math.inf
    for i in range(block.size):
        if held_by_cones(block[i]):
            n, x, y = rows(lam, block[i])
            most = max(most, outside(block[i], n, x, y))
    return most


@kernel
def freedoms(solver, A, block, lam, a):
    """How many changes of the forces of the present modes change no acceleration; they are rows of the table, from `2 + n` on.

    By elimination with full pivoting: a column without a pivot is free, and those with one follow it.
    """
    n, G, mark = rows_of(block), solver.lu, solver.basis
    assemble(A, block, lam, a, 0.0, G)
    largest = 0.0
    for i in range(n):
        mark[i] = -1  # row of its pivot
        for j in range(n):
            largest = max(largest, abs(G[i, j]) if i != j or forced(block, i) else 0.0)
    for i in range(n):
        if not forced(block, i):
            G[i, i], mark[i] = 1.0, i
    for _ in range(n):
        row, column, best = -1, -1, DEPENDENT * largest
        for i in range(n):
            used = False
            for j in range(n):
                used = used or mark[j] == i
            for j in range(0 if not used else n, n):
                if mark[j] < 0 and abs(G[i, j]) > best:
                    row, column, best = i, j, abs(G[i, j])
        if row < 0:
            break
        mark[column] = row
        by = G[row, column]
        for j in range(n):
            G[row, j] /= by
        for i in range(n):
            by = G[i, column]
            if i != row and by != 0.0:
                for j in range(n):
                    G[i, j] -= by * G[row, j]
    count = 0
    for j in range(n):
        if mark[j] < 0:
            way = solver.table[n + 2 + count]
            for i in range(n):
                way[i] = -G[mark[i], j] if mark[i] >= 0 else 0.0
            way[j] = 1.0
            count += 1
    return count


@kernel
def forced(block, i):
    """Whether row i is an unknown force of the present modes."""
    for m in range(block.size):
        c = block[m]
        if c.first <= i < c.first + c.count:
            return c.closed == 1 if i == c.first else c.mode == STICK
    return False


@kernel
def newton_system(solver, block, ways, lam, wide, press, load):
    """Fill the equations of a step along the free changes, and of how wide the cones are; the right side is row `n + 1`.

    Forces are in units of `load`. Without `press` the cones stay as they are.
    """
    n = rows_of(block)
    K, x = solver.table, solver.table[n + 1]
    for i in range(ways + 1):
        x[i] = 0.0
        for j in range(ways + 1):
            K[i, j] = 0.0
    K[ways, ways], x[ways] = (0.0, -press) if press > 0.0 else (1.0, 0.0)
    for m in range(block.size):
        c = block[m]
        if not held_by_cones(c):
            continue
        ln, lx, ly = rows(lam, c)
        gn, gx, gy, nn, nx, ny, xx, xy, yy = barrier(c, (ln + wide) / load, lx / load, ly / load)
        for i in range(ways + 1):
            an, ax, ay = (1.0, 0.0, 0.0) if i == ways else rows(K[n + 2 + i], c)
            if i == ways and press == 0.0:
                continue
            x[i] -= gn * an + gx * ax + gy * ay
            hn, hx, hy = nn * an + nx * ax + ny * ay, nx * an + xx * ax + xy * ay, ny * an + xy * ax + yy * ay
            for j in range(i + 1):
                bn, bx, by = (1.0, 0.0, 0.0) if j == ways else rows(K[n + 2 + j], c)
                K[i, j] += hn * bn + hx * bx + hy * by
    for i in range(ways):  # forces without bound are held, though weakly
        for k in range(n):
            x[i] -= K[n + 2 + i, k] * lam[k] / load
            for j in range(i + 1):
                K[i, j] += K[n + 2 + i, k] * K[n + 2 + j, k]
    for i in range(ways + 1):
        for j in range(i):
            K[j, i] = K[i, j]


@kernel
def newton_step(solver, block, ways, wide, press, load, lam):
    """One step to the centre of cones that are wider by `wide`; return (how wide they are then, its decrement).

    A step that would leave a cone is shortened. The decrement is infinite where there is no step.
    """
    n, step, last = rows_of(block), solver.spare[STEP], solver.spare[SIZE]
    newton_system(solver, block, ways, lam, wide, press, load)
    x, gain = solver.table[n + 1], 0.0
    for i in range(ways + 1):
        step[i] = x[i]
    if not lu_factor(solver.table, ways + 1, solver.basis):
        return wide, math.inf
    lu_solve(solver.table, ways + 1, solver.basis, x)
    for i in range(ways + 1):
        gain += x[i] * step[i]
    if not math.isfinite(gain):
        return wide, math.inf
    wider = load * x[ways]
    for k in range(n):
        last[k], step[k] = lam[k], 0.0
        for i in range(ways):
            step[k] += load * x[i] * solver.table[n + 2 + i, k]
    for _ in range(SHORTENED):
        advance(block, step, lam)
        if widest(block, lam) < wide + wider:
            return wide + wider, math.sqrt(abs(gain))
        wider *= SHORTEN
        for k in range(n):
            lam[k], step[k] = last[k], SHORTEN * step[k]
    return wide, math.inf


@kernel
def centre(solver, block, ways, load, lam):
    """Move forces along the changes that change no acceleration to the centre of all cones, or as near as they come to them."""
    out = widest(block, lam)
    wide, press = (out + 0.1 * max(load, abs(out)) if out >= -ACCEPT * load else 0.0), FIRMLY * block.size
    for _ in range(NARROWING):
        if wide <= 0.0:
            break
        wide, decrement = newton_step(solver, block, ways, wide, press, load, lam)
        if not decrement < math.inf:
            break
        if wide > 0.0 and decrement < 1.0:
            nearest = 2.0 * block.size / press  # what they could be narrower by, at most about twice
            if wide > 4.0 * nearest * load or nearest < GAP:
                break
            press *= PRESS
    for _ in range(CENTRING if wide <= 0.0 else 0):
        _, decrement = newton_step(solver, block, ways, 0.0, 0.0, load, lam)
        if not CENTRED < decrement < math.inf:
            break


@kernel
def lead_back(solver, A, b, block, lam, a_out):
    """Correct forces until they give the accelerations that the present modes want; return what these lack in the end."""
    n, step, size, mean = rows_of(block), solver.spare[STEP], solver.spare[SIZE], 0.0
    assemble(A, block, lam, a_out, 0.0, solver.lu)
    for i in range(n):
        mean += A[i, i] / n
    for i in range(n):
        solver.lu[i, i] += BLUNT * mean
    if not lu_factor(solver.lu, n, solver.pivot):
        return math.inf
    lacking = math.inf
    for trial in range(STEPS + 1):
        accelerate(A, b, n, lam, a_out, size)
        lacking = lack(block, a_out, size, step)
        if trial == STEPS or lacking <= ROUND_OFF * (4 + n):
            break
        lu_solve(solver.lu, n, solver.pivot, step)
        advance(block, step, lam)
    return lacking


@kernel
def spread(solver, A, b, block, lam, a_out):
    """Share the forces of the present modes so that they are within all cones, and deep within; return whether they can be."""
    n, first, load = rows_of(block), solver.spare[FIRST], 0.0
    for i in range(block.size):
        c = block[i]
        c.turns = 0
        if c.closed == 0 and a_out[c.first] < -ACCEPT * max(solver.spare[SIZE, c.first], c.scale):
            return False  # what approaches needs another mode
        if c.mode == STICK and c.count > 1 and not c.mu_s > 0.0:
            return False
    ways = freedoms(solver, A, block, lam, a_out)
    if ways == 0:
        return False
    for i in range(n):
        first[i], lam[i] = lam[i], 0.0
    for i in range(block.size):
        c = block[i]
        lam[c.first] = c.base
        for k in range(1, c.count if c.mode == SLIP else 0):
            lam[c.first + k] = -c.mu * c.base * (c.wx if k == 1 else c.wy)
    found = lead_back(solver, A, b, block, lam, a_out) <= ACCEPT  # the smallest forces, where there are any
    for i in range(n):
        load = max(load, abs(lam[i]))
    if found and load > 0.0:
        centre(solver, block, ways, load, lam)
        lead_back(solver, A, b, block, lam, a_out)
        found = review(A, b, block, lam, a_out, solver.spare[SIZE], 0.0) == 0
    if not (found and load > 0.0):
        for i in range(n):
            lam[i] = first[i]
        accelerate(A, b, n, lam, a_out, solver.spare[SIZE])
    return found and load > 0.0
