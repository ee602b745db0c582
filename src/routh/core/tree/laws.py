"""Calls of laws by address: a user's own ones, compiled just in time, and those of friction that are entry points."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from routh.core.jit import kernel

SCALAR_LAW = types.float64(types.float64, types.float64, types.float64, types.CPointer(types.float64), types.int64)
"""force = law(t, x, rate, parameters, how many may be read)."""

BODY_LAW = types.void(types.float64, types.CPointer(types.float64), types.CPointer(types.float64),
                      types.CPointer(types.float64), types.CPointer(types.float64))
"""law(t, pose, velocity, parameters, wrench_out)."""


def _pointer(context, builder, array_type, array):
    return cgutils.create_struct_proxy(array_type)(context, builder, value=array).data


@intrinsic
def call_scalar(typing_context, address, t, x, rate, parameters):
    """law(t, x, rate, parameters) for a law compiled with SCALAR_LAW at `address`."""
    signature = types.float64(types.int64, types.float64, types.float64, types.float64, parameters)

    def generate(context, builder, signature, arguments):
        address, t, x, rate, array = arguments
        double = ir.DoubleType()
        function = ir.FunctionType(double, [double, double, double, double.as_pointer(), ir.IntType(64)])
        pointer = builder.inttoptr(address, function.as_pointer())
        given = cgutils.create_struct_proxy(signature.args[4])(context, builder, value=array)
        return builder.call(pointer, [t, x, rate, given.data, builder.extract_value(given.shape, 0)])

    return signature, generate


@intrinsic
def call_body(typing_context, address, t, pose, velocity, parameters, wrench_out):
    """law(t, pose, velocity, parameters, wrench_out) for a law compiled with BODY_LAW at `address`."""
    signature = types.void(types.int64, types.float64, pose, velocity, parameters, wrench_out)

    def generate(context, builder, signature, arguments):
        double = ir.DoubleType()
        pointer_type = double.as_pointer()
        function = ir.FunctionType(ir.VoidType(), [double] + [pointer_type] * 4)
        pointer = builder.inttoptr(arguments[0], function.as_pointer())
        arrays = [_pointer(context, builder, t, a) for t, a in zip(signature.args[2:], arguments[2:], strict=True)]
        builder.call(pointer, [arguments[1], *arrays])
        return context.get_dummy_value()

    return signature, generate


@kernel
def friction_at(system, c, t, slip):
    """Friction coefficient of contact c at a slip speed."""
    k = system.contact[c]
    return k.mu if k.friction == 0 else call_scalar(k.friction, t, slip, 0.0, system.parameter[k.par_from:])


@kernel
def restitution_at(system, k, vn):
    """Restitution of a contact, block or rule k for a normal velocity vn, negative while approaching."""
    if k.bounce == 0:
        return k.e
    return call_scalar(k.bounce, 0.0, max(-vn, 0.0), 0.0, system.parameter[k.bounce_from:])
