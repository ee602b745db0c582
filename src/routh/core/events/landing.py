"""Where within a step the first event is, and the step up to it.

A step is tried as if nothing happened. Then open gaps are searched for roots and closed contacts for modes that they left,
both with dips that return within the step; the earliest instant ends the step, which is computed again up to there, so that
an event state has the accuracy of a step.
Where the step has next to no error, as in free flight, its dense output is as accurate.
"""

import math

from routh.core.bracket import between, narrow, vertex
from routh.core.calls import derivative, project
from routh.core.contact.compliant import time_to_part
from routh.core.contact.contacts import look, seat, slip_along, slip_speed
from routh.core.events.clock import time_tolerance
from routh.core.events.margins import BACKWARD, JAMMED, jolted, least_margin, margin
from routh.core.events.touching import LEAST, ROUND_OFF, TOO_LONG, doubtful, first_touch, look_around
from routh.core.integrate.explicit import STAGES, attempt, make_dense
from routh.core.integrate.samples import CLOSED, copy, dense_value
from routh.core.jit import kernel
from routh.core.motion.kane import vigour
from routh.core.tables.layout import OPEN, SLIP, SOFT
from routh.core.tables.runs import CRAWL, ENERGY, FASTEST, LOAD, SLACK
from routh.core.tree.kinematics import place, row_acceleration
from routh.core.tree.profile import drive

TRIES = 12            # steps up to an event before the last one counts
MET = 0.1             # part of SLACK to which the end of a mode is met: just beyond it
PROBE = 1e-3          # of a step up to it: how far before, the rate of its margin is measured
ASIDE = 1e-6          # of that step: what dense output can be wrong by
FLAT = 1e-3           # a margin, against the load, that is no jump
SCAN = 8              # stretches of a step between whose ends the margin of a mode has one minimum at most
DIPS = 20             # parabolas of which each comes nearer to a minimum; the error of a few is round-off
DIP = 0.5             # of what a margin varies by over the stages of a step: more is not hidden between two of them
SAME_TIME = 1e-14     # of the time since the start: an event is met to this
TORN = 100.0          # error of a step that leaves a loop open
TOSS = 1e-8           # of the largest kinetic energy so far: no drift changes a speed by so much,
HOP = 1e-10          # nor by what a contact force gains over this part of the smaller shape
NO_KINK, PAST, BESIDE = range(3)  # how a step met a kink
AT, EARLY, OFF, NEAR = range(4)  # where a step ends, seen from its event
BRIEF = 10.0          # times the least step: no step is tried that is much shorter
EXACT = 1e-3          # error of a step, against the tolerance, below which its dense output is as good as another step


@kernel
def reset_watch(work):
    """Forget the least and the greatest margins before a step."""
    for j in range(work.pressed[work.pressed.size - 1]):
        touch = work.touch[work.pressed[j]]
        touch.low, touch.high = math.inf, -math.inf
    for j in range(work.closed[work.closed.size - 1]):
        touch = work.touch[work.closed[j]]
        touch.low = touch.back = math.inf
        touch.high = touch.ahead = -math.inf


@kernel
def dips(low, high, least):
    """Whether a function may be negative within a step: its stages have values from `low` to `high`, zero is met to `least`."""
    return low < -least or (high > least and low < DIP * (high - low))


@kernel
def lost_mode(system, work, events):
    """Whether a closed or pressed contact may have left its mode within the step."""
    for j in range(work.pressed[work.pressed.size - 1]):
        touch = work.touch[work.pressed[j]]
        if dips(touch.low, touch.high, 0.0):
            return True
    for j in range(work.closed[work.closed.size - 1]):
        touch = work.touch[work.closed[j]]
        if dips(touch.low, touch.high, events.scale[SLACK] * events.scale[LOAD]):
            return True
        if touch.mode == SLIP and (dips(touch.back, touch.ahead, BACKWARD * events.scale[FASTEST]) or touch.jam < JAMMED):
            return True
        if touch.mode == SLIP and touch.creep == 1 and slip_speed(system, touch) > events.scale[CRAWL]:
            return True
    return False


