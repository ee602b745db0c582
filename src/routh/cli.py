"""The `routh` command. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import typer

from routh.commands import app as workbench
from routh.commands import demo, gallery, impact, reproduce, warmup
from routh.version import __version__

__all__ = ["app", "main"]

app = typer.Typer(
    name="routh", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
    help="Exact motion of rigid multibody systems that collide, stick and slide.")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"routh {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version and stop."),
) -> None:
    """Exact motion of rigid multibody systems that collide, stick and slide."""


for command in (workbench, demo, gallery, impact, reproduce, warmup):
    command.register(app)


def main() -> None:
    """Run the command line; errors that Routh raises on purpose are one line, without a traceback."""
    from routh.errors import RouthError

    try:
        app()
    except RouthError as error:
        typer.secho(f"error: {error}", err=True, fg="red")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
