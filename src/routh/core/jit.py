"""The one decorator of the kernels, and where their machine code is kept.

Numba's own disk cache is keyed by the file of each function: an edit in one file leaves its callers in
other files stale and silently wrong. So the cache folder is named by a digest of the whole of `core/`:
any edit of a kernel starts a fresh one.
"""

import hashlib
import importlib
import os
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numba
import numba.np.linalg

CORE = Path(__file__).parent


def source_digest():
    """A short digest of every kernel source, in a fixed order, and of where they are: Numba keeps paths in its cache."""
    digest = hashlib.sha256(f"{sys.version} {CORE}".encode())
    for path in sorted(CORE.rglob("*.py")):
        digest.update(str(path.relative_to(CORE)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def cache_folder():
    """Where compiled kernels live: `ROUTH_CACHE`, or the user's cache folder."""
    base = os.environ.get("ROUTH_CACHE")
    root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "routh"
    return root / source_digest()


def _postpone_blas():
    """Let Numba look for BLAS when a function first needs it: looking imports scipy.linalg, 0.4 s that no kernel needs."""
    look = getattr(numba.np.linalg, "ensure_blas", None)
    if look is None:  # Numba has changed; it costs time only
        return
    numba.np.linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")  # asks once, when it is imported
    finally:
        numba.np.linalg.ensure_blas = look


_postpone_blas()
if "NUMBA_CACHE_DIR" not in os.environ:
    numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]  # of this process only, not of its children


def kernel(function=None, *, parallel=False):
    """Compile `function` in nopython mode, cached on disk, without the error model's zero checks."""

    def decorate(f):
        return numba.njit(
            f,
            cache=True,
            parallel=parallel,
            error_model="numpy",
            fastmath={"contract"},  # fused multiply-add only: nothing that would reorder a sum
        )

    return decorate if function is None else decorate(function)


_ready: set[str] = set()  # entries that this process has seen


@contextmanager
def first_time(entry):
    """Say that `entry` is being compiled, if this machine's cache does not hold it yet."""
    if entry in _ready:
        yield
        return
    _ready.add(entry)
    marker = Path(numba.config.CACHE_DIR) / f"{entry}.ready"
    if numba.config.DISABLE_JIT or marker.exists():
        yield
        return
    print(f"routh: compiling kernels for {entry}, once on this machine (up to a minute) ...", file=sys.stderr)
    began = time.perf_counter()
    yield
    print(f"routh: compiled in {time.perf_counter() - began:.0f} s", file=sys.stderr)
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()
