"""One model on the bench: sliders that run it again, the moving scene, downloads. For the gallery and for uploaded files."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import app, ui

from routh.app.elements import RunView, Slider
from routh.app.frame import frame
from routh.app.knobs import LAWS, Choice, Knob, knobs_of, turned
from routh.errors import RouthError, SimulationError
from routh.files.modelfile import ModelFile, format_model, parse_model
from routh.files.syntax import LANGUAGES, no_language
from routh.gallery.scenes import SCENES, scene
from routh.sim.progress import stopping_when
from routh.sim.result import Result
from routh.view.document import document_of
from routh.view.reports import report_html

__all__ = ["Bench", "register"]

LARGEST_UPLOAD = 1_000_000  # bytes
MOST_SAMPLES = 20_000  # beyond this the app takes its own spacing
MOST_STEPS = 2_000_000  # after which a run is shown as far as it came
MOST_MEMORY = 3e8  # bytes of samples and ledgers of one run
MOST_SECONDS = 60.0  # of computing, after which a run is shown as far as it came
LIVE_BYTES = 600_000  # of numbers that each new picture sends
COLD = "computing; the first run on this machine compiles its kernels, which takes a minute or two …"
DEFAULT_TIME = 5.0  # s, where a file does not say how long


def register() -> None:
    """Add the pages."""
    ui.page("/scene/{name}")(scene_page)
    ui.page("/upload")(upload_page)
    app.on_shutdown(close_all)


def close_all() -> None:
    """End the runs of all pages."""
    for bench in list(_OPEN):
        bench.close()


def scene_page(name: str) -> None:
    """A scene of the gallery."""
    frame(name.replace("_", " ") if name in SCENES else "no such scene")
    try:
        file = scene(name)
    except RouthError as error:
        ui.label(str(error)).classes("trouble")
        return
    Bench(file, SCENES[name].about)


def upload_page() -> None:
    """A model file from the user: data that is checked and never executed."""
    frame("Model file")
    ui.label("A model file in TOML, JSON or YAML. It is read as data: nothing in it runs.").classes("soft")
    trouble = ui.label().classes("trouble").props('role="alert"')
    place = ui.element("div").classes("wide")
    shown: list[Bench] = []

    async def take(event: Any) -> None:
        for bench in shown:
            bench.close()
        shown.clear()
        place.clear()
        trouble.text = ""
        try:
            file = await asyncio.to_thread(parsed, await event.file.read(), event.file.name)
        except RouthError as error:
            trouble.text = str(error)
            return
        with place:
            shown.append(Bench(file, "; ".join(file.notes)))

    ui.upload(
        label="Choose or drop a model file",
        auto_upload=True,
        max_files=1,
        max_file_size=LARGEST_UPLOAD,
        on_upload=take,
        on_rejected=lambda: trouble.set_text(f"The file is larger than {LARGEST_UPLOAD // 1000} kB, or not a file."),
    ).props('accept=".toml,.json,.yaml,.yml" flat bordered').classes("drop").move(target_index=1)


def parsed(content: bytes, name: str) -> ModelFile:
    """The model in an uploaded file; only the end of its name counts, for the language."""
    if len(content) > LARGEST_UPLOAD:
        raise RouthError(f"the file has {len(content)} bytes; {LARGEST_UPLOAD} are the limit here")
    suffix = Path(name).suffix.lower()
    if suffix not in LANGUAGES:
        raise no_language(suffix, name)
    return parse_model(content, LANGUAGES[suffix], name=name)


_OPEN: weakref.WeakSet[Bench] = weakref.WeakSet()  # benches of all pages, for the end of the app


class Bench:
    """The controls and the view of one model. The newest wish wins: a slider that moves on does not wait for old runs."""

    def __init__(self, file: ModelFile, about: str) -> None:
        self.file = file
        self.t_end = file.t_end if file.t_end is not None else file.t_start + DEFAULT_TIME
        knobs, choices = knobs_of(file)
        self.numbers: dict[Knob, float] = {knob: knob.value for knob in knobs}
        self.laws: dict[Choice, str] = {choice: choice.value for choice in choices}
        self.result: Result | None = None
        self._wanted = self._busy = self._closed = False
        self._stop = threading.Event()  # set to end the present run
        ui.context.client.on_delete(self.close)
        _OPEN.add(self)
        with ui.element("div").classes("bench"):
            with ui.element("div").classes("side"):
                ui.label(file.model.name).classes("title").props("role=heading aria-level=1")
                ui.label(about).classes("soft")
                for choice in choices:
                    ui.select(
                        list(LAWS),
                        value=choice.value,
                        label=choice.label,
                        on_change=lambda event, choice=choice: self._set(self.laws, choice, event.value),
                    ).classes("wide")
                for knob in knobs:
                    turn = partial(self._set, self.numbers, knob)
                    Slider(knob.label, knob.low, knob.high, knob.value, turn, knob.unit)
                ui.number("end of the run [s]", value=self.t_end, min=file.t_start, format="%g", on_change=self._end).classes(
                    "w-full"
                )
                self.note = ui.label(COLD).classes("soft").props('aria-live="polite"')
                self.trouble = ui.label().classes("trouble").props('role="alert"')
                with ui.row().classes("downloads"):
                    self.stop_button = ui.button("stop", icon="stop", on_click=lambda: self._stop.set()).props(
                        "dense no-caps outline size=sm"
                    )
                    for label, make in (("report", self._report), ("result", self._netcdf), ("model file", self._toml)):
                        ui.button(label, icon="download", on_click=lambda make=make: self._download(make)).props(
                            "dense no-caps outline size=sm"
                        )
            self.view = RunView()
        ui.timer(0.05, self.rerun, once=True)

    async def _set(self, where: dict[Any, Any], key: Any, value: Any) -> None:
        if where[key] != value:
            where[key] = value
            await self.rerun()

    async def _end(self, event: Any) -> None:
        if event.value is not None and event.value > self.file.t_start:
            self.t_end = float(event.value)
            await self.rerun()

    async def rerun(self) -> None:
        """Run with the present knobs and show it; while a run is under way, only remember that another is wanted."""
        self._wanted = True
        if self._busy:
            self._stop.set()  # nobody wants to see the old run
            return
        self._busy = True
        try:
            while self._wanted and not self._closed:
                self._wanted = False
                await self._once()
        finally:
            self._busy = False

    def close(self) -> None:
        """End the present run; the page is gone, or the app ends."""
        self._wanted, self._closed = False, True
        self._stop.set()

    async def _once(self) -> None:
        began = time.perf_counter()
        self._stop = threading.Event()
        self.stop_button.enable()
        try:
            wish = turned(self.file, self.numbers, self.laws)
            result, document = await asyncio.to_thread(_computed, wish, self.t_end, self._stop)
        except RouthError as error:
            self.trouble.text = str(error)
            return
        finally:
            self.stop_button.disable()
        if self._stop.is_set() and (self._wanted or self._closed):
            return
        self.result = result
        self.view.show(document)
        spent = time.perf_counter() - began
        await asyncio.sleep(0.05)  # the picture goes first
        self.trouble.text = "" if result.status == "finished" else f"The run ended early: {result.status}."
        self.note.text = f"{len(result.impacts)} impacts, computed in {1e3 * spent:.0f} ms"

    async def _download(self, make: Callable[[Result], tuple[bytes, str]]) -> None:
        if self.result is None:
            self.trouble.text = "There is no run yet."
            return
        content, suffix = await asyncio.to_thread(make, self.result)
        stem = re.sub(r"[^A-Za-z0-9_-]+", "_", self.file.model.name)[:60] or "run"
        ui.download(content, f"{stem}.{suffix}")

    def _report(self, result: Result) -> tuple[bytes, str]:
        return report_html([document_of(result)], result.model).encode(), "html"

    def _netcdf(self, result: Result) -> tuple[bytes, str]:
        with tempfile.TemporaryDirectory() as folder:
            return result.save(Path(folder) / "run.nc").read_bytes(), "nc"

    def _toml(self, result: Result) -> tuple[bytes, str]:
        return format_model(turned(self.file, self.numbers, self.laws)).encode(), "toml"


def _computed(file: ModelFile, t_end: float, stop: threading.Event) -> tuple[Result, dict[str, Any]]:
    """Run a model within the limits of the app until `stop` is set, and what the browser is given of it."""
    options = dataclasses.replace(
        file.options,
        on_error="return",
        progress=False,
        max_steps=min(file.options.max_steps, MOST_STEPS),
        max_memory=min(file.options.max_memory, MOST_MEMORY),
    )
    latest = time.monotonic() + MOST_SECONDS
    spacing = options.output
    if spacing is not None and (hasattr(spacing, "__len__") or (t_end - file.t_start) / float(spacing) > MOST_SAMPLES):
        options = dataclasses.replace(options, output=None)
    try:
        with stopping_when(lambda: stop.is_set() or time.monotonic() > latest):
            result = dataclasses.replace(file, t_end=t_end, options=options).simulate()
    except SimulationError as error:
        if error.result is None:
            raise
        result = error.result
    return result, document_of(result, budget=LIVE_BYTES)
