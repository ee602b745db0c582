"""Optional libraries: which extra brings which, and the error that says so where one is missing.

| extra | libraries | for |
|---|---|---|
| `plots` | matplotlib | figures, GIF, MP4 |
| `files` | h5py, pandas, pyarrow, PyYAML, xarray | netCDF and Parquet files, tables, YAML |
| `app` | NiceGUI | `routh app`; its three.js moves the scenes of reports |
| `study` | Dask's distributed | studies on a cluster |
| `compile` | Numba | laws of your own in Python; kernels of a checkout |
"""

from __future__ import annotations

import importlib.util

from routh.errors import RouthError

__all__ = ["MissingExtraError", "need"]

BRINGS = {"matplotlib": "plots", "PIL": "plots", "h5py": "files", "pandas": "files", "pyarrow": "files", "yaml": "files",
          "xarray": "files", "nicegui": "app", "distributed": "study", "numba": "compile"}
CALLED = {"yaml": "PyYAML", "distributed": "Dask's distributed", "PIL": "Pillow", "nicegui": "NiceGUI", "numba": "Numba"}


class MissingExtraError(RouthError, ImportError):
    """An optional library is not installed; the message has the command that installs it."""


def need(*modules: str, what: str) -> None:
    """Raise `MissingExtraError` where a library that `what` needs is not installed.

    Parameters
    ----------
    *modules
        Names to import, such as "matplotlib".
    what
        What needs them, the subject of the message: "a figure".

    Examples
    --------
    >>> from routh.extras import need
    >>> need("numpy", what="every run")
    """
    for module in modules:
        if importlib.util.find_spec(module) is None:
            extra = BRINGS.get(module)
            command = f"pip install 'routh[{extra}]'" if extra else f"pip install {module}"
            raise MissingExtraError(f"{what} needs {CALLED.get(module, module)}, which is not installed: {command}")
