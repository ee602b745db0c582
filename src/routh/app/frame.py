"""What all pages of the app share: the head with its links, light and dark, and a place for errors."""

from __future__ import annotations

from nicegui import ui

from routh.app.elements import add_style

__all__ = ["frame"]

PAGES = {"Gallery": "/", "Impact laboratory": "/impact", "Tracked vehicle": "/vehicle", "Model file": "/model"}


def frame(title: str) -> None:
    """Begin a page; what is made after this call stands below the head."""
    ui.page_title(f"{title} – Routh")
    add_style()
    dark = ui.dark_mode(None)
    with ui.header().classes("app-head"):
        ui.link("Routh", "/").classes("name")
        for name, target in PAGES.items():
            ui.link(name, target)
        ui.space()
        ui.button(icon="contrast", on_click=lambda: _turn(dark)).props('flat dense color=white aria-label="light or dark"')


async def _turn(dark: ui.dark_mode) -> None:
    """Light becomes dark and dark light, whatever the browser prefers."""
    now = await ui.run_javascript("document.body.classList.contains('body--dark')")
    dark.set_value(not now)
