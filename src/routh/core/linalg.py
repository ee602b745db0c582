"""Small dense linear algebra in place, on the leading n rows and columns of the caller's arrays."""

from routh.core.jit import kernel


@kernel
def lu_factor(a, n, pivot):
    """Replace a by its LU factors with row pivoting; return False where it is singular."""
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[p, k]):
                p = i
        pivot[k] = p
        if not abs(a[p, k]) > 0.0:
            return False
        if p != k:
            for j in range(n):
                a[k, j], a[p, j] = a[p, j], a[k, j]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                a[i, k] /= a[k, k]
                factor = a[i, k]
                for j in range(k + 1, n):
                    a[i, j] -= factor * a[k, j]
    return True


@kernel
def lu_solve(a, n, pivot, x):
    """Overwrite x by the solution, from the factors of `lu_factor`."""
    for k in range(n):
        p = pivot[k]
        x[k], x[p] = x[p], x[k]
    for i in range(n):
        for j in range(i):
            x[i] -= a[i, j] * x[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= a[i, j] * x[j]
        x[i] /= a[i, i]
