"""What the commands share: files as arguments, `--set`, `--json`, and the exit codes.

| code | means |
|---|---|
| 0 | done |
| 1 | refused: a file, a model or a start is wrong; or a file could not be written |
| 2 | the command line itself is wrong |
| 3 | a run broke off; what was computed is printed and written |
| 4 | the answer is no: claims that do not hold, results that differ, files that fail the check |
| 130 | interrupted by Ctrl-C |
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from routh.files.modelfile import ModelFile
    from routh.model.laws import ImpactLaw
    from routh.sim.result import Result

__all__ = ["BROKE_OFF", "FIGURES", "INTERRUPTED", "NO", "REFUSED", "AsJson", "Changes", "Channels", "ModelPath", "SourcePath",
           "changes_of", "groups_of", "model_at", "print_json", "result_at", "say_written", "target_at"]

FIGURES = (".eps", ".jpg", ".pdf", ".png", ".svg", ".webp")
REFUSED, BROKE_OFF, NO, INTERRUPTED = 1, 3, 4, 130

ModelPath = Annotated[Path, typer.Argument(metavar="MODEL", help="model file: .toml, .json, .yaml, .urdf or MJCF .xml")]
SourcePath = Annotated[Path, typer.Argument(metavar="FILE", help="result (.nc), or a model file that is run first")]
Changes = Annotated[list[str] | None, typer.Option(
    "--set", metavar="PATH=VALUE", help='change the model first: bounce.law.mu=0.1, ball.mass="200 g", t_end="3 s"')]
Channels = Annotated[list[str] | None, typer.Argument(
    metavar="CHANNEL", help="such as ball.y bounce.force; ball.vx,ball.vy share a plot", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON, for machines")]


def model_at(path: Path, changes: list[str] | None = None, law: ImpactLaw | None = None) -> ModelFile:
    """The model file at a path, with the changes of --set made; `law` is for the contacts of a robot."""
    from routh.files.modelfile import read_model

    return read_model(path, changes_of(changes), law=law)


def changes_of(changes: list[str] | None) -> dict[str, Any]:
    """The changes of --set by their paths."""
    from routh.files.changes import value_of

    made: dict[str, Any] = {}
    for change in changes or []:
        name, equals, value = change.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f'"{change}" is not PATH=VALUE, such as ball.mass="200 g"', param_hint="--set")
        made[name.strip()] = value_of(value.strip())
    return made


def result_at(path: Path, changes: list[str] | None = None) -> Result:
    """The result at a path: loaded if it is one, else the run of the model file there."""
    if path.suffix.lower() == ".nc":
        from routh.sim.result import load

        if changes:
            raise typer.BadParameter(f"{path} is a result; only a model can be changed", param_hint="--set")
        return load(path)
    return model_at(path, changes).simulate()


def groups_of(result: Result, channels: list[str] | None) -> list[list[str]]:
    """Channels as they were named on the command line, those joined by commas together; unknown ones are refused."""
    from routh.errors import RouthError, did_you_mean

    groups = [[name for name in group.split(",") if name] for group in channels or ()]
    for name in (name for group in groups for name in group):
        if name not in result:
            raise RouthError(f'no channel "{name}"' + did_you_mean(name, result.channels))
    return groups


def say_written(*paths: Path, as_json: bool = False, **more: Any) -> None:
    """Say which files were written."""
    if as_json:
        print_json({"files": [str(path) for path in paths], **more})
        return
    for path in paths:
        typer.echo(f"written: {path}")


def target_at(path: Path, source: Path | None = None, suffixes: tuple[str, ...] = ()) -> Path:
    """A path to write to, checked before anything is computed: not the file that is read, a known suffix, a usable folder."""
    import os

    from routh.errors import RouthError

    if suffixes and path.suffix.lower() not in suffixes:
        raise RouthError(f'{path}: cannot be written as "{path.suffix}"; take {", ".join(suffixes)}')
    if source is not None and path.exists() and source.exists() and path.samefile(source):
        raise RouthError(f"{path}: is the file that is read; give the output another name")
    if path.is_dir():
        raise RouthError(f"{path}: is a folder; give the name of a file in it")
    folder = path.parent
    if not folder.is_dir():
        raise RouthError(f"{path}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise RouthError(f"{path}: the folder {folder} cannot be written to")
    return path


def print_json(data: Any) -> None:
    """Print plain data; arrays become lists, numbers that JSON does not know become null."""
    typer.echo(json.dumps(_plain(data), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
