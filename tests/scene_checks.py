"""What every motion with contacts must keep, whatever the scene: `faults_of(scene)` runs it and lists what it did not keep."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np

import routh as rt
from measured import velocities
from routh import shapes
from routh.compiler.pairs import gaps_of
from routh.errors import SimulationError, StateError
from routh.files.quantities import start_quantity
from routh.model.body import GROUND
from routh.model.contacts import Contact
from routh.model.joints import Free, Joint, Planar, Spherical

PHYSICAL = ("blocked", "loop open", "law makes energy")  # stops whose cause is physical, if it is proved
DEEPEST = 1e-8       # overlap [m]: ten times what the event-driven engine promises
STEPPED = 1e-5       # overlap [m] in stretches of time steps, of bodies of about a metre: what a pile at rest may have
TIGHT = {"rtol": 1e-9, "atol": 1e-11}
GROWTH = 1e-7        # energy, against all that came and went: TIGHT over some hundred steps
ACCOUNT = 1e-6       # the same, with the errors of works that are integrated along
RESIDUAL = 1e-9      # momentum, relative: round-off of a sweep through the tree, amplified by its condition
LOAD = 2e-10         # forces below zero or over their cone, against the largest contact force: twice what an event is met to
SHARED = 1e-6        # the same where contacts may share a load: self-stress is round-off over a ridge of 1e-9, times ten
CUT = 1e-5           # of the largest impulse: what the ends of endless bounces take without an entry
ENDLESS = 1e-6       # of the fastest approach: slower rebounds are cut, also where the contact opens at once (see strike.py)
AT_ONCE = 1e-3       # [s] after the last blow endless bounces are over: LONG of modes.py
ROUND_OFF = 1e-15    # of an impulse times what it does
LIGHT = 1e-3         # [m/s²] what contacts push bodies with at least, or they rest on nothing but round-off
STEPS = 15_000       # of a run of a second or two: forty times more than usual; a driver into a dead point takes 14,000


def faults_of(scene, result=None):
    """(status, list of "what: numbers") of a run of the scene."""
    return examine(scene, result)[:2]


def examine(scene, result=None):
    """(status, faults, share of the run by time steps) of a run of the scene. Every law is checked, whatever the status."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = scene.run(**TIGHT, output=0.02 * scene.t_end, max_steps=STEPS) if result is None else result
        except SimulationError as error:
            result = error.result
        except StateError as error:
            return "refused", [] if "overlaps" in str(error) else [f"refused: {error}"], 0.0
        checks = (no_overlap, stays_above_terrain, energy_never_grows, account_closes, pushes_only, within_cone, blows_balance,
                  blows_obey_laws, free_bodies_take_the_impulses, rests_are_not_left_by_chance)
        found = early_stop(scene, result)
        broken = finite(scene.model, result)
        broken = broken or [fault for check in checks for fault in check(scene.model, result)]
    return result.status, found + broken, 1.0 - result.statistics.get("exact_share", 1.0)


def early_stop(scene, result):
    """A fault where a run stopped without a physical cause, which is proved here by other means than the run's."""
    if result.status == "finished":
        return []
    proved = {"blocked": goes_on_without_drivers, "loop open": goes_on_without_drivers, "law makes energy": law_made_energy}
    if result.status in proved and proved[result.status](scene, result):
        return []
    return [f"{result.status}: at t = {result.t[-1]:.12g} s {result.detail}"]


def goes_on_without_drivers(scene, result):
    """Whether a motion begins from its last configuration if nothing is driven: then drivers are why it stopped."""
    if not scene.model.drivers:
        return False
    free = replace(scene.model, drivers=())
    rest = {name: {k: v for k, v in values.items() if "/s" not in start_quantity(k)}
            for name, values in result.state(-1).items()}
    try:
        state = rt.assemble(free, rt.State(rest))
        later = rt.simulate(free, state, t_end=1e-3, options=rt.Options(on_error="return"))
    except StateError:
        return False
    return later.status == "finished"


def law_made_energy(scene, result):
    """Whether impacts by laws that can make energy have made most of it."""
    made = result.impacts[result.impacts.creates_energy]
    return bool(np.isin(made.law, ("Newton", "Newton algebraic", "Brach")).all()
                and -made.energy_lost.sum() > 0.5 * result.energy["kinetic"][-1])


def scale_of(result):
    """The energies that were added up: also those of single blows, as one may take what the other of the same instant gave."""
    energy = result.energy
    works = sum(np.abs(energy[w]).max() for w in energy.WORKS)
    blow = np.abs(result.impacts.energy_lost).max(initial=0.0)
    return max(np.abs(energy["kinetic"]).max(), np.ptp(energy["potential"]), works, blow, 1e-6)


