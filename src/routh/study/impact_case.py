"""An impact as a case for a study: the velocity before it is given by speed and angle, so that they can be varied."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from routh.errors import ModelError, did_you_mean
from routh.model import checks
from routh.model.laws import Brach, ImpactLaw, Newton, Stronge
from routh.sim.impact import Kind, resolve_impacts

__all__ = ["ImpactCase"]

PATHS = ("speed", "angle", "heading", "law.e", "law.mu", "law.mu_s", "law.e_t", "law.tangential_stiffness")
COLUMNS = ("kind", "p_n", "p_t1", "p_t2", "v_n", "v_t1", "v_t2", "energy_lost", "energy_lost_normal", "creates_energy")
ROUND_OFF = 4.0 * np.finfo(float).eps  # of the cosine of an angle of about one
PLANAR_COLUMNS = {"p_t1": "p_t", "v_t1": "v_t", "p_t2": "", "v_t2": ""}


@dataclass(frozen=True)
class ImpactCase:
    """An impact: A (2, 2) or (3, 3) is the inverse mass of the contact [1/kg], rows normal first.

    The second body comes with `speed` [m/s] at `angle` [rad] from the normal; in space `heading` [rad] turns its slip from the
    first tangent towards the second. v = speed (-cos angle, sin angle cos heading, sin angle sin heading).

    >>> ImpactCase(A=[[1.0, 0.2], [0.2, 3.0]], law=rt.Stronge(e=0.5, mu=0.3), speed=2.0, angle=0.4)
    """

    A: Any
    law: ImpactLaw
    speed: float = 1.0
    angle: float = 0.0
    heading: float = 0.0

    def __post_init__(self) -> None:
        A = np.array(self.A, float)
        if A.shape not in ((2, 2), (3, 3)):
            raise ModelError(f"ImpactCase: A has shape {A.shape}; take (2, 2) in the plane or (3, 3) in space")
        if not isinstance(self.law, ImpactLaw):
            raise ModelError(f"ImpactCase: law = {self.law!r} is not an impact law such as rt.Stronge(e=0.5, mu=0.3)")
        if not isinstance(getattr(self.law, "mu", 0.0), int | float):
            raise ModelError("ImpactCase: mu must be a number; friction that depends on slip is for simulations")
        if not isinstance(self.law.e, int | float):
            raise ModelError("ImpactCase: e must be a number, because a study varies it; call resolve_impacts with a "
                             "restitution that depends on the speed")
        checks.set_field(self, "A", tuple(tuple(float(x) for x in row) for row in A))
        for name in ("speed", "angle", "heading"):
            checks.set_field(self, name, checks.number("ImpactCase", name, getattr(self, name)))

    def check(self, paths: Mapping[str, Any]) -> None:
        """ModelError where a path is not one of an impact."""
        for path in paths:
            own = {"heading": len(self.A) == 3, "law.e_t": isinstance(self.law, Brach),
                   "law.tangential_stiffness": isinstance(self.law, Stronge),
                   "law.mu_s": self._own("law.tangential_stiffness") == 0.0}
            if path not in PATHS or not own.get(path, True):
                raise ModelError(f'study of an impact: no parameter "{path}"' + did_you_mean(path, PATHS))

    def rows(self, columns: Mapping[str, np.ndarray]) -> dict[str, Any]:
        """What comes out at every point, in one call of the compiled batch."""
        import pyarrow as pa

        n, d = len(next(iter(columns.values()))), len(self.A)
        value = {path: columns.get(path, self._own(path)) for path in PATHS}
        speed, angle, heading = (np.broadcast_to(value[name], n) for name in ("speed", "angle", "heading"))
        v = np.empty((n, d))
        cosine = np.cos(angle)
        cosine = np.where(np.abs(cosine) < ROUND_OFF, 0.0, cosine)  # at a right angle there is no approach
        v[:, 0], v[:, 1] = -speed * cosine, speed * np.sin(angle)
        if d == 3:
            v[:, 1], v[:, 2] = v[:, 1] * np.cos(heading), v[:, 1] * np.sin(heading)
        law = "newton-algebraic" if isinstance(self.law, Newton) and self.law.form == "algebraic" else type(self.law).__name__
        mu_s: ArrayLike | None = value["law.mu_s"] if "law.mu_s" in columns or self.law.mu_s is not None else None
        stiffness = value["law.tangential_stiffness"]
        stiffness = None if np.ndim(stiffness) == 0 and stiffness == 0.0 else stiffness
        hits = resolve_impacts(np.array(self.A), v, value["law.e"], value["law.mu"], law, mu_s=mu_s, e_t=value["law.e_t"],
                               tangential_stiffness=stiffness)
        labels = pa.DictionaryArray.from_arrays(hits.kind.astype(np.int8), [kind.label for kind in Kind])
        numbers: dict[str, Any] = {"kind": labels, "energy_lost": hits.energy_lost, "energy_lost_normal": -hits.work_normal,
                   "creates_energy": hits.creates_energy.astype(float)}
        for letter, vectors in (("p", hits.impulse), ("v", hits.velocity)):
            for name, column in zip(("n", "t1", "t2"), vectors.T, strict=False):
                numbers[f"{letter}_{name}"] = column
        names = {name: PLANAR_COLUMNS.get(name, name) if d == 2 else name for name in COLUMNS}
        return {shown: numbers[name] for name, shown in names.items() if shown}

    def replace(self, changes: Mapping[str, Any]) -> ImpactCase:
        """The case with fields changed by path."""
        self.check(changes)
        law = dataclasses.replace(self.law, **{p.partition(".")[2]: v for p, v in changes.items() if p.startswith("law.")})
        return dataclasses.replace(self, law=law, **{p: v for p, v in changes.items() if not p.startswith("law.")})

    def _own(self, path: str) -> Any:
        head, _, rest = path.partition(".")
        found = getattr(self.law, rest, None) if rest else getattr(self, head)
        return 0.0 if found is None else found
