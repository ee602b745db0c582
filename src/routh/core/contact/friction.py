"""Friction coefficients over the slip speed that need no law of the user's own, as scalar laws (t, slip, rate, parameters).

`routh.model.friction` declares them and says the same in plain Python.
"""

import math

from routh.core.jit import kernel


@kernel
def stribeck(t, slip, rate, parameters):
    """kinetic + (static - kinetic) exp(-(slip / speed)^power) + viscous slip; parameters in the order of the declaration."""
    static, kinetic, speed, viscous, power = parameters[0], parameters[1], parameters[2], parameters[3], parameters[4]
    return kinetic + (static - kinetic) * math.exp(-((slip / speed) ** power)) + viscous * slip


@kernel
def table(t, slip, rate, parameters):
    """Straight lines between points, the last value beyond them; parameters: their number, speeds, values."""
    n = int(parameters[0])
    low, high = 1, n  # speeds; values lie n places behind them
    if slip >= parameters[high]:
        return parameters[n + high]
    while high - low > 1:
        middle = (low + high) // 2
        if parameters[middle] <= slip:
            low = middle
        else:
            high = middle
    x = (slip - parameters[low]) / (parameters[high] - parameters[low])
    return (1.0 - x) * parameters[n + low] + x * parameters[n + high]


@kernel
def fading(t, slip, rate, parameters):
    """Friction of a spot that spins: p = (mu, speed), mu s / √(s² + speed²)."""
    return parameters[0] * slip / math.hypot(slip, parameters[1])
