"""`Study`: a model or an impact at many values of its parameters, computed anywhere, kept in a store that can be resumed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from routh.display import present
from routh.errors import FileError, ModelError, did_you_mean
from routh.extras import need
from routh.model import checks
from routh.model.model import Model
from routh.model.state import State
from routh.sim.event import Event, events_of_user
from routh.sim.options import Options
from routh.sim.parameters import split_paths
from routh.sim.result import Result
from routh.sim.simulate import evaluate
from routh.study.backends import Rows, on_dask, on_pool, one_by_one
from routh.study.design import Design, design_of
from routh.study.distributions import Distribution, LogNormal, Normal, Uniform
from routh.study.identity import digest_of
from routh.study.impact_case import ImpactCase
from routh.study.points import Motion, lost_rows
from routh.study.progress import counting
from routh.study.quantities import quantity_of
from routh.study.store import Store, table_of
from routh.study.table import StudyTable
from routh.study.threads import SideBySide, on_threads

__all__ = ["Study", "read_study"]

PARTS = 1000          # files of a store at most: longer studies have longer stretches
IMPACTS = 100_000     # impacts of one stretch at least: they take a tenth of a second
END = ("x", "y", "z", "theta", "vx", "vy", "vz", "omega")  # what is recorded of every body where nothing is asked for
KINDS: dict[str, type[Distribution]] = {"uniform": Uniform, "normal": Normal, "lognormal": LogNormal}
ENTRIES = ("model", "vary", "record", "samples", "sampling", "seed")


class Study:
    """Runs of one model, or impacts of one case, at every point of a design.

    | parameter | what |
    |---|---|
    | `model` | a Model, or an ImpactCase |
    | `start`, `t_end`, `t_start`, `options`, `events` | as of `simulate`; not for an ImpactCase |
    | `vary` | `{"bounce.law.e": [0.2, 0.5], "ball.vx": study.Normal(1.0, 0.1)}` |
    | `record` | `{"height": "max(ball.y)", "mine": function_of_result}`; see `routh.sim.expression` |
    | `samples`, `seed` | number of draws, and the seed of the draws |
    | `sampling` | "sobol", "latin", "random", or "saltelli" for Sobol indices |

    Lists form a grid of all combinations; every point of the grid gets the same samples of the distributions. A path that names
    no field of an element is a value of the start. Without `record`, the final state of every body and the number of impacts
    are kept.

    >>> study = rt.Study(park.ball(), rt.State(ball={"y": 10.0}), t_end=5.0, vary={"bounce.law.e": [0.2, 0.8]},
    ...                  record={"hits": "count(impacts)"})
    >>> study.run()["bounce.law.e"].tolist()
    [0.2, 0.8]
    """

    def __init__(self, model: Model | ImpactCase, start: State | None = None, t_end: float = 1.0, *,
                 vary: Mapping[str, Any], record: Mapping[str, Any] | None = None, samples: int | None = None,
                 sampling: str = "sobol", seed: int = 0, t_start: float = 0.0, options: Options | None = None,
                 events: Sequence[Event | str] = ()) -> None:
        self.design: Design = design_of(vary, samples, sampling, seed)
        self.units: dict[str, str] = {}
        self.work: Any
        if isinstance(model, ImpactCase):
            if start is not None or record is not None or options is not None or events:
                raise ModelError("study of an impact: start, record, options and events belong to motions; leave them out")
            self.work = model
        else:
            self.work = self._motion(model, start, t_end, t_start, options, record, events)
        self.work.check(self.design.columns)

    def _motion(self, model: Model, start: State | None, t_end: float, t_start: float, options: Options | None,
                record: Mapping[str, Any] | None, events: Sequence[Event | str]) -> Motion:
        if not isinstance(model, Model):
            raise ModelError(f"study: {model!r:.100} is neither a Model nor an ImpactCase")
        start = start if start is not None else State()
        options = options if options is not None else Options()
        t_end, t_start = checks.number("study", "t_end", t_end), checks.number("study", "t_start", t_start)
        if not t_end > t_start:
            raise ModelError(f"study: t_end = {t_end:g} must be later than t_start = {t_start:g}")
        first = {path: column[0].item() for path, column in self.design.columns.items()}
        of_model, of_start = split_paths(model, first)
        sample = evaluate(model.replace(of_model), start.replace(of_start), t_start)
        if record is None:
            record = {name: f'last(channel("{name}"))' for name in sample.channels
                      if name.partition(".")[0] in {b.name for b in model.bodies} and name.partition(".")[2] in END
                      and name not in self.design.columns}
            record |= {"impacts": "count(impacts)"}
        if not isinstance(record, Mapping) or not record:
            raise ModelError('study: record names nothing; give it as {"height": "max(ball.y)"}')
        clash = [name for name in record if name in (*self.design.columns, "status", "message")]
        if clash:
            raise ModelError(f'study: record "{clash[0]}" has the name of a parameter or of the status; call it otherwise')
        quantities = tuple(quantity_of(name, source) for name, source in record.items())
        for quantity in quantities:
            quantity.check_names(sample)
        self.units = {quantity.name: quantity.unit(sample) for quantity in quantities}
        return Motion(model, start, t_end, t_start, options, quantities, events_of_user(events))

    def __len__(self) -> int:
        """Number of points."""
        return len(self.design)

    @property
    def chunk(self) -> int:
        """Points of one stretch; it depends on the study alone, so that every way to compute it writes the same files."""
        least = IMPACTS if isinstance(self.work, ImpactCase) else 1
        return max(least, -(-len(self) // PARTS))

    def run_point(self, i: int) -> Result:
        """The whole motion at point i, to look at."""
        if not isinstance(self.work, Motion):
            raise ModelError("study of an impact: there is no motion; see resolve_impact")
        if not 0 <= i < len(self):
            raise IndexError(f"point {i} of {len(self)}")
        return self.work.run({path: column[i].item() for path, column in self.design.columns.items()})

    def run(self, *, workers: int = 1, backend: str | None = None, client: Any = None, store: str | Path | None = None,
            resume: bool = True, progress: bool | None = None) -> StudyTable:
        """Compute every point and return the table, the same whatever computed it.

        | parameter | what |
        |---|---|
        | `workers` | threads or processes on this machine; 1 computes in this process |
        | `backend` | "threads" (small models: one compiled call for many runs), "processes", or None: threads where they can |
        | `client` | a Dask cluster instead: a `dask.distributed.Client`, or the address of a scheduler |
        | `store` | a folder for the rows; a study that was interrupted goes on there, unless `resume` is False |
        | `progress` | a bar with rate and time left; None shows it in a terminal after two seconds |
        """
        if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
            raise ModelError(f"study: workers = {workers!r} must be a positive whole number")
        need("pyarrow", what="the table of a study")
        if backend not in (None, "threads", "processes"):
            raise ModelError(f'study: backend = {backend!r} is neither "threads" nor "processes"')
        columns, n, chunk = self.design.columns, len(self), self.chunk
        stretches = {k: {path: column[k * chunk:(k + 1) * chunk] for path, column in columns.items()}
                     for k in range(-(-n // chunk))}
        kept = None if store is None else Store(store, digest_of(self.work, columns, chunk), self._facts(), resume)
        done = kept.done if kept is not None else set()
        missing = {k: points for k, points in stretches.items() if k not in done}
        tables = {}
        with counting(progress, n, n - sum(len(next(iter(p.values()))) for p in missing.values())) as count:
            for numbers, rows in self._rows(missing, workers, backend, client):
                first, last = numbers[0] * chunk, min((numbers[-1] + 1) * chunk, n)
                table = table_of({**{path: column[first:last] for path, column in columns.items()}, **rows})
                if kept is None:
                    tables[first] = table
                else:
                    for k in numbers:
                        kept.add(k, table.slice(k * chunk - first, chunk))
                count(table.num_rows)
        if kept is not None:
            arrow = kept.read(list(stretches))
        else:
            import pyarrow as pa

            arrow = pa.concat_tables([tables[first] for first in sorted(tables)], promote_options="permissive")
        design = self.design
        blocks = design.samples // (len(columns) + 2) if design.sampling == "saltelli" else 0
        return StudyTable(arrow, tuple(columns), design.axes, design.samples, self.units, blocks)

    def report(self, table: StudyTable, path: str | Path, **choices: Any) -> Any:
        """Write an HTML page with the points of the table, and the runs behind those that are clicked.

        `runs` says how many runs it holds, or of which points; see `routh.view.study_report`.
        """
        if not isinstance(self.work, Motion):
            raise ModelError("study of an impact: there are no runs to show; see table.plot and table.heatmap")
        return present("study_report", self, table, path, **choices)

    def _rows(self, missing: Mapping[int, Mapping[str, np.ndarray]], workers: int, backend: str | None,
              client: Any) -> Iterator[tuple[list[int], Rows]]:
        """(numbers of stretches that follow each other, their rows), as they become ready."""
        if client is None and backend != "processes" and isinstance(self.work, Motion) and missing:
            together = SideBySide.of(self.work, self.design.columns)
            if isinstance(together, SideBySide):
                yield from on_threads(together, list(missing), self.chunk, workers)
                return
            if backend == "threads":
                raise ModelError(f'study: backend = "threads" cannot serve it: {together}')
        if client is not None:
            found = on_dask(self.work, missing, client)
        elif workers == 1 or not isinstance(self.work, Motion):  # a batch of impacts uses all cores by itself
            found = one_by_one(self.work, missing)
        else:
            names = [quantity.name for quantity in self.work.quantities]
            lost = partial(lost_rows, names, message="its worker process died three times")
            found = on_pool(self.work, missing, workers, lost)
        for number, rows in found:
            yield [number], rows

    def _facts(self) -> dict[str, Any]:
        """What a reader of the store wants to know."""
        design = self.design
        return {"points": len(self), "chunk": self.chunk, "parameters": list(design.columns), "samples": design.samples,
                "sampling": design.sampling, "seed": design.seed, "units": self.units}

    def __repr__(self) -> str:
        what = self.work.model.name if isinstance(self.work, Motion) else "an impact"
        return f"<Study of {what!r}: {len(self)} points of {', '.join(self.design.columns)}>"


def read_study(path: str | Path) -> Study:
    """The study that a TOML file declares, with its model in a file of its own.

    ```toml
    model = "ball.toml"          # with start and run; the path is relative to this file
    samples = 256
    [vary]
    "bounce.law.e" = [0.2, 0.5, 0.8]
    "bounce.law.mu" = {uniform = [0.1, 0.4]}      # or normal = [mean, deviation], lognormal = [median, sigma]
    [record]
    height = "max(ball.y)"
    ```
    """
    from routh.files.modelfile import read_model

    path = Path(path)
    try:
        data = tomllib.loads(path.read_text())
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FileError(f"is not TOML: {error}", file=str(path)) from None
    for name in data:
        if name not in ENTRIES:
            raise FileError(f'no entry "{name}"' + did_you_mean(name, ENTRIES), file=str(path))
    if not isinstance(data.get("model"), str) or not isinstance(data.get("vary"), dict):
        raise FileError('a study needs model = "FILE.toml" and a table [vary]', file=str(path))
    file = read_model(path.parent / data["model"])
    if file.t_end is None:
        raise FileError(f'{data["model"]} gives no end; write t_end = "5 s" under [run] there', file=str(path))
    vary = {name: _values(str(path), name, value) for name, value in data["vary"].items()}
    choices = {name: data[name] for name in ("record", "samples", "sampling", "seed") if name in data}
    try:
        return Study(file.model, file.start, file.t_end, vary=vary, t_start=file.t_start,
                     options=replace(file.options, progress=False), events=file.events, **choices)
    except FileError:
        raise
    except ModelError as error:
        raise FileError(str(error), file=str(path)) from None


def _values(file: str, name: str, value: Any) -> Any:
    """A list, or the distribution that a table such as {uniform = [0.1, 0.4]} means."""
    if not isinstance(value, dict):
        return value
    if len(value) != 1 or next(iter(value)) not in KINDS:
        raise FileError(f"{value!r} is not a distribution; write {{uniform = [low, high]}}, {{normal = [mean, deviation]}} or "
                        "{lognormal = [median, sigma]}", file=file, path=f"vary.{name}")
    kind, numbers = next(iter(value.items()))
    if not isinstance(numbers, Sequence) or isinstance(numbers, str) or len(numbers) != 2:
        raise FileError(f"{kind} takes two numbers, not {numbers!r}", file=file, path=f"vary.{name}")
    try:
        return KINDS[kind](*numbers)
    except ModelError as error:
        raise FileError(str(error), file=file, path=f"vary.{name}") from None
