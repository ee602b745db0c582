"""Painlevé's paradoxes: what a closed frictional contact can do, and when it has no or several answers.

Everything works in contact space: A (2, 2) or (3, 3) normal first, the free acceleration b of the contact
(what it would have without contact forces), friction mu and the slip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from routh.errors import ModelError
from routh.model.laws import ImpactLaw
from routh.native.load import entry
from routh.sim.impact import Impact, resolve_impact

__all__ = [
    "ContactClass",
    "ContactState",
    "Solution",
    "classify",
    "critical_mu",
    "denominator",
    "resolve",
    "sliding_map",
]

Array = NDArray[np.float64]


class ContactClass(IntEnum):
    """What a closed contact does next."""

    SLIDING = 0  #: it keeps sliding under a positive normal force
    LIFT_OFF = 1  #: it opens
    INCONSISTENT = 2  #: no finite force: only an impulse helps (see `resolve`)
    INDETERMINATE = 3  #: sliding and lift-off are both solutions
    STICK = 4  #: it holds

    @property
    def label(self) -> str:
        """In words."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Solution:
    """One answer: the mode, the contact force (normal first) and the acceleration it leaves."""

    mode: ContactClass
    force: Array
    acceleration: Array


@dataclass(frozen=True)
class ContactState:
    """The class of a contact, every solution, and the sliding denominator (NaN without slip)."""

    kind: ContactClass
    solutions: tuple[Solution, ...]
    denominator: float


def _parts(A: ArrayLike, slip: ArrayLike) -> tuple[Array, Array, float]:
    matrix, s = np.array(A, dtype=np.float64), np.atleast_1d(np.array(slip, dtype=np.float64))
    if matrix.shape not in ((2, 2), (3, 3)) or s.shape != (len(matrix) - 1,):
        raise ModelError(f"A {matrix.shape} and slip {s.shape}: take (2, 2) and one number, (3, 3) and two")
    if not (np.all(np.isfinite(matrix)) and np.all(np.isfinite(s))):
        raise ModelError(f"not finite: A = {matrix.tolist()}, slip = {s.tolist()}")
    return matrix, s, float(np.linalg.norm(s))


def denominator(A: ArrayLike, mu: float, slip: ArrayLike) -> float:
    """Sliding denominator D = A_nn - mu a·t; negative: friction drives the bodies together."""
    matrix, s, size = _parts(A, slip)
    if size == 0.0:
        raise ModelError("slip is zero: the sliding denominator needs a direction of slip")
    return float(matrix[0, 0] - mu * (matrix[0, 1:] @ s) / size)


def critical_mu(A: ArrayLike, slip: ArrayLike) -> float:
    """Friction at which the sliding denominator vanishes; infinite if it never does."""
    matrix, s, size = _parts(A, slip)
    push = float(matrix[0, 1:] @ s)
    return float(matrix[0, 0]) * size / push if push > 0.0 else math.inf


def classify(
    A: ArrayLike, b: ArrayLike, mu: float, slip: ArrayLike, mu_s: float | None = None
) -> ContactState:
    """Class and solutions of a closed contact.

    While it slips the free normal acceleration is enough for the class (`b` a number); at zero slip `b` must
    be the whole free acceleration, normal first, and the answer is stick, slip from rest or lift-off.
    """
    matrix, s, size = _parts(A, slip)
    free = np.atleast_1d(np.array(b, dtype=np.float64))
    if free.shape not in ((1,), s.shape, (len(matrix),)) or not np.all(np.isfinite(free)):
        raise ModelError(
            f"b = {free.tolist()}: take the free normal acceleration or all {len(matrix)} components"
        )
    whole = free.size == len(matrix)
    if size == 0.0:
        if not whole:
            raise ModelError("slip is zero: the choice between stick and slip needs all components of b")
        return _at_rest(matrix, free, mu, mu if mu_s is None else mu_s)
    full = free if whole else np.concatenate([free[:1], np.full(s.size, math.nan)])
    D = denominator(A, mu, slip)
    kinds, forces = sliding_map(free[0], D)
    kind, force = ContactClass(int(kinds)), float(forces)
    solutions = []
    if kind in (ContactClass.SLIDING, ContactClass.INDETERMINATE):
        f = force * np.concatenate([[1.0], -mu * s / size])
        solutions.append(Solution(ContactClass.SLIDING, f, _zero_first(full + matrix @ f)))
    if kind in (ContactClass.LIFT_OFF, ContactClass.INDETERMINATE):
        solutions.append(Solution(ContactClass.LIFT_OFF, np.zeros(len(matrix)), full))
    return ContactState(kind, tuple(solutions), D)


