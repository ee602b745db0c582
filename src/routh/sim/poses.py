"""Where bodies are over samples, and what a joint's coordinates are there; the plane as z = 0 of space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.geometry import in_space, matrix_of, perpendicular, quaternion_of, turn_matrix
from routh.model.body import GROUND
from routh.model.joints import (
    Cylindrical,
    Joint,
    PinInSlot,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
)

__all__ = ["Poses", "ball_values", "relative"]


class Poses:
    """Body states (n, n_node, 9 or 19), as `read_body` orders them, by the names of bodies."""

    def __init__(self, compiled: Compiled, body: np.ndarray) -> None:
        self.compiled, self.body = compiled, body

    def pose(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Position (n, 3) of the mass centre and rotation (n, 3, 3), the plane as z = 0."""
        n = len(self.body)
        if body == GROUND:
            return np.zeros((n, 3)), np.broadcast_to(np.eye(3), (n, 3, 3))
        state = self.body[:, self.compiled.bodies[body].node]
        if not self.compiled.planar:
            return state[:, :3], rotations(state[:, 3:7])
        c, s, o, i = np.cos(state[:, 2]), np.sin(state[:, 2]), np.zeros(n), np.ones(n)
        R = np.stack([c, -s, o, s, c, o, o, o, i], axis=-1).reshape(n, 3, 3)
        return np.column_stack([state[:, 0], state[:, 1], o]), R

    def point(self, body: str, point: Sequence[float]) -> np.ndarray:
        """World position (n, 3) of a point of a body."""
        x, R = self.pose(body)
        return x + R @ in_space(point)

    def spin(self, body: str) -> np.ndarray:
        """Angular velocity (n, 3), world axes."""
        if body == GROUND:
            return np.zeros((len(self.body), 3))
        state = self.body[:, self.compiled.bodies[body].node]
        if self.compiled.planar:
            return np.column_stack([np.zeros((len(self.body), 2)), state[:, 5]])
        return state[:, 10:13]

    def velocity(self, body: str, at: np.ndarray) -> np.ndarray:
        """Velocity (n, 3) of the body-fixed point that is at the world position `at`."""
        if body == GROUND:
            return np.zeros((len(self.body), 3))
        state = self.body[:, self.compiled.bodies[body].node]
        v = np.column_stack([state[:, 3:5], np.zeros(len(self.body))]) if self.compiled.planar else state[:, 7:10]
        return v + np.cross(self.spin(body), at - self.pose(body)[0])


def rotations(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = q.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1).reshape(-1, 3, 3)


def ball_values(compiled: Compiled, joint: Joint, reverse: bool, q: np.ndarray, u: np.ndarray) -> tuple[Any, Any]:
    """Quaternion and angular velocity of b relative to a (b's axes) of a ball joint; also over samples (last axis)."""
    iq, iu = compiled.coordinates[joint.name, 0]
    p, w = q[..., iq:iq + 4], u[..., iu:iu + 3]
    if not reverse:
        return p, w
    conjugate = p * np.array([1.0, -1.0, -1.0, -1.0])
    turned = np.array([-matrix_of(a) @ b for a, b in zip(p.reshape(-1, 4), w.reshape(-1, 3), strict=True)])
    return conjugate, turned.reshape(w.shape)


def relative(seen: Poses, joint: Joint) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Coordinates and rates of a joint that closes a loop, from the poses of its bodies."""
    _, Ra = seen.pose(joint.a)
    _, Rb = seen.pose(joint.b)
    at = seen.point(joint.b, joint.point_b)
    d = np.einsum("nji,nj->ni", Ra, at - seen.point(joint.a, joint.point_a))
    v = np.einsum("nji,nj->ni", Ra, seen.velocity(joint.b, at) - seen.velocity(joint.a, at))
    w = np.einsum("nji,nj->ni", Ra, seen.spin(joint.b) - seen.spin(joint.a))
    turn = turn_matrix(getattr(joint, "turn", None))
    relative = np.einsum("nji,njk->nik", Ra, Rb)
    axis = getattr(joint, "axis", None)
    e = in_space(axis) if axis is not None else np.array([0.0, 0.0, 1.0])

    def angle(about: np.ndarray) -> np.ndarray:
        s, t = perpendicular(about)
        x = relative @ turn.T @ s
        return np.unwrap(np.arctan2(x @ t, x @ s))

    match joint:
        case Revolute() | Screw():
            return [angle(e)], [w @ e]
        case Prismatic():
            return [d @ e], [v @ e]
        case PinInSlot():
            z = np.array([0.0, 0.0, 1.0])
            return [d @ e, angle(z)], [v @ e, w @ z]
        case Cylindrical():
            return [d @ e, angle(e)], [v @ e, w @ e]
        case Planar():
            s, t = perpendicular(e, joint.tangent)
            return [d @ s, d @ t, angle(e)], [v @ s, v @ t, w @ e]
        case Universal():
            return _universal(joint, relative, w, turn, e)
        case Spherical():
            p = np.array([quaternion_of(R) for R in relative])
            return list(p.T), list(np.einsum("nji,nj->ni", relative, w).T)
    return [], []


def _universal(joint: Universal, relative: np.ndarray, w: np.ndarray, turn: np.ndarray,
               e: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    second = in_space(joint.axis_b or ())
    g0, g = turn @ second, relative @ second       # the second axis at zero and now, in a's axes
    s = g0 - e * (e @ g0)
    s /= np.linalg.norm(s)
    angle1 = np.unwrap(np.arctan2(g @ np.cross(e, s), g @ s))
    # the first axis seen from b, against where it is at zero
    h0 = turn.T @ e
    h = np.einsum("nji,j->ni", relative, e)
    r = h0 - second * (second @ h0)
    r /= np.linalg.norm(r)
    angle2 = -np.unwrap(np.arctan2(h @ np.cross(second, r), h @ r))
    cosine = g @ e
    rate2 = ((w * g).sum(axis=1) - cosine * (w @ e)) / (1.0 - cosine**2)
    return [angle1, angle2], [w @ e - cosine * rate2, rate2]
