"""Routh: the exact motion of rigid multibody systems that collide, stick and slide.

Declare a `Model` of bodies, joints and forces, `simulate` it, read the `Result` by names. SI units, radians, right-handed
axes; a planar model is the plane z = 0 of space. Names that need compiled code are loaded when first used.
"""

from __future__ import annotations

import importlib
from typing import Any

from routh import errors
from routh.model import forces, joints, profiles
from routh.model.body import Body
from routh.model.drivers import Driver
from routh.model.model import Model
from routh.model.state import State
from routh.version import __version__

_LAZY = {
    "Compiled": "routh.compiler.compile",
    "Options": "routh.sim.options",
    "Result": "routh.sim.result",
    "assemble": "routh.sim.assembly",
    "compile_model": "routh.compiler.compile",
    "degrees_of_freedom": "routh.analysis.freedom",
    "equilibrium": "routh.analysis.equilibrium",
    "evaluate": "routh.sim.simulate",
    "linearize": "routh.analysis.linearize",
    "load": "routh.sim.result",
    "simulate": "routh.sim.simulate",
}

__all__ = ["Body", "Driver", "Model", "State", "__version__", "errors", "forces", "joints", "profiles", *_LAZY]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'routh' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
