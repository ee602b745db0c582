"""Tables in one block of memory or given one by one: to a kernel they are the same."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from routh.core.jit import kernel
from routh.core.tables.bundle import Tables

PAIR = np.dtype([("first", np.float64), ("second", np.int64)], align=True)


class Shelf(Tables):
    fields: ClassVar = {"number": (np.float64, 1), "grid": (np.float64, 2), "pair": (PAIR, 1), "none": (np.int64, 1)}


@kernel
def fill(shelf):
    """Write a different number into each entry; return the lengths."""
    for i in range(shelf.number.size):
        shelf.number[i] = 1.0 + i
    for i in range(shelf.grid.shape[0]):
        for j in range(shelf.grid.shape[1]):
            shelf.grid[i, j] = 10.0 * i + j
    for i in range(shelf.pair.size):
        shelf.pair[i].first, shelf.pair[i].second = 0.5 + i, -i
    return shelf.number.size, shelf.grid.shape[0], shelf.grid.shape[1], shelf.pair.size, shelf.none.size


def test_shapes_and_arrays_make_the_same_tables():
    pairs = np.zeros(4, PAIR)
    made = Shelf(number=3, grid=(2, 5), pair=4, none=0)
    given = Shelf(number=np.zeros(3), grid=np.zeros((2, 5)), pair=pairs, none=np.zeros(0, np.int64))
    for shelf in (made, given):
        assert not any(getattr(shelf, name).any() for name in ("number", "grid"))
        assert fill(shelf) == (3, 2, 5, 4, 0)
        assert shelf.number.tolist() == [1.0, 2.0, 3.0]
        assert shelf.grid.tolist() == [[0.0, 1.0, 2.0, 3.0, 4.0], [10.0, 11.0, 12.0, 13.0, 14.0]]
        assert shelf.pair.tolist() == [(0.5, 0), (1.5, -1), (2.5, -2), (3.5, -3)]
    assert np.array_equal(pairs, made.pair)  # an array that is given is used, not copied


def test_tables_of_a_wrong_name_or_number_of_axes_are_refused():
    with pytest.raises(TypeError, match=r"Shelf has no tables \['grids'\]"):
        Shelf(number=3, grids=(2, 5), pair=4, none=0)
    with pytest.raises(TypeError, match="grid must have 2 axes, not 1"):
        Shelf(number=3, grid=10, pair=4, none=0)
