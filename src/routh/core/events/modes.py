"""Which touching contacts open, stick or slide from here on: the complementarity problem of accelerations."""

import math

from routh.core.calls import accelerate, derivative, project, solve
from routh.core.contact.complementarity import INCONSISTENT, SEVERAL, SOLVED
from routh.core.contact.contact_space import beneath, invert_mass, list_closed, push, seat_closed, sweep, take_off
from routh.core.contact.contacts import aim, look, same_way, seat, slip_along, slip_speed, take_aim
from routh.core.contact.dry import TRIALS, any_loaded, find_loads, preload_all
from routh.core.events.clock import elapsed
from routh.core.events.event_state import CARRIED, FAINT, NEAR, RESOLVED, arrival, note, slow_speed
from routh.core.events.margins import least_margin, weigh
from routh.core.events.rims import lay_tipping_rims
from routh.core.integrate.samples import copy
from routh.core.jit import kernel
from routh.core.motion.kane import free_acceleration, vigour
from routh.core.tables.layout import DRIVE, DRY, IMPACTS, OPEN, SLIP, SOFT, STICK
from routh.core.tables.log import CHOICE, CLOSES, LIFTS, RESTS, SLIDES, STICKS
from routh.core.tables.runs import COARSE, CONE, CRAWL, DEALT, ENERGY, FASTEST, LOAD, SLACK, SLIDING, UNLOADED, WEIGHT
from routh.core.tree.kinematics import energies, place, row_acceleration
from routh.core.tree.laws import friction_at
from routh.core.tree.profile import drive

FLOOR = 1e-10         # how far a contact that opened without speed may sink before it closes again, against that size
SHAKY = 1e-5          # of the force that would stop the bodies: most round-off of forces that contacts share, over a ridge
NARROW = 1e-12        # static cones narrow by this where an instant does not end: what sticks in them only just, slips
GENTLE = 0.1          # of the acceleration that friction would make alone: a slide in space that begins with less creeps
CREEP = 1e-5          # a slide creeps up to this, against the fastest contact so far, or what one gains over its size
CREEPS = 0.9          # of that speed: where it has come to more at an event, it has ended
LONG = 1e-3           # of the time since the start: bounces that would take longer to end are ended by other contacts, now
TIPS = 40             # times that the points of rims are turned to where these tip: halvings of a turn to round-off
IDLE = 1e-9           # of gravity and of the accelerations of contacts: the round-off of a contact that nothing can move
CANCELLED = 1e-14     # of gravity and of the acceleration of normals: a normal acceleration below it is round-off
TURNED = 1e-9         # one minus the cosine by which a slip has another direction than its friction
NO_LOAD = 1e-30       # [N] normal force of a joint that carries nothing
STILL = 1e-12         # a speed below this, in kinetic energy against the fastest so far, becomes zero when something sticks


@kernel
def alone(system, work, events, c):
    """Whether no other contact of the same two bodies sticks or has hardly begun to slide: else rows across their slips are all
    but one.
    """
    k = system.contact[c]
    for j in range(work.closed[work.closed.size - 1]):
        other, touch = system.contact[work.closed[j]], work.touch[work.closed[j]]
        slides = touch.mode == SLIP and touch.creep == 0 and slip_speed(system, touch) > events.scale[CRAWL]
        tied = other.a + other.b == k.a + k.b and (other.a == k.a or other.a == k.b)
        if work.closed[j] != c and other.n_row > 1 and tied and not slides:
            return False
    return True


@kernel
def creeps_on(system, work, events, c):
    """Whether contact c creeps, slow enough and held straight by its friction; not where that makes an instant endless."""
    touch = work.touch[c]
    if touch.mode != SLIP or touch.creep == 0 or events.scale[COARSE] > 1.0 or not alone(system, work, events, c):
        return False
    if slip_speed(system, touch) > CREEPS * events.scale[CRAWL]:
        return False
    return abs(work.hold[system.contact[c].hold + 2].lam) <= UNLOADED * events.scale[LOAD]


