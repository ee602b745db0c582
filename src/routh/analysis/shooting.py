"""The flow of a model over a time, with its derivatives by the state, a parameter and the time: what shooting needs.

Positions are counted along directions that loops and drivers leave free, so that there are two unknowns for each freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.errors import ModelError, SimulationError, did_you_mean
from routh.model.state import State
from routh.sim.assembly import assemble_arrays, state_of
from routh.sim.options import Options
from routh.sim.overlap import refuse_overlap
from routh.sim.parameters import CENTRAL, STEP, Parameter, parameters_of, sizes_of, without_driven
from routh.sim.result import Result
from routh.sim.run import EventRun, give_back, take_run
from routh.sim.variation import Variation

__all__ = ["Flow", "Shooting"]


class Direction:
    """A direction of the start, in the place of a parameter: a displacement `dq` of the speeds' coordinates, a change `du`."""

    of_start = moves_start = True
    stencil = CENTRAL

    def __init__(self, shooting: Shooting, dq: np.ndarray, du: np.ndarray, scale: float) -> None:
        self.path, self.compiled = "start", shooting.machine.compiled
        self.shooting, self.dq, self.du, self.scale = shooting, dq, du, scale
        self.q = self.u = np.zeros(0)

    @property
    def step(self) -> float:
        return STEP * self.scale

    def system_at(self, offset: float, step: float) -> Compiled:
        return self.compiled

    def start_arrays(self, machine: Machine, offset: float, t: float) -> tuple[np.ndarray, np.ndarray]:
        return self.shooting.moved(self.q, self.u, offset * self.step * self.dq, offset * self.step * self.du)


@dataclass
class Flow:
    """One run over a time, and how its end changes, all in the unknowns of a `Shooting`."""

    result: Result
    difference: np.ndarray     # (n,) end minus start
    monodromy: np.ndarray      # (n, n) derivative of the end by the start
    by_parameter: np.ndarray   # (n,) derivative of the end by the parameter; zero without one
    rate_start: np.ndarray     # (n,) rates at the start
    rate_end: np.ndarray       # (n,) and at the end
    drift: np.ndarray          # what the coordinates that are left out advanced by


