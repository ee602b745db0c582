"""The process that compiles: entry points named on standard input become object files, one answer a line.

Numba does type inference and lowering only. The LLVM code of all functions that an entry point reaches is linked once, made
internal to it, optimised once per CPU level and written as a position-independent object. (Numba's own way optimises and
assembles every function again in each of its callers.) A kernel that raises or allocates has no place in such an object: it
would need Numba's runtime. `compile_entry` says so.

This file uses parts of Numba that are not public: `tests/native/test_worker.py` names the versions that it is tested with.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import codegen, cpu, registry
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from routh.core import jit
from routh.core.bundle_types import type_of_class
from routh.core.tables.entries import ANY, ARRAYS, BUNDLES, SYSTEMS, Entry, entry_of
from routh.native.levels import target_of

__all__ = ["compile_entry", "prepare"]

# what an object may leave to the C library
C_LIBRARY = frozenset(
    "sin cos tan asin acos atan atan2 sincos sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot fma fmod "
    "sched_yield floor ceil round trunc rint nearbyint ldexp frexp memset memcpy memmove __sincos_stret".split())


class _Library(codegen.AOTCodeLibrary):
    """LLVM code of one function: kept as it was lowered."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def finalize(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 1  # nobody calls it: it is linked into an entry point


class _Codegen(codegen.AOTCPUCodegen):
    """Code generation for one processor, position independent."""

    _library_class = _Library

    def set_env(self, env_name: str, env: Any) -> None:
        pass

    def _check_llvm_bugs(self) -> None:
        pass


_codegens: dict[str, _Codegen] = {}


def _codegen(level: str) -> _Codegen:
    if level not in _codegens:
        made = _Codegen(f"routh.{level}", cpu_name=target_of(level) or None)
        if level == "host":
            made._tm = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
                cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, reloc="pic",
                codemodel="default")
        _codegens[level] = made
    return _codegens[level]


def prepare() -> None:
    """Make Numba in this process stop after lowering."""
    context = registry.cpu_target.target_context
    context.refresh()
    registry.cpu_target.typing_context.refresh()
    rtsys.initialize(context)
    context._internal_codegen = _codegen("generic")
    nothing = staticmethod(lambda *arguments, **options: None)
    for wrapper in ("create_cpython_wrapper", "create_cfunc_wrapper"):
        setattr(cpu.CPUContext, wrapper, nothing)
    finalize = cpu.CPUTargetOptions.finalize

    def without_runtime(self: Any, flags: Any, options: Any) -> None:
        finalize(self, flags, options)
        flags.nrt = False  # no reference counts: arrays belong to Python

    setattr(cpu.CPUTargetOptions, "finalize", without_runtime)  # noqa: B010  (a method, to mypy)
    jit.OPTIONS["cache"] = False


def _numba_type(word: str, space: str) -> Any:
    """Numba's type of an argument."""
    if word in ARRAYS:
        dtype, axes = ARRAYS[word]
        of: Any = from_dtype(dtype)  # type: ignore[arg-type]
        return types.Array(of, axes, "C")
    if word in ("number", "integer"):
        return types.float64 if word == "number" else types.int64
    return type_of_class(BUNDLES[word] if word in BUNDLES else SYSTEMS[space][word])


def _wrapper(entry: Entry, compiled: Any) -> ir.Module:
    """The C function of an entry point: arrays get back their lengths, and Numba's calling convention is met."""
    context, described = registry.cpu_target.target_context, compiled.fndesc
    module = context.create_module(entry.symbol)
    callee = ir.Function(module, context.call_conv.get_function_type(described.restype, described.argtypes),
                         described.llvm_func_name)
    i64, double = ir.IntType(64), ir.DoubleType()
    passed: list[ir.Type] = []
    for word, kind in zip(entry.arguments, described.argtypes, strict=True):
        if word in ARRAYS:
            passed += [context.get_data_type(kind.dtype).as_pointer(), *[i64] * kind.ndim]
        else:
            passed.append(double if word == "number" else i64)
    returned = {"nothing": ir.VoidType(), "number": double, "integer": i64}[entry.returns]
    function = ir.Function(module, ir.FunctionType(returned, passed), entry.symbol)
    builder = ir.IRBuilder(function.append_basic_block("entry"))

    arguments, values = iter(function.args), []
    for word, kind in zip(entry.arguments, described.argtypes, strict=True):
        value = next(arguments)
        if word in ARRAYS:
            shape = [next(arguments) for _ in range(kind.ndim)]
            strides = [ir.Constant(i64, context.get_abi_sizeof(context.get_data_type(kind.dtype)))]
            for length in reversed(shape[1:]):
                strides.insert(0, builder.mul(strides[0], length))
            array = make_array(kind)(context, builder)
            populate_array(array, data=value, shape=shape, strides=strides, itemsize=strides[-1], meminfo=None)
            value = array._getvalue()
        values.append(value)
    _, result = context.call_conv.call_function(builder, callee, described.restype, described.argtypes, values)
    if entry.returns == "nothing":
        builder.ret_void()
    else:
        builder.ret(context.cast(builder, result, described.restype, getattr(types, "float64" if entry.returns == "number"
                                                                             else "int64")))
    return module


def _linked(entry: Entry) -> Any:
    """One LLVM module of everything that an entry point reaches; all but its C function is internal."""
    module, _, name = entry.function.rpartition(".")
    dispatcher = getattr(import_module(f"routh.core.{module}"), name)
    signature = tuple(_numba_type(word, entry.space) for word in entry.arguments)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    whole = llvm.parse_assembly(str(_wrapper(entry, compiled)))
    seen, todo = set(), [compiled.library]
    while todo:
        library = todo.pop()
        if library not in seen:
            seen.add(library)
            whole.link_in(library._final_module, preserve=True)
            todo.extend(library._linking_libraries)
    for function in whole.functions:
        if not function.is_declaration and function.name != entry.symbol:
            function.linkage = "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    return whole


@global_compiler_lock
def compile_entry(entry: Entry, levels: list[str]) -> dict[str, bytes]:
    """The object file of an entry point for each level."""
    whole, objects = _linked(entry), {}
    for level in levels:
        generator = _codegen(level)
        module = whole.clone()
        module.data_layout = generator._data_layout
        passes, builder = generator._module_pass_manager()
        passes.run(module, builder)
        left = {f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")} - C_LIBRARY
        if left:
            raise RuntimeError(f"{entry.symbol}: kernels neither raise nor allocate, but this one needs "
                               f"{', '.join(sorted(left))}")
        objects[level] = generator._tm.emit_object(module)
    return objects


def main() -> None:
    """Answer lines of {"name", "space", "levels", "folder"} until standard input ends."""
    gc.set_threshold(200_000, 50, 1000)  # what Numba makes lives on: looking for garbage takes a fifth of the time
    prepare()
    for line in sys.stdin:
        task = json.loads(line)
        began = time.perf_counter()
        answer: dict[str, Any] = {"name": task["name"], "space": task["space"]}
        try:
            entry = entry_of(task["name"], task["space"])
            assert entry.space in (task["space"], ANY)
            for level, data in compile_entry(entry, task["levels"]).items():
                (Path(task["folder"]) / f"{entry.symbol}-{level}.o").write_bytes(data)
        except Exception as error:
            answer["error"] = f"{type(error).__name__}: {error}"
        answer["seconds"] = time.perf_counter() - began
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
