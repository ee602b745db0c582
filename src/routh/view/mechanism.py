"""What a mechanism looks like where no shape is declared: links between joints, pins, pivots, guides, stops, torsion springs.

A body with two joints is a link, one with more is a plate around them, one that hangs on a pin alone is a rod or a bob by its
radius of gyration, one that slides is a block. All sizes are multiples of one radius, `Mechanism.radius`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from routh.model.body import GROUND
from routh.sim.poses import rotations
from routh.view.parts import Part, disk_of, hull_of, ring_of, round_of, stand_in

__all__ = ["GUIDES", "Mechanism"]

PIN, DARK = 0.55, 0.45  # radius of a pin against that of its link, and its tone
BOB = 0.25  # radius of gyration over the length of a pendulum below which its mass is a bob
AROUND = [[i, j, k] for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if i or j or k]
HINGES = ("Revolute", "PinInSlot", "Spherical", "Universal", "Screw", "Cylindrical")
GUIDES = ("Prismatic", "PinInSlot", "Cylindrical", "Screw")


class Mechanism:
    """The joints of a model as they stand at the first sample. `parts` is extended; the last entry is the ground's."""

    def __init__(self, model: dict[str, Any], poses: np.ndarray, parts: list[list[Part]], up: list[float], span: float) -> None:
        self.model, self.poses, self.parts, self.up = model, poses, parts, np.array(up)
        self.planar = model["space"] == "planar"
        self.index = {body["name"]: i for i, body in enumerate([*model["bodies"], {"name": GROUND}])}
        chained = {pin for track in model.get("tracks", []) for pin in track["pins"]}
        joints = [j for j in model["joints"] if "point_a" in j and j["kind"] not in ("Free", "Rod")]
        self.points: list[list[np.ndarray]] = [[] for _ in self.index]
        for joint in joints:
            for end in "ab":
                self.points[self.index[joint[end]]].append(_spot(joint[f"point_{end}"]))
        self.joints = {joint["name"]: joint for joint in joints}
        self.shown = [joint for joint in joints if joint["name"] not in chained]
        lengths = [length for own in self.points[:-1] if (length := _extent([np.zeros(3), *own])) > 0.0]
        typical = float(np.median(lengths)) if lengths else 0.5 * span
        self.radius = float(np.clip(0.012 * span, 0.045 * typical, 0.11 * typical))

    def draw(self) -> None:
        """Add to the parts of every body what shows the mechanism."""
        for i, body in enumerate(self.model["bodies"]):
            self.parts[i] += self._body(body, i)
        for joint in self.shown:
            self._joint(joint)
        for contact in self.model["contacts"]:
            if contact["kind"] == "Stop":
                self._stop(contact)
        for force in self.model["forces"]:
            if force["kind"] == "JointSpring":
                self._torsion(force)

    def _body(self, body: Part, index: int) -> list[Part]:
        """What connects the shapes and joints of a body, or stands in for them."""
        solids = [round_of(part) for part in self.parts[index] if part["kind"] not in ("dot", "bar", "halfspace", "curve")]
        tips = [np.array(part["point"], float) for part in self.parts[index] if part["kind"] == "dot"]
        segments = [np.array([part["start"], part["end"]]) for part in self.parts[index] if part["kind"] == "bar"]
        apart = [p for p in [*self.points[index], *tips] if not any(_within(p, s) for s in solids)]
        apart = [p for p in apart if not any(_beside(p, s) for s in segments)]
        if solids or segments:
            centres = [centre for centre, _ in solids] + [s.mean(axis=0) for s in segments]
            lonely = len(centres) > 1 and not _touching(solids)
            if apart:
                nearest = {min(range(len(centres)), key=lambda k: float(np.linalg.norm(centres[k] - p))) for p in apart}
                apart += [centres[k] for k in sorted(nearest)]
            thin = min((0.45 * radius for _, radius in solids), default=self.radius)
            return self._plate([*apart, *(centres if lonely else [])], thin)
        distinct, centre = _distinct([*self.points[index], *tips]), _spot(body.get("centre"))
        if not distinct:
            return self._stand_in(body)
        if len(distinct) > 1:
            far = [] if _inside(centre, distinct, self.radius) else [centre]
            return self._plate([*distinct, *far])
        return self._single(body, index, distinct[0])

    def _single(self, body: Part, index: int, point: np.ndarray) -> list[Part]:
        """A body that has one joint alone: a wheel or a block about it, or a pendulum."""
        name, r, centre = body["name"], self.radius, _spot(body.get("centre"))
        guide = next((j for j in self.shown if j["kind"] in GUIDES and name in (j["a"], j["b"])), None)
        moments = np.asarray(body["inertia"] or 0.0, float)
        largest = float(np.linalg.eigvalsh(moments)[-1] if moments.ndim == 2 else np.max(moments))
        gyration = math.sqrt(largest / body["mass"]) if body["mass"] else 0.0
        length = float(np.linalg.norm(point - centre))
        if guide is not None and length <= 3.0 * r:
            return [self._block(index, guide, point)]
        if length <= 0.5 * r:
            size = max(min(1.4 * gyration, 6.0 * r), 1.5 * r)
            return disk_of(size, centre.tolist()) if self.planar else self._stand_in(body)
        if gyration < BOB * length:
            size = max(math.sqrt(2.0) * gyration, 0.08 * length, 1.6 * r)
            bob: list[Part] = disk_of(size, centre.tolist()) if self.planar else [
                {"kind": "ball", "axes": [size] * 3, "point": centre.tolist(), "turn": [1.0, 0.0, 0.0, 0.0]}]
            return [*self._plate([point, centre]), *bob]
        return self._plate([point, 2.0 * centre - point])

    def _stand_in(self, body: Part) -> list[Part]:
        return stand_in({**body, "planar": self.planar}, 1.5 * self.radius)

    def _plate(self, points: list[np.ndarray], most: float = math.inf) -> list[Part]:
        """A link between two points, a rounded plate around more."""
        points = _distinct(points)
        if len(points) < 2:
            return []
        r = min(self.radius, 0.3 * _extent(points), most)
        if self.planar:
            return [{"kind": "polygon", "points": _rounded(np.array(points), r)}]
        if len(points) == 2:
            return [{"kind": "tube", "radius": r, "start": points[0].tolist(), "end": points[1].tolist(), "round": True}]
        balls = [p + r * np.array(way) / np.linalg.norm(way) for p in points for way in AROUND]
        return [hull_of([ball.tolist() for ball in balls])]

    def _block(self, index: int, joint: Part, point: np.ndarray) -> Part:
        """A slider: a block along the guide of its joint."""
        r, axis = self.radius, self._axis(joint, index)
        across = np.cross([0.0, 0.0, 1.0], axis) if self.planar else _normal_to(axis)
        across /= np.linalg.norm(across)
        if self.planar:
            corners = [point + 2.6 * r * a * axis + 1.7 * r * b * across for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            return {"kind": "polygon", "points": [c.tolist() for c in corners]}
        third = np.cross(axis, across)
        return hull_of([(point + 2.6 * r * i * axis + 1.7 * r * (j * across + k * third)).tolist()
                        for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])

    def _joint(self, joint: Part) -> None:
        """A pin on the body, and on the ground what holds it: a pivot or a guide."""
        a, b = self.index[joint["a"]], self.index[joint["b"]]
        ground, r = len(self.parts) - 1, self.radius
        moving, point = (b, _spot(joint["point_b"])) if b != ground else (a, _spot(joint["point_a"]))
        if joint["kind"] in HINGES:
            size = PIN * min(r, 0.3 * (_extent([np.zeros(3), *self.points[moving]]) or r))
            if self.planar:
                self.parts[moving].append({"kind": "polygon", "points": ring_of(size, point.tolist()), "tone": DARK, "lift": 2})
            elif joint["kind"] == "Spherical":
                self.parts[moving].append({"kind": "ball", "axes": [1.35 * r] * 3, "point": point.tolist(),
                                           "turn": [1.0, 0.0, 0.0, 0.0], "tone": DARK})
            else:
                half = 1.5 * r * self._axis(joint, moving)
                self.parts[moving].append({"kind": "tube", "radius": 0.75 * r, "start": (point - half).tolist(),
                                           "end": (point + half).tolist(), "round": False, "tone": DARK})
        if ground in (a, b):
            at = _spot(joint["point_a"] if a == ground else joint["point_b"])
            if joint["kind"] in ("Revolute", "Spherical", "Universal"):
                self.parts[ground].append(self._pivot(at))
            elif joint["kind"] in GUIDES:
                self.parts[ground].append(self._rail(joint, at, moving, point))

    def _pivot(self, at: np.ndarray) -> Part:
        """A bracket below a point of the ground."""
        r, down = self.radius, -self.up
        if self.planar:
            side = np.array([-down[1], down[0], 0.0])
            foot = at + 3.2 * r * down
            corners = [at + 1.2 * r * side, foot + 2.2 * r * side, foot - 2.2 * r * side, at - 1.2 * r * side]
            arc = [at - 1.2 * r * (math.cos(a) * side + math.sin(a) * down) for a in np.linspace(0.0, math.pi, 9)[1:-1]]
            return {"kind": "polygon", "points": [p.tolist() for p in (*corners, *arc)], "lift": -1}
        side = _normal_to(down)
        other = np.cross(down, side)
        foot = at + 3.2 * r * down
        corners = [foot + 2.2 * r * (i * side + j * other) for i in (-1, 1) for j in (-1, 1)]
        top = [at + 0.9 * r * (i * side + j * other) for i in (-1, 1) for j in (-1, 1)]
        return hull_of([p.tolist() for p in (*corners, *top)])

    def _rail(self, joint: Part, at: np.ndarray, moving: int, point: np.ndarray) -> Part:
        """The guide of a sliding joint, as far as the body goes."""
        R = rotations(self.poses[:, moving, 3:])
        ways = (self.poses[:, moving, :3] + R @ point - at) @ (axis := self._axis(joint, len(self.parts) - 1))
        ways = ways[np.isfinite(ways)]
        low, high = (float(ways.min()), float(ways.max())) if ways.size else (0.0, 0.0)
        start, end = at + (low - 4.0 * self.radius) * axis, at + (high + 4.0 * self.radius) * axis
        return {"kind": "wire", "points": [start.tolist(), end.tolist()], "radius": 0.45 * self.radius, "lift": -2}

    def _stop(self, stop: Part) -> None:
        """A cheek on the first body of a joint, where the second one meets its limit."""
        name, _, coordinate = stop["coordinate"].rpartition(".")
        joint = self.joints.get(name)
        if joint is None:
            return
        a, b, r = self.index[joint["a"]], self.index[joint["b"]], self.radius
        at = _spot(joint["point_a"])
        for bound, way in (("lower", -1.0), ("upper", 1.0)):
            limit = stop[bound]
            if limit is None:
                continue
            if "shift" in coordinate:
                axis = self._axis(joint, a)
                middle = at + (limit + way * 3.4 * r) * axis
                self.parts[a].append(self._cheek(middle, axis))
            elif self.planar and joint["kind"] == "Revolute":
                tip = max(self.points[b], key=lambda p: float(np.linalg.norm(p - _spot(joint["point_b"]))))
                arm = tip - _spot(joint["point_b"])
                if np.linalg.norm(arm) <= r:
                    arm = -_spot(joint["point_b"])
                turned = _turn(limit + float(joint.get("turn") or 0.0)) @ arm
                length = float(np.linalg.norm(turned))
                if length > 0.0:
                    along = turned / length
                    across = way * np.array([-along[1], along[0], 0.0])
                    self.parts[a].append(self._cheek(at + 0.6 * length * along + 2.0 * r * across, across))

    def _cheek(self, middle: np.ndarray, axis: np.ndarray) -> Part:
        """A small block across an axis."""
        r = self.radius
        if self.planar:
            across = np.array([-axis[1], axis[0], 0.0])
            corners = [middle + 0.7 * r * i * axis + 2.2 * r * j * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            return {"kind": "polygon", "points": [c.tolist() for c in corners], "tone": 0.7}
        side = _normal_to(axis)
        other = np.cross(axis, side)
        return {**hull_of([(middle + 0.7 * r * i * axis + 2.2 * r * (j * side + k * other)).tolist()
                           for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]), "tone": 0.7}

    def _torsion(self, spring: Part) -> None:
        """A spiral around a hinge with a spring."""
        name, _, coordinate = spring["coordinate"].rpartition(".")
        joint = self.joints.get(name)
        if joint is None or "angle" not in coordinate:
            return
        index, r = self.index[joint["a"]], self.radius
        axis = np.array([0.0, 0.0, 1.0]) if self.planar else self._axis(joint, index)
        u = _normal_to(axis)
        v, turns = np.cross(axis, u), np.linspace(0.0, 5.0 * math.pi, 61)
        sizes = np.linspace(1.0, 2.6, 61) * r
        points = _spot(joint["point_a"]) + sizes[:, None] * (np.cos(turns)[:, None] * u + np.sin(turns)[:, None] * v)
        self.parts[index].append({"kind": "wire", "points": points.tolist(), "radius": 0.16 * r, "tone": DARK, "lift": 3})

    def _axis(self, joint: Part, body: int) -> np.ndarray:
        """The axis of a joint in the frame of a body, as they stand at first."""
        axis = np.zeros(3)
        given = joint.get("axis")
        axis[: len(given or ())] = given or ()
        if not axis.any():
            axis = np.array([0.0, 0.0, 1.0])
        world = self._turns(self.index[joint["a"]]) @ axis
        local: np.ndarray = self._turns(body).T @ world
        return local / np.linalg.norm(local)

    def _turns(self, body: int) -> np.ndarray:
        ground = body == len(self.parts) - 1
        turn: np.ndarray = np.eye(3) if ground else rotations(self.poses[:1, body, 3:])[0]
        return turn


def _spot(point: Any) -> np.ndarray:
    return np.array([*(point or ()), 0.0, 0.0, 0.0][:3], float)


def _turn(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _distinct(points: list[np.ndarray]) -> list[np.ndarray]:
    size = _extent(points)
    out: list[np.ndarray] = []
    for p in points:
        if all(np.linalg.norm(p - q) > 1e-6 * size for q in out):
            out.append(p)
    return out


def _extent(points: list[np.ndarray]) -> float:
    return max((float(np.linalg.norm(p - q)) for p in points for q in points), default=0.0)


def _within(point: np.ndarray, solid: tuple[np.ndarray, float]) -> bool:
    return bool(np.linalg.norm(point - solid[0]) <= 1.01 * solid[1])


def _beside(point: np.ndarray, segment: np.ndarray) -> bool:
    way = segment[1] - segment[0]
    s = np.clip((point - segment[0]) @ way / max(float(way @ way), 1e-300), 0.0, 1.0)
    return bool(np.linalg.norm(point - segment[0] - s * way) <= 0.02 * np.linalg.norm(way))


def _touching(solids: list[tuple[np.ndarray, float]]) -> bool:
    """Whether the balls about all solids hang together."""
    reached, left = solids[:1], list(solids[1:])
    while left:
        joined = [s for s in left if any(np.linalg.norm(s[0] - r[0]) <= s[1] + r[1] for r in reached)]
        if not joined:
            return False
        reached = reached + joined
        left = [s for s in left if not any(s is j for j in joined)]
    return True


def _inside(point: np.ndarray, points: list[np.ndarray], room: float) -> bool:
    """Whether a point lies no farther than `room` outside the box about points."""
    box = np.array(points)
    return bool(np.all(point >= box.min(axis=0) - 2.0 * room) and np.all(point <= box.max(axis=0) + 2.0 * room))


def _rounded(points: np.ndarray, radius: float) -> list[list[float]]:
    """The convex outline about disks of this radius at points of the plane."""
    from scipy.spatial import ConvexHull

    rim = (points[:, None, :2] + np.array(ring_of(radius))[None, :, :2]).reshape(-1, 2)
    return [[float(x), float(y), 0.0] for x, y in rim[ConvexHull(rim).vertices]]


def _normal_to(axis: np.ndarray) -> np.ndarray:
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    return np.asarray(side / np.linalg.norm(side))
