"""Mesh files: STL, binary or text, and OBJ. Their corners for `shapes.Hull`, their triangles for `shapes.Mesh`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from routh.errors import FileError

__all__ = ["read_mesh", "read_triangles"]

LARGEST = 100_000_000  # bytes of a file: two million triangles
HEADER, TRIANGLE = 80, 50  # bytes of a binary STL before the number of triangles, and of each
WORDS = {".stl": b"vertex", ".obj": b"v"}  # what a line with a corner begins with


def read_mesh(path: str | Path, scale: float = 1.0) -> np.ndarray:
    """(n, 3) distinct corners of an STL or OBJ mesh, for `shapes.Hull`.

    Parameters
    ----------
    path
        The file.
    scale
        Factor to metres: 1e-3 for a file in millimetres. Default: 1.

    Examples
    --------
    >>> corners = "v 0 0 0\\nv 1000 0 0\\nv 0 1000 0\\nv 0 0 1000\\n"
    >>> _ = (folder / "corner.obj").write_text(corners + "f 1 2 3\\nf 1 2 4\\nf 1 3 4\\nf 2 3 4\\n")
    >>> rt.read_mesh(folder / "corner.obj", 1e-3).max()
    np.float64(1.0)
    """
    path, data = _opened(path)
    corners = _stl(data, path) if path.suffix.lower() == ".stl" else _text(data, WORDS[".obj"], path)
    _check_corners(corners, scale, path)
    distinct: np.ndarray = np.unique(corners, axis=0) * scale
    return distinct


def read_triangles(path: str | Path, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """(vertices (n, 3), faces (m, 3) of vertex numbers) of an STL or OBJ mesh, for `shapes.Mesh`; equal corners are one vertex.

    Parameters
    ----------
    path, scale
        As in `read_mesh`.

    Examples
    --------
    >>> corners = "v 0 0 0\\nv 1000 0 0\\nv 0 1000 0\\nv 0 0 1000\\n"
    >>> _ = (folder / "corner.obj").write_text(corners + "f 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf 2 3 4\\n")
    >>> vertices, faces = rt.read_triangles(folder / "corner.obj", 1e-3)
    >>> vertices.shape, faces.shape
    ((4, 3), (4, 3))
    """
    path, data = _opened(path)
    if path.suffix.lower() == ".stl":
        corners = _stl(data, path)
        faces = np.arange(len(corners) // 3 * 3)
    else:
        corners, faces = _text(data, WORDS[".obj"], path), _faces(data, path)
    _check_corners(corners, scale, path)
    if not len(faces):
        raise FileError("there is no face in it", file=str(path))
    if faces.min() < 0 or faces.max() >= len(corners):
        raise FileError("a face has a corner that is not there", file=str(path))
    vertices, which = np.unique(corners, axis=0, return_inverse=True)
    numbers: np.ndarray = which.reshape(-1)[faces].reshape(-1, 3)
    flat = (numbers[:, 0] == numbers[:, 1]) | (numbers[:, 1] == numbers[:, 2]) | (numbers[:, 0] == numbers[:, 2])
    return vertices * scale, numbers[~flat]


def _opened(path: str | Path) -> tuple[Path, bytes]:
    """The path and the bytes of a mesh file."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in WORDS:
        raise FileError(f'"{path.suffix}" is no mesh that can be read; there are {", ".join(WORDS)}', file=str(path))
    try:
        if path.exists() and not path.is_file():
            raise FileError("is no regular file", file=str(path))
        if path.stat().st_size > LARGEST:
            raise FileError(f"more than {LARGEST // 1_000_000} MB; simplify the mesh first", file=str(path))
        data = path.read_bytes()
    except (OSError, UnicodeError) as error:
        raise FileError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=repr(str(path))[1:-1]) from None
    except ValueError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"cannot be read: {error}", file=repr(str(path))[1:-1]) from None
    return path, data


def _check_corners(corners: np.ndarray, scale: float, path: Path) -> None:
    if not len(corners):
        raise FileError("there is no corner in it", file=str(path))
    if not np.isfinite(corners).all() or not np.isfinite(scale):
        raise FileError("a corner, or the scale, is not finite", file=str(path))


def _faces(data: bytes, path: Path) -> np.ndarray:
    """Corner numbers of an OBJ's faces, three each; larger faces become fans of triangles."""
    out: list[int] = []
    seen = 0
    for number, line in enumerate(data.splitlines(), start=1):
        parts = line.split()
        seen += bool(parts) and parts[0] == b"v"
        if parts and parts[0] == b"f":
            try:
                given = [int(part.split(b"/")[0]) for part in parts[1:]]
                face = [i - 1 if i > 0 else seen + i for i in given]  # negative ones count back from the last corner
                for k in range(1, len(face) - 1):
                    out += [face[0], face[k], face[k + 1]]
            except (ValueError, OverflowError):
                raise FileError("a face needs whole numbers", file=str(path), line=number) from None
    return np.array(out, int)


def _stl(data: bytes, path: Path) -> np.ndarray:
    """Corners of an STL file, binary or text."""
    corners = _binary(data)
    if corners is None and not data.lstrip().startswith(b"solid"):
        said = int.from_bytes(data[HEADER:HEADER + 4], "little")
        size = HEADER + 4 + TRIANGLE * said
        raise FileError(f"is cut short, or no STL file: its head says {said} triangles, {size} bytes, and it has {len(data)}",
                        file=str(path))
    return _text(data, WORDS[".stl"], path) if corners is None else corners


def _binary(data: bytes) -> np.ndarray | None:
    """Corners of a binary STL; None where the length does not fit one."""
    count = int.from_bytes(data[HEADER:HEADER + 4], "little")
    if len(data) < HEADER + 4 or len(data) != HEADER + 4 + TRIANGLE * count:
        return None
    triangle = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    return np.frombuffer(data, triangle, count, HEADER + 4)["corners"].reshape(-1, 3).astype(float)


def _text(data: bytes, word: bytes, path: Path) -> np.ndarray:
    """Corners of lines that begin with `word`."""
    rows = []
    for number, line in enumerate(data.splitlines(), start=1):
        parts = line.split()
        if parts and parts[0] == word:
            try:
                x, y, z = map(float, parts[1:4])  # an OBJ may have colours behind them
            except ValueError:
                raise FileError("a corner needs three numbers", file=str(path), line=number) from None
            rows.append((x, y, z))
    return np.array(rows, float).reshape(-1, 3)
