"""A robot while it is being imported: links become bodies with the same frames.

A link without mass that is fixed to another becomes part of it. Shapes have a place in a Model only where they can touch
something: with an impact law each shape may touch those of the ground, and limits of joints become stops; without one both are
left out, because e and mu have no defaults. What files often have wrong by digits is mended (`mending.py`) and noted.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.compiler.geometry import quaternion_of
from routh.compiler.pairs import gaps_of
from routh.errors import FileError, ModelError, RouthError
from routh.files.mending import few_corners, mended, possible_inertia
from routh.files.mesh import read_mesh
from routh.files.modelfile import ModelFile, Reading
from routh.files.reading import MOST
from routh.files.safe_xml import Element
from routh.model import joints
from routh.model.body import GROUND, Body
from routh.model.contacts import Contact, Stop
from routh.model.model import Model
from routh.model.shapes import HalfSpace, Hull, Shape
from routh.model.state import State

__all__ = ["Frame", "Link", "Robot", "numbers"]


@dataclass(frozen=True)
class Frame:
    """Where a frame is in another: `at` its origin, `turn` its axes as columns."""

    at: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(3))
    turn: np.ndarray = dataclasses.field(default_factory=lambda: np.eye(3))

    def then(self, inner: Frame) -> Frame:
        """A frame given inside this one, seen from outside."""
        return Frame(self.at + self.turn @ inner.at, self.turn @ inner.turn)

    def point(self, p: Any) -> np.ndarray:
        """A point given inside, seen from outside."""
        out: np.ndarray = self.at + self.turn @ np.asarray(p, float)
        return out


@dataclass(frozen=True)
class Link:
    """A link: the body it is part of, where its frame is in that body's link frame."""

    body: str
    frame: Frame


