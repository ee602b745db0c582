"""Whether a time step is short enough for the springs and dampers of a model, which the stepping engine takes explicitly.

Next to a state, accelerations are linear: a = -K q - D u. A step is then a linear map of (q, u, a of the last step), and it is
stable if no eigenvalue of that map is larger than one, or than that of the motion itself where this grows.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigvals, expm

from routh.compiler.machine import Machine

__all__ = ["stable_step"]

MOST = 120          # speeds up to which the eigenvalues are computed: some 50 ms
GROWTH = 1.05       # factor per step by which a mode may grow beside the motion itself: a spring at the limit has 1.3
HALVINGS = 40       # of the step at most
DIFFERENCE = 1e-6   # of coordinates and speeds in difference quotients


def stable_step(machine: Machine, t: float, q: np.ndarray, u: np.ndarray, step: float) -> float:
    """The step, or its largest half, quarter, ... with which the forces at this state are stable."""
    n = machine.compiled.n_u
    if not machine.system.force.size or n > MOST:
        return step
    K, D = _linearised(machine, t, q, u)
    if not (np.isfinite(K).all() and np.isfinite(D).all()):
        return step
    for halving in range(HALVINGS):
        h = step * 0.5**halving
        if _growth(K, D, h) <= GROWTH:
            return h
    return step


def _linearised(machine: Machine, t: float, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(K, D): how accelerations fall with displacements and with speeds."""
    n, free = machine.compiled.n_u, ~machine.driven()
    K, D = np.zeros((n, n)), np.zeros((n, n))
    for k in np.flatnonzero(free):
        way = np.zeros(n)
        way[k] = DIFFERENCE
        for sense in (-1.0, 1.0):
            K[:, k] -= sense * machine.accelerations(t, machine.displaced(q, sense * way), u) / (2.0 * DIFFERENCE)
            D[:, k] -= sense * machine.accelerations(t, q, u + sense * way) / (2.0 * DIFFERENCE)
    K[~free], D[~free] = 0.0, 0.0
    return K, D


def _growth(K: np.ndarray, D: np.ndarray, h: float) -> float:
    """Largest factor of a mode within a step, over that of the motion itself if this grows."""
    n = len(K)
    one, none = np.eye(n), np.zeros((n, n))
    a = np.hstack([-K, -0.5 * h * K - D, -0.5 * h * D])  # at q + h/2 u and u + h/2 a
    u = np.hstack([none, one, none]) + h * a
    q = np.hstack([one, 0.5 * h * one, none]) + 0.5 * h * u
    scheme = np.abs(eigvals(np.vstack([q, u, a]))).max()
    motion = np.abs(eigvals(expm(h * np.block([[none, one], [-K, -D]])))).max()
    return float(scheme / max(1.0, motion))
