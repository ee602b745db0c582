"""The motion as pictures: GIF by Pillow, MP4 where ffmpeg is installed. Orthographic, shaded, drawn by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from routh.compiler.geometry import matrix_of
from routh.errors import RouthError
from routh.extras import need
from routh.sim.result import Result
from routh.view.faces import faces_of
from routh.view.palette import BODIES, GROUND
from routh.view.parts import Part
from routh.view.scene import Scene, scene_of
from routh.whole_file import whole_file

__all__ = ["draw_scene", "write_movie"]

MOST_FRAMES = 3000
LEAST = 0.2  # of a journey that is seen at once
LIGHT = np.array([0.4, 0.8, 0.5])
SIDE = np.array([1.0, 0.55, 0.35])  # where the eye is in space: along x, y and up of an upright scene


def write_movie(result: Result, path: Path, fps: float = 25.0, speed: float = 1.0) -> Path:
    """Write a run as .gif or .mp4, `speed` times as fast as life."""
    need("matplotlib", what=f"{path}: a moving picture")
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
    draw_scene(ax, scene, 0)
    tall = 6.4 * np.ptp(ax.get_ylim()) / np.ptp(ax.get_xlim())
    figure.set_size_inches(6.4, 0.02 * round(50.0 * float(np.clip(tall, 2.4, 6.4))))  # even numbers of pixels, for MP4
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
    middle, size = _window(scene, sample)
    flat = scene.space == "planar"
    drawn: list[tuple[float, float, np.ndarray, Any]] = []
    for i, parts in enumerate(scene.parts):
        fixed = i == len(scene.bodies)
        pose = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]) if fixed else scene.poses[sample, i]
        if not np.isfinite(pose).all():
            continue
        colour = np.array(to_rgb(GROUND if fixed else BODIES[scene.colours[i] % len(BODIES)]))
        turn = matrix_of(pose[3:])
        for n, part in enumerate(parts):
            tone = colour * part.get("tone", 1.0)
            for face in faces_of(_near(part, middle), size):
                seen = (face @ turn.T + pose[:3]) @ view.T
                normal = np.cross(seen[1] - seen[0], seen[2] - seen[1])
                shade = 1.0 if flat else 0.55 + 0.45 * abs(float(normal @ LIGHT)) / max(float(np.linalg.norm(normal)), 1e-300)
                back = fixed and part["kind"] in ("halfspace", "curve")
                layer = -1.0 if back else 0.0 if fixed else 1.0 + scene.colours[i]
                depth = (layer, part.get("lift", 0) + 1e-3 * n) if flat else (float(not back), float(seen[:, 2].mean()))
                drawn.append((*depth, seen[:, :2], np.clip(shade * tone, 0.0, 1.0)))
    drawn.sort(key=lambda entry: entry[:2])
    faces, tints = [face for *_, face, _ in drawn], [tint for *_, tint in drawn]
    edges = [0.65 * tint for tint in tints] if flat else "none"
    ax.add_collection(PolyCollection(faces, facecolors=tints, edgecolors=edges, linewidths=0.8))
    for link in scene.links:
        ends = np.array([_end(scene, sample, link[b], link[f"point_{b}"]) for b in "ab"]) @ view.T
        ax.plot(ends[:, 0], ends[:, 1], "--" if link["kind"] == "rope" else "-", color="0.3", linewidth=1.6)
    if scene.journey:
        at = view @ middle
        low, high = at - 0.5 * size, at + 0.5 * size
    else:
        corners = np.array(np.meshgrid(*zip(scene.low, scene.high, strict=True))).reshape(3, -1).T @ view.T
        low, high = corners.min(axis=0) - 0.03 * size, corners.max(axis=0) + 0.03 * size
    wide, tall = max(high[0] - low[0], 1e-12), max(high[1] - low[1], 1e-12)
    paper = ax.bbox.width / ax.bbox.height  # the picture is filled: what is too narrow gets room on both sides
    room = 0.5 * np.array([max(0.0, paper * tall - wide), max(0.0, wide / paper - tall)])
    ax.set(xlim=(low[0] - room[0], high[0] + room[0]), ylim=(low[1] - room[1], high[1] + room[1]), aspect="equal")
    ax.axis("off")


def _window(scene: Scene, sample: int) -> tuple[np.ndarray, float]:
    """Middle and size of what is seen: everything, or the bodies around where they are on a journey."""
    low, high = np.array(scene.low), np.array(scene.high)
    whole = float(np.linalg.norm(high - low))
    at = scene.poses[sample, :, :3]
    at = at[np.isfinite(at).all(axis=1)]
    if not scene.journey or not len(at):
        return 0.5 * (low + high), whole
    return 0.5 * (at.min(axis=0) + at.max(axis=0)) + scene.offset, min(whole, max(1.1 * scene.span, LEAST * whole))


def _near(part: Part, middle: np.ndarray) -> Part:
    """A floor or wall with its point at the foot of the middle, so that the piece that is drawn lies in sight."""
    if part["kind"] != "halfspace":
        return part
    normal, point = np.array(part["normal"], float), np.array(part["point"], float)
    return {**part, "point": (middle - normal * float((middle - point) @ normal)).tolist()}


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
