"""Force laws of compliant contacts: what two surfaces do to each other where they overlap.

Symbols: d depth (minus the gap), d' its rate, v slip velocity, s = |v|, N normal force, z stretch of the bristle (a vector in
the tangent plane). Every law pushes only: N = max(0, raw force). Every friction law has one form,

    T = -(drag v + hold z),    dz/dt = v - relax z,

so that plane and space, with one tangent or two, share it. Laws without a bristle have hold = relax = 0.
"""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import (
    BILINEAR,
    FRICTIONLESS,
    HYSTERESIS,
    LINEAR,
    LUGRE,
    OWN_NORMAL,
    PARTING,
    POWER,
    PRESSED,
    REGULARISED,
    STEPPED,
)
from routh.core.tree.laws import call_scalar

FLICKER = 8           # changes of mode at one instant that mean a gap that jumps: the contact is then left pressed
RESOLVED = 1e-12      # depth, against the size of the smaller shape, that is none: a contact lets go this much late


@kernel
def elastic(law, depth):
    """(elastic force, energy stored) at a depth >= 0.

    Nobody knows what a law of the user's own stores: its whole work counts as hysteresis.
    """
    if law.law == OWN_NORMAL:
        return call_scalar(law.address, 0.0, depth, 0.0, law.parameters), 0.0
    if law.law == LINEAR:
        force = law.k * depth
    elif law.power == 1.5:
        force = law.k * depth * math.sqrt(depth)
    else:
        force = law.k * depth ** law.power
    return force, force * depth / (law.power + 1.0)


@kernel
def raw_force(law, depth, rate, speed):
    """Normal force at a depth >= 0 before it is cut: negative where the law would pull.

    `rate` is that of the depth, `speed` that of the approach at first touch; only laws with `own_speed` read it.
    """
    if law.law == OWN_NORMAL:
        return call_scalar(law.address, 0.0, depth, rate, law.parameters)
    force, _ = elastic(law, depth)
    if law.law != POWER:
        return force + damper(law, depth) * rate
    chi = law.damping / max(speed, law.slow) if law.own_speed == 1 else law.damping
    return force * (1.0 + chi * rate)


@kernel
def bilinear(law, depth, deepest):
    """(force before it is cut, the part of it that is stored, energy stored) of a law that loads and unloads differently.

    `deepest` is the depth from which it unloads, 0 while it loads. What comes back is the triangle under the line of unloading.
    """
    if deepest == 0.0:
        force = law.k * depth
        return force, force * law.k / law.unload, 0.5 * force * force / law.unload
    force = law.k * deepest - law.unload * (deepest - depth)
    return force, max(force, 0.0), 0.5 * max(force, 0.0) ** 2 / law.unload


@kernel
def turns(law, touch, deep):
    """Whether a BILINEAR contact that leaves its mode loads no more, or loads again; it does then."""
    if law.law != BILINEAR or touch.mode != PRESSED or not deep:
        return False
    depth = -touch.g
    if touch.deepest == 0.0:
        touch.deepest = depth
        return True
    if touch.deepest - depth < bilinear(law, depth, touch.deepest)[0] / law.k:
        touch.deepest = 0.0
        return True
    return False


@kernel
def damper(law, depth):
    """Force per rate of the depth, where it does not depend on the elastic force: LINEAR, STEPPED."""
    if law.law == STEPPED and depth < law.full_depth:
        x = depth / law.full_depth
        return law.damping * x * x * (3.0 - 2.0 * x)
    return law.damping


@kernel
def normal_force(law, depth, rate, speed):
    """Normal force N >= 0."""
    return max(raw_force(law, depth, rate, speed), 0.0) if depth > 0.0 else 0.0


@kernel
def saturation(x):
    """tanh(x) / x, of which the quotient is round-off near zero; by exp, which takes a fraction of the time of tanh."""
    return (1.0 - 2.0 / (1.0 + math.exp(2.0 * min(x, 20.0)))) / x if x > 1e-4 else 1.0 - x * x / 3.0


@kernel
def turning_drag(law, radius, normal, rate):
    """Moment per angular velocity against rolling or drilling at `rate` >= 0: at most radius times normal force in all."""
    return radius * normal / law.turning * saturation(rate / law.turning)


