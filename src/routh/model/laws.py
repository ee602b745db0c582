"""Impact laws: frozen values that carry exactly their own parameters.

    Newton   e is a ratio of normal speeds       Poisson  e is a ratio of normal impulses
    Stronge  e² is a ratio of normal works       Brach    Newton's e, and a ratio of impulses
    Moreau   Newton's e, and friction that belongs to the slip after the impact

e is a number, or a restitution that depends on the approach speed (see `routh.restitution`). Every law has Coulomb friction
`mu` for slip, a number or a coefficient that depends on the slip speed (see `routh.friction`), and `mu_s >= mu` for stick
(equal to mu, at rest, unless given).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from routh.errors import ModelError
from routh.model.friction import Friction
from routh.model.restitution import Restitution

__all__ = ["Brach", "ImpactLaw", "Moreau", "Newton", "Poisson", "Stronge", "stiffness_ratio"]

_E_MEANS = {
    "Newton": "Newton's e is the ratio of normal speeds after and before",
    "Poisson": "Poisson's e is the ratio of normal impulses in restitution and compression",
    "Stronge": "Stronge's e is the square root of the ratio of normal works in restitution and compression",
    "Brach": "Brach's e is the ratio of normal speeds after and before",
    "Moreau": "Moreau's e is the ratio of normal speeds after and before",
}


@dataclass(frozen=True)
class ImpactLaw:
    """Restitution and friction of one contact; use one of its subclasses."""

    e: float | Restitution
    mu: float | Friction
    mu_s: float | None = None

    def __post_init__(self) -> None:
        name = type(self).__name__
        mu = self.rest
        e: Any = self.e if not isinstance(self.e, Restitution) or type(self.e) is Restitution else self.e.at(0.0)
        for field, value in (("e", e), ("mu", mu), ("mu_s", mu if self.mu_s is None else self.mu_s)):
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
                raise ModelError(f"{name}: {field} = {value!r} is not a finite number")
        if not 0.0 <= e <= 1.0:
            raise ModelError(f"{name}: e = {e:g} is outside [0, 1]; {_E_MEANS.get(name, 'a ratio')}")
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

    def restitution(self, speed: float) -> float:
        """e of an impact with a normal approach speed [m/s]."""
        return self.e.at(speed) if isinstance(self.e, Restitution) else self.e

    def coefficients(self, slip: float) -> tuple[float, float]:
        """(mu, mu_s) at a slip speed [m/s]; where mu grows with the slip, stick holds at least as well."""
        if not isinstance(self.mu, Friction):
            return self.mu, self.static
        mu = self.mu.at(slip)
        return mu, max(mu, self.static)


@dataclass(frozen=True)
class Newton(ImpactLaw):
    """Newton's law: the normal speed after is e times that before. It can create energy when slip stops during the impact.

    Parameters
    ----------
    e
        Restitution, 0 to 1: a number, or `restitution.PowerLaw`, `Plastic`, `Table`, `Law` over the approach speed.
    mu
        Friction coefficient: a number, or `friction.Stribeck`, `Table`, `Law` over the slip speed.
    mu_s
        Static friction. Default: mu.
    form
        "marched" follows the slip during the impact; "algebraic" tests whether the contact sticks, else it slides as before.

    Examples
    --------
    >>> rt.resolve_impact(np.diag([1.0, 3.0]), [-2.0, 0.0], rt.Newton(e=0.5, mu=0.3)).velocity[0]
    np.float64(1.0)
    """

    form: Literal["marched", "algebraic"] = "marched"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in ("marched", "algebraic"):
            raise ModelError(f'Newton: form = {self.form!r} is unknown; take "marched" or "algebraic"')


@dataclass(frozen=True)
class Poisson(ImpactLaw):
    """Poisson's law: the normal impulse of restitution is e times that of compression. Never creates energy.

    Parameters
    ----------
    e, mu, mu_s
        As of `Newton`.

    Examples
    --------
    >>> rt.resolve_impact(np.diag([1.0, 3.0]), [-2.0, 0.0], rt.Poisson(e=0.5, mu=0.3)).impulse[0]
    np.float64(3.0)
    """


@dataclass(frozen=True)
class Stronge(ImpactLaw):
    """Stronge's law: the normal impulse returns e² of the work it took in compression. Never creates energy.

    Parameters
    ----------
    e, mu, mu_s
        As of `Newton`.
    tangential_stiffness
        Stiffness of the contact along the tangent over that along the normal. With it, the tangent is a spring behind a
        Coulomb slider, whose rebound can reverse the slip (Stronge's lumped model): rubber balls, billiard balls at steep
        angles. `stiffness_ratio` gives it for solids; there is no mu_s then. Default: the tangent is rigid.

    Examples
    --------
    >>> hit = rt.resolve_impact(np.diag([1.0, 3.0]), [-2.0, 0.0], rt.Stronge(e=0.5, mu=0.3))
    >>> round(hit.energy_lost, 6)                                        # (1 - e²) v² / 2 [J]
    1.5
    """

    tangential_stiffness: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        k = self.tangential_stiffness
        if k is None:
            return
        if isinstance(k, bool) or not isinstance(k, int | float) or not (math.isfinite(k) and k > 0.0):
            raise ModelError(f"Stronge: tangential_stiffness = {k!r} must be a positive number; it is the ratio of tangential "
                             "to normal stiffness, 0.6 to 1 for solids")
        if self.mu_s is not None and self.mu_s != self.rest:
            raise ModelError(f"Stronge: mu_s = {self.mu_s:g} differs from mu; with tangential_stiffness the slider has one "
                             "coefficient, leave mu_s out")


@dataclass(frozen=True)
class Brach(ImpactLaw):
    """Brach's law: v_n⁺ = -e v_n and v_t⁺ = -e_t v_t while the impulse ratio |p_t| / p_n is within mu_s, else it is mu.

    Parameters
    ----------
    e, mu, mu_s
        As of `Newton`.
    e_t
        Tangential restitution: 0 stops the slip, above 0 reverses it (a superball), -1 leaves it. Default: 0.

    Examples
    --------
    >>> rt.resolve_impact(np.diag([1.0, 1.0]), [-2.0, 0.1], rt.Brach(e=0.5, mu=0.3, e_t=0.5)).velocity.round(6).tolist()
    [1.0, -0.05]
    """

    e_t: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (math.isfinite(self.e_t) and -1.0 <= self.e_t <= 1.0):
            raise ModelError(f"Brach: e_t = {self.e_t:g} is outside [-1, 1]; it is the ratio -v_t⁺ / v_t")


@dataclass(frozen=True)
class Moreau(ImpactLaw):
    """Moreau's rule: v_n⁺ = -e v_n, and Coulomb's law between the whole impulse and the slip v_t⁺ after it. There is no path.

    It is the rule of `impacts="simultaneous"` and of the stepping engine, for one contact as for several. It can create energy.

    Parameters
    ----------
    e, mu, mu_s
        As of `Newton`.

    Examples
    --------
    >>> hit = rt.resolve_impact([[1.0, 0.6], [0.6, 1.0]], [-1.0, -0.2], rt.Moreau(e=0.5, mu=0.3))
    >>> hit.velocity.round(4).tolist(), hit.impulse.round(4).tolist()               # friction against the slip after
    ([0.5, 0.3488], [1.8293, -0.5488])
    """


def stiffness_ratio(young: tuple[float, float], poisson: tuple[float, float]) -> float:
    """Tangential over normal stiffness of two elastic solids in contact, from Young's moduli [Pa] and Poisson's ratios.

    Mindlin's tangential stiffness 8 G a over Hertz's normal one 2 E a, with the effective moduli of both bodies; the radius a
    of the contact drops out. For equal bodies it is 2 (1 - nu) / (2 - nu). See [mindlin1949].

    >>> rt.Stronge(e=0.98, mu=0.09, tangential_stiffness=laws.stiffness_ratio((380e9, 70e9), (0.23, 0.25)))
    """
    compliance = shear = 0.0
    for E, nu in zip(young, poisson, strict=True):
        if not (math.isfinite(E) and E > 0.0):
            raise ModelError(f"stiffness_ratio: Young's modulus {E!r} must be a positive number")
        if not -1.0 < nu <= 0.5:
            raise ModelError(f"stiffness_ratio: Poisson's ratio {nu!r} is outside (-1, 0.5]")
        compliance += (1.0 - nu * nu) / E
        shear += (2.0 - nu) * 2.0 * (1.0 + nu) / E
    return 4.0 * compliance / shear
