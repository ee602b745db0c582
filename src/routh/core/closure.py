"""Loop closures: multipliers by the rows' inverse mass A = Φ_u M⁻¹ Φ_uᵀ, with redundant rows allowed.

A is built from the tree's own factors (each row feels the speeds on its path only), scaled to unit diagonal and
factored on its skyline. A small ridge makes the factor exist where rows are redundant, for good or at an
instant (a flat four-bar); proximal corrections then remove the ridge's effect: each one shrinks the error along an
eigenvector of A with value s by RIDGE / (s + RIDGE). Starting from zero multipliers they stay in the range of A, so what
comes out are the multipliers of least norm (in the scaling of unit diagonal), and no pivot is ever chosen by a small float.
"""

import math

from routh.core.jit import kernel
from routh.core.kinematics import respond_row, row_acceleration, row_velocity, sweep_out

RIDGE = 1e-9          # against a unit diagonal: far above round-off, far below any row that matters
CORRECTIONS = 12      # at most; three do where no row is close to redundant
RESIDUAL = 1e-14      # of the first residual: round-off of a sweep

ACCELERATION, VELOCITY, POSITION = range(3)


@kernel
def factor_rows(system, work):
    """Factor the scaled inverse mass of all rows: answer answerᵀ + RIDGE = chol cholᵀ."""
    row, answer, chol, scale = system.row, work.answer, work.chol, work.rhs[2]
    for i in range(row.size):
        respond_row(system, work, i)
        total = 0.0
        for j in range(row[i].dof_from, row[i].dof_to):
            total += answer[i, system.path_dof[j]] ** 2
        scale[i] = 1.0 / math.sqrt(total) if total > 0.0 else 0.0
        for j in range(row[i].dof_from, row[i].dof_to):
            answer[i, system.path_dof[j]] *= scale[i]

    for i in range(row.size):
        for j in range(row[i].first, i + 1):
            total = RIDGE if i == j else 0.0
            for k in range(row[j].dof_from, row[j].dof_to):
                dof = system.path_dof[k]
                total += answer[i, dof] * answer[j, dof]
            for k in range(max(row[i].first, row[j].first), j):
                total -= chol[i, k] * chol[j, k]
            chol[i, j] = total / chol[j, j] if i != j else math.sqrt(max(total, RIDGE))


@kernel
def solve_rows(system, chol, x):
    """Overwrite x with A⁻¹ x, on the skyline."""
    row = system.row
    for i in range(row.size):
        for k in range(row[i].first, i):
            x[i] -= chol[i, k] * x[k]
        x[i] /= chol[i, i]
    for i in range(row.size - 1, -1, -1):
        x[i] /= chol[i, i]
        for k in range(row[i].first, i):
            x[k] -= chol[i, k] * x[i]


@kernel
def residual(system, work, u, level, i):
    """What row i still lacks of zero, at the level of accelerations, velocities or positions."""
    o = work.loop[i]
    if level == ACCELERATION:
        return row_acceleration(system, work, i) + o.extra
    if level == VELOCITY:
        return row_acceleration(system, work, i) + row_velocity(system, work, u, i)
    return row_acceleration(system, work, i) + o.phi


@kernel
def correct(system, work, u, level):
    """Sweep outward with multipliers that close every row; `eps` must hold the forces left without them.

    Accelerations come out in `udot` (level ACCELERATION); or the change of speeds (VELOCITY) or of coordinates (POSITION)
    that closes the rows with the least kinetic energy.
    """
    row, dof, answer, loop = system.row, work.dof, work.answer, work.loop
    lack, x, scale = work.rhs[0], work.rhs[1], work.rhs[2]
    bias = 1.0 if level == ACCELERATION else 0.0
    for i in range(row.size):
        loop[i].lam = 0.0
    first = last = math.inf
    for trial in range(CORRECTIONS + 1):
        sweep_out(system, work, bias)
        worst = 0.0
        for i in range(row.size):
            lack[i] = scale[i] * residual(system, work, u, level, i)
            worst = max(worst, abs(lack[i]))
        if trial == 0:
            first = worst
        if trial == CORRECTIONS or worst <= RESIDUAL * first or worst > 0.5 * last or worst == 0.0:
            return
        last = worst
        for i in range(row.size):
            x[i] = -lack[i]
        solve_rows(system, work.chol, x)
        for i in range(row.size):
            loop[i].lam += scale[i] * x[i]
            for k in range(row[i].dof_from, row[i].dof_to):
                t = dof[system.path_dof[k]]
                t.eps += x[i] * answer[i, system.path_dof[k]] / math.sqrt(t.d)
