"""`routh gallery`: the models that ship with the library, listed or written as model files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import AsJson, Changes, changes_of, print_json, say_written, target_at

__all__ = ["register"]

RUNS = (".nc", ".gif", ".mp4", ".glb", ".gltf", ".csv", ".parquet", ".mat", ".html")  # what a scene is run for


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(gallery)


def _names(incomplete: str) -> list[str]:
    """Scenes that a shell completes to."""
    from routh.gallery.scenes import SCENES

    return [name for name in SCENES if name.startswith(incomplete)]


def gallery(
    name: Annotated[str | None, typer.Argument(metavar="SCENE", help="none lists all", autocompletion=_names)] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE",
                                             help="model file .toml, .json, .yaml; or a run: .nc, .gif, .html")] = None,
    changes: Changes = None,
    fps: Annotated[float, typer.Option(help="frames per second of moving pictures")] = 25.0,
    speed: Annotated[float, typer.Option(help="of moving pictures: 0.1 is ten times slower than life")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """List the scenes of the gallery, write or run one."""
    from routh.gallery.scenes import SCENES, scene

    if name is None:
        if as_json:
            print_json({name: entry.about for name, entry in SCENES.items()})
        else:
            for title, entry in SCENES.items():
                typer.echo(f"{title:24s} {entry.about}")
        return
    from routh.files.modelfile import format_model, parse_model, write_model

    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        target_at(out)
    file = scene(name)
    if changes:
        file = parse_model(format_model(file, language="json"), "json", name=name, changes=changes_of(changes))
    if out is None:
        typer.echo(format_model(file), nl=False)
    elif out.suffix.lower() not in RUNS:
        say_written(write_model(out, file), as_json=as_json)
    elif out.suffix.lower() == ".html":
        say_written(file.simulate().report(out), as_json=as_json)
    else:
        say_written(file.simulate().export(out, fps=fps, speed=speed), as_json=as_json)
