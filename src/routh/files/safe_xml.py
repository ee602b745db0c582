"""XML as plain elements with their lines, for files of strangers: no entities, no DTD, limits of size and depth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from routh.errors import FileError
from routh.files.syntax import LARGEST

__all__ = ["Element", "parse_xml"]

DEEPEST = 200   # elements inside one another; a long chain of MJCF bodies is deep
MOST = 100_000  # elements


@dataclass
class Element:
    """One element: its name, attributes, children and line."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """Children of a name."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """The first child of a name."""
        return next(iter(self.all(tag)), None)

    def get(self, name: str, default: str = "") -> str:
        """An attribute as text."""
        return self.attributes.get(name, default)


def parse_xml(text: bytes, name: str) -> Element:
    """The root element; FileError where the text is not XML, too large, or has a DTD."""
    if len(text) > LARGEST:
        raise FileError(f"the text is longer than {LARGEST} bytes, which is the limit", file=name)
    parser = expat.ParserCreate(namespace_separator=None)
    root = Element("", {}, 0)
    stack = [root]
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(stack) > DEEPEST or count > MOST:
            limit = f"elements are nested deeper than {DEEPEST}" if len(stack) > DEEPEST else f"more than {MOST} elements"
            raise FileError(limit, file=name, line=parser.CurrentLineNumber)
        element = Element(tag, attributes, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def refuse(*_: Any) -> None:
        raise FileError("a DTD or an entity is not taken", file=name, line=parser.CurrentLineNumber)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ExternalEntityRefHandler = refuse  # type: ignore[assignment]
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise FileError(f"not XML: {expat.ErrorString(error.code)}", file=name, line=error.lineno) from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        raise FileError(f"not XML that can be read: {error}", file=name) from None
    return root.children[0]
