"""Machine code on disk: the library that the package carries, and single entry points in the user's cache.

Files are written beside their place and renamed, so that a killed build or two builds at once leave whole files only. A name
ends with a digest of the contents, and a file whose contents differ counts as absent: it is removed and built again. The cache
is used only if it belongs to the user and others cannot write to it, because what it holds is executed.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import json
import logging
import os
import platform
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from routh.core.tables.entries import Entry
from routh.native.sources import key_of, source_digest, tree_digest
from routh.whole_file import write_whole

__all__ = ["OBJECT", "SHARED", "cache_folder", "find_cached", "linker", "packaged", "prune", "put"]

LIBRARY = Path(__file__).parent / "lib"  # what the wheel carries: a library per CPU level, and manifest.json
SHARED = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
OBJECT = ".o"
KEPT_UNUSED = 30 * 86400  # seconds that the cache keeps what nobody loads

log = logging.getLogger("routh")


def linker() -> str | None:
    """A C compiler that links shared libraries; `CC` names another, `ROUTH_LINKER=none` none."""
    if os.environ.get("ROUTH_LINKER") == "none":
        return None
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return name
    return None


def digest_of(data: bytes) -> str:
    """What a file's name says about its contents."""
    return hashlib.sha256(data).hexdigest()[:16]


def _ours(folder: Path) -> bool:
    """Whether a folder belongs to the user and nobody else can write to it."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


@cache
def cache_folder() -> Path:
    """Where entry points are kept: under `ROUTH_CACHE`, or the user's cache folder; else for this process only."""
    base = os.environ.get("ROUTH_CACHE")
    try:
        root = Path(base) if base else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "routh"
        folder = root / "kernels"
        root.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            reason = "cannot be written to"
        elif not _ours(folder):
            reason = "can be written to by others, or belongs to another user"
        else:
            return folder
    except (OSError, RuntimeError) as error:
        folder, reason = Path(base or "~/.cache/routh"), f"cannot be made ({error})"
    log.warning("routh: the kernel cache %s %s; compiled kernels are kept for this process only. Set ROUTH_CACHE to a folder "
                "of your own.", folder, reason)
    private = Path(tempfile.mkdtemp(prefix="routh-kernels-"))
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    return private


def find_cached(entry: Entry, level: str, *, linked: bool = True) -> Path | None:
    """The file of an entry point in the cache: a shared library where there is a linker, else the object."""
    key = key_of(entry, level)
    for suffix in (SHARED, OBJECT) if linked and os.environ.get("ROUTH_LINKER") != "none" else (OBJECT,):
        for path in cache_folder().glob(f"{key}.*{suffix}"):
            try:
                if digest_of(path.read_bytes()) == path.name.split(".")[1]:
                    os.utime(path)
                    return path
                path.unlink()
                log.warning("routh: the cached kernel %s was damaged and is compiled again", path.name)
            except OSError:
                continue
    return None


def put(entry: Entry, level: str, path: Path) -> None:
    """Keep an object or a shared library of an entry point in the cache."""
    data = path.read_bytes()
    write_whole(cache_folder() / f"{key_of(entry, level)}.{digest_of(data)}{path.suffix}", data)


def prune() -> None:
    """Remove what nobody has loaded for a month, and the rests of killed builds."""
    now = time.time()
    for path in cache_folder().iterdir():
        try:
            age = now - path.stat().st_mtime
            if path.is_file() and (age > KEPT_UNUSED or (path.name.startswith(".part-") and age > 3600.0)):
                path.unlink()
        except OSError:
            continue


@cache
def _manifest() -> dict[str, Any]:
    """What the package's library holds; empty where there is none for this architecture, or `ROUTH_KERNELS=compile`."""
    if os.environ.get("ROUTH_KERNELS") == "compile":
        return {}
    try:
        manifest: dict[str, Any] = json.loads((LIBRARY / "manifest.json").read_text())
    except (OSError, ValueError):
        return {}
    if not isinstance(manifest, dict) or not all(isinstance(manifest.get(key), dict) for key in ("libraries", "entries")):
        return {}
    return manifest if manifest.get("machine") == f"{sys.platform} {platform.machine()}" else {}


@cache
def _library(level: str) -> ctypes.CDLL | None:
    """The package's library of a level."""
    named = _manifest().get("libraries", {}).get(level)
    if not named:
        return None
    try:
        path = LIBRARY / named["file"]
        if digest_of(path.read_bytes()) != named["digest"]:
            log.warning("routh: %s is damaged; reinstall routh. Kernels are compiled instead.", path)
            return None
        return ctypes.CDLL(str(path))
    except (OSError, KeyError, TypeError) as error:
        log.warning("routh: the library in %s cannot be loaded (%s); kernels are compiled instead", LIBRARY, error)
        return None


def packaged(entry: Entry, level: str) -> ctypes.CDLL | None:
    """The package's library, if it holds this entry point as the sources are now."""
    manifest = _manifest()
    if not manifest or level not in manifest["libraries"]:
        return None
    if manifest.get("tree") != tree_digest() and manifest["entries"].get(entry.symbol) != source_digest(entry):
        return None
    return _library(level)
