"""Roots and minima of a function of one variable from its values.

Roots lie between two points of opposite sign: false position in Illinois' form, halving where that is slow. Minima lie between
three points of which the middle one is the lowest: the parabola through them, golden section where that leads nowhere.
"""

import math

from routh.core.jit import kernel

QUICK = 40  # trials of false position before halving
GOLDEN = 0.5 * (3.0 - math.sqrt(5.0))  # of an interval: where golden section divides it


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


@kernel
def vertex(a, fa, m, fm, b, fb):
    """(Where the parabola through three points is lowest, its value there); a golden section where it is none or at m.

    a < m < b, and fm is no higher than fa and fb.
    """
    left, right = (fa - fm) / (m - a), (fb - fm) / (b - m)  # slopes towards the lowest point; neither is negative
    bend = (left + right) / (b - a)
    x = 0.5 * ((a + m) * right + (m + b) * left) / (left + right) if bend > 0.0 else m
    if a < x < b and x != m:
        return x, fm - bend * (x - m) ** 2
    return (m + GOLDEN * (b - m) if b - m > m - a else m - GOLDEN * (m - a)), fm
