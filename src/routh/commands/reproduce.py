"""`routh reproduce`: the claims of the founding papers beside what Routh computes for them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reproduce)


def reproduce(
    names: Annotated[list[str] | None, typer.Argument(help="gallery modules; all that make claims by default")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="also write every claim to this file")] = None,
    figures: Annotated[Path | None, typer.Option(help="also write the figures into this folder")] = None,
) -> None:
    """Compute every claim anew: claim, published, computed, holds."""
    import importlib
    import json
    import pkgutil

    import routh.gallery
    from routh.errors import ModelError, did_you_mean

    modules = {m.name: importlib.import_module(f"routh.gallery.{m.name}") for m in pkgutil.iter_modules(routh.gallery.__path__)}
    claiming = {name: module for name, module in modules.items() if hasattr(module, "claims")}
    for name in names or []:
        if name not in claiming:
            raise ModelError(f'no gallery module "{name}" that makes claims' + did_you_mean(name, claiming))
    rows = []
    for name in names or claiming:
        for claim in claiming[name].claims():
            rows.append({"paper": claim.paper, "claim": claim.claim, "published": claim.published, "computed": claim.computed,
                         "tolerance": claim.tolerance, "holds": claim.holds, "note": claim.note})
            mark = "holds" if claim.holds else "DOES NOT HOLD"
            typer.echo(f"{claim.paper}: {claim.claim}")
            typer.echo(f"    published {claim.published}   computed {claim.computed}   {mark}"
                       + (f"   ({claim.note})" if claim.note else ""))
        if figures is not None and hasattr(claiming[name], "figures"):
            figures.mkdir(parents=True, exist_ok=True)
            typer.echo("    figures: " + ", ".join(str(p) for p in claiming[name].figures(figures)))
    holding = sum(row["holds"] for row in rows)
    typer.echo(f"{holding} of {len(rows)} claims hold")
    if json_file is not None:
        json_file.write_text(json.dumps(rows, indent=2, default=lambda x: x.tolist() if hasattr(x, "tolist") else str(x)))
