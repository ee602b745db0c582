"""Closed contacts: the forces that keep their gaps closed, hold those that stick and brake those that slide.

The held rows are the normals of all closed contacts, every tangent of those that stick, and the direction of slip of those
that slide. A slide that has just begun, and gently, creeps: its slip is too slow to tell the direction of friction, which
would follow it ever faster the slower it is; so friction points where it holds the slip straight, and the other tangent is a
row, too.

The inverse mass A = J M⁻¹ Jᵀ of the rows, with the loops eliminated, is small and dense. A sliding row is no constraint but
Coulomb's law, λ_t = -mu λ_n, so the matrix is not symmetric. Rows may be redundant (a box on four corners): as in `closure.py`
a small ridge makes the factors exist, corrections remove its effect, and what comes out is the solution nearest to the
multipliers they start from, and to the ratios of friction that these have. Round-off of the corrections gathers, over the
ridge, in multipliers that move nothing: it is taken off at the end.
"""

import math

from routh.core.contact.contacts import seat, slip_speed, veer
from routh.core.jit import kernel
from routh.core.linalg import lu_factor, lu_solve
from routh.core.tables.layout import DRY, OPEN, SLIP, SOFT, STICK
from routh.core.tree.closure import RESIDUAL, correct
from routh.core.tree.kinematics import respond_row, row_acceleration, row_velocity, sweep_out
from routh.core.tree.laws import friction_at

CONSTRAINT = -1.0     # in `ratio`: the row is a constraint, not friction,
PAIRED = -2.0         # and the first of two tangents, which have one ridge: forces must not depend on how the two are turned,
LAST = -3.0           # or the last tangent of what sticks
STIFFEST = 1e4        # ridge of friction where a contact carries little, against where it carries most
STRAIGHT = 1e-13      # angle to which the friction of a slide that creeps is found
DEAD = 1e-13          # of what a row answers without loops: round-off
STRESS = 1e-7         # of the sizes of its terms: a load that is less is none to follow, the rest is self-stress
SHARP = 1e-7          # a ridge below this lets round-off gather that shows
PASSES = 6            # projections onto what moves nothing; each leaves ridge over eigenvalue of the rest
SERIES = 4            # terms of a series in ridge over eigenvalue of the loops; what moves a little has 1e-4 or more
BEHIND = 1e-3         # an open contact that overlaps by more, against that size, did not close: gaps jump past an end of a line


@kernel
def list_closed(system, work):
    """Write the lists of closed contacts and of compliant ones that are pressed."""
    closed, pressed = work.closed, work.pressed
    n = m = 0
    for c in range(system.contact.size):
        mode = work.touch[c].mode
        if mode > SLIP:
            pressed[m] = c
            m += 1
        elif mode != OPEN:
            closed[n] = c
            n += 1
    closed[closed.size - 1], pressed[pressed.size - 1] = n, m


@kernel
def seat_closed(system, work, t, q, u):
    """Rows of every closed contact, and the list of those that carry forces; the bodies are placed."""
    closed, held, ratio = work.closed, work.held, work.ratio
    n = 0
    for j in range(closed[closed.size - 1]):
        c = closed[j]
        seat(system, work, c, q, u)
        k, touch = system.contact[c], work.touch[c]
        held[n], ratio[n] = k.hold, CONSTRAINT
        n += 1
        if touch.mode == STICK:
            for i in range(1, k.n_row):
                held[n], ratio[n] = k.hold + i, (PAIRED if i + 1 < k.n_row else LAST)
                n += 1
        elif k.n_row > 1:
            touch.mu = friction_at(system, c, t, slip_speed(system, touch))
            held[n], ratio[n] = k.hold + 1, touch.mu
            n += 1
            if touch.creep == 1:
                held[n], ratio[n] = k.hold + 2, CONSTRAINT
                n += 1
    held[held.size - 1] = n


@kernel
def foot_of(ratio, j):
    """The normal row of the tangent j of what sticks, -1 where it is none."""
    if ratio[j] == PAIRED:
        return j - 1
    if ratio[j] == LAST:
        return j - 2 if ratio[j - 1] == PAIRED else j - 1
    return -1


