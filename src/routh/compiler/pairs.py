"""Declared pairs of shapes → elementary gaps, each with at most one touching point.

A box on a floor touches it at two corners at once, so one declared contact may be several elementary gaps. Each is between two
**parts**: a whole convex shape, or a corner, side or stretch of one. Which part is first is the kernel's choice; `swapped`
says that it is not the declared one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from routh.errors import ModelError
from routh.model.shapes import PLANAR, Shape

__all__ = ["GapSpec", "Part", "gap_between", "gaps_of", "no_gap"]


@dataclass(frozen=True)
class Part:
    """One side of an elementary gap, in the frame of its body."""

    point: np.ndarray                                                  # (3,) reference point [m]
    turn: np.ndarray = field(default_factory=lambda: np.eye(3))        # (3, 3) its own axes → body's axes
    size: np.ndarray = field(default_factory=lambda: np.zeros(3))      # (3,) what the kernel needs: radius, semi-axes, ...
    vertices: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (n, 3) corners from the point, own axes [m]
    reach: float = np.inf                                              # radius of a ball about the point that holds the part
    sheet: bool = False                                                # of a terrain with ends, which has no underside
    ball: bool = False                                                 # a disk or ball about its point


@dataclass(frozen=True)
class GapSpec:
    """One elementary gap; all of it in the frames of the two bodies. Fields as in the table of contacts."""

    kind: int                # code of the pair, see core/planar_gaps.py and core/spatial_gaps.py
    swapped: bool            # a is of the second declared shape
    point_a: np.ndarray
    turn_a: np.ndarray
    size_a: np.ndarray
    vertices_a: np.ndarray
    reach_a: float
    ball_a: bool
    point_b: np.ndarray
    turn_b: np.ndarray
    size_b: np.ndarray
    vertices_b: np.ndarray
    reach_b: float
    ball_b: bool
    size: float              # a length of the smaller shape, for tolerances [m]
    sheet: bool              # one of them is of a terrain with ends


def gap_between(kind: int, a: Part, b: Part, size: float, swapped: bool = False) -> GapSpec:
    """The elementary gap of two parts."""
    return GapSpec(kind, swapped, a.point, a.turn, a.size, a.vertices, a.reach, a.ball,
                   b.point, b.turn, b.size, b.vertices, b.reach, b.ball, size, a.sheet or b.sheet)


def length_of(*sides: tuple[np.ndarray, np.void]) -> float:
    """A length [m] for contacts of shapes that have none of their own, from (point from the joint point, node) of the bodies.

    It is the larger of the arm of the contact and the radius of gyration of the body. A point mass has neither, and gets 1 m.
    """
    lengths = [max(float(np.linalg.norm(point)), float(np.sqrt(np.max(node["inertia"]) / node["mass"])))
               for point, node in sides if node["mass"] > 0.0]
    return min((length for length in lengths if length > 0.0), default=1.0)


def no_gap(a: Shape, b: Shape, why: str) -> ModelError:
    """The refusal of a pair."""
    return ModelError(f"a contact between {a.where} and {b.where}: {why}")


def gaps_of(space: str, a: Shape, b: Shape) -> Sequence[GapSpec]:
    """The elementary gaps of a declared pair; ModelError where the two cannot touch.

    The size of the gap of a sharp point and a plane is infinite: neither has a length, `length_of` their bodies gives one.
    """
    for shape in (a, b):
        if space not in shape.spaces:
            raise no_gap(a, b, f"a {type(shape).__name__} is not a {space} shape")
    if space == PLANAR:
        from routh.compiler.planar_pairs import planar_gaps

        return planar_gaps(a, b)
    from routh.compiler.spatial_pairs import spatial_gaps

    return spatial_gaps(a, b)
