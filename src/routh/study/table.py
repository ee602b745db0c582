"""The result of a study: one row per point, first the parameters, then status and quantities."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from routh.display import present
from routh.errors import RouthError, did_you_mean
from routh.extras import need
from routh.whole_file import whole_file

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import xarray as xr

__all__ = ["StudyTable", "read_table"]

ABOUT = b"routh study"  # key of the metadata in Parquet files


class StudyTable(Mapping[str, np.ndarray]):
    """A mapping of columns: `table["height"]` is an array with one value per point.

    `parameters` are the names of the varied ones. `axes` are the values of those that were given as lists. A run that did not
    finish has its cause in `status` and `message`, and no quantities (not a number).
    """

    def __init__(self, arrow: pa.Table, parameters: tuple[str, ...], axes: Mapping[str, np.ndarray], samples: int,
                 units: Mapping[str, str], blocks: int = 0) -> None:
        self.arrow, self.parameters, self.axes, self.samples = arrow, parameters, dict(axes), samples
        self.units = dict(units)
        self.blocks = blocks  # length of each block of a design for Sobol indices; 0 of any other design

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.arrow.column_names:
            raise KeyError(f'no column "{name}"' + did_you_mean(name, self.arrow.column_names))
        column = self.arrow[name]
        text = str(column.type) == "string" or str(column.type).startswith("dictionary")
        return column.to_numpy().astype(str) if text else column.to_numpy()

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrow.column_names)

    def __len__(self) -> int:
        return len(self.arrow.column_names)

    @property
    def n_points(self) -> int:
        """Number of rows."""
        return int(self.arrow.num_rows)

    @property
    def quantities(self) -> list[str]:
        """Names of what was recorded."""
        return [name for name in self if name not in (*self.parameters, "status", "message")]

    @property
    def failed(self) -> np.ndarray:
        """Numbers of the points whose run did not finish."""
        return np.flatnonzero(self["status"] != "finished") if "status" in self else np.zeros(0, int)

    def point(self, i: int) -> dict[str, Any]:
        """The parameters of row i."""
        return {path: self[path][i].item() if hasattr(self[path][i], "item") else self[path][i] for path in self.parameters}

    def label(self, name: str) -> str:
        """A column's name with its unit, for axes."""
        unit = self.units.get(name, "")
        return f"{name} [{unit}]" if unit else name

    def to_pandas(self) -> pd.DataFrame:
        """A pandas DataFrame, with units in `frame.attrs["units"]`."""
        frame = self.arrow.to_pandas()
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_polars(self) -> Any:
        """A polars DataFrame."""
        need("polars", what="to_polars")
        import polars

        return polars.from_arrow(self.arrow)

    def to_xarray(self) -> xr.Dataset:
        """An xarray Dataset: one dimension per list of values, and "sample" where parameters were drawn."""
        import xarray as xr

        drawn = [path for path in self.parameters if path not in self.axes]
        dims = [*self.axes, *(["sample"] if drawn else [])]
        shape = [*(len(values) for values in self.axes.values()), *([self.samples] if drawn else [])]
        variables: dict[str, Any] = {}
        for name in (*drawn, *(n for n in self if n not in self.parameters)):
            values = self[name]
            if values.dtype == object:  # lists of one length
                size = max((len(v) for v in values if v is not None), default=0)
                values = np.array([np.full(size, np.nan) if v is None else v for v in values])
            extra = [f"index of {name}"] if values.ndim > 1 else []
            variables[name] = ([*dims, *extra], values.reshape(*shape, *values.shape[1:]), {"units": self.units.get(name, "")})
        return xr.Dataset(variables, coords={path: (path, values, {"units": self.units.get(path, "")})
                                             for path, values in self.axes.items()})

    def sobol_indices(self, quantity: str) -> dict[str, dict[str, float]]:
        """Shares of the variance of a quantity: "first" (of a parameter alone) and "total" (with all others), by parameter.

        For studies with sampling="saltelli". The estimates are SciPy's (`scipy.stats.sobol_indices`).
        """
        if not self.blocks:
            raise RouthError('sobol_indices: the points must be those of Study(..., sampling="saltelli")')
        if len(self.parameters) < 2:
            raise RouthError(f'sobol_indices: "{self.parameters[0]}" alone was varied and has all of the variance; vary two '
                             "parameters or more")
        from scipy.stats import sobol_indices

        values = self[quantity].astype(float).reshape(-1, self.blocks)
        if not np.isfinite(values).all():
            raise RouthError(f'sobol_indices: {int((~np.isfinite(values)).sum())} values of "{quantity}" are missing; see '
                             "table.failed")
        found = sobol_indices(func={"f_A": values[:1], "f_B": values[1:2], "f_AB": values[2:, None, :]}, n=self.blocks)
        first, total = np.ravel(found.first_order), np.ravel(found.total_order)
        return {path: {"first": float(first[i]), "total": float(total[i])} for i, path in enumerate(self.parameters)}

    def save(self, path: str | Path) -> Path:
        """Write one Parquet file; `rt.study.read_table` reads it."""
        import pyarrow.parquet as pq

        about = {"parameters": self.parameters, "axes": {k: v.tolist() for k, v in self.axes.items()}, "samples": self.samples,
                 "units": self.units, "blocks": self.blocks}
        with whole_file(path) as part:
            pq.write_table(self.arrow.replace_schema_metadata({ABOUT: json.dumps(about).encode()}), part)
        return Path(path)

    def plot(self, quantity: str, x: str | None = None, **choices: Any) -> Any:
        """Draw a quantity over a parameter, one line per combination of the other lists; see `routh.view.study_lines`."""
        return present("study_lines", self, quantity, x, **choices)

    def heatmap(self, quantity: str, x: str, y: str, **choices: Any) -> Any:
        """Draw a quantity over two lists of values as a map; see `routh.view.study_map`."""
        return present("study_map", self, quantity, x, y, **choices)

    def histogram(self, quantity: str, **choices: Any) -> Any:
        """Draw the distribution of a quantity with its quantiles; see `routh.view.study_histogram`."""
        return present("study_histogram", self, quantity, **choices)

    def indices(self, quantity: str, **choices: Any) -> Any:
        """Draw the Sobol indices of a quantity as bars; see `routh.view.study_indices`."""
        return present("study_indices", self, quantity, **choices)

    def __repr__(self) -> str:
        failed = len(self.failed)
        return (f"<StudyTable: {self.n_points} points of {', '.join(self.parameters)}; "
                f"{', '.join(self.quantities)}{f'; {failed} not finished' if failed else ''}>")


def read_table(path: str | Path) -> StudyTable:
    """Read a table that `StudyTable.save` wrote."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        arrow = pq.read_table(path)
        about = json.loads((arrow.schema.metadata or {})[ABOUT])
        axes = {name: np.array(values) for name, values in about["axes"].items()}
        return StudyTable(arrow, tuple(about["parameters"]), axes, int(about["samples"]), about["units"], int(about["blocks"]))
    except (pa.ArrowException, KeyError, ValueError, TypeError) as error:
        raise RouthError(f"{path}: is not the table of a study: {error}") from None
