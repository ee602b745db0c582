"""The points of a study. Lists form a grid; distributions are sampled, with the same samples at every point of the grid.

A design does not hold a product of all points in Python objects: it is one array per parameter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.model import checks
from routh.study.distributions import Distribution

__all__ = ["Design", "design_of"]

SAMPLINGS = ("sobol", "latin", "random", "saltelli")
MOST_POINTS = 100_000_000


@dataclass(frozen=True)
class Design:
    """Values of every parameter at every point, `columns[path][i]`; lists in `axes`, drawn parameters in `drawn`."""

    columns: dict[str, np.ndarray]
    axes: dict[str, np.ndarray]
    drawn: dict[str, Distribution]
    samples: int
    sampling: str
    seed: int

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def is_grid(self) -> bool:
        """Whether every parameter is a list, so that the points form a grid."""
        return not self.drawn


def design_of(vary: Mapping[str, Any], samples: int | None, sampling: str, seed: int) -> Design:
    """All combinations of the lists in `vary`, each with `samples` draws of the distributions in it.

    `sampling`: "sobol" (scrambled, best with a power of two), "latin" (Latin hypercube), "random", or "saltelli": two sets of
    `samples` points and their mixtures, from which Sobol indices follow. The last list varies fastest, samples faster still.
    """
    if not isinstance(vary, Mapping) or not vary:
        raise ModelError('study: vary names no parameter; give it as {"bounce.law.e": [0.2, 0.5, 0.8]}')
    if sampling not in SAMPLINGS:
        raise ModelError(f'study: sampling = "{sampling}" is not one of {", ".join(SAMPLINGS)}')
    drawn = {path: value for path, value in vary.items() if isinstance(value, Distribution)}
    axes = {path: _values(path, value) for path, value in vary.items() if path not in drawn}
    if drawn and (not isinstance(samples, int) or isinstance(samples, bool) or samples < 1):
        raise ModelError(f'study: samples = {samples!r}; "{next(iter(drawn))}" is drawn from a distribution, so that samples '
                         "must be a positive whole number")
    if not drawn and samples is not None:
        raise ModelError(f"study: samples = {samples!r}, but no parameter is drawn from a distribution")
    n_samples = samples if drawn and samples is not None else 1
    grid = math.prod(len(values) for values in axes.values())
    if sampling == "saltelli":
        if axes or not drawn or n_samples & (n_samples - 1):
            raise ModelError('study: sampling="saltelli" needs distributions only, and a power of two as samples')
        n_samples *= len(drawn) + 2
    if grid * n_samples > MOST_POINTS:
        raise ModelError(f"study: {grid * n_samples:.3g} points; {MOST_POINTS:.0e} are the limit")
    unit = _unit_cube(len(drawn), n_samples, sampling, seed)
    columns: dict[str, np.ndarray] = {}
    after = grid
    for path in vary:
        if path in drawn:
            columns[path] = np.tile(drawn[path].quantile(unit[:, list(drawn).index(path)]), grid)
        else:
            after //= len(axes[path])
            columns[path] = np.repeat(np.tile(axes[path], grid // (after * len(axes[path]))).repeat(after), n_samples)
    return Design(columns, axes, drawn, n_samples, sampling, seed)


def _values(path: str, values: Any) -> np.ndarray:
    """A list of distinct numbers or of texts."""
    if not isinstance(path, str):
        raise ModelError(f"study: {path!r} is not the path of a parameter")
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray):
        raise ModelError(f'study: "{path}" = {values!r} is neither a list of values nor a distribution')
    if len(values) == 0:
        raise ModelError(f'study: "{path}" has no values')
    if all(isinstance(value, str) for value in values):
        column = np.array(values)
    else:
        column = np.array([checks.number("study", f'"{path}"[{i}]', value) for i, value in enumerate(values)])
    if len(np.unique(column)) < len(column):
        raise ModelError(f'study: "{path}" names a value twice')
    return column


def _unit_cube(dimension: int, n: int, sampling: str, seed: int) -> np.ndarray:
    """Points inside the unit cube (n, dimension)."""
    if dimension == 0:
        return np.zeros((n, 0))
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise ModelError(f"study: seed = {seed!r} must be a whole number, zero or more")
    if sampling == "random":
        points = np.random.default_rng(seed).random((n, dimension))
    else:
        from scipy.stats import qmc

        if sampling == "saltelli":
            a, b = np.split(qmc.Sobol(2 * dimension, rng=np.random.default_rng(seed)).random(n // (dimension + 2)), 2, axis=1)
            mixed = [np.where(np.arange(dimension) == i, b, a) for i in range(dimension)]
            points = np.concatenate([a, b, *mixed])
        elif sampling == "latin":
            points = qmc.LatinHypercube(dimension, rng=np.random.default_rng(seed)).random(n)
        else:  # whole powers of two keep the balance of the sequence
            points = qmc.Sobol(dimension, rng=np.random.default_rng(seed)).random_base2(math.ceil(math.log2(n)))[:n]
    return np.clip(points, np.finfo(float).tiny, 1.0 - np.finfo(float).epsneg)  # quantiles at 0 and 1 may be infinite
