"""When open contacts close: first roots of the gaps along a step's dense output, dips that return within the step included.

A gap cannot close where its values at both ends exceed what the bodies' relative speed can cover between them. Where it might,
the interval is halved until its bodies turn by no more than ARC in it; then, if the gap first falls and then grows, its minimum
is found. A gap may have kinks, where another corner or face becomes the nearest one: what seems a minimum there is but a place
to divide the interval at. Past a kink the touch may be another contact's: then the last that is seen of the gap is what tells
whether it closed. Error control does not see how often a body turns in a step: its angle may grow evenly. Behind a
terrain with ends the gap may jump to the distance of a far end: there only the start of an interval is trusted.
"""

import math

from routh.core.bracket import between, narrow
from routh.core.contact.contact_space import beneath
from routh.core.contact.contacts import look
from routh.core.integrate.samples import dense_value
from routh.core.jit import kernel
from routh.core.tables.layout import OPEN, SOFT
from routh.core.tree.kinematics import place
from routh.core.tree.profile import drive

ARC = 0.5             # [rad] turn of the two bodies in which the gap of smooth shapes has one minimum, if any
TWISTS = 20           # halvings that may lead there
DEPTH = 8             # further halvings of a doubtful stretch
WAYS = 1e6            # sizes of a shape that it can go in a step, at most, for a search as fine as the shape
LOOKS = 3.0           # halvings before the gap of a shape with corners, or one that may overlap, is taken to have one minimum
NEWTON = 10           # trials in which a root may come by Newton's step
LEAST = 1e-15         # fraction of a step below which two instants are one
ROUND_OFF = 1e-13     # of a gap, against the size of the smaller shape
KINK = 1e-6           # of the rates on both sides: what is left where they change sign by a jump is more than this
STEEP = 1e-2          # of its greatest rate: a gap that falls and grows more slowly in a stretch does not close in it by a dip
SEARCHED = 20_000     # intervals of one contact in one step; a body that spins a hundred times takes about 2,000
TOO_LONG = 3.0        # instead of a fraction of the step: the search was given up, the step must be shorter
A, GA, RA, B, GB, RB, LEVEL = range(7)  # columns of the stack
STACK = 64


@kernel
def apart(touch):
    """(How far an open contact is apart, its rate); where nothing touches, what has passed each other is so, too."""
    return (max(abs(touch.g) - touch.slack, 0.0), 0.0) if touch.off == 1 else (touch.g, touch.rate)


@kernel
def look_around(system, work, q, u, sight_out):
    """Gap of every open contact, its rate and what it may become; bodies are placed."""
    for c in range(system.contact.size):
        if work.touch[c].mode == OPEN:
            look(system, work, c, q, u)
            t, s = work.touch[c], sight_out[c]
            s.gap, s.rate = apart(t)
            s.haste, s.twist = t.haste, t.twist


@kernel
def keep_sight(sight, sight_out):
    """Copy what was seen."""
    for c in range(sight.size):
        s, o = sight[c], sight_out[c]
        o.gap, o.rate, o.haste, o.twist = s.gap, s.rate, s.haste, s.twist


@kernel
def leave_floors(work, sight):
    """A contact that opened without speed and is well apart by now closes again where it touches."""
    for c in range(sight.size):
        t = work.touch[c]
        if t.floor < 0.0 and t.mode == OPEN and sight[c].gap > -10.0 * t.floor:
            t.floor = 0.0


