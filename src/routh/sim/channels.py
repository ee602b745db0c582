"""Names for what was observed: every channel of a Result, with its unit."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.dry import DryJoint
from routh.core.tables.layout import N_WORK, STICK
from routh.model import forces as f
from routh.model.compliant import Compliant
from routh.model.contacts import Contact
from routh.model.joints import Coupling, Free, Joint, Revolute, Rod
from routh.model.tracks import Track
from routh.sim.poses import Poses, ball_values, relative

__all__ = ["Channel", "Observed", "channels_of", "loop_reaction", "tree_reaction"]

PLANE = {"x": "m", "y": "m", "theta": "rad", "vx": "m/s", "vy": "m/s", "omega": "rad/s",
         "ax": "m/s²", "ay": "m/s²", "alpha": "rad/s²"}
SPACE = {"x": "m", "y": "m", "z": "m", "qw": "", "qx": "", "qy": "", "qz": "", "vx": "m/s", "vy": "m/s", "vz": "m/s",
         "wx": "rad/s", "wy": "rad/s", "wz": "rad/s", "ax": "m/s²", "ay": "m/s²", "az": "m/s²",
         "alphax": "rad/s²", "alphay": "rad/s²", "alphaz": "rad/s²"}

Channel = tuple[np.ndarray, str]
"""Values with a leading time axis, and their unit."""


class Observed(Poses):
    """The raw arrays of an observation, a row per sample."""

    def __init__(self, compiled: Compiled, t: np.ndarray, y: np.ndarray, owner: np.ndarray | None = None,
                 **arrays: np.ndarray) -> None:
        super().__init__(compiled, arrays["body"])
        self.t = t
        self.owner = compiled.system.contact["owner"] if owner is None else owner  # which contact each column belongs to
        self.q, self.u = y[:, : compiled.n_q], y[:, compiled.n_q: compiled.n_q + compiled.n_u]
        works = y[:, int(compiled.system.world["works"][0]):]
        self.works = works if works.shape[1] else np.zeros((len(t), N_WORK))
        self.joint, self.row = arrays["joint"], arrays["row"]
        self.drive, self.reading, self.energy = arrays["drive"], arrays["reading"], arrays["energy"]
        self.contact = arrays["contact"]
        self.grip = arrays["grip"]

    def finite(self) -> bool:
        """Whether every number is finite, so that every channel is."""
        parts = (self.body, self.q, self.u, self.joint, self.row, self.drive, self.reading, self.energy, self.contact)
        return all(np.isfinite(part).all() for part in (*parts, self.grip))


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
        elif isinstance(force, f.BodyDrag):
            out[f"{force.name}.force"] = (seen.reading[:, i, 1], "N" if isinstance(force, f.Drag) else "N m")
        elif isinstance(force, f.Clutch):
            ends = [compiled.model.coordinate(force.where, path) for path in (force.first, force.second)]
            rates = [seen.u[:, compiled.coordinates[joint.name, k][1]] for joint, k in ends]
            joint, k = ends[0]
            out[f"{force.name}.slip"] = (rates[0] - rates[1], "rad/s" if "angle" in joint.coordinates[k] else "m/s")
        elif isinstance(force, f.Torque) and compiled.planar:
            out[f"{force.name}.force"] = (seen.reading[:, i, 1], "N m")
        elif isinstance(force, f.JointForce) and not isinstance(force, f.Brake):
            joint, k = compiled.model.coordinate(force.where, force.coordinate)
            out[f"{force.name}.force"] = (seen.reading[:, i, 1], "N m" if "angle" in joint.coordinates[k] else "N")
    forces = {force.name for force in compiled.model.forces}
    for i, contact in enumerate(compiled.contacts):
        points = seen.contact[:, seen.owner == i]
        if isinstance(contact, DryJoint):
            _put_dry(out, contact, points[:, 0], forces)
            continue
        _put_contact(out, contact.name, points)
        if isinstance(contact, Contact) and isinstance(contact.law, Compliant):
            out[f"{contact.name}.depth"] = (np.maximum(-points[:, :, 1].min(axis=1), 0.0), "m")
            out[f"{contact.name}.stored"] = (points[:, :, 6].sum(axis=1), "J")
    first = 0
    for track in compiled.model.tracks:
        first = _put_track(out, track, seen, first)
    return out


def _put_track(out: dict[str, Channel], track: Track, seen: Observed, first: int) -> int:
    """Channels of one track, whose forces begin at row `first`; return where the next one's begin."""
    def columns(*names: str) -> np.ndarray:
        nonlocal first
        begin, first = first, first + len(names) * len(track.links)
        table = seen.grip[:, begin:first].reshape(len(seen.t), -1, len(names))
        for k, name in enumerate(names):
            out[f"{track.name}.{name}"] = (table[:, :, k], "N")
        return table[:, :, 0]

    for wheel in track.wheels:
        columns(f"{wheel.body}.force")
    for sprocket in track.sprockets:
        columns(*(f"{sprocket.body}.{surface}" for surface in ("seat", "left", "right")))
    if track.shoes is not None:
        force = columns("ground.force", "ground.friction")
        out[f"{track.name}.ground.pressure"] = (force / track.shoes.area, "Pa")
    if track.pins:
        _put_pins(out, track, seen.compiled)
    return first


