"""What was run, as plain data: a Model and its Options become dictionaries, lists, numbers and text.

A declaration becomes `{"kind": "Revolute", "name": "pin", ...}` with all its fields; a function of the user's own only leaves
its name. So a saved run can be drawn and read years later without the code that made it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from routh.model.body import Body
from routh.model.model import Model
from routh.sim.options import Options

__all__ = ["declaration_of", "plain"]


def declaration_of(model: Model, options: Options) -> dict[str, Any]:
    """The model and the numerical choices of a run; a list of output times is only counted, the result has them."""
    listed = np.ndim(options.output) > 0
    chosen = dataclasses.replace(options, output=None) if listed else options
    return {
        "model": plain(model),
        "options": {**plain(chosen), **({"output": f"{np.size(options.output)} times"} if listed else {})},
    }


def plain(value: Any) -> Any:
    """`value` as JSON knows it: numbers that JSON lacks become text."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Body):  # with what follows from its shapes
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)} | vars(value.mass_properties())
        return {"kind": "Body", **{name: plain(item) for name, item in fields.items()}}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {"kind": type(value).__name__, **{f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return {"kind": "function", "name": getattr(value, "__name__", type(value).__name__)}
