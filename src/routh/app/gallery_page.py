"""The first page: every scene of the gallery with its moving picture, found by words and tags."""

from __future__ import annotations

from nicegui import app, ui

from routh.app.frame import frame
from routh.app.showcase import cards
from routh.app.thumbnails import FOLDER

__all__ = ["register"]


def register() -> None:
    """Add the page."""
    app.add_static_files("/thumbs", FOLDER)
    ui.page("/")(gallery)


def gallery() -> None:
    """Cards that lead to the benches of the scenes."""
    frame("Gallery")
    ui.label("Bodies that collide, stick and slide. Choose a scene, turn its knobs, and watch what changes.").classes("lead")
    every = cards()
    shown: dict[str, ui.link] = {}
    wish = {"words": "", "tag": ""}

    def choose() -> None:
        for card in every:
            shown[card.name].set_visibility(card.found(wish["words"], wish["tag"]))
        nothing.set_visibility(not any(card.found(wish["words"], wish["tag"]) for card in every))

    def search(event: object) -> None:
        wish["words"] = str(getattr(event, "value", None) or "")
        choose()

    def tag(name: str) -> None:
        wish["tag"] = "" if wish["tag"] == name else name
        for other, button in buttons.items():
            button.props(f"outline={'false' if other == wish['tag'] else 'true'}")
        choose()

    with ui.element("div").classes("finder"):
        ui.input(placeholder="search", on_change=search).props('dense outlined clearable aria-label="search the gallery"')
        buttons = {
            name: ui.button(name, on_click=lambda name=name: tag(name)).props("dense no-caps outline size=sm rounded")
            for name in sorted({name for card in every for name in card.tags})
        }
    nothing = ui.label("No scene has all these words.").classes("soft")
    nothing.set_visibility(False)
    with ui.element("div").classes("gallery"):
        for card in every:
            with ui.link(target=card.target) as shown[card.name]:
                picture = FOLDER / f"{card.name}.webp"
                if picture.is_file():
                    ui.element("img").props(f'src="/thumbs/{card.name}.webp" alt="" loading="lazy" width=320 height=200')
                ui.label(card.title).classes("called")
                ui.label(card.about).classes("soft")
