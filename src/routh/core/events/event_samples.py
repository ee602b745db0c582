"""Samples of motion with contacts: each with the phase it belongs to, both sides of an event."""

from routh.core.calls import derivative, project
from routh.core.contact.contacts import write_phase
from routh.core.events.clock import time_tolerance
from routh.core.events.landing import NO_KINK, SAME_TIME, lands
from routh.core.events.margins import least_margin
from routh.core.integrate.explicit import STAGES
from routh.core.integrate.samples import copy, dense_value
from routh.core.jit import kernel
from routh.core.tables.layout import SLIP
from routh.core.tables.log import N_EVENT, N_IMPACT, N_PHASE
from routh.core.tables.runs import UNLOADED

ROOM = 16             # rows that a log must have left before a step
NEARBY = 2e-6         # of the time: an event that lies beyond a jump is met to this,
CLOSE = 1e-3          # and its left side is found to this part of the way back


@kernel
def full(system, control, log, t_out):
    """Whether one of the logs may not hold what a step brings."""
    return (log.count[N_IMPACT] + ROOM > log.impact.size or log.count[N_EVENT] + ROOM + 8 * system.contact.size > log.event.size
            or log.count[N_PHASE] + ROOM > log.phase.shape[0] or control.n_out + ROOM >= t_out.size)


@kernel
def remember(system, work, log):
    """Write the present modes as a phase, if they differ from the last one."""
    n = log.count[N_PHASE]
    write_phase(system, work, log.phase[n])
    same = n > 0
    if same:
        for i in range(log.phase.shape[1]):
            same = same and log.phase[n, i] == log.phase[n - 1, i]
    if not same:
        log.count[N_PHASE] = n + 1
    return log.count[N_PHASE] - 1


@kernel
def sample_now(system, work, control, log, y, t, t_out, y_out, segment_out, phase_out):
    """Write one sample with the phase it belongs to."""
    n = control.n_out
    t_out[n], segment_out[n], phase_out[n] = t, control.segment, remember(system, work, log)
    copy(y, y_out[n])
    control.n_out += 1


@kernel
def sample_step(system, work, control, log, t, y, h, t_new, dense, sample, wanted, t_out, y_out, segment_out, phase_out):
    """Samples at the wanted times before t_new, from the dense output over the length h."""
    n_q, n_u = system.world[0].n_q, system.world[0].n_u
    while control.next_out < wanted.size and wanted[control.next_out] < t_new and (
            control.n_out + ROOM < t_out.size and log.count[N_PHASE] + ROOM < log.phase.shape[0]):
        moment = wanted[control.next_out]
        control.next_out += 1
        dense_value(y, dense, (moment - t) / h, sample)
        project(system, work, moment, sample[:n_q], sample[n_q:n_q + n_u])
        sample_now(system, work, control, log, sample, moment, t_out, y_out, segment_out, phase_out)


@kernel
def still_holds(system, work, control, events, t, y, h, k, stage, sample):
    """Whether the step of length h, to `sample`, leaves every closed contact in its mode."""
    landed, _e, kink = lands(system, work, control, events, t, y, h, k, stage, sample)
    return landed and kink == NO_KINK and least_margin(system, work, events)[0] >= 0.0


@kernel
def sample_before(system, work, control, events, log, t, y, h, k, stage, y_new, sample, t_out, y_out, segment_out, phase_out):
    """The sample at the left of an event. What is beyond it there, as where an arc ends and a force jumps, is taken before."""
    derivative(system, work, t + h, y_new, k[STAGES])
    least, c = least_margin(system, work, events)
    if least >= -UNLOADED or work.touch[c].mode > SLIP:
        sample_now(system, work, control, log, y_new, t + h, t_out, y_out, segment_out, phase_out)
        return
    same = time_tolerance(events, t, h, SAME_TIME)
    beyond, back, found = 0.0, min(same, h), False
    while not found and beyond < h and back <= time_tolerance(events, t, h, NEARBY):
        found = still_holds(system, work, control, events, t, y, h - back, k, stage, sample)
        if not found:
            beyond, back = back, min(100.0 * back, h)
    if found:
        while back - beyond > max(same, CLOSE * back):
            middle = 0.5 * (beyond + back)
            if still_holds(system, work, control, events, t, y, h - middle, k, stage, sample):
                back = middle
            else:
                beyond = middle
        lands(system, work, control, events, t, y, h - back, k, stage, sample)
    else:  # forces that are round-off may be beyond their limits all along
        copy(y_new, sample)
    when = t + h - back if found and system.driver.size > 0 else t + h  # a driver is where the sample's time says
    sample_now(system, work, control, log, sample, when, t_out, y_out, segment_out, phase_out)
    if h > 0.0:
        lands(system, work, control, events, t, y, h, k, stage, y_new)
