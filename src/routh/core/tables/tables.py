"""A bundle of named tables that kernels receive as one pointer.

`class Beam(Tables)` with annotated dtypes is an ordinary object in Python: `beam.node` is an array. To Numba it is a
single address, and `beam.node` a view read from behind it. Against a NamedTuple of a dozen record arrays this makes calls
cheap (a tuple is copied, a thousand bytes a call), spares counting references to each array on each access (a hundred
atomic operations per evaluation of a small model), and halves the time to compile (a function's type names its class, not
every field of every record). Python keeps the arrays alive for the length of the call.
"""

import math
from functools import cache, lru_cache
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

    Each table is given as an array, or as a shape: those begin as zeros, in one block of memory. Their arrays are made when
    Python first asks for them; most of the scratch it never does. All dtypes consist of numbers of eight bytes.
    """

    fields: ClassVar[dict] = {}

    def __init__(self, **tables):
        if unknown := tables.keys() - self.fields.keys():
            raise TypeError(f"{type(self).__name__} has no tables {sorted(unknown)}")
        given = {name: np.ascontiguousarray(table, self.fields[name][0]) for name, table in tables.items()
                 if isinstance(table, np.ndarray)}
        plan, size = plan_of(type(self), tuple(tables[name] if name not in given else None for name in self.fields))
        self.memory = np.zeros(size)  # begins with the index
        self.address = self.memory.ctypes.data
        self.directory = np.ndarray(plan.shape, np.int64, self.memory)
        self.directory[:] = plan
        self.directory[:, 0] += self.address
        for i, (name, (_, axes)) in enumerate(self.fields.items() if given else ()):
            if name in given:
                shape = given[name].shape
                if len(shape) != axes:
                    raise TypeError(f"{type(self).__name__}.{name} must have {axes} axes, not {len(shape)}")
                self.directory[i] = (given[name].ctypes.data, *shape, 1)[:ENTRY]
        self.__dict__.update(given)
        self._numba_type_ = type_of_class(type(self))  # where Numba's dispatcher looks first

    def __getattr__(self, name):
        """The array of a table in the block."""
        if name not in type(self).fields:
            raise AttributeError(f"{type(self).__name__} has no table {name}")
        dtype, axes = self.fields[name]
        address, *shape = self.directory[list(self.fields).index(name)]
        array = np.ndarray(tuple(shape[:axes]), dtype, self.memory, address - self.address)
        self.__dict__[name] = array
        return array


@lru_cache(maxsize=1024)
def plan_of(python_class, shapes):
    """(index of tables with these shapes, addresses counted from the block's; numbers of eight bytes in the block)."""
    plan, end = [], ENTRY * len(shapes)
    for (name, (dtype, axes)), given in zip(python_class.fields.items(), shapes, strict=True):
        shape = (0,) * axes if given is None else (given if isinstance(given, tuple) else (given,))
        if len(shape) != axes:
            raise TypeError(f"{python_class.__name__}.{name} must have {axes} axes, not {len(shape)}")
        plan.append((8 * end, *shape, 1)[:ENTRY])
        end += np.dtype(dtype).itemsize // 8 * math.prod(shape)
    return np.array(plan, np.int64), end


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
