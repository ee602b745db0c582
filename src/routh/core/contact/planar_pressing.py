"""Forces of compliant contacts in the plane: the twin of `spatial_pressing.py`.

Both bodies are pushed at one point, in the middle of the overlap, so that no couple is left over; the slip is that of the two
bodies there.
"""

from routh.core.contact.compliant import rub, squeeze, turning_drag
from routh.core.contact.planar_contacts import look
from routh.core.jit import kernel
from routh.core.tables.layout import FRICTION
from routh.core.tree.laws import friction_at
from routh.core.tree.planar_loads import push_at


@kernel
def press(system, work, t, q, u):
    """Apply the forces of the pressed contacts; return the energy that they store."""
    stored = 0.0
    for j in range(work.pressed[work.pressed.size - 1]):
        c = work.pressed[j]
        k, touch = system.contact[c], work.touch[c]
        look(system, work, c, q, u)
        a, b, law = work.frame[k.a], work.frame[k.b], system.compliant[k.soft]
        half = 0.5 * touch.g
        px, py = touch.pbx - half * touch.nx, touch.pby - half * touch.ny
        touch.slip += half * (a.w + b.w)
        normal = squeeze(law, touch, k.size, work.power)
        stored += touch.stored

        slip, z = touch.slip, work.bristle[0, k.bristle] if k.n_bristle > 0 else 0.0
        drag, hold, relax = rub(law, friction_at(system, c, t, abs(slip)), normal, abs(slip), abs(z), slip * z)
        force = -(drag * slip + hold * z)
        if k.n_bristle > 0 and touch.g < 0.0:
            work.bristle[1, k.bristle] = slip - relax * z
        touch.tangential, touch.power = abs(force), force * slip
        if law.rolling > 0.0:
            moment = -turning_drag(law, law.rolling, normal, abs(b.w - a.w)) * (b.w - a.w)
            touch.power += moment * (b.w - a.w)
            b.lm += moment
            a.lm -= moment
        work.power[FRICTION] += touch.power

        fx, fy = normal * touch.nx + force * touch.ny, normal * touch.ny - force * touch.nx
        push_at(b, px - b.x, py - b.y, fx, fy)
        push_at(a, px - a.x, py - a.y, -fx, -fy)
    return stored
