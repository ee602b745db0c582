"""`routh warmup`: compile the kernels now, in parallel, instead of at the first run."""

from __future__ import annotations

import subprocess
import sys
import time

import typer

__all__ = ["register"]

SPACES = ("planar", "spatial")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(warmup)


def warmup() -> None:
    """Compile all kernels for this machine, once; later runs load them from the cache."""
    began = time.perf_counter()
    typer.echo("compiling kernels for the plane and for space (two minutes, once) ...")
    workers = [subprocess.Popen([sys.executable, "-m", "routh.commands.warmup", space]) for space in SPACES]
    failed = [space for space, worker in zip(SPACES, workers, strict=True) if worker.wait()]
    if failed:
        typer.secho(f"compiling failed for: {', '.join(failed)}", err=True, fg="red")
        raise typer.Exit(1)
    typer.echo(f"ready after {time.perf_counter() - began:.1f} s")


def compile_space(space: str) -> None:
    """Compile every entry point of one space by running a pendulum through it."""
    import numpy as np

    import routh as rt
    from routh.core.motion.repeat import repeat_accelerations
    from routh.sim.kernels import Machine

    inertia = 0.1 if space == "planar" else (0.1, 0.1, 0.1)
    axis = None if space == "planar" else (0.0, 0.0, 1.0)
    point = (0.0, 1.0) if space == "planar" else (0.0, 1.0, 0.0)
    model = rt.Model(space, [rt.Body("bob", 1.0, inertia)], [rt.joints.Revolute("pin", "ground", "bob", point_b=point,
                                                                               axis=axis)])
    for method in ("explicit", "implicit"):
        rt.simulate(model, rt.State(pin={"angle": 0.1}), 0.1, options=rt.Options(method=method, progress=False))
    machine = Machine(rt.compile_model(model))
    q, u = np.zeros(1), np.zeros(1)
    machine.displaced(q, u)
    machine.partials(q)
    machine.violations(q, u)
    machine.accelerations(0.0, q, u)
    repeat_accelerations(machine.system, machine.work, 0.0, q, u, 1)

    round_one = rt.shapes.Disk("bob", 0.1) if space == "planar" else rt.shapes.Sphere("bob", 0.1)
    up = (0.0, 1.0) if space == "planar" else (0.0, 1.0, 0.0)
    ball = rt.Model(space, [rt.Body("bob", 1.0, inertia)], gravity=[-x for x in up], contacts=[
        rt.Contact("floor", round_one, rt.shapes.HalfSpace("ground", up), law=rt.Poisson(e=0.5, mu=0.3))])
    rt.simulate(ball, rt.State(bob={"y": 0.2, "vx": 0.5}), 1.0, options=rt.Options(progress=False))

    d = 2 if space == "planar" else 3
    A, v = np.eye(d) + 0.1, np.linspace(-1.0, 0.5, d)
    rt.resolve_impact(A, v, rt.Poisson(e=0.5, mu=0.3))
    rt.resolve_impacts(A[None], v[None], 0.5, 0.3, law="poisson")


if __name__ == "__main__":
    compile_space(sys.argv[1])
