"""State and scratch of one run: control record, integrator buffers, contact solver, event loop."""

from typing import ClassVar

import numpy as np

from routh.core.tables.bundle import Tables
from routh.core.tables.impact_codes import N_COEF, N_ROWS

f8, i8 = np.float64, np.int64

CONTROL = np.dtype([
    ("t", f8),                 # present time [s]
    ("h", f8),                 # next step [s]; 0 asks for a first guess
    ("rtol", f8), ("atol", f8),  # error per step: atol + rtol |y|
    ("last_error", f8),        # of the last accepted step, against the tolerance
    ("max_step", f8),          # [s]
    ("least_step", f8),        # contacts: shorter ones do not advance time [s]
    ("worst_drift", f8),       # largest violation met after projection
    ("order", i8),             # of the explicit method: 8 or 3
    ("watch_stiffness", i8),   # 1: return STIFF when it is detected
    ("budget", i8),            # number of accepted and rejected steps at which to return PAUSED
    ("segment", i8),           # present smooth stretch, between two stops
    ("next_out", i8),          # next requested time
    ("n_out", i8),             # samples written
    ("accepted", i8), ("rejected", i8), ("evaluations", i8),
    ("stiff_hits", i8), ("calm_hits", i8),
    ("fresh", i8),             # 1: the slope at the present state must be computed
    ("begun", i8),             # contacts: see START, ... below
    ("next_impulse", i8),      # contacts: next scheduled impulse
    ("stuck", i8),             # contacts: events in a row without progress of time
    ("hasty", i8),             # contacts: changes of modes in a row with hardly any
    ("event_rate", f8),        # contacts: events per second that a run may have for long [1/s]
    ("event_burst", f8),       # contacts: events beyond that rate after which the run returns DENSE_EVENTS
    ("event_excess", f8),      # contacts: events beyond that rate so far
    ("counted_until", f8),     # contacts: instant up to which `event_excess` counts [s]
    ("counted", i8),           # contacts: rows of the event log that `event_excess` counts
])

# control.begun: the start has not been looked at; contacts are in their modes; modes are to be chosen anew; the log was full
# before the present instant was over; the motion goes on from a state that another engine has left
START, BEGUN, LOOK_AGAIN, MIDWAY, RESUMED = range(5)

N_DENSE = 7           # polynomials of a dense output


class Buffers(Tables):
    """State and scratch of one run. As tables they have no owner to count in the stages, where that would cost most."""

    fields: ClassVar = {
        "y": (f8, 1),          # coordinates, speeds, works
        "k": (f8, 2),          # (16, n) slopes: stages, end, extra stages of the dense output
        "dense": (f8, 2),      # (N_DENSE, n)
        "stage": (f8, 1),
        "y_new": (f8, 1),
        "sample": (f8, 1),
    }


class Radau(Tables):
    """Scratch of the implicit method; n is the number of coordinates, speeds and bristles."""

    fields: ClassVar = {
        "Z": (f8, 2), "Z_last": (f8, 2),  # (3, n) stages of this step and of the last
        "jacobian": (f8, 2),   # (n, n)
        "real": (f8, 2), "real_pivot": (i8, 1),                    # (n, n) factors of the real system
        "complex": (np.complex128, 2), "complex_pivot": (i8, 1),   # and of the complex one
        "x_real": (f8, 1), "x_complex": (np.complex128, 1),        # (n,) their solutions
    }


def new_radau(n):
    """Scratch for n equations."""
    return Radau(Z=(3, n), Z_last=(3, n), jacobian=(n, n), real=(n, n), real_pivot=n, complex=(n, n), complex_pivot=n,
                 x_real=n, x_complex=n)


def new_buffers(n):
    """Buffers of a run with a state of so many numbers."""
    return Buffers(y=n, k=(16, n), dense=(N_DENSE, n), stage=n, y_new=n, sample=n)


MARCH = (N_ROWS + 5, N_COEF)  # shape of the scratch of one impact

# what the tangents of a contact do before: rest, or slide
CONE, SLIDING = range(2)

