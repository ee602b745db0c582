"""The excavator of [shin]: 54 bodies with the ground, 42 links, one half of a 12 t machine.

The paper prints the number of bodies and links, the friction coefficient, the sprocket's speed and the shape of the contact
laws, and no other number. Teeth and pitch are chosen here so that 4.796 rad/s give the paper's 1.4 m/s; masses, radii, places,
stiffnesses and dampings are estimates for a machine of this size. What the curves owe to these choices is said in
`routh.gallery.shin`.

Bodies 2 ... 54 of the paper: chassis, sprocket (at the rear), idler, roller1 ... roller7 below from rear to front, roller8
above, link1 ... link42. The paper's body 39 is link27.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from routh.model.compliant import Compliant, Linear
from routh.model.friction import Regularised
from routh.model.profiles import SmoothRamp
from routh.model.state import State
from routh.model.tracks import Rail
from routh.vehicles.parts import Chassis, DriveSprocket, Idler, Links, Roller, SpeedDrive
from routh.vehicles.tracked import TrackedVehicle

__all__ = ["OMEGA", "RAMP", "settled", "vehicle"]

OMEGA = 4.796  # rad/s, of the sprocket against the chassis
RAMP = 0.1  # s, in which it is reached

# what pictures show of the chassis: track frame, pedestal, house, cab, boom, stick and bucket
OUTLINE = (
    ((-1.3, 0.32), (1.3, 0.32), (1.3, 0.52), (-1.3, 0.52)),
    ((-0.45, 0.52), (0.45, 0.52), (0.45, 0.88), (-0.45, 0.88)),
    ((-1.75, 0.88), (0.95, 0.88), (1.0, 1.25), (-1.65, 1.45)),
    ((-0.4, 1.25), (0.55, 1.25), (0.65, 2.1), (-0.3, 2.15)),
    ((0.75, 1.0), (1.0, 1.0), (2.25, 2.75), (2.1, 2.9), (1.95, 2.85)),
    ((2.05, 2.75), (2.9, 1.35), (3.05, 1.4), (2.3, 2.9)),
    ((2.7, 1.45), (2.85, 0.95), (3.3, 0.9), (3.15, 1.45)),
)

# the state at rest on level ground: pose of the chassis, rear pin of the first link, angles of the links
CHASSIS = (0.00031445565, 0.896603442483, 0.000364352624)
FIRST_PIN = complex(-1.395027402628, 0.708558299821)
ANGLES = (
    -2.755512959761, -2.156854820801, -1.55774171596, -0.958631507364, -0.360864208442, -0.15991644908, -0.12833805658,
    0.026570716633, -0.021550351391, 0.022581053254, -0.022028670119, 0.025254809319, -0.024681837139, 0.02165700683,
    -0.020952412733, 0.014351230854, -0.012551399133, 0.0119408661, -0.014929631355, 0.075712813069, 0.099400193439,
    0.396580893707, 0.980940691665, 1.591911927856, 2.171170606045, 2.793313283797, 3.222410234999, 3.193751174266,
    3.165006677638, 3.136222209635, 3.107447984526, 3.078728979563, 3.050114170392, 3.026054228451, 3.237999962242,
    3.221721112888, 3.192790832932, 3.163773393114, 3.134719368737, 3.105675373843, 3.076692661586, 3.047818496659,
)


def vehicle(**changes: Any) -> TrackedVehicle:
    """The excavator; `changes` replace fields of the template, such as drive, ground or links."""
    on_roller = Linear(k=5e6, c=2e4)
    on_tooth = Linear(k=1e7, c=1e4)
    lower = [Roller(f"roller{i + 1}", (-0.99 + 0.33 * i, 0.195), 0.08, 20.0, 0.07, on_roller) for i in range(7)]
    upper = Roller("roller8", (0.0, 0.615), 0.06, 12.0, 0.025, on_roller)
    excavator = TrackedVehicle(
        name="excavator",
        chassis=Chassis(5000.0, 6500.0, (0.0, 0.9), OUTLINE),
        sprocket=DriveSprocket((-1.37, 0.417), 60.0, 2.4, teeth=21, teeth_per_link=2, seat=on_tooth, flanks=on_tooth,
                               flank_angle=math.radians(20.0), play=0.0005, flank=(-0.01, 0.022),
                               first_pin=math.radians(95.0)),
        idler=Idler((1.38, 0.398), 0.24, 80.0, 2.6, Linear(k=5e6, c=1e4), travel=0.05, slack=0.002),
        rollers=(*lower, upper),
        links=Links(42, 0.175, 18.0, 0.12, Rail(0.045, 0.0875, 0.0875), pin_radius=0.0265,
                    shoes=((-0.06, -0.07), (0.0, -0.07), (0.06, -0.07)), shoe_area=0.175 * 0.5),
        ground_law=Compliant(Linear(k=2e6, c=5e3), Regularised(mu=0.1, v_reg=0.01)),
        drive=SpeedDrive(SmoothRamp(-OMEGA, RAMP)),
    )
    return dataclasses.replace(excavator, **changes)


def settled() -> State:
    """At rest on level ground, the drive at angle zero: what `vehicle().settle()` finds, to 1e-6 m."""
    return vehicle().state_of(CHASSIS, FIRST_PIN, ANGLES)
