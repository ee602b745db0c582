"""Parts of a tracked vehicle: numbers with names. Places are those of the built configuration, y = 0 the ground below it.

| part | what |
|---|---|
| `Chassis` | the frame that carries all wheels |
| `DriveSprocket` | the driven wheel with its teeth |
| `Idler`, `Tensioner` | the wheel at the other end, and what pushes it outward |
| `Roller`, `RoadArm` | a wheel between them, and the sprung arm that may carry it |
| `Links` | the chain |
| `SpeedDrive`, `TorqueDrive` | what turns the sprocket |
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from routh.model.compliant import NormalLaw
from routh.model.profiles import Constant, Profile
from routh.model.tracks import Rail

__all__ = ["Chassis", "DriveSprocket", "Idler", "Links", "Point", "RoadArm", "Roller", "SpeedDrive", "Tensioner", "TorqueDrive"]

Point = tuple[float, float]


@dataclass(frozen=True)
class Chassis:
    """The frame that carries all wheels. `center` is its mass centre as built, `outline` the convex pieces in pictures."""

    mass: float
    inertia: float
    center: Point
    outline: tuple[tuple[Point, ...], ...] = ()


@dataclass(frozen=True)
class RoadArm:
    """An arm from `pivot` on the chassis to the axle of a roller, with a torsion spring and damper at the pivot.

    `load` is the vertical force on the roller that the spring balances as built [N].
    """

    pivot: Point
    mass: float
    inertia: float
    stiffness: float
    damping: float
    load: float


@dataclass(frozen=True)
class Roller:
    """A wheel that rolls on the track, on an axle of the chassis or at the end of an arm."""

    name: str
    center: Point
    radius: float
    mass: float
    inertia: float
    law: NormalLaw
    arm: RoadArm | None = None


@dataclass(frozen=True)
class Tensioner:
    """A spring and damper that push the idler outward along `axis`, with the force `preload` as built."""

    stiffness: float
    damping: float
    preload: float
    axis: Point = (1.0, 0.0)


@dataclass(frozen=True)
class Idler:
    """The wheel at the free end. It closes the chain by its x within `travel` of `center`, then gives `slack`."""

    center: Point
    radius: float
    mass: float
    inertia: float
    law: NormalLaw
    travel: float = 0.1
    slack: float = 0.0
    tensioner: Tensioner | None = None


@dataclass(frozen=True)
class DriveSprocket:
    """The driven wheel; a pin lies at `first_pin` (polar angle) as built. For the teeth see `tracks.Sprocket`."""

    center: Point
    mass: float
    inertia: float
    teeth: int
    seat: NormalLaw
    flanks: NormalLaw
    teeth_per_link: int = 1
    flank_angle: float = math.radians(20.0)
    play: float = 0.0
    flank: Point = (-0.01, 0.02)
    first_pin: float = math.radians(95.0)


@dataclass(frozen=True)
class Links:
    """`count` equal links with pins at ± pitch/2 on their x axis, `rail` inside, `shoes` (points) outside."""

    count: int
    pitch: float
    mass: float
    inertia: float
    rail: Rail
    pin_radius: float
    shoes: tuple[Point, ...]
    shoe_area: float = 1.0


@dataclass(frozen=True)
class SpeedDrive:
    """The sprocket's angle to the chassis follows `motion`; forward is negative."""

    motion: Profile


@dataclass(frozen=True)
class TorqueDrive:
    """`torque` × profile on the sprocket, its reaction on the chassis; forward is negative."""

    torque: float
    profile: Profile = field(default_factory=Constant)
