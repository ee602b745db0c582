"""`routh energy`: where the energy of a run came from and went."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import FIGURES, AsJson, Changes, SourcePath, print_json, result_at, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(energy)


def energy(
    source: SourcePath,
    changes: Changes = None,
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="draw the account over time: .png, .svg or .pdf")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the energy account of a run.

    Energy at the start, work of each kind itemised per contact, energy at the end, and what is missing.
    """
    if figure is not None:
        figure.parent.mkdir(parents=True, exist_ok=True)
        target_at(figure, source, FIGURES)
    result = result_at(source, changes)
    account = result.energy
    if as_json:
        print_json({"unit": "J", "start": account["total"][0], "end": account["total"][-1],
                    "works": {work: account[work][-1] for work in account.WORKS}, "by_contact": account.by_contact,
                    "missing": account["error"][-1], "largest_error": abs(account["error"]).max()})
    else:
        typer.echo(account.account())
    if figure is not None:
        from routh.view.plots import plot, write

        shown = [f"energy.{key}" for key in account.KEYS if key != "error" and abs(account[key]).max() > 0.0]
        write(plot(result, *(shown or ["energy.total"]), title=f"{result.model}: energy"), figure)
        typer.echo(f"written: {figure}", err=True)
