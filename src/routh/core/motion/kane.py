"""Accelerations of a mechanism, and its return to the constraints: the stages of kinematics.py in their order."""

import math

from routh.core import calls
from routh.core.contact.contact_space import factor_held, hold, loosen, seat_closed, steer, take_off
from routh.core.contact.contacts import face_ahead, press, push_tracks, slip_along, speed_force
from routh.core.contact.dry import TRIALS, any_loaded, find_loads, preload_all
from routh.core.jit import kernel
from routh.core.tables.layout import COUPLING, DRIVE, DRY, FRICTION, OPEN, SLIP
from routh.core.tree.closure import correct, factor_rows, let_go
from routh.core.tree.kinematics import (
    apply_loads,
    axis_force,
    close_rows,
    displace,
    place,
    rates,
    row_acceleration,
    sweep_in,
    sweep_out,
    transmit,
)
from routh.core.tree.profile import drive

ROUND_OFF = 1e-14     # [m or rad] not the drift allowed: near a flat position a violation bends the path by its square root
SHUT = 1e-11          # [m or rad] what is left open by more has not been closed, and not for round-off
CANCELLED = 1e-12     # an acceleration of this size against the largest free one, in kinetic energy, is round-off of a sum
NEWTON_STEPS = 30     # a step of the integrator needs one or two; an assembly more
TURNS = 12            # of the friction of a slide that begins gently; each gives two digits of its direction, or more


@kernel
def free_acceleration(system, work, t, q, u):
    """Accelerations without the forces of closed contacts; return the potential energy of the springs."""
    # without forces and drivers the applied ones stay what they are in a new Work: zero
    acted_on = system.force.size > 0 or system.driver.size > 0 or system.contact.size > 0 or system.track.size > 0
    if acted_on:
        drive(system, work, t, q, u)
    place(system, work, q, u)
    potential = apply_loads(system, work, t, q, u) if acted_on else 0.0
    if system.track.size > 0:
        push_tracks(system, work)
    if work.pressed[work.pressed.size - 1] > 0:
        potential += press(system, work, t, q, u)
    sweep_in(system, work)
    if system.row.size == 0:
        sweep_out(system, work, 1.0)
    else:
        close_rows(system, work, q, u)
        factor_rows(system, work)
        let_go(work)
        correct(system, work, u, 1.0, 0.0, 0.0)
    return potential


@kernel
def accelerate(system, work, t, q, u):
    """Fill `work.udot` (and multipliers, poses, velocities, powers); return the potential energy of the springs."""
    potential = free_acceleration(system, work, t, q, u)
    work.held[work.held.size - 1] = 0
    if work.closed[work.closed.size - 1] > 0:
        for k in range(u.size):
            work.free[k] = work.dof[k].udot
        face_ahead(system, work)
        preload_all(system, work, t)
        for trial in range(TURNS):
            seat_closed(system, work, t, q, u)
            factor_held(system, work, 1.0)
            hold(system, work, u, 1.0, 0.0, 0.0)
            if trial + 1 == TURNS or not steer(system, work):
                break
        if any_loaded(system):
            carry_loads(system, work, t, u)
        stay(system, work, u)
        rub(system, work)
    return potential


@kernel
def carry_loads(system, work, t, u):
    """Friction of joints by their own reactions, which depend on it: again until both agree."""
    step = 1.0
    for trial in range(TRIALS):
        settled, step = find_loads(system, work, t, trial, step)
        if settled:
            break
        take_off(system, work)
        hold(system, work, u, 1.0, 0.0, 0.0)


@kernel
def vigour(dof, rate):
    """A speed or acceleration squared, against what it takes to bring it about; one that a driver gives takes nothing."""
    return rate * rate / dof.d if dof.d > 0.0 else 0.0


@kernel
def stay(system, work, u):
    """A speed that is exactly zero stays so where contact forces cancel its acceleration to round-off: what rests, rests."""
    largest = 0.0
    for k in range(u.size):
        largest = max(largest, vigour(work.dof[k], work.free[k]))
    # what slides is on its way, however slowly, unless something else holds it
    for mode in range(SLIP, OPEN, -1):
        for j in range(work.closed[work.closed.size - 1]):
            if work.touch[work.closed[j]].mode == mode:
                r = system.hold[system.contact[work.closed[j]].hold]
                for i in range(r.dof_from, r.dof_to):
                    work.free[system.path[i]] = math.inf if mode == SLIP else 0.0
    for k in range(u.size):
        dof = work.dof[k]
        if u[k] == 0.0 and work.free[k] < math.inf and dof.udot ** 2 <= CANCELLED * CANCELLED * largest * dof.d:
            dof.udot = 0.0