@kernel
def lean(work):
    """Fill `slant` and `stiff` from the multipliers that were chosen; return whether there are any.

    What shares a load by choice goes on sharing it so while the load changes: friction keeps its ratio to the normal force, and
    what changes beside goes to the contacts that carry much. Else each change would drive the weakest out of its cone.
    """
    held, ratio, slant, stiff, most = work.held, work.ratio, work.slant, work.stiff, 0.0
    n, chosen = held[held.size - 1], False
    for j in range(n):
        chosen = chosen or work.hold[held[j]].start != 0.0
        slant[j], stiff[j] = 0.0, 1.0
        most = max(most, work.hold[held[max(foot_of(ratio, j), 0)]].start)
    for j in range(n if chosen else 0):
        foot = foot_of(ratio, j)
        normal = work.hold[held[max(foot, 0)]].start
        if foot >= 0 and normal > 0.0 and work.inverse_mass[foot, foot] > 0.0:
            slant[j], stiff[j] = work.hold[held[j]].start / normal, min((most / normal) ** 2, STIFFEST)
    return chosen


@kernel
def tilt(work, x):
    """Overwrite a residual x, row by row, with that of what the unknowns stand for: the normal ones with their friction."""
    for j in range(work.held[work.held.size - 1]):
        if work.slant[j] != 0.0:
            x[foot_of(work.ratio, j)] += work.slant[j] * x[j]


@kernel
def untilt(work, x):
    """Overwrite unknowns x with multipliers: friction comes along with its normal."""
    for j in range(work.held[work.held.size - 1]):
        if work.slant[j] != 0.0:
            x[j] += work.slant[j] * x[foot_of(work.ratio, j)]


@kernel
def loosen(system, work):
    """Let go of the tangents of what sticks; only the gaps are held."""
    j = 0
    for i in range(work.closed[work.closed.size - 1]):
        k, touch = system.contact[work.closed[i]], work.touch[work.closed[i]]
        count = k.n_row if touch.mode == STICK or k.n_row == 1 else 2 + touch.creep
        for m in range(1, count):
            work.ratio[j + m] = 0.0
        j += count


@kernel
def half_solve(row, chol, x, transposed):
    """Overwrite x with C⁻¹ x or C⁻ᵀ x for the factor C of the loop rows, on its skyline."""
    for m in range(row.size):
        i = row.size - 1 - m if transposed else m
        if transposed:
            x[i] /= chol[i, i]
            for k in range(row[i].first, i):
                x[k] -= chol[i, k] * x[i]
        else:
            for k in range(row[i].first, i):
                x[i] -= chol[i, k] * x[k]
            x[i] /= chol[i, i]


@kernel
def invert_mass(system, work):
    """Inverse mass of the held rows, loops eliminated: `inverse_mass`.

    What the loops take from it is cᵀ L⁻¹ c, where the factor is that of L + ridge. Its series in the ridge, the sum of
    ridge^k cᵀ (L + ridge)^-(k+1) c, is summed half a solve at a time.
    """
    held, reply, row, answer, A, veil = work.held, work.reply, system.row, work.answer, work.inverse_mass, work.veil
    n, weight, alone = held[held.size - 1], 1.0, work.spare
    for i in range(n):
        own = reply[held[i]]
        r = system.hold[held[i]]
        respond_row(system, work, r, work.hold[held[i]], own)
        for m in range(row.size):
            veil[i, m] = 0.0
            for k in range(row[m].dof_from, row[m].dof_to):
                veil[i, m] += answer[m, system.path[k]] * own[system.path[k]]
        for j in range(i + 1):
            other = reply[held[j]]
            A[i, j] = 0.0
            for k in range(r.dof_from, r.dof_to):
                A[i, j] += own[system.path[k]] * other[system.path[k]]
        alone[i] = A[i, i]
    for term in range(SERIES if row.size > 0 else 0):
        for i in range(n):
            half_solve(row, work.chol, veil[i], term % 2 == 1)
            for j in range(i + 1):
                for m in range(row.size):
                    A[i, j] -= weight * veil[i, m] * veil[j, m]
        weight *= work.ridge[0]
    for i in range(n):
        if A[i, i] <= DEAD * alone[i]:  # loops and drivers leave it no freedom
            for j in range(n):
                A[max(i, j), min(i, j)] = 0.0
    for i in range(n):
        for j in range(i):
            A[j, i] = A[i, j]


