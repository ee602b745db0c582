"""The motion as glTF 2.0: one file that Blender, browsers and office programs play. `.glb` is binary, `.gltf` is text.

Every body is a node whose place and turn are animated; rods, ropes and springs are unit bars that are also stretched. Axes
are turned so that up is y, as the format wants. At an impact the place is continuous: of two samples at one time one is kept.
"""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from routh.compiler.geometry import matrix_of
from routh.sim.result import Result
from routh.version import __version__
from routh.view.faces import faces_of, triangles_of
from routh.view.palette import BODIES, GROUND
from routh.view.scene import Scene, scene_of
from routh.whole_file import write_whole

__all__ = ["write_gltf"]

FLOAT, ARRAY_BUFFER = 5126, 34962


def write_gltf(result: Result, path: Path, fps: float = 60.0, speed: float = 1.0) -> Path:
    """Write the motion of a run; it plays `speed` times as fast as life, with at most `fps` key frames per second."""
    scene = scene_of(result)
    keep = _frames(result.t, fps, speed)
    file = _File()
    size = float(np.linalg.norm(np.subtract(scene.high, scene.low)))
    times = file.accessor(((result.t[keep] - result.t[0]) / speed).astype("f4"), "SCALAR", bounds=True)
    root: dict[str, Any] = {"name": "scene", "rotation": _upright(scene.up), "children": []}
    file.nodes.append(root)
    for i, name in enumerate([*scene.bodies, "ground"]):
        colour = (GROUND if i == len(scene.bodies) else BODIES[scene.colours[i] % len(BODIES)]).lstrip("#")
        mesh = file.mesh(name, [face for part in scene.parts[i] for face in faces_of(part, size)], colour)
        node = {"name": name} | ({} if mesh is None else {"mesh": mesh})
        root["children"].append(len(file.nodes))
        if i < len(scene.bodies):
            poses = scene.poses[keep, i]
            node |= {"translation": poses[0, :3].tolist(), "rotation": _turns(poses[:1, 3:])[0].tolist()}
            file.animate(times, len(file.nodes), translation=poses[:, :3], rotation=_turns(poses[:, 3:]))
        file.nodes.append(node)
    for link in scene.links:
        mesh = file.mesh(link["name"], faces_of({"kind": "bar", "start": (0, 0, 0), "end": (0, 0, 1)}, size), "54585a")
        root["children"].append(len(file.nodes))
        file.animate(times, len(file.nodes), **_stretched(scene, link, keep))
        file.nodes.append({"name": link["name"], "mesh": mesh})
    return file.write(path)


