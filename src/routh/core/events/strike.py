"""Impulses in a mechanism: blows at contacts, scheduled ones, and what they send through the joints.

A blow is resolved in contact space, then its impulses are sent through the tree as forces are: the change of the speeds comes
from the outward sweep, the reaction impulses of joints from the inward one. Nothing depends on the speeds, so both run on
bodies placed at rest.
"""

import math

from routh.core.contact.contact_space import beneath, invert_mass, list_closed, push, seat_closed, sweep
from routh.core.contact.contacts import frame_of, leftover, load_impulse, look, tangents_of
from routh.core.contact.impact_jam import jam_together
from routh.core.contact.impact_many import UNRESOLVED, sequential, simultaneous
from routh.core.events.event_state import CARRIED, FAINT, arrival, note, slow_speed
from routh.core.events.margins import JAM_NEAR
from routh.core.events.modes import gather
from routh.core.events.rims import lay_rims
from routh.core.jit import kernel
from routh.core.motion.kane import free_acceleration, react, rest, vigour
from routh.core.tables.impact_codes import BRACH, NEWTON, NEWTON_ALGEBRAIC, TANGENTIAL
from routh.core.tables.impact_codes import SETTLED as SETTLED_BLOW
from routh.core.tables.layout import (
    APPLIED,
    CHATTER,
    COUPLING,
    CROWDED,
    DRIVE,
    FINISHED,
    IMPACTS,
    LIMIT,
    LOG_FULL,
    OPEN,
    PAUSED,
    ROPE,
    SOFT,
)
from routh.core.tables.log import (
    EXTERNAL,
    HIT,
    IMPACT_EVENT,
    N_EVENT,
    N_IMPACT,
    PUSHED,
    SEQUENTIAL,
    SETTLED,
    SIMULTANEOUS,
    SINGLE,
    TANGENTIAL_HIT,
)
from routh.core.tables.runs import ARRIVED, CRAWL, DEALT, FASTEST
from routh.core.tree.closure import factor_rows, let_go
from routh.core.tree.kinematics import close_rows, energies, place, read_joint, read_row, row_acceleration, sweep_in
from routh.core.tree.profile import drive

ENDLESS = 1e-6        # a rebound slower than this, against the fastest approach at the contact, ends an endless sequence;
#                       below, the height of the bounces is lost in the round-off of coordinates

LOW, LOWEST = 1e-3, 1e-12  # or one slower than the first if speed times time of the flight before, against the size of the
#                       smaller shape, is less than the second
ALIKE = 0.01          # of the speed: by which it differs at both ends of a short flight
NO, SINKING, YES = range(3)  # whether contacts approach
NOTHING, TOGETHER = -1, -2  # instead of a contact that jams: none does, or several do together
SUNK = 5.0            # of the speed up to which slides creep: what a contact gains that sinks to its floor from ten times above
DRIVEN_IN = 1e-12     # by which the friction of a contact that jams is more than what drives it in
HEAVY = 1e3           # times its speeds: what the normal impulse of a contact alone would change them by, next to a dead point
TWINS = 1e-2          # of the squared inverse masses: what two contacts that are nearly one do not share
MOST_LASTING = 0.999  # ratio of successive speeds that the end of a sequence is computed with, at most


@kernel
def freeze(system, work, events, q):
    """Place the bodies at rest, drivers included, with the factors that answer impulses."""
    for k in range(system.driver.size):
        work.drive[k, 2] = 0.0
    for k in range(work.dof.size):
        work.dof[k].tau = 0.0
    place(system, work, q, events.still)


@kernel
def answer(system, work, events, q):
    """Factors of the tree and of the loops."""
    sweep_in(system, work)
    if system.row.size > 0:
        close_rows(system, work, q, events.still)
        factor_rows(system, work)


@kernel
def kinetic_energy(system, work, q, u):
    """Kinetic energy at q and u."""
    place(system, work, q, u)
    kinetic, _ = energies(system, work)
    return kinetic


