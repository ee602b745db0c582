"""Pairs of shapes that are near: a grid of several levels, and half spaces against all.

Every shape is held by a ball: its own reach and the way it may move within the step. A shape is entered once, in the cell of
its centre, on the level whose cells are at least as wide as its ball. Two balls of one level that meet are in neighbouring
cells; a ball meets a larger one only in the cells of that level around its own centre. So each shape looks into the cells
around it on its own level and on those above: the cost is linear in the number of shapes ([ericson2004], ch. 7).
"""

import math

from routh.core.jit import kernel
from routh.core.stepping.hash_table import find
from routh.core.stepping.points import place_shape, speed_bound, spin
from routh.core.tables.stepping import MIX, OTHER, PAIRS_FULL, PLANE, UNKNOWN_PAIR

LOOKOUT = 0.02        # margin of a shape beside its way, against its reach: contact impulses may push it within the step
SKIN = 0.1            # room of a shape in the list of pairs beside its margin, against its reach: less work, same result
REACH = 2.0           # margin of a shape over its way within the step: contact impulses may make it faster
BITS = 19             # of a cell's index along one axis in its key: half a million cells each way


@kernel
def place_shapes(system, work, step):
    """Centres of all shapes at the placed frames."""
    for i in range(step.shape.size):
        place_shape(system, work, step.shape[i])
        step.shape[i].margin = step.shape[i].own = step.shape[i].bend = 0.0


@kernel
def widen(system, work, step, h):
    """Let the margin of every shape hold its way within the step at the velocities of the frames."""
    for i in range(step.shape.size):
        s = step.shape[i]
        if s.kind != PLANE:
            s.own = max(s.own, REACH * h * speed_bound(system, work, s))
            s.margin = max(s.margin, s.own + LOOKOUT * s.reach)
            s.bend = max(s.bend, 0.25 * (h * spin(system, work, s.node)) ** 2 * s.arm)


@kernel
def spread(step):
    """Widen the margin of every shape to that of the shapes that may push it; return whether one grew."""
    grew = False
    for k in range(step.control[0].n_pair):
        s, t = step.shape[step.pair[k].i], step.shape[step.pair[k].j]
        if s.kind != PLANE and t.own > s.margin:
            s.margin, grew = t.own, True
        if t.kind != PLANE and s.own > t.margin:
            t.margin, grew = s.own, True
    return grew


@kernel
def list_holds(step):
    """Whether no shape can have left the room that the list of pairs gave it."""
    if step.control[0].stale == 1:
        return False
    for i in range(step.shape.size):
        s = step.shape[i]
        x, y, z = s.x[0] - s.listed[0], s.x[1] - s.listed[1], s.x[2] - s.listed[2]
        left = s.room - s.margin
        if s.kind == PLANE:
            turn = abs(s.n[0] - s.listed_n[0]) + abs(s.n[1] - s.listed_n[1]) + abs(s.n[2] - s.listed_n[2])
            if x != 0.0 or y != 0.0 or z != 0.0 or turn != 0.0:
                return False
        elif left < 0.0 or x * x + y * y + z * z > left * left:
            return False
    return True


@kernel
def give_room(step):
    """Note where every shape is, and how far it may go before the list of pairs is made anew."""
    for i in range(step.shape.size):
        s = step.shape[i]
        s.room = s.margin + (SKIN * s.reach if s.kind != PLANE else 0.0)
        for k in range(3):
            s.listed[k], s.listed_n[k] = s.x[k], s.n[k]
    step.control[0].stale = 0


@kernel
def outrun(system, work, step, h):
    """Whether a shape moves farther within the step than its margin, at the velocities of the frames."""
    for i in range(step.shape.size):
        s = step.shape[i]
        if s.kind != PLANE and h * speed_bound(system, work, s) > s.margin:
            return True
    return False


@kernel
def longest_step(step, h):
    """The longest step up to h in which no near pair passes through the thickness of its shapes."""
    longest = h
    for k in range(step.control[0].n_pair):
        s, t = step.shape[step.pair[k].i], step.shape[step.pair[k].j]
        way, depth = (s.own + t.own) / REACH, s.thickness + t.thickness
        if way > depth:
            longest = min(longest, h * depth / way)
    return longest