def crushed(result):
    """Factor of the bounds of energy: where drivers crush bodies, speeds grow beyond all bounds within the last steps.

    Time steps make or lose up to a ten thousandth of the energy of what meets in them.
    """
    return 1e3 if result.status in ("blocked", "loop open") or len(result.stretches) else 1.0


def finite(model, result):
    bad = [name for name in result.channels if not np.isfinite(result[name]).all()]
    return [f"not a number: {', '.join(bad[:4])}"] if bad else []


def stepped(result):
    """Mask of the samples of stretches of time steps."""
    mask = np.zeros(len(result.t), bool)
    for begin, end in zip(result.stretches.begin, result.stretches.end, strict=True):
        mask |= (result.t >= begin) & (result.t <= end)
    return mask


def no_overlap(model, result):
    out, bound = [], np.where(stepped(result), STEPPED, DEEPEST)
    for c in model.contacts:
        gap = result[f"{c.name}.gap"]
        i = int(np.argmin(gap + bound))
        if gap[i] < -bound[i]:
            out.append(f"overlap: {c.name} {gap[i]:.3g} m at t = {result.t[i]:.12g} s")
    return out


def chords(line, parts=32):
    """Ends (n, 2) of the chords of a polyline of the ground, arcs in parts."""
    out = [np.array(line.vertices[:1])]
    for p, q, bulge in zip(np.array(line.vertices), np.array(line.vertices[1:]), line.bulges, strict=False):
        u, along = np.linspace(0.0, 1.0, parts + 1)[1:, None], q - p
        if bulge != 0.0:  # about its centre, on the left of the chord where it turns left
            centre = 0.5 * (p + q) + (1.0 - bulge * bulge) / (4.0 * bulge) * np.array([-along[1], along[0]])
            angle = 4.0 * np.arctan(bulge) * u
            out.append(centre + np.cos(angle) * (p - centre) + np.sin(angle) * (p - centre)[::-1] * (-1.0, 1.0))
        else:
            out.append(q[None])
    return np.concatenate(out)


def middle_of(shape):
    """A point well within a planar shape; None where it has none."""
    if isinstance(shape, shapes.Polygon):
        return np.mean(shape.vertices, axis=0)
    if isinstance(shape, shapes.Capsule):
        return 0.5 * (np.array(shape.start) + np.array(shape.end)) if shape.radius else None
    if isinstance(shape, shapes.Ellipse) or (isinstance(shape, shapes.Disk) and shape.radius):
        return np.array(shape.point or (0.0, 0.0))
    return None


def stays_above_terrain(model, result):
    """The middle of no shape passes from the free side of a polyline of the ground to the solid one: gaps alone cannot tell, as
    there is no underside where a line has ends.
    """
    out = []
    for c in model.contacts:
        pair = (c.a, c.b) if isinstance(c, Contact) else ()
        lines = [s for s in pair if isinstance(s, shapes.Polyline) and s.body == "ground"]
        others = [s for s in pair if s not in lines]
        middle = middle_of(others[0]) if lines and others else None
        if middle is None:
            continue
        x, y, turn = (result[f"{others[0].body}.{name}"] for name in ("x", "y", "theta"))
        path = np.stack([x + np.cos(turn) * middle[0] - np.sin(turn) * middle[1],
                         y + np.sin(turn) * middle[0] + np.cos(turn) * middle[1]], axis=1)
        line = chords(lines[0])
        p, q, move, along = path[:-1, None], path[1:, None], np.diff(path, axis=0)[:, None], np.diff(line, axis=0)[None]
        left = [along[..., 0] * (z - line[:-1])[..., 1] - along[..., 1] * (z - line[:-1])[..., 0] for z in (p, q)]
        sides = [move[..., 0] * (z - p)[..., 1] - move[..., 1] * (z - p)[..., 0] for z in (line[:-1][None], line[1:][None])]
        through = (left[0] > 0.0) & (left[1] < 0.0) & (sides[0] * sides[1] < 0.0)
        if through.any():
            out.append(f"terrain: {c.name} is passed through at t = {result.t[int(np.argmax(through.any(axis=1)))]:.12g} s")
    return out


def created(result):
    """Energy that laws made, up to each sample; Newton's and Brach's can."""
    blows = result.impacts
    made = np.where(blows.creates_energy, -blows.energy_lost, 0.0)
    first = np.append(True, np.diff(result.t) > 0.0)  # of two samples at one time, this is the one before the blow
    return np.array([made[blows.t < t if before else blows.t <= t].sum() for t, before in zip(result.t, first, strict=True)])