@kernel
def send(system, work, events, log, i, u):
    """After impulses are pushed: change the speeds, and write what joints, loops and drivers got to do.

    Return what the balance of momentum lacks, against the impulses.
    """
    size, width = 0.0, log.joint.shape[1] // system.node.size
    for k in range(u.size):
        size = max(size, work.dof[k].eps ** 2 * work.dof[k].d)
    sweep(system, work, events.still, 0.0, 1.0, 0.0)
    react(system, work)
    for k in range(u.size):
        size = max(size, vigour(work.dof[k], work.dof[k].udot))
        work.free[k] = 0.0
    for n in range(1, system.node.size):
        leftover(system, work, n, work.free)
        read_joint(system, work, n, log.joint[i, n * width:(n + 1) * width])
    for m in range(system.row.size):
        r = system.row[m]
        if r.kind == COUPLING:
            work.free[r.iu_b] -= work.loop[m].lam
            work.free[r.iu_a] += r.ratio * work.loop[m].lam
        read_row(system, work, m, log.row[i, m * width:(m + 1) * width])
    for j in range(work.held[work.held.size - 1]):
        r, lam = system.hold[work.held[j]], work.hold[work.held[j]].lam
        size = max(size, lam * lam * work.inverse_mass[j, j])
        if r.kind == LIMIT:
            work.free[r.iu_b] -= r.ratio * lam
    for k in range(system.driver.size):
        log.driver[i, k] = work.drive[k, 3]
        work.free[system.driver[k].iu] = 0.0
    worst = 0.0
    for k in range(u.size):
        worst = max(worst, work.free[k] ** 2 * work.dof[k].d)
        u[k] += work.dof[k].udot
    return math.sqrt(worst / size) if size > 0.0 else 0.0


@kernel
def approaches(system, work, events, t, q, u):
    """Look at every contact; return whether one that touches approaches: NO, SINKING where all that do opened without speed and
    have but sunk to their floors, YES.
    """
    found = NO
    for c in range(system.contact.size):
        touch, k = work.touch[c], system.contact[c]
        if k.law == SOFT:
            continue
        look(system, work, c, q, u)
        if touch.mode == OPEN and beneath(k, touch.g):
            continue
        if touch.rate < -slow_speed(events) and (touch.mode != OPEN or touch.g <= arrival(events, touch, k.size, t)):
            events.scale[FASTEST] = max(events.scale[FASTEST], -touch.rate)
            sunk = touch.mode == OPEN and touch.floor < 0.0 and -touch.rate <= SUNK * events.scale[CRAWL]
            found = max(found, SINKING if sunk else YES)
    return found


@kernel
def slip_of(v, block):
    """Slip speed of a contact among velocities."""
    total = 0.0
    for m in range(1, block.count):
        total += v[block.first + m] ** 2
    return math.sqrt(total)


@kernel
def jams_alone(A, v, block):
    """Whether a contact nearly jams by itself; then it is taken as one that does: its friction reaches where the sliding
    denominator changes sign.

    The jam ends where slip stops. Laws without a path know no such end: there Newton's takes their place.
    """
    n = block.first
    coupled, slip = 0.0, slip_of(v, block)
    for m in range(1, block.count):
        coupled += A[n, n + m] * v[n + m]
    if not block.mu * coupled > (1.0 - JAM_NEAR) * A[n, n] * slip:
        return False
    block.law = NEWTON if block.law == NEWTON_ALGEBRAIC or block.law == BRACH else block.law
    block.mu = max(block.mu, (1.0 + DRIVEN_IN) * A[n, n] * slip / coupled)
    block.mu_s = max(block.mu_s, block.mu)
    return True


@kernel
def pull_of(system, work, events, t, q, u):
    """Accelerations of the rows of all gathered contacts without their forces: `events.pull`."""
    list_closed(system, work)
    free_acceleration(system, work, t, q, u)
    seat_closed(system, work, t, q, u)
    for j in range(work.held[work.held.size - 1]):
        o = work.hold[work.held[j]]
        events.pull[j] = row_acceleration(system, work, system.hold[work.held[j]], o) + o.extra


