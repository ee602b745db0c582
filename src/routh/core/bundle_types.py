"""Numba's view of a bundle of tables (`tables/bundle.py`): one address, and arrays read from behind it."""

from functools import cache

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from routh.core.tables.bundle import ENTRY, Tables


class TablesType(types.Type):
    """Numba's type of one subclass of Tables."""

    def __init__(self, python_class):
        self.python_class = python_class
        super().__init__(name=python_class.__name__)

    @property
    def key(self):
        """Types are equal where their classes are."""
        return self.python_class.__name__

    def array_type(self, name):
        """The type of one table."""
        dtype, axes = self.python_class.fields[name]
        return types.Array(from_dtype(np.dtype(dtype)), axes, "C")


@cache
def type_of_class(python_class):
    """The one TablesType of a class."""
    return TablesType(python_class)


@typeof_impl.register(Tables)
def _type_of(value, context):
    return type_of_class(type(value))


@register_model(TablesType)
class _Address(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.IntType(64))


@unbox(TablesType)
def _unbox(kind, value, c):
    address = c.pyapi.object_getattr_string(value, "address")
    native = c.pyapi.long_as_longlong(address)
    c.pyapi.decref(address)
    return NativeValue(native)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = TablesType

    def generic_resolve(self, kind, name):
        return kind.array_type(name) if name in kind.python_class.fields else None


@lower_getattr_generic(TablesType)
def _read(context, builder, kind, value, name):
    """A view without owner: address and lengths from the index, strides from the dtype."""
    array_type = kind.array_type(name)
    i64 = ir.IntType(64)
    position = list(kind.python_class.fields).index(name) * ENTRY
    index = builder.inttoptr(value, i64.as_pointer())
    entries = [builder.load(builder.gep(index, [ir.Constant(i64, position + k)])) for k in range(ENTRY)]
    item = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
    array = make_array(array_type)(context, builder)
    size = ir.Constant(i64, item)
    shape = entries[1:1 + array_type.ndim]
    strides = [size] if array_type.ndim == 1 else [builder.mul(entries[2], size), size]
    populate_array(array, data=builder.inttoptr(entries[0], array.data.type), shape=cgutils.pack_array(builder, shape),
                   strides=cgutils.pack_array(builder, strides), itemsize=size, meminfo=None)
    return array._getvalue()
