"""Which of many runs surely keep every law that the auditor (`audit.py`) watches: at least as strict as it, for all at once.

A run that does not pass here is run again by `simulate`, whose auditor decides and says why. The bounds are the auditor's, half
as wide, without what widens them further (absolute tolerances, the number of steps).
"""

from __future__ import annotations

import numpy as np

from routh.core.tables import batch as codes
from routh.core.tables.layout import FINISHED, SOFT
from routh.core.tables.log import HIT, SINGLE, TANGENTIAL_HIT
from routh.sim import audit
from routh.sim.batch_run import Runs
from routh.sim.run import LARGEST

__all__ = ["clean"]

SURE = 0.5  # of the auditor's bounds


def clean(runs: Runs) -> np.ndarray:
    """(n,) whether each run has finished and keeps every law with certainty."""
    good = (runs.about[:, codes.CODE] == FINISHED) & (runs.about[:, codes.N_SAMPLE] > 0)
    if not good.any():
        return good
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        bad = _states(runs) | _gaps(runs) | _forces(runs)
        scale, missing = _energy(runs)
        bad |= _displacement(runs, scale)
        good[good] &= ~(bad | missing)
        good &= ~_impacts(runs) & ~_looks(runs)
    return good


def _over(runs: Runs, values: np.ndarray, reduce: np.ufunc) -> np.ndarray:
    """One number for each run that has samples."""
    starts = runs.samples[:-1][runs.about[:, codes.N_SAMPLE] > 0]
    return np.asarray(reduce.reduceat(values, starts, axis=0))


def _owner(runs: Runs) -> np.ndarray:
    """Number of the run of each sample."""
    return np.repeat(np.arange(len(runs.about)), runs.about[:, codes.N_SAMPLE])


def _states(runs: Runs) -> np.ndarray:
    return np.asarray(~(_over(runs, np.abs(runs.y), np.maximum) <= LARGEST).all(axis=1))


def _gaps(runs: Runs) -> np.ndarray:
    contact = runs.compiled.system.contact
    least = _over(runs, runs.seen.contact[:, :, 1], np.minimum) / contact["size"]
    return np.asarray(~((least >= -SURE * audit.PENETRATION) | (contact["law"] == SOFT)).all(axis=1))


def _forces(runs: Runs) -> np.ndarray:
    contact = runs.compiled.system.contact
    rigid = contact["law"] != SOFT
    normal, friction = runs.seen.contact[:, rigid, 2], np.abs(runs.seen.contact[:, rigid, 3])
    mu = np.where(contact["friction"][rigid] == 0, runs.fields["contact.mu_s"][:, rigid], np.inf)[_owner(runs)]
    over = np.maximum(-normal, np.where(np.isfinite(mu), friction - mu * normal, 0.0))
    size = _over(runs, np.abs(normal), np.maximum).max(axis=1, initial=0.0)
    return np.asarray(~(_over(runs, over, np.maximum).max(axis=1, initial=0.0) <= SURE * audit.FORCE * size))


def _energy(runs: Runs) -> tuple[np.ndarray, np.ndarray]:
    """(largest energy of each run, whether its account is not surely closed)."""
    seen, works = runs.seen, runs.seen.works
    starts = runs.samples[:-1][runs.about[:, codes.N_SAMPLE] > 0]
    lengths = np.diff(np.append(starts, len(runs.t)))
    stored = seen.energy[:, 2] - np.repeat(seen.energy[starts, 2], lengths)
    kinetic, potential = seen.energy[:, 0], seen.energy[:, 1] + seen.energy[:, 2]
    whole = kinetic + potential - works @ np.ones(works.shape[1]) - stored
    missing = np.abs(whole - np.repeat(whole[starts], lengths))
    height = _over(runs, potential, np.maximum) - _over(runs, potential, np.minimum)
    scale = np.maximum(_over(runs, kinetic, np.maximum), height)
    scale = np.maximum(scale, _over(runs, np.abs(works), np.maximum).sum(axis=1))
    bound = SURE * audit.DRIFT * audit.FEW_STEPS * (runs.options.rtol * scale + runs.options.atol)
    return scale, np.asarray(~(_over(runs, missing, np.maximum) <= bound))


