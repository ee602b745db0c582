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
from routh.sim.event import Event
from routh.sim.options import Options
from routh.whole_file import write_whole

if TYPE_CHECKING:
    from routh.sim.result import Result

__all__ = ["ModelFile", "Reading", "format_model", "law_of", "parse_model", "read_model", "write_model"]

ROBOTS = {".urdf": "urdf", ".xml": "mjcf"}


@dataclass(frozen=True)
class Reading:
    """How a robot file is read: see `read_model`."""

    law: ImpactLaw | None = None
    strict: bool = False
    floor: float | None = None
    folder: Path | None = None

    def find(self, name: str) -> Path | None:
        """The mesh file of a name such as "package://arm/meshes/link.stl" or "link.stl", if it is there and can be read.

        A name is looked for below the folder of the robot file, a package below the folders above it; never elsewhere.
        """
        if self.folder is None or Path(name).suffix.lower() not in (".stl", ".obj"):
            return None
        package, _, inside = name.partition("://")
        if inside and package != "package":
            return None
        roots = [self.folder.resolve()]
        if inside:
            called, _, name = inside.partition("/")
            roots = [up / called for up in roots[0].parents if called and (up / called).is_dir()][:1]
            roots += [up for up in self.folder.resolve().parents if up.name == called][:1]
        for root in roots:
            path = (root / name).resolve()
            if path.is_relative_to(root) and path.is_file():
                return path
        return None


@dataclass(frozen=True)
class ModelFile:
    """What a model file says: the model, its start, how long and how to run it.

    Parameters
    ----------
    model, start
        The model and its start.
    t_end, t_start
        End and begin of the run [s].
    options
        Of the run.
    notes
        What an import from another format left out.
    events
        Roots that the run looks for, see `Event`.

    Examples
    --------
    >>> file = rt.ModelFile(park.ball(), rt.State(ball={"y": 10.0}), t_end=5.0)
    >>> file.simulate().status
    'finished'
    """

    model: Model
    start: State = field(default_factory=State)
    t_end: float | None = None
    t_start: float = 0.0
    options: Options = field(default_factory=Options)
    notes: tuple[str, ...] = ()
    """What an import from another format left out or mended."""
    events: tuple[Event, ...] = ()

    def simulate(self) -> Result:
        """Run it."""
        from routh.sim.simulate import simulate

        if self.t_end is None:
            raise ModelError(f'model "{self.model.name}": no end is given; write t_end = "5 s" under [run], or set t_end')
        return simulate(self.model, self.start, self.t_end, t_start=self.t_start, options=self.options, events=self.events)


