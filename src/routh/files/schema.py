"""The rules of model files as JSON Schema (draft 2020-12), so that editors complete and check while one types.

Made from the same type hints and units that the reader uses. A schema cannot say all that the reader checks: names that must
exist, quantities that must fit together.
"""

from __future__ import annotations

import inspect
from functools import reduce
from typing import Any

from routh.files import elements
from routh.files.elements import Family, Field
from routh.files.quantities import Quantity, quantity
from routh.files.reading import EVENTS, FORMAT, NAMED, RUN, START, TIMES
from routh.model.joints import PLANAR, SPATIAL
from routh.model.model import SEQUENTIAL, SIMULTANEOUS, Model
from routh.sim.event import Event
from routh.sim.options import METHODS, Options

__all__ = ["schema"]

Schema = dict[str, Any]

_CHOICES = {"space": (PLANAR, SPATIAL), "impacts": (SEQUENTIAL, SIMULTANEOUS), "method": METHODS,
            "on_error": ("raise", "return"), "ends": ("not-a-knot", "natural", "clamped")}
_QUANTITY: Schema = {"type": ["number", "string"], "pattern": r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*([^\d\s].*)?$",
                     "description": "a bare number in SI, or text with a unit"}


def schema() -> Schema:
    """The JSON Schema of a model file."""
    definitions: dict[str, Schema] = {"quantity": _QUANTITY}
    properties: dict[str, Schema] = {"format": {"const": FORMAT, "description": "version of the file format"}}
    for name, field in elements.fields_of(Model).items():
        if name in elements.sections():
            properties[name] = _named(_family(field.family, definitions, named=True))
        else:
            properties[name] = _field(field, quantity(Model, name), definitions)
    named = {"type": "object", "required": ["type"], "properties": {"type": {"type": "string"}}}
    properties |= {section: _named(named) | {"description": f"{section} that others use by name"} for section in NAMED}
    properties[START] = _named({"type": "object", "additionalProperties": _numbers((0, 1), "SI")})
    properties[EVENTS] = {"type": "object", "additionalProperties": _family((Event,), definitions, named=True)}
    run = {key: _numbers((0,), "s") for key in TIMES}
    run |= {name: _field(field, quantity(Options, name), definitions) for name, field in elements.fields_of(Options).items()}
    properties[RUN] = {"type": "object", "properties": run, "additionalProperties": False}
    needed = ["format", *(name for name, field in elements.fields_of(Model).items() if field.needed)]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Routh model file",
            "description": inspect.getdoc(Model), "type": "object", "properties": properties, "required": needed,
            "additionalProperties": False, "$defs": dict(sorted(definitions.items()))}


def _family(family: Family, definitions: dict[str, Schema], named: bool = False) -> Schema:
    """One of the types of a family, told apart by `type`."""
    usual = elements.default_type(family)
    options = []
    for name, kind in elements.types_of(family).items():
        fields = elements.fields_of(kind)
        if any(field.kind == elements.FUNCTION for field in fields.values()):
            continue  # not in files
        key = f"{kind.__module__.rpartition('.')[2]}.{name}"
        if key not in definitions:
            definitions[key] = {}  # a type may hold its own family
            own = {n: f for n, f in fields.items() if not (named and n == "name")}
            properties = {"type": {"const": name}} | {n: _field(f, quantity(kind, n), definitions) for n, f in own.items()}
            definitions[key] |= {"description": inspect.getdoc(kind), "type": "object", "properties": properties,
                                 "required": [n for n, f in own.items() if f.needed], "additionalProperties": False}
        # one family may know the type without its name, another not
        options.append({"$ref": f"#/$defs/{key}"} | ({} if name == usual else {"required": ["type"]}))
    return options[0] if len(options) == 1 else {"oneOf": options}


def _field(field: Field, unit: Quantity, definitions: dict[str, Schema]) -> Schema:
    if field.kind == elements.ELEMENT:
        one: Schema = {"anyOf": [{"type": "string", "description": "the name of a shape, law or profile"},
                                 _family(field.family, definitions)]}
        if field.several:
            return {"type": "array", "items": one}
        return {"anyOf": [_numbers((0,), unit), one]} if field.number_too else one
    if field.kind == elements.TEXT:
        choices = field.choices or _CHOICES.get(field.name, ())
        one = {"enum": list(choices)} if choices else {"type": "string"}
        return {"type": "array", "items": one} if field.several else one
    if field.kind != elements.NUMBER:
        return {"type": "boolean" if field.kind == elements.SWITCH else "integer"}
    return _numbers(field.depths, unit)


def _numbers(depths: tuple[int, ...], unit: Quantity) -> Schema:
    """A number, bare in SI or as text with a unit, or lists of such numbers."""
    one: Schema = {"$ref": "#/$defs/quantity"} if unit is not None else {"type": "number"}
    nested = [reduce(lambda inner, _: {"type": "array", "items": inner}, range(depth), one) for depth in depths]
    shown = " or ".join(unit) if isinstance(unit, tuple) else unit or "SI, without units"
    return (nested[0] if len(nested) == 1 else {"anyOf": nested}) | {"description": f"[{shown}]"}


def _named(entry: Schema) -> Schema:
    """A table of named entries."""
    return {"type": "object", "propertyNames": {"pattern": r"^[^./\s]+$"}, "additionalProperties": entry}
