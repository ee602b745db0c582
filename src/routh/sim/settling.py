"""Starts that touch: gaps of contacts are closed by the least displacement that their loops allow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from routh.compiler.machine import Machine
from routh.core.tables.layout import SOFT
from routh.errors import StateError, did_you_mean
from routh.model.state import State

__all__ = ["NEARLY", "SettledState", "changes", "settle"]

NEARLY = 1e-3    # a gap below this, against the size of the smaller shape, may be one of rounded digits
MET = 1e-10      # a gap below this, against that size, is closed: a tenth of the overlap that a run refuses
CLOSED = 1e-12   # loop residual that counts as closed [m or rad]
TRIALS = 30      # Newton steps; a few give all digits
DEPENDENT = 1e-10  # of the largest singular value: rows of contacts that say the same


class SettledState(State):
    """A State whose contacts were closed, with what that took."""

    closed: Mapping[str, float]
    """Gap that each contact had before it was closed, the largest of its points [m, or rad at a stop of an angle]."""
    moved: Mapping[str, float]
    """Change of each coordinate that had to move, by path: `{"ball.y": 3.5e-8}`."""

    def __init__(self, state: State, closed: Mapping[str, float], moved: Mapping[str, float]) -> None:
        super().__init__(state)
        self.closed, self.moved = dict(closed), dict(moved)


def settle(machine: Machine, q: np.ndarray, contacts: bool | str | Iterable[str]) -> tuple[np.ndarray, dict[str, float]]:
    """(Coordinates with the contacts closed, gap of each contact before). The displacement is the least in the mass metric.

    `contacts`: names, or True for all rigid contacts that nearly touch.
    """
    which = _points(machine, q, contacts)
    gap, _ = machine.contact_rows(q)
    owner, declared = machine.system.contact["owner"], machine.compiled.contacts
    before: dict[str, float] = {}
    for c in which:
        name = declared[owner[c]].name
        before[name] = max(before.get(name, 0.0), float(gap[c]), key=abs)
    rows, free = machine.system.contact["hold"][which], ~machine.driven()
    still = np.zeros(machine.compiled.n_u)
    for _ in range(TRIALS):
        gap, J = machine.contact_rows(q)
        left = np.concatenate([machine.violations(q, still)[0], gap[which]])
        if not left.size or not left.any():
            break
        K = np.vstack([machine.partials(q)[1], J[rows]])[:, free]
        answer = np.linalg.solve(machine.mass_matrix(q)[np.ix_(free, free)], K.T)
        step = still.copy()
        step[free] = -answer @ np.linalg.lstsq(K @ answer, left, rcond=DEPENDENT)[0]
        moved = machine.displaced(q, step)
        after = np.concatenate([machine.violations(moved, still)[0], machine.contact_rows(moved)[0][which]])
        if np.abs(after).max() >= np.abs(left).max():
            break  # round-off, or gaps that cannot be closed together
        q = moved
    _refuse_open(machine, q, which)
    return q, before


def _points(machine: Machine, q: np.ndarray, contacts: bool | str | Iterable[str]) -> np.ndarray:
    """The points of the contacts that are to be closed: those whose gaps are small against their sizes."""
    contact, declared = machine.system.contact, machine.compiled.contacts
    gap, _ = machine.contact_rows(q)
    near = (np.abs(gap) <= NEARLY * contact["size"]) & (machine.work.touch["off"] == 0)
    if isinstance(contacts, bool):
        return np.flatnonzero(near & (contact["law"] != SOFT)) if contacts else np.zeros(0, int)
    wanted = [contacts] if isinstance(contacts, str) else list(contacts)
    known = [c.name for c in declared]
    for name in wanted:
        if name not in known:
            raise StateError(f'assemble: no contact "{name}"' + did_you_mean(name, known))
        own = contact["owner"] == known.index(name)
        if not (near & own).any():
            least = min(gap[own], key=abs)
            raise StateError(f"assemble: {declared[known.index(name)].where} does not nearly touch: its gap is {least:.6g} m "
                             f"(or rad); move the bodies to less than {NEARLY:g} of the smaller shape")
    return np.flatnonzero(near & np.isin(contact["owner"], [known.index(name) for name in wanted]))


def _refuse_open(machine: Machine, q: np.ndarray, which: np.ndarray) -> None:
    """StateError where a gap or a loop is left open."""
    contact = machine.system.contact
    if not which.size:
        return
    left = np.abs(machine.contact_rows(q)[0][which]) / contact["size"][which]
    worst = which[int(np.argmax(left))]
    loops = machine.violations(q, np.zeros(machine.compiled.n_u))[0]
    if left.max() > MET or (loops.size and np.abs(loops).max() > 1e3 * CLOSED):
        where = machine.compiled.contacts[contact["owner"][worst]].where
        raise StateError(f"assemble: {where} cannot be closed together with the other contacts and the loops: a gap of "
                         f"{machine.contact_rows(q)[0][worst]:.6g} m (or rad) is left; name fewer contacts")


def changes(before: State, after: State) -> dict[str, float]:
    """By how much each value of two States differs, where it does; of an orientation its largest entry."""
    found: dict[str, float] = {}
    for name, values in after.items():
        for key, value in values.items():
            difference: Any = np.subtract(value, before[name][key])
            change = float(max(np.ravel(difference), key=abs))
            if change != 0.0:
                found[f"{name}.{key}"] = change
    return found
