"""What can touch: pairs of shapes, end stops of joints, ropes. All three push or pull one way only.

| contact | holds back | while it is closed |
|---|---|---|
| `Contact` | two shapes from overlapping | pushes along the normal, friction along the tangent |
| `ContactGroup` | every two of many shapes from overlapping | as a `Contact` of each pair |
| `Stop` | a joint coordinate from passing `lower` or `upper` | pushes the coordinate back, without friction |
| `Rope` | two points from parting by more than `length` | pulls them together, without friction |

Restitution and friction are physical choices: a `Contact` has a law, a `Stop` or a `Rope` its e, the ratio of speeds after
and before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector
from routh.model.compliant import Compliant
from routh.model.laws import ImpactLaw
from routh.model.shapes import Disk, HalfSpace, Polyline, Shape, Sphere

__all__ = ["Contact", "ContactGroup", "Rope", "Stop", "Unilateral", "at_point", "bearing", "between"]


@dataclass(frozen=True)
class Unilateral:
    """What all three share: a name, and how messages call them."""

    name: str

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'{type(self).__name__.lower()} "{self.name}"'

    def __post_init__(self) -> None:
        checks.name_of(type(self).__name__.lower(), self.name)

    def _check_e(self) -> None:
        e = getattr(self, "e", None)
        if e is None:
            raise ModelError(f"{self.where}: give e, the ratio of speeds after and before; it has no default "
                             "(0: no rebound, 1: full rebound)")
        e = checks.number(self.where, "e", e)
        if not 0.0 <= e <= 1.0:
            raise ModelError(f"{self.where}: e = {e:g} is outside [0, 1]; it is the ratio of speeds after and before")
        checks.set_field(self, "e", e)


@dataclass(frozen=True)
class Contact(Unilateral):
    """Two shapes that collide, stick and slide by a law. The normal points from a to b; impulses and forces are those on b.

    Parameters
    ----------
    name
        Of the contact.
    a, b
        Shapes of two bodies.
    law
        An impact law keeps them apart: `Newton`, `Poisson`, `Stronge`, `Moreau`, `Brach`. With a `Compliant` law they
        overlap slightly, and the force depends on the overlap. There is no default.

    Examples
    --------
    >>> floor, ball = shapes.HalfSpace("ground", normal=(0.0, 1.0)), shapes.Disk("ball", radius=0.1)
    >>> rt.Contact("bounce", floor, ball, law=rt.Stronge(e=0.8, mu=0.3)).law.e
    0.8
    """

    a: Shape
    b: Shape
    law: ImpactLaw | Compliant | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("a", "b"):
            shape = getattr(self, field)
            if not isinstance(shape, Shape):
                raise ModelError(f"{self.where}: {field} = {shape!r} is not a shape; see routh.shapes")
        if self.a.body == self.b.body:
            raise ModelError(f'{self.where}: both shapes belong to body "{self.a.body}", which cannot touch itself')
        _check_law(self.where, self.law)


def _check_law(where: str, law: Any) -> None:
    if law is None:
        raise ModelError(f"{where}: give a law, such as Poisson(e=0.5, mu=0.3); e and mu have no defaults")
    if not isinstance(law, ImpactLaw | Compliant) or type(law) is ImpactLaw:
        raise ModelError(f"{where}: law = {law!r} is not an impact law; take Newton, Poisson, Stronge, Moreau, Brach "
                         "or Compliant")


@dataclass(frozen=True)
class ContactGroup(Unilateral):
    """Every shape of `a` collides with every shape of `b`, or with every other shape of `a` where `b` is left out.

    Shapes of one body do not collide, nor do bodies that a joint connects. The stepping engine never lists the pairs, so that a
    group may hold thousands of shapes. The events engine makes a contact of each pair.

    Parameters
    ----------
    name
        Of the group.
    a, b
        Shapes.
    law
        Of every pair.

    Examples
    --------
    >>> balls = [shapes.Disk(name, radius=0.03) for name in ("cue", "red", "blue")]
    >>> len(rt.ContactGroup("clicks", balls, law=rt.Newton(e=0.9, mu=0.1)).pairs())
    3
    """

    a: Sequence[Shape]
    b: Sequence[Shape] = ()
    law: ImpactLaw | Compliant | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("a", "b"):
            checks.set_field(self, field, tuple(_shapes(self.name, field, getattr(self, field))))
        if not self.a:
            raise ModelError(f'{self.where}: a holds no shape')
        if len({shape.body for shape in (*self.a, *self.b)}) < 2:
            raise ModelError(f"{self.where}: no two of its shapes belong to different bodies")
        _check_law(self.where, self.law)

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'contact group "{self.name}"'

    def __len__(self) -> int:
        """Number of pairs, those that cannot collide included."""
        return len(self.a) * len(self.b) if self.b else len(self.a) * (len(self.a) - 1) // 2

    def pairs(self, joined: frozenset[frozenset[str]] = frozenset()) -> list[Contact]:
        """A contact for each pair, named as those of `between`; pairs of bodies in `joined` are left out."""
        assert self.law is not None
        found = between(self.name, self.a, self.b or self.a, self.law)
        return [contact for contact in found if frozenset((contact.a.body, contact.b.body)) not in joined]


@dataclass(frozen=True)
class Stop(Unilateral):
    """End stops of a joint coordinate: it stays within [lower, upper], one of which may be left out. No friction.

    Parameters
    ----------
    name
        Of the stop.
    coordinate
        Such as "pin.angle".
    lower, upper
        Ends [rad or m].
    e
        Ratio of speeds after and before, 0 to 1; there is no default.

    Examples
    --------
    >>> rt.Stop("buffer", "pin.angle", lower=-0.3, upper=0.5, e=0.4).upper
    0.5
    """

    coordinate: str
    lower: float | None = None
    upper: float | None = None
    e: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for field in ("lower", "upper"):
            if getattr(self, field) is not None:
                checks.set_field(self, field, checks.number(self.where, field, getattr(self, field)))
        if self.lower is None and self.upper is None:
            raise ModelError(f"{self.where}: give lower, upper or both; without either there is no stop")
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            raise ModelError(f"{self.where}: lower = {self.lower:g} is not below upper = {self.upper:g}; use a Weld or a "
                             "Driver to hold a coordinate")
        self._check_e()


@dataclass(frozen=True)
class Rope(Unilateral):
    """A massless rope between two bodies: slack until it is taut, then it pulls.

    Parameters
    ----------
    name
        Of the rope.
    a, b
        Names of the bodies.
    length
        [m]
    point_a, point_b
        Ends in the frames of the bodies [m]. Default: their origins.
    e
        Ratio of speeds after and before, 0 to 1; there is no default.

    Examples
    --------
    >>> rt.Rope("line", "ground", "bob", length=0.6, e=0.0).length
    0.6
    """

    a: str
    b: str
    length: float
    point_a: Vector = ()
    point_b: Vector = ()
    e: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.a == self.b:
            raise ModelError(f'{self.where}: ties body "{self.a}" to itself')
        checks.set_field(self, "length", checks.positive(self.where, "length", self.length))
        for field in ("point_a", "point_b"):
            if not checks.left_out(getattr(self, field)):
                checks.set_field(self, field, checks.vector(self.where, field, getattr(self, field)))
        self._check_e()


def at_point(name: str, a: str, b: str, point_a: Vector, normal: Vector, law: ImpactLaw | Compliant, *,
             point_b: Vector = ()) -> Contact:
    """A contact at a given point and normal: a point of body b against a plane that body a carries.

    `rt.collide` does the same for one impact. Accident reconstruction knows point and normal from the damage.

    Parameters
    ----------
    name
        Of the contact.
    a, b
        Names of the bodies; a may be "ground".
    point_a, normal
        A point of the plane, and its unit normal from a to b, in the frame of a [m].
    law
        Of the contact.
    point_b
        The point that touches, in the frame of b [m]. Default: its origin.

    Examples
    --------
    >>> crash = contacts.at_point("crash", "van", "car", point_a=(2.1, 0.3), normal=(0.9, 0.3), law=rt.Stronge(e=0.1, mu=0.5),
    ...                           point_b=(-1.9, 0.2))
    >>> crash.a.body, crash.b.point
    ('van', (-1.9, 0.2))
    """
    where = f'contact "{name}"'
    d = len(checks.vector(where, "normal", normal))
    plane = HalfSpace(a, checks.vector(where, "normal", normal), checks.vector(where, "point_a", point_a, sizes=(d,)))
    tip = checks.vector(where, "point_b", point_b, sizes=(d,)) if not checks.left_out(point_b) else (0.0,) * d
    return Contact(name, plane, Disk(b, 0.0, tip) if d == 2 else Sphere(b, 0.0, tip), law)


def bearing(name: str, a: str, b: str, radius: float, clearance: float, law: ImpactLaw | Compliant, point_a: Vector = (),
            point_b: Vector = ()) -> Contact:
    """A journal of b in a hole of a, wider by the radial `clearance`, in the plane: the contact that replaces a Revolute.

    Parameters
    ----------
    name
        Of the contact.
    a, b
        Names of the body with the hole and of the body with the journal.
    radius
        Of the journal [m].
    clearance
        Radius of the hole less that of the journal [m].
    law
        What happens where they meet, as of a `Contact`.
    point_a, point_b
        Centres of hole and journal in the frames of the bodies [m]. Default: their origins.

    Examples
    --------
    >>> contacts.bearing("pin", "slider", "rod", 0.01, 5e-4, rt.Newton(e=0.0, mu=0.1), point_b=(0.06, 0.0)).b.radius
    0.01
    """
    where = f'bearing "{name}"'
    radius, clearance = checks.positive(where, "radius", radius), checks.positive(where, "clearance", clearance)
    x, y = (0.0, 0.0) if checks.left_out(point_a) else checks.vector(where, "point_a", point_a, sizes=(2,))
    hole = radius + clearance
    wall = Polyline(a, ((x - hole, y), (x + hole, y), (x - hole, y)), bulges=(1.0, 1.0))
    return Contact(name, wall, Disk(b, radius, point_b), law)


def between(name: str, shapes_a: Shape | Iterable[Shape], shapes_b: Shape | Iterable[Shape],
            law: ImpactLaw | Compliant) -> list[Contact]:
    """Contacts of every shape of one list with every shape of the other, those on one body left out.

    Give one list twice for all pairs within it, each once: `between("click", balls, balls, law)`. They are called
    "click_cue-ball7" after their bodies, and "click_cue-ball7-2" where the same two bodies meet again with other shapes.
    """
    checks.name_of("contacts", name)
    firsts, seconds = (_shapes(name, field, s) for field, s in (("shapes_a", shapes_a), ("shapes_b", shapes_b)))
    out: list[Contact] = []
    seen: set[frozenset[int]] = set()
    met: dict[str, int] = {}
    for a in firsts:
        for b in seconds:
            pair = frozenset((id(a), id(b)))
            if a.body == b.body or pair in seen:
                continue
            seen.add(pair)
            called = f"{name}_{a.body}-{b.body}"
            met[called] = met.get(called, 0) + 1
            out.append(Contact(called if met[called] == 1 else f"{called}-{met[called]}", a, b, law))
    return out


def _shapes(name: str, field: str, given: Any) -> list[Shape]:
    items = [given] if isinstance(given, Shape) else list(given) if isinstance(given, Iterable) else [given]
    for item in items:
        if not isinstance(item, Shape):
            raise ModelError(f'contacts "{name}": {field} holds {item!r}, which is not a shape; see routh.shapes')
    return items
