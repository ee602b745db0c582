"""`routh export`: a run as a table (CSV, Parquet, netCDF) or as moving pictures (GIF, MP4, glTF)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import AsJson, Changes, Channels, SourcePath, groups_of, result_at, say_written, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(export)


def export(
    source: SourcePath,
    channels: Channels = None,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE",
                                      help=".csv, .parquet, .mat, .nc, .gif, .mp4, .glb or .gltf")] = ...,  # type: ignore[assignment]
    changes: Changes = None,
    table: Annotated[str, typer.Option(metavar="NAME", help="of .csv and .parquet: channels, impacts or events")] = "channels",
    fps: Annotated[float, typer.Option(help="frames per second of moving pictures")] = 25.0,
    speed: Annotated[float, typer.Option(help="of moving pictures: 0.1 is ten times slower than life")] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Write a run as a table or as moving pictures.

    The suffix of --out says which. A table has all channels unless some are named.
    """
    from routh.view.export import SUFFIXES, export_run

    out.parent.mkdir(parents=True, exist_ok=True)
    target_at(out, source, SUFFIXES)
    result = result_at(source, changes)
    names = [name for group in groups_of(result, channels) for name in group]
    say_written(export_run(result, out, channels=names, table=table, fps=fps, speed=speed), as_json=as_json)
