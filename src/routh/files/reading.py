"""Plain data to a Model: every table becomes the declaration it names, every error the line it stands on.

The declarations check themselves; what is checked here is what only a file can get wrong: unknown names, missing entries,
texts where numbers belong, and units.
"""

from __future__ import annotations

import re
from typing import Any

from routh.errors import RouthError, did_you_mean
from routh.files import elements
from routh.files.elements import Family, Field
from routh.files.lines import Path
from routh.files.quantities import Quantity, quantity, start_quantity
from routh.files.syntax import Document
from routh.files.units import UnitError, in_si
from routh.model.joints import Joint
from routh.model.model import Model
from routh.model.state import State
from routh.sim.event import Event
from routh.sim.options import Options

__all__ = ["EVENTS", "FORMAT", "MOST", "NAMED", "RUN", "START", "TIMES", "Reader"]

FORMAT = 1
START, RUN, EVENTS = "start", "run", "events"
NAMED = ("shapes", "laws", "profiles")  # sections of declarations that others use by name
TIMES = ("t_start", "t_end")   # entries of [run] beside those of Options
MOST = 5000                    # elements of a file: names are compared with one another


class Reader:
    """Reads one document."""

    def __init__(self, document: Document) -> None:
        self.document, self.data = document, document.data
        self.complain = document.complain

    def model(self) -> Model:
        """The model that the document declares."""
        self._check_format()
        fields = elements.fields_of(Model)
        self._check_keys((), self.data, [*fields, "format", START, RUN, EVENTS, *NAMED])
        for section in NAMED:
            for name, table in self._table((section,), self.data.get(section, {})).items():
                self._table((section, name), table)
        for name, field in fields.items():
            if field.needed and name not in self.data:
                hint = ' "planar" or "spatial"' if name == "space" else " at least one table"
                raise self.complain((), f'"{name}" is missing; give{hint}')
        count = sum(len(self.data[name]) for name in elements.sections() if isinstance(self.data.get(name), dict))
        if count > MOST:
            raise self.complain((), f"{count} elements; {MOST} are the limit of a file")
        values: dict[str, Any] = {}
        for name, value in self.data.items():
            if name in elements.sections():
                values[name] = self._section(name, value)
            elif name in fields:
                values[name] = self._value(fields[name], (name,), value, quantity(Model, name))
        return self._made(Model, values, ())

    def start(self, model: Model) -> State:
        """The start of the document; names and quantities must be those of the model."""
        table = self._table((START,), self.data.get(START, {}))
        known = {b.name: None for b in model.bodies} | {j.name: j for j in model.joints if isinstance(j, Joint)}
        out: dict[str, dict[str, Any]] = {}
        for name, entries in table.items():
            path: Path = (START, name)
            if name not in known:
                raise self.complain(path, f'no body or joint "{name[:60]}"' + did_you_mean(name, known))
            out[name] = {}
            keys = _start_keys(model, known[name])
            for key, value in self._table(path, entries).items():
                if key not in keys:
                    raise self.complain((*path, key), f'no quantity "{key[:60]}"' + did_you_mean(key, keys))
                out[name][key] = self._number((*path, key), value, start_quantity(key))
        try:
            return State(out)
        except RouthError as error:
            raise self.complain(self._place(str(error).removeprefix("start of "), (START,)), str(error)) from None

    def run(self) -> tuple[dict[str, float], Options]:
        """Times and options of the document's [run]."""
        table = self._table((RUN,), self.data.get(RUN, {}))
        fields = elements.fields_of(Options)
        self._check_keys((RUN,), table, [*TIMES, *fields])
        times = {key: self._number((RUN, key), table[key], "s") for key in TIMES if key in table}
        for key, value in times.items():
            if not isinstance(value, float):
                raise self.complain((RUN, key), f"{key} is one number of seconds")
        values = {key: self._value(fields[key], (RUN, key), value, quantity(Options, key))
                  for key, value in table.items() if key in fields}
        return times, self._made(Options, values, (RUN,))

    def events(self) -> tuple[Event, ...]:
        """The events that the document looks for."""
        table = self._table((EVENTS,), self.data.get(EVENTS, {}))
        return tuple(self.element((Event,), (EVENTS, name), entry, name) for name, entry in table.items())

    def _check_format(self) -> None:
        if "format" not in self.data:
            raise self.complain((), f"this is no model file of Routh: the entry format = {FORMAT} is missing")
        if self.data["format"] != FORMAT or isinstance(self.data["format"], bool):
            raise self.complain(("format",), f"format = {self.data['format']!r:.40} is unknown; this version reads {FORMAT}")

    def _section(self, name: str, value: Any) -> tuple[Any, ...]:
        family = elements.sections()[name]
        return tuple(self.element(family, (name, key), entry, key) for key, entry in self._table((name,), value).items())

    def element(self, family: Family, path: Path, value: Any, name: str | None = None, profile_unit: Quantity = "1") -> Any:
        """The declaration that a table means; `name` is its key in a section."""
        if isinstance(value, str):
            path, value = self._named(path, value)
        table = self._table(path, value)
        known = elements.types_of(family)
        called = table.get("type", elements.default_type(family))
        if called is None:
            raise self.complain(path, '"type" is missing' + did_you_mean("", known))
        if not isinstance(called, str) or called not in known:
            raise self.complain((*path, "type"), f'no type "{str(called)[:60]}" here' + did_you_mean(str(called), known))
        kind: type = known[called]
        fields = {key: f for key, f in elements.fields_of(kind).items() if not (key == "name" and name is not None)}
        self._check_keys(path, table, [*fields, "type"])
        values: dict[str, Any] = {} if name is None else {"name": name}
        for key, field in fields.items():
            if field.kind == elements.FUNCTION:
                raise self.complain(path, f"{called} holds a Python function; a file is data, so declare it in Python")
            if key in table:
                values[key] = self._value(field, (*path, key), table[key], self._unit(kind, key, table, profile_unit))
            elif field.needed:
                raise self.complain(path, f'{called} needs "{key}"')
        return self._made(kind, values, path)

    def _named(self, path: Path, name: str) -> tuple[Path, Any]:
        """Where a declaration that is used by its name stands, and its table."""
        known = {key: (section, key) for section in NAMED for key in self.data.get(section, {})}
        if name not in known:
            raise self.complain(path, f'no shape, law or profile "{name[:60]}"' + did_you_mean(name, known))
        section, key = known[name]
        return (section, key), self.data[section][key]

    def _unit(self, kind: type[Any], field: str, table: dict[str, Any], profile_unit: Quantity) -> Quantity:
        """The unit of a field, where it depends on a coordinate or on what a profile is for."""
        unit = quantity(kind, field)
        if isinstance(unit, tuple):
            return unit[0 if self._turns(table.get("coordinate", table.get("first"))) else 1]
        if isinstance(unit, str) and unit.partition("/")[0] == "P":
            return unit.replace("P", str(profile_unit))
        return unit

    def _turns(self, coordinate: Any) -> bool:
        """Whether a coordinate such as "pin.angle", or "pin" where it has only one, is an angle."""
        name, _, which = str(coordinate).partition(".")
        if not which:
            joints = self.data.get("joints")
            entry = joints.get(name) if isinstance(joints, dict) else None
            called = entry.get("type") if isinstance(entry, dict) else None
            kind = elements.types_of(elements.sections()["joints"]).get(str(called))
            which = " ".join(getattr(kind, "coordinates", ()))
        return "angle" in which

    def _value(self, field: Field, path: Path, value: Any, unit: Quantity) -> Any:
        if field.kind == elements.ELEMENT:
            if field.number_too and not isinstance(value, dict):
                if not (isinstance(value, str) and any(value in self.data.get(section, {}) for section in NAMED)):
                    return self._number(path, value, unit)
            if field.several:
                return tuple(self.element(field.family, (*path, i), item, profile_unit=unit or "1")
                             for i, item in enumerate(self._list(path, value)))
            return self.element(field.family, path, value, profile_unit=unit)
        if field.kind == elements.TEXT:
            if field.several:
                return tuple(self._text(field, (*path, i), item) for i, item in enumerate(self._list(path, value)))
            return self._text(field, path, value)
        if field.kind in (elements.SWITCH, elements.WHOLE):
            if isinstance(value, bool) != (field.kind == elements.SWITCH) or not isinstance(value, int):
                wanted = "true or false" if field.kind == elements.SWITCH else "a whole number"
                raise self.complain(path, f"{value!r:.60} is not {wanted}")
            return value
        return self._number(path, value, unit)

    def _text(self, field: Field, path: Path, value: Any) -> str:
        if not isinstance(value, str):
            raise self.complain(path, f"{value!r:.60} is not text; put it in quotes")
        if field.choices and value not in field.choices:
            raise self.complain(path, f'no choice "{value[:60]}"' + did_you_mean(value, field.choices))
        return value

    def _number(self, path: Path, value: Any, unit: Quantity) -> Any:
        """A float, or nested tuples of them; texts are numbers with units."""
        if isinstance(value, list):
            inner = "1" if unit == "rad" else unit  # the only vector beside an angle is a unit quaternion
            return tuple(self._number((*path, i), item, inner) for i, item in enumerate(value))
        if isinstance(value, str):
            try:
                if unit is None:
                    raise UnitError(f'"{value[:60]}" is text; give plain numbers in SI here')
                return in_si(value, str(unit))
            except UnitError as error:
                raise self.complain(path, str(error)) from None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.complain(path, f"{value!r:.60} is not a number")
        try:
            return float(value)
        except OverflowError:
            raise self.complain(path, "the number is too large for a floating-point number") from None

    def _table(self, path: Path, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            example = f"[{path[0]}.name]" if len(path) == 1 and path[0] != RUN else '{type = "...", ...}'
            raise self.complain(path, f"{value!r:.60} is not a table such as {example}")
        return value

    def _list(self, path: Path, value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.complain(path, f"{value!r:.60} is not a list")
        return value

    def _check_keys(self, path: Path, table: dict[str, Any], known: list[str]) -> None:
        for key in table:
            if key not in known:
                raise self.complain((*path, key), f'no entry "{key[:60]}"' + did_you_mean(key, known))

    def _made(self, kind: type[Any], values: dict[str, Any], path: Path) -> Any:
        """The declaration, its own complaints pointed to where they belong."""
        try:
            return kind(**values)
        except RouthError as error:
            raise self.complain(self._place(str(error), path), str(error)) from None
        except (TypeError, ValueError, ArithmeticError, AttributeError) as error:  # a value that a check did not foresee
            raise self.complain(path, f"{kind.__name__} cannot be made of these values: {error}") from None

    def _place(self, message: str, path: Path) -> Path:
        """The path that a complaint of a declaration is about: the element and the field that it names."""
        about = re.match(r'\w+(?: of body)? "([^"]*)"(?:: (\w+)\b)?', message) or re.match(r'\w+( \w+)?: (\w+)\b', message)
        if about is None:
            return path
        if not path:
            path = next(((s, about[1]) for s in [*elements.sections()][::-1] if about[1] in (self.data.get(s) or {})), path)
        table: Any = self.data
        for key in path:
            table = table[key]
        return (*path, about[2]) if about[2] in table else path


def _start_keys(model: Model, joint: Joint | None) -> list[str]:
    """What a start may say of a body or a joint."""
    if joint is not None:
        return [*joint.coordinates, *joint.rates()]
    return (["x", "y", "theta", "vx", "vy", "omega"] if model.dimension == 2 else
            ["x", "y", "z", "q", "vx", "vy", "vz", "omega", "omega_body", "wx", "wy", "wz"])


