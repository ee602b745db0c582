"""Accelerations evaluated again and again inside compiled code: what a benchmark times."""

from routh.core.calls import accelerate
from routh.core.jit import kernel


@kernel
def repeat_accelerations(system, work, t, q, u, times):
    """Evaluate `times` times; return a sum that keeps the compiler from skipping any."""
    total = 0.0
    for i in range(times):
        u[0] += 1e-15 * i
        accelerate(system, work, t, q, u)
        total += work.dof[0].udot
    return total
