"""One step of Moreau and Jean: free motion, contact impulses, new state ([moreau1999], [jean1999], [acary2008]).

    q_m  = q ⊕ h/2 u                                   where the bodies come by their velocities
    a    = M⁻¹ F(t + h/2, q_m, u + h/2 a_last)         without contacts; loops closed; a_last: with those of the last step
    u'   = u + h (a + M⁻¹ Jᵀ p / h)                    p: contact impulses, Coulomb's law and restitution at u'
    q'   = q ⊕ τ u ⊕ (h - τ) u'

With τ = h/2 the motion is of second order, and symplectic. Islands whose bodies meet within the step have the time until they
meet. Where some contact would penetrate so, τ = 0: a contact keeps gap + h v_n ≥ 0, so that nothing penetrates but for the
curvature of its path. Contact points are those of q_m. Penetration is taken back by displacements that carry no momentum.
"""

import math

from routh.core.calls import project
from routh.core.contact.contacts import load_impulse
from routh.core.contact.dry import any_loaded, preload_all, take_loads
from routh.core.jit import kernel
from routh.core.motion.kane import free_acceleration, react
from routh.core.stepping.broad_phase import find_pairs, longest_step, outrun, place_shapes, spread, widen
from routh.core.stepping.cones import gather, scatter
from routh.core.stepping.contact_laws import ask, count_rows
from routh.core.stepping.domains import find_domains
from routh.core.stepping.islands import find_islands, root
from routh.core.stepping.narrow_phase import find_points, remember
from routh.core.stepping.point_rows import free_velocity, list_rows, whiten_point
from routh.core.stepping.points import impulse_power, load_point, put_coordinates, velocities
from routh.core.stepping.separation import separate
from routh.core.stepping.sharing import FREE, ROWS, share_out
from routh.core.stepping.solve import expand, solve_islands, start_impulses, take_given
from routh.core.stepping.step_samples import note_reactions
from routh.core.stepping.step_sums import add_up, enough_room
from routh.core.tables.layout import APPLIED, DRIVE, LOOP_OPEN, NOT_FINITE
from routh.core.tables.stepping import N_DOMAIN, TOO_FAST, UNSOLVED
from routh.core.tree.closure import correct, factor_rows, let_go
from routh.core.tree.kinematics import close_rows, place, sweep_in, sweep_out, transmit
from routh.core.tree.profile import drive

AGAIN = 8             # times that a step is looked at again because contact impulses made a body outrun its margin
SHORTEST = 1e-4       # of the step asked for: shorter ones mean that it is too long for these speeds


@kernel
def kick(system, work, step, y, t, due):
    """Apply the scheduled impulses up to `due` to the speeds of a state, with their work; contacts answer in the next step."""
    n_q, n_u, works = system.world[0].n_q, system.world[0].n_u, system.world[0].works
    q, u, still = y[:n_q], y[n_q:n_q + n_u], step.u_new
    for k in range(n_u):
        still[k], work.dof[k].tau = 0.0, 0.0
    for i in range(step.control[0].next_impulse, due):
        place(system, work, q, u)
        y[works + APPLIED] += 0.5 * impulse_power(system, work, i)
        place(system, work, q, still)  # velocities have no part in an impulse
        load_impulse(system, work, i, 1.0)
        sweep_in(system, work)
        if system.row.size == 0:
            sweep_out(system, work, 0.0)
        else:
            close_rows(system, work, q, still)
            factor_rows(system, work)
            let_go(work)
            correct(system, work, still, 0.0, 1.0, 0.0)
        for k in range(n_u):
            u[k] += work.dof[k].udot
        place(system, work, q, u)
        y[works + APPLIED] += 0.5 * impulse_power(system, work, i)
    step.control[0].next_impulse, step.control[0].fresh = due, 1