@kernel
def cell_of(x, size):
    """Index of the cell along one axis, within the range of a key."""
    most = (1 << (BITS - 1)) - 1
    at = math.floor(x / size)
    return int(min(max(at, -most), most))


@kernel
def key_of(level, x, y, z):
    """Key of a cell."""
    half = 1 << (BITS - 1)
    return (((level << BITS | (x + half)) << BITS) | (y + half)) << BITS | (z + half)


@kernel
def fill_grid(step, base):
    """Enter every bounded shape into the grid; `base` is the width of the cells of level 0."""
    shape, bucket = step.shape, step.bucket
    mask = bucket.size - 1
    for i in range(bucket.size):
        bucket[i] = -1
    for i in range(step.level.size):
        step.level[i] = 0
    for i in range(shape.size - 1, -1, -1):
        s = shape[i]
        if s.kind == PLANE:
            continue
        ratio = 2.0 * (s.reach + s.room) / base
        s.level = min(max(math.ceil(math.log2(ratio)), 0), step.level.size - 1) if ratio > 1.0 else 0
        size = base * 2.0 ** s.level
        s.cell = key_of(s.level, cell_of(s.x[0], size), cell_of(s.x[1], size), cell_of(s.x[2], size))
        at = ((s.cell * MIX) >> 33) & mask
        s.next, bucket[at] = bucket[at], i
        step.level[s.level] = 1


@kernel
def joined(step, a, b):
    """Whether a joint connects two nodes."""
    low, high = min(a, b), max(a, b)
    first, last = 0, step.neighbour.shape[0]
    while first < last:
        middle = (first + last) // 2
        x, y = step.neighbour[middle, 0], step.neighbour[middle, 1]
        if x == low and y == high:
            return True
        if x < low or (x == low and y < high):
            first = middle + 1
        else:
            last = middle
    return False


@kernel
def note_pair(step, i, j, rule, sense):
    """Write down one pair; False where there is no room."""
    n = step.control[0].n_pair
    if n == step.pair.size:
        return False
    o = step.pair[n]
    o.i, o.j, o.rule, o.sense = i, j, rule, sense
    step.control[0].n_pair = n + 1
    return True


@kernel
def add_pair(step, i, j):
    """Note the pair of shapes i and j once for every rule that lets them collide; False where there is no room."""
    shape = step.shape
    if i > j:
        i, j = j, i
    s, t = shape[i], shape[j]
    if s.node == t.node:
        return True
    if s.declared == 1 and t.declared == 1:  # a contact that was declared by itself goes before groups
        found = find(step.key, step.owner, i * shape.size + j)
        if found >= 0:
            return note_pair(step, i, j, found >> 1, 1.0 if found & 1 == 0 else -1.0)
    forth, back = s.first & t.second, s.second & t.first
    shared = forth | back
    while shared != 0:
        group = shared & -shared
        shared ^= group
        number = 0
        while group >> number != 1:
            number += 1
        rule = step.group[number]
        if step.rule[rule].apart == 1 and joined(step, s.node, t.node):
            continue
        if not note_pair(step, i, j, rule, 1.0 if forth & group != 0 else -1.0):
            return False
    return True


@kernel
def near(s, t):
    """Whether the balls of two bounded shapes meet."""
    x, y, z = t.x[0] - s.x[0], t.x[1] - s.x[1], t.x[2] - s.x[2]
    reach = s.reach + s.room + t.reach + t.room
    return x * x + y * y + z * z <= reach * reach


@kernel
def search_cell(step, i, key, own):
    """Note the pairs of shape i with those of one cell; `own`: its own cell, where each pair is met twice."""
    s = step.shape[i]
    j = step.bucket[((key * MIX) >> 33) & (step.bucket.size - 1)]
    while j >= 0:
        t = step.shape[j]
        if t.cell == key and (not own or j > i) and near(s, t) and not add_pair(step, i, j):
            return False
        j = t.next
    return True


