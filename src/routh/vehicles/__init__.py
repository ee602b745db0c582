"""Tracked vehicles in the plane, made of parameters.

| module | what |
|---|---|
| `parts` | chassis, wheels, arms, links, drives: numbers with names |
| `tracked` | `TrackedVehicle`, the template made of them; `OPTIONS`, numerical choices that suit it |
| `hull` | the way of the pins round the wheels |
| `excavator` | the machine of [shin]: 42 links, rigid axles, two teeth per link |
| `carrier` | 64 links, road wheels on sprung arms, a tensioner, one tooth per link |
"""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["carrier", "excavator", "hull", "parts", "tracked"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'routh.vehicles' has no attribute {name!r}")
    return importlib.import_module(f"routh.vehicles.{name}")


def __dir__() -> list[str]:
    return sorted(__all__)
