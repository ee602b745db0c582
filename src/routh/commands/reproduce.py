"""`routh reproduce`: the claims of the founding papers beside what Routh computes for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routh.commands.arguments import NO

if TYPE_CHECKING:
    from routh.gallery.claims import Claim

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reproduce)


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(metavar="MODULE", help="gallery modules; default: all")] = None,
    figures: Annotated[Path, typer.Option(help="folder for the figures")] = Path("out/reproduce"),
    draw: Annotated[bool, typer.Option(help="draw the figures")] = True,
    json_file: Annotated[Path | None, typer.Option("--json", help='write the claims to a file; "-" prints just that')] = None,
    page_file: Annotated[Path | None, typer.Option("--page", help="write a Markdown page with pictures")] = None,
) -> None:
    """Compute published claims again, side by side.

    Each row has the claim, the published and the computed value, and whether it holds. Exit code 4 where a claim fails that a
    reading of its paper reproduces.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from routh.gallery import reproduction
    from routh.whole_file import write_whole

    quiet = json_file is not None and str(json_file) == "-"
    done = []
    for part in reproduction.reproduce(names or (), figures if draw else None):
        done.append(part)
        if not quiet:
            _print(part)
    claims = [claim for part in done for claim in part.claims]
    text = json.dumps([_row(claim) for claim in claims], indent=2, ensure_ascii=False, default=_plain)
    if quiet:
        typer.echo(text)
    else:
        typer.echo(f"{sum(claim.holds for claim in claims)} of {len(claims)} claims hold")
    if json_file is not None and not quiet:
        json_file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(json_file, text + "\n")
    if page_file is not None:
        write_whole(page_file, reproduction.page(done, page_file.parent))
    if any(claim.fails for claim in claims):
        raise typer.Exit(NO)


def _print(part: Any) -> None:
    """One table per paper of a module."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from routh.gallery.reproduction import published, shown

    console = Console()
    for paper in dict.fromkeys(claim.paper for claim in part.claims):
        table = Table(title=f"{escape(part.module)}: {escape(paper)}", title_justify="left", width=min(console.width, 140))
        for head, ratio in (("claim", 4), ("published", 3), ("computed", 3), ("holds", 2)):
            table.add_column(head, ratio=ratio, overflow="fold")
        for claim in (c for c in part.claims if c.paper == paper):
            verdict = ("[green]yes" if claim.holds else "[red]no") + "[/]" + (f": {escape(claim.note)}" if claim.note else "")
            table.add_row(escape(claim.claim), escape(published(claim)),
                          escape(shown(claim.computed, claim.published)), verdict)
        console.print(table)
    if part.figures:
        typer.echo("figures: " + ", ".join(str(path) for path in part.figures))


def _row(claim: Claim) -> dict[str, Any]:
    return {"paper": claim.paper, "claim": claim.claim, "published": claim.published, "computed": claim.computed,
            "tolerance": claim.tolerance, "holds": claim.holds, "note": claim.note, "derived": claim.derived,
            "unreproducible": claim.unreproducible}


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
