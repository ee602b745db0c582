"""The motion as pictures: GIF by Pillow, MP4 where ffmpeg is installed. Orthographic, shaded, drawn by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from routh.compiler.geometry import matrix_of
from routh.errors import RouthError
from routh.sim.result import Result
from routh.view.faces import faces_of
from routh.view.gltf import COLOURS, GROUND
from routh.view.scene import Scene, scene_of
from routh.whole_file import whole_file

__all__ = ["draw_scene", "write_movie"]

MOST_FRAMES = 3000
LIGHT = np.array([0.4, 0.8, 0.5])
SIDE = np.array([1.0, 0.55, 0.35])  # where the eye is in space: along x, y and up of an upright scene


def write_movie(result: Result, path: Path, fps: float = 25.0, speed: float = 1.0) -> Path:
    """Write a run as .gif or .mp4, `speed` times as fast as life."""
    from matplotlib.animation import FFMpegWriter, PillowWriter
    from matplotlib.figure import Figure

    movie = path.suffix.lower() == ".mp4"
    if movie and not FFMpegWriter.isAvailable():
        raise RouthError(f"{path}: MP4 is made by ffmpeg, which is not installed; install it, or write a .gif")
    count = int(np.ceil((result.t[-1] - result.t[0]) / speed * fps)) + 1
    if count > MOST_FRAMES:
        raise RouthError(f"{path}: {count} frames; {MOST_FRAMES} are the limit. Raise speed = {speed:g} or lower fps = {fps:g}")
    scene = scene_of(result)
    figure = Figure(figsize=(6.4, 4.8), dpi=100)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    kind: Any = FFMpegWriter if movie else PillowWriter
    writer = kind(fps=fps)
    with whole_file(path) as part, writer.saving(figure, str(part), 100):
        for i in range(count):
            t = min(result.t[0] + i * speed / fps, result.t[-1])
            ax.clear()
            draw_scene(ax, scene, int(np.argmin(np.abs(result.t - t))))
            ax.text(0.02, 0.98, f"t = {t:.3f} s", transform=ax.transAxes, va="top", family="monospace")
            writer.grab_frame()
    return path


def draw_scene(ax: Any, scene: Scene, sample: int) -> None:
    """Draw the scene at one sample: faces from far to near, shaded by where they look; links as lines."""
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgb

    view = _view(scene)
    size = float(np.linalg.norm(np.subtract(scene.high, scene.low)))
    flat = scene.space == "planar"
    drawn: list[tuple[float, np.ndarray, Any]] = []
    for i, parts in enumerate(scene.parts):
        fixed = i == len(scene.bodies)
        pose = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]) if fixed else scene.poses[sample, i]
        turn, colour = matrix_of(pose[3:]), np.array(to_rgb("#" + (GROUND if fixed else COLOURS[i % len(COLOURS)])))
        for n, part in enumerate(parts):
            if flat and part["kind"] in ("bar", "dot"):
                ends = np.array([part[key] for key in ("start", "end", "point") if key in part]) @ turn.T + pose[:3]
                ax.plot(ends[:, 0], ends[:, 1], "-" if len(ends) > 1 else "o", color="0.25" if fixed else 0.6 * colour,
                        linewidth=2.0, markersize=3.0, solid_capstyle="round", zorder=3)
                continue
            for face in faces_of(part, size):
                seen = (face @ turn.T + pose[:3]) @ view.T
                normal = np.cross(seen[1] - seen[0], seen[2] - seen[1])
                shade = 1.0 if flat else 0.55 + 0.45 * abs(float(normal @ LIGHT)) / max(float(np.linalg.norm(normal)), 1e-300)
                depth = -np.inf if part["kind"] == "halfspace" else n if flat else float(seen[:, 2].mean())
                drawn.append((depth, seen[:, :2], (*(shade * colour), 0.85 if flat else 1.0)))
    drawn.sort(key=lambda entry: entry[0])
    edge = "0.25" if flat else "none"
    faces, tints = [face for _, face, _ in drawn], [tint for *_, tint in drawn]
    ax.add_collection(PolyCollection(faces, facecolors=tints, edgecolors=edge, linewidths=0.6))
    for link in scene.links:
        ends = np.array([_end(scene, sample, link[b], link[f"point_{b}"]) for b in "ab"]) @ view.T
        ax.plot(ends[:, 0], ends[:, 1], "--" if link["kind"] == "rope" else "-", color="0.3", linewidth=1.2)
    corners = np.array(np.meshgrid(*zip(scene.low, scene.high, strict=True))).reshape(3, -1).T @ view.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    room = 0.03 * size
    ax.set(xlim=(low[0] - room, high[0] + room), ylim=(low[1] - room, high[1] + room), aspect="equal")
    ax.axis("off")


def _view(scene: Scene) -> np.ndarray:
    """Rows: right, up and towards the eye."""
    if scene.space == "planar":
        return np.eye(3)
    up = np.array(scene.up, float)
    across = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
    across /= np.linalg.norm(across)
    eye = SIDE[0] * across + SIDE[1] * np.cross(up, across) + SIDE[2] * up
    eye /= np.linalg.norm(eye)
    right = np.cross(up, eye)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(eye, right), eye])


def _end(scene: Scene, sample: int, body: int, point: list[float]) -> np.ndarray:
    if body == len(scene.bodies):
        return np.array(point, float)
    pose = scene.poses[sample, body]
    end: np.ndarray = pose[:3] + matrix_of(pose[3:]) @ np.array(point, float)
    return end
