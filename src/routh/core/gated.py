"""What lies behind the gates, as C functions: vectors arrive as pointers and get their lengths back. See `gates.py`."""

from numba import carray

from routh.core.contact import complementarity
from routh.core.contact.cone_forces import BLOCK
from routh.core.events import modes
from routh.core.events import strike as blows
from routh.core.gates import N_STATE, N_STATUS
from routh.core.motion import kane
from routh.core.tree.kinematics import twin

gap_between = twin("gaps.planar_gaps.gap", "gaps.spatial_gaps.gap")


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


def strike(system, work, events, solver, log, t, y, which):
    """Blows of an instant."""
    return blows.strike(system, work, events, solver, log, t, carray(y, work.gate[N_STATE]), which)


def choose(system, work, events, solver, log, t, y, which):
    """Modes after an event."""
    return modes.choose(system, work, events, solver, log, t, carray(y, work.gate[N_STATE]), which)


def solve(solver, A, b, block, count, lam_out, a_out):
    """Forces and modes of many contacts."""
    n = solver.pivot.size
    status, where = complementarity.solve(solver, carray(A, (n, n)), carray(b, n), carray(block, count), carray(lam_out, n),
                                          carray(a_out, n))
    return status + N_STATUS * (where + 1)


__all__ = ["BLOCK", "choose", "derivative", "gap", "project", "solve", "strike"]
