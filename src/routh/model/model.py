"""The Model: bodies, joints, forces, drivers, contacts, impulses and gravity as one frozen, checked value."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from routh.display import present
from routh.errors import ModelError, did_you_mean
from routh.model import checks
from routh.model.body import GROUND, Body
from routh.model.contacts import Contact, ContactGroup, Rope, Stop, Unilateral
from routh.model.drivers import Driver
from routh.model.dry import check_friction
from routh.model.forces import BodyDrag, BodyLaw, Brake, Bushing, Clutch, Force, JointForce, LineForce, PointForce, Torque
from routh.model.impulses import AngularImpulse, Impulse, ScheduledImpulse
from routh.model.joints import PLANAR, SPATIAL, Coupling, Joint, Planar, Revolute
from routh.model.laws import Brach, Stronge
from routh.model.shapes import Mesh
from routh.model.tracks import Track

__all__ = ["Model", "replaced"]

SEQUENTIAL, SIMULTANEOUS = "sequential", "simultaneous"
MOST_PAIRS = 20_000  # pairs of a group that the event-driven engine takes: 100 MB of tables

# why a law cannot take several impacts as one
_ONE_AT_A_TIME = {
    Stronge: "Stronge's e compares works along the path of one impulse, and several at once have no common path",
    Brach: "Brach's ratios are those of one impulse, and say nothing about several at once",
}


@dataclass(frozen=True)
class Model:
    """Bodies, joints, forces and contacts in the plane or in space.

    Every element has a name of its own. The body "ground" is always there and does not move. `model["ball"]` is an element by
    its name; `model.replace({"bounce.law.e": 0.4})` is a new model.

    Parameters
    ----------
    space
        "planar" (the plane z = 0, y up) or "spatial". Right-handed axes, SI units, radians.
    bodies
        The bodies that move. A body without a joint is free.
    joints, forces, drivers
        Joints and couplings, forces, prescribed motions. Default: none.
    gravity
        Acceleration vector [m/s²]. Default: none.
    name
        Of the model, for titles and messages.
    contacts
        Contacts, groups, stops and ropes. Default: none.
    impulses
        Impulses at given instants. Default: none.
    impacts
        Impacts at one instant are resolved one after another until none approaches ("sequential"), or all together
        ("simultaneous"). Default: "sequential".
    tracks
        Rows of links with their wheels and ground. Default: none.

    Examples
    --------
    >>> model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("rod", mass=1.0, inertia=1.0 / 12.0)],
    ...                  joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))])
    >>> model["pin"].b, model.replace({"rod.mass": 2.0})["rod"].mass
    ('rod', 2.0)
    """

    space: str
    bodies: Sequence[Body]
    joints: Sequence[Joint | Coupling] = ()
    forces: Sequence[Force] = ()
    drivers: Sequence[Driver] = ()
    gravity: Sequence[float] = ()
    name: str = "model"
    contacts: Sequence[Unilateral] = ()
    impulses: Sequence[ScheduledImpulse] = ()
    impacts: str = SEQUENTIAL
    tracks: Sequence[Track] = ()

    def __post_init__(self) -> None:
        if self.space not in (PLANAR, SPATIAL):
            raise ModelError(f'model: space = {self.space!r} is neither "planar" nor "spatial"')
        if not isinstance(self.name, str):
            raise ModelError(f"model: name = {self.name!r} is not text")
        if not self.name.isprintable():  # it goes to terminals and files
            raise ModelError(f"model: name = {ascii(self.name)[:200]} holds a control character, or half of a surrogate pair")
        expected: dict[str, Any] = {"bodies": Body, "joints": (Joint, Coupling), "forces": Force, "drivers": Driver,
                                    "contacts": (Contact, ContactGroup, Stop, Rope),
                                    "impulses": (Impulse, AngularImpulse), "tracks": Track}
        for field, kind in expected.items():
            items = _elements(field, getattr(self, field))
            for item in items:
                if not isinstance(item, kind):
                    raise ModelError(f"model: {field} holds {item!r}, which does not belong there")
            checks.set_field(self, field, items)
        if not self.bodies:
            raise ModelError("model: there is no body in it; declare at least one Body")
        zero = (0.0,) * self.dimension
        checks.set_field(self, "gravity", self._sized("model", "gravity", self.gravity) or zero)
        self._check_names()
        for body in self.bodies:
            self._check_body(body)
        for joint in self.joints:
            self._check_joint(joint)
        for force in self.forces:
            self._check_force(force)
        driven = self._check_drivers()
        for contact in self.contacts:
            self._check_contact(contact, driven)
        self._check_impacts()
        for impulse in self.impulses:
            self._check_impulse(impulse)
        for track in self.tracks:
            self._check_track(track)

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return 2 if self.space == PLANAR else 3

    def elements(self) -> Iterator[Any]:
        """Every named element, in order of declaration."""
        yield from self.bodies
        yield from self.joints
        yield from self.forces
        yield from self.drivers
        yield from self.contacts
        yield from self.impulses
        yield from self.tracks

    @cached_property
    def joined_bodies(self) -> frozenset[frozenset[str]]:
        """Pairs of bodies that a joint connects."""
        return frozenset(frozenset((j.a, j.b)) for j in self.joints if isinstance(j, Joint))

    def single_contacts(self) -> tuple[Unilateral, ...]:
        """Contacts, stops and ropes, with a contact for each pair of a group."""
        if not any(isinstance(contact, ContactGroup) for contact in self.contacts):
            return tuple(self.contacts)
        alone = {frozenset((c.a, c.b)) for c in self.contacts if isinstance(c, Contact)}  # these go before groups
        out: list[Unilateral] = []
        for contact in self.contacts:
            if not isinstance(contact, ContactGroup):
                out.append(contact)
                continue
            if len(contact) > MOST_PAIRS:
                raise ModelError(f"{contact.where}: has {len(contact)} pairs, and the event-driven engine would watch each; "
                                 f'{MOST_PAIRS} are its limit. Take Options(engine="stepping")')
            out += [c for c in contact.pairs(self.joined_bodies) if frozenset((c.a, c.b)) not in alone]
        return tuple(out)

    def __getitem__(self, name: str) -> Any:
        for element in self.elements():
            if element.name == name:
                return element
        raise KeyError(f'no element "{name}"' + did_you_mean(name, (e.name for e in self.elements())))

    def _repr_html_(self) -> str:
        return str(present("model_html", self))

    def replace(self, changes: Mapping[str, Any]) -> Model:
        """A new Model with fields changed by path: `model.replace({"pin.point_a": (0, 1), "gravity.1": -1.62})`."""
        model = self
        for path, value in changes.items():
            model = model._replace_one(path, value)
        return model

    def with_elements(self, changed: Mapping[str, Any]) -> Model:
        """A new Model with elements changed by name."""
        fields: dict[str, Any] = {
            field: tuple(changed.get(item.name, item) for item in getattr(self, field))
            for field in ("bodies", "joints", "forces", "drivers", "contacts", "impulses", "tracks")}
        return dataclasses.replace(self, **fields)

    def coordinate(self, where: str, path: str) -> tuple[Joint, int]:
        """The joint and the index that a path such as "pin.angle" means; "pin" alone where it has one coordinate."""
        if not isinstance(path, str):
            raise ModelError(f'{where}: coordinate = {path!r} is not text such as "pin.angle"')
        name, _, which = path.partition(".")
        named = {j.name: j for j in self.joints if isinstance(j, Joint)}
        if name not in named:
            raise ModelError(f'{where}: no joint "{name}"' + did_you_mean(name, named))
        joint = named[name]
        if joint.speeds or not joint.coordinates:
            raise ModelError(f'{where}: joint "{name}" ({type(joint).__name__}) has no coordinate that a single number '
                             "describes")
        if not which and len(joint.coordinates) == 1:
            return joint, 0
        if which not in joint.coordinates:
            raise ModelError(f'{where}: joint "{name}" has no coordinate "{which}"'
                             + did_you_mean(which, joint.coordinates))
        return joint, joint.coordinates.index(which)

    def _replace_one(self, path: str, value: Any) -> Model:
        head, _, rest = path.partition(".")
        own = {f.name for f in dataclasses.fields(self)}
        if not rest and head in own:
            return dataclasses.replace(self, **{head: value})
        for field in ("bodies", "joints", "forces", "drivers", "contacts", "impulses", "tracks"):
            items = getattr(self, field)
            for i, item in enumerate(items):
                if item.name == head and rest:
                    changed = replaced(item, rest.split("."), value, path)
                    return dataclasses.replace(self, **{field: items[:i] + (changed,) + items[i + 1:]})
        if rest and head in own:
            return dataclasses.replace(self, **{head: replaced(getattr(self, head), rest.split("."), value, path)})
        known = [e.name for e in self.elements()] + sorted(own)
        raise ModelError(f'path "{path}": no element or field "{head}"' + did_you_mean(head, known))

    def _sized(self, where: str, field: str, value: Any) -> tuple[float, ...]:
        """A vector of the model's dimension, or () where it was left out."""
        return () if checks.left_out(value) else checks.vector(where, field, value, sizes=(self.dimension,))

    @cached_property
    def _body_names(self) -> dict[str, Body]:
        return {body.name: body for body in self.bodies}

    def _check_names(self) -> None:
        seen: dict[str, str] = {GROUND: "the fixed body"}
        for element in self.elements():
            kind = type(element).__name__
            if element.name in seen:
                raise ModelError(f'name "{element.name}" is used twice: by {seen[element.name]} and by a {kind}')
            seen[element.name] = f"a {kind}"

    def _check_body_name(self, where: str, name: str) -> None:
        if name != GROUND and name not in self._body_names:
            raise ModelError(f'{where}: no body "{name}"' + did_you_mean(name, [GROUND, *self._body_names]))

    def _check_body(self, body: Body) -> None:
        where = f'body "{body.name}"'
        for shape in (*body.shapes, *body.visual):
            if shape.dimension != self.dimension:
                raise ModelError(f"{where}: a {type(shape).__name__} of {shape.dimension} dimensions does not belong in a "
                                 f"{self.space} model")
        properties = body.mass_properties()
        planar = isinstance(properties.inertia, float)
        if planar != (self.space == PLANAR) and properties.inertia != 0.0:  # that of a point mass is zero in either
            wanted = "one number" if self.space == PLANAR else "three principal moments or a 3 by 3 matrix"
            raise ModelError(f"{where}: inertia of a {self.space} model must be {wanted}")
        self._sized(where, "centre", properties.centre)

    def _check_joint(self, joint: Joint | Coupling) -> None:
        if isinstance(joint, Coupling):
            if self.coordinate(joint.where, joint.first) == self.coordinate(joint.where, joint.second):
                raise ModelError(f'{joint.where}: couples "{joint.first}" to itself')
            return
        if self.space not in joint.spaces:
            raise ModelError(f"{joint.where}: {type(joint).__name__} does not exist in a {self.space} model")
        self._check_body_name(joint.where, joint.a)
        self._check_body_name(joint.where, joint.b)
        for field in ("point_a", "point_b"):
            self._sized(joint.where, field, getattr(joint, field))
        self._check_axes(joint)
        check_friction(joint.where, getattr(joint, "friction", None), "angle" in joint.coordinates,
                       "shift" in joint.coordinates, self.space == PLANAR)
        turn = getattr(joint, "turn", None)
        if turn is not None and isinstance(turn, float) != (self.space == PLANAR):
            raise ModelError(f"{joint.where}: turn must be "
                             + ("an angle" if self.space == PLANAR else "a unit quaternion (w, x, y, z)"))

    def _check_axes(self, joint: Joint) -> None:
        fields = {f.name for f in dataclasses.fields(joint)}
        needs_axis = "axis" in fields and (self.space == SPATIAL or "shift" in joint.coordinates)
        if needs_axis and getattr(joint, "axis", None) is None:
            raise ModelError(f"{joint.where}: give the axis of the {type(joint).__name__}, a vector in the frame of "
                             f'"{joint.a}"')
        if self.space == PLANAR and "angle" in joint.coordinates and not needs_axis and getattr(joint, "axis", None):
            raise ModelError(f"{joint.where}: a Revolute of a planar model turns about the plane's normal; leave axis out")
        if "axis_b" in fields and getattr(joint, "axis_b", None) is None:
            raise ModelError(f'{joint.where}: give axis_b, the second axis in the frame of "{joint.b}"')
        for field in ("axis", "axis_b", "tangent"):
            if getattr(joint, field, None) is not None:
                self._sized(joint.where, field, getattr(joint, field))
        if isinstance(joint, Planar) and joint.tangent is not None and _parallel(joint.axis or (), joint.tangent):
            raise ModelError(f"{joint.where}: tangent = {joint.tangent} lies along the axis; give a direction in the plane")

    def _check_force(self, force: Force) -> None:
        if isinstance(force, PointForce | Torque | BodyLaw | BodyDrag):
            self._check_body_name(force.where, force.body)
            if force.body == GROUND:
                raise ModelError(f"{force.where}: acts on the ground, which does not move")
        if isinstance(force, LineForce | Bushing):
            self._check_body_name(force.where, force.a)
            self._check_body_name(force.where, force.b)
        for field in force.vectors:
            self._sized(force.where, field, getattr(force, field))
        scalars = {Torque: ("torque",), Bushing: ("rotation_stiffness", "rotation_damping")}
        for field in scalars.get(type(force), ()):
            value = getattr(force, field)
            if isinstance(value, tuple) == (self.space == PLANAR):
                raise ModelError(f"{force.where}: {field} must be "
                                 + ("a number in a planar model" if self.space == PLANAR else "three numbers in space"))
        if isinstance(force, JointForce):
            self.coordinate(force.where, force.coordinate)
        if isinstance(force, Clutch):
            ends = [self.coordinate(force.where, path) for path in (force.first, force.second)]
            if ends[0] == ends[1]:
                raise ModelError(f'{force.where}: couples "{force.first}" to itself')
            if len({"angle" in joint.coordinates[k] for joint, k in ends}) > 1:
                raise ModelError(f'{force.where}: "{force.first}" and "{force.second}" are an angle and a shift, which have '
                                 'no slip')

    def _check_drivers(self) -> dict[tuple[str, int], str]:
        """Which driver moves which coordinate."""
        driven: dict[tuple[str, int], str] = {}
        for driver in self.drivers:
            joint, index = self.coordinate(driver.where, driver.coordinate)
            key = (joint.name, index)
            if key in driven:
                raise ModelError(f'{driver.where}: over-constrained: "{joint.name}.{joint.coordinates[index]}" is driven '
                                 f'by "{driven[key]}" already')
            driven[key] = driver.name
            if getattr(joint, "friction", None) is not None:
                raise ModelError(f'{driver.where}: drives "{joint.name}", which has dry friction; a prescribed motion cannot '
                                 "stick: leave the friction out, and add it to the driver's force")
        for brake in self.forces:
            if isinstance(brake, Brake):
                joint, index = self.coordinate(brake.where, brake.coordinate)
                if (joint.name, index) in driven:
                    raise ModelError(f'{brake.where}: "{brake.coordinate}" is driven by "{driven[joint.name, index]}", and a '
                                     "prescribed motion cannot stick")
        return driven

    def _check_contact(self, contact: Unilateral, driven: Mapping[tuple[str, int], str]) -> None:
        where = contact.where
        if isinstance(contact, Contact | ContactGroup):
            for shape in (contact.a, contact.b) if isinstance(contact, Contact) else (*contact.a, *contact.b):
                kind = type(shape).__name__
                if isinstance(shape, Mesh):
                    raise ModelError(f"{where}: a Mesh says how mass is spread; contacts take convex shapes, so give its "
                                     "Hull, or "
                                     "several convex parts")
                if self.space not in shape.spaces:
                    raise ModelError(f"{where}: a {kind} does not exist in a {self.space} model")
                self._check_body_name(where, shape.body)
                for field in ("point", "normal", "start", "end"):
                    self._sized(where, f"{field} of the {kind}", getattr(shape, field, ()))
        if isinstance(contact, Rope):
            for body, field in ((contact.a, "point_a"), (contact.b, "point_b")):
                self._check_body_name(where, body)
                self._sized(where, field, getattr(contact, field))
        if isinstance(contact, Stop):
            joint, index = self.coordinate(where, contact.coordinate)
            if (joint.name, index) in driven:
                raise ModelError(f'{where}: "{contact.coordinate}" is driven by "{driven[joint.name, index]}", and a '
                                 "prescribed motion cannot be stopped")

    def _check_impacts(self) -> None:
        if self.impacts not in (SEQUENTIAL, SIMULTANEOUS):
            raise ModelError(f'model: impacts = {self.impacts!r} is neither "sequential" nor "simultaneous"')
        count = sum(len(contact) if isinstance(contact, ContactGroup) else 1 for contact in self.contacts)
        if self.impacts == SEQUENTIAL or count < 2:
            return
        for contact in self.contacts:
            for kind, why in _ONE_AT_A_TIME.items():
                if isinstance(contact, Contact | ContactGroup) and isinstance(contact.law, kind):
                    raise ModelError(f'{contact.where}: {kind.__name__} cannot be used with impacts = "simultaneous" among '
                                     f"{count} contacts: {why}; take Newton or Poisson, or "
                                     'impacts = "sequential"')

    def _check_impulse(self, impulse: ScheduledImpulse) -> None:
        self._check_body_name(impulse.where, impulse.body)
        if impulse.body == GROUND:
            raise ModelError(f"{impulse.where}: acts on the ground, which does not move")
        if self._body_names[impulse.body].mass_properties().mass == 0.0:
            raise ModelError(f'{impulse.where}: acts on "{impulse.body}", which has no mass; let it act on the body that '
                             'carries one')
        if isinstance(impulse, Impulse):
            self._sized(impulse.where, "impulse", impulse.impulse)
            self._sized(impulse.where, "point", impulse.point)
        if isinstance(impulse, AngularImpulse) and isinstance(impulse.impulse, tuple) == (self.space == PLANAR):
            raise ModelError(f"{impulse.where}: impulse must be "
                             + ("a number in a planar model" if self.space == PLANAR else "three numbers in space"))

    def _check_track(self, track: Track) -> None:
        if self.space != PLANAR:
            raise ModelError(f"{track.where}: a Track does not exist in a {self.space} model")
        for body in (*track.links, *(w.body for w in track.wheels), *(s.body for s in track.sprockets)):
            self._check_body_name(track.where, body)
            if body != GROUND and not self._body_names[body].mass_properties().mass > 0.0:
                raise ModelError(f'{track.where}: body "{body}": mass = 0; bodies of a Track need a mass above zero')
            if body != GROUND and any(self._body_names[body].mass_properties().centre):
                raise ModelError(f'{track.where}: the mass centre of "{body}" is not the origin of its frame; a Track needs '
                                 'it there')
        joints = {j.name for j in self.joints if isinstance(j, Revolute)}
        for pin in track.pins:
            if pin not in joints:
                raise ModelError(f'{track.where}: no Revolute joint "{pin}"' + did_you_mean(pin, joints))