@kernel
def gather(system, work, events, log, t, q, u, blow):
    """List touching contacts as blocks and fill their rows; return how many, or -1 where there are too many.

    Touching: closed ones, and open ones without gap that do not part. `blow` 1: with those that arrive now, and those that are
    about to part, as the blow of another may turn them back; every contact shows all its tangents; 0: a sliding one shows its
    slip only.
    """
    slow = slow_speed(events)
    held, ratio = work.held, work.ratio
    n = rows = 0
    for c in range(system.contact.size):
        k, touch = system.contact[c], work.touch[c]
        if k.law == SOFT or (k.kind == DRY and blow == 1.0):  # joints have no impulse of friction
            continue
        look(system, work, c, q, u)
        events.before[c] = touch.mode
        parts = touch.rate > slow and touch.resting == 0.0 and (blow == 0.0 or touch.g > RESOLVED * k.size)
        apart = touch.g > (NEAR * k.size if touch.rate >= -slow else arrival(events, touch, k.size, t))
        if parts or touch.off == 1 or (touch.mode == OPEN and (apart or beneath(k, touch.g))):
            if touch.mode != OPEN:
                note(log, t, LIFTS, c, touch.g)
                touch.mode, touch.floor = OPEN, 0.0
            continue
        speed = slip_speed(system, touch)
        # a slide that has just begun and grows: to stop it would undo the way to the event
        begins = touch.mode == SLIP and touch.brake > 0.0 and events.scale[DEALT] == 0.0
        begins = begins and slip_along(system, touch) > FAINT * slow
        slides = (speed > slow or begins) and touch.ending == 0 and k.n_row > 1
        if not (slides and creeps_on(system, work, events, c)):
            touch.creep = 0
            if blow == 0.0 and (speed > slow or not slides):
                take_aim(system, touch)
        touch.mode = SLIP if slides and blow == 0.0 else STICK
        touch.slow = slow
        if blow == 1.0 and n > 0 and system.contact[events.contact[n - 1]].owner == k.owner:
            same_way(system, work.touch[events.contact[n - 1]], touch)
        seat(system, work, c, q, u)
        count = 2 + touch.creep if touch.mode == SLIP else k.n_row
        if rows + count > events.b.size:
            return -1
        block = events.block[n]
        block.first, block.count, block.base, block.scale = rows, count, 0.0, 0.0
        block.friction = SLIDING if touch.mode == SLIP else CONE
        block.mu, block.mu_s = friction_at(system, c, t, slip_speed(system, touch)), k.mu_s
        if block.friction == CONE and blow == 0.0:
            block.mu = min(friction_at(system, c, t, 0.0), k.mu_s) if k.friction == 0 else k.mu_s
            block.mu_s *= 1.0 - NARROW * (events.scale[COARSE] - 1.0)
        block.wx, block.wy = 1.0, 0.0
        block.law, block.e, block.e_t, block.pair = k.law, k.e, k.e_t, k.owner + 1
        block.bounce, block.bounce_from = k.bounce, k.bounce_from
        block.given = 0
        if k.kind == DRY:
            block.given = 1
        events.contact[n] = c
        for i in range(count):
            held[rows + i], ratio[rows + i] = k.hold + i, -1.0
        rows += count
        n += 1
    held[held.size - 1] = rows
    return n


@kernel
def choose(system, work, events, solver, log, t, y, solo):
    """Decide the modes of all touching contacts from their accelerations; return the solver's status, -1 if there are too many.

    The contact it is about stands in `culprit`. `solo`: this contact has just begun to jam and counts as inconsistent if it
    still presses. Speeds are cleaned of what a stuck or closed contact cannot have.
    """
    events.culprit[0] = -1
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    q, u = y[:n_q], y[n_q:n_q + n_u]
    drive(system, work, t, q, u)
    place(system, work, q, u)
    preload_all(system, work, t)
    for trial in range(TIPS + 1):
        n = gather(system, work, events, log, t, q, u, 0.0)
        list_closed(system, work)
        for _ in range(n):  # what is tidied away of one may be all the slip that another had
            tidy(system, work, events, t, y)
            if not strayed(system, work, events, n, q, u):
                break
            forget(system, work, events, n)
            n = gather(system, work, events, log, t, q, u, 0.0)
            list_closed(system, work)
        if n < 0:
            return -1
        status, which = decide(system, work, events, solver, t, q, u, n)
        if trial == TIPS or status > SEVERAL or not lay_tipping_rims(system, work, events, n, trial):
            break
        forget(system, work, events, n)
    if solo >= 0 and status <= SEVERAL:
        for i in range(n):
            if events.contact[i] == solo and events.block[i].mode == SLIP:
                status, which = INCONSISTENT, solo
    if status > SEVERAL:
        forget(system, work, events, n)
        events.culprit[0] = which
        return status
    if status == SEVERAL:
        note(log, t, CHOICE, which, 0.0)
    for i in range(n):
        c = events.contact[i]
        adopt(system, work, events, log, t, c, events.block[i])
    list_closed(system, work)
    if n > 0:
        calm(system, work, events, u)
        start_forces(system, work, events, t, y, n)
    return status


@kernel
def forget(system, work, events, n):
    """Put the contacts that were gathered back into the modes that they came with."""
    for i in range(n):
        c = events.contact[i]
        work.touch[c].mode = int(events.before[c])
    list_closed(system, work)