@kernel
def ridge_of(work, i):
    """What is added to the diagonal of row i, a constraint."""
    A, ratio = work.inverse_mass, work.ratio
    twin = i + 1 if ratio[i] == PAIRED else (i - 1 if i > 0 and ratio[i - 1] == PAIRED else i)
    return 0.5 * work.stiff[i] * work.ridge[0] * (A[i, i] + A[twin, twin])


@kernel
def factor_held(system, work, friction):
    """Factor the equations of the held rows; `friction` 0 leaves the sliding ones without force."""
    held, A, lu, ratio, slant = work.held, work.inverse_mass, work.lu, work.ratio, work.slant
    invert_mass(system, work)
    n = held[held.size - 1]
    for i in range(n):
        for j in range(n):
            lu[i, j] = A[i, j] if ratio[i] < 0.0 else 0.0
    for j in range(n if lean(work) else 0):
        if slant[j] != 0.0:
            foot = foot_of(ratio, j)
            for i in range(n):
                lu[i, foot] += slant[j] * lu[i, j]
            for i in range(n):
                lu[foot, i] += slant[j] * lu[j, i]
    for i in range(n):
        if ratio[i] >= 0.0:
            lu[i, i], lu[i, i - 1] = 1.0, friction * ratio[i]
        elif A[i, i] > 0.0:
            lu[i, i] += ridge_of(work, i)
        else:
            lu[i, i] = 1.0
    lu_factor(lu, n, work.pivot)


@kernel
def push(system, work, i, x):
    """Add x to the multiplier of row i of a contact, and its effect to the forces left on the speeds."""
    work.hold[i].lam += x
    r, reply = system.hold[i], work.reply[i]
    for k in range(r.dof_from, r.dof_to):
        t = work.dof[system.path[k]]
        t.eps += x * reply[system.path[k]] / t.root


@kernel
def sweep(system, work, u, acceleration, velocity, position):
    """Outward, with the loops closed."""
    if system.row.size > 0:
        correct(system, work, u, acceleration, velocity, position)
    else:
        sweep_out(system, work, acceleration)


@kernel
def start_held(system, work, u):
    """Put on the multipliers that were chosen where several would do; return how much of them.

    Those of a lone contact as much as the present load asks for: so they vanish with it, instead of pulling or leaving their
    cone before it does. Several may be at the limits of their cones, and keep what was chosen.
    """
    held, ratio, A = work.held, work.ratio, work.inverse_mass
    n, chosen = held[held.size - 1], False
    for j in range(n):
        chosen = chosen or work.hold[held[j]].start != 0.0
    if not chosen:
        return 0.0
    asked = given = size = 0.0
    lone = work.closed[work.closed.size - 1] == 1
    if lone:
        sweep(system, work, u, 1.0, 0.0, 0.0)
    for j in range(n if lone else 0):
        o = work.hold[held[j]]
        if ratio[j] < 0.0:
            asked -= o.start * (row_acceleration(system, work, system.hold[held[j]], o) + o.extra)
            size += o.start * o.start * A[j, j]
            for k in range(n):
                given += o.start * A[j, k] * work.hold[held[k]].start
    size *= STRESS
    share = 1.0 + (asked - given) * given / (given * given + size * size) if size > 0.0 else 1.0
    for j in range(n):
        push(system, work, held[j], share * work.hold[held[j]].start)
    return share


