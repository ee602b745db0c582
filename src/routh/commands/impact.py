"""`routh impact`: one impact between two bodies, without a simulation.

routh impact --mass 0.2 --inertia 2e-4 --offset "0 -0.05" --velocity "2 -3" --e 0.8 --mu 0.2
routh impact --matrix "2.5 -1.5; -1.5 2.5" --approach "-1 0.1" --law stronge --e 0.9 --mu 0.3
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routh.commands.arguments import FIGURES, AsJson, print_json, target_at
from routh.errors import ModelError, did_you_mean

if TYPE_CHECKING:
    import numpy as np

    from routh.model.laws import ImpactLaw
    from routh.sim.collide import FreeBody
    from routh.sim.impact import Impact

__all__ = ["impact", "register"]

LAWS = ("newton", "poisson", "stronge", "moreau", "newton-algebraic", "brach")
AXES = {2: ("normal", "tangential"), 3: ("normal", "tangential 1", "tangential 2")}


def make_law(name: str, e: float, mu: float, mu_s: float | None, e_t: float) -> ImpactLaw:
    """The law object that a name and coefficients mean."""
    from routh.model.laws import Brach, Moreau, Newton, Poisson, Stronge

    if name == "poisson":
        return Poisson(e, mu, mu_s)
    if name == "stronge":
        return Stronge(e, mu, mu_s)
    if name == "moreau":
        return Moreau(e, mu, mu_s)
    if name == "brach":
        return Brach(e, mu, mu_s, e_t=e_t)
    if name in ("newton", "newton-algebraic"):
        return Newton(e, mu, mu_s, form="algebraic" if name.endswith("algebraic") else "marched")
    raise ModelError(f'no impact law "{name}"' + did_you_mean(name, LAWS))


def numbers(text: str, what: str) -> list[float]:
    """The numbers of "1 2 3" or "1, 2, 3"."""
    try:
        found = [float(x) for x in text.replace(",", " ").split()]
    except ValueError:
        found = []
    if not found:
        raise ModelError(f'{what} "{text}": write numbers with blanks or commas between them')
    return found


def matrix(text: str) -> np.ndarray:
    """The matrix of "2.5 -1.5; -1.5 2.5"."""
    import numpy as np

    rows = [numbers(row, "--matrix") for row in text.split(";")]
    if any(len(row) != len(rows) for row in rows):
        raise ModelError(f'--matrix "{text}": write as many rows as columns, with ";" between rows')
    return np.array(rows)


def body(mass: float, inertia: str, centre: list[float], velocity: str | None, spin: str | None, d: int) -> FreeBody:
    """One body from the command line; d is the dimension of space."""
    from routh.sim.collide import FreeBody

    v = [0.0] * d if velocity is None else numbers(velocity, "--velocity")
    w = [0.0] * (1 if d == 2 else 3) if spin is None else numbers(spin, "--spin")
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
    """The impact as plain data, in SI units."""
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


def table(data: dict[str, Any]) -> str:
    """The impact as text: one quantity a line with its unit, numbers in columns."""
    d = len(data["v"])
    lines: list[tuple[str, list[Any]]] = [
        ("", list(AXES[d])), ("velocity before [m/s]", data["v"]), ("velocity after [m/s]", data["velocity"]),
        ("impulse [N s]", data["impulse"]), ("", []), ("", ["total", "normal", "tangential"]),
        ("energy lost [J]", [data["energy_lost"], data["energy_lost_normal"], data["energy_lost_tangential"]])]
    if "after" in data:
        lines += [("", []), ("", list("xyz"[:d]))]
        for name, state in data["after"].items():
            called = {"body": "body", "body_a": "other body"}[name]
            lines.append((f"{called}, velocity after [m/s]", state["velocity"]))
            spin = state["spin"] if isinstance(state["spin"], list) else [state["spin"]]
            lines.append((f"{called}, spin after [rad/s]", spin))
    width = max(len(label) for label, _ in lines) + 2
    shown = [[x if isinstance(x, str) else f"{x + 0.0:.9g}" for x in cells] for _, cells in lines]
    column = max(len(cell) for cells in shown for cell in cells) + 2
    return "\n".join((label.ljust(width) + "".join(cell.rjust(column) for cell in cells)).rstrip()
                     for (label, _), cells in zip(lines, shown, strict=True))


def impact(
    mass: Annotated[float | None, typer.Option(help="mass of the body that is hit, kg")] = None,
    inertia: Annotated[str | None, typer.Option(metavar="NUMBERS",
                                                help='its inertia about the mass centre, kg m²; space: one or "x y z"')] = None,
    offset: Annotated[str | None, typer.Option(metavar="VECTOR", help="from its mass centre to the contact point, m")] = None,
    velocity: Annotated[str | None, typer.Option(metavar="VECTOR", help="velocity of its mass centre, m/s")] = None,
    spin: Annotated[str | None, typer.Option(metavar="NUMBERS", help="its angular velocity, rad/s")] = None,
    mass_a: Annotated[float | None, typer.Option(help="mass of the other body, kg; left out: the ground")] = None,
    inertia_a: Annotated[str | None, typer.Option(metavar="NUMBERS", help="inertia of the other body")] = None,
    offset_a: Annotated[str | None, typer.Option(metavar="VECTOR", help="from its mass centre to the contact point")] = None,
    velocity_a: Annotated[str | None, typer.Option(metavar="VECTOR", help="velocity of its mass centre")] = None,
    spin_a: Annotated[str | None, typer.Option(metavar="NUMBERS", help="its angular velocity")] = None,
    normal: Annotated[str | None, typer.Option(metavar="VECTOR", help="from the other body into the body; default: up")] = None,
    matrix_: Annotated[str | None, typer.Option("--matrix", metavar="MATRIX",
                                                help='or: the inverse mass itself, "nn nt; nt tt"')] = None,
    approach: Annotated[str | None, typer.Option(metavar="VECTOR", help="with --matrix: velocity, normal first")] = None,
    e: Annotated[float, typer.Option(help="restitution, 0 to 1")] = ...,  # type: ignore[assignment]
    mu: Annotated[float, typer.Option(help="friction")] = ...,  # type: ignore[assignment]
    mu_s: Annotated[float | None, typer.Option(help="static friction; default: mu")] = None,
    e_t: Annotated[float, typer.Option(help="tangential restitution of Brach's law")] = 0.0,
    law: Annotated[str, typer.Option(metavar="NAME", help=", ".join(LAWS))] = "stronge",
    compare: Annotated[bool, typer.Option("--compare", help="the same impact under every law")] = False,
    figure: Annotated[Path | None, typer.Option(metavar="FILE",
                                                help="Routh's diagram or impulse space: .svg, .png, .pdf")] = None,
    as_json: AsJson = False,
) -> None:
    """Resolve one frictional impact between two bodies.

    The other body is the ground unless --mass-a is given. A vector is text with blanks, "2 -3"; two numbers mean the plane,
    three mean space.
    """
    import numpy as np

    from routh.sim.collide import collide
    from routh.sim.impact import resolve_impact

    if figure is not None:
        target_at(figure, suffixes=FIGURES)
    rule = make_law(law, e, mu, mu_s, e_t)
    bodies = None
    if matrix_ is not None:
        hit = resolve_impact(matrix(matrix_), numbers(approach or "", "--approach"), rule)
    else:
        if mass is None or inertia is None or offset is None:
            raise ModelError("give --mass, --inertia and --offset of the body, or --matrix and --approach")
        r = numbers(offset, "--offset")
        d = len(r)
        n = [0.0] * (d - 1) + [1.0] if normal is None else numbers(normal, "--normal")
        second = body(mass, inertia, [-x for x in r], velocity, spin, d)  # the contact point is the origin
        first = None
        if mass_a is not None:
            r_a = numbers(offset_a or "", "--offset-a")
            first = body(mass_a, inertia_a or "", [-x for x in r_a], velocity_a, spin_a, d)
        bodies = collide(first, second, [0.0] * d, n, rule)
        hit = bodies.hit
    if figure is not None:
        from routh.view.impact_figures import impulse_space, routh_diagram
        from routh.whole_file import whole_file

        with whole_file(figure) as part:
            (routh_diagram if hit.v.size == 2 else impulse_space)(hit).savefig(part, bbox_inches="tight")
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
        print_json(data | {"units": {"velocity": "m/s", "spin": "rad/s", "impulse": "N s", "energy": "J"}})
        return
    typer.echo(f"{type(rule).__name__}, e = {e:g}, mu = {mu:g}: {hit.kind.label}\n\n{table(data)}")
    if hit.creates_energy:
        typer.echo("\nThis law creates energy in this impact; Poisson's and Stronge's never do.")
    if compare:
        typer.echo(f"\n{hit.compare()}")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("impact")(impact)
