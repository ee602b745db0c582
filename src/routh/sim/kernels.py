"""Python's calls into the kernels: a System with its Work, and arrays made to measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.core.layout import new_work

__all__ = ["Machine"]


class Machine:
    """A compiled model with the scratch that its kernels need."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.system: Any = compiled.system
        self.work: Any = new_work(compiled.system)
        self.row_size = 3 if compiled.planar else 6
        self.body_size = 9 if compiled.planar else 19

    def place(self, q: np.ndarray, u: np.ndarray | None = None) -> np.ndarray:
        """Body states (n_node, 9 or 19) at coordinates q and speeds u; accelerations are not meaningful."""
        from routh.core.observe import place_bodies

        out = np.zeros((self.system.node.size, self.body_size))
        place_bodies(self.system, self.work, q, np.zeros(self.compiled.n_u) if u is None else u, out)
        return out

    def violations(self, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Violation and rate of every loop row."""
        from routh.core.observe import violations

        phi, rate = np.zeros(self.system.row.size), np.zeros(self.system.row.size)
        violations(self.system, self.work, q, u, phi, rate)
        return phi, rate

    def partials(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Partial velocities: of bodies (n_u, n_node, 9 or 19) and of loop rows (n_row, n_u)."""
        from routh.core.observe import partials

        n_u = self.compiled.n_u
        body = np.zeros((n_u, self.system.node.size, self.body_size))
        row = np.zeros((self.system.row.size, n_u))
        partials(self.system, self.work, q, np.zeros(n_u), body, row)
        return body, row

    def displaced(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates moved by a displacement of the speeds."""
        from routh.core.observe import displace_by

        out = q.copy()
        self.work.dof["udot"] = step
        displace_by(self.system, self.work, out)
        return out

    def set_time(self, t: float, q: np.ndarray, u: np.ndarray) -> None:
        """Put driven coordinates and speeds where their motions are at time t."""
        from routh.core.observe import drive_to

        drive_to(self.system, self.work, t, q, u)

    def driven(self) -> np.ndarray:
        """Mask of the driven speeds."""
        mask = np.zeros(self.compiled.n_u, bool)
        mask[self.system.driver["iu"]] = True
        return mask
