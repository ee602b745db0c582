"""The `routh` command. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
from typing import Any

import typer

from routh.commands import app as workbench
from routh.commands import (
    check,
    compare,
    convert,
    demo,
    energy,
    export,
    gallery,
    impact,
    info,
    plot,
    report,
    reproduce,
    run,
    schema,
    warmup,
)
from routh.version import __version__

__all__ = ["app", "entry", "main"]

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


for command in (run, info, check, plot, report, energy, export, compare, convert, impact, gallery, reproduce, schema,
                workbench, demo, warmup):
    command.register(app)


def entry() -> None:
    """The command as the shell calls it: `main`, then the end of the process without taking Numba apart, which lasts 0.7 s."""
    code: Any = 0
    try:
        main()
    except SystemExit as stop:
        code = stop.code
    if isinstance(code, str):
        raise SystemExit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, AttributeError):  # the reader of our output may have gone
            stream.flush()
    os._exit(code or 0)


def main() -> None:
    """Run the command line; errors that Routh raises on purpose are one line, without a traceback."""
    from routh.commands.arguments import BROKE_OFF, INTERRUPTED, REFUSED
    from routh.errors import RouthError, SimulationError

    try:
        app()
    except RouthError as error:
        typer.secho(f"error: {error}", err=True, fg="red")
        raise SystemExit(BROKE_OFF if isinstance(error, SimulationError) else REFUSED) from None
    except BrokenPipeError:  # the reader of our output has gone, such as head
        sys.stdout = None
        raise SystemExit(REFUSED) from None
    except OSError as error:
        typer.secho(f"error: {error.filename or ''}: {error.strerror or error}", err=True, fg="red")
        raise SystemExit(REFUSED) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
