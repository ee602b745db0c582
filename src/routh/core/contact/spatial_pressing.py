"""Forces of compliant contacts in space: the twin of `planar_pressing.py`.

A bristle is a vector in world axes. It lies in the tangent plane, tilts with it as the normal turns, and spins in it with the
mean of the two bodies.
"""

import math

from routh.core.contact.compliant import rub, squeeze, turning_drag
from routh.core.contact.spatial_contacts import look
from routh.core.gaps.spatial_migration import migrate
from routh.core.jit import kernel
from routh.core.tables.layout import FRICTION
from routh.core.tree.laws import friction_at
from routh.core.tree.rotation import cross, dot
from routh.core.tree.spatial_loads import push_at


@kernel
def shift_slip(touch, a, b):
    """Take the slip from the two witness points to the point between them, `pb` - g/2 n; return that point."""
    half, n = 0.5 * touch.g, touch.n
    s0, s1, s2 = cross(a.w[0] + b.w[0], a.w[1] + b.w[1], a.w[2] + b.w[2], n[0], n[1], n[2])
    touch.slip[0] -= half * s0
    touch.slip[1] -= half * s1
    touch.slip[2] -= half * s2
    return touch.pb[0] - half * n[0], touch.pb[1] - half * n[1], touch.pb[2] - half * n[2]


@kernel
def stretch(touch, a, b, z, relax, rate_out):
    """Rate of the bristle z: slip less what relaxes, and the turning of the tangent plane."""
    n = touch.n
    migrate(touch, a.w, b.w, touch.slip, touch.run_a, touch.run_b, touch.turn)
    spin = 0.5 * (dot(n, a.w) + dot(n, b.w))
    c = cross(n[0], n[1], n[2], z[0], z[1], z[2])
    tilt = dot(touch.turn, z)
    for i in range(3):
        rate_out[i] = touch.slip[i] - relax * z[i] + spin * c[i] - tilt * n[i]


@kernel
def resist_turning(law, touch, normal, a, b):
    """Moments against rolling, in the tangent plane, and against drilling, about the normal."""
    n, w = touch.n, (b.w[0] - a.w[0], b.w[1] - a.w[1], b.w[2] - a.w[2])
    spin = dot(n, w)
    roll = (w[0] - spin * n[0], w[1] - spin * n[1], w[2] - spin * n[2])
    rolling = turning_drag(law, law.rolling, normal, math.sqrt(dot(roll, roll)))
    drilling = turning_drag(law, law.drilling, normal, abs(spin))
    touch.power -= rolling * dot(roll, roll) + drilling * spin * spin
    for i in range(3):
        moment = rolling * roll[i] + drilling * spin * n[i]
        b.lm[i] -= moment
        a.lm[i] += moment


@kernel
def press(system, work, t, q, u):
    """Apply the forces of the pressed contacts; return the energy that they store."""
    stored = 0.0
    for j in range(work.pressed[work.pressed.size - 1]):
        c = work.pressed[j]
        k, touch = system.contact[c], work.touch[c]
        look(system, work, c, q, u)
        a, b, law = work.frame[k.a], work.frame[k.b], system.compliant[k.soft]
        p = shift_slip(touch, a, b)
        normal = squeeze(law, touch, k.size, work.power)
        stored += touch.stored

        n, v, z = touch.n, touch.slip, (0.0, 0.0, 0.0)
        if k.n_bristle > 0:
            z = (work.bristle[0, k.bristle], work.bristle[0, k.bristle + 1], work.bristle[0, k.bristle + 2])
            off = dot(n, z)
            z = (z[0] - off * n[0], z[1] - off * n[1], z[2] - off * n[2])
        slip = math.sqrt(dot(v, v))
        drag, hold, relax = rub(law, friction_at(system, c, t, slip), normal, slip, math.sqrt(dot(z, z)), dot(v, z))
        f = (-drag * v[0] - hold * z[0], -drag * v[1] - hold * z[1], -drag * v[2] - hold * z[2])
        if k.n_bristle > 0 and touch.g < 0.0:
            stretch(touch, a, b, z, relax, work.bristle[1, k.bristle:])
        touch.tangential, touch.power = math.sqrt(dot(f, f)), dot(f, v)
        if law.turning > 0.0:
            resist_turning(law, touch, normal, a, b)
        work.power[FRICTION] += touch.power

        f = (f[0] + normal * n[0], f[1] + normal * n[1], f[2] + normal * n[2])
        push_at(b, (p[0] - b.x[0], p[1] - b.x[1], p[2] - b.x[2]), f)
        push_at(a, (p[0] - a.x[0], p[1] - a.x[1], p[2] - a.x[2]), (-f[0], -f[1], -f[2]))
    return stored


@kernel
def no_tracks(system, work):
    """Tracks live in the plane."""
