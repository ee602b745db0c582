"""Docstrings are Markdown, as the pages are: autodoc hands them to MyST instead of reading them as reStructuredText."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils import new_document
from myst_parser.sphinx_ import Parser
from page_links import linked
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

EXAMPLE = re.compile(r"^>>>.*(?:\n(?!\s*$).+)*", re.M)
SECTION = re.compile(r"^(Parameters|Returns|Raises|Attributes|Examples)\n-{3,}\n", re.M)


class Markdown(SphinxDirective):
    """Its content, read as Markdown."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        document = new_document(self.get_source_info()[0], self.state.document.settings)
        text = linked("\n".join(self.content), self.env.docname, Path(self.env.srcdir))
        Parser().parse(text, document)
        return list(document.children)


def as_markdown(_app: Sphinx, what: str, _name: str, thing: Any, _options: Any, lines: list[str]) -> None:
    """Wrap a docstring into the directive above: sections of numpydoc become lists, examples blocks of Python."""
    text = sections("\n".join(lines).strip())
    if what == "class" and dataclasses.is_dataclass(thing) and "**Parameters**" not in text:
        text += fields(thing)
    lines[:] = [".. markdown::", "", *("   " + line for line in text.splitlines()), ""] if text else []


def sections(text: str) -> str:
    """Parameters, Returns and other sections of a docstring as Markdown."""
    head, *rest = SECTION.split(text)
    out = [blocks(head)]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        out.append(f"**{title}**\n\n" + (blocks(body.strip()) if title == "Examples" else entries(body)))
    return "\n\n".join(out)


def blocks(text: str) -> str:
    """Examples with >>>, and what they print, as blocks of Python."""
    return EXAMPLE.sub(lambda found: f"```python\n{found[0].rstrip()}\n```\n", text)


def entries(body: str) -> str:
    """Entries of a section, each with its indented explanation, as a list."""
    out: list[str] = []
    for line in body.strip("\n").splitlines():
        if line and not line.startswith(" "):
            names, colon, kind = line.partition(" : ")
            out.append("- " + ", ".join(f"`{name.strip()}`" for name in names.split(",")) + (f" ({kind})" if colon else ""))
        elif line.strip():
            out[-1] += (": " if not out[-1].endswith(tuple(".,;:")) and out[-1].count("\n") == 0 and " — " not in out[-1] and
                        out[-1].startswith("- `") and out[-1].endswith(("`", ")")) else " ") + line.strip()
    return "\n".join(out)


def fields(kind: type) -> str:
    """A table of the fields of a declaration: type, unit, default."""
    from routh.files.quantities import quantity

    rows = []
    for field in dataclasses.fields(kind):
        unit: Any = None
        with contextlib.suppress(Exception):  # a class that files do not know has no units there
            unit = quantity(kind, field.name)
        shown = " or ".join(unit) if isinstance(unit, tuple) else unit or ""
        default = "" if field.default is dataclasses.MISSING else f"`{field.default!r}`"
        if field.default_factory is not dataclasses.MISSING:
            default = f"`{field.default_factory()!r}`"
        hint = str(field.type).replace("|", "\\|")
        rows.append(f"| `{field.name}` | {hint} | {'' if shown == '1' else shown} | {default} |")
    return "\n\n| field | type | unit | default |\n|---|---|---|---|\n" + "\n".join(rows) if rows else ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("markdown", Markdown)
    app.connect("autodoc-process-docstring", as_markdown)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
