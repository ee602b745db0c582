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
    bench,
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
    study,
    warmup,
)
from routh.version import __version__

__all__ = ["app", "entry", "main"]

app = typer.Typer(
    name="routh", no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None,
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


for command in (run, info, check, plot, report, energy, export, compare, convert, impact, study, gallery, reproduce, schema,
                bench, workbench, demo, warmup):
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
        raise SystemExit(app(standalone_mode=False) or 0)
    except RouthError as error:
        _say(str(error))
        raise SystemExit(BROKE_OFF if isinstance(error, SimulationError) else REFUSED) from None
    except BrokenPipeError:  # the reader of our output has gone, such as head
        sys.stdout = None
        raise SystemExit(REFUSED) from None
    except OSError as error:
        _say(f"{error.filename}: {error.strerror or error}" if error.filename else str(error.strerror or error))
        raise SystemExit(REFUSED) from None
    except (KeyboardInterrupt, typer.Abort):
        raise SystemExit(INTERRUPTED) from None
    except Exception as error:
        if not hasattr(error, "format_message"):  # what the parser of the command line says has one
            raise
        raise SystemExit(_usage(error)) from None


def _say(message: str) -> None:
    typer.secho(f"error: {_plain(message)}", err=True, fg="red")


def _usage(error: Any) -> int:
    """Explain a wrong command line; its exit code."""
    message, context = error.format_message(), getattr(error, "ctx", None)
    if message.startswith("Usage"):  # nothing was asked for: the message is the help
        typer.echo(message, err=True)
    else:
        if context is not None:
            typer.echo(f"{context.get_usage()}\nTry '{context.command_path} --help' for help.", err=True)
        _say(message)
    return int(getattr(error, "exit_code", 2))


def _plain(text: str) -> str:
    """Text without what a terminal takes for commands: control characters are shown as escapes."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
