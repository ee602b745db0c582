"""Small motions about a state: eigenvalues, frequencies, damping ratios, mode shapes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.compiler.machine import Machine
from routh.compiler.regular import speed_names
from routh.core.tables.layout import FREE, SPHERICAL
from routh.model.model import Model
from routh.model.state import State
from routh.sim.assembly import assemble_arrays

__all__ = ["Modes", "linearize"]

DIFFERENCE = 2e-3     # with a formula of fourth order: truncation 1e-11, round-off 1e-12


@dataclass(frozen=True)
class Modes:
    """Modes in order of frequency; one per pair of complex eigenvalues or per real eigenvalue."""

    eigenvalues: np.ndarray            # (n,) [1/s]
    shapes: np.ndarray                 # (n, n_u) displacement of each speed's coordinate, largest entry 1
    coordinates: tuple[str, ...]       # what the columns of `shapes` are
    matrix: np.ndarray                 # (2 f, 2 f) of the linear system in independent coordinates and their rates

    @property
    def frequencies(self) -> np.ndarray:
        """Damped frequencies |Im λ| / 2π [Hz]."""
        return np.abs(self.eigenvalues.imag) / (2.0 * np.pi)

    @property
    def damping_ratios(self) -> np.ndarray:
        """-Re λ / |λ|: 0 undamped, 1 critical or more, negative unstable."""
        size = np.abs(self.eigenvalues)
        return np.where(size > 0.0, -self.eigenvalues.real / np.where(size > 0.0, size, 1.0), 0.0)

    def table(self) -> str:
        """The modes as text."""
        lines = ["mode   frequency [Hz]   damping ratio   mostly"]
        for i, (f, d) in enumerate(zip(self.frequencies, self.damping_ratios, strict=True)):
            most = self.coordinates[int(np.argmax(np.abs(self.shapes[i])))]
            lines.append(f"{i + 1:4d} {f:16.8g} {d:15.6g}   {most}")
        return "\n".join(lines)


def linearize(model: Model | Compiled, state: State | None = None, t: float = 0.0) -> Modes:
    """Modes of small motions about a state.

    Parameters
    ----------
    model
        What moves.
    state
        An equilibrium, as `equilibrium` gives it, or a steady motion. Default: all zero.
    t
        Time [s]. Default: 0 s.

    Examples
    --------
    >>> pendulum = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("rod", mass=1.0, inertia=1.0 / 12.0)],
    ...                     joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))])
    >>> modes = rt.linearize(pendulum)
    >>> round(float(abs(modes.eigenvalues[0])), 4)                       # sqrt(3 g / (2 l)) [rad/s]
    3.836
    """
    machine = Machine(model if isinstance(model, Compiled) else compile_model(model))
    q0, u0 = assemble_arrays(machine, state, t, keep=True)
    free, held = machine.free_directions(q0)
    f = free.shape[1]
    spins = [int(n["iu"]) + (3 if n["kind"] == FREE else 0) for n in machine.system.node
             if not machine.compiled.planar and n["kind"] in (SPHERICAL, FREE)]

    def response(dq: np.ndarray, du: np.ndarray) -> np.ndarray:
        q = machine.on_loops(q0, dq, held)
        u = machine.moving_on_loops(q, u0 + du, held)
        rate = u - u0
        for k in spins:
            rate[k:k + 3] -= np.cross(u0[k:k + 3], dq[k:k + 3])  # small turns are counted in axes that spin along
        return np.concatenate([free.T @ rate, free.T @ machine.accelerations(t, q, u)])

    zero = np.zeros(machine.compiled.n_u)
    columns = []
    for k in range(2 * f):
        d = free[:, k % f]

        def shifted(h: float, d: np.ndarray = d, k: int = k) -> np.ndarray:
            return response(h * d, zero) if k < f else response(zero, h * d)

        h = DIFFERENCE
        columns.append((8.0 * (shifted(h) - shifted(-h)) - (shifted(2 * h) - shifted(-2 * h))) / (12.0 * h))
    matrix = np.column_stack(columns) if columns else np.zeros((0, 0))
    values, vectors = np.linalg.eig(matrix) if f else (np.zeros(0, complex), np.zeros((0, 0), complex))
    keep = [i for i in np.lexsort((values.real, np.abs(values.imag))) if values[i].imag >= 0.0]
    shapes = np.array([_scaled(free @ vectors[:f, i]) for i in keep]).reshape(len(keep), machine.compiled.n_u)
    return Modes(values[keep].astype(complex), shapes, tuple(speed_names(machine.compiled)), matrix)


def _scaled(shape: np.ndarray) -> np.ndarray:
    largest = shape[int(np.argmax(np.abs(shape)))] if shape.size else 1.0
    return shape / largest if largest != 0.0 else shape
