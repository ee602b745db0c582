"""The Radau IIA method of order 5 with error control ([hairer1996], IV.8), one step at a time.

Stages solve Z = h (A ⊗ I) F(Z). In the basis T of A⁻¹'s eigenvectors this splits into one real and one complex system of the
size of the state. The Jacobian is taken by differences; works are quadratures over the stages and stay outside.
"""

import math

import numpy as np

from routh.core.calls import derivative
from routh.core.jit import kernel
from routh.core.linalg import lu_factor, lu_solve

R6 = math.sqrt(6.0)
C = np.array([(4.0 - R6) / 10.0, (4.0 + R6) / 10.0, 1.0])
# collocation: Σ_j a_ij c_j^(k-1) = c_i^k / k
_POWERS = np.vander(C, 3, increasing=True)
BUTCHER = (C[:, None] ** np.arange(1, 4) / np.arange(1, 4)) @ np.linalg.inv(_POWERS)
_VALUES, _VECTORS = np.linalg.eig(np.linalg.inv(BUTCHER))
_REAL, _COMPLEX = int(np.argmin(np.abs(_VALUES.imag))), int(np.argmax(_VALUES.imag))
T = np.column_stack([_VECTORS[:, _REAL].real, _VECTORS[:, _COMPLEX].real, _VECTORS[:, _COMPLEX].imag])
TI = np.linalg.inv(T)
MU = float(_VALUES[_REAL].real)
MU_COMPLEX = complex(np.conj(_VALUES[_COMPLEX]))
ERROR = np.array([-13.0 - 7.0 * R6, -13.0 + 7.0 * R6, -1.0]) / 3.0
DENSE = np.linalg.inv(C[:, None] ** np.arange(1, 4))     # collocation polynomial: Q = DENSE Z
NEWTON = 7            # iterations before the step is cut


@kernel
def jacobian(system, work, t, y, f, y_try, f_try, out):
    """∂f/∂y by forward differences, without the works."""
    n = out.shape[0]
    for j in range(y.size):
        y_try[j] = y[j]
    for j in range(n):
        step = 1.5e-8 * max(abs(y[j]), 1.0)
        y_try[j] = y[j] + step
        step = y_try[j] - y[j]
        derivative(system, work, t, y_try, f_try)
        for i in range(n):
            out[i, j] = (f_try[i] - f[i]) / step
        for i in range(y.size):
            y_try[i] = y[i]


@kernel
def factor(jac, h, real, real_pivot, compl, compl_pivot):
    """Factors of MU/h - J and MU_COMPLEX/h - J."""
    n = jac.shape[0]
    for i in range(n):
        for j in range(n):
            real[i, j] = -jac[i, j]
            compl[i, j] = -jac[i, j]
        real[i, i] += MU / h
        compl[i, i] += MU_COMPLEX / h
    return lu_factor(real, n, real_pivot) and lu_factor(compl, n, compl_pivot)


