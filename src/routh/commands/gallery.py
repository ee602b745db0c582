"""`routh gallery`: the models that ship with the library, listed or written as model files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import AsJson, print_json

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(gallery)


def gallery(
    name: Annotated[str | None, typer.Argument(help="a scene; none lists all")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="write it as a model file: .toml, .json or .yaml")] = None,
    as_json: AsJson = False,
) -> None:
    """List the scenes that ship with the library, or write one as a model file."""
    from routh.gallery.scenes import SCENES, scene

    if name is not None:
        from routh.files.modelfile import format_model, write_model

        if out is None:
            typer.echo(format_model(scene(name)), nl=False)
        else:
            typer.echo(f"written: {write_model(out, scene(name))}")
    elif as_json:
        print_json({name: entry.about for name, entry in SCENES.items()})
    else:
        for title, entry in SCENES.items():
            typer.echo(f"{title:24s} {entry.about}")
