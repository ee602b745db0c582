"""Slides that jam together: the tangential impact of several contacts at once, in contact space.

Where several contacts slide, Coulomb's law may leave no accelerations though none of them jams by itself: each drives another
in. What is left of v⁺ = v + dt b + A p, with friction on the slip after, as dt goes to zero ([moreau1988]) is then no small
impulse but one that stops some of the slips. The slowest slips stop first, and faster ones only where that does not do. Nothing
approaches before and nothing rebounds; energy is only lost.
"""

import math

from routh.core.contact.cone_forces import ACCEPT, accelerate, polish, review, rows
from routh.core.contact.impact_many import RESOLVED, TABLE_FULL, UNRESOLVED, log_all, plastic
from routh.core.jit import kernel
from routh.core.tables.impact_codes import TANGENTIAL
from routh.core.tables.layout import STICK
from routh.core.tables.runs import MORE, SHIFTED, SIZE

BRIEF = 0.1         # of what counts as slow: what the shortest dt changes speeds by,
SEEN = 1e4          # or of what counts as none in a solve of the fastest
LONGER = 1e3        # times that: the next one, where the forces of a slide are not infinite yet, but as good as
TRIALS = 3
HEAVY = 1e3         # times the fastest: speeds that the normal impulse of a contact alone would make, next to a dead point
SAME = 1.0 + 1e-9   # slips that differ by less stop together


@kernel
def next_slip(block, v, beyond):
    """The slowest slip above this speed, or none: infinity."""
    least = math.inf
    for i in range(block.size):
        _, x, y = rows(v, block[i])
        if beyond < math.hypot(x, y) < least:
            least = math.hypot(x, y)
    return least


@kernel
def stopped_one(block, v, v_after, slow):
    """Whether a slip has stopped or turned round."""
    for i in range(block.size):
        _, x, y = rows(v, block[i])
        _, x_after, y_after = rows(v_after, block[i])
        if math.hypot(x, y) > slow and (block[i].mode == STICK or x * x_after + y * y_after < 0.0):
            return True
    return False


@kernel
def light(A, block, p, fast):
    """Whether no impulse is huge against the speeds: next to a dead point, what it does is round-off."""
    for i in range(block.size):
        if A[block[i].first, block[i].first] * p[block[i].first] > HEAVY * fast:
            return False
    return True


@kernel
def without_dt(solver, A, v, block, p_out, v_out):
    """The same impulse for dt = 0; where the modes leave none that pushes, it stays, and so do speeds of the size of dt."""
    n, p = p_out.size, solver.spare[MORE]
    for i in range(n):
        p[i] = p_out[i]
    polish(solver, A, v, block, p_out, v_out)
    if review(A, v, block, p_out, v_out, solver.spare[SIZE], 0.0) > 0:
        for i in range(n):
            p_out[i] = p[i]
        accelerate(A, v, n, p_out, v_out, solver.spare[SIZE])


@kernel
def jam_together(solver, A, v, pull, block, slow, p_out, v_out, blow_out):
    """Impulses that end a slide for which there are no accelerations; arguments and returns as of `impact_many.sequential`.

    `pull`: accelerations without contact forces, `slow`: a speed below this is none.
    """
    n, b, most, fast = p_out.size, solver.spare[SHIFTED], 0.0, slow
    for i in range(n):
        most, fast = max(most, abs(pull[i])), max(fast, abs(v[i]))
    for i in range(block.size):
        block[i].base = 0.0
    dt = max(BRIEF * slow, SEEN * ACCEPT * fast) / most if most > 0.0 else 0.0
    for _ in range(TRIALS):
        lasting = slow
        while lasting < math.inf:
            lasting = next_slip(block, v, lasting)
            for i in range(n):
                b[i] = v[i] + dt * pull[i]
            solved, _ = plastic(solver, A, b, block, 0.0, SAME * lasting, p_out, v_out)
            if solved and stopped_one(block, v, v_out, slow) and light(A, block, p_out, fast):
                without_dt(solver, A, v, block, p_out, v_out)
                room, count = log_all(block, v, v_out, p_out, blow_out)
                for k in range(count):
                    blow_out[k].kind = TANGENTIAL
                return (RESOLVED if room else TABLE_FULL), count, -1
        dt *= LONGER
    return UNRESOLVED, 0, -1
