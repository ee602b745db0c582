"""Domains: a large island is cut into slabs, so that several threads can work on it and get the same bits as one.

Every component of the tree belongs to one domain. Points between components of one domain, or with the ground, are inner ones.
Threads take whole domains: inner points of two domains share no body. Points between the domains 2 k and 2 k + 1 form joints,
which threads take when all domains are done: no two joints share a body either. One thread takes the rest after them. The order
of the points is the same however many threads there are.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.stepping import N_BIN, N_DOMAIN, REST

LARGE = 400           # contact points from which on an island is cut: less is done faster than shared out


@kernel
def long_axis(step, first, last):
    """(axis, least coordinate, largest) of the longest side of the box that holds the points of an island."""
    axis, low, high = 0, 0.0, 0.0
    for k in range(3):
        least, most = math.inf, -math.inf
        for i in range(first, last):
            x = step.point[step.order[i]].pb[k]
            least, most = min(least, x), max(most, x)
        if k == 0 or most - least > high - low:
            axis, low, high = k, least, most
    return axis, low, high


@kernel
def cut_island(step, first, last):
    """Give the components of an island their domains: slabs across its longest side, with equal numbers of points."""
    axis, low, high = long_axis(step, first, last)
    total, count = step.tau, step.domain
    for i in range(first, last):
        o = step.point[step.order[i]]
        for side in range(2):
            c = step.component[o.a if side == 0 else o.b]
            if c >= 0:
                total[c], count[c] = 0.0, 0
    for i in range(first, last):
        o = step.point[step.order[i]]
        for side in range(2):
            c = step.component[o.a if side == 0 else o.b]
            if c >= 0:
                total[c] += o.pb[axis]
                count[c] += 1
    bins, width = step.bins, max(high - low, 1e-300)
    for k in range(N_BIN):
        bins[k] = 0
    for i in range(first, last):
        bins[min(int(N_BIN * (step.point[step.order[i]].pb[axis] - low) / width), N_BIN - 1)] += 1
    passed = 0
    for k in range(N_BIN):  # from counts to the domain of each bin
        here = bins[k]
        bins[k] = min(N_DOMAIN * (2 * passed + here) // (2 * (last - first)), N_DOMAIN - 1)
        passed += here
    for i in range(first, last):
        o = step.point[step.order[i]]
        for side in range(2):
            c = step.component[o.a if side == 0 else o.b]
            if c >= 0 and count[c] > 0:
                at = min(max(int(N_BIN * (total[c] / count[c] - low) / width), 0), N_BIN - 1)
                count[c] = -1 - bins[at]  # marked as done
    for i in range(first, last):
        o = step.point[step.order[i]]
        for side in range(2):
            c = step.component[o.a if side == 0 else o.b]
            if c >= 0 and count[c] < 0:
                count[c] = -1 - count[c]
                total[c] = 0.0


@kernel
def domain_of(step, o):
    """Number of the stretch of a point: its domain, or behind all domains its joint, or the rest."""
    a, b = step.component[o.a], step.component[o.b]
    if a < 0:
        return step.domain[b]
    if b < 0 or step.domain[a] == step.domain[b]:
        return step.domain[a]
    low, high = min(step.domain[a], step.domain[b]), max(step.domain[a], step.domain[b])
    return N_DOMAIN + low // 2 if low // 2 == high // 2 else REST


@kernel
def find_domains(system, step):
    """Cut the largest island into domains if it is large, and order its points by them: `cut` says where each begins."""
    control, cut = step.control[0], step.cut
    control.largest = -1
    most = LARGE - 1
    for island in range(control.n_island):
        if step.island[island + 1] - step.island[island] > most:
            most, control.largest = step.island[island + 1] - step.island[island], island
    if control.largest < 0 or system.row.size > 0:  # rows of loops touch all speeds
        control.largest = -1
        return
    first, last = step.island[control.largest], step.island[control.largest + 1]
    cut_island(step, first, last)
    for d in range(REST + 2):
        cut[d] = 0
    for i in range(first, last):
        cut[domain_of(step, step.point[step.order[i]]) + 1] += 1
    cut[0] = first
    for d in range(REST + 1):
        cut[d + 1] += cut[d]
    for i in range(last - 1, first - 1, -1):
        d = domain_of(step, step.point[step.order[i]])
        cut[d + 1] -= 1
        step.reorder[cut[d + 1]] = step.order[i]
    for d in range(REST + 1):
        cut[d] = cut[d + 1]
    cut[REST + 1] = last
    for i in range(first, last):
        step.order[i] = step.reorder[i]
