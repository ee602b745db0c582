"""Modes of many contacts in the plane by complementary pivoting ([lemke1965]).

With two directions of friction, Coulomb's law is a linear complementarity problem, w = M z + q, w >= 0, z >= 0, w z = 0. The
unknowns z of a contact are its normal force (above its base), its friction to either side, and the size of its slip:

    normal acceleration >= 0                                  against the normal force
    slip to the right + size of the slip >= 0, to the left    against friction to the right, to the left
    mu normal force - friction of both sides >= 0             against the size of the slip

Where no contact slides already, pivoting ends at a solution if there is one, however redundant the contacts are ([pang1996]);
where one does, it may end without. Ties are broken by the order of columns, so that it does not run in circles.
"""

import math

from routh.core.cone_forces import CONE, accelerate, rows_of
from routh.core.jit import kernel
from routh.core.layout import OPEN, SLIP, STICK

SMALL = 1e-10       # of a table whose entries are about 1: no pivot
TIE = 1e-12         # of ratios; slip that is none
PIVOTS = 20         # per row, where it usually takes one or two


@kernel
def slots(c):
    """Unknowns of a contact."""
    return 4 if c.count > 1 and c.friction == CONE else 1


@kernel
def scale_of(A, c):
    """Unit of force of contact c: what makes its inverse mass one."""
    return 1.0 / math.sqrt(A[c.first, c.first]) if A[c.first, c.first] > 0.0 else 1.0


@kernel
def coefficient(A, c, k, o, m):
    """Entry of M: row k of contact c, unknown m of contact o."""
    if k == 3 or m == 3:
        if c.first != o.first or k == m:
            return 0.0
        return 1.0 if m == 3 and k > 0 else (c.mu if m == 0 else (-1.0 if k == 3 else 0.0))
    at, sense = (c.first, 1.0) if k == 0 else (c.first + 1, 1.0 if k == 1 else -1.0)
    if m > 0:
        entry = A[at, o.first + 1] * (1.0 if m == 1 else -1.0)
    else:
        entry = A[at, o.first]
        if o.count > 1 and o.friction != CONE:
            entry -= o.mu * o.wx * A[at, o.first + 1]
    return sense * scale_of(A, c) * scale_of(A, o) * entry


@kernel
def lay_out(A, block, a, table, basis):
    """Write the table [1, -M, -1, q], q scaled to 1, with all w basic; return (number of rows, largest |q|).

    `a`: accelerations where every contact has its base.
    """
    n, largest = 0, 0.0
    for i in range(block.size):
        n += slots(block[i])
    row = 0
    for i in range(block.size):
        c = block[i]
        for k in range(slots(c)):
            line = table[row]
            for j in range(2 * n):
                line[j] = 0.0
            line[row], line[2 * n] = 1.0, -1.0
            column = n
            for j in range(block.size):
                for m in range(slots(block[j])):
                    line[column] = -coefficient(A, c, k, block[j], m)
                    column += 1
            if k == 3:
                line[2 * n + 1] = c.mu * c.base / scale_of(A, c)
            else:
                line[2 * n + 1] = scale_of(A, c) * (a[c.first] if k == 0 else (a[c.first + 1] if k == 1 else -a[c.first + 1]))
            largest = max(largest, abs(line[2 * n + 1]))
            basis[row] = row
            row += 1
    for i in range(n if largest > 0.0 else 0):
        table[i, 2 * n + 1] /= largest
    return n, largest


@kernel
def leaving(table, basis, n, column):
    """The row whose basic variable first comes to zero as that of `column` grows, or -1; the artificial one goes first."""
    best, last = -1, 2 * n + 1
    for i in range(n):
        if not table[i, column] > SMALL:
            continue
        if best < 0:
            best = i
            continue
        for j in range(-1, n):
            at = last if j < 0 else j
            mine, other = table[i, at] / table[i, column], table[best, at] / table[best, column]
            if abs(mine - other) > TIE * (1.0 + abs(mine) + abs(other)):
                best = i if mine < other else best
                break
            if j < 0 and (basis[i] == 2 * n or basis[best] == 2 * n):
                best = i if basis[i] == 2 * n else best
                break
    return best


@kernel
def pivot(table, basis, n, row, column):
    """Exchange the basic variable of a row for that of a column; return the one that left."""
    by = table[row, column]
    for j in range(2 * n + 2):
        table[row, j] /= by
    for i in range(n):
        by = table[i, column]
        if i != row and by != 0.0:
            for j in range(2 * n + 2):
                table[i, j] -= by * table[row, j]
    left = basis[row]
    basis[row] = column
    return left


@kernel
def solve_table(table, basis, n):
    """Pivot until the artificial variable has left; return whether it has."""
    row = -1
    for i in range(n):
        if table[i, 2 * n + 1] < 0.0 and (row < 0 or table[i, 2 * n + 1] <= table[row, 2 * n + 1] * (1.0 - TIE)):
            row = i
    if row < 0:
        return True
    left = pivot(table, basis, n, row, 2 * n)
    for _ in range(PIVOTS * n):
        column = left + n if left < n else left - n
        row = leaving(table, basis, n, column)
        if row < 0:
            return False
        left = pivot(table, basis, n, row, column)
        if left == 2 * n:
            return True
    return False


@kernel
def value(table, basis, n, unknown):
    """(whether an unknown is basic, its value)."""
    for i in range(n):
        if basis[i] == n + unknown:
            return True, table[i, 2 * n + 1]
    return False, 0.0


@kernel
def pivot_modes(solver, A, b, block, lam_out, a_out, size_out):
    """Set the modes of contacts in the plane, and forces to begin from; return whether pivoting ended."""
    rows = rows_of(block)
    for i in range(block.size):
        c = block[i]
        lam_out[c.first] = c.base
        if c.count > 1:
            lam_out[c.first + 1] = 0.0 if c.friction == CONE else -c.mu * c.base * c.wx
    accelerate(A, b, rows, lam_out, a_out, size_out)
    table, basis = solver.table, solver.basis
    n, unit = lay_out(A, block, a_out, table, basis)
    if not solve_table(table, basis, n):
        return False
    first = 0
    for i in range(block.size):
        c = block[i]
        force = unit * scale_of(A, c)
        pressed, normal = value(table, basis, n, first)
        lam_out[c.first] = c.base + force * normal
        c.closed, c.mode = (1 if pressed else 0), STICK
        if c.count > 1 and c.friction != CONE:
            c.mode = SLIP
            lam_out[c.first + 1] = -c.mu * lam_out[c.first] * c.wx
        elif c.count > 1:
            to_right, right = value(table, basis, n, first + 1)
            _, left = value(table, basis, n, first + 2)
            _, slip = value(table, basis, n, first + 3)
            lam_out[c.first + 1] = force * (right - left)
            if slip > TIE:
                c.mode, c.wx, c.wy = SLIP, (-1.0 if to_right else 1.0), 0.0
        if c.closed == 0 and c.base == 0.0:
            c.mode = OPEN
        first += slots(c)
    return True
