"""Kane's method as [kim] writes it: absolute velocities, partial velocities B, and the reduced mass matrix BᵀMB.

The simulation never forms these matrices, because recursions along the tree are faster. They are for reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_apart, compile_model
from routh.compiler.machine import Machine
from routh.compiler.regular import speed_names
from routh.errors import ModelError
from routh.model.joints import Coupling
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays
from routh.sim.poses import Poses, relative

__all__ = ["PartialVelocities", "partial_velocities"]

EQUAL = 1e-9          # two pivots that differ by less are equal: a tie is not decided by round-off
RANK = 1e-9           # a pivot this small against the first one is round-off: its constraint is redundant


@dataclass(frozen=True)
class PartialVelocities:
    """q̇ = B u + C of [kim], eq. 8, at one configuration.

    q̇ (n,) are the velocities of all bodies taken as free: those of their mass centres and their angular velocities, in space
    along the bodies' own axes. u (f,) are those of them that full pivoting leaves as independent (eq. 7).
    """

    coordinates: tuple[str, ...]       # the entries of q̇, such as "link1.x" for the velocity of link1's mass centre along x
    independent: tuple[str, ...]       # those that are the generalised speeds u
    dependent: tuple[str, ...]         # those that the constraints give
    B: np.ndarray                      # (n, f) partial velocities: ∂q̇/∂u, eq. 9
    C: np.ndarray                      # (n,) what drivers move while u = 0
    M: np.ndarray                      # (n, n) masses and inertias
    jacobian: np.ndarray               # (m, n) Φ_q of all joints, couplings and drivers, eq. 1
    constraints: tuple[str, ...]       # which joint, coupling or driver each of its rows is of
    redundant: tuple[str, ...]         # those of rows that say nothing new

    @property
    def mass_matrix(self) -> np.ndarray:
        """BᵀMB (f, f): the mass matrix of the generalised speeds."""
        reduced: np.ndarray = self.B.T @ self.M @ self.B
        return reduced

    def velocity_jump(self, impulse: dict[str, float]) -> np.ndarray:
        """Δq̇ (n,) that impulses on the coordinates make, eq. 21: {"link2.x": 10.0} is 10 N s at link2's mass centre along x."""
        P = np.zeros(len(self.coordinates))
        for name, value in impulse.items():
            if name not in self.coordinates:
                raise ModelError(f'no coordinate "{name}"; there are {", ".join(self.coordinates)}')
            P[self.coordinates.index(name)] = value
        jump: np.ndarray = self.B @ np.linalg.solve(self.mass_matrix, self.B.T @ P)
        return jump

    def table(self) -> str:
        """B with the names of its rows and columns, as text."""
        width = max(12, *(len(name) + 2 for name in self.independent)) if self.independent else 12
        lead = max(map(len, self.coordinates))
        lines = [" " * lead + "".join(f"{name:>{width}}" for name in self.independent)]
        lines += [f"{name:<{lead}}" + "".join(f"{x + 0.0:>{width}.6g}" for x in row)
                  for name, row in zip(self.coordinates, np.where(np.abs(self.B) < 1e-15, 0.0, self.B), strict=True)]
        return "\n".join(lines)


def partial_velocities(model: Model | Compiled, start: State | None = None, t: float = 0.0) -> PartialVelocities:
    """Partial velocities, independent coordinates and reduced mass matrix at `start` (assembled) and time t.

    The Jacobian of all constraints is eliminated with full pivoting: the columns of the pivots are the dependent coordinates
    (eq. 5), the others the independent ones.

    Parameters
    ----------
    model
        A Model, or a Compiled one.
    start
        As in `simulate`.
    t
        Time at which drivers stand [s]. Default: 0 s.

    Examples
    --------
    >>> arm = rt.Model(space="planar", bodies=[rt.Body("arm", mass=2.0, inertia=0.1)],
    ...                joints=[joints.Revolute("pin", "ground", "arm", point_b=(0.0, 0.5))])
    >>> kane = rt.partial_velocities(arm, rt.State(pin={"angle": 0.3}))
    >>> kane.independent
    ('arm.theta',)
    """
    compiled = model if isinstance(model, Compiled) else compile_model(model)
    machine = Machine(compiled)
    q, u = assemble_arrays(machine, start, t, keep=False)
    apart = Machine(compile_apart(compiled.model))
    absolute = _absolute(compiled, apart, machine.place(q, u))
    J, rates, owners = _constraints(compiled, apart, machine, absolute, t)
    names = speed_names(apart.compiled)
    order, rows, rank = _eliminated(J, np.array([name.rpartition(".")[2] in ("theta", "wx", "wy", "wz") for name in names]))
    dependent, free = order[:rank], np.sort(order[rank:])
    n = J.shape[1]
    B, C = np.zeros((n, len(free))), np.zeros(n)
    B[free] = np.eye(len(free))
    if rank:
        pivots = rows[:rank]
        B[dependent] = -np.linalg.solve(J[np.ix_(pivots, dependent)], J[np.ix_(pivots, free)])
        C[dependent] = np.linalg.solve(J[np.ix_(pivots, dependent)], rates[pivots])
    return PartialVelocities(
        tuple(names), tuple(names[k] for k in free), tuple(names[k] for k in np.sort(dependent)), B, C,
        apart.mass_matrix(absolute), J, tuple(owners), tuple(owners[i] for i in np.sort(rows[rank:])))


