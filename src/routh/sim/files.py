"""Results on disk: netCDF-4, readable by xarray, Panoply, MATLAB and the like.

One matrix `values` (sample, channel) with the channels' names and units beside it: `data["values"].sel(channel="ball.vx")`.
A vector channel stands as "pin.reaction[0]", "pin.reaction[1]", ...
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from routh.errors import RouthError
from routh.sim.result import FORMAT, Energy, Result

__all__ = ["load", "save"]


def save(result: Result, path: Path) -> Path:
    """Write `result`; the suffix .nc is added where it is missing."""
    import xarray as xr

    path = path if path.suffix else path.with_suffix(".nc")
    names: list[str] = []
    units: list[str] = []
    columns: list[np.ndarray] = []
    for name in result.channels:
        values = result[name]
        parts = [name] if values.ndim == 1 else [f"{name}[{i}]" for i in range(values.shape[1])]
        names += parts
        units += [result.unit(name)] * len(parts)
        columns.append(values.reshape(len(result.t), -1))
    attributes = {"routh_format": FORMAT, "status": result.status, "space": result.space, "model": result.model,
                  "entries": json.dumps(result.entries), "statistics": json.dumps(result.statistics)}
    data = xr.Dataset(
        {"values": (("sample", "channel"), np.hstack(columns))},
        coords={"t": ("sample", result.t, {"units": "s"}), "channel": names, "unit": ("channel", units)}, attrs=attributes)
    data.to_netcdf(path, engine="h5netcdf")
    return path


def load(path: Path) -> Result:
    """Read a file that `save` wrote; anything else is refused with a reason."""
    import xarray as xr

    if not path.exists():
        raise RouthError(f"{path}: no such file")
    try:
        with xr.open_dataset(path, engine="h5netcdf") as data:
            data.load()
    except (OSError, ValueError, KeyError) as error:
        raise RouthError(f"{path}: not a netCDF-4 file: {error}") from error
    if data.attrs.get("routh_format") != FORMAT:
        raise RouthError(f"{path}: not a Routh result of format {FORMAT}")
    try:
        return _result_of(data)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise RouthError(f"{path}: a damaged Routh result: {error}") from error


def _result_of(data: Any) -> Result:
    matrix, names, units = data["values"].values, data["channel"].values.tolist(), data["unit"].values.tolist()
    parts: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        parts.setdefault(re.sub(r"\[\d+\]$", "", name), []).append(i)
    whole = {name: (matrix[:, index[0]] if names[index[0]] == name else matrix[:, index], units[index[0]])
             for name, index in parts.items()}
    works = np.column_stack([whole[f"energy.{k}"][0] for k in Energy.WORKS])
    energy = Energy(whole["energy.kinetic"][0], whole["energy.potential"][0], works)
    channels = {name: channel for name, channel in whole.items() if name not in {f"energy.{k}" for k in Energy.KEYS}}
    return Result(t=data["t"].values, channels=channels, energy=energy, status=str(data.attrs["status"]),
                  space=str(data.attrs["space"]), model=str(data.attrs["model"]), entries=json.loads(data.attrs["entries"]),
                  statistics=json.loads(data.attrs["statistics"]))
