"""The gap of one contact, through the entry point of its family."""

from routh.core.tables.entries import family_of, space_of
from routh.native.load import entry


def gap(system, work, c):
    """Fill the touch record of contact c."""
    entry(family_of(system, c), space_of(system))(system, work, c)
