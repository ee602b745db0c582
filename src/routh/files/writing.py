"""A Model as plain data, and plain data as TOML, JSON or YAML text. Only what differs from a default is written.

Numbers are written with as many digits as they have, in SI, so that reading gives back the very same Model.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from routh.errors import ModelError
from routh.files import elements
from routh.files.elements import Family
from routh.files.reading import FORMAT
from routh.model.model import Model
from routh.model.state import State
from routh.sim.event import Event
from routh.sim.options import Options

__all__ = ["data_of", "text_of"]


def data_of(model: Model, start: State, times: dict[str, float], options: Options,
            events: Sequence[Event] = ()) -> dict[str, Any]:
    """Everything as plain data, in the order in which people read it."""
    sections = elements.sections()
    fields = [f for f in dataclasses.fields(Model) if f.name not in sections]
    data: dict[str, Any] = {"format": FORMAT}
    data |= {f.name: _value(getattr(model, f.name)) for f in sorted(fields, key=lambda f: f.name != "name")
             if not _is_default(f, getattr(model, f.name))}
    for name, family in sections.items():
        table = {e.name: _element(e, family, f"{name}.{e.name}", named=True) for e in getattr(model, name)}
        data |= {name: table} if table else {}
    data |= {"start": {n: {k: _value(v) for k, v in values.items()} for n, values in start.items()}} if start else {}
    data = _shared(data)
    run = times | {f.name: _value(getattr(options, f.name)) for f in dataclasses.fields(Options)
                   if not _is_default(f, getattr(options, f.name))}
    watched = {event.name: _element(event, (Event,), f"events.{event.name}", named=True) for event in events}
    return data | ({"events": watched} if watched else {}) | ({"run": run} if run else {})


def _shared(data: dict[str, Any]) -> dict[str, Any]:
    """The data with shapes and laws that contacts use more than once declared once, and used by name."""
    contacts = data.get("contacts", {})
    count: dict[str, int] = {}
    for entry in contacts.values():
        for key in ("a", "b", "law"):
            for table in entry.get(key) if isinstance(entry.get(key), list) else [entry.get(key)]:
                if isinstance(table, dict):
                    count[repr(table)] = count.get(repr(table), 0) + 1
    named: dict[str, dict[str, Any]] = {"shapes": {}, "laws": {}}
    known: dict[str, str] = {}

    def use(table: Any, section: str) -> Any:
        if not isinstance(table, dict) or count[repr(table)] < 2:
            return table
        if repr(table) not in known:
            base = str(table["body"]) if section == "shapes" else str(table["type"]).lower()
            taken = {*named["shapes"], *named["laws"]}
            name = next(n for n in (base, *(f"{base}_{i}" for i in range(2, len(taken) + 3))) if n not in taken)
            known[repr(table)], named[section][name] = name, table
        return known[repr(table)]

    made = {}
    for name, entry in contacts.items():
        made[name] = {key: [use(item, "shapes") for item in value] if isinstance(value, list) and key in ("a", "b") else
                      use(value, "laws" if key == "law" else "shapes") if key in ("a", "b", "law") else value
                      for key, value in entry.items()}
    out: dict[str, Any] = {}
    for key, value in data.items():
        if key == "contacts":
            out |= {section: tables for section, tables in named.items() if tables}
        out[key] = made if key == "contacts" else value
    return out


def text_of(data: dict[str, Any], language: str) -> str:
    """The data as text of a language."""
    if language == "json":
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    return "\n".join(_toml(data) if language == "toml" else _yaml(data)) + "\n"


def _element(element: Any, family: Family, path: str, named: bool = False) -> dict[str, Any]:
    """A declaration as a table with its type, unless that is the one meant without."""
    made_by: type = type(element)
    kind = made_by.__name__
    if elements.types_of(family).get(kind) is not made_by:
        raise ModelError(f"{path}: {kind} is not a declaration that files know; keep this model in Python")
    table: dict[str, Any] = {} if kind == elements.default_type(family) else {"type": kind}
    hints = elements.fields_of(made_by)
    for field in dataclasses.fields(element):
        value, hint = getattr(element, field.name), hints[field.name]
        if hint.kind == elements.FUNCTION:
            raise ModelError(f"{path}.{field.name} is a Python function, and a file holds only data; keep this model in "
                             "Python, or use one of the built-in laws")
        if (named and field.name == "name") or _is_default(field, value):
            continue
        if not hint.family or isinstance(value, float | int):
            table[field.name] = _value(value)
        elif hint.several:
            table[field.name] = [_element(item, hint.family, f"{path}.{field.name}.{i}") for i, item in enumerate(value)]
        else:
            table[field.name] = _element(value, hint.family, f"{path}.{field.name}")
    return table


def _is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    """Whether a value may be left out: it is what comes without it, to the sign of a zero."""
    default = field.default_factory() if field.default_factory is not dataclasses.MISSING else field.default
    return default is not dataclasses.MISSING and type(default) is type(value) and repr(default) == repr(value)


def _value(value: Any) -> Any:
    """Numbers, texts and lists of them as Python's own."""
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, Iterable):
        return [_value(item) for item in value]
    return float(value)


def _toml(data: dict[str, Any]) -> Iterable[str]:
    """A table per element, what is inside it on one line."""
    nested = {name: table for name, table in data.items() if isinstance(table, dict)}
    yield from (f"{_key(name)} = {_inline(value)}" for name, value in data.items() if name not in nested)
    for section, entries in nested.items():
        if not any(isinstance(entry, dict) for entry in entries.values()):
            yield from ("", f"[{_key(section)}]")
            yield from (f"{_key(key)} = {_inline(value)}" for key, value in entries.items())
            continue
        for name, table in entries.items():
            yield from ("", f"[{_key(section)}.{_key(name)}]")
            yield from (f"{_key(key)} = {_inline(value)}" for key, value in table.items())


def _inline(value: Any, joint: str = " = ", infinite: str = "inf") -> str:
    """A value on one line, as TOML has it; YAML joins and names infinity otherwise."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)}{joint}{_inline(inner, joint, infinite)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(inner, joint, infinite) for inner in value) + "]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value).replace("inf", infinite)
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _yaml(data: dict[str, Any], indent: str = "") -> Iterable[str]:
    """Block style down to the elements, flow style inside; texts are quoted, lest one be taken for a number."""
    for key, value in data.items():
        if isinstance(value, dict) and len(indent) < 4 and value:
            yield f"{indent}{_key(key)}:"
            yield from _yaml(value, indent + "  ")
        else:
            yield f"{indent}{_key(key)}: " + _inline(value, ": ", ".inf")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(text: str) -> str:
    """A text in quotes, all but plain printing characters as escapes."""
    return re.sub(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda c: f"\\u{ord(c[0]):04x}",
                  json.dumps(text, ensure_ascii=False))
