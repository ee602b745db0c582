"""Tables of the time-stepping engine: shapes, contact rules, near pairs, contact points, sums over steps.

The event-driven engine has a record for every pair that may ever touch. The stepping engine has records of **shapes** and of
**rules** (who collides with whom, by which law). Each step a broad phase finds the pairs that are near, and a narrow phase
their **contact points**. Memory and time therefore follow the number of bodies and of near pairs, not of declared pairs.
"""

from typing import ClassVar

import numpy as np

from routh.core.tables.bundle import Tables
from routh.core.tables.layout import CONTACT

f8, i8, u8 = np.float64, np.int64, np.uint64

# kinds of shapes: closed forms for balls and half spaces, gap kernels for the rest
BALL, PLANE, OTHER = range(3)

# why `run_steps` returns before its end, beside the codes of layout.py
POINTS_FULL, PAIRS_FULL, ROWS_FULL, UNKNOWN_PAIR, RECORDS_FULL, TOO_FAST, UNSOLVED = range(100, 107)

WHOLE = -1            # kind of a template: two polygons or polyhedra, whose points come all at once
MOST_POINTS = 64      # of such a pair

N_DOMAIN = 4          # slabs that a large island is cut into
N_JOINT = N_DOMAIN // 2  # borders between the slabs 2 k and 2 k + 1: no two of them share a body
REST = N_DOMAIN + N_JOINT  # number of the stretch of all other points, behind slabs and these borders
N_BIN = 256           # of the histogram that balances them

# entries of `sync`, each in a cache line of its own: number of the task, which it is, next domain, domains done, 1 to stop
ROUND, TASK, NEXT, DONE, STOP = range(0, 40, 8)

N_GROUP = 62          # groups of shapes at most: one bit each

SHAPE = np.dtype([
    ("node", i8),              # node of its body
    ("kind", i8),              # BALL, PLANE or OTHER
    ("form", i8),              # equal shapes on equally placed nodes have one number; gap templates are kept per pair of forms
    ("first", i8),             # bit g: it is among the first shapes of group g
    ("second", i8),            # bit g: it is among the second shapes of group g
    ("declared", i8),          # 1: it takes part in contacts that were declared one by one
    ("point", f8, (3,)),       # centre of a ball that holds it, from the node's joint point, node axes [m]
    ("normal", f8, (3,)),      # PLANE: outward normal, node axes
    ("reach", f8),             # radius of that ball; infinite for a half space [m]
    ("arm", f8),               # lever with which turning of the node moves its surface towards others [m]
    ("thickness", f8),         # how deep a point may sink into it and still be pushed out where it came in [m]
    # moving
    ("x", f8, (3,)),           # the centre in world axes [m]
    ("n", f8, (3,)),           # PLANE: the normal in world axes
    ("margin", f8),            # how far a point of it may move within the step [m]
    ("own", f8),               # the same by its own velocity alone [m]
    ("listed", f8, (3,)),      # its centre when the list of pairs was made [m]
    ("listed_n", f8, (3,)),    # PLANE: its normal then
    ("room", f8),              # how far a point of it may be from there while the list holds [m]
    ("bend", f8),              # how far turning bends the path of its surface within the step [m]
    ("level", i8),             # level of the grid that it is in
    ("cell", i8),              # key of its cell
    ("next", i8),              # next shape in the same bucket, or -1
], align=True)

RULE = np.dtype([
    ("law", i8),               # impact law, see impact_codes.py; SOFT for a compliant contact
    ("soft", i8),              # SOFT: row of `compliant`
    ("e", f8), ("bounce", i8), ("bounce_from", i8),  # restitution, or its law, see CONTACT
    ("mu", f8), ("mu_s", f8),  # sliding and static friction coefficient
    ("friction", i8),          # address of a law mu(t, slip, 0, parameters); 0 where mu is constant
    ("par_from", i8),          # its first parameter
    ("apart", i8),             # 1, of a group: bodies that a joint connects do not collide
], align=True)

