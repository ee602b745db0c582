"""`routh demo`: one mechanism from declaration to figure, with a summary in the terminal."""

from __future__ import annotations

import time
from pathlib import Path

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(out: Path = typer.Option(Path("out"), file_okay=False, help="Folder for the figure and the result file.")) -> None:  # noqa: B008
    """Simulate a slider-crank struck by a gas pulse; write its figure and result, print a summary."""
    import matplotlib as mpl
    import numpy as np

    mpl.use("Agg")
    import routh as rt
    from routh.gallery import slider_crank

    out.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    result = slider_crank.run()
    first = time.perf_counter() - began
    paths = [*slider_crank.figures(out), result.save(out / "slider_crank.nc")]
    typer.echo("A slider-crank, run up by a motor, struck by a gas pulse")
    typer.echo(rt.degrees_of_freedom(slider_crank.model(), rt.assemble(slider_crank.model(), slider_crank.start())).table())
    peak = np.hypot(*result["main.reaction"].T)
    rows = [("status", result.status), ("samples", f"{len(result.t)}"),
            ("steps accepted, rejected", f"{result.statistics['accepted']:.0f}, {result.statistics['rejected']:.0f}"),
            ("largest main bearing force", f"{peak.max():.1f} N at {result.t[peak.argmax()]:.4f} s"),
            ("largest motor torque", f"{np.abs(result['motor.force']).max():.2f} N m"),
            ("work of the motor", f"{result.energy['drive'][-1]:.3f} J"),
            ("work of the gas", f"{result.energy['applied'][-1]:.3f} J"),
            ("lost in the oil", f"{-result.energy['dissipated'][-1]:.3f} J"),
            ("energy account off by", f"{np.abs(result.energy['error']).max():.2e} J"),
            ("loop closed to", f"{result.statistics['worst_drift']:.1e} m"),
            ("first result after", f"{first:.2f} s")]
    for label, value in rows:
        typer.echo(f"{label:28s}{value}")
    typer.echo("look at: " + ", ".join(str(p) for p in paths))
