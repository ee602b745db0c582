"""`routh bench`: Routh beside other engines, measured in one run; pages and figures from what was measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import AsJson, print_json, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(bench)


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="benchmarks; none runs all")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="few benchmarks, coarse curves: about two minutes")] = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="write what was measured as JSON")] = None,
    source: Annotated[Path | None, typer.Option("--from", metavar="FILE", help="take JSON of an earlier run instead")] = None,
    page: Annotated[Path | None, typer.Option(metavar="FILE", help="write a Markdown page with figures")] = None,
    fill: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="put the short table into a page")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure Routh beside the engines that are installed."""
    from routh.bench import pages
    from routh.bench.measure import NAMES, measure
    from routh.errors import RouthError, did_you_mean
    from routh.whole_file import write_whole

    for name in names or ():
        if name not in NAMES:
            raise RouthError(f'no benchmark "{name}"' + did_you_mean(name, NAMES))
    for path in (out, page):
        if path is not None:
            target_at(path)
    if source is not None:
        try:
            data = json.loads(source.read_text(encoding="utf-8"))
        except ValueError as error:
            raise RouthError(f"{source}: is not JSON that `routh bench` wrote: {error}") from None
    else:
        data = measure(names or (), quick, lambda text: typer.echo(f"measuring {text}", err=True))
    if as_json:
        print_json(data)
    else:
        typer.echo(pages.table(data))
    if out is not None:
        write_whole(out, json.dumps(data, indent=1) + "\n")
    if page is not None:
        pages.write_page(page, data, (out or source or Path("bench.json")).name)
    for path in fill or ():
        pages.fill(path, data)
    for path in (out, page, *(fill or ())):
        if path is not None and not as_json:
            typer.echo(f"written: {path}")
