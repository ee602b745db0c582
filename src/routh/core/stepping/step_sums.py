"""Impulses and works of a step, added up per declared contact; and every contact point of it, where wanted."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import FRICTION, HYSTERESIS, IMPACTS, OPEN, SLIP, SOFT, STICK
from routh.core.tables.stepping import RECORDS_FULL


@kernel
def clear_step(step):
    """Forget what the sums say of the last step."""
    for i in range(step.sum.size):
        s = step.sum[i]
        s.force = s.tangential = s.second = s.rate = s.slip = s.now_n = 0.0
        s.gap, s.mode, s.seen = math.inf, OPEN, 0


@kernel
def room_for_records(step):
    """Whether the contact points of this step can be written down."""
    control = step.control[0]
    return control.record == 0 or control.n_record + control.n_point <= step.record.size


@kernel
def work_of(o):
    """(work of the normal impulse, work of the tangential impulse) of one point, by its mean velocity in the step."""
    normal = 0.5 * o.p[0] * (o.before[0] + o.after[0])
    tangential = 0.0
    for i in range(1, o.n_row):
        tangential += 0.5 * o.p[i] * (o.before[i] + o.after[i])
    return normal, tangential


@kernel
def write_record(step, o, t, h, work):
    """Write one contact point down."""
    control = step.control[0]
    r = step.record[control.n_record]
    control.n_record += 1
    r.t, r.h, r.rule, r.hits, r.work = t, h, o.rule, o.hits, work
    sense = o.sense if o.i >= 0 else 1.0
    swapped = o.i >= 0 and step.shape[o.i].node != o.a  # the gap goes from the second shape to the first
    r.a, r.b = (o.i, o.j) if (sense > 0.0) != swapped else (o.j, o.i)
    for k in range(3):
        r.point[k], r.normal[k] = o.pb[k], sense * o.n[k]
        r.p[k] = sense * (o.p[0] * o.n[k] + o.p[1] * o.t1[k] + o.p[2] * o.t2[k])
    r.p_n, r.p_t = o.p[0], math.sqrt(o.p[1] ** 2 + o.p[2] ** 2)
    r.before, r.after = o.before[0], o.after[0]
    r.slip = math.sqrt(o.after[1] ** 2 + o.after[2] ** 2)


@kernel
def add_up(step, t, h, power):
    """Add the impulses of the step that ends at t to the sums; `power` gets their works.

    What an approach loses is the loss of an impact; what a contact loses that was closed is friction, and its normal work is
    that of the scheme, not of a force.
    """
    control = step.control[0]
    clear_step(step)
    for k in range(control.n_point):
        o = step.point[k]
        s = step.sum[o.rule]
        if o.gap + h * o.after[0] < s.gap:
            s.gap, s.rate = o.gap + h * o.after[0], o.after[0]
            s.slip = math.sqrt(o.after[1] ** 2 + o.after[2] ** 2)
        s.seen = 1
        if o.p[0] <= 0.0:
            continue
        normal, tangential = work_of(o)
        size = math.sqrt(o.p[1] ** 2 + o.p[2] ** 2)
        s.impulse_n += o.p[0]
        s.impulse_t += size
        s.now_n += o.p[0]
        s.force += o.p[0] / h
        s.tangential += (o.p[1] if o.given == 1 else size) / h
        s.second += o.p[2] * o.given / h
        s.mode = max(s.mode, STICK if o.stuck == 1 else SLIP)
        if step.rule[o.rule].law == SOFT and o.i >= 0:
            power[HYSTERESIS] += normal
            power[FRICTION] += tangential
            s.friction += tangential
        elif o.hits == 1:
            power[IMPACTS] += normal + tangential
            s.impacts += normal + tangential
            s.hits += 1
        else:
            normal = 0.0
            power[FRICTION] += tangential
            s.friction += tangential
        if control.record == 1 and o.given == 0:
            write_record(step, o, t, h, normal + tangential)
    for i in range(step.sum.size):
        s = step.sum[i]
        if s.now_n > 0.0:
            s.duration += h
            if s.force > s.peak:
                s.peak, s.t_peak = s.force, t


@kernel
def enough_room(step):
    """0, or RECORDS_FULL."""
    return 0 if room_for_records(step) else RECORDS_FULL
