"""Results on disk: netCDF-4, readable by xarray, Panoply, MATLAB and the like.

One variable per channel over the dimension `t`, with its unit: `xarray.open_dataset("run.nc")["ball.vx"]`. A vector channel
has a second dimension. The ledgers are groups, "impacts", "events", "touches", "stretches", "contact_sums" and
"contact_steps", with one variable per column: `xarray.open_dataset("run.nc", group="impacts")["p_n"]`. `declaration` is the
model and the options as JSON, so that a run from years ago still shows its shapes. `run` is what else a Result holds, as JSON.

A file ends with the SHA-256 digest of everything before it, behind the end of the HDF5 data, where other programs do not look.
`load` checks it first: a file that was cut short, damaged, or changed by another program is refused before HDF5 reads it.
HDF5 works in memory only, because a full disk would leave it with a broken file that ends the process.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from routh.errors import RouthError
from routh.extras import need
from routh.sim.ledger import Ledger
from routh.sim.result import FORMAT, Energy, Result
from routh.whole_file import write_whole

__all__ = ["load", "save"]

LEDGERS = ("impacts", "events", "touches", "stretches", "contact_sums", "contact_steps")
MAGIC = b"\x89HDF\r\n\x1a\n"
SEAL = re.compile(rb"\nrouth-sha256 ([0-9a-f]{64})\n\Z")
SEALED = len("\nrouth-sha256 \n") + 64  # bytes
NO_VARIABLE = "This is a netCDF dimension but not a netCDF variable.{:10d}"  # netCDF-4 marks a bare dimension by this name


def save(result: Result, path: Path) -> Path:
    """Write `result`, whole or not at all; the suffix .nc is added where it is missing."""
    path = path if path.suffix else path.with_suffix(".nc")
    if path.suffix.lower() != ".nc":
        raise RouthError(f'{path}: a result is saved as netCDF, with the suffix ".nc", not "{path.suffix}"; '
                         "result.export writes other formats")
    return write_whole(path, content_of(result))


def content_of(result: Result) -> bytes:
    """The bytes of a result's file."""
    need("h5py", what="a result file (netCDF)")
    import h5py

    memory = io.BytesIO()
    with h5py.File(memory, "w", libver="v108", track_order=True) as file:
        root = _Group(file)
        root.add("t", np.asarray(result.t, float), ("t",), {"units": "s", "long_name": "time"})
        for name in result.channels:
            values = result[name]
            sides = tuple(f"axis{i}_of_{n}" for i, n in enumerate(values.shape[1:]))
            root.add(name, values, ("t", *sides), {"units": result.unit(name)})
        root.add_text("declaration", result.declaration)
        root.add_text("run", {"status": result.status, "detail": result.detail, "space": result.space, "model": result.model,
                              "engine": result.engine, "entries": result.entries, "statistics": result.statistics,
                              "error": result.error,
                              "by_contact": result.energy.by_contact, "channels": result.channels})
        for key, text in (("status", result.status), ("model", result.model)):
            file.attrs[key] = np.bytes_(text.encode()[:1000] or b" ")
        file.attrs["routh_format"] = FORMAT
        root.close()
        for name in LEDGERS:
            _put_ledger(_Group(file.create_group(name, track_order=True)), getattr(result, name))
    content = memory.getvalue()
    return content + f"\nrouth-sha256 {hashlib.sha256(content).hexdigest()}\n".encode()


