"""Atomic operations on int64 arrays, and giving way to other threads: what compiled threads need to share work."""

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


def _place(context, builder, array_type, array, index):
    """Address of an entry of an array."""
    data = cgutils.create_struct_proxy(array_type)(context, builder, value=array).data
    return builder.gep(data, [index])


@intrinsic
def fetch_add(typing_context, array, index, value):
    """Add to an entry at one stroke; return what was there before."""

    def generate(context, builder, signature, arguments):
        at = _place(context, builder, signature.args[0], arguments[0], arguments[1])
        return builder.atomic_rmw("add", at, arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def load(typing_context, array, index):
    """Read an entry that other threads write."""

    def generate(context, builder, signature, arguments):
        return builder.load_atomic(_place(context, builder, signature.args[0], arguments[0], arguments[1]), "seq_cst", 8)

    return types.int64(array, types.int64), generate


@intrinsic
def store(typing_context, array, index, value):
    """Write an entry that other threads read."""

    def generate(context, builder, signature, arguments):
        at = _place(context, builder, signature.args[0], arguments[0], arguments[1])
        builder.store_atomic(arguments[2], at, "seq_cst", 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generate


@intrinsic
def give_way(typing_context):
    """Let another thread have the core."""

    def generate(context, builder, signature, arguments):
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield")
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), generate


def _plain_add(array, index, value):
    old = int(array[index])
    array[index] += value
    return old


def _plain_store(array, index, value):
    array[index] = value


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # plain Python has one thread
    fetch_add, store = _plain_add, _plain_store  # type: ignore[assignment]
    load, give_way = (lambda array, index: array[index]), (lambda: None)  # type: ignore[assignment]
