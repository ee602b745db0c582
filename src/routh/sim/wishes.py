"""What a start says, as numbers: residuals of coordinates and rows of speeds that an assembly can work on.

Joints of the tree are told their coordinates outright. All else is a wish: the pose of a body, or the coordinates of a joint
that closes a loop (the user need not know which joint closes a loop).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.compiler.geometry import matrix_of, quaternion_of
from routh.compiler.machine import Machine
from routh.errors import StateError, did_you_mean
from routh.model.joints import Joint
from routh.model.state import State
from routh.sim.poses import Poses, relative

__all__ = ["PLANE_POSE", "PLANE_SPEED", "SPACE_POSE", "SPACE_SPEED", "Wish", "Wishes"]

PLANE_POSE = {"x": 0, "y": 1, "theta": 2}
PLANE_SPEED = {"vx": 3, "vy": 4, "omega": 5}
SPACE_POSE = {"x": 0, "y": 1, "z": 2}
SPACE_SPEED = {"vx": 7, "vy": 8, "vz": 9, "wx": 10, "wy": 11, "wz": 12}
TURN = 3              # first of the three slots that stand for an orientation in space


@dataclass(frozen=True)
class Wish:
    """One number that should come out: entry `slot` of a body's pose, or a coordinate of a closing joint."""

    name: str
    key: str
    value: float
    slot: int