class Shooting:
    """The unknowns of periodic motions of one model: free coordinates and their speeds, without those that drift."""

    def __init__(self, compiled: Compiled, guess: State | None, drift: Sequence[str], t_start: float, options: Options) -> None:
        self.machine, self.t_start, self.options = Machine(compiled), t_start, options
        self.q, self.u = assemble_arrays(self.machine, guess, t_start, keep=True)
        free, self.held = self.machine.free_directions(self.q)
        self.drift = [self._coordinate(name) for name in drift]
        left_out = np.zeros((compiled.n_u, len(self.drift)))
        for k, (_, iu) in enumerate(self.drift):
            left_out[iu, k] = 1.0
        # directions of positions: free ones across those that drift
        across = free @ np.linalg.svd(left_out.T @ free)[2][len(self.drift):].T if self.drift else free
        self.positions, self.speeds = across, free
        if not free.shape[1]:
            raise ModelError(f'periodic motions: model "{compiled.name}" has no freedom')

    def _coordinate(self, path: str) -> tuple[int, int]:
        """Places of a coordinate among coordinates and speeds."""
        compiled = self.machine.compiled
        found: dict[str, tuple[int, int]] = {}
        for joint in compiled.model.joints:
            for k, coordinate in enumerate(getattr(joint, "coordinates", ())):
                if (joint.name, k) in compiled.coordinates:
                    found[f"{joint.name}.{coordinate}"] = compiled.coordinates[joint.name, k]
        if compiled.planar:
            for branch in compiled.tree.branches:
                if branch.joint is None:
                    node = compiled.system.node[compiled.bodies[branch.child].node]
                    found |= {f"{branch.child}.{c}": (int(node["iq"]) + i, int(node["iu"]) + i)
                              for i, c in enumerate(("x", "y", "theta"))}
        if path not in found:
            raise ModelError(f'drift: no coordinate "{path}"' + did_you_mean(path, list(found)))
        return found[path]

    @property
    def size(self) -> int:
        """Number of unknowns."""
        return self.positions.shape[1] + self.speeds.shape[1]

    def moved(self, q: np.ndarray, u: np.ndarray, dq: np.ndarray, du: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and speeds displaced along the loops."""
        q = self.machine.on_loops(q, dq, self.held)
        return q, self.machine.moving_on_loops(q, u + du, self.held)

    def shifted(self, q: np.ndarray, u: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A state displaced by unknowns z."""
        n = self.positions.shape[1]
        return self.moved(q, u, self.positions @ z[:n], self.speeds @ z[n:])

    def state(self, q: np.ndarray, u: np.ndarray) -> State:
        """As a State; drivers say the rest."""
        return without_driven(self.machine.compiled.model, state_of(self.machine, q, u))

    def flow(self, compiled: Compiled, q: np.ndarray, u: np.ndarray, span: float, path: str | None = None) -> Flow:
        """The run from q and u over the time `span`; SimulationError where it breaks off or has no derivative."""
        self.machine.take(compiled)
        run = take_run(compiled, self.options)
        if isinstance(run, EventRun):
            refuse_overlap(run.machine, q, u)
        end = self.t_start + span
        run.begin(self.options, q, u, self.t_start, end, self.options.times(self.t_start, end))
        run.go_through()
        result = run.result()
        outcome = run.outcome
        assert outcome is not None
        give_back(run)
        if not result.success:
            raise SimulationError(f"periodic motion: {result.message}", t=float(result.t[-1]), status=result.status,
                                  result=result)
        y = outcome.samples.y
        n_q, n_u = compiled.n_q, compiled.n_u
        sizes = sizes_of(compiled, y)
        zero = np.zeros(n_u)
        directions = [Direction(self, d, zero, self._scale(d, sizes[:n_q])) for d in self.positions.T]
        directions += [Direction(self, zero, d, self._scale(d, sizes[n_q:n_q + n_u])) for d in self.speeds.T]
        for direction in directions:
            direction.q, direction.u, direction.compiled = q, u, compiled
        more: list[Parameter] = []
        if path is not None:
            more = parameters_of(compiled, self.state(q, u), self.t_start, [path], y[0], sizes)
        variation = Variation(outcome, [*directions, *more], self.options.rtol, self.options.atol)  # type: ignore[list-item]
        variation.walk()
        if variation.breaks:
            one = variation.breaks[0]
            raise SimulationError(f'periodic motion: at t = {one.t:g} s, contact "{one.contact}": {one.reason}; it has no '
                                  "derivative there", t=one.t, status="not differentiable", where=one.contact, result=result)
        chart = variation.tangent[0, :self.size, :n_q + n_u].T
        ends = variation.tangent[-1][:, :n_q + n_u].T
        last = len(variation.t) - 1
        first, late = variation.slope(0), variation.slope(last)
        change = y[last, :n_q + n_u] - y[0, :n_q + n_u]
        advanced = np.array([change[iq] for iq, _ in self.drift])
        for iq, _ in self.drift:
            change[iq] = 0.0
        columns = np.column_stack([change, ends, first[:n_q + n_u], late[:n_q + n_u]])
        inside = np.linalg.lstsq(chart, columns, rcond=None)[0]
        n = self.size
        by = inside[:, 1 + n] if more else np.zeros(n)
        return Flow(result, inside[:, 0], inside[:, 1:1 + n], by, inside[:, -2], inside[:, -1], advanced)

    @staticmethod
    def _scale(direction: np.ndarray, sizes: np.ndarray) -> float:
        """Step along a direction against which changes of all coordinates are small."""
        if len(sizes) != len(direction):
            return float(sizes.min(initial=1.0))
        large = np.abs(direction) > 1e-9
        return float((sizes[large] / np.abs(direction[large])).min(initial=1.0))
