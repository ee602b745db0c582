"""A joint coordinate prescribed as a function of time; the force or torque it takes is a channel."""

from __future__ import annotations

from dataclasses import dataclass

from routh.errors import ModelError
from routh.model import checks
from routh.model.profiles import Profile

__all__ = ["Driver"]


@dataclass(frozen=True)
class Driver:
    """Prescribes a joint coordinate as a function of time.

    Channel `"<name>.force"` is the force [N] or moment [N m] that the motion needs.

    Parameters
    ----------
    name
        Of the driver.
    coordinate
        Such as "crank.angle"; "crank" where the joint has one coordinate.
    motion
        A profile with continuous speed [rad or m over s].

    Examples
    --------
    >>> rt.Driver("motor", "crank.angle", profiles.SmoothRamp(rate=10.0, ramp_time=0.5)).coordinate
    'crank.angle'
    """

    name: str
    coordinate: str
    motion: Profile

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'driver "{self.name}"'

    def __post_init__(self) -> None:
        checks.name_of("driver", self.name)
        if not isinstance(self.motion, Profile):
            raise ModelError(f"{self.where}: motion = {self.motion!r} is not a profile; see routh.profiles")
        if self.motion.smoothness() < 1:
            raise ModelError(f"{self.where}: {type(self.motion).__name__} has a jump in speed, which takes an infinite "
                             "force; use SmoothRamp, CubicStep, Polynomial, Sine or Table")
