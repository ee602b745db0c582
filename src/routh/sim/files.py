"""Results on disk: netCDF-4, readable by xarray, Panoply, MATLAB and the like.

One matrix `values` (sample, channel) with the channels' names and units beside it: `data["values"].sel(channel="ball.vx")`.
A vector channel stands as "pin.reaction[0]", "pin.reaction[1]", ... The ledgers are groups, "impacts", "events", "touches",
"stretches", "contact_sums" and "contact_steps", with one variable per column:
`xarray.open_dataset(path, group="impacts")["p_n"]`. A file without them has empty ones. `declaration` is the model and the
options as JSON, so that a run from years ago still shows its shapes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from routh.errors import RouthError
from routh.sim.ledger import Ledger
from routh.sim.result import FORMAT, Energy, Result

__all__ = ["load", "save"]

LEDGERS = ("impacts", "events", "touches", "stretches", "contact_sums", "contact_steps")


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
                  "entries": json.dumps(result.entries), "statistics": json.dumps(result.statistics),
                  "by_contact": json.dumps(result.energy.by_contact), "engine": result.engine,
                  "error": json.dumps(result.error)}
    data = xr.Dataset(
        {"values": (("sample", "channel"), np.hstack(columns)), "declaration": ((), json.dumps(result.declaration))},
        coords={"t": ("sample", result.t, {"units": "s"}), "channel": names, "unit": ("channel", units)}, attrs=attributes)
    data.to_netcdf(path, engine="h5netcdf")
    for group in LEDGERS:
        ledger: Ledger = getattr(result, group)
        _dataset_of(ledger).to_netcdf(path, mode="a", group=group, engine="h5netcdf")
    return path


def _dataset_of(ledger: Ledger) -> Any:
    import xarray as xr

    variables = {}
    for name in ledger.columns:
        sides = (f"axis{i}_of_{n}" for i, n in enumerate(ledger[name].shape[1:]))
        variables[name] = (("row", *sides), ledger[name], {"units": ledger.unit(name)})
    return xr.Dataset(variables, attrs={"columns": json.dumps(ledger.columns)})


def load(path: Path) -> Result:
    """Read a file that `save` wrote; anything else is refused with a reason."""
    import h5netcdf
    import xarray as xr

    if not path.exists():
        raise RouthError(f"{path}: no such file")
    groups: dict[str, Any] = {}
    try:
        with xr.open_dataset(path, engine="h5netcdf") as data:
            data.load()
        with h5netcdf.File(path) as file:
            present = [group for group in LEDGERS if group in file.groups]
        for group in present:
            with xr.open_dataset(path, group=group, engine="h5netcdf") as groups[group]:
                groups[group].load()
    except (OSError, ValueError, KeyError) as error:
        raise RouthError(f"{path}: not a netCDF-4 file: {error}") from error
    if data.attrs.get("routh_format") != FORMAT:
        raise RouthError(f"{path}: not a Routh result of format {FORMAT}")
    try:
        return _result_of(data, {group: _ledger_of(group, table) for group, table in groups.items()})
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError, RouthError) as error:
        raise RouthError(f"{path}: a damaged Routh result: {error}") from error


def _ledger_of(group: str, data: Any) -> Ledger:
    names = json.loads(data.attrs["columns"])
    lost = [name for name in names if name not in data]
    if lost:
        raise KeyError(f'the column "{lost[0]}" of {group} is lost')
    return Ledger({name: data[name].values for name in names}, {name: data[name].attrs["units"] for name in names})


def _result_of(data: Any, ledgers: dict[str, Ledger]) -> Result:
    matrix, names, units = data["values"].values, data["channel"].values.tolist(), data["unit"].values.tolist()
    parts: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        parts.setdefault(re.sub(r"\[\d+\]$", "", name), []).append(i)
    whole = {name: (matrix[:, index[0]] if names[index[0]] == name else matrix[:, index], units[index[0]])
             for name, index in parts.items()}
    known = [k for k in Energy.WORKS if k not in ("hysteresis", "scheme") or f"energy.{k}" in whole]  # younger than the format
    works = np.column_stack([whole[f"energy.{k}"][0] for k in known])
    energy = Energy(whole["energy.kinetic"][0], whole["energy.potential"][0], works,
                    json.loads(data.attrs.get("by_contact", "{}")))
    channels = {name: channel for name, channel in whole.items() if name not in {f"energy.{k}" for k in Energy.KEYS}}
    result = Result(t=data["t"].values, channels=channels, energy=energy, status=str(data.attrs["status"]),
                    space=str(data.attrs["space"]), model=str(data.attrs["model"]), entries=json.loads(data.attrs["entries"]),
                    statistics=json.loads(data.attrs["statistics"]), declaration=_declaration(data),
                    engine=str(data.attrs.get("engine", "events")), **dict[str, Any](ledgers))
    result.error = {str(name): float(x) for name, x in json.loads(data.attrs.get("error", "{}")).items()}
    return result


def _declaration(data: Any) -> dict[str, Any]:
    found = json.loads(str(data["declaration"].values)) if "declaration" in data else {}
    if not isinstance(found, dict):
        raise ValueError("the declaration is not a JSON object")
    return found
