"""A bundle of named tables that kernels receive as one pointer.

`class Beam(Tables)` with annotated dtypes is an ordinary object in Python: `beam.node` is an array. To Numba it is a
single address, and `beam.node` a view read from behind it. Against a NamedTuple of a dozen record arrays this makes calls
cheap (a tuple is copied, a thousand bytes a call), spares counting references to each array on each access (a hundred
atomic operations per evaluation of a small model), and halves the time to compile (a function's type names its class, not
every field of every record). Python keeps the arrays alive for the length of the call.
"""

import math
from functools import cache
from typing import ClassVar

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

ENTRY = 3  # numbers per table: address and two lengths


class Tables:
    """Base of a bundle: subclasses set `fields`, a mapping from name to (dtype, number of axes).

    Each table is given as an array, or as a shape: those begin as zeros, in one block of memory, which is made faster than an
    array for each. All dtypes consist of numbers of eight bytes.
    """

    fields: ClassVar[dict] = {}

    def __init__(self, **tables):
        if unknown := set(tables) - set(self.fields):
            raise TypeError(f"{type(self).__name__} has no tables {sorted(unknown)}")
        columns = columns_of(type(self))
        shapes, starts, end = [], [], ENTRY * len(columns)  # the block begins with the index; lengths in numbers
        for name, _, numbers, axes in columns:
            given = tables[name]
            shape = given.shape if isinstance(given, np.ndarray) else (given if isinstance(given, tuple) else (given,))
            if len(shape) != axes:
                raise TypeError(f"{type(self).__name__}.{name} must have {axes} axes, not {len(shape)}")
            shapes.append(shape)
            starts.append(end)
            end += 0 if isinstance(given, np.ndarray) else numbers * math.prod(shape)
        block = np.zeros(end)
        self.address = block.ctypes.data
        index = []
        for (name, dtype, _, _), shape, start in zip(columns, shapes, starts, strict=True):
            if isinstance(tables[name], np.ndarray):
                array = np.ascontiguousarray(tables[name], dtype)
                index.append((array.ctypes.data, *shape, 1)[:ENTRY])
            else:
                array = np.ndarray(shape, dtype, block, 8 * start)
                index.append((self.address + 8 * start, *shape, 1)[:ENTRY])
            self.__dict__[name] = array
        self.index = np.ndarray((len(columns), ENTRY), np.int64, block)
        self.index[:] = index
        self._numba_type_ = type_of_class(type(self))  # where Numba's dispatcher looks first


@cache
def columns_of(python_class):
    """(name, dtype, numbers of eight bytes in an entry, axes) of every table of a class."""
    fields = [(name, np.dtype(dtype), axes) for name, (dtype, axes) in python_class.fields.items()]
    return tuple((name, dtype, dtype.itemsize // 8, axes) for name, dtype, axes in fields)


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
