"""The unit of every field that holds numbers, by family of declarations. One line per new element, where its fields are new.

| entry | means |
|---|---|
| "N/m" | the unit; "1" for plain numbers |
| ("N m/rad", "N/m") | the first where the element's `coordinate` is an angle, the second where it is a shift |
| "P/s" | P is the unit of the profile's values: that of a driven coordinate, or none for the factor of a force |
| None | units that cannot be written down: plain numbers in SI |

"Screw.pitch" is the field of one class, "pitch" that of all classes in the family.
"""

from __future__ import annotations

from typing import Any

__all__ = ["QUANTITIES", "quantity", "start_quantity"]

Quantity = str | tuple[str, str] | None

_POINTS: dict[str, Quantity] = {"point": "m", "point_a": "m", "point_b": "m", "length": "m", "turn": "rad"}
_AXES: dict[str, Quantity] = {"axis": "1", "axis_b": "1", "tangent": "1", "normal": "1"}

QUANTITIES: dict[str, dict[str, Quantity]] = {
    "model": {"gravity": "m/s^2"},
    "options": {"t_start": "s", "t_end": "s", "rtol": "1", "atol": "1", "output": "s", "max_step": "s", "max_steps": "1",
                "max_memory": "1", "step": "s", "contact_tolerance": "1", "max_sweeps": "1"},
    "body": {"mass": "kg", "inertia": "kg m^2", "centre": "m", "density": "kg/m^3", "thickness": "m"},
    "joints": _POINTS | _AXES | {"pitch": "m/rad", "ratio": "1", "Gear.phase": "rad", "Rack.radius": "m", "Rack.phase": "m"},
    "forces": _POINTS | {
        "force": "N", "torque": "N m", "profile": "1", "parameters": None,
        "SpringDamper.stiffness": "N/m", "SpringDamper.damping": "N s/m", "free_length": "m",
        "JointSpring.stiffness": ("N m/rad", "N/m"), "JointSpring.damping": ("N m s/rad", "N s/m"), "free": ("rad", "m"),
        "coefficient": ("N m s/rad", "N s/m"),
        "Motor.force": ("N m", "N"), "no_load_speed": ("rad/s", "m/s"), "Brake.force": ("N m", "N"),
        "stiction": "1",
        "Servo.target": ("rad", "m"), "Servo.stiffness": ("N m/rad", "N/m"), "Servo.damping": ("N m s/rad", "N s/m"),
        "SpeedServo.target": ("rad/s", "m/s"), "gain": ("N m s/rad", "N s/m"), "limit": ("N m", "N"),
        "Clutch.force": ("N m", "N"),
        "Drag.constant": "N", "Drag.linear": "N s/m", "Drag.quadratic": "N s^2/m^2", "Drag.slow": "m/s",
        "SpinDrag.constant": "N m", "SpinDrag.linear": "N m s/rad", "SpinDrag.quadratic": "N m s^2/rad^2",
        "SpinDrag.slow": "rad/s", "Bushing.stiffness": "N/m", "Bushing.damping": "N s/m",
        "rotation_stiffness": "N m/rad", "rotation_damping": "N m s/rad"},
    "drivers": {"motion": ("rad", "m")},
    "contacts": _POINTS | {"lower": ("rad", "m"), "upper": ("rad", "m"), "e": "1"},
    "impulses": _POINTS | {"at": "s", "Impulse.impulse": "N s", "AngularImpulse.impulse": "N m s"},
    "shapes": _POINTS | _AXES | {"radius": "m", "axes": "m", "size": "m", "vertices": "m", "faces": None, "bulges": "1",
                                 "points": "m",
                                 "start": "m", "end": "m"},
    "laws": {"e": "1", "mu": "1", "mu_s": "1", "e_t": "1", "tangential_stiffness": "1"},
    "restitution": {"e": "1", "speed": "m/s", "power": "1", "yield_strength": "N/m^2", "modulus": "N/m^2", "radius": "m",
                    "mass": "kg", "speeds": "m/s", "values": "1", "parameters": None},
    "friction": {"static": "1", "kinetic": "1", "speed": "m/s", "viscous": "s/m", "power": "1", "speeds": "m/s",
                 "values": "1", "parameters": None, "mu": "1", "v_reg": "m/s", "sigma0": "1/m", "sigma1": "s/m",
                 "sigma2": "s/m", "grip": "1", "rolling": "m", "drilling": "m", "slow": "rad/s"},
    "dry": {"mu": "1", "radius": "m", "preload": "N", "torque": "N m", "force": "N", "stiction": "1", "length": "m"},
    "compliant": {"k": None, "Linear.k": "N/m", "KhuliefShabana.k": "N/m", "WaltonBraun.k": "N/m", "k_unload": "N/m",
                  "c": "N s/m", "e": "1", "mass": "kg", "power": "1",
                  "chi": "s/m", "depth": "m", "speed": "m/s", "slow": "m/s", "parameters": None},
    "tracks": {"height": "m", "back": "m", "front": "m", "radius": "m", "pitch": "m", "pin": "m", "pin_radius": "m",
               "phase": "rad", "flank_angle": "rad", "play": "m", "flank": "m", "points": "m", "area": "m^2", "belt": "m/s",
               "drag": "1/s"},
    "profiles": {"value": "P", "start": "s", "width": "s", "height": "P", "amplitude": "P", "frequency": "Hz", "phase": "rad",
                 "offset": "P", "coefficients": None, "rate": "P/s", "ramp_time": "s", "times": "s", "values": "P",
                 "parts": "P"},
}  # fmt: skip

_START: dict[str, str] = {
    "theta": "rad", "angle": "rad", "shift": "m", "omega": "rad/s", "omega_body": "rad/s", "q": "1",
    **dict.fromkeys(("x", "y", "z"), "m"), **dict.fromkeys(("vx", "vy", "vz"), "m/s"),
    **dict.fromkeys(("qw", "qx", "qy", "qz"), "1"), **dict.fromkeys(("wx", "wy", "wz"), "rad/s")}  # fmt: skip


def quantity(kind: type[Any], field: str) -> Quantity:
    """The unit of a field of a declaration; None where the field has none, so that only plain numbers are taken."""
    family = QUANTITIES.get(kind.__module__.rpartition(".")[2], {})
    return family.get(f"{kind.__name__}.{field}", family.get(field))


def start_quantity(key: str) -> str | None:
    """The unit of one value of a start, such as "vx" or "angle_rate"; None for a name that no start has."""
    coordinate, rate, _ = key.partition("_rate")
    unit = _START.get(key) or _START.get(coordinate.rstrip("123"))
    return f"{unit}/s" if rate and unit else unit
