"""The one decorator of the kernels.

Kernels are compiled ahead of time into entry points (`routh.native`), and Python calls those only. A kernel that Python calls
by itself, as tests and notebooks do, is compiled just in time; Numba's own disk cache then keeps it, in a folder named by a
digest of `core/`, because Numba looks at the file of each function only and would leave its callers in other files stale.
"""

import hashlib
import importlib
import os
from pathlib import Path

import numba
import numba.np.linalg

import routh.core.bundle_types  # noqa: F401  (tells Numba what a bundle of tables is)

CORE = Path(__file__).parent

OPTIONS = {"cache": True, "error_model": "numpy"}  # without the error model's checks for division by zero


def source_digest():
    """A short digest of every kernel source, in a fixed order, and of where they are: Numba keeps paths in its cache."""
    digest = hashlib.sha256(str(CORE).encode())
    for path in sorted(CORE.rglob("*.py")):
        digest.update(str(path.relative_to(CORE)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def cache_folder():
    """Where just-in-time kernels live: `ROUTH_CACHE`, or the user's cache folder."""
    base = os.environ.get("ROUTH_CACHE")
    root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "routh"
    return root / "jit" / source_digest()


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


def kernel(function):
    """Compile `function` in nopython mode; multiplications and additions may be fused, but no sum is reordered."""
    return numba.njit(function, fastmath={"contract"}, **OPTIONS)


def exact(function):
    """Compile `function` as it is written: nothing is fused."""
    return numba.njit(function, **OPTIONS)
