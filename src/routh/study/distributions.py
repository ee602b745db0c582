"""Distributions of parameters, each by its quantile function, so that any point set in the unit cube serves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from routh.errors import ModelError
from routh.model import checks

__all__ = ["Distribution", "LogNormal", "Normal", "Uniform"]


class Distribution:
    """A parameter that is drawn."""

    def quantile(self, p: np.ndarray) -> np.ndarray:
        """Values below which the parameter lies with probabilities p (0 < p < 1)."""
        raise NotImplementedError


@dataclass(frozen=True)
class Uniform(Distribution):
    """Every value between `low` and `high` is equally likely.

    >>> Uniform(0.2, 0.8)
    Uniform(low=0.2, high=0.8)
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        low, high = checks.number("Uniform", "low", self.low), checks.number("Uniform", "high", self.high)
        if not low < high:
            raise ModelError(f"Uniform: low = {low:g} must be below high = {high:g}")

    def quantile(self, p: np.ndarray) -> np.ndarray:
        return self.low + (self.high - self.low) * p


@dataclass(frozen=True)
class Normal(Distribution):
    """A normal distribution of this mean and standard deviation.

    >>> Normal(mean=0.5, deviation=0.02)
    Normal(mean=0.5, deviation=0.02)
    """

    mean: float
    deviation: float

    def __post_init__(self) -> None:
        checks.number("Normal", "mean", self.mean)
        checks.positive("Normal", "deviation", self.deviation)

    def quantile(self, p: np.ndarray) -> np.ndarray:
        from scipy.special import ndtri

        return self.mean + self.deviation * np.asarray(ndtri(p))


@dataclass(frozen=True)
class LogNormal(Distribution):
    """A positive parameter whose logarithm is normal: `median` times exp of a normal number of deviation `sigma`.

    >>> LogNormal(median=0.3, sigma=0.1)
    LogNormal(median=0.3, sigma=0.1)
    """

    median: float
    sigma: float

    def __post_init__(self) -> None:
        checks.positive("LogNormal", "median", self.median)
        checks.positive("LogNormal", "sigma", self.sigma)

    def quantile(self, p: np.ndarray) -> np.ndarray:
        from scipy.special import ndtri

        return np.asarray(np.exp(math.log(self.median) + self.sigma * np.asarray(ndtri(p))))
