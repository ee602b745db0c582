"""`Fit`: what `identify` gives back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from routh.display import present
from routh.model.model import Model
from routh.sim.result import Result
from routh.study.measured import Measured
from routh.study.residuals import Problem

__all__ = ["Fit"]


class Fit:
    """Parameters that explain measured motions best.

    Attributes
    ----------
    values, errors : dict
        Best value and standard error of every parameter, by its path.
    intervals : dict
        (low, high) of every parameter at `level`: by profile likelihood, or from the covariance.
    covariance, correlation : array
        Of the parameters in the order of `names`.
    noise : dict
        Standard deviation of each channel: as given, or as estimated.
    reduced_chi2 : float
        Mean square of what is left, in units of the noise, per degree of freedom; about one where the model explains the data.
    warnings : list of str
        What the data do not determine.
    searches : list
        (values, sum of squares) of every local search, the best first.
    """

    def __init__(self, problem: Problem, x: np.ndarray, covariance: np.ndarray, intervals: dict[str, tuple[float, float]],
                 level: float, residual: np.ndarray, variance: float, warnings: list[str],
                 searches: list[tuple[dict[str, float], float]]) -> None:
        self._problem, self._x = problem, x
        self.names = problem.names
        self.values = dict(zip(self.names, map(float, x), strict=True))
        self.covariance, self.intervals, self.level = covariance, intervals, level
        self.errors = dict(zip(self.names, map(float, np.sqrt(np.diag(covariance))), strict=True))
        self.noise, self.reduced_chi2, self.warnings, self.searches = dict(problem.noise), variance, warnings, searches
        self.motions: Sequence[Measured] = problem.motions
        self.n = len(residual)

    @property
    def correlation(self) -> np.ndarray:
        """Correlations of the parameters."""
        error = np.sqrt(np.diag(self.covariance))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.covariance / np.outer(error, error))

    @property
    def model(self) -> Model:
        """The model with the best values."""
        from routh.sim.parameters import split_paths

        return self._problem.compiled.model.replace(split_paths(self._problem.compiled.model, self._shared)[0])

    @property
    def _shared(self) -> dict[str, float]:
        return {name: self.values[name] for name in self._problem.shared}

    def run(self, motion: int | Measured = 0) -> Result:
        """A motion computed with the best values, at its measured times: one of those fitted, by number, or another one."""
        if isinstance(motion, Measured):
            return self._problem.run(self._shared, motion)
        return self._problem.run(self._problem.point(self._x, motion), self.motions[motion])

    def residuals(self, motion: int | Measured = 0) -> dict[str, np.ndarray]:
        """Computed less measured of a motion, by channel; not numbers where its run does not finish."""
        whole = motion if isinstance(motion, Measured) else self.motions[motion]
        point = self._shared if isinstance(motion, Measured) else self._problem.point(self._x, motion)
        found = self._problem.differences(point, whole)
        return found if found is not None else {name: np.full(len(whole.t), np.nan) for name in whole.channels}

    def loss(self, motion: int | Measured) -> float:
        """Sum over the channels of the mean square residual in units of the noise; infinite where the run does not finish."""
        total = sum(float(np.nanmean((values / self.noise[name]) ** 2)) if np.isfinite(values).any() else np.inf
                    for name, values in self.residuals(motion).items())
        return total

    def plot(self, motion: int | Measured = 0, **choices: Any) -> Any:
        """Draw measured and computed channels of a motion with the residuals below; see `routh.view.fit_residuals`."""
        return present("fit_residuals", self, motion, **choices)

    def __repr__(self) -> str:
        rows = [("parameter", "value", "standard error", f"{100.0 * self.level:g} % interval")]
        for name in self.names:
            low, high = self.intervals[name]
            rows.append((name, f"{self.values[name]:.6g}", f"{self.errors[name]:.2g}", f"{low:.6g} to {high:.6g}"))
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        left = f"{self.n} numbers of {len(self.motions)} motions; reduced chi² {self.reduced_chi2:.3g}; noise " + ", ".join(
            f"{name} {value:.3g}" for name, value in self.noise.items())
        return "\n".join([*lines, left, *(f"warning: {text}" for text in self.warnings)])
