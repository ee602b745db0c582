"""`routh export`: a run as a table (CSV, Parquet, netCDF) or as moving pictures (GIF, MP4, glTF)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import Changes, SourcePath, result_at, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(export)


def export(
    source: SourcePath,
    out: Annotated[Path, typer.Option("--out", "-o", help="file.csv, .parquet, .mat, .nc, .gif, .mp4, .glb or .gltf")],
    changes: Changes = None,
    channels: Annotated[list[str] | None, typer.Option("--channel", "-c", help="of a table; all by default")] = None,
    table: Annotated[str, typer.Option(help="of .csv and .parquet: channels, impacts or events")] = "channels",
    fps: Annotated[float, typer.Option(help="frames per second of moving pictures")] = 25.0,
    speed: Annotated[float, typer.Option(help="of moving pictures: 0.1 is ten times slower than life")] = 1.0,
) -> None:
    """Write a run as a table or as moving pictures; the suffix of --out says which."""
    from routh.view.export import SUFFIXES, export_run

    out.parent.mkdir(parents=True, exist_ok=True)
    target_at(out, source, SUFFIXES)
    result = result_at(source, changes)
    typer.echo(f"written: {export_run(result, out, channels=channels or (), table=table, fps=fps, speed=speed)}")
