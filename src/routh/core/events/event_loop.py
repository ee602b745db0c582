"""The entry point of motion with contacts: smooth steps of order 8 between events, each event met at its instant.

Where a step meets an event is the matter of `landing.py`. Impacts jump the speeds (`strike.py`); after each event the modes of
all touching contacts are decided anew (`modes.py`).
"""

import math

from routh.core.calls import choose, derivative, strike
from routh.core.contact.complementarity import INCONSISTENT, SEVERAL
from routh.core.contact.contacts import seat, slide_left
from routh.core.events.clock import time_tolerance
from routh.core.events.event_samples import full, sample_before, sample_now, sample_step
from routh.core.events.event_state import CARRIED, NEAR, note, slow_speed
from routh.core.events.landing import TORN, first_event, land_on, lands, reset_watch
from routh.core.events.margins import JAM_NEAR, JAMMED, rub_on, weigh
from routh.core.events.meeting import first_step_in, meet
from routh.core.events.strike import NOTHING, TOGETHER, push_scheduled
from routh.core.events.touching import TOO_LONG, keep_sight, leave_floors, look_around
from routh.core.integrate.explicit import STAGES, first_step, make_dense
from routh.core.integrate.loop import CALM, GROWTH, LAST, NONE, SHARP
from routh.core.integrate.samples import copy, finite, step_to_stop, wants_dense
from routh.core.jit import kernel
from routh.core.tables.layout import (
    BLOCKED,
    CHATTER,
    CROWDED,
    DENSE_EVENTS,
    DRIVE,
    FINISHED,
    FRICTION,
    HYSTERESIS,
    LOG_FULL,
    LOOP_OPEN,
    NOT_FINITE,
    OPEN,
    PAUSED,
    SLIP,
    STEP_TOO_SMALL,
)
from routh.core.tables.log import N_EVENT, N_IMPACT, N_PHASE, PAINLEVE
from routh.core.tables.runs import (
    ARRIVED,
    BEGUN,
    COARSE,
    DEALT,
    ENERGY,
    FASTEST,
    LOAD,
    MIDWAY,
    ORIGIN,
    RESUMED,
    START,
    WEIGHT,
)
from routh.core.tree.kinematics import energies, row_acceleration
from routh.core.tree.profile import choose_pieces

STUCK = 200           # events at one instant that mean it does not end
PATIENT = 20          # of them before what counts as slow grows tenfold: contacts that part and meet without end close
NO_PROGRESS = 1e-13   # of the time since the start: an event that comes so soon after another is of the same instant
HASTY = 1e-9          # of that time: a mode that lasts no longer is hardly one,
LENIENT = 100         # and after so many of them in a row, too, what counts as slow grows tenfold: slips next to rest end
ROUNDS = 100          # of blows at one instant, each of which makes other contacts approach
JAMS = 20             # tangential impacts at one instant; the second half of them are of several contacts together
LEAST_STEP = 1e-14    # of that time: shorter ones do not advance it
JAM_STEP = 3.0        # times the least step: steps this short mean that a force grows beyond all bounds
CRUSHING = 1e6        # contact force against what would stop the bodies where the contacts closed: only a driver gets there
DRIVEN = 0.1          # part of the largest kinetic energy so far: a driver that has put in more of it can be why it has no end
SHORTER = 0.1         # of a step in which contacts cannot be searched within a bounded time
NEARER = 0.98         # of the way to an event at which a step is not accurate: the next one is taken up to there
REBOUND = 3.0         # longest step after a blow against the time to the height of the rebound; its end is at two


