"""The entry point of many runs of one model that differ in numbers: each is begun, run, observed, and its log copied.

What a run does is what `EventRun` does with it in Python: the same scratch at its start, the same growth of its log, a look
after the same steps. Where a run needs more than that (a fallback, a longer log than there is room for), its code says so.
"""

import math

from routh.core.calls import call_integer, call_nothing
from routh.core.integrate.samples import copy
from routh.core.jit import kernel
from routh.core.tables.batch import (
    CODE,
    FIRST_ROOM,
    KINETIC,
    LEAST_GAP,
    LOOK_STEPS,
    MOST_STEPS,
    N_HAPPENED,
    N_HIT,
    N_LOOK,
    N_SAMPLE,
    N_STEP,
    OBSERVE,
    POTENTIAL,
    RUN,
    RUN_EVENTS,
    STALLED,
    TOO_LONG,
    TURNOVER,
    WORKS,
)
from routh.core.tables.bundle import ENTRY
from routh.core.tables.layout import FINISHED, LOG_FULL, PAUSED
from routh.core.tables.log import N_EVENT, N_IMPACT, N_PHASE

N_LOG = 7             # tables of a log: counts, four of impacts, events, phases
EVENT_TABLE, PHASE_TABLE = 5, 6


@kernel
def counted_by(table):
    """Which count tells the rows in use of a table of the log."""
    return N_EVENT if table == EVENT_TABLE else (N_PHASE if table == PHASE_TABLE else N_IMPACT)


@kernel
def clear_log(log, batch):
    """An empty log of the first size."""
    for table in range(1, N_LOG):
        first = batch.log_first[table]
        used = min(log.count[counted_by(table)] + 1, batch.log_most[table])
        for j in range(first, first + used * batch.log_width[table]):
            batch.log[j] = 0.0
        batch.log_index[ENTRY * table + 1] = batch.log_room[table]
    for j in range(log.count.size):
        log.count[j] = 0


@kernel
def make_room(log, batch, n_out, room, most):
    """Room for samples after the log or the samples were full, as `EventRun` gives it; 0 where there is none left."""
    crowded, grew = 2 * n_out > room, False
    for everything in range(2):
        if everything == 1 and (grew or crowded):
            break
        for table in range(1, N_LOG):
            length = batch.log_index[ENTRY * table + 1]
            if everything == 1 or 2 * log.count[counted_by(table)] > length:
                grew = True
                if 2 * length > batch.log_most[table]:
                    return 0
                batch.log_index[ENTRY * table + 1] = 2 * length
        crowded = crowded or everything == 1
    if crowded:
        room *= 2
    return room if room <= most else 0


@kernel
def begin_run(log, batch, control, first_control, buffers, i):
    """Scratch as new, the numbers of run i in the tables, its start in the state."""
    copy(batch.work_blank, batch.work)
    copy(batch.buffers_blank, batch.buffers)
    copy(batch.events_blank, batch.events)
    copy(batch.solver_blank, batch.solver)
    clear_log(log, batch)
    for k in range(batch.place.size):
        batch.patch[batch.place[k]] = batch.value[i, k]
    start = batch.start[i if batch.start.shape[0] > 1 else 0]
    copy(start, buffers.y)
    control[0] = first_control[0]


@kernel
def go(system, work, control_table, buffers, events, solver, log, batch, s):
    """Run from its begin to its end with samples from row s on; return its code and the number of looks."""
    control = control_table[0]
    room, most, looks, looked_at = batch.number[FIRST_ROOM], batch.t.size - s, 0, control.t
    next_look = batch.number[LOOK_STEPS]
    while True:
        control.budget = min(next_look, batch.number[MOST_STEPS])
        code = call_integer(batch.entry[RUN_EVENTS], system, work, control_table, buffers, events, solver, log, batch.stops,
                            batch.wanted, batch.t[s:s + room], batch.y[s:s + room], batch.segment[s:s + room],
                            batch.phase[s:s + room])
        if code == LOG_FULL:
            room = make_room(log, batch, control.n_out, room, most)
            if room == 0:
                return TOO_LONG, looks
            continue
        if code != PAUSED:
            return code, looks
        taken = control.accepted + control.rejected
        if taken >= batch.number[MOST_STEPS] or looks >= batch.looked.shape[0]:
            return TOO_LONG, looks
        if taken >= next_look:
            next_look = taken + batch.number[LOOK_STEPS]
            batch.looked[looks, 0], batch.looked[looks, 1] = control.t, control.segment
            copy(buffers.y, batch.looked[looks, 2:])
            looks += 1
            passed, looked_at = control.t - looked_at, control.t
            if work.closed[work.closed.size - 1] > 0 and passed < batch.stall[0] * batch.number[LOOK_STEPS] * control.h:
                return STALLED, looks


