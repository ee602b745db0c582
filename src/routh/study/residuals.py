"""What measured motions and computed ones differ by, and its derivatives by the parameters of a fit.

Derivatives are exact ones through every event (`simulate(..., sensitivities=...)`). Where a run has none, as at a graze
or at rest on an edge, central differences serve.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from routh.compiler.compile import Compiled
from routh.errors import ModelError, RouthError
from routh.sim.options import Options
from routh.sim.parameters import split_paths
from routh.sim.result import Result
from routh.sim.simulate import evaluate, simulate
from routh.study.measured import Measured

__all__ = ["Problem"]

STEP = 1e-4           # of the width of a parameter's bounds: step of differences
FAR = 1e3             # residual, in units of the noise, where a run was refused or broke off: no fit ends there


@dataclass
class Problem:
    """Measured motions, a compiled model, and the parameters that are looked for.

    `shared` parameters have one value for all motions, `own` ones (start values) one for each. The vector of parameters holds
    the shared ones first, then the own ones of each motion.
    """

    compiled: Compiled
    motions: Sequence[Measured]
    shared: dict[str, tuple[float, float]]
    own: dict[str, tuple[float, float]]
    noise: dict[str, float]
    options: Options
    exact: bool = True
    step: float = STEP        # of differences, against the width of the bounds

    def __post_init__(self) -> None:
        names = self.names
        self.low = np.array([self._bounds(name)[0] for name in names])
        self.high = np.array([self._bounds(name)[1] for name in names])
        self.runs = 0

    @property
    def names(self) -> list[str]:
        """Names of the parameters: paths, and "path of motion" of what each has for itself."""
        own = [f"{path} of {motion.name}" for motion in self.motions for path in self.own]
        return [*self.shared, *own]

    def _bounds(self, name: str) -> tuple[float, float]:
        return self.shared[name] if name in self.shared else self.own[name.partition(" of ")[0]]

    @property
    def n(self) -> int:
        """How many numbers were measured."""
        return sum(motion.n for motion in self.motions)

    def point(self, x: np.ndarray, m: int) -> dict[str, float]:
        """Values of the parameters that motion m depends on, by path."""
        return dict(zip([*self.shared, *self.own], map(float, x[self.columns(m)]), strict=True))

    def columns(self, m: int) -> np.ndarray:
        """Places in the vector of parameters that motion m depends on."""
        first, k = len(self.shared), len(self.own)
        return np.concatenate([np.arange(first), first + m * k + np.arange(k)]).astype(int)

    def run(self, point: Mapping[str, float], motion: Measured, sensitivities: list[str] | None = None) -> Result:
        """The motion computed at a point of the parameters."""
        of_model, of_start = split_paths(self.compiled.model, point)
        compiled = self.compiled.replace(of_model) if of_model else self.compiled
        self.runs += 1
        options = replace(self.options, output=motion.t[motion.t > motion.begin], on_error="return", progress=False)
        return simulate(compiled, motion.start.replace(of_start), float(motion.t[-1]), t_start=float(motion.begin or 0.0),
                        options=options, sensitivities=sensitivities)

    def differences(self, point: Mapping[str, float], motion: Measured) -> dict[str, np.ndarray] | None:
        """Computed less measured, by channel; None where the run does not reach its end."""
        try:
            result = self.run(point, motion)
        except RouthError:
            return None
        if result.status != "finished":
            return None
        at = np.searchsorted(result.t, motion.t, side="right") - 1
        sign = _signs(result, at, motion)
        return {name: sign.get(name, 1.0) * result[name][at] - values for name, values in motion.channels.items()}

    def residuals(self, x: np.ndarray) -> np.ndarray:
        """All differences in units of the noise; missing measurements are left out."""
        return np.concatenate([self._weighed(self.differences(self.point(x, m), motion), motion)
                               for m, motion in enumerate(self.motions)])

    def _weighed(self, found: dict[str, np.ndarray] | None, motion: Measured) -> np.ndarray:
        parts = []
        for name, values in motion.channels.items():
            known = np.isfinite(values)
            parts.append(np.full(int(known.sum()), FAR) if found is None else found[name][known] / self.noise[name])
        return np.clip(np.concatenate(parts), -FAR, FAR)

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """(n, parameters) derivatives of the residuals."""
        out, first = np.zeros((self.n, len(x))), 0
        for m, motion in enumerate(self.motions):
            rows = slice(first, first + motion.n)
            out[rows, self.columns(m)] = self._jacobian(x, m, motion)
            first += motion.n
        return out

    def _jacobian(self, x: np.ndarray, m: int, motion: Measured) -> np.ndarray:
        point = self.point(x, m)
        paths = list(point)
        if self.exact:
            found = self._exact(point, paths, motion)
            if found is not None:
                return found
        out = np.zeros((motion.n, len(paths)))
        for k, place in enumerate(self.columns(m)):
            step = self.step * (self.high[place] - self.low[place])
            ends = [min(x[place] + step, self.high[place]), max(x[place] - step, self.low[place])]
            up, down = (self._weighed(self.differences(point | {paths[k]: float(end)}, motion), motion) for end in ends)
            out[:, k] = (up - down) / (ends[0] - ends[1])
        return out

    def _exact(self, point: Mapping[str, float], paths: list[str], motion: Measured) -> np.ndarray | None:
        """Exact derivatives; None where there are none."""
        try:
            result = self.run(point, motion, paths)
            by = result.sensitivities
        except RouthError:
            return None
        if result.status != "finished" or by is None:
            return None
        at = np.searchsorted(result.t, motion.t, side="right") - 1
        sign = _signs(result, at, motion)
        rows = {name: by[name][at] * sign[name][:, None] if name in sign else by[name][at] for name in motion.channels}
        found = np.concatenate([rows[name][np.isfinite(values)] / self.noise[name] for name, values in motion.channels.items()])
        return found if np.isfinite(found).all() else None

    def check(self) -> None:
        """ModelError where a path, a channel or a bound means nothing."""
        for name, (low, high) in (self.shared | self.own).items():
            if not (np.isfinite([low, high]).all() and low < high):
                raise ModelError(f'identify: "{name}": bounds ({low:g}, {high:g}) must be two finite numbers, the lower first')
        middle = 0.5 * (self.low + self.high)
        for m, motion in enumerate(self.motions):
            of_model, of_start = split_paths(self.compiled.model, self.point(middle, m))
            not_start = [path for path in self.own if path not in of_start]
            if not_start:
                raise ModelError(f'identify: own "{not_start[0]}" is a field of the model; each motion can have a start value')
            sample = evaluate(self.compiled.replace(of_model) if of_model else self.compiled,
                              motion.start.replace(of_start), float(motion.begin or 0.0))
            for name in motion.channels:
                if name not in sample:
                    sample[name]  # a KeyError with the nearest names
                if sample[name].ndim != 1:
                    raise ModelError(f'identify: "{name}" is a vector; measured channels are single numbers')


def _signs(result: Result, at: np.ndarray, motion: Measured) -> dict[str, np.ndarray]:
    """Signs of computed quaternions at samples `at` that bring them nearest to the measured ones: either means the same."""
    out: dict[str, np.ndarray] = {}
    for name in motion.channels:
        parts = [name[:-1] + part for part in "wxyz"]
        if name.endswith(".qw") and all(part in motion.channels for part in parts):
            along = sum(np.nan_to_num(motion.channels[part]) * result[part][at] for part in parts)
            out |= dict.fromkeys(parts, np.where(along < 0.0, -1.0, 1.0))
    return out
