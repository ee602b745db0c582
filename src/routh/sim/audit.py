"""An audit of event-driven runs: laws of mechanics that must hold whatever the run says of itself.

| law | compared with |
|---|---|
| every state is finite | - |
| energy account: kinetic and potential energy less all works is constant | error per step, times the steps, of all energies |
| rigid bodies do not penetrate | the size of the smaller shape |
| impulses of impacts balance the change of momentum | the impulses |

The audit looks at every sample that was kept, so that its verdict does not depend on the clock.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.core.tables.layout import SOFT
from routh.core.tables.log import N_IMPACT
from routh.sim.stretches import scheme_of

__all__ = ["BROKEN", "broken_law"]

BROKEN = "law broken"  # how the status of a run begins that did not keep a law
LOOSE = 100.0          # times the error per step and the number of steps (a hundred at least): error control bounds estimates
PENETRATION = 1e-6     # against the size of the smaller shape: a thousand times what touching is met to
STEPPED = 1e-3         # the same with stretches of time steps, which leave penetrations up to 1e-4
MOMENTUM = 1e-6        # residual of the momentum equations of an impact, relative: round-off is 1e-12


def broken_law(run: Any) -> str | None:
    """The status of a run that broke a law: which one, when and by how much; None where all were kept."""
    outcome = run.audited()
    if not np.isfinite(outcome.samples.y).all():
        first = int(np.argmin(np.isfinite(outcome.samples.y).all(axis=1)))
        return f"{BROKEN}: the state is not finite at t = {outcome.samples.t[first]:.9g} s"
    return _momentum(run) or _penetration(run, outcome) or _energy(run, outcome)


def _momentum(run: Any) -> str | None:
    impact = run.log.impact[: int(run.log.count[N_IMPACT])]
    if not len(impact):
        return None
    worst = int(np.argmax(np.where(np.isfinite(impact["residual"]), impact["residual"], np.inf)))
    if impact["residual"][worst] <= MOMENTUM:
        return None
    return f"{BROKEN}: momentum of an impact by {impact['residual'][worst]:.2g} at t = {impact['t'][worst]:.9g} s"


def _penetration(run: Any, outcome: Any) -> str | None:
    contact = run.machine.system.contact
    gap = outcome.seen.contact[:, :, 1] / contact["size"]
    gap = np.where(contact["law"] == SOFT, 0.0, gap)
    if not gap.size or gap.min() >= -(STEPPED if run.stretches else PENETRATION):
        return None
    sample, c = np.unravel_index(int(np.argmin(gap)), gap.shape)
    name = run.machine.compiled.contacts[contact["owner"][c]].name
    return (f'{BROKEN}: contact "{name}" penetrates by {-gap[sample, c] * contact["size"][c]:.3g} m at '
            f"t = {outcome.samples.t[sample]:.9g} s")


def _energy(run: Any, outcome: Any) -> str | None:
    seen, works = outcome.seen, outcome.seen.works
    stored = seen.energy[:, 2]
    kinetic, potential = seen.energy[:, 0], seen.energy[:, 1] + stored
    missing = kinetic + potential - works.sum(axis=1) - (stored - stored[0])
    missing = missing - missing[0] - (scheme_of(run.stretches, missing) if run.stretches else 0.0)
    scale = max(kinetic.max(), np.ptp(potential), np.abs(works).max(axis=0).sum())
    steps = max(int(run.control[0]["accepted"]), 100)
    worst = int(np.argmax(np.abs(missing)))
    allowed = LOOSE * steps * (run.options.rtol * scale + run.options.atol)
    if abs(missing[worst]) <= allowed:
        return None
    return f"{BROKEN}: energy account, {missing[worst]:.3g} J of {scale:.3g} J at t = {outcome.samples.t[worst]:.9g} s"
