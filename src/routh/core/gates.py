"""Kernels that are called by their address: what lies behind a gate is compiled once, not again into each of its callers.

Numba links every callee into its caller, level by level, so what many others call is optimised many times over. A gate breaks
that: it is compiled on its own as a C function (`gated.py`), its address stands in `work.gate`, and callers know the address
only. A call costs two nanoseconds more. `open_gates` compiles, or loads from the cache, what a run needs.
"""

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from routh.core.jit import kernel

DERIVATIVE, PROJECT, GAP, STRIKE, CHOOSE, N_STATE, N_GATE = range(7)  # entries of `work.gate`; N_STATE: length of a state


N_STATUS = 8  # a solve answers with its status plus so many times the contact it is about, counted from one


def _call(returns, address, *arguments):
    """Signature and code of a call to an address; arrays are passed as pointers to their first entries."""

    def generate(context, builder, signature, values):
        passed = list(values[1:])
        for i, kind in enumerate(signature.args[1:]):
            if isinstance(kind, types.Array):
                passed[i] = cgutils.create_struct_proxy(kind)(context, builder, value=passed[i]).data
        result = ir.VoidType() if returns is types.void else context.get_value_type(returns)
        pointer = ir.FunctionType(result, [value.type for value in passed]).as_pointer()
        out = builder.call(builder.inttoptr(values[0], pointer), passed)
        return context.get_dummy_value() if returns is types.void else out

    return returns(address, *arguments), generate


@intrinsic
def _call_derivative(typing_context, address, system, work, t, y, f_out):
    return _call(types.void, address, system, work, t, y, f_out)


@intrinsic
def _call_project(typing_context, address, system, work, t, q, u):
    return _call(types.float64, address, system, work, t, q, u)


@intrinsic
def _call_gap(typing_context, address, system, work, c):
    return _call(types.void, address, system, work, c)


@intrinsic
def _call_event(typing_context, address, system, work, events, solver, log, t, y, which):
    return _call(types.int64, address, system, work, events, solver, log, t, y, which)


@intrinsic
def _call_solve(typing_context, address, solver, A, b, block, count, lam_out, a_out):
    return _call(types.int64, address, solver, A, b, block, count, lam_out, a_out)


@kernel
def derivative(system, work, t, y, f_out):
    """`kane.derivative`."""
    _call_derivative(work.gate[DERIVATIVE], system, work, t, y, f_out)


@kernel
def project(system, work, t, q, u):
    """`kane.project`."""
    return _call_project(work.gate[PROJECT], system, work, t, q, u)


@kernel
def gap(system, work, c):
    """`planar_gaps.gap` or `spatial_gaps.gap`."""
    _call_gap(work.gate[GAP], system, work, c)


@kernel
def strike(system, work, events, solver, log, t, y, which):
    """`strike.strike`."""
    return _call_event(work.gate[STRIKE], system, work, events, solver, log, t, y, which)


@kernel
def choose(system, work, events, solver, log, t, y, which):
    """`modes.choose`."""
    return _call_event(work.gate[CHOOSE], system, work, events, solver, log, t, y, which)


@kernel
def solve(solver, A, b, block, lam_out, a_out):
    """`complementarity.solve`, the same for plane and space."""
    code = _call_solve(solver.gate[0], solver, A, b, block, block.size, lam_out, a_out)
    return code % N_STATUS, code // N_STATUS - 1


_compiled: dict = {}  # C functions of this process, by name and class of System


def open_gates(system, work, *names, n_state=0, events=None, solver=None, log=None):
    """Compile or load the gates `names` for one System and put their addresses into its Work."""
    for name in names:
        key = (name, type(system))
        if key not in _compiled:
            _compiled[key] = _compile(name, system, work, events, solver, log)
        work.gate[globals()[name.upper()]] = _compiled[key].address
    if n_state:
        work.gate[N_STATE] = n_state


def _compile(name, system, work, events, solver, log):
    """A gate as a C function."""
    from routh.core import gated

    S, W = system._numba_type_, work._numba_type_
    number, whole, vector = types.float64, types.int64, types.CPointer(types.float64)
    if name == "derivative":
        signature = types.void(S, W, number, vector, vector)
    elif name == "project":
        signature = number(S, W, number, vector, vector)
    elif name == "gap":
        signature = types.void(S, W, whole)
    else:
        signature = whole(S, W, events._numba_type_, solver._numba_type_, log._numba_type_, number, vector, whole)
    return numba.cfunc(signature, cache=True, error_model="numpy")(getattr(gated, name))


def open_solver(solver):
    """Compile or load `solve` and put its address into a Solver."""
    from routh.core import gated

    if "solve" not in _compiled:
        vector, blocks = types.CPointer(types.float64), types.CPointer(from_dtype(gated.BLOCK))
        signature = types.int64(solver._numba_type_, vector, vector, blocks, types.int64, vector, vector)
        _compiled["solve"] = numba.cfunc(signature, cache=True, error_model="numpy")(gated.solve)
    solver.gate[0] = _compiled["solve"].address
