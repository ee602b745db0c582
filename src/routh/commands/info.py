"""`routh info`: what a model is made of: elements, degrees of freedom, tree, loops, redundant constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from routh.commands.arguments import AsJson, Changes, ModelPath, model_at, print_json

if TYPE_CHECKING:
    from routh.compiler.compile import Compiled
    from routh.model.model import Model

__all__ = ["counts", "register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(info)


def info(model: ModelPath, changes: Changes = None, as_json: AsJson = False) -> None:
    """Show degrees of freedom, tree, loops, redundancy."""
    import dataclasses

    from routh.analysis.freedom import degrees_of_freedom
    from routh.compiler.compile import compile_model
    from routh.files.elements import sections

    file = model_at(model, changes)
    compiled = compile_model(file.model)
    freedom = degrees_of_freedom(compiled, file.start, file.t_start)
    if as_json:
        elements = {name: {e.name: type(e).__name__ for e in getattr(file.model, name)} for name in sections()}
        print_json({"name": file.model.name, "space": file.model.space, "gravity": file.model.gravity, "elements": elements,
                    "mass": _mass(file.model), "freedom": dataclasses.asdict(freedom),
                    "tree": _branches(compiled), "notes": file.notes})
        return
    typer.echo(_heading(file.model))
    typer.echo("\n" + freedom.table())
    typer.echo("\ntree")
    _print_tree(_branches(compiled))
    for note in file.notes:
        typer.echo(f"note: {note}")


def counts(model: Model) -> str:
    """What a model is made of: "planar, 2 bodies, 1 joint"."""
    from routh.files.elements import sections

    sizes = {name: len(getattr(model, name)) for name in sections()}
    one = {"bodies": "body"}
    named = (f"{n} {name if n > 1 else one.get(name, name.removesuffix('s'))}" for name, n in sizes.items() if n)
    return ", ".join([model.space, *named])


def _heading(model: Model) -> str:
    gravity = ", ".join(f"{g:g}" for g in model.gravity)
    return (f"{model.name}: {counts(model)}\nmass                    {_mass(model):g} kg\n"
            f"gravity                 ({gravity}) m/s²")


def _branches(compiled: Compiled) -> list[dict[str, Any]]:
    """Each body with the joint that carries it and the body it hangs on."""
    return [{"body": b.child, "on": b.parent, "joint": None if b.joint is None else b.joint.name,
             "type": "free" if b.joint is None else type(b.joint).__name__} for b in compiled.tree.branches]


def _print_tree(branches: list[dict[str, Any]]) -> None:
    """The tree, one body a line; by a stack, because chains are long."""
    carried: dict[str, list[dict[str, Any]]] = {}
    for branch in reversed(branches):
        carried.setdefault(branch["on"], []).append(branch)
    typer.echo("  ground")
    left = [(branch, 2) for branch in carried.get("ground", [])]
    while left:
        branch, depth = left.pop()
        how = " ".join(filter(None, (branch["type"], branch["joint"])))
        typer.echo(f"{'  ' * depth}{branch['body']}  ({how})")
        left += [(inner, depth + 1) for inner in carried.get(branch["body"], [])]


def _mass(model: Model) -> float:
    return sum(body.mass_properties().mass for body in model.bodies)