@kernel
def rub(system, work):
    """Power of sliding friction; what the watch over the modes needs."""
    j = 0
    for i in range(work.closed[work.closed.size - 1]):
        touch, k = work.touch[work.closed[i]], system.contact[work.closed[i]]
        o = work.hold[k.hold]
        room = o.lam
        touch.power = 0.0
        if touch.mode == SLIP:
            r, along = system.hold[k.hold + 1], work.hold[k.hold + 1]
            touch.power = along.lam * slip_along(system, touch)
            touch.brake = row_acceleration(system, work, r, along) + along.extra
            touch.jam = 1.0
            if k.kind != DRY:
                touch.jam -= touch.mu * work.inverse_mass[j, j + 1] / work.inverse_mass[j, j]
            touch.back = min(touch.back, slip_along(system, touch))
            touch.ahead = max(touch.ahead, slip_along(system, touch))
            work.power[FRICTION] += touch.power
            j += 2 + touch.creep
            if touch.creep == 1:
                room = min(room, -abs(work.hold[k.hold + 2].lam))
        else:
            if k.n_row > 1:
                tangential = 0.0
                for m in range(1, k.n_row):
                    tangential += work.hold[k.hold + m].lam ** 2
                room = k.mu_s * o.lam - math.sqrt(tangential)
            j += k.n_row
        touch.low, touch.high = min(touch.low, room), max(touch.high, room)


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
        for j in range(work.held[work.held.size - 1] if system.dry.size > 0 else 0):
            force -= speed_force(system, work, work.held[j], d.iu)
        work.drive[k, 3] = force


@kernel
def stretch_bristles(system, work, y):
    """Put the bristles of a state where `press` finds them, at rest."""
    first = system.world[0].n_q + system.world[0].n_u
    for k in range(system.world[0].n_z):
        work.bristle[0, k], work.bristle[1, k] = y[first + k], 0.0


@kernel
def derivative(system, work, t, y, f_out):
    """Right-hand side for y = (coordinates, speeds, bristles, works); where nothing does work there are no works."""
    n_q, n_u, works = system.world[0].n_q, system.world[0].n_u, system.world[0].works
    q, u = y[:n_q], y[n_q:n_q + n_u]
    stretch_bristles(system, work, y)
    calls.accelerate(system, work, t, q, u)
    if system.driver.size > 0:
        react(system, work)
        for k in range(system.driver.size):
            work.power[DRIVE] += work.drive[k, 3] * work.drive[k, 1]
    rates(system, q, u, f_out[:n_q])
    for k in range(n_u):
        f_out[n_q + k] = work.dof[k].udot
    for k in range(works - n_q - n_u):
        f_out[n_q + n_u + k] = work.bristle[1, k]
    for k in range(works, y.size):
        f_out[k] = work.power[k - works]


@kernel
def violation(system, work):
    """Largest violation of a loop row or closed contact."""
    worst = 0.0
    for i in range(system.row.size):
        worst = max(worst, abs(work.loop[i].phi))
    for j in range(work.closed[work.closed.size - 1]):
        worst = max(worst, abs(work.touch[work.closed[j]].g))
    return worst


@kernel
def rest(work):
    """No force and no displacement on any speed, no multiplier on any loop."""
    for k in range(work.dof.size):
        work.dof[k].eps = work.dof[k].udot = 0.0
    let_go(work)


@kernel
def constrain(system, work, t, q, u, loose):
    """Factors of everything that holds the placed bodies: loops and closed contacts; `loose`: what sticks may move along."""
    sweep_in(system, work)
    close_rows(system, work, q, u)
    factor_rows(system, work)
    if work.closed[work.closed.size - 1] > 0:
        seat_closed(system, work, t, q, u)
        if loose:
            loosen(system, work)
        factor_held(system, work, 0.0)


@kernel
def comply(system, work, u, velocity, position):
    """The least change of speeds or coordinates (in kinetic energy) that closes loops and contacts, into `udot`."""
    rest(work)
    if work.closed[work.closed.size - 1] > 0:
        hold(system, work, u, 0.0, velocity, position)
    else:
        correct(system, work, u, 0.0, velocity, position)


@kernel
def close_gaps(system, work, t, q, u, loose):
    """Move coordinates until loops and contacts are closed, from the factors at hand; return the violation that is left.

    `loose`: as of `constrain`.
    """
    touching = work.closed[work.closed.size - 1] > 0
    left = violation(system, work)
    for _ in range(NEWTON_STEPS):
        if left <= ROUND_OFF:
            break
        comply(system, work, u, 0.0, 1.0)
        displace(system, work, q)
        place(system, work, q, u)
        before = left
        if before > 1e-6:
            constrain(system, work, t, q, u, loose)
        else:
            close_rows(system, work, q, u)
            if touching:
                seat_closed(system, work, t, q, u)
            if loose:
                loosen(system, work)
        left = violation(system, work)
        if before <= 1e-6 and left > 0.1 * before:
            break  # round-off
    return left


@kernel
def project(system, work, t, q, u):
    """Bring coordinates and speeds back to the constraints; return the violation of position that is left.

    Newton's method with the kinetic-energy metric; the factor is renewed while the steps are large. What sticks stays where it
    is, unless the gaps of others, as that of a second wall of a corner, cannot be closed so. Where nothing holds them, the
    bodies are not placed.
    """
    drive(system, work, t, q, u)
    rest(work)
    displace(system, work, q)  # gives quaternions unit length
    touching = work.closed[work.closed.size - 1] > 0
    if system.row.size == 0 and not touching:
        return 0.0
    place(system, work, q, u)
    constrain(system, work, t, q, u, False)
    left = close_gaps(system, work, t, q, u, False)
    if touching and left > SHUT:
        constrain(system, work, t, q, u, True)
        left = close_gaps(system, work, t, q, u, True)
        constrain(system, work, t, q, u, False)
    comply(system, work, u, 1.0, 0.0)
    for k in range(u.size):
        u[k] += work.dof[k].udot
    return left
