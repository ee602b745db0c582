"""One tangent of a run along its links: the variational equation over each stretch, the saltation at each event.

Whatever a tangent goes through is differenced from states beside the motion, term by term: offsets along the tangent and
changed systems, with weights. Coordinates and speeds themselves are never differenced, only slopes, guards and jumps; so a
tangent in free flight has no round-off but its own. Over a stretch whose begin moves by `instant`, time counts in shares of it.
"""

import math

from routh.core.calls import derivative, project
from routh.core.contact.contacts import look
from routh.core.events.replay import read_guards, repeat_event, take_modes
from routh.core.integrate.explicit import STAGES, C, combine, polynomials
from routh.core.integrate.samples import copy, dense_value
from routh.core.jit import kernel
from routh.core.tables.layout import FINISHED, SLIP
from routh.core.tables.variation import GAP, GRAZES, KINK, SEVERAL, SMOOTH, UNLIKE
from routh.core.tree.kinematics import place
from routh.core.tree.profile import choose_pieces, drive

STEP = 4e-6           # change of a state against its size, for slopes: the error of differences is its square
LONG_STEP = 1e-4      # the same for gaps and jumps, whose differences are of fourth order
ROOMY = 5.0           # times STEP: largest change of a state together with a change of the system
GRAZING = 0.3         # part of the speed of approach that differences may change: more is grazing
TOGETHER = 1e-6       # instants of contacts that close at once, against the larger: more apart, a sign decides their order
BENT = 1e-2           # second difference of an event against its first: more is a kink
FELT = 1e-9           # of the sizes of a state: a second difference below it is round-off


@kernel
def lay_terms(by, s, size, works, long, terms):
    """Write terms (system, offset, weight) of a derivative along s; return how many.

    `by`: 1 where the start alone changes, weights of the three systems, the change of the parameter that they have. Systems are
    numbered from 0. `long`: offsets for gaps and jumps.
    """
    largest = 0.0
    for i in range(works):
        largest = max(largest, abs(s[i]) / size[i])
    step = (LONG_STEP if long else STEP) / largest if largest > 0.0 else 1.0
    if by[0] == 0.0 and not long and by[1] == 0.0 and by[4] * largest <= ROOMY * STEP:  # both together
        terms[0, 0], terms[0, 1], terms[0, 2] = 1.0, by[4], by[2] / by[4]
        terms[1, 0], terms[1, 1], terms[1, 2] = 2.0, -by[4], by[3] / by[4]
        return 2
    n = 0
    if largest > 0.0:
        for side in range(4 if long else 2):
            sign, far = 1.0 if side % 2 == 0 else -1.0, 1.0 if side < 2 else 2.0
            weight = 0.5 if not long else (2.0 / 3.0 if side < 2 else -1.0 / 12.0)
            terms[n, 0], terms[n, 1], terms[n, 2] = 0.0, sign * far * step, sign * weight / step
            n += 1
    if by[0] == 0.0:
        for j in range(3):
            if by[1 + j] != 0.0:
                terms[n, 0], terms[n, 1], terms[n, 2] = float(j), 0.0, by[1 + j] / by[4]
                n += 1
    return n


@kernel
def chosen(system, one, two, which):
    """The system of a term."""
    return one if which == 1.0 else (two if which == 2.0 else system)


@kernel
def shift(y, offset, s, y_out):
    """y + offset s."""
    for i in range(y.size):
        y_out[i] = y[i] + offset * s[i]


@kernel
def set_speeds(system, work, phase, offset, speed):
    """Speeds of first touch of compliant contacts, as they are beside the motion."""
    width = phase.size // max(system.contact.size, 1)
    for c in range(system.contact.size if system.compliant.size > 0 else 0):
        if work.touch[c].mode > SLIP:
            work.touch[c].speed = phase[c * width + 1] + offset * speed[c]


@kernel
def vary_slope(system, work, one, two, beside, terms, n, t, dt, y, s, phase, speed, out):
    """Derivative of the slope at (t, y) along (dt, s)."""
    for i in range(out.size):
        out[i] = 0.0
    for j in range(n):
        shift(y, terms[j, 1], s, beside.stage)
        set_speeds(system, work, phase, terms[j, 1], speed)
        derivative(chosen(system, one, two, terms[j, 0]), work, t + terms[j, 1] * dt, beside.stage, beside.y_new)
        for i in range(out.size):
            out[i] += terms[j, 2] * beside.y_new[i]


