"""The one branch on space: a twin is the planar or the spatial function, chosen by the type of System.

A function is looked for when it is first called or compiled, so that what is compiled for the plane imports no file of space.
Twins are declared with literal names, because the keys of entry points follow them (`routh.native.keys`).
"""

from functools import cache
from importlib import import_module

from numba.extending import overload

from routh.core.tables.layout import PlanarSystem


@cache
def _function(path):
    """The function that "module.name" means in `core`."""
    module, name = path.rsplit(".", 1)
    return getattr(import_module(f"routh.core.{module}"), name)


def twin(in_plane, in_space):
    """A function that Numba resolves by the type of its first argument, and plain Python by isinstance."""

    def choose(system, *rest):
        return _function(in_plane if isinstance(system, PlanarSystem) else in_space)(system, *rest)

    @overload(choose)
    def resolve(system, *rest):
        function = _function(in_plane if system.python_class is PlanarSystem else in_space)
        return lambda system, *rest: function(system, *rest)

    return choose
