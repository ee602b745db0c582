"""Gaps of disks and lines in the plane: signed distance, witness points, normal, curvatures, in closed form.

Ten pairs of parts are enough, because the compiler takes shapes apart (`compiler/planar_pairs.py`):

| part | own axes | `size` | `vertex` |
|---|---|---|---|
| line | y is the normal, out of the solid | - | - |
| disk | x is the middle of the cone of a corner | radius (0: sharp), 1 + cosine of half the cone (0: no cone), hole | - |
| chain, arcs | - | rounding | see `planar_chain_gap.py`; arcs: a chain of which some pieces are |
| arc, bowl | x leads to its middle | radius, cosine of half its angle, hole | a hill; a hollow arc |
| ellipse | semi-axes, in a bowl the longer one first | semi-axes; in a bowl the side, ±1 | - |

Chains and arcs are in `planar_chain_gap.py`, ellipses in `planar_ellipse_gap.py`.
"""

import math

from routh.core.gaps.planar_touch import axes, inverse, place, sharpness, write_touch
from routh.core.jit import kernel
from routh.core.tables.layout import SMOOTH
from routh.core.tables.pairs import LINE_DISK


@kernel
def gap(system, work, c):
    """Fill where contact c touches: a line or a disk (a) and a disk (b)."""
    o = system.contact[c]
    a, b = work.frame[o.a], work.frame[o.b]
    ax, ay = place(a, o.point_a[0], o.point_a[1])
    bx, by = place(b, o.point_b[0], o.point_b[1])
    dx, dy = bx - ax, by - ay
    ra, rb = o.size_a[0], o.size_b[0]
    if o.kind == LINE_DISK:
        ca, sa = axes(a, o.turn_a)
        nx, ny = -sa, ca
        g, ka, sharp_a = nx * dx + ny * dy - rb, 0.0, SMOOTH
    else:
        d = math.sqrt(dx * dx + dy * dy)
        nx, ny = (dx / d, dy / d) if d > 0.0 else (1.0, 0.0)  # concentric disks part along x
        g, ka, sharp_a = d - ra - rb, inverse(ra), sharpness(ra)
    write_touch(work.touch[c], bx - rb * nx, by - rb * ny, nx, ny, g, ka, inverse(rb), sharp_a, sharpness(rb))