def read_model(path: str | Path, changes: Mapping[str, Any] | None = None, *, law: ImpactLaw | None = None,
               strict: bool = False, floor: float | None = None) -> ModelFile:
    """Read a model file: .toml, .json or .yaml; or a robot: .urdf, or .xml for MJCF.

    Parameters
    ----------
    path
        The file.
    changes
        Values by path, set before the file is read: {"bounce.law.mu": 0.1, "ball.mass": "200 g", "t_end": "3 s"}.
    law
        Of a robot's shapes on the ground and of its joints at their limits. Default: neither collides.
    strict
        Refuse what a robot file has wrong by digits, instead of mending it with a note: inertias that no mass distribution has,
        joints that move nothing, starts outside limits or in the ground. Default: False.
    floor
        Height of a horizontal floor that is added to a robot [m]. Default: none.

    Returns
    -------
    ModelFile
        Model, start, end and options; `notes` lists what was left out of a robot.

    Examples
    --------
    >>> path = rt.write_model(folder / "ball.toml", park.ball(), rt.State(ball={"y": 10.0}), t_end=5.0)
    >>> file = rt.read_model(path, {"bounce.law.e": 0.5})
    >>> file.model["bounce"].law.e, file.t_end
    (0.5, 5.0)
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
    return parse_model(text, (LANGUAGES | ROBOTS)[suffix], name=path.name, changes=changes, law=law, strict=strict, floor=floor,
                       folder=path.parent)


def parse_model(text: str | bytes, language: str = "toml", *, name: str = "", changes: Mapping[str, Any] | None = None,
                law: ImpactLaw | None = None, strict: bool = False, floor: float | None = None,
                folder: str | Path | None = None) -> ModelFile:
    '''The model file that a text is.

    Parameters
    ----------
    text
        In a language below, at most two million characters.
    language
        "toml", "json", "yaml", "urdf" or "mjcf". Default: "toml".
    name
        What errors call it.
    changes, law, strict, floor
        As in `read_model`.
    folder
        Where the meshes of a robot are. Default: they are left out.

    Examples
    --------
    >>> file = rt.parse_model("""
    ... format = 1
    ... space = "planar"
    ... [bodies.ball]
    ... mass = "160 g"
    ... inertia = "0.58 kg cm^2"
    ... """)
    >>> file.model["ball"].mass
    0.16
    '''
    if language in ROBOTS.values():
        reading = Reading(law, strict, floor, None if folder is None else Path(folder))
        robot = _robot(text if isinstance(text, bytes) else text.encode(), language, name, reading)
        if not changes:
            return robot
        return replace(parse_model(format_model(robot, language="json"), "json", name=name, changes=changes), notes=robot.notes)
    document = parse(text, language, name)
    if changes:
        document = changed(document, changes)
    reader = Reader(document)
    model = reader.model()
    times, options = reader.run()
    return ModelFile(model, reader.start(model), times.get("t_end"), times.get("t_start", 0.0), options,
                     events=reader.events())


def law_of(table: Any, name: str = "law") -> ImpactLaw:
    """The impact law that a table means: {"type": "Newton", "e": 0.2, "mu": 0.8}."""
    family = elements.fields_of(Contact)["law"].family
    law: ImpactLaw = Reader(Document({}, name, dict)).element(family, (), table)
    return law


def _robot(text: bytes, language: str, name: str, reading: Reading) -> ModelFile:
    if language == "urdf":
        from routh.files.urdf import read_urdf

        return read_urdf(text, name, reading)
    from routh.files.mjcf import read_mjcf

    return read_mjcf(text, name, reading)


def format_model(model: Model | ModelFile, start: State | None = None, t_end: float | None = None, *, t_start: float = 0.0,
                 options: Options | None = None, language: str = "toml") -> str:
    """A model with its start and run as text; reading it gives back the same values.

    Parameters
    ----------
    model, start, t_end, t_start, options
        As in `write_model`.
    language
        "toml", "json" or "yaml". Default: "toml".

    Examples
    --------
    >>> print(rt.format_model(rt.Model(space="planar", bodies=[rt.Body("ball", mass=1.0, inertia=0.1)])).strip())
    format = 1
    space = "planar"
    gravity = [0.0, 0.0]
    <BLANKLINE>
    [bodies.ball]
    mass = 1.0
    inertia = 0.1
    """
    what = model if isinstance(model, ModelFile) else ModelFile(model, start or State(), t_end, t_start, options or Options())
    times = ({"t_start": what.t_start} if what.t_start else {}) | ({} if what.t_end is None else {"t_end": what.t_end})
    if language not in LANGUAGES.values():
        raise no_language(language)
    return text_of(data_of(what.model, what.start, times, what.options, what.events), language)


def write_model(path: str | Path, model: Model | ModelFile, start: State | None = None, t_end: float | None = None, *,
                t_start: float = 0.0, options: Options | None = None) -> Path:
    """Write a model file; the suffix of `path` says the language: .toml, .json or .yaml.

    Parameters
    ----------
    path
        The file; it is written whole or not at all.
    model
        A Model, or a ModelFile with its start and run.
    start, t_end, t_start, options
        Start and run, for a Model. Default: none.

    Examples
    --------
    >>> rt.write_model(folder / "ball.json", park.ball(), rt.State(ball={"y": 10.0}), t_end=5.0).name
    'ball.json'
    """
    path = Path(path)
    if path.suffix.lower() not in LANGUAGES:
        raise no_language(path.suffix, str(path))
    text = format_model(model, start, t_end, t_start=t_start, options=options, language=LANGUAGES[path.suffix.lower()])
    return write_whole(path, text)
