"""A bundle of named tables that kernels receive as one pointer.

`class Beam(Tables)` with annotated dtypes is an ordinary object in Python: `beam.node` is an array. To Numba it is a
single address, and `beam.node` a view read from behind it. Against a NamedTuple of a dozen record arrays this makes calls
cheap (a tuple is copied, a thousand bytes a call), spares counting references to each array on each access (a hundred
atomic operations per evaluation of a small model), and halves the time to compile (a function's type names its class, not
every field of every record). Python keeps the arrays alive for the length of the call.
"""

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np

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

    def replaced(self, **tables):
        """Another bundle with some tables changed; the rest are shared."""
        for name in self.fields:
            getattr(self, name)  # arrays of tables in the block, which they keep alive
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.memory = self.memory.copy()
        other.address = other.memory.ctypes.data
        other.directory = np.ndarray(self.directory.shape, np.int64, other.memory)
        for name, table in tables.items():
            given = np.ascontiguousarray(table, self.fields[name][0])
            other.directory[list(self.fields).index(name)] = (given.ctypes.data, *given.shape, 1)[:ENTRY]
            other.__dict__[name] = given
        return other

    def __reduce__(self):
        """Copies and pickles have arrays, and so addresses, of their own."""
        return rebuilt, (type(self), {name: np.array(getattr(self, name)) for name in self.fields})

    def __getattr__(self, name):
        """The array of a table in the block."""
        if name not in type(self).fields:
            raise AttributeError(f"{type(self).__name__} has no table {name}")
        dtype, axes = self.fields[name]
        address, *shape = self.directory[list(self.fields).index(name)]
        array = np.ndarray(tuple(shape[:axes]), dtype, self.memory, address - self.address)
        self.__dict__[name] = array
        return array


def rebuilt(python_class, tables):
    """A bundle of these tables."""
    return python_class(**tables)


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
