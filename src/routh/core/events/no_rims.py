"""There are no rims in the plane: the twin of `flat_rims.py`."""

from routh.core.jit import kernel


@kernel
def lay_nothing(system, work, slow):
    """There are no rims in the plane."""


@kernel
def lay_no_tipping(system, work, events, n, trial):
    """There are no rims in the plane."""
    return False
