"""`routh convert`: a model file in another language, or a robot from URDF or MJCF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import Changes, ModelPath, model_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(convert)


def convert(
    model: ModelPath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="new model file: .toml, .json or .yaml")],
    changes: Changes = None,
) -> None:
    """Write a model file in another language; robots of URDF and MJCF come with notes of what was left out."""
    from routh.files.modelfile import write_model

    file = model_at(model, changes)
    write_model(out, file)
    for note in file.notes:
        typer.echo(f"note: {note}")
    typer.echo(f"written: {out}")
