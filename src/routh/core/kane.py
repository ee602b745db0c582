"""Accelerations of a mechanism, and its return to the constraints: the stages of kinematics.py in their order."""

from routh.core.closure import correct, factor_rows
from routh.core.jit import kernel
from routh.core.kinematics import (
    apply_loads,
    axis_force,
    close_rows,
    displace,
    place,
    rates,
    sweep_in,
    sweep_out,
    transmit,
)
from routh.core.layout import COUPLING, DRIVE
from routh.core.profile import drive

ROUND_OFF = 1e-14     # [m or rad] not the drift allowed: near a flat position a violation bends the path by its square root
NEWTON_STEPS = 30     # a step of the integrator needs one or two; an assembly more


@kernel
def accelerate(system, work, t, q, u):
    """Fill `work.udot` (and multipliers, poses, velocities, powers); return the potential energy of the springs."""
    # without forces and drivers the applied ones stay what they are in a new Work: zero
    acted_on = system.force.size > 0 or system.driver.size > 0
    if acted_on:
        drive(system, work, t, q, u)
    place(system, work, q, u)
    potential = apply_loads(system, work, t, q, u) if acted_on else 0.0
    sweep_in(system, work)
    if system.row.size == 0:
        sweep_out(system, work, 1.0)
    else:
        close_rows(system, work, q, u)
        factor_rows(system, work)
        correct(system, work, u, 1.0, 0.0, 0.0)
    return potential


@kernel
def react(system, work):
    """After `accelerate`: the wrench through every tree joint, and each driver's force into `drive[:, 3]`."""
    transmit(system, work)
    for k in range(system.driver.size):
        d = system.driver[k]
        force = axis_force(system, work, d.node) - work.dof[d.iu].tau
        for i in range(system.row.size):
            r = system.row[i]
            if r.kind == COUPLING:
                force -= work.loop[i].lam * ((1.0 if r.iu_b == d.iu else 0.0) - r.ratio * (1.0 if r.iu_a == d.iu else 0.0))
        work.drive[k, 3] = force


@kernel
def derivative(system, work, t, y, f_out):
    """Right-hand side for y = (coordinates, speeds, works); a model on which nothing does work leaves the works out."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    q, u = y[:n_q], y[n_q:n_q + n_u]
    accelerate(system, work, t, q, u)
    if system.driver.size > 0:
        react(system, work)
        for k in range(system.driver.size):
            work.power[DRIVE] += work.drive[k, 3] * work.drive[k, 1]
    rates(system, q, u, f_out[:n_q])
    for k in range(n_u):
        f_out[n_q + k] = work.dof[k].udot
    for k in range(n_q + n_u, y.size):
        f_out[k] = work.power[k - n_q - n_u]


@kernel
def violation(system, work):
    """Largest violation of a loop row."""
    worst = 0.0
    for i in range(system.row.size):
        worst = max(worst, abs(work.loop[i].phi))
    return worst


@kernel
def rest(work):
    """No force and no displacement on any speed."""
    for k in range(work.dof.size):
        work.dof[k].eps = work.dof[k].udot = 0.0


@kernel
def project(system, work, t, q, u):
    """Bring coordinates and speeds back to the constraints; return the violation of position that is left.

    Newton's method with the kinetic-energy metric; the factor is renewed while the steps are large.
    """
    drive(system, work, t, q, u)
    rest(work)
    displace(system, work, q)  # gives quaternions unit length
    place(system, work, q, u)
    if system.row.size == 0:
        return 0.0
    sweep_in(system, work)
    close_rows(system, work, q, u)
    factor_rows(system, work)
    left = violation(system, work)
    for _ in range(NEWTON_STEPS):
        if left <= ROUND_OFF:
            break
        rest(work)
        correct(system, work, u, 0.0, 0.0, 1.0)
        displace(system, work, q)
        place(system, work, q, u)
        before = left
        if before > 1e-6:
            sweep_in(system, work)
            close_rows(system, work, q, u)
            factor_rows(system, work)
        else:
            close_rows(system, work, q, u)
        left = violation(system, work)
        if before <= 1e-6 and left > 0.1 * before:
            break  # round-off

    rest(work)
    correct(system, work, u, 0.0, 1.0, 0.0)
    for k in range(u.size):
        u[k] += work.dof[k].udot
    return left
