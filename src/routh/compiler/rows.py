"""Joints as loop equations: rows that hold between body a and body b."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from routh.compiler.geometry import in_space, perpendicular, turn_matrix
from routh.compiler.steps import second_axis
from routh.core.tables.layout import ALONG, ANGLE, DISTANCE, DOT, HELIX, POINT
from routh.model.joints import (
    PLANAR,
    Cylindrical,
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

__all__ = ["RowSpec", "rows_of"]

X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class RowSpec:
    """One scalar loop equation before names become indices."""

    kind: int
    axis_a: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axis_b: np.ndarray = field(default_factory=lambda: np.zeros(3))
    normal_a: np.ndarray = field(default_factory=lambda: np.zeros(3))
    value: float = 0.0
    ratio: float = 0.0


def rows_of(joint: Joint, space: str) -> list[RowSpec]:
    """The loop equations of a joint of a planar or spatial model."""
    return list(_planar(joint) if space == PLANAR else _spatial(joint))


def _planar(joint: Joint) -> Iterator[RowSpec]:
    turn = getattr(joint, "turn", None) or 0.0
    match joint:
        case Rod():
            yield RowSpec(DISTANCE, value=joint.length)
        case Revolute():
            yield from (RowSpec(POINT, X), RowSpec(POINT, Y))
        case PinInSlot() | Prismatic():
            axis = in_space(joint.axis or ())
            yield RowSpec(ALONG, np.cross(Z, axis))
            if isinstance(joint, Prismatic):
                yield RowSpec(ANGLE, value=turn)
        case _:
            yield from (RowSpec(POINT, X), RowSpec(POINT, Y), RowSpec(ANGLE, value=turn))


def _spatial(joint: Joint) -> Iterator[RowSpec]:
    same_point = (RowSpec(POINT, X), RowSpec(POINT, Y), RowSpec(POINT, Z))
    turn = turn_matrix(getattr(joint, "turn", None))
    axis = getattr(joint, "axis", None)
    e = Z if axis is None else in_space(axis)
    s, t = perpendicular(e)
    e_b, s_b, t_b = turn.T @ e, turn.T @ s, turn.T @ t
    same_axis = (RowSpec(DOT, s, e_b), RowSpec(DOT, t, e_b))
    on_axis = (RowSpec(ALONG, s), RowSpec(ALONG, t))
    same_turn = (RowSpec(DOT, s, t_b), RowSpec(DOT, t, e_b), RowSpec(DOT, e, s_b))
    match joint:
        case Rod():
            yield RowSpec(DISTANCE, value=joint.length)
        case Spherical():
            yield from same_point
        case Revolute():
            yield from same_point + same_axis
        case Prismatic():
            yield from on_axis + same_turn
        case Cylindrical():
            yield from on_axis + same_axis
        case Screw():
            yield from on_axis + same_axis
            yield RowSpec(HELIX, e, s_b, s, ratio=joint.pitch)
        case Universal():
            yield from same_point
            yield RowSpec(DOT, e, in_space(joint.axis_b or ()), value=float(e @ second_axis(joint, e, turn)))
        case Planar():
            yield RowSpec(ALONG, e)
            yield from same_axis
        case _:
            yield from same_point + same_turn
