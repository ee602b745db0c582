"""What can be turned on a model: e, mu and law of its contacts, e of stops and ropes, values of its start."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from routh.app.starts import free_starts, started
from routh.files.modelfile import ModelFile
from routh.model.contacts import Contact
from routh.model.laws import Brach, ImpactLaw, Moreau, Newton, Poisson, Stronge

__all__ = ["LAWS", "Choice", "Knob", "knobs_of", "start_knobs", "turned"]

LAWS: dict[str, type[ImpactLaw]] = {"Newton": Newton, "Poisson": Poisson, "Stronge": Stronge, "Moreau": Moreau, "Brach": Brach}


@dataclass(frozen=True)
class Knob:
    """A number between `low` and `high`: a field of some contacts, a path of the model, or a path of the start."""

    label: str
    unit: str
    low: float
    high: float
    value: float
    path: str
    contacts: tuple[str, ...] = ()
    of_model: bool = False


@dataclass(frozen=True)
class Choice:
    """The law of some contacts that share one."""

    label: str
    value: str
    contacts: tuple[str, ...]


def knobs_of(file: ModelFile) -> tuple[list[Knob], list[Choice]]:
    """Knobs and choices of a model; contacts with equal laws are turned together."""
    knobs: list[Knob] = []
    choices: list[Choice] = []
    for law, names in _alike(file).items():
        label = _called(names)
        if isinstance(law.e, int | float):
            knobs.append(Knob(f"{label}: restitution e", "", 0.0, 1.0, float(law.e), "e", names))
        mu = getattr(law, "mu", None)
        if isinstance(mu, int | float):
            knobs.append(Knob(f"{label}: friction μ", "", 0.0, max(1.0, 2.0 * mu), float(mu), "mu", names))
        if type(law).__name__ in LAWS:
            choices.append(Choice(f"{label}: law", type(law).__name__, names))
    knobs += _track_knobs(file)
    return knobs, choices


def start_knobs(file: ModelFile) -> list[Knob]:
    """A knob for each value of the start that can be turned; this takes a few runs of an instant each."""
    return [Knob(f"start: {r.path}", r.unit, r.low, r.high, r.value, r.path) for r in free_starts(file)]


def turned(file: ModelFile, numbers: Mapping[Knob, float], laws: Mapping[Choice, str]) -> ModelFile:
    """The file with its knobs at `numbers` and its laws as chosen."""
    changes: dict[str, dict[str, float]] = {}
    kinds = {name: chosen for choice, chosen in laws.items() for name in choice.contacts}
    model = file.model
    moved: dict[str, float] = {}
    for knob, value in numbers.items():
        if knob.contacts:
            for name in knob.contacts:
                changes.setdefault(name, {})[knob.path] = value
        elif value != knob.value and knob.of_model:
            model = model.replace({knob.path: value})
        elif value != knob.value:
            moved[knob.path] = value
    contacts = tuple(_changed(c, changes.get(c.name, {}), kinds.get(c.name)) for c in model.contacts)
    out = dataclasses.replace(file, model=dataclasses.replace(model, contacts=contacts))
    return dataclasses.replace(out, start=started(out, moved))


def _called(names: tuple[str, ...]) -> str:
    """How a slider calls contacts that are turned together: by what their names begin with."""
    if len(names) == 1:
        return names[0]
    same = takewhile(lambda pair: pair[0] == pair[1], zip(min(names), max(names), strict=False))
    common = "".join(letter for letter, _ in same).rstrip("0123456789_-")
    return f"{common or 'contacts'} ({len(names)})"


def _track_knobs(file: ModelFile) -> list[Knob]:
    """Friction and belt of the shoes, and what drives the sprocket."""
    out = []
    for track in file.model.tracks:
        mu = getattr(track.shoes.law.friction, "mu", None) if track.shoes is not None else None
        if isinstance(mu, float):
            path = f"{track.name}.shoes.law.friction.mu"
            out.append(Knob(f"{track.name}: friction μ of the ground", "", 0.0, max(1.0, 2.0 * mu), mu, path, of_model=True))
    for driver in file.model.drivers:
        rate = getattr(driver.motion, "rate", None)
        if rate:
            reach = 2.0 * abs(rate)
            path = f"{driver.name}.motion.rate"
            unit = "rad/s" if "angle" in driver.coordinate else "m/s"
            label = f"{driver.name}: speed" + (", negative is forward" if file.model.tracks and rate < 0.0 else "")
            out.append(Knob(label, unit, -reach, reach, float(rate), path, of_model=True))
    return out


def _changed(contact: Any, numbers: Mapping[str, float], kind: str | None) -> Any:
    if not isinstance(contact, Contact):
        return dataclasses.replace(contact, **numbers)
    law: Any = contact.law
    fields = {"e": law.e, "mu": getattr(law, "mu", None), **numbers} if isinstance(law, ImpactLaw) else dict(numbers)
    if isinstance(law, ImpactLaw) and law.mu_s is not None:
        fields["mu_s"] = max(law.mu_s, fields["mu"]) if isinstance(fields["mu"], int | float) else law.mu_s
    if kind is None or kind == type(law).__name__:
        return dataclasses.replace(contact, law=dataclasses.replace(law, **fields))
    return dataclasses.replace(contact, law=LAWS[kind](**fields))


def _alike(file: ModelFile) -> dict[Any, tuple[str, ...]]:
    """Contacts with equal laws under one key; a stop or a rope is its own law."""
    groups: dict[Any, tuple[str, ...]] = {}
    for contact in file.model.contacts:
        law = contact.law if isinstance(contact, Contact) else contact
        if hasattr(law, "e"):
            groups[law] = (*groups.get(law, ()), contact.name)
    return groups
