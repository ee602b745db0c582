"""From two free bodies to contact space: one impact without a simulation.

Plane: positions and velocities (2,), inertia and spin numbers. Space: (3,), inertia about the mass centre in
world axes as a number (sphere), three principal values along x, y, z, or a (3, 3) matrix.
The normal points from body a into body b; the impulse acts on b along +n and on a against it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from routh.errors import ModelError
from routh.model.laws import ImpactLaw
from routh.sim.impact import Impact, resolve_impact

__all__ = ["GROUND", "Collision", "FreeBody", "collide", "contact_frame", "contact_matrix"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class FreeBody:
    """One body at the instant of an impact. Infinite mass and inertia make it immovable.

    Parameters
    ----------
    mass
        [kg]
    inertia
        About the mass centre [kg m²]: one number, or three principal moments or a matrix in space.
    position
        Of the mass centre [m].
    velocity
        Of the mass centre [m/s].
    spin
        Angular velocity [rad/s]: one number in the plane, three in space.

    Examples
    --------
    >>> rt.FreeBody(mass=1.0, inertia=0.1, position=(0.0, 0.5), velocity=(0.0, -2.0), spin=3.0).mass
    1.0
    """

    mass: float
    inertia: Any
    position: Any = (0.0, 0.0)
    velocity: Any = (0.0, 0.0)
    spin: Any = 0.0

    def __post_init__(self) -> None:
        if not self.mass > 0.0:
            raise ModelError(f"body: mass = {self.mass:g} is not positive; math.inf makes it immovable")


GROUND = None  #: an immovable body at rest, in the plane or in space


def contact_frame(normal: ArrayLike, tangent: ArrayLike | None = None) -> Array:
    """Rows n, t (plane) or n, t1, t2 (space), orthonormal and right-handed.

    Plane: n = y gives t = x. Space: n = z gives t1 = x, t2 = y; `tangent` (3,) chooses another t1.
    """
    n = np.array(normal, dtype=np.float64)
    size = float(np.linalg.norm(n)) if n.shape in ((2,), (3,)) else math.nan
    if not (math.isfinite(size) and size > 0.0):
        raise ModelError(f"normal = {n.tolist()}: take two or three finite numbers, not all zero")
    n = n / size
    if n.size == 2:
        return np.array([n, [n[1], -n[0]]])
    guess = np.eye(3)[0 if abs(n[0]) < 0.9 else 1] if tangent is None else np.array(tangent, dtype=np.float64)
    if guess.shape != (3,) or not np.linalg.norm(np.cross(n, guess)) > 1e-12 * np.linalg.norm(guess):
        raise ModelError(f"tangent = {guess.tolist()} is no direction beside the normal {n.tolist()}")
    t1 = guess - (guess @ n) * n
    t1 /= np.linalg.norm(t1)
    return np.array([n, t1, np.cross(n, t1)])


def _inverse_inertia(inertia: Any, where: str) -> Array:
    """(3, 3) inverse of a number, three principal values or a matrix; infinite ones give zero."""
    I = np.array(inertia, dtype=np.float64)
    if I.shape in ((), (3,)):
        values = np.broadcast_to(I, (3,))
        if np.all(values > 0.0):
            return np.diag(1.0 / values)
    elif I.shape == (3, 3) and np.all(np.isfinite(I)) and np.allclose(I, I.T, rtol=1e-9, atol=0.0):
        if np.linalg.eigvalsh(I)[0] > 0.0:
            return np.asarray(np.linalg.inv(I))
    raise ModelError(
        f"{where}: inertia = {I.tolist()}; take one or three positive numbers, or a positive matrix"
    )


def _mobility(mass: float, inertia: Any, offset: Array, where: str) -> Array:
    """Velocity of the point at `offset` per unit impulse there."""
    if not mass > 0.0:
        raise ModelError(f"{where}: mass = {mass:g} is not positive; math.inf makes it immovable")
    if offset.size == 2:
        if not float(inertia) > 0.0:
            raise ModelError(f"{where}: inertia = {inertia} is not positive; it is about the mass centre")
        turn = np.array([-offset[1], offset[0]])
        return np.eye(2) / mass + np.outer(turn, turn) / float(inertia)
    x, y, z = offset
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) / mass + cross @ _inverse_inertia(inertia, where) @ cross.T


def contact_matrix(
    masses: tuple[float, float],
    inertias: tuple[Any, Any],
    offsets: tuple[ArrayLike, ArrayLike],
    normal: ArrayLike,
    tangent: ArrayLike | None = None,
) -> Array:
    """Inverse mass A [1/kg] of the contact of two free bodies, rows normal first.

    Parameters
    ----------
    masses
        Of body a and body b [kg]; infinite for the ground.
    inertias
        About the mass centres [kg m²]; infinite for the ground.
    offsets
        From each mass centre to the contact point [m].
    normal, tangent
        From a into b; first tangent in space.

    Examples
    --------
    >>> rt.contact_matrix((np.inf, 2.0), (np.inf, 0.1), ((0.0, 0.0), (0.0, -0.3)), normal=(0.0, 1.0)).round(3).tolist()
    [[0.5, 0.0], [0.0, 1.4]]
    """
    frame = contact_frame(normal, tangent)
    A = np.zeros_like(frame)
    for mass, inertia, offset, where in zip(masses, inertias, offsets, ("body a", "body b"), strict=True):
        r = np.array(offset, dtype=np.float64)
        if r.shape != (len(frame),) or not np.all(np.isfinite(r)):
            raise ModelError(
                f"{where}: offset = {r.tolist()}; take {len(frame)} finite numbers like the normal"
            )
        A += frame @ _mobility(mass, inertia, r, where) @ frame.T
    return 0.5 * (A + A.T)


@dataclass(frozen=True)
class Collision:
    """The impact in contact space and what it leaves of the bodies."""

    hit: Impact
    a: FreeBody  #: body a after the impact
    b: FreeBody  #: body b after the impact
    frame: Array  #: rows n, t or n, t1, t2 in world axes
    impulse: Array  #: impulse on body b in world axes [N s]


def _immovable(d: int) -> FreeBody:
    return FreeBody(math.inf, math.inf, np.zeros(d), np.zeros(d), 0.0 if d == 2 else np.zeros(3))


def _point_velocity(body: FreeBody, offset: Array) -> Array:
    v = np.array(body.velocity, dtype=np.float64)
    if offset.size == 2:
        return v + float(body.spin) * np.array([-offset[1], offset[0]])
    return np.asarray(v + np.cross(np.broadcast_to(np.asarray(body.spin, dtype=np.float64), (3,)), offset))


def _pushed(body: FreeBody, offset: Array, impulse: Array, where: str) -> FreeBody:
    v = np.array(body.velocity, dtype=np.float64) + impulse / body.mass
    if offset.size == 2:
        spin = float(body.spin) + float(offset[0] * impulse[1] - offset[1] * impulse[0]) / float(body.inertia)
        return replace(body, velocity=v, spin=spin)
    turn = _inverse_inertia(body.inertia, where) @ np.cross(offset, impulse)
    return replace(body, velocity=v, spin=np.asarray(body.spin, dtype=np.float64) + turn)


def collide(
    body_a: FreeBody | None,
    body_b: FreeBody | None,
    point: ArrayLike,
    normal: ArrayLike,
    law: ImpactLaw,
    tangent: ArrayLike | None = None,
) -> Collision:
    """Collide two free bodies at a point.

    Parameters
    ----------
    body_a, body_b
        The bodies before the impact; None is the immovable ground.
    point : (2,) or (3,)
        Contact point [m], world axes.
    normal : (2,) or (3,)
        From a into b.
    law
        An impact law.
    tangent
        First tangent in space. Default: along the slip.

    Returns
    -------
    Collision
        `hit`, the `Impact`; `a` and `b`, the bodies afterwards.

    Examples
    --------
    >>> ball = rt.FreeBody(mass=0.2, inertia=2e-4, position=(0, 0, 0.05), velocity=(2, 0, -3), spin=(0, 0, 0))
    >>> after = rt.collide(None, ball, point=(0, 0, 0), normal=(0, 0, 1), law=rt.Poisson(e=0.8, mu=0.5))
    >>> np.round(after.b.velocity, 4).tolist()
    [1.4286, 0.0, 2.4]
    """
    frame = contact_frame(normal, tangent)
    d = len(frame)
    if body_a is None and body_b is None:
        raise ModelError("collide: both bodies are the ground; give at least one that can move")
    bodies = [_immovable(d) if body is None else body for body in (body_a, body_b)]
    where = np.array(point, dtype=np.float64)
    for body, name in zip(bodies, ("body a", "body b"), strict=True):
        if np.shape(body.position) != (d,) or np.shape(body.velocity) != (d,) or where.shape != (d,):
            raise ModelError(
                f"{name}: position {np.shape(body.position)}, velocity {np.shape(body.velocity)} and point "
                f"{where.shape} must have {d} numbers each, like the normal"
            )
    r_a, r_b = (where - np.array(body.position, dtype=np.float64) for body in bodies)
    a, b = bodies
    A = contact_matrix((a.mass, b.mass), (a.inertia, b.inertia), (r_a, r_b), normal, tangent)
    v = frame @ (_point_velocity(b, r_b) - _point_velocity(a, r_a))
    hit = resolve_impact(A, v, law)
    impulse = hit.impulse @ frame
    after_a, after_b = _pushed(a, r_a, -impulse, "body a"), _pushed(b, r_b, impulse, "body b")
    return Collision(hit, after_a, after_b, frame, impulse)
