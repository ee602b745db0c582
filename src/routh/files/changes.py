"""One entry of a file's data changed by its path, before it is read: what `--set bounce.law.mu=0.1` does.

| path | changes |
|---|---|
| `ball.mass`, `bounce.law.e` | the element of that name; entries that the file leaves out are added |
| `steel.mu` | the shape, law or profile of that name |
| `ball.vx`, `pin.angle` | the start of that body or joint |
| `gravity`, `gravity.1`, `impacts` | the model itself, or one number of a list |
| `t_end`, `rtol` | the run |
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from routh.errors import FileError, did_you_mean
from routh.files import elements
from routh.files.quantities import start_quantity
from routh.files.reading import EVENTS, NAMED, RUN, START, TIMES
from routh.files.syntax import Document
from routh.model.model import Model
from routh.sim.options import Options

__all__ = ["changed", "value_of"]


def changed(document: Document, changes: Mapping[str, Any]) -> Document:
    """The document with every change made; errors about what was changed name the change, not a line of the file."""
    data, made = document.data, dict(document.changes)
    for path, value in changes.items():
        keys = _keys(data, path)
        data = _put(data, keys, value, path)
        made[tuple(int(key) if key.isascii() and key.isdigit() else key for key in keys)] = path
    return replace(document, data=data, changes=made)


def value_of(text: str) -> Any:
    """What is written behind the "=" of --set: a number, list, table or text as in TOML; anything else is text."""
    try:
        return tomllib.loads(f"x = {text}")["x"] if "\n" not in text and len(text) < 10_000 else text
    except (ValueError, RecursionError):
        return text


def _keys(data: dict[str, Any], path: str) -> list[str]:
    """The keys from the root of the data to what a path means."""
    head, *rest = path.split(".")
    owner = next((s for s in elements.sections() if head in _table(data, s)), None)
    if owner is not None and rest:
        kind = elements.types_of(elements.sections()[owner]).get(_type(data[owner][head], owner))
        if rest[0] != "type" and kind is not None and rest[0] not in elements.fields_of(kind) and start_quantity(rest[0]):
            return [START, head, *rest]
        return [owner, head, *rest]
    shared = next((s for s in NAMED if head in _table(data, s)), None)
    if shared is not None and rest:
        return [shared, head, *rest]
    if head in (*TIMES, *elements.fields_of(Options)) and not rest:
        return [RUN, head]
    known = [*elements.fields_of(Model), START, RUN, EVENTS, *NAMED]
    if head not in known:
        names = [name for s in (*elements.sections(), *NAMED) for name in _table(data, s)]
        if head in names:
            raise FileError(f'"{head}" is an element; name the entry to change, such as {head}.mass', path=path)
        raise FileError(f'no element or entry "{head}"' + did_you_mean(head, [*names, *known, *TIMES]), path=path)
    return [head, *rest]


def _table(data: dict[str, Any], section: str) -> dict[str, Any]:
    value = data.get(section)
    return value if isinstance(value, dict) else {}


def _type(table: Any, section: str) -> str:
    usual = elements.default_type(elements.sections()[section]) or ""
    return str(table.get("type", usual)) if isinstance(table, dict) else usual


def _put(holder: Any, keys: list[str], value: Any, path: str) -> Any:
    """A copy of `holder` with the value at the end of the keys; tables that are missing are made."""
    key, *rest = keys
    if isinstance(holder, list):
        if not (key.isascii() and key.isdigit() and int(key[:9]) < len(holder)):
            raise FileError(f'no place "{key}" in a list of {len(holder)}; they are counted from 0', path=path)
        copy: Any = list(holder)
        place: Any = int(key)
        inner = holder[place]
    elif isinstance(holder, dict):
        copy, place, inner = dict(holder), key, holder.get(key, {})
    else:
        raise FileError(f"{holder!r:.60} holds nothing inside, so there is no {key}", path=path)
    copy[place] = _put(inner, rest, value, path) if rest else value
    return copy