@kernel
def start_step(system, work, events, control, t, y, k):
    """Slope, open gaps and scales at the start of a step."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    derivative(system, work, t, y, k[0])
    control.evaluations += 1
    weigh(system, work, events)
    look_around(system, work, y[:n_q], y[n_q:n_q + n_u], events.sight)
    # a rebound is followed in steps of its own length, or the dense output could not tell its end from its beginning
    for c in range(system.contact.size):
        touch, k = work.touch[c], system.contact[c]
        if touch.mode == OPEN and touch.rate > slow_speed(events) and touch.g <= NEAR * k.size:
            seat(system, work, c, y[:n_q], y[n_q:n_q + n_u])
            pull = row_acceleration(system, work, system.hold[k.hold], work.hold[k.hold]) + work.hold[k.hold].extra
            if pull < 0.0:
                touch.floor = 0.0  # what falls back from a speed falls no deeper than it was, or it would gain on the way
                if control.h > 0.0:
                    control.h = max(min(control.h, -REBOUND * touch.rate / pull), 2.0 * control.least_step)
    kinetic, _ = energies(system, work)
    events.scale[ENERGY] = max(events.scale[ENERGY], kinetic)


@kernel
def back_to(system, work, control, t, y, f_out):
    """Contacts as they are at the start of a step that was rejected; where it ends a slide depends on that."""
    if work.closed[work.closed.size - 1] > 0:
        derivative(system, work, t, y, f_out)
        control.evaluations += 1


@kernel
def jamming(system, work):
    """The sliding contact that is near to jamming by itself, else TOGETHER, or NOTHING where none slides."""
    which, least = NOTHING, JAM_NEAR
    for j in range(work.closed[work.closed.size - 1]):
        touch = work.touch[work.closed[j]]
        if touch.mode == SLIP and touch.jam < least:
            which, least = work.closed[j], touch.jam
        elif touch.mode == SLIP and which == NOTHING:
            which = TOGETHER
    return which


@kernel
def too_dense(control, log):
    """Whether events have come faster than `event_rate` for so long that there are `event_burst` more than that."""
    due = control.event_rate * (control.t - control.counted_until)
    control.event_excess = max(control.event_excess - due, 0.0) + (log.count[N_EVENT] - control.counted)
    control.counted_until, control.counted = control.t, log.count[N_EVENT]
    return control.event_excess > control.event_burst


@kernel
def dead_end(system):
    """Why there is no motion: drivers that squeeze bodies have no forces that admit it; else none was found."""
    return BLOCKED if system.driver.size > 0 else CHATTER


@kernel
def stalled(system, events, y):
    """Why steps became too short to go on: drivers press on what cannot give way, where they have put in much of all energy or
    contact forces grow beyond all bounds; else it is not known.
    """
    crushed = events.scale[WEIGHT] > 0.0 and events.scale[LOAD] > CRUSHING * events.scale[WEIGHT]
    pushed = y[system.world[0].works + DRIVE] > DRIVEN * events.scale[ENERGY]
    return BLOCKED if system.driver.size > 0 and (crushed or pushed) else STEP_TOO_SMALL


@kernel
def resolve(system, work, events, solver, log, t, y, which, jamming):
    """Impacts, then modes, until both are at rest; return FINISHED, or what went wrong.

    `which` is the contact that the event is about, `jamming` the one whose friction has just begun to jam, TOGETHER where
    several have, or NOTHING.
    """
    meet(system, work, events, log, t, y, which)
    struck = TOGETHER if jamming == TOGETHER else NOTHING
    events.scale[ARRIVED] = events.scale[DEALT] = 0.0
    for jams in range(JAMS):
        status, rounds = PAUSED, 0
        while status == PAUSED and rounds < ROUNDS:
            status = strike(system, work, events, solver, log, t, y, struck)
            struck, rounds = NOTHING, rounds + 1
        if status != FINISHED and status != PAUSED:
            return status if status != CHATTER else dead_end(system)
        status = choose(system, work, events, solver, log, t, y, jamming)
        struck = events.culprit[0]
        if status < 0:
            return CROWDED
        if status <= SEVERAL:
            return FINISHED
        if status != INCONSISTENT:
            return dead_end(system)
        note(log, t, PAINLEVE, struck, work.touch[struck].jam)
        if jams >= JAMS // 2:  # thrown off by one contact and back by another, without end
            struck = TOGETHER
        jamming = NOTHING
    return dead_end(system)


@kernel
def resolve_now(system, work, control, events, solver, log, t, y, which, jamming):
    """`resolve`, to be taken up again by `begin` where the log has no room."""
    status = resolve(system, work, events, solver, log, t, y, which, jamming)
    if status != LOG_FULL:
        control.begun = BEGUN
    elif control.begun != RESUMED:
        control.begun = MIDWAY
    return status


@kernel
def step_back(system, work, control, events, solver, log, t, y, error, f_out, t_out, y_out, segment_out, phase_out):
    """After a step that was rejected, be ready for a shorter one, `control.h`; return as `resolve`.

    Where it can hardly be shorter, the forces of contacts that jam grow beyond all bounds: the steps end, and their tangential
    impact begins.
    """
    control.rejected += 1
    back_to(system, work, control, t, y, f_out)
    jam = jamming(system, work) if control.h < JAM_STEP * control.least_step and error != TORN else NOTHING
    if jam != NOTHING:
        control.stuck += 1
        if control.stuck > STUCK:
            return dead_end(system)
        sample_now(system, work, control, log, y, t, t_out, y_out, segment_out, phase_out)
        status = resolve_now(system, work, control, events, solver, log, t, y, -1, jam)
        if status == FINISHED:
            sample_now(system, work, control, log, y, t, t_out, y_out, segment_out, phase_out)
            control.h, control.fresh = 0.0, 1
        return status if status != CHATTER else stalled(system, events, y)
    if control.h < control.least_step or control.h < 1e-300:
        return NOT_FINITE if not math.isfinite(error) else (LOOP_OPEN if error == TORN else stalled(system, events, y))
    return FINISHED


@kernel
def begin(system, work, control, events, solver, log, y, t_out, y_out, segment_out, phase_out):
    """What approaches a closed contact at the start, or was scheduled for that instant, happens now; return as `resolve`."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    fall = math.sqrt(system.world[0].gravity[0] ** 2 + system.world[0].gravity[1] ** 2 + system.world[0].gravity[2] ** 2)
    resumed = control.begun == RESUMED
    if control.begun == START:
        events.scale[ORIGIN] = control.t
    if control.begun == START or resumed:
        for c in range(system.contact.size):
            work.touch[c].mode, work.touch[c].struck = OPEN, -math.inf
    derivative(system, work, control.t, y, events.slope)
    for c in range(system.contact.size):
        touch, k = work.touch[c], system.contact[c]
        seat(system, work, c, y[:n_q], y[n_q:n_q + n_u])
        if touch.g <= NEAR * k.size:
            pull = row_acceleration(system, work, system.hold[k.hold], work.hold[k.hold]) + work.hold[k.hold].extra
            pull = max(abs(pull), fall)
            events.scale[FASTEST] = max(events.scale[FASTEST], touch.pace, CARRIED * math.sqrt(pull * k.size))
    if control.begun != MIDWAY:
        sample_now(system, work, control, log, y, control.t, t_out, y_out, segment_out, phase_out)
    push_scheduled(system, work, events, log, control.t, y, control)
    status = resolve_now(system, work, control, events, solver, log, control.t, y, -1, -1)
    if status == FINISHED:
        if log.count[N_IMPACT] == 0 and not resumed:
            control.n_out = log.count[N_PHASE] = 0  # nothing jumped: one sample is enough
        sample_now(system, work, control, log, y, control.t, t_out, y_out, segment_out, phase_out)
    return status


