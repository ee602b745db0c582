"""Geometry of an impact: Routh's lines in the impulse plane, invariant directions of the slip flow."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from routh.errors import ModelError

__all__ = ["InvariantDirection", "invariant_directions", "routh_lines"]

Line = tuple[tuple[float, float], tuple[float, float]]


def routh_lines(A: ArrayLike, v: ArrayLike, mu: float) -> dict[str, Line]:
    """Routh's lines in the plane (p_t, p_n), each a point and a direction.

    S: no slip, v_t + A_tn p_n + A_tt p_t = 0. C: maximum compression, v_n + A_nn p_n + A_nt p_t = 0. F and
    F': limiting friction, against the slip before the impact and along it.
    """
    matrix, before = np.array(A, dtype=np.float64), np.array(v, dtype=np.float64)
    if matrix.shape != (2, 2) or before.shape != (2,):
        raise ModelError(
            f"A {matrix.shape} and v {before.shape}: Routh's diagram is planar, take (2, 2) and (2,)"
        )
    nn, nt, tt = float(matrix[0, 0]), float(matrix[0, 1]), float(matrix[1, 1])
    way = -math.copysign(mu, before[1])
    return {
        "S": ((-float(before[1]) / tt, 0.0), (-nt, tt)),
        "C": ((0.0, -float(before[0]) / nn), (nn, -nt)),
        "F": ((0.0, 0.0), (way, 1.0)),
        "F'": ((0.0, 0.0), (-way, 1.0)),
    }


@dataclass(frozen=True)
class InvariantDirection:
    """A direction of slip that the flow keeps: a - mu C t = growth t."""

    direction: NDArray[np.float64]  #: unit vector t
    growth: float  #: d|slip| / dp_n along it; negative: slip stops
    attracts: bool  #: whether nearby directions turn towards it


def invariant_directions(A: ArrayLike, mu: float) -> list[InvariantDirection]:
    """All invariant directions of the slip flow of a spatial contact: two or four, or none if all are.

    The turning rate is a trigonometric polynomial of degree two in the angle; with z = exp(iθ) its zeros
    are the roots of a quartic that lie on the unit circle. They are polished by Newton's method.
    """
    matrix = np.array(A, dtype=np.float64)
    if matrix.shape != (3, 3):
        raise ModelError(f"A has shape {matrix.shape}: the slip flow is spatial, take (3, 3)")
    (ax, ay), C = matrix[0, 1:], mu * matrix[1:, 1:]
    half, off = 0.5 * (C[0, 0] - C[1, 1]), C[0, 1]

    def turn(th: float) -> float:
        return float(ay * math.cos(th) - ax * math.sin(th) + half * math.sin(2 * th) - off * math.cos(2 * th))

    def slope(th: float) -> float:
        return float(
            -ay * math.sin(th) - ax * math.cos(th) + 2 * half * math.cos(2 * th) + 2 * off * math.sin(2 * th)
        )

    # turn(θ) = Re[(ay + i ax) z - (off + i half) z²] with z = e^{iθ}; times 2 z² it is a polynomial
    one, two = complex(ay, ax), -complex(off, half)
    quartic = [two, one, 0.0, one.conjugate(), two.conjugate()]
    if max(abs(one), abs(two)) == 0.0:
        return []
    found: list[float] = []
    for z in np.roots(quartic):
        th = math.atan2(z.imag, z.real)
        for _ in range(50):
            step = turn(th) / slope(th) if slope(th) != 0.0 else 0.0
            th -= max(-0.1, min(0.1, step))
            if abs(step) < 1e-15:
                break
        scale = abs(one) + abs(two)
        if abs(turn(th)) < 1e-12 * scale and all(math.cos(th - other) < 1.0 - 1e-12 for other in found):
            found.append(th)
    out = []
    for th in sorted(th % (2.0 * math.pi) for th in found):
        t = np.array([math.cos(th), math.sin(th)])
        out.append(InvariantDirection(t, float(matrix[0, 1:] @ t - t @ C @ t), slope(th) < 0.0))
    return out
