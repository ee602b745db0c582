"""From what a start says to consistent coordinates and speeds.

Coordinates: what joints say is taken as said; what bodies say is fitted joint by joint, outward; loops are closed by Newton's
method, first moving only what nobody gave. Speeds: one linear least-squares problem. What then contradicts is named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.compiler.geometry import matrix_of, quaternion_of
from routh.errors import StateError, did_you_mean
from routh.model import checks
from routh.model.joints import Joint
from routh.model.model import Model
from routh.model.state import State
from routh.sim.kernels import Machine
from routh.sim.poses import Poses, ball_values, relative

__all__ = ["assemble", "assemble_arrays", "state_of"]

CLOSED = 1e-12        # loop residual that counts as closed [m or rad]
NEAR = 1e-3           # given values may be this far off (rounded digits) and are then corrected
SPEED_NEAR = 1e-6     # likewise for speeds, relative to the largest given

PLANE_POSE = {"x": 0, "y": 1, "theta": 2}
PLANE_SPEED = {"vx": 3, "vy": 4, "omega": 5}
SPACE_POSE = {"x": 0, "y": 1, "z": 2}
SPACE_SPEED = {"vx": 7, "vy": 8, "vz": 9, "wx": 10, "wy": 11, "wz": 12}


@dataclass
class _Given:
    """One given number: of a speed k (coordinate or rate), or of entry `slot` of a body's state."""

    where: str
    key: str
    value: float
    slot: int


def assemble(model: Model | Compiled, start: State | None = None, t: float = 0.0) -> State:
    """A complete, consistent State near an approximate start; given values move as little as the loops allow.

    Raises StateError with the joint and its residual where no assembly is found.
    """
    machine = Machine(model if isinstance(model, Compiled) else compile_model(model))
    q, u = assemble_arrays(machine, start, t, keep=False)
    return state_of(machine, q, u)


