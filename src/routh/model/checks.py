"""Checks of declared values: each names the element, the field and the number it refuses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from routh.errors import ModelError

Vector = tuple[float, ...]


def name_of(kind: str, name: Any) -> str:
    """A usable name: text without dots or blanks, because paths are built of names."""
    if not isinstance(name, str) or not name:
        raise ModelError(f"{kind}: a name must be non-empty text, not {name!r}")
    if any(c in "./" or c.isspace() or not c.isprintable() for c in name):
        raise ModelError(f'{kind} "{name}": a name may hold no dot, slash, blank or control character; paths are built '
                         "of names")
    return name


def number(where: str, field: str, value: Any) -> float:
    """A finite float."""
    if isinstance(value, bool):
        raise ModelError(f"{where}: {field} = {value!r} is not a number")
    if isinstance(value, str | bytes):
        raise ModelError(f"{where}: {field} = {value!r} is not a number; give one in SI units (model files take units)")
    try:
        x = float(value)
    except (TypeError, ValueError):
        raise ModelError(f"{where}: {field} = {value!r} is not a number") from None
    except OverflowError:
        raise ModelError(f"{where}: {field} is too large for a floating-point number") from None
    if not math.isfinite(x):
        raise ModelError(f"{where}: {field} = {x} is not finite")
    return x


def positive(where: str, field: str, value: Any, *, zero_too: bool = False) -> float:
    """A finite float above zero, or not below it."""
    x = number(where, field, value)
    if x < 0.0 or (x == 0.0 and not zero_too):
        raise ModelError(f"{where}: {field} = {x:g} must be {'zero or ' if zero_too else ''}positive")
    return x


def vector(where: str, field: str, value: Any, *, sizes: tuple[int, ...] = (2, 3)) -> Vector:
    """A tuple of finite floats of one of the given sizes."""
    try:
        items: Sequence[Any] = tuple(value)
    except TypeError:
        raise ModelError(f"{where}: {field} = {value!r} is not a vector") from None
    if len(items) not in sizes:
        wanted = " or ".join(map(str, sizes))
        raise ModelError(f"{where}: {field} = {tuple(items)} has {len(items)} components, expected {wanted}")
    return tuple(number(where, f"{field}[{i}]", x) for i, x in enumerate(items))


def left_out(value: Any) -> bool:
    """Whether an optional vector was left out; asked this way because an array does not compare with ()."""
    return isinstance(value, tuple) and not value


def unit(where: str, field: str, value: Any, *, sizes: tuple[int, ...] = (2, 3)) -> Vector:
    """A direction, scaled to length one."""
    v = vector(where, field, value, sizes=sizes)
    largest = max(map(abs, v))
    if largest > 1e150:  # the length might overflow
        v = tuple(x / largest for x in v)
    length = math.hypot(*v)
    if length < 1e-12:
        raise ModelError(f"{where}: {field} = {v} has no direction; give a vector of non-zero length")
    # a vector that is already a unit vector keeps its digits, so that declarations round-trip
    return v if abs(length - 1.0) < 1e-15 else tuple(x / length for x in v)


def set_field(element: object, field: str, value: Any) -> None:
    """Store a checked value in a frozen declaration while it is being made."""
    object.__setattr__(element, field, value)
