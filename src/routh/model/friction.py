"""Friction coefficients that depend on the slip speed, and the friction of compliant contacts.

A coefficient stands wherever a law takes `mu`:

| coefficient | mu at slip speed s |
|---|---|
| `Stribeck(static, kinetic, speed, viscous, power)` | kinetic + (static - kinetic) exp(-(s / speed)^power) + viscous s |
| `Fading(mu, speed)` | mu s / √(s² + speed²): a small spot that also spins |
| `Table(speeds, values)` | straight lines between the points, the last value beyond them |
| `Law(function, parameters)` | function(s, parameters): a Python function of the user's own, compiled |

While a contact slides, mu follows its slip speed. During an impact, mu is evaluated at the initial slip speed.

Beside the normal force N of a `Compliant` law stands one of

| friction | force against the slip v | under a steady load below mu N |
|---|---|---|
| `Regularised(mu, v_reg)` | mu N tanh(v / v_reg) | creeps |
| `LuGre(mu, sigma0, ...)` | N (sigma0 z + sigma1 z' + sigma2 v), z the stretch of bristles | creeps if the load varies |
| `Stiction(mu, sigma0, ...)` | N (sigma0 z + sigma1 z'), z the stretch of a spring | holds where it first stuck |

and, for bodies that roll or spin, `Rolling(rolling, drilling, slow)`: moments up to rolling N and drilling N.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector

__all__ = ["ContactFriction", "Fading", "Friction", "Law", "LuGre", "Regularised", "Rolling", "Stiction", "Stribeck", "Table"]

TRIED = tuple(1e-9 * 10.0 ** (0.25 * k) for k in range(45))  # slip speeds up to 100 m/s at which a user's law is tried


class Friction:
    """A friction coefficient over the slip speed; `static` is its value at rest."""

    static: Any

    @property
    def where(self) -> str:
        """How messages call this coefficient."""
        return f"friction {type(self).__name__}"

    def as_law(self) -> tuple[Callable[..., float], Vector]:
        """(function, parameters) with mu = function(slip, parameters), in Python that Numba compiles."""
        raise TypeError(f"{type(self).__name__} must say its law")

    def at(self, slip: float) -> float:
        """The coefficient at a slip speed [m/s], of either sign."""
        function, parameters = self.as_law()
        mu = float(getattr(function, "py_func", function)(abs(float(slip)), np.array(parameters)))
        if not (math.isfinite(mu) and mu >= 0.0) and math.isfinite(slip):
            raise ModelError(f"{self.where}: mu = {mu:g} at a slip of {abs(slip):g} m/s; friction opposes slip, take a "
                             "finite mu >= 0")
        return mu


@dataclass(frozen=True)
class Stribeck(Friction):
    """Falls from `static` to `kinetic` over a slip of about `speed` [m/s], then grows by `viscous` [s/m].

    `power` shapes the fall: 2 is a bell, flat at rest; 1 an exponential, steepest at rest.
    """

    static: float
    kinetic: float
    speed: float
    viscous: float = 0.0
    power: float = 2.0

    def __post_init__(self) -> None:
        for field in ("static", "kinetic", "speed", "viscous", "power"):
            zero_too = field not in ("speed", "power")
            checks.set_field(self, field, checks.positive(self.where, field, getattr(self, field), zero_too=zero_too))
        if self.static < self.kinetic:
            raise ModelError(f"{self.where}: static = {self.static:g} is below kinetic = {self.kinetic:g}; friction falls "
                             "as slip sets in, give growth by viscous or use a Table")

    def as_law(self) -> tuple[Callable[..., float], Vector]:
        return _stribeck, (self.static, self.kinetic, self.speed, self.viscous, self.power)


@dataclass(frozen=True)
class Fading(Friction):
    """mu s / √(s² + speed²): a small spot that spins, whose friction against a slow slip s is weak, never holds [leine2003].

    `speed` [m/s] is about the spin times the radius of the spot. Beyond it the coefficient is `mu`.
    """

    mu: float
    speed: float

    def __post_init__(self) -> None:
        checks.set_field(self, "mu", checks.positive(self.where, "mu", self.mu, zero_too=True))
        checks.set_field(self, "speed", checks.positive(self.where, "speed", self.speed))

    @property
    def static(self) -> float:
        """The value at rest."""
        return 0.0

    def as_law(self) -> tuple[Callable[..., float], Vector]:
        return _fading, (self.mu, self.speed)


@dataclass(frozen=True)
class Table(Friction):
    """Straight lines through (speeds [m/s], values); speeds rise from zero, the last value holds beyond them."""

    speeds: Vector
    values: Vector

    def __post_init__(self) -> None:
        check_lines(self)
        if min(self.values) < 0.0:
            raise ModelError(f"{self.where}: values hold {min(self.values):g}; friction opposes slip, take mu >= 0")

    @property
    def static(self) -> float:
        """The value at rest."""
        return self.values[0]

    def as_law(self) -> tuple[Callable[..., float], Vector]:
        return _table, self.speeds + self.values


@dataclass(frozen=True)
class Law(Friction):
    """mu = function(slip, parameters): a Python function, compiled; slip >= 0 [m/s], parameters an array."""

    function: Callable[..., float]
    parameters: Vector = ()

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise ModelError(f"{self.where}: function = {self.function!r} is not a function")
        values = checks.vector(self.where, "parameters", self.parameters, sizes=tuple(range(65)))
        checks.set_field(self, "parameters", values)
        for slip in (0.0, *TRIED):
            try:
                self.at(slip)
            except ModelError:
                raise
            except Exception as error:  # whatever the user's function raises
                raise ModelError(f"{self.where}: function({slip}, parameters) does not give a number: {error}") from error

    @property
    def static(self) -> float:
        """The value at rest."""
        return self.at(0.0)

    def as_law(self) -> tuple[Callable[..., float], Vector]:
        return self.function, self.parameters


class ContactFriction:
    """The friction of a compliant contact, beside its normal law; use `Regularised`, `LuGre` or `Stiction`."""

    mu: float | Friction

    @property
    def where(self) -> str:
        """How messages call this friction."""
        return f"friction {type(self).__name__}"

    @property
    def static(self) -> float:
        """The coefficient at rest."""
        return self.mu.static if isinstance(self.mu, Friction) else self.mu

    def _check(self, *above_zero: str, or_zero: tuple[str, ...] = ()) -> None:
        if not isinstance(self.mu, Friction):
            or_zero += ("mu",)
        for field in (*above_zero, *or_zero):
            checks.set_field(self, field, checks.positive(self.where, field, getattr(self, field), zero_too=field in or_zero))


@dataclass(frozen=True)
class Regularised(ContactFriction):
    """mu N tanh(slip / v_reg): nearly Coulomb's where slip exceeds v_reg [m/s], viscous below. Nothing ever sticks."""

    mu: float | Friction
    v_reg: float

    def __post_init__(self) -> None:
        self._check("v_reg")


