"""The same scene seen otherwise: other units, another frame, another clock, other names, another order.

    seen = in_units(scene, length=1e-6, mass=1e3, time=1.0)
    seen.model, seen.start, seen.t_start, seen.t_end

Each function takes and gives back a `View`: model, start, times, and what lengths, masses, times and names became. What cannot
be seen otherwise (laws written in Python, whose units nobody knows) raises `TransformError`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, is_dataclass, replace

import numpy as np

import routh as rt
from routh import joints, profiles
from routh.files.quantities import quantity, start_quantity
from routh.model.body import GROUND
from routh.model.contacts import ContactGroup
from routh.model.profiles import Profile

BASE = {"m": (1, 0, 0), "kg": (0, 1, 0), "s": (0, 0, 1), "rad": (0, 0, 0), "1": (0, 0, 0), "N": (1, 1, -2), "Hz": (0, 0, -1),
        "J": (2, 1, -2)}
FRAME = "frame"


class TransformError(Exception):
    """A scene that holds what cannot be seen otherwise."""


@dataclass(frozen=True)
class View:
    """A scene, and what became of its units and names."""

    model: rt.Model
    start: rt.State
    t_end: float
    t_start: float = 0.0
    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    names: dict = field(default_factory=dict)   # new name of a contact: old name

    def run(self, **options):
        """Events as (kind, contact, time since the start, normal impulse), in the units and names of the first scene.

        The impulse of a stop of an angle is one of a moment.
        """
        chosen = rt.Options(**({"rtol": 1e-11, "output": [], "max_steps": 20_000} | options),
                            atol=1e-13 * min(self.length, self.length / self.time, 1.0, 1.0 / self.time))
        result = rt.simulate(self.model, self.start, self.t_end, t_start=self.t_start, options=chosen)
        events = result.events
        turns = {c.name for c in self.model.contacts if isinstance(c, rt.Stop) and "angle" in c.coordinate.partition(".")[2]}
        impulse = self.mass * self.length / self.time
        return [(str(e.kind), self.names.get(e.contact, e.contact), float(e.t - self.t_start) / self.time,
                 float(e.p_n) / (impulse * self.length if e.contact in turns else impulse)) for e in events]


def view(file):
    """The view of a `ModelFile` or a scene as it is."""
    return View(file.model, file.start if file.start is not None else rt.State(), file.t_end, getattr(file, "t_start", 0.0))


# units

def factor(unit, scales):
    """By which a number in a unit of the SI is multiplied; `scales` are those of length, mass and time."""
    top, _, bottom = unit.partition("/")
    powers = np.zeros(3)
    for part, sign in ((top, 1), (bottom, -1)):
        for word in part.split():
            base, _, power = word.partition("^")
            powers += sign * (int(power) if power else 1) * np.array(BASE[base])
    return float(np.prod(np.array(scales) ** powers))


def scaled(value, by):
    """Numbers in a value, times a factor."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return value * by
    if isinstance(value, np.ndarray):
        return value * by
    return tuple(scaled(v, by) for v in value)


def element_in_units(item, scales, model, own=None):
    """A declaration with all its numbers in other units. `own` is the unit of a profile's values."""
    changes = {}
    for f in fields(item):
        value, unit = getattr(item, f.name), quantity(type(item), f.name)
        if callable(value) and not is_dataclass(value):
            raise TransformError(f"{type(item).__name__}.{f.name} is a function")
        if isinstance(unit, tuple):
            coordinate = getattr(item, "coordinate", "")
            unit = unit[0 if "angle" in coordinate.partition(".")[2] else 1]
        if isinstance(value, Profile):
            changes[f.name] = element_in_units(value, scales, model, unit)
        elif is_dataclass(value) and not isinstance(value, type):
            changes[f.name] = element_in_units(value, scales, model)
        elif isinstance(value, tuple | list) and value and is_dataclass(value[0]):
            changes[f.name] = type(value)(element_in_units(v, scales, model) for v in value)
        elif f.name == "coefficients" and isinstance(item, profiles.Polynomial):
            changes[f.name] = tuple(c * factor(own, scales) * scales[2] ** -i for i, c in enumerate(value))
        elif f.name == "k" and hasattr(item, "power"):
            changes[f.name] = value * factor("N", scales) * scales[0] ** -item.power
        elif f.name == "parameters" and len(value):
            raise TransformError(f"{type(item).__name__}.parameters have units that nobody knows")
        elif unit is not None:
            changes[f.name] = scaled(value, factor(unit.replace("P", own or "1"), scales))
    return replace(item, **changes)


