"""Entry points as something to call: from the package's library, from the cache, or compiled now."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from routh.core.tables.entries import ARRAYS, CALLED, SCALARS, Entry, entry_of, reached
from routh.core.tables.layout import FIRST_PAIR
from routh.core.tables.pairs import FAMILIES
from routh.native.levels import host_level
from routh.native.store import OBJECT, find_cached, packaged

__all__ = ["EntryPoint", "address", "connect", "connect_solver", "entry", "ready"]

PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"  # kernels run as plain Python, to look into them

_C_TYPES = {"number": ctypes.c_double, "integer": ctypes.c_int64, "nothing": None}
_addresses: dict[str, int] = {}  # of the entry points that this process has loaded, by symbol
_kept: list[Any] = []            # libraries and engines that they live in


def _load(path: Path, symbol: str) -> int:
    """Address of an entry point in a file of the cache."""
    if path.suffix != OBJECT:
        library = ctypes.CDLL(str(path))
        _kept.append(library)
        return _address_in(library, symbol)
    import llvmlite.binding as llvm  # there was no linker

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(reloc="pic", codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(path.read_bytes()))
    engine.finalize_object()
    _kept.append(engine)
    return int(engine.get_function_address(symbol))


def _address_in(library: ctypes.CDLL, symbol: str) -> int:
    return int(ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0)


def _find(wanted: Iterable[Entry], level: str) -> list[Entry]:
    """Load what is there; return what is not."""
    missing = []
    for one in wanted:
        library = packaged(one, level)
        if library is not None:
            _addresses[one.symbol] = _address_in(library, one.symbol)
        elif (path := find_cached(one, level)) is not None:
            try:
                _addresses[one.symbol] = _load(path, one.symbol)
            except OSError:  # a folder whose files may not be executed: llvmlite loads the object
                unlinked = find_cached(one, level, linked=False)
                if unlinked is None:
                    raise
                _addresses[one.symbol] = _load(unlinked, one.symbol)
        else:
            missing.append(one)
    return missing


def ready(wanted: Iterable[Entry]) -> None:
    """Load entry points; those that no library holds are compiled first, all at once."""
    missing = _find([one for one in wanted if one.symbol not in _addresses], host_level())
    if missing:
        from routh.native.build import build

        build(missing, [host_level()])
        left = _find(missing, host_level())
        assert not left, f"built but not found: {[one.symbol for one in left]}"


class EntryPoint:
    """A compiled function: bundles go as addresses, arrays as address and lengths."""

    def __init__(self, described: Entry, address: int) -> None:
        self.symbol = described.symbol
        self._plan: list[tuple[str | None, Any, int]] = []  # per argument: word, dtype of an array, its axes
        passed: list[Any] = []
        for word in described.arguments:
            if word in ARRAYS:
                dtype, axes = ARRAYS[word]
                self._plan.append((word, dtype, axes))
                passed += [ctypes.c_void_p, *[ctypes.c_int64] * axes]
            elif word in SCALARS:
                self._plan.append((None, None, 0))
                passed.append(_C_TYPES[word])
            else:
                self._plan.append((word, None, 0))
                passed.append(ctypes.c_void_p)
        self.function = ctypes.CFUNCTYPE(_C_TYPES[described.returns], *passed)(address)

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*self._flat(arguments))

    def bind(self, *arguments: Any) -> Callable[[], Any]:
        """The call with these arguments, whose addresses are found now: the arrays must stay where they are."""
        flat, function = self._flat(arguments), self.function
        return lambda held=arguments: function(*flat)  # type: ignore[misc]  # held: the arrays live as long as the call

    def _flat(self, arguments: tuple[Any, ...]) -> list[Any]:
        flat: list[Any] = []
        for value, (word, dtype, axes) in zip(arguments, self._plan, strict=True):
            if dtype is not None:
                if value.dtype != dtype or value.ndim != axes or not value.flags.c_contiguous:
                    raise TypeError(f"{self.symbol}: an argument must be a contiguous {word} of {dtype}, "
                                    f"not {value.dtype} with {value.ndim} axes")
                flat.append(value.ctypes.data)
                flat.extend(value.shape)
            elif word is None:
                flat.append(value)
            else:
                flat.append(value.address)
        return flat


@cache
def entry(name: str, space: str) -> Callable[..., Any]:
    """The entry point `name` that serves a space, with everything that it calls but gaps."""
    if PLAIN:
        module, _, function = entry_of(name, space).function.rpartition(".")
        plain: Callable[..., Any] = getattr(import_module(f"routh.core.{module}"), function)
        return plain
    ready(reached([name], space))
    described = entry_of(name, space)
    return EntryPoint(described, _addresses[described.symbol])


def address(name: str, space: str) -> int:
    """Address of an entry point."""
    described = entry_of(name, space)
    ready([described])
    return _addresses[described.symbol]


def connect(system: Any, work: Any, space: str, *names: str) -> None:
    """Put the addresses that kernels call into a Work: of the gaps of its contacts, and of what entry points `names` call."""
    if PLAIN:
        return
    kinds = system.contact["kind"]
    families = {family: np.isin(kinds, members) for family, members in FAMILIES[space].items()} if kinds.size else {}
    used = {family: where for family, where in families.items() if where.any()}
    wanted = reached(names, space)
    ready([*wanted, *(entry_of(family, space) for family in used)])
    for family, where in used.items():
        work.gap[where] = _addresses[entry_of(family, space).symbol]
    for one in wanted:
        if one.name in CALLED:
            work.entry[CALLED[one.name]] = _addresses[one.symbol]
    assert (work.gap[kinds >= FIRST_PAIR] != 0).all(), "a pair of shapes without a gap"


def connect_solver(solver: Any) -> None:
    """Put the address of `solve` into a Solver."""
    if PLAIN:
        return
    solve = entry_of("solve", "any")
    ready([solve])
    solver.entry[0] = _addresses[solve.symbol]
