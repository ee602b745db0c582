"""Gauss-Seidel sweeps over the contact problem, accelerated by Anderson's method ([anderson1965], [walker2011]).

A sweep is a map G of impulses whose fixed points solve the problem. Anderson's method takes the last few iterates and their
changes f = G(p) - p, finds the combination of them with the least |f|, and goes on from the same combination of the images.
|f| is weighed by the inverse masses, so that the units of impulses and velocities do not matter. Friction makes G nonsmooth:
where |f| grows, a part of the step is taken, and at last the memory is cleared and plain sweeps go on from the last image.
"""

import math

from routh.core.contact.sweeps import project_on_cone, residual, sweep
from routh.core.jit import kernel

LOOK = 10      # sweeps between two evaluations of the residual, which cost about as much as a sweep
GROWTH = 2.0   # of |f| against its least value since the memory was cleared, at which a step is not taken
DAMPING = 0.1  # factor of a step that was not taken
TRIALS = 4     # of damped steps before the memory is cleared; redundant contacts drift slowly and need the small ones
RIDGE = 1e-10  # relative, on the diagonal of the normal equations: their columns become parallel
SLOW = 0.5     # factor by which the residual must fall within `patience` sweeps


@kernel
def dot(a, b):
    """a . b, in four sums that the processor adds side by side."""
    s0 = s1 = s2 = s3 = 0.0
    whole = a.size - a.size % 4
    for i in range(0, whole, 4):
        s0 += a[i] * b[i]
        s1 += a[i + 1] * b[i + 1]
        s2 += a[i + 2] * b[i + 2]
        s3 += a[i + 3] * b[i + 3]
    for i in range(whole, a.size):
        s0 += a[i] * b[i]
    return (s0 + s1) + (s2 + s3)


@kernel
def solve_normal(count, gram, right, factor_out, x_out):
    """Solve (gram + ridge) x = right by Cholesky's factors; False where they do not exist."""
    L, x = factor_out, x_out
    for i in range(count):
        for j in range(i + 1):
            s = gram[i, j] if j < i else (1.0 + RIDGE) * gram[i, i]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if j < i:
                L[i, j] = s / L[j, j]
            elif s > 0.0:
                L[i, i] = math.sqrt(s)
            else:
                return False
    for i in range(count):
        s = right[i]
        for k in range(i):
            s -= L[i, k] * x[k]
        x[i] = s / L[i, i]
    for i in range(count - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, count):
            s -= L[k, i] * x[k]
        x[i] = s / L[i, i]
    return True


@kernel
def project(mu, d, p):
    """Put the impulses of contacts on their cones: the combination of impulses that obey Coulomb's law may leave it."""
    for i in range(mu.size):
        pn, p1, p2 = p[d * i], p[d * i + 1], (p[3 * i + 2] if d == 3 else 0.0)
        height, part = project_on_cone(pn, math.sqrt(p1 * p1 + p2 * p2), mu[i])
        p[d * i], p[d * i + 1] = height, part * p1
        if d == 3:
            p[3 * i + 2] = part * p2


@kernel
def accelerated_sweeps(first, column, block, b, mu, scale, d, stride, times, patience, tolerance, p, changes, images, vectors,
                       small, best_out, residual_out):
    """Sweep until the residual is below the tolerance, `times` is reached, or progress is slow; return the sweeps made.

    `p` becomes the last iterate, `best_out` that with the least residual, `residual_out` (1) its residual. Scratch: `changes`
    and `images` (m, n) hold the memory, `vectors` (5, n), `small` (2 m + 2, m).
    """
    m, n = changes.shape
    f, last_f, g, last_g, jump = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    gram, factor, right, weight = small[:m], small[m:2 * m], small[2 * m], small[2 * m + 1]
    residual_out[0] = least = mark = residual(first, column, block, b, mu, scale, d, p)
    for i in range(n):
        best_out[i] = p[i]
    marked = done = since = count = trial = 0
    fresh, least_f = True, math.inf
    while done < times and least > tolerance and done - marked < patience:
        for i in range(n):
            g[i] = p[i]
        sweep(first, column, block, b, mu, d, stride, g)
        done += 1
        since += 1
        for i in range(n):
            f[i] = math.sqrt(scale[i]) * (g[i] - p[i])
        size = math.sqrt(dot(f, f))
        if not size < math.inf:
            break  # overflow
        if since == LOOK or done == times or size == 0.0:
            since = 0
            found = residual(first, column, block, b, mu, scale, d, g)
            if found < least:
                residual_out[0] = least = found
                for i in range(n):
                    best_out[i] = g[i]
            if least < SLOW * mark:
                mark, marked = least, done
            if size == 0.0:
                break
        if size > GROWTH * least_f and count > 0:
            if trial < TRIALS:  # the combination leads too far: go a part of the way
                trial += 1
                for i in range(n):
                    p[i] = last_g[i] + DAMPING ** trial * jump[i]
                project(mu, d, p)
            else:
                count, trial, fresh, least_f = 0, 0, True, math.inf
                for i in range(n):
                    p[i] = last_g[i]
            continue
        least_f, trial = min(least_f, size), 0

        # remember the last step
        if not fresh:
            for i in range(n):
                changes[count, i] = f[i] - last_f[i]
                images[count, i] = g[i] - last_g[i]
            for k in range(count + 1):
                gram[count, k] = dot(changes[k], changes[count])
                right[k] += gram[count, k]  # f has grown by this change
            right[count] = dot(changes[count], f)
            count += 1
        fresh = False
        for i in range(n):
            last_f[i], last_g[i], p[i] = f[i], g[i], g[i]

        # go on from the combination of images whose change is least
        solved = count > 0 and solve_normal(count, gram, right, factor, weight)
        if solved:
            for k in range(count):
                for i in range(n):
                    p[i] -= weight[k] * images[k, i]
            for i in range(n):
                jump[i] = p[i] - g[i]
            project(mu, d, p)
        if count == m or (count > 0 and not solved):  # steps of long ago, in other modes of contact, mislead: begin anew
            count, fresh, least_f = 0, True, math.inf
    return done