@kernel
def gap_at(system, work, c, t, h, x, y, dense, sample):
    """(gap above its floor, rate) of contact c at the fraction x of a step."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    dense_value(y, dense, x, sample)
    q, u = sample[:n_q], sample[n_q:n_q + n_u]
    drive(system, work, t + x * h, q, u)
    place(system, work, q, u)
    look(system, work, c, q, u)
    touch = work.touch[c]
    g, rate = apart(touch)
    return g - touch.floor, rate


@kernel
def clears(k, ga, gb, way):
    """Whether the gap of a contact, ga and gb at the ends of an interval, is sure not to close where it can change by way."""
    return ga + (ga if k.sheet == 1 else gb) >= way


@kernel
def doubtful(k, events, c, floor, h):
    """Whether contact c may have closed within a step, from its two ends."""
    before, after = events.sight[c], events.sight_new[c]
    g1 = after.gap - floor
    if g1 < 0.0:
        return True
    return not clears(k, max(before.gap - floor, 0.0), g1, 2.0 * h * max(before.haste, after.haste))


@kernel
def crossing(system, work, c, t, h, y, dense, sample, a, fa, b, fb, of_rate):
    """Root of the gap (or of its rate) between a and b, where it has opposite signs; the gap's rate gives Newton's step.

    Where that leads elsewhere, or does not end, Illinois, then halving.
    """
    side, x = 0, a
    step = math.inf
    for trial in range(100):
        if abs(b - a) <= LEAST:
            break
        ahead = x + step
        newton = trial < NEWTON and a < ahead < b
        if newton and abs(step) <= LEAST:
            return ahead
        x = ahead if newton else between(a, fa, b, fb, trial)
        g, rate = gap_at(system, work, c, t, h, x, y, dense, sample)
        f = rate if of_rate > 0.0 else g
        if f == 0.0:
            return x
        step = -g / (rate * h) if of_rate == 0.0 and rate != 0.0 else math.inf
        a, fa, b, fb, side = narrow(a, fa, b, fb, side, x, f)
    return 0.5 * (a + b)


@kernel
def divide(stack, n, a, ga, ra, x, gx, rate_left, rate_right, b, gb, rb, level):
    """Put [x, b] and then [a, x] on the stack; return its height."""
    for half in range(2):
        s = stack[n + half]
        s[A], s[GA], s[RA], s[B], s[GB], s[RB] = (x, gx, rate_right, b, gb, rb) if half == 0 else (a, ga, ra, x, gx, rate_left)
        s[LEVEL] = level + 1.0
    return n + 2


@kernel
def last_met(system, work, c, t, h, y, dense, sample, haste, a, ga, ra, b):
    """(instant, gap, rate) up to which contact c, met at a, is met before b, where its touch is another's.

    Or sooner, where the gap has closed, or cannot close in what is left.
    """
    while b - a > LEAST and 0.0 <= ga < haste * h * (b - a):
        m = 0.5 * (a + b)
        g, rate = gap_at(system, work, c, t, h, m, y, dense, sample)
        if work.touch[c].off == 1:
            b = m
        else:
            a, ga, ra = m, g, rate
    return a, ga, ra


@kernel
def met_between(system, work, c, t, h, y, dense, sample, haste, a, b):
    """(instant, gap, rate) of contact c where it is met between a and b, where its touch is another's, or the rate 0.

    If it closes there, it is met near where it is nearest: the least distance is searched for, by halving the larger side.
    """
    x = 0.5 * (a + b)
    g, rate = gap_at(system, work, c, t, h, x, y, dense, sample)
    while rate == 0.0 and b - a > LEAST and g < haste * h * (b - a):
        m = 0.5 * (a + x) if x - a > b - x else 0.5 * (x + b)
        gm, rate = gap_at(system, work, c, t, h, m, y, dense, sample)
        if rate != 0.0 or gm < g:
            a, b = (a, x) if m < x else (x, b)
            x, g = m, gm
        else:
            a, b = (m, b) if m < x else (a, m)
    return x, g, rate


@kernel
def first_root(system, work, c, t, h, y, dense, sample, stack, haste, twist, last, g0, r0, g1, r1):
    """The first instant in (0, last] of a step at which the gap of contact c passes its floor; 2 if there is none.

    TOO_LONG after SEARCHED intervals: no search may keep an interrupt or a limit of time waiting.
    """
    n, k = 1, system.contact[c]
    noise = ROUND_OFF * k.size
    twists = min(math.ceil(math.log2(twist * h / ARC)), TWISTS) if twist * h > ARC else 0.0
    first_sure = max(LOOKS if k.law == SOFT or k.last_a > k.first_a else 0.0, twists)
    deepest = DEPTH + twists
    if k.sheet == 1:  # behind it there are overlaps of about a shape's size, then gaps that jumped
        deepest = max(deepest, math.ceil(math.log2(min(max(4.0 * haste * h / k.size, 1.0), WAYS))))
    r0 = r0 if abs(r0) > LEAST * haste else 0.0  # a blow leaves round-off: its sign says nothing of the way
    top = stack[0]
    top[A], top[GA], top[RA], top[B], top[GB], top[RB], top[LEVEL] = 0.0, g0, r0, last, g1, r1, 0.0
    for _ in range(SEARCHED):
        if n == 0:
            return 2.0
        n -= 1
        a, ga, ra, b, gb, rb, level = (stack[n, A], stack[n, GA], stack[n, RA], stack[n, B], stack[n, GB], stack[n, RB],
                                       stack[n, LEVEL])
        leaving = ga <= (0.0 if a > 0.0 else noise)  # it was touching at the start of the step
        sure = level >= first_sure
        if leaving and ra < 0.0:
            return a
        if gb < 0.0 and leaving and rb >= 0.0 and gb >= ga - noise:
            continue  # still coming out of the round-off that it was left in, or off its edge
        if gb >= 0.0 and leaving and rb > 0.0 and level >= LOOKS:
            continue  # on its way out
        if sure and gb < 0.0 and not leaving and ra <= 0.0:
            return crossing(system, work, c, t, h, y, dense, sample, a, ga, b, gb, 0.0)
        if sure and gb >= 0.0 and not leaving and ra < 0.0 < rb:
            x = crossing(system, work, c, t, h, y, dense, sample, a, ra, b, rb, 1.0)
            g, rate = gap_at(system, work, c, t, h, x, y, dense, sample)
            if g < 0.0:
                return crossing(system, work, c, t, h, y, dense, sample, a, ga, x, g, 0.0)
            kink = abs(rate) > KINK * (rb - ra) or work.touch[c].off == 1
            if kink and level < deepest and n + 2 <= STACK:
                n = divide(stack, n, a, ga, ra, x, g, min(rate, 0.0), max(rate, 0.0), b, gb, rb, level)
            continue
        if gb >= 0.0 and clears(k, ga, gb, haste * h * (b - a)):
            continue
        if sure and gb >= 0.0 and not leaving and ra < 0.0 and rb == 0.0:  # handed over: it may have closed just before
            x, g, rate = last_met(system, work, c, t, h, y, dense, sample, haste, a, ga, ra, b)
            if g < 0.0:
                return crossing(system, work, c, t, h, y, dense, sample, a, ga, x, g, 0.0)
            if level < deepest and n + 2 <= STACK:
                n = divide(stack, n, a, ga, ra, x, g, rate, 0.0, b, gb, rb, level)
            continue
        if gb >= 0.0 and level >= deepest:
            if ra == 0.0 and rb == 0.0 and ga + gb >= STEEP * haste * h * (b - a) and n + 2 <= STACK:
                x, g, rate = met_between(system, work, c, t, h, y, dense, sample, haste, a, b)
                if g < 0.0:
                    return crossing(system, work, c, t, h, y, dense, sample, a, ga, x, g, 0.0)
                if rate != 0.0:
                    n = divide(stack, n, a, ga, ra, x, g, rate, rate, b, gb, rb, level)
            continue
        if b - a <= LEAST or n + 2 > STACK:
            if gb < 0.0:
                return b
            continue
        # in doubt: look in the middle, first half first
        m = 0.5 * (a + b)
        gm, rm = gap_at(system, work, c, t, h, m, y, dense, sample)
        n = divide(stack, n, a, ga, ra, m, gm, rm, rm, b, gb, rb, level)
    return TOO_LONG


@kernel
def first_touch(system, work, events, t, h, y, dense, sample):
    """(fraction of the step, contact) of the first open contact that closes within it; (2, -1) if none does.

    (TOO_LONG, -1) if that takes too long to search.
    """
    best, which = 2.0, -1
    for c in range(system.contact.size):
        k, touch, before, after = system.contact[c], work.touch[c], events.sight[c], events.sight_new[c]
        if touch.mode == OPEN and doubtful(k, events, c, touch.floor, h) and not beneath(k, before.gap):
            floor = touch.floor
            g1, r1, last = after.gap - floor, after.rate, 1.0
            if best < 1.0:
                last = best
                g1, r1 = gap_at(system, work, c, t, h, last, y, dense, sample)
            haste, twist = 2.0 * max(before.haste, after.haste), max(before.twist, after.twist)
            x = first_root(system, work, c, t, h, y, dense, sample, events.stack, haste, twist, last,
                           before.gap - floor, before.rate, g1, r1)
            if x == TOO_LONG:
                return TOO_LONG, -1
            if x < best:
                best, which = x, c
    return best, which
