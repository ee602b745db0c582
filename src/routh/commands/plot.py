"""`routh plot`: channels of a run over time, as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import (
    FIGURES,
    AsJson,
    Changes,
    Channels,
    SourcePath,
    groups_of,
    print_json,
    result_at,
    say_written,
    target_at,
)

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(plot)


def plot(
    source: SourcePath,
    channels: Channels = None,
    changes: Changes = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE",
                                             help=".png, .svg or .pdf; default: beside the source")] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="above the figure; default: the model's name")] = None,
    marks: Annotated[bool, typer.Option(help="mark events")] = True,
    as_json: AsJson = False,
) -> None:
    """Draw channels over time, or list them.

    Labels carry units, jumps are drawn as jumps, and events are marked. Without channels, all names are listed.
    """
    if out is None:
        out = source.with_suffix(".png")
    if channels:
        out.parent.mkdir(parents=True, exist_ok=True)
        target_at(out, source, FIGURES)
    result = result_at(source, changes)
    if not channels:
        if as_json:
            print_json({name: result.unit(name) for name in result.channels})
        else:
            for name in result.channels:
                typer.echo(f"{name:32s} {result.unit(name)}".rstrip())
        return
    names = [name for group in groups_of(result, channels) for name in group]
    from routh.view.plots import plot as draw
    from routh.view.plots import write

    write(draw(result, *names, title=result.model if title is None else title, marks=marks), out)
    say_written(out, as_json=as_json)
