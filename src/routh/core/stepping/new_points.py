"""How a contact point is written down: its pair, its normal velocity, its gap at the start of the step."""

from routh.core.jit import kernel
from routh.core.stepping.points import fill_row, span
from routh.core.tree.kinematics import row_velocity

TOUCHING = 1e-9       # gap, against the size of the smaller shape, that counts as zero where nothing turns


@kernel
def close_in(system, work, step, o, slot, h):
    """Normal velocity of a point, and its gap at the start of the step; the frames have the velocities of the start."""
    row = work.hold[system.contact[slot].hold]
    fill_row(system, work, o, o.n, row)
    hold = system.hold[system.contact[slot].hold]
    hold.a, hold.b = o.a, o.b
    o.before[0] = row_velocity(system, work, step.u_mid, hold, row)
    o.gap -= 0.5 * h * o.before[0]


@kernel
def new_point(step, pair, part):
    """The next free contact point, with what its pair says; nothing else of it is set."""
    o = step.point[step.control[0].n_point]
    o.i, o.j, o.part, o.rule, o.sense = pair.i, pair.j, part, pair.rule, pair.sense
    s, t = step.shape[pair.i], step.shape[pair.j]
    o.a, o.b, o.size, o.given = s.node, t.node, min(s.reach, t.reach), 0
    o.slack = TOUCHING * o.size + s.bend + t.bend
    return o


@kernel
def keep(system, step, o, reach):
    """Keep a point that can close within the step."""
    if o.gap <= reach:
        span(system, o)
        step.control[0].n_point += 1
