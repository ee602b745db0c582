"""`routh plot`: channels of a run over time, as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import Changes, SourcePath, result_at, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(plot)


def plot(
    source: SourcePath,
    channels: Annotated[list[str] | None, typer.Argument(help="such as ball.y bounce.force; none lists all there are")] = None,
    changes: Changes = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="file.png, .svg or .pdf")] = Path("plot.png"),
    title: Annotated[str | None, typer.Option(help="above the figure; default: the model's name")] = None,
    marks: Annotated[bool, typer.Option(help="mark events")] = True,
) -> None:
    """Draw channels over time: labels with units, jumps as jumps, events marked."""
    from routh.errors import RouthError, did_you_mean

    if channels:
        out.parent.mkdir(parents=True, exist_ok=True)
        target_at(out, source)
    result = result_at(source, changes)
    if not channels:
        for name in result.channels:
            typer.echo(f"{name:32s} {result.unit(name)}".rstrip())
        return
    for name in channels:
        if name not in result:
            raise RouthError(f'no channel "{name}"' + did_you_mean(name, result.channels))
    from routh.view.plots import plot as draw
    from routh.view.plots import write

    write(draw(result, *channels, title=result.model if title is None else title, marks=marks), out)
    typer.echo(f"written: {out}")
