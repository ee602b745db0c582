"""Names for what was observed: every channel of a Result, with its unit."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.geometry import in_space, perpendicular, turn_matrix
from routh.model import forces as f
from routh.model.body import GROUND
from routh.model.joints import (
    Coupling,
    Cylindrical,
    Free,
    Joint,
    PinInSlot,
    Planar,
    Prismatic,
    Revolute,
    Rod,
    Screw,
    Spherical,
    Universal,
)
from routh.sim.assembly import ball_values

__all__ = ["Channel", "Observed", "channels_of"]

PLANE = {"x": "m", "y": "m", "theta": "rad", "vx": "m/s", "vy": "m/s", "omega": "rad/s",
         "ax": "m/s²", "ay": "m/s²", "alpha": "rad/s²"}
SPACE = {"x": "m", "y": "m", "z": "m", "qw": "", "qx": "", "qy": "", "qz": "", "vx": "m/s", "vy": "m/s", "vz": "m/s",
         "wx": "rad/s", "wy": "rad/s", "wz": "rad/s", "ax": "m/s²", "ay": "m/s²", "az": "m/s²",
         "alphax": "rad/s²", "alphay": "rad/s²", "alphaz": "rad/s²"}

Channel = tuple[np.ndarray, str]
"""Values with a leading time axis, and their unit."""


class Observed:
    """The raw arrays of an observation, a row per sample."""

    def __init__(self, compiled: Compiled, t: np.ndarray, y: np.ndarray, **arrays: np.ndarray) -> None:
        self.compiled, self.t = compiled, t
        self.q, self.u = y[:, : compiled.n_q], y[:, compiled.n_q: compiled.n_q + compiled.n_u]
        self.works = y[:, compiled.n_q + compiled.n_u:]
        self.body, self.joint, self.row = arrays["body"], arrays["joint"], arrays["row"]
        self.drive, self.reading, self.energy = arrays["drive"], arrays["reading"], arrays["energy"]

    def pose(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Position (n, 3) of the mass centre and rotation (n, 3, 3), the plane as z = 0."""
        n = len(self.t)
        if body == GROUND:
            return np.zeros((n, 3)), np.broadcast_to(np.eye(3), (n, 3, 3))
        state = self.body[:, self.compiled.bodies[body].node]
        if not self.compiled.planar:
            return state[:, :3], rotations(state[:, 3:7])
        c, s, o, i = np.cos(state[:, 2]), np.sin(state[:, 2]), np.zeros(n), np.ones(n)
        R = np.stack([c, -s, o, s, c, o, o, o, i], axis=-1).reshape(n, 3, 3)
        return np.column_stack([state[:, 0], state[:, 1], o]), R

    def point(self, body: str, point: tuple[float, ...]) -> np.ndarray:
        """World position (n, 3) of a point of a body."""
        x, R = self.pose(body)
        return x + R @ in_space(point)

    def spin(self, body: str) -> np.ndarray:
        """Angular velocity (n, 3), world axes."""
        if body == GROUND:
            return np.zeros((len(self.t), 3))
        state = self.body[:, self.compiled.bodies[body].node]
        if self.compiled.planar:
            return np.column_stack([np.zeros((len(self.t), 2)), state[:, 5]])
        return state[:, 10:13]

    def velocity(self, body: str, at: np.ndarray) -> np.ndarray:
        """Velocity (n, 3) of the body-fixed point that is at the world position `at`."""
        if body == GROUND:
            return np.zeros((len(self.t), 3))
        state = self.body[:, self.compiled.bodies[body].node]
        v = np.column_stack([state[:, 3:5], np.zeros(len(self.t))]) if self.compiled.planar else state[:, 7:10]
        return v + np.cross(self.spin(body), at - self.pose(body)[0])


def rotations(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = q.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1).reshape(-1, 3, 3)