@kernel
def margin_at(system, work, events, t, h, x, y, dense, sample, slope):
    """(least margin, its contact) at the fraction x of a step."""
    dense_value(y, dense, x, sample)
    derivative(system, work, t + x * h, sample, slope)
    return least_margin(system, work, events)


@kernel
def margin_root(system, work, events, t, h, y, dense, sample, slope, a, fa, b, fb, which):
    """(fraction of the step, contact) of the root between a, where the least margin fa is positive, and b, where it is not."""
    side = 0
    for trial in range(80):
        if b - a <= LEAST:
            break
        x = between(a, fa, b, fb, trial)
        f, c = margin_at(system, work, events, t, h, x, y, dense, sample, slope)
        if f < 0.0:
            which = c
        a, fa, b, fb, side = narrow(a, fa, b, fb, side, x, f)
    return b, which


@kernel
def dip_root(system, work, events, t, h, y, dense, sample, slope, a, fa, m, fm, b, fb):
    """The same between a and b, where the least margin is positive but lower at m: its minimum is sought; (2, -1) if none is.

    Three parabolas tell how low it comes. The least of several margins has minima only where one of them has.
    """
    for trial in range(DIPS):
        x, least = vertex(a, fa, m, fm, b, fb)
        if (trial > 2 and least > 0.5 * fm) or abs(x - m) <= LEAST:
            break
        f, c = margin_at(system, work, events, t, h, x, y, dense, sample, slope)
        if f < 0.0:
            left, f_left = (m, fm) if x > m else (a, fa)
            return margin_root(system, work, events, t, h, y, dense, sample, slope, left, f_left, x, f, c)
        if f <= fm:
            if x > m:
                a, fa = m, fm
            else:
                b, fb = m, fm
            m, fm = x, f
        elif x > m:
            b, fb = x, f
        else:
            a, fa = x, f
    return 2.0, -1


@kernel
def first_loss(system, work, events, t, h, y, dense, sample, slope):
    """(fraction of the step, contact) at which a closed contact first leaves its mode; (2, -1) if none does.

    The least margin is sampled at both ends of the step, next to them, and in between. A minimum lies between three samples.
    """
    fm, first = margin_at(system, work, events, t, h, 0.0, y, dense, sample, slope)
    a, fa, m = 0.0, math.inf, 0.0
    for i in range(SCAN + 2):
        b = PROBE if i == 0 else (i / SCAN if i < SCAN else (1.0 - PROBE if i == SCAN else 1.0))
        fb, which = margin_at(system, work, events, t, h, b, y, dense, sample, slope)
        if fb < 0.0:
            if m == 0.0 and fm <= 0.0:
                if i == 0:
                    continue  # round-off of what has just begun
                return 0.0, first
            return margin_root(system, work, events, t, h, y, dense, sample, slope, m, fm, b, fb, which)
        if fa >= fm and fm < fb and m > 0.0:
            x, c = dip_root(system, work, events, t, h, y, dense, sample, slope, a, fa, m, fm, b, fb)
            if c >= 0:
                return x, c
        a, fa, m, fm = m, fm, b, fb
    return 2.0, -1


@kernel
def over_kink(system, work, events, t, q, u):
    """Whether a closed contact has run over a kink in the step to t, q and u."""
    n = work.closed[work.closed.size - 1]
    if n > 0:
        drive(system, work, t, q, u)
        place(system, work, q, u)
    for j in range(n):
        c = work.closed[j]
        look(system, work, c, q, u)
        if jolted(system.contact[c], work.touch[c], events.scale[FASTEST]):
            return True
    return False


@kernel
def tossed(system, work, events, u, u_new):
    """Whether a projection has changed speeds by far more than drift: it has moved a contact over a kink."""
    drift = TOSS * events.scale[ENERGY]
    for j in range(work.closed[work.closed.size - 1]):
        drift = max(drift, HOP * events.scale[LOAD] * system.contact[work.closed[j]].size)
    for k in range(u.size):
        if vigour(work.dof[k], u_new[k] - u[k]) > drift:
            return True
    return False