@kernel
def strike(system, work, events, solver, log, t, y, solo):
    """Resolve every blow of this instant, or the tangential impact of contact `solo`, or of several TOGETHER.

    Return FINISHED where nothing approaches, PAUSED after blows, as others may follow, or what went wrong.
    """
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    q, u = y[:n_q], y[n_q:n_q + n_u]
    drive(system, work, t, q, u)
    place(system, work, q, u)
    lay_rims(system, work, slow_speed(events))
    approach = approaches(system, work, events, t, q, u)
    if approach == NO and solo == NOTHING:
        return FINISHED
    before = kinetic_energy(system, work, q, u)
    n = gather(system, work, events, log, t, q, u, 1.0)
    if n < 0:
        return CROWDED
    table = events.blow
    tangential = -1
    for i in range(n):
        c, block = events.contact[i], events.block[i]
        frame_of(system, work, c, table[0].before, table[0].after, table[0].p)
        for m in range(block.count):
            events.b[block.first + m] = table[0].before[m]
        if slip_of(events.b, block) <= FAINT * slow_speed(events):  # round-off has no direction
            for m in range(1, block.count):
                events.b[block.first + m] = 0.0
        if c == solo:
            tangential = i
            events.b[block.first] = 0.0
    if solo != NOTHING:
        pull_of(system, work, events, t, q, u)
    freeze(system, work, events, q)
    answer(system, work, events, q)
    invert_mass(system, work)
    alone = tangential >= 0 and jams_alone(work.inverse_mass, events.b, events.block[tangential])
    rows = work.held[work.held.size - 1]
    p, after = events.lam[:rows], events.a[:rows]
    first, last = (tangential, tangential + 1) if alone else (0, n)
    blocks = events.block[first:last]
    A, v = work.inverse_mass, events.b
    for i in range(n):
        events.scale[ARRIVED] = max(events.scale[ARRIVED], -v[events.block[i].first])
    first_speed, dealt = events.scale[ARRIVED], events.scale[DEALT]
    if approach == SINKING:  # a speed that comes of the floor alone is none to bounce with: they settle
        dealt = math.inf
    method = SINGLE if n == 1 else (SEQUENTIAL if system.world[0].sequential == 1 else SIMULTANEOUS)
    if solo != NOTHING and not alone:
        method = SIMULTANEOUS
        status, count, _ = jam_together(solver, A, v, events.pull, blocks, slow_speed(events), p, after, table)
    elif system.world[0].sequential == 1 or approach == SINKING:
        status, count, _ = sequential(system, solver, A, v, blocks, first_speed, dealt, p, after, table)
    else:
        status, count, _ = simultaneous(system, solver, A, v, blocks, first_speed, dealt, p, after, table)
        if status == UNRESOLVED:
            status, count, _ = sequential(system, solver, A, v, blocks, first_speed, dealt, p, after, table)
    for i in range(n):
        work.touch[events.contact[i]].mode = int(events.before[events.contact[i]])
    if status == UNRESOLVED:
        return CHATTER
    if log.count[N_IMPACT] + count > log.impact.size or log.count[N_EVENT] + count > log.event.size:
        return LOG_FULL
    events.scale[DEALT] += count
    lost = 0.0
    for i in range(count):
        table[i].contact += first
        lost += table[i].work
        deal(system, work, events, log, t, q, u, table[i], i, method)
    after = kinetic_energy(system, work, q, u)
    if count == 1 and system.driver.size == 0 and heavy(work, events, table[0]):
        lost = log.impact[log.count[N_IMPACT] - 1].work = after - before
    for i in range(n):
        end_sequence(system, work, events, t, q, u, i, count)
    works = y[system.world[0].works:]
    works[IMPACTS] += lost
    if system.driver.size > 0:
        works[DRIVE] += after - before - lost
    return PAUSED if count > 0 else FINISHED


@kernel
def heavy(work, events, blow):
    """Whether an impulse is huge against the speeds of its contact: these, and so its work, are round-off of what it does."""
    block, speeds = events.block[blow.contact], 0.0
    for m in range(block.count):
        speeds += abs(blow.before[m]) + abs(blow.after[m])
    return work.inverse_mass[block.first, block.first] * blow.p[0] > HEAVY * speeds


@kernel
def see(system, work, c, q, u, entry, v_out):
    """Write the speeds of contact c at these speeds, with its normal and point."""
    place(system, work, q, u)
    look(system, work, c, q, u)
    frame_of(system, work, c, v_out, entry.normal, entry.point)


@kernel
def deal(system, work, events, log, t, q, u, blow, sequence, method):
    """Send one blow through the mechanism and write it into the log."""
    i = log.count[N_IMPACT]
    log.count[N_IMPACT] = i + 1
    block = events.block[blow.contact]
    c = events.contact[blow.contact]
    entry, touch = log.impact[i], work.touch[c]
    smooth = block.count == 1 and system.contact[c].kind != ROPE  # it slips, but no row tells how
    if smooth:
        see(system, work, c, q, u, entry, entry.v)
    freeze(system, work, events, q)  # without the loads that the blow before it left
    rest(work)
    for j in range(work.held[work.held.size - 1]):
        work.hold[work.held[j]].lam = 0.0
    for m in range(block.count):
        push(system, work, work.held[block.first + m], blow.p[m])
    entry.residual = send(system, work, events, log, i, u)
    if smooth:
        see(system, work, c, q, u, entry, entry.v_after)
    else:
        frame_of(system, work, c, entry.v, entry.normal, entry.point)
    tangents_of(system, work, c, entry.t1, entry.t2)
    entry.t, entry.contact, entry.sequence, entry.slip_class = t, c, sequence, blow.kind
    entry.kind = SETTLED if blow.kind == SETTLED_BLOW else (TANGENTIAL_HIT if blow.kind == TANGENTIAL else HIT)
    entry.method = method
    entry.mu, entry.work_n, entry.work = block.mu, blow.work_n, blow.work
    for a in range(3):
        entry.p[a] = blow.p[a]
        if a == 0 or not smooth:
            entry.v[a], entry.v_after[a] = blow.before[a], blow.after[a]
        for b in range(3):
            inside = a < block.count and b < block.count
            entry.A[a, b] = work.inverse_mass[block.first + a, block.first + b] if inside else 0.0
    touch.fastest = max(touch.fastest, -blow.before[0])
    note(log, t, IMPACT_EVENT, c, float(i))


