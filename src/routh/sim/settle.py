"""A state near touching becomes one that touches: gaps closed by the least displacement, velocities by the least change.

"Least" is in kinetic energy. Bodies that rest on each other after time steps have gaps of about a millionth of their size and
velocities of the solver's tolerance; event location needs both to be zero to round-off.
"""

from __future__ import annotations

import numpy as np

from routh.compiler.machine import Machine
from routh.core.tables.layout import SOFT

__all__ = ["jump", "near_touching", "settle"]

SNAP = 1e-5       # a gap below this, against the size of the smaller shape, is an error of time steps, not a distance
DEEP = 1e-3       # a penetration below this, against that size, is an error of time steps: they leave up to 1e-4
CLOSED = 1e-12    # a gap below this, against that size, is closed: a thousandth of what event location takes as touching
PASSES = 20       # Newton steps; each squares the error, so that fewer than five are the rule
RANK = 1e-9       # singular values below this, against the largest, belong to redundant contacts


def near_touching(machine: Machine, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Mask of the rigid elementary contacts whose gap is an error of time steps."""
    gap, contact = machine.gaps(q, u), machine.system.contact
    near = (gap <= SNAP * contact["size"]) & (gap >= -DEEP * contact["size"])
    return near & (machine.work.touch["off"] == 0) & (contact["law"] != SOFT)


def settle(machine: Machine, q: np.ndarray, u: np.ndarray, closed: np.ndarray,
           stuck: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and speeds with the contacts `closed` at gap and normal velocity zero, those of `stuck` without slip, too.

    Where not all of them can be closed at once, what is left are small gaps, no penetration.
    """
    size = machine.system.contact["size"]
    near = near_touching(machine, q, u)
    q = _close(machine, q, closed, size)
    for _ in range(PASSES):
        gap = machine.gaps(q, u)
        deep = near & (gap < -CLOSED * size)
        if not deep.any():
            break
        q = _close(machine, q, deep, size)
    return q, _stop(machine, q, u, closed, stuck)


def jump(machine: Machine, q: np.ndarray, before: np.ndarray, after: np.ndarray, rate: float) -> float:
    """Largest change of a relative velocity of a contact from speeds `before` to `after`, against its size times `rate`."""
    contact, J = machine.system.contact, machine.contact_rows(q)[1]
    change = np.abs(J @ (after - before))
    size = np.repeat(contact["size"], contact["n_row"])
    return float((change / (size * rate)).max(initial=0.0))


def _close(machine: Machine, q: np.ndarray, closed: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Coordinates with the gaps of `closed` at zero, in the sense of least squares where they contradict each other."""
    best, least = q, np.inf
    normal = machine.system.contact["hold"][closed]
    for _ in range(PASSES):
        gap, J = machine.contact_rows(q)
        left = np.concatenate([gap[closed], machine.violations(q, np.zeros(machine.compiled.n_u))[0]])
        worst = float(np.abs(gap[closed] / size[closed]).max(initial=0.0))
        if not worst < least:
            break
        best, least = q, worst
        if worst <= CLOSED:
            break
        q = machine.displaced(q, _least_change(machine, q, np.vstack([J[normal], machine.partials(q)[1]]), -left))
    return best


def _stop(machine: Machine, q: np.ndarray, u: np.ndarray, closed: np.ndarray, stuck: np.ndarray) -> np.ndarray:
    """Speeds without normal velocity of the contacts `closed`, and without slip of those that are `stuck`."""
    contact, J = machine.system.contact, machine.contact_rows(q)[1]
    rows = [row for c in np.flatnonzero(closed) for row in range(contact["hold"][c], contact["hold"][c] + (
        contact["n_row"][c] if stuck[c] else 1))]
    if not rows:
        return u
    K = np.vstack([J[rows], machine.partials(q)[1]])
    return u + _least_change(machine, q, K, -np.concatenate([J[rows] @ u, machine.violations(q, u)[1]]))


def _least_change(machine: Machine, q: np.ndarray, K: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The change of the speeds with K change = wanted that has the least kinetic energy; driven speeds do not change."""
    free = ~machine.driven()
    change = np.zeros(machine.compiled.n_u)
    if not free.any() or not len(K):
        return change
    root = np.linalg.cholesky(machine.mass_matrix(q)[np.ix_(free, free)])
    whitened = np.linalg.solve(root, K[:, free].T).T
    change[free] = np.linalg.solve(root.T, np.linalg.lstsq(whitened, wanted, rcond=RANK)[0])
    return change
