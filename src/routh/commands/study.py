"""`routh study`: many runs of one model, from a file that says what is varied and what is recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from routh.commands.arguments import AsJson, print_json, target_at

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(study)


def study(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="study file: .toml with model, [vary] and [record]")],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="write the table: file.parquet or .csv")] = None,
    store: Annotated[Path | None, typer.Option(help="folder that keeps the rows; FILE without its suffix by default")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the rows that the folder holds")] = False,
    workers: Annotated[int, typer.Option(help="processes on this machine")] = 1,
    scheduler: Annotated[str | None, typer.Option(metavar="ADDRESS", help="scheduler of a Dask cluster")] = None,
    report: Annotated[Path | None, typer.Option(help="write an HTML page of the points and of runs behind them")] = None,
    as_json: AsJson = False,
) -> None:
    """Run a model at many values of its parameters.

    Rows are kept in a folder, so that an interrupted study can go on.
    """
    from routh.study.study import read_study

    if out is not None:
        target_at(out, file, (".parquet", ".csv"))
    if report is not None:
        target_at(report, file, (".html",))
    declared = read_study(file)
    folder = store if store is not None else file.with_suffix("")
    table = declared.run(workers=workers, client=scheduler, store=folder, resume=resume)
    counts: dict[str, int] = {}
    for status in table["status"]:
        counts[str(status)] = counts.get(str(status), 0) + 1
    if as_json:
        print_json({"points": table.n_points, "parameters": list(table.parameters), "quantities": table.quantities,
                    "status": counts, "store": str(folder), "file": None if out is None else str(out)})
    else:
        typer.echo(f"points      {table.n_points}")
        typer.echo("status      " + ", ".join(f"{n} {status}" for status, n in counts.items()))
        typer.echo(f"rows in     {folder}")
        typer.echo("")
        typer.echo(table.to_pandas().drop(columns=["message"]).describe().T[["min", "mean", "max"]].to_string())
    if out is not None:
        if out.suffix.lower() == ".parquet":
            table.save(out)
        else:
            from routh.whole_file import write_whole

            write_whole(out, table.to_pandas().to_csv(index=False))
        if not as_json:
            typer.echo(f"\nwritten: {out}")
    if report is not None:
        declared.report(table, report)
        if not as_json:
            typer.echo(f"\nwritten: {report}")
