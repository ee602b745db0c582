"""Joints between two bodies, rods, and couplings of joint coordinates.

A joint connects body `a` to body `b` at `point_a` (in a's frame) and `point_b` (in b's frame). Its axis is given
in a's frame; `turn` is the orientation of b relative to a where the joint's coordinates are zero: an angle in the
plane, a unit quaternion (w, x, y, z) in space. Coordinates measure b relative to a. The reaction is the wrench on b
at `point_b`.

| joint | plane | space | coordinates | b relative to a |
|---|---|---|---|---|
| `Revolute` | yes | yes | angle | turns about the axis |
| `Prismatic` | yes | yes | shift | moves along the axis |
| `PinInSlot` | yes | - | shift, angle | pin of b in a slot of a |
| `Cylindrical` | - | yes | shift, angle | moves along and turns about the axis |
| `Screw` | - | yes | angle | advances `pitch` metres per radian |
| `Spherical` | - | yes | qw qx qy qz (speeds wx wy wz) | turns about a point |
| `Universal` | - | yes | angle1, angle2 | turns about an axis of a, then one of b |
| `Planar` | - | yes | shift1, shift2, angle | slides on a plane, turns about its normal |
| `Weld` | yes | yes | - | does not move |
| `Free` | yes | yes | those of the body | moves freely: says that there is no joint |
| `Rod` | yes | yes | - | keeps the distance of two points |
| `Gear`, `Rack` | yes | yes | - | couple two joint coordinates |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector
from routh.model.dry import DryFriction, check_friction

__all__ = ["Coupling", "Cylindrical", "DryFriction", "Free", "Gear", "Joint", "PinInSlot", "Planar", "Prismatic", "Rack",
           "Revolute", "Rod", "Screw", "Spherical", "Universal", "Weld"]

PLANAR, SPATIAL = "planar", "spatial"


@dataclass(frozen=True)
class Joint:
    """What all joints share; see the table of the module."""

    name: str
    a: str
    b: str
    point_a: Vector = ()
    point_b: Vector = ()

    spaces: ClassVar[tuple[str, ...]] = (PLANAR, SPATIAL)
    coordinates: ClassVar[tuple[str, ...]] = ()
    speeds: ClassVar[tuple[str, ...]] = ()  # names of the speeds where they are not the coordinates' rates

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'joint "{self.name}"'

    def __post_init__(self) -> None:
        checks.name_of("joint", self.name)
        if self.a == self.b:
            raise ModelError(f'{self.where}: joins body "{self.a}" to itself')
        for field in ("point_a", "point_b"):
            if not checks.left_out(getattr(self, field)):
                checks.set_field(self, field, checks.vector(self.where, field, getattr(self, field)))
        for field in ("axis", "axis_b", "tangent"):
            if getattr(self, field, None) is not None:
                checks.set_field(self, field, checks.unit(self.where, field, getattr(self, field)))
        turn = getattr(self, "turn", None)
        if turn is not None:
            value: Any = (checks.unit(self.where, "turn", turn, sizes=(4,)) if hasattr(turn, "__len__")
                          else checks.number(self.where, "turn", turn))
            checks.set_field(self, "turn", value)
        check_friction(self.where, getattr(self, "friction", None), "angle" in self.coordinates, "shift" in self.coordinates)

    def rates(self) -> tuple[str, ...]:
        """Names of the joint's speeds, one per degree of freedom."""
        return self.speeds or tuple(f"{c}_rate" for c in self.coordinates)


@dataclass(frozen=True)
class Revolute(Joint):
    """b turns about `axis` (space; the plane's normal in the plane), with dry `friction` in its pin if wanted."""

    axis: Vector | None = None
    turn: Any = None
    friction: DryFriction | None = None
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)


@dataclass(frozen=True)
class Prismatic(Joint):
    """b moves along `axis` of a and keeps its orientation, with dry `friction` if wanted."""

    axis: Vector | None = None
    turn: Any = None
    friction: DryFriction | None = None
    coordinates: ClassVar[tuple[str, ...]] = ("shift",)