def energy_never_grows(model, result):
    energy = result.energy
    kept = energy["total"] - energy["applied"] - energy["drive"] - created(result)
    growth = kept - np.minimum.accumulate(kept)
    i = int(np.argmax(growth))
    out = []
    if growth[i] > GROWTH * crushed(result) * scale_of(result):
        out.append(f"energy: grows by {growth[i]:.3g} of {scale_of(result):.3g} J at t = {result.t[i]:.12g} s")
    blows = result.impacts
    # rows of one joint end of several contacts are no law of their own: only their sum is
    alone = np.isin(blows.law, ("Poisson", "Stronge")) & (blows.method != "simultaneous") & (blows.kind != "settled")
    blurred = ROUND_OFF * blows.A[:, 0, 0] * blows.p_n ** 2  # next to a dead point impulses are huge
    wrong = blows.creates_energy & alone & (-blows.energy_lost > 1e-9 * scale_of(result) + blurred)
    if wrong.any():
        row = blows[int(np.argmax(wrong))]
        out.append(f"energy made: {row.law} {row.method} makes {-row.energy_lost:.3g} J at t = {row.t:.12g} s")
    return out


def account_closes(model, result):
    error = np.abs(result.energy["error"])
    i = int(np.argmax(error))
    if error[i] <= ACCOUNT * crushed(result) * scale_of(result):
        return []
    return [f"account: {error[i]:.3g} of {scale_of(result):.3g} J missing at t = {result.t[i]:.12g} s"]


def freedoms_between(model, a, b):
    """How many speeds the joints from body a to body b have together; bodies without joints are free."""
    links = [(j.a, j.b, len(j.rates())) for j in model.joints if isinstance(j, Joint) and not isinstance(j, Free)]
    jointed = {name for link in links for name in link[:2]}
    links += [(GROUND, body.name, 3 * (model.dimension - 1)) for body in model.bodies if body.name not in jointed]
    found = {a: 0}
    while b not in found:
        near = [(q, found[p] + n) for p, q, n in [*links, *((q, p, n) for p, q, n in links)] if p in found and q not in found]
        if not near:
            return math.inf  # two parts that float
        found.update(near)
    return found[b]


def tied(model, contact):
    """Whether a contact has more rows than its bodies have speeds there: normal force and friction share a load.

    On a spherical or planar joint, too: three freedoms, but a point has two speeds.
    """
    if not isinstance(contact, Contact) or not contact.law.static > 0.0:
        return False
    bodies = {contact.a.body, contact.b.body}
    flat = any({j.a, j.b} == bodies for j in model.joints if isinstance(j, Spherical | Planar))
    return flat or freedoms_between(model, contact.a.body, contact.b.body) < model.dimension


def slack_of(model, result):
    """What a contact force is known to at each sample: a part of the largest one of the run, or of what moves the bodies, which
    it is left of; more where forces are shared, by several contacts or by the rows of one.
    """
    axes = "xyz" if model.space == "spatial" else "xy"
    largest = max((np.abs(result[f"{c.name}.force"]).max() for c in model.contacts), default=0.0)
    largest = max(largest, *(b.mass * np.sqrt(sum(result[f"{b.name}.a{k}"] ** 2 for k in axes)).max() for b in model.bodies))
    largest = max(largest, LIGHT * sum(b.mass for b in model.bodies))
    closed = sum((result[f"{c.name}.mode"] > 0.0) * (2 if tied(model, c) else 1) for c in model.contacts)
    loops = any(joint.name.startswith("loop") for joint in model.joints)
    return largest * np.where((closed > 1) | loops, SHARED, LOAD)


def pushes_only(model, result):
    out, slack = [], slack_of(model, result)
    for c in model.contacts:
        force = result[f"{c.name}.force"]
        i = int(np.argmin(force + slack))
        if force[i] < -slack[i]:
            out.append(f"pull: {c.name} {force[i]:.3g} N at t = {result.t[i]:.12g} s")
    return out


def within_cone(model, result):
    out, slack = [], slack_of(model, result)
    for c in model.contacts:
        if not isinstance(c, Contact):
            continue
        force, rub = result[f"{c.name}.force"], np.abs(result[f"{c.name}.friction"])
        over = rub - c.law.static * force - slack
        i = int(np.argmax(over))
        if over[i] > 0.0:
            out.append(f"cone: {c.name} {rub[i]:.6g} N, {over[i]:.3g} N over, at t = {result.t[i]:.12g} s")
    return out


def blows_balance(model, result):
    worst = result.impacts.momentum_residual.max(initial=0.0)
    return [f"residual: {worst:.3g}"] if not worst <= RESIDUAL else []


