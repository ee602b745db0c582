"""Dry friction of a joint: a limit that the friction cannot exceed. Below it the joint sticks, at it the joint slides.

| given | limit |
|---|---|
| `torque` or `force` | the torque or force itself |
| `mu`, with the `radius` of the pin where the joint turns | mu N (times the radius); N is the reaction force and `preload` |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from routh.errors import ModelError
from routh.model import checks

__all__ = ["DryFriction"]


@dataclass(frozen=True)
class DryFriction:
    """Coulomb friction in a joint, with true stiction.

    A joint that turns is given `torque`, or `mu` with the `radius` of its pin; one that moves along is given `force`, or `mu`;
    a `Cylindrical` joint `mu` and `radius`. With `mu` the normal force is the reaction of the joint, to which `preload` adds.

    Parameters
    ----------
    mu
        Coefficient of friction while sliding.
    radius
        Of the pin, where friction acts [m].
    preload
        Normal force without load [N]. Default: 0.
    torque, force
        A constant limit instead of `mu` [N m, N].
    stiction
        Limit at rest over limit while sliding, 1 or more. Default: 1.
    length
        Distance of the two ends of a long bearing [m]. They share the reaction moment, too: a slider that is pushed aside jams.
        Default: the moment does not count.

    Examples
    --------
    >>> joints.DryFriction(mu=0.2, radius=0.005, preload=100.0)
    DryFriction(mu=0.2, radius=0.005, preload=100.0, torque=None, force=None, stiction=1.0, length=None)
    """

    mu: float | None = None
    radius: float | None = None
    preload: float = 0.0
    torque: float | None = None
    force: float | None = None
    stiction: float = 1.0
    length: float | None = None

    def __post_init__(self) -> None:
        where = "friction"
        for name in ("mu", "radius", "torque", "force", "length"):
            if getattr(self, name) is not None:
                checks.set_field(self, name, checks.positive(where, name, getattr(self, name)))
        checks.set_field(self, "preload", checks.positive(where, "preload", self.preload, zero_too=True))
        checks.set_field(self, "stiction", checks.number(where, "stiction", self.stiction))
        if self.stiction < 1.0:
            raise ModelError(f"{where}: stiction = {self.stiction:g} is below 1; it is the limit at rest over that while "
                             "sliding")
        given = [name for name in ("mu", "torque", "force") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ModelError(f"{where}: give one of mu, torque and force" + (f", not {' and '.join(given)}" if given else ""))
        for name in ("radius", "length"):
            if self.mu is None and getattr(self, name) is not None:
                raise ModelError(f"{where}: {name} belongs to mu; a {given[0]} needs none")
        if self.mu is None and self.preload:
            raise ModelError(f"{where}: preload belongs to mu; a {given[0]} is the limit itself")


def check_friction(where: str, friction: Any, turns: bool, shifts: bool, planar: bool = False) -> None:
    """Refuse what does not fit a joint that turns about its axis, moves along it, or both."""
    if friction is None:
        return
    if not isinstance(friction, DryFriction):
        raise ModelError(f"{where}: friction = {friction!r} is not a joints.DryFriction")
    if turns and shifts and friction.mu is None:
        raise ModelError(f"{where}: slips about its axis and along it; give mu and radius")
    if turns and friction.force is not None:
        raise ModelError(f"{where}: turns; give torque [N m], or mu with the radius of the pin")
    if not turns and friction.torque is not None:
        raise ModelError(f"{where}: moves along its axis; give force [N], or mu")
    if turns and friction.mu is not None and friction.radius is None:
        raise ModelError(f"{where}: mu acts at the pin; give its radius, too")
    if not turns and friction.radius is not None:
        raise ModelError(f"{where}: does not turn; leave radius out")
    if planar and turns and friction.length is not None:
        raise ModelError(f"{where}: a pin in the plane carries no moment; leave length out")