def start_in_units(start, scales):
    return rt.State({name: {key: scaled(value, factor(start_quantity(key), scales)) for key, value in values.items()}
                     for name, values in start.items()})


def in_units(scene, length=1.0, mass=1.0, time=1.0):
    """The scene in other units: every length times `length`, and so on."""
    if scene.model.tracks:
        raise TransformError("tracks")
    scales, model = (length, mass, time), scene.model
    families = ("bodies", "joints", "forces", "drivers", "contacts", "impulses")
    changes = {name: tuple(element_in_units(item, scales, model) for item in getattr(model, name)) for name in families}
    gravity = scaled(tuple(model.gravity), factor("m/s^2", scales))
    return replace(scene, model=replace(model, gravity=gravity, **changes), start=start_in_units(scene.start, scales),
                   t_end=scene.t_end * time, t_start=scene.t_start * time, length=scene.length * length,
                   mass=scene.mass * mass, time=scene.time * time)


# frames

def on_frame(item):
    """A declaration whose parts that stood on the ground stand on the frame."""
    changes = {}
    for f in fields(item):
        value = getattr(item, f.name)
        if callable(value) and not is_dataclass(value):
            raise TransformError(f"{type(item).__name__}.{f.name} is a function")
        if f.name in ("a", "b", "body") and value == GROUND:
            changes[f.name] = FRAME
        elif is_dataclass(value) and not isinstance(value, type):
            changes[f.name] = on_frame(value)
        elif isinstance(value, tuple | list) and value and is_dataclass(value[0]):
            changes[f.name] = type(value)(on_frame(v) for v in value)
    return replace(item, **changes) if changes else item


def rotated(vector, angle):
    """A vector turned about the z axis."""
    c, s, v = math.cos(angle), math.sin(angle), list(vector)
    return (c * v[0] - s * v[1], s * v[0] + c * v[1], *v[2:])


def product(p, q):
    """Hamilton's product of two quaternions."""
    a, b, c, d = p
    e, f, g, h = q
    return (a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e)


def body_in_frame(values, d, shift, angle, velocity):
    """Pose and velocity of a body, turned about z, then shifted, then with a velocity added."""
    values, axes = dict(values), "xyz"[:d]
    x = np.array(rotated([values.get(k, 0.0) for k in axes], angle)) + np.array(shift)
    v = np.array(rotated([values.get(f"v{k}", 0.0) for k in axes], angle)) + np.array(velocity)
    values |= dict(zip(axes, map(float, x), strict=True)) | dict(zip((f"v{k}" for k in axes), map(float, v), strict=True))
    if d == 2:
        return values | {"theta": values.get("theta", 0.0) + angle}
    q = values.get("q", (1.0, 0.0, 0.0, 0.0))
    values["q"] = product((math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle)), q)
    if "omega" in values:
        values["omega"] = rotated(values["omega"], angle)
    return values


