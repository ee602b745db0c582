"""`routh run`: a model file from start to end, with a summary in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routh.commands.arguments import BROKE_OFF, INTERRUPTED, AsJson, Changes, ModelPath, model_at, print_json, target_at

if TYPE_CHECKING:
    from routh.sim.ledger import Ledger
    from routh.sim.result import Result

__all__ = ["register"]

EVENTS = 12  # last events that are printed


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(run)


def run(
    model: ModelPath,
    changes: Changes = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE",
                                             help="write the result: .nc, or .csv, .mat, .gif, ...")] = None,
    event: Annotated[list[str] | None, typer.Option("--event", metavar="EXPR", help='look for roots of "ball.y - 0.5"; '
                                                    "may be repeated")] = None,
    until: Annotated[list[str] | None, typer.Option("--until", metavar="EXPR", help="the same, and end the run there; "
                                                    "may be repeated")] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a model file and print a summary.

    Status, events and energy account are printed, then the result is written.
    """
    from dataclasses import replace

    from routh.errors import SimulationError
    from routh.sim.event import Event
    from routh.view.export import SUFFIXES, export_run

    if out is not None:
        out = target_at(out if out.suffix else out.with_suffix(".nc"), model, SUFFIXES)
    file = model_at(model, changes)
    asked = [Event(text, text) for text in event or ()] + [Event(text, text, terminal=True) for text in until or ()]
    file = replace(file, events=(*file.events, *asked))
    for note in file.notes:
        typer.echo(f"note: {note}", err=True)
    try:
        result = file.simulate()
    except SimulationError as broken:
        if broken.result is None:
            raise
        typer.secho(f"error: {broken}", err=True, fg="red")
        result = broken.result
    code = {"finished": 0, "interrupted": INTERRUPTED}.get(result.status, BROKE_OFF)
    # printed first: a disk that is full takes the file only
    if as_json:
        print_json(summary(result) | {"file": None if out is None else str(out)})
    else:
        typer.echo(text(result))
    if out is not None:
        export_run(result, out)
        if not as_json:
            typer.echo(f"\nwritten: {out}")
    raise typer.Exit(code)


def summary(result: Result) -> dict[str, Any]:
    """The run in a few numbers."""
    end = {name: result[name][-1] for name in result.channels} if len(result.t) else {}
    return {"model": result.model, "status": result.status, "message": result.message,
            "t_start": result.t[0], "t_end": result.t[-1],
            "samples": len(result.t), "impacts": len(result.impacts), "events": _counts(result),
            "energy": {key: result.energy[key][-1] for key in result.energy},
            "impact_rows": _rows(result.impacts), "event_rows": _rows(result.events),
            "energy_error": abs(result.energy["error"]).max(), "statistics": result.statistics, "final": end}


def _rows(ledger: Ledger) -> list[dict[str, Any]]:
    """The rows of a ledger, without the inverse mass and frame of each impact."""
    return [{name: row[name] for name in ledger.columns if name not in ("A", "frame")} for row in ledger]


def text(result: Result) -> str:
    """The run as people read it."""
    steps = f"{result.statistics.get('accepted', 0):.0f} accepted, {result.statistics.get('rejected', 0):.0f} rejected"
    status = result.status if result.success else typer.style(f"{result.status}: {result.message}", fg="red", bold=True)
    rows = [("model", result.model), ("status", status), ("time", f"{result.t[0]:g} ... {result.t[-1]:g} s"),
            ("samples", str(len(result.t))), ("steps", steps)]
    if len(result.stretches):
        share = 100.0 * result.statistics["exact_share"]
        rows.append(("exact", f"{share:.4g} % of the time; {len(result.stretches)} stretches by time steps"))
    if len(result.events):
        rows.append(("events", ", ".join(f"{n} {kind}" for kind, n in _counts(result).items())))
    lines = [f"{label:10s}{value}" for label, value in rows]
    if len(result.events):
        more = len(result.events) - EVENTS
        lines += ["", f"last {EVENTS} of {len(result.events)} events" if more > 0 else "events", repr(result.events[-EVENTS:])]
    return "\n".join([*lines, "", result.energy.account()])


def _counts(result: Result) -> dict[str, int]:
    """How many events there were of each kind, in order of their first."""
    kinds = [str(kind) for kind in result.events["kind"]]
    return {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
