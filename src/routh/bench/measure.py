"""Runs of benchmarks: rows and curves with the machine and the versions that they were measured with."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from routh.bench.common import ROUTH, Row, one_core
from routh.version import __version__

__all__ = ["NAMES", "QUICK", "machine", "measure", "versions", "with_ratios"]

NAMES = {
    "contacts": "motion with contacts: a ball, many bounces, a break of 16 balls",
    "double_pendulum": "the double pendulum to an error of 1e-7 rad",
    "chain": "accelerations of serial chains, beside Pinocchio",
    "four_bar": "forty coupled four-bars through their flat positions",
    "ring": "accelerations of a ring of 42 links",
    "vehicle": "the tracked excavator",
    "heaps": "heaps of spheres, beside PyBullet and MuJoCo",
    "impact": "single impacts, beside a SciPy script",
    "friction": "friction-contact problems of Siconos's library",
    "calls": "Python around the kernels",
    "levels": "CPU levels of the native library",
    "start": "time to the first result",
}
QUICK = ("contacts", "double_pendulum", "ring", "impact")  # about two minutes with all peers
PATIENCE = {True: 0.3, False: 3.0}  # CPU seconds of a run of a curve, after which no finer setting is tried
PEERS = ("numpy", "scipy", "numba", "mujoco", "pin", "exudyn", "pymunk", "pybullet")


def measure(names: Sequence[str] = (), quick: bool = False, say: Callable[[str], None] = lambda text: None) -> dict[str, Any]:
    """Run benchmarks by name, all by default: {"machine", "versions", "seconds", "rows", "curves"}, plain data."""
    one_core()
    begin = time.perf_counter()
    rows: list[dict[str, Any]] = []
    curves: list[dict[str, Any]] = []
    for name in names or (QUICK if quick else NAMES):
        say(name)
        try:
            module = importlib.import_module(f"routh.bench.{name}")
        except ImportError as error:
            rows.append(_entry(Row(NAMES[name], ROUTH, None, "", f"not measured: {error}")) | {"group": name})
            continue
        if not quick or not hasattr(module, "curves"):
            rows += [entry | {"group": name} for entry in with_ratios(list(module.rows()))]
        if hasattr(module, "curves"):
            say(f"{name}, error against cost")
            curves += [dataclasses.asdict(curve) for curve in module.curves(PATIENCE[quick])]
    return {"machine": machine(), "versions": versions(), "quick": quick, "seconds": round(time.perf_counter() - begin, 1),
            "rows": rows, "curves": curves}


def with_ratios(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    """Rows as mappings; Routh's with the ratio to the best peer of the case, and whether the goal is met."""
    rows = list(rows)
    best: dict[str, float] = {}
    for row in rows:
        if row.engine != ROUTH and row.value is not None:
            best[row.case] = min(row.value, best.get(row.case, row.value))
    for row in rows:
        entry = _entry(row)
        if row.engine == ROUTH and row.value is not None:
            entry["ratio"] = row.value / best[row.case] if row.case in best else None
            if row.goal is not None:
                entry["met"] = row.value <= row.goal
            elif row.goal_ratio is not None and entry["ratio"] is not None:
                entry["met"] = entry["ratio"] <= row.goal_ratio
        yield entry


def _entry(row: Row) -> dict[str, Any]:
    return dataclasses.asdict(row) | {"ratio": None, "met": None}


def machine() -> dict[str, Any]:
    """The machine, as far as it matters: processor, cores, system, how busy it was."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        processor = found[0] if found else processor
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    system = f"{platform.system()} {platform.machine()}"
    return {"processor": processor, "cores": os.cpu_count(), "system": system, "load": load}


def versions() -> dict[str, str | None]:
    """Versions of Python, Routh and every peer; None where one is not installed."""
    out: dict[str, str | None] = {"python": platform.python_version(), "routh": __version__}
    for name in PEERS:
        try:
            out[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            out[name] = None
    return out
