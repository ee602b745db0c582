"""The method of Bogacki and Shampine of order 3 ([bogacki1989]), one step at a time: for laws that jump.

At a jump every method is of first order, so few stages and short steps are the cheapest way across. k[0] is the slope at the
start; the slope at the end, k[3], is the next step's first.
"""

import math

from routh.core.calls import derivative
from routh.core.jit import kernel

LOW_STAGES = 3


@kernel
def move(y, h, slope, y_out):
    """y + h slope."""
    for i in range(y.size):
        y_out[i] = y[i] + h * slope[i]


@kernel
def attempt_low(system, work, t, y, h, rtol, atol, k, stage, y_out):
    """One step from (t, y) with slope k[0]; return its error against the tolerance (1 is just acceptable)."""
    move(y, 0.5 * h, k[0], stage)
    derivative(system, work, t + 0.5 * h, stage, k[1])
    move(y, 0.75 * h, k[1], stage)
    derivative(system, work, t + 0.75 * h, stage, k[2])
    for i in range(y.size):
        y_out[i] = y[i] + h / 9.0 * (2.0 * k[0, i] + 3.0 * k[1, i] + 4.0 * k[2, i])
    derivative(system, work, t + h, y_out, k[LOW_STAGES])
    n = system.world[0].works
    total = 0.0
    for i in range(n):
        error = h / 72.0 * (6.0 * k[1, i] + 8.0 * k[2, i] - 5.0 * k[0, i] - 9.0 * k[LOW_STAGES, i])
        total += (error / (atol + rtol * max(abs(y[i]), abs(y_out[i])))) ** 2
    return math.sqrt(total / n)


@kernel
def make_cubic(y, h, k, y_new, dense_out):
    """Hermite's cubic over the step as a dense output."""
    for i in range(y.size):
        dy = y_new[i] - y[i]
        dense_out[0, i] = dy
        dense_out[1, i] = h * k[0, i] - dy
        dense_out[2, i] = 2.0 * dy - h * (k[LOW_STAGES, i] + k[0, i])
