"""The parts of a body as convex faces in its own frame: what a renderer fills, and what a glTF file holds as triangles."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from routh.compiler.geometry import matrix_of
from routh.view.parts import Part

__all__ = ["faces_of", "triangles_of"]

AROUND, ALONG = 24, 12   # faces of a round part about its axis, and from pole to pole
THIN = 0.004             # radius of bars and dots, against the size of the scene
DEEP = 0.04              # drawn thickness of terrain and floors, against the size of the scene

Faces = list[np.ndarray]


def faces_of(part: Part, size: float) -> Faces:
    """Faces (k, 3) of one part, counter-clockwise from outside; `size` is the scene's, for what has none of its own."""
    match part["kind"]:
        case "polygon":
            return [np.array(part["points"], float)]
        case "hull":
            points = np.array(part["points"], float)
            return [points[list(face)] for face in part["faces"]]
        case "box":
            return _box(part)
        case "ball":
            return _placed(_ball(), np.array(part["axes"], float), matrix_of(part["turn"]), part["point"])
        case "dot":
            return _placed(_ball(), np.full(3, 1.5 * THIN * size), np.eye(3), part["point"])
        case "wire":
            ends = pairwise(part["points"])
            return [face for start, end in ends for face in _tube(start, end, part["radius"], False)]
        case "tube" | "bar":
            return _tube(part["start"], part["end"], part.get("radius", THIN * size), bool(part.get("round")))
        case "curve":
            return _terrain(np.array(part["points"], float), DEEP * size)
        case "halfspace":
            return _floor(np.array(part["normal"], float), np.array(part["point"], float), size)
        case kind:
            raise ValueError(f"no faces for the part {kind!r}")


def triangles_of(faces: Faces) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and normals (n, 3), three to a triangle, of convex faces."""
    corners = [face[[0, i, i + 1]] for face in faces for i in range(1, len(face) - 1)]
    if not corners:
        return np.zeros((0, 3)), np.zeros((0, 3))
    triangles = np.array(corners)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normals, axis=1)
    kept = length > 0.0
    normals = normals[kept] / length[kept, None]
    return triangles[kept].reshape(-1, 3), np.repeat(normals, 3, axis=0)


def _placed(faces: Faces, scale: np.ndarray, turn: np.ndarray, at: list[float]) -> Faces:
    return [(face * scale) @ turn.T + np.array(at) for face in faces]


def _ball() -> Faces:
    """A unit sphere."""
    polar, round_ = np.linspace(0.0, math.pi, ALONG + 1), np.linspace(0.0, 2.0 * math.pi, AROUND + 1)
    grid = np.array([[[math.sin(p) * math.cos(a), math.sin(p) * math.sin(a), math.cos(p)] for a in round_] for p in polar])
    return _sheet(grid)


def _sheet(grid: np.ndarray) -> Faces:
    """The quads of a grid (rows, columns, 3)."""
    return [np.array([grid[i, j], grid[i + 1, j], grid[i + 1, j + 1], grid[i, j + 1]])
            for i in range(grid.shape[0] - 1) for j in range(grid.shape[1] - 1)]


def _box(part: Part) -> Faces:
    half = 0.5 * np.array(part["size"], float)
    faces = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            face = np.zeros((4, 3))
            face[:, axis] = side
            face[:, u], face[:, v] = (-1.0, 1.0, 1.0, -1.0), (-1.0, -1.0, 1.0, 1.0)
            faces.append(face if side > 0.0 else face[::-1])
    return _placed(faces, half, matrix_of(part["turn"]), part["point"])


def _tube(start: list[float], end: list[float], radius: float, round_ends: bool) -> Faces:
    """A cylinder with flat ends, or a capsule."""
    a, b = np.array(start, float), np.array(end, float)
    length = float(np.linalg.norm(b - a))
    if length == 0.0:
        return []
    w = (b - a) / length
    u = np.cross(w, np.eye(3)[np.argmin(np.abs(w))])
    u /= np.linalg.norm(u)
    v = np.cross(w, u)
    angles = np.linspace(0.0, 2.0 * math.pi, AROUND + 1)
    ring = np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v
    rises = np.linspace(0.0, 0.5 * math.pi, ALONG // 2 + 1) if round_ends else np.zeros(1)
    rows = [b + radius * (math.cos(r) * ring + math.sin(r) * w) for r in rises[::-1]]
    rows += [a + radius * (math.cos(r) * ring - math.sin(r) * w) for r in rises]
    faces = _sheet(np.array(rows))
    return faces if round_ends else [*faces, b + radius * ring[:-1], a + radius * ring[:-1][::-1]]


def _terrain(points: np.ndarray, depth: float) -> Faces:
    """A band on the right-hand side of a curve, where it is solid."""
    faces = []
    for p, q in pairwise(points):
        way = (q - p) / max(float(np.linalg.norm(q - p)), 1e-300)
        right = depth * np.array([way[1], -way[0], 0.0])
        faces.append(np.array([p, p + right, q + right, q]))
    return faces


def _floor(normal: np.ndarray, point: np.ndarray, size: float) -> Faces:
    """A piece of a half space about as large as the scene: a band in the plane, a square in space."""
    if normal[2] == 0.0:
        along = size * np.array([-normal[1], normal[0], 0.0])
        deep = DEEP * size * normal
        return [np.array([point - along, point - along - deep, point + along - deep, point + along])]
    u = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    u *= size / np.linalg.norm(u)
    v = np.cross(normal, u)
    return [np.array([point - u - v, point + u - v, point + u + v, point - u + v])]
