"""`routh schema`: the rules of model files as JSON Schema, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import say_written, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema")(print_schema)


def print_schema(
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="write it to this file")] = None,
) -> None:
    """Print the JSON Schema of model files, for editors."""
    from routh.files.schema import schema
    from routh.whole_file import write_whole

    text = json.dumps(schema(), indent=2, ensure_ascii=False)
    if out is None:
        typer.echo(text)
    else:
        say_written(write_whole(target_at(out), text + "\n"))
