"""`routh warmup`: compile the kernels of this machine now instead of when they are first needed."""

from __future__ import annotations

import time

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(warmup)


def warmup() -> None:
    """Compile every kernel that no library holds yet; later runs load them."""
    from routh.core.tables.entries import ENTRIES
    from routh.native.load import ready

    began = time.perf_counter()
    ready(ENTRIES.values())
    typer.echo(f"{len(ENTRIES)} kernels are ready ({time.perf_counter() - began:.1f} s)")
