"""The entry point of stepped motion. Python calls it once per slice of work, and again where a table had no room."""

import math

from routh.core.jit import kernel
from routh.core.stepping.step import SHORTEST, kick, take_step
from routh.core.stepping.step_samples import write_bodies, write_forces
from routh.core.tables.layout import FINISHED, PAUSED
from routh.core.tables.stepping import TOO_FAST
from routh.core.tree.profile import choose_pieces


@kernel
def write_sample(system, work, step, y, t_out, y_out, body_out, joint_out, row_out, drive_out, reading_out, energy_out,
                 contact_out, grip_out):
    """Write the present state as the next sample."""
    control = step.control[0]
    s, n_q, n_u = control.n_out, system.world[0].n_q, system.world[0].n_u
    t_out[s] = control.t
    for k in range(y.size):
        y_out[s, k] = y[k]
    write_bodies(system, work, s, control.t, y[:n_q], y[n_q:n_q + n_u], body_out, energy_out, grip_out)
    write_forces(system, work, step, s, joint_out, row_out, drive_out, reading_out, contact_out)
    control.n_out += 1


@kernel
def run_steps(system, work, step, y, n_fixed, rows, t_out, y_out, body_out, joint_out, row_out, drive_out, reading_out,
              energy_out, contact_out, grip_out):
    """Step from control.t through all stops; samples where they are wanted.

    Re-entrant: PAUSED, and the codes of tables that are full, mean call again. Forces of the first sample are those of the
    first step.
    """
    control = step.control[0]
    while control.next_stop < step.stops.size:
        t, stop = control.t, step.stops[control.next_stop]
        if control.steps >= control.budget:
            return PAUSED
        due = control.next_impulse
        while due < system.impulse.size and system.impulse[due].stop <= t:
            due += 1
        if due > control.next_impulse:
            choose_pieces(system, t, work.piece)
            kick(system, work, step, y, t, due)
        h = control.h
        while True:
            count = max(math.ceil((stop - t) / h * (1.0 - 1e-12)), 1)
            length = (stop - t) / count
            choose_pieces(system, t + 0.5 * length, work.piece)
            watched = (count == 1 and step.sample[control.next_stop] == 1) or control.steps == 0
            status = take_step(system, work, step, y, t, length, n_fixed, rows, watched)
            if status != TOO_FAST:
                break
            h = min(control.longest, 0.999 * length)
            control.shortened += 1
            control.asked = 0  # a shorter step has another contact problem
            if h < SHORTEST * control.h:
                return TOO_FAST
        if status != 0:
            return status
        control.t = stop if count == 1 else t + length
        control.steps += 1
        control.shortest = min(control.shortest, length)
        if control.steps == 1:
            write_forces(system, work, step, 0, joint_out, row_out, drive_out, reading_out, contact_out)
        if count == 1:
            if step.sample[control.next_stop] == 1:
                write_sample(system, work, step, y, t_out, y_out, body_out, joint_out, row_out, drive_out, reading_out,
                             energy_out, contact_out, grip_out)
            control.next_stop += 1
    return FINISHED


@kernel
def first_sample(system, work, step, y, t_out, y_out, body_out, joint_out, row_out, drive_out, reading_out, energy_out,
                 contact_out, grip_out):
    """Write the start as the first sample."""
    choose_pieces(system, step.control[0].t, work.piece)
    write_sample(system, work, step, y, t_out, y_out, body_out, joint_out, row_out, drive_out, reading_out, energy_out,
                 contact_out, grip_out)
