"""An SVG of the bodies at a few instants, later ones darker: for notebooks and the gallery. Plain text, no library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from routh.sim.poses import rotations
from routh.sim.result import Result
from routh.view.palette import BODIES, GROUND
from routh.view.parts import Part
from routh.view.scene import Scene, scene_of

__all__ = ["picture"]

HEAP = 50  # bodies above which only their last places are drawn: earlier ones and paths would cover them


def picture(result: Result, times: Sequence[float] | None = None, width: int = 420, height: int = 260) -> str:
    """The scene as SVG text at `times` (five over the run by default), with the paths of the mass centres.

    A heap of more than 50 bodies is drawn at the end of the run by default, without paths.
    """
    scene = scene_of(result)
    t, heap = result.t, len(scene.colours) > HEAP
    default = t[-1:] if heap else np.linspace(t[0], t[-1], 5 if len(t) > 1 else 1)
    wanted = default if times is None else np.asarray(times, float)
    samples = [int(i) for i in np.clip(np.searchsorted(t, wanted, side="right") - 1, 0, len(t) - 1)]
    look = _Look(scene, width, height)
    colours = [BODIES[k % len(BODIES)] for k in scene.colours]
    paths = []
    if len(t) > 1 and not heap:
        paths = [_path(look.flat(scene.poses[:, b, :3]), colour) for b, colour in enumerate(colours)]
    ground = [_drawn(part, np.zeros(3), np.eye(3), look, GROUND, 0.35) for part in scene.parts[-1]]
    bodies = []
    for k, i in enumerate(samples):
        shade = 0.25 + 0.75 * (k + 1) / len(samples)
        R = rotations(scene.poses[i, :, 3:])
        for b, own in enumerate(scene.parts[:-1]):
            if np.isfinite(scene.poses[i, b]).all():
                bodies += [_drawn(part, scene.poses[i, b, :3], R[b], look, colours[b], shade) for part in own]
        bodies += [_link(link, scene.poses[i], R, look, shade) for link in scene.links]
    label = escape(f"{result.model} from {t[0]:g} to {t[-1]:g} s", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{label}">{"".join([*ground, *paths, *bodies])}</svg>'
    )


class _Look:
    """The way from the world onto the paper: from the front in the plane, from above the shoulder in space."""

    def __init__(self, scene: Scene, width: int, height: int) -> None:
        up = np.array(scene.up)
        if scene.space == "planar":
            self.axes = np.eye(3)[:2]
        else:
            side = np.array([0.45, -1.0, 0.0]) if abs(up[2]) > 0.9 else np.array([0.45, 0.0, 1.0])
            back = side - up * (side @ up)
            back = back / np.linalg.norm(back) + 0.4 * up
            back /= np.linalg.norm(back)
            right = np.cross(up, back)
            right /= np.linalg.norm(right)
            self.axes = np.array([right, np.cross(back, right)])
        corners = np.array(np.meshgrid(*zip(scene.low, scene.high, strict=True))).reshape(3, -1).T @ self.axes.T
        low, high = corners.min(axis=0), corners.max(axis=0)
        self.scale = min((width - 12.0) / max(high[0] - low[0], 1e-12), (height - 12.0) / max(high[1] - low[1], 1e-12))
        self.middle, self.paper = 0.5 * (low + high), 0.5 * np.array([width, height])
        self.size = float(np.linalg.norm(high - low))
        self.centre = 0.5 * (np.array(scene.low) + np.array(scene.high))
        self.planar = scene.space == "planar"

    def flat(self, points: Any) -> np.ndarray:
        """Points (n, 3) of the world on the paper (n, 2), y down."""
        on = (np.asarray(points, float).reshape(-1, 3) @ self.axes.T - self.middle) * self.scale
        return self.paper + on * (1.0, -1.0)


def _points(on: np.ndarray) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in on if np.isfinite(x + y))


def _path(on: np.ndarray, colour: str) -> str:
    step = max(1, len(on) // 160)
    return f'<polyline points="{_points(on[::step])}" fill="none" stroke="{colour}" stroke-width="0.8" opacity="0.45"/>'


def _drawn(part: Part, x: np.ndarray, R: np.ndarray, look: _Look, colour: str, shade: float) -> str:
    """One part of a body at x, R."""
    kind = part["kind"]

    def at(points: Any) -> np.ndarray:
        return look.flat(x + np.asarray(points, float).reshape(-1, 3) @ R.T)

    style = f'fill="{colour}" fill-opacity="{0.75 * shade:.2f}" stroke="{colour}" stroke-opacity="{shade:.2f}" stroke-width="1"'
    line = f'fill="none" stroke="{colour}" stroke-opacity="{shade:.2f}" stroke-linecap="round"'
    if kind == "polygon" and part.get("lift", 0) > 0:  # pins, and the fields that show turns
        return f'<polygon points="{_points(at(part["points"]))}" fill="{colour}" fill-opacity="{0.4 * shade:.2f}"/>'
    if kind == "polygon":
        return f'<polygon points="{_points(at(part["points"]))}" {style}/>'
    if kind == "wire":
        wide = max(2.0 * part["radius"] * look.scale, 0.6)
        return f'<polyline points="{_points(at(part["points"]))}" {line} stroke-width="{wide:.1f}"/>'
    if kind == "curve":
        return f'<polyline points="{_points(at(part["points"]))}" {line} stroke-width="1.5"/>'
    if kind == "halfspace":
        return _floor(part, look, line, style)
    if kind == "dot":
        ((px, py),) = at(part["point"])
        return f'<circle cx="{px:.1f}" cy="{py:.1f}" r="1.6" fill="{colour}" fill-opacity="{shade:.2f}"/>'
    if kind == "bar":
        return f'<polyline points="{_points(at([part["start"], part["end"]]))}" {line} stroke-width="2"/>'
    if kind == "tube":
        wide = max(2.0 * part["radius"] * look.scale, 1.0)
        cap = "round" if part["round"] else "butt"
        return (
            f'<polyline points="{_points(at([part["start"], part["end"]]))}" fill="none" stroke="{colour}" '
            f'stroke-opacity="{0.6 * shade:.2f}" stroke-width="{wide:.1f}" stroke-linecap="{cap}"/>'
        )
    return f'<polygon points="{_points(_outline(at(_surface(part))))}" {style}/>'


def _surface(part: Part) -> np.ndarray:
    """Points of a convex part whose outline on the paper is its own."""
    if part["kind"] == "hull":
        return np.asarray(part["points"], float)
    turn = rotations(np.asarray([part["turn"]], float))[0]
    if part["kind"] == "box":
        local = np.array([[i, j, k] for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)]) * part["size"]
    else:
        a, b = np.meshgrid(np.linspace(0.0, np.pi, 13), np.linspace(0.0, 2.0 * np.pi, 25))
        ball = np.column_stack([(np.sin(a) * np.cos(b)).ravel(), (np.sin(a) * np.sin(b)).ravel(), np.cos(a).ravel()])
        local = ball * part["axes"]
    return np.asarray(part["point"], float) + local @ turn.T


def _outline(on: np.ndarray) -> np.ndarray:
    """The convex hull of points on the paper, in order (Andrew's chain)."""
    points = sorted(map(tuple, on))
    sides = []
    for run in (points, points[::-1]):
        side: list[tuple[float, float]] = []
        for p in run:
            while len(side) > 1 and (
                (side[-1][0] - side[-2][0]) * (p[1] - side[-2][1]) <= (side[-1][1] - side[-2][1]) * (p[0] - side[-2][0])
            ):
                side.pop()
            side.append(p)
        sides += side[:-1]
    return np.array(sides or points[:1])


def _floor(part: Part, look: _Look, line: str, style: str) -> str:
    normal = np.array(part["normal"])
    foot = look.centre - normal * float((look.centre - part["point"]) @ normal)
    along = (
        np.array([-normal[1], normal[0], 0.0]) if look.planar else np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    )
    along *= look.size / np.linalg.norm(along)
    if look.planar:
        return f'<polyline points="{_points(look.flat([foot - along, foot + along]))}" {line} stroke-width="1.5"/>'
    across = np.cross(normal, along)
    sheet = [foot + 0.6 * (i * along + j * across) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return f'<polygon points="{_points(look.flat(sheet))}" {style}/>'


def _link(link: Part, poses: np.ndarray, R: np.ndarray, look: _Look, shade: float) -> str:
    ends = [
        np.asarray(point, float) if body == len(poses) else poses[body, :3] + R[body] @ point
        for body, point in ((link["a"], link["point_a"]), (link["b"], link["point_b"]))
    ]
    dash = ' stroke-dasharray="3 2"' if link["kind"] == "spring" else ""
    return (
        f'<polyline points="{_points(look.flat(ends))}" fill="none" stroke="#667" stroke-opacity="{shade:.2f}" '
        f'stroke-width="1"{dash}/>'
    )