BLOCK = np.dtype([
    ("first", i8),             # its normal row
    ("count", i8),             # its rows: 1 without friction (stops, ropes), 2 in the plane, 3 in space
    ("friction", i8),          # CONE or SLIDING
    ("mu", f8), ("mu_s", f8),  # sliding and static friction
    ("base", f8),              # least normal force
    ("given", i8),             # 1: the normal force is `base`, and has no row: dry friction of a joint
    ("scale", f8),             # size of accelerations that matters; 0: that of the terms they are summed from
    ("wx", f8), ("wy", f8),    # unit direction of the slip: given where SLIDING, else found; (±1, 0) in the plane
    ("mode", i8),              # found: OPEN, STICK or SLIP; a closed contact of one row is STICK
    ("closed", i8),            # found: 1 where a_n = 0 holds, 0 where λ_n = base
    ("limit", f8),             # sweeps: static friction, or sliding friction once it slipped
    ("turns", i8),             # its slip direction is an unknown of the present step
    ("pair", i8),              # impacts only: one number, from 1 on, for all points of two shapes; 0: none
    ("law", i8),               # see impact.py: the hypothesis,
    ("e", f8), ("e_t", f8),    # restitution of its last impact, coefficient of the tangent, as in the contact's record
    ("bounce", i8), ("bounce_from", i8),  # law of the restitution, as in the contact's record
], align=True)

# rows of `spare`; the last two belong to `impact_many.py`
STEP, SIZE, KEPT, FIRST, SHIFTED, MORE, N_SPARE = range(7)


class Solver(Tables):
    """Scratch of solves with at most so many rows."""

    fields: ClassVar = {
        "entry": (i8, 1),      # (1,) address of `complementarity.solve`
        "lu": (f8, 2), "pivot": (i8, 1),
        "spare": (f8, 2),      # (N_SPARE, rows)
        "march": (f8, 2),      # of one impact, see impact_many.py
        "own": (f8, 2),        # (3, 3) its inverse mass
        "table": (f8, 2), "basis": (i8, 1),  # see pivoting.py
    }


def new_solver(rows):
    """Scratch for so many rows; memory that is not used is not taken."""
    return Solver(entry=1, lu=(rows, rows), pivot=rows, spare=(N_SPARE, rows), march=MARCH, own=(3, 3),
                  table=(4 * rows, 8 * rows + 2), basis=4 * rows)

BLOW = np.dtype([
    ("contact", i8),           # row of the block table
    ("kind", i8),              # of impact.py; together: STOPPED or SLIDING; or SETTLED
    ("p", f8, (3,)),           # impulse: normal, tangents
    ("before", f8, (3,)),      # velocity of the contact
    ("after", f8, (3,)),
    ("work_n", f8),            # work of the normal impulse
    ("work", f8),              # work of the whole impulse: minus the energy lost
], align=True)

UNLOADED = 1e-10      # a force below minus this, against the largest of the contacts, is one that pulls

SIGHT = np.dtype([(name, f8) for name in ("gap", "rate", "haste", "twist")])  # of a contact, see TOUCH of layout.py


class Events(Tables):
    """State and scratch of the event loop."""

    fields: ClassVar = {
        "sight": (SIGHT, 1),   # (n_contact,) of every open contact at the start of a step
        "sight_new": (SIGHT, 1),  # and at its end
        "stack": (f8, 2),      # of the search for roots
        "scale": (f8, 1),      # (N_SCALE,) see below
        "block": (BLOCK, 1),   # touching contacts, as the solvers want them
        "contact": (i8, 1),    # which contact each block is
        "b": (f8, 1), "lam": (f8, 1), "a": (f8, 1),
        "pull": (f8, 1),       # accelerations without contact forces, row by row
        "before": (f8, 1),     # (n_contact,) modes before a change, negative where a slide went backwards
        "still": (f8, 1),      # (n_u,) zeros
        "slope": (f8, 1),      # (n_state,)
        "culprit": (i8, 1),    # the contact that the last choice of modes is about
        "blow": (BLOW, 1),     # impacts of one instant
    }


# largest approach so far, contact force of a step, kinetic energy so far; of this instant: fastest approach, number of blows,
# and by how much more is slow the longer it lasts; contact force that would stop the bodies' free accelerations; slip speed
# up to which a slide creeps; a force below minus this, against that of the step, is one that pulls or leaves its cone; and the
# start of the run
FASTEST, LOAD, ENERGY, ARRIVED, DEALT, COARSE, WEIGHT, CRAWL, SLACK, ORIGIN, N_SCALE = range(11)


def new_events(system, work, n_state):
    """Scratch for one run."""
    n, n_most = system.contact.size, work.lu.shape[0]
    events = Events(sight=n, sight_new=n, before=n, stack=(80, 8), scale=N_SCALE, block=n, contact=n, b=n_most,
                    lam=n_most, a=n_most, pull=n_most, still=int(system.world["n_u"][0]), slope=n_state, culprit=1,
                    blow=64 + 16 * n)
    events.scale[COARSE], events.scale[SLACK] = 1.0, UNLOADED
    return events
