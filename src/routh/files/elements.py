"""Which declarations a file can hold: found from the type hints of Model and of what it holds, so that nothing is listed twice.

A field of Model that is a sequence of declarations is a section of the file, `[bodies.ball]`. A field that is a declaration is
a table with a `type`: `law = {type = "Stronge", e = 0.8, mu = 0.3}`. The types of a family are the classes of `routh.model`
below its base that have no subclasses themselves.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any

from routh.model.contacts import Contact, Unilateral
from routh.model.impulses import Impulse, ScheduledImpulse
from routh.model.model import Model

__all__ = ["Family", "Field", "default_type", "fields_of", "sections", "types_of"]

_WITHOUT_TYPE: dict[type, type] = {Unilateral: Contact, ScheduledImpulse: Impulse}
"""The member of a family that is meant where a table has no `type`."""

TEXT, SWITCH, WHOLE, NUMBER, ELEMENT, FUNCTION = "text", "switch", "whole number", "number", "declaration", "function"

Family = tuple[type, ...]
"""The base classes of interchangeable declarations."""


@dataclass(frozen=True)
class Field:
    """One field of a declaration as a file sees it."""

    name: str
    needed: bool                      # has no default
    kind: str                         # TEXT, SWITCH (true, false), WHOLE, NUMBER (or a nest of them), ELEMENT or FUNCTION
    family: Family = ()               # of an ELEMENT
    number_too: bool = False          # an ELEMENT that may be a plain number instead
    several: bool = False             # a list of elements, or of texts
    choices: tuple[str, ...] = ()     # of a TEXT
    depths: tuple[int, ...] = ()      # of a NUMBER: 0 for one number, 1 for a list of them, 2 for a list of lists


@cache
def fields_of(kind: type) -> dict[str, Field]:
    """The fields of a declaration by name."""
    hints = typing.get_type_hints(kind)
    return {f.name: _field(f, hints[f.name]) for f in dataclasses.fields(kind)}


@cache
def sections() -> dict[str, Family]:
    """The sections of a file: fields of Model that hold named declarations, with their families."""
    return {name: field.family for name, field in fields_of(Model).items() if field.family and field.several}


@cache
def types_of(family: Family) -> dict[str, type]:
    """Every type of a family by its name."""
    found: dict[str, type] = {}
    for base in family:
        known: list[type] = type.__subclasses__(base)
        below = [kind for kind in known if kind.__module__.startswith("routh.model.")]
        if below:
            found |= types_of(tuple(below))
        elif dataclasses.is_dataclass(base):
            found[base.__name__] = base
    return found


def default_type(family: Family) -> str | None:
    """The type that a table without `type` has: the only one, or the usual one."""
    known = types_of(family)
    usual = _WITHOUT_TYPE.get(family[0])
    return usual.__name__ if usual else next(iter(known)) if len(known) == 1 else None


def _field(field: dataclasses.Field[Any], hint: Any) -> Field:
    needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    parts = list(_parts(hint))
    family = tuple(p for p in parts if isinstance(p, type) and p.__module__.startswith("routh.model."))
    choices = tuple(c for p in parts if typing.get_origin(p) is typing.Literal for c in typing.get_args(p))
    several = typing.get_origin(hint) not in (None, typing.Union, types.UnionType, typing.Literal)
    if family:
        return Field(field.name, needed, ELEMENT, family, number_too=float in parts, several=several)
    if any(typing.get_origin(p) is not None and "Callable" in str(p) for p in parts):
        return Field(field.name, needed, FUNCTION)
    if str in parts or choices:
        return Field(field.name, needed, TEXT, several=several, choices=choices)
    if bool in parts or parts == [int]:
        return Field(field.name, needed, SWITCH if bool in parts else WHOLE)
    return Field(field.name, needed, NUMBER, depths=tuple(sorted(set(_depths(hint)))))


def _depths(hint: Any) -> typing.Iterator[int]:
    """How deep numbers may be nested: a hint of Any leaves it open."""
    inside = [part for part in typing.get_args(hint) if part not in (Ellipsis, type(None))]
    if hint is Any:
        yield from (0, 1, 2)
    for part in inside:
        yield from (d if typing.get_origin(hint) in (typing.Union, types.UnionType) else d + 1 for d in _depths(part))
    if hint in (float, int):
        yield 0


def _parts(hint: Any) -> typing.Iterator[Any]:
    """The types that a hint is made of: those of a union, and those inside a sequence."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType) or (isinstance(origin, type) and issubclass(origin, typing.Sequence)):
        for part in typing.get_args(hint):
            yield from _parts(part)
    else:
        yield hint