class _File:
    """The lists of a glTF file while it is made."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []

    def accessor(self, values: np.ndarray, kind: str, *, bounds: bool = False, drawn: bool = False) -> int:
        """Put numbers into the buffer; return how others refer to them."""
        data = np.ascontiguousarray(values, "<f4")
        view = {"buffer": 0, "byteOffset": len(self.buffer), "byteLength": data.nbytes}
        self.views.append(view | ({"target": ARRAY_BUFFER} if drawn else {}))
        self.buffer += data.tobytes()
        entry = {"bufferView": len(self.views) - 1, "componentType": FLOAT, "count": len(data), "type": kind}
        if bounds:
            entry |= {"min": np.atleast_1d(data.min(axis=0)).tolist(), "max": np.atleast_1d(data.max(axis=0)).tolist()}
        self.accessors.append(entry)
        return len(self.accessors) - 1

    def mesh(self, name: str, faces: list[np.ndarray], colour: str) -> int | None:
        """A mesh of one colour; None where there is nothing to draw."""
        vertices, normals = triangles_of(faces)
        if not len(vertices):
            return None
        tint = [(int(colour[i: i + 2], 16) / 255.0) ** 2.2 for i in (0, 2, 4)]
        self.materials.append({"doubleSided": True, "pbrMetallicRoughness": {
            "baseColorFactor": [*tint, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.7}})
        attributes = {"POSITION": self.accessor(vertices, "VEC3", bounds=True, drawn=True),
                      "NORMAL": self.accessor(normals, "VEC3", drawn=True)}
        self.meshes.append({"name": name, "primitives": [{"attributes": attributes, "material": len(self.materials) - 1}]})
        return len(self.meshes) - 1

    def animate(self, times: int, node: int, **paths: np.ndarray) -> None:
        """Animate translation, rotation or scale of a node."""
        for path, values in paths.items():
            output = self.accessor(values, "VEC4" if path == "rotation" else "VEC3")
            self.samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})
            self.channels.append({"sampler": len(self.samplers) - 1, "target": {"node": node, "path": path}})

    def write(self, path: Path) -> Path:
        """The file itself."""
        binary = path.suffix.lower() == ".glb"
        while len(self.buffer) % 4:
            self.buffer.append(0)
        uri = {} if binary else {"uri": "data:application/octet-stream;base64," + base64.b64encode(self.buffer).decode()}
        content: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"routh {__version__}"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": self.nodes, "meshes": self.meshes, "materials": self.materials, "accessors": self.accessors,
            "bufferViews": self.views, "buffers": [{"byteLength": len(self.buffer), **uri}],
            "animations": [{"name": "motion", "samplers": self.samplers, "channels": self.channels}]}
        text = json.dumps({key: value for key, value in content.items() if value != []}, separators=(",", ":")).encode()
        if not binary:
            return write_whole(path, text)
        text += b" " * (-len(text) % 4)
        total = 12 + 8 + len(text) + 8 + len(self.buffer)
        return write_whole(path, struct.pack("<4sII", b"glTF", 2, total) + struct.pack("<I4s", len(text), b"JSON") + text
                           + struct.pack("<I4s", len(self.buffer), b"BIN\0") + bytes(self.buffer))


def _frames(t: np.ndarray, fps: float, speed: float) -> np.ndarray:
    """Samples to keep: times that grow, no closer than the frames, the last included."""
    kept = [0]
    for i in range(1, len(t)):
        if t[i] - t[kept[-1]] >= 0.999 * speed / fps:
            kept.append(i)
    if len(t) > 1 and np.float32(t[-1] - t[0]) > np.float32(t[kept[-1]] - t[0]):
        kept.append(len(t) - 1)
    return np.array(kept)


def _turns(quaternions: np.ndarray) -> np.ndarray:
    """Quaternions in the order x, y, z, w, each on the side of the one before it."""
    q = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    flips = np.cumprod(np.concatenate([[1.0], np.where((q[1:] * q[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)]))
    turned: np.ndarray = (q * flips[:, None])[:, [1, 2, 3, 0]]
    return turned


def _upright(up: list[float]) -> list[float]:
    """The turn that brings `up` to y."""
    return _between(np.array(up, float), np.array([0.0, 1.0, 0.0]))


def _between(a: np.ndarray, b: np.ndarray) -> list[float]:
    """The shortest turn from one unit vector to another, x, y, z, w."""
    w = 1.0 + float(a @ b)
    axis = np.cross(a, b)
    if w < 1e-12:  # half a turn about any axis across a
        axis, w = np.cross(a, np.eye(3)[np.argmin(np.abs(a))]), 0.0
    q = np.array([*axis, w])
    return [float(x) for x in q / np.linalg.norm(q)]


def _stretched(scene: Scene, link: dict[str, Any], keep: np.ndarray) -> dict[str, np.ndarray]:
    """Place, turn and length over time of a bar between two points."""
    ends = []
    for body, point in ((link["a"], link["point_a"]), (link["b"], link["point_b"])):
        if body == len(scene.bodies):
            ends.append(np.tile(np.array(point, float), (len(keep), 1)))
        else:
            ends.append(np.array([pose[:3] + matrix_of(pose[3:]) @ np.array(point) for pose in scene.poses[keep, body]]))
    way = ends[1] - ends[0]
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
    z = np.array([0.0, 0.0, 1.0])
    turns = np.array([_between(z, w / n) if n > 1e-8 else [0.0, 0.0, 0.0, 1.0] for w, n in zip(way, length, strict=True)])
    return {"translation": ends[0], "rotation": _turns(turns[:, [3, 0, 1, 2]]),
            "scale": np.column_stack([np.ones_like(length), np.ones_like(length), length])}