class Wishes:
    """The wishes of one start."""

    def __init__(self, machine: Machine, start: State) -> None:
        self.machine, self.compiled, self.start = machine, machine.compiled, start
        self.planar = self.compiled.planar
        self.joints = {j.name: j for j in self.compiled.model.joints if isinstance(j, Joint)}
        self.in_tree = {b.joint.name: b.reversed for b in self.compiled.tree.branches if b.joint is not None}
        self._check()
        self.of_body = {name: self._body(name, values) for name, values in start.items() if name not in self.joints}
        self.of_joint = {name: [Wish(name, k, values[k], i) for i, k in enumerate(self.joints[name].coordinates) if k in values]
                         for name, values in start.items() if name in self.joints and name not in self.in_tree}
        self.all = [w for group in (self.of_body, self.of_joint) for wishes in group.values() for w in wishes]

    def _check(self) -> None:
        known = [b.name for b in self.compiled.model.bodies] + list(self.joints)
        pose = (PLANE_POSE | PLANE_SPEED) if self.planar else (
            SPACE_POSE | SPACE_SPEED | {"q": 0, "omega": 0, "omega_body": 0})
        for name, values in self.start.items():
            if name not in known:
                raise StateError(f'start: no body or joint "{name}"' + did_you_mean(name, known))
            joint = self.joints.get(name)
            keys = list(pose) if joint is None else [*joint.coordinates, *joint.rates()]
            for key, value in values.items():
                if key not in keys:
                    raise StateError(f'start of "{name}": no quantity "{key}"' + did_you_mean(key, keys))
                size = {"q": 4, "omega": 3, "omega_body": 3}.get(key) if not self.planar and joint is None else None
                if (len(value) if isinstance(value, tuple) else None) != size:
                    raise StateError(f'start of "{name}": {key} = {value} must be '
                                     + (f"{size} numbers" if size else "one number"))
            if joint is not None and joint.speeds:
                self._check_ball(joint, values)

    def _check_ball(self, joint: Joint, values: Mapping[str, Any]) -> None:
        given = [values[k] for k in joint.coordinates if k in values]
        if 0 < len(given) < 4:
            raise StateError(f'start of "{joint.name}": give all of qw, qx, qy, qz or none')
        if given:
            _check_unit(joint.name, given)

    def _body(self, name: str, values: Mapping[str, Any]) -> list[Wish]:
        keys = PLANE_POSE if self.planar else SPACE_POSE
        wishes = [Wish(name, k, values[k], i) for k, i in keys.items() if k in values]
        if not self.planar and "q" in values:
            _check_unit(name, values["q"])
            wishes += [Wish(name, "q", 0.0, TURN + j) for j in range(3)]
        return wishes

    def body_residual(self, name: str, q: np.ndarray) -> np.ndarray:
        """What one body's pose lacks of its wishes."""
        return self._residual_of(self.of_body[name], self.machine.place(q)[self.compiled.bodies[name].node])

    def _residual_of(self, wishes: list[Wish], row: np.ndarray) -> np.ndarray:
        out = np.array([w.value - row[w.slot] if w.key != "q" else 0.0 for w in wishes])
        turns = [n for n, w in enumerate(wishes) if w.key == "q"]
        if turns:
            out[turns] = _rotation_between(row[3:7], self.start[wishes[0].name]["q"])
        return out

    def body_slots(self, name: str) -> list[int]:
        """Where a body's state holds the rates of its wishes."""
        if self.planar:
            return [w.slot + 3 for w in self.of_body[name]]
        return [w.slot + 7 for w in self.of_body[name]]

    def residual(self, q: np.ndarray) -> np.ndarray:
        """What is lacking of every wish."""
        bodies = self.machine.place(q)
        out = [self._residual_of(wishes, bodies[self.compiled.bodies[name].node]) for name, wishes in self.of_body.items()]
        seen = Poses(self.compiled, bodies[None])
        for name, wishes in self.of_joint.items():
            now = relative(seen, self.joints[name])[0]
            lack = np.array([w.value - now[w.slot][0] for w in wishes])
            if self.joints[name].speeds and wishes:
                lack = _nearest_sign(np.array([w.value for w in wishes]), np.array([x[0] for x in now]))
            turns = np.array(["angle" in w.key for w in wishes], bool)
            out.append(np.where(turns, (lack + np.pi) % (2.0 * np.pi) - np.pi, lack))
        return np.concatenate(out) if out else np.zeros(0)

    def partials(self, q: np.ndarray, bodies: np.ndarray) -> np.ndarray:
        """Rates of what the wishes are about with respect to every speed; `bodies` are the bodies' partial velocities."""
        out = [bodies[:, self.compiled.bodies[name].node, self.body_slots(name)].T for name in self.of_body]
        seen = Poses(self.compiled, bodies)
        for name, wishes in self.of_joint.items():
            joint = self.joints[name]
            if joint.speeds:
                out.append(_quaternion_partials(*relative(seen, joint))[: len(wishes)])
            else:
                rates = relative(seen, joint)[1]
                out.append(np.array([rates[w.slot] for w in wishes]).reshape(len(wishes), -1))
        return np.concatenate(out) if out else np.zeros((0, self.compiled.n_u))

    def speed_rows(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Rows G, values and names such that G u = values is what the start says of speeds."""
        n_u = self.compiled.n_u
        rows: list[np.ndarray] = []
        values: list[float] = []
        names: list[str] = []
        bodies = None
        for name, given in self.start.items():
            wanted = self._joint_speeds(name, given, q) if name in self.in_tree else []
            if name not in self.in_tree and (set(given) - {*PLANE_POSE, *SPACE_POSE, "q"}):
                bodies = self.machine.partials(q)[0] if bodies is None else bodies
                wanted = self._other_speeds(name, given, q, bodies)
            for key, row, value in wanted:
                rows.append(row)
                values.append(value)
                names.append(f'"{name}.{key}"')
        return np.array(rows).reshape(len(rows), n_u), np.array(values), names

    def _joint_speeds(self, name: str, given: Mapping[str, Any], q: np.ndarray) -> list[tuple[str, np.ndarray, float]]:
        joint, wanted = self.joints[name], []
        for k, rate in enumerate(joint.rates()):
            if rate in given:
                row = np.zeros(self.compiled.n_u)
                if joint.speeds:
                    iq, iu = self.compiled.coordinates[name, 0]
                    row[iu:iu + 3] = (-matrix_of(q[iq:iq + 4]) if self.in_tree[name] else np.eye(3))[k]
                else:
                    row[self.compiled.coordinates[name, k][1]] = 1.0
                wanted.append((rate, row, given[rate]))
        return wanted

    def _other_speeds(self, name: str, given: Mapping[str, Any], q: np.ndarray,
                      bodies: np.ndarray) -> list[tuple[str, np.ndarray, float]]:
        if name in self.joints:
            rates = relative(Poses(self.compiled, bodies), self.joints[name])[1]
            return [(k, np.asarray(rates[i]), given[k]) for i, k in enumerate(self.joints[name].rates()) if k in given]
        node = self.compiled.bodies[name].node
        keys = PLANE_SPEED if self.planar else SPACE_SPEED
        wanted = [(k, bodies[:, node, i], given[k]) for k, i in keys.items() if k in given]
        for key in ("omega", "omega_body") if not self.planar else ():
            if key in given:
                R = matrix_of(self.machine.place(q)[node][3:7]) if key == "omega_body" else np.eye(3)
                spin = R @ np.array(given[key])
                wanted += [(key, bodies[:, node, 10 + j], float(spin[j])) for j in range(3)]
        return wanted


def _check_unit(name: str, q: Any) -> None:
    length = float(np.linalg.norm(q))
    if not 0.999 < length < 1.001:
        raise StateError(f'start of "{name}": its quaternion has length {length:.6g}, not 1')


def _rotation_between(now: np.ndarray, wanted: Any) -> np.ndarray:
    """The rotation vector, in world axes, that turns one orientation into another."""
    p = quaternion_of(matrix_of(wanted) @ matrix_of(now).T)
    size = float(np.linalg.norm(p[1:]))
    return p[1:] * (2.0 if size < 1e-12 else 2.0 * np.arctan2(size, p[0]) / size)


def _nearest_sign(wanted: np.ndarray, now: np.ndarray) -> np.ndarray:
    """Difference of two quaternions, of which either sign means the same."""
    return wanted - now if wanted @ now >= 0.0 else -wanted - now


def _quaternion_partials(q: list[np.ndarray], w: list[np.ndarray]) -> np.ndarray:
    """Rates of a quaternion for rates w of the angular velocity in b's axes."""
    a, b, c, d = q
    x, y, z = w
    return 0.5 * np.array([-b * x - c * y - d * z, a * x + c * z - d * y, a * y + d * x - b * z, a * z + b * y - c * x])