def assemble_arrays(machine: Machine, start: State | None, t: float, keep: bool) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and speeds of a start. `keep`: values given must be met (to their digits), else StateError."""
    t = checks.number("start", "t", t)
    start = start if isinstance(start, State) else State(start)
    assembly = _Assembly(machine, start, t, keep)
    q = assembly.coordinates()
    u = assembly.speeds(q)
    return q, u


def state_of(machine: Machine, q: np.ndarray, u: np.ndarray) -> State:
    """The State that says everything: every joint's coordinates and rates, every free body's pose and velocity."""
    compiled = machine.compiled
    entries: dict[str, dict[str, Any]] = {}
    bodies = machine.place(q, u)
    for branch in compiled.tree.branches:
        row = bodies[compiled.bodies[branch.child].node]
        if branch.joint is None:
            if compiled.planar:
                entries[branch.child] = {k: float(row[i]) for k, i in (PLANE_POSE | PLANE_SPEED).items()}
            else:
                entries[branch.child] = {k: float(row[i]) for k, i in SPACE_POSE.items()}
                entries[branch.child] |= {"q": tuple(map(float, row[3:7])), "vx": float(row[7]), "vy": float(row[8]),
                                          "vz": float(row[9]), "omega": tuple(map(float, row[10:13]))}
            continue
        joint = branch.joint
        values: dict[str, Any] = {}
        if joint.speeds:
            coordinates, rates = ball_values(compiled, joint, branch.reversed, q, u)
            values = dict(zip(joint.coordinates, map(float, coordinates), strict=True))
            values |= dict(zip(joint.speeds, map(float, rates), strict=True))
        else:
            for k, name in enumerate(joint.coordinates):
                iq, iu = compiled.coordinates[joint.name, k]
                values[name], values[f"{name}_rate"] = float(q[iq]), float(u[iu])
        if values:
            entries[joint.name] = values
    return State(entries)


class _Assembly:
    """One assembly of one start."""

    def __init__(self, machine: Machine, start: State, t: float, keep: bool) -> None:
        self.machine, self.compiled, self.start, self.t, self.keep = machine, machine.compiled, start, t, keep
        self.model = self.compiled.model
        self.reversed = {b.joint.name: b.reversed for b in self.compiled.tree.branches if b.joint is not None}
        self.joints = {j.name: j for j in self.model.joints if isinstance(j, Joint)}
        self._check_names()
        self.fixed = np.zeros(self.compiled.n_u, bool)  # speeds whose coordinates were given

    def _check_names(self) -> None:
        known = [b.name for b in self.model.bodies] + list(self.joints)
        pose = (PLANE_POSE | PLANE_SPEED) if self.compiled.planar else (
            SPACE_POSE | SPACE_SPEED | {"q": 0, "omega": 0, "omega_body": 0})
        for name, values in self.start.items():
            if name not in known:
                raise StateError(f'start: no body or joint "{name}"' + did_you_mean(name, known))
            joint = self.joints.get(name)
            keys = list(pose) if joint is None else [*joint.coordinates, *joint.rates()]
            for key, value in values.items():
                if key not in keys:
                    raise StateError(f'start of "{name}": no quantity "{key}"' + did_you_mean(key, keys))
                size = {"q": 4, "omega": 3, "omega_body": 3}.get(key) if not self.compiled.planar else None
                if (len(value) if isinstance(value, tuple) else None) != (size if joint is None else None):
                    raise StateError(f'start of "{name}": {key} = {value} must be '
                                     + (f"{size} numbers" if size and joint is None else "one number"))
            if joint is not None and name not in self.reversed and values:
                raise StateError(f'start of "{name}": this joint closes a loop, and its coordinates follow from the others; '
                                 "give those of the bodies or of other joints")

    # coordinates -------------------------------------------------------------------------------------------------

    def coordinates(self) -> np.ndarray:
        q = np.zeros(self.compiled.n_q)
        system = self.machine.system
        for node in system.node[1:]:
            if not self.compiled.planar and node["n_u"] > 1:
                q[node["iq"] + node["n_u"] - 3] = 1.0  # unit quaternion after what comes before it
        self.machine.set_time(self.t, q, np.zeros(self.compiled.n_u))
        self.fixed |= self.machine.driven()
        for branch in self.compiled.tree.branches:
            if branch.joint is not None:
                self._take_joint(branch.joint, q)
            if branch.child in self.start:
                self._take_body(branch, q)
        if system.row.size:
            q = self._close(q)
        return q

    def _take_joint(self, joint: Joint, q: np.ndarray) -> None:
        values = self.start.get(joint.name, {})
        given = [k for k in joint.coordinates if k in values]
        if not given:
            return
        if joint.speeds:
            if len(given) < 4:
                raise StateError(f'start of "{joint.name}": give all of qw, qx, qy, qz or none')
            p = np.array([values[k] for k in joint.coordinates])
            if not 0.999 < np.linalg.norm(p) < 1.001:
                raise StateError(f'start of "{joint.name}": its quaternion has length {np.linalg.norm(p):.6g}, not 1')
            iq, iu = self.compiled.coordinates[joint.name, 0]
            p /= np.linalg.norm(p)
            q[iq:iq + 4] = p * ([1, -1, -1, -1] if self.reversed[joint.name] else [1, 1, 1, 1])
            self.fixed[iu:iu + 3] = True
            return
        for k in given:
            iq, iu = self.compiled.coordinates[joint.name, joint.coordinates.index(k)]
            if iu in self.machine.system.driver["iu"]:
                if abs(q[iq] - values[k]) > NEAR:
                    raise StateError(f'start of "{joint.name}": {k} = {values[k]:g} is given, but its driver says {q[iq]:g}')
                continue
            q[iq] = values[k]
            self.fixed[iu] = True

    def _take_body(self, branch: Any, q: np.ndarray) -> None:
        """Fit the coordinates of one branch to what is said of its body's pose."""
        given = self._pose_given(branch.child)
        if not given:
            return
        node = self.compiled.bodies[branch.child].node
        nodes = [node] if branch.joint is None else self.compiled.joint_nodes[branch.joint.name]
        speeds = [k for i in nodes for k in range(self.machine.system.node[i]["iu"],
                                                   self.machine.system.node[i]["iu"] + self.machine.system.node[i]["n_u"])
                  if not self.fixed[k]]
        if speeds:
            self._fit(node, given, speeds, q)
            self.fixed[speeds] = True
        left = self._pose_residual(node, given, q)
        worst = int(np.argmax(np.abs(left)))
        if self.keep and abs(left[worst]) > NEAR:
            what = "its free coordinates" if branch.joint is None else f'joint "{branch.joint.name}"'
            raise StateError(f'start of "{branch.child}": {given[worst].key} = {given[worst].value:g} contradicts {what} by '
                             f"{abs(left[worst]):.6g}; use rt.assemble for a start that is only approximate")

    def _pose_given(self, body: str) -> list[_Given]:
        values = self.start[body]
        keys = PLANE_POSE if self.compiled.planar else SPACE_POSE
        given = [_Given(body, k, values[k], i) for k, i in keys.items() if k in values]
        if not self.compiled.planar and "q" in values:
            length = np.linalg.norm(values["q"])
            if not 0.999 < length < 1.001:
                raise StateError(f'start of "{body}": its quaternion has length {length:.6g}, not 1')
            given += [_Given(body, "q", 0.0, 3 + j) for j in range(3)]
        return given

    def _pose_residual(self, node: int, given: list[_Given], q: np.ndarray) -> np.ndarray:
        row = self.machine.place(q)[node]
        out = np.zeros(len(given))
        spin = None
        for n, g in enumerate(given):
            if g.key == "q":
                if spin is None:
                    wanted = matrix_of(self.start[g.where]["q"])
                    p = quaternion_of(wanted @ matrix_of(row[3:7]).T)
                    size = np.linalg.norm(p[1:])
                    spin = p[1:] * (2.0 if size < 1e-12 else 2.0 * np.arctan2(size, p[0]) / size)
                out[n] = spin[g.slot - 3]
            else:
                out[n] = g.value - row[g.slot]
        return out

    def _fit(self, node: int, given: list[_Given], speeds: list[int], q: np.ndarray) -> None:
        """Gauss-Newton on a few coordinates; partial velocities by the kernels."""
        n_u = self.compiled.n_u
        slots = [(g.slot if self.compiled.planar or g.key != "q" else g.slot + 7) for g in given]
        rates = [s + 3 if self.compiled.planar else (s + 7 if s < 3 else s) for s in slots]
        for _ in range(50):
            left = self._pose_residual(node, given, q)
            J = np.zeros((len(given), len(speeds)))
            for c, k in enumerate(speeds):
                e = np.zeros(n_u)
                e[k] = 1.0
                J[:, c] = self.machine.place(q, e)[node][rates]
            step = np.zeros(n_u)
            step[speeds] = np.linalg.lstsq(J, left, rcond=1e-9)[0]
            q[:] = self.machine.displaced(q, step)
            if np.abs(step).max() < 1e-14 * (1.0 + np.abs(q).max()):
                break

    def _close(self, q: np.ndarray) -> np.ndarray:
        """Close the loops by moving what was not given; then, if need and permission be, everything."""
        driven = self.machine.driven()
        q1, left = self._newton(q, ~self.fixed)
        if np.abs(left).max() > CLOSED:
            near = np.abs(left).max() <= NEAR
            if near or not self.keep:
                q1, left = self._newton(q1 if near else q, ~driven)
        worst = int(np.argmax(np.abs(left)))
        if np.abs(left[worst]) > 1e3 * CLOSED:
            name = self.compiled.row_owner[worst]
            hint = "rt.assemble also moves the values given" if self.keep else "no configuration near the start closes it"
            raise StateError(f'joint "{name}" cannot be assembled: residual {abs(left[worst]):.6g}; {hint}')
        return q1

    def _newton(self, q: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Damped Gauss-Newton with steps of least norm; a few shaken starts where it stalls at a singular position."""
        u = np.zeros(self.compiled.n_u)
        best = (q, self.machine.violations(q, u)[0])
        if not free.any():
            return best
        random = np.random.default_rng(0)
        for trial in range(8):
            start = q
            if trial:
                shake = np.where(free, random.normal(scale=0.03 * 2.0**trial, size=u.size), 0.0)
                start = self.machine.displaced(q, shake)
            found, left = self._newton_from(start, free)
            if np.abs(left).max() < np.abs(best[1]).max():
                best = (found, left)
            if np.abs(best[1]).max() <= CLOSED:
                break
        return best

    def _newton_from(self, q: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        u = np.zeros(self.compiled.n_u)
        left = self.machine.violations(q, u)[0]
        for _ in range(60):
            size = np.abs(left).max()
            if size <= 1e-15:
                break
            J = self.machine.partials(q)[1][:, free]
            if not np.isfinite(J).all():
                break  # the ends of a rod coincide: it has no direction here, but a shaken start has one
            step = np.zeros(u.size)
            step[free] = -np.linalg.lstsq(J, left, rcond=1e-10)[0]
            step *= min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))
            for _ in range(12):
                q_new = self.machine.displaced(q, step)
                left_new = self.machine.violations(q_new, u)[0]
                if np.linalg.norm(left_new) < np.linalg.norm(left):
                    break
                step *= 0.5
            else:
                break
            q, left = q_new, left_new
        return q, left

    # speeds ------------------------------------------------------------------------------------------------------

    def speeds(self, q: np.ndarray) -> np.ndarray:
        """Speeds that meet what is given and keep the loops closed; the rest of least norm."""
        machine, n_u = self.machine, self.compiled.n_u
        u = np.zeros(n_u)
        machine.set_time(self.t, q, u)
        driven = machine.driven()
        rows, values, names = self._speed_rows(q)
        if not rows and not machine.system.row.size:
            return u
        G = np.array(rows).reshape(len(rows), n_u)
        J = machine.partials(q)[1] if machine.system.row.size else np.zeros((0, n_u))
        K = np.vstack([G, J])
        want = np.concatenate([values, np.zeros(len(J))]) - K @ u
        K[:, driven] = 0.0
        u = u + np.linalg.lstsq(K, want, rcond=1e-12)[0]

        scale = max(1.0, np.abs(values).max() if len(values) else 0.0)
        left = np.concatenate([G @ u - values, J @ u])
        worst = int(np.argmax(np.abs(left))) if left.size else 0
        if left.size and abs(left[worst]) > SPEED_NEAR * scale:
            name = names[worst] if worst < len(names) else f'joint "{self.compiled.row_owner[worst - len(names)]}"'
            if self.keep:
                raise StateError(f"start: the speeds contradict each other: {name} is off by {abs(left[worst]):.6g} in the "
                                 "best fit; use rt.assemble for a start that is only approximate")
        if left.size and J.size and np.abs(J @ u).max() > 0.0:
            J = J.copy()
            J[:, driven] = 0.0
            u -= np.linalg.lstsq(J, machine.violations(q, u)[1], rcond=1e-10)[0]
            rate = machine.violations(q, u)[1]
            worst = int(np.argmax(np.abs(rate)))
            if abs(rate[worst]) > 1e-9 * scale:
                raise StateError(f'joint "{self.compiled.row_owner[worst]}" cannot move as its drivers demand: rate '
                                 f"{abs(rate[worst]):.6g} is left")
        return u

    def _speed_rows(self, q: np.ndarray) -> tuple[list[np.ndarray], np.ndarray, list[str]]:
        rows: list[np.ndarray] = []
        values: list[float] = []
        names: list[str] = []
        n_u = self.compiled.n_u
        partials = None
        for name, given in self.start.items():
            if name in self.joints:
                joint = self.joints[name]
                for k, rate in enumerate(joint.rates()):
                    if rate in given:
                        e = np.zeros(n_u)
                        if joint.speeds:
                            iq, iu = self.compiled.coordinates[name, 0]
                            R = -matrix_of(q[iq:iq + 4]) if self.reversed[name] else np.eye(3)
                            e[iu:iu + 3] = R[k]
                        else:
                            e[self.compiled.coordinates[name, k][1]] = 1.0
                        rows.append(e)
                        values.append(given[rate])
                        names.append(f'"{name}.{rate}"')
                continue
            wanted = self._body_speeds(name, given, q)
            if wanted and partials is None:
                partials = self.machine.partials(q)[0]
            for key, slot, value in wanted:
                assert partials is not None
                rows.append(partials[:, self.compiled.bodies[name].node, slot])
                values.append(value)
                names.append(f'"{name}.{key}"')
        return rows, np.array(values), names

    def _body_speeds(self, name: str, given: Any, q: np.ndarray) -> list[tuple[str, int, float]]:
        keys = PLANE_SPEED if self.compiled.planar else SPACE_SPEED
        wanted = [(k, i, given[k]) for k, i in keys.items() if k in given]
        if self.compiled.planar:
            return wanted
        if "omega" in given:
            wanted += [("omega", 10 + j, given["omega"][j]) for j in range(3)]
        if "omega_body" in given:
            R = matrix_of(self.machine.place(q)[self.compiled.bodies[name].node][3:7])
            wanted += [("omega_body", 10 + j, float((R @ given["omega_body"])[j])) for j in range(3)]
        return wanted
