"""A rigid body: mass, and inertia about its mass centre in its own axes. The frame's origin is the mass centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.model import checks

__all__ = ["GROUND", "Body"]

GROUND = "ground"
"""The name of the body that does not move."""


@dataclass(frozen=True)
class Body:
    """A rigid body whose frame sits at its mass centre.

    `mass` in kg. `inertia` in kg m² about the mass centre: one number in a planar model; in a spatial one
    the three principal moments (axes of the body frame) or the full symmetric 3 by 3 matrix.
    """

    name: str
    mass: float
    inertia: Any

    def __post_init__(self) -> None:
        where = f'body "{checks.name_of("body", self.name)}"'
        if self.name == GROUND:
            raise ModelError(f'body "{GROUND}": this name is taken by the body that does not move')
        checks.set_field(self, "mass", checks.positive(where, "mass", self.mass))
        array = np.asarray(self.inertia, dtype=object)
        if array.shape == ():
            value: Any = checks.positive(where, "inertia", self.inertia)
        elif array.shape == (3,):
            value = checks.vector(where, "inertia", self.inertia, sizes=(3,))
            _check_tensor(where, np.diag(value))
        elif array.shape == (3, 3):
            value = tuple(checks.vector(where, f"inertia row {i}", row, sizes=(3,))
                          for i, row in enumerate(self.inertia))
            _check_tensor(where, np.array(value))
        else:
            raise ModelError(f"{where}: inertia has shape {array.shape}; give a number (plane), "
                             "three principal moments or a 3 by 3 matrix (space)")
        checks.set_field(self, "inertia", value)

    def inertia_matrix(self) -> np.ndarray:
        """The 3 by 3 inertia matrix of a spatial body."""
        array = np.asarray(self.inertia, dtype=float)
        return np.diag(array) if array.ndim == 1 else array


def _check_tensor(where: str, tensor: np.ndarray) -> None:
    """Symmetric, positive definite, and possible for a distribution of positive mass."""
    scale = np.abs(tensor).max()
    if np.abs(tensor - tensor.T).max() > 1e-12 * scale:
        raise ModelError(f"{where}: inertia is not symmetric")
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] <= 0.0:
        raise ModelError(f"{where}: inertia is not positive definite; its principal moments are "
                         f"{moments[0]:.6g}, {moments[1]:.6g}, {moments[2]:.6g}")
    if moments[2] - moments[1] - moments[0] > 1e-9 * moments[2]:
        raise ModelError(
            f"{where}: inertia violates the triangle inequality: principal moment {moments[2]:.6g} exceeds the "
            f"sum {moments[0]:.6g} + {moments[1]:.6g} of the others, which no mass distribution can have")
