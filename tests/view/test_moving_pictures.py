"""Motion in the files of other programs: glTF read back byte by byte, GIF frame by frame, faces that close."""

from __future__ import annotations

import base64
import json
import math
import struct

import numpy as np
import pytest

import routh as rt
from routh.compiler.geometry import matrix_of
from routh.errors import RouthError
from routh.gallery.scenes import scene
from routh.view.export import export_run as write
from routh.view.faces import faces_of, triangles_of
from routh.view.parts import parts_of
from routh.view.scene import scene_of


@pytest.fixture(scope="module")
def ball():
    return rt.simulate(scene("park_ball").model, scene("park_ball").start, 2.0)


@pytest.fixture(scope="module")
def rope():
    return rt.simulate(scene("rope").model, scene("rope").start, 1.0)


def volume(faces):
    """Volume that faces enclose, by the divergence theorem; positive where they are seen counter-clockwise from outside."""
    corners = triangles_of(faces)[0].reshape(-1, 3, 3)
    return float(np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


TURN = (0.5, 0.5, -0.5, 0.5)
ROUND = 0.05  # faces inside a round body miss a part of its volume: 24 about the axis, 12 from pole to pole


@pytest.mark.parametrize(
    ("shape", "exact", "rounded"),
    [
        ({"kind": "Box", "size": (1.0, 2.0, 3.0), "point": (9.0, 0.0, 0.0), "turn": TURN}, 6.0, 1e-12),
        ({"kind": "Sphere", "radius": 0.5, "point": (1.0, 2.0, 3.0)}, math.pi / 6, ROUND),
        ({"kind": "Ellipsoid", "axes": (1.0, 2.0, 3.0), "point": (), "turn": TURN}, 8 * math.pi, ROUND),
        ({"kind": "Cylinder", "radius": 0.5, "length": 2.0, "axis": (0.6, 0.8, 0.0), "point": ()}, math.pi / 2, ROUND),
        ({"kind": "Capsule", "start": (0.0, 0.0, 1.0), "end": (0.0, 2.0, 1.0), "radius": 0.5}, math.pi * (0.5 + 1 / 6), ROUND),
        ({"kind": "Hull", "points": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))}, 1 / 6, 1e-12),
    ],
)
def test_faces_enclose_the_volume_of_their_shape(shape, exact, rounded):
    found = volume([face for part in parts_of(shape) for face in faces_of(part, 1.0)])
    assert (1.0 - rounded) * exact <= found <= exact * (1.0 + 1e-12)


def test_flat_parts_have_faces_too():
    flat = [
        {"kind": "Disk", "radius": 1.0, "point": ()},
        {"kind": "Polyline", "vertices": ((0, 0), (1, 0), (2, 1)), "bulges": (0.0, 0.3)},
        {"kind": "HalfSpace", "normal": (0.0, 1.0), "point": ()},
        {"kind": "HalfSpace", "normal": (0.0, 0.0, 1.0), "point": ()},
    ]
    for shape in flat:
        assert all(len(face) >= 3 for part in parts_of(shape) for face in faces_of(part, 1.0))
    with pytest.raises(ValueError, match="no faces for the part 'spam'"):
        faces_of({"kind": "spam"}, 1.0)


def opened(path):
    """JSON and buffer of a glTF file, checked for the lengths it declares."""
    data = path.read_bytes()
    if path.suffix == ".gltf":
        content = json.loads(data)
        return content, base64.b64decode(content["buffers"][0]["uri"].partition(",")[2])
    magic, version, total = struct.unpack_from("<4sII", data)
    assert (magic, version, total) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    content = json.loads(data[20 : 20 + size])
    length, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert (kind, length % 4, size % 4) == (b"BIN\0", 0, 0)
    return content, data[28 + size : 28 + size + length]


