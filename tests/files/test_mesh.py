"""Meshes: the corners that were written come back, and a hull of them is the shape."""

import numpy as np
import pytest

import routh as rt
from routh.errors import FileError, ModelError
from routh.model.shapes import Hull

SIDES = np.array([0.4, 0.8, 1.2])
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5 * SIDES
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = np.array([(q[0], *q[i:i + 2]) for q in QUADS for i in (1, 2)])


def binary_stl(corners):
    record = np.zeros(len(TRIANGLES), np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")]))
    record["corners"] = corners[TRIANGLES]
    return b"solid is what many binary files begin with".ljust(80) + len(TRIANGLES).to_bytes(4, "little") + record.tobytes()


def text_stl(corners):
    facets = ["facet normal 0 0 0\n outer loop\n" + "".join(f"  vertex {x!r} {y!r} {z!r}\n" for x, y, z in corners[t].tolist())
              + " endloop\nendfacet\n" for t in TRIANGLES]
    return ("solid box\n" + "".join(facets) + "endsolid box\n").encode()


def obj(corners):
    lines = [f"v {x!r} {y!r} {z!r} 0.5 0.5 0.5" for x, y, z in corners.tolist()]
    return "\n".join(["# a box", "vn 0 0 1", *lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in TRIANGLES)]).encode()


@pytest.mark.parametrize(("name", "write"), [("a.stl", binary_stl), ("b.STL", text_stl), ("c.obj", obj)])
def test_corners_come_back_and_their_hull_is_the_box(tmp_path, name, write):
    (tmp_path / name).write_bytes(write(1000.0 * CORNERS))
    points = rt.read_mesh(tmp_path / name, scale=1e-3)
    assert points.shape == (8, 3)
    single = 6e-8  # round-off of the single precision of a binary file
    hull = Hull("a", [*points, (0.1, 0.1, 0.1)])  # a point within is dropped
    order = np.lexsort(np.round(hull.points, 3).T[::-1])
    assert np.array(hull.points)[order] == pytest.approx(CORNERS, abs=single)


@pytest.mark.parametrize(("name", "data", "message"), [
    ("a.ply", b"", "no mesh"),
    ("a.stl", b"", "cut short, or no STL"),
    ("a.stl", b"solid x\nvertex 1 2\n", "line 2.*three numbers"),
    ("a.obj", b"v 1 2 nan\n", "not finite"),
    ("a.obj", b"v 1 2 one\n", "three numbers"),
    ("a.stl", b" " * 80 + (2**32 - 1).to_bytes(4, "little"), "cut short, or no STL"),
])
def test_broken_files_say_what_is_wrong(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FileError, match=message):
        rt.read_mesh(tmp_path / name)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileError, match="cannot be read"):
        rt.read_mesh(tmp_path / "none.stl")


def test_a_flat_mesh_is_no_hull(tmp_path):
    (tmp_path / "flat.obj").write_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n")
    with pytest.raises(ModelError, match="in one plane"):
        Hull("a", rt.read_mesh(tmp_path / "flat.obj"))


def test_a_binary_file_that_was_cut_short_says_so(tmp_path):
    (tmp_path / "cut.stl").write_bytes(b"\0" * 80 + (100).to_bytes(4, "little") + b"\0" * 50)
    with pytest.raises(FileError, match="its head says 100 triangles, 5084 bytes, and it has 134"):
        rt.read_mesh(tmp_path / "cut.stl")
