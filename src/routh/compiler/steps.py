"""Joints as chains of elementary steps: what one node of the tree can do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from routh.compiler.geometry import in_space, perpendicular, turn_matrix
from routh.core.tables.layout import PRISMATIC, REVOLUTE, SPHERICAL, WELD
from routh.errors import ModelError
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

__all__ = ["Step", "second_axis", "steps_of"]


@dataclass(frozen=True)
class Step:
    """Motion along or about `axis` (axes before the step), then the constant rotation `turn` (after → before)."""

    kind: int
    coordinate: int                    # index among the joint's coordinates
    axis: np.ndarray
    turn: np.ndarray
    angle: float = 0.0                 # the turn as an angle, in the plane
    pitch: float = 0.0

    def inverse(self) -> Step:
        """The same step taken the other way with the same coordinate."""
        return Step(self.kind, self.coordinate, -self.turn.T @ self.axis, self.turn.T, -self.angle, self.pitch)


def second_axis(joint: Universal, first: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """The second axis of a universal joint in the axes of a, where its angles are zero."""
    second = turn @ in_space(joint.axis_b or ())
    if np.linalg.norm(np.cross(first, second)) < 1e-6:
        raise ModelError(f"{joint.where}: axis and axis_b are parallel, so the joint is singular in every position; "
                         "a universal joint has them at right angles")
    return second


def steps_of(joint: Joint, against: bool) -> list[Step]:
    """The steps from body a to body b, or from b to a."""
    turn, angle = turn_matrix(getattr(joint, "turn", None)), getattr(joint, "turn", None)
    angle = angle if isinstance(angle, float) else 0.0
    straight = np.eye(3)
    axis = getattr(joint, "axis", None)
    # without an axis a joint of the plane turns about its normal
    e = np.array([0.0, 0.0, 1.0]) if axis is None else in_space(axis)
    match joint:
        case Revolute():
            steps = [Step(REVOLUTE, 0, e, turn, angle)]
        case Screw():
            steps = [Step(REVOLUTE, 0, e, turn, angle, joint.pitch)]
        case Prismatic():
            steps = [Step(PRISMATIC, 0, e, turn, angle)]
        case PinInSlot():
            steps = [Step(PRISMATIC, 0, e, straight), Step(REVOLUTE, 1, np.array([0.0, 0.0, 1.0]), turn, angle)]
        case Cylindrical():
            steps = [Step(PRISMATIC, 0, e, straight), Step(REVOLUTE, 1, e, turn)]
        case Universal():
            steps = [Step(REVOLUTE, 0, e, straight), Step(REVOLUTE, 1, second_axis(joint, e, turn), turn)]
        case Planar():
            first, second = perpendicular(e, joint.tangent)
            steps = [Step(PRISMATIC, 0, first, straight), Step(PRISMATIC, 1, second, straight), Step(REVOLUTE, 2, e, turn)]
        case Spherical():
            steps = [Step(SPHERICAL, 0, e, straight)]
        case _:
            steps = [Step(WELD, 0, e, turn, angle)]
    return [s.inverse() for s in reversed(steps)] if against else steps