@kernel
def predict(system, work, step, t, h, q, u):
    """Free motion of the step: bodies placed in its middle, `u_free` at its end."""
    for c in range(step.tau.size):
        step.tau[c] = 0.5 * h
    for k in range(q.size):
        step.q_mid[k] = q[k]
    put_coordinates(system, step.component, u, step.tau, step.q_mid)
    for k in range(u.size):  # a first step knows no last one: one error of second order, and bodies at rest stay so
        step.u_mid[k] = u[k] + (0.5 * h * step.udot[k] if step.control[0].fresh == 0 else 0.0)
    free_acceleration(system, work, t + 0.5 * h, step.q_mid, step.u_mid)
    for k in range(u.size):
        step.udot_new[k] = work.dof[k].udot
        step.u_free[k] = u[k] + h * step.udot_new[k]
    if step.control[0].fresh == 1 and any_loaded(system):  # there is no last step that tells the loads of joints
        transmit(system, work)
        take_loads(system, work)
    if system.driver.size > 0:
        drive(system, work, t + h, step.q, step.u_free)
        drive(system, work, t + 0.5 * h, step.q, step.u_new)


@kernel
def on_all_points(system, work, step, task):
    """Rows of all contact points (task ROWS), or their velocities without impulses (FREE); a large island is shared out."""
    control = step.control[0]
    for island in range(control.n_island):
        first, last = step.island[island], step.island[island + 1]
        if island == control.largest:
            share_out(system, work, step, task)
            first = step.cut[N_DOMAIN]
        for k in range(first, last):
            o = step.point[step.order[k]]
            if task == ROWS:
                whiten_point(system, work, step, 0, o)
            else:
                free_velocity(system, work, step, 0, o)


@kernel
def contact_impulses(system, work, step, t, h, q, u, n_fixed, rows, look):
    """Impulses of all contact points of the step; return 0 or why it must be taken again. `look` counts from 1."""
    control = step.control[0]
    status = find_pairs(step, rows - 2)
    if status == 0 and spread(step):
        status = find_pairs(step, rows - 2)
    if status != 0:
        return status
    control.longest = longest_step(step, h)
    if control.longest < h:
        return TOO_FAST
    velocities(system, work, u)
    preload_all(system, work, t + 0.5 * h)
    status = find_points(system, work, step, n_fixed, step.q_mid, u, h)
    if status != 0:
        return status
    count_rows(step, rows)
    remember(step, h)
    find_islands(system, step)
    find_domains(system, step)
    status = list_rows(system, step)
    if status != 0:
        return status
    on_all_points(system, work, step, ROWS)
    velocities(system, work, step.u_free)
    on_all_points(system, work, step, FREE)
    ask(system, step, t, h)
    gather(step, 0, control.n_point)
    if control.asked == look and control.n_given == control.n_point:
        take_given(step)
    start_impulses(step)
    residual = solve_islands(system, work, step)
    if residual > control.tolerance and control.ask == 1 and control.asked == 0:
        control.asked, control.n_given = look, control.n_point
        return UNSOLVED
    if expand(step):
        residual = max(residual, solve_islands(system, work, step))
    control.left = residual
    scatter(step, 0, control.n_point)
    return 0


@kernel
def close_step(system, work, step, h, u):
    """Mean accelerations of the step with its contact forces, and the speeds at its end."""
    n_point = step.control[0].n_point
    if n_point > 0:
        for k in range(u.size):
            if work.dof[k].root > 0.0:
                work.dof[k].eps += step.w[k] / (work.dof[k].root * h)
        if system.row.size == 0:
            sweep_out(system, work, 1.0)
        else:
            correct(system, work, step.u_mid, 1.0, 0.0, 0.0)
    for k in range(u.size):
        step.u_new[k] = u[k] + h * work.dof[k].udot
    for k in range(n_point):
        o = step.point[k]
        # one of several may carry all it can and not slip yet
        slips = h * math.sqrt(o.after[1] ** 2 + o.after[2] ** 2) > o.slack
        o.stuck = 0 if slips and o.p[1] ** 2 + o.p[2] ** 2 >= (o.mu * o.p[0]) ** 2 * (1.0 - 1e-12) else 1


