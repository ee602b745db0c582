"""Proof that drivers are blocked: a moment later no configuration nearby keeps loops closed and bodies apart.

Driven coordinates are put where their profiles want them a moment later. Then all other coordinates are moved so that the worst
violation, a penetration or an open loop, is as small as possible: a linear program for the displacement, repeated with gaps and
loops as they are there. If more than round-off is left, no forces can let the motion go on. The multipliers of the last program
name the contacts, loops and drivers that exclude each other ([farkas1902]).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from routh.compiler.machine import Machine
from routh.core.tables.layout import SOFT

__all__ = ["Blocked", "blocked_by"]

AHEAD = 1e-3       # of the time in which drivers move by a length of the scene: the moment by which they are put ahead
LEFT = 1e-9        # violation, against the size of the smaller shape, that is more than round-off
TRUST = 0.1        # displacement of one program, against lengths of the scene or in radians, in which gaps are nearly linear
PASSES = 40        # programs; each squares the error where the displacement is not limited
SHARE = 1e-6       # of the largest multiplier: smaller ones are round-off


@dataclass(frozen=True)
class Blocked:
    """Who excludes whom."""

    drivers: tuple[str, ...]
    contacts: tuple[str, ...]
    joints: tuple[str, ...]
    ahead: float               # moment by which the drivers were put ahead [s]
    violation: float           # least penetration or opening that is left then [m or rad]

    def __str__(self) -> str:
        def quoted(kind: str, names: tuple[str, ...]) -> str:
            return f"{kind}{'s' if len(names) > 1 else ''} " + ", ".join(f'"{name}"' for name in names)

        against = [quoted(kind, names) for kind, names in (("contact", self.contacts), ("joint", self.joints)) if names]
        return (f"{quoted('driver', self.drivers)} cannot go on against {' and '.join(against)}: {self.ahead:.2g} s later "
                f"bodies would overlap or loops open by {self.violation:.2g} m (or rad) at least")


def blocked_by(machine: Machine, t: float, q: np.ndarray, natural: float) -> Blocked | None:
    """What blocks the drivers of a model at time t and coordinates q; None where nothing does. `machine` is scratch."""
    if not machine.system.driver.size:
        return None
    from scipy.optimize import linprog

    contact, free = machine.system.contact, ~machine.driven()
    still = np.zeros(machine.compiled.n_u)
    length = float(np.min(contact["size"], initial=np.inf)) if contact.size else 1.0
    q, rates = q.copy(), still.copy()
    machine.set_time(t, q, rates)
    fastest = float(np.abs(rates).max())
    # a radian or a length of the scene by the fastest driver: bodies next to a dead point are faster than any driver
    ahead = AHEAD * (min(length, 1.0) / fastest if fastest > 0.0 else natural)
    machine.set_time(t + ahead, q, still.copy())
    trust, answer = TRUST, None
    worst, rows = _violation(machine, q, length)
    for _ in range(PASSES):
        if worst <= LEFT:
            return None
        near, gap, J, phi, G = rows
        K = np.vstack([-J[near][:, free], G[:, free], -G[:, free]])
        scale = np.concatenate([contact["size"][near], np.full(2 * len(phi), length)])
        upper = np.concatenate([gap[near], -phi, phi])
        n = int(free.sum())
        answer = linprog(np.append(np.zeros(n), 1.0), A_ub=np.column_stack([K, -scale]), b_ub=upper,
                         bounds=[(-trust, trust)] * n + [(0.0, None)], method="highs")
        if answer.status != 0:
            return None
        step = still.copy()
        step[free] = answer.x[:-1]
        moved = machine.displaced(q, step)
        better, there = _violation(machine, moved, length)
        if better < worst:
            done = worst - better <= 1e-6 * worst
            q, worst, rows = moved, better, there
            if done:
                break
        else:
            trust *= 0.25
            if trust < 1e-12:
                break
    # a violation counts if the program itself cannot remove it, not only its displacements
    proved = worst > LEFT and answer is not None and answer.x[-1] > LEFT
    return _named(machine, rows, answer, ahead, worst * length) if proved else None


def _violation(machine: Machine, q: np.ndarray, length: float) -> tuple[float, Any]:
    """(Worst penetration or opening against lengths, what it was taken from)."""
    contact = machine.system.contact
    gap, J = machine.contact_rows(q)
    phi, G = machine.violations(q, np.zeros(machine.compiled.n_u))[0], machine.partials(q)[1]
    near = np.flatnonzero((contact["law"] != SOFT) & (machine.work.touch["off"] == 0) & (gap <= contact["size"]))
    worst = max(float((-gap[near] / contact["size"][near]).max(initial=0.0)), float(np.abs(phi).max(initial=0.0)) / length)
    return worst, (near, gap, J[contact["hold"]], phi, G)


def _named(machine: Machine, rows: Any, answer: Any, ahead: float, violation: float) -> Blocked:
    """Names of what has multipliers in the last program."""
    near, _, J, phi, G = rows
    weight = -answer.ineqlin.marginals
    if len(weight) != len(near) + 2 * len(phi):  # others are near where the last displacement led
        weight = np.ones(len(near) + 2 * len(phi))
    n, compiled = len(near), machine.compiled
    pressing, holding = weight[:n], weight[n:n + len(phi)] - weight[n + len(phi):]
    owners = machine.system.contact["owner"][near[pressing > SHARE * weight.max(initial=0.0)]]
    joints = [compiled.row_owner[r] for r in np.flatnonzero(np.abs(holding) > SHARE * weight.max(initial=0.0))]
    needed = np.abs(-pressing @ J[near] + holding @ G)[machine.system.driver["iu"]] if n or len(phi) else np.zeros(0)
    drivers = [compiled.model.drivers[int(i)].name for i in np.flatnonzero(needed > SHARE * needed.max(initial=0.0))]
    return Blocked(tuple(dict.fromkeys(drivers)), tuple(dict.fromkeys(compiled.contacts[i].name for i in owners)),
                   tuple(dict.fromkeys(joints)), ahead, violation)