def numbers(content, buffer, index):
    entry = content["accessors"][index]
    view = content["bufferViews"][entry["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[entry["type"]]
    values = np.frombuffer(buffer, "<f4", entry["count"] * width, view["byteOffset"]).reshape(entry["count"], width)
    assert view["byteLength"] == values.nbytes
    if "min" in entry:
        assert np.array_equal(values.min(axis=0), np.float32(entry["min"]))
        assert np.array_equal(values.max(axis=0), np.float32(entry["max"]))
    return values


def animation(content, buffer, name):
    """Times and values of every animated path of a node."""
    node = next(i for i, n in enumerate(content["nodes"]) if n["name"] == name)
    moves = content["animations"][0]
    out = {}
    for channel in moves["channels"]:
        if channel["target"]["node"] == node:
            sampler = moves["samplers"][channel["sampler"]]
            out[channel["target"]["path"]] = (
                numbers(content, buffer, sampler["input"])[:, 0],
                numbers(content, buffer, sampler["output"]),
            )
    return out


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_gltf_moves_as_the_run_did(ball, tmp_path, suffix):
    content, buffer = opened(write(ball, tmp_path / f"ball{suffix}", fps=50.0, speed=0.5))
    t, place = animation(content, buffer, "ball")["translation"]
    assert (np.diff(t) > 0.0).all()  # the format wants it, and impacts have two samples
    assert t[-1] == np.float32(2.0 / 0.5)
    assert np.interp(t * 0.5, ball.t, ball["ball.y"]) == pytest.approx(place[:, 1], abs=1e-6)
    turn = animation(content, buffer, "ball")["rotation"][1]
    assert np.linalg.norm(turn, axis=1) == pytest.approx(np.ones(len(turn)), abs=1e-6)
    assert 2.0 * np.arctan2(turn[:, 2], turn[:, 3])[1] == pytest.approx(
        np.interp(t[1] * 0.5, ball.t, ball["ball.theta"]), abs=1e-5
    )
    assert ((turn[1:] * turn[:-1]).sum(axis=1) > 0.0).all()
    for mesh in content["meshes"]:
        for primitive in mesh["primitives"]:
            corners = numbers(content, buffer, primitive["attributes"]["POSITION"])
            assert len(corners) == len(numbers(content, buffer, primitive["attributes"]["NORMAL"]))
            assert len(corners) % 3 == 0


def test_a_rope_is_stretched_between_its_ends(rope, tmp_path):
    content, buffer = opened(write(rope, tmp_path / "rope.glb"))
    link, body = animation(content, buffer, "rope"), animation(content, buffer, "ball")
    far = []
    for at, q, s in zip(*(link[key][1] for key in ("translation", "rotation", "scale")), strict=True):
        far.append(at + matrix_of([q[3], *q[:3]]) @ (s * np.array([0.0, 0.0, 1.0])))
    assert np.array(far) == pytest.approx(body["translation"][1], abs=1e-5)


def test_up_is_y_in_gltf(tmp_path):
    model = rt.Model("spatial", [rt.Body("b", 1.0, (1.0, 1.0, 1.0))], gravity=(0.0, 0.0, -9.81))
    content, _ = opened(write(rt.evaluate(model), tmp_path / "b.glb"))
    x, y, z, w = content["nodes"][0]["rotation"]
    assert matrix_of([w, x, y, z]) @ np.array([0.0, 0.0, 1.0]) == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)


def test_a_gif_has_a_frame_per_instant(ball, tmp_path):
    from PIL import Image

    with Image.open(write(ball, tmp_path / "ball.gif", fps=5.0)) as picture:
        assert picture.n_frames == 11
        picture.seek(5)
        assert np.asarray(picture.convert("RGB")).std() > 5.0  # something is drawn


def test_mp4_says_what_it_needs(ball, tmp_path, monkeypatch):
    from matplotlib.animation import FFMpegWriter

    monkeypatch.setattr(FFMpegWriter, "isAvailable", classmethod(lambda cls: False))
    with pytest.raises(RouthError, match=r"ffmpeg, which is not installed; install it, or write a \.gif"):
        write(ball, tmp_path / "ball.mp4")


def test_a_result_without_a_declaration_has_no_pictures(ball, tmp_path):
    import copy

    bare = copy.copy(ball)
    bare.declaration = {}
    with pytest.raises(RouthError, match="does not say what was run"):
        write(bare, tmp_path / "ball.glb")


def test_both_scenes_can_be_drawn(ball):
    from matplotlib.figure import Figure

    from routh.view.animation import draw_scene

    bat = rt.evaluate(scene("park_bat").model, scene("park_bat").start)
    for result in (ball, bat):
        ax = Figure().subplots()
        draw_scene(ax, scene_of(result), 0)
        assert ax.collections