def channels_of(seen: Observed) -> dict[str, Channel]:
    """Every channel by name."""
    compiled = seen.compiled
    out: dict[str, Channel] = {}
    for body in compiled.model.bodies:
        state = seen.body[:, compiled.bodies[body.name].node]
        for i, (key, unit) in enumerate((PLANE if compiled.planar else SPACE).items()):
            out[f"{body.name}.{key}"] = (state[:, i], unit)
    branches = {b.joint.name: b for b in compiled.tree.branches if b.joint is not None}
    for joint in compiled.model.joints:
        if isinstance(joint, Coupling):
            i = compiled.row_owner.index(joint.name)
            out[f"{joint.name}.force"] = (seen.row[:, i, 0], "N or N m")
        elif joint.name in branches:
            _tree_joint(out, seen, joint, branches[joint.name].reversed)
        elif not isinstance(joint, Free):
            _loop_joint(out, seen, joint)
    for i, driver in enumerate(compiled.model.drivers):
        joint, k = compiled.model.coordinate(driver.where, driver.coordinate)
        out[f"{driver.name}.force"] = (seen.drive[:, i], "N m" if "angle" in joint.coordinates[k] else "N")
    for i, force in enumerate(compiled.model.forces):
        if isinstance(force, f.LineForce):
            out[f"{force.name}.length"] = (seen.reading[:, i, 0], "m")
            out[f"{force.name}.force"] = (seen.reading[:, i, 1], "N")
        elif isinstance(force, f.JointForce):
            joint, k = compiled.model.coordinate(force.where, force.coordinate)
            out[f"{force.name}.force"] = (seen.reading[:, i, 1], "N m" if "angle" in joint.coordinates[k] else "N")
    return out


def _unit(coordinate: str) -> str:
    return "rad" if "angle" in coordinate else ("m" if "shift" in coordinate else "")


def _put_coordinates(out: dict[str, Channel], joint: Joint, q: Any, u: Any) -> None:
    for k, name in enumerate(joint.coordinates):
        out[f"{joint.name}.{name}"] = (q[k], _unit(name))
    for k, name in enumerate(joint.rates()):
        out[f"{joint.name}.{name}"] = (u[k], (_unit(joint.coordinates[k]) if not joint.speeds else "rad") + "/s")


def _put_reaction(out: dict[str, Channel], name: str, force: np.ndarray, moment: np.ndarray, planar: bool) -> None:
    out[f"{name}.reaction"] = (force[:, :2] if planar else force, "N")
    out[f"{name}.reaction_moment"] = (moment[:, 2] if planar else moment, "N m")


def _tree_joint(out: dict[str, Channel], seen: Observed, joint: Joint, against: bool) -> None:
    compiled = seen.compiled
    if joint.speeds:
        p, w = ball_values(compiled, joint, against, seen.q, seen.u)
        _put_coordinates(out, joint, p.T, w.T)
    else:
        index = [compiled.coordinates[joint.name, k] for k in range(len(joint.coordinates))]
        _put_coordinates(out, joint, [seen.q[:, i] for i, _ in index], [seen.u[:, i] for _, i in index])
    wrench = seen.joint[:, compiled.joint_nodes[joint.name][-1]]
    if compiled.planar:
        o = np.zeros(len(seen.t))
        force, moment = np.column_stack([wrench[:, :2], o]), np.column_stack([o, o, wrench[:, 2]])
    else:
        force, moment = wrench[:, :3], wrench[:, 3:]
    if against:
        # the wrench on a at its point, turned into the one on b at b's point
        arm = seen.point(joint.a, joint.point_a) - seen.point(joint.b, joint.point_b)
        force, moment = -force, -(moment + np.cross(arm, force))
    _put_reaction(out, joint.name, force, moment, compiled.planar)


def _loop_joint(out: dict[str, Channel], seen: Observed, joint: Joint) -> None:
    compiled = seen.compiled
    rows = [i for i, name in enumerate(compiled.row_owner) if name == joint.name]
    total = seen.row[:, rows].sum(axis=1)
    if compiled.planar:
        o = np.zeros(len(seen.t))
        force, moment = np.column_stack([total[:, :2], o]), np.column_stack([o, o, total[:, 2]])
    else:
        force, moment = total[:, :3], total[:, 3:]
    _put_reaction(out, joint.name, force, moment, compiled.planar)
    if isinstance(joint, Rod):
        line = seen.point(joint.a, joint.point_a) - seen.point(joint.b, joint.point_b)
        out[f"{joint.name}.tension"] = ((force * line).sum(axis=1) / joint.length, "N")
        return
    q, u = _relative(seen, joint)
    _put_coordinates(out, joint, q, u)


def _relative(seen: Observed, joint: Joint) -> tuple[list[np.ndarray], list[np.ndarray]]:
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
            from routh.compiler.geometry import quaternion_of

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