class Robot:
    """Bodies, joints, forces and shapes, and notes of what was left out."""

    def __init__(self, file: str, name: str, reading: Reading) -> None:
        self.file, self.name, self.law, self.reading = file, name or "robot", reading.law, reading
        self.bodies: list[Body] = []
        self.joints: list[Any] = []
        self.forces: list[Any] = []
        self.contacts: list[Any] = []
        self.links: dict[str, Link] = {}
        self.shapes: dict[str, list[Shape]] = {GROUND: []}
        self.names: set[str] = {GROUND}
        self.alike: Counter[tuple[str, str]] = Counter()
        self.world: dict[str, Frame] = {GROUND: Frame()}  # link frames of bodies where every joint is at zero
        self.start: dict[str, dict[str, Any]] = {}
        self.left_out: dict[str, int] = {}
        self.notes: list[str] = []

    def fail(self, element: Element, message: str) -> FileError:
        """An error at the line of an element."""
        called = element.get("name")
        return FileError(message, file=self.file, line=element.line, path=element.tag + (f' "{called[:60]}"' if called else ""))

    def leave_out(self, what: str) -> None:
        """Count something that a Model does not take."""
        self.left_out[what] = self.left_out.get(what, 0) + 1

    def note(self, text: str) -> None:
        """Say what was decided."""
        self.notes.append(text)

    def unique(self, name: str, kind: str) -> str:
        """A name that a Model takes and nobody has yet."""
        found = clean = re.sub(r"[./\s]|[^\x20-\x7e\w]", "_", name)[:80] or kind
        while found in self.names:
            self.alike[clean, kind] += 1  # remembered, because many shapes of one body are called alike
            found = f"{clean}_{kind}" + (f"{self.alike[clean, kind]}" if self.alike[clean, kind] > 1 else "")
        self.names.add(found)
        return found

    def add_ground(self, link: str, frame: Frame | None = None) -> None:
        """A link that does not move."""
        self.links[link] = Link(GROUND, frame or Frame())

    def add_part(self, link: str, of: str, frame: Frame) -> None:
        """A link without mass that is fixed to another."""
        owner = self.links[of]
        self.links[link] = Link(owner.body, owner.frame.then(frame))

    def add_body(self, element: Element, link: str, mass: float, centre: np.ndarray, inertia: np.ndarray) -> str:
        """A link with mass; `inertia` (3, 3) about the centre, in the axes of the link."""
        if len(self.bodies) >= MOST:
            raise self.fail(element, f"more than {MOST} bodies")
        name = self.unique(link, "body")
        inertia = 0.5 * (inertia + inertia.T)
        if not self.reading.strict:
            inertia, change = possible_inertia(inertia)
            if change > 0.0:
                self.note(f'body "{name}": its inertia is that of no mass distribution, and was changed by {change:.2g} of it')
        diagonal = not np.count_nonzero(inertia - np.diag(np.diagonal(inertia)))
        moments: Any = tuple(np.diagonal(inertia)) if diagonal else tuple(map(tuple, inertia))
        at = tuple(map(float, centre)) if np.any(centre) else ()
        self.bodies.append(self.made(element, lambda: Body(name, mass, moments, at)))
        self.links[link] = Link(name, Frame())
        self.shapes[name] = []
        return name

    def scale_masses(self, total: float) -> None:
        """Give all bodies together this mass, each in proportion to its own."""
        factor = total / sum(body.mass_properties().mass for body in self.bodies)
        self.bodies = [dataclasses.replace(body, mass=factor * body.mass_properties().mass,
                                           inertia=factor * np.asarray(body.inertia)) for body in self.bodies]

    def joint(self, element: Element, kind: type[Any], name: str, outer: Link, child: str, frame: Frame,
              anchor: Any = (0, 0, 0), axis: Any = None, **more: Any) -> Any:
        """A joint of `child` in the link `outer`: `frame` is where the child is in it while the joint is at zero, `anchor` and
        `axis` are given in the child's frame.
        """
        whole = outer.frame.then(frame)
        if axis is not None:
            more["axis"] = tuple(whole.turn @ _unit(np.asarray(axis, float)))
        if "turn" in {f.name for f in dataclasses.fields(kind)} and np.abs(whole.turn - np.eye(3)).max() > 1e-15:
            more["turn"] = tuple(quaternion_of(whole.turn))
        body = self.links[child].body
        self.world[body] = self.world[outer.body].then(whole)
        called = self.unique(name or f"{child}", "joint")
        made = self.made(element, lambda: kind(
            called, outer.body, body, point_a=tuple(whole.point(anchor)), point_b=tuple(np.asarray(anchor, float)), **more))
        self.joints.append(made)
        if kind is joints.Spherical:  # it counts from the axes of its parent: being at zero is a start
            self.start[called] = dict(zip(kind.coordinates, map(float, quaternion_of(whole.turn)), strict=True))
        if kind is joints.Free:
            self.start[body] = self.pose(body)
        return made

    def pose(self, body: str) -> dict[str, Any]:
        """Where a body is while every joint is at zero."""
        world = self.world[body]
        return {**dict(zip("xyz", map(float, world.at), strict=True)), "q": tuple(map(float, quaternion_of(world.turn)))}

    def limit(self, element: Element, coordinate: str, lower: float | None, upper: float | None) -> None:
        """Limits of a joint, as stops where there is a law for them."""
        if self.law is None:
            self.leave_out("limits of joints: give a law for them")
            return
        if lower is not None and lower == upper and not self.reading.strict:
            self.leave_out("limits of joints with lower = upper")
            return
        e, name = self.law.restitution(0.0), self.unique(coordinate.partition(".")[0], "stop")
        self.contacts.append(self.made(element, lambda: Stop(name, coordinate, lower, upper, e=e)))

    def shape(self, element: Element, link: str, make: Callable[[str, Frame], Shape], frame: Frame) -> None:
        """A shape of a link: `make(body, frame)` declares it in the frame of the body."""
        owner = self.links[link]
        placed = owner.frame.then(frame)
        self.shapes[owner.body].append(self.made(element, lambda: make(owner.body, placed)))

    def hull(self, element: Element, link: str, name: str, scale: np.ndarray, frame: Frame) -> None:
        """The hull of a mesh file, where the file is there."""
        path = self.reading.find(name)
        if path is None:
            self.leave_out("meshes whose files are not there, or are neither STL nor OBJ")
            return
        try:
            corners = few_corners(read_mesh(path) * scale)
        except RouthError as error:
            self.leave_out(f"meshes that cannot be read: {error}")
            return
        owner = self.links[link]
        placed = owner.frame.then(frame)
        points = corners @ placed.turn.T + placed.at
        self.shapes[owner.body].append(self.made(element, lambda: Hull(owner.body, points)))

    def finish(self, gravity: Any) -> ModelFile:
        """The model, and notes of what was left out."""
        if not self.bodies:
            raise FileError("there is no body with mass in it", file=self.file)
        if self.reading.floor is not None:
            self.shapes[GROUND].append(HalfSpace(GROUND, (0.0, 0.0, 1.0), (0.0, 0.0, self.reading.floor)))
        self._touch_ground()
        try:
            model = Model("spatial", self.bodies, self.joints, self.forces, gravity=tuple(gravity), name=self.name,
                          contacts=self.contacts)
            start = State(self._full_start())
            if not self.reading.strict:
                model, start, notes = mended(model, start)
                self.notes += notes
        except RouthError as error:
            raise FileError(str(error), file=self.file) from None
        left_out = (f"left out: {what}" + (f" ({n})" if n > 1 else "") for what, n in self.left_out.items())
        return ModelFile(model, start, notes=(*self.notes, *left_out))

    def _full_start(self) -> dict[str, dict[str, Any]]:
        """The start, with every joint at zero where bodies float: lest joints move to meet the pose of a body."""
        if not any("q" in values for values in self.start.values()):
            return self.start
        followers = {joint.second.partition(".")[0] for joint in self.joints if isinstance(joint, joints.Coupling)}
        told = {joint.name: dict.fromkeys(joint.coordinates, 0.0) for joint in self.joints
                if isinstance(joint, joints.Joint) and joint.coordinates and joint.name not in followers}
        return told | self.start

    def made(self, element: Element, make: Callable[[], Any]) -> Any:
        """A declaration, its complaints pointed to the line of the element."""
        try:
            return make()
        except (ModelError, ValueError, ArithmeticError) as error:
            raise self.fail(element, str(error)) from None

    def _touch_ground(self) -> None:
        """Contacts of every shape with those of the ground."""
        on_bodies = [shape for body, own in self.shapes.items() if body != GROUND for shape in own]
        if self.law is None:
            for _ in on_bodies + self.shapes[GROUND]:
                self.leave_out("shapes: give a law for their contacts")
            return
        held, fixed = set[str](), {GROUND}
        for joint in self.joints:  # outward from the ground
            if isinstance(joint, joints.Joint) and joint.a in fixed and not isinstance(joint, joints.Free):
                held.add(joint.b)
                fixed |= {joint.b} if isinstance(joint, joints.Weld) else set()
        for ground in self.shapes[GROUND]:
            for shape in on_bodies:
                if shape.body in held:
                    self.leave_out("contacts of a body with the ground that it is joined to")
                    continue
                try:
                    gaps_of("spatial", ground, shape)
                except ModelError as error:
                    self.leave_out(str(error))
                    continue
                if len(self.contacts) >= MOST:
                    raise FileError(f"more than {MOST} contacts with the ground", file=self.file)
                self.contacts.append(Contact(self.unique(f"{shape.body}_on_ground", "contact"), ground, shape, self.law))


def numbers(robot: Robot, element: Element, name: str, default: str = "", sizes: tuple[int, ...] = ()) -> np.ndarray:
    """An attribute as numbers; FileError where it is none, not finite, or of another size."""
    text = element.get(name, default)
    try:
        values = np.array([float(x) for x in text.split()])
    except ValueError:
        raise robot.fail(element, f'{name} = "{text[:60]}" are not numbers') from None
    if not np.isfinite(values).all():
        raise robot.fail(element, f'{name} = "{text[:60]}" are not finite')
    if sizes and len(values) not in sizes:
        wanted = " or ".join(map(str, sizes))
        raise robot.fail(element, f'{name} = "{text[:60]}" has {len(values)} numbers, expected {wanted}')
    return values


def _unit(v: np.ndarray) -> np.ndarray:
    """A direction of length one; what has none stays, and the joint complains."""
    length = float(np.linalg.norm(v))
    return v / length if length > 0.0 else v