@kernel
def relieved(work, events, i, count):
    """Whether a contact that was struck takes the place of contact i: whatever moves one, moves the other, but for a little."""
    A, a = work.inverse_mass, events.block[i].first
    for j in range(count):
        b = events.block[events.blow[j].contact].first
        if a != b and A[a, b] > 0.0 and A[a, a] * A[b, b] - A[a, b] * A[a, b] <= TWINS * A[a, a] * A[b, b]:
            return True
    return False


@kernel
def end_sequence(system, work, events, t, q, u, i, count):
    """A rebound too slow or too low to follow ends an endless sequence: the contact closes; its last instant follows from the
    speed.

    The sequence may run over several contacts, as where a block rocks from corner to corner.
    """
    c = events.contact[i]
    touch = work.touch[c]
    look(system, work, c, q, u)
    came, struck, left = 0.0, False, touch.left
    touch.left = touch.rate
    for j in range(count):
        came = max(came, -events.blow[j].before[0])
        struck = struck or events.blow[j].contact == i
    parting = events.b[events.block[i].first]
    if not struck and parting > slow_speed(events):
        if touch.rate > parting + slow_speed(events):
            touch.resting = 0.0  # another blow of this instant hurls it away
        return
    if not struck and relieved(work, events, i, count):
        return
    flight = t - touch.struck
    k = system.contact[c]
    # after a flight of its own, that is: what another blow drives back at once has hardly begun to bounce
    flew = flight > 0.0 and abs(parting + left) <= ALIKE * left
    low = k.e < 1.0 and touch.rate <= LOW * touch.fastest and flew and came * flight <= LOWEST * k.size
    if slow_speed(events) < touch.rate and (touch.rate <= ENDLESS * touch.fastest or low) and came <= touch.fastest:
        touch.resting = 2.0 * touch.rate / (1.0 - min(touch.rate / came, MOST_LASTING))
    if struck:
        touch.struck = t


@kernel
def push_scheduled(system, work, events, log, t, y, control):
    """Give every impulse that is scheduled for this instant."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    q, u = y[:n_q], y[n_q:n_q + n_u]
    while control.next_impulse < system.impulse.size and system.impulse[control.next_impulse].stop <= t:
        number = control.next_impulse
        control.next_impulse += 1
        if system.impulse[number].stop < t:
            continue  # before the start of the run
        drive(system, work, t, q, u)
        before = kinetic_energy(system, work, q, u)
        work.held[work.held.size - 1] = 0
        freeze(system, work, events, q)
        i = log.count[N_IMPACT]
        log.count[N_IMPACT] = i + 1
        entry = log.impact[i]
        px, py, pz, fx, fy, fz, mx, my, mz = load_impulse(system, work, number, 1.0)
        # what loops take of the speed that it would give the body alone leaves round-off
        given = math.sqrt(fx * fx + fy * fy + fz * fz) / system.node[system.impulse[number].b].mass
        events.scale[FASTEST] = max(events.scale[FASTEST], CARRIED * given)
        answer(system, work, events, q)
        let_go(work)
        entry.residual = send(system, work, events, log, i, u)
        entry.t, entry.contact, entry.kind, entry.sequence, entry.method = t, number, EXTERNAL, 0, SINGLE
        entry.point[0], entry.point[1], entry.point[2] = px, py, pz
        entry.p[0], entry.p[1], entry.p[2] = fx, fy, fz
        entry.moment[0], entry.moment[1], entry.moment[2] = mx, my, mz
        entry.work = kinetic_energy(system, work, q, u) - before
        y[system.world[0].works + APPLIED] += entry.work
        note(log, t, PUSHED, number, float(i))
