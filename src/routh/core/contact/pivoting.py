"""Modes of many contacts by complementary pivoting ([lemke1965]).

With a few directions of friction, Coulomb's law is a linear complementarity problem, w = M z + q, w >= 0, z >= 0, w z = 0. The
unknowns z of a contact are its normal force (above its base), its friction in each direction, and the size of its slip:

    normal acceleration >= 0                              against the normal force
    slip in each direction + size of the slip >= 0        against friction in this direction
    mu normal force - friction in all directions >= 0     against the size of the slip

Where no contact slides already, pivoting ends at a solution if there is one, however redundant the contacts are ([pang1996]);
where one does, it may end without. Ties are broken by the order of columns, so that it does not run in circles. Two directions
are all there are in the plane; in space the cone becomes a pyramid, and the modes a guess.

With a small ridge on M every contact gives way a little, and redundant ones share their forces.
"""

import math

from routh.core.contact.cone_forces import accelerate, rows, rows_of
from routh.core.jit import kernel
from routh.core.tables.layout import OPEN, SLIP, STICK
from routh.core.tables.runs import CONE

GIVE = 1e-6         # such a ridge: entries of M are about 1
SMALL = 1e-10       # of a table whose entries are about 1: no pivot
TIE = 1e-12         # of ratios; slip that is none
PIVOTS = 20         # per row, where it usually takes one or two
SIDES = 8           # of the pyramid in space


@kernel
def sides(c):
    """Directions of friction that are to be found."""
    if c.count == 1 or c.friction != CONE:
        return 0
    return 2 if c.count == 2 else SIDES


@kernel
def slots(c):
    """Unknowns of a contact: the normal force, friction in every direction, the size of the slip."""
    return 1 + sides(c) + (1 if sides(c) > 0 else 0)


@kernel
def direction(c, k):
    """Direction k of friction, from 1 on; with 0 that of a slide."""
    if k == 0:
        return (-c.mu * c.wx, -c.mu * c.wy) if c.count > 1 and c.friction != CONE else (0.0, 0.0)
    angle = 2.0 * math.pi * (k - 1) / sides(c)
    return math.cos(angle), math.sin(angle)


@kernel
def scale_of(A, c):
    """Unit of force of contact c: what makes its inverse mass one."""
    mass = A[c.first + c.given, c.first + c.given]  # a normal force that is given has no row
    return 1.0 / math.sqrt(mass) if mass > 0.0 else 1.0


@kernel
def along(A, i, c, k):
    """Acceleration of row i by a unit of unknown k of contact c."""
    x, y = direction(c, k)
    total = A[i, c.first] if k == 0 else 0.0
    if c.count > 1:
        total += x * A[i, c.first + 1]
    if c.count > 2:
        total += y * A[i, c.first + 2]
    return total


@kernel
def coefficient(A, c, k, o, m):
    """Entry of M: row k of contact c, unknown m of contact o."""
    if k > sides(c) or m > sides(o):  # the size of the slip
        if c.first != o.first or k == m:
            return 0.0
        if m > sides(o):
            return 1.0 if k > 0 else 0.0
        return c.mu if m == 0 else -1.0
    unit = scale_of(A, c) * scale_of(A, o)
    if k == 0:
        return unit * along(A, c.first, o, m)
    x, y = direction(c, k)
    entry = x * along(A, c.first + 1, o, m)
    return unit * (entry + y * along(A, c.first + 2, o, m) if c.count > 2 else entry)


@kernel
def lay_out(A, block, a, ridge, table, basis):
    """Write the table [1, -M, -1, q], q scaled to 1, with all w basic; return (number of rows, largest |q|).

    `a`: accelerations where every contact has its base; `ridge` on the diagonal of forces.
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
            if k <= sides(c):
                line[n + row] -= ridge
            an, ax, ay = rows(a, c)
            x, y = direction(c, k)
            if k > sides(c) or (k == 0 and c.given == 1):  # what is given does not grow
                line[2 * n + 1] = c.mu * c.base / scale_of(A, c)
            else:
                line[2 * n + 1] = scale_of(A, c) * (an if k == 0 else x * ax + y * ay)
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
def pivot_forces(solver, A, b, block, ridge, lam_out, a_out, size_out):
    """Forces by pivoting, see `lay_out`; return (whether it ended, number of rows)."""
    for i in range(block.size):
        c = block[i]
        x, y = direction(c, 0)
        lam_out[c.first] = c.base
        if c.count > 1:
            lam_out[c.first + 1] = x * c.base
        if c.count > 2:
            lam_out[c.first + 2] = y * c.base
    accelerate(A, b, rows_of(block), lam_out, a_out, size_out)
    table, basis = solver.table, solver.basis
    n, unit = lay_out(A, block, a_out, ridge, table, basis)
    if not solve_table(table, basis, n):
        return False, n
    first = 0
    for i in range(block.size):
        c = block[i]
        force = unit * scale_of(A, c)
        lam_out[c.first] = c.base + force * value(table, basis, n, first)[1]
        x, y = direction(c, 0)
        x, y = x * lam_out[c.first], y * lam_out[c.first]
        for k in range(1, sides(c) + 1):
            part = force * value(table, basis, n, first + k)[1]
            dx, dy = direction(c, k)
            x, y = x + part * dx, y + part * dy
        if c.count > 1:
            lam_out[c.first + 1] = x
        if c.count > 2:
            lam_out[c.first + 2] = y
        first += slots(c)
    return True, n


@kernel
def pivot_modes(solver, A, b, block, ridge, lam_out, a_out, size_out):
    """Set the modes of all contacts, and forces to begin from; return whether pivoting ended."""
    ended, n = pivot_forces(solver, A, b, block, ridge, lam_out, a_out, size_out)
    first = 0
    for i in range(block.size if ended else 0):
        c = block[i]
        pressed, _ = value(solver.table, solver.basis, n, first)
        c.closed, c.mode = (1 if pressed and c.given == 0 else 0), STICK
        _, x, y = rows(lam_out, c)
        pull = math.hypot(x, y)
        if c.count > 1 and c.friction != CONE:
            c.mode = SLIP
        elif c.count > 1 and pull > 0.0 and value(solver.table, solver.basis, n, first + sides(c) + 1)[1] > TIE:
            c.mode, c.wx, c.wy = SLIP, -x / pull, -y / pull
        if c.closed == 0 and c.base == 0.0:
            c.mode = OPEN
        first += slots(c)
    return ended
