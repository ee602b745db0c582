"""Which kernel files an entry point reaches, and the key that follows from them.

An entry point must be compiled again if a file that it reaches by imports has changed, or its signature, the compilers, or the
CPU level. Twins count by their space: what is compiled for the plane does not depend on files of space. Paths do not count, so
that a library can move.
"""

from __future__ import annotations

import hashlib
import platform
import re
from functools import cache
from pathlib import Path

from routh.core.tables.entries import ANY, PLANAR, Entry

__all__ = ["compilers", "key_of", "modules_of", "source_digest", "tree_digest"]

CORE = Path(__file__).parents[1] / "core"

_IMPORT = re.compile(r"^\s*(?:from routh\.core([\w.]*) import (\([^)]*\)|[^\n(]+)|import routh\.core\.([\w.]+))", re.MULTILINE)
_TWIN = re.compile(r'twin\("([\w.]+)",\s*"([\w.]+)"\)')
_VERSION = "1"  # of how entry points are compiled; counts as a source


@cache
def _text(module: str) -> str | None:
    """Source of "room.module", or None if there is no such file."""
    path = CORE / (module.replace(".", "/") + ".py")
    return path.read_text(encoding="utf-8") if path.is_file() else None


@cache
def _imports(module: str, space: str) -> tuple[str, ...]:
    """Kernel modules that a module imports, or calls as the twins of a space."""
    text, found = _text(module) or "", []
    for room, names, plain in _IMPORT.findall(text):
        base = plain or room.strip(".")
        if base and _text(base) is not None:
            found.append(base)
            continue
        for name in names.strip("()").replace("\n", " ").split(","):
            inner = f"{base}.{name.split()[0]}".strip(".") if name.strip() else ""
            if inner and _text(inner) is not None:
                found.append(inner)
    for planar, spatial in _TWIN.findall(text):
        chosen = (planar, spatial) if space == ANY else (planar if space == PLANAR else spatial,)
        found.extend(function.rpartition(".")[0] for function in chosen)
    return tuple(dict.fromkeys(found))


@cache
def modules_of(function: str, space: str) -> tuple[str, ...]:
    """Every kernel module that "room.module.function" reaches, sorted."""
    seen, todo = set(), [function.rpartition(".")[0]]
    while todo:
        module = todo.pop()
        if module not in seen:
            seen.add(module)
            todo.extend(_imports(module, space))
    return tuple(sorted(seen))


@cache
def source_digest(entry: Entry) -> str:
    """Digest of an entry point's signature and of the sources that it reaches."""
    digest = hashlib.sha256(repr((_VERSION, *entry[:5])).encode())
    for module in modules_of(entry.function, entry.space):
        digest.update(f"\n{module}\n{_text(module)}".encode())
    return digest.hexdigest()


@cache
def tree_digest() -> str:
    """Digest of every kernel file: where it is that of a library, all of its entry points are current."""
    digest = hashlib.sha256(_VERSION.encode())
    for path in sorted(CORE.rglob("*.py")):
        digest.update(f"\n{path.relative_to(CORE).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def compilers() -> str:
    """Versions of the compilers; empty where there are none."""
    from importlib import metadata  # takes 17 ms

    try:
        return f"numba {metadata.version('numba')}, llvmlite {metadata.version('llvmlite')}"
    except metadata.PackageNotFoundError:
        return ""


@cache
def host_cpu() -> str:
    """What tells the very CPU of this machine from others."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return " ".join(sorted({line for line in lines if line.startswith(("flags", "model name"))})) or platform.processor()


def key_of(entry: Entry, level: str) -> str:
    """Name of an entry point's machine code in the cache."""
    machine = host_cpu() if level == "host" else ""
    whole = hashlib.sha256(f"{source_digest(entry)} {compilers()} {level} {machine}".encode())
    return f"{entry.symbol}-{level}-{whole.hexdigest()[:20]}"