@kernel
def rub(law, mu, normal, slip, stretch, along):
    """(drag, hold, relax) of the friction under a normal force; mu is the coefficient at this slip speed.

    `slip` = |v|, `stretch` = |z| and `along` = v·z; the last two are zero for laws without a bristle.
    """
    if law.friction == FRICTIONLESS or mu == 0.0:
        return 0.0, 0.0, 0.0
    if law.friction == REGULARISED:
        return mu * normal / law.v_reg * saturation(slip / law.v_reg), 0.0, 0.0
    if law.friction == LUGRE:
        relax = law.sigma0 * slip / mu
    else:
        relax = creep(law, mu / law.sigma0, stretch, along)
    return normal * (law.sigma1 + law.sigma2), normal * (law.sigma0 - law.sigma1 * relax), relax


@kernel
def creep(law, most, stretch, along):
    """STICTION: rate at which a bristle that is stretched further gives way, out of its greatest stretch `most`.

    None up to the part `grip` of it, all that is needed to keep the stretch beyond, and a smooth rise in between.
    """
    x = (stretch / most - law.grip) / (1.0 - law.grip)
    if along <= 0.0 or x <= 0.0:
        return 0.0
    share = 1.0 if x >= 1.0 else x * x * (3.0 - 2.0 * x)
    return share * along / (stretch * most)


@kernel
def feel(law, touch, size):
    """(normal force before it is cut, how far the contact is from leaving its mode) of one that is pressed or parting.

    A contact that is left pressed for good is right all the same: apart it has no force.
    """
    depth = -touch.g
    if law.law == BILINEAR:
        return feel_bilinear(law, touch, size, depth)
    # a damper pushes from the very touch on, which is met to round-off only
    raw = raw_force(law, max(depth, 0.0), -touch.rate, touch.speed) if depth > -RESOLVED * size else 0.0
    room = raw / law.k if depth > 0.0 else depth
    if touch.mode == PARTING:
        room = min(depth, -room)
    return raw, (room / size if touch.flips <= FLICKER else 0.0) + RESOLVED


@kernel
def feel_bilinear(law, touch, size, depth):
    """`feel` of a BILINEAR contact: it loads until its depth falls, and unloads until its force ends or it is as deep again."""
    raw = bilinear(law, max(depth, 0.0), touch.deepest)[0]
    room = min(raw / law.k, touch.deepest - depth) / size
    if touch.mode == PARTING:
        room = min(depth, -raw / law.k) / size
    elif touch.deepest == 0.0:
        room = -touch.rate / max(touch.speed, abs(touch.rate)) if touch.rate != 0.0 else 0.0
    return raw, (room if touch.flips <= FLICKER else 0.0) + RESOLVED


@kernel
def squeeze(law, touch, size, power):
    """Normal force of a contact that is pressed or parting; what it stores, loses and has left of its mode is noted."""
    raw, touch.room = feel(law, touch, size)
    if law.law == BILINEAR:
        _, spring, touch.stored = bilinear(law, max(-touch.g, 0.0), touch.deepest)
    else:
        spring, touch.stored = elastic(law, max(-touch.g, 0.0))
    touch.normal = max(raw, 0.0)
    touch.damp = (touch.normal - (spring if law.law != OWN_NORMAL else 0.0)) * touch.rate
    power[HYSTERESIS] += touch.damp
    touch.low, touch.high = min(touch.low, touch.room), max(touch.high, touch.room)
    return touch.normal


@kernel
def turning_time(law, speed, inverse_mass):
    """Time in which a contact that begins at this speed of approach turns it round, but for a factor near one."""
    chi = law.damping * (1.0 / max(speed, law.slow) if law.own_speed == 1 else 1.0) if law.law == POWER else 0.0
    stiffness = law.k * (1.0 + chi * speed) * inverse_mass
    time = (0.5 * (law.power + 1.0) * speed * speed / stiffness) ** (1.0 / (law.power + 1.0)) / speed
    if (law.law == LINEAR or law.law == STEPPED) and law.damping > 0.0:
        time = min(time, 1.0 / (law.damping * inverse_mass))
    return time


@kernel
def time_to_part(law, touch, size, bend):
    """Time until a contact leaves its mode, from its own rates; zero where they do not tell. `bend`: second rate of the gap."""
    room, rate = 2.0 * RESOLVED * size - touch.g, -touch.rate
    if law.law == LINEAR and touch.mode == PRESSED:
        room, rate = room + law.damping / law.k * rate, rate - law.damping / law.k * bend
    elif touch.mode == PRESSED and law.law != POWER:
        return 0.0  # the force may end before the overlap does, and its rate is not known
    return -room / rate if rate < 0.0 else 0.0
