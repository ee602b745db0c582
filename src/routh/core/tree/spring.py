"""What a spring, damper or law of the user's own does along one coordinate: of a line, of a joint, in plane and space."""

from routh.core.jit import kernel
from routh.core.tables.layout import APPLIED, DISSIPATED
from routh.core.tree.laws import call_scalar


@kernel
def along(system, work, i, t, x, rate, sense):
    """(force that drives the coordinate x of force i, its potential energy); powers and readings are noted.

    `sense` -1: the law and the reading speak of tension, which shortens x; +1: of the force along x.
    """
    force, power = system.force[i], work.power
    potential = 0.0
    if force.law != 0:
        value = sense * call_scalar(force.law, t, x, rate, system.parameter[force.par_from:])
        power[APPLIED] += value * rate
    else:
        stretch = x - force.free
        value = -force.stiffness * stretch - force.damping * rate
        potential = 0.5 * force.stiffness * stretch * stretch
        power[DISSIPATED] -= force.damping * rate * rate
    work.reading[i, 0], work.reading[i, 1] = x, sense * value
    return value, potential
