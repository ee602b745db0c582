"""Tracks as records: one per wheel, sprocket and set of shoes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from routh.compiler.compliant import record_of
from routh.core.tables.layout import DRAG, GRIPS, SHOES, SPROCKET, STRETCH, TRACK, WHEEL
from routh.model.compliant import Compliant
from routh.model.joints import Revolute
from routh.model.model import Model
from routh.model.tracks import HeightProfile, Track

__all__ = ["track_tables"]

LEVEL = 1e7           # level ground beyond the ends of a height profile goes on for this long [m]
MARGIN = 1.0 + 1e-9   # of distances by which links are skipped: round-off, and loops that are closed to 1e-10


def track_tables(model: Model, bodies: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The tables `track`, `link`, `shoe` and `ground` of a System."""
    builder = _Builder(model, bodies)
    for track in model.tracks:
        builder.add(track)
    return {"track": np.array(builder.records, TRACK) if builder.records else np.zeros(0, TRACK),
            "link": np.array(builder.links, np.int64),
            "shoe": np.array(builder.shoes, float).reshape(-1, 2),
            "ground": np.concatenate([np.zeros(0, STRETCH), *builder.grounds])}


class _Builder:
    """Collects the tables of all tracks."""

    def __init__(self, model: Model, bodies: Mapping[str, Any]) -> None:
        self.bodies = bodies
        self.joints = {joint.name: joint for joint in model.joints if isinstance(joint, Revolute)}
        self.records: list[np.ndarray] = []
        self.links: list[int] = []
        self.shoes: list[tuple[float, ...]] = []
        self.grounds: list[np.ndarray] = []
        self.rows = 0  # of the table of forces

    def add(self, track: Track) -> None:
        first = len(self.links)
        self.links += [self.bodies[name].node for name in track.links]
        for wheel in track.wheels:
            record = self._record(track, WHEEL, first, Compliant(wheel.law))
            record["body"], record["radius"] = self.bodies[wheel.body].node, wheel.radius
            assert track.rail is not None
            record["rail"] = track.rail.height, -track.rail.back, track.rail.front
            end = max(track.rail.back, track.rail.front)
            record["reach"] = MARGIN * math.hypot(max(wheel.radius + track.rail.height, 0.0), end)
            record["density"] = 1.0 / (MARGIN * self._stride(track, (0.0, 0.0)))
        for sprocket in track.sprockets:
            record = self._record(track, SPROCKET, first, Compliant(sprocket.seat))
            record["flank_law"] = record_of(Compliant(sprocket.flanks))
            record["body"], record["radius"] = self.bodies[sprocket.body].node, sprocket.pitch_radius
            record["pin"] = *sprocket.pin, sprocket.pin_radius
            record["phase"], record["tooth"] = sprocket.phase, 2.0 * math.pi / sprocket.teeth
            record["lean"] = math.cos(sprocket.flank_angle), math.sin(sprocket.flank_angle)
            record["flank"] = sprocket.play, *sprocket.flank
            # a pin that touches a flank is at most this far from the seat of its gap
            aside = math.hypot(max(map(abs, sprocket.flank)), sprocket.play + sprocket.pin_radius)
            record["reach"] = MARGIN * (sprocket.pitch_radius + aside)
            record["density"] = 1.0 / (MARGIN * self._stride(track, sprocket.pin))
        if track.shoes is not None:
            record = self._record(track, SHOES, first, track.shoes.law)
            record["shoe_from"], record["shoe_to"] = len(self.shoes), len(self.shoes) + len(track.shoes.points)
            self.shoes += track.shoes.points
            ground = _stretches(track.shoes.ground)
            record["ground_from"] = sum(map(len, self.grounds))
            record["ground_to"] = record["ground_from"] + len(ground)
            self.grounds.append(ground)
            record["belt"] = track.shoes.belt
            record["top"] = max(y for _, y in track.shoes.ground.points)
            record["reach"] = MARGIN * max(math.hypot(*point) for point in track.shoes.points)
        if track.drag:
            record = self._record(track, DRAG, first, None)
            record["law"]["damping"] = track.drag

    def _record(self, track: Track, kind: int, first: int, law: Compliant | None) -> np.ndarray:
        record = np.zeros((), TRACK)
        record["kind"], record["first"], record["last"], record["grip"] = kind, first, len(self.links), self.rows
        if law is not None:
            record["law"] = record_of(law)
        self.rows += GRIPS[kind] * len(track.links)
        self.records.append(record)
        return record

    def _stride(self, track: Track, point: tuple[float, ...]) -> float:
        """Greatest distance between `point` of a link and `point` of the next, whatever angle they make; inf: not chained."""
        pinned = {}
        for name in track.pins:
            pin = self.joints[name]
            reach = math.dist(pin.point_a or (0.0, 0.0), point) + math.dist(pin.point_b or (0.0, 0.0), point)
            pinned[pin.a, pin.b] = pinned[pin.b, pin.a] = reach
        steps = [pinned.get(pair, 0.0) for pair in zip(track.links, track.links[1:], strict=False)]
        return max(steps) if steps and all(steps) else math.inf


def _stretches(profile: HeightProfile) -> np.ndarray:
    """The straight stretches of a height profile, level ones before and after it."""
    x, y = np.array(profile.points).T
    corners = np.column_stack([[x[0] - LEVEL, *x, x[-1] + LEVEL], [y[0], *y, y[-1]]])
    way = np.diff(corners, axis=0)
    out = np.zeros(len(way), STRETCH)
    out["length"] = np.hypot(*way.T)
    (out["x"], out["y"]), (out["ex"], out["ey"]) = corners[:-1].T, (way / out["length"][:, None]).T
    return out