@kernel
def look_at(system, eye, batch, i, l, looks, s, body, joint, row, drive, reading, energy, contact, grip):
    """Observe the states at the looks of run i in the rows from s on, and write what the auditor asks of them."""
    copy(batch.eye_blank, batch.eye)
    for j in range(looks):
        batch.t[s + j], batch.segment[s + j], batch.phase[s + j] = batch.looked[j, 0], int(batch.looked[j, 1]), 0
        batch.segment[s + j] = min(batch.segment[s + j], batch.stops.size - 2)
        copy(batch.looked[j, 2:], batch.y[s + j])
    call_nothing(batch.entry[OBSERVE], system, eye, batch.t[s:s + looks], batch.y[s:s + looks], batch.segment[s:s + looks],
                 batch.stops, batch.phase[s:s + looks], batch.no_phase, body[s:s + looks], joint[s:s + looks],
                 row[s:s + looks], drive[s:s + looks], reading[s:s + looks], energy[s:s + looks], contact[s:s + looks],
                 grip[s:s + looks])
    for j in range(looks):
        seen = batch.look[l + j]
        seen[RUN], seen[KINETIC], seen[POTENTIAL] = i, energy[s + j, 0], energy[s + j, 1] + energy[s + j, 2]
        seen[WORKS] = seen[TURNOVER] = 0.0
        for k in range(system.world[0].works, batch.y.shape[1]):
            seen[WORKS] += batch.y[s + j, k]
            seen[TURNOVER] += abs(batch.y[s + j, k])
        seen[LEAST_GAP] = math.inf
        for c in range(system.contact.size):
            if batch.solid[c] == 1 and eye.touch[c].off == 0:
                seen[LEAST_GAP] = min(seen[LEAST_GAP], contact[s + j, c, 1] / system.contact[c].size)


@kernel
def run_batch(system, work, eye, control, first_control, buffers, events, solver, log, batch, first, body, joint, row, drive,
              reading, energy, contact, grip):
    """Run the motions from number `first` on, until all are done or a table is full; return the number of the next one."""
    s, m, l = 0, 0, 0  # rows in use of samples, impacts and looks
    n_run = batch.about.shape[0]
    for i in range(first, n_run):
        if i > first and (s + batch.number[FIRST_ROOM] > batch.t.size or m + batch.log_room[1] > batch.impact.shape[0]
                          or l + batch.looked.shape[0] > batch.look.shape[0]):
            return i
        begin_run(log, batch, control, first_control, buffers, i)
        code, looks = go(system, work, control, buffers, events, solver, log, batch, s)
        n, hits = control[0].n_out, log.count[N_IMPACT]
        if code == FINISHED and (s + n + looks > batch.t.size or m + hits > batch.impact.shape[0]):
            code = TOO_LONG
        if code == TOO_LONG and i > first:
            return i  # again, with all the room
        about = batch.about[i]
        about[CODE], about[N_HAPPENED], about[N_STEP] = code, log.count[N_EVENT], control[0].accepted + control[0].rejected
        about[N_SAMPLE] = about[N_HIT] = about[N_LOOK] = 0
        if code != FINISHED:
            continue
        copy(batch.eye_blank, batch.eye)
        call_nothing(batch.entry[OBSERVE], system, eye, batch.t[s:s + n], batch.y[s:s + n], batch.segment[s:s + n],
                     batch.stops, batch.phase[s:s + n], log.phase, body[s:s + n], joint[s:s + n], row[s:s + n],
                     drive[s:s + n], reading[s:s + n], energy[s:s + n], contact[s:s + n], grip[s:s + n])
        width = batch.log_width[1]
        for j in range(hits):
            for k in range(width):
                batch.impact[m + j, k] = batch.log[batch.log_first[1] + j * width + k]
        about[N_SAMPLE], about[N_HIT], about[N_LOOK] = n, hits, looks
        s += n
        m += hits
        if looks > 0:
            look_at(system, eye, batch, i, l, looks, s, body, joint, row, drive, reading, energy, contact, grip)
            l += looks
    return n_run
