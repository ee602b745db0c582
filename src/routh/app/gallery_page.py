"""The first page: every scene of the gallery with its picture."""

from __future__ import annotations

from nicegui import ui

from routh.app.frame import frame
from routh.app.thumbnails import thumbnail
from routh.gallery.scenes import SCENES

__all__ = ["register"]


def register() -> None:
    """Add the page."""
    ui.page("/")(gallery)


def gallery() -> None:
    """Cards that lead to the benches of the scenes."""
    frame("Gallery")
    ui.label("Choose a scene, turn its knobs, and watch what changes.").classes("soft")
    with ui.element("div").classes("gallery"):
        for name, scene in SCENES.items():
            with ui.link(target=f"/scene/{name}"):
                ui.html(thumbnail(name), sanitize=False)  # our own files
                ui.label(name.replace("_", " ")).classes("called")
                ui.label(scene.about).classes("soft")
