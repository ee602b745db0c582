"""Forces: on a body, between two points, in a joint, or a law of the user's own.

| force | acts | channels |
|---|---|---|
| `PointForce` | at a point of a body, direction fixed in the world or in the body | - |
| `Torque` | on a body | force (in the plane) |
| `SpringDamper` | along the line of two points (TSDA) | length, force |
| `JointSpring` | on a joint coordinate: torsion spring-damper (RSDA) or linear | force |
| `JointFriction` | on a joint coordinate, viscous | force |
| `Bushing` | between two frames, stiff in all directions | - |
| `LineLaw`, `JointLaw`, `BodyLaw` | where the built-in ones do, by a Python function of the user's own | force |

Gravity belongs to the model. A profile multiplies a force; its edges are exact stops of the integrator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from routh.errors import ModelError
from routh.model import checks
from routh.model.checks import Vector
from routh.model.profiles import Constant, Profile

__all__ = ["BodyLaw", "Bushing", "Force", "JointForce", "JointFriction", "JointLaw", "JointSpring", "LineForce",
           "LineLaw", "PointForce", "SpringDamper", "Torque"]


@dataclass(frozen=True)
class Force:
    """What all forces share: a name, and how messages call them."""

    name: str

    vectors: ClassVar[tuple[str, ...]] = ()

    @property
    def where(self) -> str:
        """How messages call this element."""
        return f'force "{self.name}"'

    def __post_init__(self) -> None:
        checks.name_of("force", self.name)
        for name in self.vectors:
            if not checks.left_out(getattr(self, name)):
                checks.set_field(self, name, checks.vector(self.where, name, getattr(self, name)))
        profile = getattr(self, "profile", None)
        if profile is not None and not isinstance(profile, Profile):
            raise ModelError(f"{self.where}: profile = {profile!r} is not a profile; see routh.profiles")

    def _not_negative(self, *fields: str) -> None:
        for name in fields:
            value = checks.positive(self.where, name, getattr(self, name), zero_too=True)
            checks.set_field(self, name, value)

    def _check_law(self, law: Any, parameters: Any) -> None:
        if not callable(law):
            raise ModelError(f"{self.where}: law = {law!r} is not a function")
        values = checks.vector(self.where, "parameters", parameters, sizes=tuple(range(65)))
        checks.set_field(self, "parameters", values)


@dataclass(frozen=True)
class PointForce(Force):
    """`force` × profile(t) at `point` of `body`; the direction turns with the body if `follows`."""

    body: str = ""
    force: Vector = ()
    point: Vector = ()
    profile: Profile = field(default_factory=Constant)
    follows: bool = False
    vectors: ClassVar[tuple[str, ...]] = ("force", "point")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.force == ():
            raise ModelError(f"{self.where}: give a force vector in newtons")


@dataclass(frozen=True)
class Torque(Force):
    """`torque` × profile(t) on `body`: a number in the plane, a vector in space (world axes, or body if `follows`)."""

    body: str = ""
    torque: Any = 0.0
    profile: Profile = field(default_factory=Constant)
    follows: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        value: Any = (checks.vector(self.where, "torque", self.torque, sizes=(3,)) if hasattr(self.torque, "__len__")
                      else checks.number(self.where, "torque", self.torque))
        checks.set_field(self, "torque", value)


@dataclass(frozen=True)
class LineForce(Force):
    """A force along the line from `point_a` of body `a` to `point_b` of body `b`; positive pulls them together."""

    a: str = ""
    b: str = ""
    point_a: Vector = ()
    point_b: Vector = ()
    vectors: ClassVar[tuple[str, ...]] = ("point_a", "point_b")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.a == self.b:
            raise ModelError(f'{self.where}: acts from body "{self.a}" on itself')


@dataclass(frozen=True)
class SpringDamper(LineForce):
    """Tension = stiffness (length - free_length) + damping × d length/dt."""

    stiffness: float = 0.0
    damping: float = 0.0
    free_length: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._not_negative("stiffness", "damping", "free_length")


@dataclass(frozen=True)
class LineLaw(LineForce):
    """Tension = law(t, length, rate, parameters): a Python function, compiled."""

    law: Callable[..., float] | None = None
    parameters: Vector = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_law(self.law, self.parameters)


@dataclass(frozen=True)
class JointForce(Force):
    """A generalised force on a joint `coordinate` such as "pin.angle" (or "pin", where it has only one)."""

    coordinate: str = ""


@dataclass(frozen=True)
class JointSpring(JointForce):
    """-stiffness (coordinate - free) - damping × rate: a torsion spring-damper on an angle (RSDA)."""

    stiffness: float = 0.0
    damping: float = 0.0
    free: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._not_negative("stiffness", "damping")
        checks.set_field(self, "free", checks.number(self.where, "free", self.free))


@dataclass(frozen=True)
class JointFriction(JointForce):
    """Viscous friction: -coefficient × rate."""

    coefficient: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self._not_negative("coefficient")


@dataclass(frozen=True)
class JointLaw(JointForce):
    """Generalised force = law(t, coordinate, rate, parameters): a Python function, compiled."""

    law: Callable[..., float] | None = None
    parameters: Vector = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_law(self.law, self.parameters)


@dataclass(frozen=True)
class Bushing(Force):
    """A soft joint of b in a: forces along a's axes by displacement and its rate, moments by rotation and its rate.

    Stiffness and damping are given per axis of a (2 in the plane, 3 in space), `rotation` ones likewise
    (a number in the plane). In space the moment is the gradient of ½ Σ k φ², φ the rotation vector of b relative to a:
    meant for angles below 90 degrees.
    """

    a: str = ""
    b: str = ""
    point_a: Vector = ()
    point_b: Vector = ()
    stiffness: Vector = ()
    damping: Vector = ()
    rotation_stiffness: Any = 0.0
    rotation_damping: Any = 0.0
    vectors: ClassVar[tuple[str, ...]] = ("point_a", "point_b", "stiffness", "damping")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.a == self.b:
            raise ModelError(f'{self.where}: acts from body "{self.a}" on itself')
        for name in ("rotation_stiffness", "rotation_damping"):
            value: Any = getattr(self, name)
            value = (checks.vector(self.where, name, value, sizes=(3,)) if hasattr(value, "__len__")
                     else checks.positive(self.where, name, value, zero_too=True))
            checks.set_field(self, name, value)
        for name in ("stiffness", "damping", "rotation_stiffness", "rotation_damping"):
            value = getattr(self, name)
            for x in value if isinstance(value, tuple) else (value,):
                checks.positive(self.where, name, x, zero_too=True)


@dataclass(frozen=True)
class BodyLaw(Force):
    """A wrench at the mass centre by law(t, pose, velocity, parameters, out): a Python function, compiled.

    Plane: pose = (x, y, theta), velocity = (vx, vy, omega), fill out = (fx, fy, moment). Space: pose =
    (x, y, z, qw, qx, qy, qz), velocity = (vx, vy, vz, wx, wy, wz) in world axes, out = (fx, fy, fz, mx, my, mz).
    """

    body: str = ""
    law: Callable[..., None] | None = None
    parameters: Vector = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_law(self.law, self.parameters)
