"""Channels between samples: Hermite polynomials through values and their stored rates, of the order that the rates allow.

| channel | rates that are stored | polynomial | error over an interval h |
|---|---|---|---|
| position, angle, quaternion of a body | velocity, acceleration | degree 5 | h^6 |
| velocity, spin of a body | acceleration | degree 3 | h^4 |
| coordinate of a joint | its speed | degree 3 | h^4 |
| everything else, and all channels of stepped runs | none | straight line | h^2 |

Every event has a sample on each of its sides, so that no interval holds a jump.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from routh.sim.result import Result

__all__ = ["interpolate", "within"]

_RATES = {"x": ("vx", "ax"), "y": ("vy", "ay"), "z": ("vz", "az"), "theta": ("omega", "alpha"), "vx": ("ax",), "vy": ("ay",),
          "vz": ("az",), "omega": ("alpha",), "wx": ("alphax",), "wy": ("alphay",), "wz": ("alphaz",)}
_QUATERNION = ("qw", "qx", "qy", "qz")


def interpolate(result: Result, name: str, t: np.ndarray, side: str = "right") -> np.ndarray:
    """A channel at times t (n,), each within the result; the limit from `side` where two samples share a time."""
    times = result.t
    if len(times) == 1:
        return np.repeat(result[name], len(t), axis=0)
    j = np.clip(np.searchsorted(times, t, side="right" if side == "right" else "left"), 1, len(times) - 1)
    h = times[j] - times[j - 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        s = np.where(h > 0.0, (t - times[j - 1]) / h, 1.0 if side == "right" else 0.0)
    return within(result, name, j, s, h)


def within(result: Result, name: str, j: np.ndarray, s: np.ndarray, h: np.ndarray) -> np.ndarray:
    """A channel in the intervals of lengths h that end at samples j, at 0 <= s <= 1 of each."""
    values = _hermite([result[name], *_rates(result, name)], j, s, h)
    owner, _, key = name.rpartition(".")
    if key in _QUATERNION and result.engine == "events":
        parts = [_hermite([result[f"{owner}.{k}"], *_rates(result, f"{owner}.{k}")], j, s, h) for k in _QUATERNION]
        inside = (s > 0.0) & (s < 1.0)
        values = np.where(inside, values / np.sqrt(sum(part * part for part in parts)), values)
    return values


def _hermite(rows: list[np.ndarray], j: np.ndarray, s: np.ndarray, h: np.ndarray) -> np.ndarray:
    """The polynomial through value and rates at both ends of the intervals that end at samples j, at 0 <= s <= 1."""
    axes = (slice(None), *[None] * (rows[0].ndim - 1))
    s, h = s[axes], h[axes]
    a, b, r = rows[0][j - 1], rows[0][j], 1.0 - s
    if len(rows) == 1:
        return np.asarray(r * a + s * b)
    va, vb = h * rows[1][j - 1], h * rows[1][j]
    if len(rows) == 2:
        return np.asarray(r * r * ((1.0 + 2.0 * s) * a + s * va) + s * s * ((3.0 - 2.0 * s) * b - r * vb))
    wa, wb = 0.5 * h * h * rows[2][j - 1], 0.5 * h * h * rows[2][j]
    return np.asarray(r**3 * ((1.0 + 3.0 * s + 6.0 * s * s) * a + s * (1.0 + 3.0 * s) * va + s * s * wa)
                      + s**3 * ((1.0 + 3.0 * r + 6.0 * r * r) * b - r * (1.0 + 3.0 * r) * vb + r * r * wb))


def _rates(result: Result, name: str) -> list[np.ndarray]:
    """First and second derivative of a channel at the samples, as far as they are stored."""
    if result.engine != "events":
        return []
    owner, _, key = name.rpartition(".")
    if key in _QUATERNION:
        return _turning(result, owner, _QUATERNION.index(key)) if f"{owner}.alphax" in result else []
    if f"{owner}.ax" in result:  # a body
        return [result[f"{owner}.{rate}"] for rate in _RATES.get(key, ()) if f"{owner}.{rate}" in result]
    speed = f"{owner}.{key}_rate"
    return [result[speed]] if speed in result and result[speed].shape == result[name].shape else []


def _turning(result: Result, body: str, part: int) -> list[np.ndarray]:
    """Derivatives of one part of a quaternion: q' = ω q / 2 and q'' = α q / 2 + ω q' / 2, with ω in world axes."""
    q = np.stack([result[f"{body}.{k}"] for k in _QUATERNION])
    w = np.stack([result[f"{body}.w{k}"] for k in "xyz"])
    alpha = np.stack([result[f"{body}.alpha{k}"] for k in "xyz"])
    rate = 0.5 * _product(w, q)
    return [rate[part], (0.5 * (_product(alpha, q) + _product(w, rate)))[part]]


def _product(v: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The vector v times the quaternion q."""
    return np.stack([-(v * q[1:]).sum(axis=0), *(v * q[0] + np.cross(v, q[1:], axis=0))])
