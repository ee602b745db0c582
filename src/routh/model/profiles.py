"""Functions of time: the factor of a force, or the motion of a driver.

| profile | value | for |
|---|---|---|
| `Constant(value)` | value | forces |
| `Rectangle(start, width, height)` | height inside the window | forces |
| `Triangle(start, width, height)` | up and down, peak in the middle | forces |
| `CubicStep(start, width, height)` | rises by s²(3 - 2s), stays | forces, drivers |
| `CubicPulse(start, width, height)` | rises and falls by s²(3 - 2s) | forces |
| `Haversine(start, width, height)` | height (1 - cos)/2 | forces |
| `Sine(amplitude, frequency, phase, offset)` | offset + amplitude sin(2π f t + phase) | both |
| `Polynomial(coefficients, start)` | Σ c_k (t - start)^k | both |
| `ConstantRate(rate, offset)` | offset + rate t | drivers |
| `SmoothRamp(rate, ramp_time, start, offset)` | speed rises by s²(3 - 2s) to `rate`, then constant | drivers |
| `Table(times, values)` | cubic spline through the points, twice continuously differentiable | both |
| `Sum(parts)` | what its parts add up to, also written part + part | both |

Each is a list of pieces (polynomial plus sinusoids). A piece begins at an edge, and an edge is an exact stop
of the integrator. Before its first edge a profile extends its first piece, after its last edge its last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from routh.errors import ModelError
from routh.model import checks

__all__ = ["Constant", "ConstantRate", "CubicPulse", "CubicStep", "Haversine", "Piece", "Polynomial", "Profile",
           "Rectangle", "Sine", "SmoothRamp", "Sum", "Table", "Triangle", "Window"]

DEGREE = 5  # highest power that a piece can hold


@dataclass(frozen=True)
class Piece:
    """From `start` on: Σ c_k (t - start)^k + amplitude sin(omega (t - start) + phase); `waves` are more sinusoids to add."""

    start: float
    coefficients: tuple[float, ...] = ()
    amplitude: float = 0.0
    omega: float = 0.0
    phase: float = 0.0
    waves: tuple[tuple[float, float, float], ...] = ()


class Profile:
    """A function of time made of smooth pieces."""

    def pieces(self) -> list[Piece]:
        """The pieces in order of time; the first also holds before its start."""
        raise TypeError(f"{type(self).__name__} must say its pieces")

    def smoothness(self) -> int:
        """How many derivatives are continuous (-1: the value itself jumps); drivers need 1."""
        return 2

    def __add__(self, other: Profile) -> Sum:
        return Sum((self, other)) if isinstance(other, Profile) else NotImplemented

    def _numbers(self, *fields: str) -> None:
        for name in fields:
            value = checks.number(f"profile {type(self).__name__}", name, getattr(self, name))
            checks.set_field(self, name, value)



@dataclass(frozen=True)
class Window(Profile):
    """What happens between `start` and `start + width` and reaches `height`."""

    start: float
    width: float
    height: float = 1.0

    def __post_init__(self) -> None:
        self._numbers("start", "width", "height")
        checks.positive(f"profile {type(self).__name__}", "width", self.width)


@dataclass(frozen=True)
class Constant(Profile):
    """The same value at all times."""

    value: float = 1.0

    def __post_init__(self) -> None:
        self._numbers("value")

    def pieces(self) -> list[Piece]:
        return [Piece(0.0, (self.value,))]


@dataclass(frozen=True)
class Rectangle(Window):
    """`height` from `start` for `width` seconds, zero elsewhere."""

    def pieces(self) -> list[Piece]:
        return [Piece(self.start - self.width), Piece(self.start, (self.height,)), Piece(self.start + self.width)]

    def smoothness(self) -> int:
        return -1


@dataclass(frozen=True)
class Triangle(Window):
    """From zero up to `height` in the middle of the window and back."""

    def pieces(self) -> list[Piece]:
        half, slope = 0.5 * self.width, 2.0 * self.height / self.width
        return [Piece(self.start - half), Piece(self.start, (0.0, slope)),
                Piece(self.start + half, (self.height, -slope)), Piece(self.start + self.width)]

    def smoothness(self) -> int:
        return 0


def _cubic_rise(start: float, width: float, low: float, high: float) -> Piece:
    rise = high - low
    return Piece(start, (low, 0.0, 3.0 * rise / width / width, -2.0 * rise / width / width / width))


@dataclass(frozen=True)
class CubicStep(Window):
    """From zero to `height` by s²(3 - 2s), s = (t - start)/width, then constant."""

    def pieces(self) -> list[Piece]:
        return [Piece(self.start - self.width), _cubic_rise(self.start, self.width, 0.0, self.height),
                Piece(self.start + self.width, (self.height,))]

    def smoothness(self) -> int:
        return 1


@dataclass(frozen=True)
class CubicPulse(Window):
    """Rises by a cubic step in the first half of the window, falls by one in the second."""

    def pieces(self) -> list[Piece]:
        half = 0.5 * self.width
        return [Piece(self.start - half), _cubic_rise(self.start, half, 0.0, self.height),
                _cubic_rise(self.start + half, half, self.height, 0.0), Piece(self.start + self.width)]

    def smoothness(self) -> int:
        return 1


@dataclass(frozen=True)
class Haversine(Window):
    """height (1 - cos(2π (t - start)/width))/2 inside the window, zero elsewhere."""

    def pieces(self) -> list[Piece]:
        bump = Piece(self.start, (0.5 * self.height,), amplitude=-0.5 * self.height,
                     omega=2.0 * math.pi / self.width, phase=0.5 * math.pi)
        return [Piece(self.start - self.width), bump, Piece(self.start + self.width)]

    def smoothness(self) -> int:
        return 1


@dataclass(frozen=True)
class Sine(Profile):
    """offset + amplitude sin(2π frequency t + phase), frequency in Hz."""

    amplitude: float
    frequency: float
    phase: float = 0.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        self._numbers("amplitude", "frequency", "phase", "offset")

    def pieces(self) -> list[Piece]:
        return [Piece(0.0, (self.offset,), self.amplitude, 2.0 * math.pi * self.frequency, self.phase)]


@dataclass(frozen=True)
class Polynomial(Profile):
    """Σ c_k (t - start)^k, up to the fifth power, at all times."""

    coefficients: tuple[float, ...]
    start: float = 0.0

    def __post_init__(self) -> None:
        self._numbers("start")
        sizes = tuple(range(1, DEGREE + 2))
        c = checks.vector("profile Polynomial", "coefficients", self.coefficients, sizes=sizes)
        checks.set_field(self, "coefficients", c)

    def pieces(self) -> list[Piece]:
        return [Piece(self.start, self.coefficients)]


@dataclass(frozen=True)
class ConstantRate(Profile):
    """offset + rate t."""

    rate: float
    offset: float = 0.0

    def __post_init__(self) -> None:
        self._numbers("rate", "offset")

    def pieces(self) -> list[Piece]:
        return [Piece(0.0, (self.offset, self.rate))]


@dataclass(frozen=True)
class SmoothRamp(Profile):
    """At `offset` until `start`; then the speed rises by s²(3 - 2s) to `rate` within `ramp_time` and stays there."""

    rate: float
    ramp_time: float
    start: float = 0.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        self._numbers("rate", "start", "offset")
        checks.set_field(self, "ramp_time", checks.positive("profile SmoothRamp", "ramp_time", self.ramp_time))

    def pieces(self) -> list[Piece]:
        T = self.ramp_time
        ramp = (self.offset, 0.0, 0.0, self.rate / T / T, -0.5 * self.rate / T / T / T)
        return [Piece(self.start - T, (self.offset,)), Piece(self.start, ramp),
                Piece(self.start + T, (self.offset + 0.5 * self.rate * T, self.rate))]


@dataclass(frozen=True)
class Table(Profile):
    """The cubic spline through (times, values), twice continuously differentiable.

    `ends` is the spline's end condition: "not-a-knot" (default), "natural" or "clamped". Outside the table the end
    cubics go on, so a driver stays smooth; keep the run inside the table, or end it with resting points.
    """

    times: tuple[float, ...]
    values: tuple[float, ...]
    ends: str = field(default="not-a-knot")

    def __post_init__(self) -> None:
        try:
            times, values = np.asarray(self.times, float), np.asarray(self.values, float)
        except (TypeError, ValueError):
            raise ModelError("profile Table: times and values must be lists of numbers") from None
        if times.ndim != 1 or times.shape != values.shape or times.size < 4:
            raise ModelError(f"profile Table: needs at least 4 times and as many values, got {times.shape} "
                             f"and {values.shape}")
        if not (np.isfinite(times).all() and np.isfinite(values).all()):
            raise ModelError("profile Table: times and values must be finite")
        if not (np.diff(times) > 0.0).all():
            i = int(np.argmin(np.diff(times)))
            raise ModelError(f"profile Table: times must grow; times[{i + 1}] = {times[i + 1]:g} does not exceed "
                             f"times[{i}] = {times[i]:g}")
        if self.ends not in ("not-a-knot", "natural", "clamped"):
            raise ModelError(f'profile Table: ends = "{self.ends}" is not "not-a-knot", "natural" or "clamped"')
        checks.set_field(self, "times", tuple(map(float, times)))
        checks.set_field(self, "values", tuple(map(float, values)))

    def pieces(self) -> list[Piece]:
        from scipy.interpolate import CubicSpline

        spline = CubicSpline(self.times, self.values, bc_type=self.ends)
        return [Piece(t, tuple(map(float, c[::-1]))) for t, c in zip(self.times, spline.c.T, strict=False)]


@dataclass(frozen=True)
class Sum(Profile):
    """The sum of `parts`: `ConstantRate(20.0) + Sine(0.1, 5.0)` is a motor that turns and shakes. A sum of sums is one sum."""

    parts: tuple[Profile, ...]

    def __post_init__(self) -> None:
        try:
            parts = tuple(self.parts)
        except TypeError:
            raise ModelError(f"profile Sum: parts = {self.parts!r} is not a list of profiles") from None
        for part in parts:
            if not isinstance(part, Profile):
                raise ModelError(f"profile Sum: parts holds {part!r}, which is no profile; see routh.profiles")
        flat = tuple(p for part in parts for p in (part.parts if isinstance(part, Sum) else (part,)))
        if not flat:
            raise ModelError("profile Sum: there is nothing to add; give at least one part")
        checks.set_field(self, "parts", flat)

    def pieces(self) -> list[Piece]:
        parts = [part.pieces() for part in self.parts]
        edges = sorted({piece.start for pieces in parts for piece in pieces[1:]})
        # before the first edge all first pieces hold, counted from the latest of their starts
        first = max(pieces[0].start for pieces in parts)
        starts = [min(first, edges[0] - 1.0) if edges and first >= edges[0] else first, *edges]
        return [_added(start, [_last_before(pieces, start) for pieces in parts]) for start in starts]

    def smoothness(self) -> int:
        return min(part.smoothness() for part in self.parts)


def _last_before(pieces: list[Piece], t: float) -> Piece:
    """The piece that holds from t on."""
    return next((piece for piece in reversed(pieces) if piece.start <= t), pieces[0])


def _added(start: float, pieces: list[Piece]) -> Piece:
    """Pieces added up, counted from `start`."""
    total = [0.0] * max(1, *(len(piece.coefficients) for piece in pieces))
    waves: list[tuple[float, float, float]] = []
    for piece in pieces:
        late = start - piece.start
        for k, c in enumerate(piece.coefficients):
            for j in range(k + 1):  # (s + late)^k
                total[j] += c * math.comb(k, j) * late ** (k - j)
        own = (piece.amplitude, piece.omega, piece.phase)
        waves += [(a, w, p + w * late) for a, w, p in (own, *piece.waves) if a != 0.0]
    head, rest = (waves[0], tuple(waves[1:])) if waves else ((0.0, 0.0, 0.0), ())
    return Piece(start, tuple(total), *head, rest)
