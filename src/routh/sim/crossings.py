"""Sign changes of a sampled function, and where to sample it next to find its roots.

Times may repeat where the function jumps. A value of round-off (SMALL of the largest) counts as zero, so that what rests at
zero does not cross it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Crossing", "crossings", "dips", "next_points", "signs"]

SMALL = 1e-12                # of the largest value so far: the relative error of contact gaps and speeds at rest
AROUND = (1e-2, 1e-4, 1e-6)  # distances from an estimated root, against its bracket, at which the next samples lie


@dataclass(frozen=True)
class Crossing:
    """A change of sign between two samples."""

    before: int    # last sample before the new sign
    after: int     # first sample with the new sign
    way: int       # 1 rising, -1 falling
    left: float    # bracket of the root [s]
    right: float
    root: float    # estimate of the root [s]
    nearest: float  # the sample that is nearest to zero [s]


def signs(g: np.ndarray, largest: float) -> np.ndarray:
    """Signs of values; zero where a value is round-off against the largest, or not a number."""
    return np.where(np.abs(g) > SMALL * largest, np.sign(g), 0.0)


def crossings(t: np.ndarray, g: np.ndarray, largest: float, sign_before: float = 0.0) -> list[Crossing]:
    """The sign changes of values g at times t.

    `largest` is the size that values are measured against, `sign_before` the last sign before these samples. Where a function
    is zero for long, its root is where it leaves zero.
    """
    sign = signs(g, largest)
    out, last, old = [], -1, sign_before
    for j in np.flatnonzero(sign).tolist():
        if old != 0.0 and sign[j] != old and j > 0:
            left, right = float(t[j - 1]), float(t[j])
            root = _estimate(t, g, j - 1, j) if last == j - 1 else left
            if last == j - 2 >= 0:  # zero at one sample: there is the root
                right = left
            nearest = left if abs(g[j - 1]) <= abs(g[j]) else float(t[j])
            out.append(Crossing(j - 1, j, int(sign[j]), left, right, root, nearest))
        last, old = j, sign[j]
    return out


def _estimate(t: np.ndarray, g: np.ndarray, i: int, j: int) -> float:
    """The root between samples i and j = i + 1, by inverse interpolation through up to four samples."""
    if t[j] <= t[i]:
        return float(t[j])
    secant = float(t[i] - g[i] * (t[j] - t[i]) / (g[j] - g[i]))
    first = i - 1 if i > 0 and t[i - 1] < t[i] else i
    last = j + 1 if j + 1 < len(t) and t[j + 1] > t[j] else j
    x, y = g[first:last + 1].copy(), t[first:last + 1].copy()
    steps = np.diff(x)
    if not (np.all(steps > 0.0) or np.all(steps < 0.0)):
        return secant
    for k in range(1, len(x)):  # Neville's scheme at g = 0
        for m in range(len(x) - k):
            y[m] = (x[m + k] * y[m] - x[m] * y[m + 1]) / (x[m + k] - x[m])
    return float(y[0]) if t[i] <= y[0] <= t[j] else secant


def next_points(crossing: Crossing) -> list[float]:
    """Times at which the function should be sampled to narrow a bracket."""
    width = crossing.right - crossing.left
    around = [crossing.root + sign * part * width for part in AROUND for sign in (-1.0, 1.0)]
    return [x for x in (*around, 0.5 * (crossing.left + crossing.right)) if crossing.left < x < crossing.right]


def dips(t: np.ndarray, g: np.ndarray) -> list[float]:
    """Times at which to sample where the parabola through three samples of one sign crosses zero between them."""
    if len(t) < 3:
        return []
    a, b, c = g[:-2], g[1:-1], g[2:]
    h, k = t[1:-1] - t[:-2], t[2:] - t[1:-1]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        near = (a * b > 0.0) & (b * c > 0.0) & (np.abs(b) < np.abs(a)) & (np.abs(b) < np.abs(c)) & (h > 0.0) & (k > 0.0)
        curve = ((c - b) / k - (b - a) / h) / (h + k)
        slope = (b - a) / h + curve * h
        vertex = b - 0.25 * slope * slope / curve
        hidden = np.flatnonzero(near & (vertex * b < 0.0))
    return [float(t[i] + x * (t[i + 2] - t[i])) for i in hidden for x in np.linspace(0.0, 1.0, 18)[1:-1]]
