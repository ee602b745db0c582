"""A model file in an editor: samples, files from the user, errors by line, and the bench below. Data that is never executed."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from nicegui import ui

from routh.app.bench_page import Bench
from routh.app.frame import frame
from routh.app.showcase import title_of
from routh.errors import RouthError
from routh.files.modelfile import ModelFile, format_model, parse_model
from routh.files.syntax import LANGUAGES, no_language
from routh.gallery.scenes import scene

__all__ = ["LARGEST", "parsed", "register"]

LARGEST = 1_000_000  # bytes
SAMPLES = ("park_ball", "double_pendulum", "newtons_cradle", "slider_crank_clearance", "dominoes")
HIGHLIGHT = {"toml": "TOML", "json": "JSON", "yaml": "YAML"}


def register() -> None:
    """Add the page."""
    ui.page("/model")(ModelPage)


def parsed(content: bytes, name: str) -> ModelFile:
    """The model in an uploaded file; only the end of its name counts, for the language."""
    if len(content) > LARGEST:
        raise RouthError(f"the file has {len(content)} bytes; {LARGEST} are the limit here")
    suffix = Path(name).suffix.lower()
    if suffix not in LANGUAGES:
        raise no_language(suffix, name)
    return parse_model(content, LANGUAGES[suffix], name=name)


class ModelPage:
    """The page."""

    def __init__(self) -> None:
        frame("Model file")
        self.name = "model.toml"
        self.bench: Bench | None = None
        self.asked = 0  # counts requests: an older one that ends later is dropped
        ui.label("Model file").classes("title").props("role=heading aria-level=1")
        ui.label("Write a model, choose a sample, or drop a file in TOML, JSON or YAML. It is read as data: nothing in it runs."
                 ).classes("soft")
        with ui.element("div").classes("editing"):
            with ui.element("div").classes("side"):
                ui.select({name: title_of(name) for name in SAMPLES}, label="sample", on_change=self._sample).classes("wide")
                self.upload = ui.upload(
                    label="Choose or drop a file", auto_upload=True, max_files=1, max_file_size=LARGEST, on_upload=self._take,
                    on_rejected=lambda: self._say(f"The file is larger than {LARGEST // 1000} kB, or not a file."),
                ).props('accept=".toml,.json,.yaml,.yml" flat bordered').classes("wide")
                ui.button("run", icon="play_arrow", on_click=self.run).props("no-caps")
                self.trouble = ui.label().classes("trouble").props('role="alert"')
            self.editor = ui.codemirror("", language="TOML", line_wrapping=False).classes("editor")
        self.place = ui.element("div").classes("wide")
        ui.timer(0.05, self._begin, once=True)

    async def _begin(self) -> None:
        """The first sample, unless a file was dropped before the page was ready."""
        if self.asked == 0:
            await self._open(SAMPLES[0])

    def _say(self, text: str) -> None:
        self.trouble.text = text

    def _ask(self) -> int:
        self.asked += 1
        return self.asked

    async def _sample(self, event: Any) -> None:
        await self._open(event.value)

    async def _open(self, name: str) -> None:
        """Put a sample into the editor and run it."""
        number = self._ask()
        text = await asyncio.to_thread(lambda: format_model(scene(name)))
        if number == self.asked:
            await self._show(text.encode(), f"{name}.toml")

    async def _take(self, event: Any) -> None:
        """Put a file of the user into the editor and run it."""
        number = self._ask()
        content = await event.file.read()
        self.upload.reset()
        if number == self.asked:
            await self._show(content, event.file.name)

    async def _show(self, content: bytes, name: str) -> None:
        """Put a file into the editor and run it."""
        self.name = name
        language = HIGHLIGHT.get(LANGUAGES.get(Path(name).suffix.lower(), ""), "TOML")
        self.editor.set_language(language)  # type: ignore[arg-type]
        self.editor.value = content.decode("utf-8", "replace")
        await self._run(content)

    async def run(self) -> None:
        """Run what the editor holds."""
        await self._run(str(self.editor.value).encode())

    async def _run(self, content: bytes) -> None:
        """Read a file and show its model on a bench; an error is told with its line."""
        number = self._ask()
        self._say("")
        file, trouble = await asyncio.to_thread(_read, content, self.name)
        if number != self.asked:
            return
        if file is None:
            self._say(trouble)
            return
        if self.bench is not None:
            self.bench.close()
        self.place.clear()
        with self.place:
            self.bench = Bench(file, "; ".join(file.notes))


def _read(content: bytes, name: str) -> tuple[ModelFile | None, str]:
    """The model of a file, or why there is none."""
    try:
        return parsed(content, name), ""
    except RouthError as error:
        return None, with_line(str(error), content.decode("utf-8", "replace"))


def with_line(message: str, text: str) -> str:
    """A message that names a line, with that line below it."""
    found = re.search(r"line (\d+)", message)
    lines = text.splitlines()
    if found is None or not 1 <= int(found[1]) <= len(lines):
        return message
    return f"{message}\n{found[1]} | {lines[int(found[1]) - 1][:120]}"