@kernel
def lands(system, work, control, events, t, y, h, k, stage, y_new):
    """Take the step of length h; return (whether it is accepted: error, loops, numbers; its error; how it met a kink).

    Beyond a kink the speeds are left as they are: they decide whether the contact parts there or strikes. So are they where
    a contact is so near to a kink that its projection would pass it. The error of a step over a kink that could hardly be
    shorter is that of forces which jump there.
    """
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    error = attempt(system, work, t, y, h, control.rtol, control.atol, k, stage, y_new)
    control.evaluations += STAGES
    if not (error <= 1.0 or h <= BRIEF * control.least_step):
        return False, error, NO_KINK
    kink = PAST if over_kink(system, work, events, t + h, y_new[:n_q], y_new[n_q:n_q + n_u]) else NO_KINK
    if kink == NO_KINK:
        if not error <= 1.0:
            return False, error, NO_KINK
        copy(y_new, stage)
        left = project(system, work, t + h, y_new[:n_q], y_new[n_q:n_q + n_u])
        if not left <= CLOSED:
            return False, TORN, NO_KINK
        control.worst_drift = max(control.worst_drift, left)
        if work.closed[work.closed.size - 1] > 0 and tossed(system, work, events, stage[n_q:n_q + n_u], y_new[n_q:n_q + n_u]):
            copy(stage, y_new)
            kink = BESIDE
    derivative(system, work, t + h, y_new, k[STAGES])
    control.evaluations += 2
    return True, error, kink


@kernel
def time_off(system, work, c, opening, y):
    """Time by which a step has missed its event, from the contact's own rates: a gap that closes, a slip or force that ends."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    touch = work.touch[c]
    if opening:
        place(system, work, y[:n_q], y[n_q:n_q + n_u])
        look(system, work, c, y[:n_q], y[n_q:n_q + n_u])
        return -(touch.g - touch.floor) / touch.rate if touch.rate != 0.0 else 0.0
    if touch.mode > SLIP:
        k = system.contact[c]
        seat(system, work, c, y[:n_q], y[n_q:n_q + n_u])
        bend = row_acceleration(system, work, system.hold[k.hold], work.hold[k.hold]) + work.hold[k.hold].extra
        return time_to_part(system.compliant[k.soft], touch, k.size, bend)
    along = slip_along(system, touch)
    if touch.mode == SLIP and touch.brake < 0.0 and work.hold[system.contact[c].hold].lam > 0.0 and touch.jam > 2.0 * JAMMED:
        return -along / touch.brake
    return 0.0


@kernel
def first_event(system, work, control, events, kink, t, y, h, k, stage, y_new, dense, sample):
    """(fraction of the step, contact, whether it was open, whether dense output is ready) of the first event; (2, -1, ...).

    (TOO_LONG, -1, ...) where the step must be shorter to be searched.
    """
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    if kink == PAST and h <= BRIEF * control.least_step:  # too short to look into
        derivative(system, work, t + h, y_new, sample)
        return 1.0, least_margin(system, work, events)[1], False, False
    look_around(system, work, y_new[:n_q], y_new[n_q:n_q + n_u], events.sight_new)
    lost = kink != NO_KINK or lost_mode(system, work, events)
    doubt = lost
    for c in range(system.contact.size):
        touch = work.touch[c]
        doubt = doubt or (touch.mode == OPEN and doubtful(system.contact[c], events, c, touch.floor, h))
    if not doubt:
        return 2.0, -1, False, False
    make_dense(system, work, t, y, h, k, stage, y_new, dense)
    control.evaluations += 3
    when, which = first_touch(system, work, events, t, h, y, dense, sample)
    opening = which >= 0
    if lost and when != TOO_LONG:
        x, c = first_loss(system, work, events, t, h, y, dense, sample, stage)
        if kink != NO_KINK and x > 1.0:  # it is at the very end
            derivative(system, work, t + h, y_new, sample)
            x, c = 1.0, least_margin(system, work, events)[1]
        if x < when:
            when, which, opening = x, c, False
    return when, which, opening, True


@kernel
def read_off(system, work, control, t, y, h, x, dense, y_new):
    """The state at the fraction x of a step from its dense output; return whether the loops are closed there."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    dense_value(y, dense, x, y_new)
    left = project(system, work, t + x * h, y_new[:n_q], y_new[n_q:n_q + n_u])
    if left <= CLOSED:
        control.worst_drift = max(control.worst_drift, left)
    return left <= CLOSED