def _zero_first(acceleration: Array) -> Array:
    acceleration[0] = 0.0
    return acceleration


def _at_rest(A: Array, b: Array, mu: float, mu_s: float) -> ContactState:
    """Stick if the static cone holds it, slip in the direction of its own acceleration, lift-off."""
    solutions = []
    force: Array = -np.linalg.solve(A, b).astype(np.float64)
    if force[0] >= 0.0 and np.linalg.norm(force[1:]) <= mu_s * force[0]:
        solutions.append(Solution(ContactClass.STICK, force, np.zeros(len(b))))
    if b[0] > 0.0:
        solutions.append(Solution(ContactClass.LIFT_OFF, np.zeros(len(b)), b))
    if not solutions:
        for t in _starts(A, b, mu):
            D = A[0, 0] - mu * A[0, 1:] @ t
            if D > 0.0:
                f = -b[0] / D * np.concatenate([[1.0], -mu * t])
                solutions.append(Solution(ContactClass.SLIDING, f, _zero_first(b + A @ f)))
    kinds = {solution.mode for solution in solutions}
    if len(kinds) > 1:
        kind = ContactClass.INDETERMINATE
    else:
        kind = kinds.pop() if kinds else ContactClass.INCONSISTENT
    return ContactState(kind, tuple(solutions), math.nan)


def _starts(A: Array, b: Array, mu: float) -> list[Array]:
    """Directions t in which slip can start: the acceleration b_t + (a - mu C t) λ must be along t itself.

    In the plane both signs are tried. In space, for a given λ, t is the leaving direction of the impact flow
    with push b_t + a λ; λ = -b_n / D(t) is then found again until it settles.
    """
    if len(b) == 2:
        found = []
        for sign in (-1.0, 1.0):
            D = A[0, 0] - mu * A[0, 1] * sign
            if D > 0.0 and sign * (b[1] - (A[0, 1] - mu * A[1, 1] * sign) * b[0] / D) > 0.0:
                found.append(np.array([sign]))
        return found
    lam = -b[0] / A[0, 0]
    t, way = np.array([1.0, 0.0]), np.zeros(3)
    for _ in range(200):
        values, axes = np.linalg.eigh(A[1:, 1:])
        push = axes[:, ::-1].T @ (b[1:] + A[0, 1:] * lam)
        entry("leaving_direction", "any")(float(push[0]), float(push[1]), mu * lam * values[1], mu * lam * values[0], way)
        t = axes[:, ::-1] @ way[1:]
        D = A[0, 0] - mu * A[0, 1:] @ t
        if D <= 0.0:
            return []
        new = -b[0] / D
        if abs(new - lam) <= 1e-15 * abs(new):
            break
        lam = new
    return [t]


def sliding_map(b: ArrayLike, D: ArrayLike) -> tuple[NDArray[np.int64], Array]:
    """Classes and sliding forces over arrays of free normal accelerations b and denominators D ([painleve1895]).

    A force λ >= 0 makes the normal acceleration b + D λ, with D = A_nn - mu a·t for slip along t. λ is -b/D whatever its sign.
    """
    acc, den = np.broadcast_arrays(np.asarray(b, dtype=np.float64), np.asarray(D, dtype=np.float64))
    up = acc > 0.0
    kinds = np.where(den > 0.0, np.where(up, ContactClass.LIFT_OFF, ContactClass.SLIDING),
                     np.where(up, ContactClass.INDETERMINATE, ContactClass.INCONSISTENT)).astype(np.int64)
    forces = np.divide(-acc, den, out=np.full(acc.shape, math.nan), where=den != 0.0)
    return kinds, forces


def resolve(A: ArrayLike, slip: ArrayLike, law: ImpactLaw) -> Impact:
    """The way out of an inconsistent contact: an impact at zero approach speed ([han1994])."""
    _, s, _ = _parts(A, slip)
    return resolve_impact(A, np.concatenate([[0.0], s]), law)
