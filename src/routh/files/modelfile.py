"""Read and write model files: `read_model("ball.toml").simulate()`, `write_model("ball.toml", model, start, t_end=5.0)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from routh.errors import FileError, ModelError
from routh.files import elements
from routh.files.changes import changed
from routh.files.reading import Reader
from routh.files.syntax import LANGUAGES, LARGEST, Document, no_language, parse
from routh.files.writing import data_of, text_of
from routh.model.contacts import Contact
from routh.model.laws import ImpactLaw
from routh.model.model import Model
from routh.model.state import State
from routh.sim.options import Options
from routh.whole_file import write_whole

if TYPE_CHECKING:
    from routh.sim.result import Result

__all__ = ["ModelFile", "format_model", "law_of", "parse_model", "read_model", "write_model"]

ROBOTS = {".urdf": "urdf", ".xml": "mjcf"}


@dataclass(frozen=True)
class ModelFile:
    """What a model file says: the model, its start, how long and how to run it."""

    model: Model
    start: State = field(default_factory=State)
    t_end: float | None = None
    t_start: float = 0.0
    options: Options = field(default_factory=Options)
    notes: tuple[str, ...] = ()
    """What an import from another format left out."""

    def simulate(self) -> Result:
        """Run it."""
        from routh.sim.simulate import simulate

        if self.t_end is None:
            raise ModelError(f'model "{self.model.name}": no end is given; write t_end = "5 s" under [run], or set t_end')
        return simulate(self.model, self.start, self.t_end, t_start=self.t_start, options=self.options)


def read_model(path: str | Path, changes: Mapping[str, Any] | None = None, *, law: ImpactLaw | None = None) -> ModelFile:
    """The model file at `path`: .toml, .json or .yaml; or a robot: .urdf, or .xml for MJCF, with `notes` of what was left out.

    `changes` are made before it is read, by path: {"bounce.law.mu": 0.1, "ball.mass": "200 g", "t_end": "3 s"}. `law` is that
    of a robot's shapes on the ground and of its joints at their limits; without it there are neither.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (*LANGUAGES, *ROBOTS):
        raise no_language(path.suffix, str(path))
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise FileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=repr(str(path))[1:-1]) from None
    return parse_model(text, (LANGUAGES | ROBOTS)[suffix], name=path.name, changes=changes, law=law)


def parse_model(text: str | bytes, language: str = "toml", *, name: str = "", changes: Mapping[str, Any] | None = None,
                law: ImpactLaw | None = None) -> ModelFile:
    """The model file that a text is, in "toml", "json", "yaml", "urdf" or "mjcf"; `name` is what errors call it."""
    if language in ROBOTS.values():
        robot = _robot(text if isinstance(text, bytes) else text.encode(), language, name, law)
        if not changes:
            return robot
        return replace(parse_model(format_model(robot, language="json"), "json", name=name, changes=changes), notes=robot.notes)
    document = parse(text, language, name)
    if changes:
        document = replace(document, data=changed(document.data, changes))
    reader = Reader(document)
    model = reader.model()
    times, options = reader.run()
    return ModelFile(model, reader.start(model), times.get("t_end"), times.get("t_start", 0.0), options)


def law_of(table: Any, name: str = "law") -> ImpactLaw:
    """The impact law that a table means: {"type": "Newton", "e": 0.2, "mu": 0.8}."""
    family = elements.fields_of(Contact)["law"].family
    law: ImpactLaw = Reader(Document({}, name, dict)).element(family, (), table)
    return law


def _robot(text: bytes, language: str, name: str, law: ImpactLaw | None) -> ModelFile:
    if language == "urdf":
        from routh.files.urdf import read_urdf

        return read_urdf(text, name, law)
    from routh.files.mjcf import read_mjcf

    return read_mjcf(text, name, law)


def format_model(model: Model | ModelFile, start: State | None = None, t_end: float | None = None, *, t_start: float = 0.0,
                 options: Options | None = None, language: str = "toml") -> str:
    """A model with its start and run as text; reading it gives back the same values."""
    what = model if isinstance(model, ModelFile) else ModelFile(model, start or State(), t_end, t_start, options or Options())
    times = ({"t_start": what.t_start} if what.t_start else {}) | ({} if what.t_end is None else {"t_end": what.t_end})
    if language not in LANGUAGES.values():
        raise no_language(language)
    return text_of(data_of(what.model, what.start, times, what.options), language)


def write_model(path: str | Path, model: Model | ModelFile, start: State | None = None, t_end: float | None = None, *,
                t_start: float = 0.0, options: Options | None = None) -> Path:
    """Write a model file; the suffix of `path` says the language."""
    path = Path(path)
    if path.suffix.lower() not in LANGUAGES:
        raise no_language(path.suffix, str(path))
    text = format_model(model, start, t_end, t_start=t_start, options=options, language=LANGUAGES[path.suffix.lower()])
    return write_whole(path, text)
