"""`{family} joints`: every public name of a module of `routh`, in the order of its source, under the name that users import."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import routh


def names_of(family: str) -> list[str]:
    """Public names of `routh.<family>`, in the order of its source."""
    module: Any = getattr(routh, family)
    source = inspect.getsource(importlib.import_module(module.__name__))
    return sorted(module.__all__, key=lambda name: (source.find(f"class {name}"), source.find(f"def {name}"), name))


class Family(SphinxDirective):
    """The reference of a family; names given as content are left out, because another page has them."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        family = self.arguments[0]
        lines = ["```{eval-rst}", f".. currentmodule:: routh.{family}", ""]
        for name in names_of(family):
            if name not in "\n".join(self.content).split():
                kind = "autoclass" if inspect.isclass(getattr(getattr(routh, family), name)) else "autofunction"
                lines += [f".. {kind}:: {name}", *(["   :members:"] if kind == "autoclass" else []), ""]
        inside = nodes.Element()
        self.state.nested_parse(StringList([*lines, "```"], source=self.get_source_info()[0]), self.content_offset, inside)
        return inside.children


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("family", Family)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
