"""Numbers with units: "5 kN/m" as a float in SI, checked against the unit that a field expects.

Metres, kilograms, seconds, and radians: an angle is a dimension of its own here, so that "5 Hz" cannot pass for a rate in
rad/s, nor "30 deg" for a friction coefficient. Arithmetic is exact until the last rounding: "20 cm" is the float 0.2.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from routh.errors import did_you_mean

__all__ = ["UnitError", "in_si", "unit_of"]

LONGEST = 80           # characters of a number with its unit
DECADES = 400          # largest power of ten: more is no float, and exact arithmetic with it takes for ever


class UnitError(ValueError):
    """A text that is no number with a unit, or has the wrong one."""


@dataclass(frozen=True)
class Unit:
    """factor · π^turns in SI; `powers` of metre, kilogram, second, radian."""

    factor: Fraction
    powers: tuple[int, int, int, int]
    turns: int = 0

    def times(self, other: Unit, power: int) -> Unit:
        """This unit times a power of another."""
        powers = tuple(p + power * q for p, q in zip(self.powers, other.powers, strict=True))
        return Unit(self.factor * other.factor**power, powers, self.turns + power * other.turns)  # type: ignore[arg-type]


NONE = Unit(Fraction(1), (0, 0, 0, 0))
_KNOWN = {
    "1": NONE, "%": Unit(Fraction(1, 100), NONE.powers),
    "m": Unit(Fraction(1), (1, 0, 0, 0)), "g": Unit(Fraction(1, 1000), (0, 1, 0, 0)), "s": Unit(Fraction(1), (0, 0, 1, 0)),
    "rad": Unit(Fraction(1), (0, 0, 0, 1)), "deg": Unit(Fraction(1, 180), (0, 0, 0, 1), 1),
    "rev": Unit(Fraction(2), (0, 0, 0, 1), 1), "rpm": Unit(Fraction(2, 60), (0, 0, -1, 1), 1),
    "N": Unit(Fraction(1), (1, 1, -2, 0)), "J": Unit(Fraction(1), (2, 1, -2, 0)), "W": Unit(Fraction(1), (2, 1, -3, 0)),
    "Pa": Unit(Fraction(1), (-1, 1, -2, 0)), "Hz": Unit(Fraction(1), (0, 0, -1, 0)),
    "min": Unit(Fraction(60), (0, 0, 1, 0)), "h": Unit(Fraction(3600), (0, 0, 1, 0)),
    "t": Unit(Fraction(1000), (0, 1, 0, 0)), "bar": Unit(Fraction(100_000), (-1, 1, -2, 0)),
    "in": Unit(Fraction(254, 10_000), (1, 0, 0, 0)), "ft": Unit(Fraction(3048, 10_000), (1, 0, 0, 0)),
    "lb": Unit(Fraction(45_359_237, 100_000_000), (0, 1, 0, 0)),
    "lbf": Unit(Fraction(45_359_237, 100_000_000) * Fraction(980_665, 100_000), (1, 1, -2, 0)),
}  # fmt: skip
_PREFIXES = {"n": -9, "µ": -6, "μ": -6, "u": -6, "m": -3, "c": -2, "d": -1, "k": 3, "M": 6, "G": 9}
_TAKES_PREFIX = ("m", "g", "s", "rad", "N", "J", "W", "Pa", "Hz")
_UNITS = {p + name: _KNOWN[name].times(Unit(Fraction(10), NONE.powers), n)
          for name in _TAKES_PREFIX for p, n in _PREFIXES.items()} | _KNOWN | {"°": _KNOWN["deg"]}

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?)\s*", re.ASCII)
_FACTOR = re.compile(r"\s*([*·/]?)\s*([A-Za-zµμ°%]+|1)(?:(?:\^|\*\*)?([+-]?\d)|([⁻]?[²³¹⁴])|(?!\d))", re.ASCII)
_RAISED = str.maketrans("⁻¹²³⁴", "-1234")


def in_si(text: str, expected: str) -> float:
    """The number that `text` means in SI, where the unit `expected` belongs: in_si("5 kN/m", "N/m") is 5000.0."""
    found = _NUMBER.match(text) if len(text) <= LONGEST else None
    if found is None:
        raise UnitError(f'{_shown(text)} is not a number with a unit, such as "2.5 {expected}"' if expected != "1" else
                        f"{_shown(text)} is not a number")
    rest = text[found.end():].strip()
    wanted = unit_of(expected)
    if not rest and wanted.powers != NONE.powers:
        raise UnitError(f'{_shown(text)} has no unit; write "{found[1]} {expected}", or the bare number for SI')
    unit = unit_of(rest or "1")
    if unit.powers != wanted.powers:
        raise UnitError(f"{_shown(text)} has the wrong unit; this is a quantity in {expected}" if expected != "1" else
                        f"{_shown(text)} has a unit, but this is a plain number")
    if abs(int((found[2] or "0")[:9])) > DECADES:
        raise UnitError(f"{_shown(text)} is too large or too small for a floating-point number")
    try:
        return float(Fraction(found[1]) * unit.factor) * math.pi**unit.turns
    except OverflowError:
        raise UnitError(f"{_shown(text)} is too large for a floating-point number") from None


@lru_cache(maxsize=512)
def unit_of(text: str) -> Unit:
    """The unit that a text such as "kg m^2", "N·m/rad" or "m/s²" means."""
    unit, at, divided = NONE, 0, False
    while at < len(text):
        found = _FACTOR.match(text, at)
        if found is None:
            raise UnitError(f'{_shown(text)} is not a unit; write one like "N m/rad" or "kg m^2"')
        operator, name, power, raised = found.groups()
        if name not in _UNITS:
            raise UnitError(f'no unit "{name[:20]}"' + did_you_mean(name, _UNITS))
        if divided and operator != "/":
            raise UnitError(f'{_shown(text)} is ambiguous: is what follows the slash divided? Write "N s/m" or "N/m/s"')
        divided = divided or operator == "/"
        n = int(power or (raised or "1").translate(_RAISED))
        unit, at = unit.times(_UNITS[name], -n if operator == "/" else n), found.end()
    return unit


def _shown(text: str) -> str:
    return f'"{text}"' if len(text) <= LONGEST else f'"{text[:30]}..." ({len(text)} characters)'
