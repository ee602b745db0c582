"""Loop closures: multipliers by the rows' inverse mass A = Φ_u M⁻¹ Φ_uᵀ, with redundant rows allowed.

A is built from the tree's own factors (each row feels the speeds on its path only), scaled and factored on its skyline.
The scale of a row is fixed: what it would feel if its bodies were free. (Scaled to a unit diagonal, a row that vanishes at an
instant, as along the line of a flat four-bar, would be blown up from nothing.) A small ridge makes the factor exist where rows
are redundant, for good or at an instant; proximal corrections then remove the ridge's effect: each one shrinks the error
along an eigenvector of A with value s by ridge / (s + ridge). Starting from zero multipliers they stay in the range of A, so
what comes out are the multipliers of least norm (in this scaling), and no pivot is ever chosen by a small float.
"""

import math

from routh.core.jit import kernel
from routh.core.tree.kinematics import respond_row, row_acceleration, row_velocity, sweep_out

RESIDUAL = 1e-14      # of the first residual: round-off of a sweep

@kernel
def factor_rows(system, work):
    """Factor the scaled inverse mass of all rows: answer answerᵀ + ridge = chol cholᵀ."""
    row, answer, chol, path, ridge = system.row, work.answer, work.chol, system.path, work.ridge[0]
    for i in range(row.size):
        respond_row(system, work, row[i], work.loop[i], answer[i])
        for j in range(row[i].dof_from, row[i].dof_to):
            answer[i, path[j]] *= row[i].scale

    for i in range(row.size):
        for j in range(row[i].first, i + 1):
            total = ridge if i == j else 0.0
            for k in range(row[j].dof_from, row[j].dof_to):
                total += answer[i, path[k]] * answer[j, path[k]]
            for k in range(max(row[i].first, row[j].first), j):
                total -= chol[i, k] * chol[j, k]
            chol[i, j] = total / chol[j, j] if i != j else math.sqrt(max(total, ridge))


@kernel
def solve_rows(system, work):
    """Overwrite the rows' `x` with A⁻¹ x, on the skyline."""
    row, loop, chol = system.row, work.loop, work.chol
    for i in range(row.size):
        total = loop[i].x
        for k in range(row[i].first, i):
            total -= chol[i, k] * loop[k].x
        loop[i].x = total / chol[i, i]
    for i in range(row.size - 1, -1, -1):
        loop[i].x /= chol[i, i]
        for k in range(row[i].first, i):
            loop[k].x -= chol[i, k] * loop[i].x


@kernel
def let_go(work):
    """No multiplier on any loop row."""
    for i in range(work.loop.size):
        work.loop[i].lam = 0.0


@kernel
def correct(system, work, u, acceleration, velocity, position):
    """Sweep outward with multipliers that close every row; `eps` must hold the forces left without them.

    One of the three weights is 1, the others 0: accelerations come out in `udot`, or the change of speeds or of
    coordinates that closes the rows with the least kinetic energy. Multipliers are added to those already there.
    """
    row, dof, answer, loop, path = system.row, work.dof, work.answer, work.loop, system.path
    first = last = math.inf
    most = int(work.ridge[1])
    for trial in range(most + 1):
        sweep_out(system, work, acceleration)
        worst = 0.0
        for i in range(row.size):
            o = loop[i]
            r = row[i]
            o.lack = r.scale * (row_acceleration(system, work, r, o) + acceleration * o.extra
                                + velocity * row_velocity(system, work, u, r, o) + position * o.phi)
            worst = max(worst, abs(o.lack))
        if trial == 0:
            first = worst
        if trial == most or worst <= RESIDUAL * first or worst > 0.9 * last or worst == 0.0:
            return
        last = worst
        for i in range(row.size):
            loop[i].x = -loop[i].lack
        solve_rows(system, work)
        for i in range(row.size):
            o = loop[i]
            o.lam += row[i].scale * o.x
            for k in range(row[i].dof_from, row[i].dof_to):
                t = dof[path[k]]
                t.eps += o.x * answer[i, path[k]] / t.root
