"""What the compiling process makes: position-independent code that needs the C library only, the same bytes each time."""

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

from routh.core.tables.entries import entry_of
from routh.native import build, store
from routh.native.levels import host_level

TESTED = ("0.6", "0.7")  # versions of Numba whose inner parts `worker.py` is known to fit

REFUSED = """
import sys
from routh.core.tables.entries import Entry
from routh.native import worker
worker.prepare()
import routh.core.linalg, numpy as np
from routh.core.jit import kernel

@kernel
def bad(x):
    {body}

routh.core.linalg.bad = bad
try:
    worker.compile_entry(Entry("bad", "any", "linalg.bad", ("vector",), "nothing", ()), ["generic"])
except Exception as error:
    print(type(error).__name__, error)
else:
    print("compiled")
"""


def compile_body(body):
    run = subprocess.run([sys.executable, "-c", REFUSED.format(body=body)], capture_output=True, text=True, check=True)
    return run.stdout


def test_the_version_of_numba_is_one_that_was_tried():
    assert version("numba").startswith(TESTED)


def test_a_plain_kernel_compiles():
    assert compile_body("x[0] = 2.0 * x[1]") == "compiled\n"


@pytest.mark.parametrize("body", ["y = np.zeros(3); x[0] = y[1]", "print(x[0])", "x[:2] = x[1:x.size - 3] + x[2:]"])
def test_a_kernel_that_allocates_or_talks_to_python_is_refused(body):
    out = compile_body(body)
    assert out != "compiled\n"


def test_compiling_again_gives_the_same_bytes(tmp_path):
    entry = entry_of("gap_round", "planar")
    build.compile_all([entry], [host_level()], tmp_path, lambda *said: None)
    kept = store.find_cached(entry, host_level(), linked=False)
    assert kept is not None, "make kernels has not run"
    assert (tmp_path / f"{entry.symbol}-{host_level()}.o").read_bytes() == kept.read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="reads an ELF file")
def test_the_library_needs_nothing_but_the_c_library():
    path = store.LIBRARY / store._manifest()["libraries"][host_level()]["file"]
    needed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True, env=os.environ).stdout
    names = {line.split()[0].split("/")[-1].split(".so")[0] for line in needed.splitlines()}
    assert names <= {"linux-vdso", "libm", "libc", "ld-linux-x86-64", "ld-linux-aarch64"}
