"""The decorator of the kernels leaves Numba as capable as it was."""

import numba
import numpy as np

from routh.core import jit


def test_linear_algebra_still_compiles_for_a_users_own_law():
    assert jit.kernel

    @numba.njit
    def law(a, b):
        return np.dot(a, b) + np.linalg.solve(a, b)

    a, b = np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0])
    assert np.allclose(law(a, b), a @ b + np.linalg.solve(a, b))
