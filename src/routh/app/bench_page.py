"""One model on the bench: sliders that run it again, the moving scene, downloads. For the gallery and for model files."""

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
from routh.app.knobs import LAWS, Choice, Knob, knobs_of, start_knobs, turned
from routh.app.showcase import title_of
from routh.errors import RouthError, SimulationError
from routh.files.modelfile import ModelFile, format_model
from routh.gallery.scenes import SCENES, scene
from routh.sim.progress import stopping_when
from routh.sim.result import Result
from routh.view.document import document_of
from routh.view.reports import report_html

__all__ = ["Bench", "register"]

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
    app.on_shutdown(close_all)


def close_all() -> None:
    """End the runs of all pages."""
    for bench in list(_OPEN):
        bench.close()


def scene_page(name: str) -> None:
    """A scene of the gallery."""
    frame(title_of(name) if name in SCENES else "no such scene")
    try:
        file = scene(name)
    except RouthError as error:
        ui.label(str(error)).classes("trouble")
        return
    Bench(file, SCENES[name].about, title_of(name))


_OPEN: weakref.WeakSet[Bench] = weakref.WeakSet()  # benches of all pages, for the end of the app


class Bench:
    """The controls and the view of one model. The newest wish wins: a slider that moves on does not wait for old runs."""

    def __init__(self, file: ModelFile, about: str, title: str = "") -> None:
        self.file = file
        self.t_end = file.t_end if file.t_end is not None else file.t_start + DEFAULT_TIME
        knobs, choices = knobs_of(file)
        self.numbers: dict[Knob, float] = {}
        self.slider_of: dict[Any, Slider] = {}
        self._turned: Any = None  # what the user moved last
        self.laws: dict[Choice, str] = {choice: choice.value for choice in choices}
        self.result: Result | None = None
        self._wanted = self._busy = self._closed = False
        self._stop = threading.Event()  # set to end the present run
        ui.context.client.on_delete(self.close)
        _OPEN.add(self)
        with ui.element("div").classes("bench"):
            with ui.element("div").classes("side"):
                ui.label(title or file.model.name).classes("title").props("role=heading aria-level=1")
                ui.label(about).classes("soft")
                for choice in choices:
                    ui.select(
                        list(LAWS),
                        value=choice.value,
                        label=choice.label,
                        on_change=lambda event, choice=choice: self._set(self.laws, choice, event.value),
                    ).classes("wide")
                self.sliders = ui.element("div").classes("wide")
                self._add(knobs)
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
        ui.timer(0.05, self._begin, once=True)

    def _add(self, knobs: list[Knob]) -> None:
        """A slider for each of these knobs."""
        with self.sliders:
            for knob in knobs:
                self.numbers[knob] = knob.value
                turn = partial(self._set, self.numbers, knob)
                self.slider_of[knob] = Slider(knob.label, knob.low, knob.high, knob.value, turn, knob.unit)

    async def _begin(self) -> None:
        """The first run, then the sliders of the start, whose ranges take a moment to find."""
        await self.rerun()
        found = await asyncio.to_thread(start_knobs, self.file)
        if not self._closed:
            self._add(found)

    async def _set(self, where: dict[Any, Any], key: Any, value: Any) -> None:
        if where[key] != value:
            where[key] = value
            self._turned = key
            await self.rerun()

    def _complain(self, error: RouthError | None) -> None:
        """Say what went wrong beside the slider that was turned, or below all where there is none."""
        slider = self.slider_of.get(self._turned) if self._turned is not None else None
        for other in self.slider_of.values():
            other.complain("")
        text = "" if error is None else in_plain_words(str(error))
        self.trouble.text = "" if slider is not None else text
        if slider is not None:
            slider.complain(text)

    async def _end(self, event: Any) -> None:
        if event.value is not None and event.value > self.file.t_start:
            self.t_end = float(event.value)
            await self.rerun()

    async def rerun(self) -> None:
        """Run with the present knobs and show it; while a run is under way, only remember that another is wanted."""
        self._wanted = True
        if self._busy:
            self._stop.set()  # the old run is not wanted any more
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
            numbers, laws, stop = dict(self.numbers), dict(self.laws), self._stop
            result, document = await asyncio.to_thread(
                lambda: _computed(turned(self.file, numbers, laws), self.t_end, stop)
            )
        except RouthError as error:
            self._complain(error)
            return
        finally:
            self.stop_button.disable()
        if self._stop.is_set() and (self._wanted or self._closed):
            return
        self.result = result
        self.view.show(document)
        spent = time.perf_counter() - began
        await asyncio.sleep(0.05)  # the picture goes first
        for knob, value in numbers.items():
            self.slider_of[knob].shown(value)
        self._complain(None if result.status == "finished" else RouthError(result.message))
        count = len(result.impacts)
        stepped = 1.0 - result.statistics.get("exact_share", 1.0)
        by_steps = f", {100.0 * stepped:.2g} % of the time by time steps" if stepped > 0.0 else ""
        self.note.text = f"{count} {'impact' if count == 1 else 'impacts'}{by_steps}, computed in {1e3 * spent:.0f} ms"

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


def in_plain_words(text: str) -> str:
    """A message for a page: without the advice that is meant for those who write Python."""
    said = re.split(r"; (?:use |see |give |pass )?(?:rt\.|routh\.)", text)[0]
    return re.sub(r"\(or rad\)", "", said).replace("  ", " ").strip()


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
