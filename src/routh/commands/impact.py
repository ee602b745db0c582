"""`routh impact`: one blow from the command line, for those who have two bodies and no simulation.

routh impact --mass 0.2 --inertia 2e-4 --offset 0 -0.05 --velocity 2 -3 --e 0.8 --mu 0.2
routh impact --matrix "2.5 -1.5; -1.5 2.5" --approach "-1 0.1" --law stronge --e 0.9 --mu 0.3
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routh.errors import ModelError, RouthError, did_you_mean

if TYPE_CHECKING:
    import numpy as np

    from routh.model.laws import ImpactLaw
    from routh.sim.collide import FreeBody
    from routh.sim.impact import Impact

__all__ = ["impact", "register"]

LAWS = ("newton", "poisson", "stronge", "newton-algebraic", "brach")


def make_law(name: str, e: float, mu: float, mu_s: float | None, e_t: float) -> ImpactLaw:
    """The law object that a name and coefficients mean."""
    from routh.model.laws import Brach, Newton, Poisson, Stronge

    if name == "poisson":
        return Poisson(e, mu, mu_s)
    if name == "stronge":
        return Stronge(e, mu, mu_s)
    if name == "brach":
        return Brach(e, mu, mu_s, e_t=e_t)
    if name in ("newton", "newton-algebraic"):
        return Newton(e, mu, mu_s, form="algebraic" if name.endswith("algebraic") else "marched")
    raise ModelError(f'no impact law "{name}"' + did_you_mean(name, LAWS))


def numbers(text: str, what: str) -> list[float]:
    """The numbers of "1 2 3" or "1, 2, 3"."""
    try:
        return [float(x) for x in text.replace(",", " ").split()]
    except ValueError:
        raise ModelError(f'{what} "{text}": write numbers with blanks or commas between them') from None


def matrix(text: str) -> np.ndarray:
    """The matrix of "2.5 -1.5; -1.5 2.5"."""
    import numpy as np

    rows = [numbers(row, "--matrix") for row in text.split(";")]
    if any(len(row) != len(rows) for row in rows):
        raise ModelError(f'--matrix "{text}": write as many rows as columns, with ";" between rows')
    return np.array(rows)


def body(mass: float, inertia: str, centre: list[float], velocity: str, spin: str, d: int) -> FreeBody:
    """One body from the command line; d is the dimension of space."""
    from routh.sim.collide import FreeBody

    v = numbers(velocity, "--velocity") if velocity else [0.0] * d
    w = numbers(spin, "--spin") if spin else [0.0] * (1 if d == 2 else 3)
    moments = numbers(inertia, "--inertia")
    if len(v) != d or len(w) != (1 if d == 2 else 3) or len(moments) not in ((1,) if d == 2 else (1, 3)):
        raise ModelError(
            f"in {'the plane' if d == 2 else 'space'} a body has {d} numbers of velocity, "
            f"{1 if d == 2 else 3} of spin and {'one' if d == 2 else 'one or three'} of inertia; "
            f"got {len(v)}, {len(w)}, {len(moments)}"
        )
    turn: Any = w[0] if d == 2 else w
    return FreeBody(mass, moments[0] if len(moments) == 1 else moments, centre, v, turn)


def report(hit: Impact) -> dict[str, Any]:
    """The blow as plain data."""
    return {
        "kind": hit.kind.label,
        "A": hit.A.tolist(),
        "v": hit.v.tolist(),
        "impulse": hit.impulse.tolist(),
        "velocity": hit.velocity.tolist(),
        "compression_impulse": hit.compression_impulse,
        "stop_impulse": None if math.isnan(hit.stop_impulse) else hit.stop_impulse,
        "energy_lost": hit.energy_lost,
        "energy_lost_normal": hit.energy_lost_normal,
        "energy_lost_tangential": hit.energy_lost_tangential,
        "creates_energy": hit.creates_energy,
    }


def impact(
    mass: Annotated[float | None, typer.Option(help="mass of the body that is hit, kg")] = None,
    inertia: Annotated[
        str, typer.Option(help='its inertia about the mass centre, kg m²; space: one or "x y z"')
    ] = "",
    offset: Annotated[str, typer.Option(help="from its mass centre to the contact point, m")] = "",
    velocity: Annotated[str, typer.Option(help="velocity of its mass centre, m/s")] = "",
    spin: Annotated[str, typer.Option(help="its angular velocity, rad/s")] = "",
    mass_a: Annotated[float | None, typer.Option(help="mass of the other body; left out: the ground")] = None,
    inertia_a: Annotated[str, typer.Option(help="inertia of the other body")] = "",
    offset_a: Annotated[str, typer.Option(help="from its mass centre to the contact point")] = "",
    velocity_a: Annotated[str, typer.Option(help="velocity of its mass centre")] = "",
    spin_a: Annotated[str, typer.Option(help="its angular velocity")] = "",
    normal: Annotated[str, typer.Option(help="from the other body into the body; default: up")] = "",
    matrix_: Annotated[
        str, typer.Option("--matrix", help='or: the inverse mass itself, "nn nt; nt tt"')
    ] = "",
    approach: Annotated[str, typer.Option(help="with --matrix: relative velocity, normal first")] = "",
    e: Annotated[float, typer.Option(help="restitution, 0 to 1")] = ...,  # type: ignore[assignment]
    mu: Annotated[float, typer.Option(help="friction")] = ...,  # type: ignore[assignment]
    mu_s: Annotated[float | None, typer.Option(help="static friction; default: mu")] = None,
    e_t: Annotated[float, typer.Option(help="tangential restitution of Brach's law")] = 0.0,
    law: Annotated[str, typer.Option(help="newton, poisson, stronge, newton-algebraic or brach")] = "poisson",
    compare: Annotated[bool, typer.Option("--compare", help="the same blow under every law")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    figure: Annotated[
        Path | None, typer.Option(help="draw Routh's diagram or impulse space: file.svg, .png, .pdf")
    ] = None,
) -> None:
    """Resolve one impact with friction between two bodies, or a body and the ground."""
    import numpy as np

    from routh.sim.collide import collide
    from routh.sim.impact import resolve_impact

    try:
        rule = make_law(law, e, mu, mu_s, e_t)
        bodies = None
        if matrix_:
            hit = resolve_impact(matrix(matrix_), numbers(approach, "--approach"), rule)
        else:
            if mass is None or not inertia or not offset:
                raise ModelError(
                    "give --mass, --inertia and --offset of the body, or --matrix and --approach"
                )
            r = numbers(offset, "--offset")
            d = len(r)
            n = numbers(normal, "--normal") if normal else [0.0] * (d - 1) + [1.0]
            # the contact point is the origin
            second = body(mass, inertia, [-x for x in r], velocity, spin, d)
            first = None
            if mass_a is not None:
                r_a = numbers(offset_a, "--offset-a")
                first = body(mass_a, inertia_a, [-x for x in r_a], velocity_a, spin_a, d)
            bodies = collide(first, second, [0.0] * d, n, rule)
            hit = bodies.hit
        if figure is not None:
            from routh.view.impact_figures import impulse_space, routh_diagram
            from routh.whole_file import whole_file

            with whole_file(figure) as part:
                (routh_diagram if hit.v.size == 2 else impulse_space)(hit).savefig(part, bbox_inches="tight")
    except RouthError as problem:
        typer.echo(f"routh impact: {problem}", err=True)
        raise typer.Exit(2) from None
    data = report(hit)
    if bodies is not None:
        moved = [("body", bodies.b)] + ([("body_a", bodies.a)] if mass_a is not None else [])
        data["after"] = {
            name: {"velocity": np.asarray(x.velocity).tolist(), "spin": np.asarray(x.spin).tolist()}
            for name, x in moved
        }
    if compare:
        data["laws"] = hit.compare().rows()
    if as_json:
        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    typer.echo(f"{type(rule).__name__}, e = {e:g}, mu = {mu:g}: {hit.kind.label}")
    for key in ("impulse", "velocity"):
        typer.echo(
            f"  {key:<22}"
            + "  ".join(f"{x:.9g}" for x in data[key])
            + ("  N s" if key == "impulse" else "  m/s")
        )
    for key in ("energy_lost", "energy_lost_normal", "energy_lost_tangential"):
        typer.echo(f"  {key.replace('_', ' '):<22}{data[key]:.9g}  J")
    for name, state in data.get("after", {}).items():
        typer.echo(f"  {name.replace('_', ' ')} after: velocity {state['velocity']}, spin {state['spin']}")
    if hit.creates_energy:
        typer.echo("  this law creates energy in this blow; Poisson and Stronge never do")
    if compare:
        typer.echo("")
        typer.echo(str(hit.compare()))


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("impact")(impact)
