"""Mass, centre and inertia of homogeneous primitive solids, and of several put together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

__all__ = ["Solid", "total"]


@dataclass(frozen=True)
class Solid:
    """Mass [kg], centre (3,) [m], and inertia (3, 3) about it [kg m²]."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray

    @staticmethod
    def of(kind: str, size: np.ndarray, density: float, mass: float | None = None) -> Solid:
        """A "sphere", "ellipsoid", "box", "cylinder" or "capsule" about its centre, by radii and half lengths; axis z."""
        volume, moments = _measured(kind, size)
        m = density * volume if mass is None else mass
        return Solid(m, np.zeros(3), np.diag(m * moments))

    def placed(self, at: np.ndarray, turn: np.ndarray) -> Solid:
        """The same solid moved and turned."""
        return Solid(self.mass, at + turn @ self.centre, turn @ self.inertia @ turn.T)


def total(solids: list[Solid]) -> Solid | None:
    """Several solids as one; None where there is no mass."""
    mass = sum(s.mass for s in solids)
    if not mass > 0.0:
        return None
    centre = sum((s.mass * s.centre for s in solids), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for s in solids:
        r = s.centre - centre
        inertia += s.inertia + s.mass * (r @ r * np.eye(3) - np.outer(r, r))
    return Solid(mass, centre, inertia)


def _measured(kind: str, size: np.ndarray) -> tuple[float, np.ndarray]:
    """Volume, and the principal moments per unit of mass."""
    if kind in ("sphere", "ellipsoid", "box"):
        a, b, c = (size[0],) * 3 if kind == "sphere" else size
        volume = 8.0 * a * b * c if kind == "box" else 4.0 / 3.0 * math.pi * a * b * c
        part = 1.0 / 3.0 if kind == "box" else 1.0 / 5.0
        return float(volume), part * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    r, h = float(size[0]), float(size[1])  # radius, half length
    tube, caps = math.pi * r * r * 2.0 * h, 4.0 / 3.0 * math.pi * r * r * r if kind == "capsule" else 0.0
    volume = tube + caps
    if not volume > 0.0:
        return 0.0, np.zeros(3)
    along = (0.5 * tube * r * r + 0.4 * caps * r * r) / volume
    # half spheres: their centres are 3/8 r beyond the ends of the tube
    across = (tube * (0.25 * r * r + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r)) / volume
    return volume, np.array([across, across, along])