@kernel
def collocate(system, work, t, y, h, rtol, atol, real, real_pivot, compl, compl_pivot, Z, F, y_try, xr, xc):
    """Newton's method for the stages, from the guess in Z; return iterations used, or -1 where it does not converge."""
    n = xr.size
    if n == 0:
        return 1
    tolerance = max(10.0 * 2.2e-16 / rtol, min(0.03, math.sqrt(rtol)))
    last, rate = 0.0, 0.0
    for trial in range(NEWTON):
        for s in range(3):
            for i in range(y.size):
                y_try[i] = y[i] + (Z[s, i] if i < n else 0.0)
            derivative(system, work, t + C[s] * h, y_try, F[s])
        # residual TI (F - A⁻¹ Z / h), where TI A⁻¹ Z is block diagonal
        for i in range(n):
            w0 = TI[0, 0] * Z[0, i] + TI[0, 1] * Z[1, i] + TI[0, 2] * Z[2, i]
            w1 = TI[1, 0] * Z[0, i] + TI[1, 1] * Z[1, i] + TI[1, 2] * Z[2, i]
            w2 = TI[2, 0] * Z[0, i] + TI[2, 1] * Z[1, i] + TI[2, 2] * Z[2, i]
            g0 = TI[0, 0] * F[0, i] + TI[0, 1] * F[1, i] + TI[0, 2] * F[2, i]
            g1 = TI[1, 0] * F[0, i] + TI[1, 1] * F[1, i] + TI[1, 2] * F[2, i]
            g2 = TI[2, 0] * F[0, i] + TI[2, 1] * F[1, i] + TI[2, 2] * F[2, i]
            xr[i] = g0 - MU / h * w0
            xc[i] = complex(g1, g2) - MU_COMPLEX / h * complex(w1, w2)
        lu_solve(real, xr.size, real_pivot, xr)
        lu_solve(compl, n, compl_pivot, xc)
        total = 0.0
        for i in range(n):
            scale = atol + rtol * abs(y[i])
            total += (xr[i] / scale) ** 2 + (xc[i].real / scale) ** 2 + (xc[i].imag / scale) ** 2
            for s in range(3):
                Z[s, i] += T[s, 0] * xr[i] + T[s, 1] * xc[i].real + T[s, 2] * xc[i].imag
        size = math.sqrt(total / (3 * n))
        if not math.isfinite(size):
            return -1
        if trial > 0:
            rate = size / last if last > 0.0 else 0.0
            if rate >= 1.0 or rate ** (NEWTON - trial) / (1.0 - rate) * size > 1e3 * tolerance:
                return -1
        if size == 0.0 or (trial > 0 and rate / (1.0 - rate) * size < tolerance) or size < 1e-3 * tolerance:
            return trial + 1
        last = size
    return -1


@kernel
def estimate(f, h, Z, y, y_new, rtol, atol, real, real_pivot, xr):
    """Error of the step against the tolerance, by the embedded formula; the raw estimate stays in xr."""
    for i in range(xr.size):
        xr[i] = f[i] + (ERROR[0] * Z[0, i] + ERROR[1] * Z[1, i] + ERROR[2] * Z[2, i]) / h
    lu_solve(real, xr.size, real_pivot, xr)
    total = 0.0
    if xr.size == 0:
        return 0.0
    for i in range(xr.size):
        total += (xr[i] / (atol + rtol * max(abs(y[i]), abs(y_new[i])))) ** 2
    return math.sqrt(total / xr.size)


@kernel
def make_polynomial(Z, F, h, y, dense_out):
    """Dense output: the collocation polynomial of the state, straight lines of the works' quadrature."""
    n = Z.shape[1]
    for i in range(y.size):
        for p in range(dense_out.shape[0]):
            dense_out[p, i] = 0.0
        if i < n:
            q1 = DENSE[0, 0] * Z[0, i] + DENSE[0, 1] * Z[1, i] + DENSE[0, 2] * Z[2, i]
            q2 = DENSE[1, 0] * Z[0, i] + DENSE[1, 1] * Z[1, i] + DENSE[1, 2] * Z[2, i]
            q3 = DENSE[2, 0] * Z[0, i] + DENSE[2, 1] * Z[1, i] + DENSE[2, 2] * Z[2, i]
        else:
            z0 = h * (BUTCHER[0, 0] * F[0, i] + BUTCHER[0, 1] * F[1, i] + BUTCHER[0, 2] * F[2, i])
            z1 = h * (BUTCHER[1, 0] * F[0, i] + BUTCHER[1, 1] * F[1, i] + BUTCHER[1, 2] * F[2, i])
            z2 = h * (BUTCHER[2, 0] * F[0, i] + BUTCHER[2, 1] * F[1, i] + BUTCHER[2, 2] * F[2, i])
            q1 = DENSE[0, 0] * z0 + DENSE[0, 1] * z1 + DENSE[0, 2] * z2
            q2 = DENSE[1, 0] * z0 + DENSE[1, 1] * z1 + DENSE[1, 2] * z2
            q3 = DENSE[2, 0] * z0 + DENSE[2, 1] * z1 + DENSE[2, 2] * z2
        # Σ q_k x^k in the nested form of dense_value
        dense_out[0, i], dense_out[1, i], dense_out[2, i] = q1 + q2 + q3, -q2 - q3, -q3
