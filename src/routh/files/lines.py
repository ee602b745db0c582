"""On which line each path of a TOML or JSON text stands. Asked only when there is something to complain about.

The text has been parsed before, so this scanner checks nothing: it walks over keys, strings and brackets.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

__all__ = ["Path", "lines_of"]

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_TEXT = re.compile(r'"""(?:\\.|[^\\])*?"""+|\'\'\'.*?\'\'\'+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.S)
_KEY = re.compile(r"[\w-]+")
_SCALAR = re.compile(r"[^,\]}\n#]*")


def lines_of(text: str, language: str) -> dict[Path, int]:
    """The line of every path, counted from 1; empty where the text is beyond this scanner."""
    scanner = _Scanner(text)
    try:
        if language == "json":
            scanner.value(())
        else:
            scanner.statements()
    except (IndexError, ValueError, RecursionError):
        pass
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.lines: dict[Path, int] = {}
        self.newlines = [i for i, c in enumerate(text) if c == "\n"]
        self.tables: dict[Path, int] = {}

    def statements(self) -> None:
        """A TOML document: headers, and keys with values."""
        table: Path = ()
        self.skip()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                several = self.text.startswith("[[", self.at)
                self.at += 2 if several else 1
                table = self.key(())
                self.at += 2 if several else 1
                if several:
                    self.tables[table] = self.tables.get(table, -1) + 1
                    table = (*table, self.tables[table])
                    self.note(table)
            else:
                path = self.key(table)
                self.expect("=")
                self.value(path)
            self.skip()

    def key(self, table: Path) -> Path:
        """A dotted key and the path that it means inside `table`."""
        path = table
        while True:
            self.skip()
            path = (*path, self.name())
            self.note(path)
            self.skip()
            if self.text[self.at] != ".":
                return path
            self.at += 1

    def value(self, path: Path) -> None:
        """Walk over one value, noting what is inside it."""
        self.skip()
        self.note(path)
        opening = self.text[self.at]
        if opening in "{[":
            self.at += 1
            self.skip()
            count = 0
            while self.text[self.at] not in "}]":
                if opening == "{":
                    inner = self.key(path)
                    self.skip()
                    self.at += 1  # "=" or ":"
                else:
                    inner = (*path, count)
                self.value(inner)
                count += 1
                self.skip()
                if self.text[self.at] == ",":
                    self.at += 1
                    self.skip()
            self.at += 1
        elif opening in "\"'":
            self.at = _TEXT.match(self.text, self.at).end()  # type: ignore[union-attr]
        else:
            self.at = _SCALAR.match(self.text, self.at).end()  # type: ignore[union-attr]

    def name(self) -> str:
        """One part of a key, bare or quoted."""
        bare = _KEY.match(self.text, self.at)
        found = bare or _TEXT.match(self.text, self.at)
        if found is None:
            raise ValueError("no key")
        self.at = found.end()
        if bare:
            return found[0]
        return str(json.loads(found[0])) if found[0][0] == '"' else found[0][1:-1]

    def expect(self, sign: str) -> None:
        self.skip()
        if self.text[self.at] != sign:
            raise ValueError(f"no {sign}")
        self.at += 1

    def skip(self) -> None:
        self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]

    def note(self, path: Path) -> None:
        self.lines.setdefault(path, bisect_right(self.newlines, self.at - 1) + 1)