@kernel
def run_events(system, work, control_table, buffers, events, solver, log, stops, wanted, t_out, y_out, segment_out, phase_out):
    """Integrate from control.t to the last stop, through every event. Re-entrant as `run_explicit`; LOG_FULL asks for room."""
    control = control_table[0]
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    y, k, dense, stage, y_new, sample = (buffers.y, buffers.k, buffers.dense, buffers.stage, buffers.y_new, buffers.sample)
    growth = GROWTH
    control.last_error = max(control.last_error, LAST)
    choose_pieces(system, 0.5 * (stops[control.segment] + stops[control.segment + 1]), work.piece)
    if control.begun != BEGUN:
        status = begin(system, work, control, events, solver, log, y, t_out, y_out, segment_out, phase_out)
        if status != FINISHED:
            return status
        control.fresh = 1

    while True:
        t, stop = control.t, stops[control.segment + 1]
        if full(system, control, log, t_out):
            return LOG_FULL
        if control.fresh == 1:
            start_step(system, work, events, control, t, y, k)
            control.fresh = 0
            if not finite(k[0]):
                return NOT_FINITE
            if control.h == 0.0:
                control.h = first_step(n_q + n_u, y, k[0], control.rtol, control.atol, stop - t)
            control.h = first_step_in(system, work, y[:n_q], y[n_q:n_q + n_u], control.h)
        if control.accepted + control.rejected >= control.budget and growth == GROWTH:
            return PAUSED  # not after a rejection: pauses must leave no trace

        h = step_to_stop(control, t, stop)
        limit, ending = slide_left(system, work, slow_speed(events))
        if limit < h:
            h = limit
        t_new = stop if h == stop - t else t + h
        h = t_new - t
        control.least_step = max(time_tolerance(events, stop, 0.0, LEAST_STEP), time_tolerance(events, t, 0.0, LEAST_STEP))
        if h <= control.least_step and h < stop - t and ending < 0:
            return stalled(system, events, y)
        reset_watch(work)
        accepted, error, kink = lands(system, work, control, events, t, y, h, k, stage, y_new)
        if not accepted:
            if ending >= 0:
                work.touch[ending].ending, work.touch[ending].slow = 0, slow_speed(events)
            control.h = h * max(0.2, 0.9 * error ** -0.125) if math.isfinite(error) else 0.1 * h
            growth = 1.0
            status = step_back(system, work, control, events, solver, log, t, y, error, k[0], t_out, y_out, segment_out,
                               phase_out)
            if status != FINISHED:
                return status
            continue
        if not finite(k[STAGES]):
            return NOT_FINITE
        control.accepted += 1

        when, which, opening, dense_ready = first_event(system, work, control, events, kink, t, y, h, k, stage, y_new, dense,
                                                        sample)
        disturbed, span = dense_ready, h
        if when <= 1.0 or when == TOO_LONG:
            if ending >= 0:
                work.touch[ending].ending = 0
                ending = -1
            landed = False
            if when <= 1.0:
                h, landed, dense_ready = land_on(system, work, control, events, t, y, h, when, which, opening, error, k, stage,
                                                 y_new, dense)
            if not landed:
                # the whole step was too long, and its error blind to that; or it ends where a force jumps: go up to there
                control.accepted -= 1
                control.rejected += 1 if when == TOO_LONG else 0
                control.h, growth = (SHORTER if when == TOO_LONG else NEARER) * h, 1.0
                status = step_back(system, work, control, events, solver, log, t, y, error, k[0], t_out, y_out, segment_out,
                                   phase_out)
                if status != FINISHED:
                    return status
                continue
            t_new = t + h
        if h > 0.0 and wants_dense(control, wanted, t_new):
            disturbed = True
            if not dense_ready:
                derivative(system, work, t_new, y_new, k[STAGES])
                make_dense(system, work, t, y, h, k, stage, y_new, dense)
                control.evaluations += 4
                span = h
            sample_step(system, work, control, log, t, y, span, t_new, dense, sample, wanted,
                        t_out, y_out, segment_out, phase_out)
            if wants_dense(control, wanted, t_new):
                # more samples than room: grow, then take this step again
                control.t, control.fresh = t, 1
                return LOG_FULL
        works = system.world[0].works
        rub_on(system, work, y_new[works + FRICTION] - y[works + FRICTION], y_new[works + HYSTERESIS] - y[works + HYSTERESIS])

        at_event = when <= 1.0 or ending >= 0
        at_stop = t_new >= stop
        if control.next_out < wanted.size and (wanted[control.next_out] == t_new or (
                (at_event or at_stop) and wanted[control.next_out] <= t_new)):
            control.next_out += 1
            if not (at_event or at_stop):
                sample_now(system, work, control, log, y_new, t_new, t_out, y_out, segment_out, phase_out)
        if at_event and not (opening and work.closed[work.closed.size - 1] == 0):
            sample_before(system, work, control, events, log, t, y, h, k, stage, y_new, sample,
                          t_out, y_out, segment_out, phase_out)
        elif at_event or at_stop:
            sample_now(system, work, control, log, y_new, t_new, t_out, y_out, segment_out, phase_out)
        control.t = t_new
        copy(y_new, y)
        over = at_stop and control.segment + 2 == stops.size
        if at_stop and not over:
            control.segment += 1
            choose_pieces(system, 0.5 * (stops[control.segment] + stops[control.segment + 1]), work.piece)
        if at_event or at_stop:
            control.stuck = control.stuck + 1 if h <= time_tolerance(events, t, 0.0, NO_PROGRESS) else 0
            if control.stuck > STUCK:
                return dead_end(system)
            if not opening:
                control.hasty = control.hasty + 1 if h <= time_tolerance(events, t, 0.0, HASTY) else 0
            events.scale[COARSE] = 10.0 ** min(max(control.stuck // PATIENT, control.hasty // LENIENT), 5)
            given = control.next_impulse
            if at_stop:
                push_scheduled(system, work, events, log, t_new, y, control)
            if over and given == control.next_impulse and not at_event:
                return FINISHED
            solo = which if (not opening and which >= 0 and work.touch[which].mode == SLIP
                             and work.touch[which].jam <= 2.0 * JAMMED) else -1
            status = resolve_now(system, work, control, events, solver, log, t_new, y, which, solo)
            if status != FINISHED:
                return status
            sample_now(system, work, control, log, y, t_new, t_out, y_out, segment_out, phase_out)
            control.fresh = 1
        else:
            copy(k[STAGES], k[0])
            leave_floors(work, events.sight_new)
            keep_sight(events.sight_new, events.sight)
            if work.closed[work.closed.size - 1] > 0 or work.pressed[work.pressed.size - 1] > 0:
                if disturbed:
                    derivative(system, work, t_new, y, k[0])
                weigh(system, work, events)
        factor = min(growth, max(0.3, 0.9 * max(error, NONE) ** -SHARP * control.last_error ** CALM))
        control.last_error, growth = max(error, LAST), GROWTH
        if when > 1.0 and (h >= 0.99 * min(control.h, control.max_step) or factor < 1.0):
            control.h = h * factor
        if over:
            return FINISHED
        if at_event and too_dense(control, log):
            return DENSE_EVENTS
