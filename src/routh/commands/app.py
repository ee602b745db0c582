"""`routh app`: the workbench in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("app")(workbench)


def workbench(
    port: Annotated[int, typer.Option(min=1, max=65535, help="port on this machine")] = 8080,
    browser: Annotated[bool, typer.Option(help="open a browser window")] = True,
) -> None:
    """Serve the workbench to this machine: gallery, sliders that run again, impact laboratory, model files."""
    from routh.app.server import HOST, serve

    typer.echo(f"Routh is at http://{HOST}:{port}/ (this machine only); Ctrl-C ends it")
    serve(port, browser)