class _Group:
    """Variables and dimensions of a netCDF-4 group, made with h5py: h5netcdf takes quadratic room over many variables."""

    def __init__(self, group: Any) -> None:
        self.group = group
        self.scales: dict[str, Any] = {}
        self.users: dict[str, list[tuple[Any, int]]] = {}  # of each dimension: variables, and the axis that it is

    def add(self, name: str, values: np.ndarray, dimensions: tuple[str, ...], attributes: dict[str, str]) -> None:
        """Add a variable of numbers, booleans or text; where it bears the name of its dimension it is that one's coordinate."""
        import h5py

        values = np.asarray(values)
        if values.dtype.kind == "b":
            values, attributes = values.astype("i1"), attributes | {"dtype": "bool"}  # as xarray does
        elif values.dtype.kind == "U":
            encoded = np.char.encode(values, "utf-8")
            width = max(encoded.dtype.itemsize, 1)
            values = np.frombuffer(encoded.astype(f"S{width}").tobytes(), "S1").reshape(*values.shape, width)
            dimensions, attributes = (*dimensions, f"string{width}"), attributes | {"_Encoding": "utf-8"}
        elif values.dtype.kind not in "fi":
            values = values.astype(float)
        for dimension, size in zip(dimensions, values.shape, strict=True):
            if dimension not in self.scales and dimension != name:
                scale = self.group.create_dataset(dimension, shape=(size,), dtype=">f4")
                scale.make_scale(NO_VARIABLE.format(size))
                self.scales[dimension] = scale
        variable = self.group.create_dataset(name, data=np.ascontiguousarray(values))
        for key, text in attributes.items():
            if text:
                variable.attrs[key] = np.bytes_(text.encode())
        if dimensions == (name,):
            variable.make_scale(name)
            self.scales[name] = variable
            return
        links = np.empty(len(dimensions), object)
        for i, dimension in enumerate(dimensions):
            links[i] = np.array([self.scales[dimension].ref], h5py.ref_dtype)
            self.users.setdefault(dimension, []).append((variable.ref, i))
        if dimensions:
            variable.attrs.create("DIMENSION_LIST", links, dtype=h5py.vlen_dtype(h5py.ref_dtype))

    def add_text(self, name: str, data: Any) -> None:
        """Add plain data as JSON, a variable of characters."""
        text = np.array(json.dumps(data, allow_nan=True))
        self.add(name, text, (), {})

    def close(self) -> None:
        """Tell each dimension which variables use it, once: h5py would write the list anew for each variable."""
        import h5py

        kind = np.dtype([("dataset", h5py.ref_dtype), ("dimension", np.int32)])
        for dimension, users in self.users.items():
            self.scales[dimension].attrs.create("REFERENCE_LIST", np.array(users, kind), dtype=kind)


def _put_ledger(group: _Group, ledger: Ledger) -> None:
    group.add_text("columns", ledger.columns)
    for name in ledger.columns:
        values = ledger[name]
        sides = (f"axis{i}_of_{n}" for i, n in enumerate(values.shape[1:]))
        group.add(name, values, ("row", *sides), {"units": ledger.unit(name)})
    group.close()


def load(path: Path) -> Result:
    """Read a file that `save` wrote; anything else is refused with a reason."""
    need("h5py", what=f"{path}: a result file (netCDF)")
    import h5py

    if not path.exists():
        raise RouthError(f"{path}: no such file")
    if not path.is_file():
        raise RouthError(f"{path}: not a file")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RouthError(f"{path}: cannot be read: {error.strerror}") from error
    if not content.startswith(MAGIC):
        raise RouthError(f"{path}: not a netCDF-4 file")
    seal = SEAL.search(content, max(len(content) - SEALED, 0))
    if seal is None:
        raise RouthError(f"{path}: not a whole Routh result: the digest at its end is missing. The file was cut short, changed "
                         "by another program, or not written by Result.save")
    if hashlib.sha256(memoryview(content)[:-SEALED]).hexdigest().encode() != seal[1]:
        raise RouthError(f"{path}: a damaged Routh result: its contents differ from the digest at its end")
    try:
        with h5py.File(io.BytesIO(content), "r") as file:
            found = file.attrs.get("routh_format")
            if found is None or np.ndim(found) or found != FORMAT:
                raise _FormatError
            return _result_of(_Reader(file, len(content)))
    except _FormatError:
        raise RouthError(f"{path}: not a Routh result of format {FORMAT}") from None
    except MemoryError:
        raise RouthError(f"{path}: too large for the memory of this machine") from None
    except Exception as error:  # h5py raises whatever a crafted file leads it to
        raise RouthError(f"{path}: a damaged Routh result: {str(error)[:300] or type(error).__name__}") from error


class _FormatError(Exception):
    """Somebody else's file, or one of another format."""


