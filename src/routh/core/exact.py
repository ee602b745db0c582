"""Twice the digits where a difference would lose them: sums and products of unevaluated pairs (hi, lo).

The inverse mass of a slender or badly scaled contact has eigenvalues eight decades apart. Rotating it to
its principal axes in plain arithmetic leaves errors of the size of the *large* eigenvalue in the place of
the small one. A pair (hi, lo) with |lo| <= ulp(hi)/2 carries about 32 digits ([dekker1971]).

These few functions may not be contracted to fused operations by the compiler: the error terms are the
result. So they use the decorator `exact`, the only place in `core` that does not use `kernel`.
"""

import math
from fractions import Fraction

import numba
from numba import types
from numba.extending import intrinsic

from routh.core.jit import exact

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def fma(a, b, c):
        """a b + c with one rounding."""
        if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
            return a * b + c
        return float(Fraction(a) * Fraction(b) + Fraction(c))

else:

    @intrinsic
    def fma(typingctx, a, b, c):
        """a b + c with one rounding."""

        def codegen(context, builder, signature, args):
            return builder.fma(*args)

        return types.float64(types.float64, types.float64, types.float64), codegen


@exact
def two_sum(a, b):
    """a + b exactly, as a pair."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


@exact
def two_product(a, b):
    """a b exactly, as a pair."""
    p = a * b
    return p, fma(a, b, -p)


@exact
def add(ah, al, bh, bl):
    """Sum of two pairs."""
    s, e = two_sum(ah, bh)
    return two_sum(s, e + (al + bl))


@exact
def multiply(ah, al, bh, bl):
    """Product of two pairs."""
    p, e = two_product(ah, bh)
    return two_sum(p, e + (ah * bl + al * bh))


@exact
def divide(ah, al, bh, bl):
    """Quotient of two pairs."""
    q = ah / bh
    p, e = two_product(q, bh)
    r = ((ah - p) - e + al) - q * bl
    return two_sum(q, r / bh)


@exact
def square_root(ah, al):
    """Square root of a pair."""
    r = math.sqrt(ah)
    if r == 0.0:
        return 0.0, 0.0
    p, e = two_product(r, r)
    return two_sum(r, ((ah - p) - e + al) / (2.0 * r))


@exact
def cross(a, d, b, c):
    """a d - b c without cancellation error ([kahan2004])."""
    w = b * c
    return fma(a, d, -w) + fma(-b, c, w)
