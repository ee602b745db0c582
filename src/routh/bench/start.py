"""How long it takes to begin: from the wheel, as ratios to `import numpy` in the same run; and from a checkout, in seconds.

The wheel is built and installed into an environment of its own, without Numba, a compiler or a cache.
"""

from __future__ import annotations

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from routh.bench.common import CORES, ROUTH, Row, one_core, pin_to

ROOT = Path(__file__).parents[3]
ROUNDS = 7


def spent(command, environment, folder):
    """(wall seconds, CPU seconds, megabytes) of a command."""
    begin, before = time.perf_counter(), os.times()
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr[-500:]}")
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begin, cpu, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3


def from_wheel():
    """Rows of the wheel: medians of rounds in which every command runs once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", name], cwd=ROOT, check=True,
                       capture_output=True)
        (wheel,) = folder.glob("*.whl")
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        scripts = folder / "venv" / "bin"
        subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", wheel], check=True, capture_output=True)
        (folder / "home").mkdir()
        bare = {"PATH": str(scripts), "HOME": str(folder / "home")}
        script = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
        (folder / "readme.py").write_text(script)
        subprocess.run([scripts / "routh", "gallery", "park_ball", "-o", "ball.toml"], env=bare, cwd=folder, check=True,
                       capture_output=True)
        python = str(scripts / "python")
        commands = {"import numpy": ([python, "-c", "import numpy"], None),
                    "README's script": ([python, "readme.py"], 8.0),
                    "routh run ball.toml": ([str(scripts / "routh"), "run", "ball.toml"], 8.0),
                    "import routh": ([python, "-c", "import routh"], 1.5),
                    "routh --help": ([str(scripts / "routh"), "--help"], 2.5)}
        taken = {what: [] for what in commands}
        for _ in range(ROUNDS + 1):
            for what, (command, _) in commands.items():
                taken[what].append(spent(command, bare, folder)[0])
        middle = {what: statistics.median(times[1:]) for what, times in taken.items()}
        for what, (_, goal) in commands.items():
            if goal is not None:
                yield Row(f"{what}, wheel", ROUTH, middle[what] / middle["import numpy"], "x numpy",
                          f"{middle[what]:.3f} s; import numpy {middle['import numpy']:.3f} s", goal=goal)
        measure = "import resource, runpy; runpy.run_path('readme.py'); "
        measure += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)"
        out = subprocess.run([python, "-c", measure], env=bare, cwd=folder, capture_output=True, text=True, check=True).stdout
        yield Row("README's script, memory", ROUTH, float(out.split()[-1]), "MB", goal=150.0)
        yield Row("wheel", ROUTH, wheel.stat().st_size / 1e6, "MB", goal=15.0)


def from_checkout():
    """Rows of a checkout with an empty cache; the library of the package is not used."""
    script = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    with tempfile.TemporaryDirectory() as name:
        for what, command, goal in (
                ("README's script, empty cache", [sys.executable, "-c", script], 45.0),
                ("demo, empty cache", [str(Path(sys.executable).parent / "routh"), "demo", "--out", name], 60.0)):
            with tempfile.TemporaryDirectory() as cache:
                wall, cpu, _ = spent(command, os.environ | {"ROUTH_CACHE": cache, "ROUTH_KERNELS": "compile"}, name)
                yield Row(what, ROUTH, wall, "s", f"{cpu:.0f} s of CPU", goal=goal)
        with tempfile.TemporaryDirectory() as cache:
            build = "from pathlib import Path; from routh.native.build import make_library; make_library(Path('lib'))"
            wall, cpu, _ = spent([sys.executable, "-c", build], os.environ | {"ROUTH_CACHE": cache}, name)
            yield Row("both CPU levels, all kernels", ROUTH, cpu, "s of CPU", f"{wall:.0f} s", goal=200.0)


def rows():
    if not (ROOT / "pyproject.toml").exists():
        yield Row("README's script, wheel", ROUTH, None, "x numpy", "needs a checkout, to build the wheel from")
        return
    pin_to(CORES)  # kernels are compiled in parallel processes
    try:
        yield from from_wheel()
        yield from from_checkout()
    finally:
        one_core()
