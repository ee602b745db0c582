"""Islands: sets of bodies that contact points connect. Islands do not feel each other within a step, and are solved one by one.

The unit is a component of the tree: everything that hangs on the ground by one joint, or one free body. The ground connects
nothing. Loop rows connect the components of their bodies for good.
"""

from routh.core.jit import kernel


@kernel
def root(parent, c):
    """Representative of the set that component c is in; paths are halved on the way."""
    while parent[c] != c:
        parent[c] = parent[parent[c]]
        c = parent[c]
    return c


@kernel
def join(parent, a, b):
    """Unite the sets of two components; -1 is the ground."""
    if a >= 0 and b >= 0:
        a, b = root(parent, a), root(parent, b)
        if a != b:
            parent[max(a, b)] = min(a, b)


@kernel
def find_islands(system, step):
    """Give every contact point its island, and list the points island by island in `order`."""
    control, parent, component, start = step.control[0], step.parent, step.component, step.island
    for c in range(parent.size):
        parent[c] = c
    for i in range(system.row.size):
        join(parent, component[system.row[i].a], component[system.row[i].b])
    if system.row.size > 0:  # their rows touch all speeds
        for c in range(1, parent.size):
            join(parent, 0, c)
    for k in range(control.n_point):
        o = step.point[k]
        join(parent, component[o.a], component[o.b])

    # number the islands in the order of their first point; `touched` holds the numbers meanwhile
    number = step.touched
    for c in range(parent.size):
        number[c] = -1
    n = 0
    for k in range(control.n_point):
        o = step.point[k]
        c = root(parent, max(component[o.a], component[o.b]))
        if number[c] < 0:
            number[c] = n
            start[n + 1] = 0
            n += 1
        o.island = number[c]
        start[o.island + 1] += 1
    control.n_island = n
    start[0] = 0
    for i in range(n):
        start[i + 1] += start[i]
    for k in range(control.n_point - 1, -1, -1):
        island = step.point[k].island
        start[island + 1] -= 1
        step.order[start[island + 1]] = k
    for i in range(n):
        start[i] = start[i + 1]
    start[n] = control.n_point
