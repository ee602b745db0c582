"""`routh warmup`: compile the kernels of this machine now instead of when they are first needed."""

from __future__ import annotations

import time

import typer

from routh.commands.arguments import AsJson, print_json

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(warmup)


def warmup(as_json: AsJson = False) -> None:
    """Compile every kernel that no library holds yet."""
    from routh.core.tables.entries import ENTRIES
    from routh.native.load import ready

    began = time.perf_counter()
    ready(ENTRIES.values())
    if as_json:
        print_json({"kernels": len(ENTRIES), "seconds": time.perf_counter() - began})
        return
    typer.echo(f"{len(ENTRIES)} kernels are ready ({time.perf_counter() - began:.1f} s)")
