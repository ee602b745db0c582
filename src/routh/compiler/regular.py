"""Whether every speed moves some mass: bodies without mass or inertia are welcome where others carry theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from routh.compiler.machine import Machine
from routh.errors import ModelError
from routh.model.model import Model

if TYPE_CHECKING:
    from routh.compiler.compile import Compiled

__all__ = ["SingularError", "check_regular", "speed_names"]

SINGULAR = 1e-12  # least eigenvalue of a mass matrix with ones on its diagonal: what is left of zero after round-off
TRIED = 3         # configurations: one alone might be singular by chance


class SingularError(ModelError):
    """A speed that moves no mass, by its name."""

    def __init__(self, speed: str) -> None:
        super().__init__(f'"{speed}" moves no mass or inertia, so no force can say how it accelerates; give the bodies that it '
                         "moves a mass and an inertia above zero, or weld them to others")
        self.speed = speed


def check_regular(compiled: Compiled, model: Model) -> None:
    """SingularError where a speed moves no mass in any configuration; tried where a body lacks mass or inertia."""
    if all(b.mass_properties().mass > 0.0 and np.linalg.eigvalsh(b.inertia_matrix())[0] > 0.0 for b in model.bodies):
        return
    machine, random = Machine(compiled), np.random.default_rng(0)
    free = np.flatnonzero(~machine.driven())
    worst = ""
    for _ in range(TRIED):
        q = machine.displaced(_upright(machine), random.normal(size=compiled.n_u))
        M = machine.mass_matrix(q)[np.ix_(free, free)]
        size = np.sqrt(np.diag(M))
        if (size > 0.0).all():
            values, vectors = np.linalg.eigh(M / np.outer(size, size))
            if not values.size or values[0] > SINGULAR:
                return
            weak = int(np.argmax(np.abs(vectors[:, 0])))
        else:
            weak = int(np.argmin(size))
        worst = speed_names(compiled)[free[weak]]
    raise SingularError(worst)


def _upright(machine: Machine) -> np.ndarray:
    """Coordinates zero, quaternions one."""
    q = np.zeros(machine.compiled.n_q)
    for node in machine.system.node[1:]:
        if not machine.compiled.planar and node["n_u"] > 1:
            q[node["iq"] + node["n_u"] - 3] = 1.0
    return q


def speed_names(compiled: Compiled) -> list[str]:
    """A name for each speed: the coordinate it is the rate of, or the component of a spin."""
    names = [""] * compiled.n_u
    for branch in compiled.tree.branches:
        if branch.joint is None:
            keys = ("x", "y", "theta") if compiled.planar else ("x", "y", "z", "wx", "wy", "wz")
            first = int(compiled.system.node[compiled.bodies[branch.child].node]["iu"])
            for k, key in enumerate(keys):
                names[first + k] = f"{branch.child}.{key}"
        elif branch.joint.speeds:
            first = compiled.coordinates[branch.joint.name, 0][1]
            for k, key in enumerate(branch.joint.speeds):
                names[first + k] = f"{branch.joint.name}.{key}"
        else:
            for k, key in enumerate(branch.joint.coordinates):
                names[compiled.coordinates[branch.joint.name, k][1]] = f"{branch.joint.name}.{key}"
    return names
