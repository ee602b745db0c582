"""Tracks: a row of links, and what touches it. Planar models only.

| part | touches | by |
|---|---|---|
| `Wheel` | the rails on the inner side of the links | the rim of a round body, without friction |
| `Sprocket` | the pins of the links | a base circle that seats them, and two flanks per tooth gap |
| `Shoes` | a `HeightProfile` that belongs to the ground | any number of points on the outer side of each link, with friction |

A link carries its x axis along the row and its y axis to the inner side, where the wheels are; its frame sits at its mass
centre, as that of every body. `closed_chain` makes the links and pins of a closed one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from routh.errors import ModelError
from routh.model import checks
from routh.model.body import Body
from routh.model.checks import Vector
from routh.model.compliant import Compliant, NormalLaw, WaltonBraun
from routh.model.friction import Regularised
from routh.model.joints import Revolute

__all__ = ["HeightProfile", "Rail", "Shoes", "Sprocket", "Track", "Wheel", "closed_chain"]

MOST_CORNERS = 100_000
FARTHEST = 1e9  # m


def _normal(where: str, name: str, law: Any) -> None:
    """A normal law that knows its damping without having seen the impact begin."""
    if not isinstance(law, NormalLaw):
        raise ModelError(f"{where}: {name} = {law!r} is not a normal law; take one of routh.compliant, such as Linear(k, c)")
    if getattr(law, "speed", 0.0) is None:
        raise ModelError(f"{where}: {name}: {type(law).__name__} takes its damping from the speed of each impact, which a "
                         "track does not keep; give it a speed")
    if isinstance(law, WaltonBraun):
        raise ModelError(f"{where}: {name}: WaltonBraun remembers how deep each contact was, which a track does not keep; take "
                         "another law")


@dataclass(frozen=True)
class Rail:
    """The inner surface of each link: `height` above its x axis, from `-back` to `front` along it."""

    height: float
    back: float
    front: float

    def __post_init__(self) -> None:
        for name in ("height", "back", "front"):
            value = getattr(self, name)
            read = checks.number("rail", name, value) if name == "height" else checks.positive("rail", name, value)
            checks.set_field(self, name, read)


@dataclass(frozen=True)
class Wheel:
    """`body`, round about its mass centre, rolls on the rails."""

    body: str
    radius: float
    law: NormalLaw

    def __post_init__(self) -> None:
        where = f'wheel "{checks.name_of("wheel", self.body)}"'
        checks.set_field(self, "radius", checks.positive(where, "radius", self.radius))
        _normal(where, "law", self.law)


@dataclass(frozen=True)
class Sprocket:
    """`body` carries `teeth` about its mass centre and drives the pins at `pin` of each link.

    `pitch` is the distance from pin to pin, `teeth_per_link` how many tooth gaps lie between two pins on the wheel. Gap 0 has
    its centre line at the angle `phase` in the body's axes. Flanks lean outward by `flank_angle` from the radius, leave a
    `play` to a seated pin, and can be touched from `flank[0]` to `flank[1]`, counted outward from there.
    """

    body: str
    teeth: int
    pitch: float
    pin: Vector
    pin_radius: float
    seat: NormalLaw
    flanks: NormalLaw
    teeth_per_link: int = 1
    phase: float = 0.0
    flank_angle: float = math.radians(20.0)
    play: float = 0.0
    flank: Vector = (-0.01, 0.02)

    def __post_init__(self) -> None:
        where = f'sprocket "{checks.name_of("sprocket", self.body)}"'
        for name in ("teeth", "teeth_per_link"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise ModelError(f"{where}: {name} = {value!r} must be a positive whole number")
        if self.teeth < 3 * self.teeth_per_link:
            raise ModelError(f"{where}: {self.teeth} teeth with {self.teeth_per_link} per link seat fewer than three links; "
                             "a chain cannot turn round them")
        for name in ("seat", "flanks"):
            _normal(where, name, getattr(self, name))
        for name in ("pitch", "pin_radius"):
            checks.set_field(self, name, checks.positive(where, name, getattr(self, name)))
        checks.set_field(self, "play", checks.positive(where, "play", self.play, zero_too=True))
        checks.set_field(self, "phase", checks.number(where, "phase", self.phase))
        angle = checks.number(where, "flank_angle", self.flank_angle)
        if not 0.0 <= angle < 0.5 * math.pi:
            raise ModelError(f"{where}: flank_angle = {angle:g} rad is outside [0, π/2); it is counted from the radius")
        for name in ("pin", "flank"):
            checks.set_field(self, name, checks.vector(where, name, getattr(self, name), sizes=(2,)))
        if not self.flank[0] < self.flank[1]:
            raise ModelError(f"{where}: flank = {self.flank} must run from a smaller to a larger number")
        if self.pin_radius >= self.pitch_radius:
            raise ModelError(f"{where}: pins of radius {self.pin_radius:g} m leave no base circle inside the pitch radius "
                             f"{self.pitch_radius:g} m")

    @property
    def pitch_radius(self) -> float:
        """Distance of a seated pin from the axle [m]: pins a pitch apart are chords of this circle."""
        return 0.5 * self.pitch / math.sin(math.pi * self.teeth_per_link / self.teeth)


@dataclass(frozen=True)
class HeightProfile:
    """The ground as a line through `points` (x, y) from left to right, level beyond both ends; one point is level ground."""

    points: tuple[Vector, ...] = ((0.0, 0.0),)

    def __post_init__(self) -> None:
        points = self.points
        if not isinstance(points, Iterable):
            raise ModelError(f"height profile: points = {points!r} is not a list of (x, y)")
        read = tuple(checks.vector("height profile", f"points[{i}]", p, sizes=(2,)) for i, p in enumerate(points))
        if not 1 <= len(read) <= MOST_CORNERS:
            raise ModelError(f"height profile: has {len(read)} points; give 1 to {MOST_CORNERS}")
        farthest = max(max(map(abs, point)) for point in read)
        if farthest > FARTHEST:
            raise ModelError(f"height profile: a coordinate of {farthest:g} m is beyond {FARTHEST:g} m, where level ground "
                             "could not be told from a corner")
        for i in range(1, len(read)):
            if not read[i][0] > read[i - 1][0]:
                raise ModelError(f"height profile: x must grow from point to point; points[{i}] has x = {read[i][0]:g} after "
                                 f"{read[i - 1][0]:g}. A wall is a steep stretch")
        checks.set_field(self, "points", read)

    @classmethod
    def from_table(cls, x: Sequence[float], y: Sequence[float]) -> HeightProfile:
        """The line through heights `y` at places `x`."""
        if len(x) != len(y):
            raise ModelError(f"height profile: {len(x)} places and {len(y)} heights; give as many of each")
        return cls(tuple(zip(x, y, strict=True)))

    def height(self, x: float) -> float:
        """Height at x [m]."""
        from numpy import interp

        places, heights = zip(*self.points, strict=True)
        return float(interp(x, places, heights))


@dataclass(frozen=True)
class Shoes:
    """`points` of each link (link axes) press on the ground with friction. `area` per link turns force into pressure.

    The ground may run to the right below the vehicle like the `belt` of a test stand, at that speed [m/s].
    """

    points: tuple[Vector, ...]
    law: Compliant
    ground: HeightProfile = field(default_factory=HeightProfile)
    area: float = 1.0
    belt: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.points, Iterable) or not tuple(self.points):
            raise ModelError(f"shoes: points = {self.points!r}; give at least one (x, y) in the axes of a link")
        checks.set_field(self, "points", tuple(checks.vector("shoes", f"points[{i}]", p, sizes=(2,))
                                               for i, p in enumerate(self.points)))
        if not isinstance(self.law, Compliant):
            raise ModelError(f"shoes: law = {self.law!r} is not a Compliant law, such as Compliant(Linear(k, c), "
                             "Regularised(mu, v_reg))")
        _normal("shoes", "law.normal", self.law.normal)
        if self.law.rolling is not None:
            raise ModelError("shoes: the links of a track do not roll; leave `rolling` of its law out")
        rub = self.law.friction
        if rub is not None and (not isinstance(rub, Regularised) or not isinstance(rub.mu, float)):
            raise ModelError("shoes: friction must be Regularised with a number for mu; bristles and coefficients that "
                             "depend on the slip belong to a Contact")
        if not isinstance(self.ground, HeightProfile):
            raise ModelError(f"shoes: ground = {self.ground!r} is not a HeightProfile")
        checks.set_field(self, "area", checks.positive("shoes", "area", self.area))
        checks.set_field(self, "belt", checks.number("shoes", "belt", self.belt))


@dataclass(frozen=True)
class Track:
    """Bodies `links` in a row, the joints `pins` between them, and what touches them.

    Channels, one column per link: `<name>.<wheel>.force`, `<name>.<sprocket>.seat`, `.left`, `.right`, `<name>.ground.force`,
    `.friction`, `.pressure`; one column per pin: `<name>.pin_force`; and `<name>.tension`, of each link along its x axis.
    `drag` [1/s] holds the links back in proportion to their mass, as a viscous medium would; it lets a chain settle.
    """

    name: str
    links: tuple[str, ...]
    pins: tuple[str, ...] = ()
    rail: Rail | None = None
    wheels: tuple[Wheel, ...] = ()
    sprockets: tuple[Sprocket, ...] = ()
    shoes: Shoes | None = None
    drag: float = 0.0

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'track "{self.name}"'

    def __post_init__(self) -> None:
        checks.name_of("track", self.name)
        for name in ("links", "pins", "wheels", "sprockets"):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, Iterable):
                raise ModelError(f"{self.where}: {name} = {value!r} is not a list")
            checks.set_field(self, name, tuple(value))
        checks.set_field(self, "drag", checks.positive(self.where, "drag", self.drag, zero_too=True))
        if not self.links:
            raise ModelError(f"{self.where}: has no links")
        for name, kind in (("wheels", Wheel), ("sprockets", Sprocket)):
            for part in getattr(self, name):
                if not isinstance(part, kind):
                    raise ModelError(f"{self.where}: {name} holds {part!r}, which is no {kind.__name__}")
        if self.wheels and not isinstance(self.rail, Rail):
            raise ModelError(f"{self.where}: its wheels need a rail to roll on; give rail=Rail(height, back, front)")
        if self.shoes is not None and not isinstance(self.shoes, Shoes):
            raise ModelError(f"{self.where}: shoes = {self.shoes!r} is not a Shoes")
        bodies = [*self.links, *(w.body for w in self.wheels), *(s.body for s in self.sprockets)]
        twice = next((b for b in bodies if bodies.count(b) > 1), None)
        if twice is not None:
            raise ModelError(f'{self.where}: body "{twice}" is named twice; a body is one link, one wheel or one sprocket')


def closed_chain(count: int, pitch: float, mass: float, inertia: float, *, link: str = "link",
                 pin: str = "pin") -> tuple[list[Body], list[Revolute]]:
    """The links link1 ... and pins pin1 ... of a closed chain: pin<i> is the rear end of link<i>, the front of the last one."""
    if not isinstance(count, int) or count < 3:
        raise ModelError(f"closed chain: {count!r} links cannot close; three are the least")
    half = 0.5 * checks.positive("closed chain", "pitch", pitch)
    bodies = [Body(f"{link}{i + 1}", mass, inertia) for i in range(count)]
    pins = [Revolute(f"{pin}{i + 1}", bodies[i - 1].name, bodies[i].name, point_a=(half, 0.0), point_b=(-half, 0.0))
            for i in range(count)]
    return bodies, pins
