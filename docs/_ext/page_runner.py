"""Run a page of the docs as it is printed. The site draws its pictures this way, and the tests check the pages.

| block | what happens |
|---|---|
| `python` | is run; all blocks of a page share their names |
| `text` after a block | is what that block prints |
| `toml`, first line `# NAME.toml` | is written to that file |
| without a language, `routh ...` | each line is run as a command |
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["PageError", "blocks", "run_page"]

FENCE = re.compile(r"^```([^`\n]*)\n(.*?)^```$", re.M | re.S)


class PageError(Exception):
    """A page does not do what it says."""


@dataclass(frozen=True)
class Block:
    """A fenced block and the line of the page it begins on."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 1) for m in FENCE.finditer(text)]


def run_page(page: Path, folder: Path) -> dict[str, Any]:
    """Run every block of a page with `folder` as the present one; the names that its Python left."""
    names: dict[str, Any] = {"__name__": page.stem}
    printed, steps = "", blocks(page)
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(folder):
        for block in steps:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                if block.language == "python":
                    # blank lines put the numbers of the page into tracebacks
                    exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
                elif block.language == "toml" and block.text.startswith("# "):
                    Path(block.text.partition("\n")[0].removeprefix("# ")).write_text(block.text, encoding="utf-8")
                elif block.language == "" and block.text.startswith("routh "):
                    _run_commands(block, page)
                elif block.language == "text" and block.text.strip() != printed.strip():
                    says = f"{page.name}, line {block.line}: the page says\n{block.text}"
                    raise PageError(f"{says}\nand the block printed\n{printed}")
            printed = out.getvalue()
    return names


def _run_commands(block: Block, page: Path) -> None:
    from routh import cli

    for words in (shlex.split(line, comments=True) for line in block.text.splitlines()):
        code = cli.app(words[1:], standalone_mode=False)
        if code:
            raise PageError(f"{page.name}, line {block.line}: {shlex.join(words)} ended with code {code}")
