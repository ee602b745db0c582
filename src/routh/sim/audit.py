"""The auditor of event-driven runs: laws of mechanics that must hold whatever the run says of itself.

| law | bound |
|---|---|
| every state is finite | - |
| energy account: kinetic and potential energy less all works is constant | DRIFT times the error per step times the steps |
| time steps make no energy | a hundredth of all energy |
| rigid bodies do not penetrate, loops stay closed | part of the size of the smaller shape |
| contact forces push and stay within their friction cones | part of the largest force |
| impulses of impacts push, stay within their cones, and explain the velocities after: v' = v + A p | part of the impulses |
| single impacts by Poisson's and Stronge's laws make no energy | part of the works of the impulse |
| no body moves farther between two samples than its energy allows | DASH times the speed of all energy that came and went |

The laws are computed from states, masses and shapes, and from impulses of the log. What a kernel says about its own residual
counts in addition. The run is looked at after every LOOK_STEPS steps with scratch of its own, and at every sample when it ends.
Neither depends on the clock. A run that breaks a law ends with the status "law broken"; `result.message` says which one, when,
and by how much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.compiler.machine import Machine
from routh.core.tables.impact_codes import POISSON, STRONGE
from routh.core.tables.layout import SOFT
from routh.core.tables.log import HIT, N_IMPACT, SINGLE, TANGENTIAL_HIT
from routh.sim.stretches import scheme_of

__all__ = ["BROKEN", "LOOK_STEPS", "Auditor"]

BROKEN = "law broken"  # status of a run that did not keep a law
LOOK_STEPS = 200       # steps between two looks: a look costs as much as about five steps
DRIFT = 10.0           # times error per step times steps: error control bounds estimates of the error, not the error
FEW_STEPS = 100        # steps that count at least: events and impacts have errors of their own
PENETRATION = 1e-6     # against the size of the smaller shape: a thousand times what touching is met to
STEPPED = 1e-3         # the same within stretches of time steps, which leave penetrations up to 1e-4
STEPPED_ENERGY = 1e-2  # energy that time steps may make, of all energy: they make or lose 1e-4 in heaps
OPEN_LOOP = 1e-7       # [m or rad] closure is asked to 1e-10, and positions near a dead point magnify it
MOMENTUM = 1e-6        # residual of the momentum equations of an impact, relative: round-off is 1e-12
FORCE = 1e-4           # force that pulls or leaves its cone, against the largest of the run: forces that several contacts share
                       # are known to 1e-6, and events are met to 1e-10
HOP = 1e-4             # against the size of the largest shape: gaps of up to 1e-5 are closed where contacts begin to rest
DASH = 3.0             # displacement against what all energy as kinetic energy allows


class Auditor:
    """Watches over one EventRun. `verdict` is None while every law is kept, else what broke."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.eye: Machine | None = None
        self.largest = 0.0

    def look(self) -> str | None:
        """What the present state breaks, without a change of the run."""
        run = self.run
        c, machine = run.control[0], run.machine
        if not np.isfinite(run.y).all():
            return f"the state is not finite at t = {c['t']:.9g} s"
        n_q, n_u = machine.compiled.n_q, machine.compiled.n_u
        if self.eye is None:
            self.eye = Machine(machine.compiled)
            first, stops = run.watch.begin
            self.start = self._energies(first, run.watch.first, 0, stops)
        self.eye.system = machine.system
        q, u, t = run.y[:n_q].copy(), run.y[n_q:n_q + n_u].copy(), float(c["t"])
        segment = min(int(c["segment"]), len(run.stops) - 2)
        return self._gaps_now(t, q, u) or self._loops(t, q, u) or self._drift(t, run.y, segment)

    def _gaps_now(self, t: float, q: np.ndarray, u: np.ndarray) -> str | None:
        assert self.eye is not None
        contact = self.eye.system.contact
        gap = self.eye.gaps(q, u) / contact["size"] if contact.size else np.zeros(0)
        solid = (contact["law"] != SOFT) & (self.eye.work.touch["off"] == 0) & (contact["sheet"] == 0)
        return self._penetration(np.array([t]), np.where(solid, gap, 0.0)[None], np.array([PENETRATION]))

    def _loops(self, t: float, q: np.ndarray, u: np.ndarray) -> str | None:
        machine = self.eye or self.run.machine
        if not machine.system.row.size:
            return None
        phi = np.abs(machine.violations(q, u)[0])
        worst = int(np.argmax(phi))
        if phi[worst] <= OPEN_LOOP:
            return None
        return f'joint "{machine.compiled.row_owner[worst]}" is open by {phi[worst]:.3g} m (or rad) at t = {t:.9g} s'

    def _energies(self, t: float, y: np.ndarray, segment: int, stops: np.ndarray) -> tuple[float, float, np.ndarray]:
        """Kinetic and potential energy, and the works, of a state."""
        assert self.eye is not None
        arrays, zero = self.eye.observation(1), np.zeros(1, np.int64)
        self.eye.call("observe", np.array([t]), y[None, :].copy(), np.array([segment]), stops, zero, np.zeros((1, 0)),
                      *arrays.values())
        kinetic, potential, stored = arrays["energy"][0]
        return float(kinetic), float(potential + stored), y[int(self.eye.system.world["works"][0]):].copy()

    def _drift(self, t: float, y: np.ndarray, segment: int) -> str | None:
        if self.run.stretches or (self.run.machine.system.contact["law"] == SOFT).any():
            return None  # the account of the whole run takes stretches and elastic energy apart
        kinetic, potential, works = self._energies(t, y, segment, self.run.stops)
        first = self.start[0] + self.start[1] - self.start[2].sum()
        self.largest = max(self.largest, kinetic, abs(potential - self.start[1]), float(np.abs(works).sum()))
        return self._account(t, kinetic + potential - works.sum() - first, self.largest)

    def _account(self, t: float, missing: float, scale: float) -> str | None:
        run = self.run
        steps = max(int(run.control[0]["accepted"] + run.control[0]["rejected"]), FEW_STEPS)
        mass = float(run.machine.system.node["mass"].sum())
        inertia = float(np.abs(run.machine.system.node["inertia"]).max(initial=0.0)) if len(run.machine.system.node) else 0.0
        weight = mass * float(np.linalg.norm(run.machine.system.world["gravity"][0]))
        # an error atol of works, which are integrated along [J], and of every speed and coordinate, as energy
        absolute = run.options.atol * (1.0 + np.sqrt(2.0 * scale * mass) + np.sqrt(2.0 * scale * inertia) + weight)
        if abs(missing) <= DRIFT * steps * (run.options.rtol * scale + absolute):
            return None
        return f"the energy account misses {missing:.3g} J of {scale:.3g} J at t = {t:.9g} s"

    def verdict(self) -> str | None:
        """What the whole run broke, sample by sample."""
        run = self.run
        outcome = run.audited()
        y = outcome.samples.y
        if not np.isfinite(y).all():
            first = int(np.argmin(np.isfinite(y).all(axis=1)))
            return f"the state is not finite at t = {outcome.samples.t[first]:.9g} s"
        n_q, n_u = run.machine.compiled.n_q, run.machine.compiled.n_u
        at_end = self._loops(float(run.control[0]["t"]), run.y[:n_q].copy(), run.y[n_q:n_q + n_u].copy())
        return at_end or self._impacts() or self._gaps(outcome) or self._forces(outcome) or self._energy(outcome) or \
            self._displacement(outcome)

    def _impacts(self) -> str | None:
        impact = self.run.log.impact[: int(self.run.log.count[N_IMPACT])]
        if not len(impact):
            return None

        def at(row: int, what: str) -> str:
            owner = self.run.machine.system.contact["owner"][impact["contact"][row]]
            name = self.run.machine.compiled.contacts[owner].name
            return f'impact of contact "{name}" {what} at t = {impact["t"][row]:.9g} s'

        residual = np.where(np.isfinite(impact["residual"]), impact["residual"], np.inf)
        worst = int(np.argmax(residual))
        if residual[worst] > MOMENTUM:
            return f"momentum of an impact is not balanced, by {residual[worst]:.2g}, at t = {impact['t'][worst]:.9g} s"
        hit = np.flatnonzero(np.isin(impact["kind"], (HIT, TANGENTIAL_HIT)))
        if not hit.size:
            return None
        p, contact = impact["p"][hit], self.run.machine.system.contact[impact["contact"][hit]]
        size = np.abs(p).max()
        friction = np.sqrt((p[:, 1:] ** 2).sum(axis=1))
        over = np.where(contact["friction"] == 0, friction - contact["mu_s"] * p[:, 0], -p[:, 0])
        over = np.maximum(np.where(contact["n_row"] > 1, over, 0.0), -p[:, 0])
        worst = int(np.argmax(over))
        if not over[worst] <= MOMENTUM * size:
            return at(int(hit[worst]), f"pulls or leaves the friction cone by {over[worst]:.3g} N s")
        alone = hit[impact["method"][hit] == SINGLE]
        change = np.einsum("nij,nj->ni", impact["A"][alone], impact["p"][alone])
        known_rows = np.arange(3) < self.run.machine.system.contact["n_row"][impact["contact"][alone]][:, None]
        lack = np.abs(impact["v_after"][alone] - impact["v"][alone] - change)
        lack = np.where(known_rows, lack, 0.0).max(axis=1, initial=0.0)
        known = np.abs(impact["v"][alone]).max(axis=1, initial=0.0) + np.abs(change).max(axis=1, initial=0.0)
        known += np.abs(impact["A"][alone]).max(axis=(1, 2), initial=0.0) * np.abs(impact["p"][alone]).max(axis=1, initial=0.0)
        if alone.size and not (lack <= MOMENTUM * known).all():
            worst = int(np.argmax(lack - MOMENTUM * known))
            return at(int(alone[worst]), f"leaves {lack[worst]:.3g} m/s that its impulse does not explain")
        law = self.run.machine.system.contact["law"][impact["contact"][alone]]
        terms = np.abs(impact["p"][alone] * (np.abs(impact["v"][alone]) + np.abs(impact["v_after"][alone]))).sum(axis=1)
        makes = np.where(np.isin(law, (POISSON, STRONGE)), impact["work"][alone] - MOMENTUM * terms, -1.0)
        if (makes > 0.0).any():
            worst = int(np.argmax(makes))
            return at(int(alone[worst]), f"makes {impact['work'][alone[worst]]:.3g} J, which its law cannot")
        return None

    def _gaps(self, outcome: Any) -> str | None:
        contact = self.run.machine.system.contact
        if not contact.size:
            return None
        gap = np.where(contact["law"] == SOFT, 0.0, outcome.seen.contact[:, :, 1] / contact["size"])
        bound = np.full(len(gap), PENETRATION)
        for stretch in self.run.stretches:
            bound[stretch.first:stretch.last] = STEPPED
        return self._penetration(outcome.samples.t, gap, bound)

    def _penetration(self, t: np.ndarray, gap: np.ndarray, bound: np.ndarray) -> str | None:
        over = gap + bound[:, None]
        if not over.size or over.min() >= 0.0:
            return None
        sample, c = np.unravel_index(int(np.argmin(over)), over.shape)
        contact, compiled = self.run.machine.system.contact, self.run.machine.compiled
        return (f'contact "{compiled.contacts[contact["owner"][c]].name}" penetrates by '
                f"{-gap[sample, c] * contact['size'][c]:.3g} m at t = {t[sample]:.9g} s")

    def _forces(self, outcome: Any) -> str | None:
        contact, compiled = self.run.machine.system.contact, self.run.machine.compiled
        rigid = contact["law"] != SOFT
        if not rigid.any():
            return None
        normal, friction = outcome.seen.contact[:, rigid, 2], np.abs(outcome.seen.contact[:, rigid, 3])
        mu = np.where(contact["friction"][rigid] == 0, contact["mu_s"][rigid], np.inf)
        with np.errstate(invalid="ignore"):
            over = np.maximum(-normal, np.where(np.isfinite(mu), friction - mu * normal, 0.0))
        if not over.size or over.max() <= FORCE * np.abs(normal).max():
            return None
        sample, c = np.unravel_index(int(np.argmax(over)), over.shape)
        if over[sample, c] <= FORCE * self._weight(outcome):
            return None
        name = compiled.contacts[contact["owner"][np.flatnonzero(rigid)[c]]].name
        return (f'contact "{name}" pulls or leaves its friction cone by {over[sample, c]:.3g} N at '
                f"t = {outcome.samples.t[sample]:.9g} s")

    def _weight(self, outcome: Any) -> float:
        """Largest mass times acceleration of a body [N]: forces of contacts are what these leave."""
        seen, node = outcome.seen, self.run.machine.system.node
        acceleration = seen.body[:, :, 6:8] if self.run.machine.compiled.planar else seen.body[:, :, 13:16]
        size = np.sqrt((acceleration**2).sum(axis=2)) * node["mass"]
        gravity = float(np.linalg.norm(self.run.machine.system.world["gravity"][0]))
        return float(max(size.max(initial=0.0), node["mass"].max(initial=0.0) * gravity))

    def _energy(self, outcome: Any) -> str | None:
        seen, works = outcome.seen, outcome.seen.works
        stored = seen.energy[:, 2]
        kinetic, potential = seen.energy[:, 0], seen.energy[:, 1] + stored
        whole = kinetic + potential - works.sum(axis=1) - (stored - stored[0])
        scheme = scheme_of(self.run.stretches, whole) if self.run.stretches else np.zeros_like(whole)
        missing = whole - whole[0] - scheme
        self.scale = float(max(kinetic.max(), np.ptp(potential), np.abs(works).max(axis=0).sum(), self._single()))
        if scheme.max() > STEPPED_ENERGY * self.scale:
            return f"time steps made {scheme.max():.3g} J of {self.scale:.3g} J"
        worst = int(np.argmax(np.abs(missing)))
        return self._account(float(outcome.samples.t[worst]), float(missing[worst]), self.scale)

    def _single(self) -> float:
        """Largest work of a single impact [J]: one may take what another one of the same instant gave."""
        work = self.run.log.impact["work"][: int(self.run.log.count[N_IMPACT])]
        return float(np.abs(work).max(initial=0.0))

    def _displacement(self, outcome: Any) -> str | None:
        system, compiled, t = self.run.machine.system, self.run.machine.compiled, outcome.samples.t
        if system.driver.size or system.force.size or len(t) < 2:
            return None  # a force or a driver may bring energy and take it back between two samples
        place = outcome.seen.body[:, 1:, : 2 if compiled.planar else 3]
        way, span = np.sqrt((np.diff(place, axis=0) ** 2).sum(axis=2)), np.diff(t)
        gravity = float(np.linalg.norm(system.world["gravity"][0]))
        fastest = np.sqrt(2.0 * self.scale / np.maximum(system.node["mass"][1:], 1e-300))
        slack = np.full(len(span), HOP * system.contact["size"].max(initial=0.0) + 1e-12 * np.abs(place).max())
        for stretch in self.run.stretches:
            slack[stretch.first:stretch.last] += STEPPED * system.contact["size"].max(initial=0.0)
        over = way - DASH * span[:, None] * (fastest + gravity * span[:, None]) - slack[:, None]
        if not over.size or over.max() <= 0.0:
            return None
        sample, node = np.unravel_index(int(np.argmax(over)), over.shape)
        name = next((name for name, body in compiled.bodies.items() if body.node == node + 1), "?")
        return f'body "{name}" moves by {way[sample, node]:.3g} m in {span[sample]:.3g} s at t = {t[sample]:.9g} s'