def _displacement(runs: Runs, scale: np.ndarray) -> np.ndarray:
    system, compiled = runs.compiled.system, runs.compiled
    n = len(scale)
    if system.driver.size or system.force.size or len(runs.t) < 2:
        return np.zeros(n, bool)
    place = runs.seen.body[:, 1:, : 2 if compiled.planar else 3]
    way = np.sqrt(sum((place[1:, :, k] - place[:-1, :, k]) ** 2 for k in range(place.shape[2])))
    span = np.diff(runs.t)
    owner = _owner(runs)
    place_of = np.cumsum(runs.about[:, codes.N_SAMPLE] > 0) - 1  # among the runs that have samples
    gravity = float(np.linalg.norm(system.world["gravity"][0]))
    mass = np.maximum(runs.fields["node.mass"][:, 1:], 1e-300)[owner[:-1]]
    fastest = np.sqrt(2.0 * scale[place_of[owner[:-1]]][:, None] / mass)
    slack = SURE * audit.HOP * system.contact["size"].max(initial=0.0)
    over = way - SURE * audit.DASH * span[:, None] * (fastest + gravity * span[:, None]) - slack
    over = np.where((owner[1:] == owner[:-1])[:, None], over, -1.0)  # not from one run to the next
    worst = _over(runs, np.vstack([over, np.full((1, over.shape[1]), -1.0)]), np.maximum)
    return np.asarray(~(worst <= 0.0).all(axis=1))


def _impacts(runs: Runs) -> np.ndarray:
    impact, contact = runs.impact, runs.compiled.system.contact
    owner = np.repeat(np.arange(len(runs.about)), runs.about[:, codes.N_HIT])
    sure = SURE * audit.MOMENTUM
    bad = ~(impact["residual"] <= sure)
    hit = np.isin(impact["kind"], (HIT, TANGENTIAL_HIT))
    of = np.where(hit, impact["contact"], 0)
    p, v, after = impact["p"], impact["v"], impact["v_after"]
    size = _largest(p)
    mu = np.where(contact["friction"][of] == 0, runs.fields["contact.mu_s"][owner, of], np.inf)
    friction = np.hypot(p[:, 1], p[:, 2])
    over = np.maximum(np.where((contact["n_row"][of] > 1) & np.isfinite(mu), friction - mu * p[:, 0], 0.0), -p[:, 0])
    bad |= hit & ~(over <= sure * size)
    single = hit & (impact["method"] == SINGLE)
    change = np.einsum("nij,nj->ni", impact["A"], p)
    known = np.arange(3) < contact["n_row"][of][:, None]
    lack = _largest(np.where(known, after - v - change, 0.0))
    bad |= single & ~(lack <= sure * (_largest(v) + _largest(change)))
    terms = np.abs(p * (np.abs(v) + np.abs(after))) @ np.ones(3)
    bad |= single & ~(impact["work"] <= sure * terms)
    return np.asarray(np.bincount(owner[bad], minlength=len(runs.about)) > 0)


def _largest(v: np.ndarray) -> np.ndarray:
    """Largest size of the three parts of each row."""
    return np.maximum(np.maximum(np.abs(v[:, 0]), np.abs(v[:, 1])), np.abs(v[:, 2]))


def _looks(runs: Runs) -> np.ndarray:
    """What the looks between two samples show: gaps, and the energy account."""
    bad = np.zeros(len(runs.about), bool)
    if not len(runs.look):
        return bad
    owner = runs.look[:, codes.RUN].astype(int) - runs.first
    first = runs.samples[owner]
    works = runs.seen.works[first].sum(axis=1)
    begin = runs.seen.energy[first].sum(axis=1) - works
    kinetic, potential = runs.look[:, codes.KINETIC], runs.look[:, codes.POTENTIAL]
    height = np.abs(potential - runs.seen.energy[first, 1:].sum(axis=1))
    size = np.maximum(np.maximum(kinetic, height), runs.look[:, codes.TURNOVER])
    missing = np.abs(kinetic + potential - runs.look[:, codes.WORKS] - begin)
    soft = (runs.compiled.system.contact["law"] == SOFT).any()
    open_account = ~(missing <= SURE * audit.DRIFT * audit.FEW_STEPS * (runs.options.rtol * size + runs.options.atol))
    wrong = ~(runs.look[:, codes.LEAST_GAP] >= -SURE * audit.PENETRATION) | (open_account & (not soft))
    bad[owner[wrong]] = True
    return bad