def blows_obey_laws(model, result):
    """Impulses push and stay within the cone; a single blow is what its law says it is."""
    out, size = [], np.abs(result.impacts.impulse).max(initial=0.0)
    for row in result.impacts:
        if row.kind in ("impulse", "settled"):
            continue
        if row.p_n < -1e-9 * size or abs(row.p_t) > row.mu_s * row.p_n + 1e-9 * size:
            out.append(f"blow: {row.law} {row.method} p = {row.impulse}, mu_s = {row.mu_s:.4g} at t = {row.t:.12g} s")
        if row.method == "single" and row.v_after[0] < -1e-9 * abs(row.v_before[0]):
            out.append(f"blow: {row.law} goes on approaching with {row.v_after[0]:.3g} m/s at t = {row.t:.12g} s")
        by_speed = row.law in ("Newton", "Newton algebraic", "Brach") and not locks(row)
        if row.method == "single" and row.kind == "impact" and by_speed:
            if abs(row.v_after[0] + row.e * row.v_before[0]) > 1e-9 * abs(row.v_before[0]):
                out.append(f"blow: {row.law} rebounds by {-row.v_after[0] / row.v_before[0]:.12g}, e = {row.e:.12g} "
                           f"at t = {row.t:.12g} s")
    return out[:2]


def locks(row):
    """Whether a body with few freedoms has stopped because friction locks it: an impulse within the cone moves nothing."""
    values, vectors = np.linalg.eigh(row.A)
    idle = vectors[:, values < 1e-9 * values[-1]]
    steepest = idle @ idle[0]  # of the impulses that move nothing, the one nearest to the normal
    return not np.any(row.v_after) and 0.0 < np.linalg.norm(steepest[1:]) <= (1.0 + 1e-9) * row.mu_s * steepest[0]


def free_bodies_take_the_impulses(model, result):
    """Plane, no joints: a body's momentum jumps by the impulses that the ledger names, in world axes."""
    if model.space != "planar" or model.joints or not len(result.impacts):
        return []
    blows, index, out = result.impacts, {b.name: i for i, b in enumerate(model.bodies)}, []
    rests = np.array([event.t for event in result.events if event.kind == "rest"])
    fastest = np.abs(blows.v_before[:, 0]).max()
    for t in np.unique(blows.t[blows.t > 0.0]):
        at = np.flatnonzero(result.t == t)
        gain = velocities(result, model, at[-1]) - velocities(result, model, at[0])
        for i, b in enumerate(model.bodies):
            gain[i] *= (b.mass, b.mass, b.inertia)
        size = np.abs(gain).max()
        for row in blows[blows.t == t]:
            declared = model[row.contact]
            if isinstance(declared, rt.Stop):
                continue
            if row.kind == "impulse":
                ends, force = [(1.0, declared.body)], row.impulse
            else:
                first, second = (getattr(end, "body", end) for end in (declared.a, declared.b))
                nx, ny = row.normal
                force = row.impulse @ np.array([[nx, ny], [ny, -nx]])
                ends = [(-1.0, first), (1.0, second)]
            for sign, name in ends:
                if name in index:  # the point of a rope is that of its second body, and the first one is the ground here
                    arm = row.point - np.array([result[f"{name}.x"][at[0]], result[f"{name}.y"][at[0]]])
                    gain[index[name]] -= sign * np.array([*force, arm[0] * force[1] - arm[1] * force[0]])
        rebounds = blows.v_after[blows.t == t, 0]
        over = np.any((rests >= t) & (rests <= t + AT_ONCE)) or np.any((rebounds > 0.0) & (rebounds <= ENDLESS * fastest))
        cut = CUT if over else 1e-9
        if np.abs(gain).max() > 1e-7 * size + cut * np.abs(blows.impulse).max():
            out.append(f"momentum: {np.abs(gain).max():.3g} of {size:.3g} N s unexplained at t = {t:.12g} s")
    return out[:1]


def rests_are_not_left_by_chance(model, result):
    """A closed contact neither approaches nor parts."""
    out, bound = [], np.where(stepped(result), 1e-2, 1e-5)  # a step ends at another place than its contact points
    for c in model.contacts:
        if isinstance(c, Contact) and len(gaps_of(model.space, c.a, c.b)) > 1:
            continue  # channels of several points in one
        closed = (result[f"{c.name}.mode"] > 0.0) & (result[f"{c.name}.gap"] < DEEPEST) & (result[f"{c.name}.force"] > 1e-6)
        rate = np.where(closed, np.abs(result[f"{c.name}.rate"]), 0.0)
        i = int(np.argmax(rate - bound))
        if rate[i] > bound[i]:
            out.append(f"creep: {c.name} closed, with a rate of {rate[i]:.3g} m/s at t = {result.t[i]:.12g} s")
    return out


__all__ = ["PHYSICAL", "examine", "faults_of"]