def _absolute(compiled: Compiled, apart: Machine, states: np.ndarray) -> np.ndarray:
    """Coordinates of free bodies that are where the states of the mechanism's bodies say."""
    planar, q = compiled.planar, np.zeros(apart.compiled.n_q)
    entries: dict[str, dict[str, Any]] = {}
    for body in compiled.model.bodies:
        row = states[compiled.bodies[body.name].node]
        pose = {"x": row[0], "y": row[1], "theta": row[2]} if planar else {
            "x": row[0], "y": row[1], "z": row[2], "q": tuple(row[3:7])}
        entries[body.name] = pose
    for branch in apart.compiled.tree.branches:
        place = apart.compiled.bodies[branch.child]
        node, pose = apart.system.node[place.node], entries[branch.child]
        iq = int(node["iq"])
        if planar:
            c, s = np.cos(pose["theta"]), np.sin(pose["theta"])
            x, y, _ = place.point
            q[iq:iq + 3] = pose["x"] + c * x - s * y, pose["y"] + s * x + c * y, pose["theta"]
        else:
            from routh.compiler.geometry import matrix_of

            q[iq:iq + 3] = np.array([pose[k] for k in "xyz"]) + matrix_of(pose["q"]) @ place.point
            q[iq + 3:iq + 7] = pose["q"]
    return q


def _constraints(compiled: Compiled, apart: Machine, machine: Machine, q: np.ndarray,
                 t: float) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """(Φ_q, -Φ_t, owners of the rows) of joints, couplings and drivers, in absolute velocities."""
    bodies, joints = apart.partials(q)
    seen, model = Poses(apart.compiled, bodies), compiled.model
    rows, rates, owners = [joints], [0.0] * len(joints), list(apart.compiled.row_owner)

    def rate_of(where: str, path: str) -> np.ndarray:
        joint, k = model.coordinate(where, path)
        return np.asarray(relative(seen, joint)[1][k])

    for coupling in model.joints:
        if isinstance(coupling, Coupling):
            first, second = (rate_of(coupling.where, path) for path in (coupling.first, coupling.second))
            rows.append((second - coupling.factor() * first)[None])
            rates.append(0.0)
            owners.append(coupling.name)
    driven = np.zeros(compiled.n_u)
    machine.set_time(t, np.zeros(compiled.n_q), driven)
    for driver in model.drivers:
        joint, k = model.coordinate(driver.where, driver.coordinate)
        rows.append(rate_of(driver.where, driver.coordinate)[None])
        rates.append(float(driven[compiled.coordinates[joint.name, k][1]]))
        owners.append(driver.name)
    return np.concatenate(rows), np.array(rates), owners


def _eliminated(J: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """(columns in the order of their pivots, then the others; rows likewise; rank) of Gauss' elimination with full pivoting.

    Of equal pivots that of a displacement goes before that of an angle (`turns`): angles stay independent, as in textbooks.
    """
    A = J.copy()
    rows, columns, weight = np.arange(A.shape[0]), np.arange(A.shape[1]), np.where(turns, 1.0 - EQUAL, 1.0)
    first = rank = 0
    for k in range(min(A.shape)):
        i, j = divmod(int(np.argmax(np.abs(A[k:, k:]) * weight[columns[k:]])), A.shape[1] - k)
        size = abs(A[k + i, k + j])
        first = first or size
        if not size > RANK * first:
            break
        A[[k, k + i]], rows[[k, k + i]] = A[[k + i, k]], rows[[k + i, k]]
        A[:, [k, k + j]], columns[[k, k + j]] = A[:, [k + j, k]], columns[[k + j, k]]
        A[k + 1:, k:] -= np.outer(A[k + 1:, k] / A[k, k], A[k, k:])
        rank = k + 1
    return columns, rows, rank
