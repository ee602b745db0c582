"""Tables without reference counting: an entry point borrows its caller's arrays for the length of the call.

Counting references to the two dozen tables of a System and its Work costs more than the mechanics of a small model: each is
an atomic operation, a hundred of them per evaluation. A borrowed array has no owner to count.
"""

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


@intrinsic
def _borrow(typing_context, tables):
    """The same NamedTuple of arrays, each without its owner."""

    def generate(context, builder, signature, arguments):
        (kind,), (value,) = signature.args, arguments
        for i, item in enumerate(kind.types):
            array = cgutils.create_struct_proxy(item)(context, builder, value=builder.extract_value(value, i))
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            value = builder.insert_value(value, array._getvalue(), i)
        return value

    return tables(tables), generate


def borrow(tables):
    """A NamedTuple of arrays for use within the present call only."""
    return tables


@overload(borrow)
def _resolve(tables):
    if isinstance(tables, types.NamedTuple | types.NamedUniTuple):
        return lambda tables: _borrow(tables)
    return None