PAIR = np.dtype([
    ("i", i8), ("j", i8),      # shapes, i < j
    ("rule", i8),              # row of `rule`
    ("sense", f8),             # +1 where i belongs to the declared a
    ("template", i8), ("count", i8),  # OTHER: its gap templates
], align=True)

CONE = np.dtype([
    ("point", i8),             # which contact point it is
    ("n_row", i8), ("dof", u8), ("n_dof", u8), ("row", u8),  # see POINT
    ("mu", f8), ("target", f8), ("soft", f8), ("base", f8), ("given", i8),
    ("free", f8, (3,)),
    ("p", f8, (3,)),
    ("start", f8, (3,)), ("way", f8, (3,)),  # impulse before a sweep; direction of search
    ("A", f8, (3, 3)),
    ("K", f8, (9,)),           # what the solution of one contact needs of A, see impact/local_contact.py
], align=True)

POINT = np.dtype([
    ("n_row", i8),             # 1 without friction, else 2 in the plane and 3 in space
    ("dof", u8), ("n_dof", u8),  # its speeds in `dof`; unsigned: indices that cannot be negative cost half as much
    ("row", u8),               # its whitened rows in `row`: n_row times n_dof numbers
    ("mu", f8),                # friction coefficient of this step
    ("base", f8),              # least normal impulse, of Poisson's second phase [N s]
    ("target", f8),            # least normal velocity at the end of the step [m/s]
    ("soft", f8),              # compliance of the normal direction: velocity per impulse [1/kg]
    ("free", f8, (3,)),        # relative velocity at its end without contact impulses [m/s]
    ("A", f8, (3, 3)),         # inverse mass [1/kg]
    ("p", f8, (3,)),           # impulse of the step [N s]
    ("i", i8), ("j", i8),      # shapes; i = -1 - c for the stop, rope or dry joint c
    ("given", i8),             # 1: dry friction of a joint, whose normal force is given and has no row
    ("load", f8),              # that force [N]
    ("part", i8),              # which gap of the pair
    ("rule", i8),              # row of `rule`
    ("sense", f8),             # see PAIR
    ("a", i8), ("b", i8),      # nodes; the normal points from a to b
    ("island", i8),            # see islands.py
    ("stuck", i8),             # 1: it did not slip in the last step
    ("hits", i8),              # 1: its bodies approach each other and meet within the step
    ("size", f8),              # a length of the smaller shape [m]
    ("gap", f8),               # signed distance at the start of the step, linearised [m]
    ("slack", f8),             # gap, positive or negative, that counts as zero [m]
    ("pa", f8, (3,)), ("pb", f8, (3,)),  # witness points [m]
    ("n", f8, (3,)), ("t1", f8, (3,)), ("t2", f8, (3,)),  # normal and tangents
    ("poisson", i8),           # 1: restitution is a ratio of impulses (Poisson), 0: of velocities (Newton)
    ("e", f8),                 # restitution; of a compliant contact what it remembers: speed at first touch, greatest depth
    ("bounce", f8),            # hits: normal velocity at the end of the step by Newton's law, of the two bodies alone [m/s]
    ("before", f8, (3,)),      # relative velocity at the start of the step, normal first [m/s]
    ("after", f8, (3,)),       # relative velocity at its end, by the rows of the middle of the step [m/s]
    ("last", f8, (3,)),        # the same of the last step, in the present axes [m/s]
    ("shift", f8, (3,)),       # by how much the velocity with the rows of the end of the step differs from that [m/s]
    ("pushed", f8),            # position correction: displacement per normal row [kg m]
], align=True)

