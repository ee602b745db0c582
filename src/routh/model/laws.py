"""Impact laws: frozen values that carry exactly their own parameters.

    Newton   e is a ratio of normal speeds       Poisson  e is a ratio of normal impulses
    Stronge  e² is a ratio of normal works       Brach    Newton's e, and a ratio of impulses

Every law has Coulomb friction `mu` for slip, and `mu_s >= mu` for stick (equal to mu unless given).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from routh.errors import ModelError

__all__ = ["Brach", "ImpactLaw", "Newton", "Poisson", "Stronge"]

_E_MEANS = {
    "Newton": "Newton's e is the ratio of normal speeds after and before",
    "Poisson": "Poisson's e is the ratio of normal impulses in restitution and compression",
    "Stronge": "Stronge's e is the square root of the ratio of normal works in restitution and compression",
    "Brach": "Brach's e is the ratio of normal speeds after and before",
}


@dataclass(frozen=True)
class ImpactLaw:
    """Restitution and friction of one contact; use one of its four subclasses."""

    e: float
    mu: float
    mu_s: float | None = None

    def __post_init__(self) -> None:
        name = type(self).__name__
        for field in ("e", "mu"):
            value = getattr(self, field)
            if not isinstance(value, (int, float)) or not math.isfinite(value):
                raise ModelError(f"{name}: {field} = {value!r} is not a finite number")
        if not 0.0 <= self.e <= 1.0:
            raise ModelError(f"{name}: e = {self.e:g} is outside [0, 1]; {_E_MEANS.get(name, 'a ratio')}")
        if self.mu < 0.0:
            raise ModelError(f"{name}: mu = {self.mu:g} is negative; friction opposes slip, take mu >= 0")
        if self.mu_s is not None and not (math.isfinite(self.mu_s) and self.mu_s >= self.mu):
            raise ModelError(
                f"{name}: mu_s = {self.mu_s:g} is below mu = {self.mu:g}; "
                "static friction is at least the sliding one, leave mu_s out to make them equal"
            )

    @property
    def static(self) -> float:
        """The friction coefficient of stick."""
        return float(self.mu if self.mu_s is None else self.mu_s)


@dataclass(frozen=True)
class Newton(ImpactLaw):
    """v_n⁺ = -e v_n. `form="marched"` follows the slip; "algebraic" tests stick, else slides as it came."""

    form: Literal["marched", "algebraic"] = "marched"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in ("marched", "algebraic"):
            raise ModelError(f'Newton: form = {self.form!r} is unknown; take "marched" or "algebraic"')


@dataclass(frozen=True)
class Poisson(ImpactLaw):
    """The normal impulse of restitution is e times that of compression. Never creates energy."""


@dataclass(frozen=True)
class Stronge(ImpactLaw):
    """The normal impulse returns e² of the work it took in compression. Never creates energy."""


@dataclass(frozen=True)
class Brach(ImpactLaw):
    """v_n⁺ = -e v_n and v_t⁺ = -e_t v_t as long as the impulse ratio |p_t| / p_n stays within mu_s, else mu.

    e_t = 0 stops the slip, e_t > 0 reverses it (a superball), e_t = -1 leaves it alone.
    """

    e_t: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (math.isfinite(self.e_t) and -1.0 <= self.e_t <= 1.0):
            raise ModelError(f"Brach: e_t = {self.e_t:g} is outside [-1, 1]; it is the ratio -v_t⁺ / v_t")
