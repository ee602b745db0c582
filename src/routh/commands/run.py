"""`routh run`: a model file from start to end, with a summary in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routh.commands.arguments import BROKE_OFF, INTERRUPTED, AsJson, Changes, ModelPath, model_at, print_json, target_at

if TYPE_CHECKING:
    from routh.sim.result import Result

__all__ = ["register"]

EVENTS = 12  # last events that are printed


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(run)


def run(
    model: ModelPath,
    changes: Changes = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="write the result: file.nc; checked before the run")] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate a model file; print status, events and energy account, write the result."""
    from routh.errors import SimulationError

    if out is not None:
        out = target_at(out if out.suffix else out.with_suffix(".nc"), model, (".nc",))
    file = model_at(model, changes)
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
        result.save(out)
        if not as_json:
            typer.echo(f"\nwritten: {out}")
    raise typer.Exit(code)


def summary(result: Result) -> dict[str, Any]:
    """The run in a few numbers."""
    end = {name: result[name][-1] for name in result.channels} if len(result.t) else {}
    return {"model": result.model, "status": result.status, "t_start": result.t[0], "t_end": result.t[-1],
            "samples": len(result.t), "impacts": len(result.impacts), "events": _counts(result),
            "energy": {key: result.energy[key][-1] for key in result.energy},
            "energy_error": abs(result.energy["error"]).max(), "statistics": result.statistics, "final": end}


def text(result: Result) -> str:
    """The run as people read it."""
    steps = f"{result.statistics.get('accepted', 0):.0f} accepted, {result.statistics.get('rejected', 0):.0f} rejected"
    rows = [("model", result.model), ("status", result.status), ("time", f"{result.t[0]:g} ... {result.t[-1]:g} s"),
            ("samples", str(len(result.t))), ("steps", steps)]
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
