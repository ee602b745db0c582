"""Resolve frictional impacts in contact space: `(A, v, law) -> impulse`, one by one or in bulk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from routh.compiler.laws import law_code
from routh.core.tables import impact_codes as core
from routh.core.tables.impact_codes import SCRATCH
from routh.display import present
from routh.errors import ModelError, SimulationError, did_you_mean
from routh.model.laws import Brach, ImpactLaw, Moreau, Newton, Poisson, Stronge
from routh.model.restitution import Restitution
from routh.native.load import entry
from routh.sim.impact_path import Path, plane_path, space_path

__all__ = ["Impact", "Impacts", "Kind", "resolve_impact", "resolve_impacts"]

Array = NDArray[np.float64]

CODES = {
    "newton": core.NEWTON,
    "poisson": core.POISSON,
    "stronge": core.STRONGE,
    "newton-algebraic": core.NEWTON_ALGEBRAIC,
    "brach": core.BRACH,
    "moreau": core.MOREAU,
    "stronge-compliant": core.STRONGE_COMPLIANT,
}


class Kind(IntEnum):
    """What the slip did during an impact. In brackets: the name in [wang1992], the case of [hancho1996].

    The first impulse at which slip stops decides; "compression" is before v_n = 0, "restitution" after.
    """

    NO_IMPACT = core.NO_IMPACT  #: the bodies separate, or touch at rest: no impulse
    SLIDING = core.SLIDING  #: slip never stops (sliding; cases 1-2, 2-2)
    STICK_COMPRESSION = core.STICK_COMPRESSION  #: stops in compression and stays (C-sticking; 1-1, 2-1)
    STICK_RESTITUTION = core.STICK_RESTITUTION  #: stops in restitution and stays (R-sticking; 1-1, 2-1)
    REVERSAL_COMPRESSION = core.REVERSAL_COMPRESSION  #: stops in compression, leaves (C-reversed sliding)
    REVERSAL_RESTITUTION = core.REVERSAL_RESTITUTION  #: stops in restitution, leaves (R-reversed sliding)
    STICK_FROM_START = core.STICK_FROM_START  #: no slip before, none after (sticking; 1-1 with s0 = 0)
    SLIP_FROM_REST = core.SLIP_FROM_REST  #: no slip before, but the cone cannot hold it
    JAM = core.JAM  #: friction drives the bodies together until slip stops or turns
    TANGENTIAL = core.TANGENTIAL  #: a jam without approach: the tangential impact of [han1994]
    STOPPED = core.STOPPED  #: an algebraic law brought slip to its end value; the path is not defined
    NO_SOLUTION = core.NO_SOLUTION  #: an algebraic law has no impulse for this impact
    STALLED = core.STALLED  #: the march ran out of steps

    @property
    def label(self) -> str:
        """In words: "stick in compression"."""
        words = self.name.lower().split("_")
        return " in ".join(words) if words[-1] in ("compression", "restitution") else " ".join(words)


_NO_PATH = np.empty((0, 7))
UNCOUPLED = 1e-12  # of the trace of A: round-off of frames in runs leaves 1e-15 of it in the coupling terms
CHUNK = 4096  # impacts that one thread resolves at a time
_AT_REST = np.zeros(2)


def law_numbers(law: ImpactLaw, v: Array = _AT_REST) -> tuple[int, float, float, float, float]:
    """(code, e, e_t, mu, mu_s) as the kernels take them, for an impact that starts with relative velocity v."""
    code, e_t = law_code(law)
    mu, mu_s = law.coefficients(float(np.linalg.norm(v.ravel()[1:])))
    return code, law.restitution(-float(v.ravel()[0])), e_t, mu, mu_s


class Impact:
    """One resolved impact. Arrays have the length of `v`: normal first, then one or two tangents.

    Made by `resolve_impact`, `collide` and `result.impacts[i].replay()`. `impulse` [N s], `velocity` after [m/s], `kind`,
    `energy_lost` [J], `creates_energy`; `path` is the way of impulse and slip, `compare()` the same impact under every law.

    Examples
    --------
    >>> hit = rt.resolve_impact(np.diag([1.0, 3.0]), [-2.0, 0.5], rt.Poisson(e=0.5, mu=0.3))
    >>> [row["law"] for row in hit.compare().rows()]
    ['Newton', 'Poisson', 'Stronge', 'Newton algebraic', 'Brach', 'Moreau']
    """

    __slots__ = ("A", "_row", "kind", "law", "v")

    def __init__(self, A: Array, v: Array, law: ImpactLaw, kind: Kind, row: Array) -> None:
        self.A, self.v, self.law, self.kind, self._row = A, v, law, kind, row

    @property
    def impulse(self) -> Array:
        """Impulse on the second body [N s]."""
        return self._row[: self.v.size]

    @property
    def velocity(self) -> Array:
        """Relative velocity after the impact [m/s]."""
        return self._row[core.V_N : core.V_N + self.v.size]

    @property
    def mu(self) -> float:
        """The friction coefficient of this impact: the law's, at the slip it started with."""
        return float(law_numbers(self.law, self.v)[3])

    @property
    def compression_impulse(self) -> float:
        """Normal impulse at the end of compression [N s]."""
        return float(self._row[core.P_COMPRESSION])

    @property
    def stop_impulse(self) -> float:
        """Normal impulse at which slip first stopped [N s]; NaN if it never did."""
        return float(self._row[core.P_STOP])

    @property
    def work_normal(self) -> float:
        """Work of the normal impulse on the bodies [J]."""
        return float(self._row[core.WORK_N])

    @property
    def work_tangential(self) -> float:
        """Work of the tangential impulse on the bodies [J]; friction makes it negative."""
        return float(self._row[core.WORK] - self._row[core.WORK_N])

    @property
    def energy_lost(self) -> float:
        """Kinetic energy lost [J]; negative if the law created some."""
        return float(-self._row[core.WORK])

    @property
    def energy_lost_normal(self) -> float:
        """Share of the energy lost to imperfect restitution [J]."""
        return -self.work_normal

    @property
    def energy_lost_tangential(self) -> float:
        """Share of the energy lost to friction [J]."""
        return -self.work_tangential

    @property
    def creates_energy(self) -> bool:
        """Whether kinetic energy grew by more than round-off (Newton's and Brach's laws can)."""
        return bool(gains(self._row[None, :], self.v[None, :])[0])

    @property
    def case(self) -> str:
        """Case of [hancho1996], "1-1" to "2-2", where normal and tangent are uncoupled; else ""."""
        if self.v.size != 3 or np.abs(self.A[0, 1:]).max() > UNCOUPLED * np.trace(self.A) or not self._row[0] > 0.0:
            return ""
        if self.kind in (Kind.STOPPED, Kind.NO_SOLUTION, Kind.STALLED):
            return ""
        C, s = self.A[1:, 1:], self.v[1:]
        turn = s[0] * (C[1] @ s) - s[1] * (C[0] @ s)  # zero: the slip keeps its direction
        straight = abs(turn) <= UNCOUPLED * np.trace(C) * float(s @ s)
        return f"{1 if straight else 2}-{2 if self.kind == Kind.SLIDING else 1}"

    @property
    def path(self) -> Path:
        """The way of the impulse and of the slip during the impact, computed when asked for."""
        code, e, _, mu, mu_s = law_numbers(self.law, self.v)
        if code == core.STRONGE_COMPLIANT:
            raise ModelError("the way of an impact with tangential_stiffness is not recorded; leave it out to see that of a "
                             "rigid tangent")
        if code in (core.NEWTON_ALGEBRAIC, core.BRACH, core.MOREAU):
            return Path.straight(self.v, self.A, self.impulse)
        if self.v.size == 2:
            return plane_path(self.A, self.v, mu, self.kind, self._row)
        return space_path(self.A, self.v, code, e, mu, mu_s, self._row)

    def compare(self) -> LawTable:
        """The same impact under every law, with this law's coefficients."""
        law = self.law
        e_t = law.e_t if isinstance(law, Brach) else 0.0
        laws: list[ImpactLaw] = [
            Newton(law.e, law.mu, law.mu_s),
            Poisson(law.e, law.mu, law.mu_s),
            Stronge(law.e, law.mu, law.mu_s),
            Newton(law.e, law.mu, law.mu_s, form="algebraic"),
            Brach(law.e, law.mu, law.mu_s, e_t=e_t),
            Moreau(law.e, law.mu, law.mu_s),
        ]
        return LawTable([resolve_impact(self.A, self.v, each) for each in laws])

    def __repr__(self) -> str:
        p = ", ".join(f"{x:.6g}" for x in self.impulse)
        v = ", ".join(f"{x:.6g}" for x in self.velocity)
        gain = ", creates energy" if self.creates_energy else ""
        lost = f"energy lost {self.energy_lost:.6g}{gain}"
        return f"Impact({self.kind.label}: impulse ({p}), velocity ({v}), {lost})"

    def _repr_html_(self) -> str:
        return str(present("impact_html", self))

    def _repr_svg_(self) -> str:
        return str(present("impact_svg", self))


