"""`routh schema`: the rules of model files as JSON Schema, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("schema")(print_schema)


def print_schema(out: Annotated[Path | None, typer.Option("--out", "-o", help="write it to this file")] = None) -> None:
    """Print the JSON Schema of model files, so that editors complete and check them."""
    from routh.files.schema import schema
    from routh.whole_file import write_whole

    text = json.dumps(schema(), indent=2, ensure_ascii=False)
    if out is None:
        typer.echo(text)
    else:
        write_whole(out, text + "\n")
        typer.echo(f"written: {out}")
