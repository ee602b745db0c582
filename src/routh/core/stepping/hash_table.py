"""A hash table from int64 keys to int64 values with open addressing; Python fills it (`tables/stepping.py`)."""

from routh.core.jit import kernel
from routh.core.tables.stepping import MIX


@kernel
def find(keys, values, key):
    """Value of a key, or -1."""
    mask = keys.size - 1
    at = ((key * MIX) >> 33) & mask
    while keys[at] >= 0:
        if keys[at] == key:
            return values[at]
        at = (at + 1) & mask
    return -1
