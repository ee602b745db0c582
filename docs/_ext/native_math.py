"""Equations as MathML, which browsers draw themselves: no script, no font, no request to anyone."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def inline(writer: Any, node: nodes.math) -> None:
    """An equation in a line."""
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    """An equation on a line of its own."""
    writer.body.append(tex2mathml(node.astext().strip(), as_block=True))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    app.config.html_math_renderer = "mathml"  # type: ignore[attr-defined]
    return {"parallel_read_safe": True, "parallel_write_safe": True}
