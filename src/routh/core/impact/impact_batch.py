"""Entry points from Python: one impact, or many in parallel. Input is checked here, once, in compiled code.

A negative kind is the code of what is wrong with that input (`impact.BAD_*`); its row stays zero.
"""

import numba
import numpy as np

from routh.core.impact.impact import N_OUT, check_contact, check_parameters, resolve_plane
from routh.core.impact.impact_space import SCRATCH, resolve_space
from routh.core.jit import kernel

CHUNK = 256  # impacts that share a scratch array


@kernel
def one_plane(A, v, law, e, e_t, mu, mu_s, out):
    """Check and resolve one planar impact; return its kind or what is wrong."""
    bad = min(check_parameters(e, e_t, mu, mu_s), check_contact(A, v))
    return bad if bad < 0 else resolve_plane(A, v, law, e, e_t, mu, mu_s, out)


@kernel
def one_space(A, v, law, e, e_t, mu, mu_s, scratch, path, out):
    """Check and resolve one spatial impact; return (its kind or what is wrong, points of the path)."""
    bad = min(check_parameters(e, e_t, mu, mu_s), check_contact(A, v))
    if bad < 0:
        return bad, 0
    return resolve_space(A, v, law, e, e_t, mu, mu_s, scratch, path, out)


@kernel(parallel=True)
def many_plane(A, v, law, parameters, kinds, out):
    """`one_plane` over the leading axis; parameters are (4, n): e, e_t, mu, mu_s."""
    n = v.shape[0]
    for chunk in numba.prange((n + CHUNK - 1) // CHUNK):
        for i in range(chunk * CHUNK, min(n, (chunk + 1) * CHUNK)):
            e, e_t, mu, mu_s = parameters[0, i], parameters[1, i], parameters[2, i], parameters[3, i]
            kinds[i] = one_plane(A[i], v[i], law, e, e_t, mu, mu_s, out[i])


@kernel(parallel=True)
def many_space(A, v, law, parameters, kinds, out):
    """`one_space` over the leading axis, without paths."""
    n = v.shape[0]
    for chunk in numba.prange((n + CHUNK - 1) // CHUNK):
        scratch = np.empty(SCRATCH)
        path = np.empty((0, 7))
        for i in range(chunk * CHUNK, min(n, (chunk + 1) * CHUNK)):
            e, e_t, mu, mu_s = parameters[0, i], parameters[1, i], parameters[2, i], parameters[3, i]
            kinds[i], _ = one_space(A[i], v[i], law, e, e_t, mu, mu_s, scratch, path, out[i])


def blank(n):
    """Arrays for the kinds and rows of n impacts."""
    return np.zeros(n, dtype=np.int64), np.zeros((n, N_OUT))