@kernel
def vary_projection(system, work, one, two, beside, terms, n, t, dt, y, s):
    """Add to the change s of (t, y), with dt of its time, what the return to loops and closed contacts changes of it."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    for i in range(s.size):
        beside.y_new[i] = 0.0
    for j in range(n):
        shift(y, terms[j, 1], s, beside.stage)
        copy(beside.stage, beside.sample)
        project(chosen(system, one, two, terms[j, 0]), work, t + terms[j, 1] * dt, beside.stage[:n_q],
                beside.stage[n_q:n_q + n_u])
        for i in range(n_q + n_u):
            beside.y_new[i] += terms[j, 2] * (beside.stage[i] - beside.sample[i])
    for i in range(s.size):
        s[i] += beside.y_new[i]


@kernel
def over_stretch(system, work, one, two, buffers, beside, link, phase, by, size, share, stage, slope, t_sample, sample_slope,
                 instant, s, speed, terms, sample_out):
    """Carry the tangent s of a begin that moves by `instant` to the end of a stretch; its samples are at fixed times."""
    works = system.world[0].works
    k, dense, here = buffers.k, buffers.dense, buffers.stage
    t, span, done, inner = link.begin, link.end - link.begin, 0.0, link.inner_from
    for step in range(link.step_from, link.step_to):
        h, now = (share[step] - done) * span, t + done * span
        wants = inner < link.inner_to and (t_sample[inner] < t + share[step] * span or step + 1 == link.step_to)
        n = lay_terms(by, s, size, works, False, terms)
        for m in range(16 if wants else STAGES):
            if m == 0:
                copy(s, here)
            else:
                combine(s, h, k, m, here)
            if m == STAGES:
                copy(here, buffers.y_new)
            at = now + C[m] * h
            dt = instant * (link.end - at) / span
            vary_slope(system, work, one, two, beside, terms, n, at, dt, stage[step, m], here, phase, speed, k[m])
            for i in range(s.size):
                k[m, i] -= instant / span * slope[step, m, i]
        if not wants:
            combine(s, h, k, STAGES, buffers.y_new)
        else:
            polynomials(s, h, k, buffers.y_new, dense)
            while inner < link.inner_to and (t_sample[inner] < t + share[step] * span or step + 1 == link.step_to):
                row = sample_out[inner]
                dense_value(s, dense, (t_sample[inner] - now) / h, row)
                dt = instant * (link.end - t_sample[inner]) / span
                for i in range(s.size):
                    row[i] -= dt * sample_slope[inner, i]
                inner += 1
        copy(buffers.y_new, s)
        done = share[step]
        if system.row.size > 0 or work.closed[work.closed.size - 1] > 0:
            n = lay_terms(by, s, size, works, False, terms)
            vary_projection(system, work, one, two, beside, terms, n, t + done * span, instant * (1.0 - done),
                            stage[step, STAGES], s)


@kernel
def gap_at(system, work, c, t, y):
    """Gap of a contact."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    drive(system, work, t, y[:n_q], y[n_q:n_q + n_u])
    place(system, work, y[:n_q], y[n_q:n_q + n_u])
    look(system, work, c, y[:n_q], y[n_q:n_q + n_u])
    return work.touch[c].g


@kernel
def vary_guard(system, work, one, two, buffers, beside, link, c, column, by, size, y, s, phase, speed, terms, guard):
    """Derivative of a guard along s, at a fixed time."""
    long = column == GAP
    n, out = lay_terms(by, s, size, system.world[0].works, long, terms), 0.0
    for j in range(n):
        which = chosen(system, one, two, terms[j, 0])
        shift(y, terms[j, 1], s, beside.stage)
        if long:
            out += terms[j, 2] * gap_at(which, work, c, link.end, beside.stage)
        else:
            set_speeds(system, work, phase, terms[j, 1], speed)
            read_guards(which, work, link.end, beside.stage, beside.y_new, guard[0])
            out += terms[j, 2] * guard[0, c, column]
    return out


@kernel
def through_event(system, work, one, two, control, buffers, beside, events, solver, log, link, before, after, touching, by,
                  size, y, slope, jump, given, s, speed, terms, guard, phase_out):
    """Carry the tangent s at a fixed time through an event; return (derivative of its instant, verdict).

    What comes out is the tangent at the moved instant.
    """
    instant = given
    if link.given == 0:
        change = vary_guard(system, work, one, two, buffers, beside, link, link.cause, link.column, by, size, y, s, before,
                            speed, terms, guard)
        instant = -change / link.rate
        for j in range(link.touch_from if link.column == GAP else link.touch_to, link.touch_to):
            c = touching[j]
            gap_at(system, work, c, link.end, y)
            rate = work.touch[c].rate
            if c != link.cause and rate < 0.0:
                change = vary_guard(system, work, one, two, buffers, beside, link, c, GAP, by, size, y, s, before, speed, terms,
                                    guard)
                apart = abs(-change / rate - instant)
                if not apart <= TOGETHER * (abs(instant) + abs(change / rate)):
                    return instant, SEVERAL
    if not math.isfinite(instant):
        return 0.0, GRAZES
    for i in range(s.size):
        s[i] += instant * slope[i]
    verdict = vary_event(system, work, one, two, control, buffers, beside, events, solver, log, link, before, after, touching,
                         by, size, y, jump, instant, s, speed, terms, phase_out, True)
    if verdict != SMOOTH:  # what is beside it farther off may be something else
        verdict = vary_event(system, work, one, two, control, buffers, beside, events, solver, log, link, before, after,
                             touching, by, size, y, jump, instant, s, speed, terms, phase_out, False)
    copy(buffers.y_new, s)
    for c in range(speed.size):
        speed[c] = buffers.stage[c] if c < buffers.stage.size else 0.0
    return instant, verdict