@kernel
def relieve(system, work, share):
    """Take off what multipliers have, beside the part `share` of their start, that moves nothing; return whether it was any."""
    held, ratio, A, x = work.held, work.ratio, work.inverse_mass, work.spare
    n, largest, found = held[held.size - 1], 0.0, False
    for j in range(n):
        x[j] = work.hold[held[j]].lam - share * work.hold[held[j]].start
        largest = max(largest, abs(x[j]))
    for j in range(n):
        if work.slant[j] != 0.0:
            x[j] -= work.slant[j] * x[foot_of(ratio, j)]
    for _ in range(PASSES):
        for j in range(n):
            x[j] *= ridge_of(work, j) if ratio[j] < 0.0 and A[j, j] > 0.0 else 0.0
        lu_solve(work.lu, n, work.pivot, x)
    untilt(work, x)
    for j in range(n):
        found = found or abs(x[j]) > RESIDUAL * largest
    if found:
        for j in range(n):
            push(system, work, held[j], -x[j])
    return found


@kernel
def press_joints(system, work):
    """Put the given normal forces of joints with dry friction on their rows, and the friction of those that slide."""
    for i in range(work.closed[work.closed.size - 1] if system.dry.size > 0 else 0):
        k, touch = system.contact[work.closed[i]], work.touch[work.closed[i]]
        if k.kind == DRY:
            work.hold[k.hold].lam = touch.load
            if touch.mode == SLIP:
                push(system, work, k.hold + 1, -touch.mu * touch.load)


@kernel
def take_off(system, work):
    """Take all contact forces off the speeds again."""
    for j in range(work.held[work.held.size - 1]):
        push(system, work, work.held[j], -work.hold[work.held[j]].lam)


@kernel
def hold(system, work, u, acceleration, velocity, position):
    """Sweep outward with multipliers that keep closed contacts closed; the twin of `closure.correct`, on top of it.

    The weights are those of `correct`.
    """
    held, ratio, A, x = work.held, work.ratio, work.inverse_mass, work.spare
    n, share = held[held.size - 1], 0.0
    for j in range(n):
        work.hold[held[j]].lam = 0.0
    if acceleration > 0.0:
        press_joints(system, work)
        share = start_held(system, work, u)
    sweep(system, work, u, acceleration, velocity, position)
    first = last = math.inf
    most = int(work.ridge[1])
    for trial in range(most + 1):
        worst = 0.0
        for j in range(n):
            r, o = system.hold[held[j]], work.hold[held[j]]
            if ratio[j] >= 0.0:
                x[j] = -o.lam - acceleration * ratio[j] * work.hold[held[j - 1]].lam
                continue
            lack = (row_acceleration(system, work, r, o) + acceleration * o.extra
                    + velocity * row_velocity(system, work, u, r, o) + position * o.phi)
            x[j] = -lack
            if A[j, j] > 0.0:
                worst = max(worst, abs(lack) / math.sqrt(A[j, j]))
        if trial == 0:
            first = worst
        if trial == most or worst <= RESIDUAL * first or worst > 0.9 * last or worst == 0.0:
            break
        last = worst
        tilt(work, x)
        lu_solve(work.lu, n, work.pivot, x)
        untilt(work, x)
        for j in range(n):
            push(system, work, held[j], x[j])
        sweep(system, work, u, acceleration, velocity, position)
    if acceleration > 0.0 and work.ridge[0] < SHARP and relieve(system, work, share):
        sweep(system, work, u, acceleration, velocity, position)


@kernel
def steer(system, work):
    """Turn the friction of creeping contacts to where the row across it carries no force; return whether one was turned.

    Where one was, all contact forces are taken off again.
    """
    steered = False
    for j in range(work.closed[work.closed.size - 1]):
        k, touch = system.contact[work.closed[j]], work.touch[work.closed[j]]
        rub = touch.mu * work.hold[k.hold].lam
        if touch.mode == SLIP and touch.creep == 1 and abs(work.hold[k.hold + 2].lam) > STRAIGHT * rub > 0.0:
            veer(system, touch, -work.hold[k.hold + 2].lam / rub)
            steered = True
    if steered:
        take_off(system, work)
    return steered


@kernel
def beneath(k, gap):
    """Whether an open contact, a rigid one, is behind a terrain with ends, which has no underside."""
    return k.sheet == 1 and k.law != SOFT and gap < -BEHIND * k.size
