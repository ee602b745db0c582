"""Docstrings are Markdown, as the pages are: autodoc hands them to MyST instead of reading them as reStructuredText."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils import new_document
from myst_parser.sphinx_ import Parser
from page_links import linked
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

EXAMPLE = re.compile(r"^(?:>>>|\.\.\.)(?: .*)?(?:\n(?:>>>|\.\.\.)(?: .*)?)*", re.M)


class Markdown(SphinxDirective):
    """Its content, read as Markdown."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        document = new_document(self.get_source_info()[0], self.state.document.settings)
        text = linked("\n".join(self.content), self.env.docname, Path(self.env.srcdir))
        Parser().parse(text, document)
        return list(document.children)


def as_markdown(_app: Sphinx, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Wrap a docstring into the directive above; examples with >>> become blocks of Python."""
    text = EXAMPLE.sub(lambda found: f"```python\n{found[0]}\n```", "\n".join(lines).strip())
    lines[:] = [".. markdown::", "", *("   " + line for line in text.splitlines()), ""] if text else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("markdown", Markdown)
    app.connect("autodoc-process-docstring", as_markdown)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
