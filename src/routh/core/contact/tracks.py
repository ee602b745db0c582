"""Contacts of a track in the plane: wheels on its rails, sprocket teeth on its pins, shoes on the ground ([shin]).

The links of a chain stand in a row, so two that are k places apart are at most k strides apart: a wheel that is far from one
link skips those that cannot be near it, and the cost of a wheel hardly grows with the chain. Nothing is left out.

The work of every normal force is counted in full. What of it is stored at an instant (`stored`) is told apart when a run is
read: a wheel that leaves the end of a rail while it presses on it loses what was stored.
"""

import math

from routh.core.contact.compliant import elastic, normal_force, rub
from routh.core.jit import kernel
from routh.core.tables.layout import DISSIPATED, FRICTION, HYSTERESIS, SHOES, SPROCKET, WHEEL
from routh.core.tree.planar_loads import offset, push_at

MOST = 1e6            # links to skip at most: what has flown off to infinity is still counted by whole numbers


@kernel
def push_tracks(system, work):
    """Add the forces of every contact of every track to the loads."""
    spread(system, work)
    for i in range(work.grip.size):
        work.grip[i] = 0.0
    work.stored[0] = 0.0
    for k in range(system.track.size):
        kind = system.track[k].kind
        if kind == WHEEL:
            roll(system, work, system.track[k])
        elif kind == SPROCKET:
            mesh(system, work, system.track[k])
        elif kind == SHOES:
            tread(system, work, system.track[k])
        else:
            drag(system, work, system.track[k])
    for i in range(system.link.size):
        l, f = work.link[i], work.frame[system.link[i]]
        push_at(f, l.x - f.x, l.y - f.y, l.fx, l.fy)
        f.lm += l.m


@kernel
def spread(system, work):
    """Where the links are and how they move, at their mass centres; no force on them yet."""
    for i in range(system.link.size):
        f, l = work.frame[system.link[i]], work.link[i]
        dx, dy = offset(f, system.node[system.link[i]].com)
        l.x, l.y, l.c, l.s = f.x + dx, f.y + dy, f.c, f.s
        l.vx, l.vy, l.w = f.vx - f.w * dy, f.vy + f.w * dx, f.w
        l.fx = l.fy = l.m = 0.0


@kernel
def press(work, law, depth, rate):
    """Normal force, with its work and the energy it stores."""
    force = normal_force(law, depth, rate, 0.0)
    work.power[HYSTERESIS] -= force * rate
    work.stored[0] += elastic(law, depth)[1]
    return force


@kernel
def skip(t, dx, dy):
    """How many links on the next one is that may be near, from this one's distance; 0 where it may itself be near."""
    far = max(abs(dx), abs(dy)) - t.reach
    return 1 + int(min(far * t.density, MOST)) if far > 0.0 else 0


@kernel
def push_link(l, dx, dy, fx, fy):
    """Apply a force at an offset from the mass centre of a link."""
    l.fx += fx
    l.fy += fy
    l.m += dx * fy - dy * fx


@kernel
def roll(system, work, t):
    """A wheel on the rails: it presses along a link's y axis while its centre is above the link's rail."""
    wheel = work.frame[t.body]
    hx, hy = offset(wheel, system.node[t.body].com)
    x, y, vx, vy = wheel.x + hx, wheel.y + hy, wheel.vx - wheel.w * hy, wheel.vy + wheel.w * hx
    i = t.first
    while i < t.last:
        l = work.link[i]
        dx, dy = x - l.x, y - l.y
        far = skip(t, dx, dy)
        if far > 0:
            i += far
            continue
        along, above = l.c * dx + l.s * dy, l.c * dy - l.s * dx
        depth = t.radius + t.rail[0] - above
        if depth >= 0.0 and above > 0.0 and t.rail[1] <= along <= t.rail[2]:
            rate = l.w * along + l.s * (vx - l.vx) - l.c * (vy - l.vy)
            force = press(work, t.law, depth, rate)
            fx, fy = -force * l.s, force * l.c
            push_at(wheel, hx, hy, fx, fy)
            l.fx, l.fy, l.m = l.fx - fx, l.fy - fy, l.m - force * along
            work.grip[t.grip + i - t.first] = force
        i += 1


