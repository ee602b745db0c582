"""Roots between two points of opposite sign: false position in Illinois' form, halving where that is slow."""

from routh.core.jit import kernel

QUICK = 40  # trials of false position before halving


@kernel
def between(a, fa, b, fb, trial):
    """The next point to look at, strictly between a and b where there is one."""
    x = (a * fb - b * fa) / (fb - fa) if trial < QUICK else 0.5 * (a + b)
    return x if a < x < b else 0.5 * (a + b)


@kernel
def narrow(a, fa, b, fb, side, x, f):
    """(a, fa, b, fb, side) with x in place of the end of its sign; an end that stays twice counts half."""
    if (f > 0.0) == (fb > 0.0):
        return a, (0.5 * fa if side == -1 else fa), x, f, -1
    return x, f, b, (0.5 * fb if side == 1 else fb), 1
