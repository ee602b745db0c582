"""What sweeps read of the contact points, close together in memory, in the order of islands and domains."""

from routh.core.impact.local_contact import prepare
from routh.core.jit import kernel
from routh.core.stepping.sweeps import velocity_of


@kernel
def gather(step, first, last):
    """Copy what sweeps read of a stretch of contact points."""
    for k in range(first, last):
        o, x = step.point[step.order[k]], step.cone[k]
        x.point, x.n_row, x.dof, x.n_dof, x.row = step.order[k], o.n_row, o.dof, o.n_dof, o.row
        x.mu, x.target, x.soft, x.base, x.given = o.mu, o.target, o.soft, o.base, o.given
        for i in range(3):
            x.p[i], x.free[i] = o.p[i], o.free[i]
            for j in range(3):
                x.A[i, j] = o.A[i, j]
        prepare(x.A, x.soft, x.n_row, x.K)


@kernel
def scatter(step, first, last):
    """Give a stretch of contact points their impulses, and their velocities by the rows of the middle of the step."""
    for k in range(first, last):
        x = step.cone[k]
        o = step.point[x.point]
        v0, v1, v2 = velocity_of(step, x)
        for i in range(3):
            o.p[i] = x.p[i]
        o.after[0], o.after[1], o.after[2] = v0 - o.shift[0], v1 - o.shift[1], v2 - o.shift[2]