SUM = np.dtype([
    ("impulse_n", f8),         # normal impulse since the start [N s]
    ("impulse_t", f8),         # size of the tangential impulse, added up [N s]
    ("friction", f8),          # work of friction [J]
    ("impacts", f8),           # work of impacts [J]
    ("peak", f8),              # largest normal force of a step [N]
    ("t_peak", f8),            # end of that step [s]
    ("duration", f8),          # time in contact [s]
    ("hits", i8),              # steps in which bodies met
    # of the present step
    ("force", f8), ("tangential", f8),  # normal and tangential force [N]; dry friction of a joint: that of its first slip,
    ("second", f8),            # and of its second
    ("gap", f8),               # least gap at the end of the step [m]
    ("rate", f8), ("slip", f8),  # normal velocity and slip speed there [m/s]
    ("mode", i8),              # OPEN, STICK or SLIP
    ("seen", i8),              # 1: a point of it is near
    ("now_n", f8),             # normal impulse of the present step [N s]
], align=True)

RECORD = np.dtype([
    ("t", f8),                 # end of the step [s]
    ("h", f8),                 # its length [s]
    ("rule", i8),
    ("a", i8), ("b", i8),      # shapes of the declared a and b; see POINT
    ("hits", i8),
    ("point", f8, (3,)), ("normal", f8, (3,)),  # the normal points from the declared a to b
    ("p", f8, (3,)),           # impulse on b in world axes [N s]
    ("p_n", f8), ("p_t", f8),  # [N s]
    ("before", f8), ("after", f8),  # normal velocity [m/s]
    ("slip", f8),              # slip speed after [m/s]
    ("work", f8),              # [J]
], align=True)

STEP_CONTROL = np.dtype([
    ("t", f8),                 # present time [s]
    ("h", f8),                 # step that was asked for [s]
    ("length", f8),            # present step [s]
    ("longest", f8),           # TOO_FAST: longest step that these speeds allow [s]
    ("tolerance", f8),         # of the contact velocities, relative
    ("most_sweeps", i8),       # sweeps over the contacts of a step at most
    ("segment", i8),           # present smooth stretch, between two stops
    ("next_stop", i8),         # next of the times that a step must end at
    ("next_impulse", i8),      # next scheduled impulse
    ("n_out", i8),             # samples written
    ("budget", i8),            # steps at which to return PAUSED
    ("steps", i8),             # steps so far
    ("shortened", i8),         # steps that were shortened so that nothing passes through anything
    ("shortest", f8),          # shortest step [s]
    ("sweeps", i8),            # sweeps so far
    ("unconverged", i8),       # steps whose contact problem was not solved to the tolerance
    ("left", f8),              # residual of the present step, relative to its contact velocities
    ("ask", i8),               # 1: return UNSOLVED where sweeps do not solve a step
    ("asked", i8),             # 0, or the look at the present step, from 1 on, that was not solved; `given` is its solution
    ("n_given", i8),           # contact points of that look
    ("residual", f8),          # largest residual of a step
    ("depth", f8),             # deepest penetration at the start of a step, against the size of the smaller shape
    ("deep_i", i8), ("deep_j", i8),  # its shapes
    ("worst_drift", f8),       # largest violation of a loop that projection left
    ("fresh", i8),             # 1: there is no acceleration of a last step
    ("n_pair", i8), ("n_point", i8), ("n_last", i8), ("n_dof", i8), ("n_row", i8), ("n_island", i8), ("n_record", i8),
    ("form_i", i8), ("form_j", i8), ("shape_i", i8), ("shape_j", i8),  # UNKNOWN_PAIR: forms, and shapes that have them
    ("record", i8),            # 1: contact points of every step are kept
    ("most_points", i8),       # largest number of contact points with an impulse in a step
    ("n_fixed", i8),           # contacts that are always looked at: stops, ropes and joints with dry friction
    ("largest", i8),           # island that is cut into domains, or -1
    ("stale", i8),             # 1: the list of pairs must be made anew
])