class LawTable(Sequence[Impact]):
    """One impact under several laws; prints as a table, `rows()` gives it as data."""

    def __init__(self, hits: list[Impact]) -> None:
        self._hits = hits

    def __len__(self) -> int:
        return len(self._hits)

    def __getitem__(self, index: Any) -> Any:
        return self._hits[index]

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary per law."""
        return [
            {
                "law": law_name(hit.law),
                "kind": hit.kind.label,
                "impulse": hit.impulse.tolist(),
                "velocity": hit.velocity.tolist(),
                "energy_lost": hit.energy_lost,
                "energy_lost_normal": hit.energy_lost_normal,
                "energy_lost_tangential": hit.energy_lost_tangential,
                "creates_energy": hit.creates_energy,
            }
            for hit in self._hits
        ]

    def __str__(self) -> str:
        names = ["n", "t"] if self._hits[0].v.size == 2 else ["n", "t1", "t2"]
        head = ["law", "kind", *(f"p_{k} [N s]" for k in names), *(f"v_{k} [m/s]" for k in names)]
        head += ["lost [J]", "normal [J]", "friction [J]", ""]
        lines = [head]
        for row in self.rows():
            numbers = [*row["impulse"], *row["velocity"]]
            numbers += [row["energy_lost"], row["energy_lost_normal"], row["energy_lost_tangential"]]
            note = "creates energy" if row["creates_energy"] else ""
            lines.append([row["law"], row["kind"], *(f"{x:.6g}" for x in numbers), note])
        width = [max(len(line[i]) for line in lines) for i in range(len(head))]
        pad = [str.ljust, str.ljust] + [str.rjust] * (len(head) - 2)
        text = ["  ".join(f(c, w) for f, c, w in zip(pad, line, width, strict=True)) for line in lines]
        return "\n".join(line.rstrip() for line in text)

    __repr__ = __str__


def law_name(law: ImpactLaw) -> str:
    """What tables and ledgers call a law."""
    if isinstance(law, Stronge) and law.tangential_stiffness is not None:
        return "Stronge compliant"
    return "Newton algebraic" if isinstance(law, Newton) and law.form == "algebraic" else type(law).__name__


def gains(rows: Array, v: Array) -> NDArray[np.bool_]:
    """Where the whole work is positive beyond the round-off of its own terms."""
    d = v.shape[1]
    p, after = rows[:, :d], rows[:, core.V_N : core.V_N + d]
    terms = np.sum(np.abs(p) * (np.abs(v) + np.abs(after)), axis=1)
    result: NDArray[np.bool_] = rows[:, core.WORK] > 1e-13 * terms
    return result


class Impacts:
    """Many resolved impacts as arrays with a leading batch axis."""

    __slots__ = ("_rows", "kind", "v")

    def __init__(self, v: Array, kind: NDArray[np.int64], rows: Array) -> None:
        self.v, self.kind, self._rows = v, kind, rows

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def impulse(self) -> Array:
        """(n, d) impulses [N s]."""
        return self._rows[:, : self.v.shape[1]]

    @property
    def velocity(self) -> Array:
        """(n, d) relative velocities after [m/s]."""
        return self._rows[:, core.V_N : core.V_N + self.v.shape[1]]

    @property
    def energy_lost(self) -> Array:
        """(n,) kinetic energy lost [J]."""
        return -self._rows[:, core.WORK]

    @property
    def work_normal(self) -> Array:
        """(n,) work of the normal impulse [J]."""
        return self._rows[:, core.WORK_N]

    @property
    def work_tangential(self) -> Array:
        """(n,) work of the tangential impulse [J]."""
        return self._rows[:, core.WORK] - self._rows[:, core.WORK_N]

    @property
    def compression_impulse(self) -> Array:
        """(n,) normal impulse at the end of compression [N s]."""
        return self._rows[:, core.P_COMPRESSION]

    @property
    def stop_impulse(self) -> Array:
        """(n,) normal impulse at which slip first stopped, NaN where it never did [N s]."""
        return self._rows[:, core.P_STOP]

    @property
    def creates_energy(self) -> NDArray[np.bool_]:
        """(n,) where the law created energy beyond round-off."""
        return gains(self._rows, self.v)


def resolve_impact(A: ArrayLike, v: ArrayLike, law: ImpactLaw) -> Impact:
    """Resolve one impact in contact space: v⁺ = v + A p.

    Parameters
    ----------
    A : (2, 2) or (3, 3)
        Inverse mass of the contact [1/kg], rows normal first.
    v : (2,) or (3,)
        Relative velocity of the second body before the impact [m/s], normal first; v[0] < 0 approaches.
    law
        `Newton`, `Poisson`, `Stronge`, `Moreau` or `Brach` with its coefficients.

    Returns
    -------
    Impact
        Impulse [N s], velocity after [m/s], class, energy lost [J], path. Bodies that separate (v[0] > 0) or only touch get
        `Kind.NO_IMPACT` and no impulse.

    Examples
    --------
    >>> hit = rt.resolve_impact([[2.5, -1.5], [-1.5, 2.5]], [-1.0, -0.1], rt.Poisson(e=0.6, mu=0.7))
    >>> hit.kind.label, hit.velocity.round(3).tolist(), round(hit.energy_lost, 4)
    ('stick in compression', [0.636, 0.0], 0.2267)
    """
    A, v = np.array(A, dtype=np.float64), np.array(v, dtype=np.float64)
    row = np.zeros(core.N_OUT)
    code, e, e_t, mu, mu_s = law_numbers(law, v)
    if v.shape == (2,) and A.shape == (2, 2):
        kind = entry("impact_plane", "any")(A, v, code, float(e), float(e_t), float(mu), float(mu_s), row)
    elif v.shape == (3,) and A.shape == (3, 3):
        kind = entry("impact_space", "any")(A, v, code, float(e), float(e_t), float(mu), float(mu_s), np.empty(SCRATCH),
                                            _NO_PATH, np.zeros(1, np.int64), row)
    else:
        raise ModelError(
            f"A has shape {A.shape} and v {v.shape}; take (2, 2) and (2,) in the plane, "
            "(3, 3) and (3,) in space, rows normal first"
        )
    if kind < 0:
        raise ModelError(complaint(kind, A, v, e, e_t, mu, mu_s))
    hit = Impact(A, v, law, _KINDS[kind], row)
    if kind == core.STALLED:
        raise SimulationError(
            f"the slip flow did not end within its steps for A = {A.tolist()}, v = {v.tolist()}, {law}; "
            "please report this impact, and perturb it by a round-off meanwhile",
            status="stalled",
            result=hit,
        )
    return hit


_KINDS = [Kind(k) for k in range(len(Kind))]


def resolve_impacts(
    A: ArrayLike,
    v: ArrayLike,
    e: ArrayLike | Restitution,
    mu: ArrayLike,
    law: str = "poisson",
    *,
    mu_s: ArrayLike | None = None,
    e_t: ArrayLike = 0.0,
    tangential_stiffness: ArrayLike | None = None,
) -> Impacts:
    """Resolve many impacts in parallel.

    Parameters
    ----------
    A : (n, d, d) or (d, d)
        Inverse masses [1/kg]; d is 2 in the plane and 3 in space.
    v : (n, d)
        Relative velocities before [m/s], normal first.
    e, mu
        Coefficients, one number or (n,). e may be one of `routh.restitution`, which is evaluated for each impact.
    law
        "newton", "poisson", "stronge", "moreau", "newton-algebraic" or "brach". Default: "poisson".
    mu_s, e_t
        Static friction (default: mu); tangential restitution of Brach's law (default: 0).
    tangential_stiffness
        Of Stronge's law with a tangential spring, see `Stronge`. Default: rigid.

    Returns
    -------
    Impacts
        Arrays with a leading axis n. Impacts that an algebraic law cannot resolve have NaN impulses and `Kind.NO_SOLUTION`.

    Examples
    --------
    >>> hits = rt.resolve_impacts(np.diag([2.0, 3.0]), [[-1.0, 0.4], [-2.0, 0.0]], e=0.5, mu=0.3)
    >>> hits.velocity[:, 0].tolist()
    [0.5, 1.0]
    """
    key = str(law).lower().replace("_", "-")
    if key not in CODES:
        raise ModelError(f'no impact law "{law}"' + did_you_mean(key, CODES))
    if tangential_stiffness is not None:
        if key != "stronge" or mu_s is not None:
            raise ModelError(f'tangential_stiffness belongs to law = "stronge" without mu_s, not to "{law}"')
        key, e_t = "stronge-compliant", tangential_stiffness
    elif key == "stronge-compliant":
        raise ModelError('law = "stronge-compliant": give tangential_stiffness and law = "stronge"')
    v = np.ascontiguousarray(v, dtype=np.float64)
    A = np.asarray(A, dtype=np.float64)
    d = v.shape[-1] if v.ndim == 2 else 0
    if d not in (2, 3) or A.shape not in ((d, d), (len(v), d, d)):
        shapes = f"A has shape {A.shape} and v {v.shape}"
        raise ModelError(f"{shapes}; take v (n, d) and A (n, d, d) or (d, d), d = 2 or 3")
    n = len(v)
    A = np.ascontiguousarray(np.broadcast_to(A, (n, d, d)))
    if isinstance(e, Restitution):
        e = np.array([e.at(max(-vn, 0.0)) for vn in v[:, 0].tolist()])
    parameters = np.empty((n, 4))
    for line, (name, values) in enumerate(
        (("e", e), ("e_t", e_t), ("mu", mu), ("mu_s", mu if mu_s is None else mu_s))
    ):
        values = np.asarray(values, dtype=np.float64)
        if values.shape not in ((), (n,)):
            raise ModelError(f"{name} has shape {values.shape}; take one number or {n}, one per impact")
        parameters[:, line] = values
    kinds, rows = np.zeros(n, np.int64), np.zeros((n, core.N_OUT))
    many = entry("impacts_plane" if d == 2 else "impacts_space", "any")

    def part(first: int) -> None:
        i = slice(first, first + CHUNK)
        scratch = () if d == 2 else (np.empty(SCRATCH),)
        many(A[i], v[i], CODES[key], parameters[i], *scratch, kinds[i], rows[i])

    starts = range(0, n, CHUNK)
    if len(starts) > 1:  # compiled code runs without Python's lock
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(part, starts))
    elif n:
        part(0)
    if n and kinds.min() < 0:
        i = int(np.argmax(kinds < 0))
        raise ModelError(f"impact {i}: " + complaint(int(kinds[i]), A[i], v[i], *parameters[i]))
    return Impacts(v, kinds, rows)


def complaint(code: int, A: Array, v: Array, e: float, e_t: float, mu: float, mu_s: float) -> str:
    """What is wrong with an input, with its numbers and the next move."""
    if code == core.BAD_NUMBER:
        numbers = f"e = {e}, mu = {mu}, mu_s = {mu_s}, e_t = {e_t}"
        return f"not finite: A = {A.tolist()}, v = {v.tolist()}, {numbers}"
    if code == core.BAD_SYMMETRY:
        gap = float(np.max(np.abs(A - A.T)))
        return f"A is not symmetric: |A - Aᵀ| reaches {gap:.3g}; A = J M⁻¹ Jᵀ is, check its rows and columns"
    if code == core.BAD_MATRIX:
        low = float(np.linalg.eigvalsh(0.5 * (A + A.T))[0])
        return (
            f"A is not positive definite: its smallest eigenvalue is {low:.3g}; an inverse mass is, unless a "
            "tangent cannot move at all (zero row and column and zero velocity)"
        )
    if code == core.BAD_E:
        return f"e = {e:g} is outside [0, 1]"
    if code == core.BAD_STIFFNESS:
        return f"tangential_stiffness = {e_t:g} must be positive; it is the ratio of tangential to normal stiffness"
    if code == core.BAD_E_T:
        return f"e_t = {e_t:g} is outside [-1, 1]"
    if code == core.BAD_MU:
        return f"mu = {mu:g} is negative; friction opposes slip, take mu >= 0"
    return f"mu_s = {mu_s:g} is below mu = {mu:g}; leave mu_s out to make them equal"
