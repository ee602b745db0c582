"""TrackedVehicle: masses, radii and places of the parts of a planar tracked vehicle, made into a Model and its start.

Built configuration: the pins are chords of the hull of the wheels, begun at the sprocket; the idler is put where the last
chord ends at the first pin, then drawn back by the slack. The vehicle drives to +x when its sprocket turns clockwise.
"""

from __future__ import annotations

import cmath
import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.optimize import brentq

from routh.errors import ModelError
from routh.model import checks
from routh.model.body import Body
from routh.model.compliant import Compliant
from routh.model.drivers import Driver
from routh.model.forces import Force, JointSpring, Torque
from routh.model.joints import Joint, PinInSlot, Revolute
from routh.model.model import Model
from routh.model.profiles import Polynomial
from routh.model.shapes import Polygon
from routh.model.state import State
from routh.model.tracks import HeightProfile, Rail, Shoes, Sprocket, Track, Wheel, closed_chain
from routh.sim.options import Options
from routh.sim.simulate import simulate
from routh.vehicles.hull import Disc, Hull
from routh.vehicles.parts import (
    Chassis,
    DriveSprocket,
    Idler,
    Links,
    Point,
    RoadArm,
    Roller,
    SpeedDrive,
    Tensioner,
    TorqueDrive,
)

__all__ = ["OPTIONS", "TrackedVehicle"]

OPTIONS = Options(method="order3", rtol=1e-4, atol=1e-4)
"""Numerical choices for tracked vehicles: the speed of the excavator is then right to 1e-4 m/s over five seconds."""

MOST_LINKS = 10_000
AT_REST = ("vx", "vy", "omega", "angle_rate", "shift_rate")


