"""Work on domains, shared out among threads.

The main thread announces a task and takes domains until none is left; helpers, if there are any, do the same. A domain is
taken by adding one to a counter. So nobody waits for a helper that is late, and one thread alone does everything in the same
order.
"""

from routh.core.atomics import fetch_add, give_way, load, store
from routh.core.jit import kernel
from routh.core.stepping.point_rows import free_velocity, whiten_point
from routh.core.stepping.sweeps import sweep_back, sweep_on
from routh.core.tables.stepping import DONE, N_DOMAIN, NEXT, ROUND, STOP, TASK

# tasks
ROWS, FREE, FORWARD, BACKWARD = range(4)

SPINS = 2000          # looks before a waiting thread gives way


@kernel
def do_task(system, work, step, task, d):
    """Work on one domain."""
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
