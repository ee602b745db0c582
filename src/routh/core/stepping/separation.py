"""Penetration is taken back by displacements that carry no momentum."""

import math

from routh.core.jit import kernel

BACK = 6              # sweeps that take penetration back; what they leave, the next steps do
SEPARATED = 4.0       # times the deepest penetration: a gap that taking it back does not close


@kernel
def separate(step):
    """Displacements that take back penetration, into `shift`: no velocity comes from them. Return whether there are any.

    The least displacement in kinetic energy with gap + Y shift ≥ 0 at every point, by sweeps over the normals. Where no point
    is deeper than its slack nothing is done.
    """
    control = step.control[0]
    found, least, deepest = False, math.inf, 0.0
    for k in range(control.n_point):
        o = step.point[k]
        o.pushed = 0.0
        if o.soft == 0.0:
            found = found or o.gap < -o.slack
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
            if o.soft > 0.0 or o.gap > SEPARATED * deepest or o.A[0, 0] <= 0.0:
                continue
            left = o.gap
            for k in range(o.n_dof):
                left += shift[dof[o.dof + k]] * row[o.row + k]
            if left >= 0.0 and o.pushed == 0.0:
                continue
            new = max(o.pushed - left / o.A[0, 0], 0.0)
            change = new - o.pushed
            o.pushed = new
            for k in range(o.n_dof):
                shift[dof[o.dof + k]] += change * row[o.row + k]
            worst = max(worst, abs(change) * o.A[0, 0])
        if worst <= 0.1 * least:
            break
    return True