@kernel
def keep_accelerations(system, work, step):
    """Accelerations of this step for the velocity-dependent forces of the next one, into `udot_new`.

    Contact forces that last belong to them: without these the velocities in the middle of a step are of first order, and a
    chain that slides over an edge gains energy by its centrifugal forces. Impulses of impacts do not last: components that an
    impact reaches keep the accelerations without contacts.
    """
    for island in range(step.control[0].n_island):
        for k in range(step.island[island], step.island[island + 1]):
            o = step.point[step.order[k]]
            if o.hits == 1 and o.p[0] > 0.0:
                step.tau[root(step.parent, max(step.component[o.a], step.component[o.b]))] = -1.0
    for i in range(1, system.node.size):
        node, c = system.node[i], step.component[i]
        if c < 0 or (step.control[0].n_island > 0 and step.tau[root(step.parent, c)] < 0.0):
            continue
        for k in range(node.iu, node.iu + node.n_u):
            step.udot_new[k] = work.dof[k].udot


@kernel
def first_impacts(step, h):
    """Per component: how long its bodies go on with the speeds of the start, into `tau`; one time for each island."""
    for c in range(step.tau.size):
        step.tau[c] = 0.5 * h
    for island in range(step.control[0].n_island):
        first, last = step.island[island], step.island[island + 1]
        acts, met, time = False, False, h
        for k in range(first, last):
            o = step.point[step.order[k]]
            if o.p[0] > 0.0:
                acts = True
                if o.hits == 1:
                    met, time = True, min(time, max(o.gap, 0.0) / -o.before[0])
        if not acts:
            continue
        time = time if met else 0.5 * h
        for k in range(first, last):
            o = step.point[step.order[k]]
            if o.soft == 0.0 and o.gap + time * o.before[0] + (h - time) * o.after[0] < -o.slack:
                time = 0.0
        o = step.point[step.order[first]]
        step.tau[root(step.parent, max(step.component[o.a], step.component[o.b]))] = time
    for c in range(step.tau.size if step.control[0].n_island > 0 else 0):
        step.tau[c] = step.tau[root(step.parent, c)]


@kernel
def move(system, work, step, t, h, q, u):
    """Coordinates at the end of the step, into `q` of the scratch; driven ones where their motions say."""
    for k in range(q.size):
        step.q[k] = q[k]
    put_coordinates(system, step.component, u, step.tau, step.q)
    for c in range(step.tau.size):
        step.tau[c] = h - step.tau[c]
    put_coordinates(system, step.component, step.u_new, step.tau, step.q)


@kernel
def withdraw(system, work, step):
    """Take back penetration: displace the coordinates by the `shift` of `separate`."""
    for k in range(step.shift.size):
        work.dof[k].eps = step.shift[k] / work.dof[k].root if work.dof[k].root > 0.0 else 0.0
    sweep_out(system, work, 0.0)
    for k in range(step.shift.size):
        step.shift[k] = work.dof[k].udot
    for c in range(step.tau.size):
        step.tau[c] = 1.0
    put_coordinates(system, step.component, step.shift, step.tau, step.q)


@kernel
def hold_joint(system, work, o, h):
    """Count the mean friction of a joint among the forces that its rows carry, for `react`."""
    first, n = system.contact[-1 - o.i].hold, work.held[work.held.size - 1]
    for i in range(1, o.n_row):
        work.hold[first + i].lam = o.p[i] / h
        work.held[n] = first + i
        n += 1
    work.held[work.held.size - 1] = n


