"""Rows and inverse mass of contact points, whitened: J M⁻¹ Jᵀ = Y Yᵀ.

A row of J touches only the speeds between its two bodies and the ground. The articulated factors of the tree turn it into a
whitened row Y over the same speeds (`respond_row`). Loops are eliminated: Y is projected onto what keeps them closed, and then
touches all speeds.
"""

import numpy as np

from routh.core.contact.contact_space import half_solve
from routh.core.jit import kernel
from routh.core.stepping.points import fill_row
from routh.core.tables.stepping import ROWS_FULL
from routh.core.tree.kinematics import respond_row, row_velocity


@kernel
def list_path(system, hold, a, b):
    """Write the nodes between a, b and the ground, outermost first, into the scratch of the row `hold`."""
    n = hold.path_from
    while a > 0 or b > 0:
        top = max(a, b)
        system.path[n] = top
        n += 1
        if a == top:
            a = system.node[top].parent
        if b == top:
            b = system.node[top].parent
    hold.path_to = n


@kernel
def list_dofs(system, step, hold, o):
    """Write the speeds that a point touches; False where there is no room."""
    control = step.control[0]
    if control.n_dof + step.w.size > step.dof.size or control.n_row + 3 * step.w.size > step.row.size:
        return False
    n = control.n_dof
    if system.row.size > 0:
        for k in range(step.w.size):
            step.dof[n + k] = k
        n += step.w.size
    else:
        for j in range(hold.path_from, hold.path_to):
            node = system.node[system.path[j]]
            for k in range(node.iu, node.iu + node.n_u):
                step.dof[n] = k
                n += 1
    count = n - control.n_dof
    o.dof, o.n_dof, o.row = control.n_dof, count, control.n_row
    control.n_dof = n
    control.n_row += o.n_row * count
    return True


@kernel
def eliminate_loops(system, work, answer):
    """Take from a whitened row what would open the loops."""
    row, x = system.row, work.veil[0]
    for m in range(row.size):
        x[m] = 0.0
        for k in range(row[m].dof_from, row[m].dof_to):
            x[m] += work.answer[m, system.path[k]] * answer[system.path[k]]
    half_solve(row, work.chol, x, False)
    half_solve(row, work.chol, x, True)
    for m in range(row.size):
        for k in range(row[m].dof_from, row[m].dof_to):
            answer[system.path[k]] -= x[m] * work.answer[m, system.path[k]]


@kernel
def whiten(system, work, step, hold, moving, o, i, answer):
    """Fill row i of a point from the moving part of its row; `answer` is scratch."""
    if system.row.size > 0:
        for k in range(answer.size):
            answer[k] = 0.0
    respond_row(system, work, hold, moving, answer)
    if system.row.size > 0:
        eliminate_loops(system, work, answer)
    first, at = o.row + np.uint64(i) * o.n_dof, o.dof
    for k in range(o.n_dof):
        step.row[first + k] = answer[step.dof[at + k]]


@kernel
def own_mass(step, o):
    """Inverse mass of a point."""
    for i in range(o.n_row):
        for j in range(i + 1):
            total, first, second = 0.0, o.row + np.uint64(i) * o.n_dof, o.row + np.uint64(j) * o.n_dof
            for k in range(o.n_dof):
                total += step.row[first + k] * step.row[second + k]
            o.A[i, j] = o.A[j, i] = total
    if o.given == 1:  # any mass would do, as no row moves: that of the slip
        o.A[0, 0] = max(o.A[1, 1], o.A[2, 2]) if o.n_row == 3 else o.A[1, 1]


@kernel
def list_point(system, step, n_fixed, o):
    """Speeds and room for the rows of one point; False where there is no room."""
    if o.i < 0:
        return list_dofs(system, step, system.hold[system.contact[-1 - o.i].hold], o)
    hold = system.hold[system.contact[n_fixed].hold]
    list_path(system, hold, o.a, o.b)
    return list_dofs(system, step, hold, o)


@kernel
def whiten_point(system, work, step, d, o):
    """Rows, inverse mass and velocity at the start of one point, with the scratch of domain d."""
    slot = step.control[0].n_fixed + d
    first = system.contact[-1 - o.i if o.i < 0 else slot].hold
    hold, answer = system.hold[first], step.answer[d]
    if o.i >= 0:
        hold.a, hold.b = o.a, o.b
        list_path(system, hold, o.a, o.b)
    for i in range(o.n_row):
        moving = work.hold[first + i]
        if o.given == 1:
            hold = system.hold[first + i]
        elif o.a != o.b:  # the row of a stop is that of a coordinate
            fill_row(system, work, o, o.n if i == 0 else (o.t1 if i == 1 else o.t2), moving)
        whiten(system, work, step, hold, moving, o, i, answer)
        if i > 0:
            o.before[i] = row_velocity(system, work, step.u_mid, hold, moving)
    own_mass(step, o)


@kernel
def list_rows(system, step):
    """Speeds and room for the rows of all points; return 0 or ROWS_FULL."""
    control = step.control[0]
    control.n_dof = control.n_row = 0
    for k in range(control.n_point):  # in the order of the sweeps, so that they go through memory straight
        if not list_point(system, step, control.n_fixed, step.point[step.order[k]]):
            return ROWS_FULL
    return 0


@kernel
def free_velocity(system, work, step, d, o):
    """Relative velocity of a point at the velocities of the frames, into `free`, with the scratch of domain d."""
    fixed = o.i < 0
    first = system.contact[-1 - o.i if fixed else step.control[0].n_fixed + d].hold
    hold = system.hold[first]
    if not fixed:
        hold.a, hold.b = o.a, o.b
    for i in range(o.n_row):
        moving = work.hold[first + i if o.given == 1 else first]
        if o.given == 1:
            hold = system.hold[first + i]
        elif o.a != o.b:
            fill_row(system, work, o, o.n if i == 0 else (o.t1 if i == 1 else o.t2), moving)
        o.free[i] = row_velocity(system, work, step.u_free, hold, moving)