@kernel
def search_grid(step, base, depth):
    """Note all near pairs of bounded shapes; `depth` is 1 in space, 0 in the plane.

    Of two cells of one level only one looks into the other.
    """
    for i in range(step.shape.size):
        s = step.shape[i]
        if s.kind == PLANE:
            continue
        for level in range(s.level, step.level.size):
            if step.level[level] == 0:
                continue
            size = base * 2.0 ** level
            x, y, z = cell_of(s.x[0], size), cell_of(s.x[1], size), cell_of(s.x[2], size)
            same = level == s.level
            for dx in range(0 if same else -1, 2):
                for dy in range(0 if same and dx == 0 else -1, 2):
                    for dz in range(0 if same and dx == 0 and dy == 0 else -depth, depth + 1):
                        own = same and dx == 0 and dy == 0 and dz == 0
                        if not search_cell(step, i, key_of(level, x + dx, y + dy, z + dz), own):
                            return False
    return True


@kernel
def search_planes(step):
    """Note all bounded shapes that are near a half space."""
    for k in range(step.plane.size):
        i = step.plane[k]
        p = step.shape[i]
        for j in range(step.shape.size):
            s = step.shape[j]
            if s.kind == PLANE:
                continue
            height = p.n[0] * (s.x[0] - p.x[0]) + p.n[1] * (s.x[1] - p.x[1]) + p.n[2] * (s.x[2] - p.x[2])
            if height <= s.reach + s.room + p.room and not add_pair(step, i, j):
                return False
    return True


@kernel
def sort_pairs(step):
    """Bring the pairs into the order of their shapes, so that contact points keep their order from step to step."""
    n, pair, out, start = step.control[0].n_pair, step.pair, step.pair_new, step.start
    for i in range(start.size):
        start[i] = 0
    for k in range(n):
        start[pair[k].i + 1] += 1
    for i in range(1, start.size):
        start[i] += start[i - 1]
    for k in range(n):
        at = start[pair[k].i]
        start[pair[k].i] = at + 1
        while at > 0 and out[at - 1].i == pair[k].i and (
                out[at - 1].j > pair[k].j or (out[at - 1].j == pair[k].j and out[at - 1].rule > pair[k].rule)):
            out[at] = out[at - 1]
            at -= 1
        out[at] = pair[k]
    # where a pair has fewer than it had, the search above must not see older ones: clear behind
    for k in range(n):
        pair[k] = out[k]
    for k in range(n):
        out[k].i = -1


@kernel
def look_up_templates(step):
    """Find the gap templates of every pair that has no closed form; False where a pair of forms is new."""
    control, shape = step.control[0], step.shape
    n_form = 1 << 30
    for k in range(control.n_pair):
        o = step.pair[k]
        s, t = shape[o.i], shape[o.j]
        o.count = 0
        if s.kind != OTHER and t.kind != OTHER:
            continue
        found = find(step.form_key, step.form_at, s.form * n_form + t.form)
        if found < 0:
            control.form_i, control.form_j, control.shape_i, control.shape_j = s.form, t.form, o.i, o.j
            return False
        o.template, o.count = found >> 10, found & 1023
    return True


@kernel
def find_pairs(step, depth):
    """Fill the list of near pairs, unless the last one still holds; return 0, PAIRS_FULL or UNKNOWN_PAIR."""
    control = step.control[0]
    if list_holds(step):
        return 0
    give_room(step)
    control.n_pair, control.stale = 0, 1
    base = math.inf
    for i in range(step.shape.size):
        s = step.shape[i]
        if s.kind != PLANE:
            base = min(base, 2.0 * (s.reach + s.room))
    if base == math.inf:
        control.stale = 0
        return 0
    base = max(base, 1e-300)
    fill_grid(step, base)
    if not search_grid(step, base, depth) or not search_planes(step):
        return PAIRS_FULL
    sort_pairs(step)
    if not look_up_templates(step):
        return UNKNOWN_PAIR
    control.stale = 0
    return 0
