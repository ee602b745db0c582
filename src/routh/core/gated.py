"""What lies behind the gates, as C functions: vectors arrive as pointers and get their lengths back. See `gates.py`."""

from numba import carray

from routh.core import kane, modes, planar_gaps, spatial_gaps
from routh.core import strike as blows
from routh.core.gates import N_STATE
from routh.core.kinematics import twin

gap_between = twin(planar_gaps.gap, spatial_gaps.gap)


def derivative(system, work, t, y, f_out):
    """Right-hand side at a state."""
    n = work.gate[N_STATE]
    kane.derivative(system, work, t, carray(y, n), carray(f_out, n))


def project(system, work, t, q, u):
    """Coordinates and speeds back to the constraints."""
    return kane.project(system, work, t, carray(q, system.world[0].n_q), carray(u, system.world[0].n_u))


def gap(system, work, c):
    """Gap of one contact."""
    gap_between(system, work, c)


def strike(system, work, events, log, t, y, which):
    """Blows of an instant."""
    return blows.strike(system, work, events, log, t, carray(y, work.gate[N_STATE]), which)


def choose(system, work, events, log, t, y, which):
    """Modes after an event."""
    return modes.choose(system, work, events, log, t, carray(y, work.gate[N_STATE]), which)
