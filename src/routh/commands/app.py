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
    """Open the workbench in the browser.

    Gallery, sliders that run a scene again, impact laboratory, model files. Only this machine can connect.
    """
    import socket

    from routh.errors import RouthError
    from routh.extras import need

    need("nicegui", what="routh app")
    from routh.app.server import HOST, serve

    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
        except OSError as error:
            raise RouthError(f"port {port} cannot be used: {error.strerror}; take another one with --port") from None
    typer.echo(f"Routh is at http://{HOST}:{port}/ (this machine only); Ctrl-C ends it")
    serve(port, browser)
