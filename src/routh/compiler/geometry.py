"""Rotations and frames of declared joints, with the plane as z = 0 of space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["in_space", "matrix_of", "perpendicular", "quaternion_of", "turn_matrix"]


def in_space(vector: Sequence[float]) -> np.ndarray:
    """A declared vector as three numbers; () is the origin."""
    out = np.zeros(3)
    out[: len(vector)] = vector
    return out


def matrix_of(q: Any) -> np.ndarray:
    """Rotation matrix of a quaternion (w, x, y, z) of any length but zero."""
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def quaternion_of(R: np.ndarray) -> np.ndarray:
    """Unit quaternion (w, x, y, z), w >= 0, of a rotation matrix: the dominant eigenvector of Bar-Itzhack's form."""
    K = np.array([
        [R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
        [0.0, R[0, 0] - R[1, 1] - R[2, 2], R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
        [0.0, 0.0, R[1, 1] - R[0, 0] - R[2, 2], R[1, 2] + R[2, 1]],
        [0.0, 0.0, 0.0, R[2, 2] - R[0, 0] - R[1, 1]],
    ]) / 3.0
    q = np.linalg.eigh(K, UPLO="U")[1][:, -1]
    return -q if q[0] < 0 else q


def turn_matrix(turn: Any) -> np.ndarray:
    """A declared turn: None, an angle about z, or a quaternion."""
    if turn is None:
        return np.eye(3)
    if isinstance(turn, float):
        c, s = np.cos(turn), np.sin(turn)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return matrix_of(turn)


def perpendicular(axis: np.ndarray, wish: tuple[float, ...] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors that make a right-handed frame with `axis` last; the first near `wish` if given."""
    hint = in_space(wish) if wish is not None else np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = hint - axis * (axis @ hint)
    first /= np.linalg.norm(first)  # the Model refuses a wish along the axis
    return first, np.cross(axis, first)
