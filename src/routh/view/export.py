"""A run in the files of other programs: tables (CSV, Parquet, MATLAB, netCDF) and moving pictures (GIF, MP4, glTF).

In a table a vector stands as "pin.reaction[0]", "pin.reaction[1]", ...; units are in the head of a CSV column, "ball.y [m]",
and in the metadata of a Parquet field. Two rows share a time where something jumps.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from routh.errors import RouthError, did_you_mean
from routh.extras import need
from routh.sim.ledger import Ledger
from routh.sim.result import Result
from routh.whole_file import whole_file, write_whole

__all__ = ["export_run"]

TABLES, MOVING = (".csv", ".parquet"), (".gif", ".mp4", ".glb", ".gltf")
SUFFIXES = (*TABLES, ".mat", ".nc", *MOVING)
Columns = dict[str, tuple[np.ndarray, str]]


def export_run(result: Result, path: Path, *, channels: Sequence[str] = (), table: str = "channels", fps: float = 25.0,
          speed: float = 1.0) -> Path:
    """Write a run; the suffix says how. `table` is "channels", "impacts" or "events", for CSV and Parquet."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RouthError(f'{path}: no run is written as "{path.suffix}"' + did_you_mean(path.suffix, SUFFIXES))
    for name, value in (("fps", fps), ("speed", speed)):
        if not (np.isfinite(value) and value > 0.0):
            raise RouthError(f"{path}: {name} = {value:g} must be positive")
    path.parent.mkdir(parents=True, exist_ok=True)
    if suffix == ".nc":
        return result.save(path)
    if suffix in (".glb", ".gltf"):
        from routh.view.gltf import write_gltf

        return write_gltf(result, path, fps, speed)
    if suffix in MOVING:
        from routh.view.animation import write_movie

        return write_movie(result, path, fps, speed)
    if suffix == ".mat":
        return _matlab(result, channels, path)
    columns = _columns(result, channels) if table == "channels" else _ledger(result, table)
    return (_csv if suffix == ".csv" else _parquet)(columns, path)


def _named(result: Result, channels: Sequence[str]) -> Sequence[str]:
    """The channels that are wanted, all by default; RouthError where there is none of a name."""
    for name in channels:
        if name not in result:
            raise RouthError(f'no channel "{name}"' + did_you_mean(name, result.channels))
    return channels or result.channels


def _columns(result: Result, channels: Sequence[str]) -> Columns:
    out: Columns = {"t": (result.t, "s")}
    for name in _named(result, channels):
        values = result[name]
        if values.ndim == 1:
            out[name] = (values, result.unit(name))
        else:
            out |= {f"{name}[{i}]": (column, result.unit(name)) for i, column in enumerate(values.T)}
    return out


def _ledger(result: Result, which: str) -> Columns:
    if which not in ("impacts", "events"):
        raise RouthError(f'no table "{which}"' + did_you_mean(which, ("channels", "impacts", "events")))
    ledger = getattr(result, which)
    out: Columns = {}
    for name in ledger.columns:
        values = ledger[name]
        for index in np.ndindex(values.shape[1:]):
            label = f"[{','.join(map(str, index))}]" if index else ""
            out[name + label] = (values[(slice(None), *index)], ledger.unit(name))
    return out


def _csv(columns: Columns, path: Path) -> Path:
    """Numbers with all their digits; the head carries the units."""
    with whole_file(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        heads = [f"{name} [{unit}]" if unit else name for name, (_, unit) in columns.items()]
        writer.writerow([f"'{head}" if head[0] in "=+-@" else head for head in heads])  # no formula to a spreadsheet
        writer.writerows(zip(*(values.tolist() for values, _ in columns.values()), strict=True))
    return path


def _parquet(columns: Columns, path: Path) -> Path:
    need("pyarrow", what=f"{path}: a Parquet file")
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [pa.field(name, pa.array(values).type, metadata={"unit": unit}) for name, (values, unit) in columns.items()]
    arrays = [pa.array(np.ascontiguousarray(values)) for values, _ in columns.values()]
    with whole_file(path) as part:
        pq.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), part)
    return path


def _matlab(result: Result, channels: Sequence[str], path: Path) -> Path:
    """A struct per body, joint, force or contact, with a field per channel (`ball.y`), beside `t` and the ledgers."""
    import io
    import re

    from scipy.io import savemat

    def field(name: str) -> str:
        """A name that MATLAB takes: letters, digits and underscores, 63 at most, a letter first."""
        safe = re.sub(r"\W", "_", name, flags=re.ASCII)[:61]
        return safe if safe[:1].isalpha() else f"x{safe}"

    content: dict[str, Any] = {"t": result.t, "status": result.status, "model": result.model}
    for name in _named(result, channels):
        owner, _, key = name.partition(".")
        content.setdefault(field(owner), {})[field(key)] = result[name]
    for which in ("impacts", "events"):
        ledger: Ledger = getattr(result, which)
        content[which] = {field(name): ledger[name] if ledger[name].dtype.kind != "U" else ledger[name].astype(object)
                          for name in ledger.columns}
    memory = io.BytesIO()
    savemat(memory, content, long_field_names=True, oned_as="column")
    return write_whole(path, memory.getvalue())
