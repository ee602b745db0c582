"""Work on domains, shared out among threads.

The main thread announces a task and takes domains until none is left; helpers, if there are any, do the same. A domain is
taken by adding one to a counter. So nobody waits for a helper that is late, and one thread alone does everything in the same
order.
"""

from routh.core.atomics import fetch_add, give_way, load, store
from routh.core.jit import kernel
from routh.core.stepping.point_rows import free_velocity, whiten_point
from routh.core.stepping.sweeps import move_on, sweep_back, sweep_on, visit_all
from routh.core.tables.stepping import DONE, N_DOMAIN, N_JOINT, NEXT, ROUND, STOP, TASK

# tasks: on domains, then on the joints between them
ROWS, FREE, FORWARD, BACKWARD, JOINTS_MOVE, JOINTS_FORWARD, JOINTS_BACKWARD = range(7)

SPINS = 2000          # looks before a waiting thread gives way


@kernel
def work_on_joint(step, task, d):
    """Sweep over the points between the domains 2 d and 2 d + 1."""
    step.partial[d] = 0.0
    if d >= N_JOINT:
        return
    first, last = step.cut[N_DOMAIN + d], step.cut[N_DOMAIN + d + 1]
    if task == JOINTS_MOVE:
        move_on(step, first, last, step.partial[N_DOMAIN])
    elif task == JOINTS_FORWARD:
        step.partial[d] = visit_all(step, first, last)
    else:
        step.partial[d] = sweep_back(step, first, last)


@kernel
def do_task(system, work, step, task, d):
    """Work on one domain, or on one joint. There are fewer joints than domains: the tasks of the others are empty."""
    if task >= JOINTS_MOVE:
        work_on_joint(step, task, d)
        return
    first, last = step.cut[d], step.cut[d + 1]
    if task == FORWARD:
        step.partial[d] = sweep_on(step, first, last, step.partial[N_DOMAIN])
    elif task == BACKWARD:
        step.partial[d] = sweep_back(step, first, last)
    elif task == FREE:
        for k in range(first, last):
            free_velocity(system, work, step, d, step.point[step.order[k]])
    else:
        for k in range(first, last):
            whiten_point(system, work, step, d, step.point[step.order[k]])


@kernel
def take_domains(system, work, step):
    """Work on domains of the present task until none is left."""
    while True:
        d = fetch_add(step.sync, NEXT, 1)
        if d >= N_DOMAIN:
            return
        do_task(system, work, step, load(step.sync, TASK), d)
        fetch_add(step.sync, DONE, 1)


@kernel
def share_out(system, work, step, task):
    """Have a task done on all domains; return when they are."""
    sync = step.sync
    store(sync, DONE, 0)
    store(sync, TASK, task)
    store(sync, NEXT, 0)
    fetch_add(sync, ROUND, 1)
    take_domains(system, work, step)
    spins = 0
    while load(sync, DONE) < N_DOMAIN:
        spins += 1
        if spins > SPINS:
            give_way()


@kernel
def help_steps(system, work, step):
    """What a helper thread does: take domains of every task that is announced, until it is told to stop."""
    sync = step.sync
    seen, spins = load(sync, ROUND), 0
    while load(sync, STOP) == 0:
        now = load(sync, ROUND)
        if now != seen:
            seen, spins = now, 0
            take_domains(system, work, step)
        else:
            spins += 1
            if spins > SPINS:
                give_way()
