"""The tracked vehicle: a machine of 53 bodies, the ground it drives on, its speed and its friction."""

from __future__ import annotations

import dataclasses
from typing import Any

from nicegui import ui

from routh.app.bench_page import Bench
from routh.app.frame import frame
from routh.files.modelfile import ModelFile
from routh.model.tracks import HeightProfile
from routh.vehicles import excavator
from routh.vehicles.tracked import OPTIONS

__all__ = ["register"]

GROUNDS = {
    "level": HeightProfile(),
    "a step of 0.1 m": HeightProfile(((2.2, 0.0), (2.25, 0.1))),
    "a slope of 1 in 5": HeightProfile(((2.2, 0.0), (12.2, 2.0))),
    "three bumps": HeightProfile(((2.2, 0.0), (2.5, 0.08), (2.8, 0.0), (3.1, 0.08), (3.4, 0.0), (3.7, 0.08), (4.0, 0.0))),
}
T_END = 4.0  # s, a run that takes about two seconds to compute
SPACING = 0.01  # s between samples


def register() -> None:
    """Add the page."""
    ui.page("/vehicle")(vehicle_page)


def file_of(ground: str) -> ModelFile:
    """The excavator at rest before a piece of ground."""
    model = excavator.vehicle(ground=GROUNDS[ground]).model()
    return ModelFile(model, excavator.settled(), T_END, options=dataclasses.replace(OPTIONS, output=SPACING))


def vehicle_page() -> None:
    """The choice of ground, and the bench."""
    frame("Tracked vehicle")
    place: Any = None
    shown: list[Bench] = []

    def choose(ground: str) -> None:
        for bench in shown:
            bench.close()
        shown.clear()
        place.clear()
        with place:
            about = "An excavator of 53 bodies, 42 of them links of its track. Each run takes about two seconds."
            bench = Bench(file_of(ground), about, "Tracked excavator")
            shown.append(bench)

    ui.select(list(GROUNDS), value="level", label="ground", on_change=lambda event: choose(event.value)).classes("drop")
    place = ui.element("div").classes("wide")
    choose("level")
