"""Compliant laws: two shapes overlap a little, and push each other apart by how much they do.

Depth d, its rate d', both along the normal; every law is cut at zero, because surfaces push and never pull.

| normal law | force | damping |
|---|---|---|
| `Linear(k, c)` | k d + c d' | given |
| `KhuliefShabana(k, e, mass)` | k d + c d' | from e, by the energy that a damper takes along the undamped motion |
| `Hertz(k)` | k d^power | none |
| `HuntCrossley(k, chi)` | k d^power (1 + chi d') | given |
| `LankaraniNikravesh(k, e)` | the same | chi = 3 (1 - e²) / (4 v) |
| `Flores(k, e)` | the same | chi = 8 (1 - e) / (5 e v) |
| `AdamsImpact(k, c, depth)` | k d^power + c(d) d' | c(d) rises from 0 to c over a depth, by s²(3 - 2s) |
| `WaltonBraun(k, k_unload)` | k d, then back along a steeper line | by the loop of loading and unloading |
| `Law(function, k)` | function(d, d', parameters) | a Python function of the user's own, compiled |

LankaraniNikravesh and Flores take v, the speed of approach, from each impact itself, or from you.
`law.restitution(speed, mass)` tells in advance what a law gives, `for_restitution` finds the damping that gives what you want.
The friction beside them is one of `routh.friction`: Regularised, LuGre or Stiction.
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
from routh.model.friction import ContactFriction, Rolling

__all__ = [
    "AdamsImpact", "Compliant", "Flores", "Hertz", "HuntCrossley", "KhuliefShabana", "LankaraniNikravesh", "Law", "Linear",
    "NormalLaw", "WaltonBraun", "hertz_stiffness",
]


def hertz_stiffness(radii: Vector, moduli: Vector, poisson: Vector) -> float:
    """k of F = k d^1.5 between two elastic spheres [N/m^1.5], by Hertz: 4/3 E* √R*.

    `radii` [m], `math.inf` for a flat surface; Young's `moduli` [Pa], `math.inf` for a rigid one; Poisson's ratios.
    """
    where = "hertz_stiffness"
    curved, soft = [], []
    for i in range(2):
        try:
            radius, modulus = float(radii[i]), float(moduli[i])
        except (TypeError, ValueError, IndexError):
            raise ModelError(f"{where}: radii = {radii!r} and moduli = {moduli!r} must be two numbers each") from None
        ratio = checks.vector(where, "poisson", poisson, sizes=(2,))[i]
        if not radius > 0.0 or not modulus > 0.0 or not -1.0 < ratio <= 0.5:
            raise ModelError(f"{where}: radius = {radius:g} m, modulus = {modulus:g} Pa, ratio = {ratio:g}; take positive "
                             "radii and moduli, and a Poisson's ratio in (-1, 0.5]")
        curved.append(1.0 / radius)
        soft.append((1.0 - ratio * ratio) / modulus)
    if sum(curved) == 0.0 or sum(soft) == 0.0:
        raise ModelError(f"{where}: {'both surfaces are flat' if sum(curved) == 0.0 else 'both bodies are rigid'}, so there is "
                         "no Hertzian contact between them")
    return 4.0 / 3.0 / sum(soft) / math.sqrt(sum(curved))


class NormalLaw:
    """A normal force over depth and its rate; use one of the laws of this module."""

    k: float

    @property
    def where(self) -> str:
        """How messages call this law."""
        return f"compliant {type(self).__name__}"

    def _check(self, *fields: str, zero_too: tuple[str, ...] = ()) -> None:
        for field in fields:
            value = checks.positive(self.where, field, getattr(self, field), zero_too=field in zero_too)
            checks.set_field(self, field, value)

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        """v_after / v_before that the law gives a free impact at `speed` [m/s], with nothing but the contact at work.

        1/mass is the sum of both bodies' 1/m; only linear laws depend on it.
        """
        raise TypeError(f"{type(self).__name__} must say its restitution")


@dataclass(frozen=True)
class Linear(NormalLaw):
    """k d + c d', cut at zero. With damping the force jumps to c v at first touch, and ends before the overlap does."""

    k: float
    c: float = 0.0

    def __post_init__(self) -> None:
        self._check("k", "c", zero_too=("c",))

    @classmethod
    def for_restitution(cls, k: float, e: float, mass: float) -> Linear:
        """The damping that gives a free impact of the reduced `mass` exactly the restitution e."""
        where = "compliant Linear"
        k, mass, e = checks.positive(where, "k", k), checks.positive(where, "mass", mass), _restitution(where, e, zero=False)
        return cls(k, 2.0 * math.sqrt(k * mass) * _rising(lambda x: -_linear_log_e(x), -math.log(e), 0.0, 1e8))

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        mass = checks.positive(self.where, "mass", mass)
        return math.exp(_linear_log_e(self.c / (2.0 * math.sqrt(self.k * mass))))


