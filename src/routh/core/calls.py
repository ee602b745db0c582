"""Calls of entry points by their address: what lies behind one is compiled once, not again into each of its callers.

Numba links every callee into its caller, level by level, so that a function with many callers would be optimised many times
over. A call by address breaks that and costs two nanoseconds more. The addresses stand in `work.entry`, `work.gap` (one per
contact) and `solver.entry`; `routh.native` puts them there. The signatures are those of `tables/entries.py`.
"""

from importlib import import_module

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from routh.core.jit import kernel
from routh.core.tables.layout import ACCELERATE, CHOOSE, DERIVATIVE, PROJECT, STRIKE

N_STATUS = 8  # a solve answers with its status plus so many times the contact it is about, counted from one


def _call(returns, address, arguments):
    """Signature and code of a call; an array is passed as the address of its first entry and its lengths."""

    def generate(context, builder, signature, values):
        passed = []
        for kind, value in zip(signature.args[1], cgutils.unpack_tuple(builder, values[1]), strict=True):
            if isinstance(kind, types.Array):
                array = cgutils.create_struct_proxy(kind)(context, builder, value=value)
                passed += [array.data, *cgutils.unpack_tuple(builder, array.shape)]
            else:
                passed.append(value)
        result = ir.VoidType() if returns is types.void else context.get_value_type(returns)
        pointer = ir.FunctionType(result, [value.type for value in passed]).as_pointer()
        out = builder.call(builder.inttoptr(values[0], pointer), passed)
        return context.get_dummy_value() if returns is types.void else out

    return returns(address, types.StarArgTuple.from_types(arguments)), generate


@intrinsic
def call_nothing(typing_context, address, *arguments):
    """Call the entry point at `address`, which returns nothing."""
    return _call(types.void, address, arguments)


@intrinsic
def call_number(typing_context, address, *arguments):
    """Call the entry point at `address`, which returns a number."""
    return _call(types.float64, address, arguments)


@intrinsic
def call_integer(typing_context, address, *arguments):
    """Call the entry point at `address`, which returns an integer."""
    return _call(types.int64, address, arguments)


@kernel
def accelerate(system, work, t, q, u):
    """`kane.accelerate`."""
    return call_number(work.entry[ACCELERATE], system, work, t, q, u)


@kernel
def derivative(system, work, t, y, f_out):
    """`kane.derivative`."""
    call_nothing(work.entry[DERIVATIVE], system, work, t, y, f_out)


@kernel
def project(system, work, t, q, u):
    """`kane.project`."""
    return call_number(work.entry[PROJECT], system, work, t, q, u)


@kernel
def gap(system, work, c):
    """The gap kernel of contact c."""
    call_nothing(work.gap[c], system, work, c)


@kernel
def gap_by(system, work, address, c):
    """The gap kernel at an address, for contact c."""
    call_nothing(address, system, work, c)


@kernel
def strike(system, work, events, solver, log, t, y, which):
    """`strike.strike`."""
    return call_integer(work.entry[STRIKE], system, work, events, solver, log, t, y, which)


@kernel
def choose(system, work, events, solver, log, t, y, which):
    """`modes.choose`."""
    return call_integer(work.entry[CHOOSE], system, work, events, solver, log, t, y, which)


@kernel
def solve(solver, A, b, block, lam_out, a_out):
    """`complementarity.solve`, the same for plane and space."""
    code = call_integer(solver.entry[0], solver, A, b, block, lam_out, a_out)
    return code % N_STATUS, code // N_STATUS - 1


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # plain Python: functions instead of addresses

    def _plain(name):
        """The function behind an entry point, found when it is called."""

        def call(system, *rest):
            entries = import_module("routh.core.tables.entries")  # not a source of the kernels, which would depend on it
            called = name if name != "gap" else entries.family_of(system, rest[-1])
            module, _, function = entries.entry_of(called, entries.space_of(system)).function.rpartition(".")
            return getattr(import_module(f"routh.core.{module}"), function)(system, *rest)

        return call

    accelerate, derivative, project, strike, choose, gap = map(_plain, ("accelerate", "derivative", "project", "strike",
                                                                        "choose", "gap"))

    def gap_by(system, work, address, c):
        """The gap kernel of contact c."""
        gap(system, work, c)

    def solve(solver, A, b, block, lam_out, a_out):
        """`complementarity.solve`."""
        return import_module("routh.core.contact.complementarity").solve(solver, A, b, block, lam_out, a_out)
