"""The scene of a run: bodies with their parts, links between them, where every body is, and how large it all is.

Made from `Result.declaration` and the channels alone, so that a run loaded from a file is drawn like a fresh one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from routh.errors import RouthError
from routh.model.body import GROUND
from routh.sim.result import Result
from routh.view.parts import Part, parts_of, reach_of, round_of, stand_in
from routh.view.track_parts import track_parts

__all__ = ["Scene", "scene_of"]

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
    poses: np.ndarray
    low: list[float] = field(default_factory=list)  #: corner of the box that holds the whole motion [m]
    high: list[float] = field(default_factory=list)
    colours: list[int] = field(default_factory=list)  #: of every body, as an index into a list of colours
    span: float = 1.0  #: largest size of the bodies at one instant [m]; much less than the box where they travel


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
    shapes: list[dict[str, Part]] = [{} for _ in index]
    for contact in model["contacts"]:
        for shape in (contact.get("a"), contact.get("b")):
            if isinstance(shape, dict):
                shapes[index[shape["body"]]][repr(shape)] = shape  # one shape may serve many contacts
    parts = [[part for shape in own.values() for part in parts_of(shape)] for own in shapes]
    for track in model.get("tracks", []):
        for body, part in track_parts(track):
            parts[index[body]].append(part)
    arms = _arms(model, index)
    longest = max((float(np.linalg.norm(p)) for points in arms[:-1] for p in points), default=0.0)
    for body, own, points in zip(model["bodies"], parts, arms, strict=False):
        own += _sticks(body, own, points, longest)
    parts[-1] += [{"kind": "dot", "point": p} for p in arms[-1]]
    links = [
        {
            "kind": LINKS[link["kind"]],
            "name": link["name"],
            "a": index[link["a"]],
            "b": index[link["b"]],
            "point_a": [*link["point_a"], 0.0, 0.0, 0.0][:3],
            "point_b": [*link["point_b"], 0.0, 0.0, 0.0][:3],
        }
        for link in (*model["joints"], *model["contacts"], *model["forces"])
        if link["kind"] in LINKS
    ]
    poses = _poses(result, names)
    low, high = _box(poses, parts)
    gravity = [*model["gravity"], 0.0][:3]
    size = float(np.linalg.norm(gravity))
    fallback = [0.0, 1.0, 0.0] if result.space == "planar" else [0.0, 0.0, 1.0]
    up = [-g / size for g in gravity] if size > 0.0 and result.space != "planar" else fallback
    return Scene(result.space, up, names, parts, links, poses, low, high, _colours(names), _span(poses, parts))


def _arms(model: dict[str, Any], index: dict[str, int]) -> list[list[list[float]]]:
    """The joint points of every body, the ground last."""
    arms: list[list[list[float]]] = [[] for _ in index]
    for joint in model["joints"]:
        if "point_a" in joint and joint["kind"] != "Free":
            for body, point in ((joint["a"], joint["point_a"]), (joint["b"], joint["point_b"])):
                arms[index[body]].append([*point, 0.0, 0.0, 0.0][:3])
    return arms


def _sticks(body: Part, own: list[Part], points: list[list[float]], longest: float) -> list[Part]:
    """What shows a body beside its shapes: bars from its mass centre to all that lies apart, dots at joints, or a stand-in."""
    solids = [round_of(part) for part in own if part["kind"] not in ("dot", "bar", "halfspace")]
    tips = [*points, *(part["point"] for part in own if part["kind"] == "dot")]
    ends = [tip for tip in tips if any(tip) and not any(_within(tip, solid) for solid in solids)]
    ends += [centre.tolist() for centre, radius in solids if not _within([0.0, 0.0, 0.0], (centre, radius))]
    out: list[Part] = [{"kind": "bar", "start": [0.0, 0.0, 0.0], "end": end} for end in ends]
    if not solids and not ends:
        box = stand_in(body)
        shrink = min(1.0, 0.25 * longest / reach_of(box)) if longest > 0.0 else 1.0  # small beside the mechanism around it
        out.append({**box, "points": (shrink * np.array(box["points"])).tolist()})
    return out + [{"kind": "dot", "point": p} for p in points]


def _within(point: list[float], solid: tuple[np.ndarray, float]) -> bool:
    return bool(np.linalg.norm(np.array(point) - solid[0]) <= 1.01 * solid[1])


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


def _box(poses: np.ndarray, parts: list[list[Part]]) -> tuple[list[float], list[float]]:
    """Corners of a box around every finite position of every body, reach included, and around what is fixed near them."""
    ends = []
    for i, own in enumerate(parts[:-1]):
        reach = max((reach_of(part) for part in own), default=0.0)
        at = poses[:, i, :3][np.isfinite(poses[:, i, :3]).all(axis=1)]
        if len(at):
            ends += [at.min(axis=0) - reach, at.max(axis=0) + reach]
    low, high = (np.min(ends, axis=0), np.max(ends, axis=0)) if ends else (-np.ones(3), np.ones(3))
    room = max(float((high - low).max()), 1e-9)
    for part in parts[-1]:
        if part["kind"] != "halfspace":
            fixed = np.array([part[key] for key in ("point", "start", "end") if key in part] + part.get("points", []))
            size = reach_of({**part, "point": (0.0, 0.0, 0.0)}) if "point" in part else 0.0
            near = fixed[((fixed > low - room) & (fixed < high + room)).all(axis=1)]  # terrain may go on for miles
            if len(near):
                low, high = np.minimum(low, near.min(axis=0) - size), np.maximum(high, near.max(axis=0) + size)
    return (low - 0.02 * room).tolist(), (high + 0.02 * room).tolist()


def _colours(names: list[str]) -> list[int]:
    """A colour each; many of a kind (link1, link2, ...) share one."""
    kinds = [name.rstrip("0123456789") for name in names]
    found: dict[str, int] = {}
    owners = [kind if kinds.count(kind) > MANY else name for kind, name in zip(kinds, names, strict=True)]
    return [found.setdefault(owner, len(found)) for owner in owners]


def _span(poses: np.ndarray, parts: list[list[Part]]) -> float:
    """The largest diagonal that the bodies fill at one instant."""
    at = poses[np.isfinite(poses).all(axis=(1, 2)), :, :3]
    reach = max((reach_of(part) for own in parts[:-1] for part in own), default=0.0)
    spread = np.linalg.norm(np.ptp(at, axis=1), axis=1).max() if len(at) else 0.0
    return float(spread + 2.0 * reach) or 1.0
