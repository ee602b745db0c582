"""Compliant laws as records of the kernels."""

from __future__ import annotations

import numpy as np

from routh.core.tables import layout
from routh.errors import ModelError
from routh.model import compliant as laws
from routh.model import friction as rubbing

__all__ = ["has_bristle", "record_of"]


def has_bristle(law: laws.Compliant) -> bool:
    """Whether the friction of a law has a state of its own."""
    return isinstance(law.friction, rubbing.LuGre | rubbing.Stiction)


def record_of(law: laws.Compliant) -> np.ndarray:
    """The COMPLIANT record of a law."""
    record = np.zeros((), layout.COMPLIANT)
    _put_normal(record, law.normal)
    if law.friction is not None:
        record["mu"] = law.friction.static
    match law.friction:
        case None:
            record["friction"] = layout.FRICTIONLESS
        case rubbing.Regularised(v_reg=v_reg):
            record["friction"], record["v_reg"] = layout.REGULARISED, v_reg
        case rubbing.LuGre(sigma0=sigma0, sigma1=sigma1, sigma2=sigma2):
            record["friction"], record["sigma0"], record["sigma1"], record["sigma2"] = layout.LUGRE, sigma0, sigma1, sigma2
        case rubbing.Stiction(sigma0=sigma0, sigma1=sigma1, grip=grip):
            record["friction"], record["sigma0"], record["sigma1"], record["grip"] = layout.STICTION, sigma0, sigma1, grip
        case _:
            raise ModelError(f"compliant: friction {type(law.friction).__name__} cannot be simulated")
    return record


def _put_normal(record: np.ndarray, law: laws.NormalLaw) -> None:
    record["k"] = law.k
    match law:
        case laws.Linear() | laws.KhuliefShabana():
            record["law"], record["power"], record["damping"] = layout.LINEAR, 1.0, law.c
        case laws.Hertz():
            record["law"], record["power"] = layout.POWER, law.power
        case laws.HuntCrossley():
            record["law"], record["power"], record["damping"] = layout.POWER, law.power, law.chi
        case laws.LankaraniNikravesh() | laws.Flores():
            record["law"], record["power"] = layout.POWER, law.power
            record["damping"] = law.factor if law.speed is None else law.factor / law.speed
            record["own_speed"], record["slow"] = law.speed is None, law.slow
        case _:
            raise ModelError(f"compliant: a {type(law).__name__} cannot be simulated")