@dataclass(frozen=True)
class TrackedVehicle:
    """One track of a vehicle in the plane, and the half of the vehicle that it carries.

    `model()` is a Model like any other. Bodies: chassis, sprocket, idler, rollers by their names, <roller>_arm, link1 ...
    Joints: sprocket_axle, idler_axle, <roller>_axle, <roller>_pivot, pin1 ... The Track is "track", the drive "drive".
    """

    chassis: Chassis
    sprocket: DriveSprocket
    idler: Idler
    rollers: tuple[Roller, ...]
    links: Links
    ground_law: Compliant
    drive: SpeedDrive | TorqueDrive | None = None
    ground: HeightProfile = field(default_factory=HeightProfile)
    gravity: float = 9.81
    name: str = "tracked_vehicle"

    def __post_init__(self) -> None:
        where = f'vehicle "{checks.name_of("vehicle", self.name)}"'
        if isinstance(self.rollers, str) or not isinstance(self.rollers, Iterable):
            raise ModelError(f"{where}: rollers = {self.rollers!r} is not a list")
        checks.set_field(self, "rollers", tuple(self.rollers))
        self._check_kinds(where)
        self._check_numbers(where)
        self.pins  # noqa: B018  (raises where the chain does not close)

    def _check_kinds(self, where: str) -> None:
        """Every part is of the kind that its place demands."""
        def check(name: str, part: Any, *kinds: type) -> None:
            if not isinstance(part, kinds):
                raise ModelError(f"{where}: {name} = {part!r} is not a {kinds[0].__name__}")

        check("chassis", self.chassis, Chassis)
        check("sprocket", self.sprocket, DriveSprocket)
        check("idler", self.idler, Idler)
        check("idler.tensioner", self.idler.tensioner, Tensioner, type(None))
        check("links", self.links, Links)
        check("links.rail", self.links.rail, Rail)
        check("drive", self.drive, SpeedDrive, TorqueDrive, type(None))
        for i, roller in enumerate(self.rollers):
            check(f"rollers[{i}]", roller, Roller)
            check(f"rollers[{i}].arm", roller.arm, RoadArm, type(None))

    def _check_numbers(self, where: str) -> None:
        """What the built configuration is computed from; masses and the like are checked where they are used."""
        count = self.links.count
        if not isinstance(count, int) or not 3 <= count <= MOST_LINKS:
            raise ModelError(f"{where}: links.count = {count!r} must be a whole number from 3 to {MOST_LINKS}")
        checks.positive(where, "links.pitch", self.links.pitch)
        checks.number(where, "gravity", self.gravity)
        parts: dict[str, Any] = {"chassis": self.chassis, "sprocket": self.sprocket, "idler": self.idler,
                                 **{roller.name: roller for roller in self.rollers}}
        for name, part in parts.items():
            checks.vector(where, f"{name}.center", part.center, sizes=(2,))
            if hasattr(part, "radius"):
                checks.positive(where, f"{name}.radius", part.radius)
            for key, force in (("arm", "load"), ("tensioner", "preload")):
                spring = getattr(part, key, None)
                if spring is not None:
                    checks.positive(where, f"{name}.{key}.stiffness", spring.stiffness)
                    checks.number(where, f"{name}.{key}.{force}", getattr(spring, force))
        checks.positive(where, "idler.travel", self.idler.travel)
        checks.number(where, "idler.slack", self.idler.slack)

    @cached_property
    def toothing(self) -> Sprocket:
        """The sprocket as the Track sees it."""
        s, l = self.sprocket, self.links
        return Sprocket("sprocket", s.teeth, l.pitch, (-0.5 * l.pitch, 0.0), l.pin_radius, s.seat, s.flanks, s.teeth_per_link,
                        s.first_pin, s.flank_angle, s.play, s.flank)

    def hull(self, idler_x: float) -> Hull:
        """The way of the pins with the idler at x."""
        height, half = self.links.rail.height, 0.5 * self.links.pitch
        discs = [Disc("sprocket", self.sprocket.center, self.toothing.pitch_radius),
                 # links lie along the rim of the idler, so their pins are outside of it
                 Disc("idler", (idler_x, self.idler.center[1]), math.hypot(self.idler.radius + height, half)),
                 *(Disc(r.name, r.center, r.radius + height) for r in self.rollers)]
        return Hull(discs, self.sprocket.first_pin)

    def excess(self, idler_x: float) -> float:
        """By how much the chain is too long for its path with the idler at x [m]."""
        hull = self.hull(idler_x)
        return hull.chords(self.links.pitch, self.links.count)[-1] - hull.length

    @property
    def _outward(self) -> float:
        """+1 where the idler is before the sprocket, -1 where it is behind."""
        return math.copysign(1.0, self.idler.center[0] - self.sprocket.center[0])

    @cached_property
    def idler_taut(self) -> float:
        """The idler's x at which the chain closes without slack [m]."""
        x, out = self.idler.center[0], self._outward * self.idler.travel  # where the path is longest
        loose, taut = self.excess(x - out), self.excess(x + out)
        if not taut <= 0.0 <= loose:
            long = taut > 0.0
            lack, where = (taut, x + out) if long else (-loose, x - out)
            links = max(1, round(lack / self.links.pitch))
            raise ModelError(
                f'vehicle "{self.name}": {self.links.count} links of {1e3 * self.links.pitch:g} mm do not close: even with the '
                f"idler at x = {where:.6g} m, the end of its travel, the chain is {1e3 * lack:.1f} mm too "
                f"{'long' if long else 'short'}; take {links} link{'s' if links > 1 else ''} "
                f"{'fewer' if long else 'more'}, or move the idler")
        return float(brentq(self.excess, x - out, x + out, xtol=1e-15, rtol=1e-15))

    @cached_property
    def pins(self) -> np.ndarray:
        """(count,) rear pins of the links as built, x + i y."""
        hull = self.hull(self.idler_taut)
        return np.array([hull.point(s) for s in hull.chords(self.links.pitch, self.links.count)[:-1]])

    def model(self) -> Model:
        """The vehicle as a Model."""
        s, l = self.sprocket, self.links
        links, pins = closed_chain(l.count, l.pitch, l.mass, l.inertia)
        idler_at = (self.idler_taut - self._outward * self.idler.slack, self.idler.center[1])
        seen = [Polygon("chassis", tuple(self._on_chassis(point) for point in piece)) for piece in self.chassis.outline]
        bodies = [Body("chassis", self.chassis.mass, self.chassis.inertia, visual=seen), Body("sprocket", s.mass, s.inertia),
                  Body("idler", self.idler.mass, self.idler.inertia)]
        joints: list[Joint] = [Revolute("sprocket_axle", "chassis", "sprocket", point_a=self._on_chassis(s.center))]
        forces: list[Force] = []
        drivers: list[Driver] = []
        tensioner = self.idler.tensioner
        if tensioner is None:
            joints.append(Revolute("idler_axle", "chassis", "idler", point_a=self._on_chassis(idler_at)))
        else:
            joints.append(PinInSlot("idler_axle", "chassis", "idler", point_a=self._on_chassis(idler_at), axis=tensioner.axis))
            forces.append(JointSpring("tensioner", "idler_axle.shift", tensioner.stiffness, tensioner.damping,
                                      free=tensioner.preload / tensioner.stiffness))
        for roller in self.rollers:
            self._add_roller(roller, bodies, joints, forces)
        if isinstance(self.drive, SpeedDrive):
            drivers.append(Driver("drive", "sprocket_axle.angle", self.drive.motion))
        elif self.drive is not None:
            forces += [Torque("drive", "sprocket", self.drive.torque, self.drive.profile),
                       Torque("drive_reaction", "chassis", -self.drive.torque, self.drive.profile)]
        track = Track("track", tuple(b.name for b in links), tuple(p.name for p in pins), l.rail,
                      (Wheel("idler", self.idler.radius, self.idler.law),
                       *(Wheel(r.name, r.radius, r.law) for r in self.rollers)),
                      (self.toothing,), Shoes(l.shoes, self.ground_law, self.ground, l.shoe_area))
        return Model("planar", [*bodies, *links], [*joints, *pins], forces, drivers, (0.0, -self.gravity), self.name,
                     tracks=[track])

    def _on_chassis(self, point: Point) -> Point:
        return point[0] - self.chassis.center[0], point[1] - self.chassis.center[1]

    def _add_roller(self, roller: Roller, bodies: list[Body], joints: list[Joint], forces: list[Force]) -> None:
        name, arm = roller.name, roller.arm
        bodies.append(Body(name, roller.mass, roller.inertia))
        if arm is None:
            joints.append(Revolute(f"{name}_axle", "chassis", name, point_a=self._on_chassis(roller.center)))
            return
        half = 0.5 * (roller.center[0] - arm.pivot[0]), 0.5 * (roller.center[1] - arm.pivot[1])
        bodies.append(Body(f"{name}_arm", arm.mass, arm.inertia))
        joints += [Revolute(f"{name}_pivot", "chassis", f"{name}_arm", point_a=self._on_chassis(arm.pivot),
                            point_b=(-half[0], -half[1])),
                   Revolute(f"{name}_axle", f"{name}_arm", name, point_a=half)]
        # as built the spring turns the arm so that its end is pressed down with the load
        forces.append(JointSpring(f"{name}_spring", f"{name}_pivot.angle", arm.stiffness, arm.damping,
                                  free=-2.0 * half[0] * arm.load / arm.stiffness))

    def state_of(self, chassis: Sequence[float], first_pin: complex, angles: Sequence[float]) -> State:
        """A start at rest from the chassis' pose, the first link's rear pin and the angles of all links."""
        middle = first_pin + 0.5 * self.links.pitch * cmath.exp(1j * angles[0])
        turns = np.diff(angles, prepend=angles[-1])
        return State({
            "chassis": dict(zip(("x", "y", "theta"), chassis, strict=True)),
            "link1": {"x": middle.real, "y": middle.imag, "theta": float(angles[0])},
            **{f"pin{i + 1}": {"angle": float(turn)} for i, turn in enumerate(turns)}})

    def built(self) -> State:
        """The built configuration at rest."""
        directions = np.diff(self.pins, append=self.pins[0])
        angles = np.unwrap(np.angle(directions))
        return self.state_of((*self.chassis.center, 0.0), complex(self.pins[0]), angles.tolist())

    def locked(self) -> TrackedVehicle:
        """The same vehicle with its sprocket held in the chassis."""
        return dataclasses.replace(self, drive=SpeedDrive(Polynomial((0.0,))))

    def settle(self, time: float = 4.0, drag: float = 5.0, start: State | None = None) -> State:
        """The state at rest on the ground: from `start` (as built, if left out) for `time` seconds with the drive locked.

        Meanwhile `drag` [1/s] holds the links back in proportion to their mass. What still moves then is stopped.
        """
        model = self.locked().model().replace({"track.drag": drag})
        result = simulate(model, start or self.built(), time, options=dataclasses.replace(OPTIONS, output=time))
        final = result.final_state
        return State({name: {key: 0.0 if key in AT_REST else value for key, value in values.items()}
                      for name, values in final.items()})