@kernel
def drive_power(system, work, step):
    """Reactions of the step, loads of joints with dry friction for the next one, and the power of its drivers.

    The frames have the velocities that its forces were found with.
    """
    velocities(system, work, step.u_mid)
    for k in range(step.control[0].n_point):
        o = step.point[k]
        if o.given == 1:
            hold_joint(system, work, o, step.control[0].length)
        elif o.p[0] > 0.0 and o.a != o.b:
            load_point(system, work, o, step.control[0].length)
    react(system, work)
    if any_loaded(system):
        take_loads(system, work)
    work.held[work.held.size - 1] = 0
    for k in range(system.driver.size):
        work.power[DRIVE] += work.drive[k, 3] * work.drive[k, 1]


@kernel
def take_step(system, work, step, y, t, h, n_fixed, rows, watched):
    """Advance the state y from t by h; return 0 or why the step must be taken again. Nothing of y is changed then.

    `watched`: the reactions in joints are wanted.
    """
    control = step.control[0]
    n_q, n_u, works = system.world[0].n_q, system.world[0].n_u, system.world[0].works
    q, u = y[:n_q], y[n_q:n_q + n_u]
    control.length, control.n_fixed = h, n_fixed
    predict(system, work, step, t, h, q, u)
    place_shapes(system, work, step)
    velocities(system, work, u)
    widen(system, work, step, h)
    velocities(system, work, step.u_free)
    widen(system, work, step, h)
    control.n_point = control.n_island = 0
    for trial in range(AGAIN):
        if step.shape.size + n_fixed == 0:
            break
        status = contact_impulses(system, work, step, t, h, q, u, n_fixed, rows, trial + 1)
        if status != 0:
            return status
        close_step(system, work, step, h, u)
        velocities(system, work, step.u_new)
        if trial + 1 == AGAIN or not outrun(system, work, step, h):
            break
        widen(system, work, step, h)
        reset_forces(system, work, step)
    if step.shape.size + n_fixed == 0:
        close_step(system, work, step, h, u)
    if control.n_point > 0:
        control.residual = max(control.residual, control.left)
        control.unconverged += 1 if control.left > control.tolerance else 0
    status = enough_room(step)
    if status != 0:
        return status
    for k in range(n_u):
        if not math.isfinite(step.u_new[k]):
            return NOT_FINITE

    keep_accelerations(system, work, step)

    # reactions, then coordinates
    if system.driver.size > 0 or watched or any_loaded(system):
        drive_power(system, work, step)
    if watched:
        note_reactions(system, work, step)
    first_impacts(step, h)
    move(system, work, step, t, h, q, u)
    if separate(step):
        withdraw(system, work, step)
    if system.driver.size > 0:
        drive(system, work, t + h, step.q, step.u_new)
    if system.row.size > 0:
        left = project(system, work, t + h, step.q, step.u_new)
        control.worst_drift = max(control.worst_drift, left)
        if not left <= 1e-8:
            return LOOP_OPEN
    for k in range(work.power.size if y.size > works else 0):
        y[works + k] += h * work.power[k]
    if y.size > works:
        add_up(step, t + h, h, y[works:])
    for k in range(n_q):
        y[k] = step.q[k]
    for k in range(n_u):
        y[n_q + k], step.udot[k] = step.u_new[k], step.udot_new[k]
    swap_points(step)
    control.fresh = control.asked = 0
    return 0


@kernel
def reset_forces(system, work, step):
    """Take the contact impulses of an earlier look at the step off the tree again."""
    h = step.control[0].length
    for k in range(step.w.size):
        if work.dof[k].root > 0.0:
            work.dof[k].eps -= step.w[k] / (work.dof[k].root * h)


@kernel
def swap_points(step):
    """The points of this step become those of the last."""
    control = step.control[0]
    control.n_last = 0
    for k in range(control.n_point):
        if step.point[k].p[0] > 0.0 or (step.point[k].soft > 0.0 and step.point[k].e > 0.0):
            step.last[control.n_last] = step.point[k]
            control.n_last += 1
    control.most_points = max(control.most_points, control.n_last)
