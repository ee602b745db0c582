"""The way of the pins round a vehicle: the boundary of the convex hull of discs, and equal chords along it."""

from __future__ import annotations

import bisect
import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.optimize import brentq

from routh.errors import ModelError

__all__ = ["Disc", "Hull"]

TURN = 2.0 * math.pi
SAME = 1e-9           # directions that differ by less are one tangent that touches several discs [rad]


@dataclass(frozen=True)
class Disc:
    """A circle that the pins go round."""

    name: str
    center: tuple[float, float]
    radius: float


class Hull:
    """The boundary, counter-clockwise from the point of the first disc at polar angle `start`, by its length s.

    With u the direction of travel, a point of a disc is its centre plus radius × (-i u): complex numbers are vectors here.
    """

    def __init__(self, discs: Sequence[Disc], start: float) -> None:
        self.pieces: list[tuple[complex, complex, float]] = []  # (centre or first point, direction there, radius; 0: straight)
        self.ends: list[float] = []                             # s at the end of each piece
        self.length = 0.0
        direction = first = start + 0.5 * math.pi
        here = discs[0]
        for _ in range(2 * len(discs) + 2):
            following, turned = self._next(discs, here, direction)
            if following is None or direction + turned >= first + TURN - SAME:
                if here is discs[0]:
                    self._arc(here, direction, first + TURN - direction)
                    return
                break
            self._arc(here, direction, turned)
            direction += turned
            a, b = self._touch(here, direction), self._touch(following, direction)
            self._add(a, direction, 0.0, abs(b - a))
            here = following
        raise ModelError(f'track path: the point of "{discs[0].name}" at {math.degrees(start):g} degrees does not lie on the '
                         "outline of the wheels; let the first pin begin where the track lies on the sprocket")

    @staticmethod
    def _next(discs: Sequence[Disc], here: Disc, direction: float) -> tuple[Disc | None, float]:
        """The disc that the tangent from `here` meets first while it turns; of several on one line the farthest."""
        best: tuple[float, float, Disc | None] = (math.inf, 0.0, None)
        for disc in discs:
            if disc is here:
                continue
            away = complex(*disc.center) - complex(*here.center)
            growth = disc.radius - here.radius
            if abs(away) <= growth:
                raise ModelError(f'track path: "{here.name}" lies inside "{disc.name}"')
            if abs(away) <= -growth:
                continue  # hidden behind the larger one
            turned = (cmath.phase(away) - math.asin(growth / abs(away)) - direction + SAME) % TURN - SAME
            if turned < best[0] - SAME or (turned < best[0] + SAME and abs(away) > best[1]):
                best = (turned, abs(away), disc)
        return best[2], max(best[0], 0.0)

    @staticmethod
    def _touch(disc: Disc, direction: float) -> complex:
        return complex(*disc.center) - 1j * disc.radius * cmath.rect(1.0, direction)

    def _arc(self, disc: Disc, direction: float, turned: float) -> None:
        self._add(complex(*disc.center), direction, disc.radius, disc.radius * turned)

    def _add(self, at: complex, direction: float, radius: float, length: float) -> None:
        self.pieces.append((at, cmath.rect(1.0, direction), radius))
        self.length += length
        self.ends.append(self.length)

    def point(self, s: float) -> complex:
        """The point at length s, any number of rounds."""
        s %= self.length
        i = min(bisect.bisect_right(self.ends, s), len(self.ends) - 1)
        at, u, radius = self.pieces[i]
        s -= self.ends[i - 1] if i else 0.0
        return at + s * u if radius == 0.0 else at - 1j * radius * u * cmath.rect(1.0, s / radius)

    def chords(self, pitch: float, count: int) -> list[float]:
        """Lengths s of count + 1 points that are `pitch` apart in a straight line, from s = 0 on."""
        if pitch * 3.0 > self.length:
            raise ModelError(f"track path: links of {pitch:g} m are too long for a path of {self.length:g} m")
        s = [0.0]
        for _ in range(count):
            at, here = s[-1], self.point(s[-1])
            s.append(float(brentq(lambda x, at=at, here=here: abs(self.point(x) - here) - pitch,
                                  at + 0.999 * pitch, at + 1.6 * pitch, xtol=1e-15, rtol=1e-15)))
        return s
