"""Impact laws: frozen values that carry exactly their own parameters.

    Newton   e is a ratio of normal speeds       Poisson  e is a ratio of normal impulses
    Stronge  e² is a ratio of normal works       Brach    Newton's e, and a ratio of impulses

Every law has Coulomb friction `mu` for slip, a number or a coefficient that depends on the slip speed (see
`routh.friction`), and `mu_s >= mu` for stick (equal to mu, at rest, unless given).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from routh.errors import ModelError
from routh.model.friction import Friction

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
    mu: float | Friction
    mu_s: float | None = None

    def __post_init__(self) -> None:
        name = type(self).__name__
        mu = self.rest
        for field, value in (("e", self.e), ("mu", mu), ("mu_s", mu if self.mu_s is None else self.mu_s)):
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
                raise ModelError(f"{name}: {field} = {value!r} is not a finite number")
        if not 0.0 <= self.e <= 1.0:
            raise ModelError(f"{name}: e = {self.e:g} is outside [0, 1]; {_E_MEANS.get(name, 'a ratio')}")
        if mu < 0.0:
            raise ModelError(f"{name}: mu = {mu:g} is negative; friction opposes slip, take mu >= 0")
        if self.mu_s is not None and self.mu_s < mu:
            raise ModelError(
                f"{name}: mu_s = {self.mu_s:g} is below mu = {mu:g}; "
                "static friction is at least the sliding one, leave mu_s out to make them equal"
            )

    @property
    def rest(self) -> float:
        """The friction coefficient of the slowest slip: `mu` itself where it is a number."""
        return self.mu.static if isinstance(self.mu, Friction) else self.mu

    @property
    def static(self) -> float:
        """The friction coefficient of stick."""
        return float(self.rest if self.mu_s is None else self.mu_s)

    def coefficients(self, slip: float) -> tuple[float, float]:
        """(mu, mu_s) at a slip speed [m/s]; where mu grows with the slip, stick holds at least as well."""
        if not isinstance(self.mu, Friction):
            return self.mu, self.static
        mu = self.mu.at(slip)
        return mu, max(mu, self.static)


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
