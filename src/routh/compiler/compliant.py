"""Compliant laws as records of the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.compiler.laws import compile_law
from routh.core.tables import layout
from routh.errors import ModelError
from routh.model import compliant as laws
from routh.model import friction

__all__ = ["has_bristle", "record_of"]


def has_bristle(law: laws.Compliant) -> bool:
    """Whether the friction of a law has a state of its own."""
    return isinstance(law.friction, friction.LuGre | friction.Stiction)


def record_of(law: laws.Compliant, compiled: list[Any] | None = None) -> np.ndarray:
    """The COMPLIANT record of a law; the callback of a user's own law is kept in `compiled`."""
    record = np.zeros((), layout.COMPLIANT)
    if isinstance(law.normal, laws.Law):
        if compiled is None:
            raise ModelError(f"{law.normal.where}: a Track takes the built-in laws only")
        _put_own(record, law.normal, compiled)
    else:
        _put_normal(record, law.normal)
    if law.friction is not None:
        record["mu"] = law.friction.static
    if law.rolling is not None:
        record["rolling"], record["drilling"], record["turning"] = law.rolling.rolling, law.rolling.drilling, law.rolling.slow
    match law.friction:
        case None:
            record["friction"] = layout.FRICTIONLESS
        case friction.Regularised(v_reg=v_reg):
            record["friction"], record["v_reg"] = layout.REGULARISED, v_reg
        case friction.LuGre(sigma0=sigma0, sigma1=sigma1, sigma2=sigma2):
            record["friction"], record["sigma0"], record["sigma1"], record["sigma2"] = layout.LUGRE, sigma0, sigma1, sigma2
        case friction.Stiction(sigma0=sigma0, sigma1=sigma1, grip=grip):
            record["friction"], record["sigma0"], record["sigma1"], record["grip"] = layout.STICTION, sigma0, sigma1, grip
        case _:
            raise ModelError(f"compliant: friction {type(law.friction).__name__} cannot be simulated")
    return record


def _put_own(record: np.ndarray, law: laws.Law, compiled: list[Any]) -> None:
    callback = compile_law(law.where, law.function, len(law.parameters), 0)
    compiled.append(callback)
    record["law"], record["k"], record["power"], record["address"] = layout.OWN_NORMAL, law.k, 1.0, callback.address
    record["parameters"][: len(law.parameters)] = law.parameters


def _put_normal(record: np.ndarray, law: laws.NormalLaw) -> None:
    record["k"] = law.k
    match law:
        case laws.Linear() | laws.KhuliefShabana():
            record["law"], record["power"], record["damping"] = layout.LINEAR, 1.0, law.c
        case laws.Hertz():
            record["law"], record["power"] = layout.POWER, law.power
        case laws.AdamsImpact():
            record["law"], record["power"], record["damping"] = layout.STEPPED, law.power, law.c
            record["full_depth"] = law.depth
        case laws.WaltonBraun():
            record["law"], record["power"], record["unload"] = layout.BILINEAR, 1.0, law.k_unload
        case laws.HuntCrossley():
            record["law"], record["power"], record["damping"] = layout.POWER, law.power, law.chi
        case laws.LankaraniNikravesh() | laws.Flores():
            record["law"], record["power"] = layout.POWER, law.power
            record["damping"] = law.factor if law.speed is None else law.factor / law.speed
            record["own_speed"], record["slow"] = law.speed is None, law.slow
        case _:
            raise ModelError(f"compliant: a {type(law).__name__} cannot be simulated")