@kernel
def decide(system, work, events, solver, t, q, u, n):
    """Modes and forces of the blocks that were gathered; return (the solver's status, the contact it is about or -1)."""
    n_u = system.world[0].n_u
    if any_loaded(system):  # loads of joints: those with which everything at rest stays so, where that is possible
        accelerate(system, work, t, q, u)
    free_acceleration(system, work, t, q, u)
    seat_closed(system, work, t, q, u)
    for j in range(work.held[work.held.size - 1]):
        r, o = system.hold[work.held[j]], work.hold[work.held[j]]
        events.b[j] = row_acceleration(system, work, r, o) + o.extra
        events.lam[j] = 0.0
    invert_mass(system, work)
    fall = math.sqrt(system.world[0].gravity[0] ** 2 + system.world[0].gravity[1] ** 2 + system.world[0].gravity[2] ** 2)
    largest = fall
    for i in range(n):  # bodies that touch and do not press stay apart: the sign of round-off must not decide
        j = events.block[i].first
        if abs(events.b[j]) <= CANCELLED * (fall + abs(work.hold[work.held[j]].extra)):
            events.b[j] = 0.0
    for j in range(work.held[work.held.size - 1]):
        largest = max(largest, abs(events.b[j]), abs(work.hold[work.held[j]].extra))
    for j in range(work.held[work.held.size - 1]):
        if work.inverse_mass[j, j] == 0.0 and abs(events.b[j]) <= IDLE * largest:
            events.b[j] = 0.0
    pushed = 0.0
    for k in range(n_u):
        pushed = max(pushed, vigour(work.dof[k], work.dof[k].udot))
    events.scale[WEIGHT] = 0.0
    for i in range(n):
        j = events.block[i].first
        if system.contact[events.contact[i]].kind == DRY:
            j += 1  # a joint has no normal row
        if work.inverse_mass[j, j] > 0.0:
            events.scale[WEIGHT] = max(events.scale[WEIGHT], math.sqrt(pushed / work.inverse_mass[j, j]))
        carried = math.sqrt(2.0 * events.scale[ENERGY] * work.inverse_mass[j, j])
        gained = math.sqrt(abs(events.b[j]) * system.contact[events.contact[i]].size)
        events.scale[FASTEST] = max(events.scale[FASTEST], CARRIED * max(carried, gained))
        events.scale[CRAWL] = max(events.scale[CRAWL], CREEP * max(events.scale[FASTEST], gained))
    if n == 0:
        return SOLVED, -1
    step, status, which = 1.0, SOLVED, -1
    for trial in range(TRIALS if any_loaded(system) else 1):
        for i in range(n):
            if events.block[i].given == 1:
                events.block[i].base = given_force(work.touch[events.contact[i]])
        status, which = solve(solver, work.inverse_mass, events.b, events.block[:n], events.lam, events.a)
        if status > SEVERAL or trial + 1 == TRIALS or not any_loaded(system):
            break
        settled, step = loads_of(system, work, events, t, u, trial, step)
        if settled:
            break
    return status, events.contact[which] if which >= 0 else -1


@kernel
def given_force(touch):
    """Normal force of a joint with dry friction, as the solver wants it: above zero, or the contact would be open."""
    return max(touch.load, NO_LOAD)


@kernel
def loads_of(system, work, events, t, u, trial, step):
    """`find_loads` under the forces that were found; they are taken off again."""
    for j in range(work.held[work.held.size - 1]):
        work.hold[work.held[j]].lam = 0.0
        push(system, work, work.held[j], events.lam[j])
    sweep(system, work, u, 1.0, 0.0, 0.0)
    settled, step = find_loads(system, work, t, trial, step)
    take_off(system, work)
    return settled, step


@kernel
def tidy(system, work, events, t, y):
    """Take from the speeds what touching contacts cannot have: the last of endless bounces, the last of a slip, round-off.

    Where drivers move what they touch, only the kinetic energy of the change is lost; the rest is their work.
    """
    n_q, n_u, works = system.world[0].n_q, system.world[0].n_u, system.world[0].works
    q, u, change = y[:n_q], y[n_q:n_q + n_u], events.slope[:n_u]
    copy(u, change)
    before, _ = energies(system, work)
    project(system, work, t, q, u)
    place(system, work, q, u)
    after, _ = energies(system, work)
    lost = before - after
    if system.driver.size > 0:
        for k in range(n_u):
            change[k] = u[k] - change[k]
        place(system, work, q, change)
        lost, _ = energies(system, work)
        y[works + DRIVE] += after - before + lost
        place(system, work, q, u)
    y[works + IMPACTS] -= lost