@dataclass(frozen=True)
class KhuliefShabana(NormalLaw):
    """A linear spring and damper that act while the shapes touch, sized by the balance of energy.

    A free impact of the reduced `mass` shall lose (1 - e²) of its energy; what the damper takes is computed along the
    undamped half wave: π c v² √(mass/k) / 2. So c = (1 - e²) √(k mass) / π, and the restitution obtained differs from e the
    more, the smaller e is.
    """

    k: float
    e: float
    mass: float

    def __post_init__(self) -> None:
        self._check("k", "mass")
        checks.set_field(self, "e", _restitution(self.where, self.e))

    @property
    def c(self) -> float:
        """Damping [N s/m]."""
        return (1.0 - self.e * self.e) * math.sqrt(self.k * self.mass) / math.pi

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        return Linear(self.k, self.c).restitution(speed, self.mass if math.isnan(mass) else mass)


@dataclass(frozen=True)
class Hertz(NormalLaw):
    """k d^power, without loss. For elastic spheres the power is 1.5 and k = `hertz_stiffness(...)`."""

    k: float
    power: float = 1.5

    def __post_init__(self) -> None:
        self._check("k")
        _check_power(self)

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        return 1.0


@dataclass(frozen=True)
class HuntCrossley(NormalLaw):
    """k d^power (1 + chi d'): the loss grows with depth, so the force neither jumps nor pulls. chi in s/m.

    Restitution falls with the speed, e ≈ 1 - 2/3 chi v while that is small.
    """

    k: float
    chi: float
    power: float = 1.5

    def __post_init__(self) -> None:
        self._check("k", "chi", zero_too=("chi",))
        _check_power(self)

    @classmethod
    def for_restitution(cls, k: float, e: float, speed: float, power: float = 1.5) -> HuntCrossley:
        """The damping that gives a free impact at `speed` [m/s] exactly the restitution e, whatever the mass."""
        where = "compliant HuntCrossley"
        speed, e = checks.positive(where, "speed", speed), _restitution(where, e, zero=False)
        d = _rising(lambda d: 1.0 - _power_restitution(d), 1.0 - e, 0.0, 1e8)
        return cls(k, d / speed, power)

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        return _power_restitution(self.chi * checks.positive(self.where, "speed", speed, zero_too=True))


@dataclass(frozen=True)
class _ByRestitution(NormalLaw):
    """k d^power (1 + chi d') with chi = factor(e) / v; v is `speed`, or that of each impact where it is left out.

    A contact that begins slower than `slow` [m/s] is damped as one that begins at `slow`: laid down without speed, it would
    be damped without bound.
    """

    k: float
    e: float
    power: float = 1.5
    speed: float | None = None
    slow: float = 1e-3

    def __post_init__(self) -> None:
        self._check("k", "slow")
        if self.speed is not None:
            self._check("speed")
        _check_power(self)
        checks.set_field(self, "e", _restitution(self.where, self.e))
        if not math.isfinite(self.factor):
            raise ModelError(f"{self.where}: e = {self.e:g} needs damping without bound; take e > 0, or LankaraniNikravesh")

    @property
    def factor(self) -> float:
        """chi times the speed of approach."""
        raise TypeError(f"{type(self).__name__} must say its damping")

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        speed = checks.positive(self.where, "speed", speed, zero_too=True)
        return _power_restitution(self.factor * speed / (self.speed if self.speed is not None else max(speed, self.slow)))


@dataclass(frozen=True)
class LankaraniNikravesh(_ByRestitution):
    """chi = 3 (1 - e²) / (4 v): balance of energy for e near one [lankarani1990]. For e = 0 it still bounces, with 0.66."""

    @property
    def factor(self) -> float:
        return 0.75 * (1.0 - self.e * self.e)


