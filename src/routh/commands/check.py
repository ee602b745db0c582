"""`routh check`: whether model files are good, without running them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from routh.commands.arguments import NO, AsJson, Changes, model_at, print_json
from routh.commands.info import counts

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(check)


def check(
    models: Annotated[list[Path], typer.Argument(metavar="MODEL...", help="model files")],
    changes: Changes = None,
    assemble: Annotated[bool, typer.Option(help="also assemble the start: loops must close")] = True,
    as_json: AsJson = False,
) -> None:
    """Check model files and their starts without a run."""
    found = [_look(path, changes, assemble) for path in models]
    if as_json:
        print_json(found)
    else:
        for row in found:
            typer.secho(f"{row['file']}: {row['text']}", fg=None if row["good"] else "red")
    if not all(row["good"] for row in found):
        raise typer.Exit(NO)


def _look(path: Path, changes: list[str] | None, assembled: bool) -> dict[str, Any]:
    from routh.errors import FileError, RouthError

    try:
        file = model_at(path, changes)
        if assembled:
            from routh.sim.assembly import assemble

            assemble(file.model, file.start, file.t_start)
    except RouthError as error:
        at = {"line": error.line, "path": error.path} if isinstance(error, FileError) else {"line": None, "path": ""}
        text = str(error).removeprefix(f"{path.name}, ").removeprefix(f"{path}: ")
        return {"file": str(path), "good": False, "text": text, **at}
    return {"file": str(path), "good": True, "text": f"good: {counts(file.model)}", "line": None, "path": "",
            "notes": list(file.notes)}
