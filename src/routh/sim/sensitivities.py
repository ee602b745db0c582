"""Derivatives of a run by parameters and start values, as a mapping of channels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled
from routh.compiler.machine import Machine
from routh.errors import did_you_mean
from routh.model.state import State
from routh.sim.ledger import Ledger
from routh.sim.outcome import Outcome, Samples
from routh.sim.parameters import STEP, Parameter, parameters_of, sizes_of
from routh.sim.result import ENERGIES
from routh.sim.variation import Break, EventTangent, Variation

__all__ = ["Sensitivities", "sensitivities_of"]


class Sensitivities(Mapping[str, np.ndarray]):
    """Derivatives of a run by parameters and start values: `result.sensitivities["ball.y"]` has a column per parameter.

    Attributes
    ----------
    names : tuple of str
        The paths that the derivatives are by.
    t : array
        Times of the samples [s], those of the result.
    status : str
        "exact"; "approximate" where the run has stretches of time steps; "not differentiable" where an event has no derivative.
    message : str
        The status as a sentence, with the instants and contacts.
    breaks : list of Break
        Instants without a derivative, with the contact, the reason and the parameters. After one, derivatives by these
        parameters are not numbers.

    Examples
    --------
    >>> ball, floor = shapes.Disk("ball", radius=0.1), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    >>> model = rt.Model(space="planar", gravity=(0.0, -9.81), bodies=[rt.Body("ball", mass=1.0, inertia=0.005)],
    ...                  contacts=[rt.Contact("floor", floor, ball, law=rt.Newton(e=0.5, mu=0.2))])
    >>> by = rt.simulate(model, rt.State(ball={"y": 1.1}), 0.8, sensitivities=["floor.law.e", "ball.y"]).sensitivities
    >>> by.names, by.status
    (('floor.law.e', 'ball.y'), 'exact')
    >>> by.final["ball.vy"].round(4)                     # v, and (1 + e) g / v, where v = √(2 g h) = 4.4294 m/s
    array([4.4294, 3.3221])
    """

    def __init__(self, variation: Variation) -> None:
        self._variation = variation
        self.names = tuple(parameter.path for parameter in variation.parameters)
        self.t = variation.t
        self.breaks: list[Break] = variation.breaks
        self.status = "not differentiable" if self.breaks else "exact"

    @property
    def message(self) -> str:
        """The status as a sentence."""
        if not self.breaks:
            return "Every event has a derivative."
        return " ".join(f"At t = {one.t:.9g} s" + (f', contact "{one.contact}"' if one.contact else "")
                        + f": {one.reason}; no derivative by {', '.join(one.parameters)} from there on." for one in self.breaks)

    def __getstate__(self) -> dict[str, Any]:
        """Numbers and names only: every part is made, and what made it is left behind."""
        return {"names": self.names, "t": self.t, "breaks": self.breaks, "status": self.status,
                "_channels": self._channels, "impacts": self.impacts}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._channels:
            raise KeyError(f'no channel "{name}"' + did_you_mean(name, list(self._channels)))
        return self._channels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._channels)

    def __len__(self) -> int:
        return len(self._channels)

    def __repr__(self) -> str:
        return f"Sensitivities by {', '.join(self.names)}: {self.status}"

    @property
    def final(self) -> dict[str, np.ndarray]:
        """Derivatives of every channel at the end of the run: `final["ball.x"]` has one number per parameter."""
        return {name: values[-1] for name, values in self._channels.items()}

    @cached_property
    def _channels(self) -> dict[str, np.ndarray]:
        """Every channel by every parameter: (n_t, n_p), of a vector (n_t, n_p, d)."""
        one = self._variation
        columns = [self._by(p, parameter) for p, parameter in enumerate(one.parameters)]
        return {name: np.stack([column[name] for column in columns], axis=1) for name in columns[0]} if columns else {}

    def _by(self, p: int, parameter: Parameter) -> dict[str, np.ndarray]:
        """Derivatives of every channel by one parameter: by the state, and by the parameter itself."""
        one = self._variation
        tangent = one.tangent[:, p]
        with np.errstate(invalid="ignore", divide="ignore"):
            change = np.abs(tangent[:, :one.works] / one.sizes).max(axis=1, initial=0.0)
            eps = np.where(change > 0.0, STEP / change, 1.0)
        eps = np.where(np.isfinite(eps), eps, 1.0)
        moved = eps[:, None] * np.where(np.isfinite(tangent), tangent, 0.0)
        up, down = self._read(one.compiled, one.y + moved), self._read(one.compiled, one.y - moved)
        lost = ~np.isfinite(tangent).all(axis=1)
        out = {}
        for name in up:
            shape = (-1,) + (1,) * (up[name].ndim - 1)
            out[name] = (up[name] - down[name]) / (2.0 * eps).reshape(shape)
        if not parameter.of_start:
            for offset, weight in parameter.stencil:
                seen = self._read(parameter.system_at(offset, parameter.step), one.y)
                for name in out:
                    out[name] = out[name] + weight / parameter.step * seen[name]
        for values in out.values():
            values[lost] = np.nan
        return out

    def _read(self, compiled: Compiled, y: np.ndarray) -> dict[str, np.ndarray]:
        """Every channel at the samples with other states."""
        base = self._variation.outcome
        samples = Samples(0, 0)
        samples.t, samples.y, samples.segment, samples.phase = base.samples.t, y, base.samples.segment, base.samples.phase
        other = Outcome(Machine(compiled), samples, base.stops, base.log)
        values = {name: channel[0] for name, channel in other.channels().items()}
        energy = other.energy()
        return values | {name: energy[key] for name, key in ENERGIES.items()}

    @cached_property
    def impacts(self) -> dict[str, np.ndarray]:
        """Derivatives of the columns of `result.impacts` that are numbers: (n_impacts, n_p), of a vector (n_impacts, n_p, d).

        That of "t" is the derivative of the instant; the others follow each impact through its instant.
        """
        one = self._variation
        base = one.outcome.impacts()
        columns = [name for name in base.columns if base[name].dtype.kind == "f"]
        out = {name: np.full((len(base), one.n_p, *base[name].shape[1:]), np.nan) for name in columns}
        before = len(base) - (int(one.outcome.log.count[0]) if one.outcome.log is not None else 0)  # an impact of the assembly
        for p, parameter in enumerate(one.parameters):
            for event in one.event_tangents(p):
                change = np.abs(event.tangent[:one.works] / one.sizes).max(initial=0.0)
                eps = STEP / change if change > 0.0 else 1.0
                terms = [(one.compiled, eps, 0.5 / eps), (one.compiled, -eps, -0.5 / eps)] if change > 0.0 else []
                if not parameter.of_start:
                    terms += [(parameter.system_at(offset, parameter.step), 0.0, weight / parameter.step)
                              for offset, weight in parameter.stencil]
                sums = {name: np.zeros((len(event.rows), *base[name].shape[1:])) for name in columns}
                for compiled, offset, weight in terms:
                    ledger = self._ledger(compiled, event, offset)
                    for name in columns:
                        sums[name] += weight * ledger[name]
                for name in columns:
                    out[name][event.rows + before, p] = sums[name]
                out["t"][event.rows + before, p] = event.instant
        return out

    def _ledger(self, compiled: Compiled, event: EventTangent, offset: float) -> Ledger:
        """The impacts of an event from a state beside its own."""
        from routh.sim.ledgers import impacts_of

        one, n = self._variation, len(event.rows)
        y, log = one.repeated(compiled, event, offset)
        samples, stops = Samples(1, one.n), one.outcome.stops
        samples.t[0], samples.y[0] = one.links["end"][event.link], y
        samples.segment[0] = max(int(np.searchsorted(stops, samples.t[0], side="left")) - 1, 0)
        kept = SimpleNamespace(count=np.array([n, 0, 0]), impact=log.impact[:n].copy(), joint=log.joint[:n].copy(),
                               row=log.row[:n].copy(), phase=np.zeros_like(one.phases[:1]))
        kept.impact["t"] = samples.t[0]
        seen = Outcome(Machine(compiled), samples, stops, kept).seen
        return impacts_of(compiled, kept, seen, samples.t)


def sensitivities_of(outcome: Outcome, compiled: Compiled, start: State | None, paths: Sequence[str], rtol: float,
                     atol: float) -> Sensitivities:
    """The derivatives of a run that is over."""
    samples = outcome.samples
    parameters = parameters_of(compiled, start, float(samples.t[0]), paths, samples.y[0], sizes_of(compiled, samples.y))
    variation = Variation(outcome, parameters, rtol, atol)
    variation.walk()
    if outcome.stretches:  # time steps have no derivative that is exact
        begin = float(outcome.stretches[0].begin)
        variation.tangent[variation.t > begin] = np.nan
        variation.breaks = [one for one in variation.breaks if one.t <= begin]
        variation.breaks.append(Break(begin, "", "the run goes on by time steps", tuple(one.path for one in parameters)))
    return Sensitivities(variation)
