"""How long it takes to begin: cold compile of the demo, first result from a warm cache, import, help."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import CORES, ROUTH, Row, pin_to

COMMAND = str(Path(sys.executable).parent / "routh")
FIRST_RESULT = "from routh.gallery import simple_pendulum; simple_pendulum.run(1.0)"


def seconds(command, cache, rounds=1):
    """(wall, CPU) seconds of a command, the best of some rounds; None where it fails.

    The user waits for the wall clock; on a machine that others use too, the CPU time says what of it is ours.
    """
    # the first is set by an import of routh; without the second there is bytecode, as an installed package has it
    inherited = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE")}
    spent = []
    for _ in range(rounds):
        begin, before = time.perf_counter(), os.times()
        done = subprocess.run(command, env=inherited | {"ROUTH_CACHE": cache}, capture_output=True, check=False)
        if done.returncode:
            return None
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        spent.append((time.perf_counter() - begin, cpu))
    return min(spent)


def measured():
    """(what, (wall, CPU) seconds, goal): cold compile first, the rest with the cache that it leaves."""
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as out:
        yield "cold compile and demo", seconds([COMMAND, "demo", "--out", out], cache), 60.0
        yield "warm demo", seconds([COMMAND, "demo", "--out", out], cache), None
        seconds([sys.executable, "-c", FIRST_RESULT], cache)  # whatever it needs beyond the demo
        yield "warm start to first result", seconds([sys.executable, "-c", FIRST_RESULT], cache, 3), 1.5
        yield "import routh", seconds([sys.executable, "-c", "import routh"], cache, 5), 0.4
        yield "routh --help", seconds([COMMAND, "--help"], cache, 5), 0.3


def rows():
    pin_to(CORES)  # the first run may compile in parallel processes
    try:
        for what, spent, goal in measured():
            wall, cpu = spent or (None, None)
            yield Row(what, ROUTH, wall, "s", f"{cpu:.2f} s of CPU" if spent else "failed", goal=goal)
    finally:
        pin_to(set(sorted(CORES)[:1]))


if __name__ == "__main__":
    for row in rows():
        print(row)
