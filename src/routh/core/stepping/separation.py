"""Errors of position at contacts are taken back by displacements that carry no momentum.

Penetration is pushed out. The small gap of a contact that lasts is closed. Velocities cannot do that: in a pile that friction
holds, a normal velocity that closes a gap is possible only if other contacts slip, and impulses that are as large as those of
gravity would follow from gaps of a billionth of the radius. Displacements know no friction.
"""

import math

from routh.core.jit import kernel

BACK = 6              # sweeps that take penetration back; what they leave, the next steps do
SEPARATED = 4.0       # times the deepest penetration: a gap that taking it back does not close
CLOSED = 1e-5         # gap of a lasting contact, against the size of the smaller shape, that is an error of position, not open


@kernel
def held(o):
    """Whether a point has been pressed in this step and in the last one, with a gap that is an error of position."""
    return o.stuck >= 0 and o.hits == 0 and o.p[0] > 0.0 and o.gap <= CLOSED * o.size


@kernel
def separate(step):
    """Displacements that take back errors of position, into `shift`: no velocity comes from them. Return whether there are any.

    The least displacement in kinetic energy with gap + Y shift ≥ 0 at every point, and = 0 at those that are `held`, by sweeps
    over the normals. Where no error exceeds its slack nothing is done.
    """
    control = step.control[0]
    found, least, deepest = False, math.inf, 0.0
    for k in range(control.n_point):
        o = step.point[k]
        o.pushed = 0.0
        if o.soft == 0.0:
            found = found or o.gap < -o.slack or (held(o) and o.gap > o.slack)
            least, deepest = min(least, o.slack), max(deepest, -o.gap)
            if -o.gap > control.depth * o.size:
                control.depth, control.deep_i, control.deep_j = -o.gap / o.size, o.i, o.j
    if not found:
        return False
    row, dof, shift = step.row, step.dof, step.shift
    for k in range(shift.size):
        shift[k] = 0.0
    for sweep in range(min(control.most_sweeps, BACK)):
        worst = 0.0
        for i in range(control.n_point):
            o = step.point[i if sweep % 2 == 0 else control.n_point - 1 - i]
            closes = held(o)
            if o.soft > 0.0 or (o.gap > SEPARATED * deepest and not closes) or o.A[0, 0] <= 0.0:
                continue
            left = o.gap
            for k in range(o.n_dof):
                left += shift[dof[o.dof + k]] * row[o.row + k]
            if left >= 0.0 and o.pushed == 0.0 and not closes:
                continue
            new = o.pushed - left / o.A[0, 0]
            if not closes:
                new = max(new, 0.0)
            change = new - o.pushed
            o.pushed = new
            for k in range(o.n_dof):
                shift[dof[o.dof + k]] += change * row[o.row + k]
            worst = max(worst, abs(change) * o.A[0, 0])
        if worst <= 0.1 * least:
            break
    return True
