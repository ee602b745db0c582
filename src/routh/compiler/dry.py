"""Dry friction of joints, brakes and clutches as contacts that never open: what slips, at which arm, under which load."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from routh.compiler.geometry import in_space
from routh.compiler.steps import steps_of
from routh.core.tables.layout import BOTH, COORDINATE, DIFFERENCE, FRICTION_JOINT, PRISMATIC, SHIFTING, SPEEDS, TURNING, WELD
from routh.errors import ModelError
from routh.model import forces as f
from routh.model.body import GROUND
from routh.model.dry import DryFriction
from routh.model.joints import Joint, Universal

if TYPE_CHECKING:
    from routh.compiler.compile import _Compiler

__all__ = ["DryJoint", "dry_joints", "fill_dry"]

NONE = np.zeros(3)


@dataclass(frozen=True)
class DryJoint:
    """Dry friction of one joint, brake or clutch; forces are those of a bearing at `arm` from the axis."""

    name: str
    where: str                        # how messages call the element
    slips: int                        # TURNING, SHIFTING or BOTH: of two bodies; COORDINATE, DIFFERENCE: of speeds
    a: str | int                      # bodies, or nodes that the speeds belong to
    b: str | int
    turns: bool                       # friction is a torque
    mu: float
    stiction: float
    arm: float                        # slip per angular speed [m]; of a shift a length of the mechanism, for tolerances
    preload: float                    # [N]
    profile: int = -1                 # row of the profile table that multiplies it
    loaded: bool = False              # the reaction of the joint adds to the preload
    node: int = -1                    # loaded: that of a joint of the tree
    rows: tuple[int, int] = (0, 0)    # loaded: those of a joint that closes a loop
    length: float = 0.0
    speeds: tuple[int, int] = (0, 0)  # COORDINATE, DIFFERENCE: of a and b
    axis: np.ndarray = field(default_factory=lambda: NONE, compare=False)
    point_a: np.ndarray = field(default_factory=lambda: NONE, compare=False)
    point_b: np.ndarray = field(default_factory=lambda: NONE, compare=False)

    @property
    def tangents(self) -> int:
        """Directions of slip."""
        return 2 if self.slips == BOTH else 1


def dry_joints(compiler: _Compiler, nodes: np.ndarray, row_owner: list[str], profiles: np.ndarray) -> Iterator[DryJoint]:
    """The dry friction of every joint, brake and clutch; `profiles` are those of the forces."""
    for joint in compiler.model.joints:
        friction = getattr(joint, "friction", None)
        if friction is not None and isinstance(joint, Joint):
            yield _joint(compiler, joint, friction, row_owner)
    for force, profile in zip(compiler.model.forces, profiles, strict=True):
        if isinstance(force, f.Brake):
            yield _brake(compiler, nodes, force, int(profile))
        elif isinstance(force, f.Clutch):
            yield _clutch(compiler, nodes, force, int(profile))


def fill_dry(joint: DryJoint, row: Any) -> np.ndarray:
    """The record of a joint with dry friction; `row` is that of its slip."""
    record = np.zeros((), FRICTION_JOINT)
    record["slips"], record["axis"], record["arm"] = joint.slips, joint.axis, joint.arm if joint.turns else 1.0
    record["preload"], record["profile"] = joint.preload, joint.profile
    record["loaded"], record["node"], record["length"] = joint.loaded, joint.node, joint.length
    record["row_from"], record["row_to"] = joint.rows if joint.node < 0 else (0, 0)
    if joint.slips in (COORDINATE, DIFFERENCE):
        row["kind"], row["iu_a"], row["iu_b"] = SPEEDS, *joint.speeds
    return record


def _joint(compiler: _Compiler, joint: Joint, friction: DryFriction, row_owner: list[str]) -> DryJoint:
    turns, shifts = "angle" in joint.coordinates, "shift" in joint.coordinates
    arm = friction.radius or _arm(compiler, joint)
    limit = friction.torque / arm if friction.torque else friction.force or friction.preload
    axis = getattr(joint, "axis", None)
    rows = [i for i, name in enumerate(row_owner) if name == joint.name]
    return DryJoint(
        joint.name, joint.where, BOTH if turns and shifts else TURNING if turns else SHIFTING, joint.a, joint.b, turns,
        mu=friction.mu or 1.0, stiction=friction.stiction, arm=arm, preload=limit, loaded=friction.mu is not None,
        node=compiler.joint_nodes.get(joint.name, [-1])[-1], rows=(rows[0], rows[-1] + 1) if rows else (0, 0),
        length=friction.length or 0.0, axis=np.array([0.0, 0.0, 1.0]) if axis is None else in_space(axis),
        point_a=in_space(joint.point_a), point_b=in_space(joint.point_b))


def _brake(compiler: _Compiler, nodes: np.ndarray, brake: f.Brake, profile: int) -> DryJoint:
    joint, k = compiler.model.coordinate(brake.where, brake.coordinate)
    turns, arm = "angle" in joint.coordinates[k], _arm(compiler, joint)
    limit = brake.force / arm if turns else brake.force
    if joint.name in compiler.joint_nodes:
        node, speed = _speed(compiler, nodes, joint, k)
        return DryJoint(brake.name, brake.where, COORDINATE, node, node, turns, 1.0, brake.stiction, arm, limit, profile,
                        speeds=(speed, speed))
    if isinstance(joint, Universal):
        raise ModelError(f'{brake.where}: joint "{joint.name}" closes a loop here, and the two angles of a Universal have '
                         "no axes of their own to push on; put the brake on another joint of the loop")
    step = steps_of(joint, False)[k]
    return DryJoint(brake.name, brake.where, SHIFTING if step.kind == PRISMATIC else TURNING, joint.a, joint.b, turns, 1.0,
                    brake.stiction, arm, limit, profile, axis=step.axis, point_a=in_space(joint.point_a),
                    point_b=in_space(joint.point_b))


def _clutch(compiler: _Compiler, nodes: np.ndarray, clutch: f.Clutch, profile: int) -> DryJoint:
    ends = [compiler.model.coordinate(clutch.where, path) for path in (clutch.first, clutch.second)]
    (a, first), (b, second) = (_speed(compiler, nodes, *end) for end in ends)
    turns, arm = "angle" in ends[0][0].coordinates[ends[0][1]], min(_arm(compiler, joint) for joint, _ in ends)
    return DryJoint(clutch.name, clutch.where, DIFFERENCE, a, b, turns, 1.0, clutch.stiction, arm,
                    clutch.force / arm if turns else clutch.force, profile, speeds=(first, second))


def _speed(compiler: _Compiler, nodes: np.ndarray, joint: Joint, k: int) -> tuple[int, int]:
    """(node, speed) of coordinate k of a joint of the tree."""
    speed = compiler.coordinates[joint.name, k][1]
    return next(i for i in compiler.joint_nodes[joint.name] if nodes[i]["iu"] == speed and nodes[i]["kind"] != WELD), speed


def _arm(compiler: _Compiler, joint: Joint) -> float:
    """A length of the lighter body of a joint: its radius of gyration, or its distance from the joint; 1 m if it has none."""
    lengths = []
    for name, point in ((joint.a, joint.point_a), (joint.b, joint.point_b)):
        if name != GROUND:
            own = compiler.declared[name].mass_properties()
            if own.mass > 0.0:
                arm = in_space(point) - in_space(own.centre)
                inertia = float(np.max(np.linalg.eigvalsh(compiler.declared[name].inertia_matrix())))
                lengths.append((own.mass, float(np.sqrt(inertia / own.mass + arm @ arm))))
    return next((length for _, length in sorted(lengths) if length > 0.0), 1.0)
