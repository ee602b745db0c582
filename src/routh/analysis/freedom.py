"""Degrees of freedom: what is free, what holds it, what holds it twice."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.compiler.machine import Machine
from routh.compiler.regular import speed_names
from routh.model.joints import Coupling
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays

__all__ = ["Freedom", "degrees_of_freedom"]

RANK = 1e-9           # a loop row is redundant where the others explain it to this part


@dataclass(frozen=True)
class Freedom:
    """The count of a model at one configuration."""

    bodies: int
    coordinates: int                   # of all bodies taken as free: 3 each in the plane, 6 in space
    constraints: int                   # independent equations of joints, couplings and drivers
    freedom: int                       # coordinates - constraints
    redundant: dict[str, int]          # joint or coupling → how many of its equations say nothing new
    independent: tuple[str, ...]       # coordinates that may be taken as the free ones
    tree: tuple[str, ...]              # joints that carry the bodies
    closures: tuple[str, ...]          # joints and couplings that close loops

    def __str__(self) -> str:
        return self.table()

    def table(self) -> str:
        """The count as text."""
        extra = ", ".join(f"{n} ({k})" for n, k in self.redundant.items()) or "none"
        return "\n".join([
            f"bodies                  {self.bodies}",
            f"coordinates             {self.coordinates}",
            f"independent constraints {self.constraints}",
            f"degrees of freedom      {self.freedom}",
            f"free coordinates        {', '.join(self.independent) or 'none'}",
            f"loop closures           {', '.join(self.closures) or 'none'}",
            f"redundant constraints   {extra}"])


def degrees_of_freedom(model: Model | Compiled, start: State | None = None, t: float = 0.0) -> Freedom:
    """Count the freedom of a mechanism at `start` (assembled), and name redundant constraints.

    At a singular configuration the freedom is larger than nearby. Redundant equations are found by a pivoted factorisation of
    the loops' Jacobian and named by their joint.

    Parameters
    ----------
    model, start, t
        As in `evaluate`.

    Examples
    --------
    >>> from routh.gallery import four_bar
    >>> rt.degrees_of_freedom(four_bar.model(1), four_bar.start(1)).freedom
    1
    """
    from scipy.linalg import qr

    compiled = model if isinstance(model, Compiled) else compile_model(model)
    machine = Machine(compiled)
    q, _ = assemble_arrays(machine, start, t, keep=False)
    driven = machine.driven()
    J = machine.partials(q)[1][:, ~driven]
    names = [n for n, d in zip(speed_names(compiled), driven, strict=True) if not d]
    redundant: Counter[str] = Counter()
    rank, dependent = 0, np.zeros(0, int)
    if J.size:
        J = J / max(np.abs(J).max(), 1e-300)  # not row by row: a row that vanishes here is redundant, not noise to be magnified
        _, R, order = qr(J.T, mode="economic", pivoting=True)
        rank = int((np.abs(np.diag(R)) > RANK).sum())
        for i in order[rank:]:
            redundant[compiled.row_owner[i]] += 1
        if rank:
            _, _, columns = qr(J[order[:rank]], mode="economic", pivoting=True)
            dependent = columns[:rank]
    free = [n for k, n in enumerate(names) if k not in set(dependent.tolist())]
    size = 3 if compiled.planar else 6
    coordinates = size * len(compiled.model.bodies)
    freedom = len(names) - rank
    couplings = tuple(j.name for j in compiled.model.joints if isinstance(j, Coupling))
    return Freedom(len(compiled.model.bodies), coordinates, coordinates - freedom, freedom, dict(redundant), tuple(free),
                   tuple(b.joint.name for b in compiled.tree.branches if b.joint is not None),
                   tuple(j.name for j in compiled.tree.closures) + couplings)
