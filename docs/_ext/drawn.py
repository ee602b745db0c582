"""Pictures made while the site is built.

`{drawn} ball.png` shows a picture that a Python block of the same page has saved: the page is run to get it.
`{gallery}` shows every module of the gallery with the figures it draws; with ROUTH_DOCS=quick only those of `QUICK`.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst.directives.images import Figure
from page_links import linked
from page_runner import run_page
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

from routh.gallery.scenes import SCENES, scene
from routh.view import picture

NOT_MODELS = {"claims", "reproduction", "scenes"}
QUICK = {"han_rod", "rod_45", "rope_and_stops"}

log = getLogger(__name__)
run_once = cache(run_page)  # a page may show several pictures


def folder_of(app: Sphinx) -> Path:
    """Where pictures are made: beside the pages that are built."""
    return Path(app.outdir).with_name(Path(app.outdir).name + "-drawn")


class Drawn(Figure):
    """A figure whose file is made when its page is run."""

    def run(self) -> list[nodes.Node]:
        env = self.state.document.settings.env
        page = Path(env.doc2path(env.docname))
        file = folder_of(env.app) / env.docname / self.arguments[0]
        run_once(page, file.parent)
        if not file.is_file():
            raise self.error(f"no block of this page saves {self.arguments[0]}")
        self.arguments[0] = os.path.relpath(file, page.parent)
        return list(super().run())


class Gallery(SphinxDirective):
    """A section per module: its first sentence, its figures, how to run it."""

    def run(self) -> list[nodes.Node]:
        import routh.gallery

        names = [m.name for m in pkgutil.iter_modules(routh.gallery.__path__) if m.name not in NOT_MODELS]
        return [self._section(name) for name in names]

    def _section(self, name: str) -> nodes.Node:
        module: Any = importlib.import_module(f"routh.gallery.{name}")
        section = nodes.section("", nodes.title("", name.replace("_", " ")), ids=[nodes.make_id(name)], names=[name])
        section += self.parse_text_to_nodes(linked(str(module.__doc__).strip(), self.env.docname, Path(self.env.srcdir)))
        section += nodes.paragraph("", "Module ", nodes.literal("", f"routh.gallery.{name}"))
        scenes = [found for found, entry in SCENES.items() if entry.module == name]
        if scenes:
            commands = ", ".join(f"`routh gallery {found} -o {found}.toml`" for found in scenes)
            section += self.parse_text_to_nodes(f"As a file: {commands}")
        wanted = os.environ.get("ROUTH_DOCS") != "quick" or name in QUICK
        for file in self._pictures(name, module, scenes) if wanted else []:
            uri = os.path.relpath(file, Path(self.env.doc2path(self.env.docname)).parent)
            section += nodes.image("", uri=uri, alt=file.stem.replace("_", " "))
        return section

    def _pictures(self, name: str, module: Any, scenes: list[str]) -> list[Path]:
        """The figures of a module; of one that draws none, its scenes in motion."""
        from matplotlib import pyplot

        log.info("gallery: %s", name)
        folder = folder_of(self.env.app) / "gallery"
        folder.mkdir(parents=True, exist_ok=True)
        if hasattr(module, "figures"):
            drawn = [path for path in module.figures(folder) if path.suffix == ".png"]
            pyplot.close("all")
            return drawn
        for found in scenes:
            (folder / f"{found}.svg").write_text(picture(scene(found).simulate(), width=480, height=300), encoding="utf-8")
        return [folder / f"{found}.svg" for found in scenes]


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("drawn", Drawn)
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