class _Reader:
    """Variables of a group. Only data inside the file is read: a crafted file could point to others, or claim any size."""

    def __init__(self, group: Any, room: int) -> None:
        self.group, self.room = group, room

    def inner(self, name: str) -> _Reader:
        """A group of this group."""
        return _Reader(self._own(name, "Group"), self.room)

    def array(self, name: str) -> tuple[np.ndarray, str]:
        """Values and unit of a variable."""
        variable = self._own(name, "Dataset")
        if variable.external or variable.is_virtual or variable.chunks is not None:
            raise ValueError(f'"{name}" is not stored inside the file as one piece')
        if variable.ndim > 4 or variable.nbytes > self.room:
            raise ValueError(f'"{name}" claims {variable.nbytes} bytes in a file of {self.room}')
        if variable.dtype.kind not in "fi" and variable.dtype != np.dtype("S1"):
            raise ValueError(f'"{name}" holds {variable.dtype}')
        values = np.asarray(variable[()])
        if values.dtype.kind == "S":
            width = values.shape[-1] if values.ndim else 1
            joined = np.ascontiguousarray(values).view(f"S{width}").reshape(values.shape[:-1])
            values = np.char.decode(joined, "utf-8") if joined.size else np.zeros(joined.shape, "U1")
        elif self._text(variable, "dtype") == "bool":
            values = values.astype(bool)
        return values, self._text(variable, "units")

    def json(self, name: str, kind: type) -> Any:
        """Plain data of a variable, of an expected kind."""
        data = json.loads(str(self.array(name)[0]))
        if not isinstance(data, kind):
            raise ValueError(f'"{name}" holds {type(data).__name__}, not {kind.__name__}')
        return data

    def _own(self, name: str, kind: str) -> Any:
        import h5py

        if not isinstance(self.group.get(name, getlink=True), h5py.HardLink):
            raise KeyError(f'"{name}" is lost')
        found = self.group[name]
        if not isinstance(found, getattr(h5py, kind)):
            raise ValueError(f'"{name}" is no {kind.lower()}')
        return found

    @staticmethod
    def _text(variable: Any, key: str) -> str:
        value = variable.attrs.get(key, b"")
        return value.decode() if isinstance(value, bytes) else str(value)


def _ledger_of(group: _Reader) -> Ledger:
    names = group.json("columns", list)
    columns = {name: group.array(name) for name in names}
    return Ledger({name: values for name, (values, _) in columns.items()}, {name: unit for name, (_, unit) in columns.items()})


def _result_of(file: _Reader) -> Result:
    run, (t, _) = file.json("run", dict), file.array("t")
    if t.ndim != 1 or t.dtype.kind != "f":
        raise ValueError("the times are not a list of numbers")
    whole = {str(name): file.array(str(name)) for name in run["channels"]}
    for name, (values, _) in whole.items():
        if values.ndim not in (1, 2) or len(values) != len(t) or values.dtype.kind not in "fib":
            raise ValueError(f'the channel "{name}" holds {values.dtype} of shape {values.shape} at {len(t)} times')
    works = np.column_stack([whole[f"energy.{key}"][0] for key in Energy.WORKS])
    energy = Energy(whole["energy.kinetic"][0], whole["energy.potential"][0], works, run["by_contact"])
    channels = {name: channel for name, channel in whole.items() if name not in {f"energy.{k}" for k in Energy.KEYS}}
    if run["space"] not in ("planar", "spatial"):
        raise ValueError(f'space = "{str(run["space"])[:60]}"')
    parts: dict[str, Any] = {key: str(run[key]) for key in ("status", "space", "model", "engine")}
    parts["detail"] = str(run.get("detail", ""))
    parts |= {name: _ledger_of(file.inner(name)) for name in LEDGERS}
    result = Result(t=t, channels=channels, energy=energy, entries=[str(name) for name in run["entries"]],
                    statistics={str(name): float(x) for name, x in run["statistics"].items()},
                    declaration=file.json("declaration", dict), **parts)
    result.error = {str(name): float(x) for name, x in run["error"].items()}
    return result