def in_frame(scene, shift=None, angle=0.0, velocity=None):
    """The scene turned about z by an angle and shifted, or seen from a frame that moves: with a constant velocity along x.

    What stood on the ground stands on a body that is welded to it, or driven along it.
    """
    model, d = scene.model, scene.model.dimension
    if model.tracks:
        raise TransformError("tracks")
    shift = np.zeros(d) if shift is None else np.asarray(shift, float)
    speed = 0.0 if velocity is None else float(velocity)
    along = np.eye(d)[0]
    frame = rt.Body(FRAME, 1.0, 1.0 if d == 2 else (1.0, 1.0, 1.0))
    turn = angle if d == 2 else (math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle))
    if speed:
        carrier = joints.Prismatic("carrier", GROUND, FRAME, axis=tuple(along), point_a=tuple(shift), turn=turn)
        drivers = (rt.Driver("carry", "carrier.shift", profiles.ConstantRate(speed, -speed * scene.t_start)),)
    else:
        carrier, drivers = joints.Weld("carrier", GROUND, FRAME, point_a=tuple(shift), turn=turn), ()
    families = ("joints", "forces", "contacts")
    changes = {name: tuple(on_frame(item) for item in getattr(model, name)) for name in families}
    forces = tuple(world_force(f, angle) for f in changes["forces"])
    impulses = tuple(world_impulse(i, angle) for i in model.impulses)
    changed = replace(model, bodies=(frame, *model.bodies), joints=(carrier, *changes["joints"]), contacts=changes["contacts"],
                      forces=forces, impulses=impulses, drivers=(*drivers, *model.drivers),
                      gravity=rotated(model.gravity, angle) if len(model.gravity) else model.gravity)
    jointed = {name for j in model.joints if hasattr(j, "a") for name in (j.a, j.b)}
    free = {b.name for b in model.bodies} - jointed
    start = {name: dict(values) for name, values in scene.start.items()}
    for body in model.bodies:
        if body.name in free or body.name in start:
            start[body.name] = body_in_frame(start.get(body.name, {}), d, shift, angle, speed * along)
    return replace(scene, model=changed, start=rt.State(start))


def world_force(force, angle):
    """A force whose components are in world axes."""
    if hasattr(force, "force") and not force.follows:
        return replace(force, force=rotated(force.force, angle))
    return force


def world_impulse(impulse, angle):
    if hasattr(impulse, "point") and not impulse.follows:
        return replace(impulse, impulse=rotated(impulse.impulse, angle))
    return impulse


# clock

def later(scene, delay):
    """The scene begun later by `delay`, with everything that is scheduled."""
    def moved(item):
        changes = {}
        for f in fields(item):
            value = getattr(item, f.name)
            if isinstance(value, Profile):
                changes[f.name] = profile(value)
            elif f.name == "at":
                changes[f.name] = value + delay
        return replace(item, **changes) if changes else item

    def profile(p):
        if isinstance(p, profiles.Constant):
            return p
        if isinstance(p, profiles.ConstantRate):
            return replace(p, offset=p.offset - p.rate * delay)
        if isinstance(p, profiles.Sine):
            return replace(p, phase=math.fmod(p.phase - 2.0 * math.pi * p.frequency * delay, 2.0 * math.pi))
        if isinstance(p, profiles.Table):
            return replace(p, times=tuple(t + delay for t in p.times))
        return replace(p, start=p.start + delay)

    model = scene.model
    changes = {name: tuple(moved(item) for item in getattr(model, name)) for name in ("forces", "drivers", "impulses")}
    return replace(scene, model=replace(model, **changes), t_start=scene.t_start + delay, t_end=scene.t_end + delay)


# names and order

def renamed(scene):
    """Bodies and contacts under other names, all lists in the opposite order."""
    model = scene.model
    bodies = {b.name: f"part{i}" for i, b in enumerate(reversed(model.bodies))} | {GROUND: GROUND}
    contacts = {c.name: f"touch{i}" for i, c in enumerate(model.contacts)}

    def named(item):
        changes = {}
        for f in fields(item):
            value = getattr(item, f.name)
            if f.name in ("a", "b", "body") and isinstance(value, str):
                changes[f.name] = bodies[value]
            elif is_dataclass(value) and not isinstance(value, type):
                changes[f.name] = named(value)
        return replace(item, **changes) if changes else item

    if any(isinstance(c, ContactGroup) for c in model.contacts) or model.tracks:
        raise TransformError("groups of contacts, tracks")
    changed = replace(model, bodies=tuple(replace(b, name=bodies[b.name]) for b in reversed(model.bodies)),
                      joints=tuple(named(j) for j in reversed(model.joints)),
                      forces=tuple(named(f) for f in reversed(model.forces)),
                      impulses=tuple(named(i) for i in reversed(model.impulses)),
                      contacts=tuple(replace(named(c), name=contacts[c.name]) for c in reversed(model.contacts)))
    start = rt.State({bodies.get(name, name): values for name, values in scene.start.items()})
    return replace(scene, model=changed, start=start, names={new: old for old, new in contacts.items()})
