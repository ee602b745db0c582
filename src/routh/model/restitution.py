"""Restitution that depends on the speed of approach. One of these stands wherever an impact law takes `e`.

| restitution | e at the approach speed v |
|---|---|
| `PowerLaw(e, speed, power)` | e (speed / v)^power, at most 1 |
| `Plastic(yield_strength, modulus, radius, mass)` | Johnson's law of a plastic impact: falls as v^(-1/4), at most 1 |
| `Table(speeds, values)` | straight lines between the points, the last value beyond them |
| `Law(function, parameters)` | function(v, parameters): a Python function of the user's own, compiled |

v is the normal approach speed at the beginning of an impact. Each impact of a sequence has its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector
from routh.model.friction import check_lines

__all__ = ["Law", "Plastic", "PowerLaw", "Restitution", "Table"]

TRIED = (0.0, *(1e-9 * 10.0 ** (0.25 * k) for k in range(49)))  # approach speeds up to 1 km/s at which a user's law is tried
CONSTRAINT = 3.0      # p_d / Y: mean pressure of a fully plastic contact against the yield strength [johnson1985, eq. 6.18]


class Restitution:
    """A restitution over the approach speed; use one of the classes of this module."""

    @property
    def where(self) -> str:
        """How messages call this restitution."""
        return f"restitution {type(self).__name__}"

    def at(self, speed: float) -> float:
        """Restitution at a normal approach speed [m/s]; one that parts counts as zero."""
        raise TypeError(f"{type(self).__name__} must say its restitution")

    def _e(self, e: float, speed: float | None = None) -> float:
        if not 0.0 <= e <= 1.0:
            at = "" if speed is None else f" at {speed:g} m/s"
            raise ModelError(f"{self.where}: e = {e:g}{at} is outside [0, 1]; it tells how much of the approach comes back")
        return e


@dataclass(frozen=True)
class PowerLaw(Restitution):
    """e (speed / v)^power, at most 1: a restitution `e` measured at `speed` [m/s], which falls with the approach speed v.

    `power` is 1/4 for impacts with much plastic deformation, 1/5 for viscoelastic ones.

    >>> restitution.PowerLaw(e=0.6, speed=1.0, power=0.25).at(16.0)
    0.3
    """

    e: float
    speed: float
    power: float = 0.25

    def __post_init__(self) -> None:
        checks.set_field(self, "e", self._e(checks.positive(self.where, "e", self.e)))
        checks.set_field(self, "speed", checks.positive(self.where, "speed", self.speed))
        checks.set_field(self, "power", checks.positive(self.where, "power", self.power, zero_too=True))

    def at(self, speed: float) -> float:
        if speed <= 0.0:
            return self.e if self.power == 0.0 else 1.0
        return min(1.0, self.e * (self.speed / speed) ** self.power)


@dataclass(frozen=True)
class Plastic(Restitution):
    """Johnson's restitution of two bodies that yield where they touch: e² = 3 π^(5/4) 4^(3/4) / 10 (p/E) (m v² / 2pR³)^(-1/4).

    p = 3 `yield_strength` [Pa] of the softer body is the pressure of a fully plastic contact; E = `modulus` [Pa] with
    1/E = Σ (1 - nu²) / E_i; 1/R = Σ 1/R_i of `radius` [m], `math.inf` for a flat one left out; 1/m = Σ 1/m_i of `mass` [kg]. At
    most 1: slower impacts hardly yield. It holds for solids up to about 500 m/s [johnson1985, eq. 11.47].

    >>> steel = restitution.Plastic(yield_strength=3e8, modulus=1.15e11, radius=0.005, mass=0.0041)
    >>> [round(steel.at(v), 3) for v in (0.1, 1.0, 16.0)]
    [1.0, 0.652, 0.326]
    """

    yield_strength: float
    modulus: float
    radius: float
    mass: float

    def __post_init__(self) -> None:
        for field in ("yield_strength", "modulus", "radius", "mass"):
            checks.set_field(self, field, checks.positive(self.where, field, getattr(self, field)))
        if self.yield_strength >= self.modulus:
            raise ModelError(f"{self.where}: yield_strength = {self.yield_strength:g} Pa is not below modulus = "
                             f"{self.modulus:g} Pa; metals yield at a thousandth to a hundredth of it")

    @property
    def elastic_speed(self) -> float:
        """Approach speed [m/s] up to which e is 1."""
        p = CONSTRAINT * self.yield_strength
        share = 0.3 * math.pi**1.25 * 4.0**0.75 * p / self.modulus
        return share**2 * math.sqrt(2.0 * p * self.radius**3 / self.mass)

    def at(self, speed: float) -> float:
        return 1.0 if speed <= self.elastic_speed else (self.elastic_speed / speed) ** 0.25


@dataclass(frozen=True)
class Table(Restitution):
    """Straight lines through (speeds [m/s], values) as measured; speeds rise from zero, the last value holds beyond them.

    >>> restitution.Table(speeds=(0.0, 1.0, 5.0), values=(0.9, 0.7, 0.5)).at(3.0)
    0.6
    """

    speeds: Vector
    values: Vector

    def __post_init__(self) -> None:
        check_lines(self)
        for speed, e in zip(self.speeds, self.values, strict=True):
            self._e(e, speed)

    def at(self, speed: float) -> float:
        return float(np.interp(speed, self.speeds, self.values))


@dataclass(frozen=True)
class Law(Restitution):
    """e = function(v, parameters): a Python function, compiled; v >= 0 [m/s], parameters an array."""

    function: Callable[..., float]
    parameters: Vector = ()

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(f"{self.where}: function = {self.function!r} is not a function")
        checks.set_field(self, "parameters", checks.vector(self.where, "parameters", self.parameters, sizes=tuple(range(65))))
        for speed in TRIED:
            try:
                self.at(speed)
            except ModelError:
                raise
            except Exception as error:  # whatever the user's function raises
                raise ModelError(f"{self.where}: function({speed}, parameters) does not give a number: {error}") from error

    def at(self, speed: float) -> float:
        function = getattr(self.function, "py_func", self.function)
        return self._e(float(function(max(float(speed), 0.0), np.array(self.parameters))), speed)