def _put_pins(out: dict[str, Channel], track: Track, compiled: Compiled) -> None:
    """Size of each pin's force; tension of each link: half of what its pins pull apart along its x axis."""
    force = np.stack([out[f"{name}.reaction"][0] for name in track.pins], axis=1)  # on each joint's body b
    theta = np.stack([out[f"{link}.theta"][0] for link in track.links], axis=1)
    out[f"{track.name}.pin_force"] = (np.hypot(force[:, :, 0], force[:, :, 1]), "N")
    links = {name: i for i, name in enumerate(track.links)}
    joints = {joint.name: joint for joint in compiled.model.joints if isinstance(joint, Joint)}
    pull = np.zeros((*theta.shape, 2))  # sum over the pins of a link of their forces on it, outward ones positive
    for k, name in enumerate(track.pins):
        joint = joints[name]
        for body, point, sense in ((joint.a, joint.point_a, -0.5), (joint.b, joint.point_b, 0.5)):
            if body in links and point:
                pull[:, links[body]] += (sense if point[0] > 0.0 else -sense) * force[:, k]
    out[f"{track.name}.tension"] = (pull[:, :, 0] * np.cos(theta) + pull[:, :, 1] * np.sin(theta), "N")


def _put_contact(out: dict[str, Channel], name: str, points: np.ndarray) -> None:
    """Channels of one declared contact from its elementary ones (n, points, 7): at the nearest point, forces summed."""
    nearest = np.argmin(points[:, :, 1], axis=1) if points.shape[1] > 1 else np.zeros(len(points), int)
    at = points[np.arange(len(points)), nearest]
    out[f"{name}.gap"] = (at[:, 1], "m")
    out[f"{name}.mode"] = (points[:, :, 0].max(axis=1), "")
    out[f"{name}.force"] = (points[:, :, 2].sum(axis=1), "N")
    out[f"{name}.friction"] = (points[:, :, 3].sum(axis=1), "N")
    out[f"{name}.slip"] = (at[:, 4], "m/s")
    out[f"{name}.rate"] = (at[:, 5], "m/s")


def _put_dry(out: dict[str, Channel], joint: DryJoint, seen: np.ndarray, forces: set[str]) -> None:
    """Channels of dry friction (n, 7): friction on b in the direction of the coordinate, whether it sticks, the load."""
    first = (seen[:, 3] * joint.arm, "N m") if joint.turns else (seen[:, 3], "N")
    if joint.tangents == 2:
        out[f"{joint.name}.friction_torque"], out[f"{joint.name}.friction_force"] = first, (seen[:, 6], "N")
    else:
        out[f"{joint.name}.{'force' if joint.name in forces else 'friction'}"] = first
    out[f"{joint.name}.sticks"] = ((seen[:, 0] == STICK).astype(float), "")
    if joint.loaded:
        out[f"{joint.name}.load"] = (seen[:, 2], "N")


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
    force, moment = tree_reaction(seen, joint, against, seen.joint[:, compiled.joint_nodes[joint.name][-1]])
    _put_reaction(out, joint.name, force, moment, compiled.planar)


def tree_reaction(seen: Poses, joint: Joint, against: bool, wrench: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment (n, 3) on body b at its point, from the wrench (n, 3 or 6) through a joint of the tree."""
    force, moment = _in_space(wrench, seen.compiled.planar)
    if against and isinstance(joint, Revolute):  # both points are one
        force, moment = -force, -moment
    elif against:
        # the wrench on a at its point, turned into the one on b at b's point
        arm = seen.point(joint.a, joint.point_a) - seen.point(joint.b, joint.point_b)
        force, moment = -force, -(moment + np.cross(arm, force))
    return force, moment


def loop_reaction(compiled: Compiled, joint: Joint, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment (n, 3) on body b at its point, from the rows (n, n_row, 3 or 6) of a joint that closes a loop."""
    own = [i for i, name in enumerate(compiled.row_owner) if name == joint.name]
    return _in_space(row[:, own].sum(axis=1), compiled.planar)


def _in_space(wrench: np.ndarray, planar: bool) -> tuple[np.ndarray, np.ndarray]:
    if not planar:
        return wrench[:, :3], wrench[:, 3:]
    o = np.zeros(len(wrench))
    return np.column_stack([wrench[:, :2], o]), np.column_stack([o, o, wrench[:, 2]])


def _loop_joint(out: dict[str, Channel], seen: Observed, joint: Joint) -> None:
    compiled = seen.compiled
    force, moment = loop_reaction(compiled, joint, seen.row)
    _put_reaction(out, joint.name, force, moment, compiled.planar)
    if isinstance(joint, Rod):
        line = seen.point(joint.a, joint.point_a) - seen.point(joint.b, joint.point_b)
        out[f"{joint.name}.tension"] = ((force * line).sum(axis=1) / joint.length, "N")
        return
    q, u = relative(seen, joint)
    _put_coordinates(out, joint, q, u)
