"""Everything that a Result shows, read off at given states; and the partial velocities, for assembly and analysis."""

import math

from routh.core.calls import accelerate
from routh.core.contact.contact_space import beneath, list_closed
from routh.core.contact.contacts import joint_friction, look, read_phase, seat, slip_speed
from routh.core.jit import kernel
from routh.core.motion.kane import react, stretch_bristles
from routh.core.tables.layout import DRY, OPEN, SLIP, SOFT
from routh.core.tree.kinematics import close_rows, displace, energies, place, read_body, read_joint, read_row, row_velocity
from routh.core.tree.profile import choose_pieces, drive


@kernel
def observe(system, work, t, y, segment, stops, phase, phases, body_out, joint_out, row_out, drive_out, reading_out, energy_out,
            contact_out, grip_out):
    """Fill one row of each output per sample; accelerations belong to the sample's own side of a stop or event."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    for s in range(t.size):
        if phases.shape[1] > 0 and (s == 0 or phase[s] != phase[s - 1]):
            read_phase(system, work, phases[phase[s]])
            list_closed(system, work)
        if s == 0 or segment[s] != segment[s - 1]:
            choose_pieces(system, 0.5 * (stops[segment[s]] + stops[segment[s] + 1]), work.piece)
        stretch_bristles(system, work, y[s])
        springs = accelerate(system, work, t[s], y[s, :n_q], y[s, n_q:n_q + n_u])
        energy_out[s, 0], weight = energies(system, work)
        energy_out[s, 1], energy_out[s, 2] = weight + springs, work.stored[0]
        for i in range(work.grip.size):
            grip_out[s, i] = work.grip[i]
        for i in range(1, system.node.size):
            read_body(system, work, i, body_out[s, i])
        for i in range(system.row.size):
            read_row(system, work, i, row_out[s, i])
        react(system, work)
        for i in range(1, system.node.size):
            read_joint(system, work, i, joint_out[s, i])
        for k in range(system.driver.size):
            drive_out[s, k] = work.drive[k, 3]
        for k in range(system.force.size):
            reading_out[s, k, 0], reading_out[s, k, 1] = work.reading[k, 0], work.reading[k, 1]
        for c in range(system.contact.size):
            read_contact(system, work, c, y[s, :n_q], y[s, n_q:n_q + n_u], contact_out[s, c])


@kernel
def read_contact(system, work, c, q, u, out):
    """Mode, gap, normal and tangential force, slip speed, normal speed, stored energy of contact c.

    Dry friction of a joint: the force on b that acts about the axis, and instead of the energy the one along it.
    """
    touch, k = work.touch[c], system.contact[c]
    if touch.mode == OPEN:
        look(system, work, c, q, u)
    out[0], out[1], out[4], out[5] = touch.mode, touch.g, slip_speed(system, touch), touch.rate
    if touch.mode == OPEN and beneath(k, touch.g):
        out[1], out[5] = -touch.g, -touch.rate
    out[2] = out[3] = out[6] = 0.0
    if k.law == SOFT and touch.mode != OPEN:
        out[2], out[3], out[6] = touch.normal, touch.tangential, touch.stored
    elif touch.mode != OPEN:
        out[2] = work.hold[k.hold].lam
        if k.kind == DRY:
            out[3], out[6] = joint_friction(system, work, c)
            return
        for i in range(1, 2 if touch.mode == SLIP else k.n_row):
            out[3] += work.hold[k.hold + i].lam ** 2
        out[3] = math.sqrt(out[3])


@kernel
def violations(system, work, q, u, phi_out, rate_out):
    """Violation and rate of every loop row."""
    place(system, work, q, u)
    close_rows(system, work, q, u)
    for i in range(system.row.size):
        phi_out[i] = work.loop[i].phi
        rate_out[i] = row_velocity(system, work, u, system.row[i], work.loop[i])


@kernel
def partials(system, work, q, scratch, body_out, row_out):
    """Partial velocities of every body (as `read_body` orders them) and of every loop row with respect to every speed."""
    for k in range(scratch.size):
        for j in range(scratch.size):
            scratch[j] = 1.0 if j == k else 0.0
        place(system, work, q, scratch)
        close_rows(system, work, q, scratch)
        for i in range(1, system.node.size):
            read_body(system, work, i, body_out[k, i])
        for i in range(system.row.size):
            row_out[i, k] = row_velocity(system, work, scratch, system.row[i], work.loop[i])


@kernel
def place_bodies(system, work, q, u, body_out):
    """Poses and velocities of every body."""
    place(system, work, q, u)
    for i in range(1, system.node.size):
        read_body(system, work, i, body_out[i])


@kernel
def displace_by(system, work, q):
    """Move the coordinates by the displacement of the speeds in `udot`."""
    displace(system, work, q)


@kernel
def drive_to(system, work, t, q, u):
    """Put driven coordinates and speeds where their motions are at time t."""
    choose_pieces(system, t, work.piece)
    drive(system, work, t, q, u)


@kernel
def accelerate_at(system, work, t, q, u, udot_out):
    """Accelerations at one state."""
    choose_pieces(system, t, work.piece)
    accelerate(system, work, t, q, u)
    for k in range(udot_out.size):
        udot_out[k] = work.dof[k].udot


@kernel
def gaps_at(system, work, q, u, gap_out):
    """Gap of every contact."""
    place(system, work, q, u)
    for c in range(system.contact.size):
        look(system, work, c, q, u)
        gap_out[c] = work.touch[c].g


@kernel
def contact_rows(system, work, q, scratch, gap_out, row_out):
    """Gap of every contact, and the rate of each of its rows with respect to every speed."""
    for k in range(scratch.size):
        for j in range(scratch.size):
            scratch[j] = 1.0 if j == k else 0.0
        place(system, work, q, scratch)
        for c in range(system.contact.size):
            seat(system, work, c, q, scratch)
            gap_out[c] = work.touch[c].g
            first = system.contact[c].hold
            for i in range(first, first + system.contact[c].n_row):
                row_out[i, k] = row_velocity(system, work, scratch, system.hold[i], work.hold[i])
