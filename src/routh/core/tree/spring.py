"""What a spring, motor or law of the user's own does along one coordinate, and drags: the same in plane and space."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import APPLIED, DISSIPATED, MOTOR, OWN_LAW, SERVO, SPEED_SERVO, SPRING
from routh.core.tree import profile
from routh.core.tree.laws import call_scalar


@kernel
def along(system, work, i, t, x, rate, sense):
    """(force that drives the coordinate x of force i, its potential energy); powers and readings are noted.

    `sense` -1: the law and the reading speak of tension, which shortens x; +1: of the force along x.
    """
    force, power = system.force[i], work.power
    value = potential = 0.0
    if force.source == SPRING:
        stretch = x - force.free
        value = -force.stiffness * stretch - force.damping * rate
        potential = 0.5 * force.stiffness * stretch * stretch
        power[DISSIPATED] -= force.damping * rate * rate
    elif force.source == OWN_LAW:
        value = sense * call_scalar(force.law, t, x, rate, system.parameter[force.par_from:])
        power[APPLIED] += value * rate
    else:
        value = actuate(system, work, force, t, x, rate)
        power[APPLIED] += value * rate
    work.reading[i, 0], work.reading[i, 1] = x, sense * value
    return value, potential


@kernel
def actuate(system, work, force, t, x, rate):
    """Force of a motor or servo along its coordinate."""
    wanted, wanted_rate = 1.0, 0.0
    if force.profile >= 0:
        wanted, wanted_rate, _ = profile.value(system.piece, work.piece[force.profile], t)
    if force.source == MOTOR:
        return force.stiffness * wanted - force.damping * rate
    value = 0.0
    if force.source == SERVO:
        value = force.stiffness * (wanted - x) + force.damping * (wanted_rate - rate)
    elif force.source == SPEED_SERVO:
        value = force.damping * (wanted - rate)
    return min(max(value, -force.limit), force.limit)


@kernel
def resistance(force, square):
    """Drag over speed, at the square of a speed: constant / √(v² + slow²) + linear + quadratic v."""
    size = math.sqrt(square + force.free * force.free)
    steady = force.vector[0] / size if size > 0.0 else 0.0
    return steady + force.vector[1] + force.vector[2] * math.sqrt(square)
