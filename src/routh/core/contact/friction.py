"""Friction over the slip speed and restitution over the approach speed that need no law of the user's own: scalar laws
(t, speed, rate, parameters).

`routh.model.friction` and `routh.model.restitution` declare them and say the same in plain Python.
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
def power_law(t, speed, rate, parameters):
    """Restitution e (v_e / speed)^power, at most 1; p = (e, v_e, power)."""
    e, power = parameters[0], parameters[2]
    if not speed > 0.0:
        return e if power == 0.0 else 1.0
    return min(1.0, e * (parameters[1] / speed) ** power)


@kernel
def fading(t, slip, rate, parameters):
    """Friction of a spot that spins: p = (mu, speed), mu s / √(s² + speed²)."""
    return parameters[0] * slip / math.hypot(slip, parameters[1])
