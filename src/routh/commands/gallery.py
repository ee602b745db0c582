"""`routh gallery`: the models that ship with the library."""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(gallery)


def gallery() -> None:
    """List the models that ship with the library, one line each."""
    import importlib
    import pkgutil

    import routh.gallery

    for found in pkgutil.iter_modules(routh.gallery.__path__):
        module = importlib.import_module(f"routh.gallery.{found.name}")
        if not (hasattr(module, "model") or hasattr(module, "claims")):
            continue
        first = (module.__doc__ or "").strip().splitlines()[0] if module.__doc__ else ""
        typer.echo(f"{found.name:16s} {first}")
