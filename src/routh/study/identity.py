"""The identity of a study: a digest of everything that its rows depend on."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from routh.sim.declaration import plain
from routh.version import __version__

__all__ = ["digest_of"]


def digest_of(work: Any, columns: Mapping[str, np.ndarray], chunk: int) -> str:
    """SHA-256 of the model or impact, the settings, the quantities, all points and the version, as text."""
    facts = {"version": __version__, "chunk": chunk, "work": _facts(work)}
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for path, column in columns.items():
        digest.update(path.encode() + b"\0" + (column.tobytes() if column.dtype.kind == "f" else "\0".join(column).encode()))
    return digest.hexdigest()


def _facts(work: Any) -> Any:
    """What the rows depend on, as plain data; a function counts by its source, or by its compiled code."""
    found = {}
    for name, value in vars(work).items():
        if name == "quantities":
            found[name] = [[q.name, q.source if isinstance(q.source, str) else _code(q.source)] for q in value]
        elif name not in ("compiled", "sampled"):
            found[name] = plain(value)
    return {"kind": type(work).__name__, **found}


def _code(function: Any) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        return repr(function) if code is None else repr((code.co_code, code.co_consts, code.co_names))