def _parallel(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Whether two unit vectors lie along one line, to what makes a frame useless."""
    return 1.0 - abs(sum(x * y for x, y in zip(a, b, strict=True))) < 1e-12


def _elements(field: str, items: Any) -> tuple[Any, ...]:
    if not isinstance(items, Iterable):
        raise ModelError(f"model: {field} = {items!r} is not a list")
    return tuple(items)


def replaced(item: Any, keys: list[str], value: Any, path: str) -> Any:
    """`item` with the field at the end of `keys` changed, nested declarations and places in lists included."""
    if isinstance(item, tuple):
        if not (keys[0].isascii() and keys[0].isdigit() and int(keys[0][:9]) < len(item)):
            raise ModelError(f'path "{path}": "{keys[0]}" is no place in a list of {len(item)}')
        i = int(keys[0])
        changed = replaced(item[i], keys[1:], value, path) if len(keys) > 1 else value
        return (*item[:i], changed, *item[i + 1:])
    fields = [f.name for f in dataclasses.fields(item)] if dataclasses.is_dataclass(item) else []
    if keys[0] not in fields:
        raise ModelError(f'path "{path}": {type(item).__name__} has no field "{keys[0]}"' + did_you_mean(keys[0], fields))
    if len(keys) > 1:
        value = replaced(getattr(item, keys[0]), keys[1:], value, path)
    return dataclasses.replace(item, **{keys[0]: value})