@dataclass(frozen=True)
class Flores(_ByRestitution):
    """chi = 8 (1 - e) / (5 e v): made for all e, and for soft materials [flores2011]."""

    @property
    def factor(self) -> float:
        return 1.6 * (1.0 - self.e) / self.e if self.e > 0.0 else math.inf


@dataclass(frozen=True)
class AdamsImpact(NormalLaw):
    """k d^power + c(d) d', cut at zero: the contact force of ADAMS' IMPACT function.

    c(d) = c s²(3 - 2s), s = d / depth, and c beyond. The damping sets in with the depth [m], so the force does not jump at
    first touch. c in N s/m.
    """

    k: float
    c: float
    depth: float
    power: float = 1.5

    def __post_init__(self) -> None:
        self._check("k", "c", "depth", zero_too=("c",))
        _check_power(self)

    def force(self, depth: float, rate: float) -> float:
        """Normal force at a depth >= 0 and its rate, before it is cut at zero."""
        s = min(depth / self.depth, 1.0)
        return self.k * depth**self.power + self.c * s * s * (3.0 - 2.0 * s) * rate

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        return _integrated(self.where, self.force, speed, mass, self.k, self.power)


@dataclass(frozen=True)
class WaltonBraun(NormalLaw):
    """k d while the depth grows, then back along a steeper line of slope `k_unload`: plastic deformation [walton1986].

    The force ends at the depth d_max (1 - k / k_unload), where the surfaces still overlap. A contact that is pressed again
    before it is open follows the steep line up to its greatest depth d_max, so small hops within the dent lose nothing.
    One that has been open begins anew. Restitution is √(k / k_unload) at every speed. k and k_unload in N/m.

    >>> compliant.WaltonBraun.for_restitution(1e6, e=0.5).k_unload
    4000000.0
    """

    k: float
    k_unload: float

    def __post_init__(self) -> None:
        self._check("k", "k_unload")
        if self.k_unload < self.k:
            raise ModelError(f"{self.where}: k_unload = {self.k_unload:g} N/m is below k = {self.k:g} N/m; unloading would "
                             "give back more than loading took")

    @classmethod
    def for_restitution(cls, k: float, e: float) -> WaltonBraun:
        """The unloading stiffness k / e² that gives a free impact the restitution e."""
        e = _restitution("compliant WaltonBraun", e, zero=False)
        return cls(k, k / e**2)

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        return math.sqrt(self.k / self.k_unload)


@dataclass(frozen=True)
class Law(NormalLaw):
    """function(d, d', parameters), cut at zero: a Python function, compiled. `k` [N/m] is about its stiffness, for step sizes.

    What it stores cannot be known, so all of its work counts as hysteresis in the energy account. At most eight parameters.
    """

    function: Callable[..., float]
    k: float
    parameters: Vector = ()

    def __post_init__(self) -> None:
        self._check("k")
        if not callable(self.function):
            raise ModelError(f"{self.where}: function = {self.function!r} is not a function")
        values = checks.vector(self.where, "parameters", self.parameters, sizes=tuple(range(9)))
        checks.set_field(self, "parameters", values)

    def force(self, depth: float, rate: float) -> float:
        """Normal force at a depth >= 0 and its rate, before it is cut at zero."""
        return float(getattr(self.function, "py_func", self.function)(depth, rate, np.array(self.parameters)))

    def restitution(self, speed: float, mass: float = math.nan) -> float:
        return _integrated(self.where, self.force, speed, mass, self.k, 1.0)


@dataclass(frozen=True)
class Compliant:
    """The law of a compliant contact: a normal force over the overlap and, optionally, friction.

    Parameters
    ----------
    normal
        `compliant.Linear`, `Hertz`, `HuntCrossley`, `LankaraniNikravesh`, `Flores`, `KhuliefShabana`, `AdamsImpact`,
        `WaltonBraun`, or `Law`.
    friction
        `friction.Regularised`, `LuGre` or `Stiction`. Default: none.
    rolling
        `friction.Rolling`: moments against rolling and drilling. Event-driven engine only. Default: none.

    Examples
    --------
    >>> steel = rt.Compliant(normal=compliant.HuntCrossley.for_restitution(1e9, e=0.7, speed=1.0),
    ...                      friction=friction.Regularised(mu=0.2, v_reg=1e-3))
    >>> round(steel.normal.restitution(speed=1.0), 3)
    0.7
    """

    normal: NormalLaw
    friction: ContactFriction | None = None
    rolling: Rolling | None = None

    def __post_init__(self) -> None:
        if self.rolling is not None and not isinstance(self.rolling, Rolling):
            raise ModelError(f"compliant: rolling = {self.rolling!r} is no friction.Rolling(rolling=...), or leave it out")
        if not isinstance(self.normal, NormalLaw) or type(self.normal) in (NormalLaw, _ByRestitution):
            raise ModelError(f"compliant: normal = {self.normal!r} is not a normal law; take one of routh.compliant, such as "
                             "Hertz(k=1e9)")
        known = isinstance(self.friction, ContactFriction) and type(self.friction) is not ContactFriction
        if self.friction is not None and not known:
            raise ModelError(f"compliant: friction = {self.friction!r} is no friction of a compliant contact; take "
                             "friction.Regularised, LuGre or Stiction, or leave it out")


