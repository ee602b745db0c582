"""Impulses at a given instant whose size is known, such as a shot, a hammer or a parting charge.

| impulse | acts | unit |
|---|---|---|
| `Impulse` | at a point of a body | N s |
| `AngularImpulse` | on a body | N m s |

Velocities jump at that instant, joints answer with reaction impulses, and closed contacts push back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector

__all__ = ["AngularImpulse", "Impulse", "ScheduledImpulse"]


@dataclass(frozen=True)
class ScheduledImpulse:
    """What both share: a name, the body, the instant `at` [s]."""

    name: str
    body: str
    at: float

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'impulse "{self.name}"'

    def __post_init__(self) -> None:
        checks.name_of("impulse", self.name)
        checks.set_field(self, "at", checks.number(self.where, "at", self.at))


@dataclass(frozen=True)
class Impulse(ScheduledImpulse):
    """`impulse` [N s] at `point` of `body`, a vector in world axes, or in the body's if it `follows`."""

    impulse: Vector = ()
    point: Vector = ()
    follows: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if checks.left_out(self.impulse):
            raise ModelError(f"{self.where}: give a vector of impulse in N s")
        checks.set_field(self, "impulse", checks.vector(self.where, "impulse", self.impulse))
        if not checks.left_out(self.point):
            checks.set_field(self, "point", checks.vector(self.where, "point", self.point))


@dataclass(frozen=True)
class AngularImpulse(ScheduledImpulse):
    """`impulse` [N m s] on `body`: a number in the plane, a vector in space (world axes, or the body's if it `follows`)."""

    impulse: Any = None
    follows: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.impulse is None:
            raise ModelError(f"{self.where}: give a moment of impulse in N m s")
        value: Any = (checks.vector(self.where, "impulse", self.impulse, sizes=(3,)) if hasattr(self.impulse, "__len__")
                      else checks.number(self.where, "impulse", self.impulse))
        checks.set_field(self, "impulse", value)