@kernel
def mesh(system, work, t):
    """A sprocket on the pins: the base circle carries them, the flanks of the nearest gap push them."""
    wheel = work.frame[t.body]
    hx, hy = offset(wheel, system.node[t.body].com)
    x, y, vx, vy = wheel.x + hx, wheel.y + hy, wheel.vx - wheel.w * hy, wheel.vy + wheel.w * hx
    i = t.first
    while i < t.last:
        l = work.link[i]
        px, py = offset(l, t.pin)
        dx, dy = l.x + px - x, l.y + py - y
        far = skip(t, dx, dy)
        if far > 0:
            i += far
            continue
        r = math.sqrt(dx * dx + dy * dy)
        rx, ry = l.vx - l.w * py - vx, l.vy + l.w * px - vy
        grip = t.grip + 3 * (i - t.first)
        if r <= t.radius:
            nx, ny = dx / r, dy / r
            force = press(work, t.law, t.radius - r, -nx * rx - ny * ry)
            push_link(l, px, py, force * nx, force * ny)
            push_at(wheel, hx, hy, -force * nx, -force * ny)
            work.grip[grip] = force

        # the gap's own axes: e outward along its centre line
        first = wheel.th + t.phase
        gap = first + t.tooth * math.floor((math.atan2(dy, dx) - first) / t.tooth + 0.5)
        ex, ey = math.cos(gap), math.sin(gap)
        out, side = dx * ex + dy * ey - t.radius, ex * dy - ey * dx
        rx, ry = rx + wheel.w * dy, ry - wheel.w * dx  # seen from the sprocket
        for j in range(2):
            way = 1.0 - 2.0 * j  # +1: the left flank, counter-clockwise of the gap
            depth = way * t.lean[0] * side - t.lean[1] * out - t.flank[0]
            along = t.lean[0] * out + way * t.lean[1] * side
            if 0.0 <= depth < t.pin[2] and t.flank[1] <= along <= t.flank[2]:
                nx, ny = t.lean[1] * ex + way * t.lean[0] * ey, t.lean[1] * ey - way * t.lean[0] * ex
                force = press(work, t.flank_law, depth, -nx * rx - ny * ry)
                push_link(l, px, py, force * nx, force * ny)
                push_at(wheel, hx + dx, hy + dy, -force * nx, -force * ny)
                work.grip[grip + 1 + j] = force
        i += 1


@kernel
def tread(system, work, t):
    """Shoes on the ground: normal force at every point that is below it, friction against its sliding."""
    for i in range(t.first, t.last):
        l = work.link[i]
        if l.y - t.reach > t.top:
            continue
        for p in range(t.shoe_from, t.shoe_to):
            dx, dy = offset(l, system.shoe[p])
            y = l.y + dy
            if y > t.top:
                continue
            depth, nx, ny = below(system.ground, t.ground_from, t.ground_to, l.x + dx, y)
            if depth < 0.0:
                continue
            vx, vy = l.vx - l.w * dy, l.vy + l.w * dx
            force = press(work, t.law, depth, -nx * vx - ny * vy)
            speed = ny * vx - nx * vy
            slip = speed - t.belt
            rubbing = -slip * rub(t.law, t.law.mu, force, abs(slip), 0.0, 0.0)[0]
            work.power[FRICTION] += rubbing * speed
            push_link(l, dx, dy, force * nx + rubbing * ny, force * ny - rubbing * nx)
            grip = t.grip + 2 * (i - t.first)
            work.grip[grip] += force
            work.grip[grip + 1] += rubbing


@kernel
def drag(system, work, t):
    """Links in a viscous medium: every part of their mass is held back by `damping` times its velocity."""
    rate = t.law.damping
    for i in range(t.first, t.last):
        l, n = work.link[i], system.node[system.link[i]]
        l.fx, l.fy, l.m = l.fx - rate * n.mass * l.vx, l.fy - rate * n.mass * l.vy, l.m - rate * n.inertia * l.w
        work.power[DISSIPATED] -= rate * (n.mass * (l.vx * l.vx + l.vy * l.vy) + n.inertia * l.w * l.w)


@kernel
def below(ground, first, last, x, y):
    """Depth of a point below the ground, and the unit normal at the nearest place of it; -1 above the ground."""
    i, j = first, last
    while j - i > 1:  # the stretch under x
        k = (i + j) // 2
        if ground[k].x <= x:
            i = k
        else:
            j = k
    g = ground[i]
    if g.ex * (y - g.y) > g.ey * (x - g.x):
        return -1.0, 0.0, 1.0
    depth, nx, ny = nearest(g, x, y, math.inf, 0.0, 1.0)
    # a stretch on either side may be nearer; those that are farther off along x cannot
    j = i - 1
    while j >= first and x - ground[j + 1].x < depth:
        depth, nx, ny = nearest(ground[j], x, y, depth, nx, ny)
        j -= 1
    j = i + 1
    while j < last and ground[j].x - x < depth:
        depth, nx, ny = nearest(ground[j], x, y, depth, nx, ny)
        j += 1
    return depth, nx, ny


@kernel
def nearest(g, x, y, depth, nx, ny):
    """The smaller of `depth` and the distance to the stretch g, with its normal."""
    dx, dy = x - g.x, y - g.y
    along = g.ex * dx + g.ey * dy
    if 0.0 <= along <= g.length:
        away = abs(g.ex * dy - g.ey * dx)
        return (away, -g.ey, g.ex) if away < depth else (depth, nx, ny)
    if along > 0.0:
        dx, dy = dx - g.length * g.ex, dy - g.length * g.ey
    away = math.sqrt(dx * dx + dy * dy)
    return (away, -dx / away, -dy / away) if away < depth else (depth, nx, ny)
