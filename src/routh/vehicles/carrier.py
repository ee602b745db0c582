"""A light carrier: five sprung road wheels on trailing arms, a sprocket at the front, a sprung idler at the rear.

All numbers are ours, for one half of a machine of about 9 t. It differs from the excavator in all that the template offers:
another number of links, one tooth per link, road arms with torsion springs, a tensioner, the sprocket in front.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from routh.model.compliant import Compliant, Linear
from routh.model.friction import Regularised
from routh.model.profiles import SmoothRamp
from routh.model.tracks import Rail
from routh.vehicles.parts import Chassis, DriveSprocket, Idler, Links, RoadArm, Roller, SpeedDrive, Tensioner
from routh.vehicles.tracked import TrackedVehicle

__all__ = ["vehicle"]

WHEELS = 5
LOAD = 7800.0  # N, on each road wheel at rest


def vehicle(**changes: Any) -> TrackedVehicle:
    """The carrier; `changes` replace fields of the template, such as drive, ground or links."""
    on_wheel = Linear(k=3e6, c=1e4)
    on_tooth = Linear(k=6e6, c=6e3)
    wheels = []
    for i in range(WHEELS):
        x = -1.32 + 0.66 * i
        arm = RoadArm((x + 0.3, 0.49), mass=20.0, inertia=0.2, stiffness=8000.0, damping=500.0, load=LOAD)
        wheels.append(Roller(f"wheel{i + 1}", (x, 0.37), 0.28, 45.0, 1.8, on_wheel, arm))
    carrier = TrackedVehicle(
        name="carrier",
        chassis=Chassis(3600.0, 4200.0, (0.0, 1.0)),
        sprocket=DriveSprocket((2.05, 0.68), 70.0, 1.5, teeth=11, seat=on_tooth, flanks=on_tooth, play=0.0005,
                               flank=(-0.01, 0.022), first_pin=math.radians(80.0)),
        idler=Idler((-2.0, 0.55), 0.2, 40.0, 0.8, on_wheel, travel=0.1,
                    tensioner=Tensioner(stiffness=2e6, damping=3e4, preload=1.2e4, axis=(-1.0, 0.0))),
        rollers=tuple(wheels),
        links=Links(64, 0.152, 11.0, 0.05, Rail(0.03, 0.076, 0.076), pin_radius=0.02,
                    shoes=((-0.05, -0.06), (0.05, -0.06)), shoe_area=0.152 * 0.38),
        ground_law=Compliant(Linear(k=1.5e6, c=4e3), Regularised(mu=0.5, v_reg=0.02)),
        drive=SpeedDrive(SmoothRamp(-8.0, 2.0)),
    )
    return dataclasses.replace(carrier, **changes)
