"""Corners of a mesh file, for `shapes.Hull`: STL, binary or text, and OBJ."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from routh.errors import FileError

__all__ = ["read_mesh"]

LARGEST = 100_000_000  # bytes of a file: two million triangles
HEADER, TRIANGLE = 80, 50  # bytes of a binary STL before the number of triangles, and of each
WORDS = {".stl": b"vertex", ".obj": b"v"}  # what a line with a corner begins with


def read_mesh(path: str | Path, scale: float = 1.0) -> np.ndarray:
    """(n, 3) distinct corners of the mesh at `path`, times `scale`: 1e-3 for a file in millimetres.

    `shapes.Hull("arm", rt.read_mesh("arm.stl", 1e-3))` is its convex hull.
    """
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
    corners = _binary(data) if suffix == ".stl" else None
    if corners is None:
        corners = _text(data, WORDS[suffix], path)
    if not len(corners):
        raise FileError("there is no corner in it", file=str(path))
    if not np.isfinite(corners).all() or not np.isfinite(scale):
        raise FileError("a corner, or the scale, is not finite", file=str(path))
    distinct: np.ndarray = np.unique(corners, axis=0) * scale
    return distinct


def _binary(data: bytes) -> np.ndarray | None:
    """Corners of a binary STL; None where the length says that it is none."""
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
