"""`routh compare`: two results side by side, channel by channel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import NO, AsJson, Changes, SourcePath, print_json, result_at

__all__ = ["register"]

SHOWN = 15  # channels that are printed, the worst first


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(compare)


def compare(
    first: SourcePath,
    second: Annotated[Path, typer.Argument(metavar="OTHER", help="the other result or model file, with the same --set")],
    changes: Changes = None,
    rtol: Annotated[float, typer.Option(help="difference allowed, against the channel's largest value")] = 1e-6,
    atol: Annotated[float, typer.Option(help="difference allowed in any case, in the channel's unit")] = 1e-9,
    as_json: AsJson = False,
) -> None:
    """Compare two results, channel by channel.

    Exit code 4 where they differ by more than the tolerances.
    """
    from routh.analysis.compare import compare as contrast

    one, other = (result_at(path, changes if path.suffix.lower() != ".nc" else None) for path in (first, second))
    found = contrast(one, other, rtol=rtol, atol=atol)
    if as_json:
        print_json({"agree": found.agree, "t": found.span, "impacts": found.impacts, "only_in_first": found.only_first,
                    "only_in_second": found.only_second, "channels": [row._asdict() for row in found.rows]})
    else:
        typer.echo(found.table(SHOWN))
    if not found.agree:
        raise typer.Exit(NO)
