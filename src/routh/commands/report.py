"""`routh report`: a run as one HTML file that opens offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import AsJson, Changes, Channels, SourcePath, groups_of, result_at, say_written, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    source: SourcePath,
    channels: Channels = None,
    changes: Changes = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help=".html; default: beside the source")] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="above the report; default: the model's name")] = "",
    as_json: AsJson = False,
) -> None:
    """Write a run as one HTML file that opens offline.

    It holds the moving scene, plots, impact table, energy account, joint reactions and the model. Each CHANNEL, or group of
    channels joined by commas, is a plot; without any, plots are chosen.
    """
    out = target_at(out or source.with_suffix(".html"), source, (".html", ".htm"))
    result = result_at(source, changes)
    say_written(result.report(out, title=title, plots=groups_of(result, channels) or None), as_json=as_json)