@dataclass(frozen=True)
class LuGre(ContactFriction):
    """N (sigma0 z + sigma1 z' + sigma2 v) with z' = v - sigma0 |v| z / mu(v): bristles that bend [canudas1995].

    Loads are scaled out: sigma0 in 1/m, sigma1 and sigma2 in s/m. In steady slip the coefficient is mu(v) + sigma2 v; mu/sigma0
    is the slip over which friction builds up.
    """

    mu: float | Friction
    sigma0: float
    sigma1: float = 0.0
    sigma2: float = 0.0

    def __post_init__(self) -> None:
        self._check("sigma0", or_zero=("sigma1", "sigma2"))


@dataclass(frozen=True)
class Stiction(ContactFriction):
    """N (sigma0 z + sigma1 z'), a spring anchored where the surfaces first stuck.

    It follows the slip, z' = v, up to the part `grip` of its greatest stretch mu/sigma0: below that load the contact holds
    for ever, and springs back to its place. Beyond, the anchor is dragged along, smoothly, until at the greatest stretch it is
    dragged along and friction is mu(v) N. sigma0 in 1/m, sigma1 in s/m.
    """

    mu: float | Friction
    sigma0: float
    sigma1: float = 0.0
    grip: float = 0.9

    def __post_init__(self) -> None:
        self._check("sigma0", or_zero=("sigma1",))
        checks.set_field(self, "grip", checks.number(self.where, "grip", self.grip))
        if not 0.0 <= self.grip < 1.0:
            raise ModelError(f"{self.where}: grip = {self.grip:g} is outside [0, 1); it is the part of the greatest stretch up "
                             "to which nothing creeps, and slip sets in between it and one")


@dataclass(frozen=True)
class Rolling:
    """Moments against rolling and drilling in a compliant contact: radius times normal force times tanh(angular speed / slow).

    `rolling` [m] acts in the tangent plane: the lever by which the normal force moves ahead of a rolling wheel, the
    coefficient of rolling resistance times the radius. `drilling` [m] acts about the normal: 2/3 mu a for a spot of radius a
    under constant pressure. Both are smooth: below `slow` [rad/s] the moments fade: a loaded wheel creeps, nothing is held.

    >>> friction.Rolling(rolling=2e-4, drilling=1e-4).slow
    0.01
    """

    rolling: float = 0.0
    drilling: float = 0.0
    slow: float = 1e-2

    def __post_init__(self) -> None:
        for field in ("rolling", "drilling", "slow"):
            value = checks.positive("friction Rolling", field, getattr(self, field), zero_too=field != "slow")
            checks.set_field(self, field, value)
        if self.rolling == self.drilling == 0.0:
            raise ModelError("friction Rolling: rolling and drilling are both zero; give one of these radii [m]")


def check_lines(law: Any) -> None:
    """Make vectors of the `speeds` and `values` of a law of straight lines, and check that the speeds rise from zero."""
    for field in ("speeds", "values"):
        given = getattr(law, field)
        size = len(given) if hasattr(given, "__len__") else 0
        checks.set_field(law, field, checks.vector(law.where, field, given, sizes=(size,)))
    if len(law.speeds) != len(law.values) or len(law.speeds) < 2:
        raise ModelError(f"{law.where}: {len(law.speeds)} speeds and {len(law.values)} values; give as many of both, "
                         "two at least")
    if law.speeds[0] != 0.0 or any(b <= a for a, b in zip(law.speeds, law.speeds[1:], strict=False)):
        raise ModelError(f"{law.where}: speeds = {law.speeds} must start at zero and rise")


def _stribeck(slip, p):  # type: ignore[no-untyped-def]
    """Stribeck's curve of p = (static, kinetic, speed, viscous, power)."""
    return p[1] + (p[0] - p[1]) * math.exp(-((slip / p[2]) ** p[4])) + p[3] * slip


def _fading(slip, p):  # type: ignore[no-untyped-def]
    """mu of a spot that spins, of p = (mu, speed)."""
    return p[0] * slip / math.hypot(slip, p[1])


def _table(slip, p):  # type: ignore[no-untyped-def]
    """Straight lines through the speeds in the first half of p and the values in the second."""
    n = len(p) // 2
    low, high = 0, n - 1
    if slip >= p[high]:
        return p[n + high]
    while high - low > 1:
        middle = (low + high) // 2
        if p[middle] <= slip:
            low = middle
        else:
            high = middle
    x = (slip - p[low]) / (p[high] - p[low])
    return (1.0 - x) * p[n + low] + x * p[n + high]
