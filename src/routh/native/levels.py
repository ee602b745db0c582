"""CPU levels that kernels are compiled for: x86-64-v2 and v3, or the architecture's own baseline elsewhere."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path

from routh.errors import RouthError

__all__ = ["LEVELS", "host_level", "levels_of", "target_of"]

# what LLVM calls the processor of a level; "host" is the very CPU of this machine, for comparison only
LEVELS = {"v2": "x86-64-v2", "v3": "x86-64-v3", "generic": "", "host": "host"}

V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "abm"}  # beside v2; as /proc/cpuinfo spells them


def levels_of(machine: str) -> tuple[str, ...]:
    """The levels that a library for an architecture is built for, the best last."""
    return ("v2", "v3") if machine.lower() in ("x86_64", "amd64") else ("generic",)


def target_of(level: str) -> str:
    """LLVM's name for the processor of a level."""
    return LEVELS[level]


def _has_v3() -> bool:
    """Whether this machine has the instructions of x86-64-v3."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        flags = next((line for line in info.read_text().splitlines() if line.startswith("flags")), "")
        return set(flags.split()) >= V3
    import numpy as np

    found = np._core._multiarray_umath.__cpu_features__  # type: ignore[attr-defined]  # other systems: what NumPy found out for its own kernels
    return bool(found.get("X86_V3", found.get("AVX2", False) and found.get("FMA3", False)))


@cache
def host_level() -> str:
    """The best level that this machine has; `ROUTH_CPU` names another."""
    wanted = os.environ.get("ROUTH_CPU")
    if wanted:
        if wanted not in LEVELS:
            raise RouthError(f'ROUTH_CPU = "{wanted}" is no CPU level; take one of {", ".join(LEVELS)}')
        return wanted
    levels = levels_of(platform.machine())
    return levels[-1] if "v3" not in levels or _has_v3() else "v2"
