"""`routh convert`: a model file in another language, or a robot from URDF or MJCF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import AsJson, Changes, ModelPath, model_at, say_written, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(convert)


def convert(
    model: ModelPath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="new model file: .toml, .json or .yaml")],
    changes: Changes = None,
    law: Annotated[str | None, typer.Option(metavar="LAW",
                                            help='of contacts and limits of a robot: {type="Newton", e=0, mu=0.8}')] = None,
    as_json: AsJson = False,
) -> None:
    """Write a model file in another language.

    Robots of URDF and MJCF come with notes of what was left out.
    """
    from routh.files.changes import value_of
    from routh.files.modelfile import law_of, write_model
    from routh.files.syntax import LANGUAGES, no_language

    if out.suffix.lower() not in LANGUAGES:
        raise no_language(out.suffix, str(out))
    target_at(out, model)
    file = model_at(model, changes, None if law is None else law_of(value_of(law), "--law"))
    write_model(out, file)
    if not as_json:
        for note in file.notes:
            typer.echo(f"note: {note}")
    say_written(out, as_json=as_json, notes=file.notes)
