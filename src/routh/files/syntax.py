"""TOML, JSON and YAML text as plain data, within limits of size and nesting. The only place that knows the three languages.

YAML is read as its core schema, without anchors, aliases and tags: `no` is a text, and a small file cannot unfold into a
large one. A key may come once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from routh.errors import FileError, did_you_mean
from routh.extras import need
from routh.files.lines import Path, lines_of

__all__ = ["LANGUAGES", "LARGEST", "Document", "no_language", "parse"]

LANGUAGES = {".toml": "toml", ".json": "json", ".yaml": "yaml", ".yml": "yaml"}
LARGEST = 2_000_000   # characters of a file
DEEPEST = 16          # tables and lists inside one another; a model needs seven
LONGEST_KEY = 32      # parts of a dotted key: Python's parser takes quadratic time over them

_QUOTED = r"\"(?:\\.|[^\"\\\n])*+\"|'[^'\n]*+'"
_PART = rf"(?:(?<![\w-])[\w-]++|{_QUOTED})"
_DOTTED = re.compile(_PART + rf"(?:[ \t]*+\.[ \t]*+(?:[\w-]++|{_QUOTED})){{{LONGEST_KEY}}}")
_NUMBER = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?", re.ASCII)
_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


@dataclass(frozen=True)
class Document:
    """The data of a file, and where it stands."""

    data: dict[str, Any]
    name: str
    lines: Callable[[], dict[Path, int]]
    changes: dict[Path, str] = field(default_factory=dict)  #: paths that were changed after reading, as the user wrote them

    def complain(self, path: Path, message: str) -> FileError:
        """An error that points to the line of `path`, of the nearest table around it, or to the change that was made there."""
        for place, written in self.changes.items():
            if path[:len(place)] == place:
                return FileError(message, file=self.name, path=f"--set {written}")
        known = self.lines()
        line = next((known[path[:n]] for n in range(len(path), 0, -1) if path[:n] in known), None)
        return FileError(message, file=self.name, line=line, path=".".join(map(str, path)))


def parse(text: str | bytes, language: str, name: str = "") -> Document:
    """The data of a text; FileError where it is too large, too deep or not of this language."""
    if language not in LANGUAGES.values():
        raise no_language(language, name)
    if len(text) > LARGEST:
        raise FileError(f"the text is {len(text)} characters long; {LARGEST} are the limit", file=name)
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise FileError(f"not UTF-8 text: {error.reason} at byte {error.start}", file=name) from None
    try:
        data, lines = {"toml": _toml, "json": _json, "yaml": _yaml}[language](text)
    except RecursionError:
        raise FileError(f"tables and lists are nested deeper than {DEEPEST}", file=name) from None
    except _RefusedError as error:
        raise FileError(str(error), file=name, line=error.line) from None
    except ValueError as error:
        line = re.search(r"line (\d+)", str(error))
        raise FileError(f"not {language.upper()}: {error}", file=name, line=int(line[1]) if line else None) from None
    if not isinstance(data, dict):
        raise FileError(f"holds {_kind(data)}, not a table of names and values", file=name)
    document = Document(data, name, lines)
    _check_depth(document, data)
    return document


def no_language(language: str, file: str = "") -> FileError:
    """The error about a language or suffix that model files do not come in."""
    known = LANGUAGES if language.startswith(".") or not language else set(LANGUAGES.values())
    return FileError(f'no model file is written in "{language[:60]}"' + did_you_mean(language, known), file=file)


class _RefusedError(Exception):
    """Good text that model files do not take."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def _toml(text: str) -> tuple[Any, Callable[[], dict[Path, int]]]:
    import tomllib

    found = _DOTTED.search(text)
    if found:
        raise _RefusedError(f"a key of more than {LONGEST_KEY} parts", text.count("\n", 0, found.start()) + 1)
    return tomllib.loads(text), lambda: lines_of(text, "toml")


def _json(text: str) -> tuple[Any, Callable[[], dict[Path, int]]]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) < len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise _RefusedError(f'the key "{twice[:60]}" comes twice in one table')
        return table

    return json.loads(text, object_pairs_hook=once), lambda: lines_of(text, "json")


def _yaml(text: str) -> tuple[Any, Callable[[], dict[Path, int]]]:
    """Built from the parser's events: no recursion, no constructors, no aliases."""
    need("yaml", what="a YAML file")
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    lines: dict[Path, int] = {}
    root: list[Any] = []
    stack: list[tuple[Any, Path]] = [(root, ())]
    key: list[str | None] = [None]  # the key that waits for its value, one per table on the stack
    try:
        for event in yaml.parse(text, Loader=loader):
            line = event.start_mark.line + 1
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                raise _RefusedError("anchors and aliases are not taken: write the values out", line)
            if getattr(event, "tag", None) not in (None, "!"):
                raise _RefusedError(f"the tag {event.tag[:60]} is not taken: values are text, numbers, lists and tables", line)
            if isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
                stack.pop()
                key.pop()
            if not isinstance(event, yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent):
                continue
            (holder, path), waiting = stack[-1], key[-1]
            if isinstance(holder, dict) and waiting is None:
                if not isinstance(event, yaml.ScalarEvent):
                    raise _RefusedError("a key must be text", line)
                if event.value in holder:
                    raise _RefusedError(f'the key "{event.value[:60]}" comes twice in one table', line)
                key[-1] = event.value
                lines[(*path, event.value)] = line
                continue
            if isinstance(event, yaml.ScalarEvent):
                value: Any = _scalar(event.value) if event.implicit[0] else event.value
            else:
                value = {} if isinstance(event, yaml.MappingStartEvent) else []
            if isinstance(holder, dict):
                holder[waiting], key[-1], inner = value, None, (*path, str(waiting))
            else:
                holder.append(value)
                inner = (*path, len(holder) - 1) if holder is not root else ()
            lines.setdefault(inner, line)
            if isinstance(value, dict | list):
                if len(stack) > DEEPEST:
                    raise RecursionError
                stack.append((value, inner))
                key.append(None)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())[:300]) from None
    if len(root) > 1:
        raise _RefusedError("holds several YAML documents; a model file is one")
    return (root[0] if root else {}), lambda: lines


def _scalar(text: str) -> Any:
    """A plain scalar of YAML's core schema."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[-+]?\d+", text) and len(text) < 400 else float(text)
    if text.lower().lstrip("+-") in (".inf", ".nan"):
        return float(text.replace(".", "", 1))
    return text


def _check_depth(document: Document, data: Any) -> None:
    """Refuse deep nesting, without recursion."""
    left: list[tuple[Any, Path]] = [(data, ())]
    while left:
        value, path = left.pop()
        if len(path) > DEEPEST:
            raise document.complain(path, f"tables and lists are nested deeper than {DEEPEST}")
        if isinstance(value, dict):
            left += [(inner, (*path, key)) for key, inner in value.items() if isinstance(inner, dict | list)]
        elif isinstance(value, list):
            left += [(inner, (*path, i)) for i, inner in enumerate(value) if isinstance(inner, dict | list)]


def _kind(value: Any) -> str:
    return {list: "a list", str: "text", type(None): "nothing"}.get(type(value), f"{type(value).__name__} {value!r:.40}")