@dataclass(frozen=True)
class PinInSlot(Joint):
    """A pin of b at `point_b` slides in a straight slot of a through `point_a` along `axis`, and turns."""

    axis: Vector | None = None
    turn: Any = None
    spaces: ClassVar[tuple[str, ...]] = (PLANAR,)
    coordinates: ClassVar[tuple[str, ...]] = ("shift", "angle")


@dataclass(frozen=True)
class Cylindrical(Joint):
    """b moves along and turns about `axis`, with dry `friction` against the slip of its bearing if wanted."""

    axis: Vector | None = None
    turn: Any = None
    friction: DryFriction | None = None
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)
    coordinates: ClassVar[tuple[str, ...]] = ("shift", "angle")


@dataclass(frozen=True)
class Screw(Joint):
    """b turns about `axis` and advances `pitch` metres per radian along it."""

    axis: Vector | None = None
    pitch: float = 0.0
    turn: Any = None
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.set_field(self, "pitch", checks.number(self.where, "pitch", self.pitch))


@dataclass(frozen=True)
class Spherical(Joint):
    """b turns about the common point; coordinates are the unit quaternion from b to a, speeds in b's axes."""

    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)
    coordinates: ClassVar[tuple[str, ...]] = ("qw", "qx", "qy", "qz")
    speeds: ClassVar[tuple[str, ...]] = ("wx", "wy", "wz")


@dataclass(frozen=True)
class Universal(Joint):
    """b turns about `axis` of a, then about `axis_b` of b; the two stay at the angle they have at zero."""

    axis: Vector | None = None
    axis_b: Vector | None = None
    turn: Any = None
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)
    coordinates: ClassVar[tuple[str, ...]] = ("angle1", "angle2")


@dataclass(frozen=True)
class Planar(Joint):
    """b slides on the plane of a with normal `axis` (shift1 along `tangent`) and turns about the normal."""

    axis: Vector | None = None
    tangent: Vector | None = None
    turn: Any = None
    spaces: ClassVar[tuple[str, ...]] = (SPATIAL,)
    coordinates: ClassVar[tuple[str, ...]] = ("shift1", "shift2", "angle")


@dataclass(frozen=True)
class Weld(Joint):
    """b is fixed to a."""

    turn: Any = None


@dataclass(frozen=True)
class Free(Joint):
    """Says in so many words that b moves freely; its coordinates are those of body b."""


@dataclass(frozen=True)
class Rod(Joint):
    """A massless rod of `length` between two points, hinged (plane) or ball-jointed (space) at both ends."""

    length: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.set_field(self, "length", checks.positive(self.where, "length", self.length))


@dataclass(frozen=True)
class Coupling:
    """second = ratio × first + phase, for two joint coordinates such as "wheel.angle"."""

    name: str
    first: str
    second: str

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'coupling "{self.name}"'

    def __post_init__(self) -> None:
        checks.name_of("coupling", self.name)
        if self.first == self.second:
            raise ModelError(f'{self.where}: couples "{self.first}" to itself')
        checks.set_field(self, "phase", checks.number(self.where, "phase", self.phase))  # type: ignore[attr-defined]
        if self.factor() == 0.0:
            raise ModelError(f"{self.where}: a ratio of zero couples nothing; use a driver to lock a coordinate")

    def factor(self) -> float:
        """d second / d first."""
        raise TypeError(f"{type(self).__name__} must say its ratio")


@dataclass(frozen=True)
class Gear(Coupling):
    """Two toothed wheels: second angle = ratio × first angle + phase; negative for outer gearing."""

    ratio: float = -1.0
    phase: float = 0.0

    def factor(self) -> float:
        return checks.number(self.where, "ratio", self.ratio)


@dataclass(frozen=True)
class Rack(Coupling):
    """Pinion and rack: shift of the rack = radius × angle of the pinion + phase."""

    radius: float = 0.0
    phase: float = 0.0

    def factor(self) -> float:
        return checks.number(self.where, "radius", self.radius)
