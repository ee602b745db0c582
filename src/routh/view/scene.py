"""The scene of a run: bodies with their parts, links between them, where every body is, and how large it all is.

Made from `Result.declaration` and the channels alone, so that a run loaded from a file is drawn like a fresh one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from routh.errors import RouthError
from routh.model.body import GROUND
from routh.sim.poses import rotations
from routh.sim.result import Result
from routh.view.mechanism import GUIDES, Mechanism
from routh.view.parts import Part, corners_of, parts_of
from routh.view.track_parts import track_parts

__all__ = ["Scene", "scene_of"]

TRAVELS = 1.5  # lengths of all bodies together beyond which their way is a journey, which the camera follows
MANY = 16  # bodies of one kind that are too many to tell apart by colour
LINKS = {"Rod": "rod", "Rope": "rope", "SpringDamper": "spring", "LineLaw": "spring", "Bushing": "spring"}


@dataclass(frozen=True)
class Scene:
    """What there is to draw. `poses` (n, n_body, 7): x, y, z and the quaternion w, x, y, z; the plane is z = 0."""

    space: str
    up: list[float]
    bodies: list[str]
    parts: list[list[Part]]  #: of every body; the last entry belongs to the ground
    links: list[Part]  #: rods, ropes and springs between two bodies
    joints: list[Part]  #: bodies and points on which the reactions of joints act
    poses: np.ndarray
    low: list[float] = field(default_factory=list)  #: corner of the box that holds the whole motion [m]
    high: list[float] = field(default_factory=list)
    colours: list[int] = field(default_factory=list)  #: of every body, as an index into a list of colours
    span: float = 1.0  #: largest size of the bodies at one instant [m]; much less than the box where they travel
    radius: float = 0.01  #: half the width of links [m]; springs, ropes and arrows are measured against it
    tracks: list[Part] = field(default_factory=list)  #: links of tracks and where they press on the ground
    offset: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])  #: from the middle of the mass centres to that of all
    journey: bool = False  #: whether the bodies travel so far that the camera should follow them


def scene_of(result: Result) -> Scene:
    """The scene of a run; RouthError where the result does not say what its bodies look like."""
    model = result.declaration.get("model")
    if not model:
        raise RouthError(
            "this result does not say what was run, so there is nothing to draw; simulate it again with this version"
        )
    try:
        return _scene(result, model)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise RouthError(f"the declaration of this result is damaged: {error!r}") from error


def _scene(result: Result, model: dict[str, Any]) -> Scene:
    names = [body["name"] for body in model["bodies"]]
    index = {name: i for i, name in enumerate([*names, GROUND])}
    parts = _declared(model, index)
    poses = _poses(result, names)
    gravity = [*model["gravity"], 0.0][:3]
    size = float(np.linalg.norm(gravity))
    fallback = [0.0, 1.0, 0.0] if result.space == "planar" else [0.0, 0.0, 1.0]
    up = [-g / size for g in gravity] if size > 0.0 and result.space != "planar" else fallback
    mechanism = Mechanism({**model, "space": result.space}, poses, parts, up, _span(_boxes(poses, parts)))
    mechanism.draw()
    boxes = _boxes(poses, parts)
    low, high = _box(boxes, parts[-1])
    span = _span(boxes)
    journey = not _tied(model) and math.dist(low, high) > TRAVELS * span
    return Scene(result.space, up, names, parts, _links(model, index), _joints(model, index), poses, low, high, _colours(names),
                 span, mechanism.radius, _tracks(model, index), _offset(poses, boxes), journey)


def _declared(model: dict[str, Any], index: dict[str, int]) -> list[list[Part]]:
    """The parts of every body that its shapes and its tracks declare, the ground last."""
    shapes: list[dict[str, Part]] = [{} for _ in index]
    for contact in model["contacts"]:
        for given in (contact.get("a"), contact.get("b")):
            for shape in given if isinstance(given, list) else [given]:
                if isinstance(shape, dict):
                    shapes[index[shape["body"]]][repr(shape)] = shape  # one shape may serve many contacts
    for body in model["bodies"]:
        for shape in (*(body.get("shapes") or ()), *(body.get("visual") or ())):
            shapes[index[body["name"]]][repr(shape)] = shape
    parts = [[part for shape in own.values() for part in parts_of(shape)] for own in shapes]
    for track in model.get("tracks", []):
        for body, part in track_parts(track):
            parts[index[body]].append(part)
    return parts


def _links(model: dict[str, Any], index: dict[str, int]) -> list[Part]:
    """Rods, ropes and springs from a point of one body to a point of another."""
    return [
        {
            "kind": LINKS[link["kind"]],
            "name": link["name"],
            "a": index[link["a"]],
            "b": index[link["b"]],
            "point_a": [*link["point_a"], 0.0, 0.0, 0.0][:3],
            "point_b": [*link["point_b"], 0.0, 0.0, 0.0][:3],
            "length": link.get("length"),
        }
        for link in (*model["joints"], *model["contacts"], *model["forces"])
        if link["kind"] in LINKS
    ]


def _tracks(model: dict[str, Any], index: dict[str, int]) -> list[Part]:
    """Links of the tracks that press on the ground, and the middle of their soles."""
    return [
        {"name": track["name"], "links": [index[link] for link in track["links"]],
         "sole": [*np.mean(track["shoes"]["points"], axis=0).tolist(), 0.0]}
        for track in model.get("tracks", []) if track["shoes"]
    ]  # fmt: skip


def _joints(model: dict[str, Any], index: dict[str, int]) -> list[Part]:
    """Where the reaction of each joint acts: on its second body, at its point."""
    return [
        {"name": joint["name"], "body": index[joint["b"]], "point": [*joint["point_b"], 0.0, 0.0, 0.0][:3]}
        for joint in model["joints"]
        if "point_b" in joint and joint["kind"] != "Free"
    ]


def _poses(result: Result, names: list[str]) -> np.ndarray:
    out = np.zeros((len(result.t), len(names), 7))
    for i, name in enumerate(names):
        if result.space == "planar":
            half = 0.5 * result[f"{name}.theta"]
            columns = [result[f"{name}.x"], result[f"{name}.y"], 0.0 * half, np.cos(half), 0.0 * half, 0.0 * half, np.sin(half)]
        else:
            columns = [result[f"{name}.{k}"] for k in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        out[:, i] = np.column_stack(columns)
    return out


def _boxes(poses: np.ndarray, parts: list[list[Part]]) -> np.ndarray:
    """(instants, 2, 3) lowest and highest corner of the box about all bodies, at some hundred instants."""
    at = poses[:: max(1, len(poses) // 100)]
    lows, highs = np.full((len(at), 3), np.inf), np.full((len(at), 3), -np.inf)
    for i, own in enumerate(parts[:-1]):
        corners = np.concatenate([corners_of(part) for part in own] or [np.zeros((0, 3))])
        if not len(corners):
            corners = np.zeros((1, 3))
        fine = np.isfinite(at[:, i]).all(axis=1)
        if not fine.any():
            continue
        ends = np.array([corners.min(axis=0), corners.max(axis=0)])
        box = np.array(np.meshgrid(*ends.T)).reshape(3, -1).T
        seen = at[fine, i, None, :3] + np.einsum("nij,kj->nki", rotations(at[fine, i, 3:]), box)
        lows[fine], highs[fine] = np.minimum(lows[fine], seen.min(axis=1)), np.maximum(highs[fine], seen.max(axis=1))
    fine = np.isfinite(lows).all(axis=1) & np.isfinite(highs).all(axis=1)
    return np.stack([lows, highs], axis=1)[fine]


def _box(boxes: np.ndarray, fixed: list[Part]) -> tuple[list[float], list[float]]:
    """Corners of a box around every body at every instant, and around what is fixed near them."""
    low, high = (boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)) if len(boxes) else (-np.ones(3), np.ones(3))
    room = max(float((high - low).max()), 1e-9)
    for part in fixed:
        corners = corners_of(part)
        near = corners[((corners > low - room) & (corners < high + room)).all(axis=1)]  # terrain may go on for miles
        if len(near):
            low, high = np.minimum(low, near.min(axis=0)), np.maximum(high, near.max(axis=0))
    return (low - 0.02 * room).tolist(), (high + 0.02 * room).tolist()


def _colours(names: list[str]) -> list[int]:
    """A colour each; many of a kind (link1, link2, ...) share one."""
    kinds = [name.rstrip("0123456789") for name in names]
    found: dict[str, int] = {}
    owners = [kind if kinds.count(kind) > MANY else name for kind, name in zip(kinds, names, strict=True)]
    return [found.setdefault(owner, len(found)) for owner in owners]


def _span(boxes: np.ndarray) -> float:
    """The largest diagonal that the bodies fill at one instant."""
    return float(np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1).max()) or 1.0 if len(boxes) else 1.0


def _offset(poses: np.ndarray, boxes: np.ndarray) -> list[float]:
    """From the middle of the mass centres to the middle of the bodies, at the first instant."""
    at = poses[0, :, :3] if len(poses) else np.zeros((0, 3))
    at = at[np.isfinite(at).all(axis=1)]
    if not len(at) or not len(boxes):
        return [0.0, 0.0, 0.0]
    way: np.ndarray = boxes[0].mean(axis=0) - 0.5 * (at.min(axis=0) + at.max(axis=0))
    return [float(x) for x in way]


def _tied(model: dict[str, Any]) -> bool:
    """Whether a hinge, a rope or a spring holds something to the ground, so that nothing travels far."""
    ends = [(x["a"], x["b"]) for x in (*model["joints"], *model["contacts"], *model["forces"])
            if isinstance(x.get("a"), str) and x["kind"] not in ("Free", *GUIDES)]
    return any(GROUND in pair for pair in ends)