class Stepping(Tables):
    """State and scratch of the stepping engine."""

    fields: ClassVar = {
        "control": (STEP_CONTROL, 1),  # one record
        "shape": (SHAPE, 1),
        "plane": (i8, 1),      # shapes that are half spaces
        "rule": (RULE, 1),     # one per declared contact or group, in order of declaration
        "group": (i8, 1),      # rule of each group, bit by bit
        "key": (i8, 1), "owner": (i8, 1),  # hash table: pair of shapes → rule, with the sense in the lowest bit
        "form_key": (i8, 1), "form_at": (i8, 1),  # hash table: pair of forms → first template and how many
        "template": (CONTACT, 1),  # gaps of pairs of forms
        "gap_at": (i8, 1),     # address of the gap kernel of each template
        "neighbour": (i8, 2),  # (n, 2) nodes that a joint connects, sorted
        "component": (i8, 1),  # (n_node,) part of the tree below the ground that a node belongs to
        "parent": (i8, 1),     # (n_component,) union-find
        "level": (i8, 1),      # levels of the grid that are in use
        "bucket": (i8, 1),     # first shape of each bucket, or -1
        "pair": (PAIR, 1), "pair_new": (PAIR, 1), "start": (i8, 1),  # near pairs; scratch of their sorting
        "point": (POINT, 1), "last": (POINT, 1),  # contact points of this step and of the last
        "order": (i8, 1),      # points by islands
        "cone": (CONE, 1),     # contact points in that order, with what sweeps read: close together in memory
        "given": (f8, 1),      # impulses of a step that sweeps do not solve, 3 per contact point, in the order of `cone`
        "island": (i8, 1),     # (n + 1,) where each island begins in `order`
        "hull": (f8, 2), "turn": (f8, 2),  # scratch of one pair of polyhedra: corners and faces (n, 4), axes (3, 3)
        "dof": (u8, 1),        # speeds that each point feels
        "row": (f8, 1),        # whitened rows of all points
        "answer": (f8, 2),     # (domains, n_u) scratch of one row
        "domain": (i8, 1),     # (n_component,) domain of a component of a large island, see domains.py
        "cut": (i8, 1), "reorder": (i8, 1), "bins": (i8, 1),  # where domains begin in `order`; scratch
        "partial": (f8, 1),    # results of the domains; behind them what they are given
        "sync": (i8, 1),       # what threads agree by, see sharing.py
        "w": (f8, 1),          # (n_u,) whitened change of the speeds by contact impulses
        "shift": (f8, 1),      # (n_u,) the same of the position correction
        "tau": (f8, 1),        # (n_component,) time until its first impact within the step [s]
        "touched": (i8, 1),    # (n_component,) scratch: numbers of islands
        "q": (f8, 1), "q_mid": (f8, 1),  # coordinates on their way
        "u_mid": (f8, 1), "u_free": (f8, 1), "u_new": (f8, 1),
        "udot": (f8, 1), "udot_new": (f8, 1),  # (n_u,) accelerations without contact impulses of the last step, and of this
        "joint": (f8, 2), "loop": (f8, 2), "drive": (f8, 1), "reading": (f8, 2),  # mean forces of the last watched step
        "sum": (SUM, 1),       # per rule
        "record": (RECORD, 1), # contact points of all steps, where wanted
        "stops": (f8, 1),      # times that a step must end at, in order
        "sample": (i8, 1),     # per stop: 1 where a sample is wanted
    }


MIX = 0x9E3779B97F4A7C15 - (1 << 64)  # the golden ratio as a 64-bit integer: spreads keys over a hash table


def new_map(items):
    """(keys, values) of a hash table with open addressing, as `hash_table.find` reads it; `items` maps key to value."""
    size = 16
    while size < 4 * (len(items) + 1):
        size *= 2
    keys, values = np.full(size, -1, i8), np.zeros(size, i8)
    for key, value in items.items():
        put(keys, values, key, value)
    return keys, values


def put(keys, values, key, value):
    """Enter a key that is not there."""
    at = ((int(key) * (MIX & (2 ** 64 - 1))) % 2 ** 64 >> 33) & (len(keys) - 1)
    while keys[at] >= 0:
        at = (at + 1) & (len(keys) - 1)
    keys[at], values[at] = key, value
