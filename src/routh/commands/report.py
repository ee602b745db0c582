"""`routh report`: a run as one HTML file that opens offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import Changes, SourcePath, result_at, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    source: SourcePath,
    changes: Changes = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="file.html; default: beside the source, by its name")] = None,
    title: Annotated[str, typer.Option(help="above the report; default: the model's name")] = "",
    plots: Annotated[
        list[str] | None, typer.Option("--plot", help='channels of one plot: "ball.vx ball.vy"; as often as you like')
    ] = None,
) -> None:
    """Write the report of a run: moving scene, plots, impact ledger, energy account, joint reactions, model."""
    out = target_at(out or source.with_suffix(".html"), source)
    shown = [group.replace(",", " ").split() for group in plots] if plots else None
    typer.echo(f"written: {result_at(source, changes).report(out, title=title, plots=shown)}")
