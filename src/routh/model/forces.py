"""Forces: on a body, between two points, in a joint, or a law of the user's own.

| force | acts | channels |
|---|---|---|
| `PointForce` | at a point of a body, direction fixed in the world or in the body | - |
| `Torque` | on a body | force (in the plane) |
| `SpringDamper` | along the line of two points (TSDA) | length, force |
| `JointSpring` | on a joint coordinate: torsion spring-damper (RSDA) or linear | force |
| `JointFriction` | on a joint coordinate, viscous | force |
| `Motor`, `Servo`, `SpeedServo` | on a joint coordinate: torque source; control of position or speed | force |
| `Brake`, `Clutch` | dry friction in a joint, or between two joint coordinates, with stiction | force, sticks (slip) |
| `Bushing` | between two frames, stiff in all directions | - |
| `Drag`, `SpinDrag` | on a body against its velocity or its spin: constant, linear, quadratic | force |
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

__all__ = ["BodyDrag", "BodyLaw", "Brake", "Bushing", "Clutch", "Drag", "Force", "JointForce", "JointFriction", "JointLaw",
           "JointSpring", "LineForce", "LineLaw", "Motor", "PointForce", "Servo", "SpeedServo", "SpinDrag", "SpringDamper",
           "Torque"]


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
class Motor(JointForce):
    """A torque source: `force` × profile(t), in N m on an angle and in N on a shift.

    With a `no_load_speed` [rad/s or m/s] the force falls in proportion to the speed, and is zero at that speed under the full
    profile: the straight characteristic of a direct-current motor at a voltage that follows the profile.
    """

    force: float = 0.0
    profile: Profile = field(default_factory=Constant)
    no_load_speed: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        checks.set_field(self, "force", checks.number(self.where, "force", self.force))
        if self.no_load_speed is not None:
            speed = checks.positive(self.where, "no_load_speed", self.no_load_speed)
            checks.set_field(self, "no_load_speed", speed)

    @property
    def slope(self) -> float:
        """How much the force falls per unit of speed."""
        return abs(self.force) / self.no_load_speed if self.no_load_speed else 0.0


@dataclass(frozen=True)
class Servo(JointForce):
    """Follows a position: stiffness (target(t) - coordinate) + damping (target'(t) - rate), at most `limit` in size.

    A proportional-derivative control of the coordinate; `target` is a profile in rad or m.
    """

    target: Profile = field(default_factory=Constant)
    stiffness: float = 0.0
    damping: float = 0.0
    limit: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_target(self)
        self._not_negative("stiffness", "damping")


@dataclass(frozen=True)
class SpeedServo(JointForce):
    """A speed source: gain (target(t) - rate), at most `limit` in size; `target` is a profile in rad/s or m/s."""

    target: Profile = field(default_factory=Constant)
    gain: float = 0.0
    limit: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_target(self)
        checks.set_field(self, "gain", checks.positive(self.where, "gain", self.gain))


@dataclass(frozen=True)
class Brake(JointForce):
    """Dry friction in a joint coordinate, with true stiction: at most `force` × profile(t).

    It slides against the rate with that force, and sticks where less holds it.

    Parameters
    ----------
    name
        Of the brake.
    coordinate
        Such as "axle.angle".
    force
        [N m] on an angle, [N] on a shift.
    stiction
        Greatest force at rest over that while sliding, 1 or more. Default: 1.
    profile
        Factor of the force over time. Default: constant.

    Examples
    --------
    >>> forces.Brake("brake", "axle", force=25.0, profile=profiles.Step(start=2.0)).force
    25.0
    """

    force: float = 0.0
    stiction: float = 1.0
    profile: Profile = field(default_factory=Constant)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_stiction(self)


@dataclass(frozen=True)
class Clutch(Force):
    """Dry friction between two joint coordinates, with true stiction: at most `force` × profile(t).

    While it slides it drives the slower of the two and holds back the faster one; then both go on together. Its channel `force`
    is what acts on `second`, `slip` is the rate of first less that of second.

    Parameters
    ----------
    name
        Of the clutch.
    first, second
        Coordinates such as "engine.angle" and "shaft.angle".
    force
        [N m] between angles, [N] between shifts.
    stiction
        Greatest force at rest over that while sliding, 1 or more. Default: 1.
    profile
        Factor of the force over time. Default: constant.

    Examples
    --------
    >>> forces.Clutch("clutch", "engine", "shaft", force=30.0).second
    'shaft'
    """

    first: str = ""
    second: str = ""
    force: float = 0.0
    stiction: float = 1.0
    profile: Profile = field(default_factory=Constant)

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_stiction(self)


@dataclass(frozen=True)
class BodyDrag(Force):
    """A drag of constant, linear and quadratic parts; use `Drag` or `SpinDrag`.

    At a speed v its size is constant v / √(v² + slow²) + linear v + quadratic v². The constant part, as of a rolling
    ball or of dry ground, fades below `slow`; slow = 0 is for what never comes to rest.
    """

    body: str = ""
    constant: float = 0.0
    linear: float = 0.0
    quadratic: float = 0.0
    slow: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._not_negative("constant", "linear", "quadratic")
        if not (self.constant or self.linear or self.quadratic):
            raise ModelError(f"{self.where}: give a constant, linear or quadratic drag above zero")
        if self.slow is not None:
            checks.set_field(self, "slow", checks.positive(self.where, "slow", self.slow, zero_too=True))
        elif self.constant > 0.0:
            raise ModelError(f"{self.where}: a constant drag needs slow, the speed below which it fades, lest it change its "
                             "sign "
                             "without end at rest; slow = 0 where the body never comes to rest")


@dataclass(frozen=True)
class Drag(BodyDrag):
    """A force at `point` of `body` against the point's velocity; see `BodyDrag`.

    `constant` [N], `linear` [N s/m], `quadratic` [N s²/m²], `slow` [m/s]. Air: quadratic = density × area × drag
    coefficient / 2. A ball that rolls on cloth, seen from above: constant = rolling coefficient × weight.
    """

    point: Vector = ()
    vectors: ClassVar[tuple[str, ...]] = ("point",)


@dataclass(frozen=True)
class SpinDrag(BodyDrag):
    """A moment on `body` against its angular velocity; see `BodyDrag`.

    `constant` [N m], `linear` [N m s/rad], `quadratic` [N m s²/rad²], `slow` [rad/s].
    """


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
    """A wrench at the origin of the body's frame by law(t, pose, velocity, parameters, out): a Python function, compiled.

    Plane: pose = (x, y, theta), velocity = (vx, vy, omega), fill out = (fx, fy, moment). Space: pose =
    (x, y, z, qw, qx, qy, qz), velocity = (vx, vy, vz, wx, wy, wz) in world axes, out = (fx, fy, fz, mx, my, mz).
    """

    body: str = ""
    law: Callable[..., None] | None = None
    parameters: Vector = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_law(self.law, self.parameters)


def _check_stiction(brake: Brake | Clutch) -> None:
    checks.set_field(brake, "force", checks.positive(brake.where, "force", brake.force))
    checks.set_field(brake, "stiction", checks.number(brake.where, "stiction", brake.stiction))
    if brake.stiction < 1.0:
        raise ModelError(f"{brake.where}: stiction = {brake.stiction:g} is below 1; it is the force at rest over that while "
                         "sliding")


def _check_target(servo: Servo | SpeedServo) -> None:
    if not isinstance(servo.target, Profile):
        raise ModelError(f"{servo.where}: target = {servo.target!r} is not a profile; see routh.profiles")
    if isinstance(servo, Servo) and servo.damping and servo.target.smoothness() < 0:
        raise ModelError(f"{servo.where}: target = {type(servo.target).__name__} jumps, and damping would need its rate; "
                         "take a "
                         "CubicStep or another continuous profile")
    if servo.limit is not None:
        checks.set_field(servo, "limit", checks.positive(servo.where, "limit", servo.limit))