@kernel
def strayed(system, work, events, n, q, u):
    """Whether one of the blocks that were gathered as slides has no slip any more, or one in another direction."""
    for i in range(n):
        c = events.contact[i]
        touch = work.touch[c]
        if touch.mode == SLIP and touch.creep == 0:
            look(system, work, c, q, u)
            speed = slip_speed(system, touch)
            if slip_along(system, touch) < (1.0 - TURNED) * speed or speed <= FAINT * slow_speed(events):
                return True
    return False


@kernel
def gentle(work, events, block):
    """Whether a slide begins with little of the acceleration that its friction alone would make."""
    f = block.first
    friction = block.mu * events.lam[f] * work.inverse_mass[f + 1, f + 1]
    return block.count == 3 and math.hypot(events.a[f + 1], events.a[f + 2]) <= GENTLE * friction


@kernel
def adopt(system, work, events, log, t, c, block):
    """Give contact c the mode that its block came out with, and note the change."""
    k, touch = system.contact[c], work.touch[c]
    before = int(events.before[c])
    began = touch.mode == SLIP or before == SLIP
    if touch.mode == STICK and block.mode == SLIP:
        aim(system, touch, block.wx, block.wy)
        if not gentle(work, events, block):
            touch.creep = 0
    touch.mode = block.mode
    touch.ending = 0
    if touch.resting > 0.0:
        pull = -events.b[block.first]
        if touch.mode != OPEN:
            left = touch.resting / pull if pull > 0.0 else 0.0
            note(log, t + (left if left < LONG * elapsed(events, t) else 0.0), RESTS, c, touch.rate)
        touch.resting = 0.0
    for i in range(k.n_row):
        work.hold[k.hold + i].start = 0.0
    if touch.mode == OPEN:
        touch.floor = -FLOOR * k.size
        if before != OPEN:
            note(log, t, LIFTS, c, touch.g)
    elif k.n_row > 1:
        if touch.mode == STICK and before != STICK:
            note(log, t, STICKS, c, touch.g)
        elif touch.mode == SLIP and not (began and before == SLIP and block.friction == SLIDING):
            note(log, t, SLIDES, c, touch.g)
    elif before == OPEN:
        note(log, t, CLOSES, c, touch.g)


@kernel
def calm(system, work, events, u):
    """A speed that is round-off of those before becomes zero, where everything that holds it sticks."""
    slow = STILL * STILL * events.scale[ENERGY]
    for j in range(work.closed[work.closed.size - 1]):
        if work.touch[work.closed[j]].mode == STICK:
            r = system.hold[system.contact[work.closed[j]].hold]
            for i in range(r.dof_from, r.dof_to):
                k = system.path[i]
                if u[k] * u[k] <= slow * work.dof[k].d:
                    u[k] = 0.0


@kernel
def straight(system, work, events, n):
    """End the creep of contacts that something else than their friction holds straight; return whether there is one.

    Where the slip across is tied to the normal or to other contacts, the row across shares their forces. As long as they are as
    slow as what creeps, such contacts keep their direction.
    """
    found = False
    for i in range(n):
        touch = work.touch[events.contact[i]]
        if touch.mode == SLIP and touch.creep == 1 and not creeps_on(system, work, events, events.contact[i]):
            touch.creep, found = 0, True
            if slip_speed(system, touch) <= CREEPS * events.scale[CRAWL]:
                touch.slow = events.scale[CRAWL]
    return found


@kernel
def start_forces(system, work, events, t, y, n):
    """Where the forces of least norm would leave a cone that others keep, start from those that the solver found.

    What is lacking even then is the round-off of forces that contacts share; no less tells that one has left its mode.
    """
    events.scale[SLACK] = UNLOADED
    derivative(system, work, t, y, events.slope)
    weigh(system, work, events)
    if straight(system, work, events, n):
        derivative(system, work, t, y, events.slope)
        weigh(system, work, events)
    least, _ = least_margin(system, work, events)
    if least >= 0.0:
        return
    for i in range(n):
        block, k = events.block[i], system.contact[events.contact[i]]
        touch = work.touch[events.contact[i]]
        if touch.mode == STICK or block.count == 1:
            for m in range(block.count):
                work.hold[k.hold + m].start = events.lam[block.first + m]
        elif touch.mode == SLIP:
            work.hold[k.hold].start = events.lam[block.first]
            work.hold[k.hold + 1].start = -block.mu * events.lam[block.first]
    derivative(system, work, t, y, events.slope)
    weigh(system, work, events)
    least, _ = least_margin(system, work, events)
    if least < 0.0:
        events.scale[SLACK] += min(-2.0 * least, SHAKY * events.scale[WEIGHT] / events.scale[LOAD])
