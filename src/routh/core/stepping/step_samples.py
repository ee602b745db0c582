"""Samples of a stepped motion: states at the ends of steps, forces as means over them."""

import math

from routh.core.contact.contacts import push_tracks
from routh.core.jit import kernel
from routh.core.tables.layout import OPEN
from routh.core.tree.kinematics import apply_loads, energies, place, read_body, read_joint, read_row


@kernel
def note_reactions(system, work, step):
    """Keep the mean reactions of the step; call after `react`, before the bodies are placed anew."""
    for i in range(1, system.node.size):
        read_joint(system, work, i, step.joint[i])
    for i in range(system.row.size):
        read_row(system, work, i, step.loop[i])
    for k in range(system.driver.size):
        step.drive[k] = work.drive[k, 3]
    for k in range(system.force.size):
        step.reading[k, 0], step.reading[k, 1] = work.reading[k, 0], work.reading[k, 1]


@kernel
def write_forces(system, work, step, s, joint_out, row_out, drive_out, reading_out, contact_out):
    """Write the mean forces of the last step as those of sample s."""
    for i in range(system.node.size):
        for k in range(joint_out.shape[2]):
            joint_out[s, i, k] = step.joint[i, k]
    for i in range(system.row.size):
        for k in range(row_out.shape[2]):
            row_out[s, i, k] = step.loop[i, k]
    for k in range(system.driver.size):
        drive_out[s, k] = step.drive[k]
    for k in range(system.force.size):
        reading_out[s, k, 0], reading_out[s, k, 1] = step.reading[k, 0], step.reading[k, 1]
    for i in range(step.sum.size):
        x, out = step.sum[i], contact_out[s, i]
        out[0], out[1], out[2], out[3], out[4], out[5] = x.mode, x.gap, x.force, x.tangential, x.slip, x.rate
        out[6] = x.second
        if x.seen == 0:
            out[0], out[1] = OPEN, math.nan


@kernel
def write_bodies(system, work, s, t, q, u, body_out, energy_out, grip_out):
    """Write poses, velocities, mean accelerations and energies of sample s."""
    place(system, work, q, u)
    springs = apply_loads(system, work, t, q, u)
    if system.track.size > 0:
        push_tracks(system, work)
    energy_out[s, 0], weight = energies(system, work)
    energy_out[s, 1], energy_out[s, 2] = weight + springs, work.stored[0]
    for i in range(1, system.node.size):
        read_body(system, work, i, body_out[s, i])
    for i in range(work.grip.size):
        grip_out[s, i] = work.grip[i]