@kernel
def vary_event(system, work, one, two, control, buffers, beside, events, solver, log, link, before, after, touching, by, size,
               y, jump, instant, s, speed, terms, phase_out, long):
    """Derivative of what an event makes of y along s, into `buffers.y_new`; return the verdict on it."""
    works = system.world[0].works
    n = lay_terms(by, s, size, works, long, terms)
    first = second = 0.0
    out, firsts = buffers.y_new, buffers.sample
    copy(s, out)
    for c in range(buffers.stage.size):
        buffers.stage[c] = 0.0
    width = before.size // max(system.contact.size, 1)
    for j in range(n):
        which, offset = chosen(system, one, two, terms[j, 0]), terms[j, 1]
        shift(y, offset, s, beside.stage)
        copy(beside.stage, beside.sample)
        if link.given == 0 and link.column == GAP:
            take_modes(system, work, before, 0.0)
            gap_at(which, work, link.cause, link.end + offset * instant, beside.stage)
            if not abs(work.touch[link.cause].rate - link.rate) <= GRAZING * abs(link.rate):
                return GRAZES
        status = repeat_event(which, work, control, events, solver, log, before, after, touching[link.touch_from:link.touch_to],
                              link.number, link.rounds, link.solo, link.middle, link.fastest, link.end + offset * instant,
                              beside.stage, phase_out)
        if status != FINISHED:
            return UNLIKE
        for i in range(s.size):
            beside.stage[i] -= beside.sample[i]
            out[i] += terms[j, 2] * beside.stage[i]
        for c in range(min(speed.size, buffers.stage.size)):
            if after[c * width] > SLIP:
                buffers.stage[c] += terms[j, 2] * phase_out[c * width + 1]
        if j == 0:
            copy(beside.stage, firsts)
        elif j == 1:
            for i in range(works):
                a, b = firsts[i] - jump[i], beside.stage[i] - jump[i]
                first = max(first, abs(a - b + (terms[0, 1] - terms[1, 1]) * s[i]) / size[i])
                second = max(second, abs(a + b) / size[i])
    bent = n >= 2 and terms[0, 1] != 0.0 and terms[0, 1] == -terms[1, 1] and second > BENT * first and second > FELT
    return KINK if bent else SMOOTH


@kernel
def carry(system, work, one, two, control, buffers, beside, events, solver, log, links, phases, touching, by, size, settings,
          begin, stop, share, stage, slope, t_sample, y_sample, sample_slope, minus, minus_slope, jump, given, s, state, speed,
          terms, guard, phase_out, sample_out, before_out, instant_out):
    """Carry the tangent s over the links from `begin` to `stop`; return the first link without a derivative, or `stop`.

    `state[0]` is the derivative of the instant at which the first link begins, and is left that of the last one.
    """
    for j in range(begin, stop):
        link = links[j]
        phase = phases[link.phase]
        choose_pieces(system, link.middle, work.piece)
        take_modes(system, work, phase, settings[3])
        for i in range(s.size):
            sample_out[link.first, i] = s[i] - state[0] * sample_slope[link.first, i]
        if link.end > link.begin:
            over_stretch(system, work, one, two, buffers, beside, link, phase, by, size, share, stage, slope, t_sample,
                         sample_slope, state[0], s, speed, terms, sample_out)
        else:
            copy(sample_out[link.first], s)
        if link.left > link.first:
            copy(s, sample_out[link.left])
        if link.event == 0:
            return stop
        copy(s, before_out[j])
        if link.verdict != SMOOTH:
            return j
        instant, verdict = through_event(system, work, one, two, control, buffers, beside, events, solver, log, link, phase,
                                         phases[link.after], touching, by, size, minus[j], minus_slope[j], jump[j], given[j], s,
                                         speed, terms, guard, phase_out)
        state[0] = instant_out[j] = instant
        state[1] = float(verdict)
        if verdict != SMOOTH:
            return j
    return stop