def _integrated(where: str, force: Callable[[float, float], float], speed: float, mass: float, k: float, power: float) -> float:
    """e of a free impact at `speed` of a reduced `mass`, by integration until the force or the depth ends."""
    from scipy.integrate import solve_ivp

    speed, mass = checks.positive(where, "speed", speed), checks.positive(where, "mass", mass)
    scale = (mass * speed * speed / k) ** (1.0 / (power + 1.0))  # about the greatest depth

    def rates(t: float, y: Any) -> list[float]:
        return [y[1], -max(force(max(float(y[0]), 0.0), float(y[1])), 0.0) / mass]

    def ends(t: float, y: Any) -> float:
        left = force(max(float(y[0]), 0.0), float(y[1])) * scale / (mass * speed * speed)
        return min(float(y[0]), left) if y[1] < 0.0 else 1.0

    ends.terminal = True  # type: ignore[attr-defined]
    run = solve_ivp(rates, (0.0, 1e4 * scale / speed), [0.0, speed], events=ends, rtol=1e-10, atol=1e-12 * scale,
                    max_step=scale / speed)
    return float(max(-run.y[1, -1], 0.0) / speed)


def _check_power(law: Any) -> None:
    checks.set_field(law, "power", checks.number(law.where, "power", law.power))
    if not 1.0 <= law.power <= 4.0:
        raise ModelError(f"{law.where}: power = {law.power:g} is outside [1, 4]; 1.5 is Hertz's, 1 a linear spring")


def _restitution(where: str, e: Any, *, zero: bool = True) -> float:
    e = checks.number(where, "e", e)
    if not (0.0 <= e <= 1.0 if zero else 0.0 < e <= 1.0):
        raise ModelError(f"{where}: e = {e:g} is outside {'[' if zero else '('}0, 1]; it is the ratio of normal speeds after "
                         "and before")
    return e


def _linear_log_e(zeta: float) -> float:
    """ln e of a spring and damper that part where the force is zero; zeta is the damping against the critical one.

    With cos a = zeta the acceleration vanishes after the phase 2 a, and there x' = -v exp(-2 a / tan a).
    """
    if zeta == 0.0:
        return 0.0
    if abs(zeta - 1.0) < 1e-9:
        return -2.0
    a = math.acos(zeta) if zeta < 1.0 else math.acosh(zeta)
    return -2.0 * a / (math.tan(a) if zeta < 1.0 else math.tanh(a))


def _power_restitution(d: float) -> float:
    """e of k x^n (1 + chi x') with d = chi v: the root of d (1 + e) = ln((1 + d) / (1 - e d)), for every k, n and mass.

    It is where ∫ v dv / (1 + chi v) from -e v to v vanishes, the depth being the same at touch and release.
    """
    if d < 1e-5:
        return 1.0 - 2.0 / 3.0 * d  # what follows is of the order d², the equation's round-off
    low, high = 0.0, min(1.0, 1.0 / d)
    while True:
        e = 0.5 * (low + high)
        if e in (low, high):
            return e
        if d * (1.0 + e) - math.log1p(d) + math.log1p(-e * d) > 0.0:
            low = e
        else:
            high = e


def _rising(function: Callable[[float], float], value: float, low: float, high: float) -> float:
    """The argument at which a function that rises from zero reaches `value`, by bisection."""
    while True:
        x = 0.5 * (low + high)
        if x in (low, high):
            return x
        if function(x) < value:
            low = x
        else:
            high = x
