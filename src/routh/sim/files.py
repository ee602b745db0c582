"""Results on disk: netCDF-4, readable by xarray, Panoply, MATLAB and the like."""

from __future__ import annotations

import json
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
    variables: dict[str, Any] = {}
    for name in result.channels:
        values = result[name]
        dims = ("sample",) if values.ndim == 1 else ("sample", f"axis{values.shape[1]}")
        variables[name] = (dims, np.ascontiguousarray(values), {"units": result.unit(name)})
    attributes = {"routh_format": FORMAT, "status": result.status, "space": result.space, "model": result.model,
                  "entries": json.dumps(result.entries), "statistics": json.dumps(result.statistics)}
    data = xr.Dataset(variables, coords={"t": ("sample", result.t, {"units": "s"})}, attrs=attributes)
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
    channels = {str(n): (v.values, str(v.attrs.get("units", ""))) for n, v in data.data_vars.items()
                if str(n) not in {f"energy.{k}" for k in Energy.KEYS}}
    works = np.column_stack([data[f"energy.{k}"].values for k in ("applied", "dissipated", "drive")])
    energy = Energy(data["energy.kinetic"].values, data["energy.potential"].values, works)
    return Result(t=data["t"].values, channels=channels, energy=energy, status=str(data.attrs["status"]),
                  space=str(data.attrs["space"]), model=str(data.attrs["model"]), entries=json.loads(data.attrs["entries"]),
                  statistics=json.loads(data.attrs["statistics"]))