@kernel
def by_margin(system, work, control, events, t, y, h, which, k, stage, y_new):
    """Length of a step to where a force ends, or a cone, from one that came close: by the secant of its margin."""
    over, met = margin(system, work, events, which), MET * events.scale[SLACK]
    if not met < abs(over + met) < FLAT:
        return h
    back = PROBE * h
    landed, _, kink = lands(system, work, control, events, t, y, h - back, k, stage, y_new)
    off = (over + met) * back / (margin(system, work, events, which) - over)
    return h + off if landed and kink == NO_KINK and abs(off) <= ASIDE * h else h


@kernel
def arrival(system, work, events, which, opening, close, far, t, h, y_new):
    """(Whether a step ends AT its event, EARLY, OFF by a time that rates tell, or NEAR it by one that they do not; that time).

    Times beyond `far` tell nothing. What is `close` will not come nearer.
    """
    k, touch = system.contact[which], work.touch[which]
    off = time_off(system, work, which, opening, y_new)
    if opening:
        touches = touch.off == 0 and abs(touch.g - touch.floor) <= ROUND_OFF * k.size
        if touches and abs(off) > ASIDE * h:
            return AT, off  # where a touch is handed over, nothing is left of its rate
        if touch.off == 1 or (abs(off) > far and touch.g > touch.floor):
            return EARLY, off
    elif k.law != SOFT and (off == 0.0 or abs(off) > far):
        if not close:
            return NEAR, off
        if least_margin(system, work, events)[0] >= 0.0:
            return EARLY, off
    return (AT if abs(off) <= time_tolerance(events, t, h, SAME_TIME) or abs(off) > far else OFF), off


@kernel
def land_on(system, work, control, events, t, y, h, when, which, opening, error, k, stage, y_new, dense):
    """The same step again, up to the event, or beyond it where a force or a normal jumps.

    Where nothing touches before it and the whole step is EXACT, it is read off the dense output instead. Return (its length,
    accepted, whether the dense output is still that of the whole step).
    """
    h_event, ahead = when * h, time_tolerance(events, t, h, SAME_TIME)
    # gaps jump past the ends of a terrain, and compliant contacts may begin there: no root is near
    far = (1e-3 if system.contact[which].law == SOFT else 1e-2 if opening else 0.2) * h
    free = work.closed[work.closed.size - 1] == 0 and work.pressed[work.pressed.size - 1] == 0
    smooth = opening and free and error <= EXACT
    landed, taken, close = True, h_event, False
    for _ in range(TRIES):
        if h_event <= 0.0:
            copy(y, y_new)
            return 0.0, True, smooth
        taken, kink = h_event, NO_KINK
        smooth = smooth and read_off(system, work, control, t, y, h, h_event / h, dense, y_new)
        if not smooth:
            landed, _, kink = lands(system, work, control, events, t, y, h_event, k, stage, y_new)
        if not landed or kink == PAST or h_event >= h:
            break
        here, off = EARLY, 0.0
        if kink == NO_KINK:
            here, off = arrival(system, work, events, which, opening, close, far, t, h, y_new)
        if here == AT:
            break
        if here == NEAR:
            h_event, close = by_margin(system, work, control, events, t, y, h_event, which, k, stage, y_new), True
            continue
        if here == EARLY:
            off, ahead = ahead, 10.0 * ahead
        h_event = min(h_event + off, h)
    return taken, landed, smooth
